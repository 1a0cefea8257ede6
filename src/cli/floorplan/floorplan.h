/* floorplan.h - what the subcommands of `tenon floorplan` share (floorplan.md section 12).
 *
 * They work on files and pipes and never start or contact a daemon. Exit codes: 0 good, 1 the plan
 * or the words are at fault, 2 the machine (a file, memory). Threads: main. */
#ifndef TN_CLI_FLOORPLAN_H
#define TN_CLI_FLOORPLAN_H

#include "apps/floorplan/mcp/action.h"
#include "cli/shared/run.h"

enum tn_floor_exit { TN_FLOOR_EXIT_GOOD = 0, TN_FLOOR_EXIT_FAULT = 1, TN_FLOOR_EXIT_MACHINE = 2 };

/* Reads FILE, or standard input for "-", up to `limit` bytes. GOOD, or the exit code with
 * everything said. */
int tn_floor_cli_read(const struct tn_cli *cli, const char *file, size_t limit,
		      struct tn_buf *text);
/* Replaces FILE, or writes to standard output for "-". */
int tn_floor_cli_store(const struct tn_cli *cli, const char *file, struct tn_str data);
/* "file:line:column: error FP2004: message" for each, on standard error. */
void tn_floor_cli_tell(const char *file, const struct tn_floor_diagnostics *list);

/* "file: letters of Noto Sans CJK SC (NotoSansCJK-Regular.ttc, sha256 ...)", and what has none. */
void tn_floor_cli_tell_letters(const char *file, const struct tn_letters_told *told);

/* validate|render|modify|analyze|export|import: an action with its parameters as options. */
int tn_cli_floorplan_validate(int argc, char **argv);
int tn_cli_floorplan_render(int argc, char **argv);
int tn_cli_floorplan_modify(int argc, char **argv);
int tn_cli_floorplan_analyze(int argc, char **argv);
int tn_cli_floorplan_export(int argc, char **argv);
int tn_cli_floorplan_import(int argc, char **argv);

#endif
