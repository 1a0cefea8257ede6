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
#include "host/person/ancestry.h"

struct tenon_server;
struct tn_callers;
struct tn_person_door;

/* What is handed out, and who is known; all of it outlives the door. */
struct tn_person_door_options {
	struct tenon_server *server;
	struct tn_callers *callers;
	const char *path;        /* of the socket */
	const char *token;       /* the person token as it is when somebody asks, like ... */
	const char *url;         /* ... the address of the page; "" when there is none */
	const uint16_t *port;    /* where the token counts; NULL: the discovery file says so */
	const char *const *apps; /* names, NULL at the end: what is served; NULL: not told */
};

/* Fails: INVALID (the path is too long), BUSY, SYSTEM, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_person_door_open(const struct tn_person_door_options *options,
						struct tn_person_door **ret,
						struct tenon_error *err);
/* The socket's file has gone: it is made again. Who is refused stays refused. Fails: likewise; then
 * the door is as it was. */
TN_MUST_USE enum tenon_code tn_person_door_reopen(struct tn_person_door *door,
						  struct tenon_error *err);
void tn_person_door_close(struct tn_person_door *door); /* accepts NULL */

/* From now on nothing that descends from this process is a person: it serves a terminal that
 * assistants type into. Counts as long as the process lives. Fails: NOT_FOUND, LIMIT
 * (TN_CALLERS_MAX), NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_person_door_refuse_below(struct tn_person_door *door, pid_t pid,
							struct tenon_error *err);

/* Whether what this process comes from uses us as a client, serves assistants' terminals, or is we
 * ourselves. *ret names it; untouched otherwise. */
bool tn_person_door_is_below(const struct tn_person_door *door, const struct tn_ancestry *ancestry,
			     struct tn_process *ret);

#endif
