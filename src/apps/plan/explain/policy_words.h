/* policy_words.h - who may do what, in words: of policies, roles and attachments (plan.md
 * section 10.4).
 *
 * Statements are paired by what they say and not by where they stand. Threads: any; no state. */
#ifndef TN_PLAN_POLICY_WORDS_H
#define TN_PLAN_POLICY_WORDS_H

#include "apps/plan/explain/block.h"
#include "base/buf.h"

/* Of a new object, or one that goes: `"roles/owner" for "user:a@b"`, `allows "s3:*"`. False and
 * nothing: it gives nothing. */
bool tn_plan_put_permissions(struct tn_buf *out, const struct tn_plan_entry *entry,
			     enum tn_plan_side side);

/* Of one that changes: `allows "s3:*", no longer lets "arn:..." in`. False and nothing: its
 * policies stay. */
bool tn_plan_put_policy_changes(struct tn_buf *out, const struct tn_plan_entry *entry);

/* True for what stands in a policy. */
bool tn_plan_is_policy_path(struct tn_str path);

#endif
