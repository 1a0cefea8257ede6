#include "apps/studio/picture/picture.h"

#include <string.h>

#include "apps/studio/limits.h"
#include "apps/studio/picture/internal.h"

enum { MARGIN = 40, EMPTY_WIDTH = 480, EMPTY_HEIGHT = 160 };

/* ---- what is shown ---- */

/* Those asked for, with what is inside. */
static void choose(struct tn_studio_picture *picture)
{
	const struct tn_json *ids = picture->options->node_ids;
	const struct tn_json *at;
	size_t i;

	if (!tn_json_is(ids, TN_JSON_ARRAY)) {
		memset(picture->shown, 1, picture->document->node_count * sizeof(bool));
		return;
	}
	for (at = ids->first; at; at = at->next) {
		const struct tn_studio_node *node;
		struct tn_str id;

		node = tn_json_to_str(at, &id) ? tn_studio_node_find(picture->document, id) : NULL;
		if (node)
			picture->shown[node->order] = true;
	}
	for (i = 0; i < picture->document->node_count; i++) {
		const struct tn_studio_node *above = picture->document->nodes[i]->parent;

		for (; above && !picture->shown[i]; above = above->parent)
			picture->shown[i] = picture->shown[above->order];
	}
}

static void include(struct tn_studio_rect *bounds, bool *any, struct tn_studio_rect rect)
{
	int32_t right = bounds->x + bounds->width, bottom = bounds->y + bounds->height;

	if (!*any) {
		*bounds = rect;
		*any = true;
		return;
	}
	right = rect.x + rect.width > right ? rect.x + rect.width : right;
	bottom = rect.y + rect.height > bottom ? rect.y + rect.height : bottom;
	bounds->x = rect.x < bounds->x ? rect.x : bounds->x;
	bounds->y = rect.y < bounds->y ? rect.y : bounds->y;
	bounds->width = right - bounds->x;
	bounds->height = bottom - bounds->y;
}

/* False: nothing is shown. */
static bool measure(struct tn_studio_picture *picture)
{
	bool any = false;
	size_t i;
	unsigned k;

	for (i = 0; i < picture->document->node_count; i++) {
		picture->rects[i] = tn_studio_absolute_rect(picture->document->nodes[i]);
		if (picture->shown[i])
			include(&picture->bounds, &any, picture->rects[i]);
	}
	for (i = 0; i < picture->edge_count; i++)
		for (k = 0; k < picture->routes[i].point_count; k++)
			include(&picture->bounds, &any,
				(struct tn_studio_rect){picture->routes[i].points[k].x - 4,
							picture->routes[i].points[k].y - 4, 8, 8});
	return any;
}

static bool find_edges(struct tn_studio_picture *picture, struct tn_studio_fault *fault)
{
	const struct tn_studio_edge *all;
	struct tn_studio_edge *shown;
	struct tenon_error err = {0};
	size_t count, i;

	if (tn_studio_edges_all(picture->document, &picture->arena, &all, &count, &err) != TENON_OK)
		return tn_studio_fail_error(fault, &err);
	shown = tn_arena_alloc_array(&picture->arena, count + 1, sizeof(*shown));
	if (!shown)
		return tn_studio_fail_memory(fault);
	for (i = 0; i < count; i++)
		if (picture->shown[all[i].source->order] && picture->shown[all[i].target->order])
			shown[picture->edge_count++] = all[i];
	picture->edges = shown;
	return tn_studio_routes(picture->document, shown, picture->edge_count, &picture->arena,
				&picture->routes) ||
	       tn_studio_fail_memory(fault);
}

/* ---- the order of drawing ---- */

static bool is_box(const struct tn_studio_picture *picture, size_t i)
{
	return picture->shown[i] && tn_studio_holds_nodes(picture->document->nodes[i]);
}

/* Containers from the outside in. */
static void draw_containers(struct tn_studio_picture *picture)
{
	uint32_t depth, deepest = 0;
	size_t i;

	for (i = 0; i < picture->document->node_count; i++)
		if (picture->document->nodes[i]->depth > deepest)
			deepest = picture->document->nodes[i]->depth;
	for (depth = 0; depth <= deepest; depth++)
		for (i = 0; i < picture->document->node_count; i++)
			if (is_box(picture, i) && picture->document->nodes[i]->depth == depth)
				tn_studio_draw_container(picture, picture->document->nodes[i]);
}

static void draw_nodes(struct tn_studio_picture *picture, bool notes)
{
	size_t i;

	for (i = 0; i < picture->document->node_count; i++) {
		const struct tn_studio_node *node = picture->document->nodes[i];
		struct tn_str type = node->type ? node->type->display_name : node->type_id;
		char *title;

		if (!picture->shown[i] || tn_studio_is_note(node) != notes)
			continue;
		title = tn_arena_format(&picture->arena, "%.*s (%.*s)", (int)node->label.size,
					node->label.data, (int)type.size, type.data);
		tn_draw_group_begin(picture->display, node->id, tn_str_from(title));
		if (tn_studio_holds_nodes(node))
			tn_studio_draw_title(picture, node);
		else
			tn_studio_draw_leaf(picture, node);
		tn_draw_group_end(picture->display);
	}
}

static void draw_all(struct tn_studio_picture *picture)
{
	size_t i;

	draw_containers(picture);
	draw_nodes(picture, true); /* sticky notes lie behind (15.3) */
	for (i = 0; i < picture->edge_count; i++)
		tn_studio_draw_edge(picture, &picture->routes[i]);
	draw_nodes(picture, false);
	for (i = 0; i < picture->edge_count; i++)
		tn_studio_draw_edge_label(picture, &picture->routes[i]);
}

static void draw_nothing(struct tn_studio_picture *picture)
{
	const struct tn_draw_text how = {.x = EMPTY_WIDTH / 2.0,
					 .y = EMPTY_HEIGHT / 2.0 + 5,
					 .size = 15,
					 .anchor = TN_DRAW_MIDDLE,
					 .colour = picture->colours->quiet};

	picture->bounds = (struct tn_studio_rect){MARGIN, MARGIN, EMPTY_WIDTH - 2 * MARGIN,
						  EMPTY_HEIGHT - 2 * MARGIN};
	tn_draw_put_text(picture->display,
			 picture->document->node_count > 0 ? TN_STR("Nothing to show")
							   : TN_STR("The diagram is empty"),
			 &how);
}

static bool draw(struct tn_studio_picture *picture, struct tn_studio_fault *fault)
{
	size_t count = picture->document->node_count;
	const struct tn_studio_rect *bounds = &picture->bounds;

	picture->shown = tn_arena_alloc_array(&picture->arena, count + 1, sizeof(bool));
	picture->rects = tn_arena_alloc_array(&picture->arena, count + 1, sizeof(*picture->rects));
	if (!picture->shown || !picture->rects)
		return tn_studio_fail_memory(fault);
	choose(picture);
	if (!find_edges(picture, fault))
		return false;
	if (measure(picture)) {
		draw_all(picture);
		if (picture->options->legend)
			tn_studio_draw_legend(picture);
	} else {
		draw_nothing(picture);
	}
	tn_display_resize(picture->display, bounds->x - MARGIN, bounds->y - MARGIN,
			  bounds->width + 2 * MARGIN, bounds->height + 2 * MARGIN);
	return true;
}

bool tn_studio_draw(const struct tn_studio_document *document,
		    const struct tn_studio_picture_options *options, struct tn_display *display,
		    struct tn_studio_fault *fault)
{
	struct tn_studio_picture picture = {.document = document,
					    .options = options,
					    .colours = tn_studio_colours_of(options->theme),
					    .display = display};
	bool ok;

	tn_arena_init(&picture.arena, TN_STUDIO_ARENA_MAX);
	ok = draw(&picture, fault);
	tn_arena_finish(&picture.arena);
	return ok;
}
