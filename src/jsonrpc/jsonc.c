#include "jsonrpc/jsonc.h"

#include "base/limits.h"
#include "base/mem.h"
#include "jsonrpc/jsonc_layout.h"
#include "jsonrpc/limits.h"

/* ---- comments and commas ---- */

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* After the string that begins at `at`; the end of the text when it has no end. */
static size_t after_string(struct tn_str text, size_t at)
{
	for (at++; at < text.size; at++) {
		if (text.data[at] == '\\')
			at++;
		else if (text.data[at] == '"')
			return at + 1;
	}
	return text.size;
}

/* After the comment that begins at `at`: before the line's end, or after the closing mark.
 * NOWHERE: it has no end. */
static size_t after_comment(struct tn_str text, size_t at)
{
	size_t end;

	if (text.data[at + 1] == '*') {
		end = tn_str_find(tn_str_from_offset(text, at + 2), TN_STR("*/"));
		return end == TN_STR_NONE ? TN_JSONC_NOWHERE : at + 2 + end + 2;
	}
	while (at < text.size && text.data[at] != '\n' && text.data[at] != '\r')
		at++;
	return at;
}

static bool is_comment(struct tn_str text, size_t at)
{
	return text.data[at] == '/' && at + 1 < text.size &&
	       (text.data[at + 1] == '/' || text.data[at + 1] == '*');
}

/* `out` is empty; it gets the text with a blank for each byte of a comment. */
static enum tenon_code blank_comments(struct tn_str text, struct tn_buf *out,
				      struct tenon_error *err)
{
	size_t at = 0;

	tn_buf_append_str(out, text);
	if (out->failed)
		return tn_buf_check(out, err);
	while (at < text.size) {
		if (text.data[at] == '"') {
			at = after_string(text, at);
		} else if (is_comment(text, at)) {
			size_t end = after_comment(text, at);

			if (end == TN_JSONC_NOWHERE)
				return tn_fail(err, TENON_INVALID,
					       "line %zu: this comment has no end: */ is missing",
					       tn_jsonc_line(text, at));
			memset(out->data + at, ' ', end - at);
			at = end;
		} else {
			at++;
		}
	}
	return TENON_OK;
}

/* A comma before a closing bracket goes, when it follows a value. */
static void blank_commas(char *text, size_t size)
{
	size_t comma = TN_JSONC_NOWHERE;
	char last = '[';

	for (size_t at = 0; at < size;) {
		char c = text[at];

		if (is_blank(c)) {
			at++;
			continue;
		}
		if ((c == '}' || c == ']') && comma != TN_JSONC_NOWHERE)
			text[comma] = ' ';
		comma = c == ',' && !strchr("[{,:", last) ? at : TN_JSONC_NOWHERE;
		last = c;
		at = c == '"' ? after_string(tn_str(text, size), at) : at + 1;
	}
}

enum tenon_code tn_jsonc_strip(struct tn_str text, struct tn_buf *out, struct tenon_error *err)
{
	struct tn_buf plain;
	enum tenon_code code;

	tn_buf_init(&plain, text.size + 1);
	code = blank_comments(text, &plain, err);
	if (code == TENON_OK && plain.size) {
		blank_commas(plain.data, plain.size);
		tn_buf_append_str(out, tn_buf_str(&plain));
		code = tn_buf_check(out, err);
	}
	tn_buf_finish(&plain);
	return code;
}

/* ---- reading ---- */

size_t tn_jsonc_line(struct tn_str text, size_t offset)
{
	size_t line = 1;

	for (size_t i = 0; i < offset && i < text.size; i++)
		line += text.data[i] == '\n';
	return line;
}

static bool is_all_blank(struct tn_str text)
{
	if (tn_str_starts(text, TN_STR("\xEF\xBB\xBF")))
		text = tn_str_from_offset(text, 3);
	return tn_str_trim(text).size == 0;
}

/* Says whether the strict text is one value of JSON, and if not on which line of `text`. */
static enum tenon_code check(struct tn_str text, char *strict, struct tenon_error *err)
{
	struct tn_json_reader reader;
	enum tn_json_token token;

	tn_json_reader_init(&reader, strict, text.size, TN_JSON_DEPTH_MAX);
	do {
		token = tn_json_next(&reader);
	} while (token != TN_JSON_TOKEN_END && token != TN_JSON_TOKEN_ERROR);
	if (token == TN_JSON_TOKEN_END)
		return TENON_OK;
	return tn_fail(err, TENON_INVALID, "line %zu: %s",
		       tn_jsonc_line(text, (size_t)(reader.at - reader.start)),
		       reader.fault ? reader.fault : "not JSON");
}

enum tenon_code tn_jsonc_parse(struct tn_arena *arena, struct tn_str text, struct tn_json **ret,
			       const char **ret_base, struct tenon_error *err)
{
	struct tn_buf strict;
	enum tenon_code code;
	char *copy = NULL;

	tn_buf_init(&strict, text.size + 1);
	code = tn_jsonc_strip(text, &strict, err);
	if (code != TENON_OK)
		goto out;
	if (is_all_blank(tn_buf_str(&strict))) {
		tn_buf_clear(&strict);
		tn_buf_append_text(&strict, "{}");
		code = tn_buf_check(&strict, err);
		if (code != TENON_OK)
			goto out;
	}
	copy = tn_arena_copy(arena, tn_buf_str(&strict));
	if (!copy) {
		code = tn_fail(err, arena->starved ? TENON_NO_MEMORY : TENON_LIMIT,
			       "the text is too large");
		goto out;
	}
	code = tn_json_parse(arena, copy, strict.size, ret, err);
	if (code == TENON_INVALID)
		code = check(tn_str(text.data, strict.size), strict.data, err);
	if (code == TENON_OK && ret_base)
		*ret_base = copy;
out:
	tn_buf_finish(&strict);
	return code;
}

/* ---- the layout of a text ---- */

static enum tenon_code check_layout(const struct tn_jsonc_layout *layout, struct tenon_error *err)
{
	enum tenon_code code;
	char *strict = tn_mem_copy_text(layout->plain.data, layout->plain.size);

	if (!strict)
		return tn_fail(err, TENON_NO_MEMORY, "no memory for the text");
	blank_commas(strict, layout->plain.size);
	code = check(layout->text, strict, err);
	tn_mem_free(strict);
	return code;
}

static size_t skip_blanks(const struct tn_jsonc_layout *layout, size_t at)
{
	while (at < layout->plain.size && is_blank(layout->plain.data[at]))
		at++;
	return at;
}

static size_t root_at(const struct tn_jsonc_layout *layout)
{
	bool mark = tn_str_starts(layout->text, TN_STR("\xEF\xBB\xBF"));

	return skip_blanks(layout, mark ? 3 : 0);
}

enum tenon_code tn_jsonc_layout_init(struct tn_jsonc_layout *layout, struct tn_str text,
				     struct tenon_error *err)
{
	enum tenon_code code;

	layout->text = text;
	layout->empty = false;
	tn_buf_init(&layout->plain, text.size + 1);
	code = blank_comments(text, &layout->plain, err);
	if (code != TENON_OK)
		return code;
	layout->empty = is_all_blank(tn_buf_str(&layout->plain));
	if (layout->empty)
		return TENON_OK;
	code = check_layout(layout, err);
	if (code == TENON_OK && layout->plain.data[root_at(layout)] != '{')
		return tn_fail(err, TENON_INVALID, "line %zu: an object should stand here",
			       tn_jsonc_line(text, root_at(layout)));
	return code;
}

void tn_jsonc_layout_finish(struct tn_jsonc_layout *layout)
{
	tn_buf_finish(&layout->plain);
}

/* After the value at `at`. The text is JSON, so counting brackets is enough. */
static size_t after_value(const struct tn_jsonc_layout *layout, size_t at)
{
	struct tn_str plain = tn_buf_str(&layout->plain);
	size_t depth = 0;

	while (at < plain.size) {
		char c = plain.data[at];

		if (c == '"') {
			at = after_string(plain, at);
		} else if (c == '{' || c == '[') {
			depth++;
			at++;
		} else if (c == '}' || c == ']') {
			depth--;
			at++;
		} else if (depth > 0) {
			at++;
			continue;
		} else {
			while (at < plain.size && !is_blank(plain.data[at]) &&
			       !strchr(",}]", plain.data[at]))
				at++;
		}
		if (depth == 0)
			break;
	}
	return at;
}

/* The member whose key begins at `at`; returns where the next one would. */
static size_t read_member(const struct tn_jsonc_layout *layout, size_t at,
			  struct tn_jsonc_place *ret)
{
	ret->key_at = at;
	ret->key_end = after_string(tn_buf_str(&layout->plain), at);
	at = skip_blanks(layout, ret->key_end);
	ret->value_at = skip_blanks(layout, at + 1); /* past the colon */
	ret->value_end = after_value(layout, ret->value_at);
	at = skip_blanks(layout, ret->value_end);
	ret->comma_at = layout->plain.data[at] == ',' ? at : TN_JSONC_NOWHERE;
	return skip_blanks(layout, ret->comma_at == TN_JSONC_NOWHERE ? at : at + 1);
}

static bool key_is(struct tn_str key, struct tn_str wanted, struct tn_arena *arena)
{
	struct tn_json *value = NULL;
	struct tn_str text;

	if (tn_str_find_byte(key, '\\') == TN_STR_NONE)
		return tn_str_equal(tn_str(key.data + 1, key.size - 2), wanted);
	tn_arena_reset(arena);
	return tn_json_parse_copy(arena, key, &value, NULL) == TENON_OK &&
	       tn_json_to_str(value, &text) && tn_str_equal(text, wanted);
}

/* Walks the object that opens at `open`; notes the member called `wanted`, if there is one, and how
 * often. */
static size_t walk(const struct tn_jsonc_layout *layout, size_t open, const struct tn_str *wanted,
		   struct tn_jsonc_spot *spot)
{
	struct tn_jsonc_object *object = &spot->object;
	struct tn_jsonc_place place, before = {.key_at = TN_JSONC_NOWHERE};
	struct tn_arena arena;
	size_t at = skip_blanks(layout, open + 1), matches = 0;

	tn_arena_init(&arena, TN_MESSAGE_ARENA_MAX);
	*object = (struct tn_jsonc_object){.open = open};
	while (layout->plain.data[at] == '"') {
		at = read_member(layout, at, &place);
		if (object->count++ == 0)
			object->first = place;
		object->last = place;
		if (wanted &&
		    key_is(tn_str(layout->plain.data + place.key_at, place.key_end - place.key_at),
			   *wanted, &arena)) {
			matches++;
			spot->member = place;
			spot->before = before;
		}
		before = place;
	}
	object->close = at;
	tn_arena_finish(&arena);
	return matches;
}

void tn_jsonc_layout_root(const struct tn_jsonc_layout *layout, struct tn_jsonc_object *ret)
{
	struct tn_jsonc_spot spot;

	(void)walk(layout, root_at(layout), NULL, &spot);
	*ret = spot.object;
}

enum tenon_code tn_jsonc_layout_go(const struct tn_jsonc_layout *layout, struct tn_jsonc_path path,
				   struct tn_jsonc_spot *ret, struct tenon_error *err)
{
	size_t open = root_at(layout);

	for (ret->found = 0; ret->found < path.count; ret->found++) {
		struct tn_str key = path.keys[ret->found];
		size_t matches = walk(layout, open, &key, ret);

		if (matches == 0)
			return TENON_OK;
		if (matches > 1)
			return tn_fail(err, TENON_INVALID,
				       "line %zu: the key \"%.*s\" stands here a second time; "
				       "remove one of them",
				       tn_jsonc_line(layout->text, ret->member.key_at),
				       key.size > 60 ? 60 : (int)key.size, key.data);
		open = ret->member.value_at;
		if (ret->found + 1 < path.count && layout->plain.data[open] != '{')
			return tn_fail(err, TENON_INVALID, "line %zu: \"%.*s\" should be an object",
				       tn_jsonc_line(layout->text, ret->member.key_at),
				       key.size > 60 ? 60 : (int)key.size, key.data);
	}
	return TENON_OK;
}

enum tenon_code tn_jsonc_find(struct tn_str text, struct tn_jsonc_path path,
			      struct tn_jsonc_member *ret, struct tenon_error *err)
{
	struct tn_jsonc_layout layout;
	struct tn_jsonc_spot spot = {.found = 0};
	enum tenon_code code = tn_jsonc_layout_init(&layout, text, err);

	if (code == TENON_OK && !layout.empty)
		code = tn_jsonc_layout_go(&layout, path, &spot, err);
	if (code == TENON_OK && spot.found < path.count)
		code = tn_fail(err, TENON_NOT_FOUND, "there is no such member");
	if (code == TENON_OK)
		*ret = (struct tn_jsonc_member){
			.key_at = spot.member.key_at,
			.key_size = spot.member.key_end - spot.member.key_at,
			.value_at = spot.member.value_at,
			.value_size = spot.member.value_end - spot.member.value_at,
		};
	tn_jsonc_layout_finish(&layout);
	return code;
}
