/* update_resource (studio.md 6.3). */
#include "apps/studio/edit/internal.h"

#include "apps/studio/limits.h"

struct update {
	struct tn_studio_edit *edit;
	const struct tn_json *arguments;
	const struct tn_studio_type *type; /* NULL: unknown */
	struct tn_str id;
	struct tn_str name; /* a new terraformName; empty: it stays */
	struct tn_str old_own, own;
	struct tn_studio_values values;
	struct tn_studio_mistakes mistakes;
	const struct tn_json *modes, *outputs, *usage;
	const struct tn_json *before; /* properties; the record goes with the operation */
};

static struct tn_str text_of(const struct update *update, const char *key)
{
	struct tn_str text = tn_str(NULL, 0);

	(void)tn_json_to_str(tn_json_get(update->arguments, key), &text);
	return text;
}

/* ---- checking ---- */

static void check_name(struct update *update, struct tn_str type_id)
{
	struct tn_str name = text_of(update, "terraformName");

	if (tn_json_get(update->arguments, "terraformName") &&
	    tn_studio_edit_check_name(&update->mistakes, type_id, update->id, name))
		update->name = name;
}

static void check_text(struct update *update, const char *key, bool required, size_t characters,
		       size_t bytes)
{
	struct tn_str text = text_of(update, key), name = tn_str_from(key);

	if (!tn_json_get(update->arguments, key))
		return;
	if (required && text.size == 0)
		tn_studio_mistake(&update->mistakes, name, "has at least one character");
	if (characters > 0 && tn_studio_characters(text) > characters)
		tn_studio_mistake(&update->mistakes, name, "has at most %zu characters",
				  characters);
	if (bytes > 0 && text.size > bytes)
		tn_studio_mistake(&update->mistakes, name, "has at most %zu bytes", bytes);
	if (tn_str_find_byte(text, '\0') != TN_STR_NONE)
		tn_studio_mistake(&update->mistakes, name, "contains a NUL character");
}

static void check_modes(struct update *update, const struct tn_json *stored)
{
	const struct tn_json *given = tn_json_get(update->arguments, "variableModes");

	update->modes = stored;
	for (const struct tn_json *at = given ? given->first : NULL; at; at = at->next) {
		const struct tn_studio_property *property =
			tn_studio_property_find(update->type, at->key);
		struct tn_str mode = TN_STR("literal");

		(void)tn_json_to_str(at, &mode);
		if (!property) {
			tn_studio_mistake_unknown(&update->mistakes, update->type, at->key, false);
		} else if (tn_str_is(mode, "variable") && (property->emit == TN_STUDIO_EMIT_NEVER ||
							   property->type == TN_STUDIO_REFERENCE)) {
			tn_studio_mistake(&update->mistakes, at->key,
					  "cannot be a variable: it is never written as a value");
		} else if (!tn_str_is(mode, "variable") && !tn_str_is(mode, "literal")) {
			tn_studio_mistake(&update->mistakes, at->key, "is literal or variable");
		} else {
			update->modes = tn_json_with(update->edit->arena, update->modes, at->key,
						     tn_str_is(mode, "variable") ? at : NULL);
			update->values.updated.failed |= !update->modes;
		}
	}
}

static void check_outputs(struct update *update)
{
	struct tn_json_maker list;
	struct tn_str key;

	update->outputs = tn_json_get(update->arguments, "enabledOutputs");
	if (!update->outputs)
		return;
	tn_json_maker_begin(&list, update->edit->arena, TN_JSON_ARRAY);
	for (const struct tn_json *at = update->outputs->first; at; at = at->next) {
		bool twice = false;

		if (!tn_json_to_str(at, &key) || !tn_studio_output_find(update->type, key)) {
			tn_studio_mistake(&update->mistakes, TN_STR("enabledOutputs"),
					  "'%.*s' is no output of %.*s",
					  (int)(key.size < 80 ? key.size : 80), key.data,
					  (int)update->type->display_name.size,
					  update->type->display_name.data);
			continue;
		}
		for (const struct tn_json *before = update->outputs->first; before != at;
		     before = before->next)
			twice = twice || tn_json_equal(before, at);
		if (!twice)
			tn_json_maker_add(&list, at);
	}
	update->outputs = tn_json_maker_end(&list);
	update->values.updated.failed |= !update->outputs;
}

static const struct tn_json *usage_meter(const struct tn_studio_type *type, struct tn_str key)
{
	const struct tn_json *list = tn_json_get(type->cost, "usage");
	struct tn_str name;

	for (const struct tn_json *at = list ? list->first : NULL; at; at = at->next) {
		if (tn_json_to_str(tn_json_get(at, "key"), &name) && tn_str_equal(name, key))
			return at;
	}
	return NULL;
}

static void check_usage(struct update *update)
{
	const struct tn_json *given = tn_json_get(update->arguments, "costUsage");

	update->usage = tn_json_get_str(update->edit->document->usage, update->id);
	for (const struct tn_json *at = given ? given->first : NULL; at; at = at->next) {
		const struct tn_json *meter = usage_meter(update->type, at->key);
		double value, min = 0, max = 1e15;
		struct tn_json *made;

		(void)tn_json_to_double(tn_json_get(meter, "min"), &min);
		(void)tn_json_to_double(tn_json_get(meter, "max"), &max);
		if (!meter) {
			tn_studio_mistake(&update->mistakes, at->key,
					  "is no cost assumption of %.*s",
					  (int)update->type->display_name.size,
					  update->type->display_name.data);
			continue;
		}
		if (at->type != TN_JSON_NULL &&
		    (!tn_json_to_double(at, &value) || value < min || value > max)) {
			tn_studio_mistake(&update->mistakes, at->key,
					  "a number from %.15g to %.15g is expected", min, max);
			continue;
		}
		made = tn_json_with(update->edit->arena, update->usage, at->key,
				    at->type == TN_JSON_NULL ? NULL : at);
		update->usage = made;
		update->values.updated.failed |= !made;
	}
}

static bool has_members(const struct update *update, const char *key)
{
	const struct tn_json *value = tn_json_get(update->arguments, key);

	return value && value->count > 0;
}

/* Of an unknown type only what every node has can change. */
static void check_unknown(struct update *update, const struct tn_studio_node *node)
{
	static const char *const keys[] = {"properties", "references", "variableModes",
					   "enabledOutputs", "costUsage"};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (has_members(update, keys[i]))
			tn_studio_mistake(&update->mistakes, tn_str_from(keys[i]),
					  "the type '%.*s' is not in the registry, so nothing is "
					  "known of them",
					  (int)node->type_id.size, node->type_id.data);
	}
}

static bool check(struct update *update, const struct tn_studio_node *node)
{
	tn_studio_mistakes_begin(&update->mistakes, update->edit);
	update->values = (struct tn_studio_values){
		.mistakes = &update->mistakes, .type = update->type, .stored = node->properties};
	tn_json_maker_begin(&update->values.updated, update->edit->arena, TN_JSON_ARRAY);
	tn_json_maker_begin(&update->values.secrets, update->edit->arena, TN_JSON_OBJECT);
	check_name(update, node->type_id);
	check_text(update, "label", true, TN_STUDIO_LABEL_CHARACTERS_MAX, 0);
	check_text(update, "slug", false, TN_STUDIO_LABEL_CHARACTERS_MAX, 0);
	check_text(update, "notes", false, 0, TN_STUDIO_NOTES_BYTES_MAX);
	if (update->type) {
		tn_studio_values_take(&update->values,
				      tn_json_get(update->arguments, "properties"));
		tn_studio_links_check(&update->mistakes, update->type, update->id,
				      tn_json_get(update->arguments, "references"));
		check_modes(update, node->variable_modes);
		check_outputs(update);
		check_usage(update);
	} else {
		check_unknown(update, node);
	}
	return tn_studio_mistakes_end(&update->mistakes);
}

/* ---- doing ---- */

static void note(struct update *update, const char *key)
{
	tn_json_maker_add(&update->values.updated,
			  tn_json_make_str(update->edit->arena, tn_str_from(key)));
}

/* A text that is given; "" and null take it away. */
static void set_text(struct update *update, struct tn_studio_draft *draft, const char *key)
{
	struct tn_str old = tn_str(NULL, 0), text = text_of(update, key);

	if (!tn_json_get(update->arguments, key) || !draft->record)
		return;
	(void)tn_json_to_str(tn_json_get(draft->record, key), &old);
	if (tn_str_equal(old, text))
		return;
	tn_studio_draft_text(draft, key, text);
	note(update, key);
}

static void set_value(struct update *update, struct tn_studio_draft *draft, const char *key,
		      const struct tn_json *value)
{
	const struct tn_json *old = draft->record ? tn_json_get(draft->record, key) : NULL;
	bool empty = !value || value->count == 0;

	if (!tn_json_get(update->arguments, key) ||
	    (empty ? !old || old->count == 0 : old && tn_json_equal(old, value)))
		return;
	tn_studio_draft_set(draft, key, value);
	note(update, key);
}

static bool put_record(struct update *update)
{
	const struct tn_studio_node *node = tn_studio_node_find(update->edit->document, update->id);
	struct tn_studio_draft draft;

	tn_studio_draft_begin(&draft, update->edit, node);
	if (update->values.stored != node->properties)
		tn_studio_draft_set(&draft, "properties", update->values.stored);
	set_text(update, &draft, "label");
	if (update->name.size > 0) {
		tn_studio_draft_names(&draft, update->name, update->own);
		note(update, "terraformName");
	}
	set_text(update, &draft, "slug");
	set_text(update, &draft, "notes");
	if (update->type) {
		set_value(update, &draft, "variableModes", update->modes);
		set_value(update, &draft, "enabledOutputs", update->outputs);
	}
	return tn_studio_draft_put(&draft);
}

static bool clears(const struct tn_json *value)
{
	return value->type == TN_JSON_NULL || (value->type == TN_JSON_ARRAY && value->count == 0);
}

/* What is cleared goes first: what is set may need the switch the other way. */
static bool set_references(struct update *update, bool clearing)
{
	const struct tn_json *given = tn_json_get(update->arguments, "references");

	for (const struct tn_json *at = given ? given->first : NULL; at; at = at->next) {
		size_t before = tn_oplog_steps(update->edit->log);

		if (clears(at) != clearing)
			continue;
		if (!tn_studio_link_set(update->edit, update->id, at->key, at))
			return false;
		if (tn_oplog_steps(update->edit->log) > before)
			tn_json_maker_add(&update->values.updated,
					  tn_json_make_str(update->edit->arena, at->key));
	}
	return true;
}

static bool set_usage(struct update *update)
{
	const struct tn_json *old = tn_json_get_str(update->edit->document->usage, update->id);
	bool empty = !update->usage || update->usage->count == 0;

	if (!has_members(update, "costUsage") ||
	    (empty ? !old : old && tn_json_equal(old, update->usage)))
		return true;
	note(update, "costUsage");
	return tn_studio_edit_set_usage(update->edit, update->id, update->usage);
}

static bool answer(struct update *update, struct tn_buf *result)
{
	struct tn_json *updated = tn_json_maker_end(&update->values.updated);

	if (!updated)
		return tn_studio_edit_no_memory(update->edit);
	tn_json_put_member_str(result, "instanceId", update->id);
	tn_json_put_key(result, "updated");
	tn_json_put_value(result, updated);
	return tn_studio_edit_put_diagnostics(update->edit, update->id, update->name.size > 0,
					      result);
}

static bool carry_out(struct update *update, struct tn_buf *result)
{
	/* The variables are told apart by the own names of all nodes, so they go first. */
	return tn_studio_edit_rename_variables(update->edit, update->old_own, update->own) &&
	       put_record(update) && set_references(update, true) &&
	       set_references(update, false) &&
	       tn_studio_switches_check(update->edit, update->id, update->before) &&
	       set_usage(update) &&
	       tn_studio_values_keep_secrets(&update->values, update->id, update->edit) &&
	       answer(update, result);
}

/* False: no memory. */
static bool find_names(struct update *update, const struct tn_studio_node *node)
{
	if (tn_str_equal(update->name, node->name))
		update->name.size = 0;
	update->old_own = update->own = tn_studio_keep(update->edit, node->own);
	if (update->name.size > 0)
		update->own =
			tn_studio_edit_own(update->edit, node->type_id, update->id, update->name);
	return update->old_own.data && update->own.data;
}

static bool update_node(struct tn_studio_edit *edit, const struct tn_json *arguments,
			struct tn_buf *result)
{
	struct update update = {.edit = edit, .arguments = arguments};
	const struct tn_studio_node *node = tn_studio_edit_node(edit, arguments, "instanceId");

	if (!node)
		return false;
	update.type = node->type;
	update.id = tn_studio_keep(edit, node->id);
	tn_studio_edit_say(edit, "Change '%.*s'", (int)node->label.size, node->label.data);
	update.before = node->properties ? tn_json_copy(edit->arena, node->properties) : NULL;
	if (!update.id.data || (node->properties && !update.before))
		return tn_studio_edit_no_memory(edit);
	if (!check(&update, node))
		return false;
	if (update.values.updated.failed || !find_names(&update, node))
		return tn_studio_edit_no_memory(edit);
	return carry_out(&update, result);
}

bool tn_studio_edit_update(struct tn_studio_edit *edit, const struct tn_json *arguments,
			   struct tn_buf *result)
{
	return tn_studio_edit_run(edit, update_node, arguments, result);
}
