/* redact_kit.h - for the tests of the redactor. Threads: one. Who makes a redactor destroys it, and
 * what tn_redact_kit_redact returns is freed with tn_mem_free. */
#ifndef TN_TERMINAL_REDACT_KIT_H
#define TN_TERMINAL_REDACT_KIT_H

#include "apps/terminal/redact/redact.h"

struct tn_redactor *tn_redact_kit_make(const char *const *patterns);
/* What is left of the text, as a new NUL-terminated one. */
char *tn_redact_kit_redact(const struct tn_redactor *redactor, enum tn_redact_level level,
			   const char *text, unsigned *count);
/* Fails the test unless that is `wanted`, and something was counted just when it differs. */
void tn_redact_kit_check(const struct tn_redactor *redactor, enum tn_redact_level level,
			 const char *text, const char *wanted);

#endif
