/* shell_quote.h - statements for a shell, with values that it must take as they are.
 *
 * Threads: any. Ownership: appends to the caller's buffer, which remembers a failure. */
#ifndef TN_TERM_SHELL_QUOTE_H
#define TN_TERM_SHELL_QUOTE_H

#include "apps/terminal/shell/shell.h"
#include "base/buf.h"

/* One word that expands to exactly these bytes (no NUL among them). */
void tn_shell_quote(struct tn_buf *out, enum tn_shell_kind kind, struct tn_str value);
/* A line that sets a global variable of the shell, never exported. */
void tn_shell_assign(struct tn_buf *out, enum tn_shell_kind kind, const char *name,
		     struct tn_str value);
/* A line that calls a function with two words. */
void tn_shell_call(struct tn_buf *out, enum tn_shell_kind kind, const char *function,
		   struct tn_str first, struct tn_str second);

/* The last word of a text that is one simple command of plain or quoted words, which is what $_ is
 * after it. False: not that simple, `out` is untouched. */
bool tn_shell_last_word(struct tn_str text, struct tn_buf *out);

#endif
