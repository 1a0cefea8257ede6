/* tenon studio: which subcommand. */
#include <stdio.h>
#include <string.h>

#include "base/near.h"
#include "base/size.h"
#include "cli/cli.h"
#include "cli/studio_data.h"

static const struct {
	const char *name, *summary;
	int (*run)(int argc, char **argv);
} verbs[] = {
	{"types", "check a file with resource types", tn_cli_studio_types},
	{"prices", "refresh the table of prices", tn_cli_studio_prices},
};

static void print_help(FILE *out)
{
	(void)fputs("usage: tenon studio COMMAND [WORD]... [--OPTION]...\n\n"
		    "Diagrams that are infrastructure.\n\n"
		    "commands:\n",
		    out);
	for (size_t i = 0; i < TN_COUNT(verbs); i++)
		(void)fprintf(out, "  %-9s %s\n", verbs[i].name, verbs[i].summary);
	(void)fputs(
		"\nEach command tells its options with --help. All tools: tenon tools studio.\n",
		out);
}

static int refuse(const char *word)
{
	const char *names[TN_COUNT(verbs) + 1];
	const char *near;

	for (size_t i = 0; i < TN_COUNT(verbs); i++)
		names[i] = verbs[i].name;
	names[TN_COUNT(verbs)] = NULL;
	near = tn_near_find(tn_str_from(word), names);
	(void)fprintf(stderr, "tenon studio: there is no command \"%.60s\"%s%s%s\n\n", word,
		      near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
	print_help(stderr);
	return TN_EXIT_USAGE;
}

int tn_cli_studio(int argc, char **argv)
{
	const char *word = argc > 1 ? argv[1] : NULL;

	if (!word) {
		print_help(stderr);
		return TN_EXIT_USAGE;
	}
	if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0) {
		print_help(stdout);
		return TN_EXIT_OK;
	}
	for (size_t i = 0; i < TN_COUNT(verbs); i++) {
		if (strcmp(word, verbs[i].name) == 0)
			return verbs[i].run(argc - 1, argv + 1);
	}
	return refuse(word);
}
