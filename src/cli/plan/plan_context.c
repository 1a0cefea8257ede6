/* tenon plan context: what a model would be told, to be looked at beforehand (plan.md section 9).
 */
#include "apps/plan/parse.h"
#include "apps/plan/service/report.h"
#include "base/limits.h"
#include "cli/plan/plan.h"

void tn_plan_run_context(struct tn_plan_run *run, int argc, char **argv)
{
	struct tn_plan *plan = NULL;
	struct tn_buf system, out;

	if (!tn_plan_run_options(run, "tenon plan context [FILE|-] [options]",
				 "Shows the one JSON document that a language model would get.",
				 NULL, 0, 1, argc, argv) ||
	    tn_plan_run_has_nothing(run) ||
	    !tn_plan_run_read(run, run->word_count ? run->words[0] : NULL, &plan))
		return;
	tn_buf_init(&system, 64 * TN_KIB);
	tn_buf_init(&out, TN_RESULT_BYTES_MAX);
	tn_plan_put_system_prompt(&system, plan->total_changes,
				  tn_plan_choose_form(TN_PLAN_PREFER_AUTO, TN_PLAN_REPLY_NONE,
						      false, plan->total_changes),
				  TN_PLAN_NON_TECHNICAL);
	tn_plan_put_context(&out, plan, tn_buf_str(&system), NULL, 0,
			    tn_plan_shows_details(&run->config, TN_PLAN_SOURCE_OPENAI));
	out.failed |= system.failed;
	tn_buf_finish(&system);
	tn_plan_run_write(run, &out);
	tn_plan_free(plan);
}
