/* Offers a vendor's mechanism, a number nobody knows, an EC mechanism, and one it knows nothing of. */
#include "good.h"

static CK_RV listing(CK_ULONG slot, CK_ULONG *list, CK_ULONG *count)
{
    static const CK_ULONG both[] = {0x80000001, 0x4FFF, 0x1041, 0x1D, 0x1082, 0x1082};
    return give_list(both, slot == 0 ? 6 : 3, list, count);
}

static CK_RV describe(CK_ULONG slot, CK_ULONG type, CK_MECHANISM_INFO *info)
{
    memset(info, 0, sizeof *info);
    if (type == 0x1D)
        return CKR_MECHANISM_INVALID;
    if (type == 0x1041) {
        info->ulMinKeySize = 192;
        info->ulMaxKeySize = slot == 0 ? 521 : 384;
        info->flags = 0x1902800; /* F_P, OID, UNCOMPRESS, SIGN, VERIFY */
    } else if (type == 0x80000001) {
        info->ulMaxKeySize = CK_UNAVAILABLE_INFORMATION;
        info->flags = 0xC0000101; /* EXTENSION, a bit without a name, ENCRYPT, HW */
    }
    return CKR_OK;
}

CK_RV C_GetFunctionList(void **list)
{
    CK_RV rv = give_functions(list);
    functions.at[C_GET_MECHANISM_LIST] = (void *)listing;
    functions.at[C_GET_MECHANISM_INFO] = (void *)describe;
    return rv;
}
