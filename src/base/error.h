/* error.h - filling a struct tenon_error.
 *
 * Threads: any. Both functions accept a NULL error and return the code, so that a caller writes
 * `return tn_fail(err, TENON_INVALID, "width %u; send 1 to %u", width, max)`. */
#ifndef TN_BASE_ERROR_H
#define TN_BASE_ERROR_H

#include "tenon/error.h"

#define TN_MUST_USE __attribute__((warn_unused_result))
#define TN_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))

enum tenon_code tn_fail(struct tenon_error *err, enum tenon_code code, const char *format, ...)
	TN_PRINTF(3, 4);

/* TENON_SYSTEM with the error number and "<what>: <reason>". */
enum tenon_code tn_fail_errno(struct tenon_error *err, int error_number, const char *what);

/* For our own mistakes only, never for input; stays on in release builds. */
#define tn_assert(condition) \
	((condition) ? (void)0 : tn_assert_failed(#condition, __FILE__, __LINE__))
_Noreturn void tn_assert_failed(const char *condition, const char *file, int line);

#endif
