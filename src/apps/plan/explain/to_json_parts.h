/* to_json_parts.h - what the files behind to_json.h share: members, values and attributes. Private
 * to to_json*.c.
 *
 * Failures stick to the buffer. Threads: any; no state. */
#ifndef TN_PLAN_TO_JSON_PARTS_H
#define TN_PLAN_TO_JSON_PARTS_H

#include "apps/plan/explain/to_json.h"

/* An absent text is null. */
void tn_plan_to_json_member(struct tn_buf *out, const char *key, struct tn_str text);

/* A number below zero is null. */
void tn_plan_to_json_count(struct tn_buf *out, const char *key, int64_t count);

/* A string without its secrets. */
void tn_plan_to_json_redacted(struct tn_buf *out, struct tn_str text);
void tn_plan_to_json_value(struct tn_buf *out, const char *key, const struct tn_plan_value *value,
			   bool hidden, bool redact);
void tn_plan_to_json_texts(struct tn_buf *out, const char *key, const char *const *words,
			   unsigned count);

/* "action" and "actions". */
void tn_plan_to_json_actions(struct tn_buf *out, const struct tn_plan_entry *entry);

struct tn_plan_to_json_range {
	uint32_t offset, limit; /* limit 0: none */
	bool unchanged;         /* these too */
	bool redact;
};
bool tn_plan_to_json_in_range(const struct tn_plan_to_json_range *range, uint32_t index);

/* Returns how many there are, in or out of the range. */
uint32_t tn_plan_to_json_attributes(struct tn_buf *out, const struct tn_plan_attributes *attributes,
				    const struct tn_plan_to_json_range *range);

/* to_json_entry.c: "resource_changes", and "summary". */
void tn_plan_to_json_entries(struct tn_buf *out, const struct tn_plan *plan,
			     const struct tn_plan_filter *filter);
void tn_plan_to_json_summary(struct tn_buf *out, const struct tn_plan *plan);

/* to_json_findings.c: "findings". */
void tn_plan_to_json_findings(struct tn_buf *out, const struct tn_plan *plan,
			      enum tn_plan_risk min_level, bool redact);

#endif
