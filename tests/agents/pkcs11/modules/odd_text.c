/* Pads with NULs, leaves rubbish behind one, writes Latin-1 and a terminal's control sequence. */
#include "good.h"

static CK_RV odd(CK_ULONG slot, CK_TOKEN_INFO *info)
{
    CK_RV rv = good_get_token_info(slot, info);
    memset(info->model, 0, 16);
    memcpy(info->model, "SW   TPM", 8);
    memcpy(info->label, "caf\xe9 \x1b[31m", 10);
    memset(info->manufacturerID, 0, 32);
    memcpy(info->manufacturerID, "maker\0rubbish", 13);
    info->ulSessionCount = CK_UNAVAILABLE_INFORMATION;
    info->ulMaxSessionCount = 0;
    info->ulMaxRwSessionCount = CK_UNAVAILABLE_INFORMATION - 1;
    info->ulRwSessionCount = 0;
    return rv;
}

CK_RV C_GetFunctionList(void **list)
{
    CK_RV rv = give_functions(list);
    functions.at[C_GET_TOKEN_INFO] = (void *)odd;
    return rv;
}
