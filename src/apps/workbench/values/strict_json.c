#include "apps/workbench/values/strict_json.h"

#include "base/map.h"
#include "base/utf8.h"
#include "jsonrpc/limits.h"

struct keys {
	struct tn_json_reader reader;
	struct tn_map seen;                  /* number of the object, then the key */
	uint32_t numbers[TN_JSON_DEPTH_MAX]; /* of the objects around */
	uint32_t count;
	struct tn_buf name;
};

static enum tenon_code note_key(struct keys *k, struct tenon_error *err)
{
	struct tn_str key = k->reader.text;
	uint32_t number = k->numbers[k->reader.depth - 1];
	enum tenon_code code;

	tn_buf_clear(&k->name);
	tn_buf_append(&k->name, &number, sizeof(number));
	tn_buf_append_str(&k->name, key);
	code = tn_buf_check(&k->name, err);
	if (code != TENON_OK)
		return code;
	if (tn_map_get(&k->seen, tn_buf_str(&k->name))) {
		key = tn_utf8_cut(key, 80);
		return tn_fail(err, TENON_INVALID,
			       "the key \"%.*s\" stands twice in one object; keep one of them",
			       (int)key.size, key.data);
	}
	return tn_map_put(&k->seen, tn_buf_str(&k->name), k, err);
}

static enum tenon_code check_keys(struct keys *k, struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;

	while (code == TENON_OK) {
		switch (tn_json_next(&k->reader)) {
		case TN_JSON_TOKEN_END:
			return TENON_OK;
		case TN_JSON_TOKEN_ERROR:
			return tn_json_reader_fail(&k->reader, err);
		case TN_JSON_TOKEN_OBJECT:
			k->numbers[k->reader.depth - 1] = k->count++;
			break;
		case TN_JSON_TOKEN_KEY:
			code = note_key(k, err);
			break;
		default:
			break;
		}
	}
	return code;
}

enum tenon_code tn_wb_json_read(struct tn_arena *arena, struct tn_str text, struct tn_json **ret,
				struct tenon_error *err)
{
	char *copy = tn_arena_copy(arena, text);
	struct keys k = {.count = 0};
	enum tenon_code code;

	if (!copy)
		return tn_fail(err, arena->starved ? TENON_NO_MEMORY : TENON_LIMIT,
			       "the text needs too much memory");
	tn_json_reader_init(&k.reader, copy, text.size, TN_JSON_DEPTH_MAX);
	tn_map_init(&k.seen);
	tn_buf_init(&k.name, text.size + sizeof(uint32_t));
	code = check_keys(&k, err);
	tn_buf_finish(&k.name);
	tn_map_finish(&k.seen);
	return code == TENON_OK ? tn_json_parse_copy(arena, text, ret, err) : code;
}
