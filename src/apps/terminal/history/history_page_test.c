/* terminal.md sections 7.6 and 9: page by page, whatever is recorded meanwhile. */
#include "apps/terminal/history/history.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "apps/terminal/history/history_found_kit.h"
#include "base/mem.h"
#include "base/size.h"

enum { BOTH = TN_HISTORY_COMMANDS | TN_HISTORY_OUTPUTS };

static uint64_t number_of(const struct tn_history_entry *entry)
{
	uint64_t number = 0;

	assert_true(tn_str_to_uint(tn_str_from_offset(entry->command_id, 4), &number));
	assert_in_range(number, 1, 63);
	return number;
}

static void pages(void **state)
{
	static const struct {
		enum tn_history_syntax syntax;
		const char *query;
	} cases[] = {{TN_HISTORY_WORDS, "echo"},
		     {TN_HISTORY_REGEX, "echo|line"},
		     {TN_HISTORY_WORDS, "%"},
		     {TN_HISTORY_WORDS, ""}};
	struct history_kit kit;

	(void)state;
	history_kit_open(&kit);
	for (int i = 0; i < 25; i++)
		history_kit_command(&kit, "ses_a", "echo %", "a line of echo %\n", 0);
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		struct tn_history_search search = {.query = tn_str_from(cases[i].query),
						   .syntax = cases[i].syntax,
						   .types = BOTH,
						   .limit = 7};
		bool seen[2][64] = {{false}};
		char cursor[256] = "";
		size_t count = 0;

		for (int page = 0; page < 9; page++) {
			struct tn_history_found found;

			search.cursor = page ? cursor : NULL;
			found = history_kit_search(&kit, &search);
			assert_int_equal(found.code, TENON_OK);
			assert_int_equal(found.total, 50);
			for (size_t j = 0; j < found.count; j++) {
				const struct tn_history_entry *entry = &found.entries[j];
				bool *place = &seen[entry->is_output][number_of(entry)];

				assert_false(*place);
				*place = true;
				count++;
			}
			(void)snprintf(cursor, sizeof(cursor), "%.*s", (int)found.next_cursor.size,
				       found.next_cursor.data ? found.next_cursor.data : "");
			tn_arena_finish(&found.arena);
			/* What is added between two pages does not move them. */
			history_kit_command(&kit, "ses_a", "echo % later", NULL, 0);
			if (!cursor[0])
				break;
		}
		assert_int_equal(count, 50);
		assert_true(history_kit_purge(&kit, 0, "later") > 0);
	}
	history_kit_close(&kit);
	history_kit_remove(&kit);
}

static void cursors_of_other_searches(void **state)
{
	static const char *const cursors[] = {"",
					      "h2",
					      "x",
					      "h2.0.0",
					      "h2.00000000.1.1.1.1.1.1.1.1",
					      "h2.zz",
					      "h2.-1.1.1.1.1.1.1.1"};
	struct history_kit kit;
	struct tn_history_search search = {.query = TN_STR("echo"), .types = BOTH, .limit = 1};
	struct tn_history_found found;
	char cursor[256];

	(void)state;
	history_kit_open(&kit);
	for (int i = 0; i < 3; i++)
		history_kit_command(&kit, "ses_a", "echo one", NULL, 0);
	for (size_t i = 0; i < TN_COUNT(cursors); i++) {
		search.cursor = cursors[i];
		history_found_expect(&kit, &search, "expired");
	}
	search.cursor = NULL;
	found = history_kit_search(&kit, &search);
	assert_true(found.next_cursor.size > 0);
	(void)snprintf(cursor, sizeof(cursor), "%.*s", (int)found.next_cursor.size,
		       found.next_cursor.data);
	tn_arena_finish(&found.arena);
	search.cursor = cursor;
	history_found_expect(&kit, &search, "C2");
	search.owner = "eve";
	history_found_expect(&kit, &search, "expired");
	search.owner = NULL;
	search.query = TN_STR("one");
	history_found_expect(&kit, &search, "expired");
	history_kit_close(&kit);
	history_kit_remove(&kit);
}

/* terminal.md 7.6: of an expression, too, the best match first, then the newest. */
static void the_best_of_an_expression(void **state)
{
	static const char *const commands[] = {
		"tar cf a.tar a",
		"echo one two three four five six seven eight nine ten tar",
		"tar tar tar",
		"tar cf b.tar b",
		"ls",
		"ls -l",
		"ls -a",
		"make",
		"make all",
	};
	struct tn_history_search search = {
		.query = TN_STR("tar"), .syntax = TN_HISTORY_FTS, .types = BOTH, .limit = 20};
	static const char *const wanted[] = {"O7:1 C3", "C4 C1", "C2"};
	struct history_kit kit;
	(void)state;
	history_kit_open(&kit);
	for (size_t i = 0; i < TN_COUNT(commands); i++)
		history_kit_command(&kit, "ses_a", commands[i], i == 6 ? "a.tar\n" : "other\n", 0);
	search.limit = 2;
	history_found_expect_pages(&kit, &search, 5, wanted, TN_COUNT(wanted));
	history_kit_close(&kit);
	history_kit_remove(&kit);
}

/* Recorded again (by a daemon that came after a killed one), as the command with this number. */
static void record_again(struct history_kit *kit, unsigned number, const char *output)
{
	unsigned last = kit->number;

	kit->number = number - 1;
	history_kit_command(kit, "ses_a", "seen", output, 0);
	kit->number = last;
}

/* All pages, one entry after the other. `again` is recorded again after the first page; 0: none. */
static void list_pages(struct history_kit *kit, unsigned again, char *out, size_t size)
{
	struct tn_history_search search = {
		.query = TN_STR("words"), .types = TN_HISTORY_OUTPUTS, .limit = 3};
	char cursor[200];

	out[0] = '\0';
	do {
		struct tn_history_found found = history_kit_search(kit, &search);
		size_t used = strlen(out);

		history_found_list(&found, out + used, size - used - 1);
		(void)snprintf(cursor, sizeof(cursor), "%.*s", (int)found.next_cursor.size,
			       found.next_cursor.data);
		tn_arena_finish(&found.arena);
		if (again)
			record_again(kit, again, "words\n");
		again = 0;
		search.cursor = cursor;
		if (cursor[0])
			(void)snprintf(out + strlen(out), size - strlen(out), " ");
	} while (cursor[0]);
}

static void pages_after_a_command_is_recorded_again(void **state)
{
	enum { COMMANDS = 10 };
	struct history_kit kit;
	char got[2048];

	(void)state;
	history_kit_open(&kit);
	for (unsigned i = 1; i <= COMMANDS; i++)
		history_kit_command(&kit, "ses_a", "seen", i == 4 ? NULL : "words\n", 0);
	record_again(&kit, 2, "words\n");
	record_again(&kit, 7, "words\n");
	list_pages(&kit, 0, got, sizeof(got));
	assert_string_equal(got, "O10:1 O9:1 O8:1 O7:1 O6:1 O5:1 O3:1 O2:1 O1:1");
	list_pages(&kit, 5, got, sizeof(got));
	assert_string_equal(got, "O10:1 O9:1 O8:1 O7:1 O6:1 O5:1 O3:1 O2:1 O1:1");
	/* It has output now, and had none: there was no place for it. */
	record_again(&kit, 4, "words\n");
	list_pages(&kit, 0, got, sizeof(got));
	assert_string_equal(got, "O4:1 O10:1 O9:1 O8:1 O7:1 O6:1 O5:1 O3:1 O2:1 O1:1");
	/* And the other way round. */
	record_again(&kit, 9, NULL);
	list_pages(&kit, 0, got, sizeof(got));
	assert_string_equal(got, "O4:1 O10:1 O8:1 O7:1 O6:1 O5:1 O3:1 O2:1 O1:1");
	history_kit_close(&kit);
	history_kit_remove(&kit);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pages),
		cmocka_unit_test(cursors_of_other_searches),
		cmocka_unit_test(the_best_of_an_expression),
		cmocka_unit_test(pages_after_a_command_is_recorded_again),
	};

	return cmocka_run_group_tests_name("history pages", tests, NULL, NULL);
}
