/* error.h - how every fallible function of libtenon reports failure.
 *
 * A function returns a code to branch on and fills a caller-owned struct with a sentence to act
 * on. The struct is a plain value: failing never allocates. Threads: any. */
#ifndef TENON_ERROR_H
#define TENON_ERROR_H

#ifdef __cplusplus
extern "C" {
#endif

#define TENON_ERROR_MESSAGE_MAX 256 /* bytes, with the final NUL */

enum tenon_code {
	TENON_OK = 0,
	TENON_INVALID,   /* the caller's input is wrong; the message says which part */
	TENON_NOT_FOUND, /* the thing named does not exist */
	TENON_EXPIRED,   /* it existed once */
	TENON_DENIED,    /* policy or authorization forbids it */
	TENON_LIMIT,     /* a documented cap was reached */
	TENON_BUSY,      /* try again later */
	TENON_CANCELLED, /* the peer or the program gave up on it */
	TENON_SYSTEM,    /* the operating system refused; sys_errno says why */
	TENON_NO_MEMORY,
	TENON_INTERNAL /* a mistake of ours */
};

struct tenon_error {
	enum tenon_code code;
	int sys_errno;                         /* 0 unless code is TENON_SYSTEM */
	char message[TENON_ERROR_MESSAGE_MAX]; /* a sentence; no secret, host path or address */
};

/* The code's name in lower case, for logs and structured errors: "invalid", "not_found", ...
 * A static string; never NULL. */
const char *tenon_code_name(enum tenon_code code);

#ifdef __cplusplus
}
#endif
#endif
