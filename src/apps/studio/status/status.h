/* status.h - what of a diagram exists in the cloud (studio.md section 10).
 *
 * Six values a node: pending, creating, updating, created, failed, destroyed; kept in
 * .tenon/deployment.json. Fed by runs and by reading the state; plans never change it. Threads:
 * loop. */
#ifndef TN_STUDIO_STATUS_H
#define TN_STUDIO_STATUS_H

#include "apps/studio/generate/generate.h"

struct tn_studio_status;

struct tn_studio_status_options {
	const char *path; /* of deployment.json; NULL: memory only */
	const struct tn_clock *clock;
	/* Told at once, for each node whose status is another one; may be NULL. */
	void (*changed)(struct tn_str node_id, void *data);
	void *data;
};
/* A broken file counts as none and is told in `err` with OK. */
TN_MUST_USE enum tenon_code tn_studio_status_create(const struct tn_studio_status_options *options,
						    struct tn_studio_status **ret,
						    struct tenon_error *err);
void tn_studio_status_destroy(struct tn_studio_status *status); /* accepts NULL */
/* The same as it is now, in memory only, for other threads to read. Fails: NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_studio_status_copy(const struct tn_studio_status *from,
						  struct tn_studio_status **ret,
						  struct tenon_error *err);

/* "pending" for what is unknown; never NULL. */
const char *tn_studio_status_of(const struct tn_studio_status *status, struct tn_str node_id);
/* {status, phase?, error?, addresses, lastRunId?, updatedAt?, changed, applicable?} as one object.
 * `generated` NULL: `changed` is not known and left out. */
void tn_studio_status_put(struct tn_buf *out, const struct tn_studio_status *status,
			  const struct tn_studio_node *node,
			  const struct tn_studio_generated *generated);
/* For edit.h and diagnostic.h: whether something of it is in the state; addresses as JSON array
 * members. */
bool tn_studio_status_deployed(const void *status, struct tn_str node_id,
			       struct tn_buf *ret_addresses);

/* ---- fed by runs ----
 * `status` may be NULL everywhere below: nothing happens. */
enum tn_studio_phase { TN_STUDIO_CREATE, TN_STUDIO_UPDATE, TN_STUDIO_DELETE };
struct tn_studio_part { /* one block of a node, as the engine names it */
	struct tn_str node_id, address;
	bool primary; /* not an extra, endpoint or binding */
};
void tn_studio_status_begin(struct tn_studio_status *status, const struct tn_studio_part *part,
			    enum tn_studio_phase phase, const char *run_id);
void tn_studio_status_complete(struct tn_studio_status *status, const struct tn_studio_part *part,
			       enum tn_studio_phase phase);
void tn_studio_status_fail(struct tn_studio_status *status, const struct tn_studio_part *part,
			   struct tn_str why);
/* What the node generates was applied as it is in `hex` (ST-101); it costs so much a month then
 * (NULL: nobody knows). */
void tn_studio_status_applied(struct tn_studio_status *status, struct tn_str node_id,
			      const char *hex, const int64_t *cents);
/* What it cost when it was applied last; false: nobody knows. */
bool tn_studio_status_cost(const struct tn_studio_status *status, struct tn_str node_id,
			   int64_t *ret_cents);
/* The node that this address was of when it was made; empty: none that is known. */
struct tn_str tn_studio_status_node_of(const struct tn_studio_status *status, struct tn_str address,
				       bool *ret_primary);
/* The same exists of the same nodes. */
bool tn_studio_status_agrees(const struct tn_studio_status *a, const struct tn_studio_status *b);
/* Each node of which something exists, also those that are no more in the diagram. */
void tn_studio_status_each(const struct tn_studio_status *status,
			   void (*each)(struct tn_str node_id, void *data), void *data);
/* The truth, from show -json (ST-100). `run_id`: what is gone went by this run; NULL: nobody knows.
 * Errors that a run has told of stay until a later run does better. False: it is no state. */
bool tn_studio_status_read(struct tn_studio_status *status,
			   const struct tn_studio_generated *generated, const struct tn_json *state,
			   const char *run_id);
/* What could not be found out (ST-100). */
void tn_studio_status_unknown(struct tn_studio_status *status);
/* The same where nothing can be done about a failure: the state is read again at opening. */
void tn_studio_status_keep(struct tn_studio_status *status);
TN_MUST_USE enum tenon_code tn_studio_status_save(struct tn_studio_status *status,
						  struct tenon_error *err);

#endif
