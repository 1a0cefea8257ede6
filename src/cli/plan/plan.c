/* tenon plan: which subcommand. */
#include "cli/plan/plan.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/size.h"
#include "cli/shared/cli.h"
#include "host/settings/config.h"

static const struct {
	const char *name;
	const char *summary;
	void (*run)(struct tn_plan_run *run, int argc, char **argv);
} verbs[] = {
	{"explain", "explain a plan in plain English", tn_plan_run_explain},
	{"parse", "list what a plan changes", tn_plan_run_parse},
	{"risk", "list what may go wrong", tn_plan_run_risk},
	{"best-of", "make several explanations and return the best", tn_plan_run_best_of},
	{"score", "score an explanation", tn_plan_run_score},
	{"context", "show what a model would be told", tn_plan_run_context},
	{"compare", "show what differs between two plans", tn_plan_run_compare},
	{"history", "find earlier explanations", tn_plan_run_history},
};

static void print_help(FILE *out)
{
	(void)fprintf(
		out,
		"usage: tenon plan COMMAND [FILE|-] [options]\n\n"
		"Reads what `terraform plan` or `tofu plan` printed, from a file or a pipe.\n\n"
		"commands:\n");
	for (size_t i = 0; i < TN_COUNT(verbs); i++)
		(void)fprintf(out, "  %-9s %s\n", verbs[i].name, verbs[i].summary);
	(void)fprintf(out,
		      "\nEach command tells its options with --help.\n"
		      "exit codes: 0 done, 1 the plan reports an error, 2 changes "
		      "(--detailed-exitcode),\n"
		      "3 risk (--fail-on), 64 usage, 65 not a plan, 66 no input, 69 no explanation "
		      "(--no-fallback),\n70 internal error\n");
}

static bool has_word(int argc, char **argv, const char *word)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		if (strcmp(argv[i], word) == 0)
			return true;
	}
	return false;
}

/* Section 13: the upstream of a pipe is never broken. After a mistake on the command line what it
 * still writes is read and thrown away, unless a file was named. */
static void drain_pipe(int argc, char **argv)
{
	char ignored[65536];
	struct stat status;

	for (int i = 2; i < argc; i++) {
		if (argv[i][0] != '-' && access(argv[i], F_OK) == 0)
			return;
	}
	if (fstat(STDIN_FILENO, &status) != 0 || !S_ISFIFO(status.st_mode))
		return;
	while (read(STDIN_FILENO, ignored, sizeof(ignored)) > 0)
		;
}

static bool wants_colour(void)
{
	const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");

	return isatty(STDOUT_FILENO) && !(no_colour && *no_colour) && terminal &&
	       strcmp(terminal, "dumb") != 0;
}

static void run_verb(struct tn_plan_run *run, size_t verb, int argc, char **argv)
{
	struct tn_config *settings = NULL;
	struct tenon_error err = {0};

	run->verb = verbs[verb].name;
	if (tn_config_read(NULL, NULL, &settings, &err) != TENON_OK) {
		tn_plan_run_say(run, "%s", err.message);
		tn_plan_run_note(run, TN_PLAN_EXIT_USAGE);
		return;
	}
	tn_plan_config_read(&run->config, tn_config_views(settings));
	verbs[verb].run(run, argc - 1, argv + 1);
	tn_config_free(settings);
}

int tn_cli_plan(int argc, char **argv)
{
	struct tn_plan_run run = {.fail_on = -1, .colour = wants_colour()};
	const char *word = argc > 1 ? argv[1] : NULL;
	size_t verb = 0;
	int code;

	if (word &&
	    (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0)) {
		print_help(stdout);
		return TN_PLAN_EXIT_OK;
	}
	while (word && verb < TN_COUNT(verbs) && strcmp(word, verbs[verb].name) != 0)
		verb++;
	if (word && verb < TN_COUNT(verbs)) {
		run_verb(&run, verb, argc, argv);
	} else {
		if (word)
			(void)fprintf(stderr, "tenon plan: there is no command \"%.60s\"\n\n",
				      word);
		print_help(stderr);
		tn_plan_run_note(&run, TN_PLAN_EXIT_USAGE);
	}
	code = tn_plan_exit_code(run.outcomes);
	if (code == TN_PLAN_EXIT_USAGE)
		drain_pipe(argc, argv);
	/* Also when the options could not be read: --soft must never fail a pipeline. */
	return has_word(argc, argv, "--soft") ? TN_PLAN_EXIT_OK : code;
}
