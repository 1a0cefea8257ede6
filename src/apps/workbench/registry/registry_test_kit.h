/* registry_test_kit.h - for tests: registries composed from texts. Threads: one at a time. */
#ifndef TN_WB_REGISTRY_REGISTRY_TEST_KIT_H
#define TN_WB_REGISTRY_REGISTRY_TEST_KIT_H

#include "apps/workbench/registry/registry.h"

struct tn_wb_kit {
	struct tn_arena arena;
	struct tn_wb_diagnostics diagnostics;
	struct tn_wb_registry *registry;
};

struct tn_wb_kit_inputs {
	const char *inferred, *modules[4], *overrides, *locked; /* NULL: none */
};

/* Fails the test when a text is no JSON. Finish it in any case. */
void tn_wb_kit_compose(struct tn_wb_kit *kit, const struct tn_wb_kit_inputs *inputs);
void tn_wb_kit_finish(struct tn_wb_kit *kit);
/* "code pointer" of all diagnostics, a line each, in the kit's arena. */
const char *tn_wb_kit_told(struct tn_wb_kit *kit);
/* The effective entry, or NULL. */
const struct tn_json *tn_wb_kit_entry(const struct tn_wb_kit *kit, const char *type_id);

#endif
