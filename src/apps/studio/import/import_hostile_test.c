/* Configuration that is broken or means ill: it costs itself alone, and what was kept as text
 * neither breaks out of its place (ST-144) nor runs unseen (ST-143). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "apps/studio/import/import_world_test_kit.h"
#include "apps/studio/run/internal.h"
#include "base/mem.h"

static void what_is_broken_costs_itself(void **state)
{
	struct import_world *world = *state;

	import_add_file(world, "broken", "main.tf");
	import_take(world, TN_STUDIO_FROM_CONFIG);
	assert_int_equal(import_count(world, "faults"), 2);
	assert_string_equal(
		import_shown(world,
			     tn_json_get(tn_json_get(world->kit.result, "faults")->first, "line")),
		"12");
	import_expect_property(world, "good", "name", "\"rg-good\"");
	import_expect_property(world, "after", "name", "\"stafter01\"");
	import_expect_parent(world, "torn", "good");
	assert_null(tn_json_get(import_node(world, "torn")->properties, "address_space"));
}

static void hostile_files_are_survived(void **state)
{
	static const char *const texts[] = {
		"\xEF\xBB\xBFresource \"azurerm_resource_group\" \"g\" {\r\n  name = "
		"\"x\"\r\n}\r\n",
		"resource \"a\" \"b\" {}\nresource \"a\" \"b\" {}\n",
		"resource \"azurerm_resource_group\" \"../../x\" { name = "
		"\"${file(\"/etc/passwd\")}\" }",
		"locals {\n a = local.b\n b = local.a\n}\nresource \"azurerm_resource_group\" "
		"\"g\" {\n "
		"name = local.a\n}\n",
		"locals {\n a = [local.b, local.b]\n b = [local.c, local.c]\n c = [local.d, "
		"local.d]\n d "
		"= [local.a, local.a]\n}\nresource \"azurerm_virtual_network\" \"n\" {\n "
		"address_space = "
		"local.a\n}\n",
		"resource \"azurerm_subnet\" \"s\" {\n virtual_network_name = "
		"azurerm_subnet.s.name\n}\n",
		"resource \"azurerm_resource_group\" \"g\" {\n name = "
		"azurerm_resource_group.g.name\n}\n",
		"output \"x\" { value = [for a in b : a] }\nprovider \"azurerm\" {}\nterraform "
		"{}\n",
		"variable \"x\" {}\nvariable \"x\" {}\nlocals {}\nlocals {}\nmodule \"\" {}\n",
		"a = 1\n\"b\"\n}{\n",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		void *one;
		struct import_world *world;

		(void)import_world_set_up(&one);
		world = one;
		import_add_text(world, "main.tf", tn_str_from(texts[i]));
		import_take(world, TN_STUDIO_FROM_CONFIG);
		(void)import_world_tear_down(&one);
	}
	(void)state;
}

/* Generation writes back what a project file holds as foreign only if it is whole by itself
 * (ST-144). */
static void foreign_text_cannot_break_out(void **state)
{
	static const char diagram[] = "{\"op\":\"putNode\",\"node\":{\"id\":\"f\",\"typeId\":"
				      "\"foreign/resource/x\",\"label\":"
				      "\"x\",\"terraformName\":\"x\",\"position\":{\"x\":0,\"y\":0}"
				      ",\"foreignText\":[\"resource "
				      "\\\"x\\\" \\\"y\\\" {\\n\",\"  a = 1\\n\"]}}";
	struct import_world *world = *state;
	struct tn_json *operation;
	struct tn_buf inverse;
	struct tenon_error err;

	tn_buf_init(&inverse, TN_MIB);
	assert_int_equal(tn_json_parse_copy(&world->arena, tn_str_from(diagram), &operation, &err),
			 TENON_OK);
	assert_int_equal(
		tn_studio_document_ops.apply(&world->kit.document, operation, &inverse, &err),
		TENON_OK);
	assert_true(tn_studio_import_kit_generate(&world->kit, "test"));
	assert_int_equal(tn_studio_import_kit_file(&world->kit, TN_STR("foreign.tf")).size, 0);
	assert_string_equal(world->kit.list.first->code, "INVALID_VALUE");
	tn_buf_finish(&inverse);
}

/* ST-143: text that was kept can run programs, so a project that came from elsewhere needs trust.
 */
static void foreign_text_needs_trust(void **state)
{
	struct import_world *world = *state;
	struct tn_studio_project *project = tn_mem_alloc(sizeof(*project));
	struct tn_studio_trust trust;

	assert_non_null(project);
	project->document = world->kit.document;
	project->path = (char[]){"/nonexistent"};
	import_add_file(world, "vm", "main.tf");
	world->files[0].text = TN_STR("variable \"unused\" {}\n");
	import_take(world, TN_STUDIO_FROM_CONFIG);
	tn_studio_trust_look(&trust, project, NULL, &world->kit.generated, "/nonexistent");
	assert_true(trust.count == 0 && tn_studio_trust_holds(&trust, project));
	tn_studio_trust_finish(&trust);
	world->files[0].text = TN_STR("resource \"null_resource\" \"x\" {\n  provisioner "
				      "\"local-exec\" {\n    command = \"id\"\n  }\n}\n");
	import_take(world, TN_STUDIO_FROM_CONFIG);
	tn_studio_trust_look(&trust, project, NULL, &world->kit.generated, "/nonexistent");
	assert_true(trust.count == 1 && !tn_studio_trust_holds(&trust, project));
	assert_true(tn_str_is(tn_buf_str(&trust.names), "foreign.tf (in it: provisioner exec)"));
	tn_studio_trust_finish(&trust);
	tn_mem_free(project);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IMPORT_TEST(what_is_broken_costs_itself),
		IMPORT_TEST(hostile_files_are_survived),
		IMPORT_TEST(foreign_text_cannot_break_out),
		IMPORT_TEST(foreign_text_needs_trust),
	};

	return cmocka_run_group_tests_name("studio_import_hostile", tests, NULL, NULL);
}
