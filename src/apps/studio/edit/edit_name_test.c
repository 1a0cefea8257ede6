/* studio.md 4.1: a terraformName is one node's among those of its Terraform type; what is named
 * after a node is named as nothing else in the diagram, and stays so. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "apps/studio/document/declared.h"
#include "apps/studio/document/document_test_kit.h"
#include "apps/studio/generate/generate.h"
#include "apps/studio/project/project.h"

#define GROUP "azurerm/core/resource_group"
#define NETWORK "azurerm/networking/virtual_network"
#define PEERING "azurerm/networking/virtual_network_peering"
#define SQL "azurerm/database/mssql_server"
#define MYSQL "azurerm/database/mysql_flexible_server"
#define CLUSTER "azurerm/containers/kubernetes_cluster"
#define ROLE "azurerm/identity/role_assignment"
#define VAULT "azurerm/security/key_vault"
#define MACHINE "azurerm/compute/virtual_machine"
#define DATABASE "aws/compute/rds_instance"
#define NOTE "_annotation/general/sticky_note"

static const char *add(struct studio_kit *kit, const char *type, const char *name)
{
	return studio_kit_text(
		studio_kit_done(kit, tn_studio_edit_add,
				studio_kit_format(kit,
						  "{\"typeId\":\"%s\",\"terraformName\":\"%s\"}",
						  type, name)),
		"instanceId");
}

static const char *refused(struct studio_kit *kit, const char *type, const char *name)
{
	return studio_kit_refused(
		kit, tn_studio_edit_add,
		studio_kit_format(kit, "{\"typeId\":\"%s\",\"terraformName\":\"%s\"}", type, name),
		"INVALID_INPUT");
}

static const char *renaming(struct studio_kit *kit, const char *id, const char *name)
{
	return studio_kit_format(
		kit, "{\"instanceId\":\"%s\",\"properties\":{},\"terraformName\":\"%s\"}", id,
		name);
}

static void expect_names(struct studio_kit *kit, const char *id, const char *name, const char *own)
{
	const struct tn_studio_node *node = studio_kit_node(kit, id);

	assert_string_equal(studio_kit_format(kit, "%.*s, %.*s", (int)node->name.size,
					      node->name.data, (int)node->own.size, node->own.data),
			    studio_kit_format(kit, "%s, %s", name, own));
}

static void types_may_share_a_name(void **state)
{
	struct studio_kit *kit = *state;
	const char *group = add(kit, GROUP, "main"), *network = add(kit, NETWORK, "main");
	const char *message, *before;

	expect_names(kit, group, "main", "main");
	expect_names(kit, network, "main", "virtual_network_main");
	message = refused(kit, GROUP, "main");
	assert_non_null(strstr(message, "Resource Group"));
	assert_non_null(strstr(message, group));
	/* One that nobody chose gets a number among its like only. */
	expect_names(
		kit,
		studio_kit_text(studio_kit_done(kit, tn_studio_edit_add,
						"{\"typeId\":\"" NETWORK "\",\"label\":\"Main\"}"),
				"instanceId"),
		"main_2", "main_2");
	message = studio_kit_refused(kit, tn_studio_edit_update, renaming(kit, network, "main_2"),
				     "INVALID_INPUT");
	assert_non_null(strstr(message, "'Main'"));
	/* What is named after one does not change with another. */
	before = studio_kit_saved(kit);
	(void)studio_kit_done(kit, tn_studio_edit_remove,
			      studio_kit_format(kit, "{\"instanceId\":\"%s\"}", group));
	expect_names(kit, network, "main", "virtual_network_main");
	studio_kit_undo(kit);
	assert_string_equal(studio_kit_saved(kit), before);
	studio_kit_redo(kit);
	/* Only with its own name. */
	(void)studio_kit_done(kit, tn_studio_edit_update, renaming(kit, network, "hub"));
	expect_names(kit, network, "hub", "hub");
	(void)studio_kit_done(kit, tn_studio_edit_update, renaming(kit, network, "main"));
	expect_names(kit, network, "main", "main");
	assert_null(strstr(studio_kit_saved(kit), TN_STUDIO_OWN));
	studio_kit_undo(kit);
	studio_kit_undo(kit);
	studio_kit_undo(kit);
	assert_string_equal(studio_kit_saved(kit), before);
}

/* What a template writes beside the primary block has a name, too. */
static void helper_blocks_have_names(void **state)
{
	struct studio_kit *kit = *state;
	const char *cluster = add(kit, CLUSTER, "k8s"), *role, *other;

	assert_non_null(strstr(refused(kit, ROLE, "k8s_acr_pull"), cluster));
	role = add(kit, ROLE, "main_acr_pull");
	other = add(kit, CLUSTER, "main");
	expect_names(kit, other, "main", "kubernetes_cluster_main");
	assert_non_null(
		strstr(studio_kit_refused(kit, tn_studio_edit_update,
					  renaming(kit, role, "k8s_acr_pull"), "INVALID_INPUT"),
		       cluster));
	/* Those with a number, whichever it is. */
	(void)add(kit, ROLE, "vault_access_99");
	expect_names(kit, add(kit, VAULT, "vault"), "vault", "key_vault_vault");
	/* A type that has no other blocks is called as nothing else is named. */
	assert_non_null(strstr(refused(kit, PEERING, "main_acr_pull"), role));
	expect_names(kit, add(kit, PEERING, "main"), "main", "main");
}

/* Nothing is named after a note, and a note after nothing. */
static void notes_have_no_names(void **state)
{
	struct studio_kit *kit = *state;

	(void)add(kit, NOTE, "web");
	expect_names(kit, add(kit, MACHINE, "web"), "web", "web");
	expect_names(kit, add(kit, NOTE, "group"), "group", "group");
	expect_names(kit, add(kit, GROUP, "group"), "group", "group");
	expect_names(kit, add(kit, PEERING, "web_note"), "web_note", "web_note");
}

static void nobody_knows_the_type(void **state)
{
	static const char *const put = "[{\"op\":\"putNode\",\"node\":{\"id\":\"%s\",\"typeId\":"
				       "\"x/y/%s\",\"label\":\"%s\","
				       "\"terraformName\":\"main\",\"ownName\":\"%s\"}}]";
	struct studio_kit *kit = *state;

	studio_kit_change(kit, studio_kit_format(kit, put, "a", "z", "A", "main"));
	studio_kit_change(kit, studio_kit_format(kit, put, "b", "zz", "B", "zz_main"));
	assert_int_not_equal(
		studio_kit_commit(kit, studio_kit_format(kit, put, "c", "z", "C", "c")), TENON_OK);
	assert_non_null(strstr(kit->err.message, "'main' is taken by 'A'"));
	assert_int_not_equal(
		studio_kit_commit(kit, studio_kit_format(kit, put, "c", "c", "C", "zz_main")),
		TENON_OK);
	assert_non_null(strstr(kit->err.message, "taken by 'B'"));
	assert_int_not_equal(
		studio_kit_commit(kit, studio_kit_format(kit, put, "c", "c", "C", "no name")),
		TENON_OK);
	assert_non_null(strstr(kit->err.message, "ownName is no HCL identifier"));
}

/* ---- secrets ---- */

static const char *add_server(struct studio_kit *kit, const char *type, const char *key,
			      const char *secret)
{
	return studio_kit_text(
		studio_kit_done(kit, tn_studio_edit_add,
				studio_kit_format(kit,
						  "{\"typeId\":\"%s\",\"terraformName\":\"main\","
						  "\"properties\":{\"%s\":\"%s\"}}",
						  type, key, secret)),
		"instanceId");
}

static void expect_secret(struct studio_kit *kit, const char *id, const char *key,
			  const char *value)
{
	const struct tn_json *kept =
		tn_studio_secret_find(kit->project->secrets, tn_str_from(id), tn_str_from(key));

	assert_string_equal(
		kept ? studio_kit_format(kit, "%.*s", (int)kept->text.size, kept->text.data) : "",
		value);
}

/* As the engine would get it: by the name of the variable in what is generated. */
static void expect_variable(struct studio_kit *kit, const char *name, bool has_value)
{
	const struct tn_studio_generate_options options = {.secrets = kit->project->secrets};
	struct tn_studio_generated made;
	struct tn_studio_diagnostics list;
	bool found = false;

	studio_kit_index(kit);
	tn_studio_diagnostics_init(&list, &kit->arena);
	assert_true(tn_studio_generate(&kit->document, &options, &kit->arena, &list, &made));
	for (size_t i = 0; i < made.variable_count; i++) {
		if (!tn_str_is(made.variables[i].name, name))
			continue;
		found = true;
		assert_int_equal(made.variables[i].has_value, has_value);
	}
	assert_true(found);
}

#define PASSWORD "administrator_login_password"

static void secrets_are_one_nodes(void **state)
{
	struct studio_kit *kit = *state;
	struct tn_studio_project project = {.id = "p"};
	const char *sql, *mysql, *key = "administrator_password";

	kit->project = &project;
	(void)add(kit, GROUP, "main");
	sql = add_server(kit, SQL, PASSWORD, "Sql-hunter2-hunter2");
	mysql = add_server(kit, MYSQL, key, "My-hunter2-hunter2");
	expect_variable(kit, "mssql_server_main_" PASSWORD, true);
	expect_variable(kit, "mysql_flexible_server_main_administrator_password", true);
	(void)studio_kit_done(
		kit, tn_studio_edit_update,
		studio_kit_format(kit,
				  "{\"instanceId\":\"%s\",\"properties\":{"
				  "\"administrator_password\":\"My-hunter3-hunter3\"}}",
				  mysql));
	expect_secret(kit, mysql, key, "My-hunter3-hunter3");
	expect_secret(kit, sql, PASSWORD, "Sql-hunter2-hunter2");
	/* They are the node's, whatever it is called. */
	(void)studio_kit_done(kit, tn_studio_edit_update, renaming(kit, sql, "shop"));
	expect_variable(kit, "shop_" PASSWORD, true);
	studio_kit_undo(kit);
	expect_names(kit, sql, "main", "mssql_server_main");
	expect_variable(kit, "mssql_server_main_" PASSWORD, true);
	(void)studio_kit_done(kit, tn_studio_edit_remove,
			      studio_kit_format(kit, "{\"instanceId\":\"%s\"}", sql));
	expect_secret(kit, mysql, key, "My-hunter3-hunter3");
	studio_kit_undo(kit);
	expect_variable(kit, "mssql_server_main_" PASSWORD, true);
	expect_secret(kit, sql, PASSWORD, "Sql-hunter2-hunter2");
	tn_arena_finish(&project.secrets_arena);
	kit->project = NULL;
}

/* Two names and two properties can be the same text together. */
static void secrets_are_told_apart(void **state)
{
	struct studio_kit *kit = *state;
	struct tn_studio_project project = {.id = "p"};
	const char *database;

	kit->project = &project;
	(void)add(kit, MACHINE, "web");
	database = add(kit, DATABASE, "web_admin");
	expect_names(kit, database, "web_admin", "rds_instance_web_admin");
	expect_names(kit, add(kit, DATABASE, "shop_admin"), "shop_admin", "shop_admin");
	expect_names(kit, add(kit, MACHINE, "shop"), "shop", "virtual_machine_shop");
	tn_arena_finish(&project.secrets_arena);
	kit->project = NULL;
}

/* What somebody has left behind is not the next one's of the same name, and comes back with whose
 * it is. */
static void secrets_are_not_inherited(void **state)
{
	struct studio_kit *kit = *state;
	struct tn_studio_project project = {.id = "p"};
	const char *first, *second, *third;

	kit->project = &project;
	first = add_server(kit, SQL, PASSWORD, "One-hunter2-hunter2");
	second = studio_kit_text(studio_kit_done(kit, tn_studio_edit_add,
						 "{\"typeId\":\"" SQL
						 "\",\"terraformName\":\"other\",\"properties\":{"
						 "\"" PASSWORD "\":\"Two-hunter2-hunter2\"}}"),
				 "instanceId");
	(void)studio_kit_done(kit, tn_studio_edit_remove,
			      studio_kit_format(kit, "{\"instanceId\":\"%s\"}", first));
	third = add(kit, SQL, "main");
	expect_variable(kit, "main_" PASSWORD, false);
	expect_secret(kit, third, PASSWORD, "");
	studio_kit_undo(kit);
	(void)studio_kit_done(kit, tn_studio_edit_update, renaming(kit, second, "main"));
	expect_variable(kit, "main_" PASSWORD, true);
	expect_secret(kit, second, PASSWORD, "Two-hunter2-hunter2");
	studio_kit_undo(kit);
	studio_kit_undo(kit);
	expect_secret(kit, first, PASSWORD, "One-hunter2-hunter2");
	expect_secret(kit, second, PASSWORD, "Two-hunter2-hunter2");
	expect_variable(kit, "main_" PASSWORD, true);
	expect_variable(kit, "other_" PASSWORD, true);
	tn_arena_finish(&project.secrets_arena);
	kit->project = NULL;
}

/* By either name it is a secret. */
static void either_name_is_secret(void **state)
{
	struct studio_kit *kit = *state;

	(void)add(kit, GROUP, "main");
	(void)add(kit, SQL, "main");
	assert_non_null(tn_studio_secret_owner(
		&kit->document, TN_STR("mssql_server_main_administrator_login_password"), NULL));
	assert_non_null(tn_studio_secret_owner(&kit->document,
					       TN_STR("main_administrator_login_password"), NULL));
	assert_null(tn_studio_secret_owner(&kit->document, TN_STR("main_location"), NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		STUDIO_KIT_TEST(types_may_share_a_name), STUDIO_KIT_TEST(helper_blocks_have_names),
		STUDIO_KIT_TEST(nobody_knows_the_type),  STUDIO_KIT_TEST(secrets_are_one_nodes),
		STUDIO_KIT_TEST(secrets_are_told_apart), STUDIO_KIT_TEST(secrets_are_not_inherited),
		STUDIO_KIT_TEST(either_name_is_secret),  STUDIO_KIT_TEST(notes_have_no_names),
	};

	return cmocka_run_group_tests_name("studio_edit_name", tests, NULL, NULL);
}
