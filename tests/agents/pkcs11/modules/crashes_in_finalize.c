/* Everything works, and then C_Finalize crashes. */
#include <stdlib.h>
#include "good.h"

static CK_RV crash(void *reserved)
{
    (void)reserved;
    abort();
}

CK_RV C_GetFunctionList(void **list)
{
    CK_RV rv = give_functions(list);
    functions.at[C_FINALIZE] = (void *)crash;
    return rv;
}
