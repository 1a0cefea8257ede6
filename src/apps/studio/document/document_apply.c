#include "apps/studio/document/internal.h"

#include <math.h>

#include "apps/studio/document/merge.h"
#include "apps/studio/limits.h"
#include "jsonrpc/json_make.h"
#include "jsonrpc/json_write.h"
#include "store/limits.h"

/* ---- nodes and edges ---- */

static size_t place_of(const struct tn_json *operation)
{
	int64_t at;

	if (!tn_json_to_int(tn_json_get(operation, "at"), &at) || at < 0)
		return SIZE_MAX; /* at the end */
	return (size_t)at;
}

static void begin_inverse(struct tn_buf *inverse, const char *op)
{
	tn_json_begin_object(inverse);
	tn_json_put_member_text(inverse, "op", op);
}

static enum tenon_code end_inverse(struct tn_buf *inverse, struct tenon_error *err)
{
	tn_json_end_object(inverse);
	return tn_buf_check(inverse, err);
}

static void put_record(struct tn_buf *inverse, const char *key, const struct tn_json *record)
{
	tn_json_put_key(inverse, key);
	tn_json_put_value(inverse, record);
}

static enum tenon_code put_node(struct tn_studio_document *document,
				const struct tn_json *operation, struct tn_buf *inverse,
				struct tenon_error *err)
{
	const struct tn_studio_node *old;
	struct tn_studio_node *node = NULL;
	enum tenon_code code =
		tn_studio_node_make(document->registry, tn_json_get(operation, "node"), &node, err);

	if (code != TENON_OK)
		return code;
	old = tn_studio_node_find(document, node->id);
	begin_inverse(inverse, old ? "putNode" : "removeNode");
	if (old)
		put_record(inverse, "node", old->record);
	else
		tn_json_put_member_str(inverse, "id", node->id);
	code = end_inverse(inverse, err);
	if (code == TENON_OK)
		code = tn_studio_revise(document, TN_STUDIO_NODES, node->id, err);
	if (old)
		tn_studio_revise_from(node, old);
	if (code == TENON_OK && old)
		code = tn_studio_node_replace(document, tn_studio_node_at(document, old), node,
					      err);
	else if (code == TENON_OK)
		code = tn_studio_node_insert(document, node, place_of(operation), err);
	if (code != TENON_OK)
		tn_studio_node_destroy(node);
	return code;
}

static enum tenon_code fail_missing(const struct tn_json *operation, const char *what,
				    struct tenon_error *err)
{
	struct tn_str id = tn_str("", 0);

	(void)tn_json_to_str(tn_json_get(operation, "id"), &id);
	return tn_fail(err, TENON_INVALID, "there is no %s '%.*s'", what,
		       (int)(id.size < 64 ? id.size : 64), id.data);
}

static enum tenon_code remove_node(struct tn_studio_document *document,
				   const struct tn_json *operation, struct tn_buf *inverse,
				   struct tenon_error *err)
{
	struct tn_str id = tn_str(NULL, 0);
	const struct tn_studio_node *node;
	enum tenon_code code;
	size_t at;

	(void)tn_json_to_str(tn_json_get(operation, "id"), &id);
	node = tn_studio_node_find(document, id);
	if (!node)
		return fail_missing(operation, "node", err);
	if (node->edge_count > 0)
		return tn_fail(err, TENON_INVALID, "node %.*s still has edges", (int)id.size,
			       id.data);
	at = tn_studio_node_at(document, node);
	begin_inverse(inverse, "putNode");
	put_record(inverse, "node", node->record);
	tn_json_put_member_int(inverse, "at", (int64_t)at);
	code = end_inverse(inverse, err);
	if (code == TENON_OK)
		code = tn_studio_revise(document, TN_STUDIO_NODES, id, err);
	if (code == TENON_OK)
		tn_studio_node_remove(document, at);
	return code;
}

static enum tenon_code put_edge(struct tn_studio_document *document,
				const struct tn_json *operation, struct tn_buf *inverse,
				struct tenon_error *err)
{
	const struct tn_studio_edge *old;
	struct tn_studio_edge *edge = NULL;
	enum tenon_code code = tn_studio_edge_make(tn_json_get(operation, "edge"), &edge, err);

	if (code != TENON_OK)
		return code;
	old = tn_studio_edge_find(document, edge->id);
	begin_inverse(inverse, old ? "putEdge" : "removeEdge");
	if (old)
		put_record(inverse, "edge", old->record);
	else
		tn_json_put_member_str(inverse, "id", edge->id);
	code = end_inverse(inverse, err);
	if (code == TENON_OK)
		code = tn_studio_revise(document, TN_STUDIO_EDGES, edge->id, err);
	if (old)
		edge->rev = old->rev;
	if (code == TENON_OK && old)
		code = tn_studio_edge_replace(document, tn_studio_edge_at(document, old), edge,
					      err);
	else if (code == TENON_OK)
		code = tn_studio_edge_insert(document, edge, place_of(operation), err);
	if (code != TENON_OK)
		tn_studio_edge_destroy(edge);
	return code;
}

static enum tenon_code remove_edge(struct tn_studio_document *document,
				   const struct tn_json *operation, struct tn_buf *inverse,
				   struct tenon_error *err)
{
	struct tn_str id = tn_str(NULL, 0);
	const struct tn_studio_edge *edge;
	enum tenon_code code;
	size_t at;

	(void)tn_json_to_str(tn_json_get(operation, "id"), &id);
	edge = tn_studio_edge_find(document, id);
	if (!edge)
		return fail_missing(operation, "edge", err);
	at = tn_studio_edge_at(document, edge);
	begin_inverse(inverse, "putEdge");
	put_record(inverse, "edge", edge->record);
	tn_json_put_member_int(inverse, "at", (int64_t)at);
	code = end_inverse(inverse, err);
	if (code == TENON_OK)
		code = tn_studio_revise(document, TN_STUDIO_EDGES, id, err);
	if (code == TENON_OK)
		tn_studio_edge_remove(document, at);
	return code;
}

/* ---- the rest ---- */

static bool part_by_name(struct tn_str name, enum tn_studio_document_part *ret)
{
	for (int i = TN_STUDIO_PART_MODULES; i <= TN_STUDIO_PART_TEMPLATE; i++) {
		if (tn_str_is(name, tn_studio_part_names[i])) {
			*ret = (enum tn_studio_document_part)i;
			return true;
		}
	}
	return false;
}

static enum tenon_code set_part(struct tn_studio_document *document,
				const struct tn_json *operation, struct tn_buf *inverse,
				struct tenon_error *err)
{
	struct tn_str key = tn_str(NULL, 0);
	enum tn_studio_document_part part;
	enum tenon_code code;

	if (!tn_json_to_str(tn_json_get(operation, "key"), &key) || !part_by_name(key, &part))
		return tn_fail(err, TENON_INVALID,
			       "the key of a part is none of modules, instances, template");
	begin_inverse(inverse, "setPart");
	tn_json_put_member_str(inverse, "key", key);
	put_record(inverse, "value", tn_studio_part_get(document, part));
	code = end_inverse(inverse, err);
	if (code == TENON_OK)
		code = tn_studio_part_set(document, part, tn_json_get(operation, "value"), err);
	return code;
}

static enum tenon_code set_config(struct tn_studio_document *document,
				  const struct tn_json *operation, struct tn_buf *inverse,
				  struct tenon_error *err)
{
	const struct tn_json *config = tn_json_get(operation, "config");
	enum tenon_code code;

	if (config && config->type != TN_JSON_OBJECT && config->type != TN_JSON_NULL)
		return tn_fail(err, TENON_INVALID, "the configuration is no object");
	begin_inverse(inverse, "setConfig");
	put_record(inverse, "config", document->config);
	code = end_inverse(inverse, err);
	if (code == TENON_OK)
		code = tn_studio_part_set(document, TN_STUDIO_PART_CONFIG, config, err);
	return code;
}

static enum tenon_code set_budget(struct tn_studio_document *document,
				  const struct tn_json *operation, struct tn_buf *inverse,
				  struct tenon_error *err)
{
	const struct tn_json *value = tn_json_get(operation, "budget");
	double budget = NAN;
	enum tenon_code code;

	if (value && value->type != TN_JSON_NULL && !tn_json_to_double(value, &budget))
		return tn_fail(err, TENON_INVALID, "the budget is no number");
	begin_inverse(inverse, "setBudget");
	tn_json_put_key(inverse, "budget");
	tn_json_put_double(inverse, document->budget);
	code = end_inverse(inverse, err);
	if (code != TENON_OK)
		return code;
	document->budget = budget;
	tn_studio_document_changed(document);
	return TENON_OK;
}

/* The object with one member put at a place, replaced, or taken out (NULL). */
static struct tn_json *with_usage(struct tn_arena *arena, const struct tn_json *usage,
				  struct tn_str id, const struct tn_json *value, size_t place)
{
	struct tn_json_maker maker;
	size_t index = 0;

	if (!value || tn_json_get_str(usage, id))
		return tn_json_with(arena, usage, id, value);
	tn_json_maker_begin(&maker, arena, TN_JSON_OBJECT);
	for (const struct tn_json *at = usage ? usage->first : NULL; at; at = at->next) {
		if (index++ == place)
			tn_json_maker_put(&maker, id, value);
		tn_json_maker_put(&maker, at->key, at);
	}
	if (place >= index)
		tn_json_maker_put(&maker, id, value);
	return tn_json_maker_end(&maker);
}

static size_t member_place(const struct tn_json *object, struct tn_str key)
{
	size_t index = 0;

	for (const struct tn_json *at = object->first; at; at = at->next, index++) {
		if (tn_str_equal(at->key, key))
			break;
	}
	return index;
}

static enum tenon_code set_usage(struct tn_studio_document *document,
				 const struct tn_json *operation, struct tn_buf *inverse,
				 struct tenon_error *err)
{
	const struct tn_json *value = tn_json_get(operation, "usage"), *old, *made;
	struct tn_str id = tn_str(NULL, 0);
	struct tn_arena arena;
	enum tenon_code code;

	(void)tn_json_to_str(tn_json_get(operation, "id"), &id);
	if (!tn_studio_id_is_valid(id) ||
	    (value && value->type != TN_JSON_OBJECT && value->type != TN_JSON_NULL))
		return tn_fail(err, TENON_INVALID, "usage needs an id, and an object or null");
	if (tn_json_is(value, TN_JSON_NULL))
		value = NULL;
	old = tn_json_get_str(document->usage, id);
	begin_inverse(inverse, "setUsage");
	tn_json_put_member_str(inverse, "id", id);
	put_record(inverse, "usage", old);
	if (old)
		tn_json_put_member_int(inverse, "at", (int64_t)member_place(document->usage, id));
	code = end_inverse(inverse, err);
	if (code == TENON_OK && value)
		code = tn_studio_record_check(value, err);
	if (code == TENON_OK)
		code = tn_studio_revise(document, TN_STUDIO_NODES, id, err);
	if (code != TENON_OK)
		return code;
	tn_arena_init(&arena, TN_STUDIO_ARENA_MAX);
	made = with_usage(&arena, document->usage, id, value, place_of(operation));
	code = made ? tn_studio_part_set(document, TN_STUDIO_PART_USAGE, made->count ? made : NULL,
					 err)
		    : tn_fail(err, TENON_NO_MEMORY, "out of memory");
	tn_arena_finish(&arena);
	return code;
}

static enum tenon_code replace_all(struct tn_studio_document *document,
				   const struct tn_json *operation, struct tn_buf *inverse,
				   struct tenon_error *err)
{
	struct tn_buf saved;
	enum tenon_code code;

	tn_buf_init(&saved, TN_OPLOG_FILE_BYTES_MAX);
	tn_json_begin_object(&saved);
	tn_studio_document_put(document, &saved);
	tn_json_end_object(&saved);
	begin_inverse(inverse, "replace");
	tn_json_put_member_raw(inverse, "document", tn_buf_str(&saved));
	tn_buf_inherit_failure(inverse, &saved);
	tn_buf_finish(&saved);
	code = end_inverse(inverse, err);
	if (code == TENON_OK)
		code = tn_studio_document_replace(document, tn_json_get(operation, "document"),
						  err);
	return code;
}

static const struct {
	const char *name;
	enum tenon_code (*apply)(struct tn_studio_document *document,
				 const struct tn_json *operation, struct tn_buf *inverse,
				 struct tenon_error *err);
} operations[] = {
	{"putNode", put_node},       {"removeNode", remove_node},      {"putEdge", put_edge},
	{"removeEdge", remove_edge}, {"place", tn_studio_apply_place}, {"setConfig", set_config},
	{"setUsage", set_usage},     {"setBudget", set_budget},        {"setPart", set_part},
	{"replace", replace_all},
};

enum tenon_code tn_studio_document_apply(void *document, const struct tn_json *operation,
					 struct tn_buf *inverse, struct tenon_error *err)
{
	struct tn_str name = tn_str(NULL, 0);

	(void)tn_json_to_str(tn_json_get(operation, "op"), &name);
	for (size_t i = 0; i < sizeof(operations) / sizeof(operations[0]); i++) {
		if (tn_str_is(name, operations[i].name))
			return operations[i].apply(document, operation, inverse, err);
	}
	return tn_fail(err, TENON_INVALID, "there is no operation '%.*s'",
		       (int)(name.size < 32 ? name.size : 32), name.data ? name.data : "");
}

const struct tn_document_ops tn_studio_document_ops = {.apply = tn_studio_document_apply,
						       .save = tn_studio_document_save,
						       .load = tn_studio_document_load,
						       .touch = tn_studio_document_touch,
						       .settled = tn_studio_document_settled};
