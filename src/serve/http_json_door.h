/* http_json_door.h - paths that are an app's own and take JSON (mcp/json_door.h) beside the
 * endpoints of MCP.
 *
 * Threads: loop. */
#ifndef TN_SERVE_HTTP_JSON_DOOR_H
#define TN_SERVE_HTTP_JSON_DOOR_H

#include "mcp/json_door.h"
#include "serve/http_token.h"

struct tn_http_exchange;

/* Answers; the request has passed all checks and has a caller. */
void tn_http_json_door_serve(struct tn_http_exchange *x, const struct tn_http_caller *caller,
			     const struct tn_json_door *door);

#endif
