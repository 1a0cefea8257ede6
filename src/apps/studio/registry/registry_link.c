#include "apps/studio/registry/internal.h"

#include "base/near.h"

static int shown(struct tn_str text)
{
	return (int)(text.size < 100 ? text.size : 100);
}

/* ---- names of types ---- */

bool tn_registry_known_id(struct tn_registry_loader *loader, const struct tn_json *id,
			  const struct tn_registry_at *at)
{
	struct tn_studio_fault fault = {.code = NULL};
	struct tn_str text;

	if (!tn_json_to_str(id, &text))
		return tn_registry_fault(loader, at, "a type id is expected");
	if (tn_map_get(&loader->declared, text))
		return true;
	/* The registry is not complete yet, but what is there makes good suggestions. */
	(void)tn_studio_fail_unknown_type(&fault, loader->registry, text);
	return tn_registry_fault(loader, at, "no file has a type \"%.*s\"%s%.*s%s", shown(text),
				 text.data, fault.suggestion_count > 0 ? "; did you mean \"" : "",
				 shown(fault.suggestions[0]),
				 fault.suggestions[0].data ? fault.suggestions[0].data : "",
				 fault.suggestion_count > 0 ? "\"?" : "");
}

bool tn_registry_known_ids(struct tn_registry_loader *loader, const struct tn_json *array,
			   const struct tn_registry_at *at)
{
	size_t index = 0;
	bool right = true;

	for (const struct tn_json *e = array ? array->first : NULL; e; e = e->next, index++) {
		struct tn_registry_at here = tn_registry_index(at, index);

		right = tn_registry_known_id(loader, e, &here) && right;
	}
	return right;
}

static bool check_targets(struct tn_registry_loader *loader,
			  const struct tn_studio_property *properties, size_t count,
			  const struct tn_registry_at *at)
{
	bool right = true;

	for (size_t i = 0; i < count; i++) {
		struct tn_registry_at here = tn_registry_index(at, i);
		struct tn_registry_at to = tn_registry_key(&here, "to");
		struct tn_registry_at items = tn_registry_key(&here, "items");
		struct tn_registry_at fields = tn_registry_key(&items, "fields");

		if (!properties[i].implicit)
			right = tn_registry_known_ids(loader, properties[i].to, &to) && right;
		if (properties[i].fields)
			right = check_targets(loader, properties[i].fields,
					      properties[i].field_count, &fields) &&
				right;
	}
	return right;
}

static bool check_parent_reference(struct tn_registry_loader *loader,
				   const struct tn_studio_type *type,
				   const struct tn_registry_at *at)
{
	static const char *const keys[] = {"key", "from", NULL};
	struct tn_registry_at here = tn_registry_key(at, "parentReference");
	struct tn_registry_at key = tn_registry_key(&here, "key");
	struct tn_registry_at from_at = tn_registry_key(&here, "from");
	const struct tn_studio_property *property;
	const struct tn_json *from = NULL;
	struct tn_str name = {NULL, 0};

	if (!type->parent_reference)
		return true;
	if (!tn_registry_keys(loader, type->parent_reference, &here, keys) ||
	    !tn_registry_get_texts(loader, type->parent_reference, &here, "from", &from) ||
	    !tn_registry_get_text(loader, type->parent_reference, &here, "key", &name))
		return false;
	if (!tn_registry_is_identifier(name) || !from)
		return tn_registry_fault(loader, &here,
					 "\"key\" (a reference) and \"from\" (which parents) are "
					 "needed");
	/* It need not be a property: then the parent alone decides. */
	property = tn_studio_property_find(type, name);
	if (property && property->type != TN_STUDIO_REFERENCE)
		return tn_registry_fault(loader, &key, "this property is no reference");
	return tn_registry_known_ids(loader, from, &from_at);
}

static bool check_needs(struct tn_registry_loader *loader, const struct tn_studio_type *type,
			const struct tn_registry_at *at)
{
	struct tn_registry_at place = tn_registry_key(at, "needs");
	size_t index = 0;

	for (const struct tn_json *e = type->needs ? type->needs->first : NULL; e;
	     e = e->next, index++) {
		struct tn_registry_at here = tn_registry_index(&place, index);

		if (!type->provider || !tn_json_get_str(type->provider->scopes, e->text))
			return tn_registry_fault(loader, &here,
						 "the provider has no scope \"%.*s\"",
						 shown(e->text), e->text.data);
	}
	return true;
}

static bool check_tokens(struct tn_registry_loader *loader, const struct tn_studio_type *type,
			 const struct tn_registry_at *at)
{
	const struct tn_registry_scope scope = {.properties = type->properties,
						.count = type->property_count};
	struct tn_registry_at place = tn_registry_key(at, "namingTokens");
	size_t index = 0;
	bool right = true;

	for (const struct tn_json *e = type->naming_tokens ? type->naming_tokens->first : NULL; e;
	     e = e->next, index++) {
		struct tn_registry_at here = tn_registry_index(&place, index);
		struct tn_registry_at from = tn_registry_key(&here, "from");
		struct tn_registry_at map = tn_registry_key(&here, "map");
		struct tn_str name = TN_STR("regionShortcodes");

		right = tn_registry_need(loader, &scope, tn_json_get(e, "from"), &from) != NULL &&
			right;
		if (!tn_registry_get_text(loader, e, &here, "map", &name))
			right = false;
		else if (!tn_str_is(name, "regionShortcodes"))
			right = tn_registry_fault(loader, &map,
						  "the only map is \"regionShortcodes\"");
	}
	return right;
}

static bool check_place(struct tn_registry_loader *loader, const struct tn_studio_type *type,
			const struct tn_registry_at *at)
{
	struct tn_registry_at category = tn_registry_key(at, "category");
	struct tn_registry_at id = tn_registry_key(at, "typeId");
	bool known = false;

	for (size_t i = 0; i < loader->registry->category_count; i++)
		known = known || tn_str_equal(loader->registry->categories[i].id, type->category);
	if (!known)
		return tn_registry_fault(loader, &category, "no palette has a category \"%.*s\"",
					 shown(type->category), type->category.data);
	if (!type->provider && !type->is_annotation)
		return tn_registry_fault(loader, &id, "no file declares the provider \"%.*s\"",
					 shown(type->provider_id), type->provider_id.data);
	return true;
}

static bool check_terraform(struct tn_registry_loader *loader, const struct tn_studio_type *type,
			    const struct tn_registry_at *at)
{
	const struct tn_registry_scope scope = {.properties = type->properties,
						.count = type->property_count};
	struct tn_registry_at here = tn_registry_key(at, "terraform");
	struct tn_registry_at inner = tn_registry_key(&here, "type");
	struct tn_registry_at by = tn_registry_key(&inner, "by");
	const struct tn_json *name = tn_json_get(type->terraform, "type");

	return !tn_json_is(name, TN_JSON_OBJECT) ||
	       tn_registry_need(loader, &scope, tn_json_get(name, "by"), &by) != NULL;
}

bool tn_registry_type_links(struct tn_registry_loader *loader, struct tn_studio_type *type,
			    const struct tn_registry_at *at)
{
	struct tn_registry_at parents = tn_registry_key(at, "canBeChildOf");
	struct tn_registry_at visual = tn_registry_key(at, "visualParents");
	struct tn_registry_at properties = tn_registry_key(at, "properties");
	bool right = check_place(loader, type, at);

	right = tn_registry_known_ids(loader, type->can_be_child_of, &parents) && right;
	right = tn_registry_known_ids(loader, type->visual_parents, &visual) && right;
	right = check_targets(loader, type->properties, type->property_count, &properties) && right;
	right = check_parent_reference(loader, type, at) && right;
	right = check_needs(loader, type, at) && right;
	right = check_tokens(loader, type, at) && right;
	right = check_terraform(loader, type, at) && right;
	right = tn_registry_property_links(loader, type->properties, type->property_count,
					   &properties) &&
		right;
	right = tn_registry_template(loader, type, at) && right;
	return tn_registry_cost(loader, type, at) && right;
}

/* ---- providers ---- */

static bool check_scopes(struct tn_registry_loader *loader,
			 const struct tn_studio_provider *provider, const struct tn_registry_at *at)
{
	static const char *const keys[] = {"ancestor", "attr", NULL};
	struct tn_registry_at place = tn_registry_key(at, "scopes");
	struct tn_str attribute;
	bool right = true;

	for (const struct tn_json *s = provider->scopes ? provider->scopes->first : NULL; s;
	     s = s->next) {
		struct tn_registry_at here = tn_registry_member(&place, s);
		struct tn_registry_at ancestor = tn_registry_key(&here, "ancestor");

		right = tn_registry_keys(loader, s, &here, keys) &&
			tn_registry_known_id(loader, tn_json_get(s, "ancestor"), &ancestor) &&
			(tn_json_to_str(tn_json_get(s, "attr"), &attribute) ||
			 tn_registry_fault(loader, &here, "\"attr\" is missing")) &&
			right;
	}
	return right;
}

static bool check_alias(struct tn_registry_loader *loader,
			const struct tn_studio_provider *provider, const struct tn_registry_at *at)
{
	static const char *const keys[] = {"container", "nameFrom", "set", NULL};
	struct tn_registry_at here = tn_registry_key(at, "alias");
	struct tn_registry_at container = tn_registry_key(&here, "container");
	struct tn_registry_at from = tn_registry_key(&here, "nameFrom");
	const struct tn_json *id = tn_json_get(provider->alias, "container"), *set = NULL;
	const struct tn_registry_draft *draft;
	struct tn_registry_scope scope = {.count = 0};

	if (!provider->alias)
		return true;
	if (!tn_registry_keys(loader, provider->alias, &here, keys) ||
	    !tn_registry_known_id(loader, id, &container) ||
	    !tn_registry_get_object(loader, provider->alias, &here, "set", &set))
		return false;
	draft = tn_map_get(&loader->declared, id->text);
	scope.properties = draft->type->properties;
	scope.count = draft->type->property_count;
	return tn_registry_need(loader, &scope, tn_json_get(provider->alias, "nameFrom"), &from) !=
	       NULL;
}

bool tn_registry_provider_links(struct tn_registry_loader *loader,
				const struct tn_studio_provider *provider,
				const struct tn_registry_at *at)
{
	const struct tn_registry_scope scope = {.properties = provider->config,
						.count = provider->config_count,
						.provider = provider};
	struct tn_registry_at config = tn_registry_key(at, "config");
	struct tn_registry_at body = tn_registry_key(at, "body");
	bool right = tn_registry_property_links(loader, provider->config, provider->config_count,
						&config);

	if (provider->body)
		right = tn_registry_items(loader, provider->body, &scope, &body) && right;
	right = check_scopes(loader, provider, at) && right;
	return check_alias(loader, provider, at) && right;
}

/* ---- rules and bindings ---- */

static bool need_type(struct tn_registry_loader *loader, const struct tn_json *owner,
		      const char *key, const struct tn_registry_at *at,
		      const struct tn_studio_type **ret)
{
	struct tn_registry_at here = tn_registry_key(at, key);
	const struct tn_json *id = tn_json_get(owner, key);

	if (!tn_registry_known_id(loader, id, &here))
		return false;
	*ret = tn_studio_type_find(loader->registry, id->text);
	/* Declared, but broken: told at the type already. */
	return *ret != NULL;
}

/* A handle that the file declares, or one that is there by itself. */
static bool need_handle(struct tn_registry_loader *loader, const struct tn_json *owner,
			const char *key, const struct tn_studio_type *type, bool source,
			const struct tn_registry_at *at, struct tn_str *ret)
{
	struct tn_registry_at here = tn_registry_key(at, key);
	const struct tn_studio_handle *handle;
	const struct tn_studio_property *property;

	if (!tn_json_to_str(tn_json_get(owner, key), ret))
		return tn_registry_fault(loader, &here, "the id of a handle is expected");
	handle = tn_studio_handle_find(type, *ret);
	if (handle && handle->source == source)
		return true;
	if (handle)
		return tn_registry_fault(loader, &here, "\"%.*s\" is a %s", shown(*ret), ret->data,
					 handle->source ? "source" : "target");
	if (!source && tn_str_is(*ret, "node"))
		return true;
	if (source && tn_str_starts(*ret, TN_STR("ref-"))) {
		property = tn_studio_property_find(type, tn_str_from_offset(*ret, 4));
		if (property && property->type == TN_STUDIO_REFERENCE)
			return true;
	}
	return tn_registry_fault(loader, &here, "\"%.*s\" has no handle \"%.*s\"", shown(type->id),
				 type->id.data, shown(*ret), ret->data);
}

static bool read_sets(struct tn_registry_loader *loader, const struct tn_json *source,
		      const struct tn_registry_at *at, struct tn_studio_rule *rule)
{
	static const char *const keys[] = {"on", "reference", "append", NULL};
	static const char *const ends[] = {"source", "target", NULL};
	struct tn_registry_at here = tn_registry_key(at, "sets");
	struct tn_registry_at place = tn_registry_key(&here, "reference");
	const struct tn_json *sets = NULL;
	const struct tn_studio_property *property;
	unsigned end = 1;

	if (!tn_registry_get_object(loader, source, at, "sets", &sets))
		return false;
	if (!sets)
		return true;
	if (!tn_registry_keys(loader, sets, &here, keys) ||
	    !tn_registry_get_word(loader, sets, &here, "on", ends, &end) ||
	    !tn_registry_get_text(loader, sets, &here, "reference", &rule->reference) ||
	    !tn_registry_get_bool(loader, sets, &here, "append", &rule->append))
		return false;
	if (!tn_json_get(sets, "on"))
		return tn_registry_fault(loader, &here, "\"on\" is missing: source or target");
	rule->sets = true;
	rule->sets_on_source = end == 0;
	property = tn_studio_property_find(rule->sets_on_source ? rule->from : rule->to,
					   rule->reference);
	if (!property || property->type != TN_STUDIO_REFERENCE)
		return tn_registry_fault(loader, &place, "the %s has no such reference", ends[end]);
	if (rule->append && !property->many)
		return tn_registry_fault(loader, &here, "\"append\" needs a reference to many");
	return true;
}

static bool read_rule(struct tn_registry_loader *loader, const struct tn_json *source,
		      const struct tn_registry_at *at, struct tn_studio_rule *rule)
{
	static const char *const keys[] = {"from",  "fromHandle", "to", "toHandle",
					   "label", "sets",       NULL};

	return tn_registry_keys(loader, source, at, keys) &&
	       need_type(loader, source, "from", at, &rule->from) &&
	       need_type(loader, source, "to", at, &rule->to) &&
	       need_handle(loader, source, "fromHandle", rule->from, true, at,
			   &rule->from_handle) &&
	       need_handle(loader, source, "toHandle", rule->to, false, at, &rule->to_handle) &&
	       tn_registry_get_text(loader, source, at, "label", &rule->label) &&
	       read_sets(loader, source, at, rule);
}

static bool read_binding(struct tn_registry_loader *loader, const struct tn_json *source,
			 const struct tn_registry_at *at, struct tn_studio_binding *binding)
{
	static const char *const keys[] = {"to", "handle", "emits", NULL};
	static const char *const emit_keys[] = {"type", "name", "items", NULL};
	struct tn_registry_at here = tn_registry_key(at, "emits");
	struct tn_registry_at place = tn_registry_key(at, "handle");
	const struct tn_studio_handle *handle;
	const struct tn_json *items = NULL;
	struct tn_str type = {NULL, 0}, name = {NULL, 0};

	if (!tn_registry_keys(loader, source, at, keys) ||
	    !need_type(loader, source, "to", at, &binding->to) ||
	    !need_handle(loader, source, "handle", binding->to, false, at, &binding->handle) ||
	    !tn_registry_get_object(loader, source, at, "emits", &binding->emits))
		return false;
	handle = tn_studio_handle_find(binding->to, binding->handle);
	if (!handle || !handle->accepts_outputs)
		return tn_registry_fault(loader, &place, "the handle does not accept outputs");
	if (!binding->emits)
		return tn_registry_fault(loader, at, "\"emits\" is missing");
	if (!tn_registry_keys(loader, binding->emits, &here, emit_keys) ||
	    !tn_registry_get_text(loader, binding->emits, &here, "type", &type) ||
	    !tn_registry_get_text(loader, binding->emits, &here, "name", &name) ||
	    !tn_registry_get_array(loader, binding->emits, &here, "items", &items))
		return false;
	return (tn_registry_is_identifier(type) && name.size > 0 && items) ||
	       tn_registry_fault(loader, &here, "type, name and items are needed");
}

static size_t count_all(const struct tn_registry_loader *loader, const char *key)
{
	size_t count = 0;

	for (size_t i = 0; i < loader->file_count; i++) {
		const struct tn_json *list = tn_json_get(loader->files[i].root, key);

		count += tn_json_is(list, TN_JSON_ARRAY) ? list->count : 0;
	}
	return count;
}

static bool read_rules(struct tn_registry_loader *loader)
{
	struct tn_studio_registry *registry = loader->registry;
	struct tn_studio_rule *list =
		tn_registry_alloc(loader, count_all(loader, "connectionRules"), sizeof(*list));
	const struct tn_registry_at place = tn_registry_key(NULL, "connectionRules");

	if (!list)
		return false;
	registry->rules = list;
	for (size_t i = 0; i < loader->file_count; i++) {
		const struct tn_json *rules = tn_json_get(loader->files[i].root, "connectionRules");
		size_t index = 0;

		loader->file = &loader->files[i];
		for (const struct tn_json *e = tn_json_is(rules, TN_JSON_ARRAY) ? rules->first
										: NULL;
		     e; e = e->next, index++) {
			struct tn_registry_at here = tn_registry_index(&place, index);
			struct tn_studio_rule rule = {.from = NULL};

			if (read_rule(loader, e, &here, &rule))
				list[registry->rule_count++] = rule;
		}
	}
	return !loader->starved;
}

static bool read_bindings(struct tn_registry_loader *loader)
{
	struct tn_studio_registry *registry = loader->registry;
	struct tn_studio_binding *list =
		tn_registry_alloc(loader, count_all(loader, "bindings"), sizeof(*list));
	const struct tn_registry_at place = tn_registry_key(NULL, "bindings");

	if (!list)
		return false;
	registry->bindings = list;
	for (size_t i = 0; i < loader->file_count; i++) {
		const struct tn_json *bindings = tn_json_get(loader->files[i].root, "bindings");
		size_t index = 0;

		loader->file = &loader->files[i];
		for (const struct tn_json *e = tn_json_is(bindings, TN_JSON_ARRAY) ? bindings->first
										   : NULL;
		     e; e = e->next, index++) {
			struct tn_registry_at here = tn_registry_index(&place, index);
			struct tn_studio_binding binding = {.to = NULL};

			if (read_binding(loader, e, &here, &binding))
				list[registry->binding_count++] = binding;
		}
	}
	return !loader->starved;
}

static void wake(const struct tn_studio_type *type, struct tn_str id)
{
	/* The registry is still being made; afterwards it never changes. */
	struct tn_studio_handle *handle =
		(struct tn_studio_handle *)(uintptr_t)tn_studio_handle_find(type, id);

	if (handle)
		handle->dead = false;
}

bool tn_registry_connect(struct tn_registry_loader *loader)
{
	struct tn_studio_registry *registry = loader->registry;

	if (!read_rules(loader) || !read_bindings(loader))
		return false;
	for (size_t i = 0; i < registry->type_count; i++) {
		const struct tn_studio_type *type = registry->types[i];
		struct tn_studio_handle *handles =
			(struct tn_studio_handle *)(uintptr_t)type->handles;

		for (size_t h = 0; h < type->handle_count; h++)
			handles[h].dead = !type->is_annotation;
	}
	for (size_t i = 0; i < registry->rule_count; i++) {
		wake(registry->rules[i].from, registry->rules[i].from_handle);
		wake(registry->rules[i].to, registry->rules[i].to_handle);
	}
	for (size_t i = 0; i < registry->binding_count; i++)
		wake(registry->bindings[i].to, registry->bindings[i].handle);
	return true;
}
