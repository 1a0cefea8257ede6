/* floorplan_author.h - subcommands of `tenon floorplan` for those who write plans in an editor.
 * Exit codes as in floorplan.h. Threads: main. */
#ifndef TN_CLI_FLOORPLAN_AUTHOR_H
#define TN_CLI_FLOORPLAN_AUTHOR_H

int tn_cli_floorplan_fmt(int argc, char **argv);
int tn_cli_floorplan_diff(int argc, char **argv);
int tn_cli_floorplan_watch(int argc, char **argv);
int tn_cli_floorplan_lsp(int argc, char **argv);

#endif
