/* proof.h - asks a human to prove that an approval is theirs (the setting consent.proof): polkit's
 * dialog, or a touch of a security key.
 *
 * The program tenon-proof, beside this one, does it and ends; each question gets one of its own,
 * which knows nothing else, and its answer counts for that question alone. So this program needs
 * neither library, and its loop never waits. Ownership: the server's owner, who closes it after the
 * server has let go of consent. Threads: loop. */
#ifndef TN_HOST_PROOF_H
#define TN_HOST_PROOF_H

#include "base/error.h"

struct tenon_server;
struct tn_callers;
struct tn_person_door;
struct tn_proof;

struct tn_proof_options {
	struct tenon_server *server;        /* its consent is open */
	struct tn_callers *callers;         /* NULL: no person can come in */
	struct tn_person_door *const *door; /* of persons; *door may be NULL still, or again */
	const char *kind;                   /* "polkit", "fido"; anything else: nothing is proven */
	const char *keys;                   /* the file with enrolled security keys */
};

/* From now on approvals of this server are proven. What stands in the way (no such program, no
 * dialog) refuses each approval in words. Fails: NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_proof_open(const struct tn_proof_options *options,
					  struct tn_proof **ret, struct tenon_error *err);
void tn_proof_close(struct tn_proof *proof); /* accepts NULL */

/* Where tenon-proof is, which nobody but its owner and root may have written. `path` has PATH_MAX
 * bytes. Fails: NOT_FOUND, DENIED. */
TN_MUST_USE enum tenon_code tn_proof_find(char *path, struct tenon_error *err);

#endif
