/* hcl_test_kit.h - a text read as HCL, and what was read as a short text. For cmocka tests.
 * Threads: one at a time. */
#ifndef TN_STUDIO_HCL_TEST_KIT_H
#define TN_STUDIO_HCL_TEST_KIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "apps/studio/hcl/hcl.h"
#include "base/buf.h"

struct world {
	struct tn_arena arena;
	struct tn_hcl_file *file;
	struct tn_buf dump;
};

/* cmocka's: a world for each test. */
int set_up(void **state);
int tear_down(void **state);
void parse(struct world *world, struct tn_str text);

#endif
