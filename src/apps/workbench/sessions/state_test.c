/* The states of a session (workbench.md 10.2): every pair of state and event, legal or not. */
#include "apps/workbench/sessions/state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

/* A row a state, a column an event, in the order of their enums; '-': refused. The letters are
 * those of creating, loading, ready, "reloading" (a), stopped, disposed, "error" (e). */
static const char letters[] = "clrasde";
static const char *const table[TN_WB_SESSION_STATES] = {
	/* reachable, handshake, pages gone, stop, released, launch failed, server exited */
	[TN_WB_SESSION_CREATING] = "l--s-ee", [TN_WB_SESSION_LOADING] = "-r-s--e",
	[TN_WB_SESSION_READY] = "--as--e",    [TN_WB_SESSION_RELOADING] = "-r-s--e",
	[TN_WB_SESSION_STOPPED] = "----d--",  [TN_WB_SESSION_DISPOSED] = "-------",
	[TN_WB_SESSION_FAILED] = "---s---",
};

static void every_event_in_every_state_leads_where_the_contract_says(void **none)
{
	(void)none;
	for (int state = 0; state < TN_WB_SESSION_STATES; state++) {
		for (int event = 0; event < TN_WB_SESSION_EVENTS; event++) {
			enum tn_wb_session_state next = TN_WB_SESSION_DISPOSED;
			bool legal = tn_wb_session_next((enum tn_wb_session_state)state,
							(enum tn_wb_session_event)event, &next);

			assert_int_equal(legal, table[state][event] != '-');
			if (legal)
				assert_int_equal(letters[next], table[state][event]);
			else
				assert_int_equal(next, TN_WB_SESSION_DISPOSED);
		}
	}
}

static void states_have_the_names_of_the_contract(void **none)
{
	static const char *const names[] = {"creating", "loading",  "ready", "reloading",
					    "stopped",  "disposed", "error"};

	(void)none;
	for (int state = 0; state < TN_WB_SESSION_STATES; state++) {
		assert_string_equal(tn_wb_session_state_name((enum tn_wb_session_state)state),
				    names[state]);
		assert_int_equal(tn_wb_session_state_is_live((enum tn_wb_session_state)state),
				 state < 4);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_event_in_every_state_leads_where_the_contract_says),
		cmocka_unit_test(states_have_the_names_of_the_contract),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
