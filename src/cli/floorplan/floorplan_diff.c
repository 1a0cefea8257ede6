/* tenon floorplan diff: what changed between two plans, as lines, as JSON, as a picture. */
#include <string.h>

#include "apps/floorplan/edit/difference.h"
#include "apps/floorplan/limits.h"
#include "apps/floorplan/picture/picture.h"
#include "base/size.h"
#include "cli/floorplan/floorplan.h"
#include "cli/floorplan/floorplan_author.h"
#include "draw/fonts.h"

struct diff {
	struct tn_cli cli;
	const char *files[2], *output;
	int64_t width, height;
	bool exit_code;
	struct tn_floor_plan *plans[2];
};

static int fail(const struct diff *diff, const char *what, const struct tenon_error *err)
{
	(void)tn_cli_fail_error(&diff->cli, TN_EXIT_USAGE, what, err);
	return err->code == TENON_NO_MEMORY || err->code == TENON_SYSTEM ? TN_FLOOR_EXIT_MACHINE
									 : TN_FLOOR_EXIT_FAULT;
}

static int read_plan(struct diff *diff, size_t which)
{
	const char *file = diff->files[which];
	struct tenon_error err = {0};
	struct tn_buf text;
	int exit = tn_floor_cli_read(&diff->cli, file, (size_t)4 * TN_FLOOR_TEXT_BYTES_MAX, &text);

	if (exit == TN_FLOOR_EXIT_GOOD &&
	    tn_floor_plan_create(tn_buf_str(&text), false, &diff->plans[which], &err) != TENON_OK)
		exit = fail(diff, file, &err);
	tn_buf_finish(&text);
	if (exit != TN_FLOOR_EXIT_GOOD || diff->plans[which]->valid)
		return exit;
	tn_floor_cli_tell(file, &diff->plans[which]->diagnostics);
	(void)tn_fail(&err, TENON_INVALID, "the plan has errors");
	return fail(diff, file, &err);
}

/* Of a name: .svg, or anything else is PNG. */
static int draw(const struct diff *diff)
{
	struct tn_letters_told told = {.font_count = 0};
	struct tn_fonts *fonts = NULL;
	struct tn_floor_picture_options options = {.width = (uint32_t)diff->width,
						   .height = (uint32_t)diff->height,
						   .all_floors = true,
						   .labels = -1,
						   .dimensions = -1,
						   .area_in_sqm = -1,
						   .told = &told};
	bool svg = tn_str_ends(tn_str_from(diff->output), TN_STR(".svg"));
	struct tn_floor_picture picture = {.display = NULL};
	struct tenon_error err = {0};
	struct tn_arena arena;
	struct tn_buf out;
	enum tenon_code code;
	int exit;

	tn_arena_init(&arena, TN_FLOOR_ARENA_MAX);
	tn_buf_init(&out, (size_t)4 * TN_FLOOR_OUTPUT_BYTES_MAX);
	code = tn_fonts_open(NULL, &fonts, &err);
	options.fonts = fonts;
	if (code == TENON_OK)
		code = tn_floor_draw_difference(diff->plans[0], diff->plans[1], &options, &arena,
						&picture, &err);
	if (code == TENON_OK)
		code = svg ? tn_draw_svg(picture.display, &out, &err)
			   : tn_draw_png(picture.display, 1, &out, &err);
	exit = code == TENON_OK ? tn_floor_cli_store(&diff->cli, diff->output, tn_buf_str(&out))
				: fail(diff, diff->output, &err);
	tn_display_free(picture.display);
	tn_fonts_close(fonts);
	tn_floor_cli_tell_letters(diff->output, &told);
	tn_buf_finish(&out);
	tn_arena_finish(&arena);
	return exit;
}

static int tell(const struct diff *diff, size_t *ret_count)
{
	bool taken = diff->output && strcmp(diff->output, "-") == 0;
	struct tn_buf out;
	int exit = TN_FLOOR_EXIT_GOOD;

	tn_buf_init(&out, TN_FLOOR_OUTPUT_BYTES_MAX);
	if (diff->cli.json) {
		tn_buf_append_text(&out, "{\"changes\":");
		*ret_count = tn_floor_put_difference_json(&out, diff->plans[0], diff->plans[1]);
		tn_buf_append_text(&out, "}\n");
	} else {
		*ret_count = tn_floor_put_difference(&out, diff->plans[0], diff->plans[1]);
	}
	if (out.failed) {
		(void)tn_cli_fail(&diff->cli, TN_EXIT_USAGE, "LIMIT", false,
				  "the list is too large");
		exit = TN_FLOOR_EXIT_MACHINE;
	} else if (!taken) {
		exit = tn_cli_write(&diff->cli, &out, TN_FLOOR_EXIT_GOOD) == 0
			       ? TN_FLOOR_EXIT_GOOD
			       : TN_FLOOR_EXIT_MACHINE;
	}
	tn_buf_finish(&out);
	return exit;
}

static int compare(struct diff *diff)
{
	size_t count = 0;
	int exit = read_plan(diff, 0);

	if (exit == TN_FLOOR_EXIT_GOOD)
		exit = read_plan(diff, 1);
	if (exit == TN_FLOOR_EXIT_GOOD)
		exit = tell(diff, &count);
	if (exit == TN_FLOOR_EXIT_GOOD && diff->output)
		exit = draw(diff);
	if (exit == TN_FLOOR_EXIT_GOOD && diff->exit_code && count > 0)
		exit = TN_FLOOR_EXIT_FAULT;
	return exit;
}

int tn_cli_floorplan_diff(int argc, char **argv)
{
	struct diff diff = {.cli = {.verb = "floorplan diff"}, .width = 1200, .height = 800};
	const struct tn_option list[] = {
		{.name = "output",
		 .letter = 'o',
		 .kind = TN_OPTION_TEXT,
		 .value = &diff.output,
		 .word = "PICTURE",
		 .help = "draw the difference as well: .png or .svg, - for standard output"},
		{.name = "width",
		 .kind = TN_OPTION_NUMBER,
		 .value = &diff.width,
		 .least = TN_FLOOR_SIDE_PIXELS_MIN,
		 .most = TN_FLOOR_SIDE_PIXELS_MAX,
		 .word = "PIXELS",
		 .help = "of the picture (1200)"},
		{.name = "height",
		 .kind = TN_OPTION_NUMBER,
		 .value = &diff.height,
		 .least = TN_FLOOR_SIDE_PIXELS_MIN,
		 .most = TN_FLOOR_SIDE_PIXELS_MAX,
		 .word = "PIXELS",
		 .help = "of the picture (800)"},
		{.name = "exit-code",
		 .kind = TN_OPTION_FLAG,
		 .value = &diff.exit_code,
		 .help = "exit 1 when there are differences"},
		{.name = "json",
		 .kind = TN_OPTION_FLAG,
		 .value = &diff.cli.json,
		 .help = "print JSON"},
	};
	const struct tn_options options = {
		.usage = "tenon floorplan diff BEFORE AFTER [options]",
		.summary = "What changed between two plans: rooms, stairs, lifts and connections "
			   "that came (+), went (-)\nor are another (~). Exit 0: good, 1: a plan "
			   "or the options, 2: a file.",
		.options = list,
		.option_count = TN_COUNT(list),
		.words = diff.files,
		.word_max = TN_COUNT(diff.files),
	};
	size_t count = 0;
	int exit = TN_FLOOR_EXIT_GOOD;

	if (!tn_cli_begin(&diff.cli, &options, argc, argv, &count, &exit))
		return exit;
	if (count != 2)
		return tn_cli_usage(&diff.cli, "name two files; one may be -");
	exit = compare(&diff);
	tn_floor_plan_free(diff.plans[0]);
	tn_floor_plan_free(diff.plans[1]);
	return exit;
}
