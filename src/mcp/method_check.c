/* What methods check before they do anything: their params, and that the server is on. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "mcp/fault.h"
#include "mcp/method.h"
#include "mcp/server.h"

bool tn_method_admit(struct tenon_call *call)
{
	if (!call->server->disabled || call->person)
		return true;
	tn_call_fail_code(call, "SERVER_DISABLED", true, "%s", TN_DISABLED_WORDS);
	return false;
}

void tn_method_invalid(struct tenon_call *call, const char *format, ...)
{
	char message[1024];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(message, sizeof(message), format, args); /* cut is fine */
	va_end(args);
	tn_utf8_one_line(message, strlen(message));
	tn_call_error(call, 200, TN_INVALID_PARAMS, tn_str_from(message), tn_str(NULL, 0));
}

bool tn_method_string(struct tenon_call *call, const char *name, size_t max, struct tn_str *ret)
{
	const struct tn_json *value = tn_json_get(call->params, name);

	if (!value)
		tn_method_invalid(call, "%s is missing", name);
	else if (!tn_json_to_str(value, ret))
		tn_method_invalid(call, "%s: expected a string, got %s", name,
				  tn_json_type_name(value));
	else if (ret->size > max)
		tn_method_invalid(call, "%s: longer than %zu bytes", name, max);
	else
		return true;
	return false;
}
