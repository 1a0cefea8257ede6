/* Undo and redo of one change among others (studio-canvas.md SC-019). */
#include <stdio.h>

#include "apps/studio/document/change.h"
#include "apps/studio/document/merge.h"
#include "apps/studio/edit/internal.h"
#include "apps/studio/limits.h"

struct undo {
	struct tn_studio_edit *edit;
	struct tn_oplog_taken taken;
	struct tn_studio_pairs pairs;
	bool redo;
};

/* ---- who stands against it ---- */

static void put_one(const struct tn_change *change, void *data)
{
	struct tn_buf *out = data;

	tn_json_begin_object(out);
	tn_studio_put_change_id(out, "changeId", change->id);
	tn_json_put_member_text(out, "actor", change->actor);
	tn_json_put_member_text(out, "summary", change->label);
	tn_json_end_object(out);
}

/* `why`: what the rules say of it; NULL: others have changed the same. */
static bool fail_conflict(struct undo *undo, size_t count, struct tn_buf *by, const char *why)
{
	struct tn_studio_fault *fault = undo->edit->fault;
	char said[300] = "";
	char *details;

	if (why)
		(void)snprintf(said, sizeof(said), " (%.280s)", why);
	(void)tn_studio_fail(
		fault, "UNDO_CONFLICT",
		"'%.200s' cannot be %s: %zu later change%s touched the same%s; %s first, or "
		"leave it. Nothing has changed",
		undo->taken.label, undo->redo ? "redone" : "undone", count, count == 1 ? "" : "s",
		said, count == 1 ? "undo that one" : "undo those");
	tn_json_end_array(by);
	tn_json_end_object(by);
	details = by->failed ? NULL : tn_arena_copy(undo->edit->arena, tn_buf_str(by));
	if (fault && details)
		fault->details = tn_str(details, by->size);
	return false;
}

enum { BY_MAX = 100 };

static bool refuse(struct undo *undo, const char *why)
{
	struct tn_buf by;
	size_t count;

	tn_buf_init(&by, TN_MIB);
	tn_json_begin_object(&by);
	tn_json_put_key(&by, "by");
	tn_json_begin_array(&by);
	count = tn_oplog_conflicts(undo->edit->log, undo->taken.id, !why, BY_MAX, put_one, &by);
	(void)fail_conflict(undo, count, &by, why);
	tn_buf_finish(&by);
	return false;
}

/* The rules say no, because of what the diagram has become. */
static bool refuse_by_rule(struct undo *undo)
{
	struct tn_studio_fault *fault = undo->edit->fault;
	char why[sizeof(fault->message)];

	if (!fault || !fault->code || fault->cause == TENON_NO_MEMORY)
		return false;
	(void)snprintf(why, sizeof(why), "%s", fault->message);
	*fault = (struct tn_studio_fault){.code = NULL};
	return refuse(undo, why);
}

static bool meets_others(struct undo *undo)
{
	struct tn_buf nothing;
	size_t count;

	tn_buf_init(&nothing, 1);
	count = tn_oplog_conflicts(undo->edit->log, undo->taken.id, true, 0, put_one, &nothing);
	return count > 0;
}

/* ---- one operation ---- */

static bool is_op(const struct tn_json *operation, const char *name)
{
	struct tn_str op = tn_str("", 0);

	(void)tn_json_to_str(tn_json_get(operation, "op"), &op);
	return tn_str_is(op, name);
}

static struct tn_str id_of(const struct tn_json *record)
{
	struct tn_str id = tn_str("", 0);

	(void)tn_json_to_str(tn_json_get(record, "id"), &id);
	return id;
}

static void touch(struct undo *undo, const struct tn_json *operation)
{
	const struct tn_json *node = tn_json_get(operation, "node");
	const struct tn_json *nodes = tn_json_get(operation, "nodes");

	if (node)
		tn_studio_edit_touch(undo->edit, id_of(node));
	else if (is_op(operation, "removeNode"))
		tn_studio_edit_touch(undo->edit, id_of(operation));
	for (const struct tn_json *at = tn_json_is(nodes, TN_JSON_ARRAY) ? nodes->first : NULL; at;
	     at = at->next)
		tn_studio_edit_touch(undo->edit, id_of(at));
}

static bool conflict(struct undo *undo)
{
	return tn_studio_fail(undo->edit->fault, "UNDO_CONFLICT",
			      "what was changed then is otherwise now");
}

static bool merge_node(struct undo *undo, const struct tn_json *before, const struct tn_json *after)
{
	struct tn_studio_edit *edit = undo->edit;
	struct tn_studio_merge merge = {.arena = edit->arena};
	struct tn_studio_draft draft = {.edit = edit};
	const struct tn_studio_node *node = tn_studio_node_find(edit->document, id_of(before));

	if (!node)
		return conflict(undo);
	draft.record =
		tn_studio_merge_back(&merge, before, after, node->record, TN_STUDIO_MERGE_DEPTH);
	if (merge.conflict)
		return conflict(undo);
	if (merge.failed)
		return tn_studio_edit_no_memory(edit);
	return tn_studio_draft_put(&draft);
}

static bool merge_config(struct undo *undo, const struct tn_json *before,
			 const struct tn_json *after)
{
	struct tn_studio_edit *edit = undo->edit;
	struct tn_studio_merge merge = {.arena = edit->arena};
	const struct tn_json *config = tn_studio_merge_back(
		&merge, before, after, edit->document->config, TN_STUDIO_MERGE_DEPTH);
	struct tn_json_maker maker;

	if (merge.conflict)
		return conflict(undo);
	tn_json_maker_begin(&maker, edit->arena, TN_JSON_OBJECT);
	tn_json_maker_put(&maker, TN_STR("op"), tn_json_make_str(edit->arena, TN_STR("setConfig")));
	tn_json_maker_put(&maker, TN_STR("config"),
			  config ? config : tn_json_make(edit->arena, TN_JSON_NULL));
	return tn_studio_edit_step(edit, merge.failed ? NULL : tn_json_maker_end(&maker));
}

/* A place: where it stood, if it was moved then (what only made room stays where it has been moved
 * to since). Its size, if nobody has changed it since; a
 * container that has grown further stays as large as it is. */
static const struct tn_json *merge_place(struct undo *undo, const struct tn_json *from,
					 const struct tn_json *to)
{
	struct tn_arena *arena = undo->edit->arena;
	const struct tn_studio_node *node = tn_studio_node_find(undo->edit->document, id_of(from));
	const struct tn_json *position, *size;
	int64_t x = 0, y = 0, old_x = 0, old_y = 0, width = 0, height = 0;
	struct tn_json_maker maker;

	if (!node)
		return NULL;
	position = tn_json_get(node->record, "position");
	(void)tn_studio_merge_position(to, &x, &y);
	(void)tn_studio_merge_position(from, &old_x, &old_y);
	if (x != old_x || y != old_y) {
		bool stays = node->x == x && node->y == y;

		if (!stays && !tn_json_get(to, "aside"))
			return NULL;
		if (stays && tn_json_get(from, "position"))
			position = tn_json_get(from, "position");
	}
	size = tn_json_get(to, "size") ? tn_json_get(to, "size") : to;
	(void)tn_json_to_int(tn_json_get(size, "width"), &width);
	(void)tn_json_to_int(tn_json_get(size, "height"), &height);
	size = tn_json_get(node->record, "size");
	if (width == node->width && height == node->height && tn_json_get(from, "size"))
		size = tn_json_get(from, "size");
	tn_json_maker_begin(&maker, arena, TN_JSON_OBJECT);
	tn_json_maker_put(&maker, TN_STR("id"), tn_json_make_str(arena, id_of(from)));
	tn_json_maker_put(&maker, TN_STR("position"),
			  position ? position : tn_json_make(arena, TN_JSON_NULL));
	tn_json_maker_put(&maker, TN_STR("size"), size ? size : tn_json_make(arena, TN_JSON_NULL));
	return tn_json_maker_end(&maker);
}

static bool merge_places(struct undo *undo, const struct tn_json *from, const struct tn_json *to)
{
	struct tn_arena *arena = undo->edit->arena;
	struct tn_json_maker operation, list;

	tn_json_maker_begin(&list, arena, TN_JSON_ARRAY);
	from = tn_json_is(from, TN_JSON_ARRAY) ? from->first : NULL;
	to = tn_json_is(to, TN_JSON_ARRAY) ? to->first : NULL;
	for (; from && to; from = from->next, to = to->next) {
		const struct tn_json *entry = merge_place(undo, from, to);

		if (!entry)
			return conflict(undo);
		tn_json_maker_add(&list, entry);
	}
	tn_json_maker_begin(&operation, arena, TN_JSON_OBJECT);
	tn_json_maker_put(&operation, TN_STR("op"), tn_json_make_str(arena, TN_STR("place")));
	tn_json_maker_put(&operation, TN_STR("nodes"), tn_json_maker_end(&list));
	return tn_studio_edit_step(undo->edit, tn_json_maker_end(&operation));
}

static bool put_edge(struct undo *undo, const struct tn_json *operation,
		     const struct tn_json *after)
{
	struct tn_studio_edit *edit = undo->edit;
	struct tn_studio_edge *edge = NULL;
	const struct tn_studio_edge *now;
	struct tenon_error err = {0};
	bool good = true;

	if (tn_studio_edge_make(tn_json_get(operation, "edge"), &edge, &err) != TENON_OK)
		return tn_studio_fail_error(edit->fault, &err);
	now = tn_studio_edge_find(edit->document, edge->id);
	if (after)
		good = (now && tn_json_equal(now->record, after)) || conflict(undo);
	else if (!tn_studio_node_find(edit->document, edge->source_id) ||
		 !tn_studio_node_find(edit->document, edge->target_id))
		good = conflict(undo);
	else
		good = (!tn_studio_edge_between(edit->document, edge->source_id,
						edge->source_handle, edge->target_id,
						edge->target_handle) ||
			conflict(undo)) &&
		       tn_studio_edit_check_handles(edit, edge);
	tn_studio_edge_destroy(edge);
	return good && tn_studio_edit_step(edit, operation);
}

static bool take_one(struct undo *undo, const struct tn_json *back, const struct tn_json *forth)
{
	if (is_op(back, "putNode") && is_op(forth, "putNode"))
		return merge_node(undo, tn_json_get(back, "node"), tn_json_get(forth, "node"));
	if (is_op(back, "setConfig"))
		return merge_config(undo, tn_json_get(back, "config"),
				    tn_json_get(forth, "config"));
	if (is_op(back, "place"))
		return merge_places(undo, tn_json_get(back, "nodes"), tn_json_get(forth, "nodes"));
	if (is_op(back, "putEdge"))
		return put_edge(undo, back, tn_json_get(forth, "edge"));
	return tn_studio_edit_step(undo->edit, back);
}

/* ---- the rules, of what was put back ---- */

static bool check_parent(struct undo *undo, const struct tn_studio_node *node)
{
	const struct tn_studio_node *at = node;

	for (unsigned depth = 0; at->parent_id.size > 0; depth++) {
		at = tn_studio_node_find(undo->edit->document, at->parent_id);
		if (!at || depth > TN_STUDIO_DEPTH_MAX)
			return tn_studio_fail(undo->edit->fault, "CONTAINMENT_ERROR",
					      at ? "containers would stand in each other"
						 : "its container is gone");
	}
	return tn_studio_edit_check_place(undo->edit, node, node->parent);
}

static bool check_node(struct undo *undo, struct tn_str id)
{
	struct tn_studio_edit *edit = undo->edit;
	const struct tn_studio_node *node = tn_studio_node_find(edit->document, id);

	if (!node)
		return true;
	if (!check_parent(undo, node))
		return false;
	if (tn_studio_holds_nodes(node) && node->width > 0)
		return tn_studio_edit_grow_alone(edit, node->id);
	return node->parent_id.size == 0 || tn_studio_edit_grow_alone(edit, node->parent_id);
}

static bool check_all(struct undo *undo)
{
	for (size_t i = 0; i < undo->pairs.count; i++) {
		const struct tn_json *node = tn_json_get(undo->pairs.back[i], "node");
		const struct tn_json *nodes = tn_json_get(undo->pairs.back[i], "nodes");
		const struct tn_json *at = tn_json_is(nodes, TN_JSON_ARRAY) ? nodes->first : NULL;

		if (!tn_studio_edit_index(undo->edit) || (node && !check_node(undo, id_of(node))))
			return false;
		for (; at; at = at->next) {
			if (!tn_studio_edit_index(undo->edit) || !check_node(undo, id_of(at)))
				return false;
		}
	}
	return true;
}

/* ---- the whole ---- */

static bool take_clean(struct undo *undo, const struct tn_json *back)
{
	for (const struct tn_json *at = back->first; at; at = at->next) {
		touch(undo, at);
		if (!tn_studio_edit_step(undo->edit, at))
			return false;
	}
	return true;
}

/* What has come to be as it was before by itself is taken back, too. */
static bool do_something(struct undo *undo)
{
	return tn_oplog_steps(undo->edit->log) > 0 ||
	       tn_studio_edit_apply(undo->edit, TN_STR("{\"op\":\"place\",\"nodes\":[]}"));
}

static bool take_among_others(struct undo *undo)
{
	if (!tn_studio_pairs_make(undo->taken.forth, undo->taken.back, undo->edit->arena,
				  &undo->pairs))
		return refuse(undo, "what it changed is not known any more");
	for (size_t i = 0; i < undo->pairs.count; i++) {
		touch(undo, undo->pairs.back[i]);
		if (!take_one(undo, undo->pairs.back[i], undo->pairs.forth[i]))
			return refuse_by_rule(undo);
	}
	return (check_all(undo) || refuse_by_rule(undo)) && do_something(undo);
}

static bool find(struct undo *undo, const struct tn_oplog_which *which)
{
	struct tn_studio_edit *edit = undo->edit;
	struct tenon_error err = {0};
	enum tenon_code code = tn_oplog_take(edit->log, which, edit->arena, &undo->taken, &err);

	if (code == TENON_NOT_FOUND)
		return tn_studio_fail(edit->fault, "NOTHING_TO_UNDO", "%s", err.message);
	if (code != TENON_OK)
		return tn_studio_fail_error(edit->fault, &err);
	return undo->taken.clean || !meets_others(undo) || refuse(undo, NULL);
}

static void put_done(struct tn_buf *result, uint64_t id, const char *label, const char *actor)
{
	tn_json_begin_object(result);
	tn_studio_put_change_id(result, "changeId", id);
	tn_json_put_member_text(result, "summary", label);
	tn_json_put_member_text(result, "actor", actor);
	tn_json_end_object(result);
}

bool tn_studio_edit_undo(struct tn_studio_edit *edit, const struct tn_oplog_which *which,
			 int64_t expected_revision, struct tn_buf *result, struct tn_change *ret)
{
	struct undo undo = {.edit = edit, .redo = which->redo};
	const struct tn_change *line;

	if (!tn_studio_edit_begin(edit, expected_revision))
		return false;
	if (!find(&undo, which) ||
	    !(undo.taken.clean ? take_clean(&undo, undo.taken.back) : take_among_others(&undo))) {
		tn_studio_edit_abandon(edit);
		return false;
	}
	edit->of = undo.taken.id;
	line = tn_oplog_line(edit->log, undo.taken.id);
	put_done(result, undo.taken.id, undo.taken.label, line ? line->actor : "");
	return tn_studio_edit_finish(edit, undo.taken.label, false, ret);
}

/* ---- by a worker ---- */

bool tn_studio_undo_is_large(struct tn_oplog *log, const struct tn_oplog_which *which,
			     struct tn_arena *arena, struct tn_studio_undo *ret)
{
	const struct tn_change *line;
	struct tn_oplog_taken taken;
	const char *back;

	if (tn_oplog_look(log, which, arena, &taken, NULL) != TENON_OK || !taken.clean ||
	    taken.text.size <= TN_STUDIO_UNDO_AT_ONCE_BYTES_MAX)
		return false;
	back = tn_arena_copy(arena, taken.text);
	line = tn_oplog_line(log, taken.id);
	*ret = (struct tn_studio_undo){
		.id = taken.id,
		.label = taken.label,
		.actor = tn_arena_copy(arena, tn_str_from(line ? line->actor : "")),
		.back = tn_str(back, taken.text.size)};
	return back && ret->actor;
}

bool tn_studio_undo_do(struct tn_studio_edit *edit, const struct tn_studio_undo *done,
		       struct tn_buf *result)
{
	struct undo undo = {.edit = edit};
	struct tenon_error err = {0};
	struct tn_json *back = NULL;

	if (tn_json_parse_copy(edit->arena, done->back, &back, &err) != TENON_OK)
		return tn_studio_fail_error(edit->fault, &err);
	if (!take_clean(&undo, back))
		return false;
	edit->of = done->id;
	put_done(result, done->id, done->label, done->actor);
	return true;
}
