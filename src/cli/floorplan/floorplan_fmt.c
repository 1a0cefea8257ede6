/* tenon floorplan fmt: the usual layout, in place or to standard output. */
#include <string.h>

#include "apps/floorplan/exchange/format.h"
#include "apps/floorplan/limits.h"
#include "base/size.h"
#include "cli/floorplan/floorplan.h"
#include "cli/floorplan/floorplan_author.h"

enum { FILES_MAX = 256 };

struct fmt {
	struct tn_cli cli;
	bool check, write;
};

/* What is wrong with a text that does not parse. */
static int tell_faults(const struct fmt *fmt, const char *file, struct tn_str text,
		       const struct tenon_error *why)
{
	struct tn_floor_plan *plan = NULL;
	struct tenon_error err = *why;

	if (why->code == TENON_INVALID &&
	    tn_floor_plan_create(text, false, &plan, &err) == TENON_OK)
		tn_floor_cli_tell(file, &plan->diagnostics);
	tn_floor_plan_free(plan);
	(void)tn_cli_fail_error(&fmt->cli, TN_EXIT_USAGE, file, &err);
	return err.code == TENON_INVALID ? TN_FLOOR_EXIT_FAULT : TN_FLOOR_EXIT_MACHINE;
}

static int put_out(const struct fmt *fmt, const char *file, bool same, struct tn_str formatted)
{
	if (fmt->check) {
		if (!same)
			(void)printf("%s\n", file);
		return same ? TN_FLOOR_EXIT_GOOD : TN_FLOOR_EXIT_FAULT;
	}
	if (fmt->write)
		return same ? TN_FLOOR_EXIT_GOOD : tn_floor_cli_store(&fmt->cli, file, formatted);
	return tn_floor_cli_store(&fmt->cli, "-", formatted);
}

static int format_file(const struct fmt *fmt, const char *file)
{
	struct tenon_error err = {0};
	struct tn_buf text, formatted;
	int exit = tn_floor_cli_read(&fmt->cli, file, (size_t)4 * TN_FLOOR_TEXT_BYTES_MAX, &text);

	tn_buf_init(&formatted, TN_FLOOR_OUTPUT_BYTES_MAX);
	if (exit == TN_FLOOR_EXIT_GOOD &&
	    tn_floor_format(tn_buf_str(&text), &formatted, &err) != TENON_OK)
		exit = tell_faults(fmt, file, tn_buf_str(&text), &err);
	else if (exit == TN_FLOOR_EXIT_GOOD)
		exit = put_out(fmt, file, tn_str_equal(tn_buf_str(&text), tn_buf_str(&formatted)),
			       tn_buf_str(&formatted));
	tn_buf_finish(&formatted);
	tn_buf_finish(&text);
	return exit;
}

int tn_cli_floorplan_fmt(int argc, char **argv)
{
	struct fmt fmt = {.cli = {.verb = "floorplan fmt"}};
	const char *files[FILES_MAX] = {NULL};
	const struct tn_option list[] = {
		{.name = "check",
		 .letter = 'c',
		 .kind = TN_OPTION_FLAG,
		 .value = &fmt.check,
		 .help = "write nothing; name the files that would change, and exit 1 if any"},
		{.name = "write",
		 .letter = 'w',
		 .kind = TN_OPTION_FLAG,
		 .value = &fmt.write,
		 .help = "write each file in place"},
	};
	const struct tn_options options = {
		.usage = "tenon floorplan fmt FILE|-... [options]",
		.summary = "The usual layout: two blanks a level, one between words, at most one "
			   "empty line.\nLines stay lines, comments and the order of everything "
			   "stay as they are, and nothing is\nadded or left out; `export --format "
			   "canonical` writes a plan anew. Exit 0: good,\n1: the text or the "
			   "options, 2: a file.",
		.options = list,
		.option_count = TN_COUNT(list),
		.words = files,
		.word_max = FILES_MAX,
	};
	size_t count = 0;
	int worst = TN_FLOOR_EXIT_GOOD;

	if (!tn_cli_begin(&fmt.cli, &options, argc, argv, &count, &worst))
		return worst;
	if (count == 0)
		return tn_cli_usage(&fmt.cli, "name a FILE; - is standard input");
	for (size_t i = 0; i < count; i++) {
		int exit;

		if (fmt.write && strcmp(files[i], "-") == 0)
			return tn_cli_usage(&fmt.cli, "--write needs files");
		exit = format_file(&fmt, files[i]);
		worst = exit > worst ? exit : worst;
	}
	return worst;
}
