/* From what is known to records of the diagram: nodes, edges, configuration, secrets. */
#include "apps/studio/document/declared.h"
#include "apps/studio/registry/property_check.h"
#include "apps/studio/import/internal.h"
#include "apps/studio/document/node_name.h"
#include "apps/studio/limits.h"
#include "apps/studio/project/project.h"
#include "base/utf8.h"
#include "jsonrpc/json_write.h"

/* Fields in the order of the type; an element of another kind is its one value. */
static const struct tn_json *element(struct tn_import *import, const struct tn_import_list *list,
				     const struct tn_import_item *item)
{
	const struct tn_json *made = tn_json_make(import->arena, TN_JSON_OBJECT);
	const struct tn_studio_property *of = list->property;
	const struct tn_import_binding *one;

	for (size_t i = 0; i < of->field_count && made; i++) {
		one = tn_import_binding(item->bindings, TN_IMPORT_VALUE, of->fields[i].key);
		if (one)
			made = tn_json_with(import->arena, made, one->key, one->value);
	}
	for (one = of->field_count ? NULL : item->bindings; one && made; one = one->next) {
		if (one->kind != TN_IMPORT_VALUE)
			continue;
		if (one->key.size == 0)
			return one->value;
		made = tn_json_with(import->arena, made, one->key, one->value);
	}
	return made;
}

static const struct tn_json *elements(struct tn_import *import, const struct tn_import_list *list)
{
	bool map = list->property->type == TN_STUDIO_MAP;
	struct tn_json_maker maker;
	struct tn_str key;

	tn_json_maker_begin(&maker, import->arena, map ? TN_JSON_OBJECT : TN_JSON_ARRAY);
	for (const struct tn_import_item *item = list->first; item; item = item->next) {
		const struct tn_json *made = element(import, list, item);

		if (!map)
			tn_json_maker_add(&maker, made);
		else if (tn_json_to_str(tn_json_get(made, "key"), &key))
			tn_json_maker_put(&maker, key, tn_json_get(made, "value"));
	}
	return tn_json_maker_end(&maker);
}

static const struct tn_json *properties_of(struct tn_import *import,
					   const struct tn_import_node *node)
{
	struct tn_json_maker maker;
	char why[256];

	tn_json_maker_begin(&maker, import->arena, TN_JSON_OBJECT);
	for (size_t i = 0; i < node->type->property_count; i++) {
		const struct tn_studio_property *property = &node->type->properties[i];
		const struct tn_import_binding *bound =
			tn_import_binding(node->bindings, TN_IMPORT_VALUE, property->key);
		const struct tn_import_list *list = tn_import_list_of(node, property);
		const struct tn_json *value = bound ? bound->value : NULL, *stored;

		if (list)
			value = elements(import, list);
		if (!value)
			continue;
		if (!tn_studio_check_value(property, value, import->arena, &stored, why,
					   sizeof(why)))
			stored = value; /* a diagnostic will say what is wrong with it */
		tn_json_maker_put(&maker, property->key, stored);
	}
	return tn_json_maker_end(&maker);
}

static const struct tn_json *references_of(struct tn_import *import,
					   const struct tn_import_node *node)
{
	struct tn_json_maker maker;

	tn_json_maker_begin(&maker, import->arena, TN_JSON_OBJECT);
	for (size_t i = 0; i < node->type->property_count; i++) {
		const struct tn_studio_property *property = &node->type->properties[i];
		const struct tn_json *one = NULL;
		struct tn_json *list = tn_json_make(import->arena, TN_JSON_ARRAY);

		if (property->type != TN_STUDIO_REFERENCE || !list ||
		    (node->implied && tn_str_equal(node->implied_key, property->key)))
			continue;
		/* The last one stands first. */
		for (const struct tn_import_binding *bound = node->bindings; bound;
		     bound = bound->next) {
			struct tn_json *id;

			if (bound->kind != TN_IMPORT_TARGET ||
			    !tn_str_equal(bound->key, property->key) || bound->target->gone)
				continue;
			id = tn_json_make_str(import->arena, tn_str_from(bound->target->id));
			if (!id)
				return NULL;
			one = id;
			id->next = list->first;
			list->first = id;
			list->count++;
		}
		if (one)
			tn_json_maker_put(&maker, property->key, property->many ? list : one);
	}
	return tn_json_maker_end(&maker);
}

static const struct tn_json *keys_of(struct tn_import *import, const struct tn_import_node *node,
				     enum tn_import_kind kind)
{
	bool modes = kind == TN_IMPORT_MODE;
	const struct tn_json *variable = tn_json_make_str(import->arena, TN_STR("variable"));
	struct tn_json_maker maker;

	tn_json_maker_begin(&maker, import->arena, modes ? TN_JSON_OBJECT : TN_JSON_ARRAY);
	for (size_t i = 0; modes && i < node->type->property_count; i++) {
		if (tn_import_binding(node->bindings, kind, node->type->properties[i].key))
			tn_json_maker_put(&maker, node->type->properties[i].key, variable);
	}
	for (size_t i = 0; !modes && i < node->type->output_count; i++) {
		if (tn_import_binding(node->bindings, kind, node->type->outputs[i].key))
			tn_json_maker_add(&maker, tn_json_make_str(import->arena,
								   node->type->outputs[i].key));
	}
	return tn_json_maker_end(&maker);
}

static void put_some(struct tn_buf *out, const char *key, const struct tn_json *value)
{
	if (!value || value->count == 0)
		return;
	tn_json_put_key(out, key);
	tn_json_put_value(out, value);
}

static struct tn_str label_of(const struct tn_import_node *node)
{
	const struct tn_import_binding *name =
		tn_import_binding(node->bindings, TN_IMPORT_VALUE, TN_STR("name"));

	if (name && name->value->type == TN_JSON_STRING && name->value->text.size > 0)
		return tn_studio_cut_label(name->value->text);
	return node->name;
}

static bool apply(struct tn_import *import, struct tn_buf *operation)
{
	bool good = !operation->failed && tn_studio_edit_apply(import->edit, tn_buf_str(operation));

	if (operation->failed)
		(void)tn_studio_fail(import->edit->fault, "LIMIT_EXCEEDED",
				     "a record is too large");
	return good;
}

static void begin_node(struct tn_buf *out, struct tn_str id, struct tn_str type,
		       struct tn_str label, struct tn_str name)
{
	tn_buf_clear(out);
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "op", "putNode");
	tn_json_put_key(out, "node");
	tn_json_begin_object(out);
	tn_json_put_member_str(out, "id", id);
	tn_json_put_member_str(out, "typeId", type);
	tn_json_put_member_str(out, "label", label);
	tn_json_put_member_str(out, "terraformName", name);
}

static void put_place(struct tn_buf *out)
{
	tn_json_put_key(out, "position");
	tn_json_put_raw(out, TN_STR("{\"x\":0,\"y\":0}"));
}

static bool make_node(struct tn_import *import, const struct tn_import_node *node,
		      struct tn_buf *out)
{
	const struct tn_studio_node *into =
		import->into.size ? tn_studio_node_find(import->edit->document, import->into)
				  : NULL;
	struct tn_str parent = TN_STR("");

	if (node->parent)
		parent = tn_str_from(node->parent->id);
	else if (into && into->type && tn_studio_may_contain(into->type, node->type))
		parent = into->id;
	begin_node(out, tn_str_from(node->id), node->type->id, label_of(node), node->name);
	if (!tn_str_equal(node->name, node->own))
		tn_json_put_member_str(out, TN_STUDIO_OWN, node->own);
	if (parent.size)
		tn_json_put_member_str(out, "parentId", parent);
	if (node->primary && !tn_str_equal(node->primary->name, node->name))
		tn_json_put_member_str(out, TN_IMPORT_ADDRESS, node->primary->address);
	put_place(out);
	put_some(out, "properties", properties_of(import, node));
	put_some(out, "references", references_of(import, node));
	put_some(out, "variableModes", keys_of(import, node, TN_IMPORT_MODE));
	put_some(out, "enabledOutputs", keys_of(import, node, TN_IMPORT_OUTPUT));
	tn_json_end_object(out);
	tn_json_end_object(out);
	if (!apply(import, out))
		return false;
	tn_studio_edit_touch(import->edit, tn_str_from(node->id));
	return true;
}

/* In the order of the files, which is what is generated in. */
static bool make_nodes(struct tn_import *import, struct tn_buf *out)
{
	for (const struct tn_import_node *node = import->nodes; node; node = node->next) {
		if (!node->gone && !node->exists && !make_node(import, node, out))
			return false;
	}
	return true;
}

/* ---- edges ---- */

static bool make_edge(struct tn_import *import, struct tn_buf *out, struct tn_str source,
		      struct tn_str source_handle, struct tn_str target,
		      struct tn_str target_handle, const char *category)
{
	char id[TN_STUDIO_UUID_SIZE];

	do {
		tn_studio_make_id(import->id_count++, id);
	} while (tn_studio_edge_find(import->edit->document, tn_str_from(id)));
	tn_buf_clear(out);
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "op", "putEdge");
	tn_json_put_key(out, "edge");
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "id", id);
	tn_json_put_member_str(out, "source", source);
	tn_json_put_member_str(out, "sourceHandle", source_handle);
	tn_json_put_member_str(out, "target", target);
	tn_json_put_member_str(out, "targetHandle", target_handle);
	tn_json_put_member_text(out, "category", category);
	tn_json_end_object(out);
	tn_json_end_object(out);
	return apply(import, out);
}

/* A reference that a rule sets is an edge, too (ST-034). */
static bool make_rule_edge(struct tn_import *import, struct tn_buf *out,
			   const struct tn_import_node *node, const struct tn_import_binding *bound)
{
	const struct tn_import_node *other = bound->target;

	for (size_t i = 0; i < import->registry->rule_count; i++) {
		const struct tn_studio_rule *rule = &import->registry->rules[i];

		if (!rule->sets || !tn_str_equal(rule->reference, bound->key))
			continue;
		if (rule->sets_on_source && rule->from == node->type && rule->to == other->type)
			return make_edge(import, out, tn_str_from(node->id), rule->from_handle,
					 tn_str_from(other->id), rule->to_handle, "structural");
		if (!rule->sets_on_source && rule->to == node->type && rule->from == other->type)
			return make_edge(import, out, tn_str_from(other->id), rule->from_handle,
					 tn_str_from(node->id), rule->to_handle, "structural");
	}
	return true;
}

static bool make_edges(struct tn_import *import, struct tn_buf *out)
{
	for (const struct tn_import_node *node = import->nodes; node; node = node->next) {
		for (const struct tn_import_binding *one =
			     node->gone || node->exists ? NULL : node->bindings;
		     one; one = one->next) {
			if (one->kind != TN_IMPORT_TARGET || one->target->gone ||
			    (node->implied && tn_str_equal(node->implied_key, one->key)))
				continue;
			if (!make_rule_edge(import, out, node, one))
				return false;
		}
	}
	for (const struct tn_import_edge *edge = import->edges; edge; edge = edge->next) {
		if (edge->source->exists && edge->target->exists)
			continue;
		if (!make_edge(import, out, tn_str_from(edge->source->id), edge->source_handle,
			       tn_str_from(edge->target->id), edge->target_handle, "binding"))
			return false;
	}
	return true;
}

/* ---- variables of templates, secrets ---- */

/* "{self}_secret_{item.name}": as generation names it. */
static struct tn_str variable_name(struct tn_import *import, struct tn_str pattern,
				   const struct tn_import_node *node,
				   const struct tn_import_item *item)
{
	struct tn_str name = tn_import_extra_name(import, pattern, node->own, 0), field;
	size_t at = tn_str_find(name, TN_STR("{item.")), end;
	const struct tn_import_binding *bound;
	char *text;

	if (at == TN_STR_NONE || !item)
		return name;
	end = tn_str_find_byte(tn_str_from_offset(name, at), '}');
	if (end == TN_STR_NONE)
		return name;
	field = tn_str(name.data + at + 6, end - 6);
	bound = tn_import_binding(item->bindings, TN_IMPORT_VALUE, field);
	field = bound && bound->value->type == TN_JSON_STRING ? bound->value->text : TN_STR("");
	text = tn_arena_copy(import->arena, field);
	for (size_t i = 0; text && i < field.size; i++) {
		text[i] = tn_to_lower(text[i]);
		if (!(text[i] >= 'a' && text[i] <= 'z') && !tn_is_digit(text[i]))
			text[i] = '_';
	}
	return tn_import_format(import->arena, "%.*s%s%.*s", (int)at, name.data, text ? text : "",
				(int)(name.size - at - end - 1), name.data + at + end + 1);
}

static struct tn_str property_variable(struct tn_import *import, const struct tn_import_node *node,
				       struct tn_str key)
{
	return tn_import_format(import->arena, "%.*s_%.*s", (int)node->own.size, node->own.data,
				(int)key.size, key.data);
}

/* Of a variable, whose name begins with the node's. */
static bool keep_secret(struct tn_import *import, const struct tn_import_node *node,
			struct tn_str name, const struct tn_json *value)
{
	struct tn_str text = TN_STR("");

	if (!import->edit->project || import->dry_run ||
	    (value->type != TN_JSON_STRING && value->type != TN_JSON_NUMBER))
		return true;
	text = value->text;
	return tn_studio_edit_keep_secret(import->edit, tn_str_from(node->id),
					  tn_str_from_offset(name, node->own.size + 1), &text);
}

static bool keep_variable(struct tn_import *import, const struct tn_import_node *node,
			  const struct tn_import_item *item, const struct tn_import_binding *one)
{
	bool template = tn_str_find_byte(one->key, '{') != TN_STR_NONE;
	struct tn_str name = template ? variable_name(import, one->key, node, item)
				      : property_variable(import, node, one->key);
	const struct tn_json *values;

	if (one->kind == TN_IMPORT_SECRET)
		return keep_secret(import, node, name, one->value);
	values = tn_json_with(import->arena, tn_json_get(import->config, "variableValues"), name,
			      one->value);
	if (values)
		import->config = tn_json_with(import->arena, import->config,
					      TN_STR("variableValues"), values);
	import->config_changed = true;
	return values && import->config ? true : tn_studio_fail_memory(import->edit->fault);
}

static bool keep_variables_of(struct tn_import *import, const struct tn_import_node *node,
			      const struct tn_import_item *item,
			      const struct tn_import_binding *first)
{
	for (; first; first = first->next) {
		if ((first->kind == TN_IMPORT_SECRET || first->kind == TN_IMPORT_VARIABLE) &&
		    !keep_variable(import, node, item, first))
			return false;
	}
	return true;
}

static bool keep_variables(struct tn_import *import)
{
	for (const struct tn_import_node *node = import->nodes; node; node = node->next) {
		if (node->gone || node->exists)
			continue;
		if (!keep_variables_of(import, node, NULL, node->bindings))
			return false;
		for (const struct tn_import_list *list = node->lists; list; list = list->next) {
			for (const struct tn_import_item *item = list->first; item;
			     item = item->next) {
				if (!keep_variables_of(import, node, item, item->bindings))
					return false;
			}
		}
	}
	return true;
}

/* ---- what stays as text ---- */

/* Nothing is named after it, but two that are called alike could not be told apart. */
static bool name_is_taken(const void *document, struct tn_str name)
{
	return tn_studio_node_by_own(document, name) != NULL;
}

/* In pieces: one text of a record has a cap. */
static void put_pieces(struct tn_buf *out, const char *key, struct tn_str text)
{
	if (text.size == 0)
		return;
	tn_json_put_key(out, key);
	tn_json_begin_array(out);
	while (text.size > 0) {
		struct tn_str piece = tn_utf8_cut(text, TN_STUDIO_STRING_BYTES_MAX);

		tn_json_put_str(out, piece);
		text = tn_str_from_offset(text, piece.size);
	}
	tn_json_end_array(out);
}

static struct tn_str foreign_type(struct tn_import *import, const struct tn_import_foreign *foreign)
{
	struct tn_str parts[2] = {foreign->kind,
				  foreign->type.size ? foreign->type : TN_STR("block")};
	char *text[2];

	for (int i = 0; i < 2; i++) {
		text[i] = tn_arena_copy(import->arena, parts[i]);
		for (size_t j = 0; text[i] && j < parts[i].size; j++) {
			char c = tn_to_lower(text[i][j]);

			text[i][j] = (c >= 'a' && c <= 'z') || tn_is_digit(c) ? c : '_';
		}
	}
	return tn_import_format(import->arena, "foreign/%s/%s", text[0] ? text[0] : "_",
				text[1] ? text[1] : "_");
}

/* The same text was taken in before. */
static bool is_there(const struct tn_import *import, const struct tn_import_foreign *foreign,
		     struct tn_str type)
{
	const struct tn_studio_document *document = import->edit->document;

	for (size_t i = 0; i < import->old_count && i < document->node_count; i++) {
		const struct tn_json *pieces =
			tn_json_get(document->nodes[i]->record, "foreignText");
		struct tn_str rest = foreign->text, piece;
		bool same = tn_str_equal(document->nodes[i]->type_id, type) &&
			    tn_json_is(pieces, TN_JSON_ARRAY);

		for (const struct tn_json *one = same ? pieces->first : NULL; one && same;
		     one = one->next) {
			same = tn_json_to_str(one, &piece) && tn_str_starts(rest, piece);
			if (same)
				rest = tn_str_from_offset(rest, piece.size);
		}
		if (same && rest.size == 0)
			return true;
	}
	return false;
}

static bool make_foreign(struct tn_import *import, struct tn_buf *out)
{
	char name[TN_STUDIO_NAME_SIZE];

	for (struct tn_import_foreign *one = import->foreign; one; one = one->next) {
		struct tn_str type = foreign_type(import, one), wanted, label;

		if ((one->text.size == 0 && one->values.size == 0) || is_there(import, one, type))
			continue;
		do {
			tn_studio_make_id(import->id_count++, one->id);
		} while (tn_studio_node_find(import->edit->document, tn_str_from(one->id)));
		wanted = tn_import_format(import->arena, "%.*s_%.*s",
					  (int)(one->type.size ? one->type.size : one->kind.size),
					  one->type.size ? one->type.data : one->kind.data,
					  (int)one->name.size, one->name.data);
		tn_studio_derive_name(wanted, type, name_is_taken, import->edit->document, name);
		label = tn_import_format(import->arena, "%.*s%s%.*s",
					 (int)(one->type.size ? one->type.size : one->kind.size),
					 one->type.size ? one->type.data : one->kind.data,
					 one->name.size ? " " : "", (int)one->name.size,
					 one->name.data);
		begin_node(out, tn_str_from(one->id), type, tn_studio_cut_label(label),
			   tn_str_from(name));
		put_place(out);
		put_pieces(out, "foreignText", one->text);
		put_pieces(out, "foreignValues", one->values);
		tn_json_end_object(out);
		tn_json_end_object(out);
		if (!apply(import, out))
			return false;
		tn_studio_edit_touch(import->edit, tn_str_from(one->id));
	}
	return true;
}

bool tn_import_make(struct tn_import *import)
{
	struct tn_buf out;
	bool good;

	if (import->full || import->reading.full)
		return tn_studio_fail_memory(import->edit->fault);
	tn_buf_init(&out, TN_STUDIO_FILE_BYTES_MAX);
	good = make_nodes(import, &out) && make_foreign(import, &out) && make_edges(import, &out) &&
	       keep_variables(import);
	if (good && import->config_changed) {
		tn_buf_clear(&out);
		tn_json_begin_object(&out);
		tn_json_put_member_text(&out, "op", "setConfig");
		tn_json_put_key(&out, "config");
		tn_json_put_value(&out, import->config);
		tn_json_end_object(&out);
		good = apply(import, &out);
	}
	tn_buf_finish(&out);
	return good;
}
