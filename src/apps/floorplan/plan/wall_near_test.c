/* The trees behind the walls, against what is found by looking at each piece or side. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "apps/floorplan/plan/wall_network.h"

enum { PIECES = 90, NODES = 2 * 128, ROUNDS = 2000 };

static unsigned draw(uint64_t *state, unsigned below)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(*state >> 33) % below;
}

static int by_place(const void *left, const void *right)
{
	const struct tn_floor_wall_piece *a = left, *b = right;

	if (a->horizontal != b->horizontal)
		return a->horizontal ? -1 : 1;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return (a->from > b->from) - (a->from < b->from);
}

static void make_pieces(uint64_t *random, struct tn_floor_wall_piece *pieces)
{
	for (int i = 0; i < PIECES; i++) {
		struct tn_floor_wall_piece *piece = &pieces[i];

		*piece = (struct tn_floor_wall_piece){.horizontal = draw(random, 2)};
		piece->line = draw(random, 20) / 2.0;
		piece->thickness = draw(random, 5) / 10.0;
		piece->from = draw(random, 30) / 3.0;
		piece->to = piece->from + draw(random, 12) / 3.0;
	}
	qsort(pieces, PIECES, sizeof(*pieces), by_place);
}

static struct tn_wall_range any_range(uint64_t *random)
{
	double line = draw(random, 20) / 2.0, from = draw(random, 30) / 3.0;

	return (struct tn_wall_range){
		draw(random, 2), {line - 0.6, line + 0.6}, from, from + draw(random, 4) / 3.0};
}

static bool is_near(const struct tn_floor_wall_piece *piece, const struct tn_wall_range *range)
{
	return piece->horizontal == range->horizontal && piece->line >= range->line[0] &&
	       piece->line <= range->line[1];
}

static void check_reach(const struct tn_wall_near *near, const struct tn_wall_range *range,
			bool forward)
{
	const double at = (range->line[0] + range->line[1]) / 2, way = forward ? 1 : -1;
	struct tn_wall_reach found = {INFINITY, -INFINITY, at, at, forward}, all = found;

	for (size_t i = 0; i < PIECES; i++) {
		const struct tn_floor_wall_piece *piece = &near->pieces[i];
		const double face = piece->line + way * (piece->thickness / 2);

		if (!is_near(piece, range) || piece->from > range->to || piece->to < range->from)
			continue;
		all.low = fmin(all.low, piece->from);
		all.high = fmax(all.high, piece->to);
		all.line = way * fmax(way * all.line, way * piece->line);
		all.face = way * fmax(way * all.face, way * face);
	}
	tn_wall_near_reach(near, range, &found);
	assert_true(found.low == all.low && found.high == all.high);
	assert_true(found.line == all.line && found.face == all.face);
}

static void check_next(const struct tn_wall_near *near, const struct tn_wall_range *range)
{
	size_t at = tn_wall_first_at(near->pieces, PIECES, range->horizontal, range->line[0]);

	for (size_t i = 0; i < PIECES; i++) {
		const struct tn_floor_wall_piece *piece = &near->pieces[i];

		if (!is_near(piece, range) || range->to <= piece->from + 0.1 ||
		    range->from >= piece->to - 0.1)
			continue;
		at = tn_wall_near_next(near, range, 0.1, at);
		assert_int_equal(at, i);
		at++;
	}
	assert_int_equal(tn_wall_near_next(near, range, 0.1, at), PIECES);
}

static void test_near(void **state)
{
	struct tn_floor_wall_piece pieces[PIECES];
	struct tn_wall_box boxes[NODES];
	struct tn_wall_near near;
	uint64_t random = 3;

	(void)state;
	assert_int_equal(tn_wall_near_nodes(PIECES), NODES);
	for (int i = 0; i < ROUNDS; i++) {
		struct tn_wall_range range;

		if (i % 20 == 0) {
			make_pieces(&random, pieces);
			tn_wall_near_init(&near, pieces, PIECES, boxes);
		}
		range = any_range(&random);
		check_reach(&near, &range, i % 2 == 0);
		check_next(&near, &range);
	}
}

/* ---- sides over each other ---- */

static void check_cover(const struct tn_wall_cover *all, const struct tn_wall_cover *sides)
{
	struct tn_wall_cover sum = {.low = INFINITY, .high = -INFINITY, .first = UINT32_MAX};

	for (size_t i = 0; i < PIECES; i++) {
		if (sides[i].count == 0)
			continue;
		sum.count++;
		sum.sum += sides[i].sum;
		sum.low = fmin(sum.low, sides[i].low);
		sum.high = fmax(sum.high, sides[i].high);
		if (sides[i].style && sides[i].first < sum.first) {
			sum.first = sides[i].first;
			sum.style = sides[i].style;
		}
	}
	assert_int_equal(all->count, sum.count);
	if (sum.count == 0)
		return;
	assert_true(all->sum == sum.sum && all->low == sum.low && all->high == sum.high);
	assert_ptr_equal(all->style, sum.style);
}

static void test_cover(void **state)
{
	static const struct tn_floor_style styles[PIECES];
	struct tn_wall_cover nodes[NODES], sides[PIECES] = {{0}};
	struct tn_wall_covers covers;
	uint64_t random = 5;

	(void)state;
	assert_int_equal(tn_wall_covers_nodes(PIECES), NODES);
	tn_wall_covers_init(&covers, nodes, PIECES);
	for (int i = 0; i < ROUNDS; i++) {
		size_t place = draw(&random, PIECES);
		double line = draw(&random, 64); /* sums of them are exact in any order */

		if (sides[place].count > 0) {
			sides[place].count = 0;
			tn_wall_covers_set(&covers, place, NULL);
		} else {
			sides[place] = (struct tn_wall_cover){
				.count = 1,
				.first = (uint32_t)(place * 37 % PIECES),
				.sum = line,
				.low = line,
				.high = line,
				.type = TN_FLOOR_SOLID,
				.style = draw(&random, 2) ? &styles[place] : NULL};
			tn_wall_covers_set(&covers, place, &sides[place]);
		}
		check_cover(&nodes[1], sides);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_near),
		cmocka_unit_test(test_cover),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
