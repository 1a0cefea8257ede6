/* export_diagram: pictures, documents and tables of the diagram (12.7). */
#include <string.h>

#include "apps/studio/mcp/tools.h"
#include "apps/studio/picture/export.h"
#include "apps/studio/mcp/tool_state.h"
#include "base/mem.h"
#include "draw/limits.h"
#include "jsonrpc/json_write.h"
#include "mcp/call.h"

/* A picture, while a worker makes its bytes. */
struct drawing {
	struct tn_studio_door *door;
	char project_id[TN_STUDIO_ID_SIZE];
	struct tn_display *display;
	struct tn_studio_export_options options; /* format and revision count */
	struct tn_studio_export_facts facts;
	struct tn_buf data;
	enum tenon_code code;
	struct tenon_error err;
};

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
	struct tn_place place;
	bool overwrite = false, ok = true;

	(void)tenon_call_bool(call, "overwrite", &overwrite);
	if (!tn_studio_project_path(turn->act.project, path, &place, &turn->fault))
		return false;
	if (!overwrite && place.exists)
		ok = tn_studio_fail(&turn->fault, "INVALID_INPUT",
				    "path: '%.200s' is there already; send overwrite: true to "
				    "replace it, or another name",
				    path);
	else if (tn_place_write(&place, 0644, data, &err) != TENON_OK)
		ok = tn_studio_fail(&turn->fault, "IO_ERROR", "'%.200s' could not be written: %s",
				    path, err.message);
	tn_place_close(&place);
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

/* The bytes are there. */
static bool answer(struct tn_studio_turn *turn, struct tenon_call *call,
		   const struct tn_studio_export_options *options,
		   const struct tn_studio_export_facts *facts, const struct tn_buf *data)
{
	if (tenon_call_text(call, "path")) {
		if (!write_file(turn, call, tn_buf_str(data)))
			return false;
	} else if (options->format == TN_STUDIO_PNG) {
		tenon_call_add_image(call, "image/png", data->data, data->size);
	}
	put_facts(turn, call, options, facts, tn_buf_str(data));
	say(turn, call, options, facts, tn_buf_str(data));
	return true;
}

static void end(struct tn_studio_turn *turn, struct tenon_call *call, bool good)
{
	if (good)
		tn_studio_reply(call, tn_buf_str(&turn->text), &turn->result);
	else
		tn_studio_turn_fail(turn, call);
	tn_studio_turn_end(turn);
}

/* ---- pictures: a worker paints ---- */

static void free_drawing(void *data)
{
	struct drawing *drawing = data;

	tn_display_free(drawing->display);
	tn_buf_finish(&drawing->data);
	tn_mem_free(drawing);
}

static void paint(const struct tenon_call *call, void *data)
{
	struct drawing *drawing = data;

	(void)call;
	drawing->code =
		tn_studio_export_picture(drawing->display, drawing->options.format,
					 drawing->facts.scale, &drawing->data, &drawing->err);
}

static void painted(struct tenon_call *call, void *data)
{
	struct drawing *drawing = data;
	struct tn_studio_project *project =
		tn_studio_project_find(drawing->door->projects, drawing->project_id, NULL);
	struct tn_studio_fault fault;
	struct tn_studio_turn turn;
	bool good;

	if (tenon_call_cancelled(call)) {
		tenon_call_fail(call, "cancelled"); /* nobody reads it */
		return;
	}
	if (!project) {
		(void)tn_studio_fail(&fault, "NOT_FOUND", "The project was closed meanwhile.");
		tn_studio_reply_fault(call, &fault);
		return;
	}
	tn_studio_turn_begin(&turn, drawing->door, project);
	good = drawing->code == TENON_OK || tn_studio_fail_error(&turn.fault, &drawing->err);
	good = good && answer(&turn, call, &drawing->options, &drawing->facts, &drawing->data);
	end(&turn, call, good);
}

/* False: the turn's fault. */
static bool draw(struct tn_studio_turn *turn, struct tenon_call *call,
		 const struct tn_studio_export_options *options)
{
	struct tn_studio_project *project = turn->act.project;
	struct drawing *drawing = tn_mem_alloc(sizeof(*drawing));

	if (!drawing)
		return tn_studio_fail_memory(&turn->fault);
	drawing->door = turn->door;
	drawing->options.format = options->format;
	drawing->options.revision = options->revision;
	memcpy(drawing->project_id, project->id, sizeof(drawing->project_id));
	tn_buf_init(&drawing->data, TN_DRAW_SVG_BYTES_MAX);
	if (!tn_studio_export_draw(&project->document, options, &turn->arena, &drawing->display,
				   &drawing->facts, &turn->fault)) {
		free_drawing(drawing);
		return false;
	}
	tenon_call_set_data(call, drawing, free_drawing);
	tenon_call_work(call, paint, painted, drawing);
	return true;
}

/* ---- the call ---- */

static bool is_picture(const struct tn_studio_export_options *options)
{
	return options->format == TN_STUDIO_SVG || options->format == TN_STUDIO_PNG;
}

static bool export(struct tn_studio_turn *turn, struct tenon_call *call,
		   const struct tn_studio_export_options *options)
{
	struct tn_studio_project *project = turn->act.project;
	struct tn_studio_export_facts facts;
	struct tn_buf data;
	bool good;

	tn_buf_init(&data, TN_DRAW_SVG_BYTES_MAX);
	good = tn_studio_export(&project->document, options, &turn->arena, &data, &facts,
				&turn->fault) &&
	       answer(turn, call, options, &facts, &data);
	tn_buf_finish(&data);
	return good;
}

void tn_studio_call_export(struct tenon_call *call, void *data)
{
	struct tn_studio_door *door = data;
	struct tn_studio_project *project = tn_studio_project_of(call, door);
	struct tn_studio_export_options options;
	struct tenon_error err = {0};
	struct tn_studio_turn turn;
	bool good = true;

	if (!project)
		return;
	tn_studio_turn_begin(&turn, door, project);
	if (tn_studio_document_index(&project->document, &err) != TENON_OK)
		good = tn_studio_fail_error(&turn.fault, &err);
	good = good && fill(&turn, call, &options);
	if (good && is_picture(&options) && draw(&turn, call, &options))
		tn_studio_turn_end(&turn); /* it goes on in `painted` */
	else
		end(&turn, call, good && !is_picture(&options) && export(&turn, call, &options));
}
