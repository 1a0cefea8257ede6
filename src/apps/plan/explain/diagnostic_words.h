/* diagnostic_words.h - errors and warnings with what they are about: object, place, and the first
 * sentence of what was said below. Free of control characters, line breaks and secrets. Threads:
 * any. */
#ifndef TN_PLAN_DIAGNOSTIC_WORDS_H
#define TN_PLAN_DIAGNOSTIC_WORDS_H

#include "apps/plan/read/model.h"
#include "base/buf.h"

/* `plan`: when given, a sentence that names an object which is not among its changes is left out:
 * readers take what is named for something that changes. "Instance cannot be destroyed
 * (aws_db_instance.a, main.tf:436): It has prevent_destroy set"; no full stop. */
void tn_plan_put_diagnostic(struct tn_buf *out, const struct tn_plan *plan,
			    const struct tn_plan_diagnostic *diagnostic);

/* True when there is more to say than its summary. */
bool tn_plan_diagnostic_tells(const struct tn_plan_diagnostic *diagnostic);

#endif
