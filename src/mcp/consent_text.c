#include "mcp/consent_text.h"

#include "base/arena.h"
#include "base/size.h"
#include "base/utf8.h"
#include "jsonrpc/json_write.h"
#include "mcp/limits.h"

enum { DATA_ARENA_MAX = 16 * 1024 * 1024 };

/* One character as it is shown; C0 and DEL as Unicode's pictures of them. */
static void put_one(struct tn_buf *out, uint32_t code, bool lines)
{
	char bytes[TN_UTF8_BYTES_MAX];

	if (code == '\n' || code == '\t') {
		if (lines) {
			tn_buf_append_byte(out, (char)code);
			return;
		}
	}
	if (code > 0x7F && tn_utf8_look(code) != TN_UTF8_SEEN) {
		tn_buf_format(out, "<U+%04X>", (unsigned)code);
		return;
	}
	if (code < 0x20)
		code += 0x2400;
	else if (code == 0x7F)
		code = 0x2421;
	tn_buf_append(out, bytes, tn_utf8_encode(code, bytes));
}

void tn_consent_text_put(struct tn_buf *out, struct tn_str text, size_t max, bool lines)
{
	size_t at = 0, start = out->size;

	while (at < text.size && out->size - start < max) {
		uint32_t code = TN_UTF8_REPLACEMENT;
		size_t size = tn_utf8_decode(text.data + at, text.size - at, &code);

		put_one(out, code, lines);
		at += size ? size : 1;
	}
	if (at < text.size)
		tn_buf_format(out, " [... %zu more bytes, not shown]", text.size - at);
}

/* ---- data ---- */

static struct tn_str shown(struct tn_arena *arena, struct tn_str text)
{
	struct tn_buf clean;
	const char *copy;
	size_t size;

	tn_buf_init(&clean, 4 * TN_CONSENT_TEXT_MAX);
	tn_consent_text_put(&clean, text, TN_CONSENT_TEXT_MAX, false);
	copy = clean.failed ? NULL : tn_arena_copy(arena, tn_buf_str(&clean));
	size = clean.size;
	tn_buf_finish(&clean);
	return copy ? tn_str(copy, size) : TN_STR("[...]");
}

static void put_shown(struct tn_buf *out, struct tn_arena *arena, const struct tn_json *value)
{
	if (value->type == TN_JSON_OBJECT)
		tn_json_begin_object(out);
	else if (value->type == TN_JSON_ARRAY)
		tn_json_begin_array(out);
	else if (value->type == TN_JSON_STRING)
		tn_json_put_str(out, shown(arena, value->text));
	else
		tn_json_put_value(out, value);
	if (value->type != TN_JSON_OBJECT && value->type != TN_JSON_ARRAY)
		return;
	for (const struct tn_json *one = value->first; one; one = one->next) {
		if (value->type == TN_JSON_OBJECT)
			tn_json_put_key_str(out, shown(arena, one->key));
		put_shown(out, arena, one);
	}
	if (value->type == TN_JSON_OBJECT)
		tn_json_end_object(out);
	else
		tn_json_end_array(out);
}

bool tn_consent_data_put(struct tn_buf *out, struct tn_str json)
{
	struct tn_json *value = NULL;
	struct tn_arena arena;
	struct tn_buf made;
	bool good;

	tn_arena_init(&arena, DATA_ARENA_MAX);
	tn_buf_init(&made, TN_CONSENT_DATA_MAX);
	good = json.size <= TN_CONSENT_DATA_MAX &&
	       tn_json_parse_copy(&arena, json, &value, NULL) == TENON_OK &&
	       tn_json_is(value, TN_JSON_OBJECT);
	if (good)
		put_shown(&made, &arena, value);
	good = good && !made.failed;
	if (good)
		tn_buf_append_str(out, tn_buf_str(&made));
	tn_buf_finish(&made);
	tn_arena_finish(&arena);
	return good && !out->failed;
}
