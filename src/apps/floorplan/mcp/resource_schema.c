/* floorplan://schema, floorplan://diagnostics, floorplan://examples/{name} (floorplan.md 7.7). */
#include "apps/floorplan/mcp/schema_page.h"
#include "apps/floorplan/mcp/tool_state.h"
#include "base/limits.h"

static void reply_page(struct tenon_call *call, void (*put)(struct tn_buf *out))
{
	struct tn_buf text;

	tn_buf_init(&text, TN_RESULT_BYTES_MAX);
	put(&text);
	if (text.failed) {
		tenon_call_fail(call, "Out of memory.");
	} else {
		tenon_call_add_resource_text(call, NULL, "text/markdown", text.data, text.size);
		tenon_call_finish(call);
	}
	tn_buf_finish(&text);
}

static void read_schema(struct tenon_call *call, void *data)
{
	(void)data;
	reply_page(call, tn_floor_put_schema_page);
}

static void read_diagnostics(struct tenon_call *call, void *data)
{
	(void)data;
	reply_page(call, tn_floor_put_code_page);
}

static void read_example(struct tenon_call *call, void *data)
{
	struct tn_str name = tn_str_from(tenon_call_text(call, "name"));
	struct tn_floor_example example;

	(void)data;
	for (size_t i = 0; tn_floor_example_at(i, &example); i++) {
		if (!tn_str_is(name, example.name))
			continue;
		tenon_call_add_resource_text(call, NULL, "text/plain", example.text.data,
					     example.text.size);
		tenon_call_finish(call);
		return;
	}
	tenon_call_not_found(call);
}

const struct tenon_resource tn_floor_resource_schema = {
	.uri = "floorplan://schema",
	.name = "Floorplan DSL schema",
	.title = "The language of floor plans",
	.description = "Everything one needs to write a plan: clauses, walls, positions, "
		       "connections, stairs, units, configuration, mistakes, examples",
	.mime_type = "text/markdown",
	.size_bytes = -1,
	.read = read_schema,
};

const struct tenon_resource tn_floor_resource_diagnostics = {
	.uri = "floorplan://diagnostics",
	.name = "diagnostics",
	.title = "Codes of diagnostics",
	.description = "All codes with their severity, and when they are told",
	.mime_type = "text/markdown",
	.size_bytes = -1,
	.read = read_diagnostics,
};

const struct tenon_resource_template tn_floor_template_example = {
	.uri_template = "floorplan://examples/{name}",
	.name = "examples",
	.title = "Examples",
	.description = "A whole plan: one-room, apartment, offices or house",
	.mime_type = "text/plain",
	.read = read_example,
	.complete = tn_floor_complete,
};
