/* http_target.h - where an HTTP carrier talks to, checked once, and the header lines that every
 * request there has.
 *
 * The token goes to this origin and nowhere else (mcp.md MCP-272): whoever sends to another URL
 * asks tn_http_target_is_ours first. Ownership: the caller owns the struct; all texts are copies.
 * Threads: loop. */
#ifndef TN_CLIENT_HTTP_TARGET_H
#define TN_CLIENT_HTTP_TARGET_H

#include "base/arena.h"
#include "base/error.h"
#include "base/url.h"
#include "client/carrier.h"

struct tn_http_target {
	struct tn_arena arena;
	const char *url;
	struct tn_url parts;
	bool direct; /* this machine, or plain http: never by a proxy */
	const char *ca_file;
	const char **lines; /* User-Agent, Authorization, the user's own */
	size_t line_count;
};

/* Fails: INVALID (URL, token, a header, and which), NO_MEMORY; finish it in any case. */
TN_MUST_USE enum tenon_code tn_http_target_init(struct tn_http_target *target,
						const struct tn_url_target *from,
						struct tenon_error *err);
void tn_http_target_finish(struct tn_http_target *target);

/* `reference` as seen from `base` (a URL), when it is there and of our origin; otherwise NULL.
 * Lives in the arena. */
const char *tn_http_target_resolve(const struct tn_http_target *target, const char *base,
				   struct tn_str reference, struct tn_arena *arena);

/* The lines of one request, NULL-terminated: room for `more` behind the target's own. NULL: no
 * memory. */
struct tn_http_lines {
	struct tn_arena *arena;
	const char **lines;
	size_t count, room;
	bool failed; /* no memory, or a value that is none */
};
void tn_http_lines_init(struct tn_http_lines *lines, const struct tn_http_target *target,
			size_t more, struct tn_arena *arena);
void tn_http_lines_add(struct tn_http_lines *lines, struct tn_str name, struct tn_str value);

/* What a header value may hold: 0x20 to 0x7E and tab (MCP-114), obs-text of users' own. */
bool tn_http_value_valid(struct tn_str value);

#endif
