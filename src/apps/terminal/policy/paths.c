#include "apps/terminal/policy/paths.h"

#include "apps/terminal/policy/glob.h"

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
	for (size_t i = 0; i < pattern.size; i++) {
		char c = pattern.data[pattern.size - 1 - i];

		if (tn_path_is_sign(c))
			return false;
		if (i >= text.size)
			return true;
		if (text_is_glob && tn_path_is_sign(text.data[text.size - 1 - i]))
			return false;
		if (c != text.data[text.size - 1 - i])
			return true;
	}
	return false;
}

enum walked { WALKED_FITS, WALKED_DIFFERS, WALKED_TOO_FAR };

/* Where a star of a pattern goes on, in both; pattern TN_STR_NONE: there was none. */
struct resume {
	size_t pattern, text;
};

struct walker {
	struct tn_str pattern, text;
	bool slashes; /* signs stop there */
	size_t i, at; /* of both, what is looked at */
	struct resume star, stars;
};

static void take_star(struct walker *w)
{
	size_t from = w->i;

	while (w->i < w->pattern.size && w->pattern.data[w->i] == '*')
		w->i++;
	w->star = (struct resume){w->i, w->at};
	if (w->i - from == 1 && w->slashes)
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
	if (c == '?' ? letter == '/' && w->slashes : letter != c)
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

/* A text that is no pattern, and a pattern without sets, as most are: from the left, back to the
 * last star. Each star in front of it was as short as could be; what a longer one leaves is no
 * more. */
static enum walked walk(struct tn_str pattern, struct tn_str text, bool slashes)
{
	enum { STEPS_MAX = 4096 };
	struct walker w = {.pattern = pattern, .text = text, .slashes = slashes};

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

static bool differ(struct tn_str pattern, struct tn_str text, bool text_is_glob)
{
	return differ_early(pattern, text, text_is_glob) ||
	       differ_late(pattern, text, text_is_glob);
}

static bool is_too_long(struct tn_str pattern, struct tn_str text, bool text_is_glob)
{
	return pattern.size > TN_GLOB_BYTES_MAX || (text.size > TN_GLOB_BYTES_MAX && text_is_glob);
}

static bool text_fits(struct tn_str pattern, struct tn_str text, bool slashes)
{
	enum walked walked;

	if (differ(pattern, text, false))
		return false;
	slashes = slashes && text.size <= TN_GLOB_BYTES_MAX;
	walked = walk(pattern, text, slashes);
	if (walked != WALKED_TOO_FAR)
		return walked == WALKED_FITS;
	return slashes ? tn_globs_meet(pattern, text, false, true) : tn_glob_fits(pattern, text);
}

/* Asked of every pattern for every path: without a call. */
static bool ends_with_all(struct tn_str pattern)
{
	const char *end = pattern.data + pattern.size;

	return pattern.size > 3 && end[-1] == '*' && end[-2] == '*' && end[-3] == '/';
}

/* ---- names in any folder, and paths that are patterns ---- */

/* What stands behind the last slash of a path in which no sign goes beyond one; false: it cannot
 * be told so quickly. */
static bool last_part(struct tn_str path, struct tn_str *ret)
{
	size_t at = path.size;

	while (at > 0 && path.data[at - 1] != '/')
		at--;
	*ret = tn_str_from_offset(path, at);
	/* A slash may stand in [...]. */
	return at > 0 && tn_str_find(path, TN_STR("**")) == TN_STR_NONE &&
	       (tn_str_find_byte(*ret, ']') == TN_STR_NONE ||
		tn_str_find_byte(tn_str(path.data, at), '[') == TN_STR_NONE);
}

/* How many characters a pattern stands for at least. */
static size_t least_size(struct tn_str glob)
{
	size_t count = 0;

	for (size_t i = 0; i < glob.size; i++) {
		const char *close = glob.data[i] == '[' && i + 2 < glob.size
					    ? memchr(glob.data + i + 2, ']', glob.size - i - 2)
					    : NULL;

		count += glob.data[i] != '*';
		if (close)
			i = (size_t)(close - glob.data);
	}
	return count;
}

/* For a pattern of this form, whether it fits; false: it has another one. */
static bool name_meets(struct tn_str pattern, struct tn_str path, bool *ret)
{
	struct tn_str name = tn_str_from_offset(pattern, 3), part;

	if (!tn_str_starts(pattern, TN_STR("**/")) || !name.size ||
	    tn_str_find_byte(name, '/') != TN_STR_NONE ||
	    tn_str_find(name, TN_STR("**")) != TN_STR_NONE || !last_part(path, &part))
		return false;
	*ret = !differ(name, part, true) &&
	       (tn_str_find_byte(name, '*') != TN_STR_NONE || least_size(part) <= name.size) &&
	       tn_globs_meet(name, part, true, true);
	return true;
}

bool tn_path_fits(struct tn_str pattern, struct tn_str path, bool path_is_glob)
{
	bool meets;

	struct tn_str directory = pattern;

	if (pattern.size && path.size && pattern.data[0] != path.data[0] &&
	    !tn_path_is_sign(pattern.data[0]) && !tn_path_is_sign(path.data[0]))
		return false;
	if (is_too_long(pattern, path, path_is_glob))
		return true;
	if (ends_with_all(pattern))
		directory.size -= 3;
	if (!path_is_glob)
		return text_fits(pattern, path, true) ||
		       (directory.size < pattern.size && text_fits(directory, path, true));
	if (name_meets(pattern, path, &meets))
		return meets;
	return !(differ(pattern, path, true) && differ(directory, path, true)) &&
	       tn_globs_meet(pattern, path, true, true);
}

bool tn_name_fits(struct tn_str pattern, struct tn_str name, bool name_is_glob)
{
	if (is_too_long(pattern, name, name_is_glob))
		return true;
	if (!name_is_glob)
		return text_fits(pattern, name, false);
	return !differ(pattern, name, true) && tn_globs_meet(pattern, name, true, false);
}
