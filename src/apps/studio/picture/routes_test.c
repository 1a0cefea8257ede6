#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "apps/studio/document/geometry_test_kit.h"
#include "base/mem.h"

static int make_diagram(void **state)
{
	struct tn_test_diagram *diagram = tn_mem_alloc(sizeof(*diagram));

	assert_non_null(diagram);
	tn_test_diagram_init(diagram);
	*state = diagram;
	return 0;
}

static int drop_diagram(void **state)
{
	tn_mem_free(*state);
	return 0;
}

struct routed {
	struct tn_arena arena;
	const struct tn_studio_route *routes;
};

static void route(struct tn_test_diagram *diagram, struct routed *ret)
{
	tn_arena_init(&ret->arena, 64 * TN_MIB);
	assert_true(tn_studio_routes(&diagram->document, diagram->edge_storage,
				     diagram->document.edge_count, &ret->arena, &ret->routes));
}

static struct tn_studio_node *leaf(struct tn_test_diagram *diagram, struct tn_studio_node *parent,
				   int32_t x, int32_t y)
{
	return tn_test_node(diagram, parent, 'l', x, y, 240, 80);
}

static bool passes(const struct tn_studio_route *route, struct tn_studio_rect rect)
{
	unsigned i;

	for (i = 0; i + 1 < route->point_count; i++) {
		struct tn_studio_point p = route->points[i], q = route->points[i + 1];

		if ((p.x < q.x ? p.x : q.x) < rect.x + rect.width &&
		    (p.x > q.x ? p.x : q.x) > rect.x &&
		    (p.y < q.y ? p.y : q.y) < rect.y + rect.height &&
		    (p.y > q.y ? p.y : q.y) > rect.y)
			return true;
	}
	return false;
}

/* Right angles, from box to box, leaving outwards. */
static void assert_proper(const struct tn_studio_route *route)
{
	struct tn_studio_rect from = tn_studio_absolute_rect(route->edge->source);
	struct tn_studio_rect to = tn_studio_absolute_rect(route->edge->target);
	struct tn_studio_point p, q;
	unsigned i;

	assert_in_range(route->point_count, 2, 6);
	for (i = 0; i + 1 < route->point_count; i++) {
		p = route->points[i];
		q = route->points[i + 1];
		assert_true((p.x == q.x) != (p.y == q.y));
		if (i > 0)
			assert_true((route->points[i - 1].x == p.x) != (p.x == q.x));
	}
	p = route->points[0];
	q = route->points[route->point_count - 1];
	assert_true(p.x == from.x || p.x == from.x + from.width || p.y == from.y ||
		    p.y == from.y + from.height);
	assert_true(q.x == to.x || q.x == to.x + to.width || q.y == to.y ||
		    q.y == to.y + to.height);
}

static void neighbours_are_joined_straight(void **state)
{
	struct tn_test_diagram *diagram = *state;
	struct tn_studio_node *a = leaf(diagram, NULL, 0, 0), *b = leaf(diagram, NULL, 300, 0);
	struct tn_studio_node *c = leaf(diagram, NULL, 300, 300);
	struct routed routed;

	tn_test_edge(diagram, a, b);
	route(diagram, &routed);
	assert_int_equal(routed.routes[0].point_count, 2);
	assert_int_equal(routed.routes[0].points[0].x, 240);
	assert_int_equal(routed.routes[0].points[1].x, 300);
	assert_int_equal(routed.routes[0].points[1].y, 40);
	tn_arena_finish(&routed.arena);
	b->y = 1000; /* out of the way */
	diagram->edge_storage[0].target = c;
	route(diagram, &routed);
	assert_in_range(routed.routes[0].point_count, 3, 4); /* one bend or two */
	assert_proper(&routed.routes[0]);
	tn_arena_finish(&routed.arena);
}

/* ST-131 */
static void siblings_are_gone_around(void **state)
{
	struct tn_test_diagram *diagram = *state;
	struct tn_studio_node *a = leaf(diagram, NULL, 0, 0), *b = leaf(diagram, NULL, 900, 0);
	struct tn_studio_node *between = tn_test_node(diagram, NULL, 'l', 400, -200, 300, 400);
	struct tn_studio_node *below = tn_test_node(diagram, NULL, 'l', 300, 260, 500, 600);
	struct routed routed;

	tn_test_edge(diagram, a, b);
	route(diagram, &routed);
	assert_proper(&routed.routes[0]);
	assert_true(routed.routes[0].point_count <= 5); /* three bends */
	assert_false(passes(&routed.routes[0], tn_studio_absolute_rect(between)));
	assert_false(passes(&routed.routes[0], tn_studio_absolute_rect(below)));
	tn_arena_finish(&routed.arena);
}

/* ST-131: siblings of what holds the ends, too; what holds them is no obstacle */
static void containers_are_left_and_gone_around(void **state)
{
	struct tn_test_diagram *diagram = *state;
	struct tn_studio_node *left = tn_test_node(diagram, NULL, 'c', 0, 0, 400, 300);
	struct tn_studio_node *right = tn_test_node(diagram, NULL, 'c', 1000, 0, 400, 300);
	struct tn_studio_node *wall = tn_test_node(diagram, NULL, 'c', 500, 0, 400, 300);
	struct tn_studio_node *a = leaf(diagram, left, 20, 60), *b = leaf(diagram, right, 20, 60);
	struct tn_studio_node *near = leaf(diagram, left, 20, 180);
	struct routed routed;

	tn_test_edge(diagram, a, b);
	route(diagram, &routed);
	assert_proper(&routed.routes[0]);
	assert_false(passes(&routed.routes[0], tn_studio_absolute_rect(wall)));
	assert_false(passes(&routed.routes[0], tn_studio_absolute_rect(near)));
	tn_arena_finish(&routed.arena);
}

static void a_container_and_what_is_in_it(void **state)
{
	struct tn_test_diagram *diagram = *state;
	struct tn_studio_node *box = tn_test_node(diagram, NULL, 'c', 100, 100, 800, 600);
	struct tn_studio_node *a = leaf(diagram, box, 500, 200);
	struct routed routed;

	tn_test_edge(diagram, box, a);
	tn_test_edge(diagram, a, box);
	route(diagram, &routed);
	assert_proper(&routed.routes[0]);
	assert_proper(&routed.routes[1]);
	assert_int_equal(routed.routes[0].points[0].x, 900); /* the nearest wall */
	assert_int_equal(routed.routes[0].points[1].x, 840);
	assert_int_equal(routed.routes[1].points[0].x, 840);
	tn_arena_finish(&routed.arena);
}

static void shared_sides_are_shared(void **state)
{
	struct tn_test_diagram *diagram = *state;
	struct tn_studio_node *a = leaf(diagram, NULL, 0, 200);
	struct routed routed;
	int i;

	for (i = 2; i >= 0; i--)
		tn_test_edge(diagram, a, leaf(diagram, NULL, 400, i * 200));
	route(diagram, &routed);
	/* In the order of where they go, so that they do not cross. */
	assert_true(routed.routes[2].points[0].y < routed.routes[1].points[0].y);
	assert_true(routed.routes[1].points[0].y < routed.routes[0].points[0].y);
	assert_int_equal(routed.routes[1].points[0].y, 240);
	tn_arena_finish(&routed.arena);
}

/* Where it costs little; a straight line is worth more. */
static void handles_have_their_side(void **state)
{
	static const struct tn_studio_handle handles[] = {
		{.id = {"up", 2}, .source = true, .side = TN_STUDIO_TOP},
		{.id = {"in", 2}, .side = TN_STUDIO_LEFT}};
	struct tn_test_diagram *diagram = *state;
	struct tn_studio_node *a = leaf(diagram, NULL, 0, 300), *b = leaf(diagram, NULL, 400, 0);
	struct routed routed;

	diagram->leaf.handles = handles;
	diagram->leaf.handle_count = 2;
	tn_test_edge(diagram, a, b);
	diagram->edge_storage[0].source_handle = TN_STR("up");
	diagram->edge_storage[0].target_handle = TN_STR("in");
	route(diagram, &routed);
	assert_int_equal(routed.routes[0].points[0].y, 300);
	assert_int_equal(routed.routes[0].points[routed.routes[0].point_count - 1].x, 400);
	assert_proper(&routed.routes[0]);
	tn_arena_finish(&routed.arena);
	b->y = 300;
	route(diagram, &routed);
	assert_int_equal(routed.routes[0].point_count, 2);
	tn_arena_finish(&routed.arena);
}

static uint32_t next_random(uint32_t *seed, uint32_t below)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (*seed >> 8) % below;
}

/* ST-131: on tidy diagrams hardly anything is passed through, and nothing is odd anywhere */
static void random_diagrams(void **state)
{
	struct tn_test_diagram *diagram = *state;
	unsigned total = 0, hits = 0;
	uint32_t seed;

	for (seed = 0; seed < 60; seed++) {
		uint32_t nodes = 5 + seed % 30, edges = 3 + seed % 40, next = seed, i;
		const struct tn_studio_placed *placed;
		struct tn_arena arena;
		struct routed routed;
		size_t count, k;

		tn_test_diagram_init(diagram);
		for (i = 0; i < nodes; i++)
			(void)leaf(diagram, NULL, 0, 0);
		for (i = 0; i < edges; i++) {
			uint32_t from = next_random(&next, nodes), to = next_random(&next, nodes);

			if (from != to)
				tn_test_edge(diagram, diagram->nodes[from], diagram->nodes[to]);
		}
		tn_arena_init(&arena, 16 * TN_MIB);
		assert_true(tn_studio_layout(&diagram->document, NULL, TN_STUDIO_LAYERED,
					     (enum tn_studio_direction)(seed % 4), &arena, &placed,
					     &count));
		tn_test_put(placed, count);
		tn_arena_finish(&arena);
		route(diagram, &routed);
		for (i = 0; i < diagram->document.edge_count; i++) {
			const struct tn_studio_route *one = &routed.routes[i];

			assert_proper(one);
			total++;
			for (k = 0; k < nodes; k++)
				if (passes(one, tn_studio_rect_of(diagram->nodes[k]))) {
					hits++;
					break;
				}
		}
		tn_arena_finish(&routed.arena);
	}
	assert_true(total > 500);
	assert_true(hits * 100 < total);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(neighbours_are_joined_straight, make_diagram,
						drop_diagram),
		cmocka_unit_test_setup_teardown(siblings_are_gone_around, make_diagram,
						drop_diagram),
		cmocka_unit_test_setup_teardown(containers_are_left_and_gone_around, make_diagram,
						drop_diagram),
		cmocka_unit_test_setup_teardown(a_container_and_what_is_in_it, make_diagram,
						drop_diagram),
		cmocka_unit_test_setup_teardown(shared_sides_are_shared, make_diagram,
						drop_diagram),
		cmocka_unit_test_setup_teardown(handles_have_their_side, make_diagram,
						drop_diagram),
		cmocka_unit_test_setup_teardown(random_diagrams, make_diagram, drop_diagram),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
