/* callers.h - every process that has spoken to this server as a client, for as long as it lives:
 * below none of them is anybody a person (docs/security-model.md, "The person's door").
 *
 * A connection is looked up once, before its first request is served, by a worker: the kernel names
 * its socket, /proc says who has that open. Processes are kept by number and start time. Ownership:
 * the server's owner, who closes it after the listeners. Threads: loop. */
#ifndef TN_HOST_CALLERS_H
#define TN_HOST_CALLERS_H

#include "serve/http_gate.h"
#include "host/person/socket_holder.h"
#include "loop/loop.h"

struct tn_callers;

TN_MUST_USE enum tenon_code tn_callers_open(struct tn_loop *loop, struct tn_callers **ret,
					    struct tenon_error *err);
void tn_callers_close(struct tn_callers *callers); /* nobody is told any more; accepts NULL */

/* What HTTP listeners ask before they serve a client; once persons are to be known, before they
 * serve those as well. */
void tn_callers_know_persons(struct tn_callers *callers);
const struct tn_http_gate *tn_callers_gate(struct tn_callers *callers);

/* Below this process nobody is a person, whatever it does itself: a host, or what serves a terminal
 * that assistants type into. Fails: LIMIT (TN_CALLERS_MAX live ones), NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_callers_add(struct tn_callers *callers,
					   const struct tn_process *process,
					   struct tenon_error *err);
/* The same of a process that speaks by a Unix socket or standard input, and of what runs it as a
 * command. Without effect on one that has ended. */
TN_MUST_USE enum tenon_code tn_callers_add_speaker(struct tn_callers *callers, pid_t pid,
						   struct tenon_error *err);

/* Looks at all connections that are open now and calls `done` later: whoever has been handed one
 * is known then. Not `complete`: not all could be seen in the time there is, so nothing may be
 * concluded. False: no memory; it will not be called. */
bool tn_callers_refresh(struct tn_callers *callers, void (*done)(void *data, bool complete),
			void *data);
void tn_callers_forget(struct tn_callers *callers, const void *data); /* `done` is not wanted */

/* Whose the other end of a connection is; nobody is remembered. `done` comes later, unless it is
 * forgotten: `who` is valid during it, with a count of 0 for nobody that can be seen. False: it
 * will not be called. */
bool tn_callers_look_up(struct tn_callers *callers, const struct tn_socket_ends *ends,
			void (*done)(void *data, const struct tn_holders *who), void *data);

/* The one of them that this process comes from: it is among its ancestors, or has started one of
 * them as a command and no terminal is in between. NULL: none. Good until the loop's next turn. */
const struct tn_process *tn_callers_above(const struct tn_callers *callers,
					  const struct tn_ancestry *ancestry);

#endif
