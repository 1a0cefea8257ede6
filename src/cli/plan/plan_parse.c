/* tenon plan parse (plan.md sections 5 and 13). */
#include "apps/plan/parse.h"
#include "apps/plan/explain/table.h"
#include "apps/plan/explain/to_json.h"
#include "base/limits.h"
#include "base/size.h"
#include "cli/plan/plan.h"

enum format { FORMAT_JSON, FORMAT_TABLE, FORMAT_TSV };

void tn_plan_run_parse(struct tn_plan_run *run, int argc, char **argv)
{
	int format = FORMAT_JSON, detail = TN_PLAN_DETAIL_CHANGES;
	const struct tn_option own[] = {
		{.name = "format",
		 .kind = TN_OPTION_CHOICE,
		 .value = &format,
		 .choices = "json|table|tsv",
		 .help = "json is the whole result"},
		{.name = "detail",
		 .kind = TN_OPTION_CHOICE,
		 .value = &detail,
		 .choices = "summary|changes|full",
		 .help = "how much of it"},
	};
	struct tn_plan_filter filter = {0};
	struct tn_plan *plan = NULL;
	struct tn_buf out;

	if (!tn_plan_run_options(run, "tenon plan parse [FILE|-] [options]",
				 "Lists exactly which objects a plan changes.", own, TN_COUNT(own),
				 1, argc, argv) ||
	    tn_plan_run_has_nothing(run))
		return;
	run->json = format == FORMAT_JSON;
	if (!tn_plan_run_read(run, run->word_count ? run->words[0] : NULL, &plan))
		return;
	filter.detail = (enum tn_plan_detail)detail;
	tn_buf_init(&out, 16 * TN_RESULT_BYTES_MAX);
	if (format == FORMAT_TABLE)
		tn_plan_put_table(&out, plan, &filter);
	else if (format == FORMAT_TSV)
		tn_plan_put_tsv(&out, plan, &filter);
	else
		tn_plan_put_json(&out, plan, &filter);
	tn_plan_run_write(run, &out);
	tn_plan_free(plan);
}
