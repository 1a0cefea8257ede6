/* person_door.h - hands the person token to a process that may have it, on a Unix socket (0600) in
 * the runtime folder (docs/security-model.md).
 *
 * Whoever connects is told one line and hung up on: {"token","url"}, or {"error","message"}.
 * Refused are other users, what an AI host or one of our own terminals has started, what this
 * daemon has started, and whatever /proc does not tell enough about. Ownership: the daemon's.
 * Threads: loop. */
#ifndef TN_HOST_PERSON_DOOR_H
#define TN_HOST_PERSON_DOOR_H

#include <sys/types.h>

#include "base/error.h"

struct tn_daemon;
struct tn_person_door;

/* Fails: INVALID (the path is too long), BUSY, SYSTEM, NO_MEMORY. */
TN_MUST_USE enum tenon_code
tn_person_door_open(struct tn_daemon *daemon, struct tn_person_door **ret, struct tenon_error *err);
/* The socket's file has gone: it is made again. Who is refused stays refused. Fails: likewise; then
 * the door is as it was. */
TN_MUST_USE enum tenon_code tn_person_door_reopen(struct tn_person_door *door,
						  struct tenon_error *err);
void tn_person_door_close(struct tn_person_door *door); /* accepts NULL */

/* From now on nothing that descends from this process is a person: it serves a terminal that
 * assistants type into. Counts as long as the process lives. Fails: NOT_FOUND, LIMIT
 * (TN_DOOR_REFUSED_MAX), NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_person_door_refuse_below(struct tn_person_door *door, pid_t pid,
							struct tenon_error *err);

#endif
