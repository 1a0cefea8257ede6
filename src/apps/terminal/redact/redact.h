/* redact.h - takes secrets out of text before it is written or sent (terminal.md section 9).
 *
 * Kinds: (a) values of variables with sensitive names, (b) well-known shapes of keys, (c) arguments
 * that hold passwords, (d) configured patterns. Replaced by [redacted:KIND]. Found also with SGR or
 * line ends between their letters ((a) at any line end, (b) to (d) on one line). Not found: a
 * value that a program has changed (base 64, reversed, in halves on two occasions). Works on text
 * that comes in pieces when each comes with what stands around it (tn_redact_part). Ownership: the
 * caller's. Threads: one at a time per redactor. */
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
 * oldest go; of one that is longer than TN_REDACT_VALUE_BYTES_MAX its beginning): from an
 * environment whose variable has a sensitive name. */
void tn_redactor_learn(struct tn_redactor *redactor, struct tn_str value);
/* Every "NAME=value" of a block whose name is sensitive. */
void tn_redactor_learn_environment(struct tn_redactor *redactor, const char *const *env);
/* What the text of a command assigns to sensitive names: `export API_TOKEN=...`, `X_SECRET=...
 * cmd`, `declare -x`, `set -gx X_SECRET ...`, `setenv`. What it reads or computes is not known by
 * it. */
void tn_redactor_learn_command(struct tn_redactor *redactor, struct tn_str command);

/* The same values, for another thread: what either learns later the other does not know. Without
 * patterns. NULL: no memory. */
struct tn_redactor *tn_redactor_fork(const struct tn_redactor *redactor);

/* Appends the text without secrets to `out` and adds to *count. Without memory, or when a
 * configured pattern takes too long on it, all of the text is a secret. */
void tn_redact(const struct tn_redactor *redactor, enum tn_redact_level level, struct tn_str text,
	       struct tn_buf *out, unsigned *count);
/* The same of the part from `begin` to `end`; what stands around it in `text` is read as well, so
 * that a secret over its borders goes, too. One that began before the part leaves nothing in it. */
void tn_redact_part(const struct tn_redactor *redactor, enum tn_redact_level level,
		    struct tn_str text, size_t begin, size_t end, struct tn_buf *out,
		    unsigned *count);
/* As tn_redact with two sources of values, and the patterns of the first; `more` may be NULL. */
void tn_redact_both(const struct tn_redactor *redactor, const struct tn_redactor *more,
		    enum tn_redact_level level, struct tn_str text, size_t begin, size_t end,
		    struct tn_buf *out, unsigned *count);

#endif
