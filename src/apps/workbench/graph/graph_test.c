/* The graph as its contract says it: G1 to G11, N5 to N7. */
#include "apps/workbench/graph/graph.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "apps/workbench/graph/graph_test_kit.h"
#include "apps/workbench/limits.h"

#define ROUTE(id, path) "{\"kind\":\"route\",\"id\":\"" id "\",\"path\":\"" path "\"}"
#define TYPE(id, name) "{\"kind\":\"componentType\",\"id\":\"" id "\",\"displayName\":\"" name "\"}"
#define USES(route, type)                                           \
	"{\"kind\":\"routeUsesComponentType\",\"routeId\":\"" route \
	"\",\"componentTypeId\":\"" type "\"}"
#define TYPES(from, to) \
	"{\"kind\":\"componentTypeUsesComponentType\",\"from\":\"" from "\",\"to\":\"" to "\"}"
#define SNAPSHOT(nodes, edges) \
	"{\"schemaVersion\":\"v0\",\"revision\":1,\"nodes\":[" nodes "],\"edges\":[" edges "]}"
#define PATCH(revision, ops) \
	"{\"schemaVersion\":\"v0\",\"revision\":" revision ",\"ops\":[" ops "]}"
#define UPSERT(node) "{\"op\":\"upsertNode\",\"node\":" node "}"
#define REMOVE(type) \
	"{\"op\":\"removeNode\",\"node\":{\"kind\":\"componentType\",\"id\":\"" type "\"}}"

static int set_up(void **state)
{
	*state = tn_wb_graph_create(TN_WB_GRAPH_PROJECT);
	return *state ? 0 : -1;
}

static int tear_down(void **state)
{
	tn_wb_graph_destroy(*state);
	return 0;
}

static void a_fresh_graph_is_empty_at_revision_0(void **state)
{
	assert_snapshot(*state,
			"{\"schemaVersion\":\"v0\",\"revision\":0,\"nodes\":[],\"edges\":[]}");
}

static void a_snapshot_is_canonical_whatever_order_it_came_in(void **state)
{
	struct tn_wb_update update =
		put(*state, "a", TN_WB_RANK_ROUTES,
		    SNAPSHOT(TYPE("ui.b", "B") "," ROUTE("route:/x", "/x") "," TYPE(
				     "ui.a", "A") "," ROUTE("route:/", "/"),
			     TYPES("ui.b", "ui.a") "," USES("route:/x", "ui.a")));

	assert_true(update.accepted && update.changed);
	assert_int_equal(update.revision, 1);
	assert_snapshot(*state, SNAPSHOT(ROUTE("route:/", "/") "," ROUTE("route:/x", "/x") "," TYPE(
						 "ui.a", "A") "," TYPE("ui.b", "B"),
					 USES("route:/x", "ui.a") "," TYPES("ui.b", "ui.a")));
}

static void an_update_without_effect_is_no_revision(void **state)
{
	const char *text = SNAPSHOT(TYPE("ui.a", "A"), "");

	assert_true(put(*state, "a", TN_WB_RANK_ROUTES, text).changed);
	assert_false(put(*state, "a", TN_WB_RANK_ROUTES, text).changed);
	assert_false(put(*state, "b", TN_WB_RANK_COMPONENTS, text).changed);
	assert_int_equal(tn_wb_graph_revision(*state), 1);
}

static void the_higher_rank_has_the_value_and_the_lower_takes_over(void **state)
{
	struct tn_wb_update update;

	(void)put(*state, "high", TN_WB_RANK_MODULE, SNAPSHOT(TYPE("ui.a", "High"), ""));
	assert_false(
		put(*state, "low", TN_WB_RANK_ROUTES, SNAPSHOT(TYPE("ui.a", "Low"), "")).changed);
	assert_snapshot(*state, SNAPSHOT(TYPE("ui.a", "High"), ""));
	update = put(*state, "high", TN_WB_RANK_MODULE, SNAPSHOT("", ""));
	assert_patch(update, PATCH("2", UPSERT(TYPE("ui.a", "Low"))));
}

static void what_two_assert_stays_when_one_drops_it(void **state)
{
	(void)put(*state, "a", TN_WB_RANK_ROUTES, SNAPSHOT(TYPE("ui.a", "A"), ""));
	(void)put(*state, "b", TN_WB_RANK_COMPONENTS, SNAPSHOT(TYPE("ui.a", "A"), ""));
	assert_false(put(*state, "a", TN_WB_RANK_ROUTES, SNAPSHOT("", "")).changed);
	assert_non_null(tn_wb_graph_find(*state, "componentType", tn_str_from("ui.a")));
}

static void an_edge_without_an_end_is_withheld_and_comes_with_it(void **state)
{
	struct tn_wb_update update;

	assert_false(
		put(*state, "a", TN_WB_RANK_COMPONENTS, SNAPSHOT("", TYPES("x", "y"))).changed);
	assert_int_equal(tn_wb_graph_withheld(*state), 1);
	(void)put(*state, "b", TN_WB_RANK_REGISTRY, SNAPSHOT(TYPE("x", "X"), ""));
	assert_int_equal(tn_wb_graph_withheld(*state), 1);
	update = put(*state, "b", TN_WB_RANK_REGISTRY,
		     SNAPSHOT(TYPE("x", "X") "," TYPE("y", "Y"), ""));
	assert_patch(update,
		     PATCH("2", UPSERT(TYPE("y", "Y")) ",{\"op\":\"upsertEdge\",\"edge\":" TYPES(
					"x", "y") "}"));
	assert_int_equal(tn_wb_graph_withheld(*state), 0);
	update = put(*state, "b", TN_WB_RANK_REGISTRY, SNAPSHOT(TYPE("y", "Y"), ""));
	assert_patch(update,
		     PATCH("3", "{\"op\":\"removeEdge\",\"edge\":" TYPES(
					"x", "y") "},{\"op\":\"removeNode\",\"node\":{\"kind\":"
						  "\"componentType\",\"id\":\"x\"}}"));
	assert_int_equal(tn_wb_graph_withheld(*state), 1);
}

static void an_edge_from_a_node_to_itself_comes_and_goes(void **state)
{
	(void)put(*state, "a", TN_WB_RANK_COMPONENTS, SNAPSHOT(TYPE("x", "X"), TYPES("x", "x")));
	assert_snapshot(*state, SNAPSHOT(TYPE("x", "X"), TYPES("x", "x")));
	(void)put(*state, "a", TN_WB_RANK_COMPONENTS, SNAPSHOT("", TYPES("x", "x")));
	(void)put(*state, "a", TN_WB_RANK_COMPONENTS, SNAPSHOT("", ""));
	assert_int_equal(tn_wb_graph_withheld(*state), 0);
}

static void of_two_in_one_snapshot_the_last_counts(void **state)
{
	(void)put(*state, "a", TN_WB_RANK_ROUTES, SNAPSHOT(TYPE("x", "1") "," TYPE("x", "2"), ""));
	assert_snapshot(*state, SNAPSHOT(TYPE("x", "2"), ""));
}

static void a_patch_edits_its_own_claims_alone(void **state)
{
	const char *remove =
		"{\"op\":\"removeNode\",\"node\":{\"kind\":\"componentType\",\"id\":\"x\"}}";

	(void)put(*state, "a", TN_WB_RANK_ROUTES, SNAPSHOT(TYPE("x", "X"), ""));
	assert_false(edit(*state, "b", TN_WB_RANK_OUTSIDE, PATCH("1", "%s"), remove).changed);
	assert_true(edit(*state, "a", TN_WB_RANK_ROUTES, PATCH("2", "%s"), remove).changed);
}

static void a_stale_patch_is_passed_over(void **state)
{
	struct tn_wb_update update;

	(void)edit(*state, "a", TN_WB_RANK_OUTSIDE, PATCH("5", "%s"), UPSERT(TYPE("x", "5")));
	update = edit(*state, "a", TN_WB_RANK_OUTSIDE, PATCH("5", "%s"), UPSERT(TYPE("x", "6")));
	assert_false(update.accepted);
	assert_code("stale_producer_revision", NULL);
	assert_true(edit(*state, "a", TN_WB_RANK_OUTSIDE, PATCH("6", "%s"), UPSERT(TYPE("x", "6")))
			    .accepted);
}

static void what_is_wrong_refuses_the_whole_update(void **state)
{
	static const struct {
		const char *op, *pointer;
	} wrong[] = {
		{"{\"op\":\"paint\"}", "/ops/1/op"},
		{"7", "/ops/1/op"},
		{"{\"op\":\"upsertNode\"}", "/ops/1"},
		{"{\"op\":\"upsertNode\",\"node\":{\"kind\":\"page\",\"id\":\"x\"}}",
		 "/ops/1/kind"},
		{"{\"op\":\"upsertNode\",\"node\":" TYPES("x", "y") "}", "/ops/1/kind"},
		{UPSERT("{\"kind\":\"componentType\",\"id\":\"\",\"displayName\":\"a\"}"),
		 "/ops/1/id"},
		{UPSERT("{\"kind\":\"componentType\",\"id\":\"a\\nb\",\"displayName\":\"a\"}"),
		 "/ops/1/id"},
		{UPSERT("{\"kind\":\"componentType\",\"id\":\"a\xC2\x85\",\"displayName\":\"a\"}"),
		 "/ops/1/id"}, /* C1, as everywhere else (section 5) */
		{UPSERT("{\"kind\":\"componentType\",\"id\":\"x\"}"), "/ops/1/displayName"},
		{UPSERT(ROUTE("home", "/")), "/ops/1/id"},
		{UPSERT(ROUTE("routeId:a/b", "/")), "/ops/1/id"},
		{UPSERT("{\"kind\":\"route\",\"id\":\"route:/\",\"path\":\"/\",\"source\":{"
			"\"filePath\":\"../x\",\"line\":1}}"),
		 "/ops/1/source/filePath"},
		{UPSERT("{\"kind\":\"route\",\"id\":\"route:/\",\"path\":\"/\",\"source\":{"
			"\"filePath\":\"x\",\"line\":0}}"),
		 "/ops/1/source/line"},
		{UPSERT("{\"kind\":\"instance\",\"sessionId\":\"s\",\"instanceId\":\"i\","
			"\"componentTypeId\":\"x\"}"),
		 "/ops/1/kind"},
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct tn_wb_update update =
			edit(*state, "a", TN_WB_RANK_OUTSIDE,
			     PATCH("1", UPSERT(TYPE("ok", "O")) ",%s"), wrong[i].op);

		assert_false(update.accepted);
		assert_code("graph_update_invalid", wrong[i].pointer);
		assert_told(wrong[i].pointer); /* whoever sees the sentence alone */
		assert_int_equal(tn_wb_graph_revision(*state), 0);
	}
}

static void a_node_has_its_source_at_hand(void **state)
{
	struct tn_str source;

	(void)edit(*state, "a", TN_WB_RANK_OUTSIDE, PATCH("1", UPSERT("%s") "," UPSERT("%s")),
		   "{\"kind\":\"componentType\",\"id\":\"x\",\"source\":{\"line\":3,"
		   "\"filePath\":\"a/b.ts\",\"column\":7},\"displayName\":\"X\"}",
		   TYPE("y", ",\\\"source\\\":{\\\"line\\\":1}"));
	source = tn_wb_node_source(tn_wb_graph_find(*state, "componentType", TN_STR("x")));
	assert_true(tn_str_is(source, "{\"filePath\":\"a/b.ts\",\"line\":3,\"column\":7}"));
	source = tn_wb_node_source(tn_wb_graph_find(*state, "componentType", TN_STR("y")));
	assert_int_equal(source.size, 0);
}

static void put_many(struct tn_buf *out, int from, int to)
{
	tn_buf_append_text(out, "{\"schemaVersion\":\"v0\",\"revision\":1,\"nodes\":[");
	for (int i = from; i < to; i++)
		tn_buf_format(out,
			      "%s{\"kind\":\"componentType\",\"id\":\"t%d\",\"displayName\":\"T\"}",
			      i > from ? "," : "", i);
	tn_buf_append_text(out, "],\"edges\":[]}");
	tn_buf_append_byte(out, '\0');
}

/* At the bound, what is taken back makes room, and what is claimed already needs none. */
static void a_full_graph_can_be_edited(void **state)
{
	struct tn_buf text;

	tn_buf_init(&text, 64 * TN_MIB);
	put_many(&text, 0, TN_WB_CLAIMS_MAX);
	assert_true(put(*state, "a", TN_WB_RANK_ROUTES, text.data).accepted);
	assert_true(
		edit(*state, "a", TN_WB_RANK_ROUTES, PATCH("2", UPSERT(TYPE("t1", "U")))).accepted);
	assert_false(
		edit(*state, "a", TN_WB_RANK_ROUTES, PATCH("3", UPSERT(TYPE("x", "X")))).accepted);
	assert_code("limit_exceeded", "");
	assert_true(edit(*state, "a", TN_WB_RANK_ROUTES,
			 PATCH("3", REMOVE("t1") "," UPSERT(TYPE("x", "X"))))
			    .accepted);
	assert_false(edit(*state, "a", TN_WB_RANK_ROUTES,
			  PATCH("4", REMOVE("t2") "," REMOVE("t2") "," UPSERT(
					     TYPE("y", "Y")) "," UPSERT(TYPE("z", "Z"))))
			     .accepted);
	assert_false(put(*state, "b", TN_WB_RANK_ROUTES, SNAPSHOT(TYPE("t3", "T"), "")).accepted);
	tn_buf_finish(&text);
}

/* M4: of a graph that is too large to be shown, the nodes that come first. */
static void an_index_has_the_first_nodes_in_order(void **state)
{
	struct tn_buf text, index;
	struct tenon_error err;
	size_t left;

	tn_buf_init(&text, TN_MIB);
	tn_buf_init(&index, TN_MIB);
	put_many(&text, 0, 1000);
	(void)put(*state, "a", TN_WB_RANK_ROUTES, text.data);
	(void)put(*state, "b", TN_WB_RANK_OUTSIDE,
		  SNAPSHOT(ROUTE("route:/z", "/z"), USES("route:/z", "t1")));
	assert_int_equal(tn_wb_graph_put_index(*state, 200, &index, &left, &err), TENON_OK);
	assert_int_equal(left, 1001 - 6);
	assert_text(&index, "[{\"kind\":\"route\",\"id\":\"route:/z\"},"
			    "{\"kind\":\"componentType\",\"id\":\"t0\"},"
			    "{\"kind\":\"componentType\",\"id\":\"t1\"},"
			    "{\"kind\":\"componentType\",\"id\":\"t10\"},"
			    "{\"kind\":\"componentType\",\"id\":\"t100\"},"
			    "{\"kind\":\"componentType\",\"id\":\"t101\"}]");
	tn_buf_finish(&text);
	tn_buf_finish(&index);
}

/* M4: in parts it is whole, each thing once; and every update is another turn. */
static void parts_have_everything_once(void **state)
{
	size_t place = 0, parts = 0, found = 0;
	uint64_t turn;
	struct tn_buf text, part;
	struct tenon_error err;

	tn_buf_init(&text, TN_MIB);
	tn_buf_init(&part, TN_MIB);
	put_many(&text, 0, 1000);
	(void)put(*state, "a", TN_WB_RANK_ROUTES, text.data);
	(void)put(*state, "b", TN_WB_RANK_OUTSIDE,
		  SNAPSHOT(ROUTE("route:/z", "/z"), USES("route:/z", "t1")));
	do {
		tn_buf_clear(&part);
		assert_int_equal(tn_wb_graph_put_part(*state, 4096, &part, &place, &err), TENON_OK);
		assert_true(part.size < 5000);
		tn_buf_append_byte(&part, '\0');
		for (const char *at = part.data; (at = strstr(at, "\"kind\":")); at++)
			found++;
		parts++;
	} while (place);
	assert_int_equal(found, 1002);
	assert_true(parts > 5);
	turn = tn_wb_graph_turn(*state);
	(void)put(*state, "b", TN_WB_RANK_OUTSIDE, SNAPSHOT("", USES("route:/no", "t1")));
	assert_true(tn_wb_graph_turn(*state) != turn);
	place = SIZE_MAX;
	assert_int_equal(tn_wb_graph_put_part(*state, 4096, &part, &place, &err), TENON_OK);
	assert_int_equal(place, 0);
	tn_buf_finish(&text);
	tn_buf_finish(&part);
}

static void patches_are_there_from_a_revision_on_or_not_at_all(void **state)
{
	struct tn_buf out;

	(void)put(*state, "a", TN_WB_RANK_ROUTES, SNAPSHOT(TYPE("x", "1"), ""));
	(void)put(*state, "a", TN_WB_RANK_ROUTES, SNAPSHOT(TYPE("x", "2"), ""));
	tn_buf_init(&out, TN_MIB);
	tn_json_begin_array(&out);
	assert_true(tn_wb_graph_put_patches(*state, 1, &out));
	tn_json_end_array(&out);
	assert_text(&out, "[" PATCH("2", UPSERT(TYPE("x", "2"))) "]");
	assert_false(tn_wb_graph_put_patches(*state, 3, &out));
	for (int i = 0; i < 600; i++)
		(void)put(*state, "a", TN_WB_RANK_ROUTES,
			  i % 2 ? SNAPSHOT(TYPE("x", "1"), "") : SNAPSHOT(TYPE("x", "2"), ""));
	assert_true(tn_wb_graph_revision(*state) - tn_wb_graph_oldest(*state) >= 256);
	assert_false(tn_wb_graph_put_patches(*state, 0, &out));
	tn_buf_finish(&out);
}

static void removing_a_producer_takes_its_claims_back(void **state)
{
	struct tn_wb_update update;

	(void)put(*state, "a", TN_WB_RANK_OUTSIDE, SNAPSHOT(TYPE("x", "X"), TYPES("x", "x")));
	assert_true(tn_wb_graph_remove(*state, "a", &update));
	assert_true(update.changed);
	assert_false(tn_wb_graph_remove(*state, "a", &update));
	assert_int_equal(tn_wb_graph_bytes(*state), 0);
}

static void instances_live_in_a_graph_of_their_own(void **state)
{
	struct tn_wb_graph *graph = tn_wb_graph_create(TN_WB_GRAPH_INSTANCES);
	const char *two =
		"{\"kind\":\"instance\",\"sessionId\":\"s\",\"instanceId\":\"p\","
		"\"componentTypeId\":\"ui.a\"},{\"kind\":\"instance\",\"sessionId\":\"s\","
		"\"instanceId\":\"c\",\"componentTypeId\":\"ui.a\"}";
	char text[1024];

	(void)state;
	assert_non_null(graph);
	(void)snprintf(text, sizeof(text), SNAPSHOT("%s", "%s"), two,
		       "{\"kind\":\"instanceChildOfInstance\",\"sessionId\":\"s\","
		       "\"parentInstanceId\":\"p\",\"childInstanceId\":\"c\"}");
	assert_true(put(graph, "adapter", 0, text).changed);
	assert_int_equal(tn_wb_graph_withheld(graph), 0);
	assert_false(put(graph, "adapter", 0, SNAPSHOT(TYPE("x", "X"), "")).accepted);
	tn_wb_graph_destroy(graph);
}

#define CASE(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(a_fresh_graph_is_empty_at_revision_0),
		CASE(a_snapshot_is_canonical_whatever_order_it_came_in),
		CASE(an_update_without_effect_is_no_revision),
		CASE(the_higher_rank_has_the_value_and_the_lower_takes_over),
		CASE(what_two_assert_stays_when_one_drops_it),
		CASE(an_edge_without_an_end_is_withheld_and_comes_with_it),
		CASE(an_edge_from_a_node_to_itself_comes_and_goes),
		CASE(of_two_in_one_snapshot_the_last_counts),
		CASE(a_patch_edits_its_own_claims_alone),
		CASE(a_stale_patch_is_passed_over),
		CASE(what_is_wrong_refuses_the_whole_update),
		CASE(a_node_has_its_source_at_hand),
		CASE(a_full_graph_can_be_edited),
		CASE(an_index_has_the_first_nodes_in_order),
		CASE(parts_have_everything_once),
		CASE(patches_are_there_from_a_revision_on_or_not_at_all),
		CASE(removing_a_producer_takes_its_claims_back),
		CASE(instances_live_in_a_graph_of_their_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
