#include "apps/plan/service/answer.h"

#include "apps/plan/service/model_source.h"
#include "base/size.h"

enum { REFUSALS_MAX = 2, TEXT_BYTES_MAX = 1 << 20 };

const char tn_plan_internal[] = "internal";
static const char no_memory[] = "out of memory";

bool tn_plan_shows_details(const struct tn_plan_config *config, enum tn_plan_source source)
{
	if (config->context_details != TN_PLAN_SWITCH_DEFAULT)
		return config->context_details == TN_PLAN_SWITCH_ON;
	/* The client's model may be anywhere. */
	return source == TN_PLAN_SOURCE_BUILTIN ||
	       (source == TN_PLAN_SOURCE_OPENAI && !tn_plan_model_is_remote(config));
}

enum tn_plan_source tn_plan_resolve_source(const struct tn_plan_config *config,
					   enum tn_plan_source source)
{
	return source == TN_PLAN_SOURCE_AUTO ? config->preference : source;
}

void tn_plan_answer_begin(struct tn_plan_answer *answer)
{
	*answer = (struct tn_plan_answer){0};
	tn_arena_init(&answer->arena, 64 * TN_MIB);
}

void tn_plan_answer_finish(struct tn_plan_answer *answer)
{
	tn_arena_finish(&answer->arena);
}

/* Moves a buffer's text into the arena; no data when either had no memory. */
static struct tn_str keep(struct tn_arena *arena, struct tn_buf *text)
{
	const char *copy = text->failed ? NULL : tn_arena_copy(arena, tn_buf_str(text));
	struct tn_str kept = tn_str(copy, copy ? text->size : 0);

	tn_buf_finish(text);
	return kept;
}

/* ---- a model's text ---- */

bool tn_plan_answer_question(struct tn_plan_answer *answer, const struct tn_plan_wish *wish,
			     struct tn_str *ret_system, struct tn_str *ret_document)
{
	const struct tn_plan_turn *turns = answer->refused ? answer->retry : wish->turns;
	size_t turn_count = answer->refused ? TN_COUNT(answer->retry) : wish->turn_count;
	struct tn_buf text;

	tn_buf_init(&text, TEXT_BYTES_MAX);
	tn_plan_put_system_prompt(&text, wish->plan->total_changes, wish->form, wish->audience);
	*ret_system = keep(&answer->arena, &text);
	tn_buf_init(&text, TEXT_BYTES_MAX);
	tn_plan_put_context(&text, wish->plan, *ret_system, turns, turn_count,
			    tn_plan_shows_details(wish->config, wish->source));
	*ret_document = keep(&answer->arena, &text);
	return ret_system->data && ret_document->data;
}

void tn_plan_answer_use_builtin(struct tn_plan_answer *answer, const struct tn_plan_wish *wish,
				const char *failure, const char *why)
{
	struct tn_buf text;

	tn_buf_init(&text, TEXT_BYTES_MAX);
	tn_plan_put_explanation(&text, wish->plan, wish->form, wish->audience);
	answer->text = keep(&answer->arena, &text);
	answer->score = tn_plan_score(answer->text, wish->plan->total_changes,
				      wish->form == TN_PLAN_FORM_COUNT, TN_PLAN_SCORE_EXACT);
	answer->source_used = TN_PLAN_SOURCE_BUILTIN;
	answer->failure = answer->text.data ? failure : tn_plan_internal;
	if (!answer->text.data)
		answer->why = tn_str_from(no_memory);
	else if (why)
		answer->why = tn_str_from(tn_arena_copy(&answer->arena, tn_str_from(why)));
}

/* Section 10.6: the failures of the first text stand in the history of the second question. */
static void note_refusal(struct tn_plan_answer *answer, const struct tn_plan_verdict *verdict)
{
	struct tn_buf text;

	tn_buf_init(&text, TEXT_BYTES_MAX);
	tn_plan_put_retry_message(&text, verdict);
	answer->retry[0] = (struct tn_plan_turn){TN_STR("assistant"), verdict->answer};
	answer->retry[1] = (struct tn_plan_turn){TN_STR("user"), keep(&answer->arena, &text)};
}

bool tn_plan_answer_take(struct tn_plan_answer *answer, const struct tn_plan_wish *wish,
			 struct tn_str text)
{
	struct tn_plan_verdict verdict = {0};
	struct tenon_error err = {0};
	const char *why;

	if (tn_plan_guard(&answer->arena, wish->plan, text, wish->form == TN_PLAN_FORM_COUNT,
			  &verdict, &err) != TENON_OK) {
		tn_plan_answer_use_builtin(answer, wish, "guard", err.message);
		return true;
	}
	if (verdict.failure_count == 0) {
		answer->text = verdict.answer;
		answer->score = verdict.score;
		answer->source_used = wish->source;
		return true;
	}
	if (++answer->refused < REFUSALS_MAX) {
		note_refusal(answer, &verdict);
		return false;
	}
	why = tn_arena_format(&answer->arena,
			      "the model's answer was refused twice, the second time because: %.*s",
			      (int)verdict.failures[0].size, verdict.failures[0].data);
	tn_plan_answer_use_builtin(answer, wish, "guard", why ? why : no_memory);
	return true;
}

/* ---- the whole way ---- */

static void run_openai(struct tn_plan_answer *answer, const struct tn_plan_wish *wish)
{
	bool done = false;

	while (!done) {
		struct tn_plan_model_question question = {.temperature = wish->temperature};
		struct tn_plan_model_reply reply = {0};

		if (!tn_plan_answer_question(answer, wish, &question.system, &question.document)) {
			tn_plan_answer_use_builtin(answer, wish, "source_unavailable", no_memory);
			return;
		}
		tn_plan_model_run(wish->client, wish->config, &question, &reply, 1, wish->cancel,
				  NULL);
		if (reply.reason)
			tn_plan_answer_use_builtin(answer, wish, reply.reason, reply.err.message);
		done = reply.reason || tn_plan_answer_take(answer, wish, tn_buf_str(&reply.text));
		tn_buf_finish(&reply.text);
	}
}

void tn_plan_answer_run(struct tn_plan_answer *answer, const struct tn_plan_wish *wish)
{
	if (wish->source == TN_PLAN_SOURCE_OPENAI)
		run_openai(answer, wish);
	else
		tn_plan_answer_use_builtin(answer, wish, NULL, NULL);
	if (wish->finished)
		atomic_fetch_add(wish->finished, 1);
}

/* ---- best of several ---- */

void tn_plan_take_candidate(struct tn_arena *arena, const struct tn_plan_wish *wish,
			    struct tn_str text, struct tn_plan_candidate *ret)
{
	struct tn_plan_verdict verdict = {0};
	struct tenon_error err = {0};
	const char *why;

	*ret = (struct tn_plan_candidate){0};
	if (tn_plan_guard(arena, wish->plan, text, wish->form == TN_PLAN_FORM_COUNT, &verdict,
			  &err) != TENON_OK) {
		why = tn_arena_copy(arena, tn_str_from(err.message));
		ret->error = tn_str_from(why ? why : no_memory);
	} else if (verdict.failure_count > 0 && verdict.score.format > 0 &&
		   verdict.score.number > 0) {
		ret->error = verdict.failures[0]; /* the right number, but untrue words */
	} else {
		ret->response = verdict.answer;
	}
}

/* Rules do not fail; when there is no memory for what they say, the whole call has failed. */
static void fail_internally(struct tn_plan_answer *answer, struct tn_plan_candidate *candidate)
{
	candidate->error = tn_str_from(no_memory);
	answer->failure = tn_plan_internal;
	answer->why = candidate->error;
}

static void best_of_builtin(struct tn_plan_answer *answer, const struct tn_plan_wish *wish,
			    struct tn_plan_best *best)
{
	for (unsigned i = 0; i < best->count; i++) {
		struct tn_buf text;

		tn_buf_init(&text, TEXT_BYTES_MAX);
		tn_plan_put_candidate(&text, wish->plan, i, wish->temperature, wish->form,
				      wish->audience);
		best->candidates[i].response = keep(&answer->arena, &text);
		if (!best->candidates[i].response.data)
			fail_internally(answer, &best->candidates[i]);
		if (wish->finished)
			atomic_fetch_add(wish->finished, 1);
	}
}

static void fail_candidate(struct tn_plan_answer *answer, struct tn_plan_candidate *candidate,
			   const struct tn_plan_model_reply *reply)
{
	const char *why = tn_arena_copy(&answer->arena, tn_str_from(reply->err.message));

	*candidate = (struct tn_plan_candidate){.error = tn_str_from(why ? why : no_memory)};
	if (answer->failure)
		return;
	answer->failure = reply->reason;
	answer->why = candidate->error;
}

static void best_of_openai(struct tn_plan_answer *answer, const struct tn_plan_wish *wish,
			   struct tn_plan_best *best)
{
	struct tn_plan_model_question questions[TN_PLAN_CANDIDATES_MAX];
	struct tn_plan_model_reply replies[TN_PLAN_CANDIDATES_MAX] = {0};
	struct tn_plan_model_question question = {.temperature = wish->temperature};

	if (!tn_plan_answer_question(answer, wish, &question.system, &question.document)) {
		for (unsigned i = 0; i < best->count; i++)
			fail_internally(answer, &best->candidates[i]);
		return;
	}
	for (unsigned i = 0; i < best->count; i++)
		questions[i] = question;
	tn_plan_model_run(wish->client, wish->config, questions, replies, best->count, wish->cancel,
			  wish->finished);
	for (unsigned i = 0; i < best->count; i++) {
		if (replies[i].reason)
			fail_candidate(answer, &best->candidates[i], &replies[i]);
		else
			tn_plan_take_candidate(&answer->arena, wish, tn_buf_str(&replies[i].text),
					       &best->candidates[i]);
		tn_buf_finish(&replies[i].text);
	}
}

void tn_plan_answer_run_best(struct tn_plan_answer *answer, const struct tn_plan_wish *wish,
			     unsigned count, struct tn_plan_best *best)
{
	tn_assert(count >= 1 && count <= TN_PLAN_CANDIDATES_MAX);
	*best = (struct tn_plan_best){.count = count};
	answer->source_used = wish->source;
	if (wish->source == TN_PLAN_SOURCE_OPENAI)
		best_of_openai(answer, wish, best);
	else
		best_of_builtin(answer, wish, best);
}
