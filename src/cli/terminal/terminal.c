/* tenon terminal: which subcommand. */
#include "cli/terminal/terminal.h"

#include "base/size.h"
#include "cli/shared/cli.h"
#include "cli/shared/group.h"

static const struct tn_cli_subcommand commands[] = {
	{"run", "run a command in a terminal, and end with its exit code", tn_cli_terminal_run},
	{"sessions", "list the sessions", tn_cli_terminal_sessions},
	{"attach", "show a session in this terminal, and type into it", tn_cli_terminal_attach},
	{"replay", "play a recording in this terminal", tn_cli_terminal_replay},
	{"history", "find what was run and printed, or remove it", tn_cli_terminal_history},
	{"approve", "decide what a client asked for (the same as tenon approve)", tn_cli_approve},
	{"policy", "what the policy would say about a command", tn_cli_terminal_policy},
};

int tn_cli_terminal(int argc, char **argv)
{
	static const struct tn_cli_group group = {
		.name = "terminal",
		.sentence = "Shells and programs that assistants, scripts and people share.",
		.more = "",
		.commands = commands,
		.count = TN_COUNT(commands)};

	return tn_cli_run_group(&group, argc, argv);
}
