#include "cli/shared/group.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/near.h"
#include "cli/shared/cli.h"

static void print_help(const struct tn_cli_group *group, FILE *out)
{
	(void)fprintf(out, "usage: tenon %s COMMAND [WORD]... [--OPTION]...\n\n%s\n\ncommands:\n",
		      group->name, group->sentence);
	for (size_t i = 0; i < group->count; i++)
		(void)fprintf(out, "  %-9s %s\n", group->commands[i].name,
			      group->commands[i].summary);
	(void)fprintf(out, "\nEach command tells its options with --help.%s%s\n",
		      group->more[0] ? " " : "", group->more);
}

static int refuse(const struct tn_cli_group *group, const char *word)
{
	const char *names[TN_CLI_GROUP_MAX + 1] = {NULL};
	const char *near;

	tn_assert(group->count <= TN_CLI_GROUP_MAX);
	for (size_t i = 0; i < group->count; i++)
		names[i] = group->commands[i].name;
	near = tn_near_find(tn_str_from(word), names);
	(void)fprintf(stderr, "tenon %s: there is no command \"%.60s\"%s%s%s\n\n", group->name,
		      word, near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
	print_help(group, stderr);
	return TN_EXIT_USAGE;
}

int tn_cli_run_group(const struct tn_cli_group *group, int argc, char **argv)
{
	const char *word = argc > 1 ? argv[1] : NULL;

	if (!word) {
		print_help(group, stderr);
		return TN_EXIT_USAGE;
	}
	if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0) {
		print_help(group, stdout);
		return TN_EXIT_OK;
	}
	for (size_t i = 0; i < group->count; i++) {
		if (strcmp(word, group->commands[i].name) == 0)
			return group->commands[i].run(argc - 1, argv + 1);
	}
	return refuse(group, word);
}
