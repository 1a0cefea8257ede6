#include "apps/plan/explain/best_of.h"

#include "jsonrpc/json_write.h"

enum tn_plan_form tn_plan_best_form(enum tn_plan_preference preference, uint32_t total_changes)
{
	switch (preference) {
	case TN_PLAN_PREFER_FULL:
		return TN_PLAN_FORM_FULL;
	case TN_PLAN_PREFER_COUNT:
		return TN_PLAN_FORM_COUNT;
	case TN_PLAN_PREFER_AUTO:
		break;
	}
	return total_changes > TN_PLAN_ASK_ABOVE ? TN_PLAN_FORM_COUNT : TN_PLAN_FORM_FULL;
}

/* Steps of 0.75: the default temperature still begins with the plain wording. */
static unsigned rotation(double temperature)
{
	if (temperature >= 1.5)
		return 2;
	return temperature >= 0.75 ? 1 : 0; /* also for what is not a number */
}

static enum tn_plan_wording wording_of(unsigned index, double temperature,
				       enum tn_plan_audience audience)
{
	enum tn_plan_wording wording = (index + rotation(temperature)) % TN_PLAN_WORDING_COUNT;

	if (audience != TN_PLAN_DEVELOPER)
		return wording;
	if (wording == TN_PLAN_WORDING_PLAIN)
		return TN_PLAN_WORDING_DEVELOPER;
	return wording == TN_PLAN_WORDING_DEVELOPER ? TN_PLAN_WORDING_PLAIN : wording;
}

void tn_plan_put_candidate(struct tn_buf *out, const struct tn_plan *plan, unsigned index,
			   double temperature, enum tn_plan_form form,
			   enum tn_plan_audience audience)
{
	if (form == TN_PLAN_FORM_COUNT)
		tn_plan_put_count_line(out, plan->total_changes);
	else
		tn_plan_put_explanation_worded(out, plan, wording_of(index, temperature, audience));
}

bool tn_plan_choose_best(struct tn_plan_best *best, uint32_t total_changes, bool count_only)
{
	bool any = false;

	best->best = 0;
	for (unsigned i = 0; i < best->count; i++) {
		struct tn_plan_candidate *candidate = &best->candidates[i];

		candidate->score = 0;
		if (candidate->error.data)
			continue;
		candidate->score = tn_plan_score(candidate->response, total_changes, count_only,
						 TN_PLAN_SCORE_EXACT)
					   .total;
		/* A failed attempt never stands for one that has an answer, however poor. */
		if (!any || candidate->score > best->candidates[best->best].score)
			best->best = i;
		any = true;
	}
	best->passed = any && best->candidates[best->best].score >= TN_PLAN_SCORE_PASSING;
	return any;
}

/* An attempt on one line. */
static void put_attempt(struct tn_buf *out, const struct tn_plan_candidate *candidate)
{
	struct tn_str text = candidate->response;
	size_t end;

	if (candidate->error.data) {
		tn_buf_append_text(out, "(failed: ");
		text = candidate->error;
	}
	while ((end = tn_str_find_byte(text, '\n')) != TN_STR_NONE) {
		tn_buf_append(out, text.data, end);
		tn_buf_append_text(out, " / ");
		text = tn_str_from_offset(text, end + 1);
	}
	tn_buf_append_str(out, text);
	if (candidate->error.data)
		tn_buf_append_byte(out, ')');
}

void tn_plan_put_best_text(struct tn_buf *out, const struct tn_plan_best *best)
{
	const struct tn_plan_candidate *winner = &best->candidates[best->best];

	tn_buf_format(out, "Best-of-%u Result:\n\n", best->count);
	tn_buf_append_str(out, winner->response);
	tn_buf_format(out, "\n\nScore: %d/%d\n\nAll attempts:", winner->score, TN_PLAN_SCORE_MAX);
	for (unsigned i = 0; i < best->count; i++) {
		tn_buf_format(out, "\n%u. ", i + 1);
		put_attempt(out, &best->candidates[i]);
		tn_buf_format(out, " (%d/%d)", best->candidates[i].score, TN_PLAN_SCORE_MAX);
	}
}

void tn_plan_put_best_json(struct tn_buf *out, const struct tn_plan_best *best,
			   const struct tn_plan *plan, const char *source_used)
{
	const struct tn_plan_candidate *winner = &best->candidates[best->best];

	tn_json_begin_object(out);
	tn_json_put_member_str(out, "best_response", winner->response);
	tn_json_put_member_int(out, "best_score", winner->score);
	tn_json_put_member_bool(out, "passed", best->passed);
	tn_json_put_member_int(out, "total_attempts", best->count);
	tn_json_put_member_int(out, "best_index", best->best);
	tn_json_put_key(out, "all_responses");
	tn_json_begin_array(out);
	for (unsigned i = 0; i < best->count; i++) {
		const struct tn_plan_candidate *candidate = &best->candidates[i];

		tn_json_begin_object(out);
		tn_json_put_member_str(out, "response", candidate->response);
		tn_json_put_member_int(out, "score", candidate->score);
		if (candidate->error.data)
			tn_json_put_member_str(out, "error", candidate->error);
		else
			tn_json_put_member_null(out, "error");
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
	tn_json_put_member_text(out, "source_used", source_used);
	tn_json_put_member_text(out, "plan_id", plan->id[0] ? plan->id : NULL);
	tn_json_put_member_int(out, "total_changes", plan->total_changes);
	tn_json_end_object(out);
}
