/* tenon plan risk (plan.md sections 8 and 13). */
#include "apps/plan/parse.h"
#include "apps/plan/explain/risk_text.h"
#include "apps/plan/explain/sarif.h"
#include "base/limits.h"
#include "base/size.h"
#include "cli/plan/plan.h"

enum format { FORMAT_TEXT, FORMAT_MARKDOWN, FORMAT_JSON, FORMAT_SARIF };

/* Where a finding is shown: the file, unless it was piped or lies outside the working folder. */
static struct tn_str artifact(const struct tn_plan_run *run)
{
	struct tn_str file = run->word_count ? tn_str_from(run->words[0]) : tn_str(NULL, 0);

	if (tn_str_is(file, "-") || (file.size && file.data[0] == '/'))
		return tn_str(NULL, 0);
	return file;
}

void tn_plan_run_risk(struct tn_plan_run *run, int argc, char **argv)
{
	int format = FORMAT_TEXT, least = 0;
	const struct tn_option own[] = {
		{.name = "min-level",
		 .kind = TN_OPTION_CHOICE,
		 .value = &least,
		 .choices = "low|medium|high|critical",
		 .help = "leave out findings below this"},
		{.name = "format",
		 .kind = TN_OPTION_CHOICE,
		 .value = &format,
		 .choices = "text|markdown|json|sarif",
		 .help = "sarif is for code hosts"},
	};
	enum tn_plan_risk level;
	struct tn_plan *plan = NULL;
	struct tn_buf out;

	if (!tn_plan_run_options(run, "tenon plan risk [FILE|-] [options]",
				 "Lists what may go wrong when the plan is applied.", own,
				 TN_COUNT(own), 1, argc, argv) ||
	    tn_plan_run_has_nothing(run))
		return;
	run->json = format == FORMAT_JSON;
	if (!tn_plan_run_read(run, run->word_count ? run->words[0] : NULL, &plan))
		return;
	level = (enum tn_plan_risk)(TN_PLAN_RISK_LOW + least);
	tn_buf_init(&out, TN_RESULT_BYTES_MAX);
	if (format == FORMAT_MARKDOWN)
		tn_plan_put_risk_markdown(&out, plan, level);
	else if (format == FORMAT_JSON)
		tn_plan_put_risk_json(&out, plan, level);
	else if (format == FORMAT_SARIF)
		tn_plan_put_sarif(&out, plan, level, artifact(run));
	else
		tn_plan_put_risk_text(&out, plan, level);
	tn_plan_run_write(run, &out);
	tn_plan_free(plan);
}
