/* body.h - where the body of an HTTP message ends, while it passes by (RFC 9112 section 6).
 *
 * Nothing is kept: bytes are looked at in the pieces that they come in. Threads: any. */
#ifndef TN_GATEWAY_BODY_H
#define TN_GATEWAY_BODY_H

#include "base/str.h"

enum tn_body_kind { TN_BODY_NONE, TN_BODY_LENGTH, TN_BODY_CHUNKED, TN_BODY_UNTIL_CLOSE };

struct tn_body {
	enum tn_body_kind kind;
	uint64_t left; /* of the body, or of the chunk */
	int state;     /* of chunks */
	unsigned line; /* bytes of the line that is being read */
	bool digits;   /* the size has one */
	bool ended;
	bool fault; /* it is no chunked body */
};

void tn_body_init(struct tn_body *body, enum tn_body_kind kind, uint64_t length);
/* Takes some of the bytes: how many, at least one unless the body has ended or is at fault.
 * *ret_payload is what of them is content, in one run. */
size_t tn_body_take(struct tn_body *body, struct tn_str bytes, struct tn_str *ret_payload);

#endif
