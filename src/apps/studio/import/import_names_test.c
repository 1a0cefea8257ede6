/* studio.md 4.1, studio-terraform.md TF-016: whatever resources of any type are called, no two
 * blocks, variables or outputs of what is generated are called alike, and taken in again all of it
 * has the names it had. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "apps/studio/document/document_test_kit.h"
#include "apps/studio/import/import_world_test_kit.h"
#include "apps/studio/limits.h"

enum { DIAGRAMS = 60, EDITS = 60 };

/* Names of helper blocks, of own names, and of variables of others are among them. */
static const char *const names[] = {
	"main",        "main",          "web",           "main_nic",
	"main_2",      "main_a_to_b",   "main_name",     "virtual_machine_main",
	"subnet_main", "main_acr_pull", "main_access_0", "Main-1"};

static uint64_t next(uint64_t *seed, size_t bound)
{
	return (studio_kit_random(seed) >> 20) % bound;
}

static const struct tn_studio_node *some_node(struct studio_kit *kit, uint64_t *seed)
{
	size_t count = kit->document.node_count;

	studio_kit_index(kit);
	return count ? kit->document.nodes[next(seed, count)] : NULL;
}

static void random_add(struct studio_kit *kit, uint64_t *seed, size_t type_at)
{
	const struct tn_studio_type *type = kit->registry->types[type_at];
	const struct tn_studio_node *parent = NULL;
	const char *name = names[next(seed, sizeof(names) / sizeof(names[0]))];

	for (int tries = 0; tries < 8; tries++) {
		const struct tn_studio_node *one = some_node(kit, seed);

		if (one && one->type && one->type->container &&
		    tn_studio_may_contain(one->type, type))
			parent = one;
	}
	(void)studio_kit_edit(
		kit, tn_studio_edit_add,
		parent ? studio_kit_format(kit,
					   "{\"typeId\":\"%s\",\"terraformName\":\"%s\","
					   "\"parentId\":\"%s\"}",
					   type->id.data, name, parent->id.data)
		       : studio_kit_format(kit, "{\"typeId\":\"%s\",\"terraformName\":\"%s\"}",
					   type->id.data, name));
}

static void random_show(struct studio_kit *kit, const struct tn_studio_node *node)
{
	if (!node->type || node->type->output_count == 0)
		return;
	(void)studio_kit_edit(
		kit, tn_studio_edit_update,
		studio_kit_format(kit,
				  "{\"instanceId\":\"%s\",\"properties\":{},\"enabledOutputs\":["
				  "\"%s\"],\"variableModes\":{\"name\":\"variable\"}}",
				  node->id.data, node->type->outputs[0].key.data));
}

static void random_edit(struct studio_kit *kit, uint64_t *seed)
{
	const struct tn_studio_node *node = some_node(kit, seed);
	size_t way = next(seed, 12), type = next(seed, kit->registry->type_count);
	const char *name = names[next(seed, sizeof(names) / sizeof(names[0]))];

	if (way < 8 || !node)
		random_add(kit, seed, type);
	else if (way < 10)
		random_show(kit, node);
	else if (way == 10)
		(void)studio_kit_edit(kit, tn_studio_edit_update,
				      studio_kit_format(kit,
							"{\"instanceId\":\"%s\",\"properties\":{},"
							"\"terraformName\":\"%s\"}",
							node->id.data, name));
	else if (next(seed, 3) == 0)
		(void)studio_kit_edit(
			kit, tn_studio_edit_remove,
			studio_kit_format(kit, "{\"instanceId\":\"%s\"}", node->id.data));
}

/* ---- what is generated ---- */

static void expect_no_duplicates(const struct studio_kit *kit,
				 const struct tn_studio_generated *made,
				 const struct tn_studio_diagnostics *list)
{
	for (size_t i = 1; i < made->address_count; i++)
		assert_false(
			tn_str_equal(made->addresses[i - 1].address, made->addresses[i].address));
	for (size_t i = 0; i < made->variable_count; i++) {
		for (size_t j = 0; j < i; j++)
			assert_false(
				tn_str_equal(made->variables[i].name, made->variables[j].name));
	}
	for (const struct tn_studio_diagnostic *one = list->first; one; one = one->next)
		assert_string_not_equal(one->code, "DUPLICATE_ADDRESS");
	for (size_t i = 0; i < kit->document.node_count; i++) {
		const struct tn_studio_node *node = kit->document.nodes[i];

		if (!node->type->is_annotation)
			assert_ptr_equal(tn_studio_node_by_own(&kit->document, node->own), node);
	}
}

static const struct tn_studio_address *address_in(const struct tn_studio_generated *made,
						  struct tn_str address)
{
	for (size_t i = 0; i < made->address_count; i++) {
		if (tn_str_equal(made->addresses[i].address, address))
			return &made->addresses[i];
	}
	return NULL;
}

/* Taken into an empty diagram: nothing is called otherwise. How many addresses there are then. */
static size_t take_again(struct studio_kit *kit, const struct tn_studio_generated *made)
{
	struct tn_studio_import_file files[16];
	struct tn_studio_import_options options = {.source = TN_STUDIO_FROM_CONFIG, .files = files};
	struct tn_studio_import_kit again;
	size_t count;

	for (size_t i = 0; i < made->file_count; i++) {
		if (!tn_str_ends(made->files[i].name, TN_STR(".example")))
			files[options.file_count++] = (struct tn_studio_import_file){
				made->files[i].name, made->files[i].text};
	}
	assert_true(tn_studio_import_kit_init(&again, kit->registry));
	assert_true(tn_studio_import_kit_take(&again, &options));
	assert_true(tn_studio_import_kit_generate(&again, "test"));
	if (tn_json_get(again.result, "renamed")->count > 0)
		fail_msg("%s", studio_kit_json(kit, tn_json_get(again.result, "renamed")));
	count = again.generated.address_count;
	for (size_t i = 0; i < count; i++) {
		const struct tn_studio_address *now = &again.generated.addresses[i];
		const struct tn_studio_address *was = address_in(made, now->address);

		if (!was)
			fail_msg("%.*s was not there", (int)now->address.size, now->address.data);
		assert_true(tn_str_equal(was->node->name, now->node->name) ||
			    now->node->type != was->node->type || now->node->type->no_primary);
	}
	tn_studio_import_kit_finish(&again);
	return count;
}

static size_t check(struct studio_kit *kit)
{
	const struct tn_studio_generate_options options = {.project_name = TN_STR("test")};
	struct tn_studio_generated made;
	struct tn_studio_diagnostics list;

	studio_kit_index(kit);
	tn_studio_diagnostics_init(&list, &kit->arena);
	assert_true(tn_studio_generate(&kit->document, &options, &kit->arena, &list, &made));
	expect_no_duplicates(kit, &made, &list);
	return take_again(kit, &made);
}

static void whatever_they_are_called(void **state)
{
	size_t count = 0;

	(void)state;
	for (uint64_t round = 1; round <= DIAGRAMS; round++) {
		uint64_t seed = round * 7919;
		struct studio_kit kit;

		studio_kit_open(&kit, NULL);
		for (int i = 0; i < EDITS; i++)
			random_edit(&kit, &seed);
		count += check(&kit);
		studio_kit_close(&kit);
	}
	print_message("%zu addresses in %d diagrams\n", count, DIAGRAMS);
	assert_true(count > 10 * DIAGRAMS);
}

/* One resource of every type, and all are called main. */
static void all_are_called_main(void **state)
{
	struct studio_kit *kit = *state;

	for (size_t i = 0; i < kit->registry->type_count; i++) {
		const struct tn_studio_type *type = kit->registry->types[i];

		(void)studio_kit_done(
			kit, tn_studio_edit_add,
			studio_kit_format(kit, "{\"typeId\":\"%s\",\"terraformName\":\"%s\"}",
					  type->id.data, type->no_primary ? "peer" : "main"));
		random_show(kit, kit->document.nodes[kit->document.node_count - 1]);
	}
	assert_true(check(kit) > 50);
}

/* ---- what most people write ---- */

/* The resources that a text has, or all that is generated: "type.name" in order, once each. */
static const char *addresses_in(struct import_world *world, struct tn_str text)
{
	struct tn_buf out;
	const char *copy;

	tn_buf_init(&out, TN_MIB);
	while (text.size > 0) {
		size_t end = tn_str_find_byte(text, '\n');
		char type[128], name[128], line[300];

		(void)snprintf(line, sizeof(line), "%.*s",
			       (int)(end == TN_STR_NONE ? text.size : end), text.data);
		if (sscanf(line, "resource \"%127[^\"]\" \"%127[^\"]\"", type, name) == 2)
			tn_buf_format(&out, "%s.%s\n", type, name);
		text = end == TN_STR_NONE ? TN_STR("") : tn_str_from_offset(text, end + 1);
	}
	tn_buf_append_byte(&out, '\0');
	copy = tn_arena_copy(&world->arena, tn_str_from(out.data));
	tn_buf_finish(&out);
	return copy;
}

static void expect_variable(struct import_world *world, const char *address, const char *line)
{
	(void)import_node(world, address);
	import_expect_text(world, "main.tf", line);
}

static void what_is_all_called_main_is_called_main(void **state)
{
	static const char *const machine = "azurerm_windows_virtual_machine.main";
	struct import_world *world = *state;
	const char *was;
	uint64_t revision;

	import_add_file(world, "main", "main.tf");
	was = addresses_in(world, world->files[0].text);
	import_take(world, TN_STUDIO_FROM_CONFIG);
	assert_int_equal(import_count(world, "faults"), 0);
	assert_int_equal(import_count(world, "renamed") + import_count(world, "partial"), 0);
	assert_int_equal(import_count(world, "mapped"), 6);
	assert_false(import_file_has(world, "foreign.tf", "moved"));
	assert_string_equal(
		addresses_in(world, tn_studio_import_kit_file(&world->kit, TN_STR("main.tf"))),
		was);
	import_expect_parent(world, "azurerm_subnet.main", "azurerm_virtual_network.main");
	/* Whose helper block there is, is what it is named after; others take another name. */
	assert_true(tn_str_is(import_node(world, machine)->own, "main"));
	expect_variable(world, machine, "= var.main_admin_password\n");
	expect_variable(world, "azurerm_mssql_server.main",
			"= var.mssql_server_main_administrator_login_password\n");
	expect_variable(world, "azurerm_mysql_flexible_server.main",
			"= var.mysql_flexible_server_main_administrator_password\n");
	/* So do outputs; one that cannot be called so any more stays as text. */
	import_expect_text(world, "outputs.tf", "output \"mssql_server_main_id\" {");
	import_expect_text(world, "foreign.tf", "output \"main_id\" {");
	assert_int_equal(import_count(world, "foreign"), 1);

	revision = world->kit.change.revision;
	import_take(world, TN_STUDIO_FROM_CONFIG);
	assert_int_equal(world->kit.change.revision, revision);
	assert_int_equal(import_count(world, "renamed"), 0);
	assert_int_equal(world->kit.document.node_count, 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IMPORT_TEST(what_is_all_called_main_is_called_main),
		STUDIO_KIT_TEST(all_are_called_main),
		cmocka_unit_test(whatever_they_are_called),
	};

	return cmocka_run_group_tests_name("studio_import_names", tests, NULL, NULL);
}
