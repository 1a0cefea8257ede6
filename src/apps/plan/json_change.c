#include "apps/plan/json_change.h"

#include "apps/plan/json_value.h"
#include "base/size.h"

enum { SCRATCH_FLOOR = 4 * 1024 * 1024 };

bool tn_plan_json_reader_init(struct tn_plan_json_reader *reader, struct tn_plan_build *build,
			      char *text, size_t size)
{
	*reader = (struct tn_plan_json_reader){
		.build = build, .text = text, .next_tick = TN_PLAN_TICK_BYTES};
	/* One enormous resource loses its attributes, not the plan its bound. */
	tn_arena_init(&reader->scratch, size < SCRATCH_FLOOR ? SCRATCH_FLOOR : size);
	tn_json_reader_init(&reader->tokens, text, size, TN_JSON_DEPTH_MAX);
	return tn_plan_attribute_list_init(&reader->list, build);
}

void tn_plan_json_reader_finish(struct tn_plan_json_reader *reader)
{
	tn_arena_finish(&reader->scratch);
	tn_plan_attribute_list_finish(&reader->list);
}

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

/* ---- one element ---- */

enum action_bit {
	BIT_NO_OP = 1,
	BIT_CREATE = 2,
	BIT_READ = 4,
	BIT_UPDATE = 8,
	BIT_DELETE = 16,
	BIT_FORGET = 32,
	BIT_OTHER = 64
};

struct element {
	struct tn_str address, previous_address, module, mode, type, name, deposed, reason,
		provider;
	struct tn_str key, import_id;
	uint8_t key_kind;
	bool importing;
	unsigned actions; /* bits */
	unsigned first;   /* the first of them */
	struct tn_plan_json_change change;
	bool cut; /* a part did not fit into memory */
};

bool tn_plan_json_read_text(struct tn_json_reader *tokens, struct tn_str *ret)
{
	enum tn_json_token token = tn_json_next(tokens);

	if (token == TN_JSON_TOKEN_STRING)
		*ret = tokens->text;
	return tn_plan_json_pass(tokens, token);
}

static bool read_actions(struct tn_json_reader *tokens, struct element *element)
{
	static const struct {
		const char *word;
		unsigned bit;
	} words[] = {{"no-op", BIT_NO_OP},   {"create", BIT_CREATE}, {"read", BIT_READ},
		     {"update", BIT_UPDATE}, {"delete", BIT_DELETE}, {"forget", BIT_FORGET}};
	enum tn_json_token token = tn_json_next(tokens);

	if (token != TN_JSON_TOKEN_ARRAY)
		return tn_plan_json_pass(tokens, token);
	while ((token = tn_json_next(tokens)) != TN_JSON_TOKEN_ARRAY_END) {
		unsigned bit = BIT_OTHER;

		for (size_t i = 0; token == TN_JSON_TOKEN_STRING && i < TN_COUNT(words); i++) {
			if (tn_str_is(tokens->text, words[i].word))
				bit = words[i].bit;
		}
		if (!element->actions)
			element->first = bit;
		element->actions |= bit;
		if (!tn_plan_json_pass(tokens, token))
			return false;
	}
	return true;
}

static bool read_index(struct tn_json_reader *tokens, struct element *element)
{
	enum tn_json_token token = tn_json_next(tokens);

	if (token == TN_JSON_TOKEN_NUMBER || token == TN_JSON_TOKEN_STRING) {
		element->key = tokens->text;
		element->key_kind =
			token == TN_JSON_TOKEN_NUMBER ? TN_PLAN_KEY_INT : TN_PLAN_KEY_STRING;
	}
	return tn_plan_json_pass(tokens, token);
}

/* {"id": "..."} or {"identity": {...}}, or null. */
static bool read_importing(struct tn_json_reader *tokens, struct element *element)
{
	enum tn_json_token token = tn_json_next(tokens);

	if (token != TN_JSON_TOKEN_OBJECT)
		return tn_plan_json_pass(tokens, token);
	element->importing = true;
	element->import_id = tn_str("", 0);
	while ((token = tn_json_next(tokens)) == TN_JSON_TOKEN_KEY) {
		struct tn_str ignored = {NULL, 0};
		bool is_id = tn_str_is(tokens->text, "id");

		if (!tn_plan_json_read_text(tokens, is_id ? &element->import_id : &ignored))
			return false;
	}
	return token == TN_JSON_TOKEN_OBJECT_END;
}

static bool read_tree(struct tn_plan_json_reader *reader, struct element *element,
		      struct tn_json **ret)
{
	enum tn_json_token token = tn_json_next(&reader->tokens);

	if (!tn_plan_json_value(&reader->tokens, token, &reader->scratch, ret))
		return false;
	element->cut |= *ret == NULL;
	return true;
}

static struct tn_json **tree_member(struct tn_plan_json_change *change, struct tn_str key)
{
	if (tn_str_is(key, "before"))
		return &change->before;
	if (tn_str_is(key, "after"))
		return &change->after;
	if (tn_str_is(key, "after_unknown"))
		return &change->after_unknown;
	if (tn_str_is(key, "before_sensitive"))
		return &change->before_sensitive;
	if (tn_str_is(key, "after_sensitive"))
		return &change->after_sensitive;
	return tn_str_is(key, "replace_paths") ? &change->replace_paths : NULL;
}

/* The object behind "change", or an output's value. */
static bool read_change_object(struct tn_plan_json_reader *reader, enum tn_json_token token,
			       struct element *element)
{
	struct tn_json_reader *tokens = &reader->tokens;

	if (token != TN_JSON_TOKEN_OBJECT)
		return tn_plan_json_pass(tokens, token);
	while ((token = tn_json_next(tokens)) == TN_JSON_TOKEN_KEY) {
		struct tn_json **tree = tree_member(&element->change, tokens->text);
		bool good;

		if (tree)
			good = read_tree(reader, element, tree);
		else if (tn_str_is(tokens->text, "actions"))
			good = read_actions(tokens, element);
		else if (tn_str_is(tokens->text, "importing"))
			good = read_importing(tokens, element);
		else
			good = tn_json_skip(tokens);
		if (!good)
			return false;
	}
	return token == TN_JSON_TOKEN_OBJECT_END;
}

static struct tn_str *text_member(struct element *element, struct tn_str key)
{
	const struct {
		const char *name;
		struct tn_str *text;
	} members[] = {{"address", &element->address},
		       {"previous_address", &element->previous_address},
		       {"module_address", &element->module},
		       {"mode", &element->mode},
		       {"type", &element->type},
		       {"name", &element->name},
		       {"deposed", &element->deposed},
		       {"action_reason", &element->reason},
		       {"provider_name", &element->provider}};

	for (size_t i = 0; i < TN_COUNT(members); i++) {
		if (tn_str_is(key, members[i].name))
			return members[i].text;
	}
	return NULL;
}

static bool tick(struct tn_plan_json_reader *reader)
{
	size_t read = (size_t)(reader->tokens.at - reader->text);

	if (read < reader->next_tick)
		return true;
	reader->next_tick = read + TN_PLAN_TICK_BYTES;
	return tn_plan_build_tick(reader->build, read);
}

static bool read_element(struct tn_plan_json_reader *reader, enum tn_json_token token,
			 struct element *element)
{
	struct tn_json_reader *tokens = &reader->tokens;

	*element = (struct element){.key_kind = TN_PLAN_KEY_NONE};
	tn_arena_reset(&reader->scratch);
	if (!tick(reader))
		return false;
	if (token != TN_JSON_TOKEN_OBJECT)
		return tn_plan_json_pass(tokens, token);
	while ((token = tn_json_next(tokens)) == TN_JSON_TOKEN_KEY) {
		struct tn_str *text = text_member(element, tokens->text);
		bool good;

		if (text)
			good = tn_plan_json_read_text(tokens, text);
		else if (tn_str_is(tokens->text, "change"))
			good = read_change_object(reader, tn_json_next(tokens), element);
		else if (tn_str_is(tokens->text, "index"))
			good = read_index(tokens, element);
		else
			good = tn_json_skip(tokens);
		if (!good)
			return false;
	}
	return token == TN_JSON_TOKEN_OBJECT_END;
}

/* ---- what an element means ---- */

struct meaning {
	unsigned actions;
	uint8_t action, order, other_order; /* other: the second action stands first */
	unsigned first;
};

static const struct meaning meanings[] = {
	{BIT_CREATE, TN_PLAN_CREATE, 0, 0, BIT_CREATE},
	{BIT_READ, TN_PLAN_READ, 0, 0, BIT_READ},
	{BIT_UPDATE, TN_PLAN_UPDATE, 0, 0, BIT_UPDATE},
	{BIT_DELETE, TN_PLAN_DELETE, 0, 0, BIT_DELETE},
	{BIT_FORGET, TN_PLAN_FORGET, 0, 0, BIT_FORGET},
	{BIT_DELETE | BIT_CREATE, TN_PLAN_REPLACE, TN_PLAN_DESTROY_FIRST, TN_PLAN_CREATE_FIRST,
	 BIT_DELETE},
	{BIT_CREATE | BIT_FORGET, TN_PLAN_REPLACE, TN_PLAN_FORGET_OLD, TN_PLAN_FORGET_FIRST,
	 BIT_CREATE},
};

/* False: nothing happens. */
static bool find_action(const struct element *element, uint8_t *ret_action, uint8_t *ret_order)
{
	*ret_order = TN_PLAN_ORDER_NONE;
	if (element->actions == BIT_NO_OP || element->actions == 0) {
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
				     const struct element *element)
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
		      const struct element *element)
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

static void read_attributes(struct tn_plan_json_reader *reader, const struct element *element,
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
	struct element element;
	const char *reason;
	uint8_t action, order;

	if (!read_element(reader, token, &element))
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
	struct element element;
	uint8_t action, order;

	if (!read_element(reader, token, &element))
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
	struct element element = {.actions = 0};
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
			good = read_element(reader, tn_json_next(tokens), &element);
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
	struct element element = {.actions = 0};
	struct tn_plan_build *build = reader->build;
	const struct tn_plan_json_change *change = &element.change;
	struct tn_plan_output *output;
	uint8_t action, order;

	tn_arena_reset(&reader->scratch);
	if (!tick(reader) || !read_change_object(reader, token, &element))
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

/* ---- action invocations (1.14) ---- */

static bool read_trigger(struct tn_json_reader *tokens, struct tn_str *ret_resource,
			 const char **ret_when)
{
	enum tn_json_token token = tn_json_next(tokens);
	struct tn_str event = {NULL, 0};

	if (token != TN_JSON_TOKEN_OBJECT)
		return tn_plan_json_pass(tokens, token);
	while ((token = tn_json_next(tokens)) == TN_JSON_TOKEN_KEY) {
		bool good;

		if (tn_str_is(tokens->text, "triggering_resource_address"))
			good = tn_plan_json_read_text(tokens, ret_resource);
		else if (tn_str_is(tokens->text, "action_trigger_event"))
			good = tn_plan_json_read_text(tokens, &event);
		else
			good = tn_json_skip(tokens);
		if (!good)
			return false;
	}
	*ret_when = tn_str_starts(event, TN_STR("Before")) || tn_str_starts(event, TN_STR("before"))
			    ? "before"
			    : "after";
	return token == TN_JSON_TOKEN_OBJECT_END;
}

bool tn_plan_json_read_invocation(struct tn_plan_json_reader *reader, enum tn_json_token token)
{
	struct tn_json_reader *tokens = &reader->tokens;
	struct tn_plan_invocation *invocation, value = {.when = "direct"};

	if (token != TN_JSON_TOKEN_OBJECT)
		return tn_plan_json_pass(tokens, token);
	while ((token = tn_json_next(tokens)) == TN_JSON_TOKEN_KEY) {
		bool good;

		if (tn_str_is(tokens->text, "address"))
			good = tn_plan_json_read_text(tokens, &value.address);
		else if (tn_str_is(tokens->text, "lifecycle_action_trigger"))
			good = read_trigger(tokens, &value.resource, &value.when);
		else
			good = tn_json_skip(tokens);
		if (!good)
			return false;
	}
	invocation = tn_plan_add_invocation(reader->build);
	if (invocation)
		*invocation = value;
	return token == TN_JSON_TOKEN_OBJECT_END && reader->build->code == TENON_OK;
}
