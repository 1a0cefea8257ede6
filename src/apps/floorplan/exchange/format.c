#include "apps/floorplan/exchange/format.h"

#include "apps/floorplan/limits.h"

enum { INDENT = 2 };

struct layout {
	struct tn_str text;
	const struct tn_floor_lexed *lexed;
	struct tn_buf *out;
	uint32_t depth;       /* of brackets */
	uint32_t parentheses; /* open ones: an `at` has no blank behind its comma */
	bool line_begins;
};

static bool is_punct(const struct tn_floor_token *token, char c)
{
	return token->kind == TN_FLOOR_PUNCT && token->word == (uint16_t)c;
}

static bool is_word(const struct tn_floor_token *token, enum tn_floor_word word)
{
	return token->kind == TN_FLOOR_WORD && token->word == (uint16_t)word;
}

static bool opens(const struct tn_floor_token *token)
{
	return is_punct(token, '(') || is_punct(token, '[') || is_punct(token, '{');
}

static bool closes(const struct tn_floor_token *token)
{
	return is_punct(token, ')') || is_punct(token, ']') || is_punct(token, '}');
}

static bool is_unit(const struct tn_floor_token *token)
{
	return is_word(token, TN_WORD_m) || is_word(token, TN_WORD_ft) ||
	       is_word(token, TN_WORD_cm) || is_word(token, TN_WORD_in) ||
	       is_word(token, TN_WORD_mm);
}

/* ---- blanks between two tokens of a line ---- */

static bool never_before(const struct tn_floor_token *token)
{
	return is_punct(token, ',') || is_punct(token, ':') || is_punct(token, '.') ||
	       is_punct(token, ')') || is_punct(token, ']') || is_punct(token, '%') ||
	       (token->kind == TN_FLOOR_PUNCT && token->word == 0xB0) ||
	       token->kind == TN_FLOOR_CLOSE_DIRECTIVE;
}

static bool never_behind(const struct tn_floor_token *token)
{
	return is_punct(token, '(') || is_punct(token, '[') || is_punct(token, '.') ||
	       is_punct(token, '-') || token->kind == TN_FLOOR_OPEN_DIRECTIVE;
}

static bool wants_blank(const struct layout *layout, const struct tn_floor_token *before,
			const struct tn_floor_token *token)
{
	if (never_before(token) || never_behind(before))
		return false;
	if (before->kind == TN_FLOOR_NUMBER && is_unit(token))
		return false;
	if (is_punct(before, ',') && layout->parentheses > 0)
		return token->kind == TN_FLOOR_WORD; /* doors (left, top), but at (0,0) */
	return !(is_punct(before, '{') && is_punct(token, '}'));
}

/* ---- what lies between tokens: blanks, line ends, comments ---- */

static size_t line_end_at(struct tn_str text, size_t at)
{
	if (text.data[at] == '\r')
		return at + 1 < text.size && text.data[at + 1] == '\n' ? 2 : 1;
	return text.data[at] == '\n';
}

static size_t comment_size(struct tn_str rest)
{
	size_t size = 0;

	if (rest.size > 0 && rest.data[0] == '#') {
		while (size < rest.size && rest.data[size] != '\n' && rest.data[size] != '\r')
			size++;
		/* Blanks before the line end are no part of what is said. */
		while (size > 0 && (rest.data[size - 1] == ' ' || rest.data[size - 1] == '\t'))
			size--;
	} else if (rest.size > 1 && rest.data[0] == '/' && rest.data[1] == '*') {
		size_t end = tn_str_find(tn_str_from_offset(rest, 2), TN_STR("*/"));

		size = end == TN_STR_NONE ? rest.size : end + 4;
	}
	return size;
}

static void put_indent(struct layout *layout, uint32_t depth)
{
	for (uint32_t i = 0; i < INDENT * depth; i++)
		tn_buf_append_byte(layout->out, ' ');
	layout->line_begins = false;
}

static void put_comment(struct layout *layout, struct tn_str comment, uint32_t depth)
{
	if (layout->line_begins)
		put_indent(layout, depth);
	else if (layout->out->size > 0)
		tn_buf_append_byte(layout->out, ' ');
	tn_buf_append_str(layout->out, comment);
}

/* `depth`: of a line that begins here. Returns whether there was a comment behind which a blank is
 * due. */
static bool put_between(struct layout *layout, struct tn_str between, uint32_t depth, bool first)
{
	unsigned lines = layout->line_begins ? 1 : 0;
	bool commented = false;
	size_t at = 0;

	while (at < between.size) {
		size_t end = line_end_at(between, at),
		       comment = comment_size(tn_str_from_offset(between, at));

		if (end > 0) {
			/* One empty line is enough, and none at the beginning. */
			if (lines < 2 && !(first && layout->out->size == 0))
				tn_buf_append(layout->out, between.data + at, end);
			lines++;
			layout->line_begins = true;
			commented = false;
		} else if (comment > 0) {
			put_comment(layout, tn_str(between.data + at, comment), depth);
			lines = 0;
			commented = true;
		}
		at += end > 0 ? end : comment > 0 ? comment : 1;
	}
	return commented;
}

/* ---- tokens ---- */

/* Lines that go on with what the line before began stand deeper: only these begin something. */
static bool begins_element(const struct tn_floor_token *tokens, uint32_t index)
{
	static const enum tn_floor_word words[] = {
		TN_WORD_define, TN_WORD_config, TN_WORD_floor,   TN_WORD_room,    TN_WORD_sub_room,
		TN_WORD_stair,  TN_WORD_lift,   TN_WORD_connect, TN_WORD_vertical};
	const struct tn_floor_token *token = &tokens[index];

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (is_word(token, words[i]))
			return true;
	/* `style NAME {`, and not a room's clause. */
	return is_word(token, TN_WORD_style) && tokens[index + 1].kind == TN_FLOOR_NAME &&
	       is_punct(&tokens[index + 2], '{');
}

static bool goes_on(const struct layout *layout, uint32_t index)
{
	const struct tn_floor_token *tokens = layout->lexed->tokens, *token = &tokens[index];

	if (index == 0 || token->kind == TN_FLOOR_END || closes(token))
		return false;
	if (token->kind == TN_FLOOR_OPEN_DIRECTIVE || begins_element(tokens, index))
		return false;
	if (tokens[index - 1].kind == TN_FLOOR_CLOSE_DIRECTIVE)
		return false;
	/* Entries of a block: `theme: dark`, `top: door`. */
	return !opens(&tokens[index - 1]) && !is_punct(&tokens[index - 1], ',');
}

static void count_brackets(struct layout *layout, const struct tn_floor_token *token)
{
	if (opens(token)) {
		layout->depth++;
		layout->parentheses += is_punct(token, '(');
	} else if (closes(token) && layout->depth > 0) {
		layout->depth--;
		if (is_punct(token, ')') && layout->parentheses > 0)
			layout->parentheses--;
	}
}

/* `floorplan` has no brackets, and what it holds stands deeper. */
static uint32_t depth_of(const struct layout *layout, uint32_t index, bool inside)
{
	const struct tn_floor_token *token = &layout->lexed->tokens[index];
	uint32_t depth = layout->depth + inside;

	if (closes(token) && layout->depth > 0)
		depth--;
	return depth + goes_on(layout, index);
}

static void put_tokens(struct layout *layout)
{
	const struct tn_floor_lexed *lexed = layout->lexed;
	size_t done = lexed->body;
	bool inside = false;

	for (uint32_t i = 0; i < lexed->count; i++) {
		const struct tn_floor_token *token = &lexed->tokens[i];
		bool end = token->kind == TN_FLOOR_END, last = i + 1 == lexed->count;
		struct tn_str between = tn_str(layout->text.data + done, token->range.start - done);
		uint32_t depth = depth_of(layout, i, inside);
		bool commented;

		if (last)
			between = tn_str_from_offset(layout->text, done);
		commented = put_between(layout, between, depth, i == 0);
		if (end)
			break;
		if (layout->line_begins)
			put_indent(layout, depth);
		else if (i > 0 && (commented || wants_blank(layout, token - 1, token)))
			tn_buf_append_byte(layout->out, ' ');
		tn_buf_append_str(layout->out, tn_floor_token_text(lexed, i));
		count_brackets(layout, token);
		inside = inside || is_word(token, TN_WORD_floorplan);
		done = token->range.end;
	}
}

static struct tn_str first_line_end(struct tn_str text)
{
	for (size_t i = 0; i < text.size; i++)
		if (line_end_at(text, i) > 0)
			return tn_str(text.data + i, line_end_at(text, i));
	return tn_str("", 0);
}

/* Empty lines at the end go, and the last line ends as the first one does: as the first that is
 * kept, or formatting again could find another one. */
static void end_text(struct tn_buf *out, struct tn_str text)
{
	struct tn_str end;

	while (out->size > 0 && strchr(" \t\r\n", out->data[out->size - 1]))
		out->size--;
	if (out->size == 0)
		return;
	end = first_line_end(tn_buf_str(out));
	if (end.size == 0)
		end = first_line_end(text);
	tn_buf_append_text(out, end.size == 0         ? "\n"
				: end.size == 2       ? "\r\n"
				: end.data[0] == '\r' ? "\r"
						      : "\n");
}

/* ---- the promise ---- */

static bool is_same(const struct tn_floor_lexed *a, const struct tn_floor_lexed *b)
{
	if (a->count != b->count)
		return false;
	for (uint32_t i = 0; i < a->count; i++)
		if (a->tokens[i].kind != b->tokens[i].kind ||
		    !tn_str_equal(tn_floor_token_text(a, i), tn_floor_token_text(b, i)))
			return false;
	return true;
}

static enum tenon_code parse(struct tn_str text, struct tn_arena *arena, struct tn_floor_tree *ret,
			     struct tenon_error *err)
{
	struct tn_floor_diagnostics list;

	tn_floor_diagnostics_init(&list, arena);
	if (!tn_floor_parse(text, arena, &list, ret))
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	return ret->parses ? TENON_OK
			   : tn_fail(err, TENON_INVALID,
				     "the text has syntax errors, so it is left "
				     "as it is");
}

static enum tenon_code lay_out(struct tn_str text, struct tn_arena *arena, struct tn_buf *out,
			       struct tenon_error *err)
{
	struct tn_floor_tree before, after;
	struct layout layout = {.text = text, .lexed = &before.lexed, .out = out};
	enum tenon_code code = parse(text, arena, &before, err);

	if (code != TENON_OK)
		return code;
	tn_buf_append(out, text.data, before.lexed.body);
	layout.line_begins = out->size == 0 || strchr("\r\n", out->data[out->size - 1]);
	if (out->size == 0 && tn_str_starts(text, TN_STR("\xef\xbb\xbf")))
		tn_buf_append_text(out, "\xef\xbb\xbf");
	put_tokens(&layout);
	end_text(out, text);
	code = tn_buf_check(out, err);
	if (code == TENON_OK)
		code = parse(tn_buf_str(out), arena, &after, err);
	if (code == TENON_OK && !is_same(&before.lexed, &after.lexed))
		code = tn_fail(err, TENON_INTERNAL, "the layout would change what is said");
	return code;
}

enum tenon_code tn_floor_format(struct tn_str text, struct tn_buf *out, struct tenon_error *err)
{
	struct tn_arena arena;
	enum tenon_code code;

	tn_arena_init(&arena, TN_FLOOR_ARENA_MAX);
	code = lay_out(text, &arena, out, err);
	tn_arena_finish(&arena);
	return code;
}
