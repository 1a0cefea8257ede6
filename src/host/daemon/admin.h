/* admin.h - the app `tenon`: the daemon itself as resources, and what only a person may do
 * (docs/daemon.md, "The app `tenon`").
 *
 * Resources are published through the change feed: what counts things at most once a second, the
 * rest at the end of the turn that changed it, and nothing while nobody has subscribed. Ownership:
 * the app's state goes with the server; tn_admin_close only ends what it watches. Threads: loop. */
#ifndef TN_HOST_ADMIN_H
#define TN_HOST_ADMIN_H

#include "host/daemon/daemon.h"

/* Adds the app to `daemon->server`. Members of the daemon that are NULL are left out of what is
 * shown. Fails: NO_MEMORY, and as tenon_server_add_app. */
TN_MUST_USE enum tenon_code tn_admin_open(struct tn_daemon *daemon, struct tenon_error *err);
/* Before metrics, audit and consent are closed. Nothing when it is not open. */
void tn_admin_close(struct tn_daemon *daemon);

/* Settings, policy, token, listeners or state have changed. Nothing when it is not open. */
void tn_admin_changed(struct tn_daemon *daemon);

#endif
