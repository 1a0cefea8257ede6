/* consent_text.h - text that a person reads before saying yes: nothing in it may draw something
 * else than what it is.
 *
 * Control characters, and those that reorder or hide what stands beside them (bidirectional
 * controls, zero-width and tag characters), are shown by their names; line breaks and tabs stay
 * where they may. Threads: any. */
#ifndef TN_MCP_CONSENT_TEXT_H
#define TN_MCP_CONSENT_TEXT_H

#include "base/buf.h"

/* Appends at most `max` bytes of `text` so that it is what it looks like; then how much is left
 * out. `lines`: line breaks and tabs stay. */
void tn_consent_text_put(struct tn_buf *out, struct tn_str text, size_t max, bool lines);

/* The same of all texts in a JSON object, names of members too, each cut at TN_CONSENT_TEXT_MAX.
 * False: it is none, or larger than TN_CONSENT_DATA_MAX, and nothing is appended. */
bool tn_consent_data_put(struct tn_buf *out, struct tn_str json);

#endif
