/* plan_fuzz.c - any bytes as a plan, by every reader: nothing but the documented failures, and a
 * plan that adds up with itself. */
#include <stdint.h>

#include "apps/plan/parse.h"
#include "apps/plan/limits.h"
#include "base/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_text(struct tn_str text)
{
	tn_assert(text.size == 0 || (text.data && tn_utf8_valid(text.data, text.size)));
}

static void check_attributes(const struct tn_plan_attributes *attributes)
{
	tn_assert(attributes->count <= TN_PLAN_ATTRIBUTES_MAX);
	for (uint32_t i = 0; i < attributes->count; i++) {
		const struct tn_plan_attribute *attribute = &attributes->items[i];

		check_text(attribute->path);
		check_text(attribute->before.text);
		check_text(attribute->after.text);
		tn_assert(attribute->path.size <= TN_PLAN_PATH_BYTES_MAX);
		tn_assert(attribute->before.text.size <= TN_PLAN_VALUE_BYTES_MAX + 3);
		tn_assert(attribute->after.text.size <= TN_PLAN_VALUE_BYTES_MAX + 3);
		if (attribute->sensitive) {
			tn_assert(attribute->before.kind == TN_PLAN_VALUE_NONE);
			tn_assert(attribute->after.kind == TN_PLAN_VALUE_NONE);
		}
	}
}

static void check_entries(const struct tn_plan *plan)
{
	uint32_t total = 0, actions[TN_PLAN_ACTION_COUNT] = {0}, unit = 0;

	for (uint32_t i = 0; i < plan->change_count; i++) {
		const struct tn_plan_entry *entry = &plan->changes[i];

		tn_assert(entry->action < TN_PLAN_ACTION_COUNT && entry->unit < plan->unit_count);
		tn_assert(entry->unit >= unit);
		unit = entry->unit;
		actions[entry->action]++;
		total += entry->action != TN_PLAN_READ;
		check_text(entry->address);
		check_text(entry->key_text);
		check_text(entry->previous_address);
		check_text(entry->import_id);
		check_attributes(&entry->attributes);
		for (uint32_t k = 0; k < entry->reason_count; k++)
			check_text(entry->reasons[k].text);
	}
	tn_assert(total == plan->total_changes);
	for (unsigned i = 0; i < TN_PLAN_ACTION_COUNT; i++)
		tn_assert(actions[i] == plan->actions[i]);
}

static void check_lists(const struct tn_plan *plan)
{
	for (uint32_t i = 0; i < plan->output_count; i++) {
		check_text(plan->outputs[i].name);
		check_text(plan->outputs[i].after.text);
	}
	for (uint32_t i = 0; i < plan->drift_count; i++)
		check_attributes(&plan->drift[i].attributes);
	for (uint32_t i = 0; i < plan->deferred_count; i++)
		tn_assert(plan->deferred[i].reason != NULL);
	for (uint32_t i = 0; i < plan->invocation_count; i++)
		tn_assert(plan->invocations[i].when != NULL);
	for (uint32_t i = 0; i < plan->diagnostic_count; i++) {
		tn_assert(plan->diagnostics[i].severity != NULL);
		check_text(plan->diagnostics[i].detail);
	}
	for (uint32_t i = 0; i < plan->warning_count; i++)
		check_text(plan->warnings[i].message);
	tn_assert((plan->mismatch_count == 0) || plan->consistent == 0);
}

static void parse(const uint8_t *data, size_t size, enum tn_plan_input_kind kind)
{
	struct tn_plan_options options = {.input_kind = kind};
	struct tenon_error err;
	struct tn_plan *plan = NULL;
	const char *reason = NULL;
	enum tenon_code code = tn_plan_parse(data, size, &options, &plan, &reason, &err);

	if (code != TENON_OK) {
		tn_assert(!plan && reason && (code == TENON_INVALID || code == TENON_LIMIT));
		tn_assert(tn_utf8_valid(err.message, strlen(err.message)));
		return;
	}
	/* plan.md section 2: at most four times the input. */
	tn_assert(plan->arena.total <= TN_PLAN_MEMORY_FACTOR * size + TN_PLAN_MEMORY_FLOOR);
	check_entries(plan);
	check_lists(plan);
	tn_plan_free(plan);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	parse(data, size, TN_PLAN_INPUT_AUTO);
	parse(data, size, TN_PLAN_INPUT_TEXT);
	if (size && data[0] == '{') {
		parse(data, size, TN_PLAN_INPUT_JSON);
		parse(data, size, TN_PLAN_INPUT_JSON_STREAM);
	}
	return 0;
}
