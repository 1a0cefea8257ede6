/* auth.h - the static bearer token of a listener (mcp.md MCP-265).
 *
 * Only the Authorization header counts; a token in the query string is none (MCP-267). The time
 * taken tells nothing about how much of a guess was right. Threads: any. */
#ifndef TN_TRANSPORT_AUTH_H
#define TN_TRANSPORT_AUTH_H

#include "transport/http.h"

enum tn_auth {
	TN_AUTH_OK,
	TN_AUTH_MISSING, /* no Authorization, or of another scheme */
	TN_AUTH_WRONG    /* another token, or more than one header */
};

/* `token` is not empty. */
enum tn_auth tn_auth_check(const struct tn_http_exchange *exchange, const char *token);

/* The same on the header's value; data NULL: absent. `count`: how many such headers there are. */
enum tn_auth tn_auth_check_value(struct tn_str value, size_t count, struct tn_str token);

/* The WWW-Authenticate value that belongs to a refusal. Names no metadata document, so that clients
 * do not start a browser login that cannot succeed. */
struct tn_str tn_auth_challenge(enum tn_auth verdict);

#endif
