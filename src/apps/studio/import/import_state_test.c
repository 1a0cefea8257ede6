/* studio.md 18: states and plans become diagrams. The files are those of tests/data/studio/import.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "apps/studio/import/import_world_test_kit.h"

static void a_state_becomes_a_diagram(void **state)
{
	struct import_world *world = *state;

	import_add_file(world, "", "state.json");
	import_take(world, TN_STUDIO_FROM_STATE);
	assert_int_equal(import_count(world, "mapped"), 4);
	import_expect_parent(world, "net", "rg");
	import_expect_parent(world, "a", "net");
	import_expect_parent(world, "pip_0", "rg");
	import_expect_property(world, "net", "address_space", "[\"10.8.0.0/16\"]");
	assert_string_equal(import_shown(world, tn_json_get(world->kit.document.config, "tags")),
			    "{\"env\":\"live\"}");
	assert_string_equal(import_shown(world, tn_json_get(import_entry(world, "foreign", "type",
									 "random_pet"),
							    "kept")),
			    "false");
	import_expect_text(world, "main.tf",
			   "virtual_network_name = azurerm_virtual_network.net.name");
}

static void a_plan_becomes_a_diagram(void **state)
{
	struct import_world *world = *state;

	import_add_file(world, "", "plan.json");
	import_take(world, TN_STUDIO_FROM_PLAN);
	assert_int_equal(import_count(world, "mapped"), 2);
	import_expect_parent(world, "s", "g");
	import_expect_property(world, "s", "versioning_enabled", "true");
	import_expect_property(world, "s", "delete_retention_days", "7");
}

static void what_is_no_state_is_refused(void **state)
{
	static const char *const texts[] = {"", "{", "[]", "{\"a\":1}", "nonsense"};
	struct import_world *world = *state;

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct tn_studio_import_options options;

		world->count = 0;
		import_add_text(world, "x.json", tn_str_from(texts[i]));
		options = import_options(world, TN_STUDIO_FROM_STATE);
		assert_false(tn_studio_import_kit_take(&world->kit, &options));
		assert_string_equal(world->kit.fault.code, "INVALID_INPUT");
	}
	assert_int_equal(world->kit.document.node_count, 0);
	world->count = 0;
	import_add_text(world, "x.json", TN_STR("{\"format_version\":\"1.0\"}")); /* an empty one */
	import_take(world, TN_STUDIO_FROM_STATE);
	assert_int_equal(world->kit.document.node_count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IMPORT_TEST(a_state_becomes_a_diagram),
		IMPORT_TEST(a_plan_becomes_a_diagram),
		IMPORT_TEST(what_is_no_state_is_refused),
	};

	return cmocka_run_group_tests_name("studio_import_state", tests, NULL, NULL);
}
