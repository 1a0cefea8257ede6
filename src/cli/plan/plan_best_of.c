/* tenon plan best-of (plan.md sections 11.1 and 13). */
#include <string.h>

#include "apps/plan/parse.h"
#include "apps/plan/service/report.h"
#include "base/limits.h"
#include "base/size.h"
#include "cli/plan/plan.h"

enum format { FORMAT_TEXT, FORMAT_JSON };

struct best_of {
	struct tn_plan_wording_options wording;
	int64_t count;
	double temperature;
	int format;
	enum tn_plan_preference preference;
};

static bool read_options(struct tn_plan_run *run, struct best_of *x, int argc, char **argv)
{
	const struct tn_option own[] = {
		{.name = "n",
		 .letter = 'n',
		 .kind = TN_OPTION_NUMBER,
		 .value = &x->count,
		 .least = 1,
		 .most = TN_PLAN_CANDIDATES_MAX,
		 .word = "N",
		 .help = "how many candidates, 3"},
		{.name = "temperature",
		 .kind = TN_OPTION_REAL,
		 .value = &x->temperature,
		 .most = 2,
		 .word = "T",
		 .help = "how far candidates may differ, 0.7"},
		{.name = "format",
		 .kind = TN_OPTION_CHOICE,
		 .value = &x->format,
		 .choices = "text|json",
		 .help = "how the result looks"},
	};
	struct tn_option all[TN_COUNT(own) + TN_PLAN_WORDING_OPTION_COUNT];

	memcpy(all, own, sizeof(own));
	tn_plan_run_wording_options(&x->wording, all + TN_COUNT(own));
	return tn_plan_run_options(run, "tenon plan best-of [FILE|-] [-n N] [options]",
				   "Makes several explanations, scores each, and returns the best.",
				   all, TN_COUNT(all), 1, argc, argv) &&
	       tn_plan_run_preference(run, &x->wording, &x->preference);
}

static void write_result(struct tn_plan_run *run, const struct best_of *x,
			 const struct tn_plan *plan, const struct tn_plan_best *best,
			 enum tn_plan_source source)
{
	struct tn_buf out;

	tn_buf_init(&out, TN_RESULT_BYTES_MAX);
	if (x->format == FORMAT_JSON)
		tn_plan_put_best_json(&out, best, plan, tn_plan_source_name(source));
	else
		tn_plan_put_best_text(&out, best);
	tn_plan_run_write(run, &out);
}

static bool choose(struct tn_plan_run *run, const struct best_of *x,
		   const struct tn_plan_wish *wish, struct tn_plan_answer *answer,
		   struct tn_plan_best *best)
{
	tn_plan_answer_run_best(answer, wish, (unsigned)x->count, best);
	if (answer->failure == tn_plan_internal) {
		tn_plan_run_say(run, "internal: %.*s", (int)answer->why.size, answer->why.data);
		tn_plan_run_note(run, TN_PLAN_EXIT_INTERNAL);
		return false;
	}
	return tn_plan_choose_best(best, wish->plan->total_changes,
				   wish->form == TN_PLAN_FORM_COUNT);
}

/* True when there is something to show. */
static bool make(struct tn_plan_run *run, const struct best_of *x, struct tn_plan_wish *wish,
		 struct tn_plan_answer *answer, struct tn_plan_best *best)
{
	if (choose(run, x, wish, answer, best))
		return true;
	if (answer->failure == tn_plan_internal)
		return false;
	tn_plan_run_say(run, "%s: %.*s%s", answer->failure ? answer->failure : "source_unavailable",
			(int)best->candidates[0].error.size, best->candidates[0].error.data,
			x->wording.no_fallback ? "" : "; the built-in wording is used");
	if (x->wording.no_fallback) {
		tn_plan_run_note(run, TN_PLAN_EXIT_UNAVAILABLE);
		return false;
	}
	wish->source = TN_PLAN_SOURCE_BUILTIN;
	return choose(run, x, wish, answer, best);
}

static void best_of(struct tn_plan_run *run, const struct best_of *x, const struct tn_plan *plan)
{
	struct tn_plan_turn said = {TN_STR("user"), TN_STR(TN_PLAN_OPTION_FULL)};
	struct tn_plan_answer answer;
	struct tn_plan_wish wish;
	struct tn_plan_best best;

	if (!tn_plan_run_wish(run, &x->wording, plan, &wish))
		return;
	wish.form = tn_plan_best_form(x->preference, plan->total_changes);
	wish.temperature = x->temperature;
	if (wish.form == TN_PLAN_FORM_COUNT)
		said.content = TN_STR(TN_PLAN_OPTION_COUNT);
	wish.turns = &said;
	wish.turn_count = 1;
	tn_plan_answer_begin(&answer);
	if (make(run, x, &wish, &answer, &best))
		write_result(run, x, plan, &best, wish.source);
	tn_plan_answer_finish(&answer);
	tn_http_client_close(wish.client);
}

void tn_plan_run_best_of(struct tn_plan_run *run, int argc, char **argv)
{
	struct best_of x = {.count = TN_PLAN_CANDIDATES_DEFAULT,
			    .temperature = TN_PLAN_TEMPERATURE_DEFAULT,
			    .preference = TN_PLAN_PREFER_COUNT};
	struct tn_plan *plan = NULL;

	if (!read_options(run, &x, argc, argv) || tn_plan_run_has_nothing(run))
		return;
	run->json = x.format == FORMAT_JSON;
	if (tn_plan_run_read(run, run->word_count ? run->words[0] : NULL, &plan))
		best_of(run, &x, plan);
	tn_plan_free(plan);
}
