/* resolve_test_kit.h - plans in tests: a text and what is told of it, one line each. For the tests
 * of phase 4. Threads: one at a time. */
#ifndef TN_FLOOR_RESOLVE_TEST_KIT_H
#define TN_FLOOR_RESOLVE_TEST_KIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "apps/floorplan/plan/plan.h"
#include "base/size.h"

#define HEAD "%%{version: 1.0}%%\nfloorplan\n"         /* lines 1 and 2 */
#define IN_FLOOR(text) HEAD "floor F {\n" text "\n}\n" /* `text` begins in line 4 */
#define METRES(text) HEAD "config { default_unit: m } floor F {\n" text "\n}\n"

/* Fails the test if the plan cannot be made. The caller frees it. */
struct tn_floor_plan *kit_plan(const char *text);
/* All diagnostics, as "FP3010 5:6-5:7; ...". */
void kit_expect(const char *text, const char *diagnostics);
/* Of the diagnostic with this code: its message contains `part`, its fix is `fix` (NULL: none). */
void kit_expect_text(const char *text, int code, const char *part, const char *fix);
const struct tn_floor_room *kit_room(const struct tn_floor_plan *plan, const char *name);
const struct tn_floor_circulation *kit_circulation(const struct tn_floor_plan *plan,
						   const char *name);
void kit_expect_rect(const struct tn_floor_rect *found, double x, double y, double width,
		     double height);
void kit_near(double found, double expected);

#endif
