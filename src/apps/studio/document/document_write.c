/* diagram.json and cost.json as people read, diff and commit them (ST-020). */
#include <math.h>

#include "apps/studio/document/internal.h"
#include "jsonrpc/json_write.h"

static void put_text(struct tn_buf *out, struct tn_str text)
{
	tn_buf_append_byte(out, '"');
	tn_json_put_escaped(out, text);
	tn_buf_append_byte(out, '"');
}

static void new_line(struct tn_buf *out, unsigned indent)
{
	tn_buf_append_byte(out, '\n');
	for (unsigned i = 0; i < indent; i++)
		tn_buf_append(out, "  ", 2);
}

static bool is_container(const struct tn_json *value)
{
	return value->type == TN_JSON_ARRAY || value->type == TN_JSON_OBJECT;
}

static bool is_flat(const struct tn_json *array)
{
	for (const struct tn_json *at = array->first; at; at = at->next) {
		if (is_container(at))
			return false;
	}
	return array->type == TN_JSON_ARRAY;
}

static void put_flat(struct tn_buf *out, const struct tn_json *array)
{
	tn_buf_append_byte(out, '[');
	for (const struct tn_json *at = array->first; at; at = at->next) {
		if (at != array->first)
			tn_buf_append(out, ", ", 2);
		tn_studio_write_pretty(out, at, 0);
	}
	tn_buf_append_byte(out, ']');
}

static void put_children(struct tn_buf *out, const struct tn_json *value, unsigned indent)
{
	bool object = value->type == TN_JSON_OBJECT;

	tn_buf_append_byte(out, object ? '{' : '[');
	for (const struct tn_json *at = value->first; at; at = at->next) {
		if (at != value->first)
			tn_buf_append_byte(out, ',');
		new_line(out, indent + 1);
		if (object) {
			put_text(out, at->key);
			tn_buf_append(out, ": ", 2);
		}
		tn_studio_write_pretty(out, at, indent + 1);
	}
	if (value->first)
		new_line(out, indent);
	tn_buf_append_byte(out, object ? '}' : ']');
}

/* Recursion is bounded by TN_JSON_DEPTH_MAX, which every tree was read under. */
void tn_studio_write_pretty(struct tn_buf *out, const struct tn_json *value, unsigned indent)
{
	if (value->type == TN_JSON_STRING)
		put_text(out, value->text);
	else if (value->type == TN_JSON_NUMBER)
		tn_buf_append_str(out, value->text);
	else if (value->type == TN_JSON_NULL)
		tn_buf_append_text(out, "null");
	else if (!is_container(value))
		tn_buf_append_text(out, value->type == TN_JSON_TRUE ? "true" : "false");
	else if (is_flat(value))
		put_flat(out, value);
	else
		put_children(out, value, indent);
}

/* ---- files ---- */

static void put_key(struct tn_buf *out, const char *key)
{
	if (out->size > 0 && out->data[out->size - 1] != '{')
		tn_buf_append_byte(out, ',');
	new_line(out, 1);
	put_text(out, tn_str_from(key));
	tn_buf_append(out, ": ", 2);
}

static void put_members(struct tn_buf *out, const struct tn_json *object)
{
	for (const struct tn_json *at = object ? object->first : NULL; at; at = at->next) {
		tn_buf_append_byte(out, ',');
		new_line(out, 1);
		put_text(out, at->key);
		tn_buf_append(out, ": ", 2);
		tn_studio_write_pretty(out, at, 1);
	}
}

static void begin_element(struct tn_buf *out, bool first)
{
	if (!first)
		tn_buf_append_byte(out, ',');
	new_line(out, 2);
}

static void end_list(struct tn_buf *out, size_t count)
{
	if (count > 0)
		new_line(out, 1);
	tn_buf_append_byte(out, ']');
}

static void put_part(struct tn_buf *out, const char *key, const struct tn_json *part)
{
	put_key(out, key);
	if (part)
		tn_studio_write_pretty(out, part, 1);
	else
		tn_buf_append(out, "[]", 2);
}

void tn_studio_document_write_diagram(const struct tn_studio_document *document, uint64_t revision,
				      struct tn_buf *out)
{
	tn_buf_append_byte(out, '{');
	put_key(out, "formatVersion");
	tn_buf_append_uint(out, TN_STUDIO_FORMAT);
	put_key(out, "revision");
	tn_buf_append_uint(out, revision);
	put_key(out, "nodes");
	tn_buf_append_byte(out, '[');
	for (size_t i = 0; i < document->node_count; i++) {
		begin_element(out, i == 0);
		tn_studio_write_pretty(out, document->nodes[i]->record, 2);
	}
	end_list(out, document->node_count);
	put_key(out, "edges");
	tn_buf_append_byte(out, '[');
	for (size_t i = 0; i < document->edge_count; i++) {
		begin_element(out, i == 0);
		tn_studio_write_pretty(out, document->edges[i]->record, 2);
	}
	end_list(out, document->edge_count);
	put_part(out, "modules", document->modules);
	put_part(out, "instances", document->instances);
	if (document->template_info)
		put_part(out, "template", document->template_info);
	put_members(out, document->rest);
	tn_buf_append(out, "\n}\n", 3);
}

void tn_studio_document_write_cost(const struct tn_studio_document *document, struct tn_buf *out)
{
	const struct tn_json *rest = tn_studio_part_get(document, TN_STUDIO_PART_COST_REST);
	struct tn_buf budget;

	if (!document->usage && isnan(document->budget) && !rest)
		return;
	tn_buf_append_byte(out, '{');
	put_key(out, "formatVersion");
	tn_buf_append_uint(out, TN_STUDIO_FORMAT);
	put_key(out, "usage");
	if (document->usage)
		tn_studio_write_pretty(out, document->usage, 1);
	else
		tn_buf_append(out, "{}", 2);
	if (!isnan(document->budget)) {
		/* Into a buffer of its own: the writer would put a comma after the colon's space.
		 */
		tn_buf_init(&budget, 64);
		tn_json_put_double(&budget, document->budget);
		put_key(out, "budget");
		tn_buf_append_str(out, tn_buf_str(&budget));
		tn_buf_inherit_failure(out, &budget);
		tn_buf_finish(&budget);
	}
	put_members(out, rest);
	tn_buf_append(out, "\n}\n", 3);
}
