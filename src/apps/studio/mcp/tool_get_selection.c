/* get_selection: what "this" and "the selected ones" mean (SC-017). */
#include "apps/studio/document/geometry.h"
#include "apps/studio/limits.h"
#include "apps/studio/mcp/presence.h"
#include "apps/studio/mcp/tools.h"
#include "apps/studio/picture/entry.h"
#include "base/utf8.h"
#include "jsonrpc/json_write.h"

struct answer {
	const struct tn_studio_project *project;
	struct tn_arena *arena;
	const struct tn_studio_edge *edges; /* derived ones, too */
	size_t edge_count;
	struct tn_buf *out, *text;
};

static const struct tn_json *first_of(const struct tn_json *list)
{
	return tn_json_is(list, TN_JSON_ARRAY) ? list->first : NULL;
}

/* What is gone is passed over. */
static void put_resources(struct answer *answer, const struct tn_json *selection)
{
	const struct tn_studio_project *project = answer->project;
	struct tn_str id;

	tn_json_put_key(answer->out, "resources");
	tn_json_begin_array(answer->out);
	for (const struct tn_json *at = first_of(selection); at; at = at->next) {
		const struct tn_studio_node *node =
			tn_json_to_str(at, &id) ? tn_studio_node_find(&project->document, id)
						: NULL;

		if (!node)
			continue;
		tn_studio_put_entry(answer->out, &project->document, node, project->status,
				    project->secrets);
		tn_buf_format(answer->text, "%.*s  %.*s  \"", (int)node->id.size, node->id.data,
			      (int)node->type_id.size, node->type_id.data);
		tn_utf8_put_line(answer->text, node->label);
		tn_buf_append_text(answer->text, "\"\n");
	}
	tn_json_end_array(answer->out);
}

static const struct tn_studio_edge *find_edge(const struct answer *answer, struct tn_str id)
{
	for (size_t i = 0; i < answer->edge_count; i++) {
		if (tn_str_equal(answer->edges[i].id, id))
			return &answer->edges[i];
	}
	return NULL;
}

static void put_edges(struct answer *answer, const struct tn_json *selection)
{
	struct tn_str id;

	tn_json_put_key(answer->out, "edges");
	tn_json_begin_array(answer->out);
	for (const struct tn_json *at = first_of(selection); at; at = at->next) {
		const struct tn_studio_edge *edge =
			tn_json_to_str(at, &id) &&
					!tn_studio_node_find(&answer->project->document, id)
				? find_edge(answer, id)
				: NULL;

		if (!edge)
			continue;
		tn_studio_put_edge(answer->out, edge);
		tn_buf_format(answer->text, "edge %.*s  from %.*s to %.*s\n", (int)edge->id.size,
			      edge->id.data, (int)edge->source_id.size, edge->source_id.data,
			      (int)edge->target_id.size, edge->target_id.data);
	}
	tn_json_end_array(answer->out);
}

static double number(const struct tn_json *object, const char *key)
{
	double value = 0;

	(void)tn_json_to_double(tn_json_get(object, key), &value);
	return value;
}

/* Whatever of it is in view; containers too. */
static size_t put_visible(struct answer *answer, const struct tn_json *view)
{
	const struct tn_studio_document *document = &answer->project->document;
	double x = number(view, "x"), y = number(view, "y");
	double right = x + number(view, "width"), bottom = y + number(view, "height");
	size_t count = 0;

	tn_json_put_key(answer->out, "visible");
	tn_json_begin_array(answer->out);
	for (size_t i = 0; view && i < document->node_count && count < TN_STUDIO_PRESENCE_IDS_MAX;
	     i++) {
		struct tn_studio_rect rect = tn_studio_absolute_rect(document->nodes[i]);

		if (rect.x >= right || rect.y >= bottom || rect.x + rect.width <= x ||
		    rect.y + rect.height <= y)
			continue;
		tn_json_put_str(answer->out, document->nodes[i]->id);
		count++;
	}
	tn_json_end_array(answer->out);
	return count;
}

static bool put_one(struct answer *answer, const struct tn_studio_door *door,
		    const struct tn_studio_presence *one)
{
	char *whole = tn_arena_format(answer->arena, "{%s}", one->text);
	struct tn_json *said = NULL;
	const struct tn_json *selection;
	size_t seen;

	if (!whole ||
	    tn_json_parse_copy(answer->arena, tn_str_from(whole), &said, NULL) != TENON_OK)
		return false;
	selection = tn_json_get(said, "selection");
	tn_utf8_put_line(answer->text, tn_str_from(one->name));
	tn_buf_append_text(answer->text, selection && selection->count > 0
						 ? " has selected:\n"
						 : " has selected nothing\n");
	tn_json_begin_object(answer->out);
	tn_json_put_key(answer->out, "actor");
	tn_studio_put_here(answer->out, door, one);
	put_resources(answer, selection);
	put_edges(answer, selection);
	seen = put_visible(answer, tn_json_get(said, "view"));
	tn_json_end_object(answer->out);
	tn_buf_append_text(answer->text, "and sees ");
	tn_buf_append_count(answer->text, seen, "resource");
	tn_buf_append_byte(answer->text, '\n');
	return true;
}

static bool put_all(struct answer *answer, const struct tn_studio_door *door)
{
	const struct tn_studio_presence *one = NULL;
	struct tenon_error err = {0};
	size_t count = 0;

	if (tn_studio_edges_all(&answer->project->document, answer->arena, &answer->edges,
				&answer->edge_count, &err) != TENON_OK)
		return false;
	tn_json_put_key(answer->out, "actors");
	tn_json_begin_array(answer->out);
	while ((one = tn_studio_here_next(door, answer->project, one))) {
		if (!one->person)
			continue;
		if (!put_one(answer, door, one))
			return false;
		count++;
	}
	tn_json_end_array(answer->out);
	if (count == 0)
		tn_buf_append_text(answer->text, "No person has the project open on a page: ask "
						 "which resources are meant");
	return true;
}

void tn_studio_call_get_selection(struct tenon_call *call, void *data)
{
	struct tn_studio_door *door = data;
	struct tn_studio_project *project = tn_studio_project_of(call, door);
	struct tn_studio_turn turn;
	struct answer answer;

	if (!project)
		return;
	tn_studio_turn_begin(&turn, door, project);
	answer = (struct answer){
		.project = project, .arena = &turn.arena, .out = &turn.result, .text = &turn.text};
	if (put_all(&answer, door)) {
		tn_json_end_object(&turn.result);
		tn_studio_reply(call, tn_buf_str(&turn.text), &turn.result);
	} else {
		tn_studio_turn_fail(&turn, call);
	}
	tn_studio_turn_end(&turn);
}
