/* Producers from outside: what they claim in the graph is theirs to change (G20, section 19), by
 * tools of persons or by the HTTP routes of section 0. */
#include <stdio.h>

#include "apps/workbench/limits.h"
#include "apps/workbench/mcp/door.h"
#include "jsonrpc/json_write.h"
#include "mcp/consent.h"
#include "mcp/json_door.h"

#define PREFIX "/api/v0/graph/producers/"

static void put_error(struct tn_buf *out, const struct tn_wb_diagnostics *diagnostics)
{
	const struct tn_wb_diagnostic *first = diagnostics->count ? diagnostics->items : NULL;
	bool is_limit = first && strcmp(first->code, "limit_exceeded") == 0;

	tn_json_put_key(out, "error");
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "code", is_limit ? first->code : "VALIDATION_ERROR");
	tn_json_put_member_text(out, "message", first ? first->message : "the update is refused");
	tn_json_put_member_bool(out, "retryable", false);
	tn_json_end_object(out);
}

static void put_update(struct tn_buf *out, const struct tn_wb_update *update,
		       const struct tn_wb_diagnostics *diagnostics)
{
	tn_json_begin_object(out);
	tn_json_put_member_bool(out, "ok", update->accepted);
	if (!update->accepted)
		put_error(out, diagnostics);
	tn_json_put_member_bool(out, "accepted", update->accepted);
	tn_json_put_member_int(out, "revision", (int64_t)update->revision);
	tn_json_put_key(out, "emitted");
	if (update->patch.size)
		tn_json_put_raw(out, update->patch);
	else
		tn_json_put_null(out);
	tn_json_put_key(out, "diagnostics");
	tn_wb_diagnostics_put(out, diagnostics);
	tn_json_end_object(out);
}

/* ---- a change ---- */

struct counting {
	const char *producer;
	size_t count;
	bool found;
};

static void count_one(const char *producer, uint32_t rank, void *data)
{
	struct counting *counting = data;

	(void)rank;
	counting->count++;
	counting->found = counting->found || strcmp(producer, counting->producer) == 0;
}

/* Also one that claims nothing takes room. */
static bool has_room(const struct tn_wb_graph *graph, const char *producer,
		     struct tn_wb_diagnostics *diagnostics)
{
	struct counting counting = {.producer = producer};

	tn_wb_graph_producers(graph, count_one, &counting);
	if (counting.found || counting.count < TN_WB_PRODUCERS_MAX)
		return true;
	tn_wb_diagnose(diagnostics,
		       &(struct tn_wb_diagnostic){
			       .severity = TN_WB_ERROR,
			       .code = "limit_exceeded",
			       .message = "the graph has its most producers already: delete some"});
	return false;
}

static enum tn_wb_produced finish(struct tn_wb_workspace *workspace,
				  const struct tn_wb_update *update,
				  struct tn_wb_diagnostics *diagnostics, struct tn_buf *out)
{
	put_update(out, update, diagnostics);
	tn_wb_diagnostics_finish(diagnostics);
	if (update->changed)
		tn_wb_workspace_tell(workspace, TN_WB_CHANGED_GRAPH);
	return update->accepted ? TN_WB_PRODUCED : TN_WB_PRODUCE_REFUSED;
}

enum tn_wb_produced tn_wb_produce(struct tn_wb_workspace *workspace, enum tn_wb_produce what,
				  struct tn_str producer_id, const struct tn_json *document,
				  struct tn_buf *out)
{
	struct tn_wb_diagnostics diagnostics;
	struct tn_wb_update done = {0};
	char producer[TN_WB_PRODUCER_BYTES_MAX + 16];
	struct tenon_error err;
	enum tenon_code code;
	uint32_t rank;

	(void)snprintf(producer, sizeof(producer), "outside:%.*s", (int)producer_id.size,
		       producer_id.data);
	tn_wb_diagnostics_init(&diagnostics);
	if (what == TN_WB_PRODUCE_NOTHING) {
		done.accepted = tn_wb_graph_remove(workspace->graph, producer, &done);
		return done.accepted ? finish(workspace, &done, &diagnostics, out)
				     : TN_WB_PRODUCE_UNKNOWN;
	}
	if (!has_room(workspace->graph, producer, &diagnostics)) {
		done.revision = tn_wb_graph_revision(workspace->graph);
		return finish(workspace, &done, &diagnostics, out);
	}
	rank = tn_wb_workspace_rank_of(workspace, producer);
	code = what == TN_WB_PRODUCE_SNAPSHOT
		       ? tn_wb_graph_put(workspace->graph, producer, rank, document, &done,
					 &diagnostics, &err)
		       : tn_wb_graph_edit(workspace->graph, producer, rank, document, &done,
					  &diagnostics, &err);
	if (code == TENON_OK)
		return finish(workspace, &done, &diagnostics, out);
	tn_wb_diagnostics_finish(&diagnostics);
	return TN_WB_PRODUCE_NO_MEMORY;
}

/* ---- the HTTP routes ---- */

/* What the tools' schema says of a producerId. False: it is none. */
static bool is_producer_id(struct tn_str id)
{
	static const struct tn_str letters =
		TN_STR("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-");
	bool good = id.size > 0 && id.size <= TN_WB_PRODUCER_BYTES_MAX;

	for (size_t i = 0; good && i < id.size; i++)
		good = tn_str_find_byte(letters, id.data[i]) != TN_STR_NONE;
	return good;
}

static unsigned refuse(struct tn_buf *out, unsigned status, const char *code, const char *message)
{
	tn_json_door_put_error(out, code, message);
	return status;
}

/* "ID", "ID/snapshot", "ID/patch": only what is claimed is in another word than the method. False:
 * there is no such route. */
static bool read_route(const struct tn_json_door_request *request, struct tn_str *ret_id,
		       enum tn_wb_produce *ret, const char **ret_tool)
{
	static const struct {
		const char *method, *word;
		enum tn_wb_produce what;
		const char *tool; /* that does the same */
	} routes[] = {
		{"PUT", "/snapshot", TN_WB_PRODUCE_SNAPSHOT, "workbench_put_graph_snapshot"},
		{"POST", "/patch", TN_WB_PRODUCE_PATCH, "workbench_patch_graph"},
		{"DELETE", "", TN_WB_PRODUCE_NOTHING, "workbench_delete_producer"},
	};
	size_t slash = tn_str_find_byte(request->path, '/');
	size_t end = slash == TN_STR_NONE ? request->path.size : slash;

	*ret_id = tn_str(request->path.data, end);
	for (size_t i = 0; i < TN_COUNT(routes); i++) {
		*ret = routes[i].what;
		*ret_tool = routes[i].tool;
		if (tn_str_is(request->method, routes[i].method) &&
		    tn_str_is(tn_str_from_offset(request->path, end), routes[i].word))
			return true;
	}
	return false;
}

/* Of "workspace=ID", else the one that everybody has who stands nowhere. */
static struct tn_wb_workspace *find_workspace(struct tn_wb_door *door, struct tn_str query)
{
	const struct tn_str name = TN_STR("workspace=");
	const char *why;

	if (!query.size)
		return tn_wb_workspaces_of(&door->workspaces, NULL, &why);
	return tn_str_starts(query, name)
		       ? tn_wb_workspaces_find(&door->workspaces,
					       tn_str_from_offset(query, name.size))
		       : NULL;
}

static unsigned serve(void *app, const struct tn_json_door_request *request, struct tn_buf *out)
{
	const struct tn_wb_door *door = app;
	struct tn_wb_workspace *workspace = find_workspace(app, request->query);
	const char *tool;
	enum tn_wb_produce what;
	struct tn_str id;

	if (!read_route(request, &id, &what, &tool))
		return refuse(out, 404, "NOT_FOUND",
			      "send PUT " PREFIX "ID/snapshot, POST ID/patch or DELETE ID");
	if (!tn_consent_permits(door->server, tool, "workbench"))
		return refuse(out, 403, "DENIED_BY_POLICY",
			      "a rule of policy.json forbids this, or wants a person asked");
	if (!is_producer_id(id))
		return refuse(out, 400, "VALIDATION_ERROR",
			      "a producer's id has 1 to 100 of the characters A-Z a-z 0-9 _ . -");
	if (!workspace)
		return refuse(out, 409, "no_workspace",
			      request->query.size
				      ? "no workspace has this id: ?workspace=ID, of those that "
					"skaffa://workspaces lists"
				      : "No workspace is open. A person opens one: tenon workbench "
					"open PATH");
	switch (tn_wb_produce(workspace, what, id, request->body, out)) {
	case TN_WB_PRODUCED:
		return 200;
	case TN_WB_PRODUCE_REFUSED:
		return 422;
	case TN_WB_PRODUCE_UNKNOWN:
		return refuse(out, 404, "NOT_FOUND", "there is no such producer");
	case TN_WB_PRODUCE_NO_MEMORY:
		break;
	}
	return refuse(out, 503, "INTERNAL_ERROR", "out of memory");
}

void tn_wb_producers_open(struct tn_wb_door *door)
{
	door->producers = (struct tn_json_door){
		.prefix = PREFIX, .app_name = "workbench", .serve = serve, .app = door};
	tn_json_door_add(door->server, &door->producers);
}

void tn_wb_producers_close(struct tn_wb_door *door)
{
	tn_json_door_remove(door->server, &door->producers);
}
