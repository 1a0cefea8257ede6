/* What of a module counts, or why nothing of it does. */
#include "apps/workbench/config/internal.h"

void tn_wb_config_fail_module(struct tn_wb_config_module *module, const char *code,
			      const char *file, const char *message)
{
	module->failed = true;
	tn_wb_diagnose(&module->diagnostics, &(struct tn_wb_diagnostic){.severity = TN_WB_ERROR,
									.code = code,
									.message = message,
									.file = file});
}

bool tn_wb_config_contribute(struct tn_wb_config *config, struct tn_wb_config_module *module,
			     const struct tn_wb_contribution *contribution)
{
	struct tn_wb_contribution *list =
		tn_arena_alloc_array(&config->arena, module->contribution_count + 1, sizeof(*list));

	if (!list)
		return false;
	if (module->contribution_count)
		memcpy(list, module->contributions, module->contribution_count * sizeof(*list));
	list[module->contribution_count] = *contribution;
	list[module->contribution_count++].module = tn_str_from(module->id);
	module->contributions = list;
	return true;
}
