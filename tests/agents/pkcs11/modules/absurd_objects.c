/* Finds objects for ever in its first slot; a value in its second claims four thousand million bytes. */
#include "good.h"

static CK_RV find(CK_ULONG session, CK_ULONG *list, CK_ULONG room, CK_ULONG *count)
{
    if (session == 101)
        return good_find_objects(session, list, room, count);
    for (*count = 0; *count < room; (*count)++)
        list[*count] = ++find_position;
    return CKR_OK;
}

static CK_RV value(CK_ULONG session, CK_ULONG object, CK_ATTRIBUTE *wanted, CK_ULONG count)
{
    (void)session; (void)object;
    for (CK_ULONG i = 0; i < count; i++)
        wanted[i].ulValueLen = 4000000000UL;
    return CKR_OK;
}

CK_RV C_GetFunctionList(void **list)
{
    CK_RV rv = give_functions(list);
    functions.at[C_FIND_OBJECTS] = (void *)find;
    functions.at[C_GET_ATTRIBUTE_VALUE] = (void *)value;
    return rv;
}
