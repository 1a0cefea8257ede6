/* tenon floorplan watch: checks a file, and draws it, whenever it is saved. */
#include <errno.h>
#include <libgen.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "apps/floorplan/picture/picture.h"
#include "apps/floorplan/limits.h"
#include "base/mem.h"
#include "base/size.h"
#include "cli/floorplan/floorplan.h"
#include "cli/floorplan/floorplan_author.h"
#include "draw/fonts.h"

struct watch {
	struct tn_cli cli;
	const char *file, *output;
	int64_t width, height;
};

/* ---- one look ---- */

static void draw(const struct watch *watch, const struct tn_floor_plan *plan)
{
	struct tn_letters_told told = {.font_count = 0};
	struct tn_fonts *fonts = NULL;
	struct tn_floor_picture_options options = {.width = (uint32_t)watch->width,
						   .height = (uint32_t)watch->height,
						   .all_floors = true,
						   .labels = -1,
						   .dimensions = -1,
						   .area_in_sqm = -1,
						   .told = &told};
	bool svg = tn_str_ends(tn_str_from(watch->output), TN_STR(".svg"));
	struct tn_floor_picture picture = {.display = NULL};
	struct tenon_error err = {0};
	struct tn_arena arena;
	struct tn_buf out;
	enum tenon_code code;

	tn_arena_init(&arena, TN_FLOOR_ARENA_MAX);
	tn_buf_init(&out, (size_t)4 * TN_FLOOR_OUTPUT_BYTES_MAX);
	code = tn_fonts_open(NULL, &fonts, &err);
	options.fonts = fonts;
	if (code == TENON_OK)
		code = tn_floor_draw(plan, &options, &arena, &picture, &err);
	if (code == TENON_OK)
		code = svg ? tn_draw_svg(picture.display, &out, &err)
			   : tn_draw_png(picture.display, 1, &out, &err);
	if (code == TENON_OK)
		(void)tn_floor_cli_store(&watch->cli, watch->output, tn_buf_str(&out)); /* said */
	else
		(void)tn_cli_fail_error(&watch->cli, TN_EXIT_USAGE, watch->output, &err);
	tn_display_free(picture.display);
	tn_fonts_close(fonts);
	tn_floor_cli_tell_letters(watch->file, &told);
	tn_buf_finish(&out);
	tn_arena_finish(&arena);
}

static void tell(const struct watch *watch, const struct tn_floor_plan *plan)
{
	const size_t *counts = plan->diagnostics.counts;

	tn_floor_cli_tell(watch->file, &plan->diagnostics);
	(void)printf("%s: %s, %zu errors, %zu warnings, %u floors, %u rooms\n", watch->file,
		     plan->valid ? "valid" : "not valid", counts[TN_FLOOR_ERROR],
		     counts[TN_FLOOR_WARNING], plan->floor_count, plan->room_count);
	(void)fflush(stdout);
}

/* A file that is gone for a moment, as some editors save, is looked at when it is back. */
static int look(const struct watch *watch)
{
	struct tenon_error err = {0};
	struct tn_floor_plan *plan = NULL;
	struct tn_buf text;
	int exit = tn_floor_cli_read(&watch->cli, watch->file, (size_t)4 * TN_FLOOR_TEXT_BYTES_MAX,
				     &text);

	if (exit == TN_FLOOR_EXIT_GOOD &&
	    tn_floor_plan_create(tn_buf_str(&text), false, &plan, &err) != TENON_OK) {
		(void)tn_cli_fail_error(&watch->cli, TN_EXIT_USAGE, watch->file, &err);
		exit = TN_FLOOR_EXIT_MACHINE;
	}
	if (plan) {
		tell(watch, plan);
		if (watch->output && plan->valid)
			draw(watch, plan);
	}
	tn_floor_plan_free(plan);
	tn_buf_finish(&text);
	return exit;
}

/* ---- waiting ---- */

/* Whether one of the events is of our file. */
static bool is_ours(const char *events, size_t size, const char *name)
{
	while (size >= sizeof(struct inotify_event)) {
		struct inotify_event event;
		size_t step;

		memcpy(&event, events, sizeof(event));
		step = sizeof(event) + event.len;
		if (step > size)
			break;
		if (event.len > 0 && strcmp(events + sizeof(event), name) == 0)
			return true;
		events += step;
		size -= step;
	}
	return false;
}

static int fail_watching(const struct watch *watch)
{
	struct tenon_error err = {0};

	(void)tn_fail_errno(&err, errno, "watch the folder");
	(void)tn_cli_fail_error(&watch->cli, TN_EXIT_USAGE, watch->file, &err);
	return TN_FLOOR_EXIT_MACHINE;
}

/* The folder is watched, not the file: editors replace it. Ends with a signal. */
static int wait_and_look(const struct watch *watch, const char *folder, const char *name)
{
	int exit = TN_FLOOR_EXIT_MACHINE, fd = inotify_init1(IN_CLOEXEC);
	char events[4096];
	ssize_t got;

	if (fd < 0)
		return fail_watching(watch);
	if (inotify_add_watch(fd, folder, IN_CLOSE_WRITE | IN_MOVED_TO) < 0) {
		exit = fail_watching(watch);
		goto out;
	}
	/* Only now: nothing that is saved meanwhile is missed. */
	exit = look(watch);
	if (exit != TN_FLOOR_EXIT_GOOD)
		goto out;
	do {
		got = read(fd, events, sizeof(events));
		if (got > 0 && is_ours(events, (size_t)got, name))
			(void)look(watch); /* said; the next save may be better */
	} while (got > 0 || (got < 0 && errno == EINTR));
	exit = fail_watching(watch);
out:
	(void)close(fd);
	return exit;
}

static int run(const struct watch *watch)
{
	char *for_folder = tn_mem_copy_text(watch->file, strlen(watch->file));
	char *for_name = tn_mem_copy_text(watch->file, strlen(watch->file));
	int exit = TN_FLOOR_EXIT_MACHINE;

	if (for_folder && for_name)
		exit = wait_and_look(watch, dirname(for_folder), basename(for_name));
	else
		(void)tn_cli_fail(&watch->cli, TN_EXIT_USAGE, "NO_MEMORY", false, "out of memory");
	tn_mem_free(for_folder);
	tn_mem_free(for_name);
	return exit;
}

int tn_cli_floorplan_watch(int argc, char **argv)
{
	struct watch watch = {.cli = {.verb = "floorplan watch"}, .width = 800, .height = 600};
	const char *words[1] = {NULL};
	const struct tn_option list[] = {
		{.name = "output",
		 .letter = 'o',
		 .kind = TN_OPTION_TEXT,
		 .value = &watch.output,
		 .word = "PICTURE",
		 .help = "draw all floors each time: .png or .svg"},
		{.name = "width",
		 .kind = TN_OPTION_NUMBER,
		 .value = &watch.width,
		 .least = TN_FLOOR_SIDE_PIXELS_MIN,
		 .most = TN_FLOOR_SIDE_PIXELS_MAX,
		 .word = "PIXELS",
		 .help = "of the picture (800)"},
		{.name = "height",
		 .kind = TN_OPTION_NUMBER,
		 .value = &watch.height,
		 .least = TN_FLOOR_SIDE_PIXELS_MIN,
		 .most = TN_FLOOR_SIDE_PIXELS_MAX,
		 .word = "PIXELS",
		 .help = "of the picture (600)"},
	};
	const struct tn_options options = {
		.usage = "tenon floorplan watch FILE [options]",
		.summary = "Checks a plan whenever it is saved, until Ctrl-C: what is wrong on "
			   "standard error, a line about\nthe plan on standard output. A plan with "
			   "errors leaves the picture as it was.",
		.options = list,
		.option_count = TN_COUNT(list),
		.words = words,
		.word_max = TN_COUNT(words),
	};
	size_t count = 0;
	int exit = TN_FLOOR_EXIT_GOOD;

	if (!tn_cli_begin(&watch.cli, &options, argc, argv, &count, &exit))
		return exit;
	if (count != 1 || strcmp(words[0], "-") == 0)
		return tn_cli_usage(&watch.cli, "name a FILE");
	watch.file = words[0];
	return run(&watch);
}
