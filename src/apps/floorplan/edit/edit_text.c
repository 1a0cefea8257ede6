/* Which bytes an edit touches: cuts, and the rules of 8.2 for what goes with a clause or a
 * statement that is taken out, and for lines that are put in. */
#include <math.h>
#include <stdlib.h>

#include "apps/floorplan/edit/internal.h"
#include "apps/floorplan/language/lex_text.h"
#include "apps/floorplan/limits.h"

/* ---- lines and blanks ---- */

static bool is_line_end(char byte)
{
	return byte == '\n' || byte == '\r';
}

static uint32_t line_start(struct tn_str text, uint32_t at)
{
	while (at > 0 && !is_line_end(text.data[at - 1]))
		at--;
	return at;
}

static uint32_t line_stop(struct tn_str text, uint32_t at) /* before its line end */
{
	while (at < text.size && !is_line_end(text.data[at]))
		at++;
	return at;
}

/* Over a line end that stands here; L2. */
static uint32_t next_line(struct tn_str text, uint32_t at)
{
	if (at < text.size && text.data[at] == '\r')
		return at + (at + 1 < text.size && text.data[at + 1] == '\n' ? 2 : 1);
	return at < text.size ? at + 1 : at;
}

static uint32_t blank_size(struct tn_str text, uint32_t at) /* 0: none here, or a line end */
{
	uint32_t character = 0;
	size_t size;

	if (at >= text.size || is_line_end(text.data[at]))
		return 0;
	size = tn_utf8_decode(text.data + at, text.size - at, &character);
	return size > 0 && tn_floor_is_blank(character) ? (uint32_t)size : 0;
}

static uint32_t skip_blanks(struct tn_str text, uint32_t at, uint32_t end)
{
	uint32_t size;

	while (at < end && (size = blank_size(text, at)) > 0)
		at += size;
	return at;
}

/* The start of the blanks that end at `at`, on its line. */
static uint32_t blanks_before(struct tn_str text, uint32_t at)
{
	uint32_t begin = line_start(text, at);

	while (at > begin) {
		uint32_t one = at - 1;

		while (one > begin && ((unsigned char)text.data[one] & 0xC0) == 0x80)
			one--;
		if (blank_size(text, one) != at - one)
			break;
		at = one;
	}
	return at;
}

static bool is_word_byte(struct tn_str text, size_t at)
{
	return at < text.size && tn_floor_is_name_part((unsigned char)text.data[at]);
}

/* Behind `at` are only blanks, and whole comments if they are allowed, up to the end of the line.
 */
static bool ends_line(struct tn_str text, uint32_t at, bool hash, bool stars)
{
	uint32_t stop = line_stop(text, at);

	for (;;) {
		at = skip_blanks(text, at, stop);
		if (at >= stop || (hash && text.data[at] == '#'))
			return true;
		if (!stars || stop - at < 4 || text.data[at] != '/' || text.data[at + 1] != '*')
			return false;
		for (at += 2; at + 1 < stop; at++) {
			if (text.data[at] == '*' && text.data[at + 1] == '/')
				break;
		}
		if (at + 1 >= stop)
			return false; /* it goes on in the next line */
		at += 2;
	}
}

static bool begins_line(struct tn_str text, uint32_t at)
{
	return blanks_before(text, at) == line_start(text, at);
}

static uint32_t start_of(const struct tn_edit *e, uint32_t token)
{
	return e->lexed->tokens[token].range.start;
}

static uint32_t end_of(const struct tn_edit *e, uint32_t token)
{
	return e->lexed->tokens[token].range.end;
}

/* ---- cuts ---- */

bool tn_edit_cut(struct tn_edit *e, uint32_t start, uint32_t end, struct tn_str text)
{
	if (e->cut_count == e->cut_capacity) {
		size_t capacity = e->cut_capacity ? e->cut_capacity * 2 : 16;
		struct tn_edit_cut *more = tn_arena_alloc_array(e->arena, capacity, sizeof(*more));

		if (!more)
			return tn_edit_starve(e);
		if (e->cut_count > 0)
			memcpy(more, e->cuts, e->cut_count * sizeof(*more));
		e->cuts = more;
		e->cut_capacity = capacity;
	}
	e->cuts[e->cut_count] = (struct tn_edit_cut){start, end, text, e->cut_count};
	e->cut_count++;
	return true;
}

bool tn_edit_replace(struct tn_edit *e, uint32_t token, struct tn_str text)
{
	return tn_edit_cut(e, start_of(e, token), end_of(e, token), text);
}

/* What is left must not grow together to other tokens: then the blanks stay, or one is put in. */
static bool cut_with_blanks(struct tn_edit *e, uint32_t start, uint32_t end)
{
	struct tn_str text = e->plan->text;
	uint32_t from = blanks_before(text, start);

	if (from > 0 && is_word_byte(text, from - 1) && is_word_byte(text, end))
		return tn_edit_cut(e, start, end, from == start ? TN_STR(" ") : TN_STR(""));
	return tn_edit_cut(e, from, end, TN_STR(""));
}

/* Between two tokens stands a comment, which no edit of a clause takes away. */
static bool has_comment(const struct tn_edit *e, uint32_t token)
{
	uint32_t at = end_of(e, token), end = start_of(e, token + 1);

	while (at < end) {
		uint32_t on = skip_blanks(e->plan->text, at, end);

		if (on < end && !is_line_end(e->plan->text.data[on]))
			return true;
		at = on + 1;
	}
	return false;
}

bool tn_edit_cut_clause(struct tn_edit *e, struct tn_floor_tokens tokens)
{
	struct tn_str text = e->plan->text;
	uint32_t start, end;

	for (uint32_t at = tokens.first; at < tokens.last; at++) {
		if (!has_comment(e, at))
			continue;
		if (!cut_with_blanks(e, start_of(e, tokens.first), end_of(e, at)))
			return false;
		tokens.first = at + 1;
	}
	start = start_of(e, tokens.first);
	end = end_of(e, tokens.last);
	if (begins_line(text, start) && ends_line(text, end, false, false))
		return tn_edit_cut(e, line_start(text, start),
				   next_line(text, line_stop(text, end)), TN_STR(""));
	return cut_with_blanks(e, start, end);
}

bool tn_edit_cut_statement(struct tn_edit *e, struct tn_floor_tokens tokens)
{
	struct tn_str text = e->plan->text;
	uint32_t start = start_of(e, tokens.first), end = end_of(e, tokens.last), stop;

	if (!begins_line(text, start) || !ends_line(text, end, true, false))
		return cut_with_blanks(e, start, end);
	stop = line_stop(text, end);
	start = line_start(text, start);
	/* A text whose last line has no line end stays such a text: the one before goes. */
	if (stop == text.size && start > 0)
		start -= start > 1 && text.data[start - 1] == '\n' && text.data[start - 2] == '\r'
				 ? 2
				 : 1;
	return tn_edit_cut(e, start, next_line(text, stop), TN_STR(""));
}

bool tn_edit_put_behind(struct tn_edit *e, uint32_t token, struct tn_str text)
{
	uint32_t at = end_of(e, token);
	struct tn_buf out;

	if (text.size == 0 || !is_word_byte(text, text.size - 1) ||
	    !is_word_byte(e->plan->text, at))
		return tn_edit_cut(e, at, at, text);
	tn_edit_begin(&out);
	tn_buf_append_str(&out, text);
	tn_buf_append_byte(&out, ' ');
	text = tn_edit_keep(e, &out);
	return text.data && tn_edit_cut(e, at, at, text);
}

static int compare_cuts(const void *a, const void *b)
{
	const struct tn_edit_cut *one = a, *other = b;

	if (one->start != other->start)
		return one->start < other->start ? -1 : 1;
	/* What is put in at a place stands before what is taken out behind it. */
	if ((one->start == one->end) != (other->start == other->end))
		return one->start == one->end ? -1 : 1;
	return one->order < other->order ? -1 : 1;
}

bool tn_edit_apply(struct tn_edit *e, struct tn_buf *out)
{
	struct tn_str text = e->plan->text;
	uint32_t at = 0;

	if (e->cut_count > 1)
		qsort(e->cuts, e->cut_count, sizeof(*e->cuts), compare_cuts);
	for (size_t i = 0; i < e->cut_count; i++) {
		const struct tn_edit_cut *cut = &e->cuts[i];

		if (cut->end < at || (cut->start < at && cut->start == cut->end))
			continue; /* it went with what surrounds it */
		if (cut->start > at)
			tn_buf_append(out, text.data + at, cut->start - at);
		tn_buf_append_str(out, cut->text);
		at = cut->end;
	}
	tn_buf_append(out, text.data + at, text.size - at);
	return !out->failed;
}

/* ---- written pieces ---- */

void tn_edit_begin(struct tn_buf *text)
{
	tn_buf_init(text, TN_FLOOR_TEXT_BYTES_MAX);
}

struct tn_str tn_edit_keep(struct tn_edit *e, struct tn_buf *text)
{
	char *copy = text->failed ? NULL : tn_arena_copy(e->arena, tn_buf_str(text));
	size_t size = text->size;

	tn_buf_finish(text);
	if (!copy) {
		(void)tn_edit_starve(e);
		return tn_str(NULL, 0);
	}
	return tn_str(copy, size);
}

static struct tn_str number_text(struct tn_edit *e, double number)
{
	struct tn_buf out;

	tn_edit_begin(&out);
	tn_floor_put_number(&out, number);
	return tn_edit_keep(e, &out);
}

/* 6 decimals are what is written: less is no difference. */
static bool is_same(double a, double b)
{
	return fabs(a - b) < 5e-7;
}

static bool put_text(struct tn_edit *e, const struct tn_floor_length *length,
		     const struct tn_edit_length *value)
{
	uint32_t first = length->minus != TN_FLOOR_NO_TOKEN ? length->minus : length->digits;
	uint32_t last =
		length->unit_token != TN_FLOOR_NO_TOKEN ? length->unit_token : length->digits;
	struct tn_buf out;
	struct tn_str text;

	tn_edit_begin(&out);
	tn_edit_put_length(&out, value);
	if (value->unit != TN_FLOOR_NO_UNIT && is_word_byte(e->plan->text, end_of(e, last)))
		tn_buf_append_byte(&out, ' ');
	text = tn_edit_keep(e, &out);
	return text.data && tn_edit_cut(e, start_of(e, first), end_of(e, last), text);
}

bool tn_edit_put_number(struct tn_edit *e, const struct tn_floor_length *length,
			const struct tn_edit_length *value, const char *field, bool above_zero)
{
	uint32_t first = length->minus != TN_FLOOR_NO_TOKEN ? length->minus : length->digits;
	double number = value->in_plan;
	struct tn_str text;

	if (is_same(tn_floor_to_unit(e->plan, length), value->in_plan))
		return true;
	if (value->is_text)
		return put_text(e, length, value);
	if (length->unit != TN_FLOOR_NO_UNIT && length->unit != e->plan->unit)
		number = number * tn_floor_metres(e->plan->unit) / tn_floor_metres(length->unit);
	text = number_text(e, number);
	if (!text.data)
		return false;
	if (above_zero && tn_str_is(text, "0"))
		return tn_edit_fail(e, 9004, field, "that is 0 in 6 decimals; send more");
	return tn_edit_cut(e, start_of(e, first), end_of(e, length->digits), text);
}

bool tn_edit_pin(struct tn_edit *e, uint32_t name, const struct tn_floor_at *at,
		 const struct tn_floor_relative *relative, double x, double y)
{
	struct tn_buf out;
	struct tn_str text;

	if (tn_edit_written(relative->tokens) && !tn_edit_cut_clause(e, relative->tokens))
		return false;
	if (tn_edit_written(at->tokens))
		return true; /* it counts already */
	tn_edit_begin(&out);
	tn_buf_append_text(&out, " at (");
	tn_floor_put_number(&out, x);
	tn_buf_append_byte(&out, ',');
	tn_floor_put_number(&out, y);
	tn_buf_append_byte(&out, ')');
	text = tn_edit_keep(e, &out);
	return text.data && tn_edit_put_behind(e, name, text);
}

/* ---- lines ---- */

struct tn_str tn_edit_indent(const struct tn_edit *e, uint32_t token)
{
	struct tn_str text = e->plan->text;
	uint32_t start = line_start(text, start_of(e, token));

	return tn_str(text.data + start, skip_blanks(text, start, start_of(e, token)) - start);
}

struct tn_str tn_edit_line_end(const struct tn_edit *e, uint32_t token)
{
	struct tn_str text = e->plan->text;
	uint32_t stop = line_stop(text, end_of(e, token)), start;

	if (stop < text.size)
		return tn_str(text.data + stop, next_line(text, stop) - stop);
	start = line_start(text, end_of(e, token)); /* the last line: as the one before */
	if (start > 1 && text.data[start - 1] == '\n' && text.data[start - 2] == '\r')
		return TN_STR("\r\n");
	return start > 0 ? tn_str(text.data + start - 1, 1) : TN_STR("\n");
}

bool tn_edit_put_unit(struct tn_edit *e)
{
	const struct tn_floor_tree *tree = &e->plan->tree;
	const char *unit = tn_floor_unit_name(e->plan->unit);
	struct tn_buf out;
	struct tn_str text;

	tn_edit_begin(&out);
	if (tn_edit_written(tree->config_block)) {
		tn_buf_format(&out, " default_unit: %s,", unit);
		text = tn_edit_keep(e, &out); /* behind its bracket */
		return text.data && tn_edit_put_behind(e, tree->config_block.first + 1, text);
	}
	tn_buf_format(&out, "config { default_unit: %s }", unit);
	text = tn_edit_keep(e, &out);
	return text.data &&
	       tn_edit_put_line(e, tree->floorplan_word + 1, tree->floorplan_word, false, text);
}

bool tn_edit_put_line(struct tn_edit *e, uint32_t indent_token, uint32_t token, bool inside,
		      struct tn_str line)
{
	struct tn_str text = e->plan->text, end = tn_edit_line_end(e, token);
	uint32_t at = end_of(e, token), stop = line_stop(text, at);
	bool whole = ends_line(text, at, true, true);
	struct tn_buf out;

	tn_edit_begin(&out);
	if (!whole || stop == text.size)
		tn_buf_append_str(&out, end);
	tn_buf_append_str(&out, tn_edit_indent(e, indent_token));
	if (inside || !begins_line(text, start_of(e, indent_token)))
		tn_buf_append_text(&out, "  ");
	tn_buf_append_str(&out, line);
	if (!whole || stop < text.size)
		tn_buf_append_str(&out, end);
	if (whole)
		at = next_line(text, stop);
	line = tn_edit_keep(e, &out);
	return line.data && tn_edit_cut(e, at, at, line);
}
