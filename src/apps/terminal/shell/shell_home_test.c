/* What a shell is started with: the user's own files, the environment, one command's surroundings.
 */
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

static bool is_fish(const struct kit *kit)
{
	return kit->start.kind == TN_SHELL_FISH;
}

static void open_shell(struct kit *kit, const char *shell, const struct kit_file *home, bool login)
{
	if (!kit_has(shell))
		skip();
	kit_open(kit, &(struct kit_wish){.shell = shell, .home = home, .login = login});
}

/* ---- cwd and env of one command ---- */

/* terminal.md 7.1: cwd is for this command, exported variables persist. */
static void test_cwd(void **state)
{
	struct kit kit;
	struct kit_result result;

	open_shell(&kit, *state, NULL, false);
	kit_expect(&kit, "mkdir -p \"a b/c'd\" x; cd x", 0, "");
	result = kit_run_with(&kit,
			      is_fish(&kit) ? TN_STR("pwd; set -gx KEPT yes")
					    : TN_STR("pwd; export KEPT=yes"),
			      kit.home, NULL);
	assert_int_equal(result.exit_code, 0);
	assert_true(strncmp(result.output, kit.home, strlen(kit.home)) == 0);
	assert_non_null(strstr(result.cwd, "/home/x")); /* where the session is */
	kit_expect(&kit, "sh -c 'echo $KEPT'", 0, "yes\n");
	/* A cd inside has no lasting effect, and the directory before is the same. */
	kit_expect(&kit, "cd ../x", 0, "");
	result = kit_run_with(&kit, TN_STR("cd /; pwd; sh -c 'exit 3'"), "/usr", NULL);
	assert_int_equal(result.exit_code, 3);
	assert_string_equal(result.output, "/\n");
	result = kit_run(&kit, "pwd");
	assert_non_null(strstr(result.output, "/home/x\n"));
	/* terminal.md 5.2: interrupted, it is put back as well. */
	result.exit_code = -1;
	(void)kit_deliver(&kit, TN_STR("echo go; sleep 60"), "/usr", NULL);
	kit_wait_text(&kit, "go\r\n");
	kit_wait_front(&kit, "sleep");
	kit_type(&kit, "\003");
	assert_int_equal(kit_mark_of(&kit, 'D', (long)kit.number).exit_code, 130);
	kit_prompt(&kit);
	result = kit_run(&kit, "pwd");
	assert_non_null(strstr(result.output, "/home/x\n"));
	kit_close(&kit);
}

static void test_cwd_gone(void **state)
{
	struct kit kit;
	struct kit_result result;

	open_shell(&kit, *state, NULL, false);
	result = kit_run_with(&kit, TN_STR("echo must not run"), "/nowhere/at/all", NULL);
	assert_int_not_equal(result.exit_code, 0);
	assert_null(strstr(result.output, "must not run"));
	assert_non_null(strstr(result.output, "/nowhere/at/all")); /* the shell says why */
	kit_expect(&kit, "echo next", 0, "next\n");
	kit_close(&kit);
}

/* terminal.md 7.1: env is added for this command only, and what was there comes back. */
static void test_env(void **state)
{
	static const char *const env[] = {"NEW=a 'b' \\ \"c\" $HOME\n2", "OLD=other", "PLAIN=seen",
					  "EMPTY=", NULL};
	static const char *const show =
		"sh -c 'printf \"%s|\" \"$NEW\" \"$OLD\" \"$PLAIN\" \"${EMPTY-unset}\"'";
	struct kit kit;
	struct kit_result result;

	open_shell(&kit, *state, NULL, false);
	kit_expect(&kit,
		   is_fish(&kit) ? "set -gx OLD before; set -g PLAIN hidden"
				 : "export OLD=before; PLAIN=hidden",
		   0, "");
	for (int i = 0; i < 2; i++) {
		result = kit_run_with(&kit, tn_str_from(show), i ? "/" : NULL, env);
		assert_int_equal(result.exit_code, 0);
		assert_string_equal(result.output, "a 'b' \\ \"c\" $HOME\n2|other|seen||");
		kit_expect(&kit, show, 0, "|before||unset|");
		kit_expect(&kit, "echo $PLAIN", 0, "hidden\n");
	}
	/* Interrupted: back, too. */
	(void)kit_deliver(&kit, TN_STR("echo go; sleep 60"), NULL, env);
	kit_wait_text(&kit, "go\r\n");
	kit_wait_front(&kit, "sleep");
	kit_type(&kit, "\003");
	(void)kit_mark_of(&kit, 'D', (long)kit.number);
	kit_prompt(&kit);
	kit_expect(&kit, show, 0, "|before||unset|");
	kit_expect(&kit, "echo $PLAIN", 0, "hidden\n");
	kit_close(&kit);
}

static void test_env_path(void **state)
{
	static const char *const env[] = {"PATH=/nowhere", NULL};
	static const char *const bad[] = {"A-B=1", NULL};
	struct tn_shell_command command = {.number = 1, .text = TN_STR("x"), .env = bad};
	struct tenon_error err;
	struct kit kit;
	struct tn_buf line;

	open_shell(&kit, *state, NULL, false);
	assert_int_equal(kit_run_with(&kit, TN_STR("ls"), NULL, env).exit_code, 127);
	kit_expect(&kit, "ls /dev/null", 0, "/dev/null\n");
	tn_buf_init(&line, 4096);
	assert_int_equal(
		tn_shell_deliver(kit.start.kind, kit.folder, kit.nonce, &command, &line, &err),
		TENON_INVALID);
	assert_int_equal(line.size, 0);
	tn_buf_finish(&line);
	kit_close(&kit);
}

/* ---- what a command sees of us ---- */

/* terminal.md 5.1: the nonce is a variable of the shell; nothing of ours is exported, nor on the
 * command line, nor for others to read. */
static void test_not_seen(void **state)
{
	struct kit kit;
	struct kit_result result;
	char path[256];
	struct stat status;

	open_shell(&kit, *state, NULL, false);
	for (int i = 0; i < 3; i++) {
		result = kit_run(&kit, "env");
		if (i < 2) /* an exported prompt has the names in it, and is empty elsewhere */
			assert_null(strstr(result.output, "__tn"));
		assert_null(strstr(result.output, kit.nonce));
		assert_null(strstr(result.output, kit.folder));
		if (i == 0 && !is_fish(&kit))
			kit_expect(&kit, "set -a", 0, "");
		if (i == 1 && !is_fish(&kit))
			kit_expect(&kit, "set +a; export PS1", 0, "");
	}
	result = kit_run(&kit, "ps -ef 2>/dev/null || true");
	assert_null(strstr(result.output, kit.nonce));
	/* Only this session's files, all of them private; no command's text is left. */
	(void)snprintf(path, sizeof(path), "%s/c1", kit.folder);
	assert_int_equal(stat(path, &status), -1);
	(void)snprintf(path, sizeof(path), "%s/%s", kit.folder,
		       kit.start.kind == TN_SHELL_ZSH    ? ".zshenv"
		       : is_fish(&kit)                   ? "fish"
		       : kit.start.kind == TN_SHELL_BASH ? "bash"
							 : "sh");
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);
	kit_close(&kit);
}

/* A shell inside the shell says nothing in our name. */
static void test_nested(void **state)
{
	static const struct kit_file home[] = {{".zshrc", "# or zsh asks a new user\n"},
					       {NULL, NULL}};
	const char *shell = *state;
	struct kit kit;
	struct kit_result result;
	char text[128];
	uint64_t number;

	open_shell(&kit, shell, home, false);
	if (!is_fish(&kit))
		kit_expect(&kit, "export PS1 PS0 PROMPT_COMMAND", 0, NULL);
	(void)snprintf(text, sizeof(text), "%s -i", shell);
	number = kit_deliver(&kit, tn_str_from(text), NULL, NULL);
	(void)kit_mark_of(&kit, 'C', (long)number);
	usleep(500000);
	kit_type(&kit, "echo in''side\r");
	kit_wait_text(&kit, "inside");
	kit_type(&kit, "exit 9\r");
	kit.at = 0;
	result = kit_finish_command(&kit, number);
	assert_int_equal(result.exit_code, 9);
	assert_null(strstr(result.output, kit.nonce));
	assert_null(strstr(result.output, "__tn"));
	assert_null(strstr(result.output, "not found"));
	kit_close(&kit);
}

/* ---- the user's own files ---- */

struct own {
	const char *shell;
	struct kit_file files[6];
};
static const struct own owns[] = {
	{"bash",
	 {{".bashrc",
	   "RC=rc\nalias own='echo own'\n[ \"$PS1\" ] || return\nfalse\nnosuchthing\nRC2=rc2\n"},
	  {".bash_profile", "PROFILE=profile\n. ~/.bashrc\n"},
	  {".profile", "PROFILE=wrong\n"}}},
	{"zsh",
	 {{".zshenv", "ENVFILE=env\nexport ZDOTDIR=$HOME/dots\n"},
	  {"dots/.zprofile", "PROFILE=profile\n"},
	  {"dots/.zshrc", "RC=rc\nalias own='echo own'\nfalse\nnosuchthing\nRC2=rc2\n"},
	  {"dots/.zlogin", "LOGIN=login\n"}}},
	{"fish",
	 {{".config/fish/config.fish",
	   "set -g RC rc\nalias own 'echo own'\nfalse\nnosuchthing\nset -g RC2 rc2\n"
	   "status is-login; and set -g PROFILE profile\n"}}},
	{"dash", {{".profile", "RC=rc\nRC2=rc2\nPROFILE=profile\nalias own='echo own'\nfalse\n"}}},
};

static void test_own_files(void **state)
{
	for (size_t i = 0; i < sizeof(owns) / sizeof(*owns); i++) {
		struct kit kit;

		if (strcmp(owns[i].shell, *state) != 0)
			continue;
		if (strcmp(*state, "dash") != 0) {
			open_shell(&kit, *state, owns[i].files, false);
			kit_expect(&kit, "echo $RC $RC2 $PROFILE", 0, "rc rc2\n");
			kit_expect(&kit, "own", 0, "own\n");
			kit_close(&kit);
		}
		open_shell(&kit, *state, owns[i].files, true);
		kit_expect(&kit, "echo $RC $RC2 $PROFILE", 0, "rc rc2 profile\n");
		kit_expect(&kit, "own", 0, "own\n");
		if (strcmp(*state, "zsh") == 0) {
			kit_expect(&kit, "echo $ENVFILE $LOGIN", 0, "env login\n");
			kit_expect(&kit, "[[ $ZDOTDIR == $HOME/dots ]]", 0, "");
			kit_expect(&kit, "zsh -ic 'echo $RC'", 0, NULL);
		}
		kit_close(&kit);
	}
}

/* A file that takes long, that ends the shell, or becomes another shell. */
static void test_hard_files(void **state)
{
	static const struct kit_file slow[] = {{".bashrc", "sleep 1\n"},
					       {".zshrc", "sleep 1\n"},
					       {".config/fish/config.fish", "sleep 1\n"},
					       {NULL, NULL}};
	static const struct kit_file ends[] = {{".bashrc", "exit 4\n"},
					       {".zshrc", "exit 4\n"},
					       {".config/fish/config.fish", "exit 4\n"},
					       {NULL, NULL}};
	static const struct kit_file becomes[] = {{".bashrc", "exec dash -i\n"},
						  {".zshrc", "exec dash -i\n"},
						  {".config/fish/config.fish", "exec dash -i\n"},
						  {NULL, NULL}};
	struct kit kit;
	int status;

	open_shell(&kit, *state, slow, false);
	kit_expect(&kit, "sh -c 'exit 7'", 7, "");
	kit_close(&kit);

	kit_start(&kit, &(struct kit_wish){.shell = *state, .home = ends});
	if (strcmp(*state, "fish") != 0) { /* there, it ends the file only */
		status = kit_wait_exit(&kit);
		assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 4);
	}
	kit_close(&kit);

	kit_start(&kit, &(struct kit_wish){.shell = *state, .home = becomes});
	kit_wait_text(&kit, geteuid() == 0 ? "# " : "$ ");
	kit_type(&kit, "echo dash: $0\n");
	kit_wait_text(&kit, "dash: dash");
	/* Nothing is known of this shell. */
	assert_true(tn_str_find(tn_buf_str(&kit.output), TN_STR("133;")) == TN_STR_NONE);
	kit_close(&kit);
}

/* terminal.md 5.1: no history file. */
static void test_no_history(void **state)
{
	static const struct kit_file home[] = {
		{".bashrc", "HISTFILE=$HOME/hist\nPROMPT_COMMAND='history -a'\n"},
		{".zshrc",
		 "HISTFILE=$HOME/hist SAVEHIST=99 HISTSIZE=99\nsetopt inc_append_history\n"},
		{NULL, NULL}};
	struct kit kit;
	struct kit_result result;
	struct stat device;
	int status;

	open_shell(&kit, *state, home, false);
	kit_expect(&kit, "echo one", 0, "one\n");
	kit_type(&kit, "echo typed\r");
	kit_prompt(&kit);
	result = kit_run(&kit,
			 kit.start.kind == TN_SHELL_ZSH ? "fc -l 1" : "history 2>/dev/null; true");
	assert_null(strstr(result.output, "__tn"));
	assert_true(kit.start.kind == TN_SHELL_POSIX || strstr(result.output, "echo typed"));
	result = kit_run(&kit, "grep -rl -e typed -e __tn . 2>/dev/null; test -c /dev/null");
	assert_string_equal(result.output, "");
	assert_int_equal(result.exit_code, 0);
	kit_deliver(&kit, TN_STR("exit"), NULL, NULL);
	status = kit_wait_exit(&kit);
	assert_true(WIFEXITED(status));
	assert_int_equal(stat("/dev/null", &device), 0); /* zsh would put a file there */
	assert_true(S_ISCHR(device.st_mode));
	kit_close(&kit);
}

/* ---- where the output goes ---- */

/* The marks reach the terminal wherever the shell's own output goes. */
static void test_redirected(void **state)
{
	struct kit kit;

	open_shell(&kit, *state, NULL, false);
	kit_expect(&kit, "exec >out", 0, "");
	kit_expect(&kit, "echo hidden", 0, "");
	kit_expect(&kit, "sh -c 'exit 5'", 5, "");
	kit_expect(&kit, "exec 2>err", 0, "");
	kit_expect(&kit, "sh -c 'exit 6'", 6, "");
	kit_expect(&kit, "exec >/dev/tty 2>&1", 0, "");
	kit_expect(&kit, "grep -c hidden out", 0, "1\n");
	kit_close(&kit);
}

/* ---- starting ---- */

static void test_kinds(void **state)
{
	(void)state;
	assert_int_equal(tn_shell_kind_of("/bin/bash"), TN_SHELL_BASH);
	assert_int_equal(tn_shell_kind_of("-zsh"), TN_SHELL_ZSH);
	assert_int_equal(tn_shell_kind_of("/usr/bin/fish"), TN_SHELL_FISH);
	assert_int_equal(tn_shell_kind_of("/bin/sh"), TN_SHELL_POSIX);
	assert_int_equal(tn_shell_kind_of("dash"), TN_SHELL_POSIX);
	assert_int_equal(tn_shell_kind_of("/usr/bin/python3"), TN_SHELL_OTHER);
	assert_int_equal(tn_shell_kind_of("/bin/bashful"), TN_SHELL_OTHER);
}

static void test_folder(void **state)
{
	static const char *const bad[] = {"/tmp/a$b", "/tmp/a`b", "/tmp/a\nb", "tmp", "/tmp/a\\b"};
	struct tn_shell_wish wish = {.path = "/bin/sh", .nonce = "n"};
	struct tn_shell_start start;
	struct tenon_error err;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		wish.folder = bad[i];
		assert_int_equal(tn_shell_prepare(&wish, &start, &err), TENON_INVALID);
	}
	wish.folder = "/nowhere/at/all";
	assert_int_equal(tn_shell_prepare(&wish, &start, &err), TENON_SYSTEM);
}

#define FOR(f, name)                                                     \
	{                                                                \
#f " (" name ")", f, NULL, NULL, (void *)(uintptr_t)name \
	}
#define FOR_ALL(f) FOR(f, "bash"), FOR(f, "zsh"), FOR(f, "fish"), FOR(f, "dash")

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_folder),
		FOR_ALL(test_cwd),
		FOR_ALL(test_cwd_gone),
		FOR_ALL(test_env),
		FOR_ALL(test_env_path),
		FOR_ALL(test_not_seen),
		FOR_ALL(test_nested),
		FOR_ALL(test_own_files),
		FOR(test_hard_files, "bash"),
		FOR(test_hard_files, "zsh"),
		FOR(test_hard_files, "fish"),
		FOR_ALL(test_no_history),
		FOR(test_redirected, "bash"),
		FOR(test_redirected, "zsh"),
		FOR(test_redirected, "dash"),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
