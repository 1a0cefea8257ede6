#include "mcp/tokens.h"

#include <stdbool.h>

#define LETTERS 5  /* of a word, in a token */
#define STRANGE 2  /* of what has digits beside it: an id */
#define DIGITS 3   /* of a number */
#define REPEATED 4 /* of one mark after the other */

enum kind { LOWER, UPPER, DIGIT, BLANK, MARK, CONTINUED, WIDE };

static enum kind kind_of(unsigned char c)
{
	if (c >= 'a' && c <= 'z')
		return LOWER;
	if (c >= 'A' && c <= 'Z')
		return UPPER;
	if (c >= '0' && c <= '9')
		return DIGIT;
	if (c == ' ' || c == '\t')
		return BLANK;
	if (c < 0x80)
		return MARK;
	return c < 0xc0 ? CONTINUED : WIDE;
}

/* How many characters of a kind share a token. */
static size_t shared(enum kind kind, bool strange)
{
	if (kind == DIGIT)
		return DIGITS;
	if (kind != LOWER && kind != UPPER)
		return REPEATED;
	return strange ? STRANGE : LETTERS;
}

/* Whether the letters that begin here are part of an id, as 8afa is and subnet1 is not. */
static bool is_strange(struct tn_str text, size_t at, enum kind before)
{
	size_t end = at;

	if (before == DIGIT)
		return true;
	while (end < text.size && end < at + LETTERS &&
	       kind_of((unsigned char)text.data[end]) <= UPPER)
		end++;
	return end < text.size && end < at + LETTERS &&
	       kind_of((unsigned char)text.data[end]) == DIGIT;
}

/* Whether the character goes on with the word, number or row of marks before it. A capital behind a
 * small letter begins another word. */
static bool goes_on(enum kind before, unsigned char last, enum kind kind, unsigned char c)
{
	if (kind == LOWER)
		return before == LOWER || before == UPPER;
	if (kind == MARK)
		return c == last && c != '\n';
	return kind == before;
}

/* What a character adds that is the `run`th of its word, from 0. */
static size_t cost_of(enum kind kind, unsigned char c, size_t run, bool strange)
{
	if (kind == CONTINUED)
		return 0;
	if (kind == WIDE)
		return c >= 0xf0 ? 3 : 1;
	if (kind == BLANK) /* a single one belongs to the word behind it */
		return run % (REPEATED * REPEATED) == 1;
	return run % shared(kind, strange) == 0;
}

struct tn_str tn_tokens_cut(struct tn_str text, size_t max, size_t *ret_tokens)
{
	enum kind before = CONTINUED;
	size_t tokens = 0, run = 0, i = 0;
	bool strange = false;

	for (; i < text.size; i++) {
		unsigned char c = (unsigned char)text.data[i];
		unsigned char last = i > 0 ? (unsigned char)text.data[i - 1] : 0;
		enum kind kind = kind_of(c);
		size_t cost;

		run = goes_on(before, last, kind, c) ? run + 1 : 0;
		if (run == 0)
			strange = kind <= UPPER && is_strange(text, i, before);
		cost = cost_of(kind, c, run, strange);
		/* A number does not take the blank before it. */
		if (kind == BLANK && run == 0 && i + 1 < text.size &&
		    kind_of((unsigned char)text.data[i + 1]) == DIGIT)
			cost = 1;
		if (tokens + cost > max)
			break;
		tokens += cost;
		before = kind;
	}
	*ret_tokens = tokens;
	return tn_str(text.data, i);
}
