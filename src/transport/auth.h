/* auth.h - the static bearer tokens of a listener (mcp.md MCP-265, MCP-266).
 *
 * Only the Authorization header counts, and where it is switched on a WebSocket subprotocol; a
 * token in the query string is none (MCP-267). The time taken tells neither how much of a guess was
 * right nor which token it was. Threads: any. */
#ifndef TN_TRANSPORT_AUTH_H
#define TN_TRANSPORT_AUTH_H

#include "transport/http.h"

enum tn_auth {
	TN_AUTH_OK,
	TN_AUTH_MISSING, /* no Authorization, or of another scheme */
	TN_AUTH_WRONG    /* another token, or more than one header */
};

/* What is kept of a token, so that all comparisons have one length. */
struct tn_auth_key {
	unsigned char bytes[16];
};
struct tn_auth_key tn_auth_key(struct tn_str token);

/* Which of the keys belongs to this token. False: none. */
bool tn_auth_find(struct tn_str token, const struct tn_auth_key *keys, size_t key_count,
		  size_t *ret_index);

/* *ret_index is set when OK is returned. */
enum tn_auth tn_auth_check(const struct tn_http_exchange *exchange, const struct tn_auth_key *keys,
			   size_t key_count, size_t *ret_index);

/* The same on the header's value; data NULL: absent. `count`: how many such headers there are. */
enum tn_auth tn_auth_check_value(struct tn_str value, size_t count, const struct tn_auth_key *keys,
				 size_t key_count, size_t *ret_index);

/* The WWW-Authenticate value that belongs to a refusal. Names no metadata document, so that clients
 * do not start a browser login that cannot succeed. */
struct tn_str tn_auth_challenge(enum tn_auth verdict);

#endif
