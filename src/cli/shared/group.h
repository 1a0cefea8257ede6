/* group.h - a verb with subcommands of its own: `tenon terminal run`, `tenon studio types`.
 *
 * Help, a word that is none ("did you mean"), and the way to the one that is meant. Threads: any.
 */
#ifndef TN_CLI_GROUP_H
#define TN_CLI_GROUP_H

#include <stddef.h>

struct tn_cli_subcommand {
	const char *name, *summary;
	int (*run)(int argc, char **argv); /* argv[0] is its name */
};

struct tn_cli_group {
	const char *name;     /* "terminal" */
	const char *sentence; /* what all of it is about */
	const char *more;     /* behind "Each command tells its options with --help."; may be "" */
	const struct tn_cli_subcommand *commands;
	size_t count;
};

enum { TN_CLI_GROUP_MAX = 32 }; /* commands of one group */

/* argv[0] is the group's name. Returns the exit code. */
int tn_cli_run_group(const struct tn_cli_group *group, int argc, char **argv);

#endif
