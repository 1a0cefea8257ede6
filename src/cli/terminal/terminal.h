/* terminal.h - what the subcommands of `tenon terminal` share. A subcommand is one file; its
 * argv[0] is its own word. Threads: main. */
#ifndef TN_CLI_TERMINAL_H
#define TN_CLI_TERMINAL_H

#include "cli/shared/connect.h"
#include "jsonrpc/json.h"

int tn_cli_terminal_policy(int argc, char **argv);
int tn_cli_terminal_run(int argc, char **argv);
int tn_cli_terminal_sessions(int argc, char **argv);
int tn_cli_terminal_attach(int argc, char **argv);
int tn_cli_terminal_replay(int argc, char **argv);

int tn_cli_terminal_history(int argc, char **argv);

/* ---- tools of the app (terminal_call.c) ---- */

struct tn_terminal_call {
	struct tn_cli *cli;
	struct tenon_client *client;
	struct tn_arena *arena;
};

/* Calls a tool and puts the structured result into the arena. What the tool refuses is told with
 * its own code: TN_EXIT_TOOL. Otherwise the exit code, and all is told. */
int tn_terminal_call(const struct tn_terminal_call *call, const char *tool, struct tn_str arguments,
		     const struct tn_json **ret);

/* Tells what the structured result of a tool that failed says; TN_EXIT_TOOL. */
int tn_terminal_tell_refusal(const struct tn_cli *cli, const struct tn_json *structured);

/* A member's text, or "". */
const char *tn_terminal_text(const struct tn_json *object, const char *name);
int64_t tn_terminal_number(const struct tn_json *object, const char *name, int64_t otherwise);
bool tn_terminal_flag(const struct tn_json *object, const char *name);

/* The session that a word means: its handle, or a name that only one open session has. Otherwise
 * the exit code, and all is told. */
int tn_terminal_find_session(const struct tn_terminal_call *call, const char *word,
			     const struct tn_json **ret);

#endif
