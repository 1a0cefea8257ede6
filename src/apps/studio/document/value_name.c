#include "apps/studio/document/value.h"

#include "base/utf8.h"

enum token { TYPE, ENVIRONMENT, NAME, REGION, ORGANISATION, TOKENS };

static const char *const token_names[] = {"type", "env", "name", "region", "org"};

/* As get_project_config says them (config.c). */
static const char default_environment[] = "dev",
		  default_template[] = "{type}-{env}-{region}-{name}";

static bool is_separator(char c)
{
	return c == '-' || c == '_' || c == '.';
}

/* ST-049: the ancestors' own values, the nearest first. */
static void take_from(const struct tn_studio_scope *of, const struct tn_studio_node *ancestor,
		      struct tn_str values[TOKENS], bool taken[TOKENS])
{
	const struct tn_json *tokens = ancestor->type ? ancestor->type->naming_tokens : NULL;
	const struct tn_studio_scope scope = tn_studio_scope_of(of->document, ancestor, of->arena);

	for (const struct tn_json *t = tokens ? tokens->first : NULL; t; t = t->next) {
		struct tn_str token = {NULL, 0}, from = {NULL, 0}, value = {NULL, 0};

		(void)tn_json_to_str(tn_json_get(t, "token"), &token);
		(void)tn_json_to_str(tn_json_get(t, "from"), &from);
		if (!tn_json_to_str(tn_studio_value_by_key(&scope, from), &value) ||
		    value.size == 0)
			continue;
		if (tn_json_get(t, "map") &&
		    !tn_json_to_str(
			    tn_json_get_str(of->document->registry->region_shortcodes, value),
			    &value))
			continue;
		for (unsigned i = 0; i < TOKENS; i++) {
			if (!taken[i] && tn_str_is(token, token_names[i])) {
				values[i] = value;
				taken[i] = true;
			}
		}
	}
}

/* The token that `text` begins with, and the size of its {name}; TOKENS: none. */
static unsigned token_at(struct tn_str text, size_t *ret_size)
{
	size_t end =
		text.size > 0 && text.data[0] == '{' ? tn_str_find_byte(text, '}') : TN_STR_NONE;

	if (end == TN_STR_NONE)
		return TOKENS;
	*ret_size = end + 1;
	for (unsigned i = 0; i < TOKENS; i++) {
		if (tn_str_is(tn_str(text.data + 1, end - 1), token_names[i]))
			return i;
	}
	return TOKENS;
}

/* Fills the template; an empty region or organisation takes one separator with it (ST-048). */
static size_t fill(struct tn_str template, const struct tn_str values[TOKENS], char *out)
{
	size_t size = 0, length = 0;
	bool literal = false; /* the last byte written is the template's own */

	for (size_t i = 0; i < template.size; i++) {
		unsigned token = token_at(tn_str_from_offset(template, i), &length);

		if (token == TOKENS) {
			out[size++] = template.data[i];
			literal = true;
			continue;
		}
		i += length - 1;
		if (values[token].size > 0) {
			memcpy(out + size, values[token].data, values[token].size);
			size += values[token].size;
			literal = false;
		} else if (token == REGION || token == ORGANISATION) {
			if (size > 0 && literal && is_separator(out[size - 1]))
				size--;
			else if (i + 1 < template.size && is_separator(template.data[i + 1]))
				i++;
		}
	}
	return size;
}

static struct tn_str ending_of(const struct tn_json *naming)
{
	struct tn_str ending = {NULL, 0};

	(void)tn_json_to_str(tn_json_get(naming, "ending"), &ending);
	return ending;
}

/* In place; `text` has room for the ending. */
static struct tn_str constrain(const struct tn_json *naming, char *text, size_t size)
{
	struct tn_str ending = ending_of(naming);
	bool lower = false, no_hyphens = false;
	int64_t length = 0;
	size_t kept = 0;

	(void)tn_json_to_bool(tn_json_get(naming, "lowercase"), &lower);
	(void)tn_json_to_bool(tn_json_get(naming, "noHyphens"), &no_hyphens);
	(void)tn_json_to_int(tn_json_get(naming, "maxLength"), &length);
	for (size_t i = 0; i < size; i++) {
		if (no_hyphens && text[i] == '-')
			continue;
		text[kept++] = lower ? tn_to_lower(text[i]) : text[i];
	}
	length -= (int64_t)ending.size;
	if (length > 0 && kept > (size_t)length)
		kept = tn_utf8_cut(tn_str(text, kept), (size_t)length).size;
	if (ending.size > 0)
		memcpy(text + kept, ending.data, ending.size);
	return tn_str(text, kept + ending.size);
}

struct tn_str tn_studio_constrained_name(const struct tn_studio_type *type, struct tn_str name,
					 struct tn_arena *arena)
{
	char *copy = tn_arena_alloc_raw(arena, name.size + ending_of(type->naming).size + 1);

	if (!copy)
		return name;
	if (name.size > 0)
		memcpy(copy, name.data, name.size);
	return constrain(type->naming, copy, name.size);
}

bool tn_studio_computed_name(const struct tn_studio_scope *scope, struct tn_str *ret)
{
	const struct tn_studio_node *node = scope->node;
	const struct tn_json *naming = tn_json_get(scope->document->config, "naming");
	struct tn_str template = tn_str_from(default_template);
	struct tn_str values[TOKENS] = {[ENVIRONMENT] = tn_str_from(default_environment)};
	bool enabled = false, taken[TOKENS] = {[TYPE] = true, [NAME] = true};
	size_t room;
	char *text;

	(void)tn_json_to_bool(tn_json_get(naming, "enabled"), &enabled);
	if (!enabled || !node || !node->type || node->slug.size == 0 ||
	    !tn_json_to_str(tn_json_get(node->type->naming, "abbreviation"), &values[TYPE]) ||
	    values[TYPE].size == 0)
		return false;
	(void)tn_json_to_str(tn_json_get(naming, "template"), &template);
	(void)tn_json_to_str(tn_json_get(naming, "env"), &values[ENVIRONMENT]);
	(void)tn_json_to_str(tn_json_get(naming, "region"), &values[REGION]);
	(void)tn_json_to_str(tn_json_get(naming, "org"), &values[ORGANISATION]);
	values[NAME] = node->slug;
	for (const struct tn_studio_node *up = node->parent; up; up = up->parent)
		take_from(scope, up, values, taken);
	/* A token takes at least five bytes of the template and may stand there again and again. */
	room = template.size + ending_of(node->type->naming).size;
	for (unsigned i = 0; i < TOKENS; i++)
		room += values[i].size * (template.size / 5 + 1);
	text = tn_arena_alloc_raw(scope->arena, room + 1);
	if (!text)
		return false;
	*ret = constrain(node->type->naming, text, fill(template, values, text));
	return true;
}
