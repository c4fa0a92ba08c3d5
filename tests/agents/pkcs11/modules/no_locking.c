/* Cannot lock: C_Initialize works without arguments only. */
#include "good.h"

static CK_RV refuse(CK_C_INITIALIZE_ARGS *args)
{
    return args && args->flags & CKF_OS_LOCKING_OK ? CKR_CANT_LOCK : good_initialize(args);
}

CK_RV C_GetFunctionList(void **list)
{
    CK_RV rv = give_functions(list);
    functions.at[C_INITIALIZE] = (void *)refuse;
    return rv;
}
