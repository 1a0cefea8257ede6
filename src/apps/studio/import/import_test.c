/* studio.md 18: configuration, states and plans become diagrams; what is not understood is kept and
 * told. The files are those of tests/data/studio/import. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "apps/studio/import/import_test_kit.h"
#include "apps/studio/limits.h"
#include "apps/studio/run/internal.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"
#include "store/file.h"

struct world {
	struct tn_studio_registry *registry;
	struct tn_studio_import_kit kit;
	struct tn_arena arena; /* of texts */
	struct tn_studio_import_file files[16];
	size_t count;
};

static int set_up(void **state)
{
	struct world *world = test_calloc(1, sizeof(*world));
	struct tenon_error err;

	assert_int_equal(tn_studio_registry_built_in(&world->registry, &err), TENON_OK);
	assert_true(tn_studio_import_kit_init(&world->kit, world->registry));
	tn_arena_init(&world->arena, TN_STUDIO_ARENA_MAX);
	*state = world;
	return 0;
}

static int tear_down(void **state)
{
	struct world *world = *state;

	tn_studio_import_kit_finish(&world->kit);
	tn_studio_registry_unref(world->registry);
	tn_arena_finish(&world->arena);
	test_free(world);
	return 0;
}

static void add_text(struct world *world, const char *name, struct tn_str text)
{
	world->files[world->count++] = (struct tn_studio_import_file){tn_str_from(name), text};
}

static void add_file(struct world *world, const char *folder, const char *name)
{
	struct tenon_error err;
	struct tn_buf text;
	char path[512], *copy;

	(void)snprintf(path, sizeof(path), TN_TEST_DATA "/studio/import/%s%s%s", folder,
		       *folder ? "/" : "", name);
	tn_buf_init(&text, TN_MIB);
	assert_int_equal(tn_file_read(path, 0, &text, &err), TENON_OK);
	copy = tn_arena_copy(&world->arena, tn_buf_str(&text));
	assert_non_null(copy);
	add_text(world, name, tn_str(copy, text.size));
	tn_buf_finish(&text);
}

static struct tn_studio_import_options options_of(struct world *world,
						  enum tn_studio_import_source source)
{
	return (struct tn_studio_import_options){
		.source = source, .files = world->files, .file_count = world->count};
}

static void take(struct world *world, enum tn_studio_import_source source)
{
	struct tn_studio_import_options options = options_of(world, source);

	if (!tn_studio_import_kit_take(&world->kit, &options))
		fail_msg("%s: %s", world->kit.fault.code, world->kit.fault.message);
	assert_true(tn_studio_import_kit_generate(&world->kit, "test"));
}

/* ---- looking at it ---- */

static const char *shown(struct world *world, const struct tn_json *value)
{
	struct tn_buf out;
	const char *copy;

	tn_buf_init(&out, TN_MIB);
	tn_json_put_value(&out, value);
	copy = tn_arena_copy(&world->arena, tn_buf_str(&out));
	tn_buf_finish(&out);
	return copy;
}

static bool is_called(const struct tn_studio_node *node, struct tn_str type, struct tn_str name)
{
	struct tn_str made;
	bool can_be = type.size == 0;

	for (size_t at = 0;
	     node->type && !can_be && (made = tn_studio_type_makes(node->type, at)).size > 0; at++)
		can_be = tn_str_equal(made, type);
	return can_be && tn_str_equal(node->name, name);
}

/* "main", where nothing else is called so, or "azurerm_key_vault.main". */
static const struct tn_studio_node *node(struct world *world, const char *address)
{
	const struct tn_studio_document *document = &world->kit.document;
	const struct tn_studio_node *found = NULL;
	struct tn_str type = TN_STR(""), name = tn_str_from(address);
	size_t dot = tn_str_find_byte(name, '.');

	if (dot != TN_STR_NONE) {
		type = tn_str(address, dot);
		name = tn_str_from_offset(name, dot + 1);
	}
	for (size_t i = 0; i < document->node_count; i++) {
		if (!is_called(document->nodes[i], type, name))
			continue;
		if (found)
			fail_msg("there are two nodes %s", address);
		found = document->nodes[i];
	}
	if (!found)
		fail_msg("there is no node %s", address);
	return found;
}

static void expect_parent(struct world *world, const char *name, const char *parent)
{
	const struct tn_studio_node *child = node(world, name);

	assert_non_null(child->parent);
	assert_ptr_equal(child->parent, node(world, parent));
}

static void expect_property(struct world *world, const char *name, const char *key,
			    const char *json)
{
	assert_string_equal(shown(world, tn_json_get(node(world, name)->properties, key)), json);
}

static size_t count_of(struct world *world, const char *list)
{
	const struct tn_json *found = tn_json_get(world->kit.result, list);

	assert_non_null(found);
	return found->count;
}

static const struct tn_json *entry(struct world *world, const char *list, const char *key,
				   const char *value)
{
	for (const struct tn_json *one = tn_json_get(world->kit.result, list)->first; one;
	     one = one->next) {
		struct tn_str text;

		if (tn_json_to_str(tn_json_get(one, key), &text) && tn_str_is(text, value))
			return one;
	}
	fail_msg("%s has no %s %s: %s", list, key, value,
		 shown(world, tn_json_get(world->kit.result, list)));
	return NULL;
}

static bool file_has(struct world *world, const char *file, const char *text)
{
	return tn_str_find(tn_studio_import_kit_file(&world->kit, tn_str_from(file)),
			   tn_str_from(text)) != TN_STR_NONE;
}

static void expect_text(struct world *world, const char *file, const char *text)
{
	struct tn_str whole = tn_studio_import_kit_file(&world->kit, tn_str_from(file));

	if (!file_has(world, file, text))
		fail_msg("%s has no '%s':\n%.*s", file, text, (int)whole.size, whole.data);
}

/* ---- a shop ---- */

#define GROUP "azurerm_resource_group.main"

static void a_shop_becomes_a_diagram(void **state)
{
	static const char *const names[] = {"main.tf",      "variables.tf", "locals.tf",
					    "providers.tf", "outputs.tf",   "terraform.tfvars"};
	struct world *world = *state;
	const struct tn_json *found;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		add_file(world, "shop", names[i]);
	take(world, TN_STUDIO_FROM_CONFIG);
	assert_int_equal(count_of(world, "faults"), 0);
	assert_int_equal(count_of(world, "mapped") + count_of(world, "partial"), 5);
	assert_string_equal(world->kit.change.label, "Import configuration");

	/* Two blocks are called main, as two nodes are then. */
	assert_int_equal(count_of(world, "renamed"), 0);
	assert_false(file_has(world, "foreign.tf", "moved"));
	expect_parent(world, "azurerm_service_plan.main", GROUP);
	expect_parent(world, "shop", GROUP);
	expect_parent(world, "sql", GROUP); /* "rg-shop" in quotes is that group */
	expect_parent(world, "orders", "sql");
	expect_property(world, "azurerm_service_plan.main", "sku_name", "\"B1\"");
	expect_property(world, "shop", "runtime_stack", "\"NODE|20-lts\"");
	expect_property(world, "shop", "name", "\"acme-shop\"");
	expect_property(world, GROUP, "location", "\"westeurope\"");
	assert_string_equal(shown(world, node(world, GROUP)->variable_modes),
			    "{\"location\":\"variable\"}");
	assert_string_equal(shown(world, node(world, "shop")->enabled_outputs),
			    "[\"default_hostname\"]");
	assert_null(tn_json_get(node(world, "sql")->properties, "administrator_login_password"));

	found = entry(world, "partial", "terraformName", "shop");
	assert_string_equal(
		shown(world, tn_json_get(found, "notUnderstood")),
		"[{\"file\":\"main.tf\",\"line\":36,\"attribute\":\"lifecycle\",\"text\":"
		"\"lifecycle {\\n    ignore_changes = [app_settings]\\n  }\",\"reason\":\"its type "
		"has "
		"no such block\"}]");

	assert_string_equal(shown(world, tn_json_get(world->kit.document.config, "tags")),
			    "{\"managed_by\":\"terraform\",\"team\":\"shop\"}");
	assert_string_equal(
		shown(world, tn_json_get(world->kit.document.config, "backend")),
		"{\"type\":\"azurerm\",\"config\":{\"resource_group_name\":\"rg-state\","
		"\"storage_account_name\":\"ststate01\",\"container_name\":\"tfstate\",\"key\":"
		"\"shop.tfstate\"}}");

	/* The output that is called otherwise is kept. */
	(void)entry(world, "foreign", "name", "database");
	expect_text(world, "foreign.tf", "  value       = azurerm_mssql_database.orders.id\n}");
	expect_text(world, "main.tf", "location = var.main_location");
	expect_text(world, "main.tf", "administrator_login_password = var.sql_");
	/* The edge that goes with the reference is there (ST-034). */
	assert_int_equal(world->kit.document.edge_count, 1);
	assert_true(tn_str_is(world->kit.document.edges[0]->source_handle, "asp-out"));
}

/* ---- what most people write ---- */

/* The resources that a text has, or all that is generated: "type.name" in order, once each. */
static const char *addresses_in(struct world *world, struct tn_str text)
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

static void expect_variable(struct world *world, const char *address, const char *line)
{
	(void)node(world, address);
	expect_text(world, "main.tf", line);
}

static void what_is_all_called_main_is_called_main(void **state)
{
	static const char *const machine = "azurerm_windows_virtual_machine.main";
	struct world *world = *state;
	const char *was;
	uint64_t revision;

	add_file(world, "main", "main.tf");
	was = addresses_in(world, world->files[0].text);
	take(world, TN_STUDIO_FROM_CONFIG);
	assert_int_equal(count_of(world, "faults"), 0);
	assert_int_equal(count_of(world, "renamed") + count_of(world, "partial"), 0);
	assert_int_equal(count_of(world, "mapped"), 6);
	assert_false(file_has(world, "foreign.tf", "moved"));
	assert_string_equal(
		addresses_in(world, tn_studio_import_kit_file(&world->kit, TN_STR("main.tf"))),
		was);
	expect_parent(world, "azurerm_subnet.main", "azurerm_virtual_network.main");
	/* Whose helper block there is, is what it is named after; others take another name. */
	assert_true(tn_str_is(node(world, machine)->own, "main"));
	expect_variable(world, machine, "= var.main_admin_password\n");
	expect_variable(world, "azurerm_mssql_server.main",
			"= var.mssql_server_main_administrator_login_password\n");
	expect_variable(world, "azurerm_mysql_flexible_server.main",
			"= var.mysql_flexible_server_main_administrator_password\n");
	/* So do outputs; one that cannot be called so any more stays as text. */
	expect_text(world, "outputs.tf", "output \"mssql_server_main_id\" {");
	expect_text(world, "foreign.tf", "output \"main_id\" {");
	assert_int_equal(count_of(world, "foreign"), 1);

	revision = world->kit.change.revision;
	take(world, TN_STUDIO_FROM_CONFIG);
	assert_int_equal(world->kit.change.revision, revision);
	assert_int_equal(count_of(world, "renamed"), 0);
	assert_int_equal(world->kit.document.node_count, 7);
}

static void differences_are_told(void **state)
{
	struct world *world = *state;
	const struct tn_json *found;

	add_text(
		world, "main.tf",
		TN_STR("resource \"azurerm_resource_group\" \"g\" {\n  name = \"rg\"\n  location = "
		       "\"westeurope\"\n  managed_by = \"me\"\n}\n"));
	take(world, TN_STUDIO_FROM_CONFIG);
	assert_int_equal(count_of(world, "differences"), 1);
	found = tn_json_get(world->kit.result, "differences")->first;
	assert_string_equal(
		shown(world, found),
		"{\"address\":\"azurerm_resource_group.g\",\"attribute\":\"managed_by\","
		"\"change\":\"removed\",\"was\":\"\\\"me\\\"\"}");
}

static void again_it_adds_nothing(void **state)
{
	struct world *world = *state;
	size_t nodes, edges;

	add_file(world, "shop", "main.tf");
	add_file(world, "shop", "variables.tf");
	add_file(world, "shop", "locals.tf");
	add_file(world, "shop", "outputs.tf");
	take(world, TN_STUDIO_FROM_CONFIG);
	nodes = world->kit.document.node_count;
	edges = world->kit.document.edge_count;
	assert_true(nodes >= 6);            /* the five resources, and what stays text */
	take(world, TN_STUDIO_FROM_CONFIG); /* the same files */
	assert_int_equal(world->kit.document.node_count, nodes);
	assert_int_equal(world->kit.document.edge_count, edges);
	/* And what is generated now. */
	world->count = 0;
	for (size_t i = 0; i < world->kit.generated.file_count; i++) {
		const struct tn_studio_file *file = &world->kit.generated.files[i];

		if (!tn_str_ends(file->name, TN_STR(".example")))
			world->files[world->count++] =
				(struct tn_studio_import_file){file->name, file->text};
	}
	take(world, TN_STUDIO_FROM_CONFIG);
	assert_int_equal(world->kit.document.node_count, nodes);
	assert_int_equal(world->kit.document.edge_count, edges);
}

static void a_dry_run_leaves_nothing(void **state)
{
	struct world *world = *state;
	struct tn_studio_import_options options;

	add_file(world, "network", "main.tf");
	options = options_of(world, TN_STUDIO_FROM_CONFIG);
	options.dry_run = true;
	assert_true(tn_studio_import_kit_take(&world->kit, &options));
	assert_true(count_of(world, "mapped") > 0);
	assert_int_equal(world->kit.document.node_count, 0);
}

/* ---- networks, machines ---- */

static void a_network_is_folded(void **state)
{
	struct world *world = *state;

	add_file(world, "network", "main.tf");
	take(world, TN_STUDIO_FROM_CONFIG);
	assert_int_equal(count_of(world, "partial"), 0);
	assert_int_equal(count_of(world, "mapped"), 7); /* the peerings are one */
	expect_parent(world, "azurerm_subnet.app", "spoke");
	expect_parent(world, "data", "spoke"); /* by the network's name in quotes */
	expect_parent(world, "azurerm_virtual_network.hub", "net");
	/* The peering's blocks are named after it: it is theirs what the others are called. */
	assert_int_equal(count_of(world, "renamed"), 1);
	assert_true(tn_str_is(tn_studio_node_by_own(&world->kit.document, TN_STR("hub"))->type_id,
			      "azurerm/networking/virtual_network_peering"));
	expect_property(world, "azurerm_subnet.app", "nsg_enabled", "true");
	expect_property(
		world, "azurerm_network_security_group.app", "security_rules",
		"[{\"name\":\"https\",\"priority\":100,\"direction\":\"Inbound\",\"access\":"
		"\"Allow\",\"protocol\":\"Tcp\",\"source_port_range\":\"*\","
		"\"destination_port_range\":\"443\",\"source_address_prefix\":\"Internet\","
		"\"destination_address_prefix\":\"*\"},{\"name\":\"deny-all\",\"priority\":4096,"
		"\"direction\":\"Inbound\",\"access\":\"Deny\",\"protocol\":\"*\","
		"\"source_port_range\":\"*\",\"destination_port_range\":\"*\","
		"\"source_address_prefix\":\"*\",\"destination_address_prefix\":\"*\"}]");
}

static void a_machine_has_its_interface(void **state)
{
	struct world *world = *state;

	add_file(world, "vm", "main.tf");
	take(world, TN_STUDIO_FROM_CONFIG);
	assert_int_equal(count_of(world, "partial"), 0);
	assert_int_equal(count_of(world, "mapped"), 4);
	expect_parent(world, "build", "subnet");
	expect_property(world, "build", "size", "\"Standard_D2s_v5\"");
	expect_property(world, "build", "os_disk_size_gb", "64");
	/* The interface keeps its place in the state under its new name. */
	expect_text(world, "foreign.tf",
		    "from = azurerm_network_interface.nic\n  to   = "
		    "azurerm_network_interface.build_nic");
	expect_text(world, "terraform.tfvars",
		    "build_ssh_public_key = \"ssh-ed25519 AAAAC3Nza builder@example\"");
	assert_string_equal(shown(world, tn_json_get(world->kit.result, "differences")), "[]");
}

/* Which machine it is its type says alone: an argument that is left out proves nothing. */
static void a_machine_is_what_its_type_says(void **state)
{
	struct world *world = *state;
	struct tn_str text, line = TN_STR("  disable_password_authentication = true\n");
	size_t at;

	add_file(world, "vm", "main.tf");
	text = world->files[0].text;
	at = tn_str_find(text, line);
	assert_true(at != TN_STR_NONE);
	world->files[0].text = tn_str_from(tn_arena_format(&world->arena, "%.*s%s", (int)at,
							   text.data, text.data + at + line.size));
	take(world, TN_STUDIO_FROM_CONFIG);
	expect_property(world, "build", "os_type", "\"linux\"");
	expect_text(world, "main.tf", "resource \"azurerm_linux_virtual_machine\" \"build\"");
	expect_text(world, "main.tf", "disable_password_authentication = true");
}

/* What a provider has given another name to is understood under both, and written under the new. */
static void former_spellings_are_read(void **state)
{
	struct world *world = *state;

	add_text(world, "main.tf",
		 TN_STR("resource \"azurerm_resource_group\" \"rg\" {\n"
			"  name     = \"rg\"\n  location = \"westeurope\"\n}\n"
			"resource \"azurerm_eventhub_namespace\" \"ns\" {\n"
			"  name                = \"ns\"\n"
			"  location            = azurerm_resource_group.rg.location\n"
			"  resource_group_name = azurerm_resource_group.rg.name\n"
			"  sku                 = \"Standard\"\n}\n"
			"resource \"azurerm_eventhub\" \"hub\" {\n"
			"  name                = \"hub\"\n"
			"  namespace_name      = azurerm_eventhub_namespace.ns.name\n"
			"  resource_group_name = azurerm_resource_group.rg.name\n"
			"  partition_count     = 2\n  message_retention   = 1\n}\n"
			"resource \"azurerm_signalr_service\" \"talk\" {\n"
			"  name                = \"talk\"\n"
			"  location            = azurerm_resource_group.rg.location\n"
			"  resource_group_name = azurerm_resource_group.rg.name\n"
			"  live_trace_enabled  = true\n"
			"  sku {\n    name     = \"Standard_S1\"\n    capacity = 1\n"
			"  }\n}\n"));
	take(world, TN_STUDIO_FROM_CONFIG);
	assert_int_equal(count_of(world, "mapped"), 4);
	assert_int_equal(count_of(world, "partial"), 0);
	expect_parent(world, "hub", "ns");
	expect_property(world, "talk", "live_trace_enabled", "true");
	expect_text(world, "main.tf", "namespace_id      = azurerm_eventhub_namespace.ns.id");
	expect_text(world, "main.tf", "live_trace {\n    enabled = true\n");
}

static void amazon(void **state)
{
	struct world *world = *state;
	const struct tn_json *found;

	add_file(world, "aws", "main.tf");
	take(world, TN_STUDIO_FROM_CONFIG);
	expect_parent(world, "a", "main");
	expect_property(world, "main", "name", "\"site\"");
	expect_property(world, "worker", "assume_role_service", "\"lambda.amazonaws.com\"");
	expect_property(world, "site", "versioning_enabled", "true");
	found = entry(world, "partial", "terraformName", "a");
	found = tn_json_get(found, "notUnderstood")->first;
	assert_string_equal(shown(world, tn_json_get(found, "text")),
			    "\"cidrsubnet(aws_vpc.main.cidr_block, 8, 1)\"");
	assert_string_equal(
		shown(world,
		      tn_json_get(entry(world, "foreign", "type", "aws_sqs_queue"), "reason")),
		"\"it has for_each\"");
	expect_text(world, "foreign.tf", "  name     = \"jobs-${each.key}\"\n}");
	assert_string_equal(shown(world, tn_json_get(world->kit.document.config, "providers")),
			    "{\"aws\":{\"region\":\"eu-central-1\"}}");
}

#define VAULT "main_vault_of_this_and_of_all_the_other_teams_that_share_the_gro"

static void what_is_elsewhere_stays(void **state)
{
	struct world *world = *state;
	size_t nodes;

	add_file(world, "mixed", "main.tf");
	add_file(world, "mixed", "terraform.tfvars");
	take(world, TN_STUDIO_FROM_CONFIG);
	expect_text(world, "foreign.tf", "module \"registry\" {\n  source = \"./registry\"\n");
	expect_text(world, "foreign.tf",
		    "# Stands in a group that is not ours.\nresource \"azurerm_storage_account\" "
		    "\"shared\" {");
	expect_text(world, "foreign.tf", "resource \"random_id\" \"suffix\"");
	expect_text(world, "foreign.tf", "data \"azurerm_resource_group\" \"shared\"");
	/* One leads to the other; two that lead to the same are refused by the engine. */
	expect_text(world, "foreign.tf",
		    "from = azurerm_key_vault.old\n  to   = azurerm_key_vault." VAULT "up\n");
	expect_text(world, "foreign.tf",
		    "from = azurerm_key_vault." VAULT "up\n  to   = azurerm_key_vault." VAULT "\n");
	expect_text(world, "foreign.tf", "check \"health\" {");
	/* What stays needs these; the rest of the locals is gone with what used it. */
	expect_text(world, "foreign.tf", "registry_name = \"cr${var.suffix}\"");
	expect_text(world, "foreign.tf", "variable \"suffix\"");
	expect_text(world, "foreign.auto.tfvars", "suffix = \"0815\"");
	assert_false(file_has(world, "foreign.tf", "unused"));
	/* Its name is too long for a node, and text that stays refers to the one that moves. */
	expect_text(world, "foreign.tf", "azurerm_key_vault." VAULT ".vault_uri");
	expect_property(world, VAULT, "soft_delete_retention_days", "90");
	expect_text(world, "main.tf", "data \"azurerm_client_config\" \"current\" {}");
	assert_false(file_has(world, "foreign.tf", "azurerm_client_config\" \"current"));
	/* What had to be renamed is known by its old name. */
	nodes = world->kit.document.node_count;
	take(world, TN_STUDIO_FROM_CONFIG);
	assert_int_equal(world->kit.document.node_count, nodes);
}

static void what_is_broken_costs_itself(void **state)
{
	struct world *world = *state;

	add_file(world, "broken", "main.tf");
	take(world, TN_STUDIO_FROM_CONFIG);
	assert_int_equal(count_of(world, "faults"), 2);
	assert_string_equal(
		shown(world, tn_json_get(tn_json_get(world->kit.result, "faults")->first, "line")),
		"12");
	expect_property(world, "good", "name", "\"rg-good\"");
	expect_property(world, "after", "name", "\"stafter01\"");
	expect_parent(world, "torn", "good");
	assert_null(tn_json_get(node(world, "torn")->properties, "address_space"));
}

/* ---- states and plans ---- */

static void a_state_becomes_a_diagram(void **state)
{
	struct world *world = *state;

	add_file(world, "", "state.json");
	take(world, TN_STUDIO_FROM_STATE);
	assert_int_equal(count_of(world, "mapped"), 4);
	expect_parent(world, "net", "rg");
	expect_parent(world, "a", "net");
	expect_parent(world, "pip_0", "rg");
	expect_property(world, "net", "address_space", "[\"10.8.0.0/16\"]");
	assert_string_equal(shown(world, tn_json_get(world->kit.document.config, "tags")),
			    "{\"env\":\"live\"}");
	assert_string_equal(
		shown(world, tn_json_get(entry(world, "foreign", "type", "random_pet"), "kept")),
		"false");
	expect_text(world, "main.tf", "virtual_network_name = azurerm_virtual_network.net.name");
}

static void a_plan_becomes_a_diagram(void **state)
{
	struct world *world = *state;

	add_file(world, "", "plan.json");
	take(world, TN_STUDIO_FROM_PLAN);
	assert_int_equal(count_of(world, "mapped"), 2);
	expect_parent(world, "s", "g");
	expect_property(world, "s", "versioning_enabled", "true");
	expect_property(world, "s", "delete_retention_days", "7");
}

static void what_is_no_state_is_refused(void **state)
{
	static const char *const texts[] = {"", "{", "[]", "{\"a\":1}", "nonsense"};
	struct world *world = *state;

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct tn_studio_import_options options;

		world->count = 0;
		add_text(world, "x.json", tn_str_from(texts[i]));
		options = options_of(world, TN_STUDIO_FROM_STATE);
		assert_false(tn_studio_import_kit_take(&world->kit, &options));
		assert_string_equal(world->kit.fault.code, "INVALID_INPUT");
	}
	assert_int_equal(world->kit.document.node_count, 0);
	world->count = 0;
	add_text(world, "x.json", TN_STR("{\"format_version\":\"1.0\"}")); /* an empty one */
	take(world, TN_STUDIO_FROM_STATE);
	assert_int_equal(world->kit.document.node_count, 0);
}

/* ---- hostile texts ---- */

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
		struct world *world;

		(void)set_up(&one);
		world = one;
		add_text(world, "main.tf", tn_str_from(texts[i]));
		take(world, TN_STUDIO_FROM_CONFIG);
		(void)tear_down(&one);
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
	struct world *world = *state;
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
	struct world *world = *state;
	struct tn_studio_project *project = tn_mem_alloc(sizeof(*project));
	struct tn_studio_trust trust;

	assert_non_null(project);
	project->document = world->kit.document;
	project->path = (char[]){"/nonexistent"};
	add_file(world, "vm", "main.tf");
	world->files[0].text = TN_STR("variable \"unused\" {}\n");
	take(world, TN_STUDIO_FROM_CONFIG);
	tn_studio_trust_look(&trust, project, NULL, &world->kit.generated, "/nonexistent");
	assert_true(trust.count == 0 && tn_studio_trust_holds(&trust, project));
	tn_studio_trust_finish(&trust);
	world->files[0].text = TN_STR("resource \"null_resource\" \"x\" {\n  provisioner "
				      "\"local-exec\" {\n    command = \"id\"\n  }\n}\n");
	take(world, TN_STUDIO_FROM_CONFIG);
	tn_studio_trust_look(&trust, project, NULL, &world->kit.generated, "/nonexistent");
	assert_true(trust.count == 1 && !tn_studio_trust_holds(&trust, project));
	assert_true(tn_str_is(tn_buf_str(&trust.names), "foreign.tf (in it: provisioner exec)"));
	tn_studio_trust_finish(&trust);
	tn_mem_free(project);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_shop_becomes_a_diagram),      TEST(what_is_all_called_main_is_called_main),
		TEST(differences_are_told),          TEST(again_it_adds_nothing),
		TEST(a_dry_run_leaves_nothing),      TEST(a_network_is_folded),
		TEST(a_machine_has_its_interface),   TEST(a_machine_is_what_its_type_says),
		TEST(former_spellings_are_read),     TEST(amazon),
		TEST(what_is_elsewhere_stays),       TEST(what_is_broken_costs_itself),
		TEST(a_state_becomes_a_diagram),     TEST(a_plan_becomes_a_diagram),
		TEST(what_is_no_state_is_refused),   TEST(hostile_files_are_survived),
		TEST(foreign_text_cannot_break_out), TEST(foreign_text_needs_trust),
	};

	return cmocka_run_group_tests_name("studio_import", tests, NULL, NULL);
}
