/* options.h - how a plan is read: the kind of input, bounds, and how a reader is stopped and
 * watched.
 *
 * Ownership: the pointers are the caller's and outlive the reading. Threads: `cancel` and
 * `progress_bytes` may be used by others while it goes on. */
#ifndef TN_PLAN_OPTIONS_H
#define TN_PLAN_OPTIONS_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum tn_plan_input_kind {
	TN_PLAN_INPUT_AUTO,
	TN_PLAN_INPUT_TEXT,
	TN_PLAN_INPUT_JSON,
	TN_PLAN_INPUT_JSON_STREAM
};

struct tn_plan_options {
	enum tn_plan_input_kind input_kind;
	size_t bytes_max;              /* 0: TN_PLAN_CLI_BYTES_MAX */
	uint32_t cpu_ms_max;           /* 0: TN_PLAN_CPU_MS_MAX */
	const atomic_bool *cancel;     /* NULL, or looked at now and then */
	atomic_size_t *progress_bytes; /* NULL, or advanced as input is read */
};

#endif
