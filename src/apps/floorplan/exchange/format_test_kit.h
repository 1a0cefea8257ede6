/* format_test_kit.h - what the layout of any text must hold: it is refused or laid out; white space
 * is all that changes, doing it twice is doing it once, and the plan is the same one (floorplan.md
 * 12). For tests and the fuzz target. Threads: any. */
#ifndef TN_FLOOR_FORMAT_TEST_KIT_H
#define TN_FLOOR_FORMAT_TEST_KIT_H

#include "apps/floorplan/exchange/format.h"

/* NULL: all is well; else what is wrong. *ret_parses: the text is a plan, and was laid out. */
const char *tn_format_check(struct tn_str text, bool *ret_parses);

#endif
