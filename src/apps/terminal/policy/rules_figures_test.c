/* How many destructive ways the policy without a file stops, and how many ordinary commands it
 * stops without need: the figures of docs/policy.md. The ways stand in tests/data/terminal/policy,
 * one a line: kinds.txt (three of each kind of way around a reader of shell texts), escapes.txt
 * (public ones through ordinary programs), ordinary.txt (what projects and people run). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "apps/terminal/policy/rules.h"
#include "apps/terminal/limits.h"
#include "apps/terminal/shell/typed_line.h"
#include "base/mem.h"

enum { LINE_MAX_BYTES = 4096 };

struct figures {
	unsigned ways, stopped; /* stopped: asked about or denied */
	unsigned kinds, kinds_missed;
};

static bool shows_all; /* TN_FIGURES=1: every way that is on the wrong side, by name */

/* ---- judging ---- */

static bool judge(const struct tn_rules *rules, struct tn_str text, bool edited)
{
	static const char *const roots[] = {"/home/ann/project", NULL};
	const struct tn_analysis_surroundings around = {.cwd = "/home/ann/project"};
	struct tn_verdict_of_rules verdict;
	struct tn_analysis analysis;
	const struct tn_rules_question question = {
		.analysis = &analysis, .cwd = around.cwd, .home = "/home/ann", .roots = roots};
	struct tn_arena arena;
	struct tenon_error err;

	tn_arena_init(&arena, TN_ANALYSIS_ARENA_MAX);
	assert_int_equal(tn_analyse(&arena, text, &around, &analysis, &err), TENON_OK);
	analysis.hidden = analysis.hidden || edited;
	assert_int_equal(tn_rules_judge(rules, &arena, &question, &verdict, &err), TENON_OK);
	tn_arena_finish(&arena);
	return verdict.action != TN_RULE_ALLOW;
}

/* Calls of one session, one after the other. */
static bool judge_calls(const struct tn_rules *rules, struct tn_str text)
{
	const struct tn_str arrow = TN_STR(" ⇒ ");
	bool stopped = false;

	for (;;) {
		size_t at = tn_str_find(text, arrow);
		bool last = at == TN_STR_NONE;

		stopped = judge(rules, last ? text : tn_str(text.data, at), false) || stopped;
		if (last)
			return stopped;
		text = tn_str_from_offset(text, at + arrow.size);
	}
}

/* ^X is a control key. */
static struct tn_str keys_of(const char *text, char *out)
{
	size_t size = 0;

	for (; *text; text++) {
		bool is_control = text[0] == '^' && text[1];

		out[size++] = is_control ? (char)(text[1] & 0x1F) : text[0];
		text += is_control;
	}
	return tn_str(out, size);
}

static bool judge_keys(const struct tn_rules *rules, const char *text)
{
	struct tn_typed_line *line = tn_mem_alloc(sizeof(*line));
	char bytes[LINE_MAX_BYTES];
	struct tn_str rest = keys_of(text, bytes);
	bool stopped = false, entered = false;

	assert_non_null(line);
	while (rest.size) {
		rest = tn_str_from_offset(rest, tn_typed_line_feed(line, rest, &entered));
		if (entered)
			stopped = judge(rules, tn_str(line->text, line->size),
					line->hidden || tn_typed_line_asks_history(line)) ||
				  stopped;
	}
	tn_mem_free(line);
	return stopped;
}

static bool is_stopped(const struct tn_rules *rules, const char *kind, const char *line)
{
	if (strncmp(kind, "keys", 4) == 0)
		return judge_keys(rules, line);
	return judge_calls(rules, tn_str_from(line));
}

/* ---- the files ---- */

/* ⏎ is a line end. */
static void put_line_ends(char *line)
{
	static const char sign[] = "⏎";
	char *to = line;

	for (const char *at = line; *at;) {
		bool is_end = strncmp(at, sign, sizeof(sign) - 1) == 0;

		*to++ = is_end ? '\n' : *at;
		at += is_end ? sizeof(sign) - 1 : 1;
	}
	*to = '\0';
}

static void show(const char *kind, const char *line, bool stopped)
{
	if (shows_all)
		print_message("  %s | %s | %s\n", stopped ? "stopped" : "passes", kind, line);
}

/* Counts the ways below headings ("## kind") that begin with `heading`. */
static struct figures count_ways(const struct tn_rules *rules, const char *name,
				 const char *heading, bool wanted)
{
	char path[1024], line[LINE_MAX_BYTES], kind[256] = "";
	struct figures f = {0};
	bool missed = false;
	FILE *file;

	(void)snprintf(path, sizeof(path), TN_TEST_DATA "/terminal/policy/%s", name);
	file = fopen(path, "r");
	assert_non_null(file);
	while (fgets(line, sizeof(line), file)) {
		bool stopped;

		line[strcspn(line, "\n")] = '\0';
		if (strncmp(line, "## ", 3) == 0) {
			(void)snprintf(kind, sizeof(kind), "%.200s", line + 3);
			f.kinds += strncmp(kind, heading, strlen(heading)) == 0;
			f.kinds_missed += missed;
			missed = false;
			continue;
		}
		if (!kind[0] || !line[0] || strncmp(kind, heading, strlen(heading)) != 0)
			continue;
		put_line_ends(line);
		stopped = is_stopped(rules, kind, line);
		f.ways++;
		f.stopped += stopped;
		missed = missed || !stopped;
		if (stopped != wanted)
			show(kind, line, stopped);
	}
	f.kinds_missed += missed;
	(void)fclose(file);
	return f;
}

static unsigned permille(unsigned part, unsigned of)
{
	return of ? (part * 1000 + of / 2) / of : 0;
}

static void print_share(const char *what, unsigned part, unsigned of)
{
	unsigned share = permille(part, of);

	print_message("%-58s %4u of %4u = %3u.%u %%\n", what, part, of, share / 10, share % 10);
}

/* ---- the figures ---- */

static void test_figures(void **state)
{
	struct figures kinds, escapes, later, ordinary, asked;
	struct tn_rules *rules;
	struct tenon_error err;

	(void)state;
	(void)setenv("HOME", "/home/ann", 1); /* no start file of who runs the test is read */
	shows_all = getenv("TN_FIGURES") != NULL;
	assert_int_equal(tn_rules_create(tn_str(NULL, 0), &rules, &err), TENON_OK);
	kinds = count_ways(rules, "kinds.txt", "", true);
	escapes = count_ways(rules, "escapes.txt", "", true);
	later = count_ways(rules, "later.txt", "", true);
	ordinary = count_ways(rules, "ordinary.txt", "allow", false);
	asked = count_ways(rules, "ordinary.txt", "ask", true);
	tn_rules_destroy(rules);

	print_share("ways by kind, stopped by default", kinds.stopped, kinds.ways);
	print_share("kinds with a way that passes", kinds.kinds_missed, kinds.kinds);
	print_share("public ways through programs, stopped by default", escapes.stopped,
		    escapes.ways);
	print_share("all destructive ways, stopped by default", kinds.stopped + escapes.stopped,
		    kinds.ways + escapes.ways);
	print_share("ways written later, stopped by default", later.stopped, later.ways);
	print_share("ordinary commands stopped: false alarms", ordinary.stopped, ordinary.ways);
	print_share("ordinary ones that are asked about on purpose", asked.stopped, asked.ways);
	assert_true(kinds.ways >= 400 && escapes.ways >= 200 && ordinary.ways >= 500);
	/* docs/policy.md promises these. */
	assert_true(permille(kinds.stopped, kinds.ways) >= 900);
	assert_true(permille(escapes.stopped, escapes.ways) >= 900);
	assert_true(permille(later.stopped, later.ways) >= 900);
	assert_true(permille(ordinary.stopped, ordinary.ways) <= 20);
	assert_true(kinds.kinds_missed <= 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_figures)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
