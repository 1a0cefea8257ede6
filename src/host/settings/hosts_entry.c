#include "host/settings/hosts_entry.h"

#include "base/limits.h"
#include "host/limits.h"

/* ---- over HTTP ---- */

static bool is_address(const struct tn_json *template)
{
	return template->type == TN_JSON_STRING &&
	       tn_str_find(template->text, TN_STR("{url}")) != TN_STR_NONE;
}

const struct tn_json *tn_host_entry_url(const struct tn_host *host, const struct tn_json *entry)
{
	for (const struct tn_json *m = host->http ? host->http->first : NULL; m; m = m->next) {
		const struct tn_json *found = is_address(m) ? tn_json_get_str(entry, m->key) : NULL;

		if (tn_json_is(found, TN_JSON_STRING))
			return found;
	}
	return tn_json_is(tn_json_get(entry, "url"), TN_JSON_STRING) ? tn_json_get(entry, "url")
								     : NULL;
}

/* ---- one that starts us ---- */

static bool is_word(const struct tn_json *value, const char *word)
{
	return tn_json_is(value, TN_JSON_STRING) && tn_str_is(value->text, word);
}

static bool is_program(const struct tn_json *value, bool whole)
{
	return tn_json_is(value, TN_JSON_STRING) &&
	       (tn_str_ends(value->text, TN_STR("/tenon"))
			? !whole || value->text.data[0] == '/'
			: !whole && tn_str_is(value->text, "tenon"));
}

/* What the template leaves open must be what we would write; the rest may differ. */
static bool fits(const struct tn_json *template, const struct tn_json *value, bool whole)
{
	const struct tn_json *at;

	if (is_word(template, "{command}"))
		return is_program(value, whole);
	if (is_word(template, "{args}"))
		return tn_json_is(value, TN_JSON_ARRAY) && is_word(value->first, "mcp");
	if (template->type != TN_JSON_ARRAY)
		return true;
	if (!tn_json_is(value, TN_JSON_ARRAY))
		return false;
	at = value->first;
	for (const struct tn_json *item = template->first; item; item = item->next) {
		if (is_word(item, "{command}") && !is_program(at, whole))
			return false;
		if (is_word(item, "{args}") && !is_word(at, "mcp"))
			return false;
		at = at ? at->next : NULL;
	}
	return true;
}

static bool starts_us(const struct tn_host *host, const struct tn_json *entry, bool whole)
{
	for (const struct tn_json *m = host->stdio->first; m; m = m->next) {
		if (!fits(m, tn_json_get_str(entry, m->key), whole))
			return false;
	}
	return true;
}

bool tn_host_entry_starts_us(const struct tn_host *host, const struct tn_json *entry)
{
	return starts_us(host, entry, false);
}

bool tn_host_entry_is_ours(const struct tn_host *host, const struct tn_json *entry)
{
	return starts_us(host, entry, true) && !tn_host_entry_url(host, entry);
}

/* ---- exchanging ---- */

struct exchange {
	const struct tn_host *host;
	const char *name;
	const struct tn_json *old; /* NULL: there was none */
	struct tn_buf *now, *next;
	struct tenon_error *err;
};

/* A member that says "stdio" fits a program. */
static enum tenon_code drop(struct exchange *x, struct tn_str key)
{
	struct tn_buf swap;
	enum tenon_code code;

	if (tn_json_get_str(x->host->stdio, key) || is_word(tn_json_get_str(x->old, key), "stdio"))
		return TENON_OK;
	tn_buf_clear(x->next);
	code = tn_host_drop_member(x->host, tn_buf_str(x->now), x->name, key, x->next, x->err);
	if (code != TENON_OK)
		return code == TENON_NOT_FOUND ? TENON_OK : code;
	swap = *x->now;
	*x->now = *x->next;
	*x->next = swap;
	return TENON_OK;
}

static enum tenon_code drop_all(struct exchange *x)
{
	const struct tn_json *m = x->host->http ? x->host->http->first : NULL;
	enum tenon_code code = TENON_OK;

	for (; m && code == TENON_OK; m = m->next)
		code = drop(x, m->key);
	m = x->host->http_members ? x->host->http_members->first : NULL;
	for (; m && code == TENON_OK; m = m->next)
		code = drop(x, m->text);
	return code;
}

enum tenon_code tn_host_put_over(const struct tn_host *host, struct tn_str text, const char *name,
				 struct tn_str json, struct tn_buf *out, struct tenon_error *err)
{
	struct exchange x = {.host = host, .name = name, .err = err};
	struct tn_json *old = NULL;
	struct tn_arena arena;
	struct tn_buf entry, now, next;
	enum tenon_code code;

	tn_arena_init(&arena, TN_MESSAGE_ARENA_MAX);
	tn_buf_init(&entry, out->limit);
	tn_buf_init(&now, out->limit);
	tn_buf_init(&next, out->limit);
	code = tn_host_get(host, text, name, &entry, err);
	if (code == TENON_OK && entry.size)
		code = tn_json_parse_copy(&arena, tn_buf_str(&entry), &old, err);
	if (code == TENON_OK)
		code = tn_host_add(host, text, name, json, &now, err);
	x.old = old;
	x.now = &now;
	x.next = &next;
	if (code == TENON_OK && old)
		code = drop_all(&x);
	if (code == TENON_OK)
		tn_buf_append_str(out, tn_buf_str(&now));
	tn_arena_finish(&arena);
	tn_buf_finish(&entry);
	tn_buf_finish(&now);
	tn_buf_finish(&next);
	return code == TENON_OK ? tn_buf_check(out, err) : code;
}
