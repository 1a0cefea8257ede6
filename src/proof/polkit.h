/* polkit.h - the human proves it to polkit, which shows a dialog of its own and asks for a
 * password.
 *
 * Blocks until polkit answers; whoever started us ends us when it takes too long. Threads: main. */
#ifndef TN_PROOF_POLKIT_H
#define TN_PROOF_POLKIT_H

#include "proof/question.h"

/* OK: proven. Fails: DENIED (not proven, or polkit would say yes without asking), NOT_FOUND (no
 * polkit, or it does not know our action), SYSTEM. */
TN_MUST_USE enum tenon_code tn_proof_polkit(const struct tn_proof_question *question,
					    struct tenon_error *err);

/* Whether it could work for the user that we run as: nobody is asked. */
TN_MUST_USE enum tenon_code tn_proof_polkit_check(struct tenon_error *err);

#endif
