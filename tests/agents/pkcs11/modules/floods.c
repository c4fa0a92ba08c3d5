/* Writes to standard output and standard error for ever. */
#include <unistd.h>
#include "good.h"

static CK_RV flood(CK_INFO *info)
{
    static const char rubbish[] = "{\"library\": {\"manufacturer\": \"6c696172\"}, \"end\": true}\n";
    (void)info;
    for (;;)
        if (write(1, rubbish, sizeof rubbish - 1) < 0 || write(2, rubbish, sizeof rubbish - 1) < 0)
            return CKR_GENERAL_ERROR;
}

CK_RV C_GetFunctionList(void **list)
{
    CK_RV rv = give_functions(list);
    functions.at[C_GET_INFO] = (void *)flood;
    return rv;
}
