/* studio://guide: how to build a diagram, in the right order. */
#include "apps/studio/mcp/resource.h"

#include "base/limits.h"

extern const char tn_studio_guide_data[];
extern const size_t tn_studio_guide_data_size;

static void read_guide(struct tenon_call *call, void *data)
{
	struct tn_studio_door *door = data;
	struct tn_studio_fault fault = {.code = NULL};
	const struct tn_studio_registry *registry = tn_studio_door_registry(door, &fault);
	struct tn_buf text;

	tn_buf_init(&text, TN_RESULT_BYTES_MAX);
	tn_buf_append(&text, tn_studio_guide_data, tn_studio_guide_data_size);
	tn_buf_append_text(&text, "\n## Types\n\n");
	for (size_t i = 0; registry && i < registry->type_count; i++) {
		const struct tn_studio_type *type = registry->types[i];

		if (type->hidden)
			continue;
		tn_buf_append_text(&text, "- `");
		tn_buf_append_str(&text, type->id);
		tn_buf_append_text(&text, "` ");
		tn_buf_append_str(&text, type->display_name);
		tn_buf_append_text(&text, type->container ? " (container)\n" : "\n");
	}
	if (text.failed) {
		tenon_call_fail(call, "Out of memory.");
	} else {
		tenon_call_add_resource_text(call, NULL, "text/markdown", text.data, text.size);
		tenon_call_finish(call);
	}
	tn_buf_finish(&text);
}

const struct tenon_resource tn_studio_resource_guide = {
	.uri = "studio://guide",
	.name = "guide",
	.title = "How to build a diagram",
	.description = "The order of work, and all types in short",
	.mime_type = "text/markdown",
	.size_bytes = -1,
	.read = read_guide,
};
