/* Producers from outside: what they claim in the graph is theirs to change (G20, section 19), by
 * tools of persons or by the HTTP routes of section 0. */
#include <stdio.h>

#include "apps/workbench/limits.h"
#include "apps/workbench/mcp/door.h"
#include "apps/workbench/workspace/claiming.h"
#include "base/mem.h"
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

void tn_wb_put_claimed(struct tn_wb_claiming *claiming, size_t emitted_max)
{
	const struct tn_wb_update *update = &claiming->update;
	bool too_large = update->patch.size > emitted_max;
	struct tn_buf *out = &claiming->out;

	tn_json_begin_object(out);
	tn_json_put_member_bool(out, "ok", update->accepted);
	if (!update->accepted)
		put_error(out, &claiming->diagnostics);
	tn_json_put_member_bool(out, "accepted", update->accepted);
	tn_json_put_member_int(out, "revision", (int64_t)update->revision);
	tn_json_put_key(out, "emitted");
	if (update->patch.size && !too_large)
		tn_json_put_raw(out, update->patch);
	else
		tn_json_put_null(out);
	if (too_large)
		tn_json_put_member_text(out, "message",
					"The patch is too large to be told here: "
					"skaffa://workspace/graph/patches has it.");
	tn_json_put_key(out, "diagnostics");
	tn_wb_diagnostics_put(out, &claiming->diagnostics);
	tn_json_end_object(out);
}

void tn_wb_name_producer(struct tn_wb_claiming *claiming, struct tn_str producer_id)
{
	(void)snprintf(claiming->producer, sizeof(claiming->producer), "outside:%.*s",
		       (int)producer_id.size, producer_id.data);
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
		       enum tn_wb_claiming_kind *ret, const char **ret_tool)
{
	static const struct {
		const char *method, *word;
		enum tn_wb_claiming_kind what;
		const char *tool; /* that does the same */
	} routes[] = {
		{"PUT", "/snapshot", TN_WB_CLAIM_SNAPSHOT, "workbench_put_graph_snapshot"},
		{"POST", "/patch", TN_WB_CLAIM_PATCH, "workbench_patch_graph"},
		{"DELETE", "", TN_WB_CLAIM_NOTHING, "workbench_delete_producer"},
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

/* A request, until it is answered. */
struct asked {
	struct tn_wb_claiming claiming;
	struct tn_json_door_waiting *waiting; /* NULL: answered at once, or nobody waits any more */
	bool starts, ended;                   /* `serve` has not returned; it ended meanwhile */
};

static void describe(struct tn_wb_claiming *claiming)
{
	tn_wb_put_claimed(claiming, TN_WB_EMITTED_BYTES_MAX);
}

/* The status; where nothing was claimed `out` gets an error. */
static unsigned sum_up(struct tn_wb_claiming *claiming)
{
	struct tn_buf *out = &claiming->out;

	if (claiming->code == TENON_OK)
		return claiming->update.accepted ? 200 : 422;
	tn_buf_clear(out);
	switch (claiming->code) {
	case TENON_NOT_FOUND:
		return refuse(out, 404, "NOT_FOUND", "there is no such producer");
	case TENON_CANCELLED:
		return refuse(out, 409, "no_workspace", "the workspace was closed meanwhile");
	case TENON_NO_MEMORY:
		return refuse(out, 503, "INTERNAL_ERROR", "out of memory");
	default:
		return refuse(out, 400, "INVALID_JSON", claiming->err.message);
	}
}

static void free_asked(struct asked *asked)
{
	tn_wb_claiming_finish(&asked->claiming);
	tn_mem_free(asked);
}

static void answer_later(struct tn_wb_claiming *claiming)
{
	struct asked *asked = claiming->data;
	unsigned status;

	asked->ended = true;
	if (asked->starts)
		return;
	status = sum_up(claiming);
	if (asked->waiting)
		asked->waiting->answer(asked->waiting, status, &claiming->out);
	free_asked(asked);
}

/* What was sent counts all the same. */
static void nobody_waits(void *data)
{
	struct asked *asked = data;

	asked->waiting = NULL;
}

static void answered_at_once(struct tn_wb_claiming *claiming)
{
	(void)claiming;
}

static unsigned start(struct asked *asked, const struct tn_json_door_request *request,
		      struct tn_wb_workspace *workspace, struct tn_buf *out)
{
	struct tn_wb_claiming *claiming = &asked->claiming;
	unsigned status;

	tn_buf_append_str(&claiming->text, request->body);
	if (claiming->text.failed) {
		claiming->code = TENON_NO_MEMORY;
	} else if (!tn_wb_claiming_try(workspace, claiming)) {
		claiming->done = answer_later;
		asked->starts = true;
		if (!tn_wb_claiming_add(workspace, claiming)) {
			free_asked(asked);
			return refuse(out, 503, "limit_exceeded",
				      "too many updates wait already: try again in a moment");
		}
		asked->starts = false;
		if (!asked->ended) {
			asked->waiting = request->waiting;
			asked->waiting->gone = nobody_waits;
			asked->waiting->user = asked;
			return 0;
		}
	}
	status = sum_up(claiming);
	tn_buf_append_str(out, tn_buf_str(&claiming->out));
	tn_buf_inherit_failure(out, &claiming->out);
	free_asked(asked);
	return status;
}

static unsigned claim(const struct tn_json_door_request *request, enum tn_wb_claiming_kind what,
		      struct tn_str id, struct tn_wb_workspace *workspace, struct tn_buf *out)
{
	struct asked *asked = tn_mem_alloc(sizeof(*asked));

	if (!asked)
		return refuse(out, 503, "INTERNAL_ERROR", "out of memory");
	tn_wb_claiming_init(&asked->claiming);
	tn_wb_name_producer(&asked->claiming, id);
	asked->claiming.kind = what;
	asked->claiming.describe = describe;
	asked->claiming.done = answered_at_once;
	asked->claiming.data = asked;
	return start(asked, request, workspace, out);
}

static unsigned serve(void *app, const struct tn_json_door_request *request, struct tn_buf *out)
{
	const struct tn_wb_door *door = app;
	struct tn_wb_workspace *workspace = find_workspace(app, request->query);
	const char *tool;
	enum tn_wb_claiming_kind what;
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
	return claim(request, what, id, workspace, out);
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
