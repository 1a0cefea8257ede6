/* tenon studio: its subcommands. */
#include "base/size.h"
#include "cli/shared/cli.h"
#include "cli/shared/group.h"
#include "cli/studio/studio_data.h"

static const struct tn_cli_subcommand commands[] = {
	{"types", "check a file with resource types", tn_cli_studio_types},
	{"prices", "refresh the table of prices", tn_cli_studio_prices},
};

int tn_cli_studio(int argc, char **argv)
{
	static const struct tn_cli_group group = {.name = "studio",
						  .sentence = "Diagrams that are infrastructure.",
						  .more = "All tools: tenon tools studio.",
						  .commands = commands,
						  .count = TN_COUNT(commands)};

	return tn_cli_run_group(&group, argc, argv);
}
