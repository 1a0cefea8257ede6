/* policy_part.h - members of policy.json that belong to an app: the policy keeps their text, the
 * app says what it means (docs/policy.md).
 *
 * A new policy is taken over when every part has been read without a fault; otherwise all of the
 * one before stays. Parts may be added before consent is opened. Threads: loop. */
#ifndef TN_MCP_POLICY_PART_H
#define TN_MCP_POLICY_PART_H

#include "base/error.h"
#include "base/str.h"

struct tenon_server;
struct tn_policy;

struct tn_policy_part {
	const char *member; /* "terminal"; one that consent_policy.c knows */
	/* Reads the member's value: JSON with comments, behind as many line breaks as stand before
	 * it in the file; empty: there is none. Changes nothing yet. Fails: INVALID
	 * ("policy.json:LINE: ..."), LIMIT, NO_MEMORY. */
	enum tenon_code (*read)(struct tn_str text, void **ret_made, struct tenon_error *err);
	void (*use)(void *made, void *data); /* takes over what was read */
	void (*drop)(void *made);            /* or it is not needed */
	void *data;

	void *made;                  /* private */
	struct tn_policy_part *next; /* the server's */
};

/* Reads and uses what the policy says now. The part is the caller's, and stays where it is until it
 * is removed. Fails: as `read`; it is not added then. */
TN_MUST_USE enum tenon_code tn_policy_part_add(struct tenon_server *server,
					       struct tn_policy_part *part,
					       struct tenon_error *err);
void tn_policy_part_remove(struct tenon_server *server, struct tn_policy_part *part);

/* consent.c: reads all parts; then they are used, or a fault was found and nothing has changed. */
TN_MUST_USE enum tenon_code tn_policy_parts_take(struct tenon_server *server,
						 const struct tn_policy *policy,
						 struct tenon_error *err);

#endif
