/* shell.h - bash, zsh, fish and POSIX sh, made to say when a command begins and ends
 * (terminal.md section 5).
 *
 * A start file is loaded in addition to the user's own; it prints the marks of marks.h with the
 * session's nonce. A command is delivered as a file and one short line. Ownership: the caller
 * finishes what is prepared. Threads: loop.
 *
 * What a reader of the marks must know:
 *   - Of a delivered command C and D have its number. Bash prints a C without a number just before
 *     (PS0 does not know the line).
 *   - B comes again whenever a line editor draws its prompt anew (a resize, fish in vi mode), so it
 *     says nothing of a line that was just delivered. That the shell is past a line says D.
 *   - A comes before the line editor sets its modes (bracketed paste).
 *   - The keys that clear the line do not leave a continued command (PS2), nor a search that was
 *     begun in vi mode: where somebody typed since the prompt, Ctrl-C comes first, then B or, where
 *     the line editor has nothing to draw anew, 300 ms.
 *   - A number whose file is gone (tn_shell_forget) runs nothing, however late its line comes.
 *   - dash: a typed line has no C, and what an interrupted command had as cwd and env is put back
 *     when the next one is delivered.
 *   - Not as if typed: PIPESTATUS is ours; $_ is kept after simple commands only; under set -e a
 *     text that ends with `! command` ends the shell in bash and dash (eval does that); set -x
 * shows the eval; in zsh `fg` after `bg` wants its job's number. */
#ifndef TN_TERM_SHELL_H
#define TN_TERM_SHELL_H

#include <stdbool.h>
#include <stdint.h>

#include "apps/terminal/output/marks.h"
#include "base/buf.h"
#include "base/error.h"

enum tn_shell_kind { TN_SHELL_OTHER, TN_SHELL_BASH, TN_SHELL_ZSH, TN_SHELL_FISH, TN_SHELL_POSIX };

/* By its base name ("bash", "-zsh", "dash", "sh", "ksh", "busybox"). */
enum tn_shell_kind tn_shell_kind_of(const char *path);

struct tn_shell_wish {
	const char *path; /* of the shell, absolute */
	bool login;
	const char *folder; /* run/<session>: private, exists; the start files go there */
	const char *nonce;
};

/* How to start it; its words live in `words`. */
struct tn_shell_start {
	enum tn_shell_kind kind;
	const char *argv[8]; /* NULL-terminated */
	const char *env[8];  /* further variables "NAME=value", NULL-terminated */
	bool marks;          /* typed lines have C marks; false: dash */
	struct tn_buf words;
};
/* Writes the start files (0600). Fails: SYSTEM, NO_MEMORY, INVALID (the folder has characters that
 * cannot be told to the shell). */
TN_MUST_USE enum tenon_code tn_shell_prepare(const struct tn_shell_wish *wish,
					     struct tn_shell_start *ret, struct tenon_error *err);
void tn_shell_start_finish(struct tn_shell_start *start);

struct tn_shell_command {
	uint64_t number; /* from 1, in the session */
	struct tn_str text;
	const char *cwd;        /* NULL: where the shell is */
	const char *const *env; /* "NAME=value" of this command only; NULL: none */
	/* Of a terminal whose lines the kernel edits (tn_pty_mode, canonical); 0: the shell edits
	 * them, in dash the usual one. */
	char kill_character;
};
/* Writes the command's file and appends to `line` what is typed: it clears what stands on the input
 * line, and ends with Enter. Fails: INVALID (a name in env that is none; a shell nobody knows),
 * SYSTEM, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_shell_deliver(enum tn_shell_kind kind, const char *folder,
					     const char *nonce,
					     const struct tn_shell_command *command,
					     struct tn_buf *line, struct tenon_error *err);
/* For a shell that took the place of the one that was started, and has read its own start files:
 * writes ours and appends to `line` what is typed, which reads them. Fails: as tn_shell_prepare. */
TN_MUST_USE enum tenon_code tn_shell_take(enum tn_shell_kind kind, const char *folder,
					  const char *nonce, struct tn_buf *line,
					  struct tenon_error *err);
/* It has shown its first prompt: the start files have been read, and go. The nonce is in them, and
 * a program of the session could read them, in a sandbox, too. */
void tn_shell_begun(const char *folder);
/* The command has ended: its file goes. */
void tn_shell_forget(const char *folder, uint64_t number);
/* The session has ended: everything that was written for it goes, and the folder. */
void tn_shell_remove(const char *folder);

#endif
