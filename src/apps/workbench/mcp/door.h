/* door.h - what the door of workbench holds, and the one way from a URI to what it shows.
 *
 * Everything that is read, as a resource or by a tool, is an envelope (workbench.md 15.2): a
 * status, the workspace, and data. Threads: loop. */
#ifndef TN_WB_DOOR_H
#define TN_WB_DOOR_H

#include "apps/workbench/launch/scratch.h"
#include "apps/workbench/workspace/workspace.h"
#include "base/settings.h"
#include "mcp/json_door.h"
#include "tenon/result.h"
#include "tenon/server.h"

enum { TN_WB_RPC_INVALID_PARAMS = -32602, TN_WB_RPC_INTERNAL = -32603 };

struct tn_wb_chosen;
struct tn_wb_claiming;
struct tn_wb_news;
struct tn_wb_request;
struct tn_preview_ports;

struct tn_wb_door {
	struct tenon_server *server;
	const struct tenon_app *app; /* itself, of which prompts come and go */
	struct tn_settings settings;
	struct tn_wb_chosen *chosen; /* the tools, where others than all are offered */
	struct tn_wb_workspaces workspaces;
	struct tn_wb_news *news;
	struct tn_clock clock; /* the server's, or one that stands still for tests */
	int64_t stands_at_ms;
	struct tn_wb_request *requests;       /* that pages have not answered */
	unsigned captures;                    /* that are being drawn */
	const struct tn_preview_ports *ports; /* NULL: nothing can be previewed */
	struct tn_wb_launch *launches;        /* servers of ours (launch.h) */
	/* A folder of our programs, where we had to make one. */
	char made[TN_WB_SCRATCH_SIZE];
	struct tn_timer *preview_timer;
	bool preview_soon;    /* it runs at the end of this turn */
	bool launches_differ; /* perhaps: what they were started with is to be compared */
	struct tn_json_door producers;
	struct tn_buf prompts; /* that are offered: name, NUL, description, NUL, ... */
};

/* ---- envelope.c, look.c ---- */

/* One read of one thing. */
struct tn_wb_look {
	struct tn_wb_door *door;
	struct tenon_call *call;
	struct tn_wb_workspace *workspace; /* NULL: none is open */
	const char *why;                   /* why it is this one */
	const char *status;                /* "ok", "no_workspace", ... */
	const char *message;               /* NULL, or what to do; with any other status than ok */
	/* Pointers into data; ends with NULL. Those of sessions are written into `pointers`. */
	const char *untrusted[TN_WB_UNTRUSTED_MAX];
	char pointers[TN_WB_SESSIONS_MAX * 3][24];
	struct tn_buf *data; /* one JSON value is appended */
	size_t bytes_max;    /* that it may have; larger things are named (M4) */
};

enum tn_wb_seen {
	TN_WB_SEEN,
	TN_WB_NOT_THERE, /* no such URI, type, node, session */
	TN_WB_MALFORMED  /* look->message says what to send instead */
};

/* The caller's workspace, or that which `id` names (NULL: the caller's). False: there is no
 * workspace with this id. */
bool tn_wb_look_begin(struct tn_wb_look *look, struct tn_wb_door *door, struct tenon_call *call,
		      const char *id, struct tn_buf *data);
/* Reads what a URI of section 15.1 names, and writes the envelope. */
enum tn_wb_seen tn_wb_look_at(struct tn_wb_door *door, struct tenon_call *call, struct tn_str uri,
			      size_t bytes_max, struct tn_buf *out, const char **ret_message);
/* The workspace that a URI of this path is of. NULL: it is another URI, or none is open. */
struct tn_wb_workspace *tn_wb_look_workspace(struct tn_wb_door *door, struct tenon_call *call,
					     struct tn_str uri, const char *path);
/* What of the data came from a page. */
void tn_wb_say_untrusted(struct tn_wb_look *look, const char *const *pointers);
/* The status where nothing is loaded (L5): false, and the look says so. */
bool tn_wb_look_is_loaded(struct tn_wb_look *look);
/* The same, and then data is null. */
bool tn_wb_look_loaded(struct tn_wb_look *look);
/* {"status":...,"data":DATA}: what the look has come to. */
void tn_wb_put_envelope(struct tn_buf *out, const struct tn_wb_look *look);

/* ---- what there is to see, a file each; each appends its data ---- */

enum tn_wb_seen tn_wb_see_info(struct tn_wb_look *look);
enum tn_wb_seen tn_wb_see_workspaces(struct tn_wb_look *look);
enum tn_wb_seen tn_wb_see_config(struct tn_wb_look *look);
enum tn_wb_seen tn_wb_see_registry(struct tn_wb_look *look);
enum tn_wb_seen tn_wb_see_entry(struct tn_wb_look *look, const char *type_id);
enum tn_wb_seen tn_wb_see_graph(struct tn_wb_look *look, const char *cursor);
enum tn_wb_seen tn_wb_see_patches(struct tn_wb_look *look, const char *epoch, const char *since);
enum tn_wb_seen tn_wb_see_node(struct tn_wb_look *look, const char *kind, const char *id);
/* `cursor`, `limit`: NULL, or as sent. */
enum tn_wb_seen tn_wb_see_overrides(struct tn_wb_look *look, const char *cursor, const char *limit);
enum tn_wb_seen tn_wb_see_plan(struct tn_wb_look *look);
enum tn_wb_seen tn_wb_see_sessions(struct tn_wb_look *look);
enum tn_wb_seen tn_wb_see_selection(struct tn_wb_look *look);
/* The status of what is seen in a preview (L5): of the session, or of none. */
void tn_wb_say_preview(struct tn_wb_look *look, const struct tn_wb_session *session);
/* One session; SEEN, or NOT_THERE. */
enum tn_wb_seen tn_wb_see_session(struct tn_wb_look *look, const char *session_id);
enum tn_wb_seen tn_wb_see_session_selection(struct tn_wb_look *look, const char *session_id);
enum tn_wb_seen tn_wb_see_session_graph(struct tn_wb_look *look, const char *session_id);
enum tn_wb_seen tn_wb_see_logs(struct tn_wb_look *look, const char *session_id, const char *level,
			       const char *limit, const char *cursor);
struct tn_wb_instances_query {
	const char *type, *cursor; /* NULL: any */
	size_t limit;              /* 0: all that fit */
};
enum tn_wb_seen tn_wb_see_instances(struct tn_wb_look *look, const char *session_id,
				    const struct tn_wb_instances_query *query);
/* The one with that id, or (NULL) the active one; NULL: none. */
struct tn_wb_session *tn_wb_session_of(const struct tn_wb_workspace *workspace, const char *id);

/* Some rows of the index: those that fit, from a cursor on. */
struct tn_wb_index_query {
	const char *query, *tag, *cursor; /* NULL: any */
	size_t limit;                     /* 0: all */
};
/* MALFORMED: a cursor that is none of ours. */
enum tn_wb_seen tn_wb_see_index(struct tn_wb_look *look, const struct tn_wb_index_query *query);

/* {"id","root","name","state","trusted","epoch"}. */
void tn_wb_put_workspace(struct tn_buf *out, const struct tn_wb_workspace *workspace);
const char *tn_wb_state_name(const struct tn_wb_workspace *workspace); /* NULL: "no_workspace" */

/* ---- reply.c ---- */

/* Ends a tool's call with an envelope, as text and as structured content; `out` is finished. */
void tn_wb_reply(struct tenon_call *call, struct tn_buf *out);
/* A call that waits ends at once when its caller goes, and what it holds with it. */
void tn_wb_end_with_caller(struct tenon_call *call);
/* Ends it with {"ok":false,"error":{code,message,retryable}} (V2). */
void tn_wb_reply_error(struct tenon_call *call, const char *code, const char *format, ...)
	TN_PRINTF(3, 4);
void tn_wb_reply_failure(struct tenon_call *call, const struct tenon_error *err);
/* Begins the look of a tool at the workspace that its argument names, or at the caller's; `data` is
 * begun, too. False: the call has ended. */
bool tn_wb_look_begin_call(struct tn_wb_look *look, struct tn_wb_door *door,
			   struct tenon_call *call, struct tn_buf *data);
/* A look as the answer of a tool; `data` is finished. */
void tn_wb_reply_look(struct tenon_call *call, struct tn_wb_look *look, enum tn_wb_seen seen,
		      struct tn_buf *data);
/* The workspace that the argument `workspace` names, or the caller's. NULL: the call has ended. */
struct tn_wb_workspace *tn_wb_workspace_of(struct tenon_call *call, struct tn_wb_door *door);
void tn_wb_reply_no_session(struct tenon_call *call, const char *session_id);

/* The same with a JSON object as `details`. */
void tn_wb_reply_error_with(struct tenon_call *call, const char *code, struct tn_str details,
			    const char *format, ...) TN_PRINTF(4, 5);
/* A batch that was not done, with all ops that fail (V3). */
void tn_wb_reply_outcome_failure(struct tenon_call *call, const struct tn_wb_outcome *outcome,
				 const struct tenon_error *err);
/* Which members of a result that is no envelope came from a page, as pointers; NULL ends them (B4,
 * M1). */
void tn_wb_put_untrusted(struct tn_buf *out, const char *const *pointers);
/* What was changed could not be kept, and is as it was (O6). */
void tn_wb_reply_not_written(struct tenon_call *call, enum tenon_code code,
			     const struct tenon_error *err);
/* What has changed is told to pages, and to whoever follows the drafts. */
void tn_wb_tell_outcome(struct tn_wb_workspace *workspace, const struct tn_wb_outcome *outcome);
/* Who has made it; in the turn that it was made in. */
void tn_wb_name_changer(struct tenon_call *call, struct tn_wb_workspace *workspace,
			const struct tn_wb_outcome *outcome);

/* ---- producers.c ---- */

/* For struct tn_wb_claiming: writes {"ok","accepted","revision",...} (section 19); a patch of more
 * bytes is left out, and said to be. */
void tn_wb_put_claimed(struct tn_wb_claiming *claiming, size_t emitted_max);
/* The producer's name in the graph, of an id that is one by the tools' schema. */
void tn_wb_name_producer(struct tn_wb_claiming *claiming, struct tn_str producer_id);
void tn_wb_producers_open(struct tn_wb_door *door); /* the HTTP routes */
void tn_wb_producers_close(struct tn_wb_door *door);

/* ---- prompts.c ---- */

void tn_wb_prompts_refresh(struct tn_wb_door *door); /* a configuration has changed, or a folder
						      * was opened or closed */
void tn_wb_prompts_close(struct tn_wb_door *door);

/* ---- preview.c ---- */

TN_MUST_USE enum tenon_code tn_wb_preview_open(struct tn_wb_door *door, struct tenon_error *err);
void tn_wb_preview_close(struct tn_wb_door *door); /* all ports, at once */
/* The ports of one workspace, which is closing. */
void tn_wb_preview_close_all(struct tn_wb_door *door, struct tn_wb_workspace *workspace);
/* Something of the workspace is another: servers may have to be compared, or to end. */
void tn_wb_preview_changed(struct tn_wb_door *door, struct tn_wb_workspace *workspace,
			   unsigned what);
/* A session (10.1); `target` NULL: of the default launcher. NULL: *ret is it, and whether it ran
 * already; otherwise the code, and a sentence in `err`. */
const char *tn_wb_preview_start(struct tn_wb_door *door, struct tn_wb_workspace *workspace,
				const struct tn_json *target, struct tn_wb_session **ret,
				bool *ret_reused, struct tenon_error *err);
void tn_wb_preview_stop(struct tn_wb_door *door, struct tn_wb_session *session);
/* ---- preview_port.c ---- */

extern const struct tn_wb_sessions_events tn_wb_preview_events;
/* Whoever ends does so by the timer. */
void tn_wb_preview_run_soon(struct tn_wb_door *door);
/* package.json of the preview's folder has that text: "\"react\"". */
bool tn_wb_preview_names(const struct tn_wb_workspace *workspace, const char *text);
/* The port of a session whose pages have their adapter already: it carries their channel alone. */
TN_MUST_USE enum tenon_code tn_wb_preview_open_channel(struct tn_wb_door *door,
						       struct tn_wb_session *session,
						       struct tenon_error *err);
/* The same where a tag in its pages loads the adapter (S18): a port that is the same whenever this
 * launcher of this folder is previewed, if nobody else has it. */
TN_MUST_USE enum tenon_code tn_wb_preview_open_tagged(struct tn_wb_door *door,
						      struct tn_wb_session *session,
						      struct tn_str launcher,
						      struct tenon_error *err);

/* Opens its port in front of that server, and tells where pages are. Fails: INVALID (none that can
 * be previewed), SYSTEM, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_wb_preview_attach(struct tn_wb_door *door,
						 struct tn_wb_session *session,
						 struct tn_str upstream, struct tenon_error *err);
struct tn_url;
/* T18: one of our own ports, whatever it is called. */
bool tn_wb_preview_is_ours(const struct tn_wb_door *door, const struct tn_url *url);

/* ---- saving_plan.c ---- */

/* Whether the URI is the save plan's, and it has to be made first: then `next` comes when it is, on
 * the same call. */
bool tn_wb_plan_first(struct tn_wb_door *door, struct tenon_call *call, struct tn_str uri,
		      tenon_call_fn *next);
/* Something has changed: where the plan may be another it is made again. */
void tn_wb_plan_follow(struct tn_wb_door *door, struct tn_wb_workspace *workspace, unsigned what);

/* ---- news.c ---- */

TN_MUST_USE enum tenon_code tn_wb_news_open(struct tn_wb_door *door, struct tenon_error *err);
void tn_wb_news_close(struct tn_wb_door *door);
/* For struct tn_wb_workspaces.changed: tells those who follow (N3, N4). */
void tn_wb_news_changed(void *door, struct tn_wb_workspace *workspace, unsigned what);

/* ---- resource.c ---- */
extern const struct tenon_resource *const tn_wb_resources[];
extern const struct tenon_resource_template *const tn_wb_templates[];
void tn_wb_complete(struct tenon_call *call, void *door);

#endif
