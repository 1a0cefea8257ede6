/* tool_answer.h - what the tools of the terminal have in common: who calls, and how an answer or a
 * refusal looks (terminal.md section 7).
 *
 * Threads: loop. */
#ifndef TN_TERM_TOOL_ANSWER_H
#define TN_TERM_TOOL_ANSWER_H

#include "apps/terminal/session/backend.h"
#include "tenon/result.h"

/* The caller: its principal, its client, and which conversation of that client it is, as far as
 * that is known (a relay says what has started it). Texts live as long as the call. */
void tn_term_caller_of(const struct tenon_call *call, struct tn_term_caller *ret);

/* Ends the call: the text, and the structured result. `structured` is finished. */
void tn_term_reply(struct tenon_call *call, struct tn_str text, struct tn_buf *structured);
/* `note`: a second text, for readers of text alone (hosts.md HO-001); empty: none. */
void tn_term_reply_with(struct tenon_call *call, struct tn_str text, struct tn_str note,
			struct tn_buf *structured);

/* Ends the call with a domain error: one readable sentence as text, and
 * {"error":{"code","message","hint","data"}}. `hint`, `data` (a JSON object): NULL for none. */
void tn_term_fail(struct tenon_call *call, const char *code, const char *hint, const char *data,
		  const char *format, ...) __attribute__((format(printf, 5, 6)));
/* The same; a fault without a code is one of the server: error -32603. */
void tn_term_fail_fault(struct tenon_call *call, const struct tn_term_fault *fault);

/* -32602 with this sentence. */
void tn_term_refuse(struct tenon_call *call, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
