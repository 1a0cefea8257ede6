#include "apps/workbench/launch/env.h"

#include <unistd.h>

#include "apps/workbench/limits.h"
#include "base/buf.h"

static const char placeholder[] = "{port}";

const char *tn_wb_put_port(struct tn_arena *arena, struct tn_str text, unsigned port)
{
	const char *made = NULL;
	struct tn_buf out;

	tn_buf_init(&out, TN_MIB);
	while (text.size) {
		size_t at = port ? tn_str_find(text, TN_STR(placeholder)) : TN_STR_NONE;

		tn_buf_append(&out, text.data, at == TN_STR_NONE ? text.size : at);
		if (at == TN_STR_NONE)
			break;
		tn_buf_append_uint(&out, port);
		text = tn_str_from_offset(text, at + sizeof(placeholder) - 1);
	}
	if (!out.failed)
		made = tn_arena_copy(arena, tn_buf_str(&out));
	tn_buf_finish(&out);
	return made;
}

/* No name of a variable holds these, and nothing of a text stands behind a NUL. */
static bool is_variable(const struct tn_json *member, struct tn_str *ret_value)
{
	static const char *const words[] = {[TN_JSON_TRUE] = "true", [TN_JSON_FALSE] = "false"};

	*ret_value = member->text;
	if (member->type == TN_JSON_TRUE || member->type == TN_JSON_FALSE)
		*ret_value = tn_str_from(words[member->type]);
	else if (member->type != TN_JSON_STRING && member->type != TN_JSON_NUMBER)
		return false;
	return member->key.size && tn_str_find_byte(member->key, '=') == TN_STR_NONE &&
	       tn_str_find_byte(member->key, '\0') == TN_STR_NONE &&
	       tn_str_find_byte(*ret_value, '\0') == TN_STR_NONE;
}

static void put(const char **list, size_t *count, const char *entry)
{
	const char *equals = strchr(entry, '=');
	size_t size = equals ? (size_t)(equals - entry) + 1 : strlen(entry);

	for (size_t i = 0; i < *count; i++) {
		if (strncmp(list[i], entry, size) != 0)
			continue;
		list[i] = entry;
		return;
	}
	list[(*count)++] = entry;
}

static bool put_members(struct tn_arena *arena, const struct tn_json *more, unsigned port,
			const char **list, size_t *count)
{
	for (const struct tn_json *at = more ? more->first : NULL; at; at = at->next) {
		const char *text, *entry;
		struct tn_str value;

		if (!is_variable(at, &value))
			continue;
		text = tn_wb_put_port(arena, value, port);
		entry = text ? tn_arena_format(arena, "%.*s=%s", (int)at->key.size, at->key.data,
					       text)
			     : NULL;
		if (!entry)
			return false;
		put(list, count, entry);
	}
	return true;
}

const char *const *tn_wb_env(struct tn_arena *arena,
			     const struct tn_json *const more[TN_WB_ENV_PARTS], unsigned port)
{
	size_t room = 1, count = 0;
	const char **list;

	for (size_t i = 0; environ[i]; i++)
		room++;
	for (int i = 0; i < TN_WB_ENV_PARTS; i++)
		room += more[i] ? more[i]->count : 0;
	list = tn_arena_alloc_array(arena, room, sizeof(*list));
	for (size_t i = 0; list && environ[i]; i++)
		if (strncmp(environ[i], "TENON_", 6) != 0) /* nobody else's business */
			list[count++] = environ[i];
	for (int i = 0; list && i < TN_WB_ENV_PARTS; i++)
		if (!put_members(arena, more[i], port, list, &count))
			return NULL;
	return list;
}
