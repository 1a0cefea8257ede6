/* Every allocation of a day in the life of an operation log fails once, and from then on always: no
 * crash, no leak, a change happens wholly or not at all, and what was acknowledged is there when
 * the log is opened again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include <unistd.h>

#include "short_memory.h"
#include "store/oplog_test_kit.h"

enum { CHANGES_MAX = 32, TEXT_MAX = 512 };

struct day {
	char folder[32], path[48];
	struct kit_document document;
	struct tn_oplog *log;
	char texts[CHANGES_MAX][TEXT_MAX]; /* the document after each revision */
	uint64_t revision;                 /* the last acknowledged */
	unsigned broken;
};

/* What the allocator does to the test itself is not the question. */
static void look(struct day *day, char out[TEXT_MAX])
{
	bool armed = fault.armed;
	struct tn_buf text;

	fault.armed = false;
	tn_buf_init(&text, TN_MIB);
	kit_save(&day->document, &text);
	(void)snprintf(out, TEXT_MAX, "%.*s", (int)text.size, text.data);
	tn_buf_finish(&text);
	fault.armed = armed;
}

static void expect_known(struct day *day)
{
	char text[TEXT_MAX];

	look(day, text);
	assert_int_equal(tn_oplog_revision(day->log), day->revision);
	assert_string_equal(text, day->texts[day->revision]);
}

static void acknowledged(struct day *day, enum tenon_code code)
{
	if (code == TENON_OK) {
		day->revision++;
		assert_true(day->revision < CHANGES_MAX);
		look(day, day->texts[day->revision]);
	}
	if (day->log && !tn_oplog_is_broken(day->log))
		expect_known(day);
}

static bool open_it(struct day *day)
{
	return kit_open(day->path, &day->document, &day->log, NULL) == TENON_OK;
}

static void close_it(struct day *day)
{
	day->broken += day->log && tn_oplog_is_broken(day->log) ? 1 : 0;
	tn_oplog_close(day->log);
	day->log = NULL;
	kit_clear(&day->document);
}

static void commit_by(struct day *day, const char *operations,
		      enum tenon_code (*make)(struct tn_oplog *, const char *, struct tn_change *,
					      struct tenon_error *))
{
	struct tn_change change;
	enum tenon_code code = make(day->log, operations, &change, NULL);

	if (!strstr(operations, "wrong"))
		acknowledged(day, code);
	else
		assert_int_not_equal(code, TENON_OK);
	if (!tn_oplog_is_broken(day->log))
		expect_known(day);
}

static void commit(struct day *day, const char *operations)
{
	commit_by(day, operations, kit_commit);
}

static void live(struct day *day)
{
	struct tn_change change;

	if (!open_it(day)) {
		kit_clear(&day->document);
		return;
	}
	expect_known(day);
	commit(day, "[{\"set\":\"k1\",\"value\":\"a\"},{\"set\":\"k2\",\"value\":\"b\"}]");
	commit(day, "[{\"drop\":\"k1\"},{\"set\":\"k2\",\"value\":\"c\"}]");
	commit(day, "[{\"set\":\"k3\",\"value\":\"d\"},{\"drop\":\"k2\"},{\"wrong\":1}]");
	acknowledged(day, tn_oplog_undo(day->log, "x", -1, &change, NULL));
	acknowledged(day, tn_oplog_undo(day->log, "x", -1, &change, NULL));
	acknowledged(day, tn_oplog_redo(day->log, "x", -1, &change, NULL));
	commit_by(day, "[{\"set\":\"k5\",\"value\":\"s\"},{\"drop\":\"k1\"}]", kit_step);
	commit_by(day, "[{\"set\":\"k6\",\"value\":\"t\"},{\"wrong\":1}]", kit_step);
	close_it(day);
	if (!open_it(day)) {
		kit_clear(&day->document);
		return;
	}
	expect_known(day);
	commit(day, "[{\"set\":\"k4\",\"value\":\"e\"}]");
	acknowledged(day, tn_oplog_undo(day->log, "x", -1, &change, NULL));
	close_it(day);
}

static void begin(struct day *day)
{
	*day = (struct day){.texts = {"{}"}};
	(void)snprintf(day->folder, sizeof(day->folder), "%s/tenon-oom-XXXXXX",
		       access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
	assert_non_null(mkdtemp(day->folder));
	(void)snprintf(day->path, sizeof(day->path), "%s/doc", day->folder);
}

static void end(struct day *day)
{
	static const char *const endings[] = {"", ".journal", ".lock"};
	char path[64];

	for (int i = 0; i < 3; i++) {
		(void)snprintf(path, sizeof(path), "%s%s", day->path, endings[i]);
		(void)unlink(path);
	}
	assert_int_equal(rmdir(day->folder), 0);
}

static void fail_each(bool goes_on)
{
	unsigned long nth = 0;
	unsigned broken = 0;
	struct day day;

	do {
		fault = (struct short_memory){.armed = true, .goes_on = goes_on, .nth = ++nth};
		begin(&day);
		live(&day);
		fault.armed = false;
		assert_true(open_it(&day));
		expect_known(&day);
		close_it(&day);
		end(&day);
		assert_int_equal(fault.live, 0);
		broken += day.broken;
	} while (fault.hit);
	assert_true(nth > 50);
	/* Memory that is gone for good in the middle of a batch leaves nothing to take it back. */
	if (goes_on)
		assert_true(broken > 0);
	print_message("%lu allocations, %u logs broken\n", nth - 1, broken);
}

static void each_once(void **state)
{
	(void)state;
	fail_each(false);
}

static void each_for_good(void **state)
{
	(void)state;
	fail_each(true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_once),
		cmocka_unit_test(each_for_good),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
