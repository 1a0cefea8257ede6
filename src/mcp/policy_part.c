#include "mcp/policy_part.h"

#include "mcp/consent_policy.h"
#include "mcp/consent_table.h"
#include "mcp/server.h"

static struct tn_str text_of(const struct tn_policy *policy, const struct tn_policy_part *part)
{
	return policy ? tn_policy_member(policy, part->member) : tn_str("", 0);
}

enum tenon_code tn_policy_part_add(struct tenon_server *server, struct tn_policy_part *part,
				   struct tenon_error *err)
{
	const struct tn_policy *policy = server->consent ? server->consent->policy : NULL;
	enum tenon_code code = part->read(text_of(policy, part), &part->made, err);

	if (code != TENON_OK)
		return code;
	part->use(part->made, part->data);
	part->made = NULL;
	part->next = server->policy_parts;
	server->policy_parts = part;
	return TENON_OK;
}

void tn_policy_part_remove(struct tenon_server *server, struct tn_policy_part *part)
{
	struct tn_policy_part **link = &server->policy_parts;

	while (*link && *link != part)
		link = &(*link)->next;
	if (*link)
		*link = part->next;
}

enum tenon_code tn_policy_parts_take(struct tenon_server *server, const struct tn_policy *policy,
				     struct tenon_error *err)
{
	struct tn_policy_part *end = server->policy_parts;
	enum tenon_code code = TENON_OK;

	while (end && code == TENON_OK) {
		code = end->read(text_of(policy, end), &end->made, err);
		if (code == TENON_OK)
			end = end->next;
	}
	for (struct tn_policy_part *part = server->policy_parts; part != end; part = part->next) {
		if (code == TENON_OK)
			part->use(part->made, part->data);
		else
			part->drop(part->made);
		part->made = NULL;
	}
	return code;
}
