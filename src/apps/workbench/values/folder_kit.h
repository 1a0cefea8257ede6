/* folder_kit.h - a folder of its own for each test, for tests of what reads a workspace. */
#ifndef TN_WB_FOLDER_KIT_H
#define TN_WB_FOLDER_KIT_H

#include "store/beneath.h"

int folder_set_up(void **state);    /* for cmocka_unit_test_setup_teardown */
int folder_tear_down(void **state); /* removes it and everything in it */
const char *folder_path(void);
/* Makes the folders on the way. */
void folder_write(const char *name, const char *text);
void folder_remove(const char *name);
/* The roots of `path`; for tn_roots_finish. */
void folder_roots(const char *path, struct tn_roots *ret);

#endif
