#include "apps/studio/fault.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/utf8.h"
#include "jsonrpc/json_write.h"

static enum tenon_code cause_of(const char *code)
{
	static const struct {
		const char *code;
		enum tenon_code cause;
	} causes[] = {{"NOT_FOUND", TENON_NOT_FOUND},     {"PROJECT_NOT_FOUND", TENON_NOT_FOUND},
		      {"NO_PROJECT", TENON_NOT_FOUND},    {"STALE_REVISION", TENON_EXPIRED},
		      {"STALE_PLAN", TENON_EXPIRED},      {"STALE_NODE", TENON_EXPIRED},
		      {"PATH_NOT_ALLOWED", TENON_DENIED}, {"LIMIT_EXCEEDED", TENON_LIMIT},
		      {"RUN_IN_PROGRESS", TENON_BUSY},    {"PROJECT_LOCKED", TENON_BUSY},
		      {"IO_ERROR", TENON_SYSTEM},         {"UNTRUSTED_PROJECT", TENON_DENIED}};

	for (size_t i = 0; i < sizeof(causes) / sizeof(causes[0]); i++) {
		if (strcmp(causes[i].code, code) == 0)
			return causes[i].cause;
	}
	return TENON_INVALID;
}

bool tn_studio_fail(struct tn_studio_fault *fault, const char *code, const char *format, ...)
{
	va_list arguments;

	if (!fault)
		return false;
	*fault = (struct tn_studio_fault){.code = code, .cause = cause_of(code)};
	va_start(arguments, format);
	(void)vsnprintf(fault->message, sizeof(fault->message), format, arguments);
	va_end(arguments);
	tn_utf8_one_line(fault->message, strlen(fault->message));
	/* A value that was cut in the middle of a character. */
	fault->message[tn_utf8_cut(tn_str_from(fault->message), sizeof(fault->message) - 1).size] =
		'\0';
	return false;
}

bool tn_studio_fail_error(struct tn_studio_fault *fault, const struct tenon_error *err)
{
	const char *code = "INVALID_INPUT";

	if (!fault)
		return false;
	switch (err->code) {
	case TENON_LIMIT:
	case TENON_NO_MEMORY:
		code = "LIMIT_EXCEEDED";
		break;
	case TENON_EXPIRED:
		code = "STALE_REVISION";
		break;
	case TENON_SYSTEM:
	case TENON_DENIED:
	case TENON_INTERNAL:
	case TENON_BUSY:
		code = "IO_ERROR";
		break;
	case TENON_NOT_FOUND:
		code = "NOT_FOUND";
		break;
	default:
		break;
	}
	(void)tn_studio_fail(fault, code, "%s", err->message);
	fault->cause = err->code;
	fault->retryable = err->code == TENON_BUSY || err->code == TENON_NO_MEMORY;
	return false;
}

bool tn_studio_fail_memory(struct tn_studio_fault *fault)
{
	const struct tenon_error err = {.code = TENON_NO_MEMORY, .message = "out of memory"};

	return tn_studio_fail_error(fault, &err);
}

void tn_studio_fault_suggest(struct tn_studio_fault *fault, struct tn_str suggestion)
{
	if (fault && fault->suggestion_count < TN_STUDIO_SUGGESTIONS_MAX)
		fault->suggestions[fault->suggestion_count++] = suggestion;
}

void tn_studio_fault_put(struct tn_buf *out, const struct tn_studio_fault *fault)
{
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "error", fault->code);
	tn_json_put_member_text(out, "message", fault->message);
	if (fault->details.size > 0) {
		tn_json_put_member_raw(out, "details", fault->details);
	} else if (fault->value.size > 0) {
		tn_json_put_key(out, "details");
		tn_json_begin_object(out);
		tn_json_put_member_str(out, "value", fault->value);
		tn_json_end_object(out);
	}
	if (fault->suggestion_count > 0 || fault->compared) {
		tn_json_put_key(out, "suggestions");
		tn_json_begin_array(out);
		for (unsigned i = 0; i < fault->suggestion_count; i++)
			tn_json_put_str(out, fault->suggestions[i]);
		tn_json_end_array(out);
	}
	if (fault->retryable)
		tn_json_put_member_bool(out, "retryable", true);
	tn_json_end_object(out);
}
