/* What users do to their prompts, line editors and options must not break the marks. */
#include "apps/terminal/shell/shell_kit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void open_shell(struct kit *kit, const char *shell, const struct kit_file *home)
{
	if (!kit_has(shell))
		skip();
	kit_open(kit, &(struct kit_wish){.shell = shell, .home = home});
}

/* Completion and exit codes as ever. */
static void expect_sane(struct kit *kit)
{
	const char *status = kit->start.kind == TN_SHELL_FISH ? "echo $status" : "echo $?";

	kit_expect(kit, "sh -c 'exit 7'", 7, NULL);
	kit_expect(kit, status, 0, NULL);
	kit_expect(kit, "true", 0, NULL);
}

/* The screen shows what was typed after the prompt; -> what stands between A and B. */
static void expect_prompt(struct kit *kit, const char *text)
{
	struct kit_mark from, to;

	kit_type(kit, "\r");
	from = kit_mark_of(kit, 'A', 0);
	to = kit_mark_of(kit, 'B', 0);
	if (tn_str_find(tn_str(kit->output.data + from.to, to.from - from.to), tn_str_from(text)) ==
	    TN_STR_NONE) {
		(void)fprintf(stderr, "%s: no '%s' in '%.*s'\n", kit->path, text,
			      (int)(to.from - from.to), kit->output.data + from.to);
		fail();
	}
}

/* ---- lines that a person types ---- */

static void type_line(struct kit *kit, const char *line, int exit_code)
{
	struct kit_mark mark;

	kit_type(kit, line);
	kit_type(kit, "\r");
	if (kit->start.marks)
		(void)kit_mark_of(kit, 'C', 0);
	mark = kit_mark_of(kit, 'D', 0);
	assert_int_equal(mark.exit_code, exit_code);
	assert_int_equal(mark.number, 0);
	assert_true(mark.cwd[0] == '/');
	kit_prompt(kit);
}

/* terminal.md 5.1: C and D of typed lines come from the hooks, without a number. */
static void test_typed(void **state)
{
	struct kit kit;
	struct kit_mark mark;

	open_shell(&kit, *state, NULL);
	type_line(&kit, "sh -c 'exit 9'", 9);
	type_line(&kit, "cd /usr", 0);
	type_line(&kit, "sh -c 'exit 4'", 4);
	kit_expect(&kit, kit.start.kind == TN_SHELL_FISH ? "echo $status" : "echo $?", 0, "4\n");
	kit_expect(&kit, "pwd", 0, "/usr\n");
	type_line(&kit, "false", 1);
	/* Enter on an empty line starts nothing. */
	kit_type(&kit, "\r");
	do {
		mark = kit_mark(&kit);
		assert_int_not_equal(mark.kind, 'C');
	} while (mark.kind != 'B');
	expect_sane(&kit);
	kit_close(&kit);
}

/* ---- what stands on the line ---- */

/* terminal.md 5.2: type-ahead and unread terminal reports are discarded; the command runs exactly
 * once and unchanged. */
static void test_type_ahead(void **state)
{
	static const char *const left[] = {"touch evil; echo ",
					   "echo 'open",
					   "\033[24;80R",
					   "\033[",
					   "\033",
					   "\033[?62;c",
					   "\033]11;rgb:0000/0000/0000\033\\",
					   "abc\001\002",
					   "\022sear",
					   "\033[200~pasted",
					   "\026",
					   "12",
					   "x\033",
					   "echo $(("};
	struct kit kit;

	open_shell(&kit, *state, NULL);
	for (size_t i = 0; i < sizeof(left) / sizeof(*left); i++) {
		char text[64];
		char expected[64];
		int64_t number = (int64_t)i;

		kit_type(&kit, left[i]);
		usleep(i % 2 ? 50000 : 0); /* read already, or not */
		(void)snprintf(text, sizeof(text), "echo clean %ld >>log; echo %ld", (long)number,
			       (long)number);
		(void)snprintf(expected, sizeof(expected), "%ld\n", (long)number);
		kit_expect(&kit, text, 0, expected);
	}
	kit_expect(&kit, "grep -c clean log; test -e evil", 1, "14\n");
	kit_close(&kit);
}

/* terminal.md 5.2: the line is cleared in every keymap. */
static void test_vi(void **state)
{
	const char *vi = strcmp(*state, "fish") == 0  ? "fish_vi_key_bindings"
			 : strcmp(*state, "zsh") == 0 ? "bindkey -v"
						      : "set -o vi";
	static const char *const left[] = {"abc",      "abc\033",  "abc\0330", "abc\033d",
					   "abc\0333", "abc\033r", "abc\033R"};
	struct kit kit;

	open_shell(&kit, *state, NULL);
	kit_expect(&kit, vi, 0, NULL);
	for (size_t i = 0; i < sizeof(left) / sizeof(*left); i++) {
		kit_type(&kit, left[i]);
		usleep(700000); /* ESC alone has been understood */
		kit_expect(&kit, "echo fine", 0, "fine\n");
	}
	kit_close(&kit);
}

/* Where somebody typed since the prompt, Ctrl-C comes first (shell.h): it leaves a continued
 * command. Not every state of a line editor answers it with a new prompt, so nobody waits for one
 * for long. */
static void test_continued(void **state)
{
	const char *begun[] = {
		"abc",       "abc\177\177\177",
		"echo 'x\r", "a\r",
		"x\022y",    strcmp(*state, "fish") == 0 ? "for i in 1\r" : "for i in 1; do\r"};
	struct kit kit;

	open_shell(&kit, *state, NULL);
	for (size_t i = 0; i < sizeof(begun) / sizeof(*begun); i++) {
		kit_type(&kit, begun[i]);
		usleep(200000);
		kit_type(&kit, "\003");
		usleep(300000);
		kit_expect(&kit, "echo fine", 0, "fine\n");
	}
	kit_close(&kit);
}

/* Bash without its line editor: the kernel edits, and its kill character may be another one. */
static void test_no_line_editor(void **state)
{
	struct kit kit;

	open_shell(&kit, *state, NULL);
	kit_expect(&kit, "stty kill '^Y'; set +o emacs", 0, "");
	for (int i = 0; i < 3; i++) {
		kit_type(&kit, "touch evil \026");
		kit_expect(&kit, "echo fine; test -e evil", 1, "fine\n");
	}
	kit_close(&kit);
}

/* ---- options ---- */

static void test_options(void **state)
{
	static const char *const all[] = {
		"set -u",          "set -C",
		"set -f",          "set -a",
		"IFS=_tn1",        "IFS=",
		"LC_ALL=C",        "LC_ALL=POSIX",
		"PATH=",           "unset HOME PWD",
		"set -o vi",       "set +m",
		"unset PS4 PS2 _", "export LC_ALL=tr_TR.UTF-8",
	};
	struct kit kit;

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		open_shell(&kit, *state, NULL);
		kit_expect(&kit, "sh='/bin/sh'; kit_x=1", 0, "");
		kit_expect(&kit, all[i], 0, NULL);
		kit_expect(&kit, "(exit 7)", 7, "");
		kit_expect(&kit, "echo \"$?\"", 0, "7\n");
		kit_expect(&kit, "\"$sh\" -c 'exit 5'", 5, "");
		kit_expect(&kit, "cd /usr/lib", 0, "");
		assert_string_equal(kit_run(&kit, ":").cwd, "/usr/lib");
		kit_expect(&kit, "echo 'it''s' \"$kit_x\"", 0, "its 1\n");
		kit_close(&kit);
	}
}

/* terminal.md 5.2: set -x prints nothing of ours, also after a text that cannot be read. */
static void test_trace(void **state)
{
	static const struct {
		const char *shell, *shown;
	} all[] = {{"bash", "++ echo a\na\n"},
		   {"zsh", "+(eval):1> echo a\na\n"},
		   {"dash", "+ echo a\na\n"}};
	const char *shown = NULL;
	struct kit kit;

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		if (strcmp(all[i].shell, *state) == 0)
			shown = all[i].shown;
	}
	open_shell(&kit, *state, NULL);
	kit_expect(&kit, "set -x", 0, "");
	kit_expect(&kit, "echo a", 0, shown);
	assert_int_not_equal(kit_run(&kit, "echo ( a").exit_code, 0);
	kit_expect(&kit, "echo a", 0, shown);
	kit_expect(&kit, "sh -c 'exit 3'", 3, NULL);
	assert_null(strstr(kit_run(&kit, "echo $_ $?").output, "__tn_"));
	kit_expect(&kit, "set +x", 0, NULL);
	kit_expect(&kit, "echo b", 0, "b\n");
	kit_expect(&kit, "set -v", 0, "");
	assert_null(strstr(kit_run(&kit, "echo a").output, "__tn_"));
	kit_close(&kit);
}

/* terminal.md 5.2, "as typed": traps run for what was asked for, and for nothing of ours. */
static void test_traps(void **state)
{
	static const struct {
		const char *command;
		int exit_code;
		const char *output;
	} all[] = {{"trap 'echo E' ERR", 0, ""},
		   {"false", 1, "E\n"},
		   {"echo $?", 0, "1\n"},
		   {"(exit 3)", 3, "E\n"},
		   {"true", 0, ""},
		   {"false || true", 0, ""},
		   {"set -x", 0, ""},
		   {"false", 1, "++ false\n+++ echo E\nE\n"},
		   {"set +x; trap - ERR", 0, "++ set +x\n"},
		   {"trap 'echo \"D $BASH_COMMAND\"' DEBUG", 0, ""},
		   {"true", 0, "D true\n"},
		   {"echo a; echo b", 0, "D echo a\na\nD echo b\nb\n"},
		   {"sh -c 'exit 5'", 5, "D sh -c 'exit 5'\n"},
		   {"set -o functrace", 0, "D set -o functrace\n"},
		   {"true", 0, "D true\n"},
		   {"set +o functrace; trap - DEBUG", 0, NULL},
		   {"false", 1, ""},
		   {"trap -p", 0, NULL},
		   {"exec >&-", 0, ""},
		   {"(exit 5)", 5, ""},
		   {"exec > /dev/tty", 0, ""},
		   {"echo on", 0, "on\n"},
		   {"set -C; readonly IFS; trap \"echo ' a'; echo b\" ERR", 0, ""},
		   {"false", 1, " a\nb\n"},
		   {"false", 1, " a\nb\n"}};
	struct kit kit;

	(void)state;
	open_shell(&kit, "bash", NULL);
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		kit_expect(&kit, all[i].command, all[i].exit_code, all[i].output);
	kit_close(&kit);
}

/* ---- prompts ---- */

static void test_bash_prompts(void **state)
{
	static const char *const changes[] = {"PS1=",
					      "PS1='new> '",
					      "unset PS1",
					      "PS0=",
					      "PS0='start '",
					      "PROMPT_COMMAND=",
					      "unset PROMPT_COMMAND",
					      "PROMPT_COMMAND='true;'",
					      "PROMPT_COMMAND='echo hello # x'",
					      "PROMPT_COMMAND=(true false)",
					      "PROMPT_COMMAND+=('PS1=again')",
					      "trap 'true' DEBUG",
					      "trap 'false' DEBUG",
					      "trap 'echo dbg' DEBUG",
					      "shopt -s extdebug; trap - DEBUG",
					      "set -o functrace; trap ': x' DEBUG RETURN ERR",
					      "set -o posix",
					      "shopt -u promptvars",
					      "export PS1 PROMPT_COMMAND",
					      "unset -f __tn_first __tn_last __tn_e; true",
					      "unset -v __tn_nonce; true",
					      "f() { builtin return 3; }; f; true",
					      "printf() { echo no; }; local() { echo no; }",
					      "alias eval=false builtin=false printf=false",
					      "PS1='$(exit 3)\\$ '"};
	struct kit kit;

	(void)state;
	for (size_t i = 0; i < sizeof(changes) / sizeof(*changes); i++) {
		open_shell(&kit, "bash", NULL);
		kit_expect(&kit, changes[i], 0, NULL);
		expect_sane(&kit);
		/* And by a person. Bash runs the PROMPT_COMMAND that it had, so one prompt may
		 * come without its marks. */
		kit_type(&kit, changes[i]);
		kit_type(&kit, "\r\r");
		kit_prompt(&kit);
		expect_sane(&kit);
		kit_close(&kit);
	}
}

/* A command that takes the hooks away and is interrupted. */
static void test_bash_hooks_gone(void **state)
{
	static const char *const takes[] = {"PROMPT_COMMAND=; sleep 60", "PS1=; sleep 60"};
	struct kit kit;

	(void)state;
	for (size_t i = 0; i < sizeof(takes) / sizeof(*takes); i++) {
		uint64_t number;

		open_shell(&kit, "bash", NULL);
		number = kit_deliver(&kit, tn_str_from(takes[i]), NULL, NULL);
		(void)kit_mark_of(&kit, 'C', (long)number);
		kit_wait_front(&kit, "sleep");
		kit_type(&kit, "\003");
		assert_int_equal(kit_mark_of(&kit, 'D', (long)number).exit_code, 130);
		kit_prompt(&kit);
		expect_sane(&kit);
		kit_close(&kit);
	}
}

static const struct kit_file bash_home[] = {
	{".bashrc", "PS1='mine \\w> '\nPROMPT_COMMAND='seen=$?; PS1=\"[$seen] mine> \"'\n"
		    "trap 'true' DEBUG\nset -o vi\nshopt -s histverify\nalias ls='ls -F'\n"
		    "HISTFILE=$HOME/hist; HISTCONTROL=ignoredups\n"},
	{NULL, NULL}};
static const struct kit_file zsh_home[] = {
	{".zshrc", "setopt prompt_subst correct_all err_return\nPROMPT='mine %~> '\n"
		   "precmd() { seen=$?; PROMPT=\"[$seen] mine> \" }\npreexec() { : }\n"
		   "bindkey -v\nHISTFILE=$HOME/hist SAVEHIST=100\nRPROMPT='right'\n"},
	{NULL, NULL}};
static const struct kit_file fish_home[] = {
	{".config/fish/config.fish",
	 "function fish_prompt; set -l s $status; echo -n \"[$s] mine> \"; end\n"
	 "function fish_right_prompt; echo right; end\nset -g fish_greeting HELLO\n"
	 "function my_pre --on-event fish_preexec; true; end\nfish_vi_key_bindings\n"},
	{NULL, NULL}};
static const struct kit_file dash_home[] = {{".profile", "PS1='[$?] mine> '\n"}, {NULL, NULL}};

/* terminal.md 16: the user's own prompt is shown, with the right status in it. */
static void test_own_prompt(void **state)
{
	static const struct {
		const char *shell;
		const struct kit_file *home;
	} all[] = {
		{"bash", bash_home}, {"zsh", zsh_home}, {"fish", fish_home}, {"dash", dash_home}};
	struct kit kit;

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		if (strcmp(all[i].shell, *state) != 0)
			continue;
		if (!kit_has(*state))
			skip();
		kit_open(&kit, &(struct kit_wish){.shell = *state,
						  .home = all[i].home,
						  .login = all[i].home == dash_home});
		expect_sane(&kit);
		kit_expect(&kit, "sh -c 'exit 7'", 7, NULL);
		expect_prompt(&kit, "[7] mine> ");
		kit_expect(&kit, "test -e hist", 1, "");
		expect_sane(&kit);
		kit_type(&kit, "exit\r");
		(void)kit_wait_exit(&kit);
		kit_close(&kit);
	}
}

#define FOR(f, name)                                                     \
	{                                                                \
#f " (" name ")", f, NULL, NULL, (void *)(uintptr_t)name \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FOR(test_typed, "bash"),
		FOR(test_typed, "zsh"),
		FOR(test_typed, "fish"),
		FOR(test_typed, "dash"),
		FOR(test_type_ahead, "bash"),
		FOR(test_type_ahead, "zsh"),
		FOR(test_type_ahead, "fish"),
		FOR(test_type_ahead, "dash"),
		FOR(test_continued, "bash"),
		FOR(test_continued, "zsh"),
		FOR(test_continued, "fish"),
		FOR(test_continued, "dash"),
		FOR(test_no_line_editor, "bash"),
		FOR(test_vi, "bash"),
		FOR(test_vi, "zsh"),
		FOR(test_vi, "fish"),
		FOR(test_options, "bash"),
		FOR(test_options, "dash"),
		FOR(test_options, "zsh"),
		FOR(test_trace, "bash"),
		FOR(test_trace, "dash"),
		FOR(test_trace, "zsh"),
		FOR(test_traps, "bash"),
		FOR(test_bash_prompts, "bash"),
		FOR(test_bash_hooks_gone, "bash"),
		FOR(test_own_prompt, "bash"),
		FOR(test_own_prompt, "zsh"),
		FOR(test_own_prompt, "fish"),
		FOR(test_own_prompt, "dash"),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
