#include "apps/studio/document/internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "apps/studio/document/document_test_kit.h"
#include "jsonrpc/json_write.h"

#define RECORD(id, label)                                                                  \
	"{\"id\":\"" id "\",\"typeId\":\"azurerm/core/resource_group\",\"label\":\"" label \
	"\",\"terraformName\":\"" id "\"}"
#define PUT(id, label) "{\"op\":\"putNode\",\"node\":" RECORD(id, label) "}"
#define EDGE                                                                                  \
	"{\"op\":\"putEdge\",\"edge\":{\"id\":\"e\",\"source\":\"a\",\"sourceHandle\":\"o\"," \
	"\"target\":\"b\",\"targetHandle\":\"i\",\"category\":\"annotation\"}}"

static uint64_t rev(struct studio_kit *kit, const char *id)
{
	const struct tn_studio_node *node = tn_studio_node_find(&kit->document, tn_str_from(id));
	const struct tn_studio_edge *edge = tn_studio_edge_find(&kit->document, tn_str_from(id));

	assert_true(node || edge);
	return node ? node->rev : edge->rev;
}

static uint64_t gone(struct studio_kit *kit, enum tn_studio_kind kind, const char *id)
{
	return tn_studio_gone_at(&kit->document, kind, tn_str_from(id));
}

/* SC-012. */
static void a_change_is_of_what_it_touches(void **state)
{
	struct studio_kit *kit = *state;

	studio_kit_change(kit, "[" PUT("a", "A") "," PUT("b", "B") "," EDGE "]");
	assert_int_equal(rev(kit, "a") + rev(kit, "b") + rev(kit, "e"), 3);
	studio_kit_change(kit, "[{\"op\":\"place\",\"nodes\":[{\"id\":\"b\",\"x\":1,\"y\":2}]}]");
	studio_kit_change(kit, "[{\"op\":\"setUsage\",\"id\":\"a\",\"usage\":{\"h\":1}}]");
	studio_kit_change(kit, "[{\"op\":\"setBudget\",\"budget\":5}]");
	assert_int_equal(rev(kit, "b"), 2);
	assert_int_equal(rev(kit, "a"), 3);
	assert_int_equal(rev(kit, "e"), 1);
	studio_kit_change(kit, "[{\"op\":\"removeEdge\",\"id\":\"e\"},"
			       "{\"op\":\"removeNode\",\"id\":\"b\"}]");
	assert_int_equal(gone(kit, TN_STUDIO_NODES, "b"), 5);
	assert_int_equal(gone(kit, TN_STUDIO_EDGES, "e"), 5);
	assert_int_equal(gone(kit, TN_STUDIO_NODES, "e"), 0);
	studio_kit_undo(kit);
	assert_int_equal(rev(kit, "b"), 6);
	assert_int_equal(rev(kit, "e"), 6);
	assert_int_equal(rev(kit, "a"), 3);
	assert_int_equal(gone(kit, TN_STUDIO_NODES, "b"), 0);
}

static struct tn_oplog *begin_on(struct tn_studio_document *copy)
{
	const struct tn_oplog_options options = {
		.ops = &tn_studio_document_ops, .document = copy, .clock = &tn_clock_system};
	struct tn_oplog *log = NULL;

	assert_int_equal(tn_oplog_open(&options, &log, NULL), TENON_OK);
	assert_int_equal(tn_oplog_begin(log, -1, NULL), TENON_OK);
	return log;
}

/* SC-012, of a change that a worker has made on a copy: it takes the document's place. */
static void a_copy_takes_the_place(void **state)
{
	const struct tn_commit commit = {.actor = "tester", .label = "Made on a copy"};
	struct studio_kit *kit = *state;
	struct tn_studio_document copy;
	struct tn_change change;
	struct tn_oplog *log;

	studio_kit_change(kit, "[" PUT("a", "A") "," PUT("b", "B") "," EDGE "]");
	studio_kit_change(kit, "[" PUT("gone", "Gone") "]");
	studio_kit_change(kit, "[{\"op\":\"removeNode\",\"id\":\"gone\"}]");
	assert_int_equal(tn_studio_document_copy(&kit->document, &copy, NULL), TENON_OK);
	log = begin_on(&copy);
	assert_int_equal(
		tn_oplog_step(log, studio_kit_parse(kit, "{\"op\":\"removeEdge\",\"id\":\"e\"}"),
			      NULL),
		TENON_OK);
	assert_int_equal(
		tn_oplog_step(log, studio_kit_parse(kit, "{\"op\":\"removeNode\",\"id\":\"b\"}"),
			      NULL),
		TENON_OK);
	assert_int_equal(tn_oplog_step(log, studio_kit_parse(kit, PUT("c", "C")), NULL), TENON_OK);
	assert_int_equal(tn_oplog_begin(kit->log, 3, NULL), TENON_OK);
	assert_int_equal(tn_studio_document_exchange(&kit->document, &copy, NULL), TENON_OK);
	tn_oplog_pass(log, kit->log);
	tn_oplog_abandon(log);
	assert_int_equal(tn_oplog_end(kit->log, &commit, &change, NULL), TENON_OK);
	assert_int_equal(rev(kit, "a"), 1);
	assert_int_equal(rev(kit, "c"), 4);
	assert_int_equal(gone(kit, TN_STUDIO_NODES, "b"), 4);
	assert_int_equal(gone(kit, TN_STUDIO_EDGES, "e"), 4);
	assert_int_equal(gone(kit, TN_STUDIO_NODES, "gone"), 3);
	assert_int_equal(copy.node_count, 2);
	assert_true(kit->document.generation > copy.generation);
	tn_oplog_close(log);
	tn_studio_document_finish(&copy);
	studio_kit_undo(kit);
	assert_int_equal(rev(kit, "b"), 5);
	assert_int_equal(gone(kit, TN_STUDIO_NODES, "c"), 5);
	assert_int_equal(gone(kit, TN_STUDIO_NODES, "b"), 0);
}

/* SC-012: what a document is replaced by changes what differs, and taking it back, too. */
static void a_replacement_changes_what_differs(void **state)
{
	struct studio_kit *kit = *state;

	studio_kit_change(kit, "[" PUT("a", "A") "," PUT("b", "B") "," EDGE "]");
	studio_kit_change(kit,
			  "[{\"op\":\"replace\",\"document\":{\"nodes\":[" RECORD(
				  "a", "A") "," RECORD("b", "Other") "," RECORD("c", "C") "]}}]");
	assert_int_equal(rev(kit, "a"), 1);
	assert_int_equal(rev(kit, "b"), 2);
	assert_int_equal(rev(kit, "c"), 2);
	assert_int_equal(gone(kit, TN_STUDIO_EDGES, "e"), 2);
	studio_kit_undo(kit);
	assert_int_equal(rev(kit, "a"), 1);
	assert_int_equal(rev(kit, "b"), 3);
	assert_int_equal(rev(kit, "e"), 3);
	assert_int_equal(gone(kit, TN_STUDIO_NODES, "c"), 3);
}

static void what_is_not_done_changes_nothing(void **state)
{
	struct studio_kit *kit = *state;
	const struct tn_commit dry = {.actor = "t", .label = "l", .dry_run = true};
	const char *before;

	studio_kit_change(kit, "[" PUT("a", "A") "," PUT("b", "B") "," EDGE "]");
	before = studio_kit_kept(kit);
	assert_int_not_equal(
		studio_kit_commit(
			kit,
			"[" PUT("a",
				"X") ",{\"op\":\"removeEdge\",\"id\":\"e\"},"
				     "{\"op\":\"removeNode\",\"id\":\"b\"}," PUT(
					     "n",
					     "N") ",{\"op\":\"removeNode\",\"id\":\"nobody\"}]"),
		TENON_OK);
	assert_string_equal(studio_kit_kept(kit), before);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(tn_oplog_begin(kit->log, -1, NULL), TENON_OK);
		assert_int_equal(
			tn_oplog_step(kit->log,
				      studio_kit_parse(kit, "{\"op\":\"replace\",\"document\":"
							    "{\"nodes\":[" RECORD("a", "Y") "]}}"),
				      NULL),
			TENON_OK);
		if (i == 0)
			tn_oplog_abandon(kit->log);
		else
			assert_int_equal(tn_oplog_end(kit->log, &dry, &kit->change, NULL),
					 TENON_OK);
		assert_string_equal(studio_kit_kept(kit), before);
	}
	assert_int_equal(gone(kit, TN_STUDIO_NODES, "b"), 0);
}

/* A journal that is read again, a snapshot, and one of a program that knew no revisions. */
static void files_have_them(void **state)
{
	struct studio_kit *kit = *state, again;
	char folder[] = "/tmp/tenon-revision-XXXXXX", path[64], journal[80];
	struct tn_json *saved;
	const char *kept;

	assert_non_null(mkdtemp(folder));
	(void)snprintf(path, sizeof(path), "%s/document", folder);
	(void)snprintf(journal, sizeof(journal), "%s.journal", path);
	studio_kit_open(&again, path);
	studio_kit_change(&again, "[" PUT("a", "A") "," PUT("b", "B") "," EDGE "]");
	studio_kit_change(&again, "[" PUT("b", "Other") "]");
	studio_kit_change(&again, "[{\"op\":\"removeEdge\",\"id\":\"e\"}]");
	for (int i = 0; i < 3; i++) {
		kept = studio_kit_format(kit, "%s", studio_kit_kept(&again));
		if (i == 1) { /* without a snapshot, as after a kill */
			tn_oplog_abandon(again.log);
			studio_kit_change(&again, "[" PUT("b", "Third") "]");
			kept = studio_kit_format(kit, "%s", studio_kit_kept(&again));
		}
		studio_kit_close(&again);
		studio_kit_open(&again, path);
		assert_string_equal(studio_kit_kept(&again), kept);
	}
	assert_int_equal(rev(&again, "a"), 1);
	assert_int_equal(rev(&again, "b"), 4);
	assert_int_equal(gone(&again, TN_STUDIO_EDGES, "e"), 3);
	studio_kit_close(&again);
	(void)unlink(path);
	(void)unlink(journal);
	(void)rmdir(folder);
	saved = studio_kit_parse(kit, "{\"nodes\":[" RECORD("a", "A") "],\"edges\":[]}");
	assert_int_equal(tn_studio_document_ops.load(&kit->document, saved, &kit->err), TENON_OK);
	tn_studio_document_ops.settled(&kit->document, 77, true);
	assert_int_equal(rev(kit, "a"), 77);
	assert_int_equal(tn_studio_gone_since(&kit->document), 77);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		STUDIO_KIT_TEST(a_change_is_of_what_it_touches),
		STUDIO_KIT_TEST(a_replacement_changes_what_differs),
		STUDIO_KIT_TEST(a_copy_takes_the_place),
		STUDIO_KIT_TEST(what_is_not_done_changes_nothing),
		STUDIO_KIT_TEST(files_have_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
