/* tool_state.h - what the door of floorplan holds, and the one way from a tool call to an action
 * and back (action.h).
 *
 * Threads: loop, except for the action itself. */
#ifndef TN_FLOOR_TOOL_STATE_H
#define TN_FLOOR_TOOL_STATE_H

#include "apps/floorplan/mcp/action.h"
#include "apps/floorplan/mcp/documents.h"
#include "apps/floorplan/mcp/roots.h"
#include "tenon/result.h"
#include "tenon/server.h"

struct tn_floor_door {
	struct tenon_server *server;
	struct tn_roots roots;
	struct tn_floor_documents documents;
	struct tn_fonts *fonts; /* of the machine, for pictures */
};

/* The document that the argument `document` names. NULL: the call has ended. */
struct tn_handle *tn_floor_handle_of(struct tenon_call *call, struct tn_floor_door *door);
/* "Claude Code", "user (page)": who is written down as the actor. */
const char *tn_floor_actor_of(struct tenon_call *call);

/* Ends a tool's call with success false and one error. */
void tn_floor_reply_fault(struct tenon_call *call, const char *code, const char *message,
			  const char *path);
/* The same with what a document or a file said: STALE_REVISION, PATH_NOT_ALLOWED, ... */
void tn_floor_reply_error(struct tenon_call *call, const char *code, const struct tenon_error *err);
/* `json`: a whole object, as text and structured; finished here. */
void tn_floor_reply(struct tenon_call *call, struct tn_buf *json);
/* FP9001: for tenon_app.refuse_arguments. */
void tn_floor_refuse_arguments(struct tenon_call *call, void *state,
			       const struct tenon_argument_fault *faults, size_t count,
			       size_t more);

/* Tells everybody who reads the document. */
void tn_floor_publish(struct tn_floor_door *door, const struct tn_handle *handle);
/* `document`, `revision`, `path`, `changed`, `canUndo`, `canRedo` as members. */
void tn_floor_put_document(struct tn_buf *out, const struct tn_handle *handle);
/* The same and the text, as a whole answer. */
void tn_floor_put_open_document(struct tn_buf *out, const struct tn_handle *handle);

/* ---- resources, prompts (resource_*.c, prompt_*.c) ---- */
extern const struct tenon_resource tn_floor_resource_schema, tn_floor_resource_diagnostics;
extern const struct tenon_resource_template tn_floor_template_example, tn_floor_template_document;
extern const struct tenon_prompt tn_floor_prompt_draw, tn_floor_prompt_review,
	tn_floor_prompt_furnish, tn_floor_prompt_measure;
void tn_floor_complete(struct tenon_call *call, void *door);

#endif
