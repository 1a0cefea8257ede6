/* keys.h - key names to the bytes that a terminal sends for them (terminal.md section 7.7). */
#ifndef TN_TERM_KEYS_H
#define TN_TERM_KEYS_H

#include "apps/terminal/screen/screen.h"

/* Appends the bytes of a key ("C-c", "M-x", "S-Tab", "C-S-Left", "F5") for the modes in force.
 * Fails: INVALID (the message lists the names). */
TN_MUST_USE enum tenon_code tn_keys_encode(struct tn_str name, const struct tn_screen_look *modes,
					   struct tn_buf *out, struct tenon_error *err);

#endif
