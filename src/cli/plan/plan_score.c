/* tenon plan score (plan.md sections 11 and 13). */
#include "apps/plan/parse.h"
#include "apps/plan/service/report.h"
#include "base/size.h"
#include "cli/plan/plan.h"

enum format { FORMAT_TEXT, FORMAT_JSON };

static void write_text(struct tn_buf *out, const struct tn_plan_score *score)
{
	tn_buf_format(out, "Score: %d/100 (%s)\nformat %d, number %d, count_only %d, short %d",
		      score->total, score->passed ? "passed" : "failed", score->format,
		      score->number, score->count_only, score->brief);
}

void tn_plan_run_score(struct tn_plan_run *run, int argc, char **argv)
{
	const char *answer = NULL;
	bool count_only = false;
	int profile = TN_PLAN_SCORE_EXACT, format = FORMAT_TEXT;
	const struct tn_option own[] = {
		{.name = "answer",
		 .kind = TN_OPTION_TEXT,
		 .value = &answer,
		 .word = "TEXT",
		 .help = "the explanation to score"},
		{.name = "count-only",
		 .kind = TN_OPTION_FLAG,
		 .value = &count_only,
		 .help = "the reader asked for the count only"},
		{.name = "profile",
		 .kind = TN_OPTION_CHOICE,
		 .value = &profile,
		 .choices = "exact|detailed",
		 .help = "detailed compares long answers"},
		{.name = "format",
		 .kind = TN_OPTION_CHOICE,
		 .value = &format,
		 .choices = "text|json",
		 .help = "how the result looks"},
	};
	struct tn_plan *plan = NULL;
	struct tn_plan_score score;
	struct tn_buf out;

	if (!tn_plan_run_options(run, "tenon plan score --answer TEXT [--count-only] [FILE|-]",
				 "Scores an explanation from 0 to 100; 80 passes.", own,
				 TN_COUNT(own), 1, argc, argv))
		return;
	if (!answer) {
		tn_plan_run_say(run, "--answer is missing");
		tn_plan_run_note(run, TN_PLAN_EXIT_USAGE);
		return;
	}
	if (tn_plan_run_has_nothing(run) ||
	    !tn_plan_run_read(run, run->word_count ? run->words[0] : NULL, &plan))
		return;
	score = tn_plan_score(tn_str_from(answer), plan->total_changes, count_only,
			      (enum tn_plan_score_profile)profile);
	tn_buf_init(&out, TN_MIB);
	if (format == FORMAT_JSON)
		tn_plan_report_score(&out, plan, &score, (enum tn_plan_score_profile)profile);
	else
		write_text(&out, &score);
	tn_plan_run_write(run, &out);
	tn_plan_free(plan);
}
