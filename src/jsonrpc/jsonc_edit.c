#include "jsonrpc/json_write.h"
#include "jsonrpc/jsonc.h"
#include "jsonrpc/jsonc_layout.h"
#include "jsonrpc/limits.h"

/* ---- how the text is written ---- */

struct style {
	bool lines;            /* a member a line; else all on one */
	bool spaced;           /* a blank after colon and comma, on one line */
	struct tn_str newline; /* "\n" or "\r\n" */
	struct tn_str indent;  /* of the member that is written */
	struct tn_str unit;    /* one step further in */
};

static bool is_indent(char c)
{
	return c == ' ' || c == '\t';
}

static size_t line_start(struct tn_str text, size_t at)
{
	while (at > 0 && text.data[at - 1] != '\n')
		at--;
	return at;
}

/* The blanks that the line of `at` begins with. */
static struct tn_str indent_of(struct tn_str text, size_t at)
{
	size_t start = line_start(text, at), end = start;

	while (end < text.size && is_indent(text.data[end]))
		end++;
	return tn_str(text.data + start, end - start);
}

static bool is_first_on_line(struct tn_str text, size_t at)
{
	return line_start(text, at) + indent_of(text, at).size == at;
}

static bool is_blank_between(struct tn_str text, size_t from, size_t to)
{
	return tn_str_trim(tn_str(text.data + from, to - from)).size == 0;
}

static bool is_line_end(struct tn_str text, size_t at)
{
	while (at < text.size && (is_indent(text.data[at]) || text.data[at] == '\r'))
		at++;
	return at == text.size || text.data[at] == '\n';
}

static struct style style_of(const struct tn_jsonc_layout *layout)
{
	struct style style = {.lines = true,
			      .spaced = true,
			      .newline = TN_STR("\n"),
			      .unit = TN_STR("  "),
			      .indent = TN_STR("  ")};
	size_t end = tn_str_find_byte(layout->text, '\n');
	struct tn_jsonc_object root;

	if (end != TN_STR_NONE && end > 0 && layout->text.data[end - 1] == '\r')
		style.newline = TN_STR("\r\n");
	if (layout->empty)
		return style;
	tn_jsonc_layout_root(layout, &root);
	if (root.count == 0)
		return style;
	if (is_first_on_line(layout->text, root.first.key_at) &&
	    indent_of(layout->text, root.first.key_at).size)
		style.unit = indent_of(layout->text, root.first.key_at);
	style.spaced = is_indent(layout->plain.data[root.first.value_at - 1]) ||
		       layout->plain.data[root.first.value_at - 1] == '\n';
	style.lines = end != TN_STR_NONE && end < tn_str_trim(layout->text).size;
	return style;
}

/* ---- writing a value ---- */

struct pen {
	struct tn_buf *out;
	struct tn_buf scratch; /* the writer of JSON minds commas itself, so it writes here */
	const struct style *style;
};

static void put_line(struct pen *pen, size_t depth)
{
	tn_buf_append_str(pen->out, pen->style->newline);
	tn_buf_append_str(pen->out, pen->style->indent);
	for (size_t i = 0; i < depth; i++)
		tn_buf_append_str(pen->out, pen->style->unit);
}

static void put_scratch(struct pen *pen)
{
	tn_buf_inherit_failure(pen->out, &pen->scratch);
	tn_buf_append_str(pen->out, tn_buf_str(&pen->scratch));
	tn_buf_clear(&pen->scratch);
}

static void put_colon(struct pen *pen)
{
	tn_buf_append_text(pen->out, pen->style->lines || pen->style->spaced ? ": " : ":");
}

static void put_text(struct pen *pen, struct tn_str text)
{
	tn_json_put_str(&pen->scratch, text);
	put_scratch(pen);
}

static bool is_container(const struct tn_json *value)
{
	return value->type == TN_JSON_OBJECT || value->type == TN_JSON_ARRAY;
}

static bool is_flat(const struct tn_json *value)
{
	for (const struct tn_json *child = value->first; child; child = child->next) {
		if (is_container(child) && child->count)
			return false;
	}
	return value->type == TN_JSON_ARRAY || value->count == 0;
}

static void put_pretty(struct pen *pen, const struct tn_json *value, size_t depth)
{
	bool object = value->type == TN_JSON_OBJECT, lines;

	if (!is_container(value)) {
		tn_json_put_value(&pen->scratch, value);
		put_scratch(pen);
		return;
	}
	lines = pen->style->lines && !is_flat(value);
	tn_buf_append_byte(pen->out, object ? '{' : '[');
	for (const struct tn_json *child = value->first; child; child = child->next) {
		if (child != value->first)
			tn_buf_append_text(
				pen->out,
				lines || (!pen->style->lines && !pen->style->spaced) ? "," : ", ");
		if (lines)
			put_line(pen, depth + 1);
		if (object) {
			put_text(pen, child->key);
			put_colon(pen);
		}
		put_pretty(pen, child, depth + 1);
	}
	if (lines)
		put_line(pen, depth);
	tn_buf_append_byte(pen->out, object ? '}' : ']');
}

/* ---- setting ---- */

struct setting {
	const struct tn_jsonc_layout *layout;
	struct tn_jsonc_path path;
	const struct tn_json *value;
	struct tn_buf *out;
	struct style style;
};

static void put_piece(const struct setting *set, size_t from, size_t to)
{
	tn_buf_append(set->out, set->layout->text.data + from, to - from);
}

static void put_rest(const struct setting *set, size_t from)
{
	put_piece(set, from, set->layout->text.size);
}

/* path.keys[from] and its value, the objects between being made: `"a": {"b": value}`. */
static void put_member(const struct setting *set, size_t from)
{
	struct pen pen = {.out = set->out, .style = &set->style};
	size_t depth = set->path.count - 1 - from;

	tn_buf_init(&pen.scratch, set->out->limit);
	for (size_t i = from; i < set->path.count; i++) {
		if (i > from)
			tn_buf_append_byte(set->out, '{');
		if (i > from && set->style.lines)
			put_line(&pen, i - from);
		put_text(&pen, set->path.keys[i]);
		put_colon(&pen);
	}
	put_pretty(&pen, set->value, depth);
	for (size_t i = 0; i < depth; i++) {
		if (set->style.lines)
			put_line(&pen, depth - 1 - i);
		tn_buf_append_byte(set->out, '}');
	}
	tn_buf_finish(&pen.scratch);
}

/* One step further in than the line of `at`. */
static void indent_below(struct setting *set, size_t at, struct tn_buf *scratch)
{
	tn_buf_append_str(scratch, indent_of(set->layout->text, at));
	tn_buf_append_str(scratch, set->style.unit);
	tn_buf_inherit_failure(set->out, scratch);
	set->style.indent = tn_buf_str(scratch);
}

static void set_in_nothing(struct setting *set)
{
	struct tn_str text = set->layout->text;

	tn_buf_append_str(set->out, text);
	if (text.size && text.data[text.size - 1] != '\n' && tn_str_trim(text).size)
		tn_buf_append_str(set->out, set->style.newline);
	tn_buf_append_byte(set->out, '{');
	tn_buf_append_str(set->out, set->style.newline);
	tn_buf_append_str(set->out, set->style.indent);
	put_member(set, 0);
	tn_buf_append_str(set->out, set->style.newline);
	tn_buf_append_byte(set->out, '}');
	tn_buf_append_str(set->out, set->style.newline);
}

static void set_in_empty(struct setting *set, const struct tn_jsonc_spot *spot)
{
	const struct tn_jsonc_object *object = &spot->object;
	struct tn_str text = set->layout->text;
	size_t end = object->close;
	bool bare = is_blank_between(text, object->open + 1, object->close);
	struct tn_buf indent;

	if (bare && !set->style.lines) {
		put_piece(set, 0, object->open + 1);
		put_member(set, spot->found);
		put_rest(set, object->close);
		return;
	}
	set->style.lines = true; /* comments inside: below them, on a line of its own */
	while (end > object->open + 1 && tn_str_trim(tn_str(text.data + end - 1, 1)).size == 0)
		end--;
	tn_buf_init(&indent, set->out->limit);
	indent_below(set, object->open, &indent);
	put_piece(set, 0, end);
	tn_buf_append_str(set->out, set->style.newline);
	tn_buf_append_str(set->out, set->style.indent);
	put_member(set, spot->found);
	if (bare) {
		tn_buf_append_str(set->out, set->style.newline);
		tn_buf_append_str(set->out, indent_of(text, object->open));
		end = object->close;
	}
	put_rest(set, end);
	tn_buf_finish(&indent);
}

/* Where a new line can begin after `at`: behind comments on the same line, if nothing else is. */
static size_t line_end_after(const struct tn_jsonc_layout *layout, size_t at)
{
	const struct tn_buf *plain = &layout->plain;
	size_t end = at;

	while (end < plain->size && is_indent(plain->data[end]))
		end++;
	if (end < plain->size && plain->data[end] == '\n')
		return end;
	return end + 1 < plain->size && memcmp(plain->data + end, "\r\n", 2) == 0 ? end : at;
}

static void set_behind(struct setting *set, const struct tn_jsonc_spot *spot)
{
	const struct tn_jsonc_object *object = &spot->object;
	struct tn_str text = set->layout->text;
	bool comma = object->last.comma_at != TN_JSONC_NOWHERE;
	size_t at = comma ? object->last.comma_at + 1 : object->last.value_end;
	size_t model = is_first_on_line(text, object->last.key_at) ? object->last.key_at
								   : object->first.key_at;

	set->style.lines =
		memchr(text.data + object->open, '\n', object->first.key_at - object->open) != NULL;
	set->style.indent = indent_of(text, model);
	put_piece(set, 0, object->last.value_end);
	if (!comma)
		tn_buf_append_byte(set->out, ',');
	if (set->style.lines)
		at = line_end_after(set->layout, at);
	put_piece(set, object->last.value_end, at);
	if (set->style.lines) {
		tn_buf_append_str(set->out, set->style.newline);
		tn_buf_append_str(set->out, set->style.indent);
	} else if (set->style.spaced) {
		tn_buf_append_byte(set->out, ' ');
	}
	put_member(set, spot->found);
	if (comma)
		tn_buf_append_byte(set->out, ',');
	put_rest(set, at);
}

static enum tenon_code replace(struct setting *set, const struct tn_jsonc_place *member,
			       struct tenon_error *err)
{
	struct tn_str text = set->layout->text;
	struct tn_str old =
		tn_str(text.data + member->value_at, member->value_end - member->value_at);
	struct pen pen = {.out = set->out, .style = &set->style};
	struct tn_json *value = NULL;
	struct tn_arena arena;
	enum tenon_code code;

	tn_arena_init(&arena, TN_JSONC_ARENA_MAX);
	code = tn_jsonc_parse(&arena, old, &value, NULL, err);
	if (code == TENON_OK && tn_json_equal(value, set->value)) {
		put_rest(set, 0);
	} else if (code == TENON_OK) {
		set->style.lines = set->style.lines && is_first_on_line(text, member->key_at);
		set->style.indent = indent_of(text, member->key_at);
		tn_buf_init(&pen.scratch, set->out->limit);
		put_piece(set, 0, member->value_at);
		put_pretty(&pen, set->value, 0);
		put_rest(set, member->value_end);
		tn_buf_finish(&pen.scratch);
	}
	tn_arena_finish(&arena);
	return code;
}

static enum tenon_code set_parsed(struct setting *set, struct tenon_error *err)
{
	struct tn_jsonc_spot spot;
	enum tenon_code code;

	set->style = style_of(set->layout);
	if (set->layout->empty) {
		set_in_nothing(set);
		return tn_buf_check(set->out, err);
	}
	code = tn_jsonc_layout_go(set->layout, set->path, &spot, err);
	if (code != TENON_OK)
		return code;
	if (spot.found == set->path.count)
		code = replace(set, &spot.member, err);
	else if (spot.object.count == 0)
		set_in_empty(set, &spot);
	else
		set_behind(set, &spot);
	return code == TENON_OK ? tn_buf_check(set->out, err) : code;
}

enum tenon_code tn_jsonc_set(struct tn_str text, struct tn_jsonc_path path, struct tn_str value,
			     struct tn_buf *out, struct tenon_error *err)
{
	struct tn_jsonc_layout layout;
	struct tn_json *parsed = NULL;
	struct tn_arena arena;
	enum tenon_code code;

	tn_assert(path.count >= 1 && path.count <= TN_JSONC_PATH_MAX);
	tn_arena_init(&arena, TN_JSONC_ARENA_MAX);
	code = tn_jsonc_layout_init(&layout, text, err);
	if (code == TENON_OK)
		code = tn_json_parse_copy(&arena, value, &parsed, err);
	if (code == TENON_OK) {
		struct setting set = {.layout = &layout, .path = path, .value = parsed, .out = out};

		code = set_parsed(&set, err);
	}
	tn_jsonc_layout_finish(&layout);
	tn_arena_finish(&arena);
	return code;
}

/* ---- removing ---- */

enum { CUTS_MAX = 3 };

struct cuts {
	struct {
		size_t from, to;
	} list[CUTS_MAX]; /* in order */
	size_t count;
};

static void cut(struct cuts *cuts, size_t from, size_t to)
{
	cuts->list[cuts->count].from = from;
	cuts->list[cuts->count++].to = to;
}

static void cut_only(struct cuts *cuts, struct tn_str text, const struct tn_jsonc_spot *spot)
{
	const struct tn_jsonc_place *member = &spot->member;
	size_t comma = member->comma_at;
	size_t tail = comma == TN_JSONC_NOWHERE ? member->value_end : comma;

	if (is_blank_between(text, spot->object.open + 1, member->key_at) &&
	    is_blank_between(text, member->value_end, tail) &&
	    is_blank_between(text, comma == TN_JSONC_NOWHERE ? tail : tail + 1,
			     spot->object.close)) {
		cut(cuts, spot->object.open + 1, spot->object.close);
		return;
	}
	cut(cuts, member->key_at, member->value_end);
	if (comma != TN_JSONC_NOWHERE)
		cut(cuts, comma, comma + 1);
}

/* The member has a line of its own: the line goes, and the comma that is then one too many. */
static void cut_line(struct cuts *cuts, struct tn_str text, const struct tn_jsonc_spot *spot)
{
	const struct tn_jsonc_place *member = &spot->member;
	size_t start = line_start(text, member->key_at) - 1;

	if (start > 0 && text.data[start - 1] == '\r')
		start--;
	if (member->comma_at == TN_JSONC_NOWHERE)
		cut(cuts, spot->before.comma_at, spot->before.comma_at + 1);
	cut(cuts, start,
	    member->comma_at == TN_JSONC_NOWHERE ? member->value_end : member->comma_at + 1);
}

/* Something else stands on the line. */
static void cut_inside(struct cuts *cuts, struct tn_str text, const struct tn_jsonc_spot *spot)
{
	const struct tn_jsonc_place *member = &spot->member;
	size_t comma = member->comma_at, before = spot->before.comma_at, end;

	if (member->key_at != spot->object.last.key_at) { /* a comma and another one follow */
		cut(cuts, member->key_at, member->value_end);
		for (end = comma + 1; end < text.size && is_indent(text.data[end]);)
			end++;
		cut(cuts, comma, end);
		return;
	}
	if (is_blank_between(text, before + 1, member->key_at)) {
		cut(cuts, comma == TN_JSONC_NOWHERE ? before : before + 1, member->value_end);
	} else {
		if (comma == TN_JSONC_NOWHERE)
			cut(cuts, before, before + 1);
		cut(cuts, member->key_at, member->value_end);
	}
	if (comma != TN_JSONC_NOWHERE)
		cut(cuts, comma, comma + 1);
}

static bool has_own_line(struct tn_str text, const struct tn_jsonc_place *member)
{
	size_t comma = member->comma_at;

	if (!is_first_on_line(text, member->key_at))
		return false;
	if (comma == TN_JSONC_NOWHERE)
		return is_line_end(text, member->value_end);
	return is_blank_between(text, member->value_end, comma) && is_line_end(text, comma + 1);
}

enum tenon_code tn_jsonc_remove(struct tn_str text, struct tn_jsonc_path path, struct tn_buf *out,
				struct tenon_error *err)
{
	struct tn_jsonc_layout layout;
	struct tn_jsonc_spot spot = {.found = 0};
	struct cuts cuts = {.count = 0};
	enum tenon_code code = tn_jsonc_layout_init(&layout, text, err);
	size_t at = 0;

	if (code == TENON_OK && !layout.empty)
		code = tn_jsonc_layout_go(&layout, path, &spot, err);
	if (code == TENON_OK && spot.found < path.count)
		code = tn_fail(err, TENON_NOT_FOUND, "there is no such member");
	tn_jsonc_layout_finish(&layout);
	if (code != TENON_OK)
		return code;
	if (spot.object.count == 1)
		cut_only(&cuts, text, &spot);
	else if (has_own_line(text, &spot.member))
		cut_line(&cuts, text, &spot);
	else
		cut_inside(&cuts, text, &spot);
	for (size_t i = 0; i < cuts.count; i++) {
		tn_buf_append(out, text.data + at, cuts.list[i].from - at);
		at = cuts.list[i].to;
	}
	tn_buf_append_str(out, tn_str_from_offset(text, at));
	return tn_buf_check(out, err);
}
