/* Jansson as the second opinion: documents made at random from a fixed seed, and the same with some
 * bytes damaged, are accepted or refused by both, and mean the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>
#include <jansson.h>

#include "base/buf.h"
#include "base/limits.h"
#include "base/size.h"
#include "jsonrpc/json.h"
#include "jsonrpc/json_write.h"

static uint64_t seed;

static uint32_t pick(uint32_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (uint32_t)(seed >> 32) % below;
}

/* ---- documents ---- */

static void put_space(struct tn_buf *out)
{
	static const char *const spaces[] = {"", "", "", " ", "\n", "\t ", "\r\n"};

	tn_buf_append_text(out, spaces[pick(TN_COUNT(spaces))]);
}

static void put_string(struct tn_buf *out)
{
	static const char *const pieces[] = {"a",
					     "key",
					     "\\n",
					     "\\\"",
					     "\\\\",
					     "\\/",
					     "\\u00e9",
					     "\\ud83d\\ude00",
					     "\\u0000",
					     "\\t",
					     "\xC3\xA9",
					     "\xE2\x82\xAC",
					     "\x7F",
					     "long enough for a vector",
					     "\xF0\x9F\x98\x80",
					     "0",
					     ""};

	tn_buf_append_byte(out, '"');
	for (uint32_t i = pick(6); i > 0; i--)
		tn_buf_append_text(out, pieces[pick(TN_COUNT(pieces))]);
	tn_buf_append_byte(out, '"');
}

static void put_number(struct tn_buf *out)
{
	static const char *const numbers[] = {
		"0",       "-0",  "1",    "-1",       "12345678901",         "1.5",
		"0.1",     "1e5", "1E-5", "-2.5e+10", "9223372036854775807", "3.0",
		"0.000001"};

	if (pick(2))
		tn_buf_append_text(out, numbers[pick(TN_COUNT(numbers))]);
	else
		tn_buf_format(out, "%d", (int)pick(2000000) - 1000000);
}

static void put_any(struct tn_buf *out, uint32_t depth);

static void put_children(struct tn_buf *out, bool object, uint32_t depth)
{
	uint32_t count = pick(object && depth == 0 ? 40 : 5);

	tn_buf_append_byte(out, object ? '{' : '[');
	for (uint32_t i = 0; i < count; i++) {
		if (i)
			tn_buf_append_byte(out, ',');
		put_space(out);
		if (object) {
			put_string(out);
			put_space(out);
			tn_buf_append_byte(out, ':');
		}
		put_any(out, depth + 1);
	}
	put_space(out);
	tn_buf_append_byte(out, object ? '}' : ']');
}

static void put_any(struct tn_buf *out, uint32_t depth)
{
	static const char *const words[] = {"true", "false", "null"};

	put_space(out);
	switch (pick(depth < 6 ? 7 : 3)) {
	case 0:
		put_string(out);
		break;
	case 1:
		put_number(out);
		break;
	case 2:
		tn_buf_append_text(out, words[pick(3)]);
		break;
	case 3:
	case 4:
		put_children(out, false, depth);
		break;
	default:
		put_children(out, true, depth);
	}
	put_space(out);
}

static void damage(struct tn_buf *text)
{
	static const char bytes[] = "{}[]\",:\\0129eE+-.tfnu \n\x80\xC3\xFF\x01";

	for (uint32_t i = 1 + pick(3); i > 0 && text->size; i--) {
		size_t at = pick((uint32_t)text->size);

		switch (pick(3)) {
		case 0:
			text->data[at] = bytes[pick(sizeof(bytes) - 1)];
			break;
		case 1:
			memmove(text->data + at, text->data + at + 1, text->size - at - 1);
			text->size--;
			break;
		default:
			text->size = at;
		}
	}
}

/* ---- comparing ---- */

static bool same(const struct tn_json *ours, const json_t *theirs);

static bool same_object(const struct tn_json *ours, const json_t *theirs)
{
	if (json_object_size(theirs) != ours->count)
		return false;
	for (const struct tn_json *m = ours->first; m; m = m->next) {
		if (!same(m, json_object_getn(theirs, m->key.data, m->key.size)))
			return false;
	}
	return true;
}

static bool same_array(const struct tn_json *ours, const json_t *theirs)
{
	size_t at = 0;

	if (json_array_size(theirs) != ours->count)
		return false;
	for (const struct tn_json *v = ours->first; v; v = v->next) {
		if (!same(v, json_array_get(theirs, at++)))
			return false;
	}
	return true;
}

static bool same_number(const struct tn_json *ours, const json_t *theirs)
{
	int64_t integer;
	double real;

	if (json_is_integer(theirs))
		return tn_json_to_int(ours, &integer) && integer == json_integer_value(theirs);
	return json_is_real(theirs) && tn_json_to_double(ours, &real) &&
	       real == json_real_value(theirs);
}

static bool same(const struct tn_json *ours, const json_t *theirs)
{
	switch (ours->type) {
	case TN_JSON_NULL:
		return json_is_null(theirs);
	case TN_JSON_TRUE:
		return json_is_true(theirs);
	case TN_JSON_FALSE:
		return json_is_false(theirs);
	case TN_JSON_NUMBER:
		return same_number(ours, theirs);
	case TN_JSON_STRING:
		return json_is_string(theirs) &&
		       tn_str_equal(ours->text,
				    tn_str(json_string_value(theirs), json_string_length(theirs)));
	case TN_JSON_ARRAY:
		return json_is_array(theirs) && same_array(ours, theirs);
	default:
		return json_is_object(theirs) && same_object(ours, theirs);
	}
}

/* Where Jansson is stricter on purpose: numbers that fit none of its types, lone surrogates, and
 * zero bytes in keys. */
static bool is_stricter(const json_error_t *error)
{
	return json_error_code(error) == json_error_numeric_overflow ||
	       json_error_code(error) == json_error_null_byte_in_key ||
	       strncmp(error->text, "invalid Unicode", 15) == 0;
}

static void write_and_compare(const struct tn_json *ours, const json_t *theirs)
{
	struct tn_buf out;
	json_error_t error;
	json_t *again;

	tn_buf_init(&out, TN_MIB);
	tn_json_put_value(&out, ours);
	assert_false(out.failed);
	again = json_loadb(out.data, out.size, JSON_DECODE_ANY | JSON_ALLOW_NUL, &error);
	assert_non_null(again);
	assert_true(json_equal(again, theirs));
	json_decref(again);
	tn_buf_finish(&out);
}

static bool compare(const struct tn_buf *text)
{
	struct tn_json *ours = NULL;
	struct tn_arena arena;
	struct tenon_error err;
	json_error_t error;
	json_t *theirs = json_loadb(text->size ? text->data : "", text->size,
				    JSON_DECODE_ANY | JSON_ALLOW_NUL, &error);
	enum tenon_code code;

	tn_arena_init(&arena, TN_MESSAGE_ARENA_MAX);
	code = tn_json_parse_copy(&arena, tn_buf_str(text), &ours, &err);
	if ((code == TENON_OK) != (theirs != NULL) && !(code == TENON_OK && is_stricter(&error)))
		fail_msg("%.*s: we say \"%s\", they say \"%s\"", (int)text->size, text->data,
			 code == TENON_OK ? "good" : err.message, theirs ? "good" : error.text);
	if (code == TENON_OK && theirs) {
		if (!same(ours, theirs))
			fail_msg("%.*s: read differently", (int)text->size, text->data);
		write_and_compare(ours, theirs);
	}
	tn_arena_finish(&arena);
	json_decref(theirs);
	return code == TENON_OK;
}

static void test_random_documents(void **state)
{
	struct tn_buf text;

	(void)state;
	seed = 20261121;
	tn_buf_init(&text, TN_MIB);
	for (int i = 0; i < 4000; i++) {
		tn_buf_clear(&text);
		put_any(&text, 0);
		assert_true(compare(&text));
	}
	tn_buf_finish(&text);
}

static void test_damaged_documents(void **state)
{
	unsigned good = 0, bad = 0;
	struct tn_buf text;

	(void)state;
	seed = 8259;
	tn_buf_init(&text, TN_MIB);
	for (int i = 0; i < 20000; i++) {
		tn_buf_clear(&text);
		put_any(&text, 1);
		damage(&text);
		if (compare(&text))
			good++;
		else
			bad++;
	}
	assert_true(good > 500 && bad > 5000); /* both sides were tried */
	tn_buf_finish(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random_documents),
		cmocka_unit_test(test_damaged_documents),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
