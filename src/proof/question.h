/* question.h - what tenon-proof is asked, and how it is shown to a human.
 *
 * Ownership: texts live in the arena. Threads: main. */
#ifndef TN_PROOF_QUESTION_H
#define TN_PROOF_QUESTION_H

#include <sys/types.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"

struct tn_proof_question {
	const char *kind, *keys, *nonce;                /* keys: the file of security keys */
	const char *summary, *detail, *client, *digest; /* what is approved */
	int64_t process, started;                       /* of whoever approves; 0: not known */
};

/* From standard input. Fails: INVALID, LIMIT, SYSTEM. */
TN_MUST_USE enum tenon_code tn_proof_question_read(int fd, struct tn_arena *arena,
						   struct tn_proof_question *ret,
						   struct tenon_error *err);

/* Client, summary, detail and digest as a dialog shows them. Some dialogs read markup, and polkit
 * replaces $(...): the signs that these are made of are shown as others that look alike. Cut at
 * TN_PROOF_TEXT_MAX, which it says. */
void tn_proof_question_show(const struct tn_proof_question *question, struct tn_buf *out);

#endif
