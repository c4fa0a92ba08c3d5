/* Never answers C_GetSlotList, and ignores SIGTERM while it does not. */
#include <signal.h>
#include <unistd.h>
#include "good.h"

static CK_RV hang(CK_BBOOL present, CK_ULONG *list, CK_ULONG *count)
{
    (void)present; (void)list; (void)count;
    signal(SIGTERM, SIG_IGN);
    while (pause())
        continue;
    return CKR_OK;
}

CK_RV C_GetFunctionList(void **list)
{
    CK_RV rv = give_functions(list);
    functions.at[C_GET_SLOT_LIST] = (void *)hang;
    return rv;
}
