#include "mcp/header_params.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/base64.h"
#include "base/mem.h"
#include "base/utf8.h"

/* Between the keys of a path: a byte that no key in use has. */
static const char path_separator = '\x1f';

/* ---- registration ---- */

struct search {
	const char *tool;
	struct tn_header_param **tail;
	struct tn_header_param *first;
	struct tenon_error *err;
};

static bool is_token_character(char c)
{
	return tn_is_alpha(c) || tn_is_digit(c) || (c && strchr("!#$%&'*+-.^_`|~", c));
}

static enum tenon_code bad(const struct search *s, const char *what)
{
	return tn_fail(s->err, TENON_INVALID, "tool %.64s: x-mcp-header %s", s->tool, what);
}

static enum tenon_code check_annotation(const struct search *s, const struct tn_json *schema,
					const struct tn_json *annotation)
{
	struct tn_str name, type;

	if (!tn_json_to_str(annotation, &name) || name.size == 0)
		return bad(s, "must be a non-empty string");
	for (size_t i = 0; i < name.size; i++) {
		if (!is_token_character(name.data[i]))
			return bad(s, "has characters that no header name may have");
	}
	if (!tn_json_to_str(tn_json_get(schema, "type"), &type) ||
	    !(tn_str_is(type, "string") || tn_str_is(type, "integer") ||
	      tn_str_is(type, "boolean")))
		return bad(s, "needs a property of type string, integer or boolean");
	for (const struct tn_header_param *p = s->first; p; p = p->next) {
		struct tn_str known = tn_str_from(p->header + strlen("Mcp-Param-"));

		if (tn_str_equal_nocase(known, name))
			return bad(s, "is used twice in this tool");
	}
	return TENON_OK;
}

static enum tenon_code add_param(struct search *s, struct tn_str name, const char *path)
{
	struct tn_header_param *param = tn_mem_alloc(sizeof(*param));
	size_t size = strlen("Mcp-Param-") + name.size + 1;

	if (!param)
		return tn_fail(s->err, TENON_NO_MEMORY, "out of memory");
	*s->tail = param;
	s->tail = &param->next;
	param->path = tn_mem_copy_text(path, strlen(path));
	param->header = tn_mem_alloc(size);
	if (!param->path || !param->header)
		return tn_fail(s->err, TENON_NO_MEMORY, "out of memory");
	(void)snprintf(param->header, size, "Mcp-Param-%.*s", (int)name.size, name.data);
	return TENON_OK;
}

/* True when the annotation occurs anywhere in this subtree. */
static bool mentions(const struct tn_json *value)
{
	if (value->type != TN_JSON_OBJECT && value->type != TN_JSON_ARRAY)
		return false;
	for (const struct tn_json *child = value->first; child; child = child->next) {
		if (tn_str_is(child->key, "x-mcp-header") || mentions(child))
			return true;
	}
	return false;
}

/* Keywords whose values are data, not schemas. */
static bool holds_data(struct tn_str keyword)
{
	return tn_str_is(keyword, "default") || tn_str_is(keyword, "examples") ||
	       tn_str_is(keyword, "const") || tn_str_is(keyword, "enum");
}

/* True when an annotation is met on any other way than through `properties`. */
static bool hides_annotation(const struct tn_json *schema)
{
	if (schema->type != TN_JSON_OBJECT)
		return false;
	for (const struct tn_json *m = schema->first; m; m = m->next) {
		if (!tn_str_is(m->key, "properties") && !holds_data(m->key) && mentions(m))
			return true;
	}
	return false;
}

static enum tenon_code walk(struct search *s, const struct tn_json *schema, const char *path)
{
	const struct tn_json *properties = tn_json_get(schema, "properties");
	enum tenon_code code = TENON_OK;

	if (hides_annotation(schema))
		return bad(s, "must be reached through properties only");
	if (!tn_json_is(properties, TN_JSON_OBJECT))
		return TENON_OK;
	for (const struct tn_json *p = properties->first; p && code == TENON_OK; p = p->next) {
		const struct tn_json *annotation = tn_json_get(p, "x-mcp-header");
		char below[1024];
		int size = snprintf(below, sizeof(below), "%s%c%.*s", path, path_separator,
				    (int)p->key.size, p->key.data);

		if (size < 0 || (size_t)size >= sizeof(below))
			return mentions(p) ? bad(s, "is nested too deeply") : TENON_OK;
		if (!annotation) {
			code = walk(s, p, below);
			continue;
		}
		code = check_annotation(s, p, annotation);
		if (code == TENON_OK)
			code = add_param(s, annotation->text, below);
	}
	return code;
}

enum tenon_code tn_header_params_find(const struct tn_json *schema, const char *tool,
				      struct tn_header_param **ret, struct tenon_error *err)
{
	struct search s = {.tool = tool, .err = err};
	enum tenon_code code;

	if (!mentions(schema))
		return TENON_OK;
	s.tail = &s.first;
	if (tn_json_get(schema, "x-mcp-header"))
		return bad(&s, "needs a property; the root is none");
	code = walk(&s, schema, "");
	if (code != TENON_OK) {
		tn_header_params_free(s.first);
		return code;
	}
	*ret = s.first;
	return TENON_OK;
}

void tn_header_params_free(struct tn_header_param *params)
{
	while (params) {
		struct tn_header_param *next = params->next;

		tn_mem_free(params->header);
		tn_mem_free(params->path);
		tn_mem_free(params);
		params = next;
	}
}

/* ---- requests ---- */

static enum tenon_code decode(struct tn_str raw, const char *name, struct tn_arena *arena,
			      struct tn_str *ret, struct tenon_error *err)
{
	const struct tn_str head = TN_STR("=?base64?"), tail = TN_STR("?=");
	struct tn_str inner;

	if (raw.size < head.size + tail.size || !tn_str_starts(raw, head) ||
	    !tn_str_ends(raw, tail)) {
		*ret = raw;
		return TENON_OK;
	}
	inner = tn_str(raw.data + head.size, raw.size - head.size - tail.size);
	if (!tn_base64_decode(arena, inner, ret) || !tn_utf8_valid(ret->data, ret->size))
		return tn_fail(err, TENON_INVALID, "header %s: malformed base64 value", name);
	return TENON_OK;
}

enum tenon_code tn_header_value(const struct tn_http_view *view, const char *name,
				struct tn_arena *arena, struct tn_str *ret, struct tenon_error *err)
{
	struct tn_str first, again;

	*ret = tn_str(NULL, 0);
	if (!view->ops->header(view, name, 0, &first))
		return TENON_OK;
	for (size_t n = 1; view->ops->header(view, name, n, &again); n++) {
		if (!tn_str_equal(first, again))
			return tn_fail(err, TENON_INVALID, "header %s: given twice, differently",
				       name);
	}
	for (size_t i = 0; i < first.size; i++) {
		if ((first.data[i] < 0x20 || first.data[i] > 0x7E) && first.data[i] != '\t')
			return tn_fail(
				err, TENON_INVALID,
				"header %s: only visible ASCII is allowed; wrap other text as "
				"=?base64?...?=",
				name);
	}
	if (!first.data)
		first.data = "";
	return decode(first, name, arena, ret, err);
}

const struct tn_json *tn_header_param_value(const struct tn_header_param *param,
					    const struct tn_json *value)
{
	const char *path = param->path;

	while (value && *path == path_separator) {
		const char *end = strchr(path + 1, path_separator);
		size_t size = end ? (size_t)(end - path - 1) : strlen(path + 1);

		value = tn_json_get_str(value, tn_str(path + 1, size));
		path += size + 1;
	}
	return tn_json_is(value, TN_JSON_NULL) ? NULL : value;
}

/* Integers are compared as numbers: 42.0 is 42 (MCP-122). */
static bool same_number(struct tn_str header, const struct tn_json *value, struct tn_arena *arena)
{
	struct tn_json *parsed;

	return tn_json_parse_copy(arena, header, &parsed, NULL) == TENON_OK &&
	       parsed->type == TN_JSON_NUMBER && tn_json_equal(parsed, value);
}

static bool same_value(struct tn_str header, const struct tn_json *value, struct tn_arena *arena)
{
	switch (value->type) {
	case TN_JSON_STRING:
		return tn_str_equal(header, value->text);
	case TN_JSON_TRUE:
		return tn_str_is(header, "true");
	case TN_JSON_FALSE:
		return tn_str_is(header, "false");
	case TN_JSON_NUMBER:
		return same_number(header, value, arena);
	default:
		return false;
	}
}

enum tenon_code tn_header_params_check(const struct tn_header_param *params,
				       const struct tn_http_view *view,
				       const struct tn_json *arguments, struct tn_arena *arena,
				       struct tenon_error *err)
{
	for (; params; params = params->next) {
		const struct tn_json *value = tn_header_param_value(params, arguments);
		struct tn_str header;
		enum tenon_code code = tn_header_value(view, params->header, arena, &header, err);

		if (code != TENON_OK)
			return code;
		if (value && !header.data)
			return tn_fail(err, TENON_INVALID, "header %s is missing", params->header);
		if (!value && header.data)
			return tn_fail(err, TENON_INVALID, "header %s has no argument in the body",
				       params->header);
		if (value && !same_value(header, value, arena))
			return tn_fail(err, TENON_INVALID,
				       "header %s differs from the argument in the body",
				       params->header);
	}
	return TENON_OK;
}
