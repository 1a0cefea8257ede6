/* export_diagram: pictures, documents and tables of the diagram (12.7). */
#include <sys/stat.h>

#include "apps/studio/export.h"
#include "apps/studio/tool_state.h"
#include "jsonrpc/json_write.h"
#include "mcp/call.h"
#include "store/file.h"

static const char input_schema[] =
	"{\"type\":\"object\",\"properties\":{"
	"\"format\":{\"type\":\"string\",\"enum\":[\"svg\",\"png\",\"markdown\",\"mermaid\","
	"\"csv\","
	"\"json\"],\"description\":\"svg and png: pictures. markdown: a document with a Mermaid "
	"graph, tables and costs. mermaid: the graph alone. csv: resources with costs. json: nodes "
	"and "
	"edges\"},"
	"\"path\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":4096,\"description\":\"A file "
	"in "
	"the project's folder; without it the result carries the content\"},"
	"\"overwrite\":{\"type\":\"boolean\",\"description\":\"Replace the file if it is there\"},"
	"\"options\":{\"type\":\"object\",\"properties\":{"
	"\"theme\":{\"type\":\"string\",\"enum\":[\"light\",\"dark\"],\"description\":\"Of "
	"pictures; "
	"light without it\"},"
	"\"scale\":{\"type\":\"number\",\"minimum\":0.05,\"maximum\":8,\"description\":\"Pixels of "
	"a "
	"PNG for one of the canvas; without it 1, or less for a very large diagram\"},"
	"\"selection\":{\"type\":\"array\",\"minItems\":1,\"maxItems\":10000,\"items\":{\"type\":"
	"\"string\",\"minLength\":1,\"maxLength\":64},\"description\":\"Only these instanceIds, "
	"with "
	"what is inside\"},"
	"\"legend\":{\"type\":\"boolean\",\"description\":\"Below a picture; true without it\"}},"
	"\"additionalProperties\":false,\"description\":\"How it looks, and how much of "
	"it\"}," TN_STUDIO_PROJECT_ARGUMENT
	"},\"required\":[\"format\"],\"additionalProperties\":false}";

static const char output_schema[] = TN_STUDIO_OUTPUT(
	"\"format\":" TN_STUDIO_TEXT ",\"mimeType\":" TN_STUDIO_TEXT ",\"bytes\":" TN_STUDIO_COUNT
	",\"revision\":" TN_STUDIO_COUNT ",\"path\":" TN_STUDIO_TEXT ",\"content\":" TN_STUDIO_TEXT
	",\"width\":" TN_STUDIO_COUNT ",\"height\":" TN_STUDIO_COUNT
	",\"scale\":{\"type\":\"number\"}",
	"\"format\",\"mimeType\",\"bytes\",\"revision\"");

static enum tn_studio_format format_of(const char *name)
{
	static const char *const names[] = {
		[TN_STUDIO_SVG] = "svg",           [TN_STUDIO_PNG] = "png",
		[TN_STUDIO_MARKDOWN] = "markdown", [TN_STUDIO_MERMAID] = "mermaid",
		[TN_STUDIO_CSV] = "csv",           [TN_STUDIO_EXPORT_JSON] = "json"};
	unsigned i;

	for (i = 0; i < 6; i++)
		if (tn_str_is(tn_str_from(name), names[i]))
			return (enum tn_studio_format)i;
	return TN_STUDIO_SVG; /* the schema lets no other name in */
}

static bool fill(struct tn_studio_turn *turn, struct tenon_call *call,
		 struct tn_studio_export_options *ret)
{
	const struct tn_json *options = tn_json_get(tn_call_arguments(call), "options");
	const struct tn_studio_project *project = turn->act.project;
	struct tn_str theme = tn_str("", 0);

	*ret = (struct tn_studio_export_options){.format =
							 format_of(tenon_call_text(call, "format")),
						 .project_name = tn_str_from(project->name),
						 .revision = tn_oplog_revision(project->log),
						 .node_ids = tn_json_get(options, "selection"),
						 .legend = true,
						 .status = project->status,
						 .secrets = project->secrets};
	(void)tn_json_to_bool(tn_json_get(options, "legend"), &ret->legend);
	(void)tn_json_to_double(tn_json_get(options, "scale"), &ret->scale);
	if (tn_json_to_str(tn_json_get(options, "theme"), &theme) && tn_str_is(theme, "dark"))
		ret->theme = TN_STUDIO_DARK;
	if (ret->format == TN_STUDIO_SVG || ret->format == TN_STUDIO_PNG ||
	    ret->format == TN_STUDIO_MERMAID)
		return true;
	ret->prices = tn_studio_door_prices(turn->door, &turn->fault);
	return ret->prices != NULL;
}

/* Into the project's folder. What is there already is only replaced when asked for. */
static bool write_file(struct tn_studio_turn *turn, struct tenon_call *call, struct tn_str data)
{
	const char *path = tenon_call_text(call, "path");
	struct tenon_error err = {0};
	bool overwrite = false, ok;
	struct tn_buf resolved;
	struct stat there;

	(void)tenon_call_bool(call, "overwrite", &overwrite);
	tn_buf_init(&resolved, TN_STUDIO_FILE_BYTES_MAX);
	ok = tn_studio_project_path(turn->act.project, path, &resolved, &turn->fault);
	tn_buf_append_byte(&resolved, '\0');
	if (ok && resolved.failed)
		ok = tn_studio_fail_memory(&turn->fault);
	if (ok && !overwrite && lstat(resolved.data, &there) == 0)
		ok = tn_studio_fail(&turn->fault, "INVALID_INPUT",
				    "path: '%.200s' is there already; send overwrite: true to "
				    "replace it, or another name",
				    path);
	if (ok && tn_file_write(resolved.data, 0644, data, &err) != TENON_OK)
		ok = tn_studio_fail(&turn->fault, "IO_ERROR", "'%.200s' could not be written: %s",
				    path, err.message);
	tn_buf_finish(&resolved);
	return ok;
}

static void put_facts(struct tn_studio_turn *turn, struct tenon_call *call,
		      const struct tn_studio_export_options *options,
		      const struct tn_studio_export_facts *facts, struct tn_str data)
{
	const char *path = tenon_call_text(call, "path");
	struct tn_buf *result = &turn->result;

	tn_json_put_member_text(result, "format", tenon_call_text(call, "format"));
	tn_json_put_member_text(result, "mimeType", tn_studio_format_mime(options->format));
	tn_json_put_member_int(result, "bytes", (int64_t)data.size);
	tn_json_put_member_int(result, "revision", (int64_t)options->revision);
	if (facts->width > 0) {
		tn_json_put_member_int(result, "width", facts->width);
		tn_json_put_member_int(result, "height", facts->height);
		tn_json_put_key(result, "scale");
		tn_json_put_double(result, facts->scale);
	}
	if (path)
		tn_json_put_member_text(result, "path", path);
	else if (options->format != TN_STUDIO_PNG)
		tn_json_put_member_str(result, "content", data);
	tn_json_end_object(result);
}

/* What is said of it in a line, when the text is not the content itself. */
static void say(struct tn_studio_turn *turn, struct tenon_call *call,
		const struct tn_studio_export_options *options,
		const struct tn_studio_export_facts *facts, struct tn_str data)
{
	const char *path = tenon_call_text(call, "path");

	if (!path && options->format != TN_STUDIO_PNG) {
		tn_buf_append_str(&turn->text, data);
		return;
	}
	if (path)
		tn_buf_format(&turn->text, "Written: %s, %zu bytes", path, data.size);
	else
		tn_buf_format(&turn->text, "%s, revision %llu", turn->act.project->name,
			      (unsigned long long)options->revision);
	if (facts->width > 0)
		tn_buf_format(&turn->text, ", %u x %u pixels", facts->width, facts->height);
}

static bool export(struct tn_studio_turn *turn, struct tenon_call *call, struct tn_buf *data)
{
	struct tn_studio_project *project = turn->act.project;
	struct tn_studio_export_options options;
	struct tn_studio_export_facts facts;
	struct tenon_error err = {0};

	if (tn_studio_document_index(&project->document, &err) != TENON_OK)
		return tn_studio_fail_error(&turn->fault, &err);
	if (!fill(turn, call, &options) ||
	    !tn_studio_export(&project->document, &options, &turn->arena, data, &facts,
			      &turn->fault))
		return false;
	if (tenon_call_text(call, "path")) {
		if (!write_file(turn, call, tn_buf_str(data)))
			return false;
	} else if (options.format == TN_STUDIO_PNG) {
		tenon_call_add_image(call, "image/png", data->data, data->size);
	}
	put_facts(turn, call, &options, &facts, tn_buf_str(data));
	say(turn, call, &options, &facts, tn_buf_str(data));
	return true;
}

static void call_export(struct tenon_call *call, void *data)
{
	struct tn_studio_door *door = data;
	struct tn_studio_project *project = tn_studio_project_of(call, door);
	struct tn_studio_turn turn;
	struct tn_buf content;

	if (!project)
		return;
	tn_studio_turn_begin(&turn, door, project);
	tn_buf_init(&content, TN_DRAW_SVG_BYTES_MAX);
	if (export(&turn, call, &content))
		tn_studio_reply(call, tn_buf_str(&turn.text), &turn.result);
	else
		tn_studio_turn_fail(&turn, call);
	tn_buf_finish(&content);
	tn_studio_turn_end(&turn);
}

const struct tenon_tool tn_studio_tool_export = {
	.name = "export_diagram",
	.title = "Export the diagram",
	.description =
		"The diagram as a picture (PNG to look at, SVG to keep), a Markdown document, a "
		"Mermaid graph, a table or JSON: as the result, or as a file in the "
		"project. Nothing of it holds secrets.",
	.input_schema = input_schema,
	.output_schema = output_schema,
	.flags = TENON_NOT_DESTRUCTIVE | TENON_CLOSED_WORLD,
	.text_max_bytes = 100000,
	.call = call_export,
	.beyond_core = true,
};
