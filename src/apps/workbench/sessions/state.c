#include "apps/workbench/sessions/state.h"

#include "base/size.h"

static const struct {
	enum tn_wb_session_state from;
	enum tn_wb_session_event event;
	enum tn_wb_session_state to;
} steps[] = {
	{TN_WB_SESSION_CREATING, TN_WB_SERVER_REACHABLE, TN_WB_SESSION_LOADING},
	{TN_WB_SESSION_CREATING, TN_WB_LAUNCH_FAILED, TN_WB_SESSION_FAILED},
	{TN_WB_SESSION_CREATING, TN_WB_SERVER_EXITED, TN_WB_SESSION_FAILED},
	{TN_WB_SESSION_CREATING, TN_WB_STOP_REQUESTED, TN_WB_SESSION_STOPPED},
	{TN_WB_SESSION_LOADING, TN_WB_HANDSHAKE, TN_WB_SESSION_READY},
	{TN_WB_SESSION_LOADING, TN_WB_SERVER_EXITED, TN_WB_SESSION_FAILED},
	{TN_WB_SESSION_LOADING, TN_WB_STOP_REQUESTED, TN_WB_SESSION_STOPPED},
	{TN_WB_SESSION_READY, TN_WB_PAGES_GONE, TN_WB_SESSION_RELOADING},
	{TN_WB_SESSION_READY, TN_WB_SERVER_EXITED, TN_WB_SESSION_FAILED},
	{TN_WB_SESSION_READY, TN_WB_STOP_REQUESTED, TN_WB_SESSION_STOPPED},
	{TN_WB_SESSION_RELOADING, TN_WB_HANDSHAKE, TN_WB_SESSION_READY},
	{TN_WB_SESSION_RELOADING, TN_WB_SERVER_EXITED, TN_WB_SESSION_FAILED},
	{TN_WB_SESSION_RELOADING, TN_WB_STOP_REQUESTED, TN_WB_SESSION_STOPPED},
	{TN_WB_SESSION_FAILED, TN_WB_STOP_REQUESTED, TN_WB_SESSION_STOPPED},
	{TN_WB_SESSION_STOPPED, TN_WB_RELEASED, TN_WB_SESSION_DISPOSED},
};

static const char *const names[] = {
	[TN_WB_SESSION_CREATING] = "creating", [TN_WB_SESSION_LOADING] = "loading",
	[TN_WB_SESSION_READY] = "ready",       [TN_WB_SESSION_RELOADING] = "reloading",
	[TN_WB_SESSION_STOPPED] = "stopped",   [TN_WB_SESSION_DISPOSED] = "disposed",
	[TN_WB_SESSION_FAILED] = "error",
};

const char *tn_wb_session_state_name(enum tn_wb_session_state state)
{
	return names[state];
}

bool tn_wb_session_next(enum tn_wb_session_state state, enum tn_wb_session_event event,
			enum tn_wb_session_state *ret)
{
	for (size_t i = 0; i < TN_COUNT(steps); i++) {
		if (steps[i].from != state || steps[i].event != event)
			continue;
		*ret = steps[i].to;
		return true;
	}
	return false;
}

bool tn_wb_session_state_is_live(enum tn_wb_session_state state)
{
	return state <= TN_WB_SESSION_RELOADING;
}
