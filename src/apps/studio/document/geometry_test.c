#include "apps/studio/document/geometry.h"

#include <setjmp.h>
#include <stdarg.h>

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

static struct tn_studio_node *add(struct tn_test_diagram *diagram, struct tn_studio_node *parent,
				  char type, int32_t width, int32_t height)
{
	struct tn_studio_point at = tn_studio_free_place(&diagram->document, parent, width, height);
	struct tn_studio_node *node =
		tn_test_node(diagram, parent, type, at.x, at.y, width, height);

	for (; parent; parent = parent->parent) { /* ST-063: parents grow */
		int32_t needed_width, needed_height;

		tn_studio_needed_size(parent, &needed_width, &needed_height);
		parent->width = needed_width > parent->width ? needed_width : parent->width;
		parent->height = needed_height > parent->height ? needed_height : parent->height;
	}
	return node;
}

static void assert_at(const struct tn_studio_node *node, int32_t x, int32_t y)
{
	assert_int_equal(node->x, x);
	assert_int_equal(node->y, y);
}

/* studio.md 16 */
static void sizes_by_type(void **state)
{
	struct tn_test_diagram *diagram = *state;
	struct tn_studio_node *leaf = tn_test_node(diagram, NULL, 'l', 3, 4, 0, 0);
	struct tn_studio_node *box = tn_test_node(diagram, NULL, 'c', 500, 0, 0, 0);
	struct tn_studio_node *unknown = tn_test_node(diagram, NULL, 'u', 0, 900, 0, 120);
	struct tn_studio_rect rect = tn_studio_rect_of(leaf);

	assert_int_equal(rect.width, 240);
	assert_int_equal(rect.height, 80);
	rect = tn_studio_rect_of(box);
	assert_int_equal(rect.width, 360);
	assert_int_equal(rect.height, 220);
	diagram->container.min_width = 400;
	diagram->container.min_height = 100;
	rect = tn_studio_rect_of(box);
	assert_int_equal(rect.width, 400);
	assert_int_equal(rect.height, 220);
	rect = tn_studio_rect_of(unknown);
	assert_int_equal(rect.width, 240);
	assert_int_equal(rect.height, 120);
}

static void absolute_places_add_up(void **state)
{
	struct tn_test_diagram *diagram = *state;
	struct tn_studio_node *outer = tn_test_node(diagram, NULL, 'c', 100, 200, 900, 900);
	struct tn_studio_node *inner = tn_test_node(diagram, outer, 'c', 20, 60, 500, 500);
	struct tn_studio_node *leaf = tn_test_node(diagram, inner, 'l', 40, 80, 0, 0);
	struct tn_studio_rect rect = tn_studio_absolute_rect(leaf);

	assert_int_equal(rect.x, 160);
	assert_int_equal(rect.y, 340);
	leaf->x = INT32_MAX; /* a file may say so */
	outer->x = INT32_MAX;
	rect = tn_studio_absolute_rect(leaf);
	assert_int_equal(rect.x, 2 * TN_STUDIO_PLACE_MAX + 20);
}

/* ST-063 */
static void first_next_and_new_row(void **state)
{
	struct tn_test_diagram *diagram = *state;
	struct tn_studio_node *box = tn_test_node(diagram, NULL, 'c', 0, 0, 660, 220);

	assert_at(add(diagram, box, 'l', 240, 80), 20, 60);
	assert_at(add(diagram, box, 'l', 240, 120), 300, 60);
	assert_at(add(diagram, box, 'l', 240, 80), 20, 220); /* below the lowest */
	assert_at(add(diagram, box, 'l', 240, 80), 300, 220);
	assert_int_equal(box->width, 660);
	assert_int_equal(box->height, 320);
}

/* ST-063: it is the last added that counts, not the lowest or the rightmost one */
static void right_of_the_last_added(void **state)
{
	struct tn_test_diagram *diagram = *state;

	tn_test_node(diagram, NULL, 'l', 20, 60, 240, 80);
	tn_test_node(diagram, NULL, 'l', 900, 700, 240, 80);
	tn_test_node(diagram, NULL, 'l', 300, 300, 240, 80);
	assert_at(add(diagram, NULL, 'l', 240, 80), 580, 300);
	/* Top level: 1,600 wide. */
	tn_test_node(diagram, NULL, 'l', 1320, 300, 240, 80);
	assert_at(add(diagram, NULL, 'l', 240, 80), 20, 820);
}

/* ST-063: on overlap right, then down, in grid steps */
static void steps_aside(void **state)
{
	struct tn_test_diagram *diagram = *state;
	struct tn_studio_node *box = tn_test_node(diagram, NULL, 'c', 0, 0, 1000, 900);
	struct tn_studio_node *node;

	tn_test_node(diagram, box, 'l', 310, 70, 240, 80); /* in the way */
	tn_test_node(diagram, box, 'l', 20, 60, 240, 80);  /* the last added */
	node = add(diagram, box, 'l', 240, 80);
	assert_at(node, 580, 60); /* 300 + 14 steps: 20 from the one in the way */
	node = add(diagram, box, 'l', 240, 80);
	assert_at(node, 20, 190); /* no room at the right of it: a new row */
	tn_test_node(diagram, box, 'l', 300, 190, 700, 300);
	node = tn_test_node(diagram, box, 'l', 20, 600, 240, 80);
	node->x = -100; /* its right neighbour would lie in the padding's left */
	node->y = 190;
	node = add(diagram, box, 'l', 240, 80);
	assert_true(node->x >= 20);
	for (struct tn_studio_node *other = box->first_child; other; other = other->next_sibling) {
		struct tn_studio_rect a = tn_studio_rect_of(node), b = tn_studio_rect_of(other);

		assert_true(other == node || !tn_studio_rects_meet(&a, &b, 0));
	}
}

/* FR-15: 30 adds without a position, no overlap; and ever more inside each other */
static void thirty_adds(void **state)
{
	struct tn_test_diagram *diagram = *state;
	struct tn_studio_node *box;
	int i;

	for (i = 0; i < 30; i++)
		(void)add(diagram, NULL, i % 7 == 3 ? 'c' : 'l', i % 7 == 3 ? 360 : 240,
			  i % 7 == 3 ? 220 : 80);
	tn_test_assert_tidy(&diagram->document);
	box = tn_test_node(diagram, NULL, 'c', 0, 5000, 360, 220);
	for (i = 0; i < 30; i++)
		(void)add(diagram, box, 'l', 240, 80);
	tn_test_assert_tidy(&diagram->document);
}

/* However people have put things, there is a place that overlaps nothing. */
static void any_diagram_has_room(void **state)
{
	struct tn_test_diagram *diagram = *state;
	uint32_t seed = 12345;
	int i;

	for (i = 0; i < 300; i++) {
		struct tn_studio_node *node;
		int32_t x, y;
		size_t k;

		seed = seed * 1664525u + 1013904223u;
		x = (int32_t)(seed >> 8) % 1700 - 60;
		y = (int32_t)(seed >> 16) % 900 - 60;
		if (i % 3)
			(void)tn_test_node(diagram, NULL, 'l', x, y, 20 + x / 9 + 10, 90);
		node = add(diagram, NULL, 'l', 240, 80);
		for (k = 0; k < diagram->document.node_count; k++) {
			struct tn_studio_rect a = tn_studio_rect_of(node);
			struct tn_studio_rect b = tn_studio_rect_of(diagram->nodes[k]);

			assert_true(diagram->nodes[k] == node || !tn_studio_rects_meet(&a, &b, 0));
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(sizes_by_type, make_diagram, drop_diagram),
		cmocka_unit_test_setup_teardown(absolute_places_add_up, make_diagram, drop_diagram),
		cmocka_unit_test_setup_teardown(first_next_and_new_row, make_diagram, drop_diagram),
		cmocka_unit_test_setup_teardown(right_of_the_last_added, make_diagram,
						drop_diagram),
		cmocka_unit_test_setup_teardown(steps_aside, make_diagram, drop_diagram),
		cmocka_unit_test_setup_teardown(thirty_adds, make_diagram, drop_diagram),
		cmocka_unit_test_setup_teardown(any_diagram_has_room, make_diagram, drop_diagram),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
