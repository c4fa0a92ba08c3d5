/* Does everything right: the control that the misbehaving modules are compared with. */
#include "good.h"

CK_RV C_GetFunctionList(void **list) { return give_functions(list); }
