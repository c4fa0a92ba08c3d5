/* Its second slot answers CKR_DEVICE_ERROR. */
#include "good.h"

static CK_RV fail(CK_ULONG slot, CK_SLOT_INFO *info)
{
    return slot == 1 ? CKR_DEVICE_ERROR : good_get_slot_info(slot, info);
}

CK_RV C_GetFunctionList(void **list)
{
    CK_RV rv = give_functions(list);
    functions.at[C_GET_SLOT_INFO] = (void *)fail;
    return rv;
}
