/* wording_kit.h - what the tests of risk and wording share: plans put together by hand, so that
 * each test says all it needs. Test code only. */
#ifndef TN_PLAN_WORDING_KIT_H
#define TN_PLAN_WORDING_KIT_H

#include "apps/plan/explain/explain.h"
#include "apps/plan/read/model.h"
#include "base/buf.h"
#include "jsonrpc/json.h"

/* A plan of the given entries; count, total and actions are kept right by test_add. */
struct tn_plan *test_plan(void);
void test_plan_free(struct tn_plan *plan);

/* The entry stays in place until the plan goes. */
struct tn_plan_entry *test_add(struct tn_plan *plan, enum tn_plan_action action,
			       const char *address);

/* Values: NULL absent, "#12" a number, "?true" a boolean, anything else a string. The change is
 * told by what is absent; both the same: unchanged. */
struct tn_plan_attribute *test_attr(struct tn_plan *plan, struct tn_plan_entry *entry,
				    const char *path, const char *before, const char *after);
void test_reason(struct tn_plan *plan, struct tn_plan_entry *entry, const char *code,
		 const char *text);
struct tn_plan_diagnostic *test_diagnostic(struct tn_plan *plan, const char *severity,
					   const char *summary);
struct tn_plan_drift *test_drift(struct tn_plan *plan, enum tn_plan_action action,
				 const char *address);
void test_drift_attr(struct tn_plan *plan, struct tn_plan_drift *drift, const char *path,
		     const char *before, const char *after);

void test_assess(struct tn_plan *plan);

/* The level at which a rule is found on an address (NULL: on the plan), or -1. */
int test_level(const struct tn_plan *plan, const char *id, const char *address);

/* The buffer's text with a NUL; fails when the buffer failed. */
const char *test_text(struct tn_buf *buf);
struct tn_buf test_buf(void);

/* Parses what was written; it lives in the plan's arena. */
const struct tn_json *test_json(struct tn_plan *plan, struct tn_buf *buf);
/* a.b.0.c, for looking at results. */
const struct tn_json *test_get(const struct tn_json *value, const char *path);
void test_is_text(const struct tn_json *value, const char *path, const char *expected);
void test_is_int(const struct tn_json *value, const char *path, int64_t expected);

/* The full form of the explanation, and the sentence of the last change, are just this. */
void test_is_full(const struct tn_plan *plan, enum tn_plan_audience audience, const char *expected);
void test_is_sentence(struct tn_plan *plan, const char *expected);

/* How often the part stands in the text. */
size_t test_count_of(struct tn_str text, const char *part);

bool test_contains(struct tn_str text, const char *part);
#define assert_contains(buf, part)                                               \
	do {                                                                     \
		if (!test_contains(tn_buf_str(buf), (part)))                     \
			fail_msg("no \"%s\" in: %.*s", (part), (int)(buf)->size, \
				 (buf)->data ? (buf)->data : "");                \
	} while (0)
#define assert_lacks(buf, part)                                                             \
	do {                                                                                \
		if (test_contains(tn_buf_str(buf), (part)))                                 \
			fail_msg("\"%s\" in: %.*s", (part), (int)(buf)->size, (buf)->data); \
	} while (0)

#endif
