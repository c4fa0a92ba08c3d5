/* The second slot is replaced by a third one as soon as the list has been given. */
#include "good.h"

static int given;

static CK_RV change(CK_BBOOL present, CK_ULONG *list, CK_ULONG *count)
{
    CK_ULONG slots[] = {0, given ? 2 : 1};
    CK_RV rv = give_list(slots, 2, list, count);
    (void)present;
    if (list && rv == CKR_OK)
        given = 1;
    return rv;
}

static CK_RV known(CK_ULONG slot, CK_SLOT_INFO *info)
{
    return slot == 1 ? CKR_SLOT_ID_INVALID : good_get_slot_info(slot, info);
}

CK_RV C_GetFunctionList(void **list)
{
    CK_RV rv = give_functions(list);
    functions.at[C_GET_SLOT_LIST] = (void *)change;
    functions.at[C_GET_SLOT_INFO] = (void *)known;
    return rv;
}
