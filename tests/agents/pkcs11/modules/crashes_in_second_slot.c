/* Reads address 0 when asked for the token in its second slot. */
#include "good.h"

static CK_RV crash(CK_ULONG slot, CK_TOKEN_INFO *info)
{
    if (slot == 1)
        return *(volatile CK_RV *)0;
    return good_get_token_info(slot, info);
}

CK_RV C_GetFunctionList(void **list)
{
    CK_RV rv = give_functions(list);
    functions.at[C_GET_TOKEN_INFO] = (void *)crash;
    return rv;
}
