#include "store/oplog.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "loop/loop.h"
#include "store/file.h"
#include "store/limits.h"
#include "store/oplog_test_kit.h"

struct fixture {
	char folder[64], path[80], journal[96], lock[96];
	struct kit_document document;
	struct tn_oplog *log;
	struct tn_change change;
	struct tenon_error err;
};

static int set_up(void **state)
{
	struct fixture *f = tn_mem_alloc(sizeof(*f));

	assert_non_null(f);
	/* In memory where there is such a place: this test says nothing about disks. */
	(void)snprintf(f->folder, sizeof(f->folder), "%s/tenon-oplog-XXXXXX",
		       access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
	assert_non_null(mkdtemp(f->folder));
	(void)snprintf(f->path, sizeof(f->path), "%s/doc.json", f->folder);
	(void)snprintf(f->journal, sizeof(f->journal), "%s.journal", f->path);
	(void)snprintf(f->lock, sizeof(f->lock), "%s.lock", f->path);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	tn_oplog_close(f->log);
	kit_clear(&f->document);
	(void)unlink(f->path);
	(void)unlink(f->journal);
	(void)unlink(f->lock);
	assert_int_equal(rmdir(f->folder), 0); /* and nothing else was left there */
	tn_mem_free(f);
	return 0;
}

static void open_log(struct fixture *f)
{
	if (kit_open(f->path, &f->document, &f->log, &f->err) != TENON_OK)
		fail_msg("open: %s", f->err.message);
}

static void close_log(struct fixture *f)
{
	tn_oplog_close(f->log);
	f->log = NULL;
	kit_clear(&f->document);
}

static enum tenon_code commit(struct fixture *f, const char *operations)
{
	return kit_commit(f->log, operations, &f->change, &f->err);
}

static char *text_of(const struct kit_document *document) /* the caller frees it */
{
	struct tn_buf out;
	char *text;

	tn_buf_init(&out, TN_MIB);
	kit_save(document, &out);
	text = tn_mem_copy_text(out.data, out.size);
	assert_non_null(text);
	tn_buf_finish(&out);
	return text;
}

static void expect(struct fixture *f, const char *document, uint64_t revision)
{
	char *text = text_of(&f->document);

	assert_string_equal(text, document);
	assert_int_equal(tn_oplog_revision(f->log), revision);
	tn_mem_free(text);
}

static void read_whole(const char *path, struct tn_buf *out)
{
	tn_buf_init(out, 16 * TN_MIB);
	assert_int_equal(tn_file_read(path, 0, out, NULL), TENON_OK);
}

static void write_whole(const char *path, struct tn_str data)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600); /* tn_file_write waits for disks */

	assert_true(fd >= 0);
	assert_int_equal(write(fd, data.data, data.size), data.size);
	assert_int_equal(close(fd), 0);
}

/* The log is left as a killed process leaves it: the files as they are, no snapshot. */
static void copy_aside(const struct fixture *f, struct tn_buf *snapshot, struct tn_buf *journal)
{
	tn_buf_init(snapshot, 16 * TN_MIB);
	if (access(f->path, F_OK) == 0)
		read_whole(f->path, snapshot);
	read_whole(f->journal, journal);
}

static void die_and_restore(struct fixture *f)
{
	struct tn_buf snapshot, journal;

	copy_aside(f, &snapshot, &journal);
	close_log(f);
	(void)unlink(f->path);
	if (snapshot.size)
		write_whole(f->path, tn_buf_str(&snapshot));
	write_whole(f->journal, tn_buf_str(&journal));
	tn_buf_finish(&snapshot);
	tn_buf_finish(&journal);
}

/* ---- changes ---- */

static void nothing_is_written_before_the_first_change(void **state)
{
	struct fixture *f = *state;

	open_log(f);
	expect(f, "{}", 0);
	assert_int_not_equal(access(f->path, F_OK), 0);
	assert_int_not_equal(access(f->journal, F_OK), 0);
	assert_int_equal(access(f->lock, F_OK), 0);
	close_log(f);
	assert_int_not_equal(access(f->lock, F_OK), 0);
}

/* ST-062, ST-065: revision, id, actor, label. */
static void a_change_has_a_revision_and_a_name(void **state)
{
	struct fixture *f = *state;

	open_log(f);
	assert_int_equal(commit(f, "[{\"set\":\"k1\",\"value\":\"a\"}]"), TENON_OK);
	assert_int_equal(f->change.revision, 1);
	assert_int_equal(f->change.id, 1);
	assert_int_equal(f->change.wall_ms, 1795255200000);
	assert_string_equal(f->change.actor, "tester");
	assert_string_equal(f->change.label, "a change");
	assert_int_equal(f->change.kind, TN_CHANGE_DONE);
	assert_int_equal(commit(f, "[{\"set\":\"k2\",\"value\":\"b\"},{\"drop\":\"k1\"}]"),
			 TENON_OK);
	assert_int_equal(f->change.operations, 2);
	expect(f, "{\"k2\":\"b\"}", 2);
}

/* ST-060: a refused write changes nothing, not even the revision. */
static void a_batch_is_applied_wholly_or_not_at_all(void **state)
{
	struct fixture *f = *state;
	struct stat before, after;

	open_log(f);
	assert_int_equal(commit(f, "[{\"set\":\"k1\",\"value\":\"a\"}]"), TENON_OK);
	assert_int_equal(stat(f->journal, &before), 0);
	assert_int_equal(commit(f, "[{\"set\":\"k1\",\"value\":\"b\"},{\"set\":\"k2\",\"value\":"
				   "\"c\"},{\"paint\":\"k3\"}]"),
			 TENON_INVALID);
	assert_string_equal(f->err.message, "operation 3 of 3: neither set nor drop");
	assert_int_equal(commit(f, "[]"), TENON_INVALID);
	assert_int_equal(commit(f, "{\"set\":\"k1\"}"), TENON_INVALID);
	expect(f, "{\"k1\":\"a\"}", 1);
	assert_int_equal(stat(f->journal, &after), 0);
	assert_int_equal(before.st_size, after.st_size);
	assert_string_equal(tn_oplog_undo_label(f->log), "a change");
}

static void a_batch_has_a_limit(void **state)
{
	struct fixture *f = *state;
	struct tn_buf text;

	open_log(f);
	tn_buf_init(&text, TN_MIB);
	for (int i = 0; i <= TN_OPLOG_BATCH_MAX; i++)
		tn_buf_append_text(&text, i ? ",{\"drop\":\"k1\"}" : "[{\"drop\":\"k1\"}");
	tn_buf_append(&text, "]", 2);
	assert_int_equal(commit(f, text.data), TENON_LIMIT);
	expect(f, "{}", 0);
	text.data[text.size - sizeof(",{\"drop\":\"k1\"}") - 1] = ']';
	text.data[text.size - sizeof(",{\"drop\":\"k1\"}")] = '\0';
	assert_int_equal(commit(f, text.data), TENON_OK);
	tn_buf_finish(&text);
}

/* ST-061: a mismatch is refused with the current revision. */
static void an_expected_revision_that_is_not_is_refused(void **state)
{
	struct fixture *f = *state;
	struct tn_commit made = {.actor = "a", .label = "b", .expected_revision = 7};

	open_log(f);
	assert_int_equal(commit(f, "[{\"set\":\"k1\",\"value\":\"a\"}]"), TENON_OK);
	assert_int_equal(tn_oplog_commit(f->log, &made, &f->change, &f->err), TENON_EXPIRED);
	assert_string_equal(f->err.message,
			    "the revision is 1 now, not 7; read again and decide anew");
	assert_int_equal(tn_oplog_undo(f->log, "a", 0, &f->change, &f->err), TENON_EXPIRED);
	assert_int_equal(tn_oplog_redo(f->log, "a", 2, &f->change, &f->err), TENON_EXPIRED);
	assert_int_equal(tn_oplog_undo(f->log, "a", 1, &f->change, &f->err), TENON_OK);
	expect(f, "{}", 2);
}

static void a_dry_run_tells_and_changes_nothing(void **state)
{
	struct fixture *f = *state;
	struct tn_commit made = {
		.actor = "a", .label = "b", .expected_revision = -1, .dry_run = true};
	struct tn_json *tree = NULL;
	struct tn_arena arena;

	open_log(f);
	assert_int_equal(commit(f, "[{\"set\":\"k1\",\"value\":\"a\"}]"), TENON_OK);
	tn_arena_init(&arena, TN_MIB);
	assert_int_equal(tn_json_parse_copy(&arena,
					    TN_STR("[{\"drop\":\"k1\"},{\"set\":\"k1\","
						   "\"value\":\"b\"}]"),
					    &tree, NULL),
			 TENON_OK);
	made.operations = tree;
	assert_int_equal(tn_oplog_commit(f->log, &made, &f->change, &f->err), TENON_OK);
	assert_int_equal(f->change.operations, 2);
	assert_int_equal(f->change.id, 0);
	assert_int_equal(f->change.revision, 1);
	expect(f, "{\"k1\":\"a\"}", 1);
	assert_int_equal(tn_json_parse_copy(&arena, TN_STR("[{\"drop\":\"k1\"},{}]"), &tree, NULL),
			 TENON_OK);
	made.operations = tree;
	assert_int_equal(tn_oplog_commit(f->log, &made, &f->change, &f->err), TENON_INVALID);
	expect(f, "{\"k1\":\"a\"}", 1);
	tn_arena_finish(&arena);
}

/* ---- undo ---- */

/* ST-065: undo and redo by anyone; a new change clears the redo side. */
static void undo_and_redo_across_actors(void **state)
{
	struct fixture *f = *state;

	open_log(f);
	assert_int_equal(tn_oplog_undo(f->log, "x", -1, &f->change, &f->err), TENON_NOT_FOUND);
	assert_null(tn_oplog_undo_label(f->log));
	assert_int_equal(commit(f, "[{\"set\":\"k1\",\"value\":\"a\"}]"), TENON_OK);
	assert_int_equal(commit(f, "[{\"set\":\"k1\",\"value\":\"b\"},{\"set\":\"k2\","
				   "\"value\":\"c\"}]"),
			 TENON_OK);
	assert_int_equal(tn_oplog_undo(f->log, "a person", -1, &f->change, &f->err), TENON_OK);
	assert_int_equal(f->change.kind, TN_CHANGE_UNDO);
	assert_int_equal(f->change.of, 2);
	assert_int_equal(f->change.revision, 3);
	assert_string_equal(f->change.actor, "a person");
	expect(f, "{\"k1\":\"a\"}", 3);
	assert_string_equal(tn_oplog_redo_label(f->log), "a change");
	assert_int_equal(tn_oplog_redo(f->log, "another", -1, &f->change, &f->err), TENON_OK);
	assert_int_equal(f->change.kind, TN_CHANGE_REDO);
	expect(f, "{\"k1\":\"b\",\"k2\":\"c\"}", 4);
	assert_null(tn_oplog_redo_label(f->log));
	assert_int_equal(tn_oplog_undo(f->log, "x", -1, &f->change, &f->err), TENON_OK);
	assert_int_equal(tn_oplog_undo(f->log, "x", -1, &f->change, &f->err), TENON_OK);
	expect(f, "{}", 6);
	assert_int_equal(commit(f, "[{\"set\":\"k3\",\"value\":\"d\"}]"), TENON_OK);
	assert_int_equal(tn_oplog_redo(f->log, "x", -1, &f->change, &f->err), TENON_NOT_FOUND);
	expect(f, "{\"k3\":\"d\"}", 7);
}

struct listed {
	size_t count;
	uint64_t last;
	char kinds[16];
};

static bool note(const struct tn_change *change, void *data)
{
	struct listed *listed = data;

	assert_true(change->revision > listed->last);
	listed->last = change->revision;
	listed->kinds[listed->count++] = "dur"[change->kind];
	return listed->count < 15;
}

/* ST-065: the history is kept across restarts, by snapshot and by journal alike. */
static void the_history_survives_a_restart(void **state)
{
	struct fixture *f = *state;
	struct listed listed = {.count = 0};

	open_log(f);
	assert_int_equal(commit(f, "[{\"set\":\"k1\",\"value\":\"a\"}]"), TENON_OK);
	assert_int_equal(commit(f, "[{\"set\":\"k1\",\"value\":\"b\"}]"), TENON_OK);
	assert_int_equal(tn_oplog_undo(f->log, "x", -1, &f->change, &f->err), TENON_OK);
	close_log(f); /* into the snapshot */
	assert_int_not_equal(access(f->journal, F_OK), 0);
	open_log(f);
	expect(f, "{\"k1\":\"a\"}", 3);
	assert_int_equal(tn_oplog_redo(f->log, "x", -1, &f->change, &f->err), TENON_OK);
	expect(f, "{\"k1\":\"b\"}", 4);
	assert_int_equal(commit(f, "[{\"set\":\"k2\",\"value\":\"c\"}]"), TENON_OK);
	assert_int_equal(tn_oplog_undo(f->log, "x", -1, &f->change, &f->err), TENON_OK);
	die_and_restore(f); /* from the journal */
	open_log(f);
	expect(f, "{\"k1\":\"b\"}", 6);
	tn_oplog_list(f->log, 0, note, &listed);
	assert_string_equal(listed.kinds, "ddurdu");
	listed = (struct listed){.last = 4};
	tn_oplog_list(f->log, 4, note, &listed);
	assert_string_equal(listed.kinds, "du");
	for (int i = 0; i < 2; i++)
		assert_int_equal(tn_oplog_undo(f->log, "x", -1, &f->change, &f->err), TENON_OK);
	expect(f, "{}", 8);
	for (int i = 0; i < 3; i++)
		assert_int_equal(tn_oplog_redo(f->log, "x", -1, &f->change, &f->err), TENON_OK);
	expect(f, "{\"k1\":\"b\",\"k2\":\"c\"}", 11);
}

/* ST-065: at least 200 changes can be undone, and what is older is let go. */
static void two_hundred_changes_can_be_undone(void **state)
{
	struct fixture *f = *state;
	char operations[64];

	open_log(f);
	for (int i = 0; i < 250; i++) {
		(void)snprintf(operations, sizeof(operations),
			       "[{\"set\":\"k1\",\"value\":\"%d\"}]", i);
		assert_int_equal(commit(f, operations), TENON_OK);
		if (i == 120) {
			close_log(f);
			open_log(f);
		}
	}
	for (int i = 0; i < 200; i++)
		assert_int_equal(tn_oplog_undo(f->log, "x", -1, &f->change, &f->err), TENON_OK);
	expect(f, "{\"k1\":\"49\"}", 450);
	assert_int_equal(tn_oplog_undo(f->log, "x", -1, &f->change, &f->err), TENON_NOT_FOUND);
	for (int i = 0; i < 200; i++)
		assert_int_equal(tn_oplog_redo(f->log, "x", -1, &f->change, &f->err), TENON_OK);
	expect(f, "{\"k1\":\"249\"}", 650);
}

/* Random operations; undo all is the start, redo all the end, also when the process ends between
 * any two of them. */
static void properties_of_random_changes(void **state)
{
	struct fixture *f = *state;
	uint64_t seed = 20261121;
	char *starts[201], *at;
	int undone = 0;

	open_log(f);
	starts[0] = text_of(&f->document);
	for (int i = 0; i < 200; i++) {
		struct tn_buf batch;
		unsigned size = (unsigned)(kit_random(&seed) >> 60) % 5 + 1;

		tn_buf_init(&batch, TN_MIB);
		for (unsigned j = 0; j < size; j++) {
			tn_buf_append_byte(&batch, j ? ',' : '[');
			kit_random_operation(&batch, &seed);
		}
		tn_buf_append(&batch, "]", 2);
		assert_int_equal(commit(f, batch.data), TENON_OK);
		tn_buf_finish(&batch);
		starts[i + 1] = text_of(&f->document);
	}
	for (int i = 0; i < 1000; i++) {
		uint64_t random = kit_random(&seed) >> 56;
		bool back = i < 500 ? random < 150 : random < 80;

		if (random % 50 == 0) {
			if (random % 100 == 0)
				close_log(f);
			else
				die_and_restore(f);
			open_log(f);
		}
		if (back && undone < 200) {
			assert_int_equal(tn_oplog_undo(f->log, "x", -1, &f->change, &f->err),
					 TENON_OK);
			undone++;
		} else if (!back && undone > 0) {
			assert_int_equal(tn_oplog_redo(f->log, "x", -1, &f->change, &f->err),
					 TENON_OK);
			undone--;
		}
		at = text_of(&f->document);
		assert_string_equal(at, starts[200 - undone]);
		tn_mem_free(at);
	}
	while (tn_oplog_undo(f->log, "x", -1, &f->change, &f->err) == TENON_OK)
		undone++;
	assert_int_equal(undone, 200);
	at = text_of(&f->document);
	assert_string_equal(at, "{}");
	tn_mem_free(at);
	while (tn_oplog_redo(f->log, "x", -1, &f->change, &f->err) == TENON_OK)
		undone--;
	assert_int_equal(undone, 0);
	at = text_of(&f->document);
	assert_string_equal(at, starts[200]);
	tn_mem_free(at);
	for (int i = 0; i <= 200; i++)
		tn_mem_free(starts[i]);
}

/* ---- files ---- */

/* ST-023: cut anywhere, a journal gives the changes whose lines are whole, and goes on from there.
 */
static void a_torn_journal_gives_a_prefix(void **state)
{
	struct fixture *f = *state;
	struct tn_buf journal;
	size_t lines = 0;

	open_log(f);
	for (int i = 0; i < 3; i++)
		assert_int_equal(commit(f, "[{\"set\":\"k1\",\"value\":\"x\"}]"), TENON_OK);
	read_whole(f->journal, &journal);
	close_log(f);
	for (size_t size = 0; size <= journal.size; size++) {
		bool more = size > 0 && journal.data[size - 1] == '\n';

		lines += more ? 1 : 0;
		(void)unlink(f->path);
		write_whole(f->journal, tn_str(journal.data, size));
		open_log(f);
		assert_int_equal(tn_oplog_revision(f->log), lines);
		assert_int_equal(commit(f, "[{\"set\":\"k2\",\"value\":\"y\"}]"), TENON_OK);
		die_and_restore(f);
		open_log(f);
		assert_int_equal(tn_oplog_revision(f->log), lines + 1);
		close_log(f);
	}
	assert_int_equal(lines, 3);
	tn_buf_finish(&journal);
}

/* After a power cut a block that was never written reads as zeros, even if the end of the line
 * stands in the next one. */
static void a_last_line_with_zeros_is_torn(void **state)
{
	struct fixture *f = *state;
	struct tn_buf journal;

	open_log(f);
	assert_int_equal(commit(f, "[{\"set\":\"k1\",\"value\":\"x\"}]"), TENON_OK);
	assert_int_equal(commit(f, "[{\"set\":\"k1\",\"value\":\"y\"}]"), TENON_OK);
	read_whole(f->journal, &journal);
	close_log(f);
	(void)unlink(f->path);
	memset(journal.data + journal.size - 30, 0, 20);
	write_whole(f->journal, tn_buf_str(&journal));
	open_log(f);
	expect(f, "{\"k1\":\"x\"}", 1);
	tn_buf_finish(&journal);
}

static void expect_refusal(struct fixture *f, const char *words)
{
	struct kit_document document = {{NULL}};
	struct tn_oplog *log = NULL;

	assert_int_equal(kit_open(f->path, &document, &log, &f->err), TENON_INVALID);
	assert_string_equal(f->err.message, words);
	kit_clear(&document);
	assert_int_not_equal(access(f->lock, F_OK), 0);
}

/* ST-026: broken files are never overwritten, and the error says where. */
static void damage_is_refused_by_its_line(void **state)
{
	struct fixture *f = *state;
	struct tn_buf journal, after;
	size_t second;

	open_log(f);
	for (int i = 0; i < 3; i++)
		assert_int_equal(commit(f, "[{\"set\":\"k1\",\"value\":\"x\"}]"), TENON_OK);
	read_whole(f->journal, &journal);
	close_log(f);
	(void)unlink(f->path);
	second = tn_str_find_byte(tn_buf_str(&journal), '\n') + 1;
	for (size_t at = 0; at + 1 < journal.size; at++) {
		size_t line = 1 + at / second; /* all have one size */
		char words[80];

		if (journal.data[at] == '\n')
			continue;
		(void)snprintf(words, sizeof(words),
			       "line %zu of the journal: it is damaged: its checksum is wrong",
			       line);
		journal.data[at] ^= 1;
		write_whole(f->journal, tn_buf_str(&journal));
		expect_refusal(f, words);
		journal.data[at] ^= 1;
	}
	journal.data[20] ^= 1;
	write_whole(f->journal, tn_buf_str(&journal));
	expect_refusal(f, "line 1 of the journal: it is damaged: its checksum is wrong");
	read_whole(f->journal, &after);
	assert_true(tn_str_equal(tn_buf_str(&journal), tn_buf_str(&after)));
	journal.data[20] ^= 1;
	write_whole(f->journal, tn_str_from_offset(tn_buf_str(&journal), second));
	expect_refusal(f, "line 1 of the journal: changes before it are missing");
	tn_buf_finish(&journal);
	tn_buf_finish(&after);
}

static void a_damaged_snapshot_is_refused(void **state)
{
	struct fixture *f = *state;
	struct tn_buf snapshot;

	open_log(f);
	assert_int_equal(commit(f, "[{\"set\":\"k1\",\"value\":\"x\"}]"), TENON_OK);
	close_log(f);
	read_whole(f->path, &snapshot);
	for (size_t at = 0; at < snapshot.size; at++) {
		snapshot.data[at] ^= 1;
		write_whole(f->path, tn_buf_str(&snapshot));
		expect_refusal(f, "line 1 of the snapshot is damaged: its checksum is wrong");
		snapshot.data[at] ^= 1;
		write_whole(f->path, tn_str(snapshot.data, at));
		if (at > 0)
			expect_refusal(f, "line 1 of the snapshot is damaged: its checksum is "
					  "wrong");
	}
	tn_buf_finish(&snapshot);
}

/* The crash between the two files: the snapshot is new, the journal not yet empty. */
static void nothing_is_applied_twice(void **state)
{
	struct fixture *f = *state;
	struct tn_buf journal;

	open_log(f);
	assert_int_equal(commit(f, "[{\"set\":\"k1\",\"value\":\"a\"}]"), TENON_OK);
	assert_int_equal(commit(f, "[{\"set\":\"k1\",\"value\":\"b\"}]"), TENON_OK);
	read_whole(f->journal, &journal);
	close_log(f);
	write_whole(f->journal, tn_buf_str(&journal));
	open_log(f);
	expect(f, "{\"k1\":\"b\"}", 2);
	assert_int_equal(commit(f, "[{\"set\":\"k1\",\"value\":\"c\"}]"), TENON_OK);
	die_and_restore(f);
	open_log(f);
	expect(f, "{\"k1\":\"c\"}", 3);
	for (int i = 0; i < 3; i++)
		assert_int_equal(tn_oplog_undo(f->log, "x", -1, &f->change, &f->err), TENON_OK);
	expect(f, "{}", 6);
	tn_buf_finish(&journal);
}

static void a_long_journal_becomes_a_snapshot(void **state)
{
	struct fixture *f = *state;
	struct stat status;

	open_log(f);
	for (int i = 0; i <= TN_OPLOG_JOURNAL_LINES; i++)
		assert_int_equal(commit(f, "[{\"set\":\"k1\",\"value\":\"a\"}]"), TENON_OK);
	assert_int_equal(stat(f->journal, &status), 0);
	assert_int_equal(status.st_size, 0);
	assert_int_equal(stat(f->path, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);
	assert_int_equal(commit(f, "[{\"set\":\"k1\",\"value\":\"b\"}]"), TENON_OK);
	die_and_restore(f);
	open_log(f);
	expect(f, "{\"k1\":\"b\"}", TN_OPLOG_JOURNAL_LINES + 2);
}

/* ST-024: who has it is said. */
static void a_log_is_opened_once(void **state)
{
	struct fixture *f = *state;
	struct kit_document document = {{NULL}};
	struct tn_oplog *log = NULL;
	char words[32];

	open_log(f);
	assert_int_equal(kit_open(f->path, &document, &log, &f->err), TENON_BUSY);
	(void)snprintf(words, sizeof(words), "open: pid %ld on ", (long)getpid());
	assert_non_null(strstr(f->err.message, words));
	close_log(f);
	assert_int_equal(kit_open(f->path, &document, &log, &f->err), TENON_OK);
	tn_oplog_close(log);
}

/* A full disk: the file may not grow beyond what it has. */
static void a_full_disk_refuses_the_change(void **state)
{
	struct fixture *f = *state;
	struct rlimit before, now;
	struct stat status;
	void (*old)(int) = signal(SIGXFSZ, SIG_IGN);

	open_log(f);
	assert_int_equal(commit(f, "[{\"set\":\"k1\",\"value\":\"a\"}]"), TENON_OK);
	assert_int_equal(stat(f->journal, &status), 0);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	now = before;
	now.rlim_cur = (rlim_t)status.st_size + 10; /* ten bytes of the next line fit */
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &now), 0);
	assert_int_equal(commit(f, "[{\"set\":\"k1\",\"value\":\"b\"}]"), TENON_SYSTEM);
	assert_int_equal(tn_oplog_undo(f->log, "x", -1, &f->change, &f->err), TENON_SYSTEM);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	(void)signal(SIGXFSZ, old);
	assert_false(tn_oplog_is_broken(f->log));
	expect(f, "{\"k1\":\"a\"}", 1);
	assert_int_equal(commit(f, "[{\"set\":\"k1\",\"value\":\"c\"}]"), TENON_OK);
	die_and_restore(f);
	open_log(f);
	expect(f, "{\"k1\":\"c\"}", 2);
}

static void memory_only_has_no_files(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(kit_open(NULL, &f->document, &f->log, &f->err), TENON_OK);
	for (int i = 0; i < 3 * TN_OPLOG_JOURNAL_LINES; i++)
		assert_int_equal(commit(f, "[{\"set\":\"k1\",\"value\":\"a\"}]"), TENON_OK);
	assert_int_equal(tn_oplog_undo(f->log, "x", -1, &f->change, &f->err), TENON_OK);
	assert_int_equal(tn_oplog_sync(f->log, &f->err), TENON_OK);
	expect(f, "{\"k1\":\"a\"}", 3 * TN_OPLOG_JOURNAL_LINES + 1);
}

static void a_log_can_be_removed_unless_it_is_open(void **state)
{
	struct fixture *f = *state;

	open_log(f);
	assert_int_equal(commit(f, "[{\"set\":\"k1\",\"value\":\"a\"}]"), TENON_OK);
	assert_int_equal(tn_oplog_remove(f->path, &f->err), TENON_BUSY);
	die_and_restore(f);
	open_log(f);
	expect(f, "{\"k1\":\"a\"}", 1);
	close_log(f);
	assert_int_equal(tn_oplog_remove(f->path, &f->err), TENON_OK);
	assert_int_equal(tn_oplog_remove(f->path, &f->err), TENON_OK);
	open_log(f);
	expect(f, "{}", 0);
}

static void a_missing_folder_is_said(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(
		kit_open("/tmp/tenon-no-such-folder/doc.json", &f->document, &f->log, &f->err),
		TENON_NOT_FOUND);
	assert_null(f->log);
}

/* ---- with a loop ---- */

static void stop(struct tn_timer *timer, void *data)
{
	(void)timer;
	tn_loop_stop(data);
}

/* 100 ms after the commit the journal is synced, on a worker. That it is on the disk cannot be seen
 * from here; that it was asked for can: the log knows nothing unsynced any more, and it may be
 * closed at any moment meanwhile. */
static void syncing_is_a_job(void **state)
{
	struct fixture *f = *state;
	struct tn_oplog_options options = {.path = f->path,
					   .ops = &kit_ops,
					   .document = &f->document,
					   .clock = &kit_clock,
					   .sync_ms = 5};
	struct tn_loop *loop = NULL;
	struct tn_timer *timer = NULL;

	assert_int_equal(tn_loop_create(&loop, NULL), TENON_OK);
	options.loop = loop;
	assert_int_equal(tn_timer_open(loop, stop, loop, &timer, NULL), TENON_OK);
	for (uint64_t wait_ms = 0; wait_ms < 12; wait_ms++) {
		assert_int_equal(tn_oplog_open(&options, &f->log, &f->err), TENON_OK);
		for (int i = 0; i < 3; i++)
			assert_int_equal(commit(f, "[{\"set\":\"k1\",\"value\":\"a\"}]"), TENON_OK);
		tn_timer_start(timer, wait_ms);
		tn_loop_run(loop);
		close_log(f);
	}
	tn_timer_close(timer);
	tn_loop_destroy(loop);
	open_log(f);
	expect(f, "{\"k1\":\"a\"}", 36);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(nothing_is_written_before_the_first_change),
		IN_FOLDER(a_change_has_a_revision_and_a_name),
		IN_FOLDER(a_batch_is_applied_wholly_or_not_at_all),
		IN_FOLDER(a_batch_has_a_limit),
		IN_FOLDER(an_expected_revision_that_is_not_is_refused),
		IN_FOLDER(a_dry_run_tells_and_changes_nothing),
		IN_FOLDER(undo_and_redo_across_actors),
		IN_FOLDER(the_history_survives_a_restart),
		IN_FOLDER(two_hundred_changes_can_be_undone),
		IN_FOLDER(properties_of_random_changes),
		IN_FOLDER(a_torn_journal_gives_a_prefix),
		IN_FOLDER(a_last_line_with_zeros_is_torn),
		IN_FOLDER(damage_is_refused_by_its_line),
		IN_FOLDER(a_damaged_snapshot_is_refused),
		IN_FOLDER(nothing_is_applied_twice),
		IN_FOLDER(a_long_journal_becomes_a_snapshot),
		IN_FOLDER(a_log_is_opened_once),
		IN_FOLDER(a_full_disk_refuses_the_change),
		IN_FOLDER(memory_only_has_no_files),
		IN_FOLDER(a_log_can_be_removed_unless_it_is_open),
		IN_FOLDER(a_missing_folder_is_said),
		IN_FOLDER(syncing_is_a_job),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
