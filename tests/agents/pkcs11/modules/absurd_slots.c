/* Claims more than four thousand million slots. */
#include "good.h"

static CK_RV claim(CK_BBOOL present, CK_ULONG *list, CK_ULONG *count)
{
    (void)present; (void)list;
    *count = 4294967295UL;
    return CKR_OK;
}

CK_RV C_GetFunctionList(void **list)
{
    CK_RV rv = give_functions(list);
    functions.at[C_GET_SLOT_LIST] = (void *)claim;
    return rv;
}
