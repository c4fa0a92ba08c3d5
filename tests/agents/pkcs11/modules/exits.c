/* Ends the process that uses it. */
#include <stdlib.h>
#include "good.h"

static CK_RV leave(CK_INFO *info)
{
    (void)info;
    exit(7);
}

CK_RV C_GetFunctionList(void **list)
{
    CK_RV rv = give_functions(list);
    functions.at[C_GET_INFO] = (void *)leave;
    return rv;
}
