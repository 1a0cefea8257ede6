#include "apps/plan/explain/grants.h"

#include "apps/plan/explain/path.h"
#include "apps/plan/explain/redact.h"
#include "apps/plan/explain/vocabulary.h"
#include "base/size.h"

/* ---- words ---- */

static bool is_one_of(struct tn_str text, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (tn_str_equal_nocase(text, tn_str_from(words[i])))
			return true;
	return false;
}

/* "iam:*" and "iam:Pass*" cover "iam:PassRole". */
static bool covers(struct tn_str pattern, const char *action)
{
	struct tn_str whole = tn_str_from(action);

	if (pattern.size == 0 || pattern.data[pattern.size - 1] != '*')
		return tn_str_equal_nocase(pattern, whole);
	pattern.size--;
	return whole.size >= pattern.size &&
	       tn_str_equal_nocase(tn_str(whole.data, pattern.size), pattern);
}

/* With each of these somebody who has it gets himself what he has not. */
static bool leads_to_more(struct tn_str action)
{
	static const char *const actions[] = {
		"iam:PassRole",           "iam:AttachRolePolicy",
		"iam:AttachUserPolicy",   "iam:AttachGroupPolicy",
		"iam:PutRolePolicy",      "iam:PutUserPolicy",
		"iam:PutGroupPolicy",     "iam:CreateAccessKey",
		"iam:CreateLoginProfile", "iam:CreatePolicyVersion",
		"iam:AddUserToGroup",     "iam:SetDefaultPolicyVersion",
		"iam:UpdateLoginProfile", "iam:UpdateAssumeRolePolicy"};

	if (action.size < 4 || !tn_str_equal_nocase(tn_str(action.data, 4), TN_STR("iam:")))
		return false;
	for (size_t i = 0; i < TN_COUNT(actions); i++)
		if (covers(action, actions[i]))
			return true;
	return false;
}

/* "*", and every account: arn:aws:iam::*:root. */
static bool is_everybody(struct tn_str principal)
{
	return tn_str_is(principal, "*") || tn_str_find(principal, TN_STR("::*:")) != TN_STR_NONE;
}

/* "allUsers", "READER:allUsers", ".../global/AllUsers". */
static bool is_open_member(struct tn_str member)
{
	static const char *const words[] = {"allUsers", "allAuthenticatedUsers",
					    "AuthenticatedUsers"};
	size_t start = member.size;

	while (start > 0 && tn_is_alpha(member.data[start - 1]))
		start--;
	return is_one_of(tn_str_from_offset(member, start), words, TN_COUNT(words));
}

/* roles/owner, roles/iam.securityAdmin, Contributor, .../policy/AdministratorAccess. */
static bool is_mighty(struct tn_str role)
{
	static const char *const words[] = {
		"owner",
		"editor",
		"admin",
		"administrator",
		"contributor",
		"cluster-admin",
		"AdministratorAccess",
		"PowerUserAccess",
		"IAMFullAccess",
		"User Access Administrator",
	};
	size_t start = role.size;

	while (start > 0 && role.data[start - 1] != '/' && role.data[start - 1] != '.')
		start--;
	role = tn_str_from_offset(role, start);
	return is_one_of(role, words, TN_COUNT(words)) || tn_str_ends(role, TN_STR("Admin"));
}

/* ---- names ---- */

enum reads { NOTHING, ACTION, BUT_ACTION, EFFECT, PRINCIPAL, MEMBER, ROLE, LAUNCH, CALLER };

static const struct {
	struct tn_str name;
	enum reads reads;
} names[] = {
	{{"AWS", 3}, PRINCIPAL},
	{{"Action", 6}, ACTION},
	{{"Effect", 6}, EFFECT},
	{{"NotAction", 9}, BUT_ACTION},
	{{"Principal", 9}, PRINCIPAL},
	{{"actions", 7}, ACTION},
	{{"authorization_type", 18}, CALLER},
	{{"effect", 6}, EFFECT},
	{{"entity", 6}, MEMBER},
	{{"group", 5}, LAUNCH},
	{{"managed_policy_arns", 19}, ROLE},
	{{"member", 6}, MEMBER},
	{{"members", 7}, MEMBER},
	{{"name", 4}, ROLE},
	{{"not_actions", 11}, BUT_ACTION},
	{{"policy_arn", 10}, ROLE},
	{{"principal", 9}, CALLER},
	{{"role", 4}, ROLE},
	{{"role_definition_name", 20}, ROLE},
	{{"role_entity", 11}, MEMBER},
	{{"role_name", 9}, ROLE},
	{{"roles", 5}, ROLE},
	{{"shared_accounts", 15}, LAUNCH},
	{{"uri", 3}, MEMBER},
	{{"verbs", 5}, ACTION},
};

static enum reads reads_of(struct tn_plan_path path)
{
	static const struct tn_str firsts = {"AEPNaegmnprsuv", 14};

	if (path.name.size < 3 || tn_str_find_byte(firsts, path.name.data[0]) == TN_STR_NONE)
		return NOTHING; /* most are */
	for (size_t i = 0; i < TN_COUNT(names); i++)
		if (tn_str_equal(names[i].name, path.name)) {
			/* Any object has a name: this one is of a cluster role binding only. */
			if (tn_str_is(path.name, "name") &&
			    !tn_plan_path_has_name(path.owner, TN_STR("role_ref")))
				return NOTHING;
			return names[i].reads;
		}
	return NOTHING;
}

bool tn_plan_grants_read(struct tn_str path)
{
	return reads_of(tn_plan_path_split(path)) != NOTHING && !tn_plan_path_is_remark(path);
}

/* ---- statements ---- */

static struct tn_str statement_of(struct tn_plan_path path)
{
	static const struct tn_str inside = {"Principal.", 10};

	if (tn_str_ends(path.owner, inside))
		path.owner.size -= inside.size;
	return path.owner;
}

static bool is_forbidding(const struct tn_plan_block *statement, enum tn_plan_side side)
{
	return tn_plan_block_says(statement, side, "Effect", "Deny") ||
	       tn_plan_block_says(statement, side, "effect", "Deny");
}

/* A condition about who asks or from where leaves nobody else in. */
static bool is_conditional(const struct tn_plan_block *statement, enum tn_plan_side side)
{
	static const char *const words[] = {"source", "principal", "vpc",
					    "org",    "account",   "userid"};
	struct tn_str text;

	for (const struct tn_plan_attribute *at = statement->first; at < statement->end; at++) {
		struct tn_str rest = tn_str_from_offset(at->path, statement->owner.size);
		char lower[200];
		size_t size = rest.size < sizeof(lower) ? rest.size : sizeof(lower);

		if (!tn_str_starts(rest, TN_STR("Condition.")) ||
		    !tn_plan_side_text(at, side, &text) || tn_str_is(text, "*") ||
		    tn_str_is(text, "0.0.0.0/0"))
			continue;
		for (size_t i = 0; i < size; i++)
			lower[i] = tn_to_lower(rest.data[i]);
		for (size_t i = 0; i < TN_COUNT(words); i++)
			if (tn_str_find(tn_str(lower, size), tn_str_from(words[i])) != TN_STR_NONE)
				return true;
	}
	return false;
}

/* ---- one attribute on one side ---- */

static enum tn_plan_grant_kind action_kind(enum reads reads, struct tn_str text)
{
	if (reads == BUT_ACTION)
		return TN_PLAN_GRANTS_ALL_BUT;
	if (tn_str_is(text, "*") || tn_str_is(text, "*:*"))
		return TN_PLAN_GRANTS_ALL_ACTIONS;
	return leads_to_more(text) ? TN_PLAN_GRANTS_MORE_GRANTS : TN_PLAN_GRANTS_NOTHING;
}

static enum tn_plan_grant_kind principal_kind(const struct tn_plan_attribute *attribute,
					      struct tn_str text)
{
	static const char *const trusts[] = {"assume_role_policy", "trust_policy"};

	if (!is_everybody(text))
		return TN_PLAN_GRANTS_NOTHING;
	return is_one_of(tn_plan_path_root(attribute->path), trusts, TN_COUNT(trusts))
		       ? TN_PLAN_GRANTS_TRUST_TO_ALL
		       : TN_PLAN_GRANTS_TO_ALL;
}

/* Functions that may be called, images and snapshots that may be started. */
static bool is_for_all(const struct tn_plan_entry *entry, enum reads reads, struct tn_str name,
		       struct tn_str text)
{
	if (reads == LAUNCH)
		return tn_str_is(text, "all") &&
		       (tn_str_is(name, "shared_accounts") ||
			tn_str_is(entry->type, "aws_ami_launch_permission"));
	if (tn_str_is(name, "principal"))
		return tn_str_is(text, "*");
	return tn_str_is(text, "NONE") && tn_str_is(entry->type, "aws_lambda_function_url");
}

static enum tn_plan_grant_kind statement_kind(const struct tn_plan_entry *entry,
					      const struct tn_plan_attribute *attribute,
					      enum tn_plan_side side, struct tn_plan_path path,
					      enum reads reads, struct tn_str text)
{
	struct tn_plan_block statement = tn_plan_block_around(entry, attribute, statement_of(path));
	enum tn_plan_grant_kind kind =
		reads == PRINCIPAL ? principal_kind(attribute, text) : action_kind(reads, text);

	/* AWS is a principal only inside of one; Principal may be the whole word. */
	if (reads == PRINCIPAL && !tn_str_is(path.name, "Principal") &&
	    statement.owner.size == path.owner.size)
		return TN_PLAN_GRANTS_NOTHING;
	if (kind == TN_PLAN_GRANTS_NOTHING || is_forbidding(&statement, side))
		return TN_PLAN_GRANTS_NOTHING;
	if (reads == PRINCIPAL && is_conditional(&statement, side))
		return TN_PLAN_GRANTS_NOTHING;
	return kind;
}

static enum tn_plan_grant_kind kind_of(const struct tn_plan_entry *entry,
				       const struct tn_plan_attribute *attribute,
				       enum tn_plan_side side)
{
	struct tn_plan_path path = tn_plan_path_split(attribute->path);
	enum reads reads = reads_of(path);
	struct tn_str text;

	if (reads == NOTHING || attribute->sensitive || tn_plan_path_is_remark(attribute->path) ||
	    !tn_plan_side_text(attribute, side, &text))
		return TN_PLAN_GRANTS_NOTHING;
	switch (reads) {
	case EFFECT:
		return TN_PLAN_GRANTS_NOTHING;
	case MEMBER:
		return is_open_member(text) ? TN_PLAN_GRANTS_TO_ALL : TN_PLAN_GRANTS_NOTHING;
	case ROLE:
		return is_mighty(text) ? TN_PLAN_GRANTS_MIGHTY_ROLE : TN_PLAN_GRANTS_NOTHING;
	case LAUNCH:
	case CALLER:
		return is_for_all(entry, reads, path.name, text) ? TN_PLAN_GRANTS_TO_ALL
								 : TN_PLAN_GRANTS_NOTHING;
	default:
		return statement_kind(entry, attribute, side, path, reads, text);
	}
}

/* ---- before and after ---- */

/* Somewhere on the side before; a role must be the same one. */
static bool was_given(const struct tn_plan_entry *entry, const struct tn_plan_attribute *new,
		      enum tn_plan_grant_kind kind)
{
	struct tn_str wanted = {"", 0}, text;

	(void)tn_plan_side_text(new, TN_PLAN_AFTER, &wanted);
	for (uint32_t i = 0; i < entry->attributes.count; i++) {
		const struct tn_plan_attribute *old = &entry->attributes.items[i];

		if (kind_of(entry, old, TN_PLAN_BEFORE) != kind)
			continue;
		if (kind != TN_PLAN_GRANTS_MIGHTY_ROLE && kind != TN_PLAN_GRANTS_MORE_GRANTS)
			return true;
		if (tn_plan_side_text(old, TN_PLAN_BEFORE, &text) && tn_str_equal(text, wanted))
			return true;
	}
	return false;
}

/* Who has a role: it is given anew when they change. */
static bool has_new_holder(const struct tn_plan_entry *entry)
{
	static const char *const holders[] = {"member", "members", "principal_id", "user", "group"};
	struct tn_str text;

	if (entry->action == TN_PLAN_CREATE)
		return false;
	for (uint32_t i = 0; i < entry->attributes.count; i++) {
		const struct tn_plan_attribute *attribute = &entry->attributes.items[i];

		if (attribute->change != TN_PLAN_ATTR_UNCHANGED &&
		    is_one_of(tn_plan_path_split(attribute->path).name, holders,
			      TN_COUNT(holders)) &&
		    tn_plan_side_text(attribute, TN_PLAN_AFTER, &text))
			return true;
	}
	return false;
}

static bool ends_denial(const struct tn_plan_attribute *attribute)
{
	struct tn_plan_path path = tn_plan_path_split(attribute->path);

	return reads_of(path) == EFFECT && attribute->change == TN_PLAN_ATTR_UPDATE &&
	       tn_str_equal_nocase(attribute->before.text, TN_STR("Deny")) &&
	       tn_str_equal_nocase(attribute->after.text, TN_STR("Allow"));
}

enum tn_plan_grant_kind tn_plan_new_grant(const struct tn_plan_entry *entry,
					  const struct tn_plan_attribute *attribute)
{
	enum tn_plan_grant_kind kind;

	if (ends_denial(attribute))
		return TN_PLAN_GRANTS_NO_DENIAL;
	kind = kind_of(entry, attribute, TN_PLAN_AFTER);
	if (kind == TN_PLAN_GRANTS_NOTHING)
		return kind;
	if (!was_given(entry, attribute, kind))
		return kind;
	return kind == TN_PLAN_GRANTS_MIGHTY_ROLE && has_new_holder(entry) ? kind
									   : TN_PLAN_GRANTS_NOTHING;
}

/* ---- words for people ---- */

static bool put_value(struct tn_buf *out, const struct tn_plan_attribute *attribute)
{
	struct tn_str text;

	if (!attribute || attribute->sensitive || tn_plan_path_is_hidden(attribute->path) ||
	    !tn_plan_side_text(attribute, TN_PLAN_AFTER, &text) || text.size == 0 ||
	    tn_plan_has_secret(text))
		return false;
	tn_buf_append_byte(out, '"');
	tn_plan_put_clean(out, text, TN_PLAN_SHOWN_CHARACTERS);
	tn_buf_append_byte(out, '"');
	return true;
}

void tn_plan_put_grant(struct tn_buf *out, const struct tn_plan_entry *entry,
		       const struct tn_plan_grant *grant)
{
	static const char *const holders[] = {
		"member", "members[0]", "principal_id", "subject.name", "user", "group", "role"};
	size_t before;

	if (!put_value(out, grant->evidence) || grant->kind != TN_PLAN_GRANTS_MIGHTY_ROLE)
		return;
	before = out->size;
	tn_buf_append_text(out, " to ");
	for (size_t i = 0; i < TN_COUNT(holders); i++) {
		const struct tn_plan_attribute *holder = tn_plan_find_attribute(entry, holders[i]);

		if (holder != grant->evidence && put_value(out, holder))
			return;
	}
	if (!out->failed)
		out->size = before;
}
