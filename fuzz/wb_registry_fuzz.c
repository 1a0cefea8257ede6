/* wb_registry_fuzz.c - registries, overrides and locks of anybody: whatever is in them, what comes
 * of it is a registry that reads back as itself without a word, and its defaults fit their
 * controls.
 *
 * The input: {"inferred", "modules": [...], "overrides", "locked"}, each of them anything. */
#include <stdint.h>

#include "apps/workbench/limits.h"
#include "apps/workbench/registry/control.h"
#include "apps/workbench/registry/registry.h"
#include "jsonrpc/json_write.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MODULES_MAX = 8 };

static void check_entry(const struct tn_wb_entry *entry)
{
	const struct tn_json *props = tn_json_get(entry->tree, "props");

	tn_assert(entry->display_name.size > 0);
	for (const struct tn_json *at = props->first; at; at = at->next) {
		const struct tn_json *value;
		struct tn_wb_prop prop;

		tn_assert(tn_wb_entry_prop(entry, at->key, &prop));
		tn_assert(!prop.editable || prop.control);
		value = tn_json_get(tn_json_get(prop.definition, "exposure"), "uiDefaultValue");
		tn_assert(!value ||
			  tn_wb_control_check(prop.control, prop.constraints, value) == TN_WB_FITS);
	}
}

static void check_texts(const struct tn_wb_registry *registry)
{
	struct tn_buf out;

	tn_buf_init(&out, TN_WB_REGISTRY_BYTES_MAX);
	tn_json_begin_array(&out);
	tn_wb_registry_put_disabled(&out, registry);
	tn_wb_registry_put_provenance(&out, registry);
	for (size_t i = 0; i < tn_wb_registry_count(registry); i++) {
		check_entry(tn_wb_registry_at(registry, i));
		tn_json_begin_object(&out);
		tn_wb_entry_put_index_members(&out, tn_wb_registry_at(registry, i));
		tn_json_end_object(&out);
	}
	tn_json_end_array(&out);
	tn_assert(!out.failed);
	tn_buf_finish(&out);
}

static void check_again(struct tn_arena *arena, const struct tn_wb_registry *registry)
{
	struct tn_wb_contribution contribution = {.module = TN_STR("again")};
	const struct tn_wb_registry_inputs inputs = {.contributions = &contribution, .count = 1};
	struct tn_wb_diagnostics diagnostics;
	struct tn_wb_registry *again = NULL;
	struct tn_json *tree = NULL;

	tn_wb_diagnostics_init(&diagnostics);
	tn_assert(tn_json_parse_copy(arena, tn_wb_registry_text(registry), &tree, NULL) ==
		  TENON_OK);
	contribution.tree = tree;
	tn_assert(tn_wb_registry_compose(&inputs, &diagnostics, &again, NULL) == TENON_OK);
	tn_assert(tn_str_equal(tn_wb_registry_text(again), tn_wb_registry_text(registry)));
	tn_assert(diagnostics.count == 0);
	tn_wb_registry_free(again);
	tn_wb_diagnostics_finish(&diagnostics);
}

static void compose(struct tn_arena *arena, const struct tn_json *root)
{
	struct tn_wb_contribution contributions[MODULES_MAX];
	const struct tn_json *modules = tn_json_get(root, "modules");
	struct tn_wb_registry_inputs inputs = {.contributions = contributions,
					       .inferred = tn_json_get(root, "inferred"),
					       .overrides = tn_json_get(root, "overrides"),
					       .locked = tn_json_get(root, "locked")};
	const struct tn_json *at = tn_json_is(modules, TN_JSON_ARRAY) ? modules->first : NULL;
	struct tn_wb_diagnostics diagnostics;
	struct tn_wb_registry *registry = NULL;

	for (; at && inputs.count < MODULES_MAX; at = at->next)
		contributions[inputs.count++] =
			(struct tn_wb_contribution){.module = TN_STR("m"), .tree = at};
	tn_wb_diagnostics_init(&diagnostics);
	tn_assert(tn_wb_registry_compose(&inputs, &diagnostics, &registry, NULL) == TENON_OK);
	for (size_t i = 0; i < diagnostics.count; i++)
		tn_assert(diagnostics.items[i].message[0] && diagnostics.items[i].pointer);
	check_texts(registry);
	check_again(arena, registry);
	tn_wb_registry_free(registry);
	tn_wb_diagnostics_finish(&diagnostics);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tn_json *root = NULL;
	struct tn_arena arena;

	tn_arena_init(&arena, 256 * TN_MIB);
	if (tn_json_parse_copy(&arena, tn_str((const char *)data, size), &root, NULL) == TENON_OK)
		compose(&arena, root);
	tn_arena_finish(&arena);
	return 0;
}
