/* redact_learn.h - the values that a command's text assigns to sensitive names.
 *
 * What depends on more than the text ("$OTHER", `pass show x`) is not known by it. Threads: any. */
#ifndef TN_TERM_REDACT_LEARN_H
#define TN_TERM_REDACT_LEARN_H

#include "apps/terminal/redact/internal.h"

void tn_redact_learn_text(struct tn_secrets **secrets, struct tn_str command);

/* Appends what a shell makes of a word: quotes and backslashes gone. False: it depends on
 * expansions, or `out` is full. */
bool tn_redact_unquote(struct tn_str word, struct tn_buf *out);

#endif
