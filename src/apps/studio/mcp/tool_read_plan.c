/* What the plan engine makes of a plan, for the question about it (run_tell.h). */
#include "apps/studio/run/run_tell.h"
#include "tenon/plan.h"

enum tenon_code tn_studio_read_plan(struct tn_str shown, struct tn_buf *ret_json,
				    struct tenon_error *err)
{
	struct tenon_plan *plan = NULL;
	enum tenon_code code = tenon_plan_parse(shown.data, shown.size, &plan, err);
	char *text;

	if (code != TENON_OK)
		return code;
	text = tenon_plan_to_json(plan, TENON_PLAN_CHANGES);
	if (text)
		tn_buf_append_text(ret_json, text);
	tenon_plan_free_text(text);
	tenon_plan_free(plan);
	return text ? tn_buf_check(ret_json, err) : tn_fail(err, TENON_NO_MEMORY, "out of memory");
}
