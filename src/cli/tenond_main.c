/* tenond: everything that does work. Started by `tenon`, which stays light. */
#include <stdio.h>
#include <string.h>

#include "hold/confine.h"
#include "apps/terminal/pty/pty.h"
#include "base/size.h"
#include "cli/shared/cli.h"
#include "cli/verbs.h"
#include "host/daemon/daemon.h"
#include "host/daemon/launch.h"
#include "host/daemon/serve_command.h"
#include "loop/guard.h"
#include "loop/standard.h"

/* What programs of ours say to it, besides the verbs of people (cli/verbs.c). argv[0] is the word
 * itself. */
static int run_foreground(int argc, char **argv)
{
	return tn_serve_command(argc - 1, argv + 1);
}

static int run_daemon(int argc, char **argv)
{
	return tn_daemon_main(argc - 1, argv + 1);
}

static int run_launch(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	return tn_launch_main();
}

static const struct {
	const char *word;
	int (*run)(int argc, char **argv);
} inner[] = {
	{"--foreground", run_foreground}, {"--daemon", run_daemon},
	{"--launch", run_launch},         {"--pty-host", tn_pty_host_main},
	{"--confine", tn_confine_main},   {TN_GUARD_WORD, tn_guard_main},
};

static int complain(const char *word)
{
	const char *near = tn_verb_near(tn_str_from(word));

	if (near)
		(void)fprintf(stderr, "tenon: unknown verb \"%.60s\"; did you mean \"%s\"?\n", word,
			      near);
	else
		(void)fprintf(stderr, "tenon: unknown verb \"%.60s\"; tenon --help lists them\n",
			      word);
	return TN_EXIT_USAGE;
}

int main(int argc, char **argv)
{
	const char *word = argc > 1 ? argv[1] : "";
	const struct tn_verb *verb;

	tn_standard_open();
	for (size_t i = 0; i < TN_COUNT(inner); i++) {
		if (strcmp(word, inner[i].word) == 0)
			return inner[i].run(argc - 1, argv + 1);
	}
	verb = tn_verb_find(tn_str_from(word));
	if (verb && verb->run)
		return verb->run(argc - 1, argv + 1);
	if (strcmp(word, "--version") == 0) {
		(void)printf("tenond %s\n", TENON_VERSION);
		return TN_EXIT_OK;
	}
	if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
		tn_verbs_print(stdout);
		return TN_EXIT_OK;
	}
	if (*word)
		return complain(word);
	tn_verbs_print(stderr);
	return TN_EXIT_USAGE;
}
