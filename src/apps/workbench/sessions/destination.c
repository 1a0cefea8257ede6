#include "apps/workbench/sessions/destination.h"

#include "apps/workbench/limits.h"
#include "apps/workbench/values/id.h"
#include "base/percent.h"
#include "base/utf8.h"

static const char *invalid(struct tenon_error *err, const char *sentence)
{
	(void)tn_fail(err, TENON_INVALID, "%s", sentence);
	return "invalid_path";
}

/* For "%.*s" of what others wrote. */
static struct tn_str brief(struct tn_str text)
{
	text = tn_utf8_cut(text, 100);
	return text.size ? text : TN_STR("");
}

/* Browsers read "\" as "/", and leave out tabs and line breaks. */
static const char *read_path(struct tn_str path, struct tn_buf *out, struct tenon_error *err)
{
	if (path.size > TN_WB_ADDRESS_BYTES_MAX || !tn_str_starts(path, TN_STR("/")) ||
	    tn_str_starts(path, TN_STR("//")) || tn_str_find_byte(path, '\\') != TN_STR_NONE ||
	    tn_wb_has_control(path))
		return invalid(err, "a path begins with one \"/\", has at most 2,048 bytes, and "
				    "neither \"\\\" nor control characters");
	tn_buf_append_str(out, path);
	return NULL;
}

/* ---- routes ---- */

static struct tn_str next_part(struct tn_str *rest)
{
	size_t slash = tn_str_find_byte(*rest, '/');
	struct tn_str part = tn_str(rest->data, slash == TN_STR_NONE ? rest->size : slash);

	*rest = slash == TN_STR_NONE ? tn_str(rest->data + rest->size, 0)
				     : tn_str_from_offset(*rest, slash + 1);
	return part;
}

/* A browser takes such parts away, with what stands before them. */
static bool has_dots(struct tn_str value)
{
	while (value.size) {
		struct tn_str part = next_part(&value);

		if (tn_str_is(part, ".") || tn_str_is(part, ".."))
			return true;
	}
	return false;
}

/* One part of a route's path: fixed, ":name", either with "?" behind it, or "*". */
static const char *put_part(struct tn_str part, const struct tn_json *params, struct tn_buf *out,
			    struct tenon_error *err)
{
	bool optional = tn_str_ends(part, TN_STR("?")), is_rest = tn_str_is(part, "*");
	struct tn_str name, value = {0};

	if (optional)
		part.size--;
	if (!is_rest && !tn_str_starts(part, TN_STR(":"))) {
		tn_buf_append_byte(out, '/');
		tn_buf_append_str(out, part);
		return NULL;
	}
	name = is_rest ? part : tn_str_from_offset(part, 1);
	if (!tn_json_to_str(tn_json_get_str(params, name), &value) || !value.size) {
		struct tn_str shown = brief(name);

		if (optional)
			return NULL;
		(void)tn_fail(err, TENON_INVALID, "params needs a text \"%.*s\"", (int)shown.size,
			      shown.data);
		return "missing_param";
	}
	if (has_dots(value) || (is_rest && tn_str_starts(value, TN_STR("/"))))
		return invalid(err, "a param has no parts that are \".\" or \"..\", and \"*\" does "
				    "not begin with \"/\"");
	tn_buf_append_byte(out, '/');
	tn_percent_put(out, value, is_rest ? "/" : "");
	return NULL;
}

static const char *read_route(const struct tn_wb_graph *graph, struct tn_str id,
			      const struct tn_json *params, struct tn_buf *out,
			      struct tenon_error *err)
{
	const struct tn_wb_node *node = tn_wb_graph_find(graph, "route", id);
	const char *code = NULL;
	struct tn_json *tree = NULL;
	struct tn_str rest = {0}, shown = brief(id);
	struct tn_arena arena;

	tn_arena_init(&arena, TN_MIB);
	if (!node || tn_json_parse_copy(&arena, tn_wb_node_json(node), &tree, NULL) != TENON_OK ||
	    !tn_json_to_str(tn_json_get(tree, "path"), &rest)) {
		(void)tn_fail(err, TENON_NOT_FOUND,
			      "the graph has no route %.*s; skaffa://workspace/graph lists them",
			      (int)shown.size, shown.data);
		code = "route_unknown";
	}
	while (rest.size && !code) {
		struct tn_str part = next_part(&rest);

		code = part.size ? put_part(part, params, out, err) : NULL;
	}
	if (!code && !out->size)
		tn_buf_append_byte(out, '/');
	tn_arena_finish(&arena);
	return code;
}

const char *tn_wb_destination_read(const struct tn_wb_graph *graph, const struct tn_json *to,
				   struct tn_buf *path, struct tenon_error *err)
{
	const struct tn_json *given = tn_json_get(to, "path"), *route = tn_json_get(to, "routeId");
	struct tn_buf made;
	struct tn_str text = {0};
	const char *code;

	if (!given == !route || !tn_json_to_str(given ? given : route, &text))
		return invalid(err, "\"to\" has either a text \"path\" or a text \"routeId\"");
	if (given)
		return read_path(text, path, err);
	tn_buf_init(&made, TN_MIB);
	code = read_route(graph, text, tn_json_get(to, "params"), &made, err);
	if (!code)
		code = read_path(tn_buf_str(&made), path, err);
	tn_buf_finish(&made);
	return code;
}
