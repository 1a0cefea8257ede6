#include "apps/studio/picture/export.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "apps/studio/limits.h"
#include "jsonrpc/json_write.h"

enum {
	SIDE_MAX = 4096
}; /* of a picture whose scale nobody asked for: models take no larger ones */

const char *tn_studio_format_mime(enum tn_studio_format format)
{
	static const char *const types[] = {[TN_STUDIO_SVG] = "image/svg+xml",
					    [TN_STUDIO_PNG] = "image/png",
					    [TN_STUDIO_MARKDOWN] = "text/markdown",
					    [TN_STUDIO_MERMAID] = "text/vnd.mermaid",
					    [TN_STUDIO_CSV] = "text/csv",
					    [TN_STUDIO_EXPORT_JSON] = "application/json"};

	return types[format];
}

/* ---- pictures ---- */

static const char *status_of(const void *status, struct tn_str node_id)
{
	return tn_studio_status_of(status, node_id);
}

/* Statuses are shown once something has one that is not "pending". */
static bool has_status(const struct tn_studio_document *document,
		       const struct tn_studio_status *status)
{
	size_t i;

	for (i = 0; status && i < document->node_count; i++)
		if (strcmp(tn_studio_status_of(status, document->nodes[i]->id), "pending") != 0)
			return true;
	return false;
}

static double usual_scale(double width, double height)
{
	double longest = width > height ? width : height;

	return longest > SIDE_MAX ? SIDE_MAX / longest : 1;
}

static bool draw(const struct tn_studio_document *document,
		 const struct tn_studio_export_options *options, struct tn_display *display,
		 struct tn_studio_export_facts *ret, struct tn_studio_fault *fault)
{
	const struct tn_studio_picture_options picture = {
		.theme = options->theme,
		.node_ids = options->node_ids,
		.legend = options->legend,
		.status = has_status(document, options->status) ? status_of : NULL,
		.status_data = options->status};
	double width, height;
	char about[64];

	(void)snprintf(about, sizeof(about), "%zu resources, revision %llu", document->node_count,
		       (unsigned long long)options->revision);
	tn_display_describe(display, options->project_name, tn_str_from(about));
	if (!tn_studio_draw(document, &picture, display, fault))
		return false;
	tn_display_size(display, &width, &height);
	ret->scale = options->scale > 0 ? options->scale : usual_scale(width, height);
	if (options->format == TN_STUDIO_SVG)
		ret->scale = 1;
	ret->width = (uint32_t)fmax(1, floor(width * ret->scale + 0.5));
	ret->height = (uint32_t)fmax(1, floor(height * ret->scale + 0.5));
	return true;
}

/* ---- the others ---- */

static bool estimate(struct tn_studio_exporter *exporter, struct tn_studio_fault *fault)
{
	const struct tn_studio_cost_options what = {.group_by = TN_STUDIO_BY_NOTHING};
	struct tn_buf answer, text;
	struct tn_json *tree = NULL;
	bool ok;

	if (!exporter->options->prices)
		return true;
	tn_buf_init(&answer, TN_STUDIO_RESULT_BYTES_MAX);
	tn_buf_init(&text, TN_STUDIO_RESULT_BYTES_MAX);
	tn_json_begin_object(&answer);
	ok = tn_studio_estimate(exporter->document, exporter->options->prices, &what,
				exporter->arena, &answer, &text, fault);
	tn_json_end_object(&answer);
	if (ok && (answer.failed || tn_json_parse_copy(exporter->arena, tn_buf_str(&answer), &tree,
						       NULL) != TENON_OK))
		ok = tn_studio_fail_memory(fault);
	exporter->costs = tree;
	tn_buf_finish(&answer);
	tn_buf_finish(&text);
	return ok;
}

static bool choose(struct tn_studio_exporter *exporter, struct tn_studio_fault *fault)
{
	const struct tn_studio_document *document = exporter->document;
	const struct tn_json *ids = exporter->options->node_ids;
	size_t i;

	exporter->shown =
		tn_arena_alloc_array(exporter->arena, document->node_count + 1, sizeof(bool));
	if (!exporter->shown)
		return tn_studio_fail_memory(fault);
	for (const struct tn_json *at = ids ? ids->first : NULL; at; at = at->next) {
		const struct tn_studio_node *node = tn_studio_node_find(document, at->text);

		if (!node)
			return tn_studio_fail(fault, "NOT_FOUND", "there is no resource '%.*s'",
					      (int)(at->text.size < 80 ? at->text.size : 80),
					      at->text.data);
		exporter->shown[node->order] = true;
	}
	for (i = 0; i < document->node_count; i++) {
		const struct tn_studio_node *above = document->nodes[i]->parent;

		exporter->shown[i] = exporter->shown[i] || !ids;
		for (; above && !exporter->shown[i]; above = above->parent)
			exporter->shown[i] = exporter->shown[above->order];
	}
	return true;
}

static bool find_edges(struct tn_studio_exporter *exporter, struct tn_studio_fault *fault)
{
	struct tenon_error err = {0};
	struct tn_studio_edge *shown;
	const struct tn_studio_edge *all;
	size_t count, i;

	if (tn_studio_edges_all(exporter->document, exporter->arena, &all, &count, &err) !=
	    TENON_OK)
		return tn_studio_fail_error(fault, &err);
	shown = tn_arena_alloc_array(exporter->arena, count + 1, sizeof(*shown));
	if (!shown)
		return tn_studio_fail_memory(fault);
	for (i = 0; i < count; i++)
		if (exporter->shown[all[i].source->order] && exporter->shown[all[i].target->order])
			shown[exporter->edge_count++] = all[i];
	exporter->edges = shown;
	return true;
}

static bool begin(struct tn_studio_exporter *exporter, struct tn_display **ret,
		  struct tn_studio_export_facts *ret_facts, struct tn_studio_fault *fault)
{
	const struct tn_studio_export_options *options = exporter->options;
	struct tn_display *display;
	struct tenon_error err = {0};

	if (tn_display_create(1, 1, tn_studio_page_colour(options->theme), &display, &err) !=
	    TENON_OK)
		return tn_studio_fail_error(fault, &err);
	tn_display_use_fonts(display, options->fonts, &ret_facts->letters);
	if (!draw(exporter->document, options, display, ret_facts, fault)) {
		tn_display_free(display);
		return false;
	}
	*ret = display;
	return true;
}

static bool draw_picture(struct tn_studio_exporter *exporter, struct tn_studio_export_facts *ret,
			 struct tn_studio_fault *fault)
{
	struct tn_display *display = NULL;
	struct tenon_error err = {0};
	bool ok = begin(exporter, &display, ret, fault);

	if (ok && (exporter->options->format == TN_STUDIO_SVG
			   ? tn_draw_svg(display, exporter->out, &err)
			   : tn_draw_png(display, ret->scale, exporter->out, &err)) != TENON_OK)
		ok = tn_studio_fail_error(fault, &err);
	tn_display_free(display);
	return ok;
}

bool tn_studio_export(const struct tn_studio_document *document,
		      const struct tn_studio_export_options *options, struct tn_arena *arena,
		      struct tn_buf *out, struct tn_studio_export_facts *ret,
		      struct tn_studio_fault *fault)
{
	static void (*const writers[])(struct tn_studio_exporter *) = {
		[TN_STUDIO_MARKDOWN] = tn_studio_export_markdown,
		[TN_STUDIO_MERMAID] = tn_studio_export_mermaid,
		[TN_STUDIO_CSV] = tn_studio_export_csv,
		[TN_STUDIO_EXPORT_JSON] = tn_studio_export_json};
	struct tn_studio_exporter exporter = {
		.document = document, .options = options, .arena = arena, .out = out};
	struct tenon_error err = {0};

	*ret = (struct tn_studio_export_facts){0};
	if (!choose(&exporter, fault))
		return false;
	if (options->format == TN_STUDIO_SVG || options->format == TN_STUDIO_PNG)
		return draw_picture(&exporter, ret, fault);
	if (!find_edges(&exporter, fault) || !estimate(&exporter, fault))
		return false;
	writers[options->format](&exporter);
	return tn_buf_check(out, &err) == TENON_OK || tn_studio_fail_error(fault, &err);
}
