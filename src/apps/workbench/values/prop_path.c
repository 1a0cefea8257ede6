#include "apps/workbench/values/prop_path.h"

#include "jsonrpc/json_pointer.h"

/* Names through which a page's own objects could be changed for all of it. */
static bool is_unsafe(struct tn_str token)
{
	return tn_str_is(token, "__proto__") || tn_str_is(token, "prototype") ||
	       tn_str_is(token, "constructor");
}

/* Digits with a zero too many before them, or the place behind an array's end. */
static bool is_bad_position(struct tn_str token)
{
	if (tn_str_is(token, "-"))
		return true;
	if (token.size < 2 || token.data[0] != '0')
		return false;
	for (size_t i = 0; i < token.size; i++) {
		if (!tn_is_digit(token.data[i]))
			return false;
	}
	return true;
}

enum tn_wb_path_fault tn_wb_prop_path_read(struct tn_wb_prop_path *ret, struct tn_str text)
{
	enum tn_wb_path_fault fault = TN_WB_PATH_GOOD;
	char *at = ret->bytes;

	ret->count = 0;
	if (text.size == 0 || text.size > sizeof(ret->bytes))
		return TN_WB_PATH_INVALID;
	while (text.size) {
		struct tn_str token;

		if (ret->count == TN_WB_PATH_TOKENS_MAX ||
		    !tn_json_pointer_take(&text, at, &token) || token.size == 0 ||
		    (ret->count && is_bad_position(token)))
			return TN_WB_PATH_INVALID;
		at += token.size;
		ret->tokens[ret->count++] = token;
		if (is_unsafe(token))
			fault = TN_WB_PATH_UNSAFE;
	}
	return fault;
}
