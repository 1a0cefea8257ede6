/* The files of a diagram: written as they were read, repaired where they must be, and what edits at
 * random do to them (studio.md 4, ST-020, ST-026, ST-031 to ST-034). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "apps/studio/document/document_test_kit.h"
#include "apps/studio/limits.h"
#include "jsonrpc/json_write.h"

static const char *written(struct studio_kit *kit, uint64_t revision)
{
	struct tn_buf out;
	const char *text;

	tn_buf_init(&out, 64 * TN_MIB);
	tn_studio_document_write_diagram(&kit->document, revision, &out);
	assert_false(out.failed);
	text = tn_arena_copy(&kit->arena, tn_buf_str(&out));
	tn_buf_finish(&out);
	return text;
}

/* Reads a file over what there is. Returns the repairs; NULL: kit->fault. */
static const char *read_file(struct studio_kit *kit, const char *diagram, const char *cost)
{
	const struct tn_commit commit = {.actor = "x", .label = "x", .expected_revision = -1};
	struct tn_json *operation = NULL, *cost_tree = cost ? studio_kit_parse(kit, cost) : NULL;
	struct tn_buf repairs;
	const char *text = NULL;

	kit->fault = (struct tn_studio_fault){.code = NULL};
	tn_buf_init(&repairs, TN_MIB);
	if (tn_studio_document_read(kit->registry, studio_kit_parse(kit, diagram), cost_tree, NULL,
				    &kit->arena, &operation, &repairs, &kit->fault)) {
		assert_int_equal(tn_oplog_begin(kit->log, -1, &kit->err), TENON_OK);
		if (tn_oplog_step(kit->log, operation, &kit->err) != TENON_OK)
			fail_msg("%s", kit->err.message);
		assert_int_equal(tn_oplog_end(kit->log, &commit, &kit->change, &kit->err),
				 TENON_OK);
		text = tn_arena_copy(&kit->arena, tn_buf_str(&repairs));
		(void)studio_kit_parse(kit, text);
	}
	tn_buf_finish(&repairs);
	return text;
}

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

	assert_string_equal(read_file(kit, full, NULL), "[]");
	assert_string_equal(written(kit, 42), full);
	/* And it survives the log's own form. */
	studio_kit_undo(kit);
	studio_kit_redo(kit);
	assert_string_equal(written(kit, 42), full);
}

static void an_empty_file_is_written_so(void **state)
{
	struct studio_kit *kit = *state;

	assert_string_equal(written(kit, 0), "{\n  \"formatVersion\": 1,\n  \"revision\": 0,\n"
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
	assert_string_equal(read_file(kit, full, text), "[]");
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
	const char *repairs = read_file(kit, DIAGRAM(BROKEN_NODES, BROKEN_EDGES), NULL);

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
	assert_string_equal(read_file(kit, written(kit, 1), NULL), "[]");
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
	repairs = read_file(kit, text, NULL);
	assert_non_null(strstr(repairs, "named after 'subnet_main_2'"));
	for (int round = 0; round < 2; round++) {
		for (size_t i = 0; i < COUNT; i++) {
			assert_true(tn_str_is(node(kit, nodes[i][0])->own, nodes[i][4]));
			assert_true(tn_str_is(node(kit, nodes[i][0])->name,
					      i == 2 ? "main_2" : nodes[i][2]));
		}
		assert_string_equal(read_file(kit, written(kit, 1), NULL), "[]");
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
	assert_non_null(strstr(read_file(kit, text.data, NULL), "as deep as may be"));
	assert_int_equal(kit->document.node_count, COUNT);
	studio_kit_index(kit);
	for (size_t i = 0; i < COUNT; i++) {
		one = kit->document.nodes[i];
		deepest = one->depth > deepest ? one->depth : deepest;
	}
	assert_int_equal(deepest, TN_STUDIO_DEPTH_MAX - 1);
	assert_string_equal(read_file(kit, written(kit, 1), NULL), "[]");
	tn_buf_finish(&text);
}

/* ST-034 */
static void edges_and_references_are_completed(void **state)
{
	struct studio_kit *kit = *state;
	const char *repairs;

	repairs =
		read_file(kit,
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
	assert_string_equal(read_file(kit, written(kit, 1), NULL), "[]");
	/* Where they contradict each other the reference stands. */
	repairs =
		read_file(kit,
			  DIAGRAM(NODE("p", PLAN, "") "," NODE("q", PLAN, "") "," NODE(
					  "a", APP, ",\"references\":{\"service_plan_id\":\"q\"}"),
				  EDGE("e", "p", "asp-out", "a", "asp-in")),
			  NULL);
	assert_non_null(strstr(repairs, "another target"));
	assert_int_equal(kit->document.edge_count, 1);
	assert_string_equal(kit->document.edges[0]->source_id.data, "q");
	/* A stored edge of a `ref-` handle is folded into the reference. */
	(void)read_file(kit,
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
		if (read_file(kit, cases[i][0], NULL))
			fail_msg("read: %s", cases[i][0]);
		assert_string_equal(kit->fault.code, cases[i][1]);
		if (!strstr(kit->fault.message, cases[i][2]))
			fail_msg("'%s' instead of '%s'", kit->fault.message, cases[i][2]);
	}
	assert_int_equal(kit->document.node_count, 0);
}

/* ---- edits at random ---- */

static uint64_t next(uint64_t *seed)
{
	*seed ^= *seed >> 12;
	*seed ^= *seed << 25;
	*seed ^= *seed >> 27;
	return *seed * 0x2545f4914f6cdd1dULL;
}

static const char *some_node(struct studio_kit *kit, uint64_t *seed)
{
	if (kit->document.node_count == 0)
		return "nobody";
	return kit->document.nodes[(next(seed) >> 20) % kit->document.node_count]->id.data;
}

static const char *some_edge(struct studio_kit *kit, uint64_t *seed)
{
	const struct tn_studio_edge *edges = NULL;
	size_t count = 0;

	studio_kit_index(kit);
	assert_int_equal(
		tn_studio_edges_all(&kit->document, &kit->arena, &edges, &count, &kit->err),
		TENON_OK);
	return count ? edges[(next(seed) >> 20) % count].id.data : "nothing";
}

static const char *random_join(struct studio_kit *kit, uint64_t *seed)
{
	const struct tn_studio_rule *rule =
		&kit->registry->rules[(next(seed) >> 20) % kit->registry->rule_count];
	const char *source = "x", *target = "x";

	for (size_t i = 0; i < kit->document.node_count; i++) {
		const struct tn_studio_node *at = kit->document.nodes[i];

		if (at->type == rule->from && next(seed) >> 63)
			source = at->id.data;
		if (at->type == rule->to && next(seed) >> 63)
			target = at->id.data;
	}
	return studio_kit_format(kit,
				 "{\"sourceInstanceId\":\"%s\",\"sourceHandle\":\"%s\","
				 "\"targetInstanceId\":\"%s\",\"targetHandle\":\"%s\"}",
				 source, rule->from_handle.data, target, rule->to_handle.data);
}

static const char *random_update(struct studio_kit *kit, uint64_t *seed)
{
	const char *id = some_node(kit, seed), *other = some_node(kit, seed);

	switch (next(seed) >> 62) {
	case 0:
		return studio_kit_format(
			kit, "{\"instanceId\":\"%s\",\"properties\":{\"name\":\"n%u\"}}", id,
			(unsigned)(next(seed) >> 50));
	case 1:
		return studio_kit_format(kit,
					 "{\"instanceId\":\"%s\",\"properties\":{},\"references\":{"
					 "\"service_plan_id\":\"%s\"}}",
					 id, other);
	case 2:
		return studio_kit_format(kit,
					 "{\"instanceId\":\"%s\",\"properties\":{\"name\":null},"
					 "\"terraformName\":\"t%u\",\"label\":\"\xc3\xa9 ${x}\"}",
					 id, (unsigned)(next(seed) >> 55));
	default:
		return studio_kit_format(
			kit, "{\"instanceId\":\"%s\",\"properties\":{},\"notes\":\"%u\"}", id,
			(unsigned)(next(seed) >> 50));
	}
}

/* Most are accepted, some refused; both leave a diagram that holds its promises. */
/* Each random choice is a statement of its own: arguments are evaluated in any order. */
static void random_edit(struct studio_kit *kit, uint64_t *seed)
{
	uint64_t way = (next(seed) >> 20) % 16;
	size_t number = (next(seed) >> 20) % kit->registry->type_count;
	const char *type = kit->registry->types[number]->id.data;
	const char *node = some_node(kit, seed);
	const char *other = some_node(kit, seed);

	if (way < 9) {
		(void)studio_kit_edit(
			kit, tn_studio_edit_add,
			next(seed) >> 62
				? studio_kit_format(kit, "{\"typeId\":\"%s\",\"parentId\":\"%s\"}",
						    type, node)
				: studio_kit_format(kit, "{\"typeId\":\"%s\"}", type));
	} else if (way == 9) {
		(void)studio_kit_edit(kit, tn_studio_edit_remove,
				      studio_kit_format(kit, "{\"instanceId\":\"%s\"}", node));
	} else if (way == 10) {
		(void)studio_kit_edit(
			kit, tn_studio_edit_disconnect,
			studio_kit_format(kit, "{\"edgeId\":\"%s\"}", some_edge(kit, seed)));
	} else if (way == 11) {
		(void)studio_kit_edit(
			kit, tn_studio_edit_move,
			studio_kit_format(kit, "{\"instanceId\":\"%s\",\"parentId\":\"%s\"}", node,
					  other));
	} else if (way < 14) {
		(void)studio_kit_edit(kit, tn_studio_edit_update, random_update(kit, seed));
	} else {
		(void)studio_kit_edit(kit, tn_studio_edit_connect, random_join(kit, seed));
	}
}

/* After any number of edits: back to the start byte for byte, forward to the end, and the file
 * needs no repair, which is to say that every invariant holds. */
static void random_edits_can_be_undone(void **state)
{
	struct studio_kit *kit = *state;

	for (uint64_t round = 1; round <= 12; round++) {
		const char *start = studio_kit_saved(kit), *end;
		uint64_t seed = round * 7919;
		unsigned changes = 0;

		for (int i = 0; i < 150; i++) {
			uint64_t before = tn_oplog_revision(kit->log);

			random_edit(kit, &seed);
			changes += tn_oplog_revision(kit->log) != before;
		}
		assert_true(changes > 30 && changes < 200);
		end = studio_kit_saved(kit);
		for (unsigned i = 0; i < changes; i++)
			studio_kit_undo(kit);
		assert_string_equal(studio_kit_saved(kit), start);
		for (unsigned i = 0; i < changes; i++)
			studio_kit_redo(kit);
		assert_string_equal(studio_kit_saved(kit), end);
		assert_string_equal(read_file(kit, written(kit, 1), NULL), "[]");
		assert_string_equal(studio_kit_saved(kit), end);
		studio_kit_undo(kit);
	}
	assert_true(kit->document.node_count > 100);
}

/* ---- hostile values ---- */

/* studio.md 21: 1 MB is refused, in words; what fits stays as it is. */
static void hostile_values_stay_values(void **state)
{
	static const char *const texts[] = {"${file(\\\"/etc/passwd\\\")}",
					    "%{ if true }x%{ endif }",
					    "<<EOT\\nx\\nEOT",
					    "../../etc/passwd",
					    "\\\" } resource \\\"x\\\" \\\"y\\\" {",
					    "\\u0001\\u007f",
					    "\xf0\x9f\x92\xa9"};
	struct studio_kit *kit = *state;
	struct tn_buf big;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		const struct tn_json *answer = studio_kit_done(
			kit, tn_studio_edit_add,
			studio_kit_format(kit,
					  "{\"typeId\":\"aws/networking/vpc\",\"label\":\"%s\","
					  "\"properties\":{\"name\":\"%s\"}}",
					  texts[i], texts[i]));
		struct tn_str name = tn_str_from(studio_kit_text(answer, "terraformName"));

		for (size_t j = 0; j < name.size; j++)
			assert_true(tn_is_alpha(name.data[j]) || tn_is_digit(name.data[j]) ||
				    name.data[j] == '_');
	}
	assert_string_equal(read_file(kit, written(kit, 1), NULL), "[]");
	tn_buf_init(&big, 4 * TN_MIB);
	tn_buf_append_text(&big, "{\"typeId\":\"aws/networking/vpc\",\"properties\":{\"name\":\"");
	for (size_t i = 0; i < TN_MIB; i++)
		tn_buf_append_byte(&big, 'x');
	tn_buf_append(&big, "\"}}", 4);
	(void)studio_kit_refused(kit, tn_studio_edit_add, big.data, "LIMIT_EXCEEDED");
	tn_buf_finish(&big);
	(void)studio_kit_refused(kit, tn_studio_edit_add,
				 "{\"typeId\":\"aws/networking/vpc\",\"label\":\"a\\u0000b\"}",
				 "INVALID_INPUT");
	(void)studio_kit_refused(kit, tn_studio_edit_add,
				 "{\"typeId\":\"aws/networking/vpc\",\"properties\":{\"name\":"
				 "\"a\\u0000b\"}}",
				 "INVALID_INPUT");
}

/* ST-061 */
static void another_revision_is_refused(void **state)
{
	struct studio_kit *kit = *state;
	struct tn_studio_edit edit = {.document = &kit->document,
				      .log = kit->log,
				      .arena = &kit->arena,
				      .fault = &kit->fault};

	(void)studio_kit_add(kit, GROUP, NULL);
	assert_false(tn_studio_edit_begin(&edit, 7));
	assert_string_equal(kit->fault.code, "STALE_REVISION");
	assert_string_equal(kit->fault.details.data, "{\"revision\":1,\"expectedRevision\":7}");
}

/* 12.6: a batch is one change; a step that fails leaves the others, abandoning leaves nothing. */
static void many_steps_are_one_change(void **state)
{
	struct studio_kit *kit = *state;
	struct tn_studio_edit edit = {.document = &kit->document,
				      .log = kit->log,
				      .arena = &kit->arena,
				      .fault = &kit->fault,
				      .actor = "x",
				      .tool = "execute_batch"};
	struct tn_buf result;
	size_t size;

	tn_buf_init(&result, TN_MIB);
	tn_json_begin_object(&result);
	assert_true(tn_studio_edit_begin(&edit, -1));
	assert_true(tn_studio_edit_add(&edit, studio_kit_parse(kit, "{\"typeId\":\"" GROUP "\"}"),
				       &result));
	size = result.size;
	assert_false(
		tn_studio_edit_add(&edit, studio_kit_parse(kit, "{\"typeId\":\"x\"}"), &result));
	assert_int_equal(result.size, size);
	assert_true(tn_studio_edit_add(&edit, studio_kit_parse(kit, "{\"typeId\":\"" GROUP "\"}"),
				       &result));
	assert_true(tn_studio_edit_finish(&edit, NULL, false, &kit->change));
	assert_string_equal(kit->change.label, "2 changes");
	assert_int_equal(kit->change.revision, 1);
	assert_int_equal(kit->document.node_count, 2);
	studio_kit_undo(kit);
	assert_int_equal(kit->document.node_count, 0);
	assert_true(tn_studio_edit_begin(&edit, -1));
	assert_true(tn_studio_edit_add(&edit, studio_kit_parse(kit, "{\"typeId\":\"" GROUP "\"}"),
				       &result));
	tn_studio_edit_abandon(&edit);
	assert_int_equal(kit->document.node_count, 0);
	assert_int_equal(tn_oplog_revision(kit->log), 2);
	tn_buf_finish(&result);
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
		STUDIO_KIT_TEST(random_edits_can_be_undone),
		STUDIO_KIT_TEST(hostile_values_stay_values),
		STUDIO_KIT_TEST(another_revision_is_refused),
		STUDIO_KIT_TEST(many_steps_are_one_change),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
