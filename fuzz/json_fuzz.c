/* json_fuzz.c - any bytes: both readers agree, and what is accepted survives writing and reading
 * again. */
#include <stdint.h>

#include "base/buf.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "jsonrpc/json.h"
#include "jsonrpc/json_write.h"
#include "jsonrpc/limits.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool tokens_accept(const uint8_t *data, size_t size)
{
	struct tn_json_reader reader;
	char *text = tn_mem_copy_text((const char *)data, size);
	enum tn_json_token token;

	tn_assert(text);
	tn_json_reader_init(&reader, text, size, TN_JSON_DEPTH_MAX);
	do {
		token = tn_json_next(&reader);
		if (token == TN_JSON_TOKEN_STRING || token == TN_JSON_TOKEN_KEY)
			tn_assert(tn_utf8_valid(reader.text.data, reader.text.size));
	} while (token != TN_JSON_TOKEN_END && token != TN_JSON_TOKEN_ERROR);
	tn_assert((token == TN_JSON_TOKEN_ERROR) == (reader.fault != NULL));
	tn_mem_free(text);
	return token == TN_JSON_TOKEN_END;
}

static void visit_numbers(const struct tn_json *value)
{
	int64_t integer;
	double real;

	if (tn_json_to_int(value, &integer))
		tn_assert(tn_json_is_integer(value));
	(void)tn_json_to_double(value, &real); /* false for what no double holds */
	if (value->type != TN_JSON_ARRAY && value->type != TN_JSON_OBJECT)
		return;
	for (const struct tn_json *child = value->first; child; child = child->next)
		visit_numbers(child);
}

static void round_trip(struct tn_arena *arena, const struct tn_json *value)
{
	struct tenon_error err;
	struct tn_json *again;
	struct tn_buf first, second;

	tn_buf_init(&first, TN_MESSAGE_BYTES_MAX);
	tn_buf_init(&second, TN_MESSAGE_BYTES_MAX);
	tn_json_put_value(&first, value);
	tn_assert(!first.failed && tn_utf8_valid(first.data, first.size));
	tn_assert(tn_json_parse_copy(arena, tn_buf_str(&first), &again, &err) == TENON_OK);
	tn_assert(tn_json_equal(value, again) && tn_json_equal(again, value));
	tn_json_put_value(&second, again);
	tn_assert(tn_str_equal(tn_buf_str(&first), tn_buf_str(&second)));
	tn_buf_finish(&first);
	tn_buf_finish(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tn_arena arena;
	struct tenon_error err;
	struct tn_json *value = NULL;
	enum tenon_code code;

	tn_arena_init(&arena, 64 * TN_MIB);
	code = tn_json_parse_copy(&arena, tn_str((const char *)data, size), &value, &err);
	tn_assert(code == TENON_OK || code == TENON_INVALID || code == TENON_LIMIT);
	if (code != TENON_LIMIT)
		tn_assert(tokens_accept(data, size) == (code == TENON_OK));
	if (code == TENON_OK) {
		visit_numbers(value);
		round_trip(&arena, value);
	}
	tn_arena_finish(&arena);
	return 0;
}
