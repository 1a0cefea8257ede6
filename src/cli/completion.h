/* completion.h - what may stand where the cursor is, for the shells' completion. Threads: main. */
#ifndef TN_CLI_COMPLETION_H
#define TN_CLI_COMPLETION_H

#include "base/buf.h"

/* Writes the words that may follow, one a line, with a tab and a description where there is one; a
 * line ":files" asks the shell for file names. `words`: what stands after "tenon"; the last one is
 * being typed, and may be empty. Never starts a daemon, and asks one for 0.4 s at most. */
void tn_complete(const char *const *words, size_t count, struct tn_buf *out);

#endif
