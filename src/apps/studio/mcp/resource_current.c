/* What the current project looks like now: diagram, configuration, problems, costs, status (13). */
#include <string.h>

#include "apps/studio/mcp/resource.h"

#define AS_JSON .mime_type = "application/json", .size_bytes = -1

/* A part of a project, by this name. False: there is none. */
static bool read_part(struct tenon_call *call, struct tn_studio_door *door, const char *name)
{
	const struct tn_studio_project_part *part = tn_studio_project_part_find(name);

	if (part)
		part->read(call, door, tn_studio_project_current(door->projects));
	return part != NULL;
}

static void read_diagram(struct tenon_call *call, void *door)
{
	(void)read_part(call, door, "diagram");
}

static void read_config(struct tenon_call *call, void *door)
{
	(void)read_part(call, door, "config");
}

/* ST-120: the first name is the brief's and the one that is listed. */
const struct tenon_resource tn_studio_resource_diagram = {
	.uri = "terrastudio://diagram/current",
	.name = "diagram",
	.title = "The diagram",
	.description = "All nodes and edges of the current project, as get_diagram returns them",
	AS_JSON,
	.read = read_diagram,
};

const struct tenon_resource tn_studio_resource_config = {
	.uri = "terrastudio://project/config",
	.name = "project-config",
	.title = "The configuration",
	.description = "Configuration of the current project, without what is secret",
	AS_JSON,
	.read = read_config,
};

/* The same by the app's own names, found and subscribed to but not listed twice. */
const struct tenon_resource_template tn_studio_template_current = {
	.uri_template = "studio://{what}/current",
	.name = "current",
	.title = "The current project",
	.description = "diagram, problems, costs or status of the current project",
	.mime_type = "application/json",
	.read = tn_studio_read_current,
	.complete = tn_studio_complete,
};

static void read_project(struct tenon_call *call, void *door)
{
	const char *part = tenon_call_text(call, "part");

	if (part && strcmp(part, "config") == 0)
		read_config(call, door);
	else
		tenon_call_not_found(call);
}

const struct tenon_resource_template tn_studio_template_project = {
	.uri_template = "studio://project/{part}",
	.name = "project",
	.title = "The current project",
	.description = "config: the same as terrastudio://project/config",
	.mime_type = "application/json",
	.read = read_project,
};

void tn_studio_read_current(struct tenon_call *call, void *door)
{
	if (!read_part(call, door, tenon_call_text(call, "what")))
		tenon_call_not_found(call);
}
