/* server.h - the server's own state: what it offers, who talks to it, and the loop it lives on.
 *
 * The public half is include/tenon/server.h. Threads: loop. */
#ifndef TN_MCP_SERVER_H
#define TN_MCP_SERVER_H

#include "base/clock.h"
#include "base/settings.h"
#include "loop/loop.h"
#include "mcp/peer.h"
#include "mcp/registry.h"
#include "mcp/task.h"
#include "store/handles.h"
#include "tenon/server.h"

#define TN_SEAL_KEY_SIZE 32

struct tn_app_slot {
	const struct tenon_app *app;
	void *state;
	uint32_t bit; /* of `apps` masks; its items carry it */
	bool is_off;  /* its items are hidden from everybody */
	struct tn_app_slot *next;
};

struct tn_consent;
struct tn_listener;
struct tn_feed_teller;
struct tn_extension;
struct tn_long_text;
struct tn_observer;
struct tn_policy_part;
struct tn_preview_ports;
struct tn_stream_door;
struct tn_json_door;

struct tenon_server {
	struct tn_loop *loop;
	const struct tn_clock *clock;
	struct tn_wakeup *stop_wakeup;
	struct tenon_server_options options; /* texts are copies */
	char *texts[8];                      /* those copies */
	struct tn_buf instructions;          /* our own, then those of the apps */
	size_t own_instructions_size;        /* of that */
	struct tn_registry registry;
	struct tn_app_slot *apps; /* in the order they were added */

	struct tn_peer *peers;
	uint64_t peer_numbers;    /* the last one given */
	struct tn_peer orphanage; /* of calls that outlived their peer */
	struct tenon_call *pool;  /* finished calls, to be used again */
	unsigned pooled;
	unsigned running; /* calls neither finished nor in the pool */

	struct tn_task_table tasks;
	struct tn_handle_registry handles; /* those of its apps */

	struct tn_listener *listeners;
	struct tn_feed_teller *tellers; /* feed.h */
	unsigned listener_count;
	size_t subscription_bytes;    /* of all URIs that somebody subscribed to */
	bool has_queries;             /* one of them has had a query */
	unsigned dirty;               /* TN_DIRTY_*: lists changed, not published yet */
	struct tn_timer *list_timer;  /* debounces them */
	struct tn_timer *retry_timer; /* peers that did not keep up */
	struct tn_buf scratch;        /* for one notification at a time */

	unsigned char (*seal_keys)[TN_SEAL_KEY_SIZE]; /* the first seals, all open */
	size_t seal_key_count;
	struct tn_extension *extensions;
	struct tn_stream_door *stream_doors;
	struct tn_json_door *json_doors;
	struct tn_policy_part *policy_parts; /* members of the policy that are apps' */
	char page_url[272];                  /* "http://127.0.0.1:7777"; empty: there is no page */
	bool person_socket;                  /* `tenon approve` finds what waits here */
	bool has_scopes;                     /* some token may not use everything: lists differ */
	bool cuts_texts; /* a tool has a limit of text, so that there are texts to be read */
	bool told_lint;
	struct tn_long_text *long_texts; /* oldest first */
	size_t long_text_count, long_text_bytes;
	struct tn_timer *long_text_timer;
	bool stopping;
	bool succeeded; /* it stops for a successor, who takes over what apps leave to it */
	bool disabled;  /* calls of all but persons end with SERVER_DISABLED */
	struct tn_observer *observers; /* observe.h */
	struct tn_observer *audit;     /* of options.audit, one of them; NULL: none */
	struct tn_consent *consent;    /* consent.h; NULL: everything is allowed */
	/* Which forms of results hosts are sent (fit.h), and what the setting says before: the
	 * host's, and may change while it runs. NULL: nothing. */
	const struct tn_fit_rule *fit_rules;
	size_t fit_rule_count;
	const char *const *fit_settings; /* ends with NULL */
	const char *state_folder; /* for what apps keep beyond the program's end; NULL: none */
	/* What apps are opened with; see host/settings/config.h. Before they are added. */
	const struct tn_settings *settings;           /* views; NULL: their defaults */
	const struct tn_preview_ports *preview_ports; /* NULL: nothing can be previewed here */
	const char *runtime_folder; /* where the next daemon finds what outlives us; NULL: none */
	bool fixed_token;           /* the client token is one that the user has chosen: it stays */
	bool network; /* clients may come over a socket that is not the user's alone */
	/* What apps tell the program around them; each may be NULL. `refuse`: what this process has
	 * started, and what that starts, is no person. `report`: a line for the log. */
	void (*refuse_persons_below)(void *data, int64_t pid);
	void *refuse_persons_data;
	/* What the transports tell it: this process speaks as a client. False: it cannot be
	 * remembered, so it is not served. NULL: nobody is a person here. */
	bool (*client_speaks)(void *data, int64_t pid);
	void *client_speaks_data;
	void (*report)(const char *area, const char *sentence, void *data);
	void *report_data;
	void (*on_stop)(void *data); /* the transport's, set while it runs */
	void *on_stop_data;
	void (*on_reload)(void *data); /* what SIGHUP does; NULL: it stops, as SIGTERM does */
	void *on_reload_data;

	struct tn_serving *serving; /* the ways in, once there is one; host's */
	void (*end_serving)(struct tenon_server *server); /* closes them; NULL: none */
};

/* Before it is reached for the first time: tells of what hosts would reject or cut, once (lint.h).
 * Fails: INVALID (a tool's page that is not there, MCP-260; the message names both). */
TN_MUST_USE enum tenon_code tn_server_start(struct tenon_server *server, struct tenon_error *err);

/* `description`, `websiteUrl` and `icons` of serverInfo, as far as they are known. */
void tn_server_put_about(const struct tenon_server *server, struct tn_buf *out);

/* Adds an app's sentence to the instructions; NULL: it has none. */
void tn_server_add_instructions(struct tenon_server *server, const char *sentence);
/* What the model is told about the server and those apps that are not hidden. */
void tn_server_put_instructions(const struct tenon_server *server, uint32_t hidden,
				struct tn_buf *out);

/* Of the app with this name; 0: there is none, or it is off. */
uint32_t tn_server_app_bit(const struct tenon_server *server, struct tn_str name);
/* A resource of an app that comes and goes while it runs: a session. `told`: clients hear that
 * their lists have changed. Fails: as tenon_server_add_resource. */
TN_MUST_USE enum tenon_code tn_server_add_resource_of(struct tenon_server *server,
						      const struct tenon_app *app,
						      const struct tenon_resource *resource,
						      bool told, struct tenon_error *err);
void tn_server_remove_resource_of(struct tenon_server *server, const char *uri, bool told);
/* The same for a prompt. */
TN_MUST_USE enum tenon_code tn_server_add_prompt_of(struct tenon_server *server,
						    const struct tenon_app *app,
						    const struct tenon_prompt *prompt,
						    struct tenon_error *err);
/* Hides what an app offers from everybody, or shows it again; clients are told that their lists
 * have changed. Calls that run go on. False: no such app. */
bool tn_server_set_app_off(struct tenon_server *server, const char *name, bool off);

/* The clock may be replaced by tests before the first message. */
static inline uint64_t tn_server_now_ms(const struct tenon_server *server)
{
	return tn_clock_now_ms(server->clock);
}

#endif
