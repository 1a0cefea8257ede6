#include "apps/plan/explain/path.h"

#include "base/size.h"

static bool is_number(struct tn_str text)
{
	for (size_t i = 0; i < text.size; i++)
		if (!tn_is_digit(text.data[i]))
			return false;
	return text.size > 0;
}

/* The size of `path` without the index at its end, [n] or .n; unchanged when there is none. A
 * quoted key is no index. */
static size_t without_index(struct tn_str path)
{
	size_t at = path.size;

	if (at == 0)
		return 0;
	if (path.data[at - 1] == ']') {
		for (at--; at > 0 && tn_is_digit(path.data[at - 1]); at--)
			;
		return at > 0 && at + 1 < path.size && path.data[at - 1] == '[' ? at - 1
										: path.size;
	}
	for (; at > 0 && tn_is_digit(path.data[at - 1]); at--)
		;
	return at > 0 && at < path.size && path.data[at - 1] == '.' ? at - 1 : path.size;
}

struct tn_plan_path tn_plan_path_split(struct tn_str path)
{
	struct tn_plan_path ret = {{path.data, 0}, {path.data, 0}};
	size_t end = without_index(path);
	size_t start;

	while (end < path.size) {
		path.size = end;
		end = without_index(path);
	}
	if (end == 0 || path.data[end - 1] == ']')
		return ret; /* a map's key */
	for (start = end; start > 0 && path.data[start - 1] != '.' && path.data[start - 1] != ']';
	     start--)
		;
	ret.name = tn_str(path.data + start, end - start);
	ret.owner = tn_str(path.data, start);
	return ret;
}

/* Where the name at `at` ends; quoted keys and indices are passed over by the caller. */
static size_t name_end(struct tn_str path, size_t at)
{
	while (at < path.size && path.data[at] != '.' && path.data[at] != '[')
		at++;
	return at;
}

/* Behind the bracket at `at`. A quoted key may hold brackets, dots and escaped quotes. */
static size_t bracket_end(struct tn_str path, size_t at)
{
	if (at + 1 < path.size && path.data[at + 1] == '"') {
		for (at += 2; at < path.size && path.data[at] != '"'; at++)
			if (path.data[at] == '\\')
				at++;
	}
	while (at < path.size && path.data[at] != ']')
		at++;
	return at < path.size ? at + 1 : path.size;
}

struct tn_str tn_plan_path_key(struct tn_str path)
{
	static const size_t open = 2, close = 2; /* [" and "] */

	for (size_t at = 0, end; at < path.size; at = end) {
		end = path.data[at] == '[' ? bracket_end(path, at) : at + 1;
		if (end == path.size && end - at >= open + close && path.data[at + 1] == '"' &&
		    path.data[end - close] == '"' && path.data[end - 1] == ']')
			return tn_str(path.data + at + open, end - at - open - close);
	}
	return tn_str("", 0);
}

struct tn_str tn_plan_path_root(struct tn_str path)
{
	return tn_str(path.data, name_end(path, 0));
}

bool tn_plan_path_has_name(struct tn_str path, struct tn_str name)
{
	size_t at = 0;

	while (at < path.size) {
		size_t end;

		if (path.data[at] == '[') {
			at = bracket_end(path, at);
			continue;
		}
		if (path.data[at] == '.') {
			at++;
			continue;
		}
		end = name_end(path, at);
		if (tn_str_equal(tn_str(path.data + at, end - at), name))
			return true;
		at = end;
	}
	return false;
}

bool tn_plan_path_is_remark(struct tn_str path)
{
	static const char *const roots[] = {
		"tags",        "tags_all",         "tag",     "labels", "label", "annotations",
		"description", "effective_labels", "comment", "notes"};
	struct tn_str root = tn_plan_path_root(path);
	struct tn_plan_path split;

	for (size_t i = 0; i < TN_COUNT(roots); i++)
		if (tn_str_is(root, roots[i]))
			return true;
	split = tn_plan_path_split(path);
	return tn_str_is(split.name, "description") ||
	       tn_plan_path_has_name(path, TN_STR("labels")) ||
	       tn_plan_path_has_name(path, TN_STR("annotations"));
}

bool tn_plan_path_is_element(struct tn_str element, struct tn_str list)
{
	struct tn_str rest;

	if (!tn_str_starts(element, list))
		return false;
	rest = tn_str_from_offset(element, list.size);
	if (rest.size == 0)
		return true;
	if (rest.data[0] == '.')
		return is_number(tn_str_from_offset(rest, 1));
	return rest.size > 2 && rest.data[0] == '[' && rest.data[rest.size - 1] == ']' &&
	       is_number(tn_str(rest.data + 1, rest.size - 2));
}
