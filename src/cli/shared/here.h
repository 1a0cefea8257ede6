/* here.h - tells the daemon where this program was started (HO-012): what is run, read and written
 * by relative names is meant from there. Threads: any. */
#ifndef TN_CLI_HERE_H
#define TN_CLI_HERE_H

#include "base/buf.h"

/* Appends the line of a handshake that says so, without its end; nothing when the directory has
 * gone: nobody can be there. False: nothing was appended. */
bool tn_here_put(struct tn_buf *out);

#endif
