/* Connections, references, updates and removal (studio.md 4.5, 5.8, 6.3). */
#include "apps/studio/edit/edit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "apps/studio/document/connection.h"
#include "apps/studio/document/document_test_kit.h"
#include "apps/studio/project/project.h"
#include "jsonrpc/json_write.h"

#define PLAN "azurerm/compute/app_service_plan"
#define APP "azurerm/compute/app_service"
#define STORAGE "azurerm/storage/storage_account"
#define VAULT "azurerm/security/key_vault"

#define GROUP "azurerm/core/resource_group"
#define NETWORK "azurerm/networking/virtual_network"
#define SUBNET "azurerm/networking/subnet"

static const char *join_text(struct studio_kit *kit, const char *source, const char *source_handle,
			     const char *target, const char *target_handle)
{
	return studio_kit_format(kit,
				 "{\"sourceInstanceId\":\"%s\",\"sourceHandle\":\"%s\","
				 "\"targetInstanceId\":\"%s\",\"targetHandle\":\"%s\"}",
				 source, source_handle, target, target_handle);
}

static const struct tn_json *join(struct studio_kit *kit, const char *source,
				  const char *source_handle, const char *target,
				  const char *target_handle)
{
	return studio_kit_done(kit, tn_studio_edit_connect,
			       join_text(kit, source, source_handle, target, target_handle));
}

static const char *references(struct studio_kit *kit, const char *id)
{
	return studio_kit_json(kit, studio_kit_node(kit, id)->references);
}

static const struct tn_json *update(struct studio_kit *kit, const char *id, const char *rest)
{
	return studio_kit_done(
		kit, tn_studio_edit_update,
		studio_kit_format(kit, "{\"instanceId\":\"%s\",\"properties\":{}%s}", id, rest));
}

/* ---- connecting ---- */

/* FR-13: each rule of the catalogue is accepted, and its swapped ends are refused. */
static void every_rule_is_accepted_one_way(void **state)
{
	struct studio_kit *kit = *state;

	assert_int_equal(kit->registry->rule_count, 20);
	for (size_t i = 0; i < kit->registry->rule_count; i++) {
		const struct tn_studio_rule *rule = &kit->registry->rules[i];
		const char *from = studio_kit_add(kit, rule->from->id.data, NULL);
		const char *to = studio_kit_add(kit, rule->to->id.data, NULL);
		const char *on = rule->sets_on_source ? from : to;
		const struct tn_json *answer;

		(void)studio_kit_refused(
			kit, tn_studio_edit_connect,
			join_text(kit, to, rule->to_handle.data, from, rule->from_handle.data),
			"CONNECTION_NOT_ALLOWED");
		answer = join(kit, from, rule->from_handle.data, to, rule->to_handle.data);
		assert_string_equal(studio_kit_text(tn_json_get(answer, "sets"), "instanceId"), on);
		assert_string_equal(studio_kit_text(tn_json_get(answer, "sets"), "property"),
				    rule->reference.data);
		assert_non_null(
			tn_json_get_str(studio_kit_node(kit, on)->references, rule->reference));
		/* Once more is the same edge, and no change. */
		answer = join(kit, from, rule->from_handle.data, to, rule->to_handle.data);
		assert_true(tn_json_is(tn_json_get(answer, "existing"), TN_JSON_TRUE));
		assert_int_equal(kit->change.id, 0);
	}
}

static void what_no_rule_allows_is_refused_with_what_is(void **state)
{
	struct studio_kit *kit = *state;
	const char *plan = studio_kit_add(kit, PLAN, NULL), *app = studio_kit_add(kit, APP, NULL);
	const char *message;

	message = studio_kit_refused(kit, tn_studio_edit_connect,
				     join_text(kit, app, "asp-in", plan, "asp-out"),
				     "CONNECTION_NOT_ALLOWED");
	assert_non_null(strstr(message, "from the second, asp-out to asp-in"));
	assert_non_null(strstr(
		kit->fault.details.data,
		studio_kit_format(
			kit,
			"{\"legal\":[{\"sourceInstanceId\":\"%s\",\"sourceHandle\":"
			"\"asp-out\",\"targetInstanceId\":\"%s\",\"targetHandle\":\"asp-in\"}",
			plan, app)));
	assert_true(studio_kit_parse(kit, kit->fault.details.data)->first->count <= 5);
	(void)studio_kit_refused(kit, tn_studio_edit_connect,
				 join_text(kit, plan, "asp-out", plan, "asp-in"),
				 "CONNECTION_NOT_ALLOWED");
	(void)studio_kit_refused(kit, tn_studio_edit_connect,
				 join_text(kit, plan, "asp-out", "nobody", "asp-in"), "NOT_FOUND");
	(void)studio_kit_refused(kit, tn_studio_edit_connect,
				 join_text(kit, plan, "nothing", app, "asp-in"),
				 "CONNECTION_NOT_ALLOWED");
	(void)studio_kit_refused(kit, tn_studio_edit_connect,
				 join_text(kit, app, "ref-service_plan_id",
					   studio_kit_add(kit, STORAGE, NULL), "node"),
				 "CONNECTION_NOT_ALLOWED");
}

/* ST-046: the edge in the way is named. */
static void a_full_reference_is_refused(void **state)
{
	struct studio_kit *kit = *state;
	const char *a = studio_kit_add(kit, PLAN, NULL), *b = studio_kit_add(kit, PLAN, NULL);
	const char *app = studio_kit_add(kit, APP, NULL), *subnet, *other;
	const char *edge = studio_kit_text(join(kit, a, "asp-out", app, "asp-in"), "edgeId");

	(void)studio_kit_refused(kit, tn_studio_edit_connect,
				 join_text(kit, b, "asp-out", app, "asp-in"), "HANDLE_FULL");
	assert_non_null(strstr(kit->fault.message, edge));
	assert_string_equal(kit->fault.details.data,
			    studio_kit_format(kit, "{\"edgeId\":\"%s\"}", edge));
	(void)studio_kit_refused(kit, tn_studio_edit_connect,
				 join_text(kit, app, "ref-service_plan_id", b, "node"),
				 "HANDLE_FULL");
	assert_non_null(strstr(kit->fault.message, edge));
	subnet = studio_kit_add(kit, SUBNET, NULL);
	other = studio_kit_add(kit, SUBNET, NULL);
	(void)join(kit, app, "ref-vnet_integration_subnet_id", subnet, "node");
	(void)studio_kit_refused(
		kit, tn_studio_edit_connect,
		join_text(kit, app, "ref-vnet_integration_subnet_id", other, "node"),
		"HANDLE_FULL");
	assert_non_null(strstr(kit->fault.message, "ref:"));
}

/* ST-034: the edge and the reference are one. */
static void edge_and_reference_are_one(void **state)
{
	struct studio_kit *kit = *state;
	const char *a = studio_kit_add(kit, PLAN, NULL), *b = studio_kit_add(kit, PLAN, NULL);
	const char *app = studio_kit_add(kit, APP, NULL);
	const struct tn_json *answer;
	const char *edge;

	/* By reference: the edge is there. */
	answer = update(kit, app,
			studio_kit_format(kit, ",\"references\":{\"service_plan_id\":\"%s\"}", a));
	assert_string_equal(studio_kit_json(kit, tn_json_get(answer, "updated")),
			    "[\"service_plan_id\"]");
	assert_int_equal(kit->document.edge_count, 1);
	assert_string_equal(kit->document.edges[0]->source_handle.data, "asp-out");
	/* Another target: another edge. */
	(void)update(kit, app,
		     studio_kit_format(kit, ",\"references\":{\"service_plan_id\":\"%s\"}", b));
	assert_int_equal(kit->document.edge_count, 1);
	assert_string_equal(kit->document.edges[0]->source_id.data, b);
	/* Clearing the reference removes it. */
	(void)update(kit, app, ",\"references\":{\"service_plan_id\":null}");
	assert_int_equal(kit->document.edge_count, 0);
	/* Removing the edge clears the reference. */
	edge = studio_kit_text(join(kit, a, "asp-out", app, "asp-in"), "edgeId");
	answer = studio_kit_done(kit, tn_studio_edit_disconnect,
				 studio_kit_format(kit, "{\"edgeId\":\"%s\"}", edge));
	assert_string_equal(
		studio_kit_json(kit, tn_json_get(answer, "clearedReferences")),
		studio_kit_format(kit, "[{\"instanceId\":\"%s\",\"property\":\"service_plan_id\"}]",
				  app));
	assert_null(studio_kit_node(kit, app)->references);
	/* Drawn by its ref- handle it is the rule's edge all the same. */
	answer = join(kit, app, "ref-service_plan_id", a, "node");
	assert_string_equal(studio_kit_text(answer, "category"), "structural");
	assert_int_equal(kit->document.edge_count, 1);
	/* And with the node itself. */
	answer = studio_kit_done(
		kit, tn_studio_edit_add,
		studio_kit_format(kit,
				  "{\"typeId\":\"" APP
				  "\",\"references\":{\"service_plan_id\":[\"%s\"]}}",
				  a));
	assert_int_equal(kit->document.edge_count, 2);
	assert_string_equal(references(kit, studio_kit_text(answer, "instanceId")),
			    studio_kit_format(kit, "{\"service_plan_id\":\"%s\"}", a));
}

/* Appendix C 6: of many, none is lost. */
static void lists_grow_edge_by_edge(void **state)
{
	struct studio_kit *kit = *state;
	const char *vpc = studio_kit_add(kit, "aws/networking/vpc", NULL);
	const char *a = studio_kit_add(kit, "aws/networking/subnet", vpc);
	const char *b = studio_kit_add(kit, "aws/networking/subnet", vpc);
	const char *alb = studio_kit_add(kit, "aws/compute/alb", NULL);
	const char *edge =
		studio_kit_text(join(kit, a, "subnet-out", alb, "subnet-target"), "edgeId");

	(void)join(kit, b, "subnet-out", alb, "subnet-target");
	assert_string_equal(references(kit, alb),
			    studio_kit_format(kit, "{\"subnet_ids\":[\"%s\",\"%s\"]}", a, b));
	(void)studio_kit_done(kit, tn_studio_edit_disconnect,
			      studio_kit_format(kit, "{\"edgeId\":\"%s\"}", edge));
	assert_string_equal(references(kit, alb),
			    studio_kit_format(kit, "{\"subnet_ids\":[\"%s\"]}", b));
	/* Twice is once. */
	(void)update(kit, alb,
		     studio_kit_format(kit,
				       ",\"references\":{\"subnet_ids\":[\"%s\",\"%s\",\"%s\"]}", a,
				       b, a));
	assert_int_equal(kit->document.edge_count, 2);
}

/* ST-035: what was drawn is shown, and can be taken away again. */
static void references_are_drawn(void **state)
{
	struct studio_kit *kit = *state;
	const char *app = studio_kit_add(kit, APP, NULL);
	const char *identity = studio_kit_add(kit, "azurerm/identity/user_assigned_identity", NULL);
	const struct tn_json *answer = join(kit, app, "ref-identity_ids", identity, "node");
	const char *id = studio_kit_text(answer, "edgeId");
	const struct tn_studio_edge *edges;
	size_t count;

	assert_string_equal(id, studio_kit_format(kit, "ref:%s:identity_ids:%s", app, identity));
	assert_string_equal(studio_kit_text(answer, "category"), "reference");
	assert_int_equal(kit->document.edge_count, 0);
	studio_kit_index(kit);
	assert_int_equal(
		tn_studio_edges_all(&kit->document, &kit->arena, &edges, &count, &kit->err),
		TENON_OK);
	assert_int_equal(count, 1);
	assert_true(tn_str_is(edges[0].id, id));
	assert_ptr_equal(tn_studio_derived_from(&kit->document, edges[0].id), edges[0].source);
	for (size_t i = 0; i < edges[0].id.size; i++)
		assert_null(tn_studio_derived_from(&kit->document, tn_str(id, i)));
	assert_null(tn_studio_derived_from(
		&kit->document,
		tn_str_from(studio_kit_format(kit, "ref:%s:identity_ids:%s", identity, app))));
	assert_null(tn_studio_derived_from(
		&kit->document,
		tn_str_from(studio_kit_format(kit, "ref:%s:identity_ids:%s", app, app))));
	answer = join(kit, app, "ref-identity_ids", identity, "node");
	assert_true(tn_json_is(tn_json_get(answer, "existing"), TN_JSON_TRUE));
	(void)studio_kit_done(kit, tn_studio_edit_disconnect,
			      studio_kit_format(kit, "{\"edgeId\":\"%s\"}", id));
	assert_null(studio_kit_node(kit, app)->references);
	assert_null(tn_studio_derived_from(&kit->document, tn_str_from(id)));
	assert_null(tn_json_get(studio_kit_node(kit, app)->record, TN_STUDIO_DRAWN));
	/* FR-14 */
	(void)studio_kit_refused(kit, tn_studio_edit_disconnect,
				 studio_kit_format(kit, "{\"edgeId\":\"%s\"}", id), "NOT_FOUND");
	(void)studio_kit_refused(kit, tn_studio_edit_disconnect, "{\"edgeId\":\"nothing\"}",
				 "NOT_FOUND");
	(void)studio_kit_refused(kit, tn_studio_edit_disconnect, "{\"edgeId\":\"ref:\"}",
				 "NOT_FOUND");
}

static void outputs_and_notes_are_joined(void **state)
{
	struct studio_kit *kit = *state;
	const char *storage = studio_kit_add(kit, STORAGE, NULL);
	const char *vault = studio_kit_add(kit, VAULT, NULL);
	const char *note = studio_kit_add(kit, "_annotation/general/sticky_note", NULL);
	const struct tn_json *answer = join(kit, storage, "out-id", vault, "secret-in");

	assert_string_equal(studio_kit_text(answer, "category"), "binding");
	assert_null(tn_json_get(answer, "sets"));
	answer = join(kit, note, "node", vault, "node");
	assert_string_equal(studio_kit_text(answer, "category"), "annotation");
	(void)studio_kit_refused(kit, tn_studio_edit_connect,
				 join_text(kit, storage, "out-nothing", vault, "secret-in"),
				 "CONNECTION_NOT_ALLOWED");
	(void)studio_kit_refused(kit, tn_studio_edit_connect,
				 join_text(kit, storage, "out-id", vault, "pep-target"),
				 "CONNECTION_NOT_ALLOWED");
}

/* ---- updating ---- */

/* FR-11: what is not named stays. */
static void what_is_not_named_stays(void **state)
{
	struct studio_kit *kit = *state;
	const char *id = studio_kit_add(kit, STORAGE, NULL);
	const struct tn_json *answer;

	(void)studio_kit_done(kit, tn_studio_edit_update,
			      studio_kit_format(kit,
						"{\"instanceId\":\"%s\",\"properties\":{"
						"\"account_tier\":\"Premium\"}}",
						id));
	answer = studio_kit_done(
		kit, tn_studio_edit_update,
		studio_kit_format(kit,
				  "{\"instanceId\":\"%s\",\"properties\":{"
				  "\"account_replication_type\":\"ZRS\",\"name\":null},"
				  "\"label\":\"Logs\",\"notes\":\"why\",\"slug\":\"logs\"}",
				  id));
	assert_string_equal(studio_kit_json(kit, tn_json_get(answer, "updated")),
			    "[\"account_replication_type\",\"name\",\"label\",\"slug\",\"notes\"]");
	assert_string_equal(studio_kit_json(kit, studio_kit_node(kit, id)->properties),
			    "{\"account_tier\":\"Premium\",\"account_replication_type\":\"ZRS\"}");
	assert_string_equal(studio_kit_node(kit, id)->label.data, "Logs");
	/* The derived name does not follow the label (ST-021). */
	assert_string_equal(studio_kit_node(kit, id)->name.data, "storage_account");
	/* The same again is no change. */
	answer = update(kit, id, ",\"label\":\"Logs\"");
	assert_string_equal(studio_kit_json(kit, tn_json_get(answer, "updated")), "[]");
	assert_int_equal(kit->change.id, 0);
	(void)update(kit, id, ",\"notes\":null,\"slug\":\"\"");
	assert_int_equal(studio_kit_node(kit, id)->notes.size, 0);
	(void)studio_kit_refused(kit, tn_studio_edit_update,
				 "{\"instanceId\":\"nobody\",\"properties\":{}}", "NOT_FOUND");
}

static void modes_outputs_and_usage(void **state)
{
	struct studio_kit *kit = *state;
	const char *id = studio_kit_add(kit, VAULT, NULL);

	(void)update(
		kit, id,
		",\"variableModes\":{\"name\":\"variable\"},\"enabledOutputs\":[\"id\",\"id\"],"
		"\"costUsage\":{\"operations_10k\":7}");
	assert_string_equal(studio_kit_json(kit, studio_kit_node(kit, id)->variable_modes),
			    "{\"name\":\"variable\"}");
	assert_string_equal(studio_kit_json(kit, studio_kit_node(kit, id)->enabled_outputs),
			    "[\"id\"]");
	assert_string_equal(studio_kit_json(kit, kit->document.usage),
			    studio_kit_format(kit, "{\"%s\":{\"operations_10k\":7}}", id));
	(void)update(kit, id,
		     ",\"variableModes\":{\"name\":\"literal\"},\"enabledOutputs\":[],"
		     "\"costUsage\":{\"operations_10k\":null}");
	assert_null(studio_kit_node(kit, id)->variable_modes);
	assert_null(studio_kit_node(kit, id)->enabled_outputs);
	assert_null(kit->document.usage);
	(void)studio_kit_refused(
		kit, tn_studio_edit_update,
		studio_kit_format(kit,
				  "{\"instanceId\":\"%s\",\"properties\":{},\"variableModes\":{"
				  "\"access_model\":\"variable\",\"nmae\":\"variable\"},"
				  "\"enabledOutputs\":[\"nothing\"],\"costUsage\":{\"x\":1,"
				  "\"certificates\":-1}}",
				  id),
		"INVALID_INPUT");
	assert_non_null(strstr(kit->fault.message, "access_model: cannot be a variable"));
	assert_non_null(strstr(kit->fault.message, "nmae"));
	assert_non_null(strstr(kit->fault.message, "'nothing' is no output"));
	assert_non_null(strstr(kit->fault.message, "x: is no cost assumption"));
	assert_non_null(strstr(kit->fault.message, "certificates: a number from 0 to 1000"));
}

static void names_are_unique_and_identifiers(void **state)
{
	struct studio_kit *kit = *state;
	const char *a = studio_kit_add(kit, STORAGE, NULL);

	(void)studio_kit_add(kit, STORAGE, NULL);
	(void)studio_kit_refused(
		kit, tn_studio_edit_update,
		studio_kit_format(kit,
				  "{\"instanceId\":\"%s\",\"properties\":{},\"terraformName\":"
				  "\"storage_account_2\"}",
				  a),
		"INVALID_INPUT");
	(void)studio_kit_refused(
		kit, tn_studio_edit_update,
		studio_kit_format(kit,
				  "{\"instanceId\":\"%s\",\"properties\":{},\"terraformName\":"
				  "\"a.b\"}",
				  a),
		"INVALID_INPUT");
	studio_kit_change(kit,
			  "[{\"op\":\"setConfig\",\"config\":{\"variableValues\":{"
			  "\"storage_account_name\":\"x\",\"storage_account_2_name\":\"y\"}}}]");
	(void)update(kit, a, ",\"terraformName\":\"logs\"");
	assert_non_null(tn_studio_node_by_own(&kit->document, TN_STR("logs")));
	assert_null(tn_studio_node_by_own(&kit->document, TN_STR("storage_account")));
	/* What its variables are worth goes with it, and with it alone. */
	assert_string_equal(studio_kit_json(kit, kit->document.config),
			    "{\"variableValues\":{\"logs_name\":\"x\","
			    "\"storage_account_2_name\":\"y\"}}");
}

/* ST-029: a secret never gets into the document. */
static void secrets_go_where_secrets_are(void **state)
{
	struct studio_kit *kit = *state;
	struct tn_studio_project project = {.id = "p"};
	const struct tn_json *answer;
	const char *id, *app;

	(void)studio_kit_refused(kit, tn_studio_edit_add,
				 "{\"typeId\":\"azurerm/database/mssql_server\",\"properties\":{"
				 "\"administrator_login_password\":\"hunter2hunter2\"}}",
				 "INVALID_INPUT");
	assert_null(strstr(kit->fault.message, "hunter2"));
	kit->project = &project;
	answer = studio_kit_done(kit, tn_studio_edit_add,
				 "{\"typeId\":\"azurerm/database/mssql_server\",\"terraformName\":"
				 "\"sql\",\"properties\":{\"administrator_login_password\":"
				 "\"hunter2hunter2\"}}");
	id = studio_kit_text(answer, "instanceId");
	assert_null(strstr(studio_kit_saved(kit), "hunter2"));
	assert_null(strstr(studio_kit_json(kit, answer), "hunter2"));
	assert_string_equal(
		studio_kit_text(project.secrets,
				studio_kit_format(kit, "%s/administrator_login_password", id)),
		"hunter2hunter2");
	(void)studio_kit_refused(kit, tn_studio_edit_update,
				 studio_kit_format(kit,
						   "{\"instanceId\":\"%s\",\"properties\":{"
						   "\"administrator_login_password\":\"short\"}}",
						   id),
				 "INVALID_INPUT");
	assert_null(strstr(kit->fault.message, "short"));
	/* Read and written back it stays. */
	answer = studio_kit_done(
		kit, tn_studio_edit_update,
		studio_kit_format(kit,
				  "{\"instanceId\":\"%s\",\"terraformName\":\"db\",\"properties\":{"
				  "\"administrator_login_password\":\"[redacted]\"}}",
				  id));
	assert_string_equal(studio_kit_json(kit, tn_json_get(answer, "updated")),
			    "[\"terraformName\"]");
	assert_string_equal(
		studio_kit_text(project.secrets,
				studio_kit_format(kit, "%s/administrator_login_password", id)),
		"hunter2hunter2");
	app = studio_kit_text(
		studio_kit_done(
			kit, tn_studio_edit_add,
			"{\"typeId\":\"azurerm/containers/container_app\",\"terraformName\":"
			"\"app\",\"properties\":{\"secrets\":[{\"name\":\"API-Key\","
			"\"value\":\"hunter3\"}]}}"),
		"instanceId");
	assert_string_equal(
		studio_kit_json(kit, tn_json_get(studio_kit_node(kit, app)->properties, "secrets")),
		"[{\"name\":\"API-Key\"}]");
	assert_string_equal(
		studio_kit_text(project.secrets, studio_kit_format(kit, "%s/secret_api_key", app)),
		"hunter3");
	studio_kit_done(kit, tn_studio_edit_update,
			studio_kit_format(kit,
					  "{\"instanceId\":\"%s\",\"properties\":{"
					  "\"administrator_login_password\":null}}",
					  id));
	assert_int_equal(project.secrets->count, 1);
	tn_arena_finish(&project.secrets_arena);
	kit->project = NULL;
}

/* ST-026: a node of a type that nobody knows here can be moved and named, and nothing is lost. */
static void unknown_types_are_left_alone(void **state)
{
	struct studio_kit *kit = *state;

	studio_kit_change(kit, "[{\"op\":\"putNode\",\"node\":{\"id\":\"u\",\"typeId\":\"x/y/z\","
			       "\"label\":\"U\",\"terraformName\":\"u\",\"properties\":{\"p\":1.0},"
			       "\"future\":{\"a\":[]}}}]");
	(void)studio_kit_refused(kit, tn_studio_edit_update,
				 "{\"instanceId\":\"u\",\"properties\":{\"p\":2}}",
				 "INVALID_INPUT");
	(void)update(kit, "u", ",\"label\":\"V\"");
	(void)studio_kit_done(kit, tn_studio_edit_move,
			      "{\"instanceId\":\"u\",\"position\":{\"x\":40,\"y\":80}}");
	assert_string_equal(studio_kit_json(kit, studio_kit_node(kit, "u")->record),
			    "{\"id\":\"u\",\"typeId\":\"x/y/z\",\"label\":\"V\",\"terraformName\":"
			    "\"u\",\"position\":{\"x\":40,\"y\":80},\"properties\":{\"p\":1.0},"
			    "\"future\":{\"a\":[]}}");
}

/* ---- removing ---- */

static bool all_deployed(const void *status, struct tn_str node_id, struct tn_buf *ret_addresses)
{
	(void)status;
	if (ret_addresses)
		tn_json_put_str(ret_addresses, node_id);
	return true;
}

/* FR-12: with three levels all is gone, and undo brings all of it back. */
static void a_container_goes_with_all_it_holds(void **state)
{
	struct studio_kit *kit = *state;
	const char *group = studio_kit_add(kit, GROUP, NULL);
	const char *network = studio_kit_add(kit, NETWORK, group);
	const char *subnet = studio_kit_add(kit, SUBNET, network);
	const char *vault = studio_kit_add(kit, VAULT, subnet);
	const char *app = studio_kit_add(kit, APP, NULL), *before, *after;
	const struct tn_json *answer;
	const char *edge, *drawn;

	drawn = studio_kit_text(join(kit, app, "ref-vnet_integration_subnet_id", subnet, "node"),
				"edgeId");
	edge = studio_kit_text(join(kit, app, "out-id", vault, "secret-in"), "edgeId");
	(void)update(kit, vault, ",\"costUsage\":{\"certificates\":1}");
	before = studio_kit_saved(kit);
	kit->deployed = all_deployed;
	answer = studio_kit_done(kit, tn_studio_edit_remove,
				 studio_kit_format(kit, "{\"instanceId\":\"%s\"}", group));
	assert_string_equal(studio_kit_json(kit, tn_json_get(answer, "removed")),
			    studio_kit_format(kit, "[\"%s\",\"%s\",\"%s\",\"%s\"]", group, network,
					      subnet, vault));
	assert_string_equal(studio_kit_json(kit, tn_json_get(answer, "willDestroy")),
			    studio_kit_format(kit, "[\"%s\",\"%s\",\"%s\",\"%s\"]", group, network,
					      subnet, vault));
	assert_string_equal(studio_kit_json(kit, tn_json_get(answer, "removedEdges")),
			    studio_kit_format(kit, "[\"%s\",\"%s\"]", edge, drawn));
	assert_string_equal(
		studio_kit_json(kit, tn_json_get(answer, "clearedReferences")),
		studio_kit_format(
			kit,
			"[{\"instanceId\":\"%s\",\"property\":\"vnet_integration_subnet_id\"}]",
			app));
	assert_string_equal(kit->change.label, "Remove 'Resource Group' and 3 more");
	assert_int_equal(kit->document.node_count, 1);
	assert_int_equal(kit->document.edge_count, 0);
	assert_null(kit->document.usage);
	assert_null(studio_kit_node(kit, app)->references);
	after = studio_kit_saved(kit);
	studio_kit_undo(kit);
	assert_string_equal(studio_kit_saved(kit), before);
	studio_kit_redo(kit);
	assert_string_equal(studio_kit_saved(kit), after);
	(void)studio_kit_refused(kit, tn_studio_edit_remove, "{\"instanceId\":\"nobody\"}",
				 "NOT_FOUND");
}

/* Lists of objects name nodes, too. */
static void elements_lose_what_they_name(void **state)
{
	struct studio_kit *kit = *state;
	const char *gateway = studio_kit_add(kit, "aws/networking/internet_gateway", NULL);
	const char *table = studio_kit_text(
		studio_kit_done(kit, tn_studio_edit_add,
				studio_kit_format(kit,
						  "{\"typeId\":\"aws/networking/route_table\","
						  "\"properties\":{\"routes\":[{\"destination_cidr_"
						  "block\":\"0.0.0.0/0\","
						  "\"target_ref\":\"%s\"}]}}",
						  gateway)),
		"instanceId");

	(void)studio_kit_refused(
		kit, tn_studio_edit_update,
		studio_kit_format(kit,
				  "{\"instanceId\":\"%s\",\"properties\":{\"routes\":"
				  "[{\"destination_cidr_block\":\"0.0.0.0/0\",\"target_ref\":"
				  "\"nobody\"}]}}",
				  table),
		"NOT_FOUND");
	(void)studio_kit_done(kit, tn_studio_edit_remove,
			      studio_kit_format(kit, "{\"instanceId\":\"%s\"}", gateway));
	assert_non_null(
		strstr(studio_kit_saved(kit), "{\"destination_cidr_block\":\"0.0.0.0/0\"}"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		STUDIO_KIT_TEST(every_rule_is_accepted_one_way),
		STUDIO_KIT_TEST(what_no_rule_allows_is_refused_with_what_is),
		STUDIO_KIT_TEST(a_full_reference_is_refused),
		STUDIO_KIT_TEST(edge_and_reference_are_one),
		STUDIO_KIT_TEST(lists_grow_edge_by_edge),
		STUDIO_KIT_TEST(references_are_drawn),
		STUDIO_KIT_TEST(outputs_and_notes_are_joined),
		STUDIO_KIT_TEST(what_is_not_named_stays),
		STUDIO_KIT_TEST(modes_outputs_and_usage),
		STUDIO_KIT_TEST(names_are_unique_and_identifiers),
		STUDIO_KIT_TEST(secrets_go_where_secrets_are),
		STUDIO_KIT_TEST(unknown_types_are_left_alone),
		STUDIO_KIT_TEST(a_container_goes_with_all_it_holds),
		STUDIO_KIT_TEST(elements_lose_what_they_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
