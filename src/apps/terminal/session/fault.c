/* Faults that callers can mend: a code, a sentence, and what to do. */
#include <stdarg.h>
#include <stdio.h>

#include "apps/terminal/session/session.h"
#include "base/utf8.h"

void tn_term_fault(struct tn_term_fault *fault, const char *code, const char *hint,
		   const char *format, ...)
{
	va_list args;

	fault->code = code;
	fault->data[0] = '\0';
	(void)snprintf(fault->hint, sizeof(fault->hint), "%s", hint ? hint : "");
	va_start(args, format);
	(void)vsnprintf(fault->message, sizeof(fault->message), format, args);
	va_end(args);
	tn_utf8_one_line(fault->message, strlen(fault->message));
}

void tn_term_fault_from(struct tn_term_fault *fault, enum tenon_code code,
			const struct tenon_error *err, const char *domain_code)
{
	bool ours = code == TENON_NO_MEMORY || code == TENON_SYSTEM || code == TENON_INTERNAL;

	tn_term_fault(fault, ours ? NULL : domain_code, NULL, "%s", err->message);
}

void tn_term_fault_from_directory(struct tn_term_fault *fault, enum tenon_code code,
				  const struct tenon_error *err)
{
	bool ours = code == TENON_NO_MEMORY || code == TENON_SYSTEM || code == TENON_INTERNAL;
	const char *domain_code = code == TENON_NOT_FOUND ? "cwd_not_found"
				  : code == TENON_DENIED  ? "cwd_not_allowed"
							  : "cwd_not_directory";

	tn_term_fault(fault, ours ? NULL : domain_code,
		      "Send the path of a directory that is there, or leave cwd out.", "cwd: %s",
		      err->message);
}

void tn_term_fault_changed(struct tn_term_fault *fault)
{
	tn_term_fault(
		fault, "changed",
		"Send the same call again: it is looked at, and where the policy says so asked "
		"about, as it is now.",
		"A script, a program or the directory was changed after it had been looked at. "
		"Nothing was run.");
}

void tn_term_fault_not_started(struct tn_term_fault *fault, const struct tn_term_session *s)
{
	const char *code = s->closing            ? "session_closed"
			   : s->sandbox_failed   ? "sandbox_unavailable"
			   : s->directory_failed ? "cwd_not_found"
						 : "spawn_failed";

	if (s->inputs_changed)
		tn_term_fault_changed(fault);
	else
		tn_term_fault(fault, code, NULL, "The program could not be started: %s",
			      s->failure ? s->failure : "the reason is not known");
}
