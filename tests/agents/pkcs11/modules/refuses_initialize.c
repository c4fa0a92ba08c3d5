/* Its daemon is down, so to speak. */
#include "good.h"

static CK_RV refuse(void *args)
{
    (void)args;
    return CKR_GENERAL_ERROR;
}

CK_RV C_GetFunctionList(void **list)
{
    CK_RV rv = give_functions(list);
    functions.at[C_INITIALIZE] = (void *)refuse;
    return rv;
}
