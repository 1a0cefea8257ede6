/* serve_person.h - a person's way to a server that runs without a daemon: a socket of its own in
 * the runtime folder (serve-PID.sock), where `tenon approve` finds it, and the person token that
 * counts on its HTTP listeners (terminal.md 10.2).
 *
 * Ownership: the caller closes it after the server. Threads: loop. */
#ifndef TN_HOST_SERVE_PERSON_H
#define TN_HOST_SERVE_PERSON_H

#include "serve/http_gate.h"
#include "host/settings/runtime.h"
#include "tenon/server.h"

struct tn_serve_person;

/* Before the listeners. Fails: as tenon_server_add_app, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_serve_person_open(struct tenon_server *server,
						 struct tn_serve_person **ret,
						 struct tenon_error *err);
const char *tn_serve_person_token(const struct tn_serve_person *person);
const struct tn_http_gate *tn_serve_person_gate(const struct tn_serve_person *person);

/* Sets callers and door, by which whoever approves is known. */
struct tn_proof_options;
void tn_serve_person_tell(const struct tn_serve_person *person, struct tn_proof_options *options);

/* A listener is open: from now on people find it there. Without a runtime folder, or with a socket
 * that cannot be made, they do not: *ret_why is the reason, else NULL. */
void tn_serve_person_listen(struct tn_serve_person *person, const char *address, uint16_t port,
			    const char **ret_why);
/* Before the server goes, and afterwards; both accept NULL. */
void tn_serve_person_leave(struct tn_serve_person *person);
void tn_serve_person_close(struct tn_serve_person *person);

#endif
