/* reading_kit.h - what the tests of the reader share: files, parsing that must succeed, sets of
 * changes as text that can be compared, and numbers by a seed. Test code only. */
#ifndef TN_PLAN_READING_KIT_H
#define TN_PLAN_READING_KIT_H

#include "apps/plan/parse.h"
#include "base/buf.h"

/* The file's bytes, or a failed test. `name` is below tests/data/plan-examples. */
struct tn_buf test_load(const char *name);

struct tn_plan *test_parse(struct tn_str text); /* must succeed */
struct tn_plan *test_parse_text(const char *text);

/* The contract's error code; the test fails when the text parses. */
const char *test_parse_reason(struct tn_str text);

/* The "actions" of a change as JSON plans write them: delete,create. */
const char *test_actions_text(const struct tn_plan_entry *entry);

const struct tn_plan_entry *test_entry(const struct tn_plan *plan, const char *address);
const struct tn_plan_attribute *test_attribute(const struct tn_plan_attributes *attributes,
					       const char *path);
bool test_has_warning(const struct tn_plan *plan, const char *code);

/* One line a change, sorted: "ADDRESS|actions|previous|deposed". `with_deposed` false leaves the
 * last out (the stream does not tell it). The caller finishes the buffer. */
struct tn_buf test_change_set(const struct tn_plan *plan, bool with_deposed);

/* `text` with its first `what` replaced. The caller finishes the buffer. */
struct tn_buf test_replaced(struct tn_str text, struct tn_str what, struct tn_str with);

/* The same numbers for the same seed, on any machine. */
struct test_random {
	uint64_t state; /* begins as the seed */
};
uint32_t test_next_random(struct test_random *random, uint32_t below);

#define assert_str(actual, expected)                                            \
	do {                                                                    \
		struct tn_str actual_ = (actual);                               \
		if (!tn_str_is(actual_, (expected)))                            \
			fail_msg("%.*s, expected %s", (int)actual_.size,        \
				 actual_.data ? actual_.data : "", (expected)); \
	} while (0)

#endif
