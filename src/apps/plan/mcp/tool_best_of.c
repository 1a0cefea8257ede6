/* terraform_explain_best_of_n: several candidates, scored, the best one returned (plan.md
 * sections 11.1 and 12.2). */
#include <stdio.h>

#include "apps/plan/mcp/tool_telling.h"
#include "apps/plan/mcp/tools.h"
#include "base/limits.h"
#include "jsonrpc/json_write.h"
#include "mcp/fit.h"

enum { INTERNAL_ERROR = -32603 };

struct best_of {
	struct tn_plan_telling telling;
	struct tn_plan_answer answer;
	bool answer_begun;
	struct tn_plan_best best;
	bool sampled, chosen;
	unsigned count;
};

static void free_best_of(void *data)
{
	struct best_of *x = data;

	if (x->answer_begun)
		tn_plan_answer_finish(&x->answer);
}

static void make(struct tn_plan_task *task)
{
	struct best_of *x = task->extra;
	struct tn_str text;

	if (!x->sampled)
		tn_plan_answer_run_best(&x->answer, &x->telling.wish, x->count, &x->best);
	if (x->answer.failure == tn_plan_internal)
		return;
	x->chosen = tn_plan_choose_best(&x->best, task->plan->total_changes,
					x->telling.wish.form == TN_PLAN_FORM_COUNT);
	if (!x->chosen)
		return;
	text = x->best.candidates[x->best.best].response;
	tn_plan_telling_record(&x->telling, task, text, x->best.candidates[x->best.best].score,
			       x->answer.source_used);
}

/* All candidates failed: the first one's reason is the call's. */
static void fail_all(struct tn_plan_task *task, const struct best_of *x)
{
	const char *why = tn_arena_copy(&task->arena, x->best.candidates[0].error);

	if (x->answer.failure == tn_plan_internal)
		tenon_call_refuse(task->call, INTERNAL_ERROR, "out of memory", NULL);
	else
		tn_plan_task_fail(task,
				  x->answer.failure ? x->answer.failure : "source_unavailable",
				  why ? why : "no candidate can be used", NULL);
}

static void made(struct tn_plan_task *task)
{
	struct best_of *x = task->extra;
	struct tn_buf text, structured;

	if (!x->chosen) {
		fail_all(task, x);
		return;
	}
	tn_plan_telling_tell(&x->telling, task);
	tn_buf_init(&text, TN_RESULT_BYTES_MAX);
	tn_buf_init(&structured, TN_RESULT_BYTES_MAX);
	tn_plan_put_best_text(&text, &x->best);
	if (tn_call_sends_structured(task->call))
		tn_plan_put_best_json(&structured, &x->best, task->plan,
				      tn_plan_source_name(x->answer.source_used));
	tn_plan_task_reply(task, &text, &structured);
}

static void start_making(struct tn_plan_task *task)
{
	struct best_of *x = task->extra;

	task->steps = x->count;
	if (x->sampled)
		atomic_store(&task->finished, x->count);
	tn_plan_task_work(task, make, made);
}

/* Up to four questions at a time; each entry of the handler counts what has been answered. */
static void use_sampling(struct tn_plan_task *task, struct best_of *x)
{
	struct tn_str system, document;
	const char *params = NULL;
	unsigned asked = 0, answered = 0;

	if (tn_plan_answer_question(&x->answer, &x->telling.wish, &system, &document))
		params = tn_plan_sampling_params(task, &x->telling.wish, system, document);
	if (!params) {
		tenon_call_refuse(task->call, INTERNAL_ERROR, "out of memory", NULL);
		return;
	}
	x->best = (struct tn_plan_best){.count = x->count};
	for (unsigned i = 0; i < x->count && asked < TN_PLAN_PARALLEL_MAX; i++) {
		const struct tenon_answer *answer;
		const char *text;
		char key[32];

		(void)snprintf(key, sizeof(key), "candidate-%u", i + 1);
		answer = tenon_call_sample(task->call, key, params);
		if (!answer) {
			asked++;
			continue;
		}
		answered++;
		text = tenon_answer_text(answer, NULL);
		tn_plan_take_candidate(&task->arena, &x->telling.wish,
				       tn_str_from(text ? text : ""), &x->best.candidates[i]);
	}
	if (answered)
		tenon_call_progress(task->call, answered, x->count, NULL);
	if (asked) {
		tn_plan_task_note(task);
		return;
	}
	x->sampled = true;
	x->answer.source_used = TN_PLAN_SOURCE_SAMPLING;
	start_making(task);
}

static bool prepare(struct tn_plan_task *task, struct best_of *x)
{
	struct tn_str preference_text = tn_str_from(tenon_call_text(task->call, "user_preference"));
	enum tn_plan_preference preference = TN_PLAN_PREFER_COUNT;
	int64_t count = TN_PLAN_CANDIDATES_DEFAULT;

	(void)tn_plan_preference_from_name(preference_text, &preference); /* absent: count only */
	(void)tenon_call_int(task->call, "n", &count);                    /* absent: 3 */
	x->count = (unsigned)count;
	tn_plan_telling_read(&x->telling, task, TN_PLAN_TEMPERATURE_DEFAULT);
	x->telling.wish.form = tn_plan_best_form(preference, task->plan->total_changes);
	x->telling.turns[x->telling.wish.turn_count++] =
		(struct tn_plan_turn){TN_STR("user"), x->telling.wish.form == TN_PLAN_FORM_COUNT
							      ? TN_STR(TN_PLAN_OPTION_COUNT)
							      : TN_STR(TN_PLAN_OPTION_FULL)};
	if (x->answer_begun)
		tn_plan_answer_finish(&x->answer);
	tn_plan_answer_begin(&x->answer);
	x->answer_begun = true;
	if (x->telling.wish.source == TN_PLAN_SOURCE_CLIENT) {
		x->telling.unusable = "source_unavailable";
		(void)tn_fail(&x->telling.why_unusable, TENON_INVALID,
			      "source client words one answer itself; it makes no candidates");
	}
	if (x->telling.unusable && x->telling.automatic) {
		x->telling.unusable = NULL;
		x->telling.wish.source = TN_PLAN_SOURCE_BUILTIN;
	}
	if (x->telling.unusable)
		tn_plan_task_fail(task, x->telling.unusable, x->telling.why_unusable.message, NULL);
	return !x->telling.unusable;
}

static void ready(struct tn_plan_task *task)
{
	struct best_of *x = task->extra;

	if (!x) {
		x = tn_arena_alloc(&task->arena, sizeof(*x));
		if (!x) {
			tenon_call_refuse(task->call, INTERNAL_ERROR, "out of memory", NULL);
			return;
		}
		task->extra = x;
		task->free_extra = free_best_of;
	}
	if (!prepare(task, x))
		return;
	if (x->telling.wish.source == TN_PLAN_SOURCE_SAMPLING)
		use_sampling(task, x);
	else
		start_making(task);
}

void tn_plan_call_best_of(struct tenon_call *call, void *state)
{
	tn_plan_task_start(call, state, TN_PLAN_TASK_TOOL, false, ready);
}
