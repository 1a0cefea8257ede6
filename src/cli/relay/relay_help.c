/* tenon mcp: the light front relays (relay.c); what it takes is explained here. */
#include "base/size.h"
#include "cli/shared/run.h"
#include "mcp/fit.h"

enum { WORDS_MAX = 64 };

int tn_cli_mcp_help(int argc, char **argv)
{
	struct tn_cli cli = {.verb = "mcp"};
	const char *words[WORDS_MAX];
	const char *fit = NULL;
	bool core = false, all = false;
	const struct tn_option table[] = {
		{.name = "core",
		 .kind = TN_OPTION_FLAG,
		 .value = &core,
		 .help = "list only the tools that each app counts as its core"},
		{.name = "all",
		 .kind = TN_OPTION_FLAG,
		 .value = &all,
		 .help = "list every tool; otherwise, of all apps, the everyday tools and those "
			 "that find and call the others"},
		{.name = "fit",
		 .kind = TN_OPTION_TEXT,
		 .value = &fit,
		 .word = "PROFILE",
		 .help = "which forms of results the host gets: " TN_FIT_WORDS},
	};
	const struct tn_options options = {
		.usage = "tenon mcp [APP]... [--core|--all] [--fit PROFILE]",
		.summary = "What an AI host starts: passes messages between its standard input and "
			   "output and the\ndaemon, which is started when none runs. With APP only "
			   "the tools and resources of those apps.\ntenon install writes it into a "
			   "host's configuration.\n\n"
			   "Example: tenon mcp plan",
		.options = table,
		.option_count = TN_COUNT(table),
		.words = words,
		.word_max = WORDS_MAX};
	size_t count = 0;
	int exit = TN_EXIT_OK;

	if (!tn_cli_begin(&cli, &options, argc, argv, &count, &exit))
		return exit;
	return tn_cli_usage(&cli, "is started as \"tenon mcp\", not through tenond");
}
