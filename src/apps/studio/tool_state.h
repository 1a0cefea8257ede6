/* tool_state.h - what the door of studio holds, and the one way from a tool call to an action and
 * back (action.h).
 *
 * Threads: loop. */
#ifndef TN_STUDIO_TOOL_STATE_H
#define TN_STUDIO_TOOL_STATE_H

#include "apps/studio/action.h"
#include "apps/studio/generate.h"
#include "apps/studio/run.h"
#include "apps/studio/settings.h"
#include "apps/studio/status.h"
#include "tenon/result.h"
#include "tenon/server.h"

struct tn_studio_files; /* resource_files.c: which generated files are listed */

struct tn_studio_door {
	struct tenon_server *server;
	struct tn_studio_settings settings;
	struct tn_studio_registry *registry; /* built in and the user's; NULL until first used */
	struct tn_studio_projects *projects;
	struct tn_studio_runs *runs;
	struct tn_studio_prices *prices; /* NULL until first used */
	struct tn_studio_files *files;
	struct tn_studio_updates *updates;
	struct tn_schema **schemas; /* of actions in batches, by their place; NULL until used */
};

/* What is made when first needed. NULL: the fault says why. */
struct tn_studio_registry *tn_studio_door_registry(struct tn_studio_door *door,
						   struct tn_studio_fault *fault);
const struct tn_studio_prices *tn_studio_door_prices(struct tn_studio_door *door,
						     struct tn_studio_fault *fault);

/* ---- endings ---- */

/* The tool error of studio.md 12.1. */
void tn_studio_reply_fault(struct tenon_call *call, const struct tn_studio_fault *fault);
/* `structured` is a whole object and is finished; `text` empty: the JSON is the text. */
void tn_studio_reply(struct tenon_call *call, struct tn_str text, struct tn_buf *structured);

/* INVALID_INPUT: for tenon_app.refuse_arguments. */
void tn_studio_refuse_arguments(struct tenon_call *call, void *state,
				const struct tenon_argument_fault *faults, size_t count,
				size_t more);

/* ---- beginnings ---- */

/* The project that the argument `project` names, or the current one. NULL: the call has ended. */
struct tn_studio_project *tn_studio_project_of(struct tenon_call *call,
					       struct tn_studio_door *door);
/* "Claude Code", "user (page)": who is written down as the actor. */
const char *tn_studio_actor_of(struct tenon_call *call);

/* The whole of a tool that is one action: project, edit, action, commit, answer, change feed. */
void tn_studio_run_action(struct tenon_call *call, struct tn_studio_door *door,
			  const struct tn_studio_action *action);
/* The same as a resource: what the action would answer. `mime` is application/json. */
void tn_studio_read_action(struct tenon_call *call, struct tn_studio_door *door,
			   const struct tn_studio_action *action, const char *arguments_json);

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
/* Begins an edit of the turn's project: by whom, what revision is expected. */
bool tn_studio_turn_edit(struct tn_studio_turn *turn, struct tenon_call *call, const char *tool);
/* Runs an action in the turn, which has an edit if it needs one. */
bool tn_studio_turn_run(struct tn_studio_turn *turn, const struct tn_studio_action *action,
			const struct tn_json *arguments, struct tn_buf *result);
/* Ends the call with the turn's fault; without one with what the arena says. */
void tn_studio_turn_fail(struct tn_studio_turn *turn, struct tenon_call *call);

/* Tells the change feed; `what` as in project.h. */
void tn_studio_publish(struct tn_studio_door *door, struct tn_studio_project *project,
		       const char *what);

/* ---- actions that may stand in a batch, by name; NULL: none ---- */
struct tn_studio_batch_entry {
	const struct tenon_tool *tool;
	const struct tn_studio_action *action;
};
const struct tn_studio_batch_entry *tn_studio_batch_find(struct tn_str name, size_t *ret_index);
void tn_studio_batch_finish(struct tn_studio_door *door);

/* ---- the tools, one file each; their actions ---- */
extern const struct tn_studio_action tn_studio_action_list, tn_studio_action_diagram,
	tn_studio_action_types, tn_studio_action_get_config, tn_studio_action_set_config,
	tn_studio_action_add, tn_studio_action_update, tn_studio_action_remove,
	tn_studio_action_connect, tn_studio_action_disconnect, tn_studio_action_move,
	tn_studio_action_layout, tn_studio_action_validate, tn_studio_action_costs,
	tn_studio_action_status;
extern const struct tenon_tool tn_studio_tool_list, tn_studio_tool_diagram, tn_studio_tool_types,
	tn_studio_tool_get_config, tn_studio_tool_set_config, tn_studio_tool_add,
	tn_studio_tool_update, tn_studio_tool_remove, tn_studio_tool_connect,
	tn_studio_tool_disconnect, tn_studio_tool_move, tn_studio_tool_layout,
	tn_studio_tool_validate, tn_studio_tool_costs, tn_studio_tool_status,
	tn_studio_tool_new_project, tn_studio_tool_open_project, tn_studio_tool_save_project,
	tn_studio_tool_close_project, tn_studio_tool_list_projects, tn_studio_tool_generate,
	tn_studio_tool_run, tn_studio_tool_get_run, tn_studio_tool_cancel_run,
	tn_studio_tool_get_plan, tn_studio_tool_batch, tn_studio_tool_undo, tn_studio_tool_redo,
	tn_studio_tool_changes, tn_studio_tool_export, tn_studio_tool_import;

/* Everything generated now; what is wrong goes to `list`. False: no memory. */
bool tn_studio_generate_project(const struct tn_studio_project *project, struct tn_arena *arena,
				struct tn_studio_diagnostics *list,
				struct tn_studio_generated *ret);
/* What get_project_config answers, as members. */
void tn_studio_put_config_answer(struct tn_buf *result, const struct tn_studio_project *project);
/* ProjectData (12.4) of a project that has just become the current one; `warnings`: a JSON array,
 * or NULL. Ends the call. */
void tn_studio_reply_project(struct tenon_call *call, struct tn_studio_door *door,
			     struct tn_studio_project *project, struct tn_buf *warnings);

/* ---- parts of schemas ---- */
#define TN_STUDIO_PROJECT_ARGUMENT                                                         \
	"\"project\":{\"type\":\"string\",\"maxLength\":4096,\"description\":\"A project " \
	"that is open, by its id or folder; without it the current one\"}"
#define TN_STUDIO_WRITE_ARGUMENTS                                                               \
	TN_STUDIO_PROJECT_ARGUMENT ",\"expectedRevision\":{\"type\":\"integer\",\"minimum\":0," \
				   "\"description\":\"Refuse when the diagram has another "     \
				   "revision: somebody has changed it since you read it\"}"
#define TN_STUDIO_ID_ARGUMENT(name, words) \
	"\"" name                          \
	"\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":64,\"description\":\"" words "\"}"
#define TN_STUDIO_TEXT "{\"type\":\"string\"}"
#define TN_STUDIO_COUNT "{\"type\":\"integer\",\"minimum\":0}"
#define TN_STUDIO_SWITCH "{\"type\":\"boolean\"}"
#define TN_STUDIO_ANY_OBJECT "{\"type\":\"object\"}"
#define TN_STUDIO_TEXTS "{\"type\":\"array\",\"items\":" TN_STUDIO_TEXT "}"
#define TN_STUDIO_OBJECTS "{\"type\":\"array\",\"items\":" TN_STUDIO_ANY_OBJECT "}"
#define TN_STUDIO_POINT                                                                  \
	"{\"type\":\"object\",\"properties\":{\"x\":{\"type\":\"number\",\"minimum\":"   \
	"-1000000,\"maximum\":1000000},\"y\":{\"type\":\"number\",\"minimum\":-1000000," \
	"\"maximum\":1000000}},\"required\":[\"x\",\"y\"],\"additionalProperties\":false"
#define TN_STUDIO_CHANGE ",\"revision\":" TN_STUDIO_COUNT ",\"changeId\":" TN_STUDIO_TEXT
/* The result, or the error of 12.1. */
#define TN_STUDIO_OUTPUT(properties, required)                                                     \
	"{\"type\":\"object\",\"anyOf\":[{\"properties\":{" properties "},\"required\":[" required \
	"]},{\"properties\":{\"error\":" TN_STUDIO_TEXT ",\"message\":" TN_STUDIO_TEXT             \
	"},\"required\":[\"error\",\"message\"]}]}"
#define TN_STUDIO_PROJECT_DATA                                                                   \
	TN_STUDIO_OUTPUT("\"project\":" TN_STUDIO_ANY_OBJECT ",\"config\":" TN_STUDIO_ANY_OBJECT \
			 ",\"diagram\":" TN_STUDIO_ANY_OBJECT                                    \
			 ",\"warnings\":{\"type\":\"array\"},\"recovered\":" TN_STUDIO_SWITCH,   \
			 "\"project\",\"config\",\"diagram\",\"warnings\"")

#endif
