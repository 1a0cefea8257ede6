/* Documents: revisions and undo, and what is left of them after the program has ended, however it
 * did (floorplan.md 7.8). */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "apps/floorplan/mcp/documents.h"
#include "apps/floorplan/limits.h"

struct table {
	struct tn_floor_documents documents;
	struct tn_handle_registry registry;
};

static void begin_table(struct table *table)
{
	*table = (struct table){.registry = {.first = NULL}};
	tn_floor_documents_init(&table->documents, &tn_clock_system, &table->registry);
}

static struct tn_handle *open_text(struct table *table, const char *text, const char *path)
{
	const struct tn_floor_opened opened = {
		.text = tn_str_from(text), .path = path, .principal = "me", .by = "test"};
	struct tn_handle *handle = NULL;

	assert_int_equal(tn_floor_document_open(&table->documents, &opened, &handle, NULL),
			 TENON_OK);
	return handle;
}

static void expect_text(const struct tn_handle *handle, const char *text)
{
	assert_true(tn_str_is(tn_buf_str(&tn_floor_document_of(handle)->text), text));
}

static void change(const struct tn_handle *handle, const char *text)
{
	assert_int_equal(tn_floor_document_change(tn_floor_document_of(handle), tn_str_from(text),
						  -1, "test", "change", NULL),
			 TENON_OK);
	expect_text(handle, text);
}

/* Whatever is changed to whatever, undo and redo give the same bytes. */
static void test_undo(void **state)
{
	static const char *const texts[] = {"",
					    "abc",
					    "abXc",
					    "äbc",
					    "öbc",
					    "aöc",
					    "abab",
					    "ababab",
					    "ab\nab",
					    "\xF0\x9F\x8F\xA0",
					    "\xF0\x9F\x8F\xA1",
					    ""};
	enum { COUNT = sizeof(texts) / sizeof(texts[0]) };
	struct tn_floor_document *document;
	struct tn_handle *handle;
	struct tn_change done;
	struct table table;

	(void)state;
	begin_table(&table);
	handle = open_text(&table, texts[0], NULL);
	document = tn_floor_document_of(handle);
	for (size_t i = 1; i < COUNT; i++)
		change(handle, texts[i]);
	assert_int_equal(tn_oplog_revision(document->log), COUNT);
	for (size_t i = COUNT - 1; i > 0; i--) {
		assert_int_equal(tn_oplog_undo(document->log, "test", -1, &done, NULL), TENON_OK);
		expect_text(handle, texts[i - 1]);
	}
	assert_int_equal(tn_oplog_undo(document->log, "test", -1, &done, NULL), TENON_NOT_FOUND);
	for (size_t i = 1; i < COUNT; i++) {
		assert_int_equal(tn_oplog_redo(document->log, "test", -1, &done, NULL), TENON_OK);
		expect_text(handle, texts[i]);
	}
	tn_handle_unref(handle);
	tn_floor_documents_finish(&table.documents);
}

static void test_revisions(void **state)
{
	struct tn_floor_document *document;
	struct tenon_error err = {0};
	struct tn_handle *handle;
	struct table table;

	(void)state;
	begin_table(&table);
	handle = open_text(&table, "abc", NULL);
	document = tn_floor_document_of(handle);
	change(handle, "abc");
	assert_int_equal(tn_oplog_revision(document->log), 1); /* nothing was to be done */
	assert_int_equal(tn_floor_document_change(document, TN_STR("x"), 7, "t", "t", &err),
			 TENON_EXPIRED);
	assert_int_equal(tn_floor_document_change(document, TN_STR("a\xFF"), -1, "t", "t", &err),
			 TENON_INVALID);
	assert_int_equal(tn_floor_document_change(document, TN_STR("a\0b"), -1, "t", "t", &err),
			 TENON_INVALID);
	expect_text(handle, "abc");
	tn_handle_unref(handle);
	tn_floor_documents_finish(&table.documents);
}

static void test_same_file(void **state)
{
	struct tn_handle *one, *again, *other;
	struct table table;

	(void)state;
	begin_table(&table);
	one = open_text(&table, "abc", "/x/a");
	again = open_text(&table, "on disk it is something else", "/x/a");
	other = open_text(&table, "abc", "/x/b");
	assert_ptr_equal(one, again);
	assert_ptr_not_equal(one, other);
	expect_text(again, "abc");
	assert_null(tn_floor_document_find_path(&table.documents, "somebody", "/x/a"));
	tn_handle_unref(one);
	tn_handle_unref(again);
	tn_handle_unref(other);
	tn_floor_documents_finish(&table.documents);
}

/* ---- what outlives the program ---- */

struct home {
	char folder[64];
};

static void begin_home(struct home *home)
{
	(void)snprintf(home->folder, sizeof(home->folder), "/tmp/tenon-floor-XXXXXX");
	assert_non_null(mkdtemp(home->folder));
}

/* How many files there are; `gone`: no longer. */
static unsigned walk_files(const struct home *home, bool gone)
{
	DIR *folder = opendir(home->folder);
	const struct dirent *entry;
	unsigned count = 0;

	assert_non_null(folder);
	while ((entry = readdir(folder)) != NULL) {
		char path[512];

		if (entry->d_type != DT_REG)
			continue;
		count++;
		(void)snprintf(path, sizeof(path), "%s/%s", home->folder, entry->d_name);
		if (gone)
			assert_int_equal(unlink(path), 0);
	}
	(void)closedir(folder);
	return count;
}

static unsigned count_files(const struct home *home)
{
	return walk_files(home, false);
}

static void end_home(const struct home *home)
{
	(void)walk_files(home, true);
	assert_int_equal(rmdir(home->folder), 0);
}

static unsigned begin_kept(struct table *table, const struct home *home)
{
	unsigned damaged = 0;

	begin_table(table);
	assert_int_equal(tn_floor_documents_keep(&table->documents, NULL, home->folder, NULL),
			 TENON_OK);
	tn_floor_documents_load(&table->documents, &damaged);
	return damaged;
}

static struct tn_handle *find(struct table *table, const char *id, const char *principal)
{
	struct tn_handle *handle = NULL;

	(void)(tn_floor_document_find(&table->documents, id, principal, &handle, NULL) == TENON_OK);
	return handle;
}

static void test_kept(void **state)
{
	char id[TN_HANDLE_SIZE];
	struct tn_floor_document *document;
	struct tn_handle *handle;
	struct tn_change done;
	struct table table;
	struct home home;

	(void)state;
	begin_home(&home);
	assert_int_equal(begin_kept(&table, &home), 0);
	handle = open_text(&table, "first", "/x/house.floorplan");
	memcpy(id, handle->id, sizeof(id));
	change(handle, "second");
	tn_handle_unref(handle);
	tn_floor_documents_finish(&table.documents);

	assert_int_equal(begin_kept(&table, &home), 0);
	assert_null(find(&table, id, "somebody"));
	handle = find(&table, id, "me");
	assert_non_null(handle);
	document = tn_floor_document_of(handle);
	expect_text(handle, "second");
	assert_string_equal(document->path, "/x/house.floorplan");
	assert_string_equal(handle->title, "house.floorplan");
	assert_string_equal(handle->by, "test");
	assert_int_equal(document->saved_revision, 1);
	assert_ptr_equal(tn_floor_document_find_path(&table.documents, "me", "/x/house.floorplan"),
			 handle);
	assert_int_equal(tn_oplog_undo(document->log, "test", -1, &done, NULL), TENON_OK);
	expect_text(handle, "first");
	tn_floor_documents_finish(&table.documents);
	end_home(&home);
}

/* Killed in the middle of its work: every change that was acknowledged is there. */
static void test_killed(void **state)
{
	char id[TN_HANDLE_SIZE] = "";
	struct tn_handle *handle;
	struct table table;
	struct home home;
	int ends[2], status;
	pid_t pid;

	(void)state;
	begin_home(&home);
	assert_int_equal(pipe(ends), 0);
	pid = fork();
	if (pid == 0) {
		(void)begin_kept(&table, &home);
		handle = open_text(&table, "0", NULL);
		for (int i = 1; i < 100; i++) {
			char text[32];

			(void)snprintf(text, sizeof(text), "plan %d", i);
			change(handle, text);
		}
		_exit(write(ends[1], handle->id, sizeof(id)) == sizeof(id) ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(read(ends[0], id, sizeof(id)), sizeof(id));
	(void)close(ends[0]);
	(void)close(ends[1]);
	assert_int_equal(begin_kept(&table, &home), 0);
	handle = find(&table, id, "me");
	assert_non_null(handle);
	expect_text(handle, "plan 99");
	assert_int_equal(tn_oplog_revision(tn_floor_document_of(handle)->log), 100);
	tn_floor_documents_finish(&table.documents);
	end_home(&home);
}

/* What another process has is not touched, and found once that has ended. */
static void test_two_processes(void **state)
{
	struct table one, other;
	char id[TN_HANDLE_SIZE];
	struct tn_handle *handle;
	struct home home;

	(void)state;
	begin_home(&home);
	assert_int_equal(begin_kept(&one, &home), 0);
	handle = open_text(&one, "mine", NULL);
	memcpy(id, handle->id, sizeof(id));
	tn_handle_unref(handle);
	assert_int_equal(begin_kept(&other, &home), 0);
	assert_null(find(&other, id, "me"));
	tn_floor_documents_finish(&one.documents);
	handle = find(&other, id, "me");
	assert_non_null(handle);
	expect_text(handle, "mine");
	tn_floor_documents_finish(&other.documents);
	end_home(&home);
}

/* A document that goes while the program runs leaves nothing. */
static void test_gone(void **state)
{
	struct tn_handle *handle;
	struct table table;
	struct home home;

	(void)state;
	begin_home(&home);
	assert_int_equal(begin_kept(&table, &home), 0);
	handle = open_text(&table, "abc", NULL);
	change(handle, "abd");
	assert_true(count_files(&home) >= 2);
	tn_handles_close(&table.documents.handles, handle);
	tn_handle_unref(handle);
	assert_int_equal(count_files(&home), 0);
	for (int i = 0; i < TN_FLOOR_DOCUMENTS_MAX + 5; i++)
		tn_handle_unref(open_text(&table, "abc", NULL));
	tn_floor_documents_finish(&table.documents);
	assert_int_equal(begin_kept(&table, &home), 0);
	assert_int_equal(table.documents.handles.count, TN_FLOOR_DOCUMENTS_MAX);
	tn_floor_documents_finish(&table.documents);
	end_home(&home);
}

static void spoil(const struct home *home, const char *id, const char *suffix, const char *text)
{
	char path[160];
	FILE *file;

	(void)snprintf(path, sizeof(path), "%s/%s%s", home->folder, id, suffix);
	file = fopen(path, "w");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

/* Damaged files stay where they are, and keep nobody from working; what was never begun goes. */
static void test_damaged(void **state)
{
	char ids[3][TN_HANDLE_SIZE];
	struct tn_handle *handle;
	struct table table;
	struct home home;
	unsigned files;

	(void)state;
	begin_home(&home);
	assert_int_equal(begin_kept(&table, &home), 0);
	for (int i = 0; i < 3; i++) {
		handle = open_text(&table, "abc", NULL);
		memcpy(ids[i], handle->id, sizeof(ids[i]));
		tn_handle_unref(handle);
	}
	tn_floor_documents_finish(&table.documents);
	spoil(&home, ids[0], ".json", "{\"principal\":");
	spoil(&home, ids[1], "", "{\"this is\":\"no snapshot\"}");
	files = count_files(&home);
	spoil(&home, "fpl_never", ".json",
	      "{\"principal\":\"me\",\"saved\":"
	      "\"0000000000000000000000000000000000000000000000000000000000000000\","
	      "\"savedRevision\":1}");
	spoil(&home, "a_file_of_somebody", ".txt", "");
	assert_int_equal(begin_kept(&table, &home), 2);
	assert_null(find(&table, ids[0], "me"));
	assert_null(find(&table, ids[1], "me"));
	handle = find(&table, ids[2], "me");
	assert_non_null(handle);
	expect_text(handle, "abc");
	tn_floor_documents_finish(&table.documents);
	assert_int_equal(count_files(&home), files + 1);
	end_home(&home);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_undo),      cmocka_unit_test(test_revisions),
		cmocka_unit_test(test_same_file), cmocka_unit_test(test_kept),
		cmocka_unit_test(test_killed),    cmocka_unit_test(test_two_processes),
		cmocka_unit_test(test_gone),      cmocka_unit_test(test_damaged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
