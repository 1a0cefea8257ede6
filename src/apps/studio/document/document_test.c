#include "apps/studio/document/document.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "apps/studio/document/document_test_kit.h"
#include "apps/studio/limits.h"
#include "jsonrpc/json_write.h"

#define GROUP                                                                               \
	"{\"id\":\"rg\",\"typeId\":\"azurerm/core/resource_group\",\"label\":\"Group\","    \
	"\"terraformName\":\"group\",\"position\":{\"x\":40,\"y\":60},\"size\":{\"width\":" \
	"360,\"height\":220}}"
#define NET                                                                                    \
	"{\"id\":\"net\",\"typeId\":\"azurerm/networking/virtual_network\",\"label\":\"Net\"," \
	"\"terraformName\":\"net\",\"parentId\":\"rg\",\"position\":{\"x\":20,\"y\":60}}"
#define PLAN                                                                                   \
	"{\"id\":\"plan\",\"typeId\":\"azurerm/compute/app_service_plan\",\"label\":\"Plan\"," \
	"\"terraformName\":\"plan\",\"parentId\":\"rg\"}"
#define APP                                                                             \
	"{\"id\":\"app\",\"typeId\":\"azurerm/compute/app_service\",\"label\":\"App\"," \
	"\"terraformName\":\"app\",\"parentId\":\"rg\",\"properties\":{\"a\":1.50},"    \
	"\"references\":{\"service_plan_id\":\"plan\",\"vnet_integration_subnet_id\":\"sub\"}}"
#define SUBNET                                                                        \
	"{\"id\":\"sub\",\"typeId\":\"azurerm/networking/subnet\",\"label\":\"Sub\"," \
	"\"terraformName\":\"sub\",\"parentId\":\"net\"}"
#define EDGE                                                                                  \
	"{\"id\":\"e1\",\"source\":\"plan\",\"sourceHandle\":\"asp-out\",\"target\":\"app\"," \
	"\"targetHandle\":\"asp-in\",\"category\":\"structural\"}"
#define PUT(node) "{\"op\":\"putNode\",\"node\":" node "}"

static const char everything[] = "[" PUT(GROUP) "," PUT(NET) "," PUT(SUBNET) "," PUT(PLAN) "," PUT(
	APP) ",{\"op\":\"putEdge\",\"edge\":" EDGE "}]";

static struct tn_studio_node *node(struct studio_kit *kit, const char *id)
{
	return tn_studio_node_find(&kit->document, tn_str_from(id));
}

static void operations_and_their_inverses(void **state)
{
	static const char *const each[] = {
		everything,
		"[{\"op\":\"putNode\",\"node\":{\"id\":\"rg\",\"typeId\":\"x/y/z\",\"label\":\"L\","
		"\"terraformName\":\"renamed\",\"unknown\":{\"kept\":[1.0,{}]}}}]",
		"[{\"op\":\"removeEdge\",\"id\":\"e1\"},{\"op\":\"removeNode\",\"id\":\"plan\"}]",
		"[{\"op\":\"place\",\"nodes\":[{\"id\":\"net\",\"x\":-5,\"y\":7,\"width\":400,"
		"\"height\":300},{\"id\":\"app\",\"x\":1,\"y\":2}]}]",
		"[{\"op\":\"setConfig\",\"config\":{\"region\":\"westeurope\"}}]",
		"[{\"op\":\"setUsage\",\"id\":\"app\",\"usage\":{\"hours\":730}},"
		"{\"op\":\"setUsage\",\"id\":\"net\",\"usage\":{\"gb\":1}}]",
		"[{\"op\":\"setUsage\",\"id\":\"app\",\"usage\":null}]",
		"[{\"op\":\"setBudget\",\"budget\":120.5}]",
		"[{\"op\":\"setPart\",\"key\":\"modules\",\"value\":[{\"id\":\"m\"}]}]",
		"[{\"op\":\"replace\",\"document\":{\"nodes\":[" GROUP "]}}]",
	};
	struct studio_kit *kit = *state;
	const char *texts[16];
	size_t count = sizeof(each) / sizeof(each[0]);

	texts[0] = studio_kit_saved(kit);
	for (size_t i = 0; i < count; i++) {
		studio_kit_change(kit, each[i]);
		texts[i + 1] = studio_kit_saved(kit);
		assert_string_not_equal(texts[i], texts[i + 1]);
	}
	for (size_t i = count; i-- > 0;) {
		studio_kit_undo(kit);
		assert_string_equal(studio_kit_saved(kit), texts[i]);
	}
	for (size_t i = 0; i < count; i++) {
		studio_kit_redo(kit);
		assert_string_equal(studio_kit_saved(kit), texts[i + 1]);
	}
}

static void what_is_derived(void **state)
{
	struct studio_kit *kit = *state;
	const struct tn_studio_node *rg, *net, *sub;

	studio_kit_change(kit, everything);
	studio_kit_index(kit);
	rg = node(kit, "rg");
	net = node(kit, "net");
	sub = node(kit, "sub");
	assert_ptr_equal(net->parent, rg);
	assert_ptr_equal(rg->first_child, net);
	assert_ptr_equal(net->next_sibling, node(kit, "plan"));
	assert_null(node(kit, "app")->next_sibling);
	assert_int_equal(sub->depth, 2);
	assert_int_equal(sub->order, 2);
	assert_true(tn_studio_is_within(sub, rg));
	assert_false(tn_studio_is_within(rg, sub));
	assert_ptr_equal(tn_studio_ancestor(sub, TN_STR("azurerm/core/resource_group")), rg);
	assert_ptr_equal(tn_studio_real_parent(sub), net);
	assert_ptr_equal(kit->document.edges[0]->source, node(kit, "plan"));
	assert_ptr_equal(tn_studio_node_by_name(&kit->document, sub->type_id, TN_STR("sub")), sub);
	assert_null(tn_studio_node_by_name(&kit->document, net->type_id, TN_STR("sub")));
	assert_ptr_equal(tn_studio_node_by_own(&kit->document, TN_STR("sub")), sub);
	assert_non_null(rg->type);
	assert_int_equal(rg->width, 360);
}

/* A snapshot or a journal that nobody checked could say such a thing. */
static void circles_of_parents_end(void **state)
{
	struct studio_kit *kit = *state;

	studio_kit_change(kit, "[{\"op\":\"replace\",\"document\":{\"nodes\":["
			       "{\"id\":\"a\",\"typeId\":\"t\",\"label\":\"a\",\"terraformName\":"
			       "\"a\",\"parentId\":\"c\"},"
			       "{\"id\":\"b\",\"typeId\":\"t\",\"label\":\"b\",\"terraformName\":"
			       "\"b\",\"parentId\":\"a\"},"
			       "{\"id\":\"c\",\"typeId\":\"t\",\"label\":\"c\",\"terraformName\":"
			       "\"c\",\"parentId\":\"b\"},"
			       "{\"id\":\"d\",\"typeId\":\"t\",\"label\":\"d\",\"terraformName\":"
			       "\"d\",\"parentId\":\"d\"}]}}]");
	studio_kit_index(kit);
	assert_true(node(kit, "a")->depth <= 2);
	assert_int_equal(node(kit, "d")->depth, 0);
}

/* The same of what would be deeper than containers may be (ST-042): it is cut there. */
static void deep_nests_end(void **state)
{
	enum { COUNT = 100 };
	struct studio_kit *kit = *state;
	struct tn_buf text;

	tn_buf_init(&text, TN_MIB);
	tn_buf_format(&text, "[{\"op\":\"replace\",\"document\":{\"edges\":[],\"nodes\":[");
	for (int i = COUNT; i-- > 0;)
		tn_buf_format(&text,
			      "{\"id\":\"n%d\",\"typeId\":\"t\",\"label\":\"n\","
			      "\"terraformName\":\"n%d\",\"parentId\":\"n%d\"}%s",
			      i, i, i - 1, i > 0 ? "," : "]}}]");
	tn_buf_append_byte(&text, '\0');
	studio_kit_change(kit, text.data);
	tn_buf_finish(&text);
	studio_kit_index(kit);
	for (unsigned i = 0; i < COUNT; i++)
		assert_int_equal(studio_kit_node(kit, studio_kit_format(kit, "n%u", i))->depth,
				 i % TN_STUDIO_DEPTH_MAX);
}

/* 4.5: references are pictured as edges where their property says so, or where they were drawn. */
static void references_are_edges(void **state)
{
	struct studio_kit *kit = *state;
	const struct tn_studio_edge *edges = NULL;
	size_t count = 0;

	studio_kit_change(kit, everything);
	studio_kit_index(kit);
	assert_int_equal(tn_studio_edges_all(&kit->document, &kit->arena, &edges, &count, NULL),
			 TENON_OK);
	assert_int_equal(count, 2);
	assert_string_equal(edges[1].id.data, "ref:app:vnet_integration_subnet_id:sub");
	assert_string_equal(edges[1].source_handle.data, "ref-vnet_integration_subnet_id");
	assert_true(tn_str_is(edges[1].target_handle, "node"));
	assert_true(edges[1].derived);
	assert_false(edges[0].derived);
	assert_ptr_equal(edges[1].source, node(kit, "app"));
}

static void expect_refusal(struct studio_kit *kit, const char *operation, const char *words)
{
	char text[4096];
	const char *before = studio_kit_saved(kit);

	(void)snprintf(text, sizeof(text), "[%s]", operation);
	assert_int_not_equal(studio_kit_commit(kit, text), TENON_OK);
	if (!strstr(kit->err.message, words))
		fail_msg("'%s' instead of '%s'", kit->err.message, words);
	assert_string_equal(studio_kit_saved(kit), before);
}

static void what_has_no_form_is_refused(void **state)
{
	static const char *const cases[][2] = {
		{"{\"op\":\"fly\"}", "no operation 'fly'"},
		{"{}", "no operation"},
		{"{\"op\":\"putNode\"}", "there is no node"},
		{PUT("{\"id\":\"a b\"}"), "has no id"},
		{PUT("{\"id\":\"a\"}"), "typeId is missing"},
		{PUT("{\"id\":\"a\",\"typeId\":\"t\"}"), "label has not"},
		{PUT("{\"id\":\"a\",\"typeId\":\"t\",\"label\":\"\"}"), "label has not"},
		{PUT("{\"id\":\"a\",\"typeId\":\"t\",\"label\":\"l\",\"terraformName\":\"1a\"}"),
		 "no HCL identifier"},
		{PUT("{\"id\":\"a\",\"typeId\":\"t\",\"label\":\"l\",\"terraformName\":\"net\"}"),
		 "is taken"},
		{PUT("{\"id\":\"a\",\"typeId\":\"t\",\"label\":\"l\",\"terraformName\":\"a\","
		     "\"parentId\":7}"),
		 "parentId is no string"},
		{PUT("{\"id\":\"a\",\"typeId\":\"t\",\"label\":\"l\",\"terraformName\":\"a\","
		     "\"properties\":[]}"),
		 "properties is no object"},
		{PUT("{\"id\":\"a\",\"typeId\":\"t\",\"label\":\"a\\u0000b\",\"terraformName\":"
		     "\"a\"}"),
		 "NUL"},
		{"{\"op\":\"removeNode\",\"id\":\"nobody\"}", "no node 'nobody'"},
		{"{\"op\":\"removeNode\",\"id\":\"app\"}", "still has edges"},
		{"{\"op\":\"putEdge\",\"edge\":{\"id\":\"e\",\"source\":\"app\",\"sourceHandle\":"
		 "\"h\",\"target\":\"gone\",\"targetHandle\":\"h\",\"category\":\"binding\"}}",
		 "there is no node gone"},
		{"{\"op\":\"putEdge\",\"edge\":{\"id\":\"e\",\"source\":\"app\",\"sourceHandle\":"
		 "\"h\",\"target\":\"net\",\"targetHandle\":\"h\",\"category\":\"reference\"}}",
		 "category is none of"},
		{"{\"op\":\"removeEdge\",\"id\":\"e9\"}", "no edge 'e9'"},
		{"{\"op\":\"place\",\"nodes\":[{\"id\":\"app\",\"x\":1.5,\"y\":2}]}", "whole x"},
		{"{\"op\":\"place\",\"nodes\":[{\"id\":\"app\",\"x\":1,\"y\":2},{\"id\":\"app\","
		 "\"x\":1,\"y\":2}]}",
		 "two places"},
		{"{\"op\":\"setConfig\",\"config\":[]}", "no object"},
		{"{\"op\":\"setBudget\",\"budget\":\"1\"}", "no number"},
		{"{\"op\":\"setUsage\",\"usage\":{}}", "usage needs"},
		{"{\"op\":\"setPart\",\"key\":\"config\",\"value\":1}", "none of modules"},
		{"{\"op\":\"replace\",\"document\":{\"nodes\":[" GROUP "," GROUP "]}}",
		 "two nodes have the id rg"},
		{"{\"op\":\"replace\"}", "no object"},
	};
	struct studio_kit *kit = *state;

	studio_kit_change(kit, everything);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		expect_refusal(kit, cases[i][0], cases[i][1]);
}

/* studio.md 21: what a node may hold. */
static void nodes_have_limits(void **state)
{
	struct studio_kit *kit = *state;
	struct tn_buf text;
	enum { OPEN = 18 };

	tn_buf_init(&text, TN_MIB);
	tn_buf_append_text(&text, "[{\"op\":\"putNode\",\"node\":{\"id\":\"a\",\"typeId\":\"t\","
				  "\"label\":\"l\",\"terraformName\":\"a\",\"properties\":{\"p\":");
	for (int i = 0; i < OPEN; i++)
		tn_buf_append_byte(&text, '[');
	for (int i = 0; i < OPEN; i++)
		tn_buf_append_byte(&text, ']');
	tn_buf_append(&text, "}}}]", 5);
	assert_int_equal(studio_kit_commit(kit, text.data), TENON_LIMIT);
	assert_non_null(strstr(kit->err.message, "deep"));
	tn_buf_clear(&text);
	tn_buf_append_text(&text,
			   "[{\"op\":\"putNode\",\"node\":{\"id\":\"a\",\"typeId\":\"t\","
			   "\"label\":\"l\",\"terraformName\":\"a\",\"properties\":{\"p\":\"");
	for (size_t i = 0; i <= TN_STUDIO_STRING_BYTES_MAX; i++)
		tn_buf_append_byte(&text, 'x');
	tn_buf_append(&text, "\"}}}]", 6);
	assert_int_equal(studio_kit_commit(kit, text.data), TENON_LIMIT);
	tn_buf_finish(&text);
	assert_int_equal(kit->document.node_count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		STUDIO_KIT_TEST(operations_and_their_inverses),
		STUDIO_KIT_TEST(what_is_derived),
		STUDIO_KIT_TEST(circles_of_parents_end),
		STUDIO_KIT_TEST(deep_nests_end),
		STUDIO_KIT_TEST(references_are_edges),
		STUDIO_KIT_TEST(what_has_no_form_is_refused),
		STUDIO_KIT_TEST(nodes_have_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
