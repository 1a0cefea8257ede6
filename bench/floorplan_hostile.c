/* Hostile plans: a generator for each shape, and the calls of the tools on them. */
#include "floorplan_hostile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "apps/floorplan/mcp/action.h"
#include "apps/floorplan/mcp/tools.h"
#include "apps/floorplan/limits.h"

enum { EXIT_REFUSED = 1, EXIT_BROKEN = 2 };
enum { ROOMS = TN_FLOOR_ROOMS_MAX, SIDE = 71, GIVE_UP_S = 120 };
#define CALL_S_MAX 2.0

/* ---- shapes ---- */

static unsigned draw(uint64_t *state, unsigned below)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(*state >> 33) % below;
}

static void put_equal(struct tn_buf *out)
{
	for (unsigned i = 0; i < ROOMS; i++)
		tn_buf_format(out, "room R%u at (0,0) size (10 x 10)\n", i);
}

static void put_near(struct tn_buf *out)
{
	for (unsigned i = 0; i < ROOMS; i++)
		tn_buf_format(out, "room R%u at (0.%05u,0.%05u) size (10 x 10)\n", i, i, i * 7);
}

static void put_half(struct tn_buf *out)
{
	for (unsigned i = 0; i < ROOMS; i++)
		tn_buf_format(out, "room R%u at (%u,%u) size (10 x 10)\n", i, i % SIDE * 5,
			      i / SIDE * 5);
}

static void put_diagonal(struct tn_buf *out)
{
	for (unsigned i = 0; i < ROOMS; i++)
		tn_buf_format(out, "room R%u at (%u,%u) size (2500 x 2500)\n", i, i, i);
}

static void put_random(struct tn_buf *out)
{
	uint64_t state = 1;

	for (unsigned i = 0; i < ROOMS; i++) {
		unsigned x = draw(&state, 500), y = draw(&state, 500);

		tn_buf_format(out, "room R%u at (%u,%u) size (%u.3 x %u.7)\n", i, x, y,
			      100 + draw(&state, 400), 100 + draw(&state, 400));
	}
}

static void put_crossing(struct tn_buf *out)
{
	for (unsigned i = 0; i < ROOMS / 2; i++)
		tn_buf_format(out,
			      "room R%u at (0,%u) size (5000 x 1)\n"
			      "room C%u at (%u,0) size (1 x 5000)\n",
			      i, i * 2, i, i * 2);
}

/* Thinner than their walls: all of them are one cluster. */
static void put_slats(struct tn_buf *out)
{
	for (unsigned i = 0; i < ROOMS; i++)
		tn_buf_format(out, "room R%u at (%u.5,%u.%02u) size (1000.25 x 0.05)\n", i, i % 7,
			      i / 20, i % 20 * 5);
}

static void put_grid(struct tn_buf *out)
{
	for (unsigned i = 0; i < ROOMS; i++)
		tn_buf_format(out, "room R%u at (%u,%u) size (10 x 10)\n", i, i % SIDE * 10,
			      i / SIDE * 10);
}

static void put_doors(struct tn_buf *out)
{
	for (unsigned i = 0; i < ROOMS; i++)
		tn_buf_format(out,
			      "room R%u at (%u,%u) size (10 x 10) walls [top: door, right: window, "
			      "bottom: window, left: door] label \"Bed %u\"\n",
			      i, i % SIDE * 10, i / SIDE * 10, i);
}

static void put_equal_doors(struct tn_buf *out)
{
	for (unsigned i = 0; i < ROOMS; i++)
		tn_buf_format(out,
			      "room R%u at (0,0) size (10 x 10) walls [top: door at %u%%, "
			      "right: window at %u%%, bottom: window, left: door]\n",
			      i, i % 100, i % 100);
}

static void put_comb(struct tn_buf *out)
{
	tn_buf_append_text(out, "room R0 at (0,0) size (49990 x 10)\n");
	for (unsigned i = 1; i < ROOMS; i++)
		tn_buf_format(out, "room R%u at (%u,10) size (10 x 10) walls [top: door]\n", i,
			      i * 10 - 10);
}

static void put_chain(struct tn_buf *out)
{
	for (unsigned i = ROOMS - 1; i > 0; i--)
		tn_buf_format(out, "room R%u size (10 x 10) right-of R%u\n", i, i - 1);
	tn_buf_append_text(out, "room R0 at (0,0) size (10 x 10)\n");
}

static void put_star(struct tn_buf *out)
{
	tn_buf_append_text(out, "room R0 at (0,0) size (10 x 10)\n");
	for (unsigned i = 1; i < ROOMS; i++)
		tn_buf_format(out, "room R%u size (10 x 10) right-of R0 gap %u\n", i, i * 11);
}

static void put_nested(struct tn_buf *out)
{
	for (unsigned i = 0; i < ROOMS / TN_FLOOR_DEPTH_MAX; i++) {
		tn_buf_format(out, "room R%u at (%u,%u) size (10 x 10)", i, i % 24 * 10,
			      i / 24 * 10);
		for (unsigned depth = 1; depth < TN_FLOOR_DEPTH_MAX; depth++)
			tn_buf_format(out,
				      " composed of [\nsub-room R%ud%u at (0.5,0.5) "
				      "size (%u x %u)",
				      i, depth, 10 - depth, 10 - depth);
		tn_buf_append_text(out, " ] ] ] ] ] ] ]\n");
	}
}

static void put_labels(struct tn_buf *out)
{
	for (unsigned i = 0; i < ROOMS; i++)
		tn_buf_format(out,
			      "room R%u at (%u,%u) size (10 x 10) label \"A long name of a room, "
			      "that fits nowhere, and says %u more than anybody would read on a "
			      "plan, again and again and again\"\n",
			      i, i % SIDE * 10, i / SIDE * 10, i);
}

static void put_stairs(struct tn_buf *out)
{
	for (unsigned i = 0; i < ROOMS; i++)
		tn_buf_format(out, "room R%u at (%u,%u) size (10 x 10)\n", i, i % SIDE * 10,
			      i / SIDE * 10);
	for (unsigned i = 0; i < TN_FLOOR_CIRCULATION_MAX / 2; i++)
		tn_buf_format(out,
			      "stair S%u at (%u,%u) shape straight toward top rise 9ft\n"
			      "lift L%u at (%u,%u) size (5 x 5) doors (top, left)\n",
			      i, i % 30, i / 30, i, i % 40, i / 40);
}

static void put_steps(struct tn_buf *out)
{
	tn_buf_append_text(out, "room R0 at (0,0) size (1000 x 1000)\n");
	for (unsigned i = 0; i < TN_FLOOR_CIRCULATION_MAX; i++)
		tn_buf_format(out,
			      "stair S%u at (%u,%u) shape spiral rotation clockwise outer-radius 4 "
			      "rise 500ft\n",
			      i, i % 30, i / 30);
}

/* ---- what stands behind the floor ---- */

static void connect_grid(struct tn_buf *out)
{
	unsigned count = 0;

	for (unsigned i = 0; i < ROOMS; i++) {
		if (i % SIDE + 1 < SIDE && i + 1 < ROOMS && count++ < TN_FLOOR_CONNECTIONS_MAX)
			tn_buf_format(out, "connect R%u.right to R%u.left door\n", i, i + 1);
		if (i + SIDE < ROOMS && count++ < TN_FLOOR_CONNECTIONS_MAX)
			tn_buf_format(out, "connect R%u.bottom to R%u.top door\n", i, i + SIDE);
	}
}

static void connect_one(struct tn_buf *out)
{
	for (unsigned i = 0; i < TN_FLOOR_CONNECTIONS_MAX; i++)
		tn_buf_format(out, "connect R0.top to outside door at %u.%02u%%\n", i / 100,
			      i % 100);
}

static const struct shape {
	const char *name, *what;
	void (*floor)(struct tn_buf *out), (*behind)(struct tn_buf *out);
} shapes[] = {
	{"equal", "all at one place", put_equal, NULL},
	{"near", "all nearly at one place", put_near, NULL},
	{"half", "each over the half of the next", put_half, NULL},
	{"diagonal", "large, each one further", put_diagonal, NULL},
	{"random", "large, anywhere", put_random, NULL},
	{"crossing", "2,500 rows over 2,500 columns", put_crossing, NULL},
	{"slats", "thinner than their walls", put_slats, NULL},
	{"grid", "71 x 71, sharing walls", put_grid, NULL},
	{"doors", "the same, with doors and windows", put_doors, NULL},
	{"equal-doors", "doors and windows, at one place", put_equal_doors, NULL},
	{"comb", "all at one long wall", put_comb, NULL},
	{"chain", "each right of the next declared", put_chain, NULL},
	{"star", "all right of one", put_star, NULL},
	{"nested", "eight in each other", put_nested, NULL},
	{"labels", "with long labels", put_labels, NULL},
	{"connected", "grid, 10,000 connections", put_grid, connect_grid},
	{"one-wall", "10,000 connections in a wall", put_comb, connect_one},
	{"stairs", "grid, 1,000 stairs and lifts", put_stairs, NULL},
	{"steps", "1,000 spirals of 858 steps", put_steps, NULL},
};
enum { SHAPES = sizeof(shapes) / sizeof(shapes[0]) };

static void put_shape(struct tn_buf *out, const struct shape *shape)
{
	tn_buf_append_text(out, "floorplan\nconfig { default_unit: ft }\nfloor F {\n");
	shape->floor(out);
	tn_buf_append_text(out, "}\n");
	if (shape->behind)
		shape->behind(out);
	if (out->failed)
		exit(2);
}

/* ---- calls ---- */

#define LARGE "\"width\":4096,\"height\":4096"
#define OPERATIONS "@" /* where the operations go */

static const struct call {
	const char *name;
	const struct tn_floor_action *action;
	const char *arguments;
} calls[] = {
	{"validate", &tn_floor_action_validate, "{}"},
	{"lint", &tn_floor_action_validate, "{\"lint\":true}"},
	{"render", &tn_floor_action_render, "{" LARGE "}"},
	{"render-all", &tn_floor_action_render,
	 "{" LARGE ",\"showDimensions\":true,\"showDiagnostics\":true,\"showArea\":true,"
	 "\"showFloorSummary\":true,\"showLegend\":true}"},
	{"render-wide", &tn_floor_action_render,
	 "{\"width\":8192,\"height\":3051,\"dimensionMode\":\"rooms\",\"showDimensions\":true}"},
	{"space", &tn_floor_action_render, "{\"format\":\"3d-png\"," LARGE "}"},
	{"space-eye", &tn_floor_action_render,
	 "{\"format\":\"3d-png\",\"projection\":\"perspective\"," LARGE "}"},
	{"analyze", &tn_floor_action_analyze, "{\"lint\":true}"},
	{"json", &tn_floor_action_export, "{\"format\":\"json\"}"},
	{"canonical", &tn_floor_action_export, "{\"format\":\"canonical\"}"},
	{"csv", &tn_floor_action_export, "{\"format\":\"csv\"}"},
	{"dxf", &tn_floor_action_export, "{\"format\":\"dxf\"}"},
	{"pdf", &tn_floor_action_export, "{\"format\":\"pdf\"}"},
	{"svg", &tn_floor_action_export, "{\"format\":\"svg\"," LARGE "}"},
	{"modify", &tn_floor_action_modify, OPERATIONS},
};
enum { CALLS = sizeof(calls) / sizeof(calls[0]) };

/* One of each kind in turn, as many as a call may have. */
static void put_operations(struct tn_buf *out)
{
	tn_buf_append_text(out, "{\"operations\":[");
	for (unsigned i = 0; i < TN_FLOOR_OPERATIONS_MAX; i++) {
		static const struct {
			const char *action, *params;
		} kinds[] = {
			{"move_room", "\"x\":1,\"y\":1"},       {"resize_room", "\"width\":7.5"},
			{"add_label", "\"label\":\"other\""},   {"rename_room", "\"newName\":\"N"},
			{"update_walls", "\"top\":\"window\""}, {"remove_room", ""}};
		const unsigned kind = i % (sizeof(kinds) / sizeof(kinds[0]));

		tn_buf_format(out, "%s{\"action\":\"%s\",\"target\":\"R%u\",\"params\":{%s",
			      i > 0 ? "," : "", kinds[kind].action, i, kinds[kind].params);
		if (kind == 3)
			tn_buf_format(out, "%u\"", i);
		tn_buf_append_text(out, "}}");
	}
	tn_buf_append_text(out, "]}");
}

static double seconds(struct timeval time)
{
	return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

static int run_call(const struct call *call, struct tn_str text)
{
	struct tn_floor_act act;
	struct tn_buf arguments;
	struct tn_arena arena;
	struct tn_json *json = NULL;
	struct tenon_error err;

	tn_arena_init(&arena, TN_MIB * 16);
	tn_buf_init(&arguments, TN_MIB);
	if (strcmp(call->arguments, OPERATIONS) == 0)
		put_operations(&arguments);
	else
		tn_buf_append_text(&arguments, call->arguments);
	if (tn_json_parse_copy(&arena, tn_buf_str(&arguments), &json, &err) != TENON_OK)
		return EXIT_BROKEN;
	tn_floor_act_init(&act, text, json);
	call->action->run(&act);
	if (!tn_floor_act_end(&act))
		return EXIT_BROKEN;
	return act.success ? 0 : EXIT_REFUSED;
}

/* A process of its own has a peak of its own, and can be given up. */
static bool measure(const struct shape *shape, const struct call *call, struct tn_str text)
{
	static const char *const ends[] = {"", "refused", "broken"};
	struct rusage usage;
	double taken;
	int status = 0, end;
	pid_t child = fork();

	if (child == 0) {
		(void)alarm(GIVE_UP_S);
		_exit(run_call(call, text));
	}
	if (child < 0 || wait4(child, &status, 0, &usage) != child)
		exit(2);
	taken = seconds(usage.ru_utime) + seconds(usage.ru_stime);
	end = WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_BROKEN;
	(void)printf("%-12s %-12s %8.2f s %7.0f MiB %s%s\n", shape->name, call->name, taken,
		     (double)usage.ru_maxrss / 1024, ends[end <= EXIT_BROKEN ? end : EXIT_BROKEN],
		     taken > CALL_S_MAX ? " SLOW" : "");
	(void)fflush(stdout);
	return taken <= CALL_S_MAX && end < EXIT_BROKEN;
}

int floorplan_hostile(const char *shape, const char *call)
{
	bool good = true;

	for (size_t i = 0; i < SHAPES; i++) {
		struct tn_buf text;

		if (shape && strcmp(shape, shapes[i].name) != 0)
			continue;
		tn_buf_init(&text, TN_FLOOR_TEXT_BYTES_MAX);
		put_shape(&text, &shapes[i]);
		(void)printf("# %s: %s, %zu KiB\n", shapes[i].name, shapes[i].what,
			     text.size / 1024);
		(void)fflush(stdout);
		for (size_t k = 0; k < CALLS; k++) {
			if (!call || strcmp(call, calls[k].name) == 0)
				good = measure(&shapes[i], &calls[k], tn_buf_str(&text)) && good;
		}
		tn_buf_finish(&text);
	}
	return good ? 0 : 1;
}

int floorplan_hostile_plan(const char *shape)
{
	for (size_t i = 0; i < SHAPES; i++) {
		struct tn_buf text;

		if (strcmp(shape, shapes[i].name) != 0)
			continue;
		tn_buf_init(&text, TN_FLOOR_TEXT_BYTES_MAX);
		put_shape(&text, &shapes[i]);
		(void)fwrite(text.data, 1, text.size, stdout);
		tn_buf_finish(&text);
		return 0;
	}
	return 2;
}
