/* grants.h - who gets to do what: the permissions that a change gives and that matter most.
 *
 * Read from policy documents, roles, members and attachments alike, statement by statement; what an
 * object gave before, wherever it stood in its list, is not new. The same for text and JSON plans.
 * Threads: any; no state. */
#ifndef TN_PLAN_GRANTS_H
#define TN_PLAN_GRANTS_H

#include "apps/plan/explain/block.h"
#include "base/buf.h"

enum tn_plan_grant_kind {
	TN_PLAN_GRANTS_NOTHING,
	TN_PLAN_GRANTS_ALL_ACTIONS,  /* Action "*" */
	TN_PLAN_GRANTS_ALL_BUT,      /* NotAction */
	TN_PLAN_GRANTS_MORE_GRANTS,  /* iam:PassRole and what else leads to more permissions */
	TN_PLAN_GRANTS_TRUST_TO_ALL, /* everybody may take the role on */
	TN_PLAN_GRANTS_TO_ALL,       /* a policy's principal, or a member, is everybody */
	TN_PLAN_GRANTS_MIGHTY_ROLE,  /* owner, administrator */
	TN_PLAN_GRANTS_NO_DENIAL,    /* a denial becomes a permission */
	TN_PLAN_GRANT_KINDS
};

struct tn_plan_grant {
	enum tn_plan_grant_kind kind;
	const struct tn_plan_attribute *evidence;
};

/* True for the attributes that are read: Action, Principal, member, role. `path` is a whole path.
 */
bool tn_plan_grants_read(struct tn_str path);

/* Which permission this attribute gives afterwards, and the entry did not give before. */
enum tn_plan_grant_kind tn_plan_new_grant(const struct tn_plan_entry *entry,
					  const struct tn_plan_attribute *attribute);

/* "\"roles/owner\" to \"user:a@b\"": the evidence's value, and who gets it where that is told. */
void tn_plan_put_grant(struct tn_buf *out, const struct tn_plan_entry *entry,
		       const struct tn_plan_grant *grant);

#endif
