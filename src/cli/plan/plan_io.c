/* Input, output and the common options of `tenon plan`. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apps/plan/explain/names.h"
#include "apps/plan/limits.h"
#include "apps/plan/parse.h"
#include "base/size.h"
#include "cli/plan/plan.h"
#include "jsonrpc/json_write.h"
#include "store/file.h"

enum { WARNINGS_SHOWN_MAX = 20 };

/* ---- output ---- */

void tn_plan_run_say(const struct tn_plan_run *run, const char *format, ...)
{
	va_list args;

	(void)fprintf(stderr, "tenon plan%s%s: ", run->verb ? " " : "", run->verb ? run->verb : "");
	va_start(args, format);
	(void)vfprintf(stderr, format, args);
	va_end(args);
	(void)fputc('\n', stderr);
}

void tn_plan_run_write(struct tn_plan_run *run, struct tn_buf *out)
{
	if (out->size == 0 || out->data[out->size - 1] != '\n')
		tn_buf_append_byte(out, '\n');
	if (out->failed) {
		tn_plan_run_say(run, "the result is too large, or memory ran out");
		tn_plan_run_note(run, TN_PLAN_EXIT_INTERNAL);
	} else if (fwrite(out->data, 1, out->size, stdout) != out->size || fflush(stdout) != 0) {
		/* A reader that has seen enough (head) is no fault of ours. */
		if (errno != EPIPE) {
			tn_plan_run_say(run, "standard output cannot be written");
			tn_plan_run_note(run, TN_PLAN_EXIT_INTERNAL);
		}
	}
	tn_buf_finish(out);
}

/* {"error":{"code","message","hint"}} where programs wait for JSON. */
static void write_error(struct tn_plan_run *run, const char *code, const char *message,
			const char *hint)
{
	struct tn_buf out;

	if (!run->json)
		return;
	tn_buf_init(&out, TN_MIB);
	tn_json_begin_object(&out);
	tn_json_put_key(&out, "error");
	tn_json_begin_object(&out);
	tn_json_put_member_text(&out, "code", code);
	tn_json_put_member_text(&out, "message", message);
	tn_json_put_member_text(&out, "hint", hint);
	tn_json_end_object(&out);
	tn_json_end_object(&out);
	tn_plan_run_write(run, &out);
}

/* ---- options ---- */

bool tn_plan_run_options(struct tn_plan_run *run, const char *usage, const char *summary,
			 const struct tn_option *own, size_t own_count, size_t word_max, int argc,
			 char **argv)
{
	const struct tn_option common[] = {
		{.name = "input-kind",
		 .kind = TN_OPTION_CHOICE,
		 .value = &run->input_kind,
		 .choices = "auto|text|json|json_stream",
		 .help = "do not guess what the input is"},
		{.name = "fail-on",
		 .kind = TN_OPTION_CHOICE,
		 .value = &run->fail_on,
		 .choices = "low|medium|high|critical",
		 .help = "exit 3 when the risk is at least this"},
		{.name = "detailed-exitcode",
		 .kind = TN_OPTION_FLAG,
		 .value = &run->detailed_exitcode,
		 .help = "exit 2 when there are changes"},
		{.name = "strict",
		 .kind = TN_OPTION_FLAG,
		 .value = &run->strict,
		 .help = "exit 65 when the totals do not match the changes, or the text ends "
			 "early"},
		{.name = "quiet",
		 .letter = 'q',
		 .kind = TN_OPTION_FLAG,
		 .value = &run->quiet,
		 .help = "no warnings on standard error"},
		{.name = "soft",
		 .kind = TN_OPTION_FLAG,
		 .value = &run->soft,
		 .help = "exit 0 whatever happens"},
	};
	struct tn_option all[TN_PLAN_RUN_OPTIONS_MAX];
	struct tn_options options = {.usage = usage,
				     .summary = summary,
				     .options = all,
				     .option_count = own_count + TN_COUNT(common),
				     .words = run->words,
				     .word_max = word_max};
	struct tenon_error err = {0};

	tn_assert(options.option_count <= TN_PLAN_RUN_OPTIONS_MAX);
	if (own_count)
		memcpy(all, own, own_count * sizeof(*own));
	memcpy(all + own_count, common, sizeof(common));
	switch (tn_options_parse(&options, argc, argv, &run->word_count, &err)) {
	case TN_OPTIONS_OK:
		return true;
	case TN_OPTIONS_HELP:
		tn_options_print_help(&options, stdout);
		return false;
	default:
		tn_plan_run_say(run, "%s", err.message);
		(void)fprintf(stderr, "usage: %s\n", usage);
		tn_plan_run_note(run, TN_PLAN_EXIT_USAGE);
		return false;
	}
}

void tn_plan_run_wording_options(struct tn_plan_wording_options *values,
				 struct tn_option out[TN_PLAN_WORDING_OPTION_COUNT])
{
	const struct tn_option table[TN_PLAN_WORDING_OPTION_COUNT] = {
		{.name = "count-only",
		 .kind = TN_OPTION_FLAG,
		 .value = &values->count_only,
		 .help = "only \"Summary: N changes\""},
		{.name = "full",
		 .kind = TN_OPTION_FLAG,
		 .value = &values->full,
		 .help = "the full summary, however many changes"},
		{.name = "audience",
		 .kind = TN_OPTION_CHOICE,
		 .value = &values->audience,
		 .choices = "non-technical|developer",
		 .help = "who reads it"},
		{.name = "source",
		 .kind = TN_OPTION_CHOICE,
		 .value = &values->source,
		 .choices = "builtin|openai|auto",
		 .help = "who words it; builtin needs no network"},
		{.name = "no-fallback",
		 .kind = TN_OPTION_FLAG,
		 .value = &values->no_fallback,
		 .help = "exit 69 instead of using builtin when the source fails"},
	};

	memcpy(out, table, sizeof(table));
}

bool tn_plan_run_preference(struct tn_plan_run *run, const struct tn_plan_wording_options *values,
			    enum tn_plan_preference *ret)
{
	if (values->count_only && values->full) {
		tn_plan_run_say(run, "--count-only and --full exclude each other");
		tn_plan_run_note(run, TN_PLAN_EXIT_USAGE);
		return false;
	}
	if (values->count_only)
		*ret = TN_PLAN_PREFER_COUNT;
	else if (values->full)
		*ret = TN_PLAN_PREFER_FULL;
	return true;
}

bool tn_plan_run_wish(struct tn_plan_run *run, const struct tn_plan_wording_options *values,
		      const struct tn_plan *plan, struct tn_plan_wish *wish)
{
	static const enum tn_plan_source sources[] = {TN_PLAN_SOURCE_BUILTIN, TN_PLAN_SOURCE_OPENAI,
						      TN_PLAN_SOURCE_AUTO};
	struct tenon_error err = {0};

	*wish = (struct tn_plan_wish){
		.plan = plan,
		.audience = (enum tn_plan_audience)values->audience,
		.source = tn_plan_resolve_source(&run->config, sources[values->source]),
		.config = &run->config};
	/* There is no client here whose model could be asked. */
	if (wish->source == TN_PLAN_SOURCE_SAMPLING)
		wish->source = TN_PLAN_SOURCE_BUILTIN;
	if (wish->source == TN_PLAN_SOURCE_OPENAI &&
	    tn_http_client_open(NULL, &wish->client, &err) != TENON_OK) {
		tn_plan_run_say(run, "%s", err.message);
		tn_plan_run_note(run, TN_PLAN_EXIT_INTERNAL);
		return false;
	}
	return true;
}

/* ---- input ---- */

bool tn_plan_run_has_nothing(struct tn_plan_run *run)
{
	if (run->word_count > 0 || !isatty(STDIN_FILENO))
		return false;
	(void)fprintf(stderr,
		      "usage: tenon plan %s [FILE|-] [options]\n\n"
		      "Give a file, or pipe a plan in: terraform plan -no-color | tenon plan %s\n",
		      run->verb, run->verb);
	tn_plan_run_note(run, TN_PLAN_EXIT_USAGE);
	return true;
}

static void drain(int fd)
{
	char ignored[65536];

	while (read(fd, ignored, sizeof(ignored)) > 0)
		;
}

static bool read_input(struct tn_plan_run *run, const char *file, struct tn_buf *out)
{
	bool is_stdin = !file || strcmp(file, "-") == 0;
	struct tenon_error err = {0};
	enum tenon_code code = TENON_OK;
	int fd = STDIN_FILENO;

	if (!is_stdin)
		code = tn_file_open(file, 0, &fd, &err);
	if (code != TENON_OK) {
		tn_plan_run_say(run, "%s: %s", file, err.message);
		write_error(run, "no_such_file", err.message, NULL);
		tn_plan_run_note(run, TN_PLAN_EXIT_NO_INPUT);
		return false;
	}
	code = tn_buf_read_all(out, fd, &err);
	if (code == TENON_LIMIT && is_stdin)
		drain(fd); /* the pipe upstream ends well, whatever we think of it */
	if (!is_stdin)
		(void)close(fd); /* only read from */
	if (code == TENON_OK)
		return true;
	if (code == TENON_LIMIT) {
		tn_plan_run_say(run, "input_too_large: a plan has at most 64 MiB");
		write_error(run, "input_too_large", "a plan has at most 64 MiB", NULL);
	} else {
		tn_plan_run_say(run, "%s: %s", is_stdin ? "standard input" : file, err.message);
		write_error(run, "no_such_file", err.message, NULL);
	}
	tn_plan_run_note(run, code == TENON_LIMIT ? TN_PLAN_EXIT_DATA : TN_PLAN_EXIT_NO_INPUT);
	return false;
}

static void say_reason(struct tn_plan_run *run, const char *reason, const char *message)
{
	static const char *const hints[][2] = {
		{"binary_plan", "this is a saved plan file; render it with: terraform show "
				"-no-color FILE | tenon plan"},
		{"not_a_plan",
		 "expected what `terraform plan` printed, or the output of `terraform "
		 "show -no-color FILE` or `terraform show -json FILE`"},
	};
	const char *hint = NULL;

	for (size_t i = 0; i < TN_COUNT(hints); i++)
		if (strcmp(reason, hints[i][0]) == 0)
			hint = hints[i][1];
	tn_plan_run_say(run, "%s: %s", reason, message);
	if (hint)
		tn_plan_run_say(run, "%s%s%s", hint, strcmp(reason, "binary_plan") == 0 ? " " : "",
				strcmp(reason, "binary_plan") == 0 ? run->verb : "");
	write_error(run, reason, message, hint);
}

static void say_warnings(const struct tn_plan_run *run, const struct tn_plan *plan)
{
	for (uint32_t i = 0; i < plan->warning_count && i < WARNINGS_SHOWN_MAX; i++) {
		const struct tn_plan_warning *warning = &plan->warnings[i];

		if (warning->line)
			tn_plan_run_say(run, "warning: %s: %.*s (line %u)", warning->code,
					(int)warning->message.size, warning->message.data,
					warning->line);
		else
			tn_plan_run_say(run, "warning: %s: %.*s", warning->code,
					(int)warning->message.size, warning->message.data);
	}
	if (plan->warning_count > WARNINGS_SHOWN_MAX)
		tn_plan_run_say(run, "and %u more warning%s",
				plan->warning_count - WARNINGS_SHOWN_MAX,
				plan->warning_count - WARNINGS_SHOWN_MAX == 1 ? "" : "s");
	for (uint32_t i = 0; i < plan->mismatch_count; i++)
		tn_plan_run_say(run, "warning: the plan says %lld to %s, but %lld are listed",
				(long long)plan->mismatches[i].stated, plan->mismatches[i].field,
				(long long)plan->mismatches[i].counted);
}

/* A gate that lets half a plan through is none: what is missing may be what it is for. */
static void judge(struct tn_plan_run *run, const struct tn_plan *plan)
{
	bool is_gate = run->strict || run->fail_on >= 0;
	bool ends_early = plan->status == TN_PLAN_NO_VERDICT || plan->truncated;

	if (plan->errored)
		tn_plan_run_note(run, TN_PLAN_EXIT_ERRORED);
	if ((run->strict && plan->consistent == 0) || (is_gate && ends_early))
		tn_plan_run_note(run, TN_PLAN_EXIT_DATA);
	if (run->fail_on >= 0 && (int)plan->risk >= run->fail_on + TN_PLAN_RISK_LOW)
		tn_plan_run_note(run, TN_PLAN_EXIT_RISK);
	if (run->detailed_exitcode && (plan->total_changes > 0 || plan->output_count > 0))
		tn_plan_run_note(run, TN_PLAN_EXIT_CHANGES);
	if (!run->quiet)
		say_warnings(run, plan);
}

bool tn_plan_run_read(struct tn_plan_run *run, const char *file, struct tn_plan **ret)
{
	const struct tn_plan_options options = {.input_kind =
							(enum tn_plan_input_kind)run->input_kind,
						.bytes_max = TN_PLAN_CLI_BYTES_MAX};
	const char *reason = NULL;
	struct tenon_error err = {0};
	enum tenon_code code;
	struct tn_buf input;

	tn_buf_init(&input, TN_PLAN_CLI_BYTES_MAX);
	if (!read_input(run, file, &input)) {
		tn_buf_finish(&input);
		return false;
	}
	code = tn_plan_parse(input.data ? input.data : "", input.size, &options, ret, &reason,
			     &err);
	tn_buf_finish(&input);
	if (code == TENON_OK) {
		judge(run, *ret);
		return true;
	}
	if (reason) {
		say_reason(run, reason, err.message);
		tn_plan_run_note(run, TN_PLAN_EXIT_DATA);
	} else {
		tn_plan_run_say(run, "%s", err.message);
		tn_plan_run_note(run, TN_PLAN_EXIT_INTERNAL);
	}
	return false;
}
