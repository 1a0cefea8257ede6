#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

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

static struct tn_studio_node *leaf(struct tn_test_diagram *diagram, struct tn_studio_node *parent)
{
	return tn_test_node(diagram, parent, 'l', 0, 0, 0, 0);
}

static struct tn_studio_node *box(struct tn_test_diagram *diagram, struct tn_studio_node *parent)
{
	return tn_test_node(diagram, parent, 'c', 0, 0, 0, 0);
}

/* Lays out and takes it over. Returns whether anything moved. */
static bool lay_out_in(struct tn_test_diagram *diagram, const struct tn_studio_node *container,
		       enum tn_studio_algorithm algorithm, enum tn_studio_direction direction)
{
	const struct tn_studio_placed *placed;
	struct tn_arena arena;
	size_t count, i;
	bool moved = false;

	tn_arena_init(&arena, 64 * TN_MIB);
	assert_true(tn_studio_layout(&diagram->document, container, algorithm, direction, &arena,
				     &placed, &count));
	for (i = 0; i < count; i++) {
		struct tn_studio_rect old = tn_studio_rect_of(placed[i].node);

		moved = moved || memcmp(&old, &placed[i].rect, sizeof(old)) != 0;
		assert_true(i == 0 || placed[i].node->order > placed[i - 1].node->order);
	}
	tn_test_put(placed, count);
	tn_arena_finish(&arena);
	return moved;
}

static bool lay_out(struct tn_test_diagram *diagram, enum tn_studio_direction direction)
{
	return lay_out_in(diagram, NULL, TN_STUDIO_LAYERED, direction);
}

static void assert_at(const struct tn_studio_node *node, int32_t x, int32_t y)
{
	assert_int_equal(node->x, x);
	assert_int_equal(node->y, y);
}

/* ST-130: a chain runs in each of the four directions */
static void a_chain_follows_the_direction(void **state)
{
	struct tn_test_diagram *diagram = *state;
	struct tn_studio_node *a = leaf(diagram, NULL), *b = leaf(diagram, NULL),
			      *c = leaf(diagram, NULL);

	tn_test_edge(diagram, a, b);
	tn_test_edge(diagram, b, c);
	assert_true(lay_out(diagram, TN_STUDIO_LR));
	assert_at(a, 20, 60);
	assert_at(b, 20 + 240 + 60, 60); /* rank gap 60 */
	assert_at(c, 20 + 2 * 300, 60);
	(void)lay_out(diagram, TN_STUDIO_RL);
	assert_at(c, 20, 60);
	assert_at(a, 620, 60);
	(void)lay_out(diagram, TN_STUDIO_TB);
	assert_at(a, 20, 60);
	assert_at(b, 20, 60 + 80 + 60);
	assert_at(c, 20, 60 + 280);
	(void)lay_out(diagram, TN_STUDIO_BT);
	assert_at(c, 20, 60);
	assert_at(a, 20, 340);
}

/* ST-130: node gap 40; who is linked to two stands between them */
static void a_rank_is_a_stack(void **state)
{
	struct tn_test_diagram *diagram = *state;
	struct tn_studio_node *a = leaf(diagram, NULL), *b = leaf(diagram, NULL),
			      *c = leaf(diagram, NULL);

	tn_test_edge(diagram, a, b);
	tn_test_edge(diagram, a, c);
	(void)lay_out(diagram, TN_STUDIO_LR);
	assert_at(b, 320, 60);
	assert_at(c, 320, 180);
	assert_at(a, 20, 120);
}

/* ST-130: longest paths; a cycle is broken by turning the link that leads back in node order */
static void cycles_are_broken(void **state)
{
	struct tn_test_diagram *diagram = *state;
	struct tn_studio_node *a = leaf(diagram, NULL), *b = leaf(diagram, NULL),
			      *c = leaf(diagram, NULL);

	tn_test_edge(diagram, c, a);
	tn_test_edge(diagram, b, c);
	tn_test_edge(diagram, a, b);
	tn_test_edge(diagram, a, c); /* long: c stays behind b */
	tn_test_edge(diagram, b, b);
	(void)lay_out(diagram, TN_STUDIO_LR);
	assert_true(a->x < b->x && b->x < c->x);
	assert_false(lay_out(diagram, TN_STUDIO_LR));
}

/* ST-130: barycentres take crossings out */
static void crossings_go(void **state)
{
	struct tn_test_diagram *diagram = *state;
	struct tn_studio_node *from[4], *to[4];
	int i;

	for (i = 0; i < 4; i++)
		from[i] = leaf(diagram, NULL);
	for (i = 0; i < 4; i++)
		to[i] = leaf(diagram, NULL);
	for (i = 0; i < 4; i++)
		tn_test_edge(diagram, from[i], to[3 - i]);
	(void)lay_out(diagram, TN_STUDIO_LR);
	for (i = 0; i < 4; i++)
		assert_int_equal(from[i]->y, to[3 - i]->y);
}

/* ST-130: children without an edge in a grid of the root's columns, after the rest */
static void the_loose_ones_are_a_grid(void **state)
{
	struct tn_test_diagram *diagram = *state;
	struct tn_studio_node *a, *b, *loose[5];
	int i;

	for (i = 0; i < 5; i++)
		loose[i] = leaf(diagram, NULL);
	a = leaf(diagram, NULL);
	b = leaf(diagram, NULL);
	tn_test_edge(diagram, a, b);
	(void)lay_out(diagram, TN_STUDIO_LR);
	assert_at(a, 20, 60);
	assert_at(loose[0], 20, 200); /* three columns: the root of 5, rounded up */
	assert_at(loose[2], 580, 200);
	assert_at(loose[3], 20, 320);
	(void)lay_out(diagram, TN_STUDIO_TB);
	assert_at(a, 20, 60);
	assert_at(loose[0], 320, 60);
	assert_at(loose[4], 600, 180);
}

/* ST-130: edges count for the siblings that hold their ends; containers get their size */
static void links_are_lifted(void **state)
{
	struct tn_test_diagram *diagram = *state;
	struct tn_studio_node *right = box(diagram, NULL), *left = box(diagram, NULL);
	struct tn_studio_node *inner = box(diagram, left), *deep = leaf(diagram, inner);
	struct tn_studio_node *target = leaf(diagram, right), *other = leaf(diagram, right);

	tn_test_edge(diagram, deep, target);
	tn_test_edge(diagram, target, other);
	tn_test_edge(diagram, left, deep); /* inside itself: nothing */
	(void)lay_out(diagram, TN_STUDIO_LR);
	assert_true(left->x + left->width < right->x);
	assert_true(target->x < other->x);
	assert_int_equal(inner->width, 360);
	assert_int_equal(left->width, 400);
	assert_int_equal(left->height, 60 + 220 + 20);
	assert_int_equal(right->width, 20 + 240 + 60 + 240 + 20);
	tn_test_assert_tidy(&diagram->document);
}

/* A rule that sets a reference the other way round is one link, not a cycle: the reference comes
 * from documents, where picture_test.c has it. */

/* ST-130: hybrid: containers in layers, leaves in a grid by category, then label */
static void hybrid_sorts_leaves(void **state)
{
	struct tn_test_diagram *diagram = *state;
	struct tn_studio_node *outer = box(diagram, NULL), *first = box(diagram, outer),
			      *second = box(diagram, outer);
	struct tn_studio_node *leaves[4];
	static const char *const labels[] = {"d", "b", "a", "c"};
	int i;

	tn_test_edge(diagram, second, first);
	for (i = 0; i < 4; i++) {
		leaves[i] = leaf(diagram, outer);
		leaves[i]->label = tn_str_from(labels[i]);
	}
	tn_test_edge(diagram, leaves[0], leaves[1]); /* no layers for leaves */
	(void)lay_out_in(diagram, NULL, TN_STUDIO_HYBRID, TN_STUDIO_LR);
	assert_at(second, 20, 60);
	assert_at(first, 440, 60);
	assert_at(leaves[2], 20, 340);  /* a */
	assert_at(leaves[1], 300, 340); /* b */
	assert_at(leaves[3], 20, 460);  /* c */
	assert_at(leaves[0], 300, 460); /* d */
	assert_false(lay_out_in(diagram, NULL, TN_STUDIO_HYBRID, TN_STUDIO_LR));
}

/* ST-130: sticky notes keep their place relative to the nearest node */
static void notes_go_along(void **state)
{
	struct tn_test_diagram *diagram = *state;
	struct tn_studio_node *outer = box(diagram, NULL);
	struct tn_studio_node *a = tn_test_node(diagram, outer, 'l', 900, 900, 0, 0);
	struct tn_studio_node *b = tn_test_node(diagram, outer, 'l', 100, 100, 0, 0);
	struct tn_studio_node *beside_b = tn_test_node(diagram, outer, 'n', 150, 190, 100, 50);
	struct tn_studio_node *left_of_a = tn_test_node(diagram, outer, 'n', 700, 700, 100, 50);

	tn_test_edge(diagram, a, b);
	tn_test_edge(diagram, a, beside_b); /* drawn to a note: nothing */
	(void)lay_out(diagram, TN_STUDIO_LR);
	assert_at(a, 20, 60);
	assert_at(b, 320, 60);
	assert_at(beside_b, 320 + 50, 60 + 90);
	assert_at(left_of_a, 20, 60); /* as far as the container goes */
	assert_int_equal(outer->height, 60 + 90 + 50 + 20);
	assert_false(lay_out(diagram, TN_STUDIO_LR));
}

static void one_container_alone(void **state)
{
	struct tn_test_diagram *diagram = *state;
	struct tn_studio_node *outer = tn_test_node(diagram, NULL, 'c', 500, 300, 400, 260);
	struct tn_studio_node *inner = tn_test_node(diagram, outer, 'c', 20, 60, 360, 160);
	struct tn_studio_node *away = tn_test_node(diagram, NULL, 'l', 33, 44, 0, 0);
	struct tn_studio_node *last = NULL;
	int i;

	for (i = 0; i < 4; i++) {
		struct tn_studio_node *node = leaf(diagram, inner);

		if (last)
			tn_test_edge(diagram, last, node);
		last = node;
	}
	(void)lay_out_in(diagram, inner, TN_STUDIO_LAYERED, TN_STUDIO_LR);
	assert_at(away, 33, 44);
	assert_at(outer, 500, 300);
	assert_at(inner, 20, 60);
	assert_int_equal(inner->width, 4 * 240 + 3 * 60 + 40);
	assert_int_equal(outer->width, inner->width + 40);
	tn_test_assert_tidy(&diagram->document);
}

static void some_siblings(void **state)
{
	struct tn_test_diagram *diagram = *state;
	struct tn_studio_node *a = tn_test_node(diagram, NULL, 'l', 700, 400, 0, 0);
	struct tn_studio_node *b = tn_test_node(diagram, NULL, 'l', 300, 900, 0, 0);
	struct tn_studio_node *c = tn_test_node(diagram, NULL, 'l', 5, 5, 0, 0);
	const struct tn_studio_node *some[] = {a, b};
	const struct tn_studio_placed *placed;
	struct tn_arena arena;
	size_t count;
	int round;

	tn_test_edge(diagram, c, a);
	tn_test_edge(diagram, a, b);
	tn_test_edge(diagram, b, c);
	for (round = 0; round < 2; round++) {
		tn_arena_init(&arena, TN_MIB);
		assert_true(tn_studio_layout_siblings(&diagram->document, some, 2,
						      TN_STUDIO_LAYERED, TN_STUDIO_LR, &arena,
						      &placed, &count));
		assert_int_equal(count, 2);
		tn_test_put(placed, count);
		tn_arena_finish(&arena);
		assert_at(a, 300, 400);
		assert_at(b, 600, 400);
		assert_at(c, 5, 5);
	}
}

static void nothing_to_lay_out(void **state)
{
	struct tn_test_diagram *diagram = *state;

	assert_false(lay_out(diagram, TN_STUDIO_LR));
	(void)box(diagram, NULL);
	(void)lay_out(diagram, TN_STUDIO_BT);
	tn_test_assert_tidy(&diagram->document);
}

/* ---- random diagrams ---- */

static uint32_t next_random(uint32_t *seed, uint32_t below)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (*seed >> 8) % below;
}

static void make_random(struct tn_test_diagram *diagram, uint32_t seed, uint32_t nodes,
			uint32_t edges)
{
	uint32_t i;

	tn_test_diagram_init(diagram);
	for (i = 0; i < nodes; i++) {
		uint32_t kind = next_random(&seed, 10);
		struct tn_studio_node *parent =
			i > 0 ? diagram->nodes[next_random(&seed, i)] : NULL;

		if (parent && (!tn_studio_holds_nodes(parent) || parent->depth > 8))
			parent = parent->parent;
		(void)tn_test_node(diagram, parent,
				   kind < 3    ? 'c'
				   : kind == 3 ? 'n'
				   : kind == 4 ? 'u'
					       : 'l',
				   (int32_t)next_random(&seed, 4000) - 1000,
				   (int32_t)next_random(&seed, 4000) - 1000,
				   kind == 5 ? 100 + (int32_t)next_random(&seed, 400) : 0,
				   kind == 5 ? 30 + (int32_t)next_random(&seed, 300) : 0);
	}
	for (i = 0; i < edges && nodes > 0; i++)
		tn_test_edge(diagram, diagram->nodes[next_random(&seed, nodes)],
			     diagram->nodes[next_random(&seed, nodes)]);
}

/* ST-130: whatever the diagram: tidy, the same again, the same on a second run */
static void random_diagrams_become_tidy(void **state)
{
	struct tn_test_diagram *diagram = *state, *twin = tn_mem_alloc(sizeof(*twin));
	uint32_t seed;
	size_t i;

	assert_non_null(twin);
	for (seed = 0; seed < 200; seed++) {
		uint32_t nodes = 1 + seed % 60, edges = (seed * 7) % 90;
		enum tn_studio_direction direction = (enum tn_studio_direction)(seed % 4);
		enum tn_studio_algorithm algorithm =
			seed % 3 == 0 ? TN_STUDIO_HYBRID : TN_STUDIO_LAYERED;

		make_random(diagram, seed, nodes, edges);
		make_random(twin, seed, nodes, edges);
		(void)lay_out_in(diagram, NULL, algorithm, direction);
		tn_test_assert_tidy(&diagram->document);
		(void)lay_out_in(twin, NULL, algorithm, direction);
		for (i = 0; i < nodes; i++)
			assert_memory_equal(&diagram->nodes[i]->x, &twin->nodes[i]->x,
					    4 * sizeof(int32_t));
		assert_false(lay_out_in(diagram, NULL, algorithm, direction));
	}
	tn_mem_free(twin);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_chain_follows_the_direction, make_diagram,
						drop_diagram),
		cmocka_unit_test_setup_teardown(a_rank_is_a_stack, make_diagram, drop_diagram),
		cmocka_unit_test_setup_teardown(cycles_are_broken, make_diagram, drop_diagram),
		cmocka_unit_test_setup_teardown(crossings_go, make_diagram, drop_diagram),
		cmocka_unit_test_setup_teardown(the_loose_ones_are_a_grid, make_diagram,
						drop_diagram),
		cmocka_unit_test_setup_teardown(links_are_lifted, make_diagram, drop_diagram),
		cmocka_unit_test_setup_teardown(hybrid_sorts_leaves, make_diagram, drop_diagram),
		cmocka_unit_test_setup_teardown(notes_go_along, make_diagram, drop_diagram),
		cmocka_unit_test_setup_teardown(one_container_alone, make_diagram, drop_diagram),
		cmocka_unit_test_setup_teardown(some_siblings, make_diagram, drop_diagram),
		cmocka_unit_test_setup_teardown(nothing_to_lay_out, make_diagram, drop_diagram),
		cmocka_unit_test_setup_teardown(random_diagrams_become_tidy, make_diagram,
						drop_diagram),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
