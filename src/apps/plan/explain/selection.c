#include "apps/plan/explain/selection.h"

#include <string.h>

#include "apps/plan/limits.h"
#include "base/size.h"

enum { SENTENCES_MAX = 10 };

/* An action we do not know stands with the dangerous ones. */
static const enum tn_plan_action action_order[] = {
	TN_PLAN_DELETE, TN_PLAN_REPLACE, TN_PLAN_FORGET, TN_PLAN_ACTION_UNKNOWN,
	TN_PLAN_UPDATE, TN_PLAN_CREATE,  TN_PLAN_IMPORT, TN_PLAN_MOVE,
};

static bool takes_away(enum tn_plan_action action)
{
	return action == TN_PLAN_DELETE || action == TN_PLAN_REPLACE || action == TN_PLAN_FORGET;
}

static bool is_dangerous(const struct tn_plan_entry *entry)
{
	return entry->risk >= TN_PLAN_RISK_HIGH;
}

struct choosing {
	struct tn_plan_selection *selection;
	const struct tn_plan *plan;
	uint32_t free;      /* sentences left for what is not dangerous */
	uint32_t critical;  /* of those that are to come: their places are kept */
	bool all_that_goes; /* is told: something else is, too */
};

static struct choosing begin(struct tn_plan_selection *selection, const struct tn_plan *plan)
{
	struct choosing choosing = {.selection = selection, .plan = plan};
	uint32_t dangerous = 0, going = 0;
	bool other = false;

	for (uint32_t i = 0; i < plan->change_count; i++) {
		const struct tn_plan_entry *entry = &plan->changes[i];

		if (entry->action == TN_PLAN_READ)
			continue;
		dangerous += is_dangerous(entry);
		choosing.critical += entry->risk == TN_PLAN_RISK_CRITICAL;
		other = other || (is_dangerous(entry) && !takes_away(entry->action));
		going += !is_dangerous(entry) && takes_away(entry->action);
	}
	choosing.free = dangerous < SENTENCES_MAX ? SENTENCES_MAX - dangerous : 0;
	choosing.all_that_goes = other && going > choosing.free;
	return choosing;
}

static void choose(struct choosing *choosing, const struct tn_plan_entry *entry)
{
	struct tn_plan_selection *selection = choosing->selection;
	bool told = is_dangerous(entry) || (choosing->all_that_goes && takes_away(entry->action));
	uint32_t kept = 0;

	if (entry->risk == TN_PLAN_RISK_CRITICAL)
		choosing->critical--;
	else
		kept = choosing->critical;
	told = told && selection->count + kept < TN_PLAN_TOLD_MAX;
	if (!told && (choosing->free == 0 || choosing->all_that_goes)) {
		selection->folded[entry->action]++;
		selection->folded_total++;
		return;
	}
	choosing->free -= !told;
	tn_buf_append(&selection->items, &entry, sizeof(entry));
	selection->count++;
}

void tn_plan_selection_init(struct tn_plan_selection *selection, const struct tn_plan *plan)
{
	struct choosing choosing;

	*selection = (struct tn_plan_selection){.count = 0};
	tn_buf_init(&selection->items, (size_t)plan->change_count * sizeof(void *));
	choosing = begin(selection, plan);
	for (size_t i = 0; i < TN_COUNT(action_order); i++) {
		uint32_t left = plan->actions[action_order[i]];

		for (int level = TN_PLAN_RISK_CRITICAL; level >= TN_PLAN_RISK_NONE && left > 0;
		     level--)
			for (uint32_t j = 0; j < plan->change_count && left > 0; j++)
				if (plan->changes[j].action == action_order[i] &&
				    plan->changes[j].risk == level) {
					choose(&choosing, &plan->changes[j]);
					left--;
				}
	}
	if (selection->items.failed)
		selection->count = 0;
}

void tn_plan_selection_finish(struct tn_plan_selection *selection)
{
	tn_buf_finish(&selection->items);
}

const struct tn_plan_entry *tn_plan_selected(const struct tn_plan_selection *selection,
					     uint32_t index)
{
	const struct tn_plan_entry *entry;

	memcpy(&entry, selection->items.data + (size_t)index * sizeof(entry), sizeof(entry));
	return entry;
}
