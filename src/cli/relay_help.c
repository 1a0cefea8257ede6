/* tenon mcp: the light front relays (relay.c); what it takes is explained here. */
#include "cli/run.h"

int tn_cli_mcp_help(int argc, char **argv)
{
	struct tn_cli cli = {.verb = "mcp"};
	const struct tn_options options = {
		.usage = "tenon mcp [APP]... [--core]",
		.summary =
			"What an AI host starts: passes messages between its standard input and "
			"output and the\ndaemon, which is started when none runs. With APP only "
			"the tools and resources of those apps,\nwith --core only the tools that "
			"each app counts as its core. tenon install writes it\ninto a host's "
			"configuration.\n\n"
			"Example: tenon mcp plan"};
	size_t count = 0;
	int exit = TN_EXIT_OK;

	if (!tn_cli_begin(&cli, &options, argc, argv, &count, &exit))
		return exit;
	return tn_cli_usage(&cli, "is started as \"tenon mcp\", not through tenond");
}
