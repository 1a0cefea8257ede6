/* Whatever producers say in whatever order: what is seen is a function of their claims (G2), and
 * the patches in order make each snapshot of the one before (G8), byte for byte. */
#include "apps/workbench/graph/graph.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "apps/workbench/graph/graph_test_kit.h"
#include "apps/workbench/graph/item.h"
#include "apps/workbench/graph/snapshot.h"
#include "apps/workbench/limits.h"

enum { PRODUCERS = 4, IDS = 12, ROUNDS = 3000, MODEL_MAX = 400 };

static uint64_t random_state;

static unsigned pick(unsigned below)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(random_state >> 33) % below;
}

/* ---- a reader who follows the patches ---- */

struct follower {
	struct {
		char key[128];
		size_t size;
		char text[256];
	} items[MODEL_MAX];
	size_t count;
	uint64_t revision;
};

static struct follower follower;

static void follow_item(const struct tn_json *json, enum tn_wb_item_form form, bool remove)
{
	struct tn_wb_item_fault fault;
	struct tn_wb_item item;
	struct tn_arena arena;
	size_t at = 0;

	tn_arena_init(&arena, TN_MIB);
	assert_int_equal(tn_wb_item_read(&arena, json, form, &item, &fault), TENON_OK);
	while (at < follower.count &&
	       !tn_str_equal(item.key, tn_str(follower.items[at].key, follower.items[at].size)))
		at++;
	if (remove) {
		assert_true(at < follower.count); /* minimal: nothing goes that was not there */
		follower.items[at] = follower.items[--follower.count];
	} else {
		assert_true(at < MODEL_MAX && item.text.size < sizeof(follower.items[at].text));
		follower.count += at == follower.count;
		memcpy(follower.items[at].key, item.key.data, item.key.size);
		follower.items[at].size = item.key.size;
		memcpy(follower.items[at].text, item.text.data, item.text.size);
		follower.items[at].text[item.text.size] = '\0';
	}
	tn_arena_finish(&arena);
}

static void follow(struct tn_wb_update update)
{
	struct tenon_error err;
	struct tn_arena arena;
	struct tn_json *patch;
	int64_t revision;

	if (!update.changed)
		return;
	tn_arena_init(&arena, TN_MIB * 8);
	assert_int_equal(tn_json_parse_copy(&arena, update.patch, &patch, &err), TENON_OK);
	assert_true(tn_json_to_int(tn_json_get(patch, "revision"), &revision));
	assert_int_equal(revision, ++follower.revision);
	for (const struct tn_json *op = tn_json_get(patch, "ops")->first; op; op = op->next) {
		struct tn_str name;
		const struct tn_json *node = tn_json_get(op, "node");

		assert_true(tn_json_to_str(tn_json_get(op, "op"), &name));
		if (tn_str_is(name, "removeNode"))
			follow_item(node, TN_WB_ITEM_REFERENCE, true);
		else if (node)
			follow_item(node, TN_WB_ITEM_NODE, false);
		else
			follow_item(tn_json_get(op, "edge"), TN_WB_ITEM_EDGE,
				    tn_str_is(name, "removeEdge"));
	}
	tn_arena_finish(&arena);
}

static int by_key(const void *left, const void *right)
{
	const char *a = left, *b = right;
	const size_t size = offsetof(struct follower, items[0].size);

	return tn_str_compare(tn_str(a, *(const size_t *)(const void *)(a + size)),
			      tn_str(b, *(const size_t *)(const void *)(b + size)));
}

static void put_followed(struct tn_buf *out, bool edges)
{
	tn_json_begin_array(out);
	for (size_t i = 0; i < follower.count; i++)
		if ((follower.items[i].key[0] >= TN_WB_FIRST_EDGE) == edges)
			tn_json_put_raw(out, tn_str_from(follower.items[i].text));
	tn_json_end_array(out);
}

static void assert_followed(const struct tn_wb_graph *graph)
{
	struct tn_buf out, want;
	struct tenon_error err;

	tn_buf_init(&out, TN_MIB);
	tn_buf_init(&want, TN_MIB);
	qsort(follower.items, follower.count, sizeof(follower.items[0]), by_key);
	tn_json_begin_object(&want);
	tn_json_put_member_text(&want, "schemaVersion", "v0");
	tn_json_put_member_int(&want, "revision", (int64_t)follower.revision);
	tn_json_put_key(&want, "nodes");
	put_followed(&want, false);
	tn_json_put_key(&want, "edges");
	put_followed(&want, true);
	tn_json_end_object(&want);
	tn_buf_append_byte(&want, '\0');
	assert_int_equal(tn_wb_graph_put_snapshot(graph, &out, &err), TENON_OK);
	assert_text(&out, want.data);
	tn_buf_finish(&want);
	tn_buf_finish(&out);
}

/* ---- what producers say ---- */

static void put_random_node(struct tn_buf *out, bool reference)
{
	unsigned id = pick(IDS);

	tn_json_begin_object(out);
	tn_json_put_member_text(out, "kind", id % 3 ? "componentType" : "route");
	tn_json_put_key(out, "id");
	tn_buf_format(out, id % 3 ? "\"t%u\"" : "\"route:/%u\"", id);
	if (!reference)
		tn_json_put_member_text(out, id % 3 ? "displayName" : "path",
					pick(2) ? "/a" : "/b");
	tn_json_end_object(out);
}

static void put_random_edge(struct tn_buf *out)
{
	unsigned from = pick(IDS), to = pick(IDS / 3) * 3 + 1;

	tn_buf_append_text(out, out->data[out->size - 1] == '}' ? "," : "");
	if (from % 3)
		tn_buf_format(out,
			      "{\"kind\":\"componentTypeUsesComponentType\",\"to\":\"t%u\","
			      "\"from\":\"t%u\"}",
			      to, from);
	else
		tn_buf_format(out,
			      "{\"componentTypeId\":\"t%u\",\"kind\":\"routeUsesComponentType\","
			      "\"routeId\":\"route:/%u\"}",
			      to, from);
}

static void put_random_snapshot(struct tn_buf *out)
{
	tn_buf_append_text(out, "{\"schemaVersion\":\"v0\",\"revision\":0,\"nodes\":[");
	for (unsigned count = pick(8); count; count--)
		put_random_node(out, false);
	tn_buf_append_text(out, "],\"edges\":[");
	for (unsigned count = pick(8); count; count--)
		put_random_edge(out);
	tn_buf_append_text(out, "]}");
}

static void put_random_operation(struct tn_buf *out)
{
	static const char *const names[] = {"upsertNode", "removeNode", "upsertEdge", "removeEdge"};
	unsigned which = pick(4);

	tn_json_begin_object(out);
	tn_json_put_member_text(out, "op", names[which]);
	tn_json_put_key(out, which < 2 ? "node" : "edge");
	if (which < 2)
		put_random_node(out, which == 1);
	else
		put_random_edge(out);
	tn_json_end_object(out);
}

static struct tn_wb_update say_something(struct tn_wb_graph *graph, int round)
{
	struct tn_wb_update update;
	unsigned producer = pick(PRODUCERS);
	char name[16];
	struct tn_buf text;

	(void)snprintf(name, sizeof(name), "p%u", producer);
	if (pick(20) == 0) {
		(void)tn_wb_graph_remove(graph, name, &update);
		return update;
	}
	tn_buf_init(&text, TN_MIB);
	if (pick(4) == 0) {
		put_random_snapshot(&text);
		tn_buf_append_byte(&text, '\0');
		update = put(graph, name, producer, text.data);
	} else {
		tn_buf_format(&text, "{\"schemaVersion\":\"v0\",\"revision\":%d,\"ops\":[", round);
		for (unsigned count = 1 + pick(4); count; count--)
			put_random_operation(&text);
		tn_buf_append_text(&text, "]}");
		tn_buf_append_byte(&text, '\0');
		update = edit(graph, name, producer, "%s", text.data);
	}
	tn_buf_finish(&text);
	return update;
}

static void patches_in_order_make_each_snapshot(void **state)
{
	struct tn_wb_graph *graph = tn_wb_graph_create(TN_WB_GRAPH_PROJECT);
	struct tn_wb_update update;

	(void)state;
	random_state = 19;
	memset(&follower, 0, sizeof(follower));
	for (int round = 1; round <= ROUNDS; round++) {
		follow(say_something(graph, round));
		assert_followed(graph);
	}
	for (unsigned i = 0; i < PRODUCERS; i++) {
		char name[16];

		(void)snprintf(name, sizeof(name), "p%u", i);
		(void)tn_wb_graph_remove(graph, name, &update);
		follow(update);
	}
	assert_int_equal(follower.count, 0);
	assert_int_equal(tn_wb_graph_withheld(graph), 0);
	assert_int_equal(tn_wb_graph_bytes(graph), 0);
	tn_wb_graph_destroy(graph);
}

/* A graph that was made of another and changed is that graph, changed, with its patches; also one
 * after the other, with changes of the graph itself between. */
static void a_changed_copy_takes_its_place(void **state)
{
	struct tn_wb_graph *graph = tn_wb_graph_create(TN_WB_GRAPH_PROJECT);

	(void)state;
	random_state = 29;
	memset(&follower, 0, sizeof(follower));
	for (int round = 1; round <= ROUNDS; round++) {
		struct tn_wb_graph *copy = pick(2) ? tn_wb_graph_copy(graph) : NULL;
		struct tn_wb_update update = say_something(copy ? copy : graph, round);
		struct tn_buf since, want;

		if (copy) {
			tn_wb_graph_succeed(copy, graph);
			tn_wb_graph_destroy(graph);
			graph = copy;
		}
		tn_buf_init(&since, TN_MIB * 8);
		tn_buf_init(&want, TN_MIB * 8);
		tn_json_begin_array(&since);
		assert_true(tn_wb_graph_put_patches(
			graph, update.revision - (update.changed ? 1 : 0), &since));
		tn_json_end_array(&since);
		tn_json_begin_array(&want);
		if (update.changed)
			tn_json_put_raw(&want, update.patch);
		tn_json_end_array(&want);
		assert_true(tn_str_equal(tn_buf_str(&since), tn_buf_str(&want)));
		follow(update);
		assert_followed(graph);
		tn_buf_finish(&since);
		tn_buf_finish(&want);
	}
	assert_true(tn_wb_graph_oldest(graph) + TN_WB_PATCHES_KEPT <=
		    tn_wb_graph_revision(graph) + 1);
	tn_wb_graph_destroy(graph);
}

/* A bounded graph is changed by nothing that is too long for it. */
static void what_is_too_long_changes_nothing(void **state)
{
	static const char two[] =
		"{\"schemaVersion\":\"v0\",\"revision\":2,\"nodes\":["
		"{\"kind\":\"componentType\",\"id\":\"a\",\"displayName\":\"A\"},"
		"{\"kind\":\"componentType\",\"id\":\"b\",\"displayName\":\"B\"}],"
		"\"edges\":[]}";
	struct tn_wb_graph *graph = tn_wb_graph_create(TN_WB_GRAPH_PROJECT);
	struct tn_buf before, after;
	struct tn_wb_update update;
	struct tenon_error err;
	struct tn_arena arena;
	struct tn_json *json;

	(void)state;
	tn_arena_init(&arena, TN_MIB);
	tn_buf_init(&before, TN_MIB);
	tn_buf_init(&after, TN_MIB);
	/* Three edges at a node that is not there. */
	(void)put(graph, "edges", 1,
		  "{\"schemaVersion\":\"v0\",\"revision\":1,\"nodes\":[],\"edges\":["
		  "{\"kind\":\"componentTypeUsesComponentType\",\"from\":\"a\",\"to\":\"c\"},"
		  "{\"kind\":\"componentTypeUsesComponentType\",\"from\":\"a\",\"to\":\"d\"},"
		  "{\"kind\":\"componentTypeUsesComponentType\",\"from\":\"a\",\"to\":\"e\"}]}");
	tn_wb_graph_bound(graph, 4);
	assert_int_equal(tn_wb_graph_put_snapshot(graph, &before, &err), TENON_OK);
	assert_int_equal(tn_json_parse_copy(&arena, tn_str(two, sizeof(two) - 1), &json, &err),
			 TENON_OK);
	assert_int_equal(tn_wb_graph_put(graph, "nodes", 2, json, &update, NULL, &err), TENON_BUSY);
	assert_int_equal(tn_wb_graph_put_snapshot(graph, &after, &err), TENON_OK);
	assert_true(tn_str_equal(tn_buf_str(&before), tn_buf_str(&after)));
	tn_wb_graph_bound(graph, 5);
	assert_false(tn_wb_graph_removes_long(graph, "edges"));
	assert_int_equal(tn_wb_graph_put(graph, "nodes", 2, json, &update, NULL, &err), TENON_OK);
	assert_true(update.accepted && update.changed);
	tn_wb_graph_bound(graph, 2);
	assert_true(tn_wb_graph_removes_long(graph, "nodes"));
	assert_true(tn_wb_graph_removes_long(graph, "edges"));
	tn_buf_finish(&before);
	tn_buf_finish(&after);
	tn_arena_finish(&arena);
	tn_wb_graph_destroy(graph);
}

/* What is read aside and compared with the one before leads to the same graph, in the same patches.
 */
static void a_compared_snapshot_is_a_whole_one(void **state)
{
	struct tn_wb_graph *whole = tn_wb_graph_create(TN_WB_GRAPH_PROJECT);
	struct tn_wb_graph *parts = tn_wb_graph_create(TN_WB_GRAPH_PROJECT);
	struct tn_wb_snapshot *before[PRODUCERS] = {NULL};

	(void)state;
	random_state = 23;
	for (int round = 0; round < ROUNDS; round++) {
		unsigned producer = pick(PRODUCERS), rank = producer + pick(2) * PRODUCERS;
		struct tn_wb_snapshot *snapshot = NULL;
		struct tn_wb_update update, want;
		struct tenon_error err;
		struct tn_arena arena;
		struct tn_json *json;
		struct tn_buf text;
		char name[16];

		(void)snprintf(name, sizeof(name), "p%u", producer);
		tn_arena_init(&arena, TN_MIB * 8);
		tn_buf_init(&text, TN_MIB);
		put_random_snapshot(&text);
		tn_buf_append_byte(&text, '\0');
		want = put(whole, name, rank, text.data);
		assert_int_equal(tn_json_parse(&arena, text.data, text.size - 1, &json, &err),
				 TENON_OK);
		assert_int_equal(
			tn_wb_snapshot_read(TN_WB_GRAPH_PROJECT, name, json, &snapshot, NULL, &err),
			TENON_OK);
		if (before[producer])
			tn_wb_snapshot_compare(snapshot, before[producer]);
		assert_int_equal(tn_wb_graph_take(parts, name, rank, snapshot, &update, NULL, &err),
				 TENON_OK);
		assert_int_equal(update.changed, want.changed);
		assert_int_equal(update.revision, want.revision);
		assert_true(tn_str_equal(update.patch, want.patch));
		tn_wb_snapshot_free(before[producer]);
		before[producer] = snapshot;
		tn_buf_finish(&text);
		tn_arena_finish(&arena);
	}
	for (unsigned i = 0; i < PRODUCERS; i++)
		tn_wb_snapshot_free(before[i]);
	tn_wb_graph_destroy(whole);
	tn_wb_graph_destroy(parts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(patches_in_order_make_each_snapshot),
					   cmocka_unit_test(a_changed_copy_takes_its_place),
					   cmocka_unit_test(what_is_too_long_changes_nothing),
					   cmocka_unit_test(a_compared_snapshot_is_a_whole_one)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
