#include "apps/studio/document/internal.h"

#include <math.h>

#include "jsonrpc/json_write.h"

void tn_studio_document_put(const struct tn_studio_document *document, struct tn_buf *out)
{
	tn_json_put_key(out, "nodes");
	tn_json_begin_array(out);
	for (size_t i = 0; i < document->node_count; i++)
		tn_json_put_value(out, document->nodes[i]->record);
	tn_json_end_array(out);
	tn_json_put_key(out, "edges");
	tn_json_begin_array(out);
	for (size_t i = 0; i < document->edge_count; i++)
		tn_json_put_value(out, document->edges[i]->record);
	tn_json_end_array(out);
	for (int i = 0; i < TN_STUDIO_PART_COUNT; i++) {
		const struct tn_json *part =
			tn_studio_part_get(document, (enum tn_studio_document_part)i);

		if (!part)
			continue;
		tn_json_put_key(out, tn_studio_part_names[i]);
		tn_json_put_value(out, part);
	}
	if (!isnan(document->budget)) {
		tn_json_put_key(out, "budget");
		tn_json_put_double(out, document->budget);
	}
}

void tn_studio_document_save(const void *document, struct tn_buf *out)
{
	tn_json_begin_object(out);
	tn_studio_document_put(document, out);
	tn_studio_revisions_put(document, out);
	tn_json_end_object(out);
}

static enum tenon_code load_node(struct tn_studio_document *document, const struct tn_json *record,
				 struct tenon_error *err)
{
	struct tn_studio_node *node = NULL;
	enum tenon_code code = tn_studio_node_make(document->registry, record, &node, err);

	if (code != TENON_OK)
		return code;
	if (tn_studio_node_find(document, node->id))
		code = tn_fail(err, TENON_INVALID, "two nodes have the id %.*s", (int)node->id.size,
			       node->id.data);
	else
		code = tn_studio_node_insert(document, node, SIZE_MAX, err);
	if (code != TENON_OK)
		tn_studio_node_destroy(node);
	return code;
}

static enum tenon_code load_edge(struct tn_studio_document *document, const struct tn_json *record,
				 struct tenon_error *err)
{
	struct tn_studio_edge *edge = NULL;
	enum tenon_code code = tn_studio_edge_make(record, &edge, err);

	if (code != TENON_OK)
		return code;
	if (tn_studio_edge_find(document, edge->id))
		code = tn_fail(err, TENON_INVALID, "two edges have the id %.*s", (int)edge->id.size,
			       edge->id.data);
	else
		code = tn_studio_edge_insert(document, edge, SIZE_MAX, err);
	if (code != TENON_OK)
		tn_studio_edge_destroy(edge);
	return code;
}

static enum tenon_code
load_list(struct tn_studio_document *document, const struct tn_json *saved, const char *key,
	  enum tenon_code (*load_one)(struct tn_studio_document *, const struct tn_json *,
				      struct tenon_error *),
	  struct tenon_error *err)
{
	const struct tn_json *list = tn_json_get(saved, key);
	enum tenon_code code = TENON_OK;

	if (list && list->type != TN_JSON_ARRAY)
		return tn_fail(err, TENON_INVALID, "%s is no array", key);
	for (const struct tn_json *at = list ? list->first : NULL; at && code == TENON_OK;
	     at = at->next)
		code = load_one(document, at, err);
	return code;
}

enum tenon_code tn_studio_document_fill(struct tn_studio_document *document,
					const struct tn_json *saved, struct tenon_error *err)
{
	enum tenon_code code;

	if (!tn_json_is(saved, TN_JSON_OBJECT))
		return tn_fail(err, TENON_INVALID, "the document is no object");
	code = load_list(document, saved, "nodes", load_node, err);
	if (code == TENON_OK)
		code = load_list(document, saved, "edges", load_edge, err);
	for (int i = 0; i < TN_STUDIO_PART_COUNT && code == TENON_OK; i++)
		code = tn_studio_part_set(document, (enum tn_studio_document_part)i,
					  tn_json_get(saved, tn_studio_part_names[i]), err);
	(void)tn_json_to_double(tn_json_get(saved, "budget"), &document->budget);
	return code;
}

enum tenon_code tn_studio_document_load(void *document, const struct tn_json *saved,
					struct tenon_error *err)
{
	enum tenon_code code = tn_studio_document_fill(document, saved, err);

	return code == TENON_OK ? tn_studio_revisions_read(document, saved, err) : code;
}

enum tenon_code tn_studio_document_replace(struct tn_studio_document *document,
					   const struct tn_json *saved, struct tenon_error *err)
{
	struct tn_studio_document fresh, old;
	enum tenon_code code;

	tn_studio_document_init(&fresh, document->registry);
	code = tn_studio_document_fill(&fresh, saved, err);
	if (code == TENON_OK)
		code = tn_studio_revise_all(document, &fresh, err);
	if (code != TENON_OK) {
		tn_studio_document_finish(&fresh);
		return code;
	}
	fresh.generation += document->generation;
	fresh.revisions = document->revisions;
	document->revisions = NULL;
	old = *document;
	*document = fresh;
	tn_studio_document_finish(&old);
	tn_studio_document_changed(document);
	return TENON_OK;
}
