#include "apps/workbench/values/glob.h"

#include "apps/workbench/limits.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/mem.h"

struct tn_wb_globs {
	struct tn_arena arena;
	struct tn_str *list; /* without braces */
	size_t count;
};

/* ---- making ---- */

/* Past the bracket expression that begins at `at`; 0: it has no end. */
static size_t after_bracket(struct tn_str text, size_t at)
{
	size_t i = at + 1;

	if (i < text.size && (text.data[i] == '!' || text.data[i] == '^'))
		i++;
	for (i++; i < text.size && text.data[i] != '/'; i++) /* a "]" at the front is a letter */
		if (text.data[i] == ']')
			return i + 1;
	return 0;
}

/* The first brace that groups: {at, end} of "{...}"; false: there is none. An odd one is a letter.
 */
static bool find_group(struct tn_str text, size_t *ret_at, size_t *ret_end)
{
	for (size_t at = 0; at < text.size; at++) {
		size_t depth = 0;

		if (text.data[at] == '[' && after_bracket(text, at))
			at = after_bracket(text, at) - 1;
		if (text.data[at] != '{')
			continue;
		for (size_t i = at; i < text.size; i++) {
			depth += text.data[i] == '{';
			depth -= text.data[i] == '}';
			if (depth == 0) {
				*ret_at = at;
				*ret_end = i + 1;
				return true;
			}
		}
	}
	return false;
}

static enum tenon_code check(struct tn_str pattern, struct tenon_error *err)
{
	struct tn_str rest = pattern;

	for (size_t i = 0; i < pattern.size; i++)
		if (pattern.data[i] == '[' && !after_bracket(pattern, i))
			return tn_fail(err, TENON_INVALID, "\"%.*s\": a \"[\" without \"]\"",
				       (int)pattern.size, pattern.data);
	while (rest.size > 0) {
		size_t end = tn_str_find_byte(rest, '/');
		struct tn_str part = end == TN_STR_NONE ? rest : tn_str(rest.data, end);

		if (part.size == 0 || tn_str_is(part, ".") || tn_str_is(part, ".."))
			return tn_fail(err, TENON_INVALID,
				       "\"%.*s\": write the path from the workspace's root",
				       (int)pattern.size, pattern.data);
		rest = tn_str_from_offset(rest, part.size + 1);
	}
	return TENON_OK;
}

/* Without "./" in front and "/" behind. */
static struct tn_str plain(struct tn_str pattern)
{
	while (tn_str_starts(pattern, TN_STR("./")))
		pattern = tn_str_from_offset(pattern, 2);
	while (pattern.size > 0 && pattern.data[pattern.size - 1] == '/')
		pattern.size--;
	return pattern;
}

static enum tenon_code add(struct tn_wb_globs *globs, struct tn_str pattern,
			   struct tenon_error *err)
{
	enum tenon_code code;
	char *copy;

	pattern = plain(pattern);
	if (pattern.size == 0 || pattern.size > TN_WB_GLOB_BYTES_MAX)
		return tn_fail(err, TENON_INVALID, "a pattern has 1 to %d bytes",
			       TN_WB_GLOB_BYTES_MAX);
	code = check(pattern, err);
	if (code != TENON_OK)
		return code;
	if (globs->count == TN_WB_GLOBS_MAX)
		return tn_fail(err, TENON_LIMIT, "more than %d patterns", TN_WB_GLOBS_MAX);
	copy = tn_arena_copy(&globs->arena, pattern);
	if (!copy)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	globs->list[globs->count++] = tn_str(copy, pattern.size);
	return TENON_OK;
}

/* The choice that begins at `at` inside the group ends there. */
static size_t choice_end(struct tn_str text, size_t at, size_t end)
{
	size_t depth = 0;

	for (; at < end; at++) {
		if (depth == 0 && text.data[at] == ',')
			break;
		depth += text.data[at] == '{';
		depth -= text.data[at] == '}';
	}
	return at;
}

/* The text with each choice of its first group in turn, and so on for the groups behind it. Each
 * step takes a pair of braces away. */
static enum tenon_code expand(struct tn_wb_globs *globs, struct tn_str text, unsigned depth,
			      struct tenon_error *err)
{
	size_t at = 0, end = 0;
	enum tenon_code code = TENON_OK;

	if (!find_group(text, &at, &end))
		return add(globs, text, err);
	if (depth == TN_WB_GLOB_BRACES_MAX)
		return tn_fail(err, TENON_LIMIT, "more than %d pairs of braces in a pattern",
			       TN_WB_GLOB_BRACES_MAX);
	for (size_t i = at + 1; code == TENON_OK && i < end;) {
		size_t stop = choice_end(text, i, end - 1);
		struct tn_buf one;

		tn_buf_init(&one, TN_WB_GLOB_BYTES_MAX);
		tn_buf_append(&one, text.data, at);
		tn_buf_append(&one, text.data + i, stop - i);
		tn_buf_append_str(&one, tn_str_from_offset(text, end));
		code = tn_buf_check(&one, err);
		if (code == TENON_OK)
			code = expand(globs, tn_buf_str(&one), depth + 1, err);
		tn_buf_finish(&one);
		i = stop + 1;
	}
	return code;
}

enum tenon_code tn_wb_globs_create(const struct tn_str *patterns, size_t count,
				   struct tn_wb_globs **ret, struct tenon_error *err)
{
	struct tn_wb_globs *globs = tn_mem_alloc(sizeof(*globs));
	enum tenon_code code = TENON_OK;

	if (!globs)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	tn_arena_init(&globs->arena, 2 * TN_MIB);
	globs->list = tn_arena_alloc_array(&globs->arena, TN_WB_GLOBS_MAX, sizeof(*globs->list));
	if (!globs->list)
		code = tn_fail(err, TENON_NO_MEMORY, "out of memory");
	for (size_t i = 0; code == TENON_OK && i < count; i++)
		code = expand(globs, patterns[i], 0, err);
	if (code != TENON_OK)
		tn_wb_globs_destroy(globs);
	else
		*ret = globs;
	return code;
}

void tn_wb_globs_destroy(struct tn_wb_globs *globs)
{
	if (!globs)
		return;
	tn_arena_finish(&globs->arena);
	tn_mem_free(globs);
}

/* ---- matching ---- */

static struct tn_str first_part(struct tn_str path)
{
	size_t end = tn_str_find_byte(path, '/');

	return end == TN_STR_NONE ? path : tn_str(path.data, end);
}

static struct tn_str without_first(struct tn_str path)
{
	return tn_str_from_offset(path, first_part(path).size + 1);
}

/* One letter against the bracket expression at `at`. */
static bool in_bracket(struct tn_str pattern, size_t at, char c)
{
	size_t i = at + 1, end = after_bracket(pattern, at) - 1;
	bool negated = pattern.data[i] == '!' || pattern.data[i] == '^', found = false;

	i += negated;
	for (; i < end; i++) {
		char low = pattern.data[i];

		if (i + 2 < end && pattern.data[i + 1] == '-') {
			found = found || (low <= c && c <= pattern.data[i + 2]);
			i += 2;
		} else {
			found = found || low == c;
		}
	}
	return found != negated;
}

/* Whether the sign at `at` stands for `c`; *ret_next is where the next one is. */
static bool one_matches(struct tn_str pattern, size_t at, char c, size_t *ret_next)
{
	*ret_next = at + 1;
	if (pattern.data[at] == '?')
		return true;
	if (pattern.data[at] == '[') {
		*ret_next = after_bracket(pattern, at);
		return in_bracket(pattern, at, c);
	}
	return pattern.data[at] == c;
}

/* Within one part. A "*" need only be tried again from the last one on. */
static bool part_matches(struct tn_str pattern, struct tn_str text)
{
	size_t p = 0, t = 0, star = TN_STR_NONE, from = 0, next;

	while (t < text.size) {
		if (p < pattern.size && pattern.data[p] == '*') {
			star = ++p;
			from = t;
		} else if (p < pattern.size && one_matches(pattern, p, text.data[t], &next)) {
			p = next;
			t++;
		} else if (star != TN_STR_NONE) {
			p = star;
			t = ++from;
		} else {
			return false;
		}
	}
	while (p < pattern.size && pattern.data[p] == '*')
		p++;
	return p == pattern.size;
}

/* Part by part; the same rule for "**". */
static bool path_matches(struct tn_str pattern, struct tn_str path)
{
	struct tn_str star = {0}, from = {0};
	bool has_star = false;

	while (path.size > 0) {
		if (pattern.size > 0 && tn_str_is(first_part(pattern), "**")) {
			pattern = without_first(pattern);
			star = pattern;
			from = path;
			has_star = true;
			if (pattern.size == 0)
				return true;
		} else if (pattern.size > 0 &&
			   part_matches(first_part(pattern), first_part(path))) {
			pattern = without_first(pattern);
			path = without_first(path);
		} else if (has_star) {
			pattern = star;
			from = without_first(from);
			path = from;
		} else {
			return false;
		}
	}
	return pattern.size == 0 || tn_str_is(pattern, "**");
}

bool tn_wb_globs_match(const struct tn_wb_globs *globs, struct tn_str path)
{
	for (size_t i = 0; globs && i < globs->count; i++)
		if (path_matches(globs->list[i], path))
			return true;
	return false;
}

/* ---- folders ---- */

static bool is_shy(struct tn_str name)
{
	return name.data[0] == '.' || tn_str_is(name, "node_modules");
}

static bool may_enter(struct tn_str pattern, struct tn_str folder)
{
	bool anywhere = false;

	while (folder.size > 0) {
		struct tn_str name = first_part(folder), part = first_part(pattern);

		anywhere = anywhere || tn_str_is(part, "**");
		if (pattern.size == 0)
			return false;
		if (!anywhere && !part_matches(part, name))
			return false;
		/* Behind "**" a name that is said may be anywhere. */
		if (is_shy(name) && !tn_str_equal(part, name) &&
		    !(anywhere && tn_str_find(pattern, name) != TN_STR_NONE))
			return false;
		pattern = anywhere ? pattern : without_first(pattern);
		folder = without_first(folder);
	}
	return pattern.size > 0;
}

bool tn_wb_globs_may_enter(const struct tn_wb_globs *globs, struct tn_str folder)
{
	for (size_t i = 0; globs && i < globs->count; i++)
		if (may_enter(globs->list[i], folder))
			return true;
	return false;
}

bool tn_wb_globs_cover(const struct tn_wb_globs *globs, struct tn_str folder)
{
	for (size_t i = 0; globs && i < globs->count; i++) {
		struct tn_str pattern = globs->list[i];

		if (tn_str_is(pattern, "**"))
			return true;
		if (tn_str_ends(pattern, TN_STR("/**")) &&
		    path_matches(tn_str(pattern.data, pattern.size - 3), folder))
			return true;
	}
	return false;
}
