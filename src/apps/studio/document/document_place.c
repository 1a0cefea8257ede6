/* Many nodes get new places at once: what a layout does, and dragging a selection. */
#include "apps/studio/document/internal.h"

#include "apps/studio/limits.h"
#include "jsonrpc/json_make.h"
#include "jsonrpc/json_write.h"

/* {"id","x","y","width"?,"height"?}, or what an inverse says: {"id","position","size"} as they
 * stood in the record, null where they were not there. */
struct place {
	const struct tn_studio_node *node;
	struct tn_studio_node *made;
	size_t at;
};

static struct tn_json *pair(struct tn_arena *arena, const char *a_key, int64_t a, const char *b_key,
			    int64_t b)
{
	struct tn_json_maker maker;

	tn_json_maker_begin(&maker, arena, TN_JSON_OBJECT);
	tn_json_maker_put(&maker, tn_str_from(a_key), tn_json_make_int(arena, a));
	tn_json_maker_put(&maker, tn_str_from(b_key), tn_json_make_int(arena, b));
	return tn_json_maker_end(&maker);
}

static const struct tn_json *record_with(struct tn_arena *arena, const struct tn_json *record,
					 const char *key, const struct tn_json *value)
{
	if (!record || (value && value->type == TN_JSON_NULL && !tn_json_get(record, key)))
		return record;
	return tn_json_with(arena, record, tn_str_from(key),
			    tn_json_is(value, TN_JSON_NULL) ? NULL : value);
}

static enum tenon_code new_record(struct tn_arena *arena, const struct tn_json *entry,
				  const struct tn_json *old, const struct tn_json **ret,
				  struct tenon_error *err)
{
	const struct tn_json *position = tn_json_get(entry, "position");
	const struct tn_json *size = tn_json_get(entry, "size");
	int64_t x, y, width, height;

	if (!position) {
		if (!tn_json_to_int(tn_json_get(entry, "x"), &x) ||
		    !tn_json_to_int(tn_json_get(entry, "y"), &y))
			return tn_fail(err, TENON_INVALID, "a place needs whole x and y");
		position = pair(arena, "x", x, "y", y);
		if (tn_json_to_int(tn_json_get(entry, "width"), &width) &&
		    tn_json_to_int(tn_json_get(entry, "height"), &height))
			size = pair(arena, "width", width, "height", height);
		if (!position)
			return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	}
	*ret = record_with(arena, old, "position", position);
	if (size)
		*ret = record_with(arena, *ret, "size", size);
	return *ret ? TENON_OK : tn_fail(err, TENON_NO_MEMORY, "out of memory");
}

static enum tenon_code make_one(struct tn_studio_document *document, const struct tn_json *entry,
				struct place *place, struct tenon_error *err)
{
	const struct tn_json *record = NULL;
	struct tn_str id = tn_str(NULL, 0);
	struct tn_arena arena;
	enum tenon_code code;

	(void)tn_json_to_str(tn_json_get(entry, "id"), &id);
	place->node = tn_studio_node_find(document, id);
	if (!place->node)
		return tn_fail(err, TENON_INVALID, "a place is for a node that is not there");
	place->at = tn_studio_node_at(document, place->node);
	tn_arena_init(&arena, TN_STUDIO_NODE_ARENA_MAX);
	code = new_record(&arena, entry, place->node->record, &record, err);
	if (code == TENON_OK)
		code = tn_studio_node_make(document->registry, record, &place->made, err);
	tn_arena_finish(&arena);
	if (code == TENON_OK)
		tn_studio_revise_from(place->made, place->node);
	return code == TENON_OK ? tn_studio_revise(document, TN_STUDIO_NODES, place->node->id, err)
				: code;
}

static void put_inverse(struct tn_buf *inverse, const struct tn_studio_node *node)
{
	tn_json_begin_object(inverse);
	tn_json_put_member_str(inverse, "id", node->id);
	tn_json_put_key(inverse, "position");
	tn_json_put_value(inverse, tn_json_get(node->record, "position"));
	tn_json_put_key(inverse, "size");
	tn_json_put_value(inverse, tn_json_get(node->record, "size"));
	tn_json_end_object(inverse);
}

/* Replacing a node by one of the same names needs no memory, so it cannot stop half way. */
static enum tenon_code replace_each(struct tn_studio_document *document, struct place *places,
				    size_t count, struct tenon_error *err)
{
	for (size_t i = 0; i < count; i++) {
		enum tenon_code code =
			tn_studio_node_replace(document, places[i].at, places[i].made, err);

		if (code != TENON_OK)
			return tn_fail(err, TENON_INTERNAL, "a node could not be placed");
		places[i].made = NULL;
	}
	return TENON_OK;
}

static bool names_one_twice(const struct place *places, size_t count, struct tn_map *seen,
			    enum tenon_code *code)
{
	for (size_t i = 0; i < count; i++) {
		if (tn_map_get(seen, places[i].node->id))
			return true;
		*code = tn_map_put(seen, places[i].node->id, (void *)(uintptr_t)&places[i], NULL);
		if (*code != TENON_OK)
			return false;
	}
	return false;
}

static enum tenon_code check_once(const struct place *places, size_t count, struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;
	struct tn_map seen;

	tn_map_init(&seen);
	if (names_one_twice(places, count, &seen, &code))
		code = tn_fail(err, TENON_INVALID, "a node has two places");
	else if (code != TENON_OK)
		code = tn_fail(err, TENON_NO_MEMORY, "out of memory");
	tn_map_finish(&seen);
	return code;
}

enum tenon_code tn_studio_apply_place(struct tn_studio_document *document,
				      const struct tn_json *operation, struct tn_buf *inverse,
				      struct tenon_error *err)
{
	const struct tn_json *nodes = tn_json_get(operation, "nodes");
	enum tenon_code code = TENON_OK;
	struct place *places = NULL;
	struct tn_arena arena;
	size_t count = 0;

	if (!tn_json_is(nodes, TN_JSON_ARRAY))
		return tn_fail(err, TENON_INVALID, "place needs an array of nodes");
	tn_arena_init(&arena, TN_STUDIO_ARENA_MAX);
	places = tn_arena_alloc_array(&arena, nodes->count + 1u, sizeof(*places));
	if (!places)
		code = tn_fail(err, TENON_NO_MEMORY, "out of memory");
	for (const struct tn_json *at = nodes->first; at && code == TENON_OK; at = at->next)
		code = make_one(document, at, &places[count++], err);
	if (code == TENON_OK)
		code = check_once(places, count, err);
	if (code == TENON_OK) {
		tn_json_begin_object(inverse);
		tn_json_put_member_text(inverse, "op", "place");
		tn_json_put_key(inverse, "nodes");
		tn_json_begin_array(inverse);
		for (size_t i = 0; i < count; i++)
			put_inverse(inverse, places[i].node);
		tn_json_end_array(inverse);
		tn_json_end_object(inverse);
		code = tn_buf_check(inverse, err);
	}
	if (code == TENON_OK)
		code = replace_each(document, places, count, err);
	for (size_t i = 0; i < count; i++)
		tn_studio_node_destroy(places[i].made);
	tn_arena_finish(&arena);
	return code;
}
