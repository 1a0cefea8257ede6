#include "host/settings/hosts_toml.h"

#include <string.h>

#include "base/limits.h"
#include "host/limits.h"
#include "jsonrpc/json_write.h"
#include "jsonrpc/jsonc.h"

/* JSON's strings, numbers, words and lists of them are TOML's, too; objects are inline tables. */
static void put_toml(const struct tn_json *value, struct tn_buf *out)
{
	struct tn_buf scratch;
	bool object = value->type == TN_JSON_OBJECT;

	if (!object && value->type != TN_JSON_ARRAY) {
		tn_buf_init(&scratch, out->limit);
		tn_json_put_value(&scratch, value);
		tn_buf_inherit_failure(out, &scratch);
		tn_buf_append_str(out, tn_buf_str(&scratch));
		tn_buf_finish(&scratch);
		return;
	}
	tn_buf_append_text(out, object ? "{ " : "[");
	for (const struct tn_json *child = value->first; child; child = child->next) {
		if (child != value->first)
			tn_buf_append_text(out, ", ");
		if (object) {
			struct tn_json key = {.type = TN_JSON_STRING, .text = child->key};

			put_toml(&key, out);
			tn_buf_append_text(out, " = ");
		}
		put_toml(child, out);
	}
	tn_buf_append_text(out, object ? " }" : "]");
}

struct below {
	struct tn_str keys[TN_TOML_KEYS_MAX];
	struct tn_toml_path path;
};

static void look_below(struct tn_toml_path path, struct tn_str key, struct below *ret)
{
	tn_assert(path.count < TN_TOML_KEYS_MAX);
	memcpy(ret->keys, path.keys, path.count * sizeof(*ret->keys));
	ret->keys[path.count] = key;
	ret->path = (struct tn_toml_path){ret->keys, path.count + 1};
}

/* Whether the member is written as a table with a header of its own. */
static bool has_header(struct tn_str text, struct tn_toml_path path, const struct tn_json *member)
{
	struct tn_toml_table table;
	struct tn_arena arena;
	struct below below;
	bool has;

	if (member->type != TN_JSON_OBJECT)
		return false;
	look_below(path, member->key, &below);
	tn_arena_init(&arena, TN_MESSAGE_ARENA_MAX);
	has = tn_toml_find(&arena, text, below.path, &table, NULL) == TENON_OK && table.found;
	tn_arena_finish(&arena);
	return has;
}

static enum tenon_code set_pairs(struct tn_str text, struct tn_toml_path path,
				 const struct tn_json *entry, struct tn_buf *out,
				 struct tenon_error *err)
{
	struct tn_toml_pair pairs[TN_TOML_PAIRS_MAX];
	size_t ends[TN_TOML_PAIRS_MAX], count = 0, start = 0;
	struct tn_buf values;
	enum tenon_code code;

	tn_buf_init(&values, out->limit);
	for (const struct tn_json *m = entry->first; m && count < TN_TOML_PAIRS_MAX; m = m->next) {
		if (has_header(text, path, m))
			continue;
		put_toml(m, &values);
		pairs[count].key = m->key;
		ends[count++] = values.size;
	}
	for (size_t i = 0; i < count; i++) {
		pairs[i].value = tn_str(values.data + start, ends[i] - start);
		start = ends[i];
	}
	code = tn_buf_check(&values, err);
	if (code == TENON_OK)
		code = tn_toml_set(text, path, pairs, count, out, err);
	tn_buf_finish(&values);
	return code;
}

/* A member that has a header of its own is set below that: a second table of its name would spoil
 * the file. */
enum tenon_code tn_host_toml_add(struct tn_str text, struct tn_toml_path path,
				 const struct tn_json *entry, struct tn_buf *out,
				 struct tenon_error *err)
{
	struct tn_buf now, next;
	enum tenon_code code;

	tn_buf_init(&now, out->limit);
	tn_buf_init(&next, out->limit);
	code = set_pairs(text, path, entry, &now, err);
	for (const struct tn_json *m = entry->first; m && code == TENON_OK; m = m->next) {
		struct tn_buf swap = now;
		struct below below;

		if (!has_header(text, path, m))
			continue;
		look_below(path, m->key, &below);
		code = set_pairs(tn_buf_str(&now), below.path, m, &next, err);
		now = next;
		next = swap;
		tn_buf_clear(&next);
	}
	if (code == TENON_OK)
		tn_buf_append_str(out, tn_buf_str(&now));
	tn_buf_finish(&now);
	tn_buf_finish(&next);
	return code == TENON_OK ? tn_buf_check(out, err) : code;
}

static bool is_bare(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || tn_is_digit(c) || c == '_' ||
	       c == '-';
}

/* An inline table of plain keys as JSON: keys in quotes, ':' for '='. What is none, or has other
 * strings than JSON's, gives what is no JSON. */
static void put_inline(struct tn_str value, struct tn_buf *out)
{
	bool key = false; /* a key is due */
	int lists = 0;    /* open */

	for (size_t i = 0; i < value.size; i++) {
		char c = value.data[i];
		size_t from = i;

		if (c == '"') {
			for (i++; i < value.size && value.data[i] != '"'; i++)
				i += value.data[i] == '\\';
			tn_buf_append(out, value.data + from,
				      (i < value.size ? i + 1 : value.size) - from);
		} else if (key && is_bare(c)) {
			while (i + 1 < value.size && is_bare(value.data[i + 1]))
				i++;
			tn_buf_append_byte(out, '"');
			tn_buf_append(out, value.data + from, i + 1 - from);
			tn_buf_append_byte(out, '"');
		} else {
			lists += (c == '[') - (c == ']');
			key = c == '{' || (c == ',' && lists == 0) || (key && c != '=');
			tn_buf_append_byte(out, c == '=' ? ':' : c);
		}
	}
}

/* A value, or NULL: only TOML can say it. */
static struct tn_json *value_of(struct tn_arena *arena, struct tn_str text)
{
	struct tn_json *value = NULL;
	struct tn_buf json;

	if (text.size == 0 || text.data[0] != '{')
		return tn_jsonc_parse(arena, text, &value, NULL, NULL) == TENON_OK ? value : NULL;
	tn_buf_init(&json, TN_HOST_PROFILE_BYTES_MAX);
	put_inline(text, &json);
	if (json.failed || tn_json_parse_copy(arena, tn_buf_str(&json), &value, NULL) != TENON_OK)
		value = NULL;
	tn_buf_finish(&json);
	return value;
}

enum tenon_code tn_host_toml_get(struct tn_str text, struct tn_toml_path path, struct tn_buf *out,
				 struct tenon_error *err)
{
	struct tn_toml_table table;
	struct tn_json *value;
	struct tn_arena arena;
	enum tenon_code code;

	tn_arena_init(&arena, TN_MESSAGE_ARENA_MAX);
	code = tn_toml_find(&arena, text, path, &table, err);
	if (code == TENON_OK && table.found) {
		tn_json_begin_object(out);
		for (size_t i = 0; i < table.count; i++) {
			tn_json_put_key_str(out, table.pairs[i].key);
			/* What only TOML can say is told as the text it is written in. */
			value = value_of(&arena, table.pairs[i].value);
			if (value)
				tn_json_put_value(out, value);
			else
				tn_json_put_str(out, table.pairs[i].value);
		}
		tn_json_end_object(out);
	}
	tn_arena_finish(&arena);
	return code;
}
