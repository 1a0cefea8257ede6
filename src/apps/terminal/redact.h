/* redact.h - takes secrets out of text before it is written or sent (terminal.md section 9).
 *
 * Kinds: (a) values of variables with sensitive names, (b) well-known shapes of keys, (c) arguments
 * that hold passwords, (d) configured patterns. Replaced by [redacted:KIND]. Works on text that
 * comes in pieces and on text with SGR between its letters. Threads: one at a time. */
#ifndef TN_TERM_REDACT_H
#define TN_TERM_REDACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/str.h"

enum tn_redact_level { TN_REDACT_OFF, TN_REDACT_KNOWN /* a and b */, TN_REDACT_ALL };

bool tn_redact_is_sensitive_name(struct tn_str name); /* "AWS_SECRET_ACCESS_KEY" */

struct tn_redactor;
/* `patterns`: NULL-terminated regular expressions of the settings, or NULL. Fails: INVALID (which
 * pattern, why), NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_redactor_create(const char *const *patterns,
					       struct tn_redactor **ret, struct tenon_error *err);
void tn_redactor_destroy(struct tn_redactor *redactor); /* accepts NULL; wipes what it knows */

/* A secret value to look for from now on (of at least 8 bytes; at most TN_REDACT_VALUES_MAX, the
 * oldest go): from an environment whose variable has a sensitive name. */
void tn_redactor_learn(struct tn_redactor *redactor, struct tn_str value);
/* Every "NAME=value" of a block whose name is sensitive. */
void tn_redactor_learn_environment(struct tn_redactor *redactor, const char *const *env);
/* What the text of a command exports: `export API_TOKEN=...`, `X_SECRET=... cmd`, `set -x`,
 * `read`-less. */
void tn_redactor_learn_command(struct tn_redactor *redactor, struct tn_str command);

/* Appends the text without secrets to `out` and adds to *count. */
void tn_redact(const struct tn_redactor *redactor, enum tn_redact_level level, struct tn_str text,
	       struct tn_buf *out, unsigned *count);

#endif
