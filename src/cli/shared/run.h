/* run.h - what every verb does the same way: options, mistakes, results.
 *
 * Results go to standard output and nothing else does. Mistakes go to standard error: a sentence,
 * or with --json one line {"error":"CODE","message":"...","retryable":false}. Threads: main. */
#ifndef TN_CLI_RUN_H
#define TN_CLI_RUN_H

#include "base/buf.h"
#include "base/error.h"
#include "cli/shared/cli.h"
#include "cli/shared/options.h"

struct tn_cli {
	const char *verb; /* "call" */
	bool json;
};

/* Reads the options. Whether --json is among them is known before anything can go wrong. False: the
 * verb is over and *ret_exit its exit code (help was printed, or a mistake told). */
bool tn_cli_begin(struct tn_cli *cli, const struct tn_options *options, int argc, char **argv,
		  size_t *ret_word_count, int *ret_exit);

/* Tells what went wrong and returns `exit`. `code` is for programs: "USAGE", "NOT_FOUND". */
int tn_cli_fail(const struct tn_cli *cli, enum tn_exit exit, const char *code, bool retryable,
		const char *format, ...) TN_PRINTF(5, 6);
int tn_cli_usage(const struct tn_cli *cli, const char *format, ...) TN_PRINTF(2, 3);
/* The same of an error: "what: message"; `what` may be NULL. */
int tn_cli_fail_error(const struct tn_cli *cli, enum tn_exit exit, const char *what,
		      const struct tenon_error *err);
/* The same of a text of any length; `members`: more of the JSON line, as `,"result":{}`. */
int tn_cli_fail_text(const struct tn_cli *cli, enum tn_exit exit, const char *code, bool retryable,
		     struct tn_str message, struct tn_str members);
/* A line for people while the verb goes on; nothing with --json. */
void tn_cli_note(const struct tn_cli *cli, const char *format, ...) TN_PRINTF(2, 3);

/* Writes `out` to standard output. On a terminal control characters are left out: what servers
 * write is not ours (MCP-287). `exit`, or 1 when it could not be written; a reader that has seen
 * enough (head) is no mistake. */
int tn_cli_write(const struct tn_cli *cli, const struct tn_buf *out, int exit);

#endif
