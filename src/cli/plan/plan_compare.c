/* tenon plan compare (plan.md sections 12 and 13). */
#include <string.h>

#include "apps/plan/explain/compare.h"
#include "apps/plan/parse.h"
#include "base/limits.h"
#include "base/size.h"
#include "cli/plan/plan.h"

enum format { FORMAT_TEXT, FORMAT_JSON };

static void write_result(struct tn_plan_run *run, const struct tn_plan *one,
			 const struct tn_plan *other, int format)
{
	struct tenon_error err = {0};
	enum tenon_code code;
	struct tn_buf out;

	tn_buf_init(&out, TN_RESULT_BYTES_MAX);
	code = format == FORMAT_JSON ? tn_plan_put_compare_json(&out, one, other, &err)
				     : tn_plan_put_compare_text(&out, one, other, &err);
	if (code != TENON_OK)
		out.failed = true;
	tn_plan_run_write(run, &out);
}

void tn_plan_run_compare(struct tn_plan_run *run, int argc, char **argv)
{
	int format = FORMAT_TEXT;
	const struct tn_option own[] = {
		{.name = "format",
		 .kind = TN_OPTION_CHOICE,
		 .value = &format,
		 .choices = "text|json",
		 .help = "how the result looks"},
	};
	struct tn_plan *one = NULL, *other = NULL;
	bool read_one, read_other;

	if (!tn_plan_run_options(run, "tenon plan compare FILE1 FILE2 [options]",
				 "Shows which changes FILE2 adds to FILE1, lacks, or makes "
				 "differently; one of them may be -.",
				 own, TN_COUNT(own), 2, argc, argv))
		return;
	if (run->word_count != 2 ||
	    (strcmp(run->words[0], "-") == 0 && strcmp(run->words[1], "-") == 0)) {
		tn_plan_run_say(run,
				"two files are needed; one of them may be - for standard input");
		tn_plan_run_note(run, TN_PLAN_EXIT_USAGE);
		return;
	}
	/* Both are read, so that a pipe is emptied even when the other file is at fault. */
	read_one = tn_plan_run_read(run, run->words[0], &one);
	read_other = tn_plan_run_read(run, run->words[1], &other);
	if (read_one && read_other)
		write_result(run, one, other, format);
	tn_plan_free(one);
	tn_plan_free(other);
}
