/* Plans at random and plans at the caps: no crash, nothing that is no number, the same answer
 * twice, and time that grows with the plan (floorplan.md 11, 13). */
#include <limits.h>
#include <malloc.h>
#include <math.h>
#include <time.h>

#include "apps/floorplan/plan/resolve_test_kit.h"

static uint32_t next(uint32_t *seed)
{
	*seed = *seed * 1664525U + 1013904223U;
	return *seed >> 16;
}

static const char *pick(uint32_t *seed, const char *const *words, size_t count)
{
	return words[next(seed) % count];
}

static const char *const directions[] = {"right-of",       "left-of",        "above",
					 "below",          "above-right-of", "above-left-of",
					 "below-right-of", "below-left-of"};
static const char *const sides[] = {"top", "right", "bottom", "left"};
static const char *const types[] = {"solid", "door", "window", "open"};
static const char *const units[] = {"", "", "", "m", "ft", "cm", "in", "mm"};
#define PICK(seed, words) pick(seed, words, TN_COUNT(words))

/* Sizes that are sizes, references to what stands before: such a plan has only warnings. */
static void put_good_room(struct tn_buf *out, uint32_t *seed, unsigned index)
{
	tn_buf_format(out, "room R%u size (%u x %u) ", index, 1 + next(seed) % 9,
		      1 + next(seed) % 9);
	if (index == 0)
		tn_buf_append_text(out, "at (0,0)");
	else
		tn_buf_format(out, "%s R%u gap %u", PICK(seed, directions), next(seed) % index,
			      next(seed) % 2);
	tn_buf_format(out, " walls [%s: %s, %s: %s]\n", PICK(seed, sides), PICK(seed, types),
		      PICK(seed, sides), PICK(seed, types));
}

static void put_room(struct tn_buf *out, uint32_t *seed, unsigned index, unsigned count)
{
	tn_buf_format(out, "room R%u size (%u%s x %u)", index, next(seed) % 9, PICK(seed, units),
		      1 + next(seed) % 9);
	if (next(seed) % 3 == 0)
		tn_buf_format(out, " at (%u,-%u)", next(seed) % 30, next(seed) % 30);
	if (next(seed) % 3 > 0)
		tn_buf_format(out, " %s R%u gap %u align %s", PICK(seed, directions),
			      next(seed) % (count + 1), next(seed) % 3, PICK(seed, sides));
	if (next(seed) % 2)
		tn_buf_format(out, " walls [%s: %s, %s: %s]", PICK(seed, sides), PICK(seed, types),
			      PICK(seed, sides), PICK(seed, types));
	if (next(seed) % 5 == 0)
		tn_buf_format(out,
			      " composed of [ room S%u at (0,0) size (2 x 2) walls [left: window] "
			      "room T%u size (2 x 1) %s S%u ]",
			      index, index, PICK(seed, directions), index);
	tn_buf_append_byte(out, '\n');
}

static void put_stair(struct tn_buf *out, uint32_t *seed, unsigned index)
{
	static const char *const shapes[] = {
		"straight toward left",
		"L-shaped from top turn left runs 3, 4 landing (1 x 1)",
		"U-shaped from right turn right",
		"double-L from left turn left",
		"winder from bottom turn right winders 3",
		"spiral rotation clockwise outer-radius 2",
		"curved from top arc 100 radius 2",
		"custom from left [flight 3 along R1.top, turn left landing (1 x 2)]",
		"custom from top [flight 4, turn right winders 3 180\xC2\xB0]"};

	tn_buf_format(out, "stair U%u shape %s rise %u%s %s R%u\n", index, PICK(seed, shapes),
		      next(seed) % 12, PICK(seed, units), PICK(seed, directions), next(seed) % 5);
}

static void put_connections(struct tn_buf *out, uint32_t *seed, unsigned rooms)
{
	for (unsigned i = next(seed) % 14; i > 0; i--)
		tn_buf_format(out, "connect R%u.%s to %s%u.%s door at %u%%\n", next(seed) % rooms,
			      PICK(seed, sides), next(seed) % 5 ? "R" : "S", next(seed) % rooms,
			      PICK(seed, sides), next(seed) % 110);
	for (unsigned i = next(seed) % 5; i > 0; i--)
		tn_buf_format(out, "connect outside to R%u opening\n", next(seed) % rooms);
}

static void put_plan(struct tn_buf *out, uint32_t seed)
{
	const unsigned rooms = 1 + next(&seed) % 14;
	const bool good = next(&seed) % 4 == 0;

	tn_buf_append_text(out, HEAD "config { wall_thickness: 1ft }\nfloor F {\n");
	for (unsigned i = 0; i < rooms; i++) {
		if (good)
			put_good_room(out, &seed, i);
		else
			put_room(out, &seed, i, rooms);
	}
	for (unsigned i = good ? 0 : next(&seed) % 4; i > 0; i--)
		put_stair(out, &seed, i);
	tn_buf_append_text(out, "}\n");
	if (good && rooms > 1)
		tn_buf_append_text(out, "connect R0 to R1 door\nconnect R0 to outside opening\n");
	else if (!good)
		put_connections(out, &seed, rooms);
}

/* ---- what must hold of every plan ---- */

static void check_rect(const struct tn_floor_rect *rect)
{
	assert_true(isfinite(rect->x) && isfinite(rect->y));
	assert_true(rect->width > 0 && rect->height > 0);
	assert_true(isfinite(rect->width) && isfinite(rect->height));
}

static void check_opening(const struct tn_floor_opening *opening)
{
	const struct tn_floor_room *room = opening->room   ? opening->room
					   : opening->from ? opening->from
							   : opening->to;

	assert_true(room && room->placed);
	assert_true(isfinite(opening->line) && isfinite(opening->center));
	assert_true(opening->width > 0 && opening->height > 0);
	/* It lies in a wall of that room, or of the other one, give or take half a wall. */
	if (!opening->to || !opening->from) {
		const struct tn_floor_rect *rect = &room->rect;
		double start = opening->horizontal ? rect->x : rect->y;
		double length = opening->horizontal ? rect->width : rect->height;

		assert_true(opening->center - opening->width / 2 >= start - 1e-6);
		assert_true(opening->center + opening->width / 2 <= start + length + 1e-6);
	}
}

static void check_no_overlap(const struct tn_floor_floor *floor)
{
	for (const struct tn_floor_opening *a = floor->openings; a; a = a->next) {
		for (const struct tn_floor_opening *b = a->next; b; b = b->next) {
			if (!a->drawn || !b->drawn || !a->connect || !b->connect ||
			    a->horizontal != b->horizontal || fabs(a->line - b->line) > 0.9)
				continue;
			if (fabs(a->center - b->center) <= (a->width + b->width) / 2 - 0.011)
				fail_msg("two connections are drawn in one place");
		}
	}
}

static void check_plan(const struct tn_floor_plan *plan)
{
	for (const struct tn_floor_diagnostic *at = plan->diagnostics.first; at; at = at->next) {
		assert_true(at->range.line > 0 && at->range.end <= plan->text.size);
		assert_true(!at->next || at->range.line <= at->next->range.line);
	}
	for (uint32_t i = 0; i < plan->room_count; i++) {
		const struct tn_floor_room *room = plan->rooms[i];

		assert_int_equal(room->index, i);
		if (room->placed)
			check_rect(&room->rect);
		else
			assert_false(plan->valid); /* why is told */
	}
	for (const struct tn_floor_floor *floor = plan->floors; floor; floor = floor->next) {
		for (const struct tn_floor_circulation *at = floor->circulation; at;
		     at = at->next) {
			if (at->placed)
				check_rect(&at->rect);
			else
				assert_false(plan->valid);
		}
		for (const struct tn_floor_opening *at = floor->openings; at; at = at->next)
			check_opening(at);
		check_no_overlap(floor);
	}
}

static void put_answers(struct tn_buf *out, const struct tn_floor_plan *plan)
{
	for (const struct tn_floor_diagnostic *at = plan->diagnostics.first; at; at = at->next)
		tn_floor_diagnostic_put(out, at);
	for (uint32_t i = 0; i < plan->room_count; i++) {
		tn_floor_put_number(out, plan->rooms[i]->rect.x);
		tn_floor_put_number(out, plan->rooms[i]->rect.y);
	}
	assert_false(out->failed);
}

static void test_random(void **state)
{
	struct tn_buf text, first, second;
	unsigned valid = 0;

	(void)state;
	tn_buf_init(&text, TN_MIB);
	tn_buf_init(&first, 16 * TN_MIB);
	tn_buf_init(&second, 16 * TN_MIB);
	for (uint32_t seed = 0; seed < 4000; seed++) {
		struct tn_floor_plan *plan;

		tn_buf_clear(&text);
		put_plan(&text, seed);
		tn_buf_append_byte(&text, '\0');
		tn_buf_clear(&first);
		tn_buf_clear(&second);
		plan = kit_plan(text.data);
		assert_true(plan->tree.parses);
		check_plan(plan);
		valid += plan->valid;
		put_answers(&first, plan);
		tn_floor_plan_free(plan);
		plan = kit_plan(text.data);
		put_answers(&second, plan);
		tn_floor_plan_free(plan);
		assert_true(tn_str_equal(tn_buf_str(&first), tn_buf_str(&second)));
	}
	assert_true(valid > 500); /* not all of them are nonsense */
	tn_buf_finish(&text);
	tn_buf_finish(&first);
	tn_buf_finish(&second);
}

/* ---- plans at the caps ---- */

/* Of the processor, not of the wall: others work here, too. */
static double now_s(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

typedef void put_fn(struct tn_buf *out, unsigned count);

static void put_grid(struct tn_buf *out, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		tn_buf_format(out, "room R%u at (%u,%u) size (4 x 4) walls [left: window]\n", i,
			      i % 70 * 4, i / 70 * 4);
	tn_buf_append_text(out, "}\n");
	for (unsigned i = 0; i + 1 < count; i += 2)
		tn_buf_format(out, "connect R%u to R%u door\n", i, i + 1);
}

static void put_chain(struct tn_buf *out, unsigned count) /* the last one has the place */
{
	for (unsigned i = 0; i + 1 < count; i++)
		tn_buf_format(out, "room R%u size (4 x 4) right-of R%u\n", i, i + 1);
	tn_buf_format(out, "room R%u at (0,0) size (4 x 4)\n}\n", count - 1);
}

static void put_circle(struct tn_buf *out, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		tn_buf_format(out, "room R%u size (4 x 4) below R%u\n", i, (i + 1) % count);
	tn_buf_append_text(out, "}\n");
}

static void put_heap(struct tn_buf *out, unsigned count) /* all in one place */
{
	for (unsigned i = 0; i < count; i++)
		tn_buf_format(out, "room R%u at (0,0) size (4 x 4) walls [top: door]\n", i);
	tn_buf_append_text(out, "}\n");
	for (unsigned i = 0; i < count; i++)
		tn_buf_format(out, "connect R%u.left to outside door at 5%%\n", i);
}

static void put_strangers(struct tn_buf *out, unsigned count) /* every name is nearly one */
{
	for (unsigned i = 0; i < count; i++)
		tn_buf_format(out,
			      "room ARatherLongNameOfARoom%u size (4 x 4) below "
			      "ARatherLongNameOfAroon%ux\n",
			      i, i);
	tn_buf_append_text(out, "}\n");
}

static void put_columns(struct tn_buf *out, unsigned count) /* two, each one wall */
{
	for (unsigned i = 0; i < count; i++)
		tn_buf_format(out, "room R%u at (%u,%u) size (9 x 1)\n", i, i % 2 * 9, i / 2);
	tn_buf_append_text(out, "}\n");
	for (unsigned i = 0; i < count; i++)
		tn_buf_format(out, "connect R%u to outside opening\n", i);
}

static double time_of(put_fn *put, unsigned count)
{
	struct tn_floor_plan *plan;
	struct tn_buf text;
	double best = 1e9;

	tn_buf_init(&text, 2 * TN_MIB);
	tn_buf_append_text(&text, HEAD "floor F {\n");
	put(&text, count);
	assert_false(text.failed);
	for (unsigned i = 0; i < 3; i++) {
		double start = now_s();
		struct tenon_error err;

		plan = NULL;
		assert_int_equal(tn_floor_plan_create(tn_buf_str(&text), false, &plan, &err),
				 TENON_OK);
		best = fmin(best, now_s() - start);
		assert_true(plan->tree.parses);
		assert_int_equal(plan->room_count, count);
		if (put == put_circle)
			assert_int_equal(plan->diagnostics.counts[TN_FLOOR_ERROR], 1);
		if (put == put_heap) /* all are counted, not all are told of */
			assert_true(plan->diagnostics.counts[TN_FLOOR_WARNING] >=
				    (size_t)count * (count - 1) / 2);
		assert_true(plan->arena.total < 60 * TN_MIB);
		tn_floor_plan_free(plan);
	}
	tn_buf_finish(&text);
	return best;
}

static void test_growth(void **state)
{
	static const struct {
		const char *name;
		put_fn *put;
	} plans[] = {{"grid", put_grid}, {"chain", put_chain},         {"circle", put_circle},
		     {"heap", put_heap}, {"strangers", put_strangers}, {"columns", put_columns}};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(plans); i++) {
		double small = time_of(plans[i].put, 500), large;

		large = time_of(plans[i].put, 5000);
		print_message("%s: 500 rooms %.2f ms, 5,000 rooms %.1f ms\n", plans[i].name,
			      small * 1e3, large * 1e3);
		assert_true(large < 2); /* section 11; under the sanitizers, too */
		if (i < 3)
			assert_true(large < small * 10 * 4); /* linear, with room for noise */
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_random),
					   cmocka_unit_test(test_growth)};

	/* Memory that was used once is used again: its first touch is the kernel's work, not ours.
	 */
	(void)mallopt(M_MMAP_MAX, 0);
	(void)mallopt(M_TRIM_THRESHOLD, INT_MAX);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
