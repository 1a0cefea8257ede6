/* Editing by the rules of studio.md 5.7, 5.8 and 6. */
#include "apps/studio/edit/edit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "apps/studio/document/document_test_kit.h"
#include "apps/studio/document/geometry.h"
#include "apps/studio/limits.h"
#include "jsonrpc/json_write.h"

#define GROUP "azurerm/core/resource_group"
#define NETWORK "azurerm/networking/virtual_network"
#define SUBNET "azurerm/networking/subnet"

/* ---- adding ---- */

static void a_node_gets_what_it_needs(void **state)
{
	struct studio_kit *kit = *state;
	const struct tn_json *answer;
	const struct tn_studio_node *group;

	answer = studio_kit_done(kit, tn_studio_edit_add,
				 "{\"typeId\":\"" GROUP "\",\"label\":\"Shop Prod!\"}");
	assert_string_equal(studio_kit_text(answer, "terraformName"), "shop_prod");
	assert_string_equal(studio_kit_text(answer, "label"), "Shop Prod!");
	assert_string_equal(studio_kit_json(kit, tn_json_get(answer, "position")),
			    "{\"x\":20,\"y\":60}");
	assert_string_equal(studio_kit_json(kit, tn_json_get(answer, "defaultsApplied")),
			    "{\"name\":\"shop-prod\"}");
	assert_null(tn_json_get(answer, "parentId"));
	assert_string_equal(kit->change.label, "Add Resource Group 'Shop Prod!'");
	assert_string_equal(kit->change.note,
			    studio_kit_format(kit,
					      "{\"tool\":\"some_tool\",\"instanceIds\":[\"%s\"]}",
					      studio_kit_text(answer, "instanceId")));
	group = studio_kit_node(kit, studio_kit_text(answer, "instanceId"));
	assert_int_equal(group->id.size, 36);
	assert_int_equal(group->id.data[14], '4');
	assert_int_equal(group->width, 360);
	assert_int_equal(group->height, 220);
	assert_string_equal(studio_kit_json(kit, group->properties), "{\"name\":\"shop-prod\"}");
}

static void what_stands_in_another(void **state)
{
	struct studio_kit *kit = *state;
	const char *group = studio_kit_add(kit, GROUP, NULL),
		   *network = studio_kit_add(kit, NETWORK, group);
	const char *subnet = studio_kit_add(kit, SUBNET, network);

	assert_string_equal(studio_kit_node(kit, subnet)->parent_id.data, network);
	assert_string_equal(studio_kit_json(kit, studio_kit_node(kit, network)->properties),
			    "{\"name\":\"virtual-network\",\"address_space\":[\"10.0.0.0/16\"]}");
	assert_string_equal(studio_kit_json(kit, studio_kit_node(kit, subnet)->properties),
			    "{\"name\":\"subnet\",\"address_prefixes\":[\"10.0.0.0/24\"]}");
}

/* US-07: a wrong type changes nothing and names what was probably meant. */
static void a_wrong_type_is_refused_with_suggestions(void **state)
{
	struct studio_kit *kit = *state;
	const char *message;

	(void)studio_kit_add(kit, GROUP, NULL);
	message =
		studio_kit_refused(kit, tn_studio_edit_add, "{\"typeId\":\"azurerm/network/vnet\"}",
				   "UNKNOWN_RESOURCE_TYPE");
	assert_non_null(strstr(message, "azurerm/network/vnet"));
	assert_non_null(strstr(message, "not in the registry"));
	(void)studio_kit_refused(kit, tn_studio_edit_add,
				 "{\"typeId\":\"azurerm/networking/virtual_networks\"}",
				 "UNKNOWN_RESOURCE_TYPE");
	assert_true(kit->fault.suggestion_count >= 1 && kit->fault.suggestion_count <= 5);
	assert_true(tn_str_is(kit->fault.suggestions[0], NETWORK));
}

/* ST-021 */
static void names_are_made_of_labels(void **state)
{
	static const char *const cases[][2] = {
		{"Web Server", "web_server"}, {"Web  Server", "web_server_2"},
		{"1st Group", "_1st_group"},  {"--", "resource_group"},
		{"\xc3\x84pfel", "pfel"},     {"___", "resource_group_2"},
		{"${x}\\\" %{", "x"},         {"a.b/c", "a_b_c"},
	};
	struct studio_kit *kit = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct tn_buf out;
		const struct tn_json *answer;

		tn_buf_init(&out, TN_MIB);
		tn_buf_append_text(&out, "{\"typeId\":\"" GROUP "\",\"label\":");
		tn_json_put_text(&out, cases[i][0]);
		tn_buf_append(&out, "}", 2);
		answer = studio_kit_done(kit, tn_studio_edit_add, out.data);
		tn_buf_finish(&out);
		assert_string_equal(studio_kit_text(answer, "terraformName"), cases[i][1]);
		assert_string_equal(studio_kit_text(answer, "label"), cases[i][0]);
	}
}

/* 6.2.6: only labels that nobody chose get a number. */
static void labels_that_nobody_chose_get_numbers(void **state)
{
	static const char *const expected[] = {"Resource Group", "Resource Group 2",
					       "Resource Group 3"};
	/* Gaps are filled; what only looks like one of them takes no number. */
	static const char *const more[][2] = {
		{",\"label\":\"Resource Group 5\"", "Resource Group 5"},
		{",\"label\":\"Resource Group 06\"", "Resource Group 06"},
		{",\"label\":\"Resource Group 7x\"", "Resource Group 7x"},
		{",\"label\":\"Resource Group 99999999999999999999999\"",
		 "Resource Group 99999999999999999999999"},
		{"", "Resource Group 4"},
		{"", "Resource Group 6"},
		{"", "Resource Group 7"},
	};
	struct studio_kit *kit = *state;
	const struct tn_json *answer;

	for (int i = 0; i < 3; i++) {
		answer = studio_kit_done(kit, tn_studio_edit_add, "{\"typeId\":\"" GROUP "\"}");
		assert_string_equal(studio_kit_text(answer, "label"), expected[i]);
	}
	for (int i = 0; i < 2; i++) {
		answer = studio_kit_done(kit, tn_studio_edit_add,
					 "{\"typeId\":\"" GROUP "\",\"label\":\"Mine\"}");
		assert_string_equal(studio_kit_text(answer, "label"), "Mine");
	}
	assert_string_equal(studio_kit_text(answer, "terraformName"), "mine_2");
	for (size_t i = 0; i < sizeof(more) / sizeof(more[0]); i++) {
		char arguments[128];

		(void)snprintf(arguments, sizeof(arguments), "{\"typeId\":\"" GROUP "\"%s}",
			       more[i][0]);
		answer = studio_kit_done(kit, tn_studio_edit_add, arguments);
		assert_string_equal(studio_kit_text(answer, "label"), more[i][1]);
	}
}

/* 6.2.3: all of them are named, with what is expected. */
static void every_mistake_is_named(void **state)
{
	struct studio_kit *kit = *state;
	const char *message;

	message = studio_kit_refused(
		kit, tn_studio_edit_add,
		"{\"typeId\":\"azurerm/storage/storage_account\",\"terraformName\":\"1 x\","
		"\"properties\":{\"account_teir\":\"Premium\",\"account_replication_type\":\"QRS\","
		"\"min_tls_version\":7,\"name\":[]},\"references\":{\"nobody\":\"x\"}}",
		"INVALID_INPUT");
	assert_non_null(strstr(message, "account_teir"));
	assert_non_null(strstr(message, "did you mean account_tier?"));
	assert_non_null(strstr(message, "account_replication_type"));
	assert_non_null(strstr(message, "name: "));
	assert_non_null(strstr(message, "nobody"));
	assert_non_null(strstr(message, "terraformName"));
	assert_true(tn_str_is(kit->fault.suggestions[0], "account_tier"));
	assert_non_null(strstr(kit->fault.details.data, "\"mistakes\":[{\"key\":\"account_teir\""));
	(void)studio_kit_parse(kit, kit->fault.details.data);
}

static void values_are_converted_where_nothing_is_lost(void **state)
{
	struct studio_kit *kit = *state;
	const char *group = studio_kit_add(kit, GROUP, NULL);
	const struct tn_json *answer = studio_kit_done(
		kit, tn_studio_edit_add,
		studio_kit_format(
			kit,
			"{\"typeId\":\"azurerm/containers/kubernetes_cluster\",\"parentId\":\"%s\","
			"\"properties\":{\"default_pool_count\":\"3\",\"name\":12}}",
			group));
	const struct tn_studio_node *made =
		studio_kit_node(kit, studio_kit_text(answer, "instanceId"));

	assert_string_equal(studio_kit_json(kit, made->properties),
			    "{\"default_pool_count\":3,\"name\":\"12\"}");
}

/* 4.3: what a group stands for is where its members are. */
static void a_group_takes_the_region_of_the_project(void **state)
{
	struct studio_kit *kit = *state;
	const struct tn_json *answer;

	studio_kit_change(kit, "[{\"op\":\"setConfig\",\"config\":{\"region\":\"westeurope\"}}]");
	answer = studio_kit_done(kit, tn_studio_edit_add, "{\"typeId\":\"" GROUP "\"}");
	assert_string_equal(studio_kit_json(kit, tn_json_get(answer, "defaultsApplied")),
			    "{\"name\":\"resource-group\",\"location\":\"westeurope\"}");
	answer = studio_kit_done(kit, tn_studio_edit_add,
				 "{\"typeId\":\"" GROUP
				 "\",\"properties\":{\"location\":\"eastus\"}}");
	assert_null(tn_json_get(tn_json_get(answer, "defaultsApplied"), "location"));
}

/* 6.2.4 with ST-048: the convention names it, so it gets a slug and no name. */
static void the_convention_asks_for_a_slug(void **state)
{
	struct studio_kit *kit = *state;
	const struct tn_json *answer;

	studio_kit_change(kit, "[{\"op\":\"setConfig\",\"config\":{\"naming\":{\"enabled\":true,"
			       "\"template\":\"{type}-{name}\"}}}]");
	answer = studio_kit_done(kit, tn_studio_edit_add,
				 "{\"typeId\":\"" GROUP "\",\"label\":\"Web Shop!\"}");
	assert_string_equal(studio_kit_json(kit, tn_json_get(answer, "defaultsApplied")),
			    "{\"slug\":\"web-shop\"}");
	assert_string_equal(studio_kit_node(kit, studio_kit_text(answer, "instanceId"))->slug.data,
			    "web-shop");
}

/* A storage account's name has small letters and digits only. */
static void made_names_keep_to_the_types_constraints(void **state)
{
	struct studio_kit *kit = *state;
	const struct tn_json *answer = studio_kit_done(
		kit, tn_studio_edit_add,
		"{\"typeId\":\"azurerm/storage/storage_account\",\"label\":\"Logs and a very long "
		"name\"}");

	assert_string_equal(studio_kit_text(tn_json_get(answer, "defaultsApplied"), "name"),
			    "logsandaverylongname");
}

/* ---- address ranges, 6.4 ---- */

static const char *range_of(struct studio_kit *kit, const char *id, const char *key)
{
	return studio_kit_json(kit, tn_json_get(studio_kit_node(kit, id)->properties, key));
}

/* ST-064 */
static void networks_get_ranges_of_their_own(void **state)
{
	struct studio_kit *kit = *state;
	const char *group = studio_kit_add(kit, GROUP, NULL),
		   *first = studio_kit_add(kit, NETWORK, group), *small;
	const char *vpc;

	assert_string_equal(range_of(kit, first, "address_space"), "[\"10.0.0.0/16\"]");
	small = studio_kit_text(
		studio_kit_done(
			kit, tn_studio_edit_add,
			studio_kit_format(kit,
					  "{\"typeId\":\"" NETWORK "\",\"parentId\":\"%s\","
					  "\"properties\":{\"address_space\":[\"10.1.4.0/23\"]}}",
					  group)),
		"instanceId");
	/* A wide one in the way is passed over whole. */
	(void)studio_kit_done(kit, tn_studio_edit_add,
			      "{\"typeId\":\"" NETWORK
			      "\",\"properties\":{\"address_space\":[\"10.2.0.0/15\"]}}");
	vpc = studio_kit_add(kit, "aws/networking/vpc", NULL);
	assert_string_equal(range_of(kit, vpc, "cidr_block"), "\"10.4.0.0/16\"");
	assert_string_equal(range_of(kit, studio_kit_add(kit, SUBNET, first), "address_prefixes"),
			    "[\"10.0.0.0/24\"]");
	assert_string_equal(range_of(kit, studio_kit_add(kit, SUBNET, first), "address_prefixes"),
			    "[\"10.0.1.0/24\"]");
	assert_string_equal(range_of(kit, studio_kit_add(kit, SUBNET, small), "address_prefixes"),
			    "[\"10.1.4.0/24\"]");
	assert_string_equal(range_of(kit, studio_kit_add(kit, SUBNET, small), "address_prefixes"),
			    "[\"10.1.5.0/24\"]");
	/* It is full: the type's own default stands, and validation says that it overlaps. */
	assert_string_equal(range_of(kit, studio_kit_add(kit, SUBNET, small), "address_prefixes"),
			    "null");
	assert_string_equal(
		range_of(kit, studio_kit_add(kit, "aws/networking/subnet", vpc), "cidr_block"),
		"\"10.4.0.0/24\"");
}

static void small_networks_have_smaller_subnets(void **state)
{
	struct studio_kit *kit = *state;
	const char *network = studio_kit_text(
		studio_kit_done(kit, tn_studio_edit_add,
				"{\"typeId\":\"" NETWORK
				"\",\"properties\":{\"address_space\":[\"192.168.7.0/24\"]}}"),
		"instanceId");
	const char *other = studio_kit_text(
		studio_kit_done(kit, tn_studio_edit_add,
				"{\"typeId\":\"" NETWORK
				"\",\"properties\":{\"address_space\":[\"fd00::/48\"]}}"),
		"instanceId");

	assert_string_equal(range_of(kit, studio_kit_add(kit, SUBNET, network), "address_prefixes"),
			    "[\"192.168.7.0/26\"]");
	assert_string_equal(range_of(kit, studio_kit_add(kit, SUBNET, network), "address_prefixes"),
			    "[\"192.168.7.64/26\"]");
	/* IPv6 is never assigned. */
	assert_string_equal(range_of(kit, studio_kit_add(kit, SUBNET, other), "address_prefixes"),
			    "null");
}

/* ---- containment ---- */

/* FR-16, ST-042: every pair of types, against the catalogue itself. */
static void every_illegal_parent_is_refused(void **state)
{
	struct studio_kit *kit = *state;
	const struct tn_studio_registry *registry = kit->registry;
	size_t refused = 0, legal = 0;

	for (size_t p = 0; p < registry->type_count; p++) {
		const struct tn_studio_type *parent = registry->types[p];
		const char *id = studio_kit_add(kit, parent->id.data, NULL);

		for (size_t c = 0; c < registry->type_count; c++) {
			const struct tn_studio_type *child = registry->types[c];
			const char *arguments = studio_kit_format(
				kit, "{\"typeId\":\"%s\",\"parentId\":\"%s\"}", child->id.data, id);
			bool may = parent->container &&
				   (parent->is_annotation || child->is_annotation ||
				    !child->can_be_child_of ||
				    tn_studio_ids_have(child->can_be_child_of, parent));

			if (may) {
				if (!studio_kit_edit(kit, tn_studio_edit_add, arguments))
					fail_msg("%s in %s: %s", child->id.data, parent->id.data,
						 kit->fault.message);
				studio_kit_undo(kit);
				legal++;
				continue;
			}
			if (studio_kit_edit(kit, tn_studio_edit_add, arguments))
				fail_msg("%s stands in %s", child->id.data, parent->id.data);
			assert_string_equal(kit->fault.code, "CONTAINMENT_ERROR");
			if (child->can_be_child_of)
				assert_non_null(strstr(kit->fault.message,
						       child->can_be_child_of->first->text.data));
			refused++;
		}
		studio_kit_undo(kit);
	}
	assert_true(legal > 200 && refused > 5000);
	print_message("%zu pairs legal, %zu refused\n", legal, refused);
}

/* ST-042: an annotation around it is looked through. ST-043: top level is always allowed. */
static void annotations_are_looked_through(void **state)
{
	struct studio_kit *kit = *state;
	const char *group = studio_kit_add(kit, GROUP, NULL);
	const char *network = studio_kit_add(kit, NETWORK, group);
	const char *zone = studio_kit_add(kit, "_annotation/general/region", network);
	const char *loose = studio_kit_add(kit, "_annotation/general/region", NULL);

	(void)studio_kit_add(kit, SUBNET, zone);
	(void)studio_kit_add(kit, SUBNET, loose);
	(void)studio_kit_add(kit, SUBNET, NULL);
	(void)studio_kit_refused(
		kit, tn_studio_edit_add,
		studio_kit_format(kit, "{\"typeId\":\"" NETWORK "\",\"parentId\":\"%s\"}", zone),
		"CONTAINMENT_ERROR");
	/* What stands in it has to fit where it goes. */
	(void)studio_kit_refused(
		kit, tn_studio_edit_move,
		studio_kit_format(kit, "{\"instanceId\":\"%s\",\"parentId\":\"%s\"}", zone, group),
		"CONTAINMENT_ERROR");
	(void)studio_kit_refused(kit, tn_studio_edit_add,
				 "{\"typeId\":\"" SUBNET "\",\"parentId\":\"nobody\"}",
				 "NOT_FOUND");
}

static void containers_are_nested_so_deep(void **state)
{
	struct studio_kit *kit = *state;
	const char *at = studio_kit_add(kit, "_annotation/general/region", NULL);

	for (int i = 1; i < TN_STUDIO_DEPTH_MAX; i++)
		at = studio_kit_add(kit, "_annotation/general/region", at);
	(void)studio_kit_refused(
		kit, tn_studio_edit_add,
		studio_kit_format(
			kit, "{\"typeId\":\"_annotation/general/region\",\"parentId\":\"%s\"}", at),
		"LIMIT_EXCEEDED");
}

/* ---- places ---- */

/* FR-15, ST-063 */
static void thirty_nodes_do_not_overlap(void **state)
{
	struct studio_kit *kit = *state;
	const char *group = studio_kit_add(kit, GROUP, NULL), *ids[60];
	const struct tn_studio_node *parent;

	for (int i = 0; i < 30; i++) {
		ids[i] = studio_kit_add(kit, i % 3 ? "azurerm/storage/storage_account" : NETWORK,
					group);
		ids[30 + i] = studio_kit_add(kit, "azurerm/storage/storage_account", NULL);
	}
	parent = studio_kit_node(kit, group);
	for (int i = 0; i < 60; i++) {
		struct tn_studio_rect a = tn_studio_rect_of(studio_kit_node(kit, ids[i]));

		assert_int_equal(a.x % TN_STUDIO_GRID, 0);
		if (i < 30) {
			/* The parent has grown around them. */
			assert_true(a.x >= 20 && a.y >= 60);
			assert_true(a.x + a.width + 20 <= parent->width);
			assert_true(a.y + a.height + 20 <= parent->height);
		}
		for (int j = i < 30 ? 0 : 30; j < i; j++) {
			struct tn_studio_rect b = tn_studio_rect_of(studio_kit_node(kit, ids[j]));

			assert_false(tn_studio_rects_meet(&a, &b, 0));
		}
	}
}

static void expect_apart(struct studio_kit *kit, const char *const *ids, int count)
{
	for (int i = 0; i < count; i++) {
		struct tn_studio_rect a = tn_studio_rect_of(studio_kit_node(kit, ids[i]));

		for (int j = 0; j < i; j++) {
			struct tn_studio_rect b = tn_studio_rect_of(studio_kit_node(kit, ids[j]));

			assert_false(tn_studio_rects_meet(&a, &b, 0));
		}
	}
}

/* FR-15: a container that grows pushes its neighbours aside, and so do those that hold it; many
 * children stand in rows. */
static void what_grows_covers_nothing(void **state)
{
	struct studio_kit *kit = *state;
	const char *groups[2] = {studio_kit_add(kit, GROUP, NULL),
				 studio_kit_add(kit, GROUP, NULL)};
	const char *networks[6];
	struct tn_studio_rect before, after;

	for (int i = 0; i < 6; i++)
		networks[i] = studio_kit_add(kit, NETWORK, groups[0]);
	before = tn_studio_rect_of(studio_kit_node(kit, networks[3]));
	for (int i = 0; i < 10; i++)
		(void)studio_kit_add(kit, "azurerm/networking/subnet", networks[0]);
	expect_apart(kit, networks, 6);
	expect_apart(kit, groups, 2);
	after = tn_studio_rect_of(studio_kit_node(kit, networks[3]));
	assert_true(before.x == after.x && before.y < after.y);
	for (int i = 0; i < 60; i++)
		(void)studio_kit_add(kit, "azurerm/storage/storage_account", groups[1]);
	after = tn_studio_rect_of(studio_kit_node(kit, groups[1]));
	assert_true(after.height < 3 * after.width && after.width < 3 * after.height);
	expect_apart(kit, groups, 2);
}

static void a_given_place_is_snapped(void **state)
{
	struct studio_kit *kit = *state;
	const struct tn_json *answer =
		studio_kit_done(kit, tn_studio_edit_add,
				"{\"typeId\":\"" GROUP "\",\"position\":{\"x\":133.7,\"y\":-49}}");

	assert_string_equal(studio_kit_json(kit, tn_json_get(answer, "position")),
			    "{\"x\":140,\"y\":-40}");
	studio_kit_change(kit, "[{\"op\":\"setConfig\",\"config\":{\"layout\":{\"snap\":false}}}]");
	answer = studio_kit_done(kit, tn_studio_edit_add,
				 "{\"typeId\":\"" GROUP "\",\"position\":{\"x\":133.7,\"y\":-49}}");
	assert_string_equal(studio_kit_json(kit, tn_json_get(answer, "position")),
			    "{\"x\":134,\"y\":-49}");
}

/* 6.3: reparenting keeps the place on the canvas, and takes the children along. */
static void moving_to_another_parent_keeps_the_place(void **state)
{
	struct studio_kit *kit = *state;
	const char *a = studio_kit_add(kit, GROUP, NULL), *b = studio_kit_add(kit, GROUP, NULL);
	const char *network = studio_kit_add(kit, NETWORK, a),
		   *subnet = studio_kit_add(kit, SUBNET, network);
	struct tn_studio_rect before = tn_studio_absolute_rect(studio_kit_node(kit, subnet)), after;

	studio_kit_done(
		kit, tn_studio_edit_move,
		studio_kit_format(kit, "{\"instanceId\":\"%s\",\"parentId\":\"%s\"}", network, b));
	assert_string_equal(studio_kit_node(kit, network)->parent_id.data, b);
	after = tn_studio_absolute_rect(studio_kit_node(kit, subnet));
	assert_int_equal(before.x, after.x);
	assert_int_equal(before.y, after.y);
	studio_kit_done(
		kit, tn_studio_edit_move,
		studio_kit_format(kit, "{\"instanceId\":\"%s\",\"parentId\":null}", network));
	assert_int_equal(studio_kit_node(kit, network)->parent_id.size, 0);
	after = tn_studio_absolute_rect(studio_kit_node(kit, subnet));
	assert_int_equal(before.x, after.x);
	(void)studio_kit_refused(kit, tn_studio_edit_move,
				 studio_kit_format(kit,
						   "{\"instanceId\":\"%s\",\"parentId\":\"%s\"}",
						   network, subnet),
				 "CONTAINMENT_ERROR");
	(void)studio_kit_refused(
		kit, tn_studio_edit_move,
		studio_kit_format(kit, "{\"instanceId\":\"%s\",\"parentId\":\"%s\"}", subnet, b),
		"CONTAINMENT_ERROR");
}

static void a_container_holds_what_it_holds(void **state)
{
	struct studio_kit *kit = *state;
	const char *group = studio_kit_add(kit, GROUP, NULL),
		   *network = studio_kit_add(kit, NETWORK, group);
	const struct tn_json *answer = studio_kit_done(
		kit, tn_studio_edit_move,
		studio_kit_format(
			kit, "{\"instanceId\":\"%s\",\"size\":{\"width\":1,\"height\":1}}", group));

	/* 360 x 220 at (20, 60), and 20 around it. */
	assert_string_equal(studio_kit_json(kit, tn_json_get(answer, "size")),
			    "{\"width\":400,\"height\":300}");
	(void)studio_kit_done(
		kit, tn_studio_edit_move,
		studio_kit_format(kit,
				  "{\"instanceId\":\"%s\",\"position\":{\"x\":600,\"y\":60},"
				  "\"size\":{\"width\":800,\"height\":300}}",
				  network));
	assert_int_equal(studio_kit_node(kit, group)->width, 1420);
	studio_kit_undo(kit);
	assert_int_equal(studio_kit_node(kit, group)->width, 400);
}

static void modules_go_with_their_container(void **state)
{
	struct studio_kit *kit = *state;
	const char *a = studio_kit_add(kit, GROUP, NULL), *b = studio_kit_add(kit, GROUP, NULL);
	const char *network = studio_kit_add(kit, NETWORK, a),
		   *subnet = studio_kit_add(kit, SUBNET, network);

	studio_kit_change(kit, "[{\"op\":\"setPart\",\"key\":\"modules\",\"value\":[{\"id\":\"m1\","
			       "\"name\":\"net\"}]}]");
	(void)studio_kit_refused(
		kit, tn_studio_edit_move,
		studio_kit_format(kit, "{\"instanceId\":\"%s\",\"moduleId\":\"m2\"}", b),
		"NOT_FOUND");
	(void)studio_kit_done(
		kit, tn_studio_edit_move,
		studio_kit_format(kit, "{\"instanceId\":\"%s\",\"moduleId\":\"m1\"}", b));
	(void)studio_kit_done(
		kit, tn_studio_edit_move,
		studio_kit_format(kit, "{\"instanceId\":\"%s\",\"parentId\":\"%s\"}", network, b));
	assert_string_equal(studio_kit_node(kit, subnet)->module_id.data, "m1");
	assert_string_equal(
		studio_kit_node(kit, studio_kit_add(kit, SUBNET, network))->module_id.data, "m1");
	(void)studio_kit_done(
		kit, tn_studio_edit_move,
		studio_kit_format(kit, "{\"instanceId\":\"%s\",\"moduleId\":null}", network));
	assert_int_equal(studio_kit_node(kit, subnet)->module_id.size, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		STUDIO_KIT_TEST(a_node_gets_what_it_needs),
		STUDIO_KIT_TEST(what_stands_in_another),
		STUDIO_KIT_TEST(a_wrong_type_is_refused_with_suggestions),
		STUDIO_KIT_TEST(names_are_made_of_labels),
		STUDIO_KIT_TEST(labels_that_nobody_chose_get_numbers),
		STUDIO_KIT_TEST(every_mistake_is_named),
		STUDIO_KIT_TEST(values_are_converted_where_nothing_is_lost),
		STUDIO_KIT_TEST(a_group_takes_the_region_of_the_project),
		STUDIO_KIT_TEST(the_convention_asks_for_a_slug),
		STUDIO_KIT_TEST(made_names_keep_to_the_types_constraints),
		STUDIO_KIT_TEST(networks_get_ranges_of_their_own),
		STUDIO_KIT_TEST(small_networks_have_smaller_subnets),
		STUDIO_KIT_TEST(every_illegal_parent_is_refused),
		STUDIO_KIT_TEST(annotations_are_looked_through),
		STUDIO_KIT_TEST(containers_are_nested_so_deep),
		STUDIO_KIT_TEST(thirty_nodes_do_not_overlap),
		STUDIO_KIT_TEST(what_grows_covers_nothing),
		STUDIO_KIT_TEST(a_given_place_is_snapped),
		STUDIO_KIT_TEST(moving_to_another_parent_keeps_the_place),
		STUDIO_KIT_TEST(a_container_holds_what_it_holds),
		STUDIO_KIT_TEST(modules_go_with_their_container),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
