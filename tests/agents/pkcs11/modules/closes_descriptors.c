/* Closes every descriptor but the first three, as careless daemons do. */
#include <unistd.h>
#include "good.h"

static CK_RV close_all(CK_INFO *info)
{
    for (int descriptor = 3; descriptor < 1024; descriptor++)
        close(descriptor);
    return good_get_info(info);
}

CK_RV C_GetFunctionList(void **list)
{
    CK_RV rv = give_functions(list);
    functions.at[C_GET_INFO] = (void *)close_all;
    return rv;
}
