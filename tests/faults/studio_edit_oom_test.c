/* Every allocation of a session of editing fails once, and from then on always: no crash, no leak,
 * and each edit has happened wholly or not at all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "apps/studio/edit/edit.h"
#include "jsonrpc/json_write.h"
#include "short_memory.h"

struct session {
	struct tn_studio_registry *registry;
	struct tn_studio_document document;
	struct tn_oplog *log;
	struct tn_buf before;
	unsigned done, refused, broken;
};

static uint64_t no_time(void *data)
{
	(void)data;
	return 0;
}

static int64_t one_time(void *data)
{
	(void)data;
	return 1795255200000;
}

static const struct tn_clock still = {.monotonic_ms = no_time, .wall_ms = one_time};

/* What the allocator does to the test itself is not the question. */
static void save(struct session *session, struct tn_buf *out)
{
	bool armed = fault.armed;

	fault.armed = false;
	tn_buf_clear(out);
	tn_studio_document_ops.save(&session->document, out);
	assert_false(out->failed);
	fault.armed = armed;
}

static struct tn_json *parse(struct tn_arena *arena, const char *text)
{
	struct tn_json *tree = NULL;
	bool armed = fault.armed;

	fault.armed = false;
	assert_int_equal(tn_json_parse_copy(arena, tn_str_from(text), &tree, NULL), TENON_OK);
	fault.armed = armed;
	return tree;
}

static bool try_edit(struct tn_studio_edit *edit, tn_studio_edit_fn *fn, const char *arguments,
		     struct tn_buf *result)
{
	struct tn_change change;

	if (!tn_studio_edit_begin(edit, -1))
		return false;
	if (!fn(edit, parse(edit->arena, arguments), result)) {
		tn_studio_edit_abandon(edit);
		return false;
	}
	return tn_studio_edit_finish(edit, NULL, false, &change);
}

static void edit_one(struct session *session, tn_studio_edit_fn *fn, const char *arguments)
{
	struct tn_studio_fault why = {.code = NULL};
	struct tn_studio_edit edit = {.document = &session->document,
				      .log = session->log,
				      .fault = &why,
				      .actor = "x",
				      .tool = "y"};
	uint64_t revision = tn_oplog_revision(session->log);
	struct tn_buf result, after;
	struct tn_arena arena;

	if (tn_oplog_is_broken(session->log))
		return;
	tn_arena_init(&arena, 64 * TN_MIB);
	tn_buf_init(&result, TN_MIB);
	tn_buf_init(&after, TN_MIB);
	edit.arena = &arena;
	save(session, &session->before);
	if (try_edit(&edit, fn, arguments, &result)) {
		session->done++;
	} else if (tn_oplog_is_broken(session->log)) {
		session->broken++;
	} else {
		session->refused++;
		assert_non_null(why.code);
		save(session, &after);
		assert_true(tn_str_equal(tn_buf_str(&session->before), tn_buf_str(&after)));
		assert_int_equal(tn_oplog_revision(session->log), revision);
	}
	tn_buf_finish(&result);
	tn_buf_finish(&after);
	tn_arena_finish(&arena);
}

/* With ids that are known (TENON_TEST_IDS would do as well): the nodes are put by hand. */
static void put_nodes(struct session *session)
{
	static const char operations[] =
		"[{\"op\":\"putNode\",\"node\":{\"id\":\"rg\",\"typeId\":"
		"\"azurerm/core/resource_group\",\"label\":\"G\",\"terraformName\":\"g\"}},"
		"{\"op\":\"putNode\",\"node\":{\"id\":\"p\",\"typeId\":"
		"\"azurerm/compute/app_service_plan\",\"label\":\"P\",\"terraformName\":\"p\","
		"\"parentId\":\"rg\"}},{\"op\":\"putNode\",\"node\":{\"id\":\"a\",\"typeId\":"
		"\"azurerm/compute/app_service\",\"label\":\"A\",\"terraformName\":\"a\"}},"
		"{\"op\":\"setUsage\",\"id\":\"p\",\"usage\":{\"x\":1}}]";
	struct tn_change change;
	struct tn_arena arena;
	struct tn_commit commit = {.actor = "x", .label = "y", .expected_revision = -1};

	tn_arena_init(&arena, TN_MIB);
	commit.operations = parse(&arena, operations);
	if (tn_oplog_commit(session->log, &commit, &change, NULL) != TENON_OK)
		session->refused++;
	tn_arena_finish(&arena);
}

static void live(struct session *session)
{
	const struct tn_oplog_options options = {
		.ops = &tn_studio_document_ops, .document = &session->document, .clock = &still};
	struct tn_change change;

	if (tn_oplog_open(&options, &session->log, NULL) != TENON_OK) {
		session->log = NULL;
		return;
	}
	put_nodes(session);
	edit_one(session, tn_studio_edit_add,
		 "{\"typeId\":\"azurerm/networking/virtual_network\",\"parentId\":\"rg\"}");
	edit_one(session, tn_studio_edit_connect,
		 "{\"sourceInstanceId\":\"p\",\"sourceHandle\":\"asp-out\",\"targetInstanceId\":"
		 "\"a\","
		 "\"targetHandle\":\"asp-in\"}");
	edit_one(session, tn_studio_edit_update,
		 "{\"instanceId\":\"a\",\"properties\":{\"name\":\"app-1\",\"wrong\":1}}");
	edit_one(session, tn_studio_edit_update,
		 "{\"instanceId\":\"a\",\"properties\":{\"name\":\"app-1\"},\"label\":\"B\","
		 "\"references\":{\"service_plan_id\":null}}");
	/* A name that another type has, with an own name of its own. */
	edit_one(session, tn_studio_edit_update,
		 "{\"instanceId\":\"a\",\"properties\":{},\"terraformName\":\"p\"}");
	edit_one(session, tn_studio_edit_move, "{\"instanceId\":\"a\",\"parentId\":\"rg\"}");
	edit_one(session, tn_studio_edit_remove, "{\"instanceId\":\"rg\"}");
	if (!tn_oplog_is_broken(session->log) &&
	    tn_oplog_undo(session->log, "x", -1, &change, NULL) != TENON_OK)
		session->refused++;
}

static void fail_each(struct tn_studio_registry *registry, bool goes_on)
{
	unsigned long nth = 0;
	long live_before = fault.live;
	unsigned refused = 0, done;

	do {
		struct session session = {.registry = registry};

		tn_buf_init(&session.before, TN_MIB);
		tn_studio_document_init(&session.document, registry);
		fault.goes_on = goes_on;
		fault.nth = ++nth;
		fault.count = 0;
		fault.hit = false;
		fault.armed = true;
		live(&session);
		fault.armed = false;
		tn_oplog_close(session.log);
		tn_studio_document_finish(&session.document);
		tn_buf_finish(&session.before);
		assert_int_equal(fault.live, live_before);
		refused += session.refused;
		done = session.done;
	} while (fault.hit);
	assert_true(nth > 100);
	assert_true(refused > nth);
	assert_int_equal(done, 6); /* with all the memory in the world */
	print_message("%lu allocations, %u times refused\n", nth - 1, refused);
}

static void each(bool goes_on)
{
	struct tn_studio_registry *registry = NULL;

	fault = (struct short_memory){.armed = false};
	assert_int_equal(tn_studio_registry_built_in(&registry, NULL), TENON_OK);
	fail_each(registry, goes_on);
	tn_studio_registry_unref(registry);
	assert_int_equal(fault.live, 0);
}

static void each_once(void **state)
{
	(void)state;
	each(false);
}

static void each_for_good(void **state)
{
	(void)state;
	each(true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_once),
		cmocka_unit_test(each_for_good),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
