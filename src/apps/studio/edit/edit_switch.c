/* The switches of references (studio.md 5.3): a reference that is set is written, so setting it
 * sets what it depends on, and what it depends on cannot be turned away from under it. */
#include "apps/studio/edit/internal.h"

#include "apps/studio/limits.h"

enum { DEPTH_MAX = 8 };

struct switching {
	struct tn_studio_edit *edit;
	const struct tn_studio_node *node;
	struct tn_studio_scope scope; /* with the values as they will be */
	const struct tn_studio_property *reference;
	struct tn_str explicit_key; /* set otherwise on purpose; empty: none is */
};

static const struct tn_studio_property *find(const struct switching *s, struct tn_str key)
{
	return tn_studio_property_find(s->node->type, key);
}

/* ---- words ---- */

static void put_value(struct tn_buf *out, const struct tn_json *value)
{
	for (const struct tn_json *at = value->type == TN_JSON_ARRAY ? value->first : value; at;
	     at = value->type == TN_JSON_ARRAY ? at->next : NULL) {
		if (value->type == TN_JSON_ARRAY && at != value->first)
			tn_buf_append_text(out, at->next ? ", " : " or ");
		tn_json_put_value(out, at);
	}
}

static void put_condition(struct tn_buf *out, const struct tn_json *condition);

static void put_list(struct tn_buf *out, const struct tn_json *list)
{
	const char *between = tn_str_is(list->key, "all") ? " and " : " or ";

	if (tn_str_is(list->key, "none"))
		tn_buf_append_text(out, "not ");
	for (const struct tn_json *e = list->type == TN_JSON_ARRAY ? list->first : NULL; e;
	     e = e->next) {
		if (e != list->first)
			tn_buf_append_text(out, between);
		put_condition(out, e);
	}
}

/* "nsg_enabled is true" */
static void put_condition(struct tn_buf *out, const struct tn_json *condition)
{
	struct tn_str key = TN_STR("");

	if (!tn_json_to_str(tn_json_get(condition, "prop"), &key) &&
	    !tn_json_to_str(tn_json_get(condition, "ref"), &key)) {
		if (condition->first)
			put_list(out, condition->first);
		return;
	}
	tn_buf_append_str(out, key);
	for (const struct tn_json *m = condition->first; m; m = m->next) {
		bool wanted = m->type == TN_JSON_TRUE;

		if (tn_str_is(m->key, "ref") || tn_str_is(m->key, "set"))
			tn_buf_append_text(out, tn_str_is(m->key, "ref") || wanted ? " is set"
										   : " is not set");
		else if (tn_str_is(m->key, "truthy"))
			tn_buf_append_text(out, wanted ? " is true" : " is false");
		else if (!tn_str_is(m->key, "prop")) {
			bool not = tn_str_is(m->key, "not") || tn_str_is(m->key, "notIn");

			tn_buf_append_text(out, tn_str_is(m->key, "startsWith") ? " begins with "
						: not                           ? " is not "
										: " is ");
			put_value(out, m);
		}
	}
}

static bool refuse(const struct switching *s)
{
	const struct tn_studio_property *reference = s->reference;
	struct tn_buf when;

	tn_buf_init(&when, TN_STUDIO_STRING_BYTES_MAX);
	if (reference->visible_when)
		put_condition(&when, reference->visible_when);
	else
		tn_buf_append_text(&when, "a private endpoint arises for it");
	(void)tn_studio_fail(
		s->edit->fault, "INVALID_INPUT",
		"references.%.*s: of '%.*s' it is written only where %.*s%s%.*s%s. Send that with "
		"it, or leave the reference out.",
		(int)reference->key.size, reference->key.data, (int)s->node->label.size,
		s->node->label.data, (int)when.size, when.size ? when.data : "",
		s->explicit_key.size ? ", and " : "", (int)s->explicit_key.size,
		s->explicit_key.size ? s->explicit_key.data : "",
		s->explicit_key.size ? " was set to something else on purpose" : "");
	tn_buf_finish(&when);
	return false;
}

/* ---- what would make a condition hold ---- */

static bool equals_any(const struct tn_json *value, const struct tn_json *wanted)
{
	for (const struct tn_json *at = wanted->type == TN_JSON_ARRAY ? wanted->first : wanted; at;
	     at = wanted->type == TN_JSON_ARRAY ? at->next : NULL) {
		if (tn_json_equal(value, at))
			return true;
	}
	return false;
}

static const struct tn_json *allowed_but(const struct tn_studio_property *property,
					 const struct tn_json *unwanted)
{
	for (const struct tn_json *at = property->allowed ? property->allowed->first : NULL; at;
	     at = at->next) {
		if (!equals_any(at, unwanted))
			return at;
	}
	return NULL;
}

static const struct tn_json *boolean(struct switching *s, bool value)
{
	return tn_json_make_bool(s->edit->arena, value);
}

/* The value that makes this one comparison hold; NULL: none is known. */
static const struct tn_json *value_for(struct switching *s, const struct tn_studio_property *of,
				       const struct tn_json *condition)
{
	for (const struct tn_json *m = condition->first; m; m = m->next) {
		bool is_boolean = of->type == TN_STUDIO_BOOLEAN;

		if (tn_str_is(m->key, "is"))
			return m;
		if (tn_str_is(m->key, "in"))
			return m->type == TN_JSON_ARRAY ? m->first : NULL;
		if (tn_str_is(m->key, "truthy") && is_boolean)
			return boolean(s, m->type == TN_JSON_TRUE);
		if (tn_str_is(m->key, "not") && is_boolean)
			return boolean(s, m->type != TN_JSON_TRUE);
		if (tn_str_is(m->key, "not") || tn_str_is(m->key, "notIn"))
			return allowed_but(of, m);
	}
	return NULL;
}

static bool show(struct switching *s, const struct tn_studio_property *property, unsigned depth);

static bool compare(struct switching *s, const struct tn_json *condition, struct tn_str key,
		    unsigned depth)
{
	const struct tn_studio_property *property = find(s, key);
	const struct tn_json *value, *values;

	if (!property || !show(s, property, depth))
		return false;
	if (tn_studio_condition_holds(&s->scope, condition))
		return true;
	if (tn_json_get_str(s->scope.values, key)) {
		s->explicit_key = key;
		return false;
	}
	value = value_for(s, property, condition);
	values = value ? tn_json_with(s->edit->arena, s->scope.values, key, value) : NULL;
	if (!values)
		return false;
	s->scope.values = values;
	return tn_studio_condition_holds(&s->scope, condition);
}

static bool hold(struct switching *s, const struct tn_json *condition, unsigned depth)
{
	const struct tn_json *list = condition ? condition->first : NULL, *before;
	struct tn_str key;
	bool all;

	if (depth > DEPTH_MAX)
		return false;
	if (tn_json_to_str(tn_json_get(condition, "prop"), &key))
		return compare(s, condition, key, depth);
	if (!list || tn_studio_condition_holds(&s->scope, condition))
		return true;
	all = tn_str_is(list->key, "all");
	if (!all && !tn_str_is(list->key, "any"))
		return false; /* another reference, or none of several */
	for (const struct tn_json *e = list->first; e; e = e->next) {
		before = s->scope.values;
		if (hold(s, e, depth + 1) != all)
			return !all;
		if (!all)
			s->scope.values = before;
	}
	return all;
}

static bool show(struct switching *s, const struct tn_studio_property *property, unsigned depth)
{
	if (tn_studio_is_visible(&s->scope, property))
		return true;
	if (property->implicit || depth > DEPTH_MAX)
		return false;
	return hold(s, property->visible_when, depth + 1) &&
	       tn_studio_is_visible(&s->scope, property);
}

/* ---- others that depend on the same ---- */

static bool is_set(const struct tn_studio_document *document, const struct tn_studio_node *node,
		   const struct tn_studio_property *property)
{
	const struct tn_studio_node *target;

	return property->type == TN_STUDIO_REFERENCE &&
	       tn_studio_references(document, node, property, &target, 1, NULL) > 0;
}

bool tn_studio_switches_check(struct tn_studio_edit *edit, struct tn_str node_id,
			      const struct tn_json *before)
{
	const struct tn_studio_node *node;
	struct tn_studio_scope now, then;
	struct tn_buf when;

	if (!tn_studio_edit_index(edit)) /* what stands where counts, too */
		return false;
	node = tn_studio_node_find(edit->document, node_id);
	now = then = tn_studio_scope_of(edit->document, node, edit->arena);
	then.values = before;
	for (size_t i = 0; node->type && i < node->type->property_count; i++) {
		const struct tn_studio_property *property = &node->type->properties[i];

		if (!is_set(edit->document, node, property) ||
		    tn_studio_is_visible(&now, property) || !tn_studio_is_visible(&then, property))
			continue;
		tn_buf_init(&when, TN_STUDIO_STRING_BYTES_MAX);
		if (property->visible_when)
			put_condition(&when, property->visible_when);
		(void)tn_studio_fail(
			edit->fault, "INVALID_INPUT",
			"'%.*s' refers by %.*s, which is written only where %.*s. Clear it in the "
			"same call (references: {\"%.*s\": null}; what it stands in: "
			"move_resource), or leave that as it is.",
			(int)node->label.size, node->label.data, (int)property->key.size,
			property->key.data, (int)when.size, when.size ? when.data : "",
			(int)property->key.size, property->key.data);
		tn_buf_finish(&when);
		return false;
	}
	return true;
}

/* ---- setting and clearing ---- */

static bool put_values(struct tn_studio_edit *edit, const struct tn_studio_node *node,
		       const struct tn_json *values)
{
	struct tn_studio_draft draft;

	tn_studio_draft_begin(&draft, edit, node);
	tn_studio_draft_set(&draft, "properties", values);
	return tn_studio_draft_put(&draft);
}

bool tn_studio_switch_on(struct tn_studio_edit *edit, struct tn_str node_id, struct tn_str key)
{
	struct switching s = {.edit = edit, .node = tn_studio_node_find(edit->document, node_id)};
	const struct tn_json *before;

	if (!s.node->type)
		return true;
	s.reference = find(&s, key);
	s.scope = tn_studio_scope_of(edit->document, s.node, edit->arena);
	if (!s.reference || !is_set(edit->document, s.node, s.reference) ||
	    tn_studio_is_visible(&s.scope, s.reference))
		return true;
	if (!tn_studio_edit_index(edit)) /* what stands where counts, too */
		return false;
	s.node = tn_studio_node_find(edit->document, node_id);
	s.scope = tn_studio_scope_of(edit->document, s.node, edit->arena);
	if (!show(&s, s.reference, 0))
		return refuse(&s);
	/* The record goes with the operation. */
	before = s.node->properties ? tn_json_copy(edit->arena, s.node->properties) : NULL;
	if (s.node->properties && !before)
		return tn_studio_edit_no_memory(edit);
	return put_values(edit, s.node, s.scope.values) &&
	       tn_studio_switches_check(edit, node_id, before);
}

bool tn_studio_switch_on_by_place(struct tn_studio_edit *edit, struct tn_str node_id)
{
	const struct tn_studio_node *node = tn_studio_node_find(edit->document, node_id);
	const struct tn_json *rule = node->type ? node->type->parent_reference : NULL;
	struct tn_str key;

	if (!tn_json_to_str(tn_json_get(rule, "key"), &key))
		return true;
	return tn_studio_edit_index(edit) && tn_studio_switch_on(edit, node_id, key);
}

bool tn_studio_drop_by_place(struct tn_studio_edit *edit, struct tn_str node_id)
{
	const struct tn_studio_node *node;
	const struct tn_studio_type *type;

	if (!tn_studio_edit_index(edit))
		return false;
	type = tn_studio_node_find(edit->document, node_id)->type;
	for (size_t i = 0; type && i < type->property_count; i++) {
		const struct tn_studio_property *property = &type->properties[i];
		struct tn_studio_scope scope;

		node = tn_studio_node_find(edit->document, node_id);
		scope = tn_studio_scope_of(edit->document, node, edit->arena);
		if (property->implicit && is_set(edit->document, node, property) &&
		    !tn_studio_is_visible(&scope, property) &&
		    !(tn_studio_link_set(edit, node_id, property->key, NULL) &&
		      tn_studio_edit_index(edit)))
			return false;
	}
	return true;
}

/* A toggle that is no attribute and is off by itself: with its last reference it goes off again. */
static bool is_toggle(const struct tn_studio_property *property)
{
	return property && property->type == TN_STUDIO_BOOLEAN &&
	       property->emit == TN_STUDIO_EMIT_NEVER && !property->default_by &&
	       !tn_studio_value_is_truthy(property->default_value);
}

bool tn_studio_switch_off(struct tn_studio_edit *edit, struct tn_str node_id, struct tn_str key)
{
	const struct tn_studio_node *node = tn_studio_node_find(edit->document, node_id);
	const struct tn_studio_property *reference =
		node->type ? tn_studio_property_find(node->type, key) : NULL;
	struct tn_str name = TN_STR(""), other;
	const struct tn_json *values;

	if (!reference || reference->type != TN_STUDIO_REFERENCE || !reference->visible_when ||
	    is_set(edit->document, node, reference))
		return true;
	(void)tn_json_to_str(tn_json_get(reference->visible_when, "prop"), &name);
	if (!is_toggle(tn_studio_property_find(node->type, name)) ||
	    !tn_json_is(tn_json_get_str(node->properties, name), TN_JSON_TRUE))
		return true;
	for (size_t i = 0; i < node->type->property_count; i++) {
		const struct tn_studio_property *at = &node->type->properties[i];

		other = TN_STR("");
		(void)tn_json_to_str(tn_json_get(at->visible_when, "prop"), &other);
		if (at != reference && tn_str_equal(other, name))
			return true; /* something else goes by it, too */
	}
	values = tn_json_with(edit->arena, node->properties, name, NULL);
	return values ? put_values(edit, node, values) : tn_studio_edit_no_memory(edit);
}
