/* get_diagram: everything that is on the canvas (FR-26). */
#include <string.h>

#include "apps/studio/mcp/follow.h"
#include "apps/studio/mcp/tools.h"
#include "apps/studio/picture/outline.h"
#include "apps/studio/limits.h"
#include "apps/studio/mcp/tool_state.h"
#include "apps/studio/status/ghost.h"
#include "base/utf8.h"
#include "jsonrpc/json_write.h"

static void put_list(struct tn_buf *out, const char *key, const struct tn_json *value)
{
	tn_json_put_key(out, key);
	if (value)
		tn_json_put_value(out, value);
	else
		tn_json_put_raw(out, TN_STR("[]"));
}

static void put_part(struct tn_buf *text, const char *key, const struct tn_json *value)
{
	if (!value || value->count == 0)
		return;
	tn_buf_format(text, "%s:", key);
	tn_json_put_value(text, value);
	tn_buf_append_byte(text, '\n');
}

static bool has_other_revs(const struct tn_studio_project *project,
			   const struct tn_studio_edge *edges, size_t count)
{
	uint64_t revision = tn_studio_project_revision(project);

	for (size_t i = 0; i < project->document.node_count; i++) {
		if (project->document.nodes[i]->rev != revision)
			return true;
	}
	for (size_t i = 0; i < count; i++) {
		if (edges[i].rev != revision)
			return true;
	}
	return false;
}

static void put_text(struct tn_studio_act *act, const struct tn_studio_node_extras *extras,
		     const struct tn_studio_edge *edges, size_t count)
{
	const struct tn_studio_project *project = act->project;
	const struct tn_studio_document *document = &project->document;
	const struct tn_studio_outline outline = {.document = document,
						  .revision = tn_studio_project_revision(project),
						  .status = project->status,
						  .secrets = project->secrets,
						  .extras = extras,
						  .arena = act->arena};

	tn_buf_append_count(act->text, document->node_count, "node");
	tn_buf_append_text(act->text, ", ");
	tn_buf_append_count(act->text, count, "edge");
	tn_buf_format(act->text, ", revision %llu of \"",
		      (unsigned long long)tn_studio_project_revision(project));
	tn_utf8_put_line(act->text, tn_str_from(project->name));
	tn_buf_format(act->text, "\"%s (%s, ",
		      tn_studio_project_is_dirty(project) ? ", not saved" : "", project->id);
	tn_utf8_put_line(act->text, tn_str_from(project->path));
	tn_buf_append_text(act->text, ")\n");
	tn_studio_outline(act->text, &outline, edges, count);
	put_part(act->text, "modules", document->modules);
	put_part(act->text, "instances", document->instances);
	if (has_other_revs(project, edges, count))
		tn_buf_append_text(act->text, "@: its rev, where that is not the revision\n");
}

/* What an edit has not ended yet is nothing that anybody has seen. */
static bool before(struct tn_studio_act *act)
{
	if (!act->follows || act->edit)
		return true;
	act->reading = tn_arena_alloc(act->arena, sizeof(*act->reading));
	return act->reading ? tn_studio_reading_begin(act->reading, act->follows, act->project)
			    : tn_studio_fail_memory(act->fault);
}

static bool run(struct tn_studio_act *act, const struct tn_json *arguments, struct tn_buf *result)
{
	const struct tn_studio_project *project = act->project;
	const struct tn_studio_document *document = &project->document;
	struct tn_studio_reading unnoted = {.noted = false};
	struct tn_studio_reading *reading = act->reading ? act->reading : &unnoted;

	if (!tn_studio_reading_make(reading, act,
				    tn_studio_with(tn_json_get(arguments, "include"))))
		return false;
	tn_studio_reading_put(reading, result);
	put_list(result, "modules", document->modules);
	put_list(result, "instances", document->instances);
	if ((reading->view.with & TN_STUDIO_WITH_GHOSTS) != 0) {
		tn_json_put_key(result, "ghosts");
		tn_studio_ghosts_put(result, project->status, document);
	}
	tn_json_put_member_int(result, "revision", (int64_t)tn_studio_project_revision(project));
	if (!act->lean || !act->names_project) {
		tn_json_put_key(result, "project");
		tn_studio_project_put(result, project);
	}
	put_text(act, &reading->view.extras, reading->view.edges, reading->edge_count);
	if (reading->view.with & TN_STUDIO_WITH_GHOSTS) {
		tn_buf_append_text(act->text, "taken away and still deployed:");
		tn_studio_ghosts_put(act->text, project->status, document);
		tn_buf_append_byte(act->text, '\n');
	}
	return true;
}

static void after(struct tn_studio_act *act, struct tn_buf *result)
{
	char cursor[TN_STUDIO_CURSOR_SIZE];

	if (act->reading && tn_studio_follow_note(act->follows, act->reading, NULL, cursor)) {
		tn_json_put_member_text(result, "cursor", cursor);
		if (!act->text->unwanted)
			tn_buf_format(act->text, "cursor %s\n", cursor);
	}
}

const struct tn_studio_action tn_studio_action_diagram = {.needs_prices = true,
							  .stands_aside = true,
							  .says_all = true,
							  .before = before,
							  .run = run,
							  .after = after};
