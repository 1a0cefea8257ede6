#include "apps/plan/read/json_element.h"

#include "apps/plan/read/json_value.h"
#include "base/size.h"
#include "jsonrpc/limits.h"

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
	tn_plan_build_check_memory(reader->build, reader->scratch.starved);
	tn_arena_finish(&reader->scratch);
	tn_plan_attribute_list_finish(&reader->list);
}

bool tn_plan_json_read_text(struct tn_json_reader *tokens, struct tn_str *ret)
{
	enum tn_json_token token = tn_json_next(tokens);

	if (token == TN_JSON_TOKEN_STRING)
		*ret = tokens->text;
	return tn_plan_json_pass(tokens, token);
}

static bool read_actions(struct tn_json_reader *tokens, struct tn_plan_json_element *element)
{
	static const struct {
		const char *word;
		unsigned bit;
	} words[] = {{"no-op", TN_PLAN_BIT_NO_OP},   {"create", TN_PLAN_BIT_CREATE},
		     {"read", TN_PLAN_BIT_READ},     {"update", TN_PLAN_BIT_UPDATE},
		     {"delete", TN_PLAN_BIT_DELETE}, {"forget", TN_PLAN_BIT_FORGET}};
	enum tn_json_token token = tn_json_next(tokens);

	if (token != TN_JSON_TOKEN_ARRAY)
		return tn_plan_json_pass(tokens, token);
	while ((token = tn_json_next(tokens)) != TN_JSON_TOKEN_ARRAY_END) {
		unsigned bit = TN_PLAN_BIT_OTHER;

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

static bool read_index(struct tn_json_reader *tokens, struct tn_plan_json_element *element)
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
static bool read_importing(struct tn_json_reader *tokens, struct tn_plan_json_element *element)
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

static bool read_tree(struct tn_plan_json_reader *reader, struct tn_plan_json_element *element,
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
bool tn_plan_json_read_body(struct tn_plan_json_reader *reader, enum tn_json_token token,
			    struct tn_plan_json_element *element)
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

static struct tn_str *text_member(struct tn_plan_json_element *element, struct tn_str key)
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

bool tn_plan_json_tick(struct tn_plan_json_reader *reader)
{
	size_t read = (size_t)(reader->tokens.at - reader->text);

	if (read < reader->next_tick)
		return true;
	reader->next_tick = read + TN_PLAN_TICK_BYTES;
	return tn_plan_build_tick(reader->build, read);
}

bool tn_plan_json_read_element(struct tn_plan_json_reader *reader, enum tn_json_token token,
			       struct tn_plan_json_element *element)
{
	struct tn_json_reader *tokens = &reader->tokens;

	*element = (struct tn_plan_json_element){.key_kind = TN_PLAN_KEY_NONE};
	tn_arena_reset(&reader->scratch);
	if (!tn_plan_json_tick(reader))
		return false;
	if (token != TN_JSON_TOKEN_OBJECT)
		return tn_plan_json_pass(tokens, token);
	while ((token = tn_json_next(tokens)) == TN_JSON_TOKEN_KEY) {
		struct tn_str *text = text_member(element, tokens->text);
		bool good;

		if (text)
			good = tn_plan_json_read_text(tokens, text);
		else if (tn_str_is(tokens->text, "change"))
			good = tn_plan_json_read_body(reader, tn_json_next(tokens), element);
		else if (tn_str_is(tokens->text, "index"))
			good = read_index(tokens, element);
		else
			good = tn_json_skip(tokens);
		if (!good)
			return false;
	}
	return token == TN_JSON_TOKEN_OBJECT_END;
}
