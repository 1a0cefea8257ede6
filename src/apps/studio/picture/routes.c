/* Where edges run (ST-131): first each alone, then those that share a side are spread along it and
 * found again. */
#include <stdlib.h>

#include "apps/studio/picture/route_search.h"
#include "apps/studio/limits.h"

enum { PORT_GAP = 24 };

struct plan { /* of one edge */
	struct tn_studio_route_end from, to;
	bool inside; /* one end holds the other */
};

struct router {
	const struct tn_studio_document *document;
	const struct tn_studio_edge *edges;
	size_t edge_count;
	struct tn_studio_rect *rects; /* absolute, by node order */
	const struct tn_studio_node **tops;
	size_t top_count;
	struct tn_studio_obstacles obstacles; /* of one edge; room for all nodes */
	struct plan *plans;
	struct tn_studio_route *routes;
};

/* ---- what is in the way ---- */

static void add_obstacle(struct router *router, const struct tn_studio_node *node)
{
	const struct tn_studio_rect *rect = &router->rects[node->order];
	size_t at = router->obstacles.count;

	if (tn_studio_is_note(node))
		return;
	router->obstacles.rects[at] = *rect;
	router->obstacles.turned[at] =
		(struct tn_studio_rect){rect->y, rect->x, rect->height, rect->width};
	router->obstacles.count++;
}

/* The siblings of `node`, but for `spared`. */
static void add_siblings(struct router *router, const struct tn_studio_node *node,
			 const struct tn_studio_node *spared)
{
	const struct tn_studio_node *other;
	size_t i;

	if (node->parent) {
		for (other = node->parent->first_child; other; other = other->next_sibling)
			if (other != node && other != spared)
				add_obstacle(router, other);
		return;
	}
	for (i = 0; i < router->top_count; i++)
		if (router->tops[i] != node && router->tops[i] != spared)
			add_obstacle(router, router->tops[i]);
}

/* Siblings of both ends and of all that holds them, up to where the two meet. What lies inside an
 * obstacle is none of its own. */
static void find_obstacles(struct router *router, const struct tn_studio_node *a,
			   const struct tn_studio_node *b)
{
	router->obstacles.count = 0;
	while (a->parent != b->parent) {
		const struct tn_studio_node **deeper = a->depth >= b->depth ? &a : &b;

		add_siblings(router, *deeper, NULL);
		*deeper = (*deeper)->parent;
	}
	add_siblings(router, a, b);
}

/* Behind the obstacles: what holds the ends, up to where they meet, and that, too. */
static void find_frames(struct router *router, const struct tn_studio_node *a,
			const struct tn_studio_node *b)
{
	size_t count = router->obstacles.count;

	while (a->parent != b->parent) {
		const struct tn_studio_node **deeper = a->depth >= b->depth ? &a : &b;

		*deeper = (*deeper)->parent;
		add_obstacle(router, *deeper);
	}
	if (a->parent)
		add_obstacle(router, a->parent);
	router->obstacles.frames = router->obstacles.count - count;
	router->obstacles.count = count;
}

/* ---- one edge ---- */

static int liked_side(const struct tn_studio_node *node, struct tn_str handle_id)
{
	const struct tn_studio_handle *handle =
		node->type ? tn_studio_handle_find(node->type, handle_id) : NULL;

	return handle ? (int)handle->side : -1;
}

static void plan_edge(struct router *router, size_t index)
{
	const struct tn_studio_edge *edge = &router->edges[index];
	struct plan *plan = &router->plans[index];

	plan->from.rect = router->rects[edge->source->order];
	plan->from.likes = liked_side(edge->source, edge->source_handle);
	plan->from.sides = TN_STUDIO_ANY_SIDE;
	plan->to.rect = router->rects[edge->target->order];
	plan->to.likes = liked_side(edge->target, edge->target_handle);
	plan->to.sides = TN_STUDIO_ANY_SIDE;
	plan->from.slides = plan->to.slides = true;
	plan->inside = edge->source == edge->target ||
		       tn_studio_is_within(edge->source, edge->target) ||
		       tn_studio_is_within(edge->target, edge->source);
}

/* From a box to the nearest wall of what holds it. */
static void route_inside(const struct plan *plan, bool outwards, struct tn_studio_route *route)
{
	const struct tn_studio_rect *in = outwards ? &plan->from.rect : &plan->to.rect;
	const struct tn_studio_rect *out = outwards ? &plan->to.rect : &plan->from.rect;
	int32_t middle_x = in->x + in->width / 2, middle_y = in->y + in->height / 2;
	int32_t left = in->x - out->x, right = out->x + out->width - in->x - in->width;
	int32_t bottom = out->y + out->height - in->y - in->height;
	struct tn_studio_point inner = {in->x, middle_y}, outer = {out->x, middle_y};

	if (right < left && right <= bottom) {
		inner.x = in->x + in->width;
		outer.x = out->x + out->width;
	} else if (bottom < left) {
		inner = (struct tn_studio_point){middle_x, in->y + in->height};
		outer = (struct tn_studio_point){middle_x, out->y + out->height};
	}
	route->points[0] = outwards ? inner : outer;
	route->points[1] = outwards ? outer : inner;
	route->point_count = 2;
}

static void route_edge(struct router *router, size_t index)
{
	const struct tn_studio_edge *edge = &router->edges[index];
	struct plan *plan = &router->plans[index];
	struct tn_studio_route *route = &router->routes[index];

	route->edge = edge;
	if (plan->inside) {
		route_inside(plan, tn_studio_is_within(edge->source, edge->target), route);
		return;
	}
	find_obstacles(router, edge->source, edge->target);
	find_frames(router, edge->source, edge->target);
	tn_studio_route_search(&router->obstacles, &plan->from, &plan->to, route);
}

/* ---- edges that share a side ---- */

struct port {
	uint32_t node, side;
	int64_t towards; /* where the other end is, along the side */
	uint32_t edge;
	bool is_from;
};

static int by_side(const void *a, const void *b)
{
	const struct port *left = a, *right = b;

	if (left->node != right->node)
		return left->node < right->node ? -1 : 1;
	if (left->side != right->side)
		return left->side < right->side ? -1 : 1;
	if (left->towards != right->towards)
		return left->towards < right->towards ? -1 : 1;
	if (left->edge != right->edge)
		return left->edge < right->edge ? -1 : 1;
	return left->is_from - right->is_from;
}

static struct port port_of(const struct router *router, size_t edge, bool is_from)
{
	const struct plan *plan = &router->plans[edge];
	const struct tn_studio_route_end *own = is_from ? &plan->from : &plan->to;
	const struct tn_studio_rect *other = is_from ? &plan->to.rect : &plan->from.rect;
	const struct tn_studio_edge *of = &router->edges[edge];
	bool upright = own->on == TN_STUDIO_LEFT || own->on == TN_STUDIO_RIGHT;

	return (struct port){.node = is_from ? of->source->order : of->target->order,
			     .side = own->on,
			     .towards = upright ? (int64_t)2 * other->y + other->height
						: (int64_t)2 * other->x + other->width,
			     .edge = (uint32_t)edge,
			     .is_from = is_from};
}

static void spread(struct router *router, const struct port *ports, size_t count)
{
	bool upright = ports->side == TN_STUDIO_LEFT || ports->side == TN_STUDIO_RIGHT;
	const struct tn_studio_rect *rect = &router->rects[ports->node];
	int32_t length = upright ? rect->height : rect->width;
	int32_t gap = length / (int32_t)(count + 1);
	size_t i;

	gap = gap < PORT_GAP ? gap : PORT_GAP;
	for (i = 0; i < count; i++) {
		struct plan *plan = &router->plans[ports[i].edge];
		struct tn_studio_route_end *end = ports[i].is_from ? &plan->from : &plan->to;

		end->shift = ((int32_t)(2 * i + 1) - (int32_t)count) * gap / 2;
		end->sides = 1u << end->on;
		end->slides = count == 1;
	}
}

static bool spread_all(struct router *router, struct tn_arena *arena)
{
	struct port *ports =
		tn_arena_alloc_array(arena, 2 * router->edge_count + 1, sizeof(*ports));
	size_t count = 0, first, last, i;

	if (!ports)
		return false;
	for (i = 0; i < router->edge_count; i++) {
		if (router->plans[i].inside)
			continue;
		ports[count++] = port_of(router, i, true);
		ports[count++] = port_of(router, i, false);
	}
	qsort(ports, count, sizeof(*ports), by_side);
	for (first = 0; first < count; first = last) {
		last = first + 1;
		while (last < count && ports[last].node == ports[first].node &&
		       ports[last].side == ports[first].side)
			last++;
		spread(router, ports + first, last - first);
	}
	return true;
}

/* ---- all ---- */

static bool begin(struct router *router, struct tn_arena *scratch, struct tn_arena *arena)
{
	size_t count = router->document->node_count, i;

	router->rects = tn_arena_alloc_array(scratch, count + 1, sizeof(*router->rects));
	router->tops = tn_arena_alloc_array(scratch, count + 1, sizeof(*router->tops));
	router->obstacles.rects =
		tn_arena_alloc_array(scratch, 2 * count + 1, sizeof(*router->rects));
	router->obstacles.turned =
		tn_arena_alloc_array(scratch, 2 * count + 1, sizeof(*router->rects));
	router->plans =
		tn_arena_alloc_array(scratch, router->edge_count + 1, sizeof(*router->plans));
	router->routes =
		tn_arena_alloc_array(arena, router->edge_count + 1, sizeof(*router->routes));
	if (!router->rects || !router->tops || !router->obstacles.rects ||
	    !router->obstacles.turned || !router->plans || !router->routes)
		return false;
	for (i = 0; i < count; i++) {
		const struct tn_studio_node *node = router->document->nodes[i];

		router->rects[i] = tn_studio_absolute_rect(node);
		if (!node->parent)
			router->tops[router->top_count++] = node;
	}
	return true;
}

bool tn_studio_routes(const struct tn_studio_document *document, const struct tn_studio_edge *edges,
		      size_t edge_count, struct tn_arena *arena, const struct tn_studio_route **ret)
{
	struct router router = {.document = document, .edges = edges, .edge_count = edge_count};
	struct tn_arena scratch;
	bool ok;
	size_t i;

	tn_arena_init(&scratch, TN_STUDIO_NODE_ARENA_MAX);
	ok = begin(&router, &scratch, arena);
	for (i = 0; ok && i < edge_count; i++) {
		plan_edge(&router, i);
		route_edge(&router, i);
	}
	ok = ok && spread_all(&router, &scratch);
	for (i = 0; ok && i < edge_count; i++)
		route_edge(&router, i);
	tn_arena_finish(&scratch);
	*ret = router.routes;
	return ok;
}
