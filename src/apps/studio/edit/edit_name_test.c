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
	(void)add(kit, ROLE, "vault_access_1");
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

static void expect_secret(struct studio_kit *kit, const char *variable, const char *value)
{
	struct tn_str text = tn_str("", 0);

	(void)tn_json_to_str(tn_json_get(kit->project->secrets, variable), &text);
	assert_string_equal(studio_kit_format(kit, "%.*s", (int)text.size, text.data), value);
}

static void secrets_are_one_nodes(void **state)
{
	struct studio_kit *kit = *state;
	struct tn_studio_project project = {.id = "p"};
	const char *sql, *mysql;

	kit->project = &project;
	(void)add(kit, GROUP, "main");
	sql = add_server(kit, SQL, "administrator_login_password", "Sql-hunter2-hunter2");
	mysql = add_server(kit, MYSQL, "administrator_password", "My-hunter2-hunter2");
	expect_secret(kit, "mssql_server_main_administrator_login_password", "Sql-hunter2-hunter2");
	expect_secret(kit, "mysql_flexible_server_main_administrator_password",
		      "My-hunter2-hunter2");
	expect_secret(kit, "main_administrator_password", "");
	(void)studio_kit_done(
		kit, tn_studio_edit_update,
		studio_kit_format(kit,
				  "{\"instanceId\":\"%s\",\"properties\":{"
				  "\"administrator_password\":\"My-hunter3-hunter3\"}}",
				  mysql));
	expect_secret(kit, "mysql_flexible_server_main_administrator_password",
		      "My-hunter3-hunter3");
	expect_secret(kit, "mssql_server_main_administrator_login_password", "Sql-hunter2-hunter2");
	/* They go with the node that is renamed, and with it alone. */
	(void)studio_kit_done(kit, tn_studio_edit_update, renaming(kit, sql, "shop"));
	expect_names(kit, sql, "shop", "shop");
	expect_secret(kit, "shop_administrator_login_password", "Sql-hunter2-hunter2");
	expect_secret(kit, "shop_administrator_password", "");
	expect_secret(kit, "mysql_flexible_server_main_administrator_password",
		      "My-hunter3-hunter3");
	studio_kit_undo(kit);
	expect_names(kit, sql, "main", "mssql_server_main");
	expect_secret(kit, "mssql_server_main_administrator_login_password", "Sql-hunter2-hunter2");
	(void)studio_kit_done(kit, tn_studio_edit_remove,
			      studio_kit_format(kit, "{\"instanceId\":\"%s\"}", sql));
	expect_secret(kit, "mysql_flexible_server_main_administrator_password",
		      "My-hunter3-hunter3");
	studio_kit_undo(kit);
	expect_secret(kit, "mssql_server_main_administrator_login_password", "Sql-hunter2-hunter2");
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

/* What somebody has left behind is not the next one's of the same name. */
static void secrets_are_not_inherited(void **state)
{
	static const char *const variable = "main_administrator_login_password";
	struct studio_kit *kit = *state;
	struct tn_studio_project project = {.id = "p"};
	const char *sql;

	kit->project = &project;
	sql = add_server(kit, SQL, "administrator_login_password", "Sql-hunter2-hunter2");
	expect_secret(kit, variable, "Sql-hunter2-hunter2");
	(void)studio_kit_done(kit, tn_studio_edit_remove,
			      studio_kit_format(kit, "{\"instanceId\":\"%s\"}", sql));
	studio_kit_undo(kit);
	expect_secret(kit, variable, "Sql-hunter2-hunter2");
	(void)studio_kit_done(kit, tn_studio_edit_update, renaming(kit, sql, "shop"));
	sql = add(kit, SQL, "main");
	expect_secret(kit, variable, "");
	expect_secret(kit, "shop_administrator_login_password", "Sql-hunter2-hunter2");
	(void)studio_kit_done(kit, tn_studio_edit_remove,
			      studio_kit_format(kit, "{\"instanceId\":\"%s\"}", sql));
	sql = add_server(kit, SQL, "administrator_login_password", "Old-hunter2-hunter2");
	(void)studio_kit_done(kit, tn_studio_edit_remove,
			      studio_kit_format(kit, "{\"instanceId\":\"%s\"}", sql));
	/* Nor of one that is renamed to it. */
	sql = add(kit, SQL, "other");
	(void)studio_kit_done(kit, tn_studio_edit_update, renaming(kit, sql, "main"));
	expect_secret(kit, variable, "");
	tn_arena_finish(&project.secrets_arena);
	kit->project = NULL;
}

/* By either name it is a secret. */
static void either_name_is_secret(void **state)
{
	struct studio_kit *kit = *state;

	(void)add(kit, GROUP, "main");
	(void)add(kit, SQL, "main");
	assert_true(tn_studio_variable_is_sensitive(
		&kit->document, TN_STR("mssql_server_main_administrator_login_password")));
	assert_true(tn_studio_variable_is_sensitive(&kit->document,
						    TN_STR("main_administrator_login_password")));
	assert_false(tn_studio_variable_is_sensitive(&kit->document, TN_STR("main_location")));
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
