/* session.h - the previews of a workspace: sessions, the pages that show them, and what is selected
 * there (workbench.md sections 10 to 12).
 *
 * No sockets here: whoever carries a page's messages calls tn_wb_page_receive, and is told what to
 * send. Everything that a page says is checked, bounded and copied; a message that breaks the
 * contract closes its connection. Time comes from a clock, and tn_wb_sessions_tick acts on it.
 * Ownership: the set has its sessions, a session its pages. Threads: loop. */
#ifndef TN_WB_SESSIONS_SESSION_H
#define TN_WB_SESSIONS_SESSION_H

#include "apps/workbench/drafts/drafts.h"
#include "apps/workbench/graph/graph.h"
#include "apps/workbench/limits.h"
#include "apps/workbench/sessions/instance.h"
#include "apps/workbench/sessions/instrumentation.h"
#include "apps/workbench/sessions/log.h"
#include "apps/workbench/sessions/state.h"
#include "apps/workbench/sessions/target.h"
#include "base/clock.h"
#include "base/digest.h"
#include "base/map.h"

struct tn_wb_session;
struct tn_wb_sessions;
struct tn_wb_launch;

enum {
	TN_WB_SESSION_ID_SIZE = 41, /* "session_", 32 hex digits, the NUL */
	TN_WB_KEY_SIZE = 53         /* T20: 256 random bits, and the NUL */
};

/* Close codes of the channel (A3). */
enum { TN_WB_CLOSE_MALFORMED = 4400, TN_WB_CLOSE_BAD_KEY = 4401, TN_WB_CLOSE_GONE = 4409 };

/* What a change concerns; beside those of a workspace (workspace.h). */
enum {
	TN_WB_CHANGED_SESSION = 1 << 8, /* state, pages, route, mode, warnings */
	TN_WB_CHANGED_SELECTION = 1 << 9,
	TN_WB_CHANGED_INSTANCES = 1 << 10,
	TN_WB_CHANGED_LOG = 1 << 11,
	TN_WB_CHANGED_DRAFTS = 1 << 12, /* what became of them, or where they are */
	TN_WB_CHANGED_ACTIVE = 1 << 13
};

struct tn_wb_page {
	struct tn_wb_session *session;
	struct tn_wb_page *next; /* in the order they came: the first that is ready is primary */
	void *connection;        /* the caller's */
	bool ready;              /* has shaken hands, and has not said that it goes */
	bool spoke;              /* its first message has come */
	bool closing;            /* the caller was told to close it */
	uint64_t since_ms;
	uint64_t filled_ms;          /* when its tokens were counted */
	int64_t tokens;              /* thousandths of a message */
	struct tn_wb_instance *held; /* a selection above the rate; see `holds` */
	bool holds, held_by_click;
};

struct tn_wb_selection {
	struct tn_wb_instance *instance; /* NULL: nothing is selected */
	const char *caused_by;           /* NULL: nothing ever was */
	int64_t changed_wall_ms;
	uint64_t number; /* of the change, for whoever waits for the next */
};

struct tn_wb_route {
	char *pathname; /* NULL: not known */
	char *matched;  /* JSON array of ids, outermost first */
	char *params;   /* JSON object; NULL: none */
	bool from_adapter;
};

struct tn_wb_session {
	struct tn_wb_sessions *set;
	struct tn_wb_session *next; /* started before */
	char id[TN_WB_SESSION_ID_SIZE];
	char key[TN_WB_KEY_SIZE];
	unsigned number; /* of TN_WB_SESSIONS_MAX, as drafts know it */
	enum tn_wb_group group;
	enum tn_wb_session_state state;
	char *target;                           /* JSON, as it was requested */
	char *url;                              /* that a page loads; NULL: not known yet */
	char *tag;                              /* that its pages need (S18); NULL: none */
	char *launcher;                         /* NULL: attached */
	char *component;                        /* its type; NULL: an app */
	bool instrumented;                      /* at build time: its adapter needs no types */
	bool interacts;                         /* mode "interact" */
	int64_t created_wall_ms, ready_wall_ms; /* 0: never */
	uint64_t state_since_ms, ready_order;
	char *adapter_id, *adapter_version,
		*capabilities; /* NULL: none was there; the last is JSON */
	bool reports_instances, navigates;
	char *error_code, *error_message; /* NULL: none */
	char *prompt;                     /* what the person is asked to click; NULL: nothing */
	uint64_t prompts;                 /* so far */
	struct tn_wb_diagnostics warnings;
	struct tn_wb_page *pages;
	struct tn_wb_route route;
	struct tn_wb_selection selection;
	struct tn_wb_page *touched; /* the page that was touched last */
	struct tn_map instances;    /* id to struct tn_wb_instance */
	size_t instance_bytes;
	struct tn_wb_graph *graph;
	int64_t reports; /* of instances, since the handshake */
	struct tn_wb_log log;
	struct tn_wb_instrumentation instrumentation; /* by a launcher's server */
	void *user;                                   /* the caller's: its port */
	struct tn_wb_launch *launch;    /* the caller's: its server; NULL: none, or no more */
	char starter[64];               /* the caller's: whose token began it; empty: a person's */
	unsigned changes;               /* the caller's: what was not told yet */
	char shown[TN_DIGEST_HEX_SIZE]; /* the caller's: the selection as it was told last */
};

/* What of the workspace sessions stand on; changes with each look at it. */
struct tn_wb_site {
	const struct tn_wb_registry *registry;
	const struct tn_wb_graph *graph;
	struct tn_wb_drafts *drafts;
	const struct tn_json *prop_defaults; /* NULL: none */
};

struct tn_wb_sessions_events {
	void (*send)(void *data, struct tn_wb_page *page, struct tn_str text);
	/* The connection is to be closed with that code; tn_wb_page_gone follows when it is, in
	 * another turn of the loop. */
	void (*close)(void *data, struct tn_wb_page *page, unsigned code);
	void (*changed)(void *data, struct tn_wb_session *session, unsigned what);
	/* A page's answer to a request of ours; `code` says what is wrong when it is not ok. */
	void (*result)(void *data, struct tn_wb_session *session, uint64_t request, bool ok,
		       struct tn_str code, const struct tn_json *answer);
};

struct tn_wb_sessions {
	const struct tn_clock *clock;
	const struct tn_wb_sessions_events *events;
	void *data;
	struct tn_wb_site site;
	struct tn_wb_session *first;  /* the newest */
	struct tn_wb_session *active; /* S5; NULL: none */
	size_t count;
	uint64_t orders, requests, selections;
	char ended[TN_WB_ENDED_MAX][TN_WB_SESSION_ID_SIZE]; /* the last ones (17.2) */
	size_t ended_count;
};

void tn_wb_sessions_init(struct tn_wb_sessions *set, const struct tn_clock *clock,
			 const struct tn_wb_sessions_events *events, void *data);
/* Everything at once; nobody is told. */
void tn_wb_sessions_finish(struct tn_wb_sessions *set);

/* ---- sessions.c, step.c: the life of a session ---- */

/* It is creating from now on. Fails: LIMIT (TN_WB_SESSIONS_MAX), NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_wb_session_start(struct tn_wb_sessions *set,
						const struct tn_wb_target *target,
						struct tn_wb_session **ret,
						struct tenon_error *err);
/* The server answers; pages load `url`. Fails: INVALID (it is not creating), NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_wb_session_reachable(struct tn_wb_session *session, const char *url,
						    struct tenon_error *err);
/* S18: the tag that a person puts into the page, told until a page has it. Fails: NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_wb_session_needs(struct tn_wb_session *session, struct tn_str tag,
						struct tenon_error *err);
/* Its launch failed, or its server has ended (LAUNCH_FAILED, SERVER_EXITED). */
void tn_wb_session_failed(struct tn_wb_session *session, enum tn_wb_session_event event,
			  const char *code, const char *message);
/* Its pages are closed, and its selection ends. It stays until tn_wb_session_released, which frees
 * it: when its pages are gone, and everything else that it had. False: it is stopped already. */
bool tn_wb_session_stop(struct tn_wb_session *session);
void tn_wb_session_released(struct tn_wb_session *session);
struct tn_wb_session *tn_wb_sessions_find(const struct tn_wb_sessions *set, struct tn_str id);
/* It was one, and is stopped and gone. */
bool tn_wb_sessions_has_ended(const struct tn_wb_sessions *set, struct tn_str id);
/* S5: by a person. False: only a live session can be active. */
bool tn_wb_session_activate(struct tn_wb_session *session);
/* Does what is due; after how many ms there is more, UINT64_MAX: nothing is due. */
uint64_t tn_wb_sessions_tick(struct tn_wb_sessions *set);
void tn_wb_session_warn(struct tn_wb_session *session, const char *code, const char *message);
void tn_wb_session_unwarn(struct tn_wb_session *session, const char *code);
/* What its server says of a hint. */
void tn_wb_session_instrumented(struct tn_wb_session *session,
				const struct tn_wb_instrumented *row);
/* It is no hint any more; its reason does not matter. */
void tn_wb_session_unhinted(struct tn_wb_session *session, const struct tn_wb_instrumented *row);
/* What a server or a page says (S20). */
void tn_wb_session_log(struct tn_wb_session *session, enum tn_wb_log_level level,
		       enum tn_wb_log_origin origin, struct tn_str text);

/* ---- page.c, receive.c: the channel ---- */

/* A connection; its first message must come within TN_WB_HELLO_MS. Fails: EXPIRED (the session is
 * not live), LIMIT (TN_WB_PAGES_MAX), NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_wb_page_open(struct tn_wb_session *session, void *connection,
					    struct tn_wb_page **ret, struct tenon_error *err);
void tn_wb_page_receive(struct tn_wb_page *page, struct tn_str text);
void tn_wb_page_gone(struct tn_wb_page *page); /* frees it */

/* ---- host_message.c: what the host says ---- */

/* To all ready pages of the group's sessions, `ops` a JSON array; nothing where it is empty. */
void tn_wb_sessions_apply(struct tn_wb_sessions *set, enum tn_wb_group group, struct tn_str ops);
/* host.init again: the configuration or the drafts are others (13.4). `but` may be NULL. */
void tn_wb_sessions_init_again(struct tn_wb_sessions *set, const enum tn_wb_group *group,
			       const struct tn_wb_page *but);
void tn_wb_session_set_mode(struct tn_wb_session *session, bool interacts);
/* Asks the person at the pages to click something, until the prompt of that number is taken back,
 * or another takes its place. 0: no memory. */
uint64_t tn_wb_session_prompt(struct tn_wb_session *session, const char *text);
void tn_wb_session_unprompt(struct tn_wb_session *session, uint64_t number);
/* The number of the request, for `result`; 0: no page is ready. `instance_id` empty: nothing. */
uint64_t tn_wb_session_select(struct tn_wb_session *session, struct tn_str instance_id);
uint64_t tn_wb_session_navigate(struct tn_wb_session *session, struct tn_str path);

/* Where the page has that instance: its answer has a `rect`. 0: the page is not ready. */
uint64_t tn_wb_page_locate(struct tn_wb_page *page, struct tn_str instance_id);

/* ---- reading ---- */

/* SessionInfo (10.3). */
void tn_wb_session_put(struct tn_buf *out, const struct tn_wb_session *session);
/* E3 of one session, or null where nothing ever was selected. */
void tn_wb_session_put_selection(struct tn_buf *out, const struct tn_wb_session *session);
/* The data of skaffa://preview/selection. */
void tn_wb_sessions_put_selection(struct tn_buf *out, const struct tn_wb_sessions *set);
/* What is known of instances of the group, for checking drafts; stands on the set. */
struct tn_wb_facts tn_wb_sessions_facts(struct tn_wb_sessions *set, enum tn_wb_group group);

#endif
