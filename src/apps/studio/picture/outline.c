#include "apps/studio/picture/outline.h"

#include <string.h>

#include "apps/studio/limits.h"
#include "jsonrpc/json_write.h"

static void put_word(struct tn_buf *out, struct tn_str word)
{
	tn_buf_append_byte(out, ' ');
	tn_buf_append_str(out, word);
}

/* A key behind which JSON stands: no comma is due there (json_write.h). */
static void put_key(struct tn_buf *out, struct tn_str key)
{
	put_word(out, key);
	tn_buf_append_byte(out, ':');
}

/* ---- values ---- */

/* What the place in the tree implies is not said again. */
void tn_studio_outline_references(struct tn_buf *out, const struct tn_studio_document *document,
				  const struct tn_studio_node *node)
{
	const struct tn_studio_node *targets[TN_STUDIO_LIST_MAX];

	for (size_t i = 0; node->type && i < node->type->property_count; i++) {
		const struct tn_studio_property *property = &node->type->properties[i];
		bool implied = false;
		size_t count;

		if (property->type != TN_STUDIO_REFERENCE)
			continue;
		count = tn_studio_references(document, node, property, targets, TN_STUDIO_LIST_MAX,
					     &implied);
		if (count == 0 || implied)
			continue;
		put_word(out, property->key);
		tn_buf_append_str(out, TN_STR("->"));
		for (size_t j = 0; j < count && j < TN_STUDIO_LIST_MAX; j++) {
			if (j > 0)
				tn_buf_append_byte(out, ',');
			tn_buf_append_str(out, targets[j]->own);
		}
	}
}

/* Said by the line itself, or where things are: `include` asks for that. */
static bool is_said(const struct tn_studio_node *node, struct tn_str key)
{
	static const char *const said[] = {"id",       "typeId",     "label", "terraformName",
					   "parentId", "position",   "size",  "properties",
					   "rev",      TN_STUDIO_OWN};

	for (size_t i = 0; i < sizeof(said) / sizeof(*said); i++) {
		if (tn_str_is(key, said[i]))
			return true;
	}
	return node->type && tn_str_is(key, "references");
}

/* Notes, outputs, modes of variables; and what this version knows nothing of. */
static void put_record(struct tn_buf *out, const struct tn_studio_node *node)
{
	for (const struct tn_json *at = node->record ? node->record->first : NULL; at;
	     at = at->next) {
		if (is_said(node, at->key))
			continue;
		put_key(out, at->key);
		tn_json_put_value(out, at);
	}
}

static void put_extras(struct tn_buf *out, const struct tn_studio_outline *outline,
		       const struct tn_studio_node *node, const struct tn_studio_scope *scope)
{
	struct tn_str written;
	size_t before = out->size;

	put_key(out, TN_STR("more"));
	tn_json_begin_object(out);
	tn_studio_put_extras(out, node, scope, outline->extras);
	tn_json_end_object(out);
	written = tn_str_from_offset(tn_buf_str(out), before);
	if (!out->failed && tn_str_is(written, " more:{}"))
		out->size = before;
}

void tn_studio_outline_name(struct tn_buf *out, const struct tn_studio_node *node)
{
	if (tn_str_equal(node->name, node->own))
		return;
	put_key(out, TN_STR("terraformName"));
	tn_buf_append_str(out, node->name);
}

/* Behind a bar: these are no properties, and may be called like one. */
static void put_rest(struct tn_buf *out, const struct tn_studio_outline *outline,
		     const struct tn_studio_node *node)
{
	struct tn_studio_scope scope = tn_studio_scope_of(outline->document, node, outline->arena);
	const struct tn_json *name = tn_studio_value_by_key(&scope, TN_STR("name"));
	const struct tn_json *stored = tn_json_get(node->properties, "name");
	const char *status = tn_studio_status_of(outline->status, node->id);
	size_t before = out->size, after_bar;

	tn_buf_append_str(out, TN_STR(" |"));
	after_bar = out->size;
	if (tn_json_is(name, TN_JSON_STRING) &&
	    !(tn_json_is(stored, TN_JSON_STRING) && tn_str_equal(stored->text, name->text))) {
		put_key(out, TN_STR("effectiveName"));
		tn_studio_put_plain(out, name->text);
	}
	tn_studio_outline_name(out, node);
	if (strcmp(status, "pending") != 0)
		tn_buf_format(out, " status:%s", status);
	put_record(out, node);
	if (outline->extras)
		put_extras(out, outline, node, &scope);
	if (!out->failed && out->size == after_bar)
		out->size = before;
}

/* ---- lines ---- */

static void put_rev(struct tn_buf *out, const struct tn_studio_outline *outline, uint64_t rev)
{
	if (rev != outline->revision)
		tn_buf_format(out, " @%llu", (unsigned long long)rev);
}

/* ownName:label typeId instanceId @rev key:value key->ownName | member:value */
static void put_node(struct tn_buf *out, const struct tn_studio_outline *outline,
		     const struct tn_studio_node *node)
{
	tn_buf_append_str(out, node->own);
	tn_buf_append_byte(out, ':');
	tn_studio_put_plain(out, node->label);
	put_word(out, node->type_id);
	put_word(out, node->id);
	put_rev(out, outline, node->rev);
	tn_studio_put_properties_line(out, node, outline->secrets);
	tn_studio_outline_references(out, outline->document, node);
	put_rest(out, outline, node);
	tn_buf_append_byte(out, '\n');
}

/* The next node of the tree below `root` in the order of reading; NULL: that was the last. */
static const struct tn_studio_node *after(const struct tn_studio_node *node,
					  const struct tn_studio_node *root)
{
	if (node->first_child)
		return node->first_child;
	while (node != root && !node->next_sibling)
		node = node->parent;
	return node == root ? NULL : node->next_sibling;
}

static void put_edge(struct tn_buf *out, const struct tn_studio_outline *outline,
		     const struct tn_studio_edge *edge)
{
	tn_buf_format(out, "%s %.*s.%.*s -> %.*s.%.*s %.*s",
		      tn_studio_edge_category_name(edge->category), (int)edge->source->own.size,
		      edge->source->own.data, (int)edge->source_handle.size,
		      edge->source_handle.data, (int)edge->target->own.size, edge->target->own.data,
		      (int)edge->target_handle.size, edge->target_handle.data, (int)edge->id.size,
		      edge->id.data);
	put_rev(out, outline, edge->rev);
	if (edge->label.size > 0) {
		put_key(out, TN_STR("label"));
		tn_studio_put_plain(out, edge->label);
	}
	tn_buf_append_byte(out, '\n');
}

void tn_studio_outline(struct tn_buf *out, const struct tn_studio_outline *outline,
		       const struct tn_studio_edge *edges, size_t edge_count)
{
	const struct tn_studio_document *document = outline->document;
	bool has_drawn = false;

	for (size_t i = 0; i < document->node_count; i++) {
		if (document->nodes[i]->parent)
			continue;
		for (const struct tn_studio_node *at = document->nodes[i]; at;
		     at = after(at, document->nodes[i])) {
			for (uint32_t depth = at->depth; depth > 0; depth--)
				tn_buf_append_str(out, TN_STR(" "));
			put_node(out, outline, at);
		}
	}
	if (edge_count > 0)
		tn_buf_append_str(out, TN_STR("edges:\n"));
	for (size_t i = 0; i < edge_count; i++) {
		has_drawn |= edges[i].derived;
		if (!edges[i].derived)
			put_edge(out, outline, &edges[i]);
	}
	if (has_drawn)
		tn_buf_append_str(out, TN_STR("drawn references: ref:source:key:target\n"));
}
