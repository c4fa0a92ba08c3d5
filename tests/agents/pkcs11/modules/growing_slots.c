/* Announces one slot the first two times and has two by the time they are fetched. */
#include "good.h"

static int asked;

static CK_RV grow(CK_BBOOL present, CK_ULONG *list, CK_ULONG *count)
{
    (void)present;
    if (list == NULL && asked++ < 2) {
        *count = 1;
        return CKR_OK;
    }
    return good_get_slot_list(present, list, count);
}

CK_RV C_GetFunctionList(void **list)
{
    CK_RV rv = give_functions(list);
    functions.at[C_GET_SLOT_LIST] = (void *)grow;
    return rv;
}
