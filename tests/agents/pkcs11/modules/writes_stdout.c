/* Prints what looks like the probe's own records, and bytes that are no text, to standard output. */
#include <unistd.h>
#include "good.h"

static const char rubbish[] = "{\"slots\": [99]}\n\xff\xfe\0{\"end\": true}\n";

static CK_RV print(CK_INFO *info)
{
    if (write(1, rubbish, sizeof rubbish - 1) < 0)
        return CKR_GENERAL_ERROR;
    return good_get_info(info);
}

CK_RV C_GetFunctionList(void **list)
{
    CK_RV rv = give_functions(list);
    functions.at[C_GET_INFO] = (void *)print;
    return rv;
}
