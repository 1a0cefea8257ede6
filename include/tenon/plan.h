/* plan.h - Terraform and OpenTofu plans, read and explained, as a plain library (libtenon-plan).
 *
 * No MCP, no network, no files. Texts handed out are NUL-terminated UTF-8 and freed with
 * tenon_plan_free_text. Threads: any number, on different plans; a parsed plan is never changed, so
 * several threads may read one. Limits: 64 MiB of input, 100,000 resources, 400 attributes each. */
#ifndef TENON_PLAN_H
#define TENON_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tenon/error.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tenon_plan;

/* Reads what `plan` printed, `show -json` or `plan -json`; the kind is found out. Fails: INVALID
 * (not a plan, or a binary plan file: the message says what to send), LIMIT, NO_MEMORY. */
enum tenon_code tenon_plan_parse(const void *bytes, size_t size, struct tenon_plan **ret,
				 struct tenon_error *err);
void tenon_plan_free(struct tenon_plan *plan); /* accepts NULL */
void tenon_plan_free_text(char *text);         /* accepts NULL */

size_t tenon_plan_length(const struct tenon_plan *plan); /* the number of changes, without reads */

enum tenon_plan_detail {
	TENON_PLAN_SUMMARY, /* counts, risk and notes only */
	TENON_PLAN_CHANGES, /* and every change with what changes in it */
	TENON_PLAN_FULL     /* and the unchanged attributes that name an object */
};
/* The whole result as JSON. Each of the functions below returns NULL when memory is short. */
char *tenon_plan_to_json(const struct tenon_plan *plan, enum tenon_plan_detail detail);

struct tenon_plan_turn {
	const char *role; /* "user" or "assistant" */
	const char *content;
};
/* The document a language model gets: mcp_version, system, tool_output, history; pruned. `system`
 * NULL: the built-in prompt. `turns` oldest first. */
char *tenon_plan_context(const struct tenon_plan *plan, const char *system,
			 const struct tenon_plan_turn *turns, size_t turn_count);

/* The reward function: 0 to 100; 80 passes. */
int tenon_plan_score(const char *answer, size_t plan_length, bool count_only);

enum tenon_plan_preference {
	TENON_PLAN_AUTO,       /* full up to five changes, the question above */
	TENON_PLAN_COUNT_ONLY, /* "Summary: N changes" */
	TENON_PLAN_FULL_SUMMARY
};
/* The explanation by built-in rules; `developer`: type names and paths instead of plain nouns. */
char *tenon_plan_explain(const struct tenon_plan *plan, enum tenon_plan_preference preference,
			 bool developer);

/* The best of `count` (1 to 10) wordings, with its score and all attempts, as JSON. `temperature`,
 * 0 to 2, only turns their order. NULL also when count or temperature are out of range. */
char *tenon_plan_best_of(const struct tenon_plan *plan, unsigned count, double temperature,
			 enum tenon_plan_preference preference, bool developer);

#ifdef __cplusplus
}
#endif
#endif
