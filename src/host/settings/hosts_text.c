#include "host/settings/hosts_text.h"

#include <stdio.h>

#include "base/limits.h"
#include "base/size.h"
#include "host/limits.h"
#include "host/settings/hosts_environment.h"
#include "host/settings/hosts_toml.h"
#include "jsonrpc/json_write.h"
#include "jsonrpc/jsonc.h"

/* ---- placeholders ---- */

static bool put_word(const struct tn_host *host, const struct tn_host_entry *entry,
		     struct tn_str word, struct tn_buf *out)
{
	if (tn_str_is(word, "command"))
		tn_buf_append_text(out, entry->command);
	else if (tn_str_is(word, "path"))
		tn_buf_append_text(out, host->path);
	else if (tn_str_is(word, "token"))
		tn_buf_append_text(out, "<TOKEN>");
	else if (tn_str_is(word, "url"))
		tn_buf_format(out, "%s/mcp%s%s", entry->url ? entry->url : TN_HOST_URL,
			      entry->app ? "/" : "", entry->app ? entry->app : "");
	else if (tn_str_is(word, "health"))
		tn_buf_format(out, "\"tenon status\" shows a daemon, or curl %s/health answers.",
			      entry->url ? entry->url : TN_HOST_URL);
	else if (tn_str_is(word, "try"))
		tn_buf_append_text(out, "Paste the output of terraform plan and ask \"Explain "
					"this plan\": the answer comes from terraform_explain.");
	else
		return false;
	return true;
}

static void put_filled(const struct tn_host *host, const struct tn_host_entry *entry,
		       struct tn_str text, struct tn_buf *out)
{
	while (text.size) {
		size_t open = tn_str_find_byte(text, '{');
		size_t end = open == TN_STR_NONE
				     ? TN_STR_NONE
				     : tn_str_find_byte(tn_str_from_offset(text, open), '}');

		if (end == TN_STR_NONE) {
			tn_buf_append_str(out, text);
			return;
		}
		tn_buf_append(out, text.data, open);
		if (!put_word(host, entry, tn_str(text.data + open + 1, end - 1), out))
			tn_buf_append(out, text.data + open, end + 1);
		text = tn_str_from_offset(text, open + end + 1);
	}
}

void tn_host_put_step_text(const struct tn_host *host, const struct tn_host_entry *entry,
			   struct tn_str step, struct tn_buf *out)
{
	put_filled(host, entry, step, out);
}

void tn_host_put_step(const struct tn_host *host, const struct tn_host_entry *entry,
		      struct tn_str step, struct tn_buf *out)
{
	struct tn_buf text;

	tn_buf_init(&text, TN_HOST_PROFILE_BYTES_MAX);
	put_filled(host, entry, step, &text);
	tn_buf_inherit_failure(out, &text);
	tn_json_put_str(out, tn_buf_str(&text));
	tn_buf_finish(&text);
}

/* ---- entries ---- */

static bool is_args(const struct tn_json *value)
{
	return value->type == TN_JSON_STRING && tn_str_is(value->text, "{args}");
}

/* The words behind the command; some hosts want them in one list with it. */
static void put_args(const struct tn_host_entry *entry, struct tn_buf *out)
{
	tn_json_put_text(out, "mcp");
	if (entry->app)
		tn_json_put_text(out, entry->app);
	if (entry->fit) {
		tn_json_put_text(out, "--fit");
		tn_json_put_text(out, entry->fit);
	}
}

static void put_value(const struct tn_host *host, const struct tn_host_entry *entry,
		      const struct tn_json *value, struct tn_buf *out)
{
	if (is_args(value)) {
		tn_json_begin_array(out);
		put_args(entry, out);
		tn_json_end_array(out);
	} else if (value->type == TN_JSON_ARRAY) {
		tn_json_begin_array(out);
		for (const struct tn_json *child = value->first; child; child = child->next) {
			if (is_args(child))
				put_args(entry, out);
			else
				put_value(host, entry, child, out);
		}
		tn_json_end_array(out);
	} else if (tn_host_is_environment(value)) {
		tn_host_put_environment(NULL, out);
	} else if (value->type == TN_JSON_STRING) {
		tn_host_put_step(host, entry, value->text, out);
	} else if (value->type == TN_JSON_OBJECT) {
		tn_json_begin_object(out);
		for (const struct tn_json *child = value->first; child; child = child->next) {
			if (tn_host_is_environment(child) && !tn_host_has_environment())
				continue;
			tn_json_put_key_str(out, child->key);
			put_value(host, entry, child, out);
		}
		tn_json_end_object(out);
	} else {
		tn_json_put_value(out, value);
	}
}

void tn_host_put_entry(const struct tn_host *host, const struct tn_host_entry *entry, bool http,
		       struct tn_buf *out)
{
	put_value(host, entry, http ? host->http : host->stdio, out);
}

enum tenon_code tn_host_put_snippet(const struct tn_host *host, const struct tn_host_entry *entry,
				    bool http, struct tn_buf *out, struct tenon_error *err)
{
	struct tn_buf json;
	enum tenon_code code;

	tn_buf_init(&json, TN_HOST_PROFILE_BYTES_MAX);
	tn_host_put_entry(host, entry, http, &json);
	code = tn_buf_check(&json, err);
	if (code == TENON_OK)
		code = tn_host_add(host, tn_str("", 0), entry->name, tn_buf_str(&json), out, err);
	tn_buf_finish(&json);
	return code;
}

/* ---- JSON files ---- */

struct place {
	struct tn_str keys[TN_HOST_KEYS_MAX + 1];
	size_t count;
};

static struct place place_of(const struct tn_host *host, const char *name)
{
	struct place place = {.count = host->key_count + 1};

	memcpy(place.keys, host->keys, host->key_count * sizeof(*place.keys));
	place.keys[host->key_count] = tn_str_from(name);
	return place;
}

static struct tn_toml_path toml_path(const struct place *place)
{
	return (struct tn_toml_path){place->keys, place->count};
}

/* Each member on its own, so that those of the user's stay. */
static enum tenon_code set_members(struct tn_str text, const struct place *place,
				   const struct tn_json *entry, struct tn_buf *out,
				   struct tenon_error *err)
{
	struct tn_str keys[TN_HOST_KEYS_MAX + 2];
	struct tn_jsonc_path path = {keys, place->count + 1};
	struct tn_buf now, next, value;
	enum tenon_code code = TENON_OK;

	memcpy(keys, place->keys, place->count * sizeof(*keys));
	tn_buf_init(&now, out->limit);
	tn_buf_init(&next, out->limit);
	tn_buf_init(&value, out->limit);
	tn_buf_append_str(&now, text);
	for (const struct tn_json *m = entry->first; m && code == TENON_OK; m = m->next) {
		struct tn_buf swap;

		keys[place->count] = m->key;
		tn_buf_clear(&value);
		tn_buf_clear(&next);
		tn_json_put_value(&value, m);
		code = tn_jsonc_set(tn_buf_str(&now), path, tn_buf_str(&value), &next, err);
		swap = now;
		now = next;
		next = swap;
	}
	tn_buf_inherit_failure(out, &now);
	if (code == TENON_OK)
		tn_buf_append_str(out, tn_buf_str(&now));
	tn_buf_finish(&now);
	tn_buf_finish(&next);
	tn_buf_finish(&value);
	return code == TENON_OK ? tn_buf_check(out, err) : code;
}

static enum tenon_code add_json(struct tn_str text, const struct place *place,
				const struct tn_json *entry, struct tn_str json, struct tn_buf *out,
				struct tenon_error *err)
{
	struct tn_jsonc_path path = {place->keys, place->count};
	struct tn_jsonc_member member;
	enum tenon_code code = tn_jsonc_find(text, path, &member, err);

	if (code == TENON_NOT_FOUND)
		return tn_jsonc_set(text, path, json, out, err);
	if (code != TENON_OK)
		return code;
	if (text.data[member.value_at] != '{')
		return tn_fail(err, TENON_INVALID, "line %zu: the entry should be an object",
			       tn_jsonc_line(text, member.value_at));
	return set_members(text, place, entry, out, err);
}

static enum tenon_code get_json(struct tn_str text, const struct place *place, struct tn_buf *out,
				struct tenon_error *err)
{
	struct tn_jsonc_member member;
	struct tn_json *value = NULL;
	struct tn_arena arena;
	enum tenon_code code = tn_jsonc_find(
		text, (struct tn_jsonc_path){place->keys, place->count}, &member, err);

	if (code == TENON_NOT_FOUND)
		return TENON_OK;
	if (code != TENON_OK)
		return code;
	tn_arena_init(&arena, TN_MESSAGE_ARENA_MAX);
	code = tn_jsonc_parse(&arena, tn_str(text.data + member.value_at, member.value_size),
			      &value, NULL, err);
	if (code == TENON_OK)
		tn_json_put_value(out, value);
	tn_arena_finish(&arena);
	return code;
}

/* ---- both ---- */

enum tenon_code tn_host_drop_member(const struct tn_host *host, struct tn_str text,
				    const char *name, struct tn_str key, struct tn_buf *out,
				    struct tenon_error *err)
{
	struct tn_str keys[TN_HOST_KEYS_MAX + 2];
	struct place place = place_of(host, name);

	if (host->toml)
		return tn_toml_drop(text, toml_path(&place), key, out, err);
	memcpy(keys, place.keys, place.count * sizeof(*keys));
	keys[place.count] = key;
	return tn_jsonc_remove(text, (struct tn_jsonc_path){keys, place.count + 1}, out, err);
}

enum tenon_code tn_host_add(const struct tn_host *host, struct tn_str text, const char *name,
			    struct tn_str json, struct tn_buf *out, struct tenon_error *err)
{
	struct place place = place_of(host, name);
	struct tn_json *entry = NULL;
	struct tn_arena arena;
	enum tenon_code code;

	tn_arena_init(&arena, TN_MESSAGE_ARENA_MAX);
	code = tn_json_parse_copy(&arena, json, &entry, err);
	if (code == TENON_OK)
		code = host->toml ? tn_host_toml_add(text, toml_path(&place), entry, out, err)
				  : add_json(text, &place, entry, json, out, err);
	tn_arena_finish(&arena);
	return code;
}

enum tenon_code tn_host_remove(const struct tn_host *host, struct tn_str text, const char *name,
			       struct tn_buf *out, struct tenon_error *err)
{
	struct place place = place_of(host, name);

	if (host->toml)
		return tn_toml_remove(text, toml_path(&place), out, err);
	return tn_jsonc_remove(text, (struct tn_jsonc_path){place.keys, place.count}, out, err);
}

enum tenon_code tn_host_get(const struct tn_host *host, struct tn_str text, const char *name,
			    struct tn_buf *out, struct tenon_error *err)
{
	struct place place = place_of(host, name);

	return host->toml ? tn_host_toml_get(text, toml_path(&place), out, err)
			  : get_json(text, &place, out, err);
}

enum tenon_code tn_host_bring(const struct tn_host *host, struct tn_str text, struct tn_str from,
			      const char *name, struct tn_buf *out, struct tenon_error *err)
{
	struct place place = place_of(host, name);
	struct tn_buf entry;
	enum tenon_code code;

	if (host->toml) {
		tn_buf_append_str(out, text);
		if (text.size && text.data[text.size - 1] != '\n')
			tn_buf_append_byte(out, '\n');
		if (text.size)
			tn_buf_append_byte(out, '\n');
		return tn_toml_copy(from, toml_path(&place), out, err);
	}
	tn_buf_init(&entry, out->limit);
	code = get_json(from, &place, &entry, err);
	if (code == TENON_OK)
		code = tn_host_add(host, text, name, tn_buf_str(&entry), out, err);
	tn_buf_finish(&entry);
	return code;
}
