/* What is noted of readings, without a diagram: ids and texts are made up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "apps/studio/document/document_test_kit.h"
#include "apps/studio/limits.h"
#include "apps/studio/mcp/follow.h"

enum { NODES_MAX = 500, NODE_SIZE = 16 }; /* of one reading */

struct reader {
	struct studio_kit kit;
	struct tn_studio_project project;
	struct tn_studio_follow *list, *follow;
	int number; /* of changes */
	struct tn_studio_read_node read[NODES_MAX];
	struct tn_studio_node names[NODES_MAX];
	char out[512]; /* of look */
};

static void start(struct reader *reader)
{
	*reader = (struct reader){.list = NULL};
	studio_kit_open(&reader->kit, NULL);
	(void)snprintf(reader->project.id, sizeof(reader->project.id), "p");
	reader->project.log = reader->kit.log;
	reader->follow = tn_studio_follow_of(&reader->list, &reader->project);
	assert_non_null(reader->follow);
	assert_ptr_equal(tn_studio_follow_of(&reader->list, &reader->project), reader->follow);
}

static void stop(struct reader *reader)
{
	tn_studio_follow_sweep(&reader->list, NULL);
	assert_null(reader->list);
	studio_kit_close(&reader->kit);
}

/* A change that makes the revision one more. */
static void change(struct reader *reader)
{
	char text[128];

	(void)snprintf(text, sizeof(text), "[{\"op\":\"setBudget\",\"budget\":%d}]",
		       ++reader->number);
	studio_kit_change(&reader->kit, text);
	reader->project.document.generation++;
}

/* Notes a reading of nodes given as "id=text" with blanks between; a status follows a slash:
 * "a=one/up". Returns the ids that are news, each with "+" when it is new and "!" when its status
 * is, and after "-" what is gone; "old" when what is known is newer. */
static const char *note(struct reader *reader, struct tn_studio_reading *reading,
			const struct tn_studio_seen *seen, const char *nodes)
{
	static const struct tn_studio_seen nothing = {.nothing = true};
	struct tn_studio_read_node *read = reader->read;
	struct tn_studio_node *names = reader->names;
	char text[NODES_MAX * NODE_SIZE], *at = text, *save = NULL, cursor[TN_STUDIO_CURSOR_SIZE];
	char *out = reader->out;
	struct tn_buf gone;

	memset(read, 0, sizeof(reader->read));
	memset(names, 0, sizeof(reader->names));
	out[0] = '\0';
	reading->nodes = read;
	reading->revision = tn_oplog_revision(reader->project.log);
	(void)snprintf(reading->project_id, sizeof(reading->project_id), "p");
	(void)snprintf(text, sizeof(text), "%s", nodes);
	for (at = strtok_r(text, " ", &save); at; at = strtok_r(NULL, " ", &save)) {
		char *value = strchr(at, '='), *slash = strchr(at, '/');
		size_t size = slash ? (size_t)(slash - value) : strlen(value);
		size_t i = reading->node_count++;

		names[i].id = tn_str(at, (size_t)(value - at));
		read[i].node = &names[i];
		read[i].hashes[TN_STUDIO_FACET_RECORD] =
			tn_digest_short(tn_str(value, size), reading->key);
		read[i].hashes[TN_STUDIO_FACET_STATUS] =
			tn_digest_short(tn_str_from(slash ? slash : ""), reading->key);
	}
	if (!tn_studio_follow_note(&reader->list, reading, seen, cursor))
		return "old";
	for (size_t i = 0; i < reading->node_count; i++) {
		const struct tn_studio_news *news = &read[i].news;

		if (news->any)
			(void)snprintf(out + strlen(out), sizeof(reader->out) - strlen(out),
				       "%.*s%s%s", (int)names[i].id.size, names[i].id.data,
				       news->is_new ? "+" : "",
				       news->status && !news->is_new ? "!" : "");
	}
	tn_buf_init(&gone, 4096);
	tn_studio_follow_put_gone(reader->follow, seen ? seen : &nothing, false, &gone);
	if (gone.size > 0 && seen)
		(void)snprintf(out + strlen(out), sizeof(reader->out) - strlen(out), "-%.*s",
			       (int)gone.size, gone.data);
	tn_buf_finish(&gone);
	if (seen && tn_studio_follow_needs_reset(reader->follow, seen))
		(void)snprintf(out, sizeof(reader->out), "reset");
	return out;
}

static const char *look(struct reader *reader, const struct tn_studio_seen *seen, const char *nodes)
{
	struct tn_studio_reading reading;

	assert_true(tn_studio_reading_begin(&reading, &reader->list, &reader->project));
	return note(reader, &reading, seen, nodes);
}

static struct tn_studio_seen now(const struct reader *reader)
{
	char cursor[TN_STUDIO_CURSOR_SIZE];
	struct tn_studio_seen seen;
	bool known = false;

	tn_studio_follow_cursor(reader->follow, tn_oplog_revision(reader->project.log), 0, cursor);
	assert_true(tn_studio_seen_cursor(reader->follow, tn_str_from(cursor), &seen, &known));
	assert_true(known);
	return seen;
}

static void test_differences(void **state)
{
	struct tn_studio_seen first, second;
	struct reader reader;

	(void)state;
	start(&reader);
	assert_string_equal(look(&reader, NULL, "a=1 b=1/up"), "a+b+");
	first = now(&reader);
	assert_string_equal(look(&reader, &first, "a=1 b=1/up"), "");
	change(&reader);
	assert_string_equal(look(&reader, &first, "a=2 b=1/up c=1"), "ac+");
	second = now(&reader);
	change(&reader);
	assert_string_equal(look(&reader, &second, "a=2 c=1"), "-\"b\"");
	assert_string_equal(look(&reader, &first, "a=2 c=1"), "ac+-\"b\"");
	change(&reader); /* it is there again: taken out of nothing, new to both */
	assert_string_equal(look(&reader, &second, "a=2 b=1/up c=1"), "b+");
	assert_string_equal(look(&reader, &first, "a=2 b=1/up c=1"), "ab+c+");
	first = now(&reader);
	assert_string_equal(look(&reader, &first, "a=2 b=1/down c=1"), "b!");
	stop(&reader);
}

static void test_revisions(void **state)
{
	struct tn_studio_seen seen;
	struct reader reader;

	(void)state;
	start(&reader);
	assert_false(tn_studio_seen_revision(reader.follow, 0, &seen)); /* nobody has read it */
	change(&reader);
	(void)look(&reader, NULL, "a=1 b=1");
	assert_false(tn_studio_seen_revision(reader.follow, 0, &seen));
	assert_true(tn_studio_seen_revision(reader.follow, 1, &seen));
	change(&reader);
	change(&reader);
	assert_string_equal(look(&reader, &seen, "a=1 b=2"), "b");
	/* Nobody has read revision 2: what is told is too much, never too little. */
	assert_true(tn_studio_seen_revision(reader.follow, 2, &seen));
	assert_string_equal(look(&reader, &seen, "a=1 b=2"), "b");
	assert_true(tn_studio_seen_revision(reader.follow, 3, &seen));
	assert_string_equal(look(&reader, &seen, "a=1 b=2"), "");
	for (int i = 0; i < TN_STUDIO_FOLLOW_MOMENTS_MAX; i++) {
		change(&reader);
		(void)look(&reader, &seen, "a=1 b=2");
	}
	assert_false(tn_studio_seen_revision(reader.follow, 3, &seen));
	assert_true(tn_studio_seen_revision(reader.follow, 4, &seen));
	stop(&reader);
}

static void test_what_cannot_be_said(void **state)
{
	struct tn_studio_seen seen;
	struct reader reader;

	(void)state;
	start(&reader);
	(void)look(&reader, NULL, "a=1 b=1 c=1");
	seen = now(&reader);
	change(&reader);
	assert_string_equal(look(&reader, &seen, "a=1 c=1 b=1"), "reset");
	assert_string_equal(look(&reader, &seen, "a=1 c=1 b=1"), "reset");
	seen = now(&reader);
	assert_string_equal(look(&reader, &seen, "a=1 c=1 b=1"), "");
	for (int i = 0; i <= TN_STUDIO_FOLLOW_GONE_MAX;) {
		char nodes[NODES_MAX * NODE_SIZE] = "a=1";
		size_t size = strlen(nodes);

		for (int more = 1; more < NODES_MAX; more++)
			size += (size_t)snprintf(nodes + size, NODE_SIZE, " x%d=1", i++);
		reader.project.document.generation++;
		(void)look(&reader, NULL, nodes);
	}
	reader.project.document.generation++;
	assert_string_equal(look(&reader, &seen, "a=1"), "reset");
	stop(&reader);
}

/* Readings that were begun one after the other may end the other way round. */
static void test_late_readings(void **state)
{
	struct tn_studio_reading early, late;
	struct tn_studio_seen seen;
	struct reader reader;

	(void)state;
	start(&reader);
	(void)look(&reader, NULL, "a=1/up");
	seen = now(&reader);
	assert_true(tn_studio_reading_begin(&early, &reader.list, &reader.project));
	tn_studio_follow_outside(reader.list, "q");
	tn_studio_follow_outside(reader.list, "p");
	assert_true(tn_studio_reading_begin(&late, &reader.list, &reader.project));
	assert_string_equal(note(&reader, &late, &seen, "a=1/down"), "a!");
	assert_string_equal(note(&reader, &early, &seen, "a=1/up"), "old");
	assert_string_equal(look(&reader, &seen, "a=1/down"), "a!");
	change(&reader);
	assert_true(tn_studio_reading_begin(&early, &reader.list, &reader.project));
	tn_studio_follow_sweep(&reader.list, NULL); /* closed, and opened again */
	reader.follow = tn_studio_follow_of(&reader.list, &reader.project);
	assert_string_equal(note(&reader, &early, NULL, "a=1/down"), "old");
	stop(&reader);
}

static void test_cursors(void **state)
{
	static const char *const wrong[] = {"",        "1",      "1.2",      "1.2.",
					    "1.2.3x",  " 1.2.3", "-1.2.3",   "01.2.3",
					    "1.0x2.3", "1.A.3",  "01.2.3.0", "1.0x2.3.0",
					    "1.A.3.0", "1.2.3.", "1.2.3.01", "1.2.3.0x"};
	struct reader reader, other;
	char cursor[TN_STUDIO_CURSOR_SIZE];
	struct tn_studio_seen seen;
	bool known;

	(void)state;
	start(&reader);
	start(&other);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		assert_false(
			tn_studio_seen_cursor(reader.follow, tn_str_from(wrong[i]), &seen, &known));
		assert_false(known);
	}
	(void)look(&other, NULL, "a=1");
	tn_studio_follow_cursor(other.follow, 1, 0, cursor);
	assert_true(tn_studio_seen_cursor(other.follow, tn_str_from(cursor), &seen, &known));
	/* Of before the project was closed, or of another one. */
	assert_false(tn_studio_seen_cursor(reader.follow, tn_str_from(cursor), &seen, &known));
	assert_true(known);
	assert_false(tn_studio_seen_cursor(other.follow, TN_STR("1.2.3"), &seen, &known));
	assert_true(known);
	stop(&other);
	stop(&reader);
}

/* What a reader has not asked for it has not seen, also where others have read it at that tick. */
static void test_what_was_asked_for(void **state)
{
	static const enum tn_studio_facet facets[] = {
		TN_STUDIO_FACET_DEFAULTS, TN_STUDIO_FACET_LAYOUT, TN_STUDIO_FACET_DIAGNOSTICS,
		TN_STUDIO_FACET_ADDRESSES, TN_STUDIO_FACET_COST};
	static const unsigned with[] = {TN_STUDIO_WITH_DEFAULTS, TN_STUDIO_WITH_LAYOUT,
					TN_STUDIO_WITH_DIAGNOSTICS, TN_STUDIO_WITH_ADDRESSES,
					TN_STUDIO_WITH_COSTS};
	char cursor[TN_STUDIO_CURSOR_SIZE];
	struct tn_studio_seen seen;
	struct reader reader;
	bool known;

	(void)state;
	start(&reader);
	(void)look(&reader, NULL, "a=1");
	for (size_t i = 0; i < TN_COUNT(with); i++) {
		tn_studio_follow_cursor(reader.follow, 1, with[i], cursor);
		assert_true(
			tn_studio_seen_cursor(reader.follow, tn_str_from(cursor), &seen, &known));
		assert_true(seen.ticks[TN_STUDIO_FACET_RECORD] > 0);
		assert_int_equal(seen.route_tick, 0);
		for (size_t k = 0; k < TN_COUNT(facets); k++)
			assert_int_equal(seen.ticks[facets[k]] > 0, i == k);
	}
	tn_studio_follow_cursor(reader.follow, 1, TN_STUDIO_WITH_ROUTES, cursor);
	assert_true(tn_studio_seen_cursor(reader.follow, tn_str_from(cursor), &seen, &known));
	assert_true(seen.route_tick > 0);
	stop(&reader);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_differences),
		cmocka_unit_test(test_revisions),
		cmocka_unit_test(test_what_cannot_be_said),
		cmocka_unit_test(test_late_readings),
		cmocka_unit_test(test_cursors),
		cmocka_unit_test(test_what_was_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
