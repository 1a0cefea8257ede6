#include "host/settings/toml_scan.h"

#include "base/limits.h"
#include "jsonrpc/jsonc.h"
#include "jsonrpc/limits.h"

static char peek(const struct tn_toml_scan *scan, size_t ahead)
{
	size_t at = scan->at + ahead;

	return at < scan->text.size ? scan->text.data[at] : '\0';
}

bool tn_toml_refuse(struct tn_toml_scan *scan, const char *why)
{
	scan->code = tn_fail(scan->err, TENON_INVALID, "line %zu: %s",
			     tn_jsonc_line(scan->text, scan->at), why);
	return false;
}

static void skip_blanks(struct tn_toml_scan *scan)
{
	while (peek(scan, 0) == ' ' || peek(scan, 0) == '\t')
		scan->at++;
}

static void skip_line(struct tn_toml_scan *scan)
{
	while (scan->at < scan->text.size && scan->text.data[scan->at] != '\n')
		scan->at++;
	if (scan->at < scan->text.size)
		scan->at++;
}

static bool is_line_end(const struct tn_toml_scan *scan)
{
	return scan->at >= scan->text.size || peek(scan, 0) == '\n' ||
	       (peek(scan, 0) == '\r' && peek(scan, 1) == '\n');
}

/* A comment or nothing may follow a statement. */
static bool end_line(struct tn_toml_scan *scan)
{
	skip_blanks(scan);
	if (!is_line_end(scan) && peek(scan, 0) != '#')
		return tn_toml_refuse(scan, "something follows that is not understood");
	skip_line(scan);
	return true;
}

/* Past a text in three quotes; up to two more may stand before the closing three. */
static bool skip_long_text(struct tn_toml_scan *scan)
{
	char quote = peek(scan, 0);
	size_t start = scan->at;

	for (scan->at += 3; scan->at < scan->text.size; scan->at++) {
		if (peek(scan, 0) == '\\' && quote == '"') {
			scan->at++;
		} else if (peek(scan, 0) == quote && peek(scan, 1) == quote &&
			   peek(scan, 2) == quote) {
			scan->at += 3;
			for (int i = 0; i < 2 && peek(scan, 0) == quote; i++)
				scan->at++;
			return true;
		}
	}
	scan->at = start;
	return tn_toml_refuse(scan, "this text has no end");
}

static bool skip_text(struct tn_toml_scan *scan)
{
	char quote = peek(scan, 0);
	size_t start = scan->at;

	if (peek(scan, 1) == quote && peek(scan, 2) == quote)
		return skip_long_text(scan);
	for (scan->at++; scan->at < scan->text.size && peek(scan, 0) != '\n'; scan->at++) {
		if (peek(scan, 0) == '\\' && quote == '"') {
			scan->at++;
		} else if (peek(scan, 0) == quote) {
			scan->at++;
			return true;
		}
	}
	scan->at = start;
	return tn_toml_refuse(scan, "this text has no end");
}

static bool quoted_key(struct tn_toml_scan *scan, struct tn_str *ret)
{
	size_t start = scan->at;
	struct tn_json *value = NULL;

	if (peek(scan, 1) == peek(scan, 0) && peek(scan, 2) == peek(scan, 0))
		return tn_toml_refuse(scan, "a key may not have three quotes");
	if (!skip_text(scan))
		return false;
	*ret = tn_str(scan->text.data + start + 1, scan->at - start - 2);
	if (scan->text.data[start] == '\'' || tn_str_find_byte(*ret, '\\') == TN_STR_NONE)
		return true;
	/* The escapes that both languages know are enough. */
	if (tn_json_parse_copy(scan->arena, tn_str(scan->text.data + start, scan->at - start),
			       &value, NULL) == TENON_OK &&
	    tn_json_to_str(value, ret))
		return true;
	return tn_toml_refuse(scan, "this key is not understood");
}

bool tn_toml_is_bare(char c)
{
	return tn_is_alpha(c) || tn_is_digit(c) || c == '_' || c == '-';
}

static bool read_keys(struct tn_toml_scan *scan, struct tn_toml_statement *ret)
{
	for (ret->count = 0;; scan->at++) {
		size_t start;

		skip_blanks(scan);
		start = scan->at;
		if (ret->count == TN_TOML_KEYS_MAX)
			return tn_toml_refuse(scan, "too many keys in a row");
		if (peek(scan, 0) == '"' || peek(scan, 0) == '\'') {
			if (!quoted_key(scan, &ret->keys[ret->count]))
				return false;
		} else {
			while (tn_toml_is_bare(peek(scan, 0)))
				scan->at++;
			if (scan->at == start)
				return tn_toml_refuse(scan, "a key should stand here");
			ret->keys[ret->count] = tn_str(scan->text.data + start, scan->at - start);
		}
		ret->count++;
		skip_blanks(scan);
		if (peek(scan, 0) != '.')
			return true;
	}
}

struct brackets {
	char closing[TN_JSON_DEPTH_MAX];
	size_t depth;
};

static bool count_bracket(struct tn_toml_scan *scan, struct brackets *open, char c)
{
	if (c == '[' || c == '{') {
		if (open->depth == sizeof(open->closing))
			return tn_toml_refuse(scan, "brackets are nested too deep");
		open->closing[open->depth++] = c == '[' ? ']' : '}';
	} else if (c == ']' || c == '}') {
		if (!open->depth || open->closing[--open->depth] != c)
			return tn_toml_refuse(scan, "this bracket closes nothing");
	}
	return true;
}

/* Past a value: to the end of its line, or further while brackets are open. */
static bool skip_value(struct tn_toml_scan *scan, struct tn_toml_statement *ret)
{
	struct brackets open = {.depth = 0};

	ret->value_at = ret->value_end = scan->at;
	while (scan->at < scan->text.size && (open.depth || !is_line_end(scan))) {
		char c = peek(scan, 0);

		if (c == '#' && !open.depth)
			break;
		if (c == '#') {
			skip_line(scan);
		} else if (c == '"' || c == '\'') {
			if (!skip_text(scan))
				return false;
			ret->value_end = scan->at;
		} else {
			if (!count_bracket(scan, &open, c))
				return false;
			scan->at++;
			if (!strchr(" \t\r\n", c))
				ret->value_end = scan->at;
		}
	}
	if (open.depth)
		return tn_toml_refuse(scan, "a bracket is not closed");
	return ret->value_end > ret->value_at || tn_toml_refuse(scan, "a value is missing");
}

static bool read_header(struct tn_toml_scan *scan, struct tn_toml_statement *ret)
{
	bool many = peek(scan, 1) == '[';

	ret->kind = many ? TN_TOML_TABLES_HEADER : TN_TOML_TABLE_HEADER;
	scan->at += many ? 2 : 1;
	if (!read_keys(scan, ret))
		return false;
	if (peek(scan, 0) != ']' || (many && peek(scan, 1) != ']'))
		return tn_toml_refuse(scan, "the header is not closed");
	scan->at += many ? 2 : 1;
	memcpy(scan->table, ret->keys, ret->count * sizeof(*ret->keys));
	scan->table_count = ret->count;
	return true;
}

/* The next statement; false at the end, or when scan->code says why not. */
bool tn_toml_next(struct tn_toml_scan *scan, struct tn_toml_statement *ret)
{
	for (;;) {
		ret->at = scan->at;
		skip_blanks(scan);
		if (scan->at >= scan->text.size)
			return false;
		if (!is_line_end(scan) && peek(scan, 0) != '#')
			break;
		skip_line(scan);
	}
	if (peek(scan, 0) == '[') {
		if (!read_header(scan, ret))
			return false;
	} else {
		ret->kind = TN_TOML_PAIR;
		if (!read_keys(scan, ret))
			return false;
		if (peek(scan, 0) != '=')
			return tn_toml_refuse(scan, "an equals sign should stand here");
		scan->at++;
		skip_blanks(scan);
		if (!skip_value(scan, ret))
			return false;
	}
	if (!end_line(scan))
		return false;
	ret->next = scan->at;
	return true;
}

struct tn_toml_scan tn_toml_scan_begin(struct tn_arena *arena, struct tn_str text,
				       struct tenon_error *err)
{
	struct tn_toml_scan scan = {.arena = arena, .text = text, .err = err, .code = TENON_OK};

	if (tn_str_starts(text, TN_STR("\xEF\xBB\xBF")))
		scan.at = 3;
	return scan;
}
