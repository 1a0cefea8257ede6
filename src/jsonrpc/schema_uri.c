#include "jsonrpc/schema_node.h"

/* The five parts of RFC 3986 appendix B, each with its delimiter, so that joining them again is
 * concatenation; absent parts are empty. */
struct parts {
	struct tn_str scheme;    /* "https:" */
	struct tn_str authority; /* "//host" */
	struct tn_str path;
	struct tn_str query;    /* "?..." */
	struct tn_str fragment; /* "#..." */
};

static struct tn_str take_until(struct tn_str *rest, const char *stops)
{
	size_t size = 0;
	struct tn_str part;

	while (size < rest->size && !strchr(stops, rest->data[size]))
		size++;
	part = tn_str(rest->data, size);
	*rest = tn_str_from_offset(*rest, size);
	return part;
}

static struct parts split(struct tn_str uri)
{
	struct parts parts = {0};
	struct tn_str rest = uri;
	size_t colon = tn_str_find_byte(uri, ':');

	parts.scheme = tn_str(uri.data, 0);
	if (colon != TN_STR_NONE && colon > 0 && tn_is_alpha(uri.data[0]) &&
	    take_until(&rest, "/?#").size > colon) {
		parts.scheme = tn_str(uri.data, colon + 1);
		rest = tn_str_from_offset(uri, colon + 1);
	} else {
		rest = uri;
	}
	if (rest.size >= 2 && rest.data[0] == '/' && rest.data[1] == '/') {
		struct tn_str behind = tn_str_from_offset(rest, 2);
		size_t size = 2 + take_until(&behind, "/?#").size;

		parts.authority = tn_str(rest.data, size);
		rest = tn_str_from_offset(rest, size);
	}
	parts.path = take_until(&rest, "?#");
	parts.query = take_until(&rest, "#");
	parts.fragment = rest;
	return parts;
}

/* Section 5.2.4, on "/"-separated segments; `path` is rewritten in place. */
static size_t remove_dots(char *path, size_t size)
{
	size_t out = 0, at = 0;

	while (at < size) {
		size_t start = at, end;
		struct tn_str name;

		if (path[at] == '/')
			at++;
		for (end = at; end < size && path[end] != '/'; end++)
			;
		name = tn_str(path + at, end - at);
		if (tn_str_is(name, "..")) {
			while (out > 0 && path[--out] != '/')
				;
		} else if (!tn_str_is(name, ".")) {
			memmove(path + out, path + start, end - start);
			out += end - start;
			at = end;
			continue;
		}
		if (end == size && at > start) /* "/." and "/.." at the end leave the slash */
			path[out++] = '/';
		at = end;
	}
	return out;
}

struct builder {
	char *data;
	size_t size;
};

static void put(struct builder *out, struct tn_str part)
{
	if (part.size)
		memcpy(out->data + out->size, part.data, part.size);
	out->size += part.size;
}

static void put_path(struct builder *out, const struct parts *base, struct tn_str path)
{
	char *start = out->data + out->size;
	size_t cut = base->path.size;

	if (path.data[0] != '/') { /* merge: the base's path up to its last slash */
		while (cut > 0 && base->path.data[cut - 1] != '/')
			cut--;
		if (cut == 0 && base->authority.size)
			put(out, TN_STR("/"));
		put(out, tn_str(base->path.data, cut));
	}
	put(out, path);
	out->size = (size_t)(start - out->data) +
		    remove_dots(start, (size_t)(out->data + out->size - start));
}

struct tn_str tn_uri_resolve(struct tn_arena *arena, struct tn_str base, struct tn_str reference)
{
	struct parts from = split(base), to = split(reference);
	struct builder out = {tn_arena_alloc_raw(arena, base.size + reference.size + 2), 0};

	if (!out.data)
		return tn_str(NULL, 0);
	if (to.scheme.size) {
		put(&out, reference);
		return tn_str(out.data, out.size);
	}
	put(&out, from.scheme);
	if (to.authority.size) {
		put(&out, reference);
		return tn_str(out.data, out.size);
	}
	put(&out, from.authority);
	if (to.path.size)
		put_path(&out, &from, to.path);
	else
		put(&out, from.path);
	put(&out, to.path.size || to.query.size ? to.query : from.query);
	put(&out, to.fragment);
	return tn_str(out.data, out.size);
}
