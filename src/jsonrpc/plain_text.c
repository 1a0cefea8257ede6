#include "jsonrpc/plain_text.h"

#include "jsonrpc/schema_node.h"

static bool has_one(struct tn_str text)
{
	return text.size > 0 && memchr(text.data, '\0', text.size) != NULL;
}

static bool check(struct tn_schema_run *run, const struct tn_schema_spot *spot);

static bool check_name(struct tn_schema_run *run, const struct tn_schema_spot *member)
{
	if (!has_one(member->value->key))
		return true;
	return tn_schema_fault(run, member, "type",
			       "a name with a NUL character in it; send names without");
}

static bool check_children(struct tn_schema_run *run, const struct tn_schema_spot *spot,
			   bool in_array)
{
	struct tn_schema_spot child = {.up = spot, .in_array = in_array};
	bool good = true;

	for (child.value = spot->value->first; child.value; child.value = child.value->next) {
		if (!in_array)
			good &= check_name(run, &child);
		good &= check(run, &child);
		child.index++;
	}
	return good;
}

static bool check(struct tn_schema_run *run, const struct tn_schema_spot *spot)
{
	switch (spot->value->type) {
	case TN_JSON_STRING:
		return !has_one(spot->value->text) ||
		       tn_schema_fault(run, spot, "type",
				       "has a NUL character (\\u0000); send text without it");
	case TN_JSON_ARRAY:
		return check_children(run, spot, true);
	case TN_JSON_OBJECT:
		return check_children(run, spot, false);
	default:
		return true;
	}
}

bool tn_json_has_nul(const struct tn_json *value)
{
	struct tn_schema_run run = {.quiet = true};
	const struct tn_schema_spot root = {.value = value};

	return value && !check(&run, &root);
}

static bool is_excepted(const char *const *except, struct tn_str name)
{
	for (; except && *except; except++) {
		if (tn_str_is(name, *except))
			return true;
	}
	return false;
}

enum tenon_code tn_plain_text_check(const struct tn_json *object, const char *const *except,
				    struct tn_schema_faults *faults)
{
	struct tn_schema_run run = {.faults = faults, .quiet = !faults};
	const struct tn_schema_spot root = {.value = object};
	struct tn_schema_spot member = {.up = &root};
	bool good = true;

	if (faults)
		faults->count = faults->more = 0;
	for (member.value = tn_json_is(object, TN_JSON_OBJECT) ? object->first : NULL; member.value;
	     member.value = member.value->next) {
		good &= check_name(&run, &member);
		if (!is_excepted(except, member.value->key))
			good &= check(&run, &member);
	}
	return good ? TENON_OK : TENON_INVALID;
}
