/* Aborts in its constructor, before any PKCS#11 call. */
#include <stdlib.h>
#include "good.h"

__attribute__((constructor)) static void crash(void) { abort(); }

CK_RV C_GetFunctionList(void **list) { return give_functions(list); }
