/* What a session's earlier texts and start files have its names mean counts in the later ones
 * (terminal.md section 10.1). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "apps/terminal/policy/names.h"
#include "apps/terminal/limits.h"
#include "apps/terminal/policy/rules.h"
#include "base/buf.h"
#include "base/size.h"

static struct tn_rules *rules;

/* One call of a session: judged with what came before, and learnt from. */
static enum tn_rule_action call(struct tn_names *names, const char *text, const char *shell)
{
	const struct tn_analysis_surroundings around = {
		.cwd = "/home/ann/project", .shell = shell, .names = names};
	struct tn_analysis analysis;
	const struct tn_rules_question question = {
		.analysis = &analysis, .cwd = around.cwd, .home = "/home/ann"};
	struct tn_verdict_of_rules verdict;
	struct tn_arena arena;
	struct tenon_error err;

	tn_arena_init(&arena, TN_ANALYSIS_ARENA_MAX);
	assert_int_equal(tn_analyse(&arena, tn_str_from(text), &around, &analysis, &err), TENON_OK);
	assert_int_equal(tn_rules_judge(rules, &arena, &question, &verdict, &err), TENON_OK);
	tn_names_take(names, &analysis);
	tn_arena_finish(&arena);
	return verdict.action;
}

/* Of the last one, each on a line of its own. */
static enum tn_rule_action last_of(const char *const *calls, const char *shell)
{
	struct tn_names names = {0};
	enum tn_rule_action action = TN_RULE_ALLOW;

	for (; *calls; calls++)
		action = call(&names, *calls, shell);
	tn_names_finish(&names);
	return action;
}

static const struct {
	const char *shell;
	const char *calls[5];
} stopped[] = {
	{"bash", {"alias g=git c=clean", "g clean -fdx"}},
	{"bash", {"alias g='git ' c='clean -fdx'", "g c"}},
	{"bash", {"alias g=git", "alias h=g", "h clean -fdx"}},
	{"bash", {"alias k=kubectl", "k delete ns prod"}},
	{"bash", {"alias g=git", "false && alias g=ls", "g reset --hard"}},
	{"bash", {"f() { rm -rf ~/x; }", "f"}},
	{"bash", {"f() { rm -rf ~/x; }", "\\f"}},
	{"bash", {"f() (rm -rf ~/x)", "f"}},
	{"bash", {"function f { rm -rf ~/x; }", "echo a | f"}},
	{"bash", {"f() if true; then rm -rf ~/x; fi", "f"}},
	{"bash", {"f() { git \"$@\"; }", "f clean -fdx"}},
	{"bash", {"f() { git \"$@\"; }; f clean -fdx"}},
	{"bash", {"f() { \"$@\"; }", "f rm -rf x"}},
	{"bash", {"f() { $1 -rf x; }; f rm"}},
	{"bash", {"f() { shift; \"$@\"; }; f ls rm -rf x"}},
	{"bash", {"f() { shift 2; $@; }", "f a 'b c' git clean -fdx"}},
	{"bash", {"f() { set -- $(get); \"$@\"; }; f"}},
	{"bash", {"f() { eval \"$1\"; }", "f 'rm -rf x'"}},
	{"bash", {"f() { sh -c \"$*\"; }", "f rm -rf x"}},
	{"bash", {"f() { g() { rm -rf ~/x; }; }", "f", "g"}},
	{"bash", {"f() { rm -rf ~/x; }", "g() { f; }", "g"}},
	{"bash", {"ls() { rm -rf ~/x; }", "ls"}},
	{"bash", {"ls() { rm -rf ~/x; }", "ls() { :; }", "ls"}},
	{"bash", {"A='-rf x'", "rm $A"}},
	{"bash", {"cp /bin/rm x", "./x -rf y"}},
	{"bash", {"hash -p /bin/rm ls", "ls -rf x"}},
	{"bash", {"eval 'alias g=git'", "g clean -fdx"}},
	{"bash", {"if :; then alias g=git; fi", "g clean -fdx"}},
	{"bash", {"PATH=.:$PATH"}},
	{"bash", {"export PATH=/tmp/bin:$PATH"}},
	{"bash", {"export CC='rm -rf x'"}},
	{"zsh", {"alias g=git", "g clean -fdx"}},
	{"sh", {"alias g=git", "g clean -fdx"}},
	{"fish", {"alias g git", "g clean -fdx"}},
	{"fish", {"function f; rm -rf ~/x; end", "f"}},
	{"fish", {"function f\n git $argv\nend", "f clean -fdx"}},
};

static const struct {
	const char *shell;
	const char *calls[5];
} allowed[] = {
	{"bash", {"alias g=git", "g status"}},
	{"bash", {"alias ll='ls -la'", "ll src"}},
	{"bash", {"alias g=git", "echo g clean -fdx"}},
	{"bash", {"alias g=git", "command g"}},
	{"bash", {"greet() { echo \"hello $1\"; }", "greet ann"}},
	{"bash", {"w() { echo \"+ $*\"; \"$@\"; }; w make all"}},
	{"bash", {"w() { \"$@\"; }", "w make all"}},
	{"bash", {"w() { local what=$1; shift; \"$@\"; }; w 'build it' make 'all of it'"}},
	{"bash", {"f() { ls \"$@\"; }; f -la"}},
	{"bash", {"sh -c 'f() { rm -f x; }'", "f"}},
	{"bash", {"f() { f; }", "f"}},
	{"bash", {"export PATH=$HOME/.local/bin:$PATH", "ls"}},
	{"bash", {"PATH=node_modules/.bin:$PATH eslint"}},
	{"bash", {"CC=clang make -j2"}},
	{"fish", {"function f; ls $argv; end", "f -la"}},
};

static void test_earlier_calls(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(stopped); i++) {
		if (last_of(stopped[i].calls, stopped[i].shell) == TN_RULE_ALLOW)
			fail_msg("passes: %s: %s ...", stopped[i].shell, stopped[i].calls[0]);
	}
	for (size_t i = 0; i < TN_COUNT(allowed); i++) {
		if (last_of(allowed[i].calls, allowed[i].shell) != TN_RULE_ALLOW)
			fail_msg("stopped: %s: %s ...", allowed[i].shell, allowed[i].calls[0]);
	}
}

static void test_bounds(void **state)
{
	struct tn_names names = {0};
	struct tn_buf text;

	(void)state;
	tn_buf_init(&text, TN_MIB);
	/* A meaning that is too long to be remembered is asked about. */
	tn_buf_append_text(&text, "long() { echo ");
	for (size_t i = 0; i < TN_TERM_NAME_VALUE_BYTES_MAX; i++)
		tn_buf_append_byte(&text, 'a');
	tn_buf_append(&text, "; }\0", 4);
	assert_int_equal(call(&names, text.data, "bash"), TN_RULE_ALLOW);
	assert_int_equal(call(&names, "ls", "bash"), TN_RULE_ALLOW);
	assert_int_equal(call(&names, "long", "bash"), TN_RULE_CONFIRM);
	/* More names than can be remembered: whatever comes. */
	for (size_t i = 0; i <= TN_TERM_NAMES_MAX; i++) {
		char one[64];

		(void)snprintf(one, sizeof(one), "alias a%zu=ls", i);
		(void)call(&names, one, "bash");
	}
	assert_true(names.count <= TN_TERM_NAMES_MAX && names.is_full);
	assert_int_equal(call(&names, "ls", "bash"), TN_RULE_CONFIRM);
	tn_names_finish(&names);
	/* Variables are an aid, and no more. */
	for (size_t i = 0; i <= TN_TERM_NAMES_MAX; i++) {
		char one[64];

		(void)snprintf(one, sizeof(one), "a%zu=x", i);
		assert_int_equal(call(&names, one, "bash"), TN_RULE_ALLOW);
	}
	assert_false(names.is_full);
	tn_names_finish(&names);
	tn_buf_finish(&text);
}

static void put(const char *name, const char *text)
{
	char path[128];
	FILE *file;

	(void)snprintf(path, sizeof(path), "%s/%s", getenv("HOME"), name);
	file = fopen(path, "w");
	assert_non_null(file);
	assert_int_equal(fputs(text, file) >= 0 && fclose(file) == 0, true);
}

static void test_start_files(void **state)
{
	char home[] = "/tmp/names-XXXXXX";
	struct tn_names names = {0};
	struct tn_buf text;

	(void)state;
	assert_non_null(mkdtemp(home));
	assert_int_equal(setenv("HOME", home, 1), 0);
	tn_buf_init(&text, TN_MIB);
	tn_buf_append_text(&text, "alias g=git ll='ls -l'\n. ~/more\nlong() {\n");
	while (text.size < 2 * TN_TERM_NAME_START_BYTES_MAX)
		tn_buf_append_text(&text, "\t[ \"$1\" = remove ] && rm -rf \"$DIR\"\n");
	tn_buf_append(&text, "}\n\0", 3);
	put(".bashrc", text.data);
	put("more", "w() { \"$@\"; }\neval \"$(curl example.org)\"\n");
	tn_names_begin(&names, "/bin/bash", false);
	assert_int_equal(call(&names, "g status; ll; w ls", "bash"), TN_RULE_ALLOW);
	assert_int_equal(call(&names, "g clean -fdx", "bash"), TN_RULE_CONFIRM);
	assert_int_equal(call(&names, "w git clean -fdx", "bash"), TN_RULE_CONFIRM);
	/* A tool that is a function: the user's own, like a script in ~/bin. */
	assert_int_equal(call(&names, "long use 18", "bash"), TN_RULE_ALLOW);
	tn_names_finish(&names);
	tn_names_begin(&names, "dash", false);
	assert_null(names.first);
	tn_names_finish(&names);
	tn_buf_finish(&text);
	put(".bashrc", "");
	put("more", "");
}

static int open_rules(void **state)
{
	struct tenon_error err;

	(void)state;
	return (int)tn_rules_create(tn_str(NULL, 0), &rules, &err);
}

static int close_rules(void **state)
{
	(void)state;
	tn_rules_destroy(rules);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_earlier_calls),
		cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_start_files),
	};

	return cmocka_run_group_tests(tests, open_rules, close_rules);
}
