/* build.h - filling a struct tn_plan while reading, whatever the kind of input.
 *
 * The first failure sticks: later additions return NULL, and the reader looks at `code` once a line
 * or element. Lists grow in the plan's arena, entries on the heap until the plan is freed. Memory
 * is bounded by the input's size (plan.md section 2); where it runs short attributes are counted
 * instead of kept, and only then the input is refused. Threads: one at a time. */
#ifndef TN_PLAN_BUILD_H
#define TN_PLAN_BUILD_H

#include "apps/plan/read/model.h"
#include "apps/plan/read/options.h"
#include "base/size.h"

struct tn_plan_told { /* how often a warning was given */
	const char *code;
	uint32_t count;
};

struct tn_plan_build {
	struct tn_plan *plan;
	const struct tn_plan_options *options;
	struct tenon_error *err;
	enum tenon_code code;    /* of the first failure */
	const char *reason;      /* the contract's code of that failure */
	size_t soft_limit;       /* bytes of arena above which attributes are only counted */
	uint64_t deadline_us;    /* of this thread's CPU time */
	uint32_t entry_capacity; /* of plan->changes */
	struct tn_plan_told told[24];
};

/* `plan` is zeroed, its arena ready. */
void tn_plan_build_init(struct tn_plan_build *build, struct tn_plan *plan,
			const struct tn_plan_options *options, struct tenon_error *err);

/* Records the first failure; always returns its code. */
enum tenon_code tn_plan_build_fail(struct tn_plan_build *build, enum tenon_code code,
				   const char *reason, const char *format, ...) TN_PRINTF(4, 5);

/* What was cut at a limit says so and goes on; what got no memory ends the reading. */
void tn_plan_build_check_memory(struct tn_plan_build *build, bool starved);

/* Called every few hundred KiB: tells progress, looks at the cancel flag and the CPU limit. */
bool tn_plan_build_tick(struct tn_plan_build *build, size_t bytes_read);
#define TN_PLAN_TICK_BYTES (256 * TN_KIB)

bool tn_plan_build_has_room(const struct tn_plan_build *build); /* for optional parts */

/* Each returns a zeroed element that stays in place only until the next one of its kind is added,
 * or NULL. Lists other than the entries drop what is beyond their cap, with one warning. */
struct tn_plan_entry *tn_plan_add_entry(struct tn_plan_build *build);
struct tn_plan_output *tn_plan_add_output(struct tn_plan_build *build);
struct tn_plan_drift *tn_plan_add_drift(struct tn_plan_build *build);
struct tn_plan_deferred *tn_plan_add_deferred(struct tn_plan_build *build);
struct tn_plan_invocation *tn_plan_add_invocation(struct tn_plan_build *build);
struct tn_plan_diagnostic *tn_plan_add_diagnostic(struct tn_plan_build *build);
struct tn_plan_unit *tn_plan_add_unit(struct tn_plan_build *build);
struct tn_plan_mismatch *tn_plan_add_mismatch(struct tn_plan_build *build);

/* `code` is a static string; a code is told at most TN_PLAN_WARNINGS_PER_CODE times. */
void tn_plan_warn(struct tn_plan_build *build, const char *code, uint32_t line, const char *format,
		  ...) TN_PRINTF(4, 5);

/* `text` lives as long as the plan. Reasons beyond a small number are dropped. */
void tn_plan_add_reason(struct tn_plan_build *build, struct tn_plan_entry *entry, const char *code,
			struct tn_str text);
void tn_plan_add_forced_reasons(struct tn_plan_build *build, struct tn_plan_entry *entry);

/* A copy in the plan's arena; the empty slice when memory is short. */
struct tn_str tn_plan_keep(struct tn_plan_build *build, struct tn_str text);

/* A string value cut at TN_PLAN_VALUE_BYTES_MAX. Short text is not copied: it lives with the plan.
 */
struct tn_plan_value tn_plan_string_value(struct tn_plan_build *build, struct tn_str text);

/* "name", "[\"a key\"]", whatever a path component looks like: true for what stands behind a dot.
 */
bool tn_plan_is_identifier(struct tn_str text);

#endif
