#include "apps/workbench/drafts/json_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "jsonrpc/json_write.h"

bool tn_wb_json_is_finite(const struct tn_json *value)
{
	double number = 0;

	if (value->type == TN_JSON_NUMBER)
		return tn_json_to_double(value, &number) && isfinite(number);
	if (value->type != TN_JSON_ARRAY && value->type != TN_JSON_OBJECT)
		return true;
	for (const struct tn_json *at = value->first; at; at = at->next) {
		if (!tn_wb_json_is_finite(at))
			return false;
	}
	return true;
}

/* Recursion is bounded by TN_JSON_DEPTH_MAX, which every tree was read under. */
unsigned tn_wb_json_depth(const struct tn_json *value)
{
	unsigned deepest = 0;

	if (value->type != TN_JSON_ARRAY && value->type != TN_JSON_OBJECT)
		return 0;
	for (const struct tn_json *at = value->first; at; at = at->next) {
		unsigned depth = tn_wb_json_depth(at);

		deepest = depth > deepest ? depth : deepest;
	}
	return deepest + 1;
}

/* ---- numbers ---- */

enum { NUMBER_SIZE = 48 };

/* d.ddde+x with as few digits as read back the same. */
static void shortest(double value, char out[NUMBER_SIZE])
{
	for (int precision = 0; precision < 17; precision++) {
		(void)snprintf(out, NUMBER_SIZE, "%.*e", precision, value);
		if (strtod(out, NULL) == value)
			return;
	}
}

static void zeros(struct tn_buf *out, int count)
{
	for (; count > 0; count--)
		tn_buf_append_byte(out, '0');
}

/* ECMAScript, Number::toString: `digits` are k figures, the point stands behind n of them. */
static void put_figures(struct tn_buf *out, const char *digits, int k, int n)
{
	if (n >= k && n <= 21) {
		tn_buf_append(out, digits, (size_t)k);
		zeros(out, n - k);
	} else if (n > 0 && n <= 21) {
		tn_buf_format(out, "%.*s.%s", n, digits, digits + n);
	} else if (n > -6 && n <= 0) {
		tn_buf_append_text(out, "0.");
		zeros(out, -n);
		tn_buf_append(out, digits, (size_t)k);
	} else {
		tn_buf_format(out, "%c%s%se%+d", digits[0], k > 1 ? "." : "", digits + 1, n - 1);
	}
}

static void put_number(struct tn_buf *out, const struct tn_json *number)
{
	char text[NUMBER_SIZE], digits[NUMBER_SIZE];
	int64_t integer = 0;
	double value = 0;
	int k = 0;

	if (tn_json_to_int(number, &integer)) {
		tn_buf_format(out, "%lld", (long long)integer);
		return;
	}
	if (!tn_json_to_double(number, &value) || !isfinite(value) || value == 0) {
		tn_buf_append_byte(out, '0');
		return;
	}
	shortest(fabs(value), text);
	for (const char *at = text; *at != 'e'; at++) {
		if (tn_is_digit(*at))
			digits[k++] = *at;
	}
	digits[k] = '\0';
	if (value < 0)
		tn_buf_append_byte(out, '-');
	put_figures(out, digits, k, (int)strtol(strchr(text, 'e') + 1, NULL, 10) + 1);
}

/* ---- compactly ---- */

static void compact_children(struct tn_buf *out, const struct tn_json *container)
{
	for (const struct tn_json *at = container->first; at; at = at->next) {
		if (container->type == TN_JSON_OBJECT)
			tn_json_put_key_str(out, at->key);
		tn_wb_json_put_compact(out, at);
	}
}

void tn_wb_json_put_compact(struct tn_buf *out, const struct tn_json *value)
{
	if (value->type == TN_JSON_NUMBER) {
		tn_json_put_raw(out, TN_STR("")); /* the comma, if one is due */
		put_number(out, value);
	} else if (value->type == TN_JSON_ARRAY) {
		tn_json_begin_array(out);
		compact_children(out, value);
		tn_json_end_array(out);
	} else if (value->type == TN_JSON_OBJECT) {
		tn_json_begin_object(out);
		compact_children(out, value);
		tn_json_end_object(out);
	} else {
		tn_json_put_value(out, value);
	}
}

/* ---- on lines ---- */

static void put_escape(struct tn_buf *out, unsigned char c)
{
	static const char names[] = "\"\"\\\\\bb\ff\nn\rr\tt";

	for (size_t i = 0; i + 1 < sizeof(names); i += 2) {
		if ((unsigned char)names[i] == c) {
			tn_buf_append_byte(out, '\\');
			tn_buf_append_byte(out, names[i + 1]);
			return;
		}
	}
	tn_buf_format(out, "\\u%04x", c);
}

void tn_wb_json_put_pretty_string(struct tn_buf *out, struct tn_str text)
{
	size_t from = 0;

	tn_buf_append_byte(out, '"');
	for (size_t i = 0; i < text.size; i++) {
		unsigned char c = (unsigned char)text.data[i];

		if (c >= 0x20 && c != '"' && c != '\\')
			continue;
		tn_buf_append(out, text.data + from, i - from);
		put_escape(out, c);
		from = i + 1;
	}
	tn_buf_append_str(out, tn_str_from_offset(text, from));
	tn_buf_append_byte(out, '"');
}

static void new_line(struct tn_buf *out, unsigned level)
{
	tn_buf_append_byte(out, '\n');
	for (; level > 0; level--)
		tn_buf_append_text(out, "  ");
}

static void pretty_container(struct tn_buf *out, const struct tn_json *value, unsigned level)
{
	bool object = value->type == TN_JSON_OBJECT;

	tn_buf_append_byte(out, object ? '{' : '[');
	for (const struct tn_json *at = value->first; at; at = at->next) {
		if (at != value->first)
			tn_buf_append_byte(out, ',');
		new_line(out, level + 1);
		if (object) {
			tn_wb_json_put_pretty_string(out, at->key);
			tn_buf_append_text(out, ": ");
		}
		tn_wb_json_put_pretty(out, at, level + 1);
	}
	if (value->first)
		new_line(out, level);
	tn_buf_append_byte(out, object ? '}' : ']');
}

void tn_wb_json_put_pretty(struct tn_buf *out, const struct tn_json *value, unsigned level)
{
	static const char *const words[] = {
		[TN_JSON_NULL] = "null", [TN_JSON_FALSE] = "false", [TN_JSON_TRUE] = "true"};

	switch (value->type) {
	case TN_JSON_NUMBER:
		put_number(out, value);
		break;
	case TN_JSON_STRING:
		tn_wb_json_put_pretty_string(out, value->text);
		break;
	case TN_JSON_ARRAY:
	case TN_JSON_OBJECT:
		pretty_container(out, value, level);
		break;
	default:
		tn_buf_append_text(out, words[value->type]);
	}
}
