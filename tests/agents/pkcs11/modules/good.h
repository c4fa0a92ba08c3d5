/* A small, well-behaved PKCS#11 module with two slots, from which the misbehaving ones are made: each
 * includes this file, replaces single functions in `functions`, and exports C_GetFunctionList.
 * Types and values as in PKCS#11 v2.40, section 3; only what is needed here. */
#include <string.h>

typedef unsigned char CK_BYTE;
typedef unsigned char CK_BBOOL;
typedef unsigned long CK_ULONG;
typedef CK_ULONG CK_RV;
typedef struct { CK_BYTE major, minor; } CK_VERSION;

typedef struct {
    CK_VERSION cryptokiVersion;
    CK_BYTE manufacturerID[32];
    CK_ULONG flags;
    CK_BYTE libraryDescription[32];
    CK_VERSION libraryVersion;
} CK_INFO;

typedef struct {
    CK_BYTE slotDescription[64];
    CK_BYTE manufacturerID[32];
    CK_ULONG flags;
    CK_VERSION hardwareVersion, firmwareVersion;
} CK_SLOT_INFO;

typedef struct {
    CK_BYTE label[32], manufacturerID[32], model[16], serialNumber[16];
    CK_ULONG flags;
    CK_ULONG ulMaxSessionCount, ulSessionCount, ulMaxRwSessionCount, ulRwSessionCount;
    CK_ULONG ulMaxPinLen, ulMinPinLen;
    CK_ULONG ulTotalPublicMemory, ulFreePublicMemory, ulTotalPrivateMemory, ulFreePrivateMemory;
    CK_VERSION hardwareVersion, firmwareVersion;
    CK_BYTE utcTime[16];
} CK_TOKEN_INFO;

typedef struct { CK_ULONG ulMinKeySize, ulMaxKeySize, flags; } CK_MECHANISM_INFO;
typedef struct { CK_ULONG slotID, state, flags, ulDeviceError; } CK_SESSION_INFO;
typedef struct { CK_ULONG type; void *pValue; CK_ULONG ulValueLen; } CK_ATTRIBUTE;
typedef struct {
    void *createMutex, *destroyMutex, *lockMutex, *unlockMutex;
    CK_ULONG flags;
    void *pReserved;
} CK_C_INITIALIZE_ARGS;

#define CKR_OK 0UL
#define CKR_SLOT_ID_INVALID 3UL
#define CKR_GENERAL_ERROR 5UL
#define CKR_ARGUMENTS_BAD 7UL
#define CKR_CANT_LOCK 0xAUL
#define CKR_ATTRIBUTE_TYPE_INVALID 0x12UL
#define CKR_DEVICE_ERROR 0x30UL
#define CKR_FUNCTION_NOT_SUPPORTED 0x54UL
#define CKR_MECHANISM_INVALID 0x70UL
#define CKR_TOKEN_NOT_PRESENT 0xE0UL
#define CKR_BUFFER_TOO_SMALL 0x150UL
#define CKR_CRYPTOKI_ALREADY_INITIALIZED 0x191UL
#define CKF_OS_LOCKING_OK 2UL
#define CKF_TOKEN_PRESENT 1UL
#define CK_UNAVAILABLE_INFORMATION (~0UL)

static int is_initialized;
static CK_ULONG find_position;

static void put(CK_BYTE *field, size_t size, const char *text)
{
    size_t length = strlen(text);
    memset(field, ' ', size);
    memcpy(field, text, length < size ? length : size);
}

static CK_RV good_initialize(void *args)
{
    (void)args;
    if (is_initialized)
        return CKR_CRYPTOKI_ALREADY_INITIALIZED;
    is_initialized = 1;
    return CKR_OK;
}

static CK_RV good_finalize(void *reserved)
{
    (void)reserved;
    is_initialized = 0;
    return CKR_OK;
}

static CK_RV good_get_info(CK_INFO *info)
{
    memset(info, 0, sizeof *info);
    info->cryptokiVersion.major = 2;
    info->cryptokiVersion.minor = 40;
    put(info->manufacturerID, 32, "Keyrack tests");
    put(info->libraryDescription, 32, "Module made for a test");
    info->libraryVersion.major = 1;
    info->libraryVersion.minor = 2;
    return CKR_OK;
}

static CK_RV give_list(const CK_ULONG *have, CK_ULONG number, CK_ULONG *list, CK_ULONG *count)
{
    CK_ULONG room = *count;
    *count = number;
    if (list == NULL)
        return CKR_OK;
    if (room < number)
        return CKR_BUFFER_TOO_SMALL;
    memcpy(list, have, number * sizeof *have);
    return CKR_OK;
}

static CK_RV good_get_slot_list(CK_BBOOL present, CK_ULONG *list, CK_ULONG *count)
{
    static const CK_ULONG slots[] = {0, 1};
    (void)present;
    return give_list(slots, 2, list, count);
}

static CK_RV good_get_slot_info(CK_ULONG slot, CK_SLOT_INFO *info)
{
    memset(info, 0, sizeof *info);
    put(info->slotDescription, 64, slot ? "Second test slot" : "First test slot");
    put(info->manufacturerID, 32, "Keyrack tests");
    info->flags = CKF_TOKEN_PRESENT;
    info->hardwareVersion.major = 2;
    info->hardwareVersion.minor = 6;
    return CKR_OK;
}

static CK_RV good_get_token_info(CK_ULONG slot, CK_TOKEN_INFO *info)
{
    memset(info, 0, sizeof *info);
    put(info->label, 32, slot ? "second" : "first");
    put(info->manufacturerID, 32, "Keyrack tests");
    put(info->model, 16, "paper");
    put(info->serialNumber, 16, slot ? "0002" : "0001");
    info->flags = 0x40D; /* RNG, LOGIN_REQUIRED, USER_PIN_INITIALIZED, TOKEN_INITIALIZED */
    info->ulMaxSessionCount = 10;
    info->ulSessionCount = 3;
    info->ulMaxRwSessionCount = 10;
    info->ulRwSessionCount = 1;
    info->ulMaxPinLen = 8;
    info->ulMinPinLen = 4;
    info->ulTotalPublicMemory = 65536;
    info->ulFreePublicMemory = 4096;
    info->ulTotalPrivateMemory = CK_UNAVAILABLE_INFORMATION;
    info->ulFreePrivateMemory = CK_UNAVAILABLE_INFORMATION;
    return CKR_OK;
}

static CK_RV good_get_mechanism_list(CK_ULONG slot, CK_ULONG *list, CK_ULONG *count)
{
    static const CK_ULONG mechanisms[] = {0x1, 0x1082, 0x250}; /* RSA_PKCS, AES_CBC, SHA256 */
    (void)slot;
    return give_list(mechanisms, 3, list, count);
}

static CK_RV good_get_mechanism_info(CK_ULONG slot, CK_ULONG type, CK_MECHANISM_INFO *info)
{
    (void)slot;
    memset(info, 0, sizeof *info);
    if (type == 0x1) {
        info->ulMinKeySize = 1024;
        info->ulMaxKeySize = 4096;
        info->flags = 0x2801; /* HW, SIGN, VERIFY */
    } else if (type == 0x1082) {
        info->ulMinKeySize = 16;
        info->ulMaxKeySize = 32;
        info->flags = 0x300; /* ENCRYPT, DECRYPT */
    } else if (type == 0x250) {
        info->flags = 0x400; /* DIGEST */
    } else {
        return CKR_MECHANISM_INVALID;
    }
    return CKR_OK;
}

static CK_RV good_open_session(CK_ULONG slot, CK_ULONG flags, void *app, void *notify, CK_ULONG *out)
{
    (void)flags; (void)app; (void)notify;
    *out = slot + 100;
    return CKR_OK;
}

static CK_RV good_close_session(CK_ULONG session) { (void)session; return CKR_OK; }

static CK_RV good_get_session_info(CK_ULONG session, CK_SESSION_INFO *info)
{
    memset(info, 0, sizeof *info);
    info->slotID = session - 100;
    info->flags = 4;
    return CKR_OK;
}

static CK_RV good_find_objects_init(CK_ULONG session, CK_ATTRIBUTE *wanted, CK_ULONG count)
{
    (void)session; (void)wanted; (void)count;
    find_position = 0;
    return CKR_OK;
}

static CK_RV good_find_objects(CK_ULONG session, CK_ULONG *list, CK_ULONG room, CK_ULONG *count)
{
    (void)session;
    *count = 0;
    while (find_position < 3 && *count < room)
        list[(*count)++] = ++find_position;
    return CKR_OK;
}

static CK_RV good_find_objects_final(CK_ULONG session) { (void)session; return CKR_OK; }

/* Objects 1 and 2 are public keys, 3 is data. */
static CK_RV good_get_attribute_value(CK_ULONG session, CK_ULONG object, CK_ATTRIBUTE *wanted,
                                      CK_ULONG count)
{
    CK_RV rv = CKR_OK;
    (void)session;
    for (CK_ULONG i = 0; i < count; i++) {
        CK_ULONG class = object == 3 ? 0 : 2;
        if (wanted[i].type != 0) {
            wanted[i].ulValueLen = CK_UNAVAILABLE_INFORMATION;
            rv = CKR_ATTRIBUTE_TYPE_INVALID;
            continue;
        }
        if (wanted[i].pValue)
            memcpy(wanted[i].pValue, &class, sizeof class);
        wanted[i].ulValueLen = sizeof class;
    }
    return rv;
}

static CK_RV not_supported(void) { return CKR_FUNCTION_NOT_SUPPORTED; }

/* The order is that of CK_FUNCTION_LIST; positions from 29 on are not needed here. */
enum {
    C_INITIALIZE, C_FINALIZE, C_GET_INFO, C_GET_FUNCTION_LIST, C_GET_SLOT_LIST, C_GET_SLOT_INFO,
    C_GET_TOKEN_INFO, C_GET_MECHANISM_LIST, C_GET_MECHANISM_INFO, C_INIT_TOKEN, C_INIT_PIN, C_SET_PIN,
    C_OPEN_SESSION, C_CLOSE_SESSION, C_CLOSE_ALL_SESSIONS, C_GET_SESSION_INFO, C_GET_OPERATION_STATE,
    C_SET_OPERATION_STATE, C_LOGIN, C_LOGOUT, C_CREATE_OBJECT, C_COPY_OBJECT, C_DESTROY_OBJECT,
    C_GET_OBJECT_SIZE, C_GET_ATTRIBUTE_VALUE, C_SET_ATTRIBUTE_VALUE, C_FIND_OBJECTS_INIT,
    C_FIND_OBJECTS, C_FIND_OBJECTS_FINAL, FUNCTION_COUNT = 68
};

static struct {
    CK_VERSION version;
    void *at[FUNCTION_COUNT];
} functions;

CK_RV C_GetFunctionList(void **list);

static CK_RV give_functions(void **list)
{
    functions.version.major = 2;
    functions.version.minor = 40;
    for (int i = 0; i < FUNCTION_COUNT; i++)
        functions.at[i] = (void *)not_supported;
    functions.at[C_INITIALIZE] = (void *)good_initialize;
    functions.at[C_FINALIZE] = (void *)good_finalize;
    functions.at[C_GET_INFO] = (void *)good_get_info;
    functions.at[C_GET_FUNCTION_LIST] = (void *)C_GetFunctionList;
    functions.at[C_GET_SLOT_LIST] = (void *)good_get_slot_list;
    functions.at[C_GET_SLOT_INFO] = (void *)good_get_slot_info;
    functions.at[C_GET_TOKEN_INFO] = (void *)good_get_token_info;
    functions.at[C_GET_MECHANISM_LIST] = (void *)good_get_mechanism_list;
    functions.at[C_GET_MECHANISM_INFO] = (void *)good_get_mechanism_info;
    functions.at[C_OPEN_SESSION] = (void *)good_open_session;
    functions.at[C_CLOSE_SESSION] = (void *)good_close_session;
    functions.at[C_GET_SESSION_INFO] = (void *)good_get_session_info;
    functions.at[C_GET_ATTRIBUTE_VALUE] = (void *)good_get_attribute_value;
    functions.at[C_FIND_OBJECTS_INIT] = (void *)good_find_objects_init;
    functions.at[C_FIND_OBJECTS] = (void *)good_find_objects;
    functions.at[C_FIND_OBJECTS_FINAL] = (void *)good_find_objects_final;
    *list = &functions;
    return CKR_OK;
}
