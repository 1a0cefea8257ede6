/* tool_state.h - what the door of studio holds, and the one way from a tool call to an action and
 * back (action.h).
 *
 * Threads: loop. */
#ifndef TN_STUDIO_TOOL_STATE_H
#define TN_STUDIO_TOOL_STATE_H

#include "apps/studio/edit/action.h"
#include "apps/studio/generate/generate.h"
#include "apps/studio/run/run.h"
#include "base/settings.h"
#include "apps/studio/status/status.h"
#include "tenon/result.h"
#include "tenon/server.h"

struct tn_studio_follow;
struct tn_studio_follower;
struct tn_studio_files; /* resource_files.c: which generated files are listed */

struct tn_studio_door {
	struct tenon_server *server;
	const struct tenon_app *app; /* whose resources come and go */
	struct tn_settings settings;
	struct tn_studio_registry *registry; /* built in and the user's; NULL until first used */
	struct tn_studio_projects *projects;
	struct tn_studio_runs *runs;
	struct tn_studio_prices *prices; /* NULL until first used */
	struct tn_studio_files *files;
	struct tn_fonts *fonts; /* of the machine, for pictures */
	struct tn_studio_updates *updates;
	struct tn_studio_here *here; /* presence.c */
	struct tn_studio_run_list
		*run_list; /* resource_run_list.c: who is told that plans fit no more */
	struct tn_studio_queue *queues;   /* waiting.h: of the projects for which somebody waits */
	struct tn_studio_follow *follows; /* of projects that somebody reads (follow.h) */
	struct tn_studio_follower *followers; /* calls that wait (tool_get_changes.c) */
	struct tn_schema **schemas; /* for batches, by the place of the tool; NULL until used */
};

/* ---- door.c ---- */

/* What is made when first needed. NULL: the fault says why. */
struct tn_studio_registry *tn_studio_door_registry(struct tn_studio_door *door,
						   struct tn_studio_fault *fault);
const struct tn_studio_prices *tn_studio_door_prices(struct tn_studio_door *door,
						     struct tn_studio_fault *fault);

/* Everything generated now; what is wrong goes to `list`. False: no memory. */
bool tn_studio_generate_project(const struct tn_studio_project *project, struct tn_arena *arena,
				const struct tn_studio_check_options *check,
				struct tn_studio_diagnostics *list,
				struct tn_studio_generated *ret);

/* ---- endings ---- */

/* The tool error of studio.md 12.1. */
void tn_studio_reply_fault(struct tenon_call *call, const struct tn_studio_fault *fault);
/* `structured` is a whole object and is finished; `text` empty: the JSON is the text. */
void tn_studio_reply(struct tenon_call *call, struct tn_str text, struct tn_buf *structured);

/* The same where the text is no more than a headline: whoever is sent no structured content
 * (mcp/fit.h) gets the JSON behind it. */
void tn_studio_reply_headline(struct tenon_call *call, struct tn_str text,
			      struct tn_buf *structured);
/* A line with what a next call names. */
void tn_studio_say_diagnostic(struct tn_buf *text, const struct tn_studio_diagnostic *one);

/* INVALID_INPUT: for tenon_app.refuse_arguments (tool_refuse.c). */
void tn_studio_refuse_arguments(struct tenon_call *call, void *state,
				const struct tenon_argument_fault *faults, size_t count,
				size_t more);

/* ---- beginnings ---- */

/* The project that the argument `project` names, or the current one. NULL: the call has ended. */
struct tn_studio_project *tn_studio_project_of(struct tenon_call *call,
					       struct tn_studio_door *door);
/* "Claude Code", "user (page)": who is written down as the actor. */
const char *tn_studio_actor_of(struct tenon_call *call);

/* Who it is, for what is one's own: one id for a client's name and the token it has, for a person's
 * page one for each connection. NULL: no memory. */
const char *tn_studio_actor_id(struct tenon_call *call, struct tn_arena *arena);

/* The whole of a tool that is one action: project, edit, action, commit, answer, change feed. */
void tn_studio_run_action(struct tenon_call *call, struct tn_studio_door *door,
			  const struct tn_studio_action *action);
/* The same as a resource: what the action would answer, of this project; NULL: there is none. */
void tn_studio_read_action(struct tenon_call *call, struct tn_studio_door *door,
			   struct tn_studio_project *project, const struct tn_studio_action *action,
			   const char *arguments_json);
/* What a resource holds: an object that is finished here. Ends the call. */
void tn_studio_reply_contents(struct tenon_call *call, struct tn_buf *object);

/* One run of one or more actions. */
struct tn_studio_turn {
	struct tn_studio_door *door;
	struct tn_studio_fault fault;
	struct tn_studio_edit edit;
	struct tn_studio_act act;
	struct tn_arena arena;
	struct tn_buf result, text; /* result: an open object */
};
void tn_studio_turn_begin(struct tn_studio_turn *turn, struct tn_studio_door *door,
			  struct tn_studio_project *project);
void tn_studio_turn_end(struct tn_studio_turn *turn);
/* Of a tool's call that is answered by the turn: what its client is sent (mcp/fit.h). */
void tn_studio_turn_fit(struct tn_studio_turn *turn, const struct tenon_call *call,
			const struct tn_studio_action *action);
/* Fills turn->edit, which is not begun. */
void tn_studio_turn_author(struct tn_studio_turn *turn, struct tenon_call *call, const char *tool);
/* Whether nodes are as the call expects them, of a turn with an author (SC-012). */
bool tn_studio_turn_expects(struct tn_studio_turn *turn, const struct tenon_call *call);
/* Begins an edit of the turn's project: by whom, what revision and what nodes are expected. */
bool tn_studio_turn_edit(struct tn_studio_turn *turn, struct tenon_call *call, const char *tool);
/* Gets what the action needs of the door. */
bool tn_studio_turn_prepare(struct tn_studio_turn *turn, const struct tn_studio_action *action);
/* Runs an action in the turn, which has an edit if it needs one. */
bool tn_studio_turn_run(struct tn_studio_turn *turn, const struct tn_studio_action *action,
			const struct tn_json *arguments, struct tn_buf *result);
/* The change that it has become, after what the action has said. */
void tn_studio_turn_changed(struct tn_studio_turn *turn, const struct tenon_call *call,
			    const struct tn_change *change);
/* Ends the call with what the turn has, or with its fault. */
void tn_studio_turn_answer(struct tenon_call *call, struct tn_studio_turn *turn, bool good);
/* The whole of an action's call, here and now. */
void tn_studio_act_now(struct tenon_call *call, struct tn_studio_door *door,
		       struct tn_studio_project *project, const struct tn_studio_action *action);
/* Ends the call with the turn's fault; without one with what the arena says. */
void tn_studio_turn_fail(struct tn_studio_turn *turn, struct tenon_call *call);

/* Tells the change feed; `what` as in project.h (resource_update.c). */
void tn_studio_publish(struct tn_studio_door *door, struct tn_studio_project *project,
		       const char *what);

/* Whoever waits for changes of this project looks again, soon (tool_get_changes.c). */
void tn_studio_followers_wake(struct tn_studio_door *door, const char *project_id);

void tn_studio_batch_finish(struct tn_studio_door *door);

/* What get_deployment_status answers, for the resource, too. */
extern const struct tn_studio_action tn_studio_action_status;

/* What list_projects answers, as members. */
void tn_studio_put_projects(struct tn_buf *out, const struct tn_studio_door *door);
/* What get_project_config answers, as members. */
void tn_studio_put_config_answer(struct tn_buf *result, const struct tn_studio_project *project);
/* ProjectData (12.4) of a project that has just become the current one; `warnings`: a JSON array,
 * or NULL. Ends the call. */
void tn_studio_reply_project(struct tenon_call *call, struct tn_studio_door *door,
			     struct tn_studio_project *project, const char *warnings);

#endif
