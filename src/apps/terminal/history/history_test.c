/* terminal.md sections 7.6 and 9: what is found, and how. */
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

static void expect_words(struct history_kit *kit, const char *query, const char *wanted)
{
	history_found_expect(kit,
			     &(struct tn_history_search){
				     .query = tn_str_from(query), .types = BOTH, .limit = 20},
			     wanted);
}

static void fill(struct history_kit *kit)
{
	history_kit_session(kit, "ses_a", "alice", "shop");
	history_kit_session(kit, "ses_b", "bob", NULL);
	history_kit_command(kit, "ses_a", "git push --force origin main", /* 1 */
			    "Everything up-to-date\n", 0);
	history_kit_command(kit, "ses_a", "make test", /* 2 */
			    "compiling a/b.c\ncompiling main.cpp\nerror: expected ';'\n"
			    "make: *** [Makefile:3: all] Error 1\n",
			    2);
	history_kit_command(kit, "ses_a", "g++ -std=c++20 main.cpp -o caf\xc3\xa9", "", 0); /* 3 */
	history_kit_command(kit, "ses_b", "git status", "On branch main\n", 0);             /* 4 */
	history_kit_command(kit, "ses_a", "git log | head", NULL, 141);                     /* 5 */
}

static void words(void **state)
{
	struct history_kit kit;

	(void)state;
	history_kit_open(&kit);
	fill(&kit);
	/* All words, any order, prefix on the last one only. */
	expect_words(&kit, "origin git", "C1");
	expect_words(&kit, "compil", "O2:1");
	expect_words(&kit, "compil main", "");
	expect_words(&kit, "compiling err", "O2:1");
	expect_words(&kit, "EXPECTED", "O2:3");
	/* The newer one first when both match as well. */
	expect_words(&kit, "git", "C5 C4 C1");
	/* Punctuation stands as it was written. */
	expect_words(&kit, "--force", "C1");
	expect_words(&kit, "-force", "C1");
	expect_words(&kit, "---force", "");
	expect_words(&kit, "a/b.c", "O2:1");
	expect_words(&kit, "a.b/c", "");
	expect_words(&kit, "C++20", "C3");
	expect_words(&kit, "G++ main", "C3");
	expect_words(&kit, "caf\xc3\x89", "C3"); /* upper case, with its accent */
	expect_words(&kit, "cafe", "C3");
	/* Punctuation alone. */
	expect_words(&kit, "***", "O2:4");
	expect_words(&kit, "|", "C5");
	expect_words(&kit, "++ cpp", "C3");
	expect_words(&kit, "';'", "O2:3");
	expect_words(&kit, "\xe2\x86\x92", "");
	/* Nothing is no error; nothing asked for is everything. */
	expect_words(&kit, "absent", "");
	expect_words(&kit, "  ", "C5 C4 O4:1 C3 C2 O2:1 C1 O1:1");
	history_kit_close(&kit);
	history_kit_remove(&kit);
}

/* What has the words as they were asked for comes first, then what was run last. */
static void better_matches_first(void **state)
{
	static const char *const commands[] = {
		"git commit -m one", "grep commit commit git git", "cd x && git commit",
		"git status",        "git commit -m two",          "echo commit git",
		"git commits",
	};
	struct tn_history_search search = {.types = BOTH, .limit = 3};
	struct history_kit kit;
	static const char *const wanted[] = {"C7 C5 C1", "O4:1 C3 C6", "C2 O2:1"};
	(void)state;
	history_kit_open(&kit);
	for (size_t i = 0; i < TN_COUNT(commands); i++)
		history_kit_command(&kit, "ses_a", commands[i],
				    i == 3   ? "use git commit\n"
				    : i == 1 ? "commit of git\n"
					     : NULL,
				    i == 4);
	expect_words(&kit, "git commit", "C7 C5 C1 O4:1 C3 C6 C2 O2:1");
	/* Blanks around them change nothing. */
	expect_words(&kit, " git commit  ", "C7 C5 C1 O4:1 C3 C6 C2 O2:1");
	expect_words(&kit, "git", "C7 C5 C4 C1 C6 O4:1 C3 C2 O2:1");
	expect_words(&kit, "git ", "C7 C5 C4 C1 C6 O4:1 C3 C2 O2:1");
	search.query = TN_STR("git commit");
	history_found_expect_pages(&kit, &search, 8, wanted, TN_COUNT(wanted));
	expect_words(&kit, "commit -m", "C5 C1");
	expect_words(&kit, "-m commit git", "C5 C1");
	search = (struct tn_history_search){
		.types = BOTH, .limit = 20, .query = TN_STR("git commit"), .exit = TN_HISTORY_OK};
	history_found_expect(&kit, &search, "C7 C1 O4:1 C3 C6 C2 O2:1");
	history_kit_close(&kit);
	history_kit_remove(&kit);
}

static void expect_near(struct history_kit *kit, struct tn_history_search search, const char *query,
			const char *wanted, const char *meant)
{
	struct tn_history_found found;
	char list[256];

	search.query = tn_str_from(query);
	found = history_kit_search(kit, &search);
	history_found_list(&found, list, sizeof(list));
	assert_string_equal(list, wanted);
	if (!meant)
		assert_null(found.warning);
	else if (!found.warning || !strstr(found.warning, meant))
		fail_msg("%s: %s", query, found.warning ? found.warning : "no warning");
	tn_arena_finish(&found.arena);
}

/* Finding 20: a typing error finds what was meant, says so, and changes nothing else. */
static void typing_errors(void **state)
{
	struct tn_history_search search = {.types = BOTH, .limit = 20};
	struct tn_history_search mine = {.types = BOTH, .limit = 20, .owner = "me"};
	struct history_kit kit;

	(void)state;
	history_kit_open(&kit);
	history_kit_session(&kit, "ses_1", "me", NULL);
	history_kit_session(&kit, "ses_2", "other", NULL);
	history_kit_command(&kit, "ses_1", "kubectl get pods", "", 0);
	history_kit_command(&kit, "ses_1", "git commit -m x", "[main 1234] changed", 0);
	history_kit_command(&kit, "ses_1", "make", "Compiling registry_server\ndone", 0);
	history_kit_command(&kit, "ses_2", "terraform apply", "", 0);
	expect_near(&kit, search, "kubectl", "C1", NULL);
	expect_near(&kit, search, "kubctl get", "C1", "\"kubectl get\"");
	expect_near(&kit, search, "kubetcl  pods", "C1", "\"kubectl pods\"");
	expect_near(&kit, search, "gti comit -m", "C2", "\"git commit -m\"");
	expect_near(&kit, search, "compileing", "O3:1", "\"compiling\"");
	expect_near(&kit, search, "terrafrom", "C4", "\"terraform\"");
	expect_near(&kit, mine, "terrafrom", "", NULL); /* another one's words are not told */
	expect_near(&kit, search, "kubernetes", "", NULL);
	expect_near(&kit, search, "pods commit", "", NULL);
	expect_near(&kit, search, "1235", "", NULL);
	search.syntax = TN_HISTORY_PHRASE;
	expect_near(&kit, search, "kubctl get", "", NULL);
	history_kit_close(&kit);
	history_kit_remove(&kit);
}

/* No query text raises an error. */
static void no_words_are_an_error(void **state)
{
	static const char *const queries[] = {
		"\"",
		"\"\"\"",
		"a\"b",
		"NEAR(",
		"AND",
		"OR NOT",
		"*",
		"^a",
		"text:",
		"a AND",
		"(",
		")",
		"{a b}",
		"-a",
		"+",
		"'",
		";--",
		"%",
		"\\",
		"a*b",
		"NOT x",
		":",
		"a:b:c",
		"\x01",
		"\xff",
		"\xc3",
		"a - b",
		"col : x",
		"rank:1",
		"a OR",
		"\"a",
		"a\"",
		"NEAR(a,b)",
		"\xf0\x9f\x98\x80",
		"a\xf0\x9f\x98\x80z",
	};
	static const enum tn_history_syntax syntaxes[] = {TN_HISTORY_WORDS, TN_HISTORY_PHRASE,
							  TN_HISTORY_FTS};
	struct history_kit kit;

	(void)state;
	history_kit_open(&kit);
	fill(&kit);
	for (size_t i = 0; i < TN_COUNT(queries) * TN_COUNT(syntaxes); i++) {
		const struct tn_history_search search = {
			.query = tn_str_from(queries[i / TN_COUNT(syntaxes)]),
			.syntax = syntaxes[i % TN_COUNT(syntaxes)],
			.types = BOTH,
			.limit = 5};
		struct tn_history_found found = history_kit_search(&kit, &search);

		if (found.code != TENON_OK)
			fail_msg("%s: %s", search.query.data, found.error.message);
		tn_arena_finish(&found.arena);
	}
	history_kit_close(&kit);
	history_kit_remove(&kit);
}

static void phrases_expressions_and_patterns(void **state)
{
	static const struct {
		enum tn_history_syntax syntax;
		const char *query, *wanted;
	} cases[] = {
		{TN_HISTORY_PHRASE, "git push", "C1"},
		{TN_HISTORY_PHRASE, "push git", ""},
		{TN_HISTORY_PHRASE, "GIT  PUSH", "C1"},
		{TN_HISTORY_PHRASE, "push --force", "C1"},
		{TN_HISTORY_PHRASE, "push -force", ""},
		{TN_HISTORY_PHRASE, "gi pu", ""},
		{TN_HISTORY_FTS, "push OR status", "C4 C1"},
		{TN_HISTORY_FTS, "git NOT push", "C5 C4"},
		{TN_HISTORY_FTS, "comp*", "O2:1"},
		{TN_HISTORY_FTS, "git AND (", ""},      /* words: git, AND, ( */
		{TN_HISTORY_FTS, "push --force", "C1"}, /* words */
		{TN_HISTORY_REGEX, "^git (push|status)", "C4 C1"},
		{TN_HISTORY_REGEX, "\\.cpp$", "O2:2"},
		{TN_HISTORY_REGEX, "(?i)ERROR", "O2:3"},
		{TN_HISTORY_REGEX, "^$x", ""},
		{TN_HISTORY_REGEX, "(", "invalid"},
		{TN_HISTORY_REGEX, "[", "invalid"},
	};
	struct history_kit kit;

	(void)state;
	history_kit_open(&kit);
	fill(&kit);
	for (size_t i = 0; i < TN_COUNT(cases); i++)
		history_found_expect(
			&kit,
			&(struct tn_history_search){.query = tn_str_from(cases[i].query),
						    .syntax = cases[i].syntax,
						    .types = BOTH,
						    .limit = 20},
			cases[i].wanted);
	history_kit_close(&kit);
	history_kit_remove(&kit);
}

static void filters(void **state)
{
	struct history_kit kit;
	struct tn_history_search search = {.query = TN_STR("git"), .types = BOTH, .limit = 20};
	int64_t first;

	(void)state;
	history_kit_open(&kit);
	first = kit.time_ms;
	fill(&kit);
	search.exit = TN_HISTORY_OK;
	history_found_expect(&kit, &search, "C4 C1");
	search.exit = TN_HISTORY_FAILED;
	history_found_expect(&kit, &search, "C5");
	search.exit = TN_HISTORY_ANY_EXIT;
	search.session_id = "ses_b";
	history_found_expect(&kit, &search, "C4");
	search.session_id = NULL;
	search.project_id = "shop";
	history_found_expect(&kit, &search, "C5 C1");
	search.project_id = NULL;
	search.since_ms = first + 3000;
	history_found_expect(&kit, &search, "C5 C4");
	search.until_ms = first + 3500;
	history_found_expect(&kit, &search, "C4");
	search.since_ms = search.until_ms = 0;
	search.cwd_prefix = "/srv/a";
	history_found_expect(&kit, &search, "C5 C4 C1");
	search.cwd_prefix = "/srv/b";
	history_found_expect(&kit, &search, "");
	search.cwd_prefix = NULL;
	/* Nobody finds what somebody else did. */
	search.owner = "alice";
	history_found_expect(&kit, &search, "C5 C1");
	search.owner = "bob";
	history_found_expect(&kit, &search, "C4");
	search.owner = "eve";
	history_found_expect(&kit, &search, "");
	search.syntax = TN_HISTORY_REGEX;
	history_found_expect(&kit, &search, "");
	search.owner = "bob";
	history_found_expect(&kit, &search, "C4");
	search.query = TN_STR("");
	search.syntax = TN_HISTORY_WORDS;
	history_found_expect(&kit, &search, "C4 O4:1");
	search.types = TN_HISTORY_OUTPUTS;
	history_found_expect(&kit, &search, "O4:1");
	search.types = TN_HISTORY_COMMANDS;
	history_found_expect(&kit, &search, "C4");
	history_kit_close(&kit);
	history_kit_remove(&kit);
}

static void an_entry_has_everything(void **state)
{
	struct history_kit kit;
	struct tn_history_found found;
	const struct tn_history_entry *entry;
	int64_t first;

	(void)state;
	history_kit_open(&kit);
	first = kit.time_ms;
	fill(&kit);
	found = history_kit_words(&kit, "compiling");
	assert_int_equal(found.count, 1);
	entry = &found.entries[0];
	assert_true(entry->is_output);
	assert_int_equal(entry->timestamp, (first + 1000) / 1000);
	assert_int_equal(entry->exit_code, 2);
	assert_int_equal(entry->duration_ms, 250);
	assert_int_equal(entry->line, 1);
	assert_true(tn_str_is(entry->content, "compiling a/b.c\ncompiling main.cpp"));
	assert_true(tn_str_is(entry->snippet, "compiling a/b.c"));
	assert_true(tn_str_is(entry->cwd, "/srv/app"));
	assert_true(tn_str_is(entry->command_id, "cmd_2"));
	assert_true(tn_str_is(entry->session_id, "ses_a"));
	assert_true(tn_str_is(entry->session_name, "work"));
	assert_true(tn_str_is(entry->project_id, "shop"));
	tn_arena_finish(&found.arena);

	/* The lines with most of the words; around them as many as asked for. */
	found = history_kit_words(&kit, "error expected");
	assert_int_equal(found.count, 1);
	assert_true(tn_str_is(found.entries[0].content, "error: expected ';'"));
	assert_int_equal(found.entries[0].line, 3);
	tn_arena_finish(&found.arena);
	found = history_kit_search(&kit, &(struct tn_history_search){.query = TN_STR("expected"),
								     .types = BOTH,
								     .limit = 3,
								     .context = 1});
	assert_true(tn_str_is(found.entries[0].content, "compiling main.cpp\nerror: expected ';'\n"
							"make: *** [Makefile:3: all] Error 1"));
	assert_int_equal(found.entries[0].line, 3);
	tn_arena_finish(&found.arena);

	found = history_kit_words(&kit, "head");
	assert_false(found.entries[0].is_output);
	assert_int_equal(found.entries[0].line, 0);
	assert_true(tn_str_is(found.entries[0].content, "git log | head"));
	assert_null(found.entries[0].project_id.data ? NULL : (void *)1);
	tn_arena_finish(&found.arena);
	history_kit_close(&kit);
	history_kit_remove(&kit);
}

/* A pattern that takes too long is an error; one that is fast finds its way through much text. */
static void slow_patterns(void **state)
{
	struct history_kit kit;
	char *text = tn_mem_alloc(200001);

	(void)state;
	assert_non_null(text);
	memset(text, 'a', 200000);
	text[199999] = '!';
	text[200000] = '\0';
	history_kit_open(&kit);
	history_kit_command(&kit, "ses_a", "x", text, 0);
	history_found_expect(&kit,
			     &(struct tn_history_search){.query = TN_STR("(a|aa)+$"),
							 .syntax = TN_HISTORY_REGEX,
							 .types = BOTH,
							 .limit = 5},
			     "limit");
	history_found_expect(&kit,
			     &(struct tn_history_search){.query = TN_STR("a!$"),
							 .syntax = TN_HISTORY_REGEX,
							 .types = BOTH,
							 .limit = 5},
			     "O1:1");
	tn_mem_free(text);
	history_kit_close(&kit);
	history_kit_remove(&kit);
}

/* 256 KiB of the head and of the tail; the lines keep their numbers. */
static void long_outputs(void **state)
{
	enum { LINES = 40000 };
	struct history_kit kit;
	char *text = tn_mem_alloc(LINES * 32), *at = text;
	struct tn_history_found found;

	(void)state;
	assert_non_null(text);
	for (int i = 1; i <= LINES; i++)
		at += snprintf(at, 32, "this is line number n%d\n", i);
	history_kit_open(&kit);
	history_kit_command(&kit, "ses_a", "seq", text, 0);
	expect_words(&kit, "n17 line", "O1:17");
	expect_words(&kit, "n39990", "O1:39990");
	expect_words(&kit, "n20000", "");
	/* Very many lines: the first ones, and how many more. */
	found = history_kit_words(&kit, "number");
	assert_int_equal(found.count, 2);
	assert_true(found.entries[0].content.size < 4096);
	assert_true(tn_str_ends(found.entries[0].content, TN_STR(" lines]")));
	tn_arena_finish(&found.arena);
	tn_mem_free(text);
	history_kit_close(&kit);
	history_kit_remove(&kit);
}

static void without_a_file(void **state)
{
	struct history_kit kit;

	(void)state;
	history_kit_open(&kit);
	history_kit_close(&kit);
	(void)snprintf(kit.path, sizeof(kit.path), ":memory:");
	history_kit_open_again(&kit);
	expect_words(&kit, "git", "");
	fill(&kit);
	expect_words(&kit, "git", "C5 C4 C1");
	assert_int_equal(history_kit_purge(&kit, 0, "push"), 1);
	expect_words(&kit, "git", "C5 C4");
	history_kit_close(&kit);
	history_kit_remove(&kit);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words),
		cmocka_unit_test(better_matches_first),
		cmocka_unit_test(no_words_are_an_error),
		cmocka_unit_test(phrases_expressions_and_patterns),
		cmocka_unit_test(filters),
		cmocka_unit_test(an_entry_has_everything),
		cmocka_unit_test(slow_patterns),
		cmocka_unit_test(long_outputs),
		cmocka_unit_test(without_a_file),
		cmocka_unit_test(typing_errors),
	};

	return cmocka_run_group_tests_name("history", tests, NULL, NULL);
}
