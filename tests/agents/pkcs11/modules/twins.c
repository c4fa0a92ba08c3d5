/* Two tokens with one label and one serial number. */
#include "good.h"

static CK_RV twin(CK_ULONG slot, CK_TOKEN_INFO *info)
{
    (void)slot;
    return good_get_token_info(0, info);
}

CK_RV C_GetFunctionList(void **list)
{
    CK_RV rv = give_functions(list);
    functions.at[C_GET_TOKEN_INFO] = (void *)twin;
    return rv;
}
