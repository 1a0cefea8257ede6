/* internal.h - the daemon's halves among themselves: daemon.c is its life, daemon_listen.c its
 * listeners and tokens, daemon_parts.c what is opened around the server, daemon_change.c what
 * changes while it runs. Threads: loop. */
#ifndef TN_HOST_DAEMON_INTERNAL_H
#define TN_HOST_DAEMON_INTERNAL_H

#include "host/daemon/daemon.h"

/* Policy, metrics, audit, the app `tenon`: everything that stands around the server. */
TN_MUST_USE enum tenon_code tn_daemon_open_parts(struct tn_daemon *daemon, const char *policy,
						 struct tenon_error *err);
void tn_daemon_close_parts(struct tn_daemon *daemon);
/* Takes the policy file over (daemon_policy.c); without one the built-in policy holds. */
TN_MUST_USE enum tenon_code tn_daemon_read_policy(struct tn_daemon *daemon,
						  struct tenon_error *err);

/* What apps tell: lines for the log, processes below which nobody is a person. Before they open. */
void tn_daemon_listen_to_apps(struct tn_daemon *daemon);

/* HTTP, bridge, the person's door, discovery file, manifest. */
TN_MUST_USE enum tenon_code tn_daemon_listen(struct tn_daemon *daemon, struct tenon_error *err);
/* The HTTP listener moves to the port that the settings say now. */
TN_MUST_USE enum tenon_code tn_daemon_move(struct tn_daemon *daemon, struct tenon_error *err);

/* The runtime folder may vanish under a daemon that lives: a session ends and /run/user/UID goes,
 * or /tmp is swept. Then the files are made again; when another daemon has the place, this one
 * ends. */
void tn_daemon_keep_place(struct tn_timer *timer, void *daemon);

bool tn_daemon_wants_app(const struct tn_daemon *daemon, const char *name);
/* The terminal is not on, or has what it needs where other machines reach us. Fails: INVALID. */
TN_MUST_USE enum tenon_code tn_daemon_check_terminal(const struct tn_daemon *daemon,
						     struct tenon_error *err);
/* SIGHUP: settings and policy are read again. */
TN_MUST_USE enum tenon_code tn_daemon_reload(struct tn_daemon *daemon, struct tenon_error *err);

/* The supervisor's datagram (sd_notify(3)). */
void tn_daemon_notify(const char *socket_path, const char *text);

#endif
