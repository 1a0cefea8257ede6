/* registry_fuzz.c - registry files of anybody: whatever is in them, the rest loads, what was made
 * of them can be shown and used, and every fault has a file, a pointer and a sentence. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "apps/studio/registry/property_check.h"
#include "apps/studio/registry/internal.h"
#include "apps/studio/document/value.h"
#include "jsonrpc/json_write.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

/* Defaults were checked, so they fit; and a check never crashes on any other value. */
static void use_properties(const struct tn_studio_property *properties, size_t count,
			   const struct tn_json *strange)
{
	struct tn_arena arena;

	tn_arena_init(&arena, TN_MIB);
	for (size_t i = 0; i < count; i++) {
		const struct tn_json *made;
		char why[128];

		require(properties[i].label.size > 0 || properties[i].source != NULL);
		if (properties[i].default_value)
			require(tn_studio_check_value(&properties[i], properties[i].default_value,
						      &arena, &made, why, sizeof(why)) ||
				arena.total > TN_MIB / 2);
		for (const struct tn_json *s = strange ? strange->first : NULL; s; s = s->next)
			(void)tn_studio_check_value(&properties[i], s, &arena, &made, why,
						    sizeof(why));
		tn_arena_reset(&arena);
	}
	tn_arena_finish(&arena);
}

static void use(const struct tn_studio_registry *registry, const struct tn_json *strange)
{
	struct tn_buf out;
	struct tn_studio_fault fault;

	tn_buf_init(&out, 16 * TN_MIB);
	for (size_t i = 0; i < registry->type_count; i++) {
		const struct tn_studio_type *type = registry->types[i];

		require(tn_studio_type_find(registry, type->id) == type);
		tn_studio_type_put(&out, registry, type, TN_STUDIO_FULL);
		use_properties(type->properties, type->property_count, strange);
		(void)tn_studio_fail_unknown_type(&fault, registry, type->display_name);
		tn_buf_clear(&out);
	}
	for (size_t i = 0; i < registry->rule_count; i++)
		require(registry->rules[i].from && registry->rules[i].to);
	for (const struct tn_json *f = registry->faults->first; f; f = f->next)
		require(tn_json_get(f, "file") && tn_json_get(f, "pointer") &&
			tn_json_get(f, "message")->text.size > 0);
	tn_buf_finish(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct tn_studio_source source = {.name = TN_STR("fuzz.json"),
						.text = tn_str((const char *)data, size),
						.from_project = true};
	struct tn_studio_registry *registry;
	struct tn_json *strange = NULL;
	struct tn_arena arena;
	struct tenon_error err;

	tn_arena_init(&arena, 16 * TN_MIB);
	if (tn_json_parse_copy(&arena, source.text, &strange, &err) != TENON_OK)
		strange = NULL;
	if (tn_registry_create(&source, 1, false, &registry, &err) == TENON_OK) {
		use(registry, strange);
		tn_studio_registry_unref(registry);
	}
	tn_arena_finish(&arena);
	return 0;
}
