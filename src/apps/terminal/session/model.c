#include "apps/terminal/session/model.h"

#include "base/size.h"

const char *tn_term_state_name(enum tn_term_state state)
{
	static const char *const names[] = {
		[TN_TERM_STARTING] = "starting", [TN_TERM_IDLE] = "idle",
		[TN_TERM_RUNNING] = "running",   [TN_TERM_WAITING_INPUT] = "waiting_input",
		[TN_TERM_EXITED] = "exited",     [TN_TERM_CLOSED] = "closed",
		[TN_TERM_FAILED] = "failed",     [TN_TERM_LOST] = "lost",
	};

	return names[state];
}

const char *tn_term_integration_name(enum tn_term_integration integration)
{
	static const char *const names[] = {
		[TN_TERM_INTEGRATION_NONE] = "none",
		[TN_TERM_INTEGRATION_PROMPT] = "prompt",
		[TN_TERM_INTEGRATION_MARKS] = "marks",
		[TN_TERM_INTEGRATION_PROCESS] = "process",
	};

	return names[integration];
}

const char *tn_term_status_name(enum tn_term_status status)
{
	static const char *const names[] = {
		[TN_TERM_QUEUED] = "queued",
		[TN_TERM_STATUS_RUNNING] = "running",
		[TN_TERM_COMPLETED] = "completed",
		[TN_TERM_TIMED_OUT] = "timed_out",
		[TN_TERM_INTERRUPTED] = "interrupted",
		[TN_TERM_KILLED] = "killed",
		[TN_TERM_STATUS_WAITING_INPUT] = "waiting_input",
		[TN_TERM_SESSION_EXITED] = "session_exited",
		[TN_TERM_NOT_STARTED] = "not_started",
		[TN_TERM_UNKNOWN] = "unknown",
	};

	return names[status];
}
