/* update_edge: another label, or other ends (studio-canvas.md SC-027). */
#include "apps/studio/edit/internal.h"

#include "apps/studio/limits.h"

enum { ENDS = 4 };

static const struct {
	const char *given, *wanted; /* of update_edge, and of connect_resources */
} ends[ENDS] = {{"source", "sourceInstanceId"},
		{"sourceHandle", "sourceHandle"},
		{"target", "targetInstanceId"},
		{"targetHandle", "targetHandle"}};

struct rewire {
	struct tn_studio_edit *edit;
	const struct tn_json *arguments;
	struct tn_str id, label, old[ENDS]; /* as the edge has them; in the arena */
	const struct tn_json *record;       /* NULL: it pictures a reference */
};

/* ---- what there is ---- */

static bool find_in(struct rewire *rewire, const struct tn_studio_edge *edges, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct tn_studio_edge *edge = &edges[i];
		const struct tn_str old[ENDS] = {edge->source_id, edge->source_handle,
						 edge->target_id, edge->target_handle};

		if (!tn_str_equal(edge->id, rewire->id))
			continue;
		for (int end = 0; end < ENDS; end++)
			rewire->old[end] = tn_studio_keep(rewire->edit, old[end]);
		rewire->label = tn_studio_keep(rewire->edit, edge->label);
		rewire->record =
			edge->record ? tn_json_copy(rewire->edit->arena, edge->record) : NULL;
		return true;
	}
	return tn_studio_fail(rewire->edit->fault, "NOT_FOUND",
			      "there is no edge '%.*s'; get_diagram has the ids",
			      (int)(rewire->id.size < 200 ? rewire->id.size : 200),
			      rewire->id.data);
}

static bool find(struct rewire *rewire)
{
	const struct tn_studio_edge *edges = NULL;
	struct tenon_error err = {0};
	size_t count = 0;

	(void)tn_json_to_str(tn_json_get(rewire->arguments, "edgeId"), &rewire->id);
	if (tn_studio_edges_all(rewire->edit->document, rewire->edit->arena, &edges, &count,
				&err) != TENON_OK)
		return tn_studio_fail_error(rewire->edit->fault, &err);
	return find_in(rewire, edges, count);
}

static struct tn_str end_of(const struct rewire *rewire, int end)
{
	struct tn_str text = rewire->old[end];

	(void)tn_json_to_str(tn_json_get(rewire->arguments, ends[end].given), &text);
	return text;
}

static bool moves(const struct rewire *rewire)
{
	for (int end = 0; end < ENDS; end++) {
		if (!tn_str_equal(end_of(rewire, end), rewire->old[end]))
			return true;
	}
	return false;
}

/* ---- a label ---- */

static bool put_record(struct tn_studio_edit *edit, const struct tn_json *record)
{
	struct tn_json_maker maker;

	if (!record)
		return tn_studio_edit_no_memory(edit);
	tn_json_maker_begin(&maker, edit->arena, TN_JSON_OBJECT);
	tn_json_maker_put(&maker, TN_STR("op"), tn_json_make_str(edit->arena, TN_STR("putEdge")));
	tn_json_maker_put(&maker, TN_STR("edge"), record);
	return tn_studio_edit_step(edit, tn_json_maker_end(&maker));
}

static bool relabel(struct rewire *rewire, struct tn_buf *result)
{
	struct tn_studio_edit *edit = rewire->edit;
	const struct tn_json *label = tn_json_get(rewire->arguments, "label");
	struct tn_str text = rewire->label;

	(void)tn_json_to_str(label, &text);
	if (tn_studio_characters(text) > TN_STUDIO_LABEL_CHARACTERS_MAX ||
	    tn_str_find_byte(text, '\0') != TN_STR_NONE)
		return tn_studio_fail(edit->fault, "INVALID_INPUT",
				      "label: at most %d characters and no NUL are expected",
				      TN_STUDIO_LABEL_CHARACTERS_MAX);
	if (!rewire->record && text.size > 0)
		return tn_studio_fail(edit->fault, "INVALID_INPUT",
				      "label: '%.*s' pictures a reference, which has no label; "
				      "label a drawn edge, or the nodes",
				      (int)rewire->id.size, rewire->id.data);
	tn_json_put_member_str(result, "edgeId", rewire->id);
	if (tn_str_equal(text, rewire->label))
		return true;
	tn_studio_edit_touch(edit, rewire->old[0]);
	tn_studio_edit_touch(edit, rewire->old[2]);
	tn_studio_edit_say(edit, text.size ? "Label an edge '%.*s'" : "Take an edge's label away",
			   (int)text.size, text.data);
	return put_record(edit, tn_json_with(edit->arena, rewire->record, TN_STR("label"),
					     text.size ? label : NULL));
}

/* ---- other ends ---- */

static const struct tn_json *wanted(const struct rewire *rewire)
{
	struct tn_arena *arena = rewire->edit->arena;
	struct tn_str label = rewire->label;
	struct tn_json_maker maker;

	(void)tn_json_to_str(tn_json_get(rewire->arguments, "label"), &label);
	tn_json_maker_begin(&maker, arena, TN_JSON_OBJECT);
	for (int end = 0; end < ENDS; end++)
		tn_json_maker_put(&maker, tn_str_from(ends[end].wanted),
				  tn_json_make_str(arena, end_of(rewire, end)));
	if (label.size > 0)
		tn_json_maker_put(&maker, TN_STR("label"), tn_json_make_str(arena, label));
	return tn_json_maker_end(&maker);
}

/* A drawn edge that was drawn anew goes on under its old id, for those who show it. */
static bool keep_id(struct rewire *rewire, const struct tn_json *answer, struct tn_buf *result)
{
	struct tn_studio_edit *edit = rewire->edit;
	const struct tn_json *record;
	const struct tn_studio_edge *edge;
	struct tn_str made = TN_STR("");

	(void)tn_json_to_str(tn_json_get(answer, "edgeId"), &made);
	edge = rewire->record && !tn_json_get(answer, "existing")
		       ? tn_studio_edge_find(edit->document, made)
		       : NULL;
	tn_json_put_member_str(result, "edgeId", edge ? rewire->id : made);
	if (!edge)
		return true;
	record = tn_json_copy(edit->arena, edge->record); /* the edge takes its own with it */
	if (!record)
		return tn_studio_edit_no_memory(edit);
	record = tn_json_with(edit->arena, record, TN_STR("id"),
			      tn_json_make_str(edit->arena, rewire->id));
	return tn_studio_edit_remove_by_id(edit, "removeEdge", made) && put_record(edit, record);
}

/* Runs a step within this one, and reads its answer. */
static const struct tn_json *within(struct tn_studio_edit *edit, tn_studio_edit_fn *step,
				    const struct tn_json *arguments)
{
	unsigned steps = edit->steps; /* it is one change for whoever reads */
	struct tn_json *answer = NULL;
	struct tn_buf text;
	bool good;

	if (!arguments) {
		(void)tn_studio_edit_no_memory(edit);
		return NULL;
	}
	tn_buf_init(&text, TN_STUDIO_RESULT_BYTES_MAX);
	tn_json_begin_object(&text);
	good = step(edit, arguments, &text);
	edit->steps = steps;
	tn_json_end_object(&text);
	if (good && (text.failed ||
		     tn_json_parse_copy(edit->arena, tn_buf_str(&text), &answer, NULL) != TENON_OK))
		(void)tn_studio_edit_no_memory(edit);
	tn_buf_finish(&text);
	return good ? answer : NULL;
}

static void put_told(struct tn_buf *result, const struct tn_json *answer, const char *key)
{
	if (!tn_json_get(answer, key))
		return;
	tn_json_put_key(result, key);
	tn_json_put_value(result, tn_json_get(answer, key));
}

static bool move_ends(struct rewire *rewire, struct tn_buf *result)
{
	struct tn_studio_edit *edit = rewire->edit;
	const struct tn_json *wish = wanted(rewire);
	const struct tn_json *off = within(edit, tn_studio_edit_disconnect, rewire->arguments);
	const struct tn_json *on = off ? within(edit, tn_studio_edit_connect, wish) : NULL;

	if (!on || !tn_studio_edit_index(edit) || !keep_id(rewire, on, result))
		return false;
	put_told(result, on, "category");
	put_told(result, on, "sets");
	put_told(result, on, "existing");
	put_told(result, off, "clearedReferences");
	tn_studio_edit_say(edit, "Draw an edge elsewhere");
	return true;
}

static bool update(struct tn_studio_edit *edit, const struct tn_json *arguments,
		   struct tn_buf *result)
{
	struct rewire rewire = {.edit = edit, .arguments = arguments};

	if (!find(&rewire))
		return false;
	return moves(&rewire) ? move_ends(&rewire, result) : relabel(&rewire, result);
}

bool tn_studio_edit_update_edge(struct tn_studio_edit *edit, const struct tn_json *arguments,
				struct tn_buf *result)
{
	return tn_studio_edit_run(edit, update, arguments, result);
}
