/* resource.h - the resources of studio (studio.md section 13): who reads them, and how their
 * readers hear of changes.
 *
 * Threads: loop. */
#ifndef TN_STUDIO_RESOURCE_H
#define TN_STUDIO_RESOURCE_H

#include "apps/studio/mcp/tool_state.h"

extern const struct tenon_resource tn_studio_resource_diagram, tn_studio_resource_config,
	tn_studio_resource_guide, tn_studio_resource_types, tn_studio_resource_look,
	tn_studio_resource_engine;
extern const struct tenon_resource_template tn_studio_template_hcl, tn_studio_template_own_hcl,
	tn_studio_template_project, tn_studio_template_current, tn_studio_template_type,
	tn_studio_template_run, tn_studio_template_run_log, tn_studio_template_projects,
	tn_studio_template_part;

/* ---- parts of a project, of the current one and by its id (resource_projects.c) ---- */

#define TN_STUDIO_PROJECTS_URI "studio://projects"

enum { /* what a change was of; a part says which of them change it */
       TN_STUDIO_TOLD_DIAGRAM = 1,
       TN_STUDIO_TOLD_CONFIG = 2,
       TN_STUDIO_TOLD_STATUS = 4,
       TN_STUDIO_TOLD_RUNS = 8,
       TN_STUDIO_TOLD_PRESENCE = 16 /* presence.h tells it by itself */
};

struct tn_studio_project_part {
	const char *name;
	unsigned told;
	/* Ends the call; `project` NULL: there is no current one. */
	void (*read)(struct tenon_call *call, struct tn_studio_door *door,
		     struct tn_studio_project *project);
};
extern const struct tn_studio_project_part tn_studio_project_parts[]; /* a name NULL ends them */
const struct tn_studio_project_part *tn_studio_project_part_find(const char *name); /* NULL: none */

/* `_meta` of updates: for tn_feed_teller. */
void tn_studio_put_told_revision(struct tn_str uri, struct tn_buf *members, void *door);

tenon_call_fn tn_studio_read_current;
/* Completion of `filename`, `typeId`, `runId`, `what` and the arguments of prompts. */
tenon_call_fn tn_studio_complete;

/* Subscribers of the URI are told of a change within 50 ms, of several at once (ST-122). */
TN_MUST_USE enum tenon_code tn_studio_updates_open(struct tn_studio_door *door,
						   struct tenon_error *err);
void tn_studio_updates_close(struct tn_studio_door *door);
void tn_studio_updates_tell(struct tn_studio_door *door, const char *uri);

/* The runs of a project (studio-canvas.md SC-021): as what they are when they are read; told at
 * once when one begins or ends, and soon after a plan fits no more, or fits again. */
TN_MUST_USE enum tenon_code tn_studio_run_list_open(struct tn_studio_door *door,
						    struct tenon_error *err);
void tn_studio_run_list_close(struct tn_studio_door *door); /* before the runs go */
void tn_studio_run_list_look(struct tn_studio_door *door);  /* something has changed */
/* Answers a read with them; ends the call, later. */
void tn_studio_read_runs(struct tenon_call *call, struct tn_studio_door *door,
			 struct tn_studio_project *project);

/* The generated files that are listed and followed (ST-121, ST-122): generated at most every 250 ms
 * after a change, told only when the text has changed. */
/* `of_project`: what else is listed only while there is a project; static, ends with NULL. */
TN_MUST_USE enum tenon_code tn_studio_files_open(struct tn_studio_door *door,
						 const struct tenon_resource *const *of_project,
						 struct tenon_error *err);
void tn_studio_files_close(struct tn_studio_door *door);
void tn_studio_files_refresh(void *door);                  /* now, if it is due */
void tn_studio_files_changed(struct tn_studio_door *door); /* soon */
/* Of one that is listed; NULL: there are no more. */
const char *tn_studio_files_name(const struct tn_studio_door *door, size_t index);

/* One type as get_available_resource_types tells it; all of them, hidden ones too, as members
 * `types` and `groups` (tool_types.c). False: no memory. */
void tn_studio_put_type(struct tn_buf *out, const struct tn_studio_registry *registry,
			const struct tn_studio_type *type, enum tn_studio_detail detail);
TN_MUST_USE bool tn_studio_put_types(struct tn_buf *out, const struct tn_studio_registry *registry,
				     struct tn_arena *arena);

#endif
