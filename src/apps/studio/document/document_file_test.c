/* The files of a diagram: written as they were read, and repaired where they must be (studio.md 4,
 * ST-020, ST-026, ST-031 to ST-034). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "apps/studio/document/document_test_kit.h"
#include "apps/studio/limits.h"

static const char full[] = "{\n"
			   "  \"formatVersion\": 1,\n"
			   "  \"revision\": 42,\n"
			   "  \"nodes\": [\n"
			   "    {\n"
			   "      \"id\": \"rg\",\n"
			   "      \"typeId\": \"azurerm/core/resource_group\",\n"
			   "      \"label\": \"Gr\xc3\xbcppe \\\"1\\\"\\n\",\n"
			   "      \"terraformName\": \"rg\",\n"
			   "      \"position\": {\n"
			   "        \"x\": 40,\n"
			   "        \"y\": 60.0\n"
			   "      },\n"
			   "      \"size\": {\n"
			   "        \"width\": 360,\n"
			   "        \"height\": 220\n"
			   "      },\n"
			   "      \"properties\": {},\n"
			   "      \"future\": [1, 2.50, \"x\", null, true]\n"
			   "    },\n"
			   "    {\n"
			   "      \"id\": \"net\",\n"
			   "      \"typeId\": \"never/heard/of_it\",\n"
			   "      \"label\": \"N\",\n"
			   "      \"terraformName\": \"net\",\n"
			   "      \"parentId\": \"rg\",\n"
			   "      \"references\": {\n"
			   "        \"anything\": \"gone\"\n"
			   "      },\n"
			   "      \"deep\": [\n"
			   "        [],\n"
			   "        {\n"
			   "          \"a\": [1]\n"
			   "        }\n"
			   "      ]\n"
			   "    }\n"
			   "  ],\n"
			   "  \"edges\": [\n"
			   "    {\n"
			   "      \"id\": \"e\",\n"
			   "      \"source\": \"rg\",\n"
			   "      \"sourceHandle\": \"node\",\n"
			   "      \"target\": \"net\",\n"
			   "      \"targetHandle\": \"node\",\n"
			   "      \"category\": \"annotation\"\n"
			   "    }\n"
			   "  ],\n"
			   "  \"modules\": [],\n"
			   "  \"instances\": [],\n"
			   "  \"viewport\": {\n"
			   "    \"x\": 0,\n"
			   "    \"y\": 1e3,\n"
			   "    \"zoom\": 1.0\n"
			   "  },\n"
			   "  \"comments\": []\n"
			   "}\n";

/* ST-020, ST-026: what was read is written as it was, unknown members and types too. */
static void a_file_is_written_as_it_was_read(void **state)
{
	struct studio_kit *kit = *state;

	assert_string_equal(studio_kit_read(kit, full, NULL), "[]");
	assert_string_equal(studio_kit_written(kit, 42), full);
	/* And it survives the log's own form. */
	studio_kit_undo(kit);
	studio_kit_redo(kit);
	assert_string_equal(studio_kit_written(kit, 42), full);
}

static void an_empty_file_is_written_so(void **state)
{
	struct studio_kit *kit = *state;

	assert_string_equal(studio_kit_written(kit, 0),
			    "{\n  \"formatVersion\": 1,\n  \"revision\": 0,\n"
			    "  \"nodes\": [],\n  \"edges\": [],\n"
			    "  \"modules\": [],\n  \"instances\": []\n}\n");
}

static void costs_have_a_file_of_their_own(void **state)
{
	static const char text[] = "{\n  \"formatVersion\": 1,\n  \"usage\": {\n    \"rg\": {\n"
				   "      \"hours\": 7.50\n    }\n  },\n  \"budget\": 120.5,\n"
				   "  \"future\": true\n}\n";
	struct studio_kit *kit = *state;
	struct tn_buf out;

	tn_buf_init(&out, TN_MIB);
	tn_studio_document_write_cost(&kit->document, &out);
	assert_int_equal(out.size, 0); /* only if not empty */
	assert_string_equal(studio_kit_read(kit, full, text), "[]");
	assert_true(kit->document.budget > 120.4);
	tn_studio_document_write_cost(&kit->document, &out);
	tn_buf_append_byte(&out, '\0');
	assert_string_equal(out.data, text);
	tn_buf_finish(&out);
}

#define NODE(id, type, rest)                                                                      \
	"{\"id\":\"" id "\",\"typeId\":\"" type "\",\"label\":\"" id "\",\"terraformName\":\"" id \
	"\"" rest "}"
#define DIAGRAM(nodes, edges) "{\"formatVersion\":1,\"nodes\":[" nodes "],\"edges\":[" edges "]}"
#define EDGE(id, a, ah, b, bh)                                                                \
	"{\"id\":\"" id "\",\"source\":\"" a "\",\"sourceHandle\":\"" ah "\",\"target\":\"" b \
	"\",\"targetHandle\":\"" bh "\",\"category\":\"structural\"}"
#define GROUP "azurerm/core/resource_group"
#define APP "azurerm/compute/app_service"
#define PLAN "azurerm/compute/app_service_plan"
#define SUBNET "azurerm/networking/subnet"

static const struct tn_studio_node *node(struct studio_kit *kit, const char *id)
{
	return studio_kit_node(kit, id);
}

#define BROKEN_NODES                                                                               \
	NODE("a", GROUP, ",\"parentId\":\"b\"")                                                    \
	"," NODE("b", GROUP, ",\"parentId\":\"a\"") "," NODE(                                      \
		"c", GROUP,                                                                        \
		",\"parentId\":\"x\"") "," NODE("a", GROUP,                                        \
						"") "," NODE("d", APP,                             \
							     ",\"references\":{\"service_plan_"    \
							     "id\":\"a\",\"identity_ids\":[\"x\"]" \
							     ","                                   \
							     "\"unknown\":\"x\"}") ",{\"id\":"     \
										   "\"e\","        \
										   "\"typeId\":"   \
										   "\"" GROUP      \
										   "\","           \
										   "\"terraformNa" \
										   "me\":\"1\"}"
#define BROKEN_EDGES                                                                           \
	EDGE("e1", "a", "node", "gone", "node")                                                \
	"," EDGE("e2", "a", "node", "b", "node") ",{\"id\":\"e2\",\"source\":\"a\","           \
						 "\"sourceHandle\":\"node\",\"target\":\"c\"," \
						 "\"targetHandle\":\"node\"},7"

/* ST-033 */
static void invariants_are_repaired(void **state)
{
	struct studio_kit *kit = *state;
	const char *repairs = studio_kit_read(kit, DIAGRAM(BROKEN_NODES, BROKEN_EDGES), NULL);

	assert_non_null(repairs);
	assert_int_equal(kit->document.node_count, 6);
	assert_true((node(kit, "a")->parent != NULL) != (node(kit, "b")->parent != NULL));
	assert_null(node(kit, "c")->parent);
	assert_non_null(strstr(repairs, "own descendants"));
	assert_non_null(strstr(repairs, "DUPLICATE_ID"));
	assert_non_null(strstr(repairs, "DUPLICATE_NAME"));
	assert_string_equal(studio_kit_json(kit, node(kit, "d")->references),
			    "{\"unknown\":\"x\"}");
	assert_string_equal(node(kit, "e")->label.data, "Resource Group");
	assert_string_equal(node(kit, "e")->name.data, "_1");
	assert_int_equal(kit->document.edge_count, 2);
	assert_int_equal(kit->document.edges[1]->category, TN_STUDIO_ANNOTATION);
	/* What was repaired needs no repair. */
	assert_string_equal(studio_kit_read(kit, studio_kit_written(kit, 1), NULL), "[]");
}

/* 4.1: names are one node's of a type, own names one node's of all. */
static void names_are_repaired(void **state)
{
	static const char *const nodes[][5] = {
		/* id, type, name, more; what is named after it */
		{"a", GROUP, "main", "", "main"},
		{"b", SUBNET, "main", "", "subnet_main_2"}, /* what others have stays theirs */
		{"c", SUBNET, "main", "", "main_2"},
		{"d", APP, "subnet_main", "", "subnet_main"},
		{"e", APP, "app", ",\"ownName\":\"web\"", "web"},
		{"f", GROUP, "f", ",\"ownName\":7", "f"},
		{"g", "x/y/z", "main", ",\"ownName\":\"z\"", "z"},
	};
	enum { COUNT = sizeof(nodes) / sizeof(nodes[0]) };
	struct studio_kit *kit = *state;
	const char *text = "", *repairs;

	for (size_t i = 0; i < COUNT; i++)
		text = studio_kit_format(kit,
					 "%s%s{\"id\":\"%s\",\"typeId\":\"%s\",\"label\":\"L\","
					 "\"terraformName\":\"%s\"%s}",
					 text, i ? "," : "", nodes[i][0], nodes[i][1], nodes[i][2],
					 nodes[i][3]);
	text = studio_kit_format(kit, "{\"formatVersion\":1,\"nodes\":[%s]}", text);
	repairs = studio_kit_read(kit, text, NULL);
	assert_non_null(strstr(repairs, "named after 'subnet_main_2'"));
	for (int round = 0; round < 2; round++) {
		for (size_t i = 0; i < COUNT; i++) {
			assert_true(tn_str_is(node(kit, nodes[i][0])->own, nodes[i][4]));
			assert_true(tn_str_is(node(kit, nodes[i][0])->name,
					      i == 2 ? "main_2" : nodes[i][2]));
		}
		assert_string_equal(studio_kit_read(kit, studio_kit_written(kit, 1), NULL), "[]");
	}
}

/* A ring of thousands is one chain when it is cut; no rule of the diagram lets it be so deep
 * (ST-042, 21), and whoever walks up from each of its nodes would walk for ever. */
static void nothing_is_nested_deeper_than_may_be(void **state)
{
	enum { COUNT = 500 };
	struct studio_kit *kit = *state;
	const struct tn_studio_node *one;
	uint32_t deepest = 0;
	struct tn_buf text;

	tn_buf_init(&text, TN_MIB);
	tn_buf_format(&text, "{\"formatVersion\":1,\"nodes\":[");
	for (int i = 0; i < COUNT; i++)
		tn_buf_format(&text,
			      "%s{\"id\":\"n%d\",\"typeId\":\"" GROUP
			      "\",\"terraformName\":\"n%d\",\"parentId\":\"n%d\"}",
			      i > 0 ? "," : "", i, i, (i + 1) % COUNT);
	tn_buf_append(&text, "]}", 3);
	assert_non_null(strstr(studio_kit_read(kit, text.data, NULL), "as deep as may be"));
	assert_int_equal(kit->document.node_count, COUNT);
	studio_kit_index(kit);
	for (size_t i = 0; i < COUNT; i++) {
		one = kit->document.nodes[i];
		deepest = one->depth > deepest ? one->depth : deepest;
	}
	assert_int_equal(deepest, TN_STUDIO_DEPTH_MAX - 1);
	assert_string_equal(studio_kit_read(kit, studio_kit_written(kit, 1), NULL), "[]");
	tn_buf_finish(&text);
}

/* ST-034 */
static void edges_and_references_are_completed(void **state)
{
	struct studio_kit *kit = *state;
	const char *repairs;

	repairs = studio_kit_read(
		kit,
		DIAGRAM(NODE("p", PLAN, "") "," NODE("a", APP, "") "," NODE(
				"b", APP, ",\"references\":{\"service_plan_id\":\"p\"}"),
			EDGE("e", "p", "asp-out", "a", "asp-in")),
		NULL);
	assert_non_null(strstr(repairs, "as its edge says"));
	assert_non_null(strstr(repairs, "has its edge now"));
	assert_string_equal(studio_kit_json(kit, node(kit, "a")->references),
			    "{\"service_plan_id\":\"p\"}");
	assert_int_equal(kit->document.edge_count, 2);
	assert_string_equal(kit->document.edges[1]->target_id.data, "b");
	assert_string_equal(studio_kit_read(kit, studio_kit_written(kit, 1), NULL), "[]");
	/* Where they contradict each other the reference stands. */
	repairs = studio_kit_read(
		kit,
		DIAGRAM(NODE("p", PLAN, "") "," NODE("q", PLAN, "") "," NODE(
				"a", APP, ",\"references\":{\"service_plan_id\":\"q\"}"),
			EDGE("e", "p", "asp-out", "a", "asp-in")),
		NULL);
	assert_non_null(strstr(repairs, "another target"));
	assert_int_equal(kit->document.edge_count, 1);
	assert_string_equal(kit->document.edges[0]->source_id.data, "q");
	/* A stored edge of a `ref-` handle is folded into the reference. */
	(void)studio_kit_read(
		kit,
		DIAGRAM(NODE("s", SUBNET, "") "," NODE("a", APP, ""),
			EDGE("e", "a", "ref-vnet_integration_subnet_id", "s", "node")),
		NULL);
	assert_int_equal(kit->document.edge_count, 0);
	assert_string_equal(studio_kit_json(kit, node(kit, "a")->references),
			    "{\"vnet_integration_subnet_id\":\"s\"}");
}

static void what_is_no_diagram_is_refused(void **state)
{
	static const char *const cases[][3] = {
		{"[]", "PROJECT_INVALID", "no object"},
		{"{}", "PROJECT_INVALID", "no formatVersion"},
		{"{\"formatVersion\":2}", "FORMAT_TOO_NEW", "format 2"},
		{"{\"formatVersion\":1,\"nodes\":{}}", "PROJECT_INVALID", "nodes is no array"},
		{"{\"formatVersion\":1,\"nodes\":[1]}", "PROJECT_INVALID", "node 0"},
		{"{\"formatVersion\":1,\"nodes\":[{\"id\":\"../x\"}]}", "PROJECT_INVALID", "no id"},
		{"{\"formatVersion\":1,\"nodes\":[{\"id\":\"x\"}]}", "PROJECT_INVALID", "typeId"},
		{DIAGRAM(NODE("x", GROUP, ",\"properties\":7"), ""), "PROJECT_INVALID",
		 "node x: properties is no object"},
		{DIAGRAM(NODE("x", GROUP, ",\"notes\":\"a\\u0000b\""), ""), "PROJECT_INVALID",
		 "NUL"},
	};
	struct studio_kit *kit = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (studio_kit_read(kit, cases[i][0], NULL))
			fail_msg("read: %s", cases[i][0]);
		assert_string_equal(kit->fault.code, cases[i][1]);
		if (!strstr(kit->fault.message, cases[i][2]))
			fail_msg("'%s' instead of '%s'", kit->fault.message, cases[i][2]);
	}
	assert_int_equal(kit->document.node_count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		STUDIO_KIT_TEST(a_file_is_written_as_it_was_read),
		STUDIO_KIT_TEST(an_empty_file_is_written_so),
		STUDIO_KIT_TEST(costs_have_a_file_of_their_own),
		STUDIO_KIT_TEST(invariants_are_repaired),
		STUDIO_KIT_TEST(names_are_repaired),
		STUDIO_KIT_TEST(nothing_is_nested_deeper_than_may_be),
		STUDIO_KIT_TEST(edges_and_references_are_completed),
		STUDIO_KIT_TEST(what_is_no_diagram_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
