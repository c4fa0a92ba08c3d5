/* Its first slot claims as many mechanisms as there are numbers; its second is honest. */
#include "good.h"

static CK_RV claim(CK_ULONG slot, CK_ULONG *list, CK_ULONG *count)
{
    if (slot == 1)
        return good_get_mechanism_list(slot, list, count);
    *count = ~0UL;
    return CKR_OK;
}

CK_RV C_GetFunctionList(void **list)
{
    CK_RV rv = give_functions(list);
    functions.at[C_GET_MECHANISM_LIST] = (void *)claim;
    return rv;
}
