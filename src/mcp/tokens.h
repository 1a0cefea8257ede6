/* tokens.h - about how many tokens a text costs that a model reads (hosts.md HO-003).
 *
 * No model's own table: tokens are counted as if a word had one for each five letters begun (for
 * each two where digits stand beside it), a number one for each three digits, and each other mark,
 * line and character one. English text and
 * code have fewer, names and ids about as many, so that a bound that is kept here is kept there.
 * Threads: any. */
#ifndef TN_MCP_TOKENS_H
#define TN_MCP_TOKENS_H

#include "base/str.h"

/* The longest beginning of valid UTF-8 within `max` tokens, cut behind a character. `ret_tokens`:
 * what it costs. */
struct tn_str tn_tokens_cut(struct tn_str text, size_t max, size_t *ret_tokens);

#endif
