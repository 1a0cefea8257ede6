/* studio://projects, and the parts of each that is open (studio-canvas.md SC-010). */
#include <string.h>

#include "apps/studio/limits.h"
#include "apps/studio/mcp/presence.h"
#include "apps/studio/mcp/resource.h"
#include "apps/studio/mcp/tools.h"
#include "jsonrpc/json_write.h"

/* ---- the parts ---- */

static void read_diagram(struct tenon_call *call, struct tn_studio_door *door,
			 struct tn_studio_project *project)
{
	tn_studio_read_action(call, door, project, &tn_studio_action_diagram,
			      "{\"include\":[\"addresses\"]}");
}

static void read_config(struct tenon_call *call, struct tn_studio_door *door,
			struct tn_studio_project *project)
{
	tn_studio_read_action(call, door, project, &tn_studio_action_get_config, "{}");
}

static void read_problems(struct tenon_call *call, struct tn_studio_door *door,
			  struct tn_studio_project *project)
{
	tn_studio_read_action(call, door, project, &tn_studio_action_validate, "{}");
}

static void read_costs(struct tenon_call *call, struct tn_studio_door *door,
		       struct tn_studio_project *project)
{
	tn_studio_read_action(call, door, project, &tn_studio_action_costs,
			      "{\"groupBy\":\"container\"}");
}

static void read_status(struct tenon_call *call, struct tn_studio_door *door,
			struct tn_studio_project *project)
{
	tn_studio_read_action(call, door, project, &tn_studio_action_status, "{\"detail\":true}");
}

const struct tn_studio_project_part tn_studio_project_parts[] = {
	{"diagram", TN_STUDIO_TOLD_DIAGRAM | TN_STUDIO_TOLD_STATUS, read_diagram},
	{"config", TN_STUDIO_TOLD_CONFIG, read_config},
	{"problems", TN_STUDIO_TOLD_DIAGRAM | TN_STUDIO_TOLD_STATUS, read_problems},
	{"costs", TN_STUDIO_TOLD_DIAGRAM, read_costs},
	{"status", TN_STUDIO_TOLD_STATUS, read_status},
	{"runs", TN_STUDIO_TOLD_RUNS, tn_studio_read_runs},
	{"presence", TN_STUDIO_TOLD_PRESENCE, tn_studio_read_presence},
	{NULL, 0, NULL}};

const struct tn_studio_project_part *tn_studio_project_part_find(const char *name)
{
	for (const struct tn_studio_project_part *at = tn_studio_project_parts; name && at->name;
	     at++) {
		if (strcmp(at->name, name) == 0)
			return at;
	}
	return NULL;
}

/* ---- reading ---- */

static struct tn_studio_project *project_by_id(const struct tn_studio_door *door, struct tn_str id)
{
	struct tn_studio_project *at = tn_studio_projects_first(door->projects);

	while (at && !tn_str_is(id, at->id))
		at = at->next;
	return at;
}

static void read_part(struct tenon_call *call, void *data)
{
	struct tn_studio_door *door = data;
	const struct tn_studio_project_part *part =
		tn_studio_project_part_find(tenon_call_text(call, "part"));
	const char *id = tenon_call_text(call, "projectId");
	struct tn_studio_project *project = id ? project_by_id(door, tn_str_from(id)) : NULL;

	if (part && project)
		part->read(call, door, project);
	else
		tenon_call_not_found(call);
}

static void read_projects(struct tenon_call *call, void *door)
{
	struct tn_buf out;

	tn_buf_init(&out, TN_STUDIO_RESULT_BYTES_MAX);
	tn_json_begin_object(&out);
	tn_studio_put_projects(&out, door);
	tn_studio_reply_contents(call, &out);
	tn_buf_finish(&out);
}

/* Like what is of the current project they are found and followed, but not listed: one more line of
 * a list for every project is nothing that a model needs. */
const struct tenon_resource_template tn_studio_template_projects = {
	.uri_template = TN_STUDIO_PROJECTS_URI,
	.name = "projects",
	.title = "Projects",
	.description = "Those that are open and those that were lately, as list_projects has them",
	.mime_type = "application/json",
	.read = read_projects,
};

const struct tenon_resource_template tn_studio_template_part = {
	.uri_template = TN_STUDIO_PROJECTS_URI "/{projectId}/{part}",
	.name = "project-part",
	.title = "A project that is open",
	.description = "diagram, config, problems, costs, status, runs or presence of the project "
		       "with this "
		       "id, whichever is the current one",
	.mime_type = "application/json",
	.read = read_part,
	.complete = tn_studio_complete,
};

/* ---- which revision a notification is of ---- */

/* Absent where the URI is of no project. */
static const struct tn_studio_project *project_of(const struct tn_studio_door *door,
						  struct tn_str uri)
{
	struct tn_str rest = uri;
	size_t slash;

	if (tn_str_starts(uri, TN_STR(TN_STUDIO_PROJECTS_URI "/"))) {
		rest = tn_str_from_offset(uri, sizeof(TN_STUDIO_PROJECTS_URI "/") - 1);
		slash = tn_str_find_byte(rest, '/');
		return slash == TN_STR_NONE ? NULL : project_by_id(door, tn_str(rest.data, slash));
	}
	if (!tn_str_starts(uri, TN_STR("studio://")) &&
	    !tn_str_starts(uri, TN_STR("terrastudio://")))
		return NULL;
	if (tn_str_ends(uri, TN_STR("/current")) || tn_str_ends(uri, TN_STR("/project/config")))
		return tn_studio_project_current(door->projects);
	return NULL;
}

void tn_studio_put_told_revision(struct tn_str uri, struct tn_buf *members, void *data)
{
	const struct tn_studio_project *project = project_of(data, uri);

	if (project)
		tn_json_put_member_int(members, "revision",
				       (int64_t)tn_oplog_revision(project->log));
}
