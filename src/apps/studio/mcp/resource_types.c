/* studio://types, studio://types/{typeId} and studio://look: all that a page needs to offer types,
 * to make forms of them, to know what may stand where and connect to what, and to draw them
 * (SC-015). */
#include "apps/studio/limits.h"
#include "apps/studio/mcp/resource.h"
#include "apps/studio/picture/look.h"
#include "base/limits.h"
#include "jsonrpc/json_write.h"

/* The current project's, which may have types of its own. NULL: none can be made. */
static const struct tn_studio_registry *registry_of(struct tn_studio_door *door)
{
	struct tn_studio_project *project = tn_studio_project_current(door->projects);
	struct tn_studio_fault fault = {.code = NULL};

	return project ? project->document.registry : tn_studio_door_registry(door, &fault);
}

static void reply(struct tenon_call *call, struct tn_buf *text)
{
	if (text->failed) {
		tenon_call_fail(call, "Out of memory.");
	} else {
		tenon_call_add_resource_text(call, NULL, "application/json", text->data,
					     text->size);
		tenon_call_finish(call);
	}
	tn_buf_finish(text);
}

static void read_type(struct tenon_call *call, void *door)
{
	const struct tn_studio_registry *registry = registry_of(door);
	const char *id = tenon_call_text(call, "typeId");
	const struct tn_studio_type *type =
		registry && id ? tn_studio_type_find(registry, tn_str_from(id)) : NULL;
	struct tn_buf text;

	if (!type) {
		tenon_call_not_found(call);
		return;
	}
	tn_buf_init(&text, TN_RESULT_BYTES_MAX);
	tn_studio_put_type(&text, registry, type, TN_STUDIO_FULL);
	reply(call, &text);
}

const struct tenon_resource_template tn_studio_template_type = {
	.uri_template = "studio://types/{+typeId}",
	.name = "type",
	.title = "A resource type",
	.description = "All about one type: properties, limits, connections, outputs, costs",
	.mime_type = "application/json",
	.read = read_type,
	.complete = tn_studio_complete,
};

/* What a project's configuration may name beside the types. */
static void put_surroundings(struct tn_buf *out, const struct tn_studio_registry *registry)
{
	tn_json_put_key(out, "providers");
	tn_json_begin_array(out);
	for (size_t i = 0; i < registry->provider_count; i++)
		tn_studio_provider_put(out, &registry->providers[i]);
	tn_json_end_array(out);
	tn_json_put_key(out, "bindings");
	tn_studio_bindings_put(out, registry);
	tn_json_put_key(out, "regionShortcodes");
	tn_json_put_value(out, registry->region_shortcodes);
	tn_json_put_key(out, "costRegions");
	tn_json_put_value(out, registry->cost_regions);
	tn_json_put_key(out, "faults");
	tn_json_put_value(out, registry->faults);
}

static void read_types(struct tenon_call *call, void *door)
{
	const struct tn_studio_registry *registry = registry_of(door);
	struct tn_arena arena;
	struct tn_buf text;

	tn_arena_init(&arena, TN_STUDIO_ARENA_MAX);
	tn_buf_init(&text, TN_STUDIO_RESULT_BYTES_MAX);
	tn_json_begin_object(&text);
	if (registry && tn_studio_put_types(&text, registry, &arena)) {
		put_surroundings(&text, registry);
		tn_json_end_object(&text);
		reply(call, &text);
	} else {
		tenon_call_fail(call, "Out of memory.");
		tn_buf_finish(&text);
	}
	tn_arena_finish(&arena);
}

const struct tenon_resource tn_studio_resource_types = {
	.uri = "studio://types",
	.name = "types",
	.title = "All resource types",
	.description =
		"Types with properties, containment, connections, signs and costs; providers",
	.mime_type = "application/json",
	.size_bytes = -1,
	.read = read_types,
};

static void read_look(struct tenon_call *call, void *door)
{
	struct tn_buf text;

	(void)door;
	tn_buf_init(&text, TN_RESULT_BYTES_MAX);
	tn_studio_look_put(&text);
	reply(call, &text);
}

const struct tenon_resource tn_studio_resource_look = {
	.uri = "studio://look",
	.name = "look",
	.title = "Colours",
	.description =
		"Colours of families, statuses, plan actions and edges, light and dark, as in "
		"pictures",
	.mime_type = "application/json",
	.size_bytes = -1,
	.read = read_look,
};
