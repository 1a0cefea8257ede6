/* interchange_test_kit.h - plans to JSON, to canonical text and back, in tests. For cmocka tests.
 * Threads: one at a time. */
#ifndef TN_FLOOR_INTERCHANGE_TEST_KIT_H
#define TN_FLOOR_INTERCHANGE_TEST_KIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "apps/floorplan/exchange/interchange.h"
#include "base/size.h"

struct import {
	struct tn_buf text, warnings, faults; /* each with a NUL at its end */
	enum tenon_code code;
};

/* Fails the test when the text is no plan. The caller frees it. */
struct tn_floor_plan *kit_read(struct tn_str text);
void kit_canonical(const struct tn_floor_plan *plan, struct tn_buf *out);
void kit_json(const struct tn_floor_plan *plan, struct tn_buf *out);
void kit_import(struct tn_str json, struct import *ret);
void kit_import_finish(struct import *import);
void kit_same_bytes(const struct tn_buf *a, const struct tn_buf *b);

#endif
