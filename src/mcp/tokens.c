#include "mcp/tokens.h"

#define LETTERS 5  /* of a word, in a token */
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
static size_t shared(enum kind kind)
{
	if (kind == DIGIT)
		return DIGITS;
	return kind == LOWER || kind == UPPER ? LETTERS : REPEATED;
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
static size_t cost_of(enum kind kind, unsigned char c, size_t run)
{
	if (kind == CONTINUED)
		return 0;
	if (kind == WIDE)
		return c >= 0xf0 ? 3 : 1;
	if (kind == BLANK) /* a single one belongs to the word behind it */
		return run % (REPEATED * REPEATED) == 1;
	return run % shared(kind) == 0;
}

struct tn_str tn_tokens_cut(struct tn_str text, size_t max, size_t *ret_tokens)
{
	enum kind before = CONTINUED;
	size_t tokens = 0, run = 0, i = 0;

	for (; i < text.size; i++) {
		unsigned char c = (unsigned char)text.data[i];
		unsigned char last = i > 0 ? (unsigned char)text.data[i - 1] : 0;
		enum kind kind = kind_of(c);
		size_t cost;

		run = goes_on(before, last, kind, c) ? run + 1 : 0;
		cost = cost_of(kind, c, run);
		if (tokens + cost > max)
			break;
		tokens += cost;
		before = kind;
	}
	*ret_tokens = tokens;
	return tn_str(text.data, i);
}
