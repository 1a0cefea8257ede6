/* resource.h - the resources of studio (studio.md section 13): who reads them, and how their
 * readers hear of changes.
 *
 * Threads: loop. */
#ifndef TN_STUDIO_RESOURCE_H
#define TN_STUDIO_RESOURCE_H

#include "apps/studio/mcp/tool_state.h"

extern const struct tenon_resource tn_studio_resource_diagram, tn_studio_resource_config,
	tn_studio_resource_guide;
extern const struct tenon_resource_template tn_studio_template_hcl, tn_studio_template_own_hcl,
	tn_studio_template_project, tn_studio_template_current, tn_studio_template_type,
	tn_studio_template_run, tn_studio_template_run_log;

tenon_call_fn tn_studio_read_current;
/* Completion of `filename`, `typeId`, `runId`, `what` and the arguments of prompts. */
tenon_call_fn tn_studio_complete;

/* Subscribers of the URI are told of a change within 50 ms, of several at once (ST-122). */
TN_MUST_USE enum tenon_code tn_studio_updates_open(struct tn_studio_door *door,
						   struct tenon_error *err);
void tn_studio_updates_close(struct tn_studio_door *door);
void tn_studio_updates_tell(struct tn_studio_door *door, const char *uri);

/* The generated files that are listed and followed (ST-121, ST-122): generated at most every 250 ms
 * after a change, told only when the text has changed. */
/* `of_project`: what else is listed only while there is a project; static, ends with NULL. */
TN_MUST_USE enum tenon_code tn_studio_files_open(struct tn_studio_door *door,
						 const struct tenon_resource *const *of_project,
						 struct tenon_error *err);
void tn_studio_files_close(struct tn_studio_door *door);
void tn_studio_files_refresh(void *door);                  /* now, if it is due */
void tn_studio_files_changed(struct tn_studio_door *door); /* soon */

#endif
