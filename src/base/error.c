#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

const char *tenon_code_name(enum tenon_code code)
{
	static const char *const names[] = {
		[TENON_OK] = "ok",
		[TENON_INVALID] = "invalid",
		[TENON_NOT_FOUND] = "not_found",
		[TENON_EXPIRED] = "expired",
		[TENON_DENIED] = "denied",
		[TENON_LIMIT] = "limit",
		[TENON_BUSY] = "busy",
		[TENON_CANCELLED] = "cancelled",
		[TENON_SYSTEM] = "system",
		[TENON_NO_MEMORY] = "no_memory",
		[TENON_INTERNAL] = "internal",
	};
	size_t index = (size_t)code;

	return index < sizeof(names) / sizeof(names[0]) ? names[index] : "unknown";
}

enum tenon_code tn_fail(struct tenon_error *err, enum tenon_code code, const char *format, ...)
{
	va_list args;

	if (!err)
		return code;
	err->code = code;
	err->sys_errno = 0;
	va_start(args, format);
	(void)vsnprintf(err->message, sizeof(err->message), format, args); /* cut is fine */
	va_end(args);
	tn_utf8_one_line(err->message, strlen(err->message));
	return code;
}

enum tenon_code tn_fail_errno(struct tenon_error *err, int error_number, const char *what)
{
	const char *reason = strerrordesc_np(error_number); /* static, and never translated */

	if (!err)
		return TENON_SYSTEM;
	if (reason)
		(void)tn_fail(err, TENON_SYSTEM, "%s: %s", what, reason);
	else
		(void)tn_fail(err, TENON_SYSTEM, "%s: error %d", what, error_number);
	err->sys_errno = error_number;
	return TENON_SYSTEM;
}

_Noreturn void tn_assert_failed(const char *condition, const char *file, int line)
{
	(void)fprintf(stderr, "tenon: %s:%d: assertion failed: %s\n", file, line, condition);
	abort();
}
