/* terminal.md 7.6: patterns find what a plain look at every text finds, newest first, page by page;
 * words with punctuation what has them literally. */
#include "apps/terminal/history/history.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "apps/terminal/history/history_found_kit.h"
#include "apps/terminal/limits.h"
#include "apps/terminal/redact/regex.h"
#include "base/mem.h"
#include "base/size.h"

enum { COMMANDS = 120, BOTH = TN_HISTORY_COMMANDS | TN_HISTORY_OUTPUTS };

struct made {
	char command[64], output[64];
	int64_t started;
	unsigned number;
	int exit_code;
};

static uint32_t next_random(uint32_t *seed, uint32_t below)
{
	*seed = *seed * 1664525U + 1013904223U;
	return (*seed >> 8) % below;
}

/* They end in another order than they began in; some began at once. */
static void fill(struct history_kit *kit, struct made *made)
{
	static const char *const words[] = {"make",   "git commit", "echo x-1", "needle",
					    "Needle", "10.0.0.1",   "",         "a/b.c -l"};
	uint32_t seed = 7;
	int64_t begin = kit->time_ms;

	for (unsigned i = 0; i < COMMANDS; i++) {
		struct made *one = &made[i];

		(void)snprintf(one->command, sizeof(one->command), "%s %s",
			       words[next_random(&seed, 6)], words[next_random(&seed, 8)]);
		(void)snprintf(one->output, sizeof(one->output), "%s%s",
			       words[next_random(&seed, 8)], words[next_random(&seed, 8)]);
		one->started = begin + (int64_t)next_random(&seed, 50) * 1000;
		one->exit_code = (int)next_random(&seed, 2);
		one->number = i + 1;
		kit->time_ms = one->started;
		history_kit_command(kit, "ses_a", one->command, one->output, one->exit_code);
	}
}

static int newest_first(const void *a, const void *b)
{
	const struct made *left = a, *right = b;

	if (left->started != right->started)
		return left->started > right->started ? -1 : 1;
	return left->number > right->number ? -1 : 1;
}

static bool has(struct tn_regex *regex, const char *text)
{
	struct tn_regex_match match;
	struct tenon_error err;
	bool found = false;

	assert_int_equal(tn_regex_search(regex, tn_str_from(text), 0, &found, &match, &err),
			 TENON_OK);
	return found;
}

/* All that match, as history_found_list has them. */
static size_t list_plain(struct tn_regex *regex, const struct made *made, unsigned types,
			 bool failed, char *out, size_t size)
{
	size_t count = 0, used = 0;

	out[0] = '\0';
	for (unsigned i = 0; i < COMMANDS; i++) {
		const struct made *one = &made[i];

		if (failed && one->exit_code == 0)
			continue;
		if ((types & TN_HISTORY_COMMANDS) && has(regex, one->command))
			used += (size_t)snprintf(out + used, size - used, "%sC%u",
						 count++ ? " " : "", one->number);
		if ((types & TN_HISTORY_OUTPUTS) && one->output[0] && has(regex, one->output))
			used += (size_t)snprintf(out + used, size - used, "%sO%u:1",
						 count++ ? " " : "", one->number);
	}
	return count;
}

/* The same, page after page. */
static void list_pages(struct history_kit *kit, struct tn_history_search *search, size_t total,
		       char *out, size_t size)
{
	char cursor[200] = "";
	size_t used = 0;

	out[0] = '\0';
	do {
		struct tn_history_found found;

		search->cursor = cursor[0] ? cursor : NULL;
		found = history_kit_search(kit, search);
		assert_int_equal(found.code, TENON_OK);
		assert_int_equal(found.total, total);
		assert_false(found.total_is_least);
		if (used > 0 && found.count)
			out[used++] = ' ';
		history_found_list(&found, out + used, size - used);
		used = strlen(out);
		(void)snprintf(cursor, sizeof(cursor), "%.*s", (int)found.next_cursor.size,
			       found.next_cursor.data ? found.next_cursor.data : "");
		tn_arena_finish(&found.arena);
	} while (cursor[0]);
	search->cursor = NULL;
}

static void patterns_find_what_is_there(void **state)
{
	static const char *const patterns[] = {
		"needle",    "(?i)needle", "^git",    "-\\d",  "\\d+\\.\\d", "e$",
		"x-1|10\\.", ".",          "nowhere", "[A-Z]", "a/b\\.c",    "make make"};
	static const unsigned types[] = {BOTH, TN_HISTORY_COMMANDS, TN_HISTORY_OUTPUTS};
	struct history_kit kit;
	struct made *made = tn_mem_alloc_array(COMMANDS, sizeof(*made));
	char wanted[4096], got[4096];

	(void)state;
	assert_non_null(made);
	history_kit_open(&kit);
	fill(&kit, made);
	qsort(made, COMMANDS, sizeof(*made), newest_first);
	for (size_t i = 0; i < TN_COUNT(patterns) * TN_COUNT(types) * 2; i++) {
		struct tn_history_search search = {
			.query = tn_str_from(patterns[i / 2 / TN_COUNT(types)]),
			.syntax = TN_HISTORY_REGEX,
			.types = types[i / 2 % TN_COUNT(types)],
			.exit = i % 2 ? TN_HISTORY_FAILED : TN_HISTORY_ANY_EXIT,
			.limit = 11,
			.time_ms = 60000};
		struct tn_regex *regex = NULL;
		struct tenon_error err;
		size_t total;

		assert_int_equal(tn_regex_compile(search.query, false, &regex, &err), TENON_OK);
		total = list_plain(regex, made, search.types, i % 2, wanted, sizeof(wanted));
		list_pages(&kit, &search, total, got, sizeof(got));
		assert_string_equal(got, wanted);
		tn_regex_free(regex);
	}
	tn_mem_free(made);
	history_kit_close(&kit);
	history_kit_remove(&kit);
}

/* Many match slowly: the page is there, and that the total is none is said, on every page. */
static void what_is_not_counted_is_said(void **state)
{
	enum { TEXTS = 400, BYTES = 50000 };
	struct history_kit kit;
	struct tn_history_search search = {.query = TN_STR("(a|aa)+b|\\d\\d$"),
					   .syntax = TN_HISTORY_REGEX,
					   .types = BOTH,
					   .limit = 2,
					   .time_ms = 60000};
	struct tn_history_found found;
	char *text = tn_mem_alloc(BYTES + 1), cursor[200], got[64];

	(void)state;
	assert_non_null(text);
	for (int i = 0; i < BYTES; i++)
		text[i] = "1.-, "[i % 5];
	text[BYTES] = '\0';
	memcpy(text + BYTES - 2, "42", 2);
	history_kit_open(&kit);
	for (int i = 0; i < TEXTS; i++)
		history_kit_command(&kit, "ses_a", "x", text, 0);
	found = history_kit_search(&kit, &search);
	history_found_list(&found, got, sizeof(got));
	assert_string_equal(got, "O400:1 O399:1");
	assert_true(found.total >= 2);
	assert_true(found.total_is_least || found.total == TEXTS);
	(void)snprintf(cursor, sizeof(cursor), "%.*s", (int)found.next_cursor.size,
		       found.next_cursor.data);
	search.cursor = cursor;
	tn_arena_finish(&found.arena);
	found = history_kit_search(&kit, &search);
	history_found_list(&found, got, sizeof(got));
	assert_string_equal(got, "O398:1 O397:1");
	assert_true(found.total_is_least || found.total == TEXTS);
	tn_arena_finish(&found.arena);
	tn_mem_free(text);
	history_kit_close(&kit);
	history_kit_remove(&kit);
}

static void short_ends_of_words(void **state)
{
	static const struct {
		const char *query, *wanted;
	} cases[] = {{"src/cache.c", "C1"}, {"ls -l", "C2"},    {"ls -la", "C2"}, {"-l", "C2"},
		     {"cache.c", "C1"},     {"make x/y", "C3"}, {"make x/z", ""}, {"./a", "C4"},
		     {"-b ls", "C5"},       {"ls -b", "C5"},    {"run ./a", "C4"}};
	struct history_kit kit;

	(void)state;
	history_kit_open(&kit);
	history_kit_command(&kit, "ses_a", "cat src/cache.c", NULL, 0);
	history_kit_command(&kit, "ses_a", "ls -la src", NULL, 0);
	history_kit_command(&kit, "ses_a", "make x/y", NULL, 0);
	history_kit_command(&kit, "ses_a", "run ./a", NULL, 0);
	history_kit_command(&kit, "ses_a", "ls -b", NULL, 0);
	for (size_t i = 0; i < TN_COUNT(cases); i++)
		history_found_expect(
			&kit,
			&(struct tn_history_search){
				.query = tn_str_from(cases[i].query), .types = BOTH, .limit = 5},
			cases[i].wanted);
	history_kit_close(&kit);
	history_kit_remove(&kit);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(patterns_find_what_is_there),
		cmocka_unit_test(what_is_not_counted_is_said),
		cmocka_unit_test(short_ends_of_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
