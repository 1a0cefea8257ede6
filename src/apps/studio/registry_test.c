#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "apps/studio/registry.h"
#include "base/clock.h"
#include "base/size.h"
#include "jsonrpc/json_write.h"

static struct tn_studio_registry *load(const char *text)
{
	struct tn_studio_source source = {.name = TN_STR("mine.json")};
	struct tn_studio_registry *registry;
	struct tenon_error err;

	source.text = tn_str_from(text);
	if (tn_studio_registry_create(&source, text ? 1 : 0, &registry, &err) != TENON_OK)
		fail_msg("%s", err.message);
	return registry;
}

static void print_faults(const struct tn_studio_registry *registry)
{
	struct tn_buf text;

	tn_buf_init(&text, TN_MIB);
	tn_json_put_value(&text, registry->faults);
	print_message("%.*s\n", (int)text.size, text.data);
	tn_buf_finish(&text);
}

/* Whether a fault is told at the pointer whose sentence has this in it. */
static bool has_fault(const struct tn_studio_registry *registry, const char *pointer,
		      const char *part)
{
	for (const struct tn_json *f = registry->faults->first; f; f = f->next) {
		if (tn_str_is(tn_json_get(f, "pointer")->text, pointer) &&
		    tn_str_is(tn_json_get(f, "file")->text, "mine.json") &&
		    tn_str_find(tn_json_get(f, "message")->text, tn_str_from(part)) != TN_STR_NONE)
			return true;
	}
	print_faults(registry);
	return false;
}

/* studio.md 5, studio-catalog.md 1: the whole catalogue, nothing of it left out. */
static void test_catalogue(void **state)
{
	struct tn_studio_registry *registry = load(NULL);
	size_t hidden = 0, properties = 0, outputs = 0, dead = 0, handles = 0, containers = 0;

	(void)state;
	if (registry->faults->count > 0)
		print_faults(registry);
	assert_int_equal(registry->faults->count, 0);
	assert_int_equal(registry->type_count, 119);
	assert_int_equal(registry->provider_count, 3);
	assert_int_equal(registry->rule_count, 20);
	assert_int_equal(registry->binding_count, 1);
	for (size_t i = 0; i < registry->type_count; i++) {
		const struct tn_studio_type *type = registry->types[i];

		hidden += type->hidden;
		containers += type->container;
		outputs += type->output_count;
		for (size_t p = 0; p < type->property_count; p++)
			properties += !type->properties[p].implicit;
		for (size_t h = 0; h < type->handle_count; h++)
			dead += type->handles[h].dead;
		handles += type->handle_count;
		assert_ptr_equal(tn_studio_type_find(registry, type->id), type);
		assert_true(i == 0 || registry->types[i - 1]->order < type->order);
	}
	assert_int_equal(hidden, 1);
	assert_int_equal(containers, 24);
	assert_int_equal(properties, 845);
	assert_int_equal(outputs, 268);
	assert_int_equal(handles, 63);
	assert_int_equal(dead, 33); /* ST-047 */
	tn_studio_registry_unref(registry);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_catalogue),
	};

	(void)has_fault;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
