/* http_options.h - what an HTTP listener was asked for, checked and made its own.
 *
 * Threads: loop. */
#ifndef TN_HOST_HTTP_OPTIONS_H
#define TN_HOST_HTTP_OPTIONS_H

#include "base/arena.h"
#include "base/error.h"
#include "tenon/server.h"

/* *ret is complete: every default is written out, and `tokens` names all there are (`token` is
 * NULL; with no_token it is empty); its texts live in the arena. Fails: INVALID (which option, and
 * what to do instead), NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_http_options_read(struct tn_arena *arena,
						 const struct tenon_http_options *options,
						 struct tenon_http_options *ret,
						 struct tenon_error *err);

bool tn_http_is_loopback(const char *address);

/* Fails: INVALID (what a token needs). */
TN_MUST_USE enum tenon_code tn_http_token_check(const char *token, struct tenon_error *err);

/* Where HTTP+SSE takes its messages: beside the stream's path, "/messages" for "/sse". NULL: no
 * memory. */
const char *tn_http_messages_path(struct tn_arena *arena, const char *sse_path);

#endif
