/* export_diagram: pictures, documents and tables of the diagram (12.7). */
#include <string.h>

#include "apps/studio/mcp/aside.h"
#include "apps/studio/mcp/tools.h"
#include "apps/studio/picture/export.h"
#include "base/mem.h"
#include "draw/limits.h"
#include "jsonrpc/json_write.h"
#include "mcp/call.h"
#include "mcp/caller_folder.h"

/* One export, while a worker makes it. */
struct exporting {
	struct tn_studio_export_options options;
	struct tn_studio_export_facts facts;
	const char *path, *format; /* of the arguments; path NULL: into the answer */
	bool overwrite, is_open;
	struct tn_place place; /* where path leads */
	struct tn_buf data;
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
	bool overlay = true;

	*ret = (struct tn_studio_export_options){.format =
							 format_of(tenon_call_text(call, "format")),
						 .project_name = tn_str_from(project->name),
						 .revision = tn_studio_project_revision(project),
						 .node_ids = tn_json_get(options, "selection"),
						 .legend = true,
						 .status = project->status,
						 .fonts = turn->door->fonts,
						 .secrets = project->secrets};
	(void)tn_json_to_bool(tn_json_get(options, "legend"), &ret->legend);
	if (tn_json_to_bool(tn_json_get(options, "overlay"), &overlay) && !overlay)
		ret->status = NULL;
	(void)tn_json_to_double(tn_json_get(options, "scale"), &ret->scale);
	if (tn_json_to_str(tn_json_get(options, "theme"), &theme) && tn_str_is(theme, "dark"))
		ret->theme = TN_STUDIO_DARK;
	if (ret->format == TN_STUDIO_SVG || ret->format == TN_STUDIO_PNG ||
	    ret->format == TN_STUDIO_MERMAID)
		return true;
	turn->act.prices = tn_studio_door_prices(turn->door, &turn->fault);
	ret->prices = turn->act.prices;
	return ret->prices != NULL;
}

/* ---- aside ---- */

/* Into the project's folder. What is there already is only replaced when asked for. */
static bool write_file(struct exporting *exporting, struct tn_studio_fault *fault)
{
	struct tenon_error err = {0};

	if (!exporting->overwrite && exporting->place.exists)
		return tn_studio_fail(fault, "INVALID_INPUT",
				      "path: '%.200s' is there already; send overwrite: true to "
				      "replace it, or another name",
				      exporting->path);
	if (tn_place_write(&exporting->place, 0644, tn_buf_str(&exporting->data), &err) != TENON_OK)
		return tn_studio_fail(fault, "IO_ERROR", "'%.200s' could not be written: %s",
				      exporting->path, err.message);
	return true;
}

static bool make(struct tn_studio_aside *aside)
{
	struct exporting *exporting = aside->data;
	struct tn_studio_turn *turn = &aside->turn;

	return tn_studio_export(&aside->frozen->document, &exporting->options, &turn->arena,
				&exporting->data, &exporting->facts, &turn->fault) &&
	       !tenon_call_cancelled(aside->call) &&
	       (!exporting->is_open || write_file(exporting, &turn->fault));
}

/* ---- the answer ---- */

/* Fonts of the machine are named, since another machine may have others. */
static void put_letters(struct tn_buf *result, const struct tn_letters_told *told)
{
	struct tn_buf words;

	if (told->font_count > 0) {
		tn_json_put_key(result, "fonts");
		tn_json_begin_array(result);
		for (size_t i = 0; i < told->font_count; i++) {
			tn_json_begin_object(result);
			tn_json_put_member_text(result, "name", told->fonts[i].name);
			tn_json_put_member_text(result, "file", told->fonts[i].file);
			tn_json_put_member_text(result, "sha256", told->fonts[i].sha256);
			tn_json_end_object(result);
		}
		tn_json_end_array(result);
	}
	tn_buf_init(&words, TN_STUDIO_RESULT_BYTES_MAX);
	tn_letters_put_boxes(told, &words);
	if (words.size > 0)
		tn_json_put_member_str(result, "boxes", tn_buf_str(&words));
	tn_buf_inherit_failure(result, &words);
	tn_buf_finish(&words);
}

static void put_facts(struct tn_buf *result, const struct exporting *exporting)
{
	const struct tn_studio_export_facts *facts = &exporting->facts;
	struct tn_str data = tn_buf_str(&exporting->data);

	tn_json_put_member_text(result, "format", exporting->format);
	tn_json_put_member_text(result, "mimeType",
				tn_studio_format_mime(exporting->options.format));
	tn_json_put_member_int(result, "bytes", (int64_t)data.size);
	tn_json_put_member_int(result, "revision", (int64_t)exporting->options.revision);
	if (facts->width > 0) {
		tn_json_put_member_int(result, "width", facts->width);
		tn_json_put_member_int(result, "height", facts->height);
		tn_json_put_key(result, "scale");
		tn_json_put_double(result, facts->scale);
	}
	put_letters(result, &facts->letters);
	if (exporting->path)
		tn_json_put_member_text(result, "path", exporting->path);
	else if (exporting->options.format != TN_STUDIO_PNG)
		tn_json_put_member_str(result, "content", data);
	tn_json_end_object(result);
}

static void say_letters(struct tn_buf *text, const struct tn_letters_told *told)
{
	if (told->font_count > 0)
		tn_buf_append_text(text, "; letters from ");
	for (size_t i = 0; i < told->font_count; i++)
		tn_buf_format(text, i > 0 ? ", %s (sha256 %.12s)" : "%s (sha256 %.12s)",
			      told->fonts[i].name, told->fonts[i].sha256);
	if (told->box_count > 0)
		tn_buf_append_text(text, "; ");
	tn_letters_put_boxes(told, text);
}

/* What is said of it in a line, when the text is not the content itself. */
static void say(struct tn_studio_turn *turn, const struct exporting *exporting)
{
	const struct tn_studio_export_facts *facts = &exporting->facts;

	if (!exporting->path && exporting->options.format != TN_STUDIO_PNG) {
		tn_buf_append_str(&turn->text, tn_buf_str(&exporting->data));
		return;
	}
	if (exporting->path)
		tn_buf_format(&turn->text, "Written: %s, %zu bytes", exporting->path,
			      exporting->data.size);
	else
		tn_buf_format(&turn->text, "%s, revision %llu", turn->act.project->name,
			      (unsigned long long)exporting->options.revision);
	if (facts->width > 0)
		tn_buf_format(&turn->text, ", %u x %u pixels", facts->width, facts->height);
	say_letters(&turn->text, &facts->letters);
}

static void answer(struct tenon_call *call, struct tn_studio_aside *aside)
{
	const struct exporting *exporting = aside->data;
	struct tn_studio_turn *turn = &aside->turn;

	if (!aside->good) {
		tn_studio_turn_fail(turn, call);
		return;
	}
	if (!exporting->path && exporting->options.format == TN_STUDIO_PNG)
		tenon_call_add_image(call, "image/png", exporting->data.data, exporting->data.size);
	put_facts(&turn->result, exporting);
	say(turn, exporting);
	tn_studio_reply(call, tn_buf_str(&turn->text), &turn->result);
}

/* ---- the call ---- */

static void free_exporting(void *data)
{
	struct exporting *exporting = data;

	if (exporting->is_open)
		tn_place_close(&exporting->place);
	tn_buf_finish(&exporting->data);
	tn_mem_free(exporting);
}

/* False: the turn's fault. */
static bool prepare(struct tn_studio_aside *aside, struct tenon_call *call,
		    const struct tn_studio_project *project)
{
	struct exporting *exporting = tn_mem_alloc(sizeof(*exporting));

	if (!exporting)
		return tn_studio_fail_memory(&aside->turn.fault);
	aside->data = exporting;
	aside->free_data = free_exporting;
	tn_buf_init(&exporting->data, TN_DRAW_SVG_BYTES_MAX);
	exporting->format = tenon_call_text(call, "format");
	exporting->path = tenon_call_text(call, "path");
	(void)tenon_call_bool(call, "overwrite", &exporting->overwrite);
	if (exporting->path)
		exporting->is_open =
			tn_studio_project_path(project, tn_call_folder(call), exporting->path,
					       &exporting->place, &aside->turn.fault);
	return (!exporting->path || exporting->is_open) &&
	       fill(&aside->turn, call, &exporting->options);
}

void tn_studio_call_export(struct tenon_call *call, void *data)
{
	struct tn_studio_door *door = data;
	struct tn_studio_project *project = tn_studio_project_of(call, door);
	struct tn_studio_aside *aside = project ? tn_studio_aside_begin(call, door, project) : NULL;

	if (!aside)
		return;
	if (prepare(aside, call, project))
		tn_studio_aside_start(call, aside, make, answer);
	else
		tn_studio_turn_fail(&aside->turn, call);
}
