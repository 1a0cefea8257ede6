/* state.h - what the plan server remembers between calls: plans, conversations, its settings.
 *
 * Nothing here touches a disk or the network: the history and the HTTP client open themselves when
 * a worker first needs them. Threads: loop only, except where config, client and history say
 * otherwise. Ownership: the app owns the state from open to close. */
#ifndef TN_PLAN_STATE_H
#define TN_PLAN_STATE_H

#include "apps/plan/limits.h"
#include "apps/plan/service/config.h"
#include "apps/plan/explain/context.h"
#include "apps/plan/service/history.h"
#include "apps/plan/service/reviews.h"
#include "loop/http_client.h"
#include "store/beneath.h"
#include "store/handles.h"

struct tenon_server;

enum { TN_PLAN_TURN_BYTES_MAX = 8 * 1024 }; /* kept of one turn */

struct tn_plan_conversation {
	char plan_id[TN_HANDLE_SIZE]; /* what it is about; empty before the first plan */
	bool asked;                   /* the question stands in the turns and has no answer yet */
	unsigned unclear;             /* answers that meant neither */
	struct tn_plan_turn turns[TN_PLAN_TURNS_KEPT_MAX]; /* oldest first */
	size_t turn_count;
};

struct tn_plan_state {
	struct tenon_server *server; /* told when the history changes; may be NULL */
	struct tn_plan_config config;
	struct tn_roots roots;           /* of plan_path */
	struct tn_handles plans;         /* values: struct tn_plan */
	struct tn_handles conversations; /* values: struct tn_plan_conversation */
	struct tn_http_client *client;
	struct tn_plan_history *history;
	struct tn_plan_reviews *reviews;
};

/* What a state lives in; all but the clock may be NULL. */
struct tn_plan_surroundings {
	struct tenon_server *server;
	struct tn_handle_registry *registry; /* where its handles stand */
	struct tn_loop *loop;
	const struct tn_clock *clock;
	const struct tn_settings *settings; /* the host's views; NULL: the defaults */
};
/* Fails: INVALID (a setting), NO_MEMORY, SYSTEM. */
TN_MUST_USE enum tenon_code tn_plan_state_create(const struct tn_plan_surroundings *around,
						 struct tn_plan_state **ret,
						 struct tenon_error *err);
void tn_plan_state_destroy(struct tn_plan_state *state); /* accepts NULL */

/* Who opens a plan. */
struct tn_plan_opener {
	const char *id; /* NULL, or a handle that was kept over a restart */
	const char *principal;
	const char *client; /* as it calls itself; may be NULL */
};

/* Takes the plan and gives it a handle (or the one it has, when this principal sent the same text
 * before). Referenced for the caller. Fails: NO_MEMORY; the plan is freed then. */
TN_MUST_USE enum tenon_code tn_plan_state_keep(struct tn_plan_state *state,
					       const struct tn_plan_opener *opener,
					       struct tn_plan *plan, struct tn_handle **ret,
					       struct tenon_error *err);

/* A new, empty conversation, referenced for the caller. Fails: NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_plan_state_converse(struct tn_plan_state *state,
						   const char *principal, struct tn_handle **ret,
						   struct tenon_error *err);

/* Appends a turn; the oldest goes when there are too many. Without memory it is not kept. */
void tn_plan_conversation_add(struct tn_plan_conversation *conversation, const char *role,
			      struct tn_str content);

#endif
