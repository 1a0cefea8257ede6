#include "apps/terminal/policy/paths.h"

#include <stdint.h>

enum { TOKENS_MAX = 4096 };

/* ---- making absolute ---- */

static void drop_last(char *out, size_t *size)
{
	while (*size > 0 && out[*size - 1] != '/')
		(*size)--;
	if (*size > 0)
		(*size)--; /* its slash */
}

static size_t put_parts(char *out, size_t size, struct tn_str path)
{
	size_t at = 0;

	while (at < path.size) {
		size_t end = at;
		struct tn_str part;

		while (end < path.size && path.data[end] != '/')
			end++;
		part = tn_str(path.data + at, end - at);
		at = end + 1;
		if (!part.size || tn_str_is(part, "."))
			continue;
		if (tn_str_is(part, "..")) {
			drop_last(out, &size);
			continue;
		}
		out[size++] = '/';
		memcpy(out + size, part.data, part.size);
		size += part.size;
	}
	return size;
}

/* What "~" at the beginning stands for; *ret_rest: what is behind it. */
static struct tn_str base_of(struct tn_str path, struct tn_str home, struct tn_str *ret_rest)
{
	static const struct tn_str root = {"~root", 5};

	*ret_rest = path;
	if (path.size && path.data[0] == '/')
		return tn_str("", 0);
	if (path.size && path.data[0] == '~' && (path.size == 1 || path.data[1] == '/')) {
		*ret_rest = tn_str_from_offset(path, 1);
		return home;
	}
	if (tn_str_starts(path, root) && (path.size == root.size || path.data[root.size] == '/')) {
		*ret_rest = tn_str_from_offset(path, root.size);
		return tn_str("/root", 5);
	}
	return tn_str(NULL, 0);
}

const char *tn_path_resolve(struct tn_arena *arena, struct tn_str cwd, struct tn_str home,
			    struct tn_str path)
{
	struct tn_str rest, cwd_rest = {"", 0}, base = base_of(path, home, &rest);
	size_t size = 0;
	char *out;

	if (!base.data) {
		base = base_of(cwd, home, &cwd_rest);
		if (!cwd.size || !base.data)
			return NULL;
	}
	out = tn_arena_alloc_raw(arena, base.size + cwd_rest.size + rest.size + 4);
	if (!out)
		return NULL;
	size = put_parts(out, size, base);
	size = put_parts(out, size, cwd_rest);
	size = put_parts(out, size, rest);
	if (size == 0)
		out[size++] = '/';
	out[size] = '\0';
	return out;
}

/* ---- patterns ---- */

enum kind { LETTER, ANY, SET, STAR, STARS };

struct token {
	uint8_t kind; /* enum kind */
	char letter;
	uint16_t set, set_size; /* in the text */
};

struct pattern {
	const char *text;
	struct token tokens[TOKENS_MAX];
	size_t count;
};

enum { SET_MAX = 256 };

/* [abc]: how much stands in it; 0: it is no set. `close` is the next bracket that closes, as far as
 * it was looked for: each is found once. */
static size_t set_size(struct tn_str text, size_t at, size_t *close)
{
	while (*close < text.size && (*close < at + 2 || text.data[*close] != ']'))
		++*close;
	return *close < text.size && *close - at < SET_MAX ? *close - at - 1 : 0;
}

static void tokenise(struct pattern *p, struct tn_str text, bool is_glob)
{
	size_t close = 0;

	p->text = text.data;
	p->count = 0;
	for (size_t at = 0; at < text.size;) {
		struct token *token = &p->tokens[p->count++];
		char c = text.data[at];
		size_t size = is_glob && c == '[' ? set_size(text, at, &close) : 0;

		*token = (struct token){.kind = LETTER, .letter = c};
		if (size) {
			*token = (struct token){
				.kind = SET, .set = (uint16_t)(at + 1), .set_size = (uint16_t)size};
			at += size + 2;
			continue;
		}
		at++;
		if (is_glob && c == '?')
			token->kind = ANY;
		if (!is_glob || c != '*')
			continue;
		token->kind = at < text.size && text.data[at] == '*' ? STARS : STAR;
		while (at < text.size && text.data[at] == '*')
			at++;
	}
}

static bool in_set(const char *set, size_t size, char c)
{
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

static bool is_star(const struct token *t)
{
	return t->kind == STAR || t->kind == STARS;
}

/* One character of each: can they be the same? */
static bool agree(const struct pattern *a, const struct token *x, const struct pattern *b,
		  const struct token *y, bool slashes)
{
	if (x->kind == LETTER && y->kind == LETTER)
		return x->letter == y->letter;
	if (x->kind != LETTER && y->kind != LETTER)
		return true;
	if (x->kind != LETTER)
		return agree(b, y, a, x, slashes);
	if (slashes && x->letter == '/')
		return false;
	return y->kind == ANY || in_set(b->text + y->set, y->set_size, x->letter);
}

/* Can a star stand for this token of the other side? */
static bool swallows(const struct token *star, const struct token *other, bool slashes)
{
	return star->kind == STARS || !slashes || other->kind != LETTER || other->letter != '/';
}

/* What is known of the rest of both: with one token less of the one, of the other, of both. */
struct corner {
	bool down, right, both;
};

/* `star` stands for nothing (`without` it the rest fits), or for the other's token and more. */
static bool star_fits(const struct token *star, const struct token *other, bool without, bool more,
		      bool slashes)
{
	if (!star || !is_star(star))
		return false;
	return without || (other && more && swallows(star, other, slashes));
}

/* Tokens, or NULL at an end. */
static bool rest_fits(const struct pattern *a, const struct token *x, const struct pattern *b,
		      const struct token *y, struct corner rest, bool slashes)
{
	if (!x && !y)
		return true;
	if (star_fits(x, y, rest.down, rest.right, slashes) ||
	    star_fits(y, x, rest.right, rest.down, slashes))
		return true;
	if (!x || !y || is_star(x) || is_star(y))
		return false;
	return rest.both && agree(a, x, b, y, slashes);
}

/* Is there a text that fits both? Row by row from the ends. */
static bool meet(const struct pattern *a, const struct pattern *b, bool slashes)
{
	bool rows[2][TOKENS_MAX + 2];

	memset(rows[0], 0, b->count + 2);
	memset(rows[1], 0, b->count + 2);
	for (size_t i = a->count + 1; i-- > 0;) {
		bool *row = rows[i & 1];
		const bool *below = rows[(i + 1) & 1];
		const struct token *x = i < a->count ? &a->tokens[i] : NULL;

		row[b->count + 1] = false;
		for (size_t j = b->count + 1; j-- > 0;) {
			const struct token *y = j < b->count ? &b->tokens[j] : NULL;
			const struct corner rest = {below[j], row[j + 1], below[j + 1]};

			row[j] = rest_fits(a, x, b, y, rest, slashes);
		}
	}
	return rows[0][0];
}

/* They differ before the first sign of a pattern. */
static bool differ_early(struct tn_str pattern, struct tn_str text, bool text_is_glob)
{
	for (size_t i = 0; i < pattern.size; i++) {
		if (tn_path_is_sign(pattern.data[i]))
			return false;
		if (i >= text.size)
			return true;
		if (text_is_glob && tn_path_is_sign(text.data[i]))
			return false;
		if (pattern.data[i] != text.data[i])
			return true;
	}
	return text.size > pattern.size && !text_is_glob;
}

/* They differ behind the last sign of a pattern. */
static bool differ_late(struct tn_str pattern, struct tn_str text, bool text_is_glob)
{
	for (size_t i = 0; i < pattern.size && !text_is_glob; i++) {
		char c = pattern.data[pattern.size - 1 - i];

		if (tn_path_is_sign(c))
			return false;
		if (i >= text.size || c != text.data[text.size - 1 - i])
			return true;
	}
	return false;
}

/* A text that is no pattern, where stars go everywhere: word for word, back to the last star. */
static bool long_text_fits(const struct pattern *p, struct tn_str text)
{
	size_t i = 0, at = 0, star = TN_STR_NONE, kept = 0;

	while (at < text.size) {
		const struct token letter = {.kind = LETTER, .letter = text.data[at]};

		if (i < p->count && is_star(&p->tokens[i])) {
			star = i++;
			kept = at;
		} else if (i < p->count && agree(p, &p->tokens[i], p, &letter, false)) {
			i++;
			at++;
		} else if (star != TN_STR_NONE) {
			i = star + 1;
			at = ++kept;
		} else {
			return false;
		}
	}
	while (i < p->count && is_star(&p->tokens[i]))
		i++;
	return i == p->count;
}

enum walked { WALKED_FITS, WALKED_DIFFERS, WALKED_TOO_FAR };

/* Where a star of a pattern goes on, in both; pattern TN_STR_NONE: there was none. */
struct resume {
	size_t pattern, text;
};

struct walker {
	struct tn_str pattern, text;
	size_t i, at; /* of both, what is looked at */
	struct resume star, stars;
};

static void take_star(struct walker *w)
{
	size_t from = w->i;

	while (w->i < w->pattern.size && w->pattern.data[w->i] == '*')
		w->i++;
	w->star = (struct resume){w->i, w->at};
	if (w->i - from == 1)
		return;
	w->stars = w->star;
	w->star.pattern = TN_STR_NONE;
}

static bool take_letter(struct walker *w)
{
	char c, letter;

	if (w->i >= w->pattern.size || w->at >= w->text.size)
		return false;
	c = w->pattern.data[w->i];
	letter = w->text.data[w->at];
	if (c == '?' ? letter == '/' : letter != c)
		return false;
	w->i++;
	w->at++;
	return true;
}

/* The last star stands for one letter more, or the last ** does. */
static bool go_back(struct walker *w)
{
	struct resume *last = &w->star;

	if (last->pattern == TN_STR_NONE || last->text >= w->text.size ||
	    w->text.data[last->text] == '/') {
		w->star.pattern = TN_STR_NONE;
		last = &w->stars;
	}
	if (last->pattern == TN_STR_NONE || last->text >= w->text.size)
		return false;
	w->i = last->pattern;
	w->at = ++last->text;
	return true;
}

/* A path that is no pattern, and a pattern without sets, as most are: from the left, back to the
 * last star. Each star in front of it was as short as could be; what a longer one leaves is no
 * more. */
static enum walked walk(struct tn_str pattern, struct tn_str text)
{
	enum { STEPS_MAX = 4096 };
	struct walker w = {.pattern = pattern, .text = text};

	w.star.pattern = w.stars.pattern = TN_STR_NONE;
	for (unsigned steps = 0; steps < STEPS_MAX; steps++) {
		char c = w.i < pattern.size ? pattern.data[w.i] : '\0';

		if (c == '[')
			return WALKED_TOO_FAR;
		if (c == '*')
			take_star(&w);
		else if (w.i == pattern.size && w.at == text.size)
			return WALKED_FITS;
		else if (!take_letter(&w) && !go_back(&w))
			return WALKED_DIFFERS;
	}
	return WALKED_TOO_FAR;
}

/* The frames of these two are large, and each page of them is touched (-fstack-clash-protection):
 * only what cannot be told from the texts alone comes here. */
static __attribute__((noinline)) bool meet_texts(struct tn_str pattern, struct tn_str text,
						 bool text_is_glob, bool slashes)
{
	struct pattern a, b;

	tokenise(&a, pattern, true);
	tokenise(&b, text, text_is_glob);
	return meet(&a, &b, slashes);
}

static __attribute__((noinline)) bool meet_long_text(struct tn_str pattern, struct tn_str text)
{
	struct pattern p;

	tokenise(&p, pattern, true);
	return long_text_fits(&p, text);
}

static bool fits(struct tn_str pattern, struct tn_str text, bool text_is_glob, bool slashes)
{
	enum walked walked = WALKED_TOO_FAR;

	if (pattern.size > TOKENS_MAX || (text.size > TOKENS_MAX && text_is_glob))
		return true;
	if (differ_early(pattern, text, text_is_glob) || differ_late(pattern, text, text_is_glob))
		return false;
	if (text.size > TOKENS_MAX || (!slashes && !text_is_glob))
		return meet_long_text(pattern, text);
	if (!text_is_glob)
		walked = walk(pattern, text);
	return walked == WALKED_TOO_FAR ? meet_texts(pattern, text, text_is_glob, slashes)
					: walked == WALKED_FITS;
}

/* Asked of every pattern for every path: without a call. */
static bool ends_with_all(struct tn_str pattern)
{
	const char *end = pattern.data + pattern.size;

	return pattern.size > 3 && end[-1] == '*' && end[-2] == '*' && end[-3] == '/';
}

bool tn_path_fits(struct tn_str pattern, struct tn_str path, bool path_is_glob)
{
	if (pattern.size && path.size && pattern.data[0] != path.data[0] &&
	    !tn_path_is_sign(pattern.data[0]) && !tn_path_is_sign(path.data[0]))
		return false;
	if (fits(pattern, path, path_is_glob, true))
		return true;
	return ends_with_all(pattern) &&
	       fits(tn_str(pattern.data, pattern.size - 3), path, path_is_glob, true);
}

bool tn_name_fits(struct tn_str pattern, struct tn_str name, bool name_is_glob)
{
	return fits(pattern, name, name_is_glob, false);
}
