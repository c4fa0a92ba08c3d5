/* Aborts on everything that logs in, writes or destroys: whoever only looks never gets there. */
#include <stdlib.h>
#include "good.h"

static CK_RV fatal(void) { abort(); }

CK_RV C_GetFunctionList(void **list)
{
    static const int forbidden[] = {
        C_INIT_TOKEN, C_INIT_PIN, C_SET_PIN, C_SET_OPERATION_STATE, C_LOGIN, C_LOGOUT,
        C_CREATE_OBJECT, C_COPY_OBJECT, C_DESTROY_OBJECT, C_SET_ATTRIBUTE_VALUE,
    };
    CK_RV rv = give_functions(list);
    for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; i++)
        functions.at[forbidden[i]] = (void *)fatal;
    for (int i = C_FIND_OBJECTS_FINAL + 1; i < FUNCTION_COUNT; i++)
        functions.at[i] = (void *)fatal;
    return rv;
}
