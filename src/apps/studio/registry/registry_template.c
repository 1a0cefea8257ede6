/* Templates of types: items, blocks that repeat, further blocks (studio.md 5.4). */
#include "apps/studio/registry/internal.h"

static bool check_attribute(struct tn_registry_loader *loader, const struct tn_json *item,
			    const struct tn_registry_scope *scope, const struct tn_registry_at *at)
{
	static const char *const keys[] = {"attr", "value", "if", "required", "former", NULL};
	struct tn_registry_at here = tn_registry_key(at, "attr");
	struct tn_registry_at when = tn_registry_key(at, "if");
	bool required = false, former = false;
	struct tn_str name;

	if (!tn_registry_keys(loader, item, at, keys))
		return false;
	if (!tn_json_to_str(tn_json_get(item, "attr"), &name) || !tn_registry_is_identifier(name))
		return tn_registry_fault(loader, &here, "the name of an attribute is expected");
	return tn_registry_get_bool(loader, item, at, "required", &required) &&
	       tn_registry_get_bool(loader, item, at, "former", &former) &&
	       tn_registry_condition(loader, tn_json_get(item, "if"), scope, &when) &&
	       tn_registry_part(loader, item, "value", scope, at);
}

/* `each` and what goes with it, then the items in the scope of an element. */
static bool check_repeated(struct tn_registry_loader *loader, const struct tn_json *owner,
			   const struct tn_registry_scope *scope, const struct tn_registry_at *at)
{
	struct tn_registry_at items = tn_registry_key(at, "items");
	struct tn_registry_at when = tn_registry_key(at, "if");
	struct tn_registry_at each_when = tn_registry_key(at, "eachIf");
	struct tn_registry_scope inner = *scope;

	if (!tn_registry_condition(loader, tn_json_get(owner, "if"), scope, &when))
		return false;
	if (tn_json_get(owner, "each")) {
		inner.each = tn_registry_need_list(loader, owner, "each", scope, at);
		if (!inner.each)
			return false;
	} else if (tn_json_get(owner, "eachIf") || tn_json_get(owner, "unique")) {
		return tn_registry_fault(loader, at, "\"eachIf\" and \"unique\" need \"each\"");
	}
	return tn_registry_condition(loader, tn_json_get(owner, "eachIf"), &inner, &each_when) &&
	       tn_registry_items(loader, tn_json_get(owner, "items"), &inner, &items);
}

static bool check_block(struct tn_registry_loader *loader, const struct tn_json *item,
			const struct tn_registry_scope *scope, const struct tn_registry_at *at)
{
	static const char *const keys[] = {"block", "items",  "if",     "keep",
					   "each",  "eachIf", "unique", NULL};
	struct tn_registry_at here = tn_registry_key(at, "block");
	bool keep = false;
	struct tn_str name;

	if (!tn_registry_keys(loader, item, at, keys))
		return false;
	if (!tn_json_to_str(tn_json_get(item, "block"), &name) || !tn_registry_is_identifier(name))
		return tn_registry_fault(loader, &here, "the name of a block is expected");
	if (scope->type && (tn_str_is(name, "provisioner") || tn_str_is(name, "connection")))
		scope->type->needs_trust = scope->type->from_project;
	return tn_registry_get_bool(loader, item, at, "keep", &keep) &&
	       tn_registry_optional_text(loader, item, "unique", at) &&
	       check_repeated(loader, item, scope, at);
}

bool tn_registry_items(struct tn_registry_loader *loader, const struct tn_json *items,
		       const struct tn_registry_scope *scope, const struct tn_registry_at *at)
{
	size_t index = 0;
	bool right = true;

	if (!tn_json_is(items, TN_JSON_ARRAY))
		return tn_registry_fault(loader, at, "a list of items is expected");
	for (const struct tn_json *e = items->first; e; e = e->next, index++) {
		struct tn_registry_at here = tn_registry_index(at, index);

		if (e->type == TN_JSON_STRING)
			right = tn_registry_need(loader, scope, e, &here) != NULL && right;
		else if (tn_json_get(e, "attr"))
			right = check_attribute(loader, e, scope, &here) && right;
		else if (tn_json_get(e, "block"))
			right = check_block(loader, e, scope, &here) && right;
		else
			right = tn_registry_fault(loader, &here,
						  "an item is a property's key, {\"attr\":...} or "
						  "{\"block\":...}");
	}
	return right;
}

/* Further blocks: {"id"?, "type", "name", "items", ...}. */
static bool check_more(struct tn_registry_loader *loader, const struct tn_json *list, bool data,
		       const struct tn_registry_scope *scope, const struct tn_registry_at *at)
{
	static const char *const keys[] = {"id", "type", "name",   "items",
					   "if", "each", "eachIf", NULL};
	size_t index = 0;
	bool right = true;

	for (const struct tn_json *e = list ? list->first : NULL; e; e = e->next, index++) {
		struct tn_registry_at here = tn_registry_index(at, index);
		struct tn_registry_at place = tn_registry_key(&here, "type");
		struct tn_registry_at name = tn_registry_key(&here, "name");
		struct tn_str type = {NULL, 0};

		if (!tn_registry_keys(loader, e, &here, keys) ||
		    !tn_registry_get_text(loader, e, &here, "type", &type)) {
			right = false;
			continue;
		}
		if (!tn_registry_is_identifier(type))
			right = tn_registry_fault(loader, &place, "a terraform type is expected");
		if (data && tn_str_is(type, "external"))
			scope->type->needs_trust = scope->type->from_project;
		if (!data && !tn_json_is(tn_json_get(e, "id"), TN_JSON_STRING))
			right = tn_registry_fault(loader, &here, "an extra block needs an \"id\"");
		right = tn_registry_placeholders(loader, tn_json_get(e, "name"), true, scope,
						 &name) &&
			(!tn_json_get(e, "items") || check_repeated(loader, e, scope, &here)) &&
			right;
	}
	return right;
}

bool tn_registry_template(struct tn_registry_loader *loader, struct tn_studio_type *type,
			  const struct tn_registry_at *at)
{
	const struct tn_registry_scope scope = {.properties = type->properties,
						.count = type->property_count,
						.type = type,
						.provider = type->provider};
	struct tn_registry_at here = tn_registry_key(at, "hcl");
	struct tn_registry_at data = tn_registry_key(&here, "data");
	struct tn_registry_at body = tn_registry_key(&here, "body");
	struct tn_registry_at extra = tn_registry_key(&here, "extra");
	bool right = check_more(loader, type->data, true, &scope, &data);

	if (type->body)
		right = tn_registry_items(loader, type->body, &scope, &body) && right;
	return check_more(loader, type->extra, false, &scope, &extra) && right;
}
