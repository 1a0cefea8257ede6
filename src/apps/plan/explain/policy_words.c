#include "apps/plan/explain/policy_words.h"

#include "apps/plan/explain/lines.h"
#include "apps/plan/explain/path.h"
#include "apps/plan/explain/redact.h"
#include "apps/plan/explain/vocabulary.h"
#include "base/size.h"

/* ---- statements ---- */

bool tn_plan_is_policy_path(struct tn_str path)
{
	static const struct tn_str statement = {".Statement", 10};

	return tn_str_find(path, statement) != TN_STR_NONE;
}

static bool is_trust(struct tn_str path)
{
	return tn_str_starts(path, TN_STR("assume_role_policy")) ||
	       tn_str_starts(path, TN_STR("trust_policy"));
}

static void put_quoted(struct tn_buf *out, struct tn_str text)
{
	if (tn_plan_has_secret(text)) {
		tn_buf_append_text(out, "(hidden)");
		return;
	}
	tn_buf_append_byte(out, '"');
	tn_plan_put_clean(out, text, TN_PLAN_SHOWN_CHARACTERS);
	tn_buf_append_byte(out, '"');
}

static struct tn_str statement_of(struct tn_plan_path path, bool *ret_principal)
{
	static const struct tn_str inside = {"Principal.", 10};

	*ret_principal = tn_str_is(path.name, "Principal") || tn_str_ends(path.owner, inside);
	if (tn_str_ends(path.owner, inside))
		path.owner.size -= inside.size;
	return path.owner;
}

static bool is_conditional(const struct tn_plan_block *statement, enum tn_plan_side side)
{
	struct tn_str text;

	for (const struct tn_plan_attribute *at = statement->first; at < statement->end; at++)
		if (tn_str_starts(tn_str_from_offset(at->path, statement->owner.size),
				  TN_STR("Condition.")) &&
		    tn_plan_side_text(at, side, &text))
			return true;
	return false;
}

/* One action, or one principal, of one statement. */
static void put_line(struct tn_buf *lines, const struct tn_plan_entry *entry,
		     const struct tn_plan_attribute *attribute, enum tn_plan_side side)
{
	struct tn_plan_path path = tn_plan_path_split(attribute->path);
	bool principal, denies, action = tn_str_is(path.name, "Action");
	struct tn_str owner = statement_of(path, &principal), text;
	struct tn_plan_block statement;

	if ((!principal && !action && !tn_str_is(path.name, "NotAction")) || attribute->sensitive ||
	    !tn_plan_side_text(attribute, side, &text))
		return;
	statement = tn_plan_block_around(entry, attribute, owner);
	denies = tn_plan_block_says(&statement, side, "Effect", "Deny");
	if (principal) {
		tn_buf_append_text(lines, denies ? "keeps " : "lets ");
		if (tn_str_is(text, "*"))
			tn_buf_append_text(lines, "everybody");
		else
			put_quoted(lines, text);
		tn_buf_append_text(lines, is_trust(attribute->path) ? " take it on"
					  : denies                  ? " out"
								    : " in");
	} else {
		tn_buf_append_text(lines, denies ? "denies " : "allows ");
		tn_buf_append_text(lines, action ? "" : "all but ");
		put_quoted(lines, text);
	}
	if (is_conditional(&statement, side))
		tn_buf_append_text(lines, " under a condition");
	tn_buf_append_byte(lines, '\n');
}

static void list_statements(struct tn_buf *lines, const struct tn_plan_entry *entry,
			    enum tn_plan_side side)
{
	tn_buf_init(lines, TN_PLAN_LINES_BYTES_MAX);
	for (uint32_t i = 0; i < entry->attributes.count; i++)
		if (tn_plan_is_policy_path(entry->attributes.items[i].path))
			put_line(lines, entry, &entry->attributes.items[i], side);
}

static bool changes_policy(const struct tn_plan_entry *entry)
{
	for (uint32_t i = 0; i < entry->attributes.count; i++)
		if (entry->attributes.items[i].change != TN_PLAN_ATTR_UNCHANGED &&
		    tn_plan_is_policy_path(entry->attributes.items[i].path))
			return true;
	return false;
}

bool tn_plan_put_policy_changes(struct tn_buf *out, const struct tn_plan_entry *entry)
{
	size_t start = out->size;
	struct tn_buf before, after;

	if (!changes_policy(entry))
		return false;
	list_statements(&before, entry, TN_PLAN_BEFORE);
	list_statements(&after, entry, TN_PLAN_AFTER);
	tn_buf_inherit_failure(out, &before);
	tn_buf_inherit_failure(out, &after);
	(void)tn_plan_put_difference(out, start, tn_buf_str(&after), tn_buf_str(&before), "");
	(void)tn_plan_put_difference(out, start, tn_buf_str(&before), tn_buf_str(&after),
				     "no longer ");
	if (out->size == start && before.size > 0 && after.size > 0)
		tn_buf_append_text(out, "its policy allows and denies the same actions as before");
	tn_buf_finish(&after);
	tn_buf_finish(&before);
	return out->size > start;
}

/* ---- roles and attachments ---- */

static const struct tn_plan_attribute *find_known(const struct tn_plan_entry *entry,
						  enum tn_plan_side side, const char *const *names,
						  size_t count, struct tn_str *ret)
{
	for (size_t i = 0; i < count; i++) {
		const struct tn_plan_attribute *attribute = tn_plan_find_attribute(entry, names[i]);

		if (attribute && !attribute->sensitive && tn_plan_side_text(attribute, side, ret) &&
		    ret->size > 0)
			return attribute;
	}
	return NULL;
}

/* "arn:aws:iam::aws:policy/AdministratorAccess" is AdministratorAccess for people. */
static struct tn_str short_name(struct tn_str role)
{
	size_t at = tn_str_find(role, TN_STR(":policy/"));

	return at == TN_STR_NONE ? role : tn_str_from_offset(role, at + 8);
}

/* The others of the list that the first one begins. */
static void put_more_holders(struct tn_buf *out, const struct tn_plan_entry *entry,
			     enum tn_plan_side side, const struct tn_plan_attribute *first)
{
	const struct tn_plan_attribute *end = entry->attributes.items + entry->attributes.count;
	struct tn_str list = tn_plan_path_split(first->path).name, text;
	unsigned shown = 1, more = 0;

	for (const struct tn_plan_attribute *at = first + 1; at < end; at++) {
		if (!tn_plan_path_is_element(at->path, list) || !tn_plan_side_text(at, side, &text))
			continue;
		if (shown == TN_PLAN_LINES_SHOWN) {
			more++;
			continue;
		}
		shown++;
		tn_buf_append_text(out, " and ");
		put_quoted(out, text);
	}
	if (more)
		tn_buf_format(out, " and %u more", more);
}

static bool put_role(struct tn_buf *out, const struct tn_plan_entry *entry, enum tn_plan_side side)
{
	static const char *const roles[] = {
		"role_definition_name", "policy_arn",       "role",  "roles[0]",
		"role_ref.name",        "role_ref[0].name", "action"};
	static const char *const holders[] = {"member",    "members[0]", "principal_id",
					      "user",      "group",      "users[0]",
					      "groups[0]", "role",       "subject.name"};
	const struct tn_plan_attribute *role, *holder;
	struct tn_str text = {"", 0}, who = {"", 0};

	role = find_known(entry, side, roles, TN_COUNT(roles), &text);
	if (!role)
		return false;
	holder = find_known(entry, side, holders, TN_COUNT(holders), &who);
	if (!holder || holder == role) /* the role of an inline policy is whom it is for */
		return false;
	put_quoted(out, short_name(text));
	tn_buf_append_text(out, " for ");
	put_quoted(out, who);
	put_more_holders(out, entry, side, holder);
	return true;
}

bool tn_plan_put_permissions(struct tn_buf *out, const struct tn_plan_entry *entry,
			     enum tn_plan_side side)
{
	size_t start = out->size;
	struct tn_buf lines;

	if (tn_plan_type_class(entry->type) == TN_PLAN_IDENTITY && put_role(out, entry, side))
		return true;
	list_statements(&lines, entry, side);
	tn_buf_inherit_failure(out, &lines);
	(void)tn_plan_put_difference(out, start, tn_buf_str(&lines), tn_str("", 0), "");
	tn_buf_finish(&lines);
	return out->size > start;
}
