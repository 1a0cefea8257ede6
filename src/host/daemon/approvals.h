/* approvals.h - what a server without a daemon offers to a person: the resource tenon://approvals
 * and the tool that decides, as the daemon's app `tenon` has them.
 *
 * Threads: loop. */
#ifndef TN_HOST_APPROVALS_H
#define TN_HOST_APPROVALS_H

#include "tenon/server.h"

extern const struct tenon_app tn_approvals_app;

#endif
