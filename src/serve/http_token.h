/* http_token.h - the tokens of an HTTP listener: who has them, how often one may guess, and what
 * happens when one is replaced.
 *
 * Whatever is open remembers the caller that its token named (struct tn_http_owner), so that a
 * replaced token takes with it what it let in, and nothing else. Threads: loop. */
#ifndef TN_HOST_HTTP_TOKEN_H
#define TN_HOST_HTTP_TOKEN_H

#include "serve/http_session.h"
#include "mcp/scope.h"
#include "transport/auth.h"

struct tn_http_host;
struct tn_http_app_peer;

/* Who has one of the tokens; without tokens there is one, who is everybody (MCP-266). */
struct tn_http_caller {
	struct tn_http_owner owner;   /* of a request until it is taken over; first */
	struct tn_peer *modern;       /* whom the stateless requests belong to; has the name */
	struct tn_http_app_peer *per; /* the same for the paths of one app, as they were asked */
	struct tn_scope *scope;       /* NULL: everything */
	bool person;
	bool local;    /* a user of this machine has it */
	bool replaced; /* what came in by the token before ends with this turn */
};

TN_MUST_USE enum tenon_code tn_http_callers_open(struct tn_http_host *host,
						 struct tenon_error *err);
void tn_http_callers_close(struct tn_http_host *host);  /* their peers */
void tn_http_callers_finish(struct tn_http_host *host); /* and what those pointed to */

/* Whom stateless requests to the path of these apps belong to. NULL: no memory. */
struct tn_peer *tn_http_caller_peer(struct tn_http_host *host, struct tn_http_caller *caller,
				    uint32_t apps);
/* What every peer of this caller is: scope, person, where it comes from. */
void tn_http_caller_mark(const struct tn_http_host *host, const struct tn_http_caller *caller,
			 uint32_t apps, struct tn_peer *peer);

/* Which forms of results the request's header asks for, for the connection that begins with it
 * (fit.h). False: refused, it names none. */
bool tn_http_read_fit(struct tn_http_exchange *x, struct tn_fit_choice *ret);

/* The caller of this request. NULL: refused with 401, or 429 when that happened too often. */
struct tn_http_caller *tn_http_caller_find(struct tn_http_host *host, struct tn_http_exchange *x,
					   bool bearer_counts);
void tn_http_refuse_token(struct tn_http_exchange *x, enum tn_auth verdict);

/* At the end of a turn: ends what replaced tokens had let in. */
void tn_http_callers_turn(struct tn_http_host *host);

#endif
