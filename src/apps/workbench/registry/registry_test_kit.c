#include "apps/workbench/registry/registry_test_kit.h"

static const struct tn_json *parse(struct tn_wb_kit *kit, const char *text)
{
	struct tn_json *tree = NULL;

	if (text)
		tn_assert(tn_json_parse_copy(&kit->arena, tn_str_from(text), &tree, NULL) ==
			  TENON_OK);
	return tree;
}

void tn_wb_kit_compose(struct tn_wb_kit *kit, const struct tn_wb_kit_inputs *inputs)
{
	static const char *const names[] = {"m1", "m2", "m3", "m4"};
	struct tn_wb_contribution contributions[TN_COUNT(names)];
	struct tn_wb_registry_inputs all = {.contributions = contributions,
					    .config_file = "skaffa.config.json"};

	*kit = (struct tn_wb_kit){.registry = NULL};
	tn_arena_init(&kit->arena, 512 * TN_MIB);
	tn_wb_diagnostics_init(&kit->diagnostics);
	all.inferred = parse(kit, inputs->inferred);
	for (; all.count < TN_COUNT(names) && inputs->modules[all.count]; all.count++)
		contributions[all.count] =
			(struct tn_wb_contribution){.module = tn_str_from(names[all.count]),
						    .tree = parse(kit, inputs->modules[all.count]),
						    .file = names[all.count]};
	all.overrides = parse(kit, inputs->overrides);
	all.locked = parse(kit, inputs->locked);
	tn_assert(tn_wb_registry_compose(&all, &kit->diagnostics, &kit->registry, NULL) ==
		  TENON_OK);
}

void tn_wb_kit_finish(struct tn_wb_kit *kit)
{
	tn_wb_registry_free(kit->registry);
	tn_wb_diagnostics_finish(&kit->diagnostics);
	tn_arena_finish(&kit->arena);
}

const char *tn_wb_kit_told(struct tn_wb_kit *kit)
{
	const char *told = "";

	for (size_t i = 0; i < kit->diagnostics.count; i++) {
		const struct tn_wb_diagnostic *item = &kit->diagnostics.items[i];

		told = tn_arena_format(&kit->arena, "%s%s %s\n", told, item->code,
				       item->pointer ? item->pointer : "-");
	}
	return told;
}

const struct tn_json *tn_wb_kit_entry(const struct tn_wb_kit *kit, const char *type_id)
{
	const struct tn_wb_entry *entry = tn_wb_registry_find(kit->registry, tn_str_from(type_id));

	return entry ? entry->tree : NULL;
}
