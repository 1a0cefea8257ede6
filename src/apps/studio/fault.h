/* fault.h - why something was refused, in the shape every tool of studio answers with
 * (studio.md 12.1): a code, a sentence with the value and the way out, details, suggestions.
 *
 * Filled by the engine, turned into a tool error by the door. Texts are copied into the struct;
 * details live in the caller's arena. Threads: any. */
#ifndef TN_STUDIO_FAULT_H
#define TN_STUDIO_FAULT_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "jsonrpc/json.h"

enum { TN_STUDIO_SUGGESTIONS_MAX = 5 };

struct tn_studio_fault {
	const char *code;      /* "NOT_FOUND"; static; NULL: nothing is wrong */
	char message[1024];    /* whole UTF-8, no path outside the project and the engine */
	struct tn_str details; /* a JSON object as text; empty: none */
	struct tn_str value; /* what was refused, the caller's: details {"value"} without others */
	struct tn_str suggestions[TN_STUDIO_SUGGESTIONS_MAX];
	unsigned suggestion_count;
	bool compared; /* with all there is: `suggestions` is sent when nothing is near, too */
	bool retryable;
	enum tenon_code cause; /* what kind it is, for callers that branch */
};

/* Each returns false, so that a caller writes `return tn_studio_fail(fault, "NOT_FOUND", ...)`.
 * `fault` may be NULL. */
bool tn_studio_fail(struct tn_studio_fault *fault, const char *code, const char *format, ...)
	TN_PRINTF(3, 4);
/* The machine's own troubles: IO_ERROR, LIMIT_EXCEEDED, INVALID_INPUT, by err->code. */
bool tn_studio_fail_error(struct tn_studio_fault *fault, const struct tenon_error *err);
bool tn_studio_fail_memory(struct tn_studio_fault *fault);
void tn_studio_fault_suggest(struct tn_studio_fault *fault, struct tn_str suggestion);

/* {"error":"...","message":"...",...} as one JSON object. */
void tn_studio_fault_put(struct tn_buf *out, const struct tn_studio_fault *fault);

#endif
