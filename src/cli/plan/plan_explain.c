/* tenon plan explain (plan.md sections 10 and 13). */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "apps/plan/explain/markdown.h"
#include "apps/plan/parse.h"
#include "apps/plan/service/report.h"
#include "base/limits.h"
#include "base/size.h"
#include "cli/plan/plan.h"
#include "jsonrpc/json_write.h"

enum on_many { MANY_ASK, MANY_FULL, MANY_COUNT, MANY_FAIL };
enum format { FORMAT_TEXT, FORMAT_MARKDOWN, FORMAT_JSON };
enum { REPLY_BYTES = 256, QUESTIONS_MAX = 2 };

struct explain {
	struct tn_plan_wording_options wording;
	const char *reply;
	int on_many, format;
	int64_t bytes_max;
	enum tn_plan_preference preference;
	struct tn_plan_turn said[2]; /* the question and its answer, when there was one */
	size_t said_count;
	char line[REPLY_BYTES];
};

static bool read_options(struct tn_plan_run *run, struct explain *x, int argc, char **argv)
{
	const struct tn_option own[] = {
		{.name = "reply",
		 .kind = TN_OPTION_TEXT,
		 .value = &x->reply,
		 .word = "TEXT",
		 .help = "the answer to \"" TN_PLAN_QUESTION "\""},
		{.name = "on-many",
		 .kind = TN_OPTION_CHOICE,
		 .value = &x->on_many,
		 .choices = "ask|full|count|fail",
		 .help = "above five changes; ask means full where nobody can be asked"},
		{.name = "format",
		 .kind = TN_OPTION_CHOICE,
		 .value = &x->format,
		 .choices = "text|markdown|json",
		 .help = "markdown is the comment for a pull request"},
		{.name = "max-bytes",
		 .kind = TN_OPTION_NUMBER,
		 .value = &x->bytes_max,
		 .least = TN_PLAN_MARKDOWN_BYTES_MIN,
		 .most = 64 * 1024 * 1024,
		 .word = "N",
		 .help = "size of the Markdown, 60000"},
	};
	struct tn_option all[TN_COUNT(own) + TN_PLAN_WORDING_OPTION_COUNT];

	memcpy(all, own, sizeof(own));
	tn_plan_run_wording_options(&x->wording, all + TN_COUNT(own));
	return tn_plan_run_options(
		       run, "tenon plan explain [FILE|-] [options]",
		       "Explains in plain English what a Terraform or OpenTofu plan will do.", all,
		       TN_COUNT(all), 1, argc, argv) &&
	       tn_plan_run_preference(run, &x->wording, &x->preference);
}

/* ---- asking ---- */

/* The controlling terminal, if we may read from it: a job in the background would be stopped. */
static FILE *open_terminal(void)
{
	int fd = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
	FILE *terminal = NULL;

	if (fd >= 0 && tcgetpgrp(fd) == getpgrp())
		terminal = fdopen(fd, "r+");
	if (fd >= 0 && !terminal)
		(void)close(fd); /* nobody to ask */
	return terminal;
}

/* Asks on the terminal, never on standard input: the plan may come from there. An unclear answer is
 * asked for once more, then full; no answer at all means the count. */
static enum tn_plan_form ask(struct explain *x, FILE *terminal, uint32_t total_changes)
{
	enum tn_plan_form form = TN_PLAN_FORM_ASK;

	for (int i = 0; i < QUESTIONS_MAX && form == TN_PLAN_FORM_ASK; i++) {
		struct tn_str line;

		if (i > 0)
			(void)fputs("Not understood: " TN_PLAN_ACCEPTED ".\n", terminal);
		(void)fprintf(terminal, "Summary: %u changes\n%s ", total_changes,
			      TN_PLAN_QUESTION);
		(void)fflush(terminal);
		if (!fgets(x->line, sizeof(x->line), terminal))
			return TN_PLAN_FORM_COUNT;
		line = tn_str_trim(tn_str_from(x->line));
		form = tn_plan_choose_form(TN_PLAN_PREFER_AUTO, tn_plan_read_reply(line), i > 0,
					   total_changes);
		x->said[0] = (struct tn_plan_turn){TN_STR("assistant"), TN_STR(TN_PLAN_QUESTION)};
		x->said[1] = (struct tn_plan_turn){TN_STR("user"), line};
		x->said_count = 2;
	}
	return form;
}

static bool form_of_many(struct tn_plan_run *run, struct explain *x, uint32_t total_changes,
			 enum tn_plan_form *ret)
{
	FILE *terminal;

	if (x->on_many == MANY_FAIL) {
		tn_plan_run_say(run, "%u changes: choose --count-only or --full", total_changes);
		tn_plan_run_note(run, TN_PLAN_EXIT_USAGE);
		return false;
	}
	*ret = x->on_many == MANY_COUNT ? TN_PLAN_FORM_COUNT : TN_PLAN_FORM_FULL;
	terminal = x->on_many == MANY_ASK ? open_terminal() : NULL;
	if (terminal) {
		*ret = ask(x, terminal, total_changes);
		(void)fclose(terminal); /* all was flushed */
	}
	return true;
}

static bool choose_form(struct tn_plan_run *run, struct explain *x, const struct tn_plan *plan,
			enum tn_plan_form *ret)
{
	struct tn_str reply = tn_str_from(x->reply);
	enum tn_plan_reply meant = x->reply ? tn_plan_read_reply(reply) : TN_PLAN_REPLY_NONE;

	if (meant == TN_PLAN_REPLY_UNCLEAR)
		tn_plan_run_say(run, "--reply was not understood: %s", TN_PLAN_ACCEPTED);
	*ret = tn_plan_choose_form(x->preference, meant, false, plan->total_changes);
	if (*ret == TN_PLAN_FORM_ASK)
		return form_of_many(run, x, plan->total_changes, ret);
	if (x->reply)
		x->said[x->said_count++] = (struct tn_plan_turn){TN_STR("user"), reply};
	else if (x->preference != TN_PLAN_PREFER_AUTO)
		x->said[x->said_count++] = (struct tn_plan_turn){
			TN_STR("user"), *ret == TN_PLAN_FORM_COUNT ? TN_STR(TN_PLAN_OPTION_COUNT)
								   : TN_STR(TN_PLAN_OPTION_FULL)};
	return true;
}

/* ---- the result ---- */

static void write_text(const struct tn_plan_run *run, struct tn_buf *out, struct tn_str text)
{
	size_t line = tn_str_find_byte(text, '\n');

	if (!run->colour || line == TN_STR_NONE) {
		tn_buf_append_str(out, text);
		return;
	}
	tn_buf_append_text(out, "\033[1m");
	tn_buf_append(out, text.data, line);
	tn_buf_append_text(out, "\033[0m");
	tn_buf_append_str(out, tn_str_from_offset(text, line));
}

static void write_json(struct tn_buf *out, const struct tn_plan_wish *wish,
		       const struct tn_plan_answer *answer, size_t bytes_max)
{
	struct tn_buf markdown;

	tn_buf_init(&markdown, TN_RESULT_BYTES_MAX);
	tn_plan_put_markdown(&markdown, wish->plan, wish->audience, bytes_max);
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "status", "explained");
	tn_plan_report_explained(out, wish->plan, wish->form, answer, tn_buf_str(&markdown));
	tn_json_end_object(out);
	out->failed |= markdown.failed;
	tn_buf_finish(&markdown);
}

static void write_result(struct tn_plan_run *run, const struct explain *x,
			 const struct tn_plan_wish *wish, const struct tn_plan_answer *answer)
{
	struct tn_buf out;

	tn_buf_init(&out, TN_RESULT_BYTES_MAX);
	if (x->format == FORMAT_JSON)
		write_json(&out, wish, answer, (size_t)x->bytes_max);
	else if (x->format == FORMAT_MARKDOWN && wish->form == TN_PLAN_FORM_FULL)
		tn_plan_put_markdown(&out, wish->plan, wish->audience, (size_t)x->bytes_max);
	else
		write_text(run, &out, answer->text);
	tn_plan_run_write(run, &out);
}

static void show(struct tn_plan_run *run, const struct explain *x, const struct tn_plan_wish *wish,
		 const struct tn_plan_answer *answer)
{
	bool internal = answer->failure == tn_plan_internal;
	bool final = internal || x->wording.no_fallback;

	if (answer->failure)
		tn_plan_run_say(run, "%s: %.*s%s", answer->failure, (int)answer->why.size,
				answer->why.data, final ? "" : "; the built-in wording is used");
	if (internal)
		tn_plan_run_note(run, TN_PLAN_EXIT_INTERNAL);
	else if (answer->failure && final)
		tn_plan_run_note(run, TN_PLAN_EXIT_UNAVAILABLE);
	else
		write_result(run, x, wish, answer);
}

static void explain(struct tn_plan_run *run, struct explain *x, const struct tn_plan *plan)
{
	struct tn_plan_answer answer;
	struct tn_plan_wish wish;

	if (!tn_plan_run_wish(run, &x->wording, plan, &wish))
		return;
	if (choose_form(run, x, plan, &wish.form)) {
		wish.turns = x->said;
		wish.turn_count = x->said_count;
		tn_plan_answer_begin(&answer);
		tn_plan_answer_run(&answer, &wish);
		show(run, x, &wish, &answer);
		tn_plan_answer_finish(&answer);
	}
	tn_http_client_close(wish.client);
}

void tn_plan_run_explain(struct tn_plan_run *run, int argc, char **argv)
{
	struct explain x = {.bytes_max = TN_PLAN_MARKDOWN_BYTES};
	struct tn_plan *plan = NULL;

	if (!read_options(run, &x, argc, argv) || tn_plan_run_has_nothing(run))
		return;
	run->json = x.format == FORMAT_JSON;
	if (tn_plan_run_read(run, run->word_count ? run->words[0] : NULL, &plan))
		explain(run, &x, plan);
	tn_plan_free(plan);
}
