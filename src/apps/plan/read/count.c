#include "apps/plan/read/count.h"

#include "apps/plan/read/plan_line.h"

struct totals { /* of one unit */
	int64_t creates, updates, deletes, replaces, kept_replaces, forgets, imports, unknown;
};

static bool keeps_old(const struct tn_plan_entry *entry)
{
	return entry->order == TN_PLAN_FORGET_OLD || entry->order == TN_PLAN_FORGET_FIRST;
}

static void add_entry(struct totals *totals, const struct tn_plan_entry *entry)
{
	totals->imports += entry->action == TN_PLAN_IMPORT || entry->import_id.data != NULL;
	switch (entry->action) {
	case TN_PLAN_CREATE:
		totals->creates++;
		break;
	case TN_PLAN_UPDATE:
		totals->updates++;
		break;
	case TN_PLAN_DELETE:
		totals->deletes++;
		break;
	case TN_PLAN_REPLACE:
		totals->replaces += !keeps_old(entry);
		totals->kept_replaces += keeps_old(entry);
		break;
	case TN_PLAN_FORGET:
		totals->forgets++;
		break;
	case TN_PLAN_ACTION_UNKNOWN:
		totals->unknown++;
		break;
	default: /* reads, moves */
		break;
	}
}

static void compare(struct tn_plan_build *build, uint32_t unit, const char *field, int64_t stated,
		    int64_t counted)
{
	struct tn_plan_mismatch *mismatch;

	if (stated == counted)
		return;
	build->plan->consistent = 0;
	mismatch = tn_plan_add_mismatch(build);
	if (mismatch)
		*mismatch = (struct tn_plan_mismatch){field, unit, stated, counted};
}

static void compare_unit(struct tn_plan_build *build, uint32_t index, const struct totals *totals)
{
	struct tn_plan *plan = build->plan;
	const struct tn_plan_line *line = &plan->units[index].plan_line;
	int64_t add = totals->creates + totals->replaces;

	if (totals->unknown)
		plan->consistent = 0;
	if (!line->present)
		return;
	if (plan->consistent < 0)
		plan->consistent = 1;
	/* Terraform up to 1.14 does not count a replacement that keeps the old object. */
	if (line->add != add)
		add += totals->kept_replaces;
	compare(build, index, "add", line->add, add);
	compare(build, index, "change", line->change, totals->updates);
	compare(build, index, "destroy", line->destroy, totals->deletes + totals->replaces);
	compare(build, index, "import", line->import < 0 ? 0 : line->import, totals->imports);
	if (line->forget >= 0)
		compare(build, index, "forget", line->forget,
			totals->forgets + totals->kept_replaces);
}

static void count_actions(struct tn_plan *plan)
{
	for (uint32_t i = 0; i < plan->change_count; i++) {
		const struct tn_plan_entry *entry = &plan->changes[i];
		bool counts = entry->action != TN_PLAN_READ;

		plan->actions[entry->action]++;
		plan->total_changes += counts;
		if (entry->unit < plan->unit_count)
			plan->units[entry->unit].total_changes += counts;
	}
}

void tn_plan_count(struct tn_plan_build *build)
{
	struct tn_plan *plan = build->plan;
	uint32_t next = 0;

	plan->consistent = -1;
	plan->plan_line = TN_PLAN_LINE_ABSENT;
	count_actions(plan);
	/* Entries stand in the order of their units. */
	for (uint32_t unit = 0; unit < plan->unit_count; unit++) {
		struct totals totals = {0};

		while (next < plan->change_count && plan->changes[next].unit <= unit)
			add_entry(&totals, &plan->changes[next++]);
		tn_plan_line_add(&plan->plan_line, &plan->units[unit].plan_line);
		compare_unit(build, unit, &totals);
	}
}

bool tn_plan_states_more(const struct tn_plan *plan, uint32_t unit)
{
	for (uint32_t i = 0; i < plan->mismatch_count; i++) {
		if (plan->mismatches[i].unit == unit &&
		    plan->mismatches[i].stated > plan->mismatches[i].counted)
			return true;
	}
	return false;
}

bool tn_plan_only_unexplained_deletes(const struct tn_plan *plan)
{
	for (uint32_t i = 0; i < plan->change_count; i++) {
		const struct tn_plan_entry *entry = &plan->changes[i];

		if (entry->action != TN_PLAN_DELETE || entry->deposed.data || entry->reason_count)
			return false;
	}
	return plan->change_count > 0;
}

static bool was_warned(const struct tn_plan *plan, const char *code)
{
	for (uint32_t i = 0; i < plan->warning_count; i++) {
		if (strcmp(plan->warnings[i].code, code) == 0)
			return true;
	}
	return false;
}

void tn_plan_judge(struct tn_plan_build *build)
{
	struct tn_plan *plan = build->plan;

	if (plan->status == TN_PLAN_NO_VERDICT)
		tn_plan_warn(build, "no_verdict", 0,
			     "the text ends before it says what changes, or that nothing does");
	plan->confidence = TN_PLAN_HIGH;
	if (was_warned(plan, "unterminated_body") || was_warned(plan, "unknown_phrase") ||
	    was_warned(plan, "encoding_guessed") || was_warned(plan, "symbol_mismatch") ||
	    was_warned(plan, "orphan_body") || was_warned(plan, "unknown_action"))
		plan->confidence = TN_PLAN_MEDIUM;
	if (plan->consistent == 0 || plan->truncated || plan->status == TN_PLAN_NO_VERDICT)
		plan->confidence = TN_PLAN_LOW;
}
