/* consent.h - whether a call may happen: allowed, denied, or a person is asked (ARCHITECTURE
 * section 3.4).
 *
 * A policy is an ordered list of rules; the first that matches decides, then the default. What is
 * to be confirmed becomes a request with an id, single use, an expiry, and a digest of tool,
 * principal, arguments and the act's own bytes: an approval of one thing is no approval of another.
 * A person answers on the page, on a terminal, or by elicitation where the policy lets that count.
 * Threads: loop; the policy's reader: any. */
#ifndef TN_MCP_CONSENT_H
#define TN_MCP_CONSENT_H

#include "jsonrpc/json_write.h"
#include "mcp/call.h"

struct tn_consent;

enum tn_verdict { TN_ALLOW, TN_CONFIRM, TN_DENY };
enum tn_decision { TN_APPROVED, TN_DENIED, TN_APPROVED_LASTING };

/* The policy's text is JSON with comments; see docs/policy.md for its members. NULL text: the
 * built-in policy. `environment`: the value of TENON_CONSENT ("allow", "deny") or NULL.
 * Fails: INVALID (line, member, what was wrong, what to send instead), NO_MEMORY; the policy that
 * was in force stays. */
TN_MUST_USE enum tenon_code tn_consent_open(struct tenon_server *server, const char *environment,
					    struct tenon_error *err);
void tn_consent_close(struct tenon_server *server); /* open requests end as unavailable */
/* The server stops: what waits for a person ends as unavailable, and nothing begins to wait. */
void tn_consent_drain(struct tenon_server *server);
TN_MUST_USE enum tenon_code tn_consent_set_policy(struct tenon_server *server, const char *text,
						  struct tenon_error *err);

/* What TENON_CONSENT answers for a person: "allow", "deny"; NULL: nothing, people are asked. */
const char *tn_consent_environment(const struct tenon_server *server);

/* How long a person may take when the policy does not say; 600 s unless set. */
void tn_consent_set_timeout(struct tenon_server *server, uint64_t timeout_ms);

/* Called by tools/call before the handler. True: run it. False: it waits, asks or has ended. */
bool tn_consent_admit(struct tenon_call *call);

/* Whether what does the work of this tool otherwise than by a call (json_door.h) may do it: a rule
 * that denies it, or wants a person asked, holds there, too. */
bool tn_consent_permits(const struct tenon_server *server, const char *tool, const char *app);

/* Somebody could answer if this call asked now: a person's page is open, or its client can elicit
 * and that counts. */
bool tn_consent_can_ask(const struct tenon_call *call);

/* A person decides. `by`: "page" or "terminal". Fails: NOT_FOUND (no such request), EXPIRED (it has
 * been decided or has expired; the message says which), INVALID (its approval cannot last), DENIED
 * (approvals are to be proven: tn_consent_answer). */
TN_MUST_USE enum tenon_code tn_consent_decide(struct tenon_server *server, struct tn_str id,
					      enum tn_decision decision, const char *by,
					      struct tenon_error *err);

/* ---- a proof that a human stands behind an approval (the setting consent.proof) ---- */

/* What a human is to prove; valid during `ask`. */
struct tn_consent_claim {
	const char *summary, *detail, *client, *digest;
	int64_t process; /* of whoever approves, as the kernel says; 0: not known */
};

struct tn_consent_prover {
	const char *name; /* "polkit"; outlives it */
	/* Asks the human. `done` comes later, once, unless it is cancelled first; not OK: `why` is
	 * a sentence for whoever approves. */
	enum tenon_code (*ask)(void *data, const struct tn_consent_claim *claim,
			       void (*done)(void *done_data, const struct tenon_error *why),
			       void *done_data, void **ret_asking, struct tenon_error *err);
	void (*cancel)(void *asking);
	void *data;
};

/* From now on no approval counts before it has been proven: what a client says of its user and
 * TENON_CONSENT=allow prove nothing, so neither counts. Refusals need no proof. */
void tn_consent_set_prover(struct tenon_server *server, const struct tn_consent_prover *prover);
bool tn_consent_is_proven(const struct tenon_server *server); /* one is set */

struct tn_consent_answer {
	struct tn_str id;
	enum tn_decision decision;
	const char *by;  /* static */
	int64_t process; /* of whoever decides; 0: not known */
	/* When *ret_waits: told once, later, unless given up; `why->code` is TENON_OK for done. */
	void (*done)(void *data, const struct tenon_error *why);
	void *data;
};
/* tn_consent_decide, after the proof where there is to be one. Fails: likewise, and BUSY (another
 * approval is being proven: one human reads one question), and as the prover does. */
TN_MUST_USE enum tenon_code tn_consent_answer(struct tenon_server *server,
					      const struct tn_consent_answer *answer,
					      bool *ret_waits, struct tenon_error *err);
/* Whoever decides has gone: what is not proven yet is not approved. */
void tn_consent_give_up(struct tenon_server *server, const void *data);

/* Not a request but another act of a person that makes approvals needless, such as a new policy:
 * `done` comes at once where nothing is to be proven. Fails: BUSY, and as the prover does. */
TN_MUST_USE enum tenon_code
tn_consent_prove(struct tenon_server *server, const struct tn_consent_claim *claim,
		 void (*done)(void *data, const struct tenon_error *why), void *data,
		 struct tenon_error *err);

/* ---- for the core ---- */

/* The client will not answer the questions for consent that are out. True: taken care of: a person
 * is waited for, or the call has ended. False: it has asked for other things, too. */
bool tn_consent_unheard(struct tenon_call *call);
void tn_consent_end(struct tenon_call *call); /* the call is over */

/* ---- for people ---- */

/* The value of tenon://approvals (docs/daemon.md). */
void tn_consent_write(const struct tenon_server *server, struct tn_buf *out);
size_t tn_consent_pending(const struct tenon_server *server);
/* Called with every change of that value; NULL: nobody. */
void tn_consent_on_change(struct tenon_server *server, void (*changed)(void *data), void *data);

#endif
