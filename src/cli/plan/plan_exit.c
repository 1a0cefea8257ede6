/* Exit codes of tenon plan: what a run notes, and which of it counts (plan.md section 13). */
#include "base/size.h"
#include "cli/plan/plan.h"

int tn_plan_exit_code(uint64_t outcomes)
{
	static const enum tn_plan_exit order[] = {
		TN_PLAN_EXIT_USAGE,       TN_PLAN_EXIT_NO_INPUT, TN_PLAN_EXIT_DATA,
		TN_PLAN_EXIT_UNAVAILABLE, TN_PLAN_EXIT_INTERNAL, TN_PLAN_EXIT_ERRORED,
		TN_PLAN_EXIT_RISK,        TN_PLAN_EXIT_CHANGES,
	};

	/* Codes from 64 on are kept from bit 32 on, so that all fit into one word. */
	for (size_t i = 0; i < TN_COUNT(order); i++) {
		unsigned bit = order[i] >= 64 ? (unsigned)order[i] - 32 : (unsigned)order[i];

		if (outcomes & (UINT64_C(1) << bit))
			return (int)order[i];
	}
	return TN_PLAN_EXIT_OK;
}

void tn_plan_run_note(struct tn_plan_run *run, enum tn_plan_exit outcome)
{
	unsigned bit = outcome >= 64 ? (unsigned)outcome - 32 : (unsigned)outcome;

	run->outcomes |= UINT64_C(1) << bit;
}
