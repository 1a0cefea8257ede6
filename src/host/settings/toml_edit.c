#include "host/settings/toml_edit.h"

#include <stdio.h>

#include "base/limits.h"
#include "host/settings/toml_scan.h"
#include "jsonrpc/jsonc.h"
#include "jsonrpc/limits.h"

enum { SPANS_MAX = 64, EDITS_MAX = TN_TOML_PAIRS_MAX };

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

static bool see_header(struct tn_toml_scan *scan, const struct tn_toml_statement *header,
		       struct tn_toml_path path, struct view *view)
{
	size_t same = common(header->keys, header->count, path);

	if (header->kind == TN_TOML_TABLES_HEADER && same == header->count)
		return tn_toml_refuse(scan,
				      "the line above has a list of tables where one is wanted");
	if (same < path.count)
		return true;
	if (header->count == path.count) {
		if (view->has_header)
			return tn_toml_refuse(scan, "the line above has this table a second time");
		view->has_header = true;
		view->header_next = view->pair_next = header->next;
	}
	if (view->span_count == SPANS_MAX)
		return tn_toml_refuse(scan, "too many tables in one");
	view->table.found = true;
	view->spans[view->span_count].from = header->at;
	view->spans[view->span_count++].to = header->next;
	return true;
}

/* In braces, or by dotted keys: nothing can be added to that from outside. */
static bool refuse_form(struct tn_toml_scan *scan, const struct tn_toml_statement *pair,
			struct tn_toml_path path)
{
	char name[200] = "";
	size_t size = 0;

	for (size_t i = 0; i < path.count && size < sizeof(name); i++)
		size += (size_t)snprintf(name + size, sizeof(name) - size, "%s%.*s",
					 i > 0 ? "." : "", (int)path.keys[i].size,
					 path.keys[i].data);
	scan->code = tn_fail(scan->err, TENON_INVALID,
			     "line %zu: the table %s stands here in braces or by dotted keys; "
			     "write it below a line [%s], and try again",
			     tn_jsonc_line(scan->text, pair->at), name, name);
	return false;
}

static bool see_pair(struct tn_toml_scan *scan, const struct tn_toml_statement *pair,
		     struct tn_toml_path path, struct view *view)
{
	struct tn_str full[TN_TOML_KEYS_MAX * 2];
	size_t count = scan->table_count + pair->count, same;
	struct tn_toml_table *table = &view->table;

	memcpy(full, scan->table, scan->table_count * sizeof(*full));
	memcpy(full + scan->table_count, pair->keys, pair->count * sizeof(*full));
	same = common(full, count, path);
	if (same == count) /* mcp_servers = {...} */
		return refuse_form(scan, pair, path);
	if (same < path.count)
		return true;
	if (scan->table_count < path.count) /* tenon.command = ... below [mcp_servers] */
		return refuse_form(scan, pair, path);
	view->spans[view->span_count - 1].to = pair->next;
	if (scan->table_count > path.count)
		return true;
	view->pair_next = pair->next;
	if (pair->count > 1)
		return true;
	if (table->count == TN_TOML_PAIRS_MAX)
		return tn_toml_refuse(scan, "the table has too many keys");
	view->value_at[table->count] = pair->value_at;
	table->pairs[table->count++] =
		(struct tn_toml_pair){pair->keys[0], tn_str(scan->text.data + pair->value_at,
							    pair->value_end - pair->value_at)};
	return true;
}

static enum tenon_code look(struct tn_arena *arena, struct tn_str text, struct tn_toml_path path,
			    struct view *ret, struct tenon_error *err)
{
	struct tn_toml_scan scan = tn_toml_scan_begin(arena, text, err);
	struct tn_toml_statement statement;

	tn_assert(path.count >= 1 && path.count <= TN_TOML_KEYS_MAX);
	memset(ret, 0, sizeof(*ret));
	while (tn_toml_next(&scan, &statement)) {
		bool fine = statement.kind == TN_TOML_PAIR
				    ? see_pair(&scan, &statement, path, ret)
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
		bare = bare && tn_toml_is_bare(key.data[i]);
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
static bool is_below(const struct tn_toml_scan *scan, const struct tn_toml_statement *statement,
		     struct tn_toml_path path)
{
	struct tn_str full[TN_TOML_KEYS_MAX * 2];
	size_t above = statement->kind == TN_TOML_PAIR ? scan->table_count : 0;

	memcpy(full, scan->table, above * sizeof(*full));
	memcpy(full + above, statement->keys, statement->count * sizeof(*full));
	return common(full, above + statement->count, path) == path.count;
}

/* The statements of one key; those that follow each other are one span. */
static enum tenon_code find_key(struct tn_arena *arena, struct tn_str text,
				struct tn_toml_path path, struct view *ret, struct tenon_error *err)
{
	struct tn_toml_scan scan = tn_toml_scan_begin(arena, text, err);
	struct tn_toml_statement statement;
	bool goes_on = false;

	ret->span_count = 0;
	while (tn_toml_next(&scan, &statement)) {
		bool below = is_below(&scan, &statement, path);

		if (below && !goes_on) {
			if (ret->span_count == SPANS_MAX) {
				(void)tn_toml_refuse(&scan, "too many tables in one");
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
