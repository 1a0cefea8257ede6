/* The public half of the engine: include/tenon/plan.h. */
#include "tenon/plan.h"

#include "apps/plan/explain/best_of.h"
#include "apps/plan/explain/context.h"
#include "apps/plan/explain/explain.h"
#include "apps/plan/parse.h"
#include "apps/plan/explain/score.h"
#include "apps/plan/explain/to_json.h"
#include "base/limits.h"
#include "base/mem.h"

enum { TURNS_MAX = 2 };

static const struct tn_plan *inner(const struct tenon_plan *plan)
{
	return (const struct tn_plan *)plan;
}

/* Hands a buffer's bytes over as text; NULL when the buffer failed. */
static char *take_text(struct tn_buf *buf)
{
	char *text = buf->failed ? NULL : tn_mem_copy_text(buf->data, buf->size);

	tn_buf_finish(buf);
	return text;
}

enum tenon_code tenon_plan_parse(const void *bytes, size_t size, struct tenon_plan **ret,
				 struct tenon_error *err)
{
	const struct tn_plan_options options = {.input_kind = TN_PLAN_INPUT_AUTO};
	struct tn_plan *plan;
	enum tenon_code code = tn_plan_parse(bytes, size, &options, &plan, NULL, err);

	if (code == TENON_OK)
		*ret = (struct tenon_plan *)plan;
	return code;
}

void tenon_plan_free(struct tenon_plan *plan)
{
	tn_plan_free((struct tn_plan *)plan);
}

void tenon_plan_free_text(char *text)
{
	tn_mem_free(text);
}

size_t tenon_plan_length(const struct tenon_plan *plan)
{
	return inner(plan)->total_changes;
}

char *tenon_plan_to_json(const struct tenon_plan *plan, enum tenon_plan_detail detail)
{
	static const enum tn_plan_detail details[] = {
		[TENON_PLAN_SUMMARY] = TN_PLAN_DETAIL_SUMMARY,
		[TENON_PLAN_CHANGES] = TN_PLAN_DETAIL_CHANGES,
		[TENON_PLAN_FULL] = TN_PLAN_DETAIL_FULL,
	};
	const struct tn_plan_filter filter = {.detail = details[detail]};
	struct tn_buf out;

	tn_buf_init(&out, SIZE_MAX / 2); /* as large as the plan needs: it is the caller's own */
	tn_plan_put_json(&out, inner(plan), &filter);
	return take_text(&out);
}

char *tenon_plan_context(const struct tenon_plan *plan, const char *system,
			 const struct tenon_plan_turn *turns, size_t turn_count)
{
	size_t first = turn_count > TURNS_MAX ? turn_count - TURNS_MAX : 0;
	struct tn_plan_turn kept[TURNS_MAX];
	struct tn_buf out, prompt;

	for (size_t i = first; i < turn_count; i++)
		kept[i - first] = (struct tn_plan_turn){tn_str_from(turns[i].role),
							tn_str_from(turns[i].content)};
	tn_buf_init(&out, TN_RESULT_BYTES_MAX);
	tn_buf_init(&prompt, 64 * TN_KIB);
	if (system)
		tn_buf_append_text(&prompt, system);
	else
		tn_plan_put_system_prompt(&prompt, inner(plan)->total_changes, TN_PLAN_FORM_ASK,
					  TN_PLAN_NON_TECHNICAL);
	tn_plan_put_context(&out, inner(plan), tn_buf_str(&prompt), kept, turn_count - first, true);
	tn_buf_finish(&prompt);
	return take_text(&out);
}

int tenon_plan_score(const char *answer, size_t plan_length, bool count_only)
{
	return tn_plan_score(tn_str_from(answer), plan_length, count_only, TN_PLAN_SCORE_EXACT)
		.total;
}

static enum tn_plan_preference preference_of(enum tenon_plan_preference preference)
{
	static const enum tn_plan_preference preferences[] = {
		[TENON_PLAN_AUTO] = TN_PLAN_PREFER_AUTO,
		[TENON_PLAN_COUNT_ONLY] = TN_PLAN_PREFER_COUNT,
		[TENON_PLAN_FULL_SUMMARY] = TN_PLAN_PREFER_FULL,
	};

	return preferences[preference];
}

char *tenon_plan_explain(const struct tenon_plan *plan, enum tenon_plan_preference preference,
			 bool developer)
{
	enum tn_plan_form form = tn_plan_choose_form(preference_of(preference), TN_PLAN_REPLY_NONE,
						     false, inner(plan)->total_changes);
	struct tn_buf out;

	tn_buf_init(&out, TN_RESULT_BYTES_MAX);
	tn_plan_put_explanation(&out, inner(plan), form,
				developer ? TN_PLAN_DEVELOPER : TN_PLAN_NON_TECHNICAL);
	return take_text(&out);
}

char *tenon_plan_best_of(const struct tenon_plan *plan, unsigned count, double temperature,
			 enum tenon_plan_preference preference, bool developer)
{
	uint32_t changes = inner(plan)->total_changes;
	enum tn_plan_form form = tn_plan_best_form(preference_of(preference), changes);
	struct tn_buf texts[TN_PLAN_CANDIDATES_MAX], out;
	struct tn_plan_best best = {.count = count};

	if (count < 1 || count > TN_PLAN_CANDIDATES_MAX || !(temperature >= 0) ||
	    temperature > TN_PLAN_TEMPERATURE_MAX)
		return NULL;
	for (unsigned i = 0; i < count; i++) {
		tn_buf_init(&texts[i], TN_RESULT_BYTES_MAX);
		tn_plan_put_candidate(&texts[i], inner(plan), i, temperature, form,
				      developer ? TN_PLAN_DEVELOPER : TN_PLAN_NON_TECHNICAL);
		best.candidates[i].response = tn_buf_str(&texts[i]);
	}
	(void)tn_plan_choose_best(&best, changes, form == TN_PLAN_FORM_COUNT); /* none can fail */
	tn_buf_init(&out, TN_RESULT_BYTES_MAX);
	tn_plan_put_best_json(&out, &best, inner(plan), "builtin");
	for (unsigned i = 0; i < count; i++)
		tn_buf_finish(&texts[i]);
	return take_text(&out);
}
