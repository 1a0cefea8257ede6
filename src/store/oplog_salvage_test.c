/* Salvage of a damaged journal: exactly what stood before the bad line is there afterwards, the
 * whole file stays beside it, and what is sound is left alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/mem.h"
#include "store/file.h"
#include "store/oplog_salvage.h"
#include "store/oplog_test_kit.h"

enum { CHANGES = 6 };

struct fixture {
	char folder[64], path[80], journal[96], copy[128];
	struct tn_buf whole; /* the journal of CHANGES changes */
	size_t ends[CHANGES];
	struct tenon_error err;
};

static void read_file(const char *path, struct tn_buf *text)
{
	tn_buf_init(text, TN_MIB);
	assert_int_equal(tn_file_read(path, 0, text, NULL), TENON_OK);
}

/* How many changes the document has now; SIZE_MAX when opening is refused. */
static size_t open_and_count(struct fixture *f)
{
	struct kit_document document = {{NULL}};
	struct tn_oplog *log = NULL;
	size_t count = 0;

	if (kit_open(f->path, &document, &log, &f->err) != TENON_OK) {
		kit_clear(&document); /* what stood before the bad line */
		return SIZE_MAX;
	}
	while (count < KIT_SLOTS && document.slots[count])
		count++;
	kit_clear(&document);
	tn_oplog_close(log);
	return count;
}

/* Closing writes a snapshot and empties the journal, so the files are kept from before it. */
static int set_up(void **state)
{
	struct fixture *f = tn_mem_alloc(sizeof(*f));
	struct kit_document document = {{NULL}};
	struct tn_oplog *log = NULL;
	struct tn_change change;
	size_t lines = 0;

	assert_non_null(f);
	(void)snprintf(f->folder, sizeof(f->folder), "/tmp/tenon-salvage-XXXXXX");
	assert_non_null(mkdtemp(f->folder));
	(void)snprintf(f->path, sizeof(f->path), "%s/doc.json", f->folder);
	(void)snprintf(f->journal, sizeof(f->journal), "%s.journal", f->path);
	(void)snprintf(f->copy, sizeof(f->copy), "%s.damaged-now", f->journal);
	assert_int_equal(kit_open(f->path, &document, &log, &f->err), TENON_OK);
	for (int i = 0; i < CHANGES; i++) {
		char text[64];

		(void)snprintf(text, sizeof(text), "[{\"set\":\"k%d\",\"value\":\"x\"}]", i);
		assert_int_equal(kit_commit(log, text, &change, &f->err), TENON_OK);
	}
	read_file(f->journal, &f->whole);
	tn_oplog_close(log);
	kit_clear(&document);
	for (size_t i = 0; i < f->whole.size; i++)
		if (f->whole.data[i] == '\n')
			f->ends[lines++] = i + 1;
	assert_int_equal(lines, CHANGES);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	(void)unlink(f->path);
	(void)unlink(f->journal);
	(void)unlink(f->copy);
	assert_int_equal(rmdir(f->folder), 0); /* no lock, no temporary file */
	tn_buf_finish(&f->whole);
	tn_mem_free(f);
	return 0;
}

/* The document as it was before it was closed: no snapshot, this journal. */
static void put_journal(struct fixture *f, struct tn_str text)
{
	(void)unlink(f->path);
	(void)unlink(f->copy);
	assert_int_equal(tn_file_write(f->journal, 0600, text, NULL), TENON_OK);
}

static void expect_repair(struct fixture *f, struct tn_str damaged, size_t good)
{
	struct tn_oplog_salvage found;
	struct tn_buf copy;

	put_journal(f, damaged);
	assert_int_equal(open_and_count(f), SIZE_MAX); /* refused: nothing is guessed */
	put_journal(f, damaged);
	assert_int_equal(tn_oplog_salvage_look(f->path, &found, &f->err), TENON_OK);
	assert_true(found.is_damaged);
	assert_int_equal(found.good_lines, good);
	assert_int_equal(tn_oplog_salvage_repair(f->path, "now", &found, &f->err), TENON_OK);
	assert_string_equal(found.copy, f->copy);
	read_file(f->copy, &copy);
	assert_true(tn_str_equal(tn_buf_str(&copy), damaged));
	tn_buf_finish(&copy);
	assert_int_equal(open_and_count(f), good);
	(void)unlink(f->journal);
}

static void a_changed_byte_anywhere(void **state)
{
	struct fixture *f = *state;
	struct tn_buf *text = &f->whole;

	for (size_t at = 0; at < text->size; at += 7) {
		size_t line = 0;

		while (f->ends[line] <= at)
			line++;
		if (text->data[at] == '\n')
			continue;
		text->data[at] ^= 1;
		expect_repair(f, tn_buf_str(text), line);
		text->data[at] ^= 1;
	}
}

static void a_missing_or_repeated_line(void **state)
{
	struct fixture *f = *state;
	struct tn_buf text;

	tn_buf_init(&text, TN_MIB);
	for (size_t line = 0; line + 1 < CHANGES; line++) {
		size_t start = line ? f->ends[line - 1] : 0;

		tn_buf_clear(&text);
		tn_buf_append(&text, f->whole.data, start);
		tn_buf_append_str(&text, tn_str_from_offset(tn_buf_str(&f->whole), f->ends[line]));
		expect_repair(f, tn_buf_str(&text), line);
		tn_buf_clear(&text);
		tn_buf_append(&text, f->whole.data, f->ends[line]);
		tn_buf_append_text(&text, "{\"half\":}\n");
		tn_buf_append_str(&text, tn_str_from_offset(tn_buf_str(&f->whole), f->ends[line]));
		expect_repair(f, tn_buf_str(&text), line + 1);
	}
	tn_buf_finish(&text);
}

/* Nothing to mend: nothing is written, no copy is made. */
static void what_is_sound_stays(void **state)
{
	struct fixture *f = *state;
	struct tn_oplog_salvage found;
	struct tn_buf after;

	for (size_t cut = 0; cut < 3; cut++) {
		struct tn_str text = tn_str(f->whole.data, f->whole.size - 5 * cut);

		put_journal(f, text); /* with a torn end: opening drops it */
		assert_int_equal(tn_oplog_salvage_repair(f->path, "now", &found, &f->err),
				 TENON_OK);
		assert_false(found.is_damaged);
		assert_int_equal(access(f->copy, F_OK), -1);
		read_file(f->journal, &after);
		assert_true(tn_str_equal(tn_buf_str(&after), text));
		tn_buf_finish(&after);
		assert_int_equal(open_and_count(f), CHANGES - (cut > 0));
	}
}

static void one_that_is_open_is_busy(void **state)
{
	struct fixture *f = *state;
	struct kit_document document = {{NULL}};
	struct tn_oplog_salvage found;
	struct tn_oplog *log = NULL;

	put_journal(f, tn_buf_str(&f->whole));
	assert_int_equal(kit_open(f->path, &document, &log, &f->err), TENON_OK);
	assert_int_equal(tn_oplog_salvage_repair(f->path, "now", &found, &f->err), TENON_BUSY);
	tn_oplog_close(log);
	kit_clear(&document);
}

/* A journal behind a snapshot: what the snapshot has is passed over; a gap between them is damage.
 */
static void it_follows_the_snapshot(void **state)
{
	struct fixture *f = *state;
	struct tn_oplog_salvage found;
	struct tn_buf snapshot;

	put_journal(f, tn_str(f->whole.data, f->ends[1]));
	assert_int_equal(open_and_count(f), 2); /* closing makes a snapshot of two changes */
	read_file(f->path, &snapshot);
	assert_int_equal(tn_file_write(f->journal, 0600, tn_buf_str(&f->whole), NULL), TENON_OK);
	assert_int_equal(tn_oplog_salvage_look(f->path, &found, &f->err), TENON_OK);
	assert_false(found.is_damaged);
	assert_int_equal(tn_file_write(f->journal, 0600,
				       tn_str_from_offset(tn_buf_str(&f->whole), f->ends[2]), NULL),
			 TENON_OK);
	assert_int_equal(tn_oplog_salvage_look(f->path, &found, &f->err), TENON_OK);
	assert_true(found.is_damaged);
	assert_int_equal(found.good_lines, 0);
	snapshot.data[30] ^= 1;
	assert_int_equal(tn_file_write(f->path, 0600, tn_buf_str(&snapshot), NULL), TENON_OK);
	assert_int_equal(tn_oplog_salvage_look(f->path, &found, &f->err), TENON_INVALID);
	tn_buf_finish(&snapshot);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_changed_byte_anywhere, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_missing_or_repeated_line, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_is_sound_stays, set_up, tear_down),
		cmocka_unit_test_setup_teardown(one_that_is_open_is_busy, set_up, tear_down),
		cmocka_unit_test_setup_teardown(it_follows_the_snapshot, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
