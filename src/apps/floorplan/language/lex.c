#include "apps/floorplan/language/lex.h"

#include <string.h>

#include "apps/floorplan/language/lex_text.h"
#include "apps/floorplan/limits.h"
#include "base/size.h"

enum { FIRST_TOKENS = 256, MULTIPLICATION_SIGN = 0xD7, DEGREE_SIGN = 0xB0 };

static const struct {
	const char *text;
	uint8_t size;
} words[TN_WORD_COUNT] = {
#define X(identifier, text) {text, sizeof(text) - 1},
	TN_FLOOR_WORDS(X)
#undef X
};

/* Words with a hyphen (L9), the longest first. */
static const enum tn_floor_word hyphenated[] = {
	TN_WORD_above_right_of, TN_WORD_below_right_of, TN_WORD_above_left_of,
	TN_WORD_below_left_of,  TN_WORD_inner_radius,   TN_WORD_outer_radius,
	TN_WORD_double_door,    TN_WORD_L_shaped,       TN_WORD_U_shaped,
	TN_WORD_right_of,       TN_WORD_sub_room,       TN_WORD_double_L,
	TN_WORD_left_of};

struct lexer {
	struct tn_floor_cursor cursor;
	struct tn_arena *arena;
	struct tn_floor_diagnostics *list;
	struct tn_floor_token *tokens;
	uint32_t count, room;
	bool starved, full;
	bool is_part; /* of a text: hyphens are told of here, as nothing is parsed behind it */
};

/* ---- words ---- */

static bool is_word(struct tn_str text, enum tn_floor_word word)
{
	return text.size == words[word].size && memcmp(text.data, words[word].text, text.size) == 0;
}

/* TN_WORD_COUNT: no reserved word. They stand in no order that could be searched, but a name's
 * first letter and its size rule out most of them. */
static enum tn_floor_word find_word(struct tn_str text)
{
	for (unsigned i = 0; i < TN_WORD_COUNT; i++) {
		if (words[i].size == text.size && words[i].text[0] == text.data[0] &&
		    is_word(text, (enum tn_floor_word)i))
			return (enum tn_floor_word)i;
	}
	return TN_WORD_COUNT;
}

bool tn_floor_is_reserved(struct tn_str word)
{
	return word.size > 0 && find_word(word) < TN_WORD_COUNT;
}

bool tn_floor_is_name(struct tn_str text)
{
	if (text.size == 0 || text.size > TN_FLOOR_NAME_BYTES_MAX || tn_floor_is_reserved(text) ||
	    !tn_floor_is_name_start((unsigned char)text.data[0]))
		return false;
	for (size_t i = 1; i < text.size; i++) {
		if (!tn_floor_is_name_part((unsigned char)text.data[i]))
			return false;
	}
	return true;
}

const char *tn_floor_word_text(enum tn_floor_word word)
{
	return words[word].text;
}

/* ---- tokens ---- */

static bool grow(struct lexer *lexer)
{
	uint32_t room = lexer->room ? 2 * lexer->room : FIRST_TOKENS;
	struct tn_floor_token *tokens = tn_arena_alloc_array(lexer->arena, room, sizeof(*tokens));

	if (!tokens) {
		lexer->starved = true;
		return false;
	}
	if (lexer->count > 0)
		memcpy(tokens, lexer->tokens, lexer->count * sizeof(*tokens));
	lexer->tokens = tokens;
	lexer->room = room;
	return true;
}

static struct tn_floor_token *add(struct lexer *lexer, enum tn_floor_token_kind kind,
				  const struct tn_floor_range *range)
{
	struct tn_floor_token *token;

	if (lexer->count == TN_FLOOR_TOKENS_MAX && kind != TN_FLOOR_END) {
		if (!lexer->full)
			(void)tn_floor_diagnose(lexer->list, 4, range,
						"more than %d words and signs; this plan is too "
						"large to be read",
						TN_FLOOR_TOKENS_MAX);
		lexer->full = true;
		return NULL;
	}
	if (lexer->count == lexer->room && !grow(lexer))
		return NULL;
	token = &lexer->tokens[lexer->count++];
	*token = (struct tn_floor_token){.kind = (uint8_t)kind, .range = *range};
	return token;
}

static struct tn_str text_between(const struct tn_floor_cursor *from,
				  const struct tn_floor_cursor *to)
{
	return tn_str(from->text.data + from->at, to->at - from->at);
}

/* The token before, if nothing stands between it and the cursor. */
static const struct tn_floor_token *adjacent(const struct lexer *lexer)
{
	const struct tn_floor_token *last =
		lexer->count > 0 ? &lexer->tokens[lexer->count - 1] : NULL;

	return last && last->range.end == lexer->cursor.at ? last : NULL;
}

static bool is_unit(const struct tn_floor_token *token)
{
	return token->kind == TN_FLOOR_WORD &&
	       (token->word == TN_WORD_m || token->word == TN_WORD_ft ||
		token->word == TN_WORD_cm || token->word == TN_WORD_in ||
		token->word == TN_WORD_mm);
}

/* ---- comments ---- */

static void skip_line(struct tn_floor_cursor *cursor)
{
	while (!tn_floor_at_end(cursor) && tn_floor_byte(cursor, 0) != '\n' &&
	       tn_floor_byte(cursor, 0) != '\r')
		tn_floor_step(cursor);
}

static void skip_comment(struct lexer *lexer)
{
	struct tn_floor_cursor start = lexer->cursor, behind;
	struct tn_floor_range range;

	tn_floor_step(&lexer->cursor);
	tn_floor_step(&lexer->cursor);
	behind = lexer->cursor;
	while (!tn_floor_at_end(&lexer->cursor)) {
		bool ends = tn_floor_byte(&lexer->cursor, 0) == '*' &&
			    tn_floor_byte(&lexer->cursor, 1) == '/';

		tn_floor_step(&lexer->cursor);
		if (ends) {
			tn_floor_step(&lexer->cursor);
			return;
		}
	}
	range = tn_floor_range_between(&start, &behind);
	(void)tn_floor_diagnose(lexer->list, 1002, &range,
				"this comment is never closed; end it with */");
}

/* False: no blank and no comment here. */
static bool skip_blank(struct lexer *lexer)
{
	char byte = tn_floor_byte(&lexer->cursor, 0);

	if (byte == '#') {
		skip_line(&lexer->cursor);
	} else if (byte == '/' && tn_floor_byte(&lexer->cursor, 1) == '*') {
		skip_comment(lexer);
	} else if (tn_floor_is_blank(tn_floor_peek(&lexer->cursor))) {
		tn_floor_step(&lexer->cursor);
	} else {
		return false;
	}
	return true;
}

/* ---- strings and numbers ---- */

static void lex_string(struct lexer *lexer)
{
	struct tn_floor_cursor start = lexer->cursor, line_end;
	char quote = tn_floor_byte(&start, 0);
	struct tn_floor_range range;
	struct tn_floor_token *token;

	tn_floor_step(&lexer->cursor);
	while (!tn_floor_at_end(&lexer->cursor) && tn_floor_byte(&lexer->cursor, 0) != quote)
		tn_floor_step(&lexer->cursor);
	if (tn_floor_at_end(&lexer->cursor)) {
		line_end = start;
		skip_line(&line_end);
		range = tn_floor_range_between(&start, &line_end);
		(void)tn_floor_diagnose(lexer->list, 1004, &range,
					"this string is never closed; end it with %c", quote);
		lexer->cursor = line_end; /* 5.2 */
	} else {
		tn_floor_step(&lexer->cursor);
	}
	range = tn_floor_range_between(&start, &lexer->cursor);
	token = add(lexer, TN_FLOOR_STRING, &range);
	if (token && range.end - range.start > TN_FLOOR_STRING_BYTES_MAX + 2)
		(void)tn_floor_diagnose(lexer->list, 4, &range,
					"a text of %u bytes; at most %d are read",
					range.end - range.start - 2, TN_FLOOR_STRING_BYTES_MAX);
}

static void skip_digits(struct tn_floor_cursor *cursor)
{
	while (tn_is_digit(tn_floor_byte(cursor, 0)))
		tn_floor_step(cursor);
}

static void lex_number(struct lexer *lexer)
{
	struct tn_floor_cursor start = lexer->cursor;
	struct tn_floor_range range;
	struct tn_floor_token *token;
	bool bad = tn_floor_byte(&start, 0) == '.';
	struct tn_str text;

	skip_digits(&lexer->cursor);
	if (tn_floor_byte(&lexer->cursor, 0) == '.') {
		bad = bad || !tn_is_digit(tn_floor_byte(&lexer->cursor, 1));
		tn_floor_step(&lexer->cursor);
		skip_digits(&lexer->cursor);
	}
	range = tn_floor_range_between(&start, &lexer->cursor);
	text = text_between(&start, &lexer->cursor);
	token = add(lexer, TN_FLOOR_NUMBER, &range);
	if (!token || !bad)
		return;
	token->bad = true;
	(void)tn_floor_diagnose(lexer->list, 1003, &range,
				"'%.*s' is no number; write digits before and after the point",
				(int)(text.size > 40 ? 40 : text.size), text.data);
}

/* ---- names and words ---- */

static bool starts_word(const struct tn_floor_cursor *cursor, enum tn_floor_word word)
{
	struct tn_str rest = tn_str_from_offset(cursor->text, cursor->at);
	char next;

	if (rest.size < words[word].size ||
	    memcmp(rest.data, words[word].text, words[word].size) != 0)
		return false;
	next = tn_floor_byte(cursor, words[word].size);
	return !tn_floor_is_name_part((unsigned char)next) && next != '-';
}

static bool lex_hyphenated(struct lexer *lexer)
{
	for (size_t i = 0; i < TN_COUNT(hyphenated); i++) {
		struct tn_floor_cursor start = lexer->cursor;
		struct tn_floor_range range;
		struct tn_floor_token *token;

		if (!starts_word(&start, hyphenated[i]))
			continue;
		for (uint8_t step = 0; step < words[hyphenated[i]].size; step++)
			tn_floor_step(&lexer->cursor);
		range = tn_floor_range_between(&start, &lexer->cursor);
		token = add(lexer, TN_FLOOR_WORD, &range);
		if (token)
			token->word = (uint16_t)hyphenated[i];
		return true;
	}
	return false;
}

/* L7: how many bytes of "ftx12" or "x12" are a unit, and whether an x follows before a digit. */
static bool splits(const struct lexer *lexer, uint32_t *ret_unit)
{
	static const char *const units[] = {"mm", "cm", "ft", "in", "m", ""};
	const struct tn_floor_token *last =
		lexer->count > 0 ? &lexer->tokens[lexer->count - 1] : NULL;

	if (!last || (last->kind != TN_FLOOR_NUMBER && !is_unit(last)))
		return false;
	for (size_t i = 0; i < TN_COUNT(units); i++) {
		uint32_t size = (uint32_t)strlen(units[i]);
		struct tn_str rest = tn_str_from_offset(lexer->cursor.text, lexer->cursor.at);

		if (size > 0 && last->kind != TN_FLOOR_NUMBER)
			continue;
		if (!tn_str_starts(rest, tn_str(units[i], size)) ||
		    tn_floor_byte(&lexer->cursor, size) != 'x' ||
		    !tn_is_digit(tn_floor_byte(&lexer->cursor, size + 1)))
			continue;
		*ret_unit = size;
		return true;
	}
	return false;
}

static void add_part(struct lexer *lexer, uint32_t size)
{
	struct tn_floor_cursor start = lexer->cursor;
	struct tn_floor_range range;
	struct tn_floor_token *token;

	for (uint32_t i = 0; i < size; i++)
		tn_floor_step(&lexer->cursor);
	range = tn_floor_range_between(&start, &lexer->cursor);
	token = add(lexer, TN_FLOOR_WORD, &range);
	if (token)
		token->word = (uint16_t)find_word(text_between(&start, &lexer->cursor));
}

static bool is_hyphen_of_name(const struct tn_floor_cursor *cursor)
{
	return tn_floor_byte(cursor, 0) == '-' &&
	       tn_floor_is_name_part((unsigned char)tn_floor_byte(cursor, 1));
}

struct run { /* a run of letters as it was found */
	struct tn_floor_cursor start, foreign;
	bool has_foreign, has_hyphen;
};

static void skip_run(struct lexer *lexer, struct run *run)
{
	*run = (struct run){.start = lexer->cursor};
	for (;;) {
		uint32_t c = tn_floor_peek(&lexer->cursor);

		if (c >= 0x80 && tn_floor_is_letter(c)) {
			if (!run->has_foreign)
				run->foreign = lexer->cursor;
			run->has_foreign = true;
		} else if (is_hyphen_of_name(&lexer->cursor)) {
			run->has_hyphen = true;
		} else if (!tn_floor_is_name_part(c)) {
			return;
		}
		tn_floor_step(&lexer->cursor);
	}
}

static void tell_run(struct lexer *lexer, const struct run *run, struct tn_floor_token *token)
{
	struct tn_floor_range range = token->range;
	struct tn_str text = text_between(&run->start, &lexer->cursor);
	int shown = (int)(text.size > 60 ? 60 : text.size);

	token->bad = run->has_foreign;
	token->hyphen = run->has_hyphen && !run->has_foreign;
	if (run->has_foreign) {
		struct tn_floor_cursor behind = run->foreign;
		struct tn_str letter;

		tn_floor_step(&behind);
		letter = text_between(&run->foreign, &behind);
		range = tn_floor_range_between(&run->foreign, &behind);
		(void)tn_floor_diagnose(lexer->list, 1001, &range,
					"'%.*s' cannot stand in a name; use letters a to z, digits "
					"and _, and a label for the rest",
					(int)letter.size, letter.data);
	} else if (run->has_hyphen && lexer->is_part) {
		(void)tn_floor_diagnose(lexer->list, 1014, &range,
					"the name '%.*s' has a hyphen; write _ instead", shown,
					text.data);
	} else if (text.size > TN_FLOOR_NAME_BYTES_MAX) {
		(void)tn_floor_diagnose(lexer->list, 4, &range,
					"a name of %zu bytes; at most %d are read", text.size,
					TN_FLOOR_NAME_BYTES_MAX);
	}
}

static void lex_name(struct lexer *lexer)
{
	struct tn_floor_range range;
	struct tn_floor_token *token;
	enum tn_floor_word word;
	struct run run;
	uint32_t unit;

	if (splits(lexer, &unit)) {
		if (unit > 0)
			add_part(lexer, unit);
		add_part(lexer, 1);
		return;
	}
	if (lex_hyphenated(lexer))
		return;
	skip_run(lexer, &run);
	range = tn_floor_range_between(&run.start, &lexer->cursor);
	word = find_word(text_between(&run.start, &lexer->cursor));
	token = add(lexer, word < TN_WORD_COUNT ? TN_FLOOR_WORD : TN_FLOOR_NAME, &range);
	if (!token)
		return;
	token->word = (uint16_t)word;
	tell_run(lexer, &run, token);
}

/* ---- signs ---- */

static bool lex_directive(struct lexer *lexer)
{
	struct tn_str rest = tn_str_from_offset(lexer->cursor.text, lexer->cursor.at);
	struct tn_floor_cursor start = lexer->cursor;
	bool open = tn_str_starts(rest, TN_STR("%%{"));
	struct tn_floor_range range;

	if (!open && !tn_str_starts(rest, TN_STR("}%%")))
		return false;
	for (size_t i = 0; i < sizeof("%%{") - 1; i++)
		tn_floor_step(&lexer->cursor);
	range = tn_floor_range_between(&start, &lexer->cursor);
	(void)add(lexer, open ? TN_FLOOR_OPEN_DIRECTIVE : TN_FLOOR_CLOSE_DIRECTIVE, &range);
	return true;
}

static void lex_sign(struct lexer *lexer)
{
	struct tn_floor_cursor start = lexer->cursor;
	uint32_t c = tn_floor_peek(&start);
	bool known = c == DEGREE_SIGN || c == MULTIPLICATION_SIGN ||
		     (c < 0x80 && strchr("(){}[],:.%-", (int)c));
	struct tn_floor_range range;
	struct tn_floor_token *token;
	struct tn_str text;

	tn_floor_step(&lexer->cursor);
	range = tn_floor_range_between(&start, &lexer->cursor);
	text = text_between(&start, &lexer->cursor);
	if (!known) {
		(void)tn_floor_diagnose(lexer->list, 1001, &range, "unexpected character '%.*s'",
					(int)text.size, text.data);
		return;
	}
	token = add(lexer, c == MULTIPLICATION_SIGN ? TN_FLOOR_WORD : TN_FLOOR_PUNCT, &range);
	if (token)
		token->word = (uint16_t)(c == MULTIPLICATION_SIGN ? TN_WORD_x : c);
}

/* ".5" is a malformed number, but in "1.0.0" and "A.right" the point is a sign. */
static bool starts_number(const struct lexer *lexer)
{
	const struct tn_floor_token *before;

	if (tn_is_digit(tn_floor_byte(&lexer->cursor, 0)))
		return true;
	if (tn_floor_byte(&lexer->cursor, 0) != '.' ||
	    !tn_is_digit(tn_floor_byte(&lexer->cursor, 1)))
		return false;
	before = adjacent(lexer);
	return !before || before->kind != TN_FLOOR_NUMBER || before->bad;
}

static void lex_one(struct lexer *lexer)
{
	uint32_t c = tn_floor_peek(&lexer->cursor);

	if (c == '"' || c == '\'')
		lex_string(lexer);
	else if (starts_number(lexer))
		lex_number(lexer);
	else if (tn_floor_is_name_start(c) || (c >= 0x80 && tn_floor_is_letter(c)))
		lex_name(lexer);
	else if (!lex_directive(lexer))
		lex_sign(lexer);
}

/* ---- all of it ---- */

/* Just behind the last character that is no blank. */
static void add_end(struct lexer *lexer)
{
	struct tn_floor_cursor cursor = tn_floor_cursor_at_start(lexer->cursor.text);
	struct tn_floor_cursor end = cursor;
	struct tn_floor_range range;

	while (!tn_floor_at_end(&cursor)) {
		bool blank = tn_floor_is_blank(tn_floor_peek(&cursor));

		tn_floor_step(&cursor);
		if (!blank)
			end = cursor;
	}
	range = tn_floor_range_between(&end, &end);
	(void)add(lexer, TN_FLOOR_END, &range);
}

bool tn_floor_lex(struct tn_str text, uint32_t front, struct tn_arena *arena,
		  struct tn_floor_diagnostics *list, struct tn_floor_lexed *ret)
{
	struct lexer lexer = {
		.cursor = tn_floor_cursor_at_start(text), .arena = arena, .list = list};

	while (lexer.cursor.at < front && !tn_floor_at_end(&lexer.cursor))
		tn_floor_step(&lexer.cursor);
	while (!tn_floor_at_end(&lexer.cursor) && !lexer.starved && !lexer.full) {
		if (!skip_blank(&lexer))
			lex_one(&lexer);
	}
	add_end(&lexer);
	*ret = (struct tn_floor_lexed){
		.text = text, .tokens = lexer.tokens, .count = lexer.count, .body = front};
	return !lexer.starved;
}

bool tn_floor_lex_part(struct tn_str text, uint32_t from, uint32_t line, struct tn_arena *arena,
		       struct tn_floor_diagnostics *list, struct tn_floor_lexed *ret)
{
	struct lexer lexer = {.cursor = {.text = text, .at = from, .line = line, .column = 1},
			      .arena = arena,
			      .list = list,
			      .is_part = true};
	struct tn_floor_range end;

	while (!tn_floor_at_end(&lexer.cursor) && !lexer.starved && !lexer.full) {
		if (!skip_blank(&lexer))
			lex_one(&lexer);
	}
	end = tn_floor_range_between(&lexer.cursor, &lexer.cursor);
	(void)add(&lexer, TN_FLOOR_END, &end);
	*ret = (struct tn_floor_lexed){.text = text, .tokens = lexer.tokens, .count = lexer.count};
	return !lexer.starved;
}

struct tn_str tn_floor_token_text(const struct tn_floor_lexed *lexed, uint32_t index)
{
	const struct tn_floor_range *range = &lexed->tokens[index].range;

	return tn_str(lexed->text.data + range->start, range->end - range->start);
}

struct tn_floor_range tn_floor_span(const struct tn_floor_lexed *lexed, uint32_t first,
				    uint32_t last)
{
	struct tn_floor_range range = lexed->tokens[first].range;
	const struct tn_floor_range *end = &lexed->tokens[last].range;

	range.end = end->end;
	range.end_line = end->end_line;
	range.end_column = end->end_column;
	return range;
}
