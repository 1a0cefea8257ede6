/* consent_table.h - the requests for consent: what is asked, how it was decided, and which call
 * waits for it.
 *
 * At most TN_CONSENT_PENDING_MAX wait for a person, TN_CONSENT_PENDING_OWN_MAX of them of one
 * client; decided ones are kept for TN_CONSENT_KEPT_MS, so that a page can show them. Ownership:
 * the table's. A pointer to a request is good until the table is asked for something else. Threads:
 * loop. */
#ifndef TN_MCP_CONSENT_TABLE_H
#define TN_MCP_CONSENT_TABLE_H

#include "base/digest.h"
#include "base/rng.h"
#include "mcp/call.h"
#include "mcp/consent.h"

struct tn_policy;

enum tn_request_state {
	TN_REQUEST_PENDING,
	TN_REQUEST_APPROVED, /* and not used yet */
	TN_REQUEST_DENIED,
	TN_REQUEST_EXPIRED,
	TN_REQUEST_USED
};

struct tn_consent_request {
	struct tn_consent_request *next; /* older */
	char id[sizeof("apr_") + TN_RNG_TOKEN_SIZE(16)];
	char digest[TN_DIGEST_HEX_SIZE];
	int64_t asks_for;                             /* struct tenon_call.client */
	char *tool, *app, *summary, *detail, *client; /* own memory, like the next two */
	char *act, *rule;                             /* NULL: none */
	char *data;                                   /* a JSON object; NULL: none, or decided */
	char *once, *lasting; /* the words of the form; NULL: the usual one; none */
	char lasting_digest[TN_DIGEST_HEX_SIZE]; /* of what lasts, and ... */
	uint64_t lasting_ms;                     /* how long at most; 0: no limit */
	int64_t created_wall_ms, expires_wall_ms;
	uint64_t timeout_ms;
	uint64_t due_ms; /* when it expires or, decided, is forgotten */
	enum tn_request_state state;
	const char *decided_by;  /* static; NULL: nobody yet */
	bool told;               /* denied, and the caller knows */
	struct tenon_call *call; /* it waits for this, or runs by it; NULL: none */
	struct tn_consent *owner;
};

/* An approval that lasts: for whatever has this digest. */
struct tn_consent_lasting {
	struct tn_consent_lasting *next; /* older */
	char digest[TN_DIGEST_HEX_SIZE];
	uint64_t until_ms;
};

enum tn_environment { TN_ENVIRONMENT_NONE, TN_ENVIRONMENT_ALLOWS, TN_ENVIRONMENT_DENIES };

struct tn_consent_proving;

struct tn_consent {
	struct tenon_server *server;
	struct tn_consent_prover prover;    /* `ask` NULL: approvals count at once */
	struct tn_consent_proving *proving; /* what a human is asked to prove now; NULL: nothing */
	struct tn_policy *policy;
	enum tn_environment environment;
	uint64_t fallback_timeout_ms;        /* when the policy names none */
	struct tn_consent_request *requests; /* newest first */
	struct tn_consent_lasting *lasting;  /* newest first */
	struct tn_timer *timer;
	void (*changed)(void *data);
	void *changed_data;
};

/* What a request says; all is copied. */
struct tn_consent_words {
	const char *digest, *app, *act, *rule;       /* act, rule: NULL for none */
	const char *once, *lasting, *lasting_digest; /* NULL for none */
	struct tn_str tool, summary, detail, client;
	uint64_t lasting_ms;
	struct tn_str data; /* without data: none */
};

TN_MUST_USE enum tenon_code tn_consent_table_open(struct tn_consent *c, struct tenon_error *err);
void tn_consent_table_close(struct tn_consent *c); /* what waits ends as unavailable */

/* Fails: LIMIT (too many wait; the message is for the caller), NO_MEMORY. */
TN_MUST_USE enum tenon_code
tn_consent_table_add(struct tn_consent *c, const struct tenon_call *call,
		     const struct tn_consent_words *words, uint64_t timeout_ms,
		     struct tn_consent_request **ret, struct tenon_error *err);
/* The request this call waits for or uses; else one of this digest that no other call has: an
 * approved one first. NULL: none. */
struct tn_consent_request *tn_consent_table_find(struct tn_consent *c,
						 const struct tenon_call *call, const char *digest);
/* The one this call waits for. NULL: none. */
struct tn_consent_request *tn_consent_table_open_of(const struct tenon_call *call);
/* What the request says of it lasts from now on; without memory it does not. */
void tn_consent_table_remember(const struct tn_consent_request *r);
bool tn_consent_table_remembers(const struct tn_consent *c, const char *digest);
void tn_consent_table_forget(struct tn_consent *c); /* all that last */
void tn_consent_table_mark(struct tn_consent_request *r, enum tn_request_state state,
			   const char *by);
void tn_consent_table_attach(struct tn_consent_request *r, struct tenon_call *call);
/* The call has ended: what it waited for is dropped, or stays when it is to be called again. */
void tn_consent_table_let_go(struct tenon_call *call);
/* What is over by the clock: calls end, requests are forgotten. */
void tn_consent_table_expire(struct tn_consent *c);

/* The open request of this id, which this decision suits. Fails: as tn_consent_decide. */
TN_MUST_USE enum tenon_code tn_consent_table_check(struct tn_consent *c, struct tn_str id,
						   enum tn_decision decision,
						   struct tn_consent_request **ret,
						   struct tenon_error *err);
/* It is decided: its call goes on. The request may be gone afterwards. */
void tn_consent_table_settle(struct tn_consent_request *r, enum tn_decision decision,
			     const char *by);

/* consent_prove.c: the request is not open any more, so nobody needs to prove anything for it. */
void tn_consent_prove_drop(struct tn_consent_request *r);
void tn_consent_prove_close(struct tn_consent *c); /* nobody is told any more */

/* consent.c: the request of a waiting call has been decided. */
void tn_consent_resume(struct tenon_call *call, const struct tn_consent_request *r);

#endif
