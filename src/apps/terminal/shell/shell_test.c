#include "apps/terminal/shell/shell_kit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/mem.h"

/* What the languages call the same thing. */
struct dialect {
	const char *shell;
	const char *last_status; /* echo it */
	int unbalanced;          /* exit code of an unbalanced quote */
};
static const struct dialect dialects[] = {
	{"bash", "echo $?", 2},
	{"zsh", "echo $?", 1},
	{"fish", "echo $status", 123},
	{"dash", "echo $?", 2},
};

static bool is(const struct dialect *dialect, const char *shell)
{
	return strcmp(dialect->shell, shell) == 0;
}

static const struct dialect *begin(void **state, struct kit *kit)
{
	const struct dialect *dialect = *state;

	if (!kit_has(dialect->shell))
		skip();
	kit_open(kit, &(struct kit_wish){.shell = dialect->shell});
	return dialect;
}

/* terminal.md 16: exit codes. */
static void test_exit_codes(void **state)
{
	struct kit kit;
	const struct dialect *dialect = begin(state, &kit);

	kit_expect(&kit, "true", 0, "");
	kit_expect(&kit, "false", 1, "");
	kit_expect(&kit, dialect->last_status, 0, "1\n");
	kit_expect(&kit, "nosuchcommand", 127, NULL);
	kit_expect(&kit, dialect->last_status, 0, "127\n");
	kit_expect(&kit, "sh -c 'exit 3'", 3, "");
	kit_expect(&kit, "sh -c 'exit 255'", 255, "");
	kit_expect(&kit, "sh -c 'kill -9 $$'", 137, NULL);
	kit_expect(&kit, "sh -c 'kill -INT $$'", 130, NULL); /* aborts the line */
	kit_expect(&kit, dialect->last_status, 0, "130\n");
	kit_expect(&kit, "echo a; echo b", 0, "a\nb\n");
	kit_expect(&kit, "printf 'no newline'", 0, "no newline");
	kit_close(&kit);
}

/* terminal.md 5.2, 16: what a command changes, the next one sees. */
static void test_state_persists(void **state)
{
	struct kit kit;
	const struct dialect *dialect = begin(state, &kit);
	struct kit_result result = kit_run(&kit, "cd /usr/bin");

	assert_string_equal(result.cwd, "/usr/bin");
	kit_expect(&kit, "pwd", 0, "/usr/bin\n");
	if (is(dialect, "fish")) {
		kit_expect(&kit, "set -gx EXPORTED 'a b'; set plain c", 0, "");
		kit_expect(&kit, "function f; echo \"f:$argv\"; end", 0, "");
	} else {
		kit_expect(&kit, "export EXPORTED='a b'; plain=c", 0, "");
		kit_expect(&kit, "f() { echo \"f:$*\"; }", 0, "");
		kit_expect(&kit, "set -- one two", 0, "");
		kit_expect(&kit, "echo $# $2", 0, "2 two\n");
		kit_expect(&kit, "echo x y", 0, "x y\n");
		kit_expect(&kit, "echo \"$_\"", 0, "y\n");
		kit_expect(&kit, "mkdir -p '/tmp/it is' ; cd '/tmp/it is'", 0, "");
		kit_expect(&kit, "test -d \"/tmp/it is\"", 0, "");
		result = kit_run(&kit, "cd \"$_\"");
		assert_string_equal(result.cwd, "/tmp/it%20is");
		kit_expect(&kit, "cd /; rmdir '/tmp/it is'", 0, "");
	}
	kit_expect(&kit, "sh -c 'echo $EXPORTED'; echo $plain", 0, "a b\nc\n");
	kit_expect(&kit, "f 1 2", 0, "f:1 2\n");
	kit_expect(&kit, "alias hello='echo hi'", 0, "");
	kit_expect(&kit, "hello there", 0, "hi there\n");
	kit_close(&kit);
}

/* terminal.md 5.2: it must survive any text. */
static void test_any_text(void **state)
{
	struct kit kit;
	const struct dialect *dialect = begin(state, &kit);

	kit_expect(&kit, "echo one\n\n\techo 'two\tthree'\necho four", 0,
		   "one\ntwo\tthree\nfour\n");
	kit_expect(&kit, "echo \"it's\" 'a\"b' '!x' !", 0, "it's a\"b !x !\n");
	kit_expect(&kit, "echo '!!' # a comment at the end", 0, "!!\n");
	kit_expect(&kit, "echo before # comment\n# another\necho after\n\n", 0, "before\nafter\n");
	kit_expect(&kit, "echo '\\\\ \\n \x01 \x7f'", 0, NULL);
	kit_expect(&kit, "echo 'Gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x8e\x89 \xc2\x81\xc2\x88'",
		   0, "Gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x8e\x89 \xc2\x81\xc2\x88\n");
	kit_expect(&kit, "   ", 0, "");
	kit_expect(&kit, "# nothing", 0, "");
	if (!is(dialect, "fish")) {
		kit_expect(&kit, "cat <<'E'\n$HOME it's\n\tx\nE\necho done", 0,
			   "$HOME it's\n\tx\ndone\n");
		kit_expect(&kit, "for i in 1 2\ndo\n  echo \"$i\"\ndone", 0, "1\n2\n");
		kit_expect(&kit, "case x in\nx) echo yes;;\nesac", 0, "yes\n");
	} else {
		kit_expect(&kit, "for i in 1 2\n  echo $i\nend", 0, "1\n2\n");
	}
	kit_close(&kit);
}

/* terminal.md 5.2: unbalanced quotes and syntax errors end with the shell's own message. */
static void test_syntax_errors(void **state)
{
	struct kit kit;
	const struct dialect *dialect = begin(state, &kit);
	struct kit_result result;

	for (int i = 0; i < 2; i++) {
		kit_expect(&kit, "echo 'abc", dialect->unbalanced, NULL);
		result = kit_run(&kit, "echo \"abc\ndef");
		assert_int_equal(result.exit_code, dialect->unbalanced);
		assert_true(result.size > 10);
		kit_expect(&kit, "echo fine", 0, "fine\n");
		result = kit_run(&kit, "for i in");
		assert_int_not_equal(result.exit_code, 0);
		assert_true(result.size > 10);
		kit_expect(&kit, "echo 'fine'", 0, "fine\n");
		result = kit_run(&kit, ") (");
		assert_int_not_equal(result.exit_code, 0);
		result = kit_run(&kit, "begin; if true; {");
		assert_int_not_equal(result.exit_code, 0);
		kit_expect(&kit, "sh -c 'exit 4'", 4, "");
	}
	kit_close(&kit);
}

/* terminal.md 16: 1 MiB, and lines longer than a terminal's. */
static void test_large(void **state)
{
	struct kit kit;
	struct tn_buf text;
	struct kit_result result;

	(void)begin(state, &kit);
	tn_buf_init(&text, 2 * TN_MIB);
	tn_buf_append_text(&text, "printf %s '");
	while (text.size < TN_MIB - 300)
		tn_buf_append_text(&text,
				   text.size % 7 == 0 ? "\n\xc3\xa9" : "0123456789 \"$x\" !");
	tn_buf_append_text(&text, "' | wc -c");
	assert_false(text.failed);
	result = kit_run_with(&kit, tn_buf_str(&text), NULL, NULL);
	assert_int_equal(result.exit_code, 0);
	assert_int_equal(strtol(result.output, NULL, 10),
			 text.size - strlen("printf %s '' | wc -c"));
	tn_buf_finish(&text);
	kit_expect(&kit, "echo next", 0, "next\n");
	kit_close(&kit);
}

/* terminal.md 7.1: background jobs do not delay completion; 5.4: nor is their output a later
 * command's. */
static void test_background(void **state)
{
	struct kit kit;
	const struct dialect *dialect = begin(state, &kit);
	struct kit_result result = kit_run(&kit, "sleep 300 &");

	assert_int_equal(result.exit_code, 0);
	kit_expect(&kit, "echo next", 0, "next\n");
	kit_expect(&kit, is(dialect, "fish") ? "kill $last_pid" : "kill $!", 0, NULL);
	kit_close(&kit);
}

/* terminal.md 7.1: exit, exec and set -e end the session with the shell's code. */
static void test_ends(void **state)
{
	struct kit kit;
	const struct dialect *dialect = begin(state, &kit);
	int status;

	kit_deliver(&kit, TN_STR("exit 3"), NULL, NULL);
	status = kit_wait_exit(&kit);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 3);
	kit_close(&kit);
	(void)begin(state, &kit);
	kit_deliver(&kit, TN_STR("exec sh -c 'exit 5'"), NULL, NULL);
	status = kit_wait_exit(&kit);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 5);
	kit_close(&kit);
	if (is(dialect, "fish"))
		return;
	(void)begin(state, &kit);
	kit_expect(&kit, "false", 1, "");
	kit_expect(&kit, "set -e", 0, "");
	kit_expect(&kit, "true && false || true", 0, "");
	kit_expect(&kit, "echo still", 0, "still\n");
	kit_deliver(&kit, TN_STR("sh -c 'exit 6'; echo never"), NULL, NULL);
	status = kit_wait_exit(&kit);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 6);
	kit_close(&kit);
}

/* terminal.md 5.1: marks without the nonce, or with a wrong one, are nothing. */
static void test_fake_marks(void **state)
{
	struct kit kit;
	struct kit_result result;

	(void)begin(state, &kit);
	result = kit_run(&kit, "printf '\\033]133;D;0\\007\\033]133;D;7;tn=wrong;n=1\\007'; "
			       "printf '\\033]133;A\\007'; sleep 0.2; echo real; false");
	assert_int_equal(result.exit_code, 1);
	assert_non_null(strstr(result.output, "real\n"));
	kit_close(&kit);
}

/* terminal.md 7.1, 5.2: Ctrl-C drops the rest of the line, and the prompt tells the end. */
static void test_interrupt(void **state)
{
	struct kit kit;
	const struct dialect *dialect = begin(state, &kit);
	uint64_t number = kit_deliver(&kit, TN_STR("cd /; echo go; sleep 60; echo no"), NULL, NULL);
	struct kit_result result;

	kit_wait_text(&kit, "go\r\n");
	kit_wait_front(&kit, "sleep");
	kit_type(&kit, "\003");
	kit.at = 0;
	result = kit_finish_command(&kit, number);
	assert_int_equal(result.exit_code, 130);
	assert_null(strstr(result.output, "no\n"));
	assert_string_equal(result.cwd, "/");
	kit_prompt(&kit);
	kit_expect(&kit, dialect->last_status, 0, "130\n");
	kit_expect(&kit, "echo next", 0, "next\n");
	kit_close(&kit);
}

/* terminal.md 5.2: Ctrl-Z continues with the end: 148. */
static void test_suspend(void **state)
{
	struct kit kit;
	const struct dialect *dialect = begin(state, &kit);
	struct kit_result result;
	uint64_t number = kit_deliver(&kit, TN_STR("sleep 60"), NULL, NULL);
	(void)kit_mark_of(&kit, 'C', (long)number);
	kit_wait_front(&kit, "sleep");
	kit_type(&kit, "\032");
	kit.at = 0;
	result = kit_finish_command(&kit, number);
	assert_int_equal(result.exit_code, 148);
	kit_prompt(&kit);
	kit_expect(&kit, "echo next", 0, NULL);
	result = kit_run(&kit, "jobs");
	assert_non_null(strstr(result.output, "sleep 60"));
	number = kit_deliver(&kit, TN_STR("fg"), NULL, NULL);
	(void)kit_mark_of(&kit, 'C', (long)number);
	kit_wait_front(&kit, "sleep");
	kit_type(&kit, "\003");
	/* Of fg, fish says 0 whatever becomes of the job. */
	assert_int_equal(kit_mark_of(&kit, 'D', (long)number).exit_code,
			 is(dialect, "fish") ? 0 : 130);
	kit_close(&kit);
}

#define FOR(f, i)                                                              \
	{                                                                      \
#f " (" #i ")", f, NULL, NULL, (void *)(uintptr_t)&dialects[i] \
	}
#define FOR_ALL(f) FOR(f, 0), FOR(f, 1), FOR(f, 2), FOR(f, 3)

int main(void)
{
	const struct CMUnitTest tests[] = {
		FOR_ALL(test_exit_codes),    FOR_ALL(test_state_persists), FOR_ALL(test_any_text),
		FOR_ALL(test_syntax_errors), FOR_ALL(test_large),          FOR_ALL(test_background),
		FOR_ALL(test_ends),          FOR_ALL(test_fake_marks),     FOR_ALL(test_interrupt),
		FOR_ALL(test_suspend),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
