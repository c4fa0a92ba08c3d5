/* A shared library that has nothing to do with PKCS#11. */
int answer(void);

int answer(void) { return 42; }
