/* Counts over a row and upright edges, against what is computed one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "draw/raster.h"
#include "draw/winding.h"

enum { PLACES = 100, ROUNDS = 3000, SIDE = 64, RECTS = 300 };

static uint32_t draw(uint64_t *state, uint32_t below)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*state >> 33) % below;
}

/* ---- winding ---- */

struct row { /* places in pairs: where something begins, and where it ends */
	int32_t steps[PLACES];
	struct tn_winding winding;
};

static void set(struct row *row, size_t place, int32_t step)
{
	row->steps[place] = step;
	tn_winding_set(&row->winding, place, step);
}

/* Spans as a walk over all places finds them. */
static void check_spans(const struct row *row)
{
	size_t at = 0, first = 0, end = 0, from = 0;
	int32_t count = 0;

	for (size_t i = 0; i < PLACES; i++) {
		if (count == 0 && row->steps[i] != 0)
			from = i;
		if (row->steps[i] == 0)
			continue;
		count += row->steps[i];
		if (count != 0)
			continue;
		assert_true(tn_winding_next(&row->winding, &at, &first, &end));
		assert_int_equal(first, from);
		assert_int_equal(end, i);
	}
	assert_int_equal(count, 0);
	assert_false(tn_winding_next(&row->winding, &at, &first, &end));
}

static void test_winding(void **state)
{
	struct tn_winding_node nodes[2 * 128] = {{0}};
	struct row row = {{0}, {0}};
	uint64_t random = 1;

	(void)state;
	assert_true(tn_winding_nodes(PLACES) <= sizeof(nodes) / sizeof(nodes[0]));
	tn_winding_init(&row.winding, nodes, PLACES);
	for (int i = 0; i < ROUNDS; i++) {
		size_t a = draw(&random, PLACES), b = draw(&random, PLACES);
		int32_t step = draw(&random, 4) == 0 ? -1 : 1;

		if (a == b)
			continue;
		if (row.steps[a] == 0 && row.steps[b] == 0) {
			set(&row, a, step);
			set(&row, b, -step);
		} else if (row.steps[a] + row.steps[b] == 0) {
			set(&row, a, 0);
			set(&row, b, 0);
		}
		check_spans(&row);
	}
}

/* ---- pixels ---- */

static void put_rect(struct tn_outline *outline, double x, double y, double width, double height)
{
	tn_outline_move(outline, x, y);
	tn_outline_line(outline, x + width, y);
	tn_outline_line(outline, x + width, y + height);
	tn_outline_line(outline, x, y + height);
	tn_outline_close(outline);
}

static void fill(const struct tn_outline *outline, struct tn_raster *ret)
{
	struct tenon_error err;

	assert_int_equal(tn_raster_init(ret, SIDE, SIDE, 0xFFFFFFFF, &err), TENON_OK);
	tn_raster_fill(ret, outline, 0x336699FF);
	assert_false(ret->failed);
}

/* A triangle to the right of the page makes the same shape one with edges that are not upright:
 * both ways give the same bytes. Places are parts of lines and beyond the page, too. */
static void test_upright(void **state)
{
	struct tn_outline outline;
	struct tn_raster upright, any;
	uint64_t random = 7;

	(void)state;
	tn_outline_init(&outline);
	for (int i = 0; i < RECTS; i++)
		put_rect(&outline, (double)draw(&random, 1600) / 16 - 20,
			 (double)draw(&random, 1600) / 23 - 5, draw(&random, 9) * 0.37,
			 draw(&random, 400) * 0.05);
	fill(&outline, &upright);
	tn_outline_move(&outline, SIDE + 10, 1);
	tn_outline_line(&outline, SIDE + 13, SIDE - 2);
	tn_outline_line(&outline, SIDE + 11, SIDE - 7);
	tn_outline_close(&outline);
	fill(&outline, &any);
	assert_memory_equal(upright.pixels, any.pixels, 4 * SIDE * SIDE);
	tn_raster_finish(&upright);
	tn_raster_finish(&any);
	tn_outline_finish(&outline);
}

/* Of a shape with upright edges and others, lines that are the same are taken together; a sloped
 * edge beside the page that goes on to the bottom has each taken by itself. */
static void test_same_lines(void **state)
{
	struct tn_outline outline;
	struct tn_raster together, each;
	uint64_t random = 9;

	(void)state;
	tn_outline_init(&outline);
	for (int round = 0; round < ROUNDS / 20; round++) {
		tn_outline_clear(&outline);
		for (int i = 0; i < 3; i++)
			put_rect(&outline, (double)draw(&random, 1000) / 16,
				 (double)draw(&random, 1000) / 23 - 5, draw(&random, 90) * 0.37,
				 draw(&random, 400) * 0.15);
		for (int i = 0; i < 2; i++) {
			const double top = draw(&random, 600) * 0.1 - 3;

			tn_outline_move(&outline, draw(&random, 640) * 0.1, top);
			tn_outline_line(&outline, draw(&random, 640) * 0.1, top);
			tn_outline_line(&outline, draw(&random, 640) * 0.1,
					top + draw(&random, 90) * 0.1);
			tn_outline_close(&outline);
		}
		fill(&outline, &together);
		tn_outline_move(&outline, SIDE + 10, -1);
		tn_outline_line(&outline, SIDE + 13, SIDE + 3);
		tn_outline_line(&outline, SIDE + 11, SIDE + 4);
		tn_outline_close(&outline);
		fill(&outline, &each);
		assert_memory_equal(together.pixels, each.pixels, 4 * SIDE * SIDE);
		tn_raster_finish(&together);
		tn_raster_finish(&each);
	}
	tn_outline_finish(&outline);
}

/* ---- dashes ---- */

/* A picture of a thousand dotted lines that are twenty thousand long. */
static void test_many_dashes(void **state)
{
	const struct tn_draw_style dotted = {
		.stroke = 0x000000FF, .stroke_width = 2, .round = true, .dash = {0.1, 5}};
	struct tn_display *display;
	struct tn_raster raster;
	struct tenon_error err;
	uint8_t lightest = 0, darkest = 255;

	(void)state;
	assert_int_equal(tn_display_create(20000, 4000, 0xFFFFFFFF, &display, &err), TENON_OK);
	for (int i = 0; i < 1000; i++) {
		tn_draw_begin(display, &dotted);
		tn_draw_move(display, 0, i * 4 + 2);
		tn_draw_line(display, 20000, i * 4 + 2);
		tn_draw_end(display);
	}
	assert_int_equal(tn_raster_init(&raster, 1000, 200, 0xFFFFFFFF, &err), TENON_OK);
	assert_int_equal(tn_raster_draw(&raster, display, 0.05, &err), TENON_OK);
	assert_true(raster.edge_room < 10000);
	for (size_t i = 1000; i < (size_t)199 * 1000; i++) {
		lightest = raster.pixels[4 * i] > lightest ? raster.pixels[4 * i] : lightest;
		darkest = raster.pixels[4 * i] < darkest ? raster.pixels[4 * i] : darkest;
	}
	/* Dots of 2 every 5.1 on half of the lines' height: about a fifth of the ink, all over. */
	assert_in_range(lightest, 190, 225);
	assert_in_range(darkest, 180, 220);
	tn_raster_finish(&raster);
	tn_display_free(display);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_winding),
		cmocka_unit_test(test_upright),
		cmocka_unit_test(test_same_lines),
		cmocka_unit_test(test_many_dashes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
