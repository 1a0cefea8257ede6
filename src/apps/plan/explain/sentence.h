/* sentence.h - one change in one English sentence, and its parts (plan.md section 10.4).
 *
 * No part holds a line break or a control character, whatever the plan says. Threads: any. */
#ifndef TN_PLAN_SENTENCE_H
#define TN_PLAN_SENTENCE_H

#include "apps/plan/explain/explain.h"

enum { TN_PLAN_UPDATES_SHOWN = 3, TN_PLAN_FACTS_SHOWN = 4 };

/* Ends with a full stop. */
void tn_plan_put_sentence(struct tn_buf *out, const struct tn_plan *plan,
			  const struct tn_plan_entry *entry, enum tn_plan_audience audience);

/* managed database "ledger" */
void tn_plan_put_what(struct tn_buf *out, const struct tn_plan_entry *entry,
		      enum tn_plan_audience audience);

/* Where the text holds several plans, each with changes: which one, "dir: prod workspace: default"
 * or "part 2", behind `before`. Nothing where there is one. */
void tn_plan_put_unit(struct tn_buf *out, const struct tn_plan *plan, uint32_t unit,
		      const char *before);

/* "because it is no longer in the configuration"; false and nothing when no cause is known. */
bool tn_plan_put_because(struct tn_buf *out, const struct tn_plan_entry *entry,
			 enum tn_plan_audience audience);

/* `engine version from "13" to "15", size from "1" to "2" and 4 more settings`: what a finding
 * rests on, what forces, key facts, the rest; rules of a firewall and statements of a policy in
 * words of their own. False and nothing when no attribute is known to change. */
bool tn_plan_put_updates(struct tn_buf *out, const struct tn_plan *plan,
			 const struct tn_plan_entry *entry, enum tn_plan_audience audience);

/* Tags and labels, and nothing else. */
bool tn_plan_changes_only_tags(const struct tn_plan_entry *entry);

/* "t3.small, in eu-west-1"; false and nothing without facts. */
bool tn_plan_put_facts(struct tn_buf *out, const struct tn_plan_entry *entry);

/* engine version, or for developers the path as it is. */
void tn_plan_put_path_words(struct tn_buf *out, struct tn_str path, enum tn_plan_audience audience);

/* A value as people read it: quoted, cut, or why it is not shown. */
void tn_plan_put_shown_value(struct tn_buf *out, const struct tn_plan_attribute *attribute,
			     const struct tn_plan_value *value);

#endif
