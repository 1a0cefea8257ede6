/* What copy_resources does once all copies are there, since it may lead to any of them: references,
 * edges, and what update_resource alone sets. */
#include "apps/studio/edit/internal.h"

#include "apps/studio/limits.h"
#include "apps/studio/project/project.h"

/* ---- the rest of a node, by update_resource ---- */

static bool update(struct tn_studio_copy *copy, const struct tn_studio_copied *one, const char *key,
		   const struct tn_json *value)
{
	struct tn_studio_edit *edit = copy->edit;
	struct tn_json_maker maker;
	const struct tn_json *arguments;
	struct tn_buf waste;
	bool done;

	tn_json_maker_begin(&maker, edit->arena, TN_JSON_OBJECT);
	tn_json_maker_put(&maker, TN_STR("instanceId"), tn_json_make_str(edit->arena, one->new_id));
	tn_json_maker_put(&maker, TN_STR("properties"), tn_json_make(edit->arena, TN_JSON_OBJECT));
	tn_json_maker_put(&maker, tn_str_from(key), value);
	arguments = tn_json_maker_end(&maker);
	if (!arguments)
		return tn_studio_edit_no_memory(edit);
	tn_buf_init(&waste, TN_STUDIO_RESULT_BYTES_MAX);
	tn_json_begin_object(&waste);
	done = tn_studio_edit_update(edit, arguments, &waste);
	tn_buf_finish(&waste);
	return done;
}

/* To the copy of what it referred to, or within one project to itself. NULL: nowhere. */
static const struct tn_json *target_of(struct tn_studio_copy *copy, struct tn_str id)
{
	const struct tn_studio_copied *inner = tn_map_get(&copy->by_id, id);

	if (inner)
		return tn_json_make_str(copy->edit->arena, inner->new_id);
	if (copy->within && tn_studio_node_find(copy->edit->document, id))
		return tn_json_make_str(copy->edit->arena, id);
	return NULL;
}

static void refer(struct tn_studio_copy *copy, const struct tn_studio_copied *one,
		  const struct tn_json *reference)
{
	struct tn_arena *arena = copy->edit->arena;
	struct tn_json_maker list, maker;
	const struct tn_json *value;
	bool many = reference->type == TN_JSON_ARRAY;

	tn_json_maker_begin(&list, arena, TN_JSON_ARRAY);
	for (const struct tn_json *at = many ? reference->first : reference; at; at = at->next) {
		struct tn_str id = tn_str("", 0);
		const struct tn_json *target;

		(void)tn_json_to_str(at, &id);
		target = target_of(copy, id);
		if (target)
			tn_json_maker_add(&list, target);
		else
			tn_studio_copy_drop(copy, one, reference->key,
					    "what it refers to is not copied");
		if (!many)
			break;
	}
	value = tn_json_maker_end(&list);
	if (!value || value->count == 0)
		return;
	tn_json_maker_begin(&maker, arena, TN_JSON_OBJECT);
	tn_json_maker_put(&maker, reference->key, many ? value : value->first);
	if (!update(copy, one, "references", tn_json_maker_end(&maker)))
		tn_studio_copy_drop(copy, one, reference->key, NULL);
}

void tn_studio_copy_complete(struct tn_studio_copy *copy, const struct tn_studio_copied *one)
{
	static const char *const keys[] = {"variableModes", "enabledOutputs", "slug", "notes"};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		const struct tn_json *value = tn_json_get(one->record, keys[i]);

		if (value && !update(copy, one, keys[i], value))
			tn_studio_copy_drop(copy, one, tn_str_from(keys[i]), NULL);
	}
	for (const struct tn_json *at =
		     tn_studio_edit_first(tn_json_get(one->record, "references"));
	     at; at = at->next)
		refer(copy, one, at);
}

/* ---- edges between them ---- */

static bool connect(struct tn_studio_copy *copy, const struct tn_json *edge,
		    const struct tn_studio_copied *source, const struct tn_studio_copied *target)
{
	struct tn_studio_edit *edit = copy->edit;
	const struct tn_json *label = tn_json_get(edge, "label");
	struct tn_json *answer = NULL;
	struct tn_json_maker maker;
	const struct tn_json *arguments;
	struct tn_buf result;
	bool done;

	tn_json_maker_begin(&maker, edit->arena, TN_JSON_OBJECT);
	tn_json_maker_put(&maker, TN_STR("sourceInstanceId"),
			  tn_json_make_str(edit->arena, source->new_id));
	tn_json_maker_put(&maker, TN_STR("sourceHandle"), tn_json_get(edge, "sourceHandle"));
	tn_json_maker_put(&maker, TN_STR("targetInstanceId"),
			  tn_json_make_str(edit->arena, target->new_id));
	tn_json_maker_put(&maker, TN_STR("targetHandle"), tn_json_get(edge, "targetHandle"));
	if (label)
		tn_json_maker_put(&maker, TN_STR("label"), label);
	arguments = tn_json_maker_end(&maker);
	if (!arguments)
		return tn_studio_edit_no_memory(edit);
	tn_buf_init(&result, TN_STUDIO_RESULT_BYTES_MAX);
	tn_json_begin_object(&result);
	done = tn_studio_edit_connect(edit, arguments, &result);
	tn_json_end_object(&result);
	if (done && tn_json_parse_copy(edit->arena, tn_buf_str(&result), &answer, NULL) == TENON_OK)
		tn_json_maker_add(&copy->edges, tn_json_get(answer, "edgeId"));
	tn_buf_finish(&result);
	return done;
}

static void copy_edge(struct tn_studio_copy *copy, const struct tn_json *edge)
{
	const struct tn_studio_copied *source =
		tn_map_get(&copy->by_id, tn_studio_edit_text(edge, "source"));
	const struct tn_studio_copied *target =
		tn_map_get(&copy->by_id, tn_studio_edit_text(edge, "target"));
	const struct tn_studio_edge *there;

	if (!source || !target)
		return;
	there = tn_studio_edge_between(copy->edit->document, source->new_id,
				       tn_studio_edit_text(edge, "sourceHandle"), target->new_id,
				       tn_studio_edit_text(edge, "targetHandle"));
	if (there) /* the reference that it sets has made it */
		tn_json_maker_add(
			&copy->edges,
			tn_json_make_str(copy->edit->arena, tn_studio_keep(copy->edit, there->id)));
	else if (!connect(copy, edge, source, target))
		tn_studio_copy_drop(copy, source, tn_studio_edit_text(edge, "sourceHandle"), NULL);
}

/* Its records change while copies are made, so they are noted first. */
bool tn_studio_copy_edges(struct tn_studio_copy *copy)
{
	const struct tn_json *given =
		tn_json_get(tn_json_get(copy->arguments, "document"), "edges");
	struct tn_json_maker list;

	if (copy->from) {
		tn_json_maker_begin(&list, copy->edit->arena, TN_JSON_ARRAY);
		for (size_t i = 0; i < copy->from->document.edge_count; i++)
			tn_json_maker_add(&list,
					  tn_json_copy(copy->edit->arena,
						       copy->from->document.edges[i]->record));
		given = tn_json_maker_end(&list);
		if (!given)
			return tn_studio_edit_no_memory(copy->edit);
	}
	for (const struct tn_json *at = tn_studio_edit_first(given); at; at = at->next) {
		bool derived = false;

		(void)tn_json_to_bool(tn_json_get(at, "derived"), &derived);
		if (!derived)
			copy_edge(copy, at);
	}
	return true;
}
