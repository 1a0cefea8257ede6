/* http_ws.h - JSON-RPC over WebSocket beside the HTTP endpoints (mcp.md section 13).
 *
 * A connection is a conversation as on stdio: both eras, and its end cancels everything (MCP-164).
 * Threads: loop. */
#ifndef TN_HOST_HTTP_WS_H
#define TN_HOST_HTTP_WS_H

#include <sys/types.h>

#include "transport/http.h"

struct tn_http_caller;
struct tn_http_host;
struct tn_ws_client;

/* The opening handshake (RFC 6455 section 4.2) without the subprotocol. False: answered. */
bool tn_ws_handshake(struct tn_http_exchange *x, struct tn_str *ret_key);
/* Answers 101; `protocol` empty: none is named. False: the connection broke. */
bool tn_ws_switch(struct tn_http_exchange *x, struct tn_str key, struct tn_str protocol,
		  struct tn_http_upgraded *ret);

/* What a subprotocol `bearer.<token>` has behind the prefix; NULL data: none begins so. */
struct tn_str tn_ws_offered(const struct tn_http_exchange *x, struct tn_str prefix);

/* The token in a subprotocol `bearer.<token>`; NULL data: none. */
struct tn_str tn_ws_bearer(const struct tn_http_exchange *x);

/* A GET that has passed the checks of every endpoint: 101, or why not. */
void tn_ws_get(struct tn_http_host *host, struct tn_http_exchange *x, uint32_t apps);

void tn_ws_turn(struct tn_http_host *host); /* closes those that are through, while draining */
/* Of those that this caller opened nothing is taken any more; they are closed; and those that have
 * been closed so are gone. */
void tn_ws_silence(struct tn_http_host *host, const struct tn_http_caller *caller);
void tn_ws_expel(struct tn_http_host *host, const struct tn_http_caller *caller);
void tn_ws_expel_now(struct tn_http_host *host);
void tn_ws_close_all(struct tn_http_host *host);

/* Of a relay, as it says of itself; 0: it is none. */
pid_t tn_ws_relay_process(const struct tn_http_exchange *x);

#endif
