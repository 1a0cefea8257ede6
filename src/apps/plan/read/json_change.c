#include "apps/plan/read/json_change.h"

#include "apps/plan/read/json_element.h"
#include "apps/plan/read/json_value.h"
#include "base/size.h"

/* ---- reasons ---- */

struct reason {
	const char *word, *code;
};

static const char *find_reason(const struct reason *reasons, size_t count, struct tn_str word)
{
	for (size_t i = 0; i < count; i++) {
		if (tn_str_is(word, reasons[i].word))
			return reasons[i].code;
	}
	return NULL;
}

const char *tn_plan_json_reason(struct tn_str reason)
{
	static const struct reason reasons[] = {
		{"replace_because_tainted", "tainted"},
		{"replace_by_request", "requested"},
		{"replace_by_triggers", "replace_triggered_by"},
		{"delete_because_no_resource_config", "not_in_configuration"},
		{"delete_because_wrong_repetition", "wrong_repetition"},
		{"delete_because_count_index", "count_index"},
		{"delete_because_each_key", "for_each_key"},
		{"delete_because_no_module", "module_removed"},
		{"delete_because_no_move_target", "no_move_target"},
		{"delete_because_enabled_false", "enabled_false"},
		{"read_because_config_unknown", "config_unknown"},
		{"read_because_dependency_pending", "dependency_pending"},
		{"read_because_check_nested", "check_nested"},
		/* the stream's words */
		{"tainted", "tainted"},
		{"requested", "requested"},
		{"replace_triggered_by", "replace_triggered_by"},
	};

	return find_reason(reasons, TN_COUNT(reasons), reason);
}

const char *tn_plan_json_deferred_reason(struct tn_str reason)
{
	static const struct reason reasons[] = {
		{"instance_count_unknown", "deferred_instance_count"},
		{"resource_config_unknown", "deferred_resource_config"},
		{"provider_config_unknown", "deferred_provider_config"},
		{"deferred_prereq", "deferred_prerequisite"},
		{"absent_prereq", "deferred_absent_prerequisite"},
	};
	const char *code = find_reason(reasons, TN_COUNT(reasons), reason);

	return code ? code : "deferred_unknown";
}

/* ---- what an element means ---- */

struct meaning {
	unsigned actions;
	uint8_t action, order, other_order; /* other: the second action stands first */
	unsigned first;
};

static const struct meaning meanings[] = {
	{TN_PLAN_BIT_CREATE, TN_PLAN_CREATE, 0, 0, TN_PLAN_BIT_CREATE},
	{TN_PLAN_BIT_READ, TN_PLAN_READ, 0, 0, TN_PLAN_BIT_READ},
	{TN_PLAN_BIT_UPDATE, TN_PLAN_UPDATE, 0, 0, TN_PLAN_BIT_UPDATE},
	{TN_PLAN_BIT_DELETE, TN_PLAN_DELETE, 0, 0, TN_PLAN_BIT_DELETE},
	{TN_PLAN_BIT_FORGET, TN_PLAN_FORGET, 0, 0, TN_PLAN_BIT_FORGET},
	{TN_PLAN_BIT_DELETE | TN_PLAN_BIT_CREATE, TN_PLAN_REPLACE, TN_PLAN_DESTROY_FIRST,
	 TN_PLAN_CREATE_FIRST, TN_PLAN_BIT_DELETE},
	{TN_PLAN_BIT_CREATE | TN_PLAN_BIT_FORGET, TN_PLAN_REPLACE, TN_PLAN_FORGET_OLD,
	 TN_PLAN_FORGET_FIRST, TN_PLAN_BIT_CREATE},
};

/* False: nothing happens. */
static bool find_action(const struct tn_plan_json_element *element, uint8_t *ret_action,
			uint8_t *ret_order)
{
	*ret_order = TN_PLAN_ORDER_NONE;
	if (element->actions == TN_PLAN_BIT_NO_OP || element->actions == 0) {
		*ret_action = element->importing ? TN_PLAN_IMPORT : TN_PLAN_MOVE;
		return element->importing || element->previous_address.size > 0;
	}
	for (size_t i = 0; i < TN_COUNT(meanings); i++) {
		if (meanings[i].actions != element->actions)
			continue;
		*ret_action = meanings[i].action;
		*ret_order = meanings[i].first == element->first ? meanings[i].order
								 : meanings[i].other_order;
		return true;
	}
	*ret_action = TN_PLAN_ACTION_UNKNOWN;
	return true;
}

/* Hand-made samples leave the address out. */
static struct tn_str element_address(struct tn_plan_json_reader *reader,
				     const struct tn_plan_json_element *element)
{
	const char *text;

	if (element->address.size || element->type.size + element->name.size > TN_KIB)
		return element->address;
	text = tn_arena_format(
		&reader->build->plan->arena, "%s%.*s.%.*s",
		tn_str_is(element->mode, "data") ? "data." : "", (int)element->type.size,
		element->type.size ? element->type.data : "", (int)element->name.size,
		element->name.size ? element->name.data : "");
	return tn_str_from(text ? text : "");
}

static void note_provider(struct tn_plan *plan, struct tn_str provider)
{
	if (plan->tool != TN_PLAN_TOOL_UNKNOWN)
		return;
	if (tn_str_starts(provider, TN_STR("registry.opentofu.org/")))
		plan->tool = TN_PLAN_OPENTOFU;
	else if (tn_str_starts(provider, TN_STR("registry.terraform.io/")))
		plan->tool = TN_PLAN_TERRAFORM;
}

static void set_names(struct tn_plan_json_reader *reader, struct tn_plan_entry *entry,
		      const struct tn_plan_json_element *element)
{
	struct tn_plan_address address;

	entry->address = element_address(reader, element);
	if (entry->address.size &&
	    tn_plan_address_read(entry->address, &address) == entry->address.size)
		(void)tn_plan_entry_set_address(entry, &address, &reader->build->plan->arena);
	if (element->module.size)
		entry->module = element->module;
	if (element->type.size)
		entry->type = element->type;
	if (element->name.size)
		entry->name = element->name;
	if (element->key_kind != TN_PLAN_KEY_NONE) {
		entry->key_kind = element->key_kind;
		entry->key_text = element->key;
	}
	if (element->mode.size)
		entry->is_data = tn_str_is(element->mode, "data");
	if (element->deposed.size)
		entry->deposed = element->deposed;
	if (element->previous_address.size)
		entry->previous_address = element->previous_address;
	if (element->importing)
		entry->import_id = element->import_id;
}

static void read_attributes(struct tn_plan_json_reader *reader,
			    const struct tn_plan_json_element *element,
			    struct tn_plan_attributes *ret)
{
	tn_plan_attribute_list_reset(&reader->list);
	if (element->cut)
		reader->list.truncated++;
	else
		tn_plan_json_diff(&reader->list, &element->change, &reader->scratch);
	tn_plan_attribute_list_commit(&reader->list, ret);
}

bool tn_plan_json_read_change(struct tn_plan_json_reader *reader, enum tn_json_token token)
{
	struct tn_plan_build *build = reader->build;
	struct tn_plan_entry *entry;
	struct tn_plan_json_element element;
	const char *reason;
	uint8_t action, order;

	if (!tn_plan_json_read_element(reader, token, &element))
		return false;
	note_provider(build->plan, element.provider);
	if (!find_action(&element, &action, &order))
		return true;
	/* Removing a data source touches nothing but the records; no text plan shows it. */
	if (action == TN_PLAN_DELETE && tn_str_is(element.mode, "data"))
		return true;
	entry = tn_plan_add_entry(build);
	if (!entry)
		return false;
	set_names(reader, entry, &element);
	entry->action = action;
	entry->order = order;
	if (action == TN_PLAN_ACTION_UNKNOWN)
		tn_plan_warn(build, "unknown_action", 0,
			     "an entry has actions this version does not know");
	reason = tn_plan_json_reason(element.reason);
	if (reason)
		tn_plan_add_reason(build, entry, reason, element.reason);
	read_attributes(reader, &element, &entry->attributes);
	tn_plan_add_forced_reasons(build, entry);
	return build->code == TENON_OK;
}

bool tn_plan_json_read_drift(struct tn_plan_json_reader *reader, enum tn_json_token token)
{
	struct tn_plan_drift *drift;
	struct tn_plan_json_element element;
	uint8_t action, order;

	if (!tn_plan_json_read_element(reader, token, &element))
		return false;
	if (!find_action(&element, &action, &order))
		return true;
	drift = tn_plan_add_drift(reader->build);
	if (!drift)
		return reader->build->code == TENON_OK;
	drift->address = element_address(reader, &element);
	if (element.previous_address.size)
		drift->previous_address = element.previous_address;
	drift->action = action;
	read_attributes(reader, &element, &drift->attributes);
	return reader->build->code == TENON_OK;
}

bool tn_plan_json_read_deferred(struct tn_plan_json_reader *reader, enum tn_json_token token)
{
	struct tn_json_reader *tokens = &reader->tokens;
	struct tn_plan_json_element element = {.actions = 0};
	struct tn_plan_deferred *deferred;
	struct tn_str reason = {NULL, 0};
	uint8_t action, order;

	if (token != TN_JSON_TOKEN_OBJECT)
		return tn_plan_json_pass(tokens, token);
	while ((token = tn_json_next(tokens)) == TN_JSON_TOKEN_KEY) {
		bool good;

		if (tn_str_is(tokens->text, "reason"))
			good = tn_plan_json_read_text(tokens, &reason);
		else if (tn_str_is(tokens->text, "resource_change"))
			good = tn_plan_json_read_element(reader, tn_json_next(tokens), &element);
		else
			good = tn_json_skip(tokens);
		if (!good)
			return false;
	}
	if (token != TN_JSON_TOKEN_OBJECT_END)
		return false;
	deferred = tn_plan_add_deferred(reader->build);
	if (!deferred)
		return reader->build->code == TENON_OK;
	deferred->address = element_address(reader, &element);
	if (!find_action(&element, &action, &order))
		action = TN_PLAN_ACTION_UNKNOWN;
	deferred->action = action;
	deferred->reason = tn_plan_json_deferred_reason(reason);
	return true;
}

/* True when any part of the value is marked. */
static bool is_marked(const struct tn_json *mark)
{
	return tn_json_is(mark, TN_JSON_TRUE) ||
	       (mark && (mark->type == TN_JSON_OBJECT || mark->type == TN_JSON_ARRAY) &&
		mark->count > 0);
}

bool tn_plan_json_read_output(struct tn_plan_json_reader *reader, struct tn_str name,
			      enum tn_json_token token)
{
	struct tn_plan_json_element element = {.actions = 0};
	struct tn_plan_build *build = reader->build;
	const struct tn_plan_json_change *change = &element.change;
	struct tn_plan_output *output;
	uint8_t action, order;

	tn_arena_reset(&reader->scratch);
	if (!tn_plan_json_tick(reader) || !tn_plan_json_read_body(reader, token, &element))
		return false;
	if (!find_action(&element, &action, &order))
		return true;
	output = tn_plan_add_output(build);
	if (!output)
		return build->code == TENON_OK;
	output->name = name;
	output->action =
		action == TN_PLAN_CREATE || action == TN_PLAN_DELETE ? action : TN_PLAN_UPDATE;
	output->unknown = tn_json_is(change->after_unknown, TN_JSON_TRUE);
	output->sensitive =
		is_marked(change->before_sensitive) || is_marked(change->after_sensitive);
	if (output->sensitive)
		return true;
	output->before = tn_plan_json_scalar(build, change->before);
	if (!output->unknown)
		output->after = tn_plan_json_scalar(build, change->after);
	return true;
}
