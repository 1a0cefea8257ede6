#include "apps/terminal/policy/glob.h"

#include <stdint.h>
#include <string.h>

/* ---- tokens ---- */

enum kind { LETTER, ANY, SET, STAR, STARS };

struct token {
	uint8_t kind; /* enum kind */
	char letter;
	uint16_t set, set_size; /* in the text */
};

/* Reads tokens from a text. */
struct reader {
	struct tn_str text;
	size_t at;
	size_t close; /* the next bracket that closes, as far as it was looked for: each is found
			 once */
	bool is_glob;
};

enum { SET_MAX = 256 };

/* [abc] at `at`: how much stands in it; 0: it is no set. */
static size_t set_size(struct reader *r)
{
	while (r->close < r->text.size && (r->close < r->at + 2 || r->text.data[r->close] != ']'))
		r->close++;
	return r->close < r->text.size && r->close - r->at < SET_MAX ? r->close - r->at - 1 : 0;
}

/* There is one. */
static inline struct token next(struct reader *r)
{
	char c = r->text.data[r->at];
	size_t size = r->is_glob && c == '[' ? set_size(r) : 0;
	struct token token = {.kind = LETTER, .letter = c};

	if (size) {
		token = (struct token){
			.kind = SET, .set = (uint16_t)(r->at + 1), .set_size = (uint16_t)size};
		r->at += size + 2;
		return token;
	}
	r->at++;
	if (!r->is_glob)
		return token;
	if (c == '?')
		token.kind = ANY;
	if (c != '*')
		return token;
	token.kind = r->at < r->text.size && r->text.data[r->at] == '*' ? STARS : STAR;
	while (r->at < r->text.size && r->text.data[r->at] == '*')
		r->at++;
	return token;
}

static bool is_star(const struct token *t)
{
	return t->kind == STAR || t->kind == STARS;
}

static bool is_slash(const struct token *t)
{
	return t->kind == LETTER && t->letter == '/';
}

static bool in_set(const char *text, const struct token *t, char c)
{
	const char *set = text + t->set;
	size_t size = t->set_size;
	bool inverted = size && (set[0] == '!' || set[0] == '^'), found = false;

	for (size_t i = inverted; i < size; i++) {
		if (i + 2 < size && set[i + 1] == '-') {
			found = found || (c >= set[i] && c <= set[i + 2]);
			i += 2;
		} else {
			found = found || set[i] == c;
		}
	}
	return found != inverted;
}

/* A token that stands for one character, and a letter. */
static bool has_letter(const char *text, const struct token *t, char c, bool slashes)
{
	if (t->kind == LETTER)
		return t->letter == c;
	return (!slashes || c != '/') && (t->kind == ANY || in_set(text, t, c));
}

/* One character of each: can they be the same? */
static bool agree(const char *x_text, const struct token *x, const char *y_text,
		  const struct token *y, bool slashes)
{
	if (y->kind == LETTER)
		return has_letter(x_text, x, y->letter, slashes);
	return x->kind != LETTER || has_letter(y_text, y, x->letter, slashes);
}

/* ---- sets of places in a pattern ---- */

enum { WORDS_MAX = TN_GLOB_BYTES_MAX / 64 + 1, ROWS_MAX = 256 };

/* A set of places has as many words as the pattern needs: bit i is before the token i, bit `count`
 * at the end. Where that is known to be one word when this is translated, nothing is left of the
 * loops (short_meet). */
struct pattern {
	const char *text;
	bool slashes; /* only ** goes beyond one */
	struct token *tokens;
	size_t count;
	uint64_t *at;       /* where it may be, as far as the other text was read */
	uint64_t *stars;    /* where one stands */
	uint64_t *wide;     /* one that goes beyond slashes */
	uint64_t *segments; /* what a star that does not may stand for */
	uint64_t *any;      /* what a character that is no slash may stand for */
	/* Which tokens may be this letter: rows of letters that were met. */
	uint8_t row_of[ROWS_MAX];
	size_t row_count;
	uint64_t *rows;
};

static void add(uint64_t *places, size_t at)
{
	places[at / 64] |= (uint64_t)1 << at % 64;
}

static void read_pattern(struct pattern *p, struct tn_str text)
{
	struct reader reader = {.text = text, .is_glob = true};

	p->text = text.data;
	while (reader.at < text.size) {
		struct token *token = &p->tokens[p->count];

		*token = next(&reader);
		if (is_star(token))
			add(p->stars, p->count);
		if (token->kind == STARS || (token->kind == STAR && !p->slashes))
			add(p->wide, p->count);
		if (!is_slash(token) || !p->slashes) {
			add(p->segments, p->count);
			if (!is_star(token))
				add(p->any, p->count);
		}
		p->count++;
	}
}

/* From each place on as far as all between are among `over`: as a carry goes through ones. */
static inline void flood(uint64_t *places, const uint64_t *over, size_t word_count)
{
	uint64_t carry = 0, last = 0;

	for (size_t i = 0; i < word_count; i++) {
		uint64_t mask = over ? over[i] : UINT64_MAX, seeds = places[i] & mask, sum, way;
		bool first = __builtin_add_overflow(seeds, mask, &sum);
		bool second = __builtin_add_overflow(sum, carry, &sum);

		carry = first || second;
		way = (mask & ~sum) | seeds;
		places[i] |= way << 1 | last;
		last = way >> 63;
	}
}

static __attribute__((noinline)) void fill_row(const struct pattern *p, uint64_t *row,
					       const char *text, const struct token *token,
					       size_t word_count)
{
	memset(row, 0, word_count * sizeof(*row));
	for (size_t i = 0; i < p->count; i++) {
		if (!is_star(&p->tokens[i]) &&
		    agree(p->text, &p->tokens[i], text, token, p->slashes))
			add(row, i);
	}
}

/* Which tokens may be the same character as this one. */
static inline const uint64_t *row_for(struct pattern *p, const char *text,
				      const struct token *token, size_t word_count)
{
	uint8_t *kept = token->kind == LETTER ? &p->row_of[(unsigned char)token->letter] : NULL;
	uint64_t *row;

	if (token->kind == ANY)
		return p->any;
	if (kept && *kept)
		return p->rows + *kept * word_count;
	/* The first one is for what is used once. */
	if (kept && p->row_count + 1 < ROWS_MAX)
		*kept = (uint8_t)++p->row_count;
	row = p->rows + (kept ? *kept : 0) * word_count;
	fill_row(p, row, text, token, word_count);
	return row;
}

/* ---- both ---- */

/* A token of the text that stands for one character; false: the pattern can be nowhere. */
static inline bool step(struct pattern *p, const char *text, const struct token *token,
			size_t word_count)
{
	const uint64_t *row = row_for(p, text, token, word_count);
	const uint64_t *stay = is_slash(token) ? p->wide : p->stars;
	uint64_t any = 0, last = 0;

	for (size_t i = 0; i < word_count; i++) {
		uint64_t go = p->at[i] & row[i];

		p->at[i] = (p->at[i] & stay[i]) | go << 1 | last;
		last = go >> 63;
		any |= p->at[i];
	}
	return any != 0;
}

static bool is_at(const struct pattern *p, size_t place)
{
	return p->at[place / 64] >> place % 64 & 1;
}

/* So many are looked into; nobody types more, and others are taken for any character. */
enum { SETS_MAX = 4 };

static inline bool meet(struct pattern *p, struct tn_str pattern, struct reader reader,
			size_t word_count)
{
	size_t sets = 0;

	read_pattern(p, pattern);
	add(p->at, 0);
	flood(p->at, p->stars, word_count);
	while (reader.at < reader.text.size) {
		struct token token = next(&reader);

		if (is_star(&token)) {
			flood(p->at, token.kind == STAR ? p->segments : NULL, word_count);
			continue;
		}
		if (token.kind == SET && ++sets > SETS_MAX)
			token.kind = ANY;
		if (!step(p, reader.text.data, &token, word_count))
			return false;
		flood(p->at, p->stars, word_count);
	}
	return is_at(p, p->count) ||
	       (p->slashes && pattern.size > 3 && tn_str_ends(pattern, TN_STR("/**")) &&
		is_at(p, p->count - 2));
}

enum { SHORT = 63 };

static bool short_meet(struct tn_str pattern, struct reader reader, bool slashes)
{
	struct token tokens[SHORT];
	uint64_t at = 0, stars = 0, wide = 0, segments = 0, any = 0, rows[ROWS_MAX];
	struct pattern p = {.slashes = slashes,
			    .tokens = tokens,
			    .at = &at,
			    .stars = &stars,
			    .wide = &wide,
			    .segments = &segments,
			    .any = &any,
			    .rows = rows};

	return meet(&p, pattern, reader, 1);
}

static __attribute__((noinline)) bool long_meet(struct tn_str pattern, struct reader reader,
						bool slashes)
{
	struct token tokens[TN_GLOB_BYTES_MAX];
	uint64_t sets[5][WORDS_MAX] = {{0}}, rows[ROWS_MAX * WORDS_MAX];
	struct pattern p = {.slashes = slashes,
			    .tokens = tokens,
			    .at = sets[0],
			    .stars = sets[1],
			    .wide = sets[2],
			    .segments = sets[3],
			    .any = sets[4],
			    .rows = rows};

	return meet(&p, pattern, reader, pattern.size / 64 + 1);
}

bool tn_globs_meet(struct tn_str pattern, struct tn_str text, bool text_is_glob, bool slashes)
{
	const struct reader reader = {.text = text, .is_glob = text_is_glob};

	return pattern.size > SHORT ? long_meet(pattern, reader, slashes)
				    : short_meet(pattern, reader, slashes);
}

/* Word for word, back to the last star. */
bool tn_glob_fits(struct tn_str pattern, struct tn_str text)
{
	size_t i = 0, at = 0, star = TN_STR_NONE, kept = 0, count = 0;
	struct token tokens[TN_GLOB_BYTES_MAX];
	struct reader reader = {.text = pattern, .is_glob = true};

	while (reader.at < pattern.size)
		tokens[count++] = next(&reader);
	while (at < text.size) {
		if (i < count && is_star(&tokens[i])) {
			star = i++;
			kept = at;
		} else if (i < count &&
			   has_letter(pattern.data, &tokens[i], text.data[at], false)) {
			i++;
			at++;
		} else if (star != TN_STR_NONE) {
			i = star + 1;
			at = ++kept;
		} else {
			return false;
		}
	}
	while (i < count && is_star(&tokens[i]))
		i++;
	return i == count;
}
