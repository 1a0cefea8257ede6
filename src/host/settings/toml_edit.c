#include "host/settings/toml_edit.h"

#include "base/limits.h"
#include "jsonrpc/jsonc.h"
#include "jsonrpc/limits.h"

enum { SPANS_MAX = 64, EDITS_MAX = TN_TOML_PAIRS_MAX };

enum kind { KIND_TABLE, KIND_TABLES, KIND_PAIR };

struct statement {
	enum kind kind;
	size_t at, next; /* from the start of its line to that of the next */
	size_t value_at, value_end;
	struct tn_str keys[TN_TOML_KEYS_MAX];
	size_t count;
};

struct scan {
	struct tn_arena *arena;
	struct tn_str text;
	size_t at;
	struct tenon_error *err;
	enum tenon_code code;
	/* The header that pairs stand below. */
	struct tn_str table[TN_TOML_KEYS_MAX];
	size_t table_count;
};

/* ---- reading statements ---- */

static char peek(const struct scan *scan, size_t ahead)
{
	size_t at = scan->at + ahead;

	return at < scan->text.size ? scan->text.data[at] : '\0';
}

static bool refuse(struct scan *scan, const char *why)
{
	scan->code = tn_fail(scan->err, TENON_INVALID, "line %zu: %s",
			     tn_jsonc_line(scan->text, scan->at), why);
	return false;
}

static void skip_blanks(struct scan *scan)
{
	while (peek(scan, 0) == ' ' || peek(scan, 0) == '\t')
		scan->at++;
}

static void skip_line(struct scan *scan)
{
	while (scan->at < scan->text.size && scan->text.data[scan->at] != '\n')
		scan->at++;
	if (scan->at < scan->text.size)
		scan->at++;
}

static bool is_line_end(const struct scan *scan)
{
	return scan->at >= scan->text.size || peek(scan, 0) == '\n' ||
	       (peek(scan, 0) == '\r' && peek(scan, 1) == '\n');
}

/* A comment or nothing may follow a statement. */
static bool end_line(struct scan *scan)
{
	skip_blanks(scan);
	if (!is_line_end(scan) && peek(scan, 0) != '#')
		return refuse(scan, "something follows that is not understood");
	skip_line(scan);
	return true;
}

/* Past a text in three quotes; up to two more may stand before the closing three. */
static bool skip_long_text(struct scan *scan)
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
	return refuse(scan, "this text has no end");
}

static bool skip_text(struct scan *scan)
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
	return refuse(scan, "this text has no end");
}

static bool quoted_key(struct scan *scan, struct tn_str *ret)
{
	size_t start = scan->at;
	struct tn_json *value = NULL;

	if (peek(scan, 1) == peek(scan, 0) && peek(scan, 2) == peek(scan, 0))
		return refuse(scan, "a key may not have three quotes");
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
	return refuse(scan, "this key is not understood");
}

static bool is_bare(char c)
{
	return tn_is_alpha(c) || tn_is_digit(c) || c == '_' || c == '-';
}

static bool read_keys(struct scan *scan, struct statement *ret)
{
	for (ret->count = 0;; scan->at++) {
		size_t start;

		skip_blanks(scan);
		start = scan->at;
		if (ret->count == TN_TOML_KEYS_MAX)
			return refuse(scan, "too many keys in a row");
		if (peek(scan, 0) == '"' || peek(scan, 0) == '\'') {
			if (!quoted_key(scan, &ret->keys[ret->count]))
				return false;
		} else {
			while (is_bare(peek(scan, 0)))
				scan->at++;
			if (scan->at == start)
				return refuse(scan, "a key should stand here");
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

static bool count_bracket(struct scan *scan, struct brackets *open, char c)
{
	if (c == '[' || c == '{') {
		if (open->depth == sizeof(open->closing))
			return refuse(scan, "brackets are nested too deep");
		open->closing[open->depth++] = c == '[' ? ']' : '}';
	} else if (c == ']' || c == '}') {
		if (!open->depth || open->closing[--open->depth] != c)
			return refuse(scan, "this bracket closes nothing");
	}
	return true;
}

/* Past a value: to the end of its line, or further while brackets are open. */
static bool skip_value(struct scan *scan, struct statement *ret)
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
		return refuse(scan, "a bracket is not closed");
	return ret->value_end > ret->value_at || refuse(scan, "a value is missing");
}

static bool read_header(struct scan *scan, struct statement *ret)
{
	bool many = peek(scan, 1) == '[';

	ret->kind = many ? KIND_TABLES : KIND_TABLE;
	scan->at += many ? 2 : 1;
	if (!read_keys(scan, ret))
		return false;
	if (peek(scan, 0) != ']' || (many && peek(scan, 1) != ']'))
		return refuse(scan, "the header is not closed");
	scan->at += many ? 2 : 1;
	memcpy(scan->table, ret->keys, ret->count * sizeof(*ret->keys));
	scan->table_count = ret->count;
	return true;
}

/* The next statement; false at the end, or when scan->code says why not. */
static bool next_statement(struct scan *scan, struct statement *ret)
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
		ret->kind = KIND_PAIR;
		if (!read_keys(scan, ret))
			return false;
		if (peek(scan, 0) != '=')
			return refuse(scan, "an equals sign should stand here");
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

static struct scan begin(struct tn_arena *arena, struct tn_str text, struct tenon_error *err)
{
	struct scan scan = {.arena = arena, .text = text, .err = err, .code = TENON_OK};

	if (tn_str_starts(text, TN_STR("\xEF\xBB\xBF")))
		scan.at = 3;
	return scan;
}

/* ---- the table in question ---- */

struct span {
	size_t from, to;
};

struct view {
	struct tn_toml_table table;
	size_t header_next;                 /* where its first pair would stand */
	size_t value_at[TN_TOML_PAIRS_MAX]; /* of table.pairs */
	size_t pair_next;                   /* behind the last of its pairs */
	bool has_header;                    /* of its own, not only of one inside */
	struct span spans[SPANS_MAX];       /* its lines, and those of tables inside it */
	size_t span_count;
};

/* How many keys both begin with. */
static size_t common(const struct tn_str *keys, size_t count, struct tn_toml_path path)
{
	size_t same = 0;

	while (same < count && same < path.count && tn_str_equal(keys[same], path.keys[same]))
		same++;
	return same;
}

static bool see_header(struct scan *scan, const struct statement *header, struct tn_toml_path path,
		       struct view *view)
{
	size_t same = common(header->keys, header->count, path);

	if (header->kind == KIND_TABLES && same == header->count)
		return refuse(scan, "the line above has a list of tables where one is wanted");
	if (same < path.count)
		return true;
	if (header->count == path.count) {
		if (view->has_header)
			return refuse(scan, "the line above has this table a second time");
		view->has_header = true;
		view->header_next = view->pair_next = header->next;
	}
	if (view->span_count == SPANS_MAX)
		return refuse(scan, "too many tables in one");
	view->table.found = true;
	view->spans[view->span_count].from = header->at;
	view->spans[view->span_count++].to = header->next;
	return true;
}

static bool see_pair(struct scan *scan, const struct statement *pair, struct tn_toml_path path,
		     struct view *view)
{
	struct tn_str full[TN_TOML_KEYS_MAX * 2];
	size_t count = scan->table_count + pair->count, same;
	struct tn_toml_table *table = &view->table;

	memcpy(full, scan->table, scan->table_count * sizeof(*full));
	memcpy(full + scan->table_count, pair->keys, pair->count * sizeof(*full));
	same = common(full, count, path);
	if (same == count) /* mcp_servers = {...}: nothing can be added to that from outside */
		return refuse(scan, "the line above defines this table in another way");
	if (same < path.count)
		return true;
	if (scan->table_count < path.count) /* tenon.command = ... below [mcp_servers] */
		return refuse(scan, "the line above defines this table in another way");
	view->spans[view->span_count - 1].to = pair->next;
	if (scan->table_count > path.count)
		return true;
	view->pair_next = pair->next;
	if (pair->count > 1)
		return true;
	if (table->count == TN_TOML_PAIRS_MAX)
		return refuse(scan, "the table has too many keys");
	view->value_at[table->count] = pair->value_at;
	table->pairs[table->count++] =
		(struct tn_toml_pair){pair->keys[0], tn_str(scan->text.data + pair->value_at,
							    pair->value_end - pair->value_at)};
	return true;
}

static enum tenon_code look(struct tn_arena *arena, struct tn_str text, struct tn_toml_path path,
			    struct view *ret, struct tenon_error *err)
{
	struct scan scan = begin(arena, text, err);
	struct statement statement;

	tn_assert(path.count >= 1 && path.count <= TN_TOML_KEYS_MAX);
	memset(ret, 0, sizeof(*ret));
	while (next_statement(&scan, &statement)) {
		bool fine = statement.kind == KIND_PAIR ? see_pair(&scan, &statement, path, ret)
							: see_header(&scan, &statement, path, ret);

		if (!fine)
			break;
	}
	return scan.code;
}

enum tenon_code tn_toml_find(struct tn_arena *arena, struct tn_str text, struct tn_toml_path path,
			     struct tn_toml_table *ret, struct tenon_error *err)
{
	struct view view;
	enum tenon_code code = look(arena, text, path, &view, err);

	if (code == TENON_OK)
		*ret = view.table;
	return code;
}

/* ---- writing ---- */

static struct tn_str newline_of(struct tn_str text)
{
	size_t at = tn_str_find_byte(text, '\n');

	return at != TN_STR_NONE && at > 0 && text.data[at - 1] == '\r' ? TN_STR("\r\n")
									: TN_STR("\n");
}

static void put_key(struct tn_str key, struct tn_buf *out)
{
	bool bare = key.size > 0;

	for (size_t i = 0; i < key.size; i++)
		bare = bare && is_bare(key.data[i]);
	if (!bare)
		tn_buf_append_byte(out, '"');
	for (size_t i = 0; i < key.size; i++) {
		unsigned char c = (unsigned char)key.data[i];

		if (c < 0x20 || c == 0x7F)
			tn_buf_format(out, "\\u%04x", c);
		else if (c == '"' || c == '\\')
			tn_buf_format(out, "\\%c", c);
		else
			tn_buf_append_byte(out, (char)c);
	}
	if (!bare)
		tn_buf_append_byte(out, '"');
}

static void put_pair(const struct tn_toml_pair *pair, struct tn_str newline, struct tn_buf *out)
{
	put_key(pair->key, out);
	tn_buf_append_text(out, " = ");
	tn_buf_append_str(out, pair->value);
	tn_buf_append_str(out, newline);
}

static void append_table(struct tn_str text, struct tn_toml_path path,
			 const struct tn_toml_pair *pairs, size_t count, struct tn_buf *out)
{
	struct tn_str newline = newline_of(text);

	tn_buf_append_str(out, text);
	if (text.size && text.data[text.size - 1] != '\n')
		tn_buf_append_str(out, newline);
	if (text.size)
		tn_buf_append_str(out, newline);
	tn_buf_append_byte(out, '[');
	for (size_t i = 0; i < path.count; i++) {
		if (i)
			tn_buf_append_byte(out, '.');
		put_key(path.keys[i], out);
	}
	tn_buf_append_byte(out, ']');
	tn_buf_append_str(out, newline);
	for (size_t i = 0; i < count; i++)
		put_pair(&pairs[i], newline, out);
}

static size_t skip_between(struct tn_str value, size_t at, char quote)
{
	while (!quote && at < value.size && strchr(" \t\r\n", value.data[at]))
		at++;
	return at;
}

/* The same but for blanks outside of texts. An escape makes it say no too often, never yes. */
static bool is_same(struct tn_str a, struct tn_str b)
{
	char quote = '\0';

	for (size_t i = 0, j = 0;; i++, j++) {
		char c;

		i = skip_between(a, i, quote);
		j = skip_between(b, j, quote);
		if (i >= a.size || j >= b.size)
			return i >= a.size && j >= b.size;
		c = a.data[i];
		if (c != b.data[j] || c == '\\')
			return tn_str_equal(tn_str_from_offset(a, i), tn_str_from_offset(b, j));
		if (quote)
			quote = c == quote ? '\0' : quote;
		else if (c == '"' || c == '\'')
			quote = c;
	}
}

static bool has_key(const struct tn_toml_table *table, struct tn_str key)
{
	size_t i = 0;

	while (i < table->count && !tn_str_equal(table->pairs[i].key, key))
		i++;
	return i < table->count;
}

/* Values that differ are replaced in their places; keys that are new follow the last one. */
static void mend_table(struct tn_str text, const struct view *view,
		       const struct tn_toml_pair *pairs, size_t count, struct tn_buf *out)
{
	struct tn_str newline = newline_of(text);
	size_t at = 0;

	for (size_t i = 0; i < view->table.count; i++) {
		const struct tn_toml_pair *old = &view->table.pairs[i];

		for (size_t j = 0; j < count; j++) {
			if (!tn_str_equal(old->key, pairs[j].key) ||
			    is_same(old->value, pairs[j].value))
				continue;
			tn_buf_append(out, text.data + at, view->value_at[i] - at);
			tn_buf_append_str(out, pairs[j].value);
			at = view->value_at[i] + old->value.size;
		}
	}
	tn_buf_append(out, text.data + at, view->pair_next - at);
	at = view->pair_next;
	for (size_t j = 0; j < count; j++) {
		if (has_key(&view->table, pairs[j].key))
			continue;
		if (out->size && out->data[out->size - 1] != '\n') /* the file's last line */
			tn_buf_append_str(out, newline);
		put_pair(&pairs[j], newline, out);
	}
	tn_buf_append_str(out, tn_str_from_offset(text, at));
}

enum tenon_code tn_toml_set(struct tn_str text, struct tn_toml_path path,
			    const struct tn_toml_pair *pairs, size_t count, struct tn_buf *out,
			    struct tenon_error *err)
{
	struct tn_arena arena;
	struct view view;
	enum tenon_code code;
	size_t before = out->size;

	tn_arena_init(&arena, TN_MESSAGE_ARENA_MAX);
	code = look(&arena, text, path, &view, err);
	if (code == TENON_OK) {
		if (view.has_header)
			mend_table(text, &view, pairs, count, out);
		else
			append_table(text, path, pairs, count, out);
		code = tn_buf_check(out, err);
	}
	/* What is written must be readable again: a full table could not be taken out. */
	if (code == TENON_OK)
		code = look(&arena, tn_str_from_offset(tn_buf_str(out), before), path, &view, err);
	if (code != TENON_OK)
		out->size = before;
	tn_arena_finish(&arena);
	return code;
}

/* ---- removing ---- */

static bool is_empty_line(struct tn_str text, size_t at)
{
	while (at < text.size && strchr(" \t\r", text.data[at]))
		at++;
	return at == text.size || text.data[at] == '\n';
}

/* The empty line before the table goes as well, when another or nothing follows it. */
static size_t with_empty_line(struct tn_str text, size_t from, size_t to)
{
	size_t at = from;

	if (at < 2 || text.data[at - 1] != '\n' || !is_empty_line(text, to))
		return from;
	at--;
	while (at > 0 && text.data[at - 1] != '\n')
		at--;
	return is_empty_line(text, at) ? at : from;
}

static void put_without(struct tn_str text, const struct span *spans, size_t count,
			struct tn_buf *out)
{
	size_t at = 0;

	for (size_t i = 0; i < count; i++) {
		size_t from = with_empty_line(text, spans[i].from, spans[i].to);

		if (from < at)
			from = spans[i].from;
		tn_buf_append(out, text.data + at, from - at);
		at = spans[i].to;
	}
	tn_buf_append_str(out, tn_str_from_offset(text, at));
}

enum tenon_code tn_toml_remove(struct tn_str text, struct tn_toml_path path, struct tn_buf *out,
			       struct tenon_error *err)
{
	struct tn_arena arena;
	struct view view;
	enum tenon_code code;

	tn_arena_init(&arena, TN_MESSAGE_ARENA_MAX);
	code = look(&arena, text, path, &view, err);
	tn_arena_finish(&arena);
	if (code != TENON_OK)
		return code;
	if (!view.table.found)
		return tn_fail(err, TENON_NOT_FOUND, "there is no such table");
	put_without(text, view.spans, view.span_count, out);
	return tn_buf_check(out, err);
}

/* Whether the statement stands at the path or below it. */
static bool is_below(const struct scan *scan, const struct statement *statement,
		     struct tn_toml_path path)
{
	struct tn_str full[TN_TOML_KEYS_MAX * 2];
	size_t above = statement->kind == KIND_PAIR ? scan->table_count : 0;

	memcpy(full, scan->table, above * sizeof(*full));
	memcpy(full + above, statement->keys, statement->count * sizeof(*full));
	return common(full, above + statement->count, path) == path.count;
}

/* The statements of one key; those that follow each other are one span. */
static enum tenon_code find_key(struct tn_arena *arena, struct tn_str text,
				struct tn_toml_path path, struct view *ret, struct tenon_error *err)
{
	struct scan scan = begin(arena, text, err);
	struct statement statement;
	bool goes_on = false;

	ret->span_count = 0;
	while (next_statement(&scan, &statement)) {
		bool below = is_below(&scan, &statement, path);

		if (below && !goes_on) {
			if (ret->span_count == SPANS_MAX) {
				(void)refuse(&scan, "too many tables in one");
				break;
			}
			ret->spans[ret->span_count++].from = statement.at;
		}
		if (below)
			ret->spans[ret->span_count - 1].to = statement.next;
		goes_on = below;
	}
	return scan.code;
}

enum tenon_code tn_toml_drop(struct tn_str text, struct tn_toml_path path, struct tn_str key,
			     struct tn_buf *out, struct tenon_error *err)
{
	struct tn_str keys[TN_TOML_KEYS_MAX];
	struct tn_arena arena;
	struct view view;
	enum tenon_code code;

	tn_assert(path.count + 1 < TN_TOML_KEYS_MAX);
	memcpy(keys, path.keys, path.count * sizeof(*keys));
	keys[path.count] = key;
	tn_arena_init(&arena, TN_MESSAGE_ARENA_MAX);
	code = look(&arena, text, path, &view, err);
	if (code == TENON_OK)
		code = find_key(&arena, text, (struct tn_toml_path){keys, path.count + 1}, &view,
				err);
	tn_arena_finish(&arena);
	if (code == TENON_OK && view.span_count == 0)
		code = tn_fail(err, TENON_NOT_FOUND, "the table has no such key");
	if (code != TENON_OK)
		return code;
	put_without(text, view.spans, view.span_count, out);
	return tn_buf_check(out, err);
}

enum tenon_code tn_toml_copy(struct tn_str text, struct tn_toml_path path, struct tn_buf *out,
			     struct tenon_error *err)
{
	struct tn_arena arena;
	struct view view;
	enum tenon_code code;

	tn_arena_init(&arena, TN_MESSAGE_ARENA_MAX);
	code = look(&arena, text, path, &view, err);
	tn_arena_finish(&arena);
	for (size_t i = 0; code == TENON_OK && i < view.span_count; i++)
		tn_buf_append(out, text.data + view.spans[i].from,
			      view.spans[i].to - view.spans[i].from);
	return code == TENON_OK ? tn_buf_check(out, err) : code;
}
