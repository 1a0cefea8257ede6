#include "apps/terminal/history/internal.h"

#include <string.h>
#include <utf8proc.h>

#include "apps/terminal/redact/regex_literal.h"
#include "base/utf8.h"

/* What the tokenizer of the index (unicode61) takes as part of a word. Marks belong to the letter
 * before them. */
static bool is_word_character(uint32_t code)
{
	switch (utf8proc_category((utf8proc_int32_t)code)) {
	case UTF8PROC_CATEGORY_LU:
	case UTF8PROC_CATEGORY_LL:
	case UTF8PROC_CATEGORY_LT:
	case UTF8PROC_CATEGORY_LM:
	case UTF8PROC_CATEGORY_LO:
	case UTF8PROC_CATEGORY_ND:
	case UTF8PROC_CATEGORY_NL:
	case UTF8PROC_CATEGORY_NO:
	case UTF8PROC_CATEGORY_CO:
	case UTF8PROC_CATEGORY_MN:
	case UTF8PROC_CATEGORY_MC:
		return true;
	default:
		return false;
	}
}

/* Appends the letters and digits of a word as a quoted phrase, blanks in place of the rest. Nothing
 * of the query but these gets into the expression, so none can be wrong.
 * *ret_other: there was something else. *ret_last: where the last run of letters and digits begins
 * in `out`. False: there are no letters. */
static bool put_phrase(struct tn_str word, struct tn_buf *out, bool *ret_other, size_t *ret_last)
{
	bool any = false, inside = false;

	*ret_other = false;
	tn_buf_append_byte(out, '"');
	for (size_t at = 0; at < word.size;) {
		uint32_t code = 0;
		size_t size = tn_utf8_decode(word.data + at, word.size - at, &code);
		bool letter = size > 0 && is_word_character(code);

		if (letter && !inside)
			*ret_last = out->size;
		if (letter) {
			tn_buf_append(out, word.data + at, size);
			any = true;
		} else {
			tn_buf_append_byte(out, ' ');
			*ret_other = true;
		}
		inside = letter;
		at += size ? size : 1;
	}
	tn_buf_append_byte(out, '"');
	return any;
}

/* The index goes through all that begins with a letter or two for as long as through all there is.
 * Behind punctuation they need not be asked for: who has the word literally has them. */
static bool cut_short_end(const struct tn_history_query *query, struct tn_buf *match, size_t before,
			  size_t last)
{
	enum { SHORT = 2 };
	size_t begin = before + (before > 0) + 1; /* behind the blank and the quote */
	bool alone = true;

	for (size_t at = begin; at < last && alone; at++)
		alone = match->data[at] == ' ';
	if (last == begin || match->size - 1 - last > SHORT || (alone && query->phrase_count == 0))
		return false;
	match->size = alone ? before : last;
	if (!alone)
		tn_buf_append_byte(match, '"');
	return true;
}

static enum tenon_code add_word(struct tn_history_query *query, struct tn_str word, bool prefix,
				struct tn_buf *match, struct tenon_error *err)
{
	size_t before = match->size, last = 0;
	bool other;

	if (query->literal_count + query->phrase_count >= TN_HISTORY_WORDS_MAX)
		return tn_fail(err, TENON_INVALID, "more than %d words", TN_HISTORY_WORDS_MAX);
	if (before > 0)
		tn_buf_append_byte(match, ' ');
	if (!put_phrase(word, match, &other, &last))
		match->size = before;
	else if (!prefix)
		query->phrase_count++;
	else if (other && cut_short_end(query, match, before, last))
		query->phrase_count += match->size > before;
	else {
		query->phrase_count++;
		tn_buf_append_byte(match, '*');
	}
	if (other)
		query->literals[query->literal_count++] = word;
	return TENON_OK;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static enum tenon_code add_words(struct tn_history_query *query, struct tn_str text,
				 struct tn_buf *match, struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;

	text = tn_str_trim(text);
	for (size_t at = 0; at < text.size && code == TENON_OK;) {
		size_t begin = at;

		while (at < text.size && !is_blank(text.data[at]))
			at++;
		if (at > begin)
			code = add_word(query, tn_str(text.data + begin, at - begin),
					at == text.size, match, err);
		while (at < text.size && is_blank(text.data[at]))
			at++;
	}
	return code;
}

static enum tenon_code add_all(struct tn_history_query *query, enum tn_history_syntax syntax,
			       struct tn_str text, struct tn_buf *match, struct tenon_error *err)
{
	struct tn_str trimmed = tn_str_trim(text);

	switch (syntax) {
	case TN_HISTORY_WORDS:
		return add_words(query, text, match, err);
	case TN_HISTORY_PHRASE:
		return trimmed.size ? add_word(query, trimmed, false, match, err) : TENON_OK;
	case TN_HISTORY_FTS:
		query->ranked = true;
		query->phrase_count = 1;
		tn_buf_append_str(match, trimmed);
		return TENON_OK;
	case TN_HISTORY_REGEX:
		return tn_regex_compile(text, false, &query->regex, err);
	}
	return TENON_OK;
}

/* A phrase whose blanks are its only punctuation needs no second look. */
static void drop_blank_literal(struct tn_history_query *query)
{
	struct tn_str text = query->literals[0];

	for (size_t at = 0; at < text.size;) {
		uint32_t code = 0;
		size_t size = tn_utf8_decode(text.data + at, text.size - at, &code);

		if (!is_blank(text.data[at]) && (size == 0 || !is_word_character(code)))
			return;
		at += size ? size : 1;
	}
	query->literal_count = 0;
}

/* All words as one phrase: what has them like that is a better match. */
static enum tenon_code add_whole(struct tn_history_query *query, struct tn_str text,
				 struct tn_arena *arena, struct tenon_error *err)
{
	struct tn_buf phrase;
	enum tenon_code code;
	size_t last;
	bool other;

	tn_buf_init(&phrase, TN_MIB);
	(void)put_phrase(text, &phrase, &other, &last);
	tn_buf_append_byte(&phrase, '*');
	code = tn_buf_check(&phrase, err);
	if (code == TENON_OK) {
		query->phrase.data = tn_arena_copy(arena, tn_buf_str(&phrase));
		query->phrase.size = phrase.size;
		if (!query->phrase.data)
			code = tn_fail(err, TENON_NO_MEMORY, "out of memory");
	}
	tn_buf_finish(&phrase);
	return code;
}

enum tenon_code tn_history_query_init(struct tn_history_query *query, enum tn_history_syntax syntax,
				      struct tn_str text, struct tn_arena *arena,
				      struct tenon_error *err)
{
	struct tn_buf match;
	enum tenon_code code;

	*query = (struct tn_history_query){0};
	tn_buf_init(&match, TN_MIB);
	code = add_all(query, syntax, text, &match, err);
	if (code == TENON_OK)
		code = tn_buf_check(&match, err);
	if (code == TENON_OK && match.size) {
		query->match.data = tn_arena_copy(arena, tn_buf_str(&match));
		query->match.size = match.size;
		if (!query->match.data)
			code = tn_fail(err, TENON_NO_MEMORY, "out of memory");
	}
	if (code == TENON_OK && syntax == TN_HISTORY_WORDS && query->match.size)
		code = add_whole(query, tn_str_trim(text), arena, err);
	if (syntax == TN_HISTORY_PHRASE && query->literal_count)
		drop_blank_literal(query);
	tn_buf_finish(&match);
	return code;
}

void tn_history_query_finish(struct tn_history_query *query)
{
	tn_regex_free(query->regex);
	query->regex = NULL;
}

/* ---- literally, without case ---- */

static uint32_t lower_at(struct tn_str text, size_t at, size_t *ret_size)
{
	uint32_t code;
	size_t size;

	if ((unsigned char)text.data[at] < 0x80) {
		*ret_size = 1;
		return (unsigned char)tn_to_lower(text.data[at]);
	}
	size = tn_utf8_decode(text.data + at, text.size - at, &code);
	*ret_size = size ? size : 1;
	return size ? (uint32_t)utf8proc_tolower((utf8proc_int32_t)code) : TN_UTF8_REPLACEMENT;
}

/* Blanks of a phrase stand for any blanks. */
static bool starts_with(struct tn_str text, size_t at, struct tn_str needle)
{
	for (size_t i = 0; i < needle.size;) {
		size_t needle_size, text_size;

		if (at >= text.size)
			return false;
		if (is_blank(needle.data[i])) {
			if (!is_blank(text.data[at]))
				return false;
			while (i < needle.size && is_blank(needle.data[i]))
				i++;
			while (at < text.size && is_blank(text.data[at]))
				at++;
			continue;
		}
		if (lower_at(needle, i, &needle_size) != lower_at(text, at, &text_size))
			return false;
		i += needle_size;
		at += text_size;
	}
	return true;
}

/* So many bytes of the needle are ASCII that only ASCII is like: the Kelvin sign is a `k`, a
 * capital `i` may have its dot. */
static size_t count_fixed(struct tn_str needle)
{
	size_t count = 0;

	while (count < needle.size && (unsigned char)needle.data[count] < 0x80 &&
	       !is_blank(needle.data[count]) && needle.data[count] != '\0' &&
	       !strchr("iIkK", needle.data[count]))
		count++;
	return count;
}

struct either { /* the next places of a letter, small and capital */
	const char *next[2];
	char letter[2];
};

/* The first place from `at` on; NULL: none. */
static const char *find_either(struct either *either, const char *at, const char *end)
{
	for (int i = 0; i < 2; i++) {
		if (either->next[i] && either->next[i] < at)
			either->next[i] = memchr(at, either->letter[i], (size_t)(end - at));
	}
	if (!either->next[0] || (either->next[1] && either->next[1] < either->next[0]))
		return either->next[1];
	return either->next[0];
}

/* By the rarest of the needle's first `fixed` bytes. */
static size_t find_fixed(struct tn_str text, struct tn_str needle, size_t fixed, size_t from)
{
	size_t offset = tn_regex_rarest(needle.data, fixed);
	const char *end = text.data + text.size, *at = text.data + from + offset;
	char small = tn_to_lower(needle.data[offset]);
	struct either either = {.letter = {small, small}};

	if (text.size < from || text.size - from <= offset)
		return TN_STR_NONE;
	either.next[0] = memchr(at, small, (size_t)(end - at));
	if (tn_is_alpha(small)) {
		either.letter[1] = (char)(small - 'a' + 'A');
		either.next[1] = memchr(at, either.letter[1], (size_t)(end - at));
	}
	while ((at = find_either(&either, at, end)) != NULL) {
		if (starts_with(text, (size_t)(at - text.data) - offset, needle))
			return (size_t)(at - text.data) - offset;
		at++;
	}
	return TN_STR_NONE;
}

size_t tn_history_find(struct tn_str text, struct tn_str needle, size_t from)
{
	size_t fixed = count_fixed(needle), size = 0;
	char first[2] = {0};

	if (needle.size == 0)
		return from <= text.size ? from : TN_STR_NONE;
	if (fixed > 0)
		return find_fixed(text, needle, fixed, from);
	/* Most places are ruled out by their first byte. */
	first[0] = (char)lower_at(needle, 0, &size);
	first[1] = first[0] >= 'a' && first[0] <= 'z' ? (char)(first[0] - 32) : first[0];
	if (size > 1 || is_blank(needle.data[0]))
		first[0] = '\0';
	for (size_t at = from; at < text.size; at++) {
		if (first[0] && text.data[at] != first[0] && text.data[at] != first[1])
			continue;
		if (starts_with(text, at, needle))
			return at;
	}
	return TN_STR_NONE;
}

bool tn_history_has_literals(const struct tn_history_query *query, struct tn_str text)
{
	for (size_t i = 0; i < query->literal_count; i++) {
		if (tn_history_find(text, query->literals[i], 0) == TN_STR_NONE)
			return false;
	}
	return true;
}
