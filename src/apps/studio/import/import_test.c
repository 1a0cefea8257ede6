/* studio.md 18: configuration becomes a diagram; what is not understood is kept and told. The files
 * are those of tests/data/studio/import. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "apps/studio/import/import_world_test_kit.h"

/* ---- a shop ---- */

#define GROUP "azurerm_resource_group.main"

static void a_shop_becomes_a_diagram(void **state)
{
	static const char *const names[] = {"main.tf",      "variables.tf", "locals.tf",
					    "providers.tf", "outputs.tf",   "terraform.tfvars"};
	struct import_world *world = *state;
	const struct tn_json *found;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		import_add_file(world, "shop", names[i]);
	import_take(world, TN_STUDIO_FROM_CONFIG);
	assert_int_equal(import_count(world, "faults"), 0);
	assert_int_equal(import_count(world, "mapped") + import_count(world, "partial"), 5);
	assert_string_equal(world->kit.change.label, "Import configuration");

	/* Two blocks are called main, as two nodes are then. */
	assert_int_equal(import_count(world, "renamed"), 0);
	assert_false(import_file_has(world, "foreign.tf", "moved"));
	import_expect_parent(world, "azurerm_service_plan.main", GROUP);
	import_expect_parent(world, "shop", GROUP);
	import_expect_parent(world, "sql", GROUP); /* "rg-shop" in quotes is that group */
	import_expect_parent(world, "orders", "sql");
	import_expect_property(world, "azurerm_service_plan.main", "sku_name", "\"B1\"");
	import_expect_property(world, "shop", "runtime_stack", "\"NODE|20-lts\"");
	import_expect_property(world, "shop", "name", "\"acme-shop\"");
	import_expect_property(world, GROUP, "location", "\"westeurope\"");
	assert_string_equal(import_shown(world, import_node(world, GROUP)->variable_modes),
			    "{\"location\":\"variable\"}");
	assert_string_equal(import_shown(world, import_node(world, "shop")->enabled_outputs),
			    "[\"default_hostname\"]");
	assert_null(
		tn_json_get(import_node(world, "sql")->properties, "administrator_login_password"));

	found = import_entry(world, "partial", "terraformName", "shop");
	assert_string_equal(
		import_shown(world, tn_json_get(found, "notUnderstood")),
		"[{\"file\":\"main.tf\",\"line\":36,\"attribute\":\"lifecycle\",\"text\":"
		"\"lifecycle {\\n    ignore_changes = [app_settings]\\n  }\",\"reason\":\"its type "
		"has "
		"no such block\"}]");

	assert_string_equal(import_shown(world, tn_json_get(world->kit.document.config, "tags")),
			    "{\"managed_by\":\"terraform\",\"team\":\"shop\"}");
	assert_string_equal(
		import_shown(world, tn_json_get(world->kit.document.config, "backend")),
		"{\"type\":\"azurerm\",\"config\":{\"resource_group_name\":\"rg-state\","
		"\"storage_account_name\":\"ststate01\",\"container_name\":\"tfstate\",\"key\":"
		"\"shop.tfstate\"}}");

	/* The output that is called otherwise is kept. */
	(void)import_entry(world, "foreign", "name", "database");
	import_expect_text(world, "foreign.tf",
			   "  value       = azurerm_mssql_database.orders.id\n}");
	import_expect_text(world, "main.tf", "location = var.main_location");
	import_expect_text(world, "main.tf", "administrator_login_password = var.sql_");
	/* The edge that goes with the reference is there (ST-034). */
	assert_int_equal(world->kit.document.edge_count, 1);
	assert_true(tn_str_is(world->kit.document.edges[0]->source_handle, "asp-out"));
}

/* ---- again, and only looking ---- */

static void differences_are_told(void **state)
{
	struct import_world *world = *state;
	const struct tn_json *found;

	import_add_text(
		world, "main.tf",
		TN_STR("resource \"azurerm_resource_group\" \"g\" {\n  name = \"rg\"\n  location = "
		       "\"westeurope\"\n  managed_by = \"me\"\n}\n"));
	import_take(world, TN_STUDIO_FROM_CONFIG);
	assert_int_equal(import_count(world, "differences"), 1);
	found = tn_json_get(world->kit.result, "differences")->first;
	assert_string_equal(
		import_shown(world, found),
		"{\"address\":\"azurerm_resource_group.g\",\"attribute\":\"managed_by\","
		"\"change\":\"removed\",\"was\":\"\\\"me\\\"\"}");
}

static void again_it_adds_nothing(void **state)
{
	struct import_world *world = *state;
	size_t nodes, edges;

	import_add_file(world, "shop", "main.tf");
	import_add_file(world, "shop", "variables.tf");
	import_add_file(world, "shop", "locals.tf");
	import_add_file(world, "shop", "outputs.tf");
	import_take(world, TN_STUDIO_FROM_CONFIG);
	nodes = world->kit.document.node_count;
	edges = world->kit.document.edge_count;
	assert_true(nodes >= 6);                   /* the five resources, and what stays text */
	import_take(world, TN_STUDIO_FROM_CONFIG); /* the same files */
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
	import_take(world, TN_STUDIO_FROM_CONFIG);
	assert_int_equal(world->kit.document.node_count, nodes);
	assert_int_equal(world->kit.document.edge_count, edges);
}

static void a_dry_run_leaves_nothing(void **state)
{
	struct import_world *world = *state;
	struct tn_studio_import_options options;

	import_add_file(world, "network", "main.tf");
	options = import_options(world, TN_STUDIO_FROM_CONFIG);
	options.dry_run = true;
	assert_true(tn_studio_import_kit_take(&world->kit, &options));
	assert_true(import_count(world, "mapped") > 0);
	assert_int_equal(world->kit.document.node_count, 0);
}

/* ---- networks, machines ---- */

static void a_network_is_folded(void **state)
{
	struct import_world *world = *state;

	import_add_file(world, "network", "main.tf");
	import_take(world, TN_STUDIO_FROM_CONFIG);
	assert_int_equal(import_count(world, "partial"), 0);
	assert_int_equal(import_count(world, "mapped"), 7); /* the peerings are one */
	import_expect_parent(world, "azurerm_subnet.app", "spoke");
	import_expect_parent(world, "data", "spoke"); /* by the network's name in quotes */
	import_expect_parent(world, "azurerm_virtual_network.hub", "net");
	/* The peering's blocks are named after it: it is theirs what the others are called. */
	assert_int_equal(import_count(world, "renamed"), 1);
	assert_true(tn_str_is(tn_studio_node_by_own(&world->kit.document, TN_STR("hub"))->type_id,
			      "azurerm/networking/virtual_network_peering"));
	import_expect_property(world, "azurerm_subnet.app", "nsg_enabled", "true");
	import_expect_property(
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
	struct import_world *world = *state;

	import_add_file(world, "vm", "main.tf");
	import_take(world, TN_STUDIO_FROM_CONFIG);
	assert_int_equal(import_count(world, "partial"), 0);
	assert_int_equal(import_count(world, "mapped"), 4);
	import_expect_parent(world, "build", "subnet");
	import_expect_property(world, "build", "size", "\"Standard_D2s_v5\"");
	import_expect_property(world, "build", "os_disk_size_gb", "64");
	/* The interface keeps its place in the state under its new name. */
	import_expect_text(world, "foreign.tf",
			   "from = azurerm_network_interface.nic\n  to   = "
			   "azurerm_network_interface.build_nic");
	import_expect_text(world, "terraform.tfvars",
			   "build_ssh_public_key = \"ssh-ed25519 AAAAC3Nza builder@example\"");
	assert_string_equal(import_shown(world, tn_json_get(world->kit.result, "differences")),
			    "[]");
}

/* Which machine it is its type says alone: an argument that is left out proves nothing. */
static void a_machine_is_what_its_type_says(void **state)
{
	struct import_world *world = *state;
	struct tn_str text, line = TN_STR("  disable_password_authentication = true\n");
	size_t at;

	import_add_file(world, "vm", "main.tf");
	text = world->files[0].text;
	at = tn_str_find(text, line);
	assert_true(at != TN_STR_NONE);
	world->files[0].text = tn_str_from(tn_arena_format(&world->arena, "%.*s%s", (int)at,
							   text.data, text.data + at + line.size));
	import_take(world, TN_STUDIO_FROM_CONFIG);
	import_expect_property(world, "build", "os_type", "\"linux\"");
	import_expect_text(world, "main.tf",
			   "resource \"azurerm_linux_virtual_machine\" \"build\"");
	import_expect_text(world, "main.tf", "disable_password_authentication = true");
}

/* What a provider has given another name to is understood under both, and written under the new. */
static void former_spellings_are_read(void **state)
{
	struct import_world *world = *state;

	import_add_text(world, "main.tf",
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
	import_take(world, TN_STUDIO_FROM_CONFIG);
	assert_int_equal(import_count(world, "mapped"), 4);
	assert_int_equal(import_count(world, "partial"), 0);
	import_expect_parent(world, "hub", "ns");
	import_expect_property(world, "talk", "live_trace_enabled", "true");
	import_expect_text(world, "main.tf",
			   "namespace_id      = azurerm_eventhub_namespace.ns.id");
	import_expect_text(world, "main.tf", "live_trace {\n    enabled = true\n");
}

static void amazon(void **state)
{
	struct import_world *world = *state;
	const struct tn_json *found;

	import_add_file(world, "aws", "main.tf");
	import_take(world, TN_STUDIO_FROM_CONFIG);
	import_expect_parent(world, "a", "main");
	import_expect_property(world, "main", "name", "\"site\"");
	import_expect_property(world, "worker", "assume_role_service", "\"lambda.amazonaws.com\"");
	import_expect_property(world, "site", "versioning_enabled", "true");
	found = import_entry(world, "partial", "terraformName", "a");
	found = tn_json_get(found, "notUnderstood")->first;
	assert_string_equal(import_shown(world, tn_json_get(found, "text")),
			    "\"cidrsubnet(aws_vpc.main.cidr_block, 8, 1)\"");
	assert_string_equal(import_shown(world, tn_json_get(import_entry(world, "foreign", "type",
									 "aws_sqs_queue"),
							    "reason")),
			    "\"it has for_each\"");
	import_expect_text(world, "foreign.tf", "  name     = \"jobs-${each.key}\"\n}");
	assert_string_equal(
		import_shown(world, tn_json_get(world->kit.document.config, "providers")),
		"{\"aws\":{\"region\":\"eu-central-1\"}}");
}

#define VAULT "main_vault_of_this_and_of_all_the_other_teams_that_share_the_gro"

static void what_is_elsewhere_stays(void **state)
{
	struct import_world *world = *state;
	size_t nodes;

	import_add_file(world, "mixed", "main.tf");
	import_add_file(world, "mixed", "terraform.tfvars");
	import_take(world, TN_STUDIO_FROM_CONFIG);
	import_expect_text(world, "foreign.tf",
			   "module \"registry\" {\n  source = \"./registry\"\n");
	import_expect_text(
		world, "foreign.tf",
		"# Stands in a group that is not ours.\nresource \"azurerm_storage_account\" "
		"\"shared\" {");
	import_expect_text(world, "foreign.tf", "resource \"random_id\" \"suffix\"");
	import_expect_text(world, "foreign.tf", "data \"azurerm_resource_group\" \"shared\"");
	/* One leads to the other; two that lead to the same are refused by the engine. */
	import_expect_text(world, "foreign.tf",
			   "from = azurerm_key_vault.old\n  to   = azurerm_key_vault." VAULT
			   "up\n");
	import_expect_text(world, "foreign.tf",
			   "from = azurerm_key_vault." VAULT "up\n  to   = azurerm_key_vault." VAULT
			   "\n");
	import_expect_text(world, "foreign.tf", "check \"health\" {");
	/* What stays needs these; the rest of the locals is gone with what used it. */
	import_expect_text(world, "foreign.tf", "registry_name = \"cr${var.suffix}\"");
	import_expect_text(world, "foreign.tf", "variable \"suffix\"");
	import_expect_text(world, "foreign.auto.tfvars", "suffix = \"0815\"");
	assert_false(import_file_has(world, "foreign.tf", "unused"));
	/* Its name is too long for a node, and text that stays refers to the one that moves. */
	import_expect_text(world, "foreign.tf", "azurerm_key_vault." VAULT ".vault_uri");
	import_expect_property(world, VAULT, "soft_delete_retention_days", "90");
	import_expect_text(world, "main.tf", "data \"azurerm_client_config\" \"current\" {}");
	assert_false(import_file_has(world, "foreign.tf", "azurerm_client_config\" \"current"));
	/* What had to be renamed is known by its old name. */
	nodes = world->kit.document.node_count;
	import_take(world, TN_STUDIO_FROM_CONFIG);
	assert_int_equal(world->kit.document.node_count, nodes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IMPORT_TEST(a_shop_becomes_a_diagram),
		IMPORT_TEST(differences_are_told),
		IMPORT_TEST(again_it_adds_nothing),
		IMPORT_TEST(a_dry_run_leaves_nothing),
		IMPORT_TEST(a_network_is_folded),
		IMPORT_TEST(a_machine_has_its_interface),
		IMPORT_TEST(a_machine_is_what_its_type_says),
		IMPORT_TEST(former_spellings_are_read),
		IMPORT_TEST(amazon),
		IMPORT_TEST(what_is_elsewhere_stays),
	};

	return cmocka_run_group_tests_name("studio_import", tests, NULL, NULL);
}
