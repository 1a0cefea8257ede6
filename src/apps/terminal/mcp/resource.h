/* resource.h - the resources of the terminal's door, and what comes and goes in their list. */
#ifndef TN_TERM_RESOURCE_H
#define TN_TERM_RESOURCE_H

#include "apps/terminal/mcp/tool_state.h"

extern const struct tenon_resource tn_term_resource_sessions;
extern const struct tenon_resource_template tn_term_resource_session, tn_term_resource_screen,
	tn_term_resource_screen_ansi, tn_term_resource_output, tn_term_resource_commands,
	tn_term_resource_recording, tn_term_resource_command, tn_term_resource_command_output,
	tn_term_resource_history;
extern const struct tenon_prompt tn_term_prompt_last_error, tn_term_prompt_summary;

void tn_term_read_session(struct tenon_call *call, void *door);
void tn_term_read_command(struct tenon_call *call, void *door);

/* The session of `id`, if the caller may see it. NULL: there is none, and the call has ended. */
struct tn_term_session *tn_term_session_by_uri(struct tenon_call *call, struct tn_term_door *door,
					       struct tn_term_caller *caller);

/* The variable `id`, or the end of the URI of one that stands in the list. */
const char *tn_term_id_of(const struct tenon_call *call);

/* Ids of sessions and commands that the caller may see. */
void tn_term_complete_session(struct tenon_call *call, void *door);
void tn_term_complete_command(struct tenon_call *call, void *door);

/* The list of resources follows the sessions and the last 50 commands. */
void tn_term_list_session(struct tn_term_door *door, const char *id, const char *name,
			  const char *owner);
void tn_term_unlist_session(struct tn_term_door *door, const char *id);
void tn_term_list_command(struct tn_term_door *door, const struct tn_term_command_info *info,
			  const char *owner);

#endif
