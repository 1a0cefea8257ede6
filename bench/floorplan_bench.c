/* floorplan_bench.c - how long a plan takes (floorplan.md section 12): 16 KiB, 42 rooms on 4
 * floors, 44 connections; warm, median of 50. Prints milliseconds; exits 1 when a bar is missed.
 *
 * floorplan_bench [plan]: `plan` prints the plan and does nothing else.
 * floorplan_bench --hostile [SHAPE|- [CALL]]: the calls on plans of 5,000 rooms, with the time of
 * each (section 11); 1: one took more than 2 s. --hostile-plan SHAPE prints one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "apps/floorplan/picture/picture.h"
#include "apps/floorplan/limits.h"
#include "floorplan_hostile.h"

enum { RENDERS = 1000, RUNS = 50, FLOORS = 4, ROOMS = 42, CONNECTIONS = 44 };
#define VALIDATE_MS_MAX 1.0
#define RENDER_MS_MAX 20.0
#define RESIDENT_KIB_MAX (64 * 1024)

static double now_ms(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static int by_size(const void *a, const void *b)
{
	const double first = *(const double *)a, second = *(const double *)b;

	return first < second ? -1 : first > second;
}

/* ---- the plan: two rows of rooms on every floor, half of them placed by their neighbours ---- */

static unsigned rooms_of(unsigned floor)
{
	return ROOMS / FLOORS + (floor < ROOMS % FLOORS); /* 11, 11, 10, 10 */
}

static void put_room(struct tn_buf *out, unsigned floor, unsigned room)
{
	static const char *const kinds[] = {"Office", "Meeting", "Kitchen", "Bath", "Storage"};
	const char *kind = kinds[room % 5];

	tn_buf_format(out,
		      "    # %s number %u of this floor, with windows to the street and a "
		      "door to its neighbour; see the schedule of rooms for its furniture\n",
		      kind, room + 1);
	tn_buf_format(out, "    room %s%u%02u", kind, floor, room);
	if (room < 2)
		tn_buf_format(out, " at (0,%u)", room * 12);
	tn_buf_format(out,
		      " size (%u.5ft x 12) height 9ft walls [top: %s, right: solid, bottom: %s, "
		      "left: solid]",
		      10 + room % 4, room % 2 ? "solid" : "window", room % 2 ? "window" : "solid");
	if (room >= 2)
		tn_buf_format(out, " right-of %s%u%02u align top", kinds[(room - 2) % 5], floor,
			      room - 2);
	tn_buf_format(out, " label \"%s %u.%02u\" style Oak\n", kind, floor, room);
}

static void put_connection(struct tn_buf *out, unsigned floor, unsigned room)
{
	static const char *const kinds[] = {"Office", "Meeting", "Kitchen", "Bath", "Storage"};

	tn_buf_format(out,
		      "  connect F%u.%s%u%02u.right to F%u.%s%u%02u.left door at 50%% size (3 x "
		      "7) swing: left\n",
		      floor, kinds[room % 5], floor, room, floor, kinds[(room + 2) % 5], floor,
		      room + 2);
}

static void put_plan(struct tn_buf *out)
{
	unsigned connections = 0;

	tn_buf_append_text(out,
			   "%%{version: 1.0}%%\nfloorplan\n"
			   "  style Oak { floor_color: \"#C8A46B\", wall_color: \"#4A3B2A\" }\n"
			   "  config { default_unit: ft, default_height: 10 }\n");
	for (unsigned floor = 0; floor < FLOORS; floor++) {
		tn_buf_format(out, "  floor F%u {\n", floor);
		for (unsigned room = 0; room < rooms_of(floor); room++)
			put_room(out, floor, room);
		tn_buf_append_text(out, "  }\n");
	}
	for (unsigned floor = 0; floor < FLOORS; floor++) {
		for (unsigned room = 0; room + 2 < rooms_of(floor); room++, connections++)
			put_connection(out, floor, room);
	}
	for (unsigned i = 0; connections < CONNECTIONS; i++, connections++)
		tn_buf_format(out, "  connect F%u.Office%u00.left to outside door at %u%%\n",
			      i % FLOORS, i % FLOORS, 15 + i / FLOORS * 35);
	while (out->size < 16 * 1024)
		tn_buf_append_text(out, "  # Drawn for the bench; nobody lives here.\n");
}

/* ---- measuring ---- */

static struct tn_floor_plan *read_plan(struct tn_str text)
{
	struct tn_floor_plan *plan = NULL;
	struct tenon_error err;

	if (tn_floor_plan_create(text, false, &plan, &err) != TENON_OK)
		exit(2);
	if (!plan->valid || plan->room_count != ROOMS) {
		(void)fprintf(stderr, "the plan is not what it should be\n");
		exit(2);
	}
	return plan;
}

static void validate(struct tn_str text)
{
	tn_floor_plan_free(read_plan(text));
}

/* One floor at 800 x 600, as the tool does it. */
static void render(struct tn_str text)
{
	const struct tn_floor_picture_options options = {
		.width = 800, .height = 600, .labels = -1, .dimensions = -1, .area_in_sqm = -1};
	struct tn_floor_plan *plan = read_plan(text);
	struct tn_floor_picture picture = {.display = NULL};
	struct tn_arena arena;
	struct tenon_error err;
	struct tn_buf png;

	tn_arena_init(&arena, TN_FLOOR_ARENA_MAX);
	tn_buf_init(&png, TN_FLOOR_OUTPUT_BYTES_MAX);
	if (tn_floor_draw(plan, &options, &arena, &picture, &err) != TENON_OK ||
	    tn_draw_png(picture.display, 1, &png, &err) != TENON_OK || png.size < 1000) {
		(void)fprintf(stderr, "%s\n", err.message);
		exit(2);
	}
	tn_display_free(picture.display);
	tn_buf_finish(&png);
	tn_arena_finish(&arena);
	tn_floor_plan_free(plan);
}

static double median_ms(void (*run)(struct tn_str), struct tn_str text)
{
	double times[RUNS];

	for (unsigned i = 0; i < RUNS; i++) {
		double start = now_ms();

		run(text);
		times[i] = now_ms() - start;
	}
	qsort(times, RUNS, sizeof(times[0]), by_size);
	return times[RUNS / 2];
}

static long resident_kib(void)
{
	struct rusage usage;

	return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_maxrss : 0;
}

static bool report(const char *what, double found, double bar, const char *unit)
{
	(void)printf("%-36s %8.3f %s (bar %.0f)\n", what, found, unit, bar);
	return found < bar;
}

static int run_hostile(int argc, char **argv)
{
	const char *shape = argc > 2 && strcmp(argv[2], "-") != 0 ? argv[2] : NULL;

	return floorplan_hostile(shape, argc > 3 ? argv[3] : NULL);
}

int main(int argc, char **argv)
{
	struct tn_buf text;
	bool good;

	if (argc > 1 && strcmp(argv[1], "--hostile") == 0)
		return run_hostile(argc, argv);
	if (argc > 2 && strcmp(argv[1], "--hostile-plan") == 0)
		return floorplan_hostile_plan(argv[2]);
	tn_buf_init(&text, TN_MIB);
	put_plan(&text);
	if (argc > 1 && strcmp(argv[1], "plan") == 0) {
		(void)fwrite(text.data, 1, text.size, stdout);
		tn_buf_finish(&text);
		return 0;
	}
	good = report("floorplan validate", median_ms(validate, tn_buf_str(&text)), VALIDATE_MS_MAX,
		      "ms");
	good = report("floorplan render 800 x 600", median_ms(render, tn_buf_str(&text)),
		      RENDER_MS_MAX, "ms") &&
	       good;
	for (unsigned i = 0; i < RENDERS; i++)
		render(tn_buf_str(&text));
	good = report("floorplan peak after 1,000 renders", (double)resident_kib() / 1024,
		      RESIDENT_KIB_MAX / 1024.0, "MiB") &&
	       good;
	tn_buf_finish(&text);
	return good ? 0 : 1;
}
