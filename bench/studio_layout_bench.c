/* studio_layout_bench.c - how long a diagram takes to be laid out, routed and drawn (studio.md 21:
 * layout of 200 nodes and 300 edges under 100 ms; 1,000 nodes no worse than n log n).
 *
 * Nodes are made by hand in six containers; each line is the median of five runs, in processor
 * time. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "apps/studio/picture/picture.h"
#include "base/mem.h"
#include "draw/limits.h"

enum { RUNS = 5, CONTAINERS = 6 };

struct diagram {
	struct tn_studio_document document;
	struct tn_studio_type leaf, box;
	struct tn_studio_node *nodes;
	struct tn_studio_edge *edges;
};

static double now_ms(void)
{
	struct timespec time;

	(void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static void add_node(struct diagram *diagram, struct tn_studio_node *parent, bool box)
{
	size_t index = diagram->document.node_count++;
	struct tn_studio_node *node = &diagram->nodes[index], **at;

	diagram->document.nodes[index] = node;
	node->type = box ? &diagram->box : &diagram->leaf;
	node->label = TN_STR("app service 17");
	node->id = TN_STR("node");
	node->order = (uint32_t)index;
	node->parent = parent;
	node->depth = parent ? 1 : 0;
	if (!parent)
		return;
	for (at = &parent->first_child; *at; at = &(*at)->next_sibling)
		;
	*at = node;
}

static bool make(struct diagram *diagram, size_t nodes, size_t edges)
{
	uint32_t seed = 7;
	size_t i;

	*diagram = (struct diagram){.leaf = {.id = TN_STR("a/compute/app"),
					     .display_name = TN_STR("App Service"),
					     .category = TN_STR("compute")},
				    .box = {.id = TN_STR("a/core/group"),
					    .display_name = TN_STR("Group"),
					    .category = TN_STR("core"),
					    .container = true}};
	diagram->nodes = tn_mem_alloc_array(nodes, sizeof(*diagram->nodes));
	diagram->edges = tn_mem_alloc_array(edges, sizeof(*diagram->edges));
	diagram->document.nodes = tn_mem_alloc_array(nodes, sizeof(struct tn_studio_node *));
	diagram->document.edges = tn_mem_alloc_array(edges, sizeof(struct tn_studio_edge *));
	if (!diagram->nodes || !diagram->edges || !diagram->document.nodes ||
	    !diagram->document.edges)
		return false;
	for (i = 0; i < nodes; i++)
		add_node(diagram, i < CONTAINERS ? NULL : &diagram->nodes[i % CONTAINERS],
			 i < CONTAINERS);
	for (i = 0; i < edges; i++) {
		size_t from, to;

		seed = seed * 1664525u + 1013904223u;
		from = CONTAINERS + (seed >> 8) % (nodes - CONTAINERS);
		seed = seed * 1664525u + 1013904223u;
		/* Nine of ten stay in their container. */
		to = (seed >> 8) % 10 ? from + CONTAINERS * (1 + (seed >> 12) % 5) : seed >> 8;
		to = CONTAINERS + (to - CONTAINERS) % (nodes - CONTAINERS);
		if (to == from)
			to = from == CONTAINERS ? CONTAINERS + 1 : from - 1;
		diagram->edges[i].source = &diagram->nodes[from];
		diagram->edges[i].target = &diagram->nodes[to];
		diagram->edges[i].id = TN_STR("edge");
		diagram->document.edges[i] = &diagram->edges[i];
	}
	diagram->document.edge_count = edges;
	diagram->document.indexed = true;
	return true;
}

static void drop(struct diagram *diagram)
{
	tn_mem_free(diagram->nodes);
	tn_mem_free(diagram->edges);
	tn_mem_free(diagram->document.nodes);
	tn_mem_free(diagram->document.edges);
}

static void lay_out(struct diagram *diagram)
{
	const struct tn_studio_placed *placed;
	struct tn_arena arena;
	size_t count, i;

	tn_arena_init(&arena, 256 * TN_MIB);
	if (!tn_studio_layout(&diagram->document, NULL, TN_STUDIO_LAYERED, TN_STUDIO_LR, &arena,
			      &placed, &count))
		exit(1);
	for (i = 0; i < count; i++) {
		diagram->nodes[i].x = placed[i].rect.x;
		diagram->nodes[i].y = placed[i].rect.y;
		diagram->nodes[i].width = placed[i].rect.width;
		diagram->nodes[i].height = placed[i].rect.height;
	}
	tn_arena_finish(&arena);
}

static void find_routes(struct diagram *diagram)
{
	const struct tn_studio_route *routes;
	struct tn_arena arena;

	tn_arena_init(&arena, 256 * TN_MIB);
	if (!tn_studio_routes(&diagram->document, diagram->edges, diagram->document.edge_count,
			      &arena, &routes))
		exit(1);
	tn_arena_finish(&arena);
}

static void draw(struct diagram *diagram, bool png)
{
	const struct tn_studio_picture_options options = {.legend = true};
	struct tn_display *display;
	struct tn_buf out;
	struct tenon_error err;

	tn_buf_init(&out, TN_DRAW_SVG_BYTES_MAX);
	if (tn_display_create(1, 1, tn_studio_page_colour(TN_STUDIO_LIGHT), &display, &err) !=
		    TENON_OK ||
	    !tn_studio_draw(&diagram->document, &options, display, NULL))
		exit(1);
	if (png) {
		double width, height;

		tn_display_size(display, &width, &height);
		if (tn_draw_png(display, 4096 / (width > height ? width : height), &out, &err) !=
		    TENON_OK)
			exit(1);
	} else if (tn_draw_svg(display, &out, &err) != TENON_OK) {
		exit(1);
	}
	tn_display_free(display);
	tn_buf_finish(&out);
}

static void draw_svg(struct diagram *diagram)
{
	draw(diagram, false);
}

static void draw_png(struct diagram *diagram)
{
	draw(diagram, true);
}

static int by_value(const void *a, const void *b)
{
	const double *left = a, *right = b;

	return (*left > *right) - (*left < *right);
}

static double median(struct diagram *diagram, void (*run)(struct diagram *diagram))
{
	double times[RUNS];
	int i;

	for (i = 0; i < RUNS; i++) {
		double start = now_ms();

		run(diagram);
		times[i] = now_ms() - start;
	}
	qsort(times, RUNS, sizeof(*times), by_value);
	return times[RUNS / 2];
}

int main(void)
{
	static const size_t sizes[][2] = {{60, 90}, {200, 300}, {1000, 1500}, {2000, 3000}};
	struct diagram diagram;
	double layout_200 = 0;
	size_t i;

	(void)printf("%8s %8s %10s %10s %10s %14s\n", "nodes", "edges", "layout ms", "routes ms",
		     "SVG ms", "PNG 4096 px ms");
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		double layout;

		if (!make(&diagram, sizes[i][0], sizes[i][1]))
			return 1;
		layout = median(&diagram, lay_out);
		layout_200 = sizes[i][0] == 200 ? layout : layout_200;
		(void)printf("%8zu %8zu %10.2f %10.2f %10.2f %14.2f\n", sizes[i][0], sizes[i][1],
			     layout, median(&diagram, find_routes), median(&diagram, draw_svg),
			     median(&diagram, draw_png));
		drop(&diagram);
	}
	return layout_200 < 100 ? 0 : 1;
}
