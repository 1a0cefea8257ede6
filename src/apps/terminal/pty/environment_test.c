/* What sessions get of our environment, and the PATH of the user's own shell (terminal.md 3, 10.3).
 */
#include "apps/terminal/pty/environment.h"

#include <ftw.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "apps/terminal/limits.h"
#include "apps/terminal/pty/login_path.h"
#include "base/clock.h"
#include "base/size.h"
#include "apps/terminal/settings/settings_table.h"
#include "base/settings_test_kit.h"

#define CANARY "canary-7f3a-canary"

static struct tenon_error err;
static struct tn_arena arena;
static struct tn_term_config config;
static const char *pass; /* terminal.env.pass */
static char home[] = "/tmp/tenon-environment-XXXXXX";

static struct settings_kit settings;

static const char *get(const char *name)
{
	return strcmp(name, "HOME") == 0 ? "/nowhere" : NULL;
}

static void read_config(void)
{
	const struct tn_term_surroundings around = {.views = settings.views, .get = get};

	settings_kit_set(&settings, "terminal.env.pass", pass ? pass : "");
	assert_int_equal(tn_term_config_read(&config, &around, &err), TENON_OK);
}

static int set_up(void **state)
{
	(void)state;
	(void)clearenv();
	(void)setenv("HOME", home, 1);
	(void)setenv("PATH", "/given/bin:/usr/bin", 1);
	pass = NULL;
	tn_arena_init(&arena, 16 << 20);
	settings_kit_open(&settings, &tn_term_setting_table);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	tn_arena_finish(&arena);
	settings_kit_close(&settings);
	return 0;
}

static const char *const *make(const struct tn_environment_wish *wish)
{
	struct tn_environment *environment = NULL;
	const char *const *env = NULL;
	char **copy;
	size_t count = 0;

	read_config();
	assert_int_equal(tn_environment_create(&config, &environment, &err), TENON_OK);
	assert_int_equal(tn_environment_make(environment, wish, &arena, &env, &err), TENON_OK);
	while (env[count])
		count++;
	copy = tn_arena_alloc_array(&arena, count + 1, sizeof(*copy));
	for (size_t i = 0; i < count; i++) /* it lives as long as the environment only */
		copy[i] = tn_arena_copy(&arena, tn_str_from(env[i]));
	tn_environment_destroy(environment);
	tn_term_config_finish(&config);
	return (const char *const *)copy;
}

/* NULL: it is not in the block. A name stands there once. */
static const char *value(const char *const *env, const char *name)
{
	const char *found = NULL;
	size_t size = strlen(name);

	for (; *env; env++) {
		if (strncmp(*env, name, size) == 0 && (*env)[size] == '=') {
			assert_null(found);
			found = *env + size + 1;
		}
	}
	return found;
}

static void assert_value(const char *const *env, const char *name, const char *wanted)
{
	const char *text = value(env, name);

	if (!text || strcmp(text, wanted) != 0)
		fail_msg("%s is [%s] instead of [%s]", name, text ? text : "(not set)", wanted);
}

/* terminal.md section 3. */
static void the_defaults_of_every_session(void **state)
{
	static const char *const rows[][2] = {
		{"TERM", "xterm-256color"},
		{"PAGER", "cat"},
		{"GIT_PAGER", "cat"},
		{"MANPAGER", "cat"},
		{"SYSTEMD_PAGER", "cat"},
		{"AWS_PAGER", ""},
		{"GH_PAGER", "cat"},
		{"LESS", "-FRX"},
		{"GIT_TERMINAL_PROMPT", "0"},
		{"GIT_EDITOR", "true"},
		{"DEBIAN_FRONTEND", "noninteractive"},
		{"TENON_TERMINAL", "1"},
		{"TENON_SESSION_ID", "ses_x"},
		{"LANG", "C.UTF-8"},
	};
	const char *const *env;

	(void)state;
	(void)setenv("COLORTERM", "truecolor", 1);
	(void)setenv("NO_COLOR", "1", 1);
	(void)setenv("TERM", "dumb", 1);
	env = make(&(struct tn_environment_wish){.session_id = "ses_x"});
	for (size_t i = 0; i < TN_COUNT(rows); i++)
		assert_value(env, rows[i][0], rows[i][1]);
	assert_null(value(env, "COLORTERM"));
	assert_null(value(env, "NO_COLOR"));

	env = make(&(struct tn_environment_wish){.session_id = "ses_x", .pagers = true});
	assert_null(value(env, "PAGER"));
	assert_null(value(env, "LESS"));
	assert_null(value(env, "GIT_EDITOR"));
	assert_value(env, "GIT_TERMINAL_PROMPT", "0");
}

/* terminal.md 10.3: an allow-list; secrets only by their exact name. */
static void only_what_is_allowed_is_passed_on(void **state)
{
	static const char *const allowed[] = {
		"USER",   "LOGNAME",         "SHELL",         "TZ",
		"TMPDIR", "XDG_RUNTIME_DIR", "SSH_AUTH_SOCK", "LC_TIME"};
	static const char *const hidden[] = {"AWS_SECRET_ACCESS_KEY",
					     "GITHUB_TOKEN",
					     "FOO",
					     "LD_PRELOAD",
					     "OPENAI_API_KEY",
					     "EDITOR",
					     "TENON_BRIDGE_TOKEN",
					     "NOTIFY_SOCKET",
					     "AWS_REGION"};
	const struct tn_environment_wish wish = {.session_id = "s"};
	const char *const *env;

	(void)state;
	for (size_t i = 0; i < TN_COUNT(allowed); i++)
		(void)setenv(allowed[i], "/v", 1);
	for (size_t i = 0; i < TN_COUNT(hidden); i++)
		(void)setenv(hidden[i], CANARY, 1);
	env = make(&wish);
	for (size_t i = 0; i < TN_COUNT(allowed); i++)
		assert_value(env, allowed[i], "/v");
	assert_value(env, "HOME", home);
	for (; *env; env++)
		assert_null(strstr(*env, CANARY));

	pass = "AWS_*,FOO";
	env = make(&wish);
	assert_value(env, "FOO", CANARY);
	assert_value(env, "AWS_REGION", CANARY);
	assert_null(value(env, "AWS_SECRET_ACCESS_KEY")); /* a pattern is no name */
	assert_null(value(env, "GITHUB_TOKEN"));

	pass = "*";
	env = make(&wish);
	assert_value(env, "LD_PRELOAD", CANARY);
	assert_null(value(env, "GITHUB_TOKEN"));
	assert_null(value(env, "OPENAI_API_KEY"));
	assert_null(value(env, "TENON_BRIDGE_TOKEN"));
	assert_null(value(env, "NOTIFY_SOCKET"));

	pass = "GITHUB_TOKEN";
	assert_value(make(&wish), "GITHUB_TOKEN", CANARY);
}

static void text_is_utf8(void **state)
{
	static const struct {
		const char *given[3], *wanted[3]; /* LC_ALL, LC_CTYPE, LANG */
	} rows[] = {
		{{NULL, NULL, NULL}, {NULL, NULL, "C.UTF-8"}},
		{{NULL, NULL, "C"}, {NULL, NULL, "C.UTF-8"}},
		{{NULL, NULL, "C.utf8"}, {NULL, NULL, "C.utf8"}},
		{{NULL, "POSIX", "C.UTF-8"}, {NULL, "C.UTF-8", "C.UTF-8"}},
		{{"C", NULL, "C.UTF-8"}, {NULL, NULL, "C.UTF-8"}},
		{{"C.UTF-8", NULL, "C"}, {"C.UTF-8", NULL, "C.UTF-8"}},
		{{NULL, NULL, "de_DE.ISO-8859-1"}, {NULL, NULL, "C.UTF-8"}},
		/* It says UTF-8 and is not installed: a shell would take C. */
		{{NULL, NULL, "xx_YY.UTF-8"}, {NULL, NULL, "C.UTF-8"}},
	};
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(rows); i++) {
		const char *const *env;

		for (size_t j = 0; j < 3; j++) {
			if (rows[i].given[j])
				(void)setenv(names[j], rows[i].given[j], 1);
			else
				(void)unsetenv(names[j]);
		}
		env = make(&(struct tn_environment_wish){.session_id = "s"});
		for (size_t j = 0; j < 3; j++) {
			if (rows[i].wanted[j])
				assert_value(env, names[j], rows[i].wanted[j]);
			else
				assert_null(value(env, names[j]));
		}
	}
}

static void later_ones_win(void **state)
{
	static const char *const more[] = {"TERM=vt100", "A=1", "B=x=y", "TENON_TERMINAL=no", NULL};
	static const char *const even_more[] = {"A=2", NULL};
	static const char *const bad[] = {"A B=1", NULL};
	static const char *const worse[] = {"=1", NULL};
	const struct tn_environment_wish wish = {
		.session_id = "s", .more = more, .even_more = even_more};
	struct tn_environment_wish refused = {.session_id = "s", .more = bad};
	struct tn_environment *environment = NULL;
	const char *const *env = make(&wish);

	(void)state;
	assert_value(env, "TERM", "vt100");
	assert_value(env, "A", "2");
	assert_value(env, "B", "x=y");
	assert_value(env, "TENON_TERMINAL", "1");

	read_config();
	assert_int_equal(tn_environment_create(&config, &environment, &err), TENON_OK);
	assert_int_equal(tn_environment_make(environment, &refused, &arena, &env, &err),
			 TENON_INVALID);
	assert_string_equal(err.message, "\"A B=1\" is no name of a variable; send letters, "
					 "digits and _");
	refused.more = worse;
	assert_int_equal(tn_environment_make(environment, &refused, &arena, &env, &err),
			 TENON_INVALID);
	tn_environment_destroy(environment);
	tn_term_config_finish(&config);
}

/* ---- PATH ---- */

struct world {
	struct tn_loop *loop;
	struct tn_environment *environment;
	unsigned told;
	uint64_t took_ms;
};

static void ready(void *data)
{
	struct world *w = data;

	if (++w->told == 2)
		tn_loop_stop(w->loop);
}

static void write_start_file(const char *name, const char *text)
{
	char path[PATH_MAX];
	FILE *file;

	(void)snprintf(path, sizeof(path), "%s/%s", home, name);
	for (char *slash = path + strlen(home) + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
		*slash = '\0';
		(void)mkdir(path, 0700);
		*slash = '/';
	}
	file = fopen(path, "we");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

/* Two ask, the shell is asked once; then the block has what it said. */
static const char *path_by(const char *shell, struct world *w)
{
	const struct tn_environment_wish wish = {.session_id = "s"};
	const char *const *env = NULL;
	const char *path;
	uint64_t before = tn_clock_now_ms(&tn_clock_system);

	*w = (struct world){.told = 0};
	assert_int_equal(tn_loop_create(&w->loop, &err), TENON_OK);
	read_config();
	assert_int_equal(tn_environment_create(&config, &w->environment, &err), TENON_OK);
	for (int i = 0; i < 2; i++)
		assert_int_equal(
			tn_environment_prepare(w->environment, w->loop, shell, ready, w, &err),
			TENON_OK);
	if (w->told < 2)
		tn_loop_run(w->loop);
	w->took_ms = tn_clock_now_ms(&tn_clock_system) - before;
	assert_int_equal(tn_environment_make(w->environment, &wish, &arena, &env, &err), TENON_OK);
	path = tn_arena_copy(&arena, tn_str_from(value(env, "PATH")));
	assert_int_equal(tn_environment_prepare(w->environment, w->loop, shell, ready, w, &err),
			 TENON_OK);
	assert_int_equal(w->told, 3); /* known by now: at once */
	tn_environment_destroy(w->environment);
	tn_term_config_finish(&config);
	tn_loop_destroy(w->loop);
	return path;
}

static bool is_there(const char *shell)
{
	if (access(shell, X_OK) == 0)
		return true;
	print_message("%s is not installed: skipped\n", shell);
	return false;
}

static void the_path_of_each_shell(void **state)
{
	static const struct {
		const char *shell, *file, *text, *begins;
	} rows[] = {
		{"/bin/bash", ".bash_profile", "echo noise; . ~/.bashrc\n", "/from/bashrc:/login/"},
		{"/bin/bash", ".bashrc",
		 "echo \"PATH is /wrong\"; PATH=/from/bashrc:/login/x:$PATH\n",
		 "/from/bashrc:/login/x:"},
		{"/bin/zsh", ".zshrc", "print noise; path=(/from/zshrc $path)\n", "/from/zshrc:"},
		{"/usr/bin/fish", ".config/fish/config.fish",
		 "echo noise; set -gx PATH /from/fish \"/a b\" $PATH\n", "/from/fish:/a b:"},
		{"/bin/dash", ".profile", "echo noise >&2; PATH=/from/profile:$PATH\n",
		 "/from/profile:"},
	};
	struct world w;

	(void)state;
	for (size_t i = 0; i < TN_COUNT(rows); i++)
		write_start_file(rows[i].file, rows[i].text);
	for (size_t i = 0; i < TN_COUNT(rows); i++) {
		const char *path;

		if (!is_there(rows[i].shell))
			continue;
		path = path_by(rows[i].shell, &w);
		if (strncmp(path, rows[i].begins, strlen(rows[i].begins)) != 0)
			fail_msg("%s said %s", rows[i].shell, path);
	}
}

static void assert_fallback(const char *path)
{
	assert_string_equal(
		path, "/given/bin:/usr/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/sbin:/bin");
}

static void a_shell_that_says_nothing_is_no_obstacle(void **state)
{
	struct world w;

	(void)state;
	write_start_file(".bash_profile", "exit 3\n");
	assert_fallback(path_by("/bin/bash", &w));
	write_start_file(".bash_profile", "cat; read x; yes\n"); /* floods, and waits for input */
	assert_fallback(path_by("/bin/bash", &w));
	assert_fallback(path_by("/nowhere/bash", &w));
	assert_true(w.took_ms < TN_TERM_LOGIN_PATH_MS); /* nobody is waited for */
}

/* A zombie is dead, and its new parent has not looked yet. */
static bool is_alive(const char *stat_path)
{
	char line[256] = "";
	const char *state_of;
	FILE *file = fopen(stat_path, "re");

	if (!file)
		return false;
	if (!fgets(line, sizeof(line), file))
		line[0] = '\0';
	assert_int_equal(fclose(file), 0);
	state_of = strrchr(line, ')');
	return state_of && strncmp(state_of, ") Z", 3) != 0;
}

/* 5 s, and then nothing of it is left. */
static void a_late_shell_is_killed_with_all_it_has_started(void **state)
{
	char mark[PATH_MAX], text[PATH_MAX + 64];
	struct world w;
	long pid = 0;
	FILE *file;

	(void)state;
	(void)snprintf(mark, sizeof(mark), "%s/pid", home);
	(void)snprintf(text, sizeof(text), "sleep 1000 & echo $! >%.200s; wait\n", mark);
	write_start_file(".bash_profile", text);
	assert_fallback(path_by("/bin/bash", &w));
	assert_true(w.took_ms >= 4500);
	file = fopen(mark, "re");
	assert_non_null(file);
	assert_int_equal(fscanf(file, "%ld", &pid), 1);
	assert_int_equal(fclose(file), 0);
	(void)snprintf(mark, sizeof(mark), "/proc/%ld/stat", pid);
	for (int i = 0; is_alive(mark); i++) {
		assert_true(i < 3000);
		(void)usleep(10000);
	}
}

static void only_what_stands_between_the_marks_counts(void **state)
{
	static const struct {
		const char *said, *path;
	} rows[] = {
		{"\nM\n/a:/b\nM\n", "/a:/b"}, {"noise\nM\n/a\nM\nnoise", "/a"},
		{"M\n/a\nM\n", NULL},         {"\nM\n/a\nM", NULL},
		{"\nM\n\nM\n", NULL},         {"\nM\nabc\nM\n", NULL},
		{"\nM\n/a\n/b\nM\n", NULL},   {"\nM\n/a\033[0m\nM\n", NULL},
		{"\nN\n/a\nN\n", NULL},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(rows); i++) {
		struct tn_str found;
		bool is = tn_login_path_find(tn_str_from(rows[i].said), "M", &found);

		assert_int_equal(is, rows[i].path != NULL);
		assert_true(!is || tn_str_is(found, rows[i].path));
	}
}

static int set_up_all(void **state)
{
	(void)state;
	return mkdtemp(home) ? 0 : -1;
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *where)
{
	(void)status;
	(void)kind;
	(void)where;
	return remove(path);
}

/* Fish keeps files of its own there. */
static int tear_down_all(void **state)
{
	(void)state;
	return nftw(home, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_defaults_of_every_session, set_up, tear_down),
		cmocka_unit_test_setup_teardown(only_what_is_allowed_is_passed_on, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(text_is_utf8, set_up, tear_down),
		cmocka_unit_test_setup_teardown(later_ones_win, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_path_of_each_shell, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_shell_that_says_nothing_is_no_obstacle, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(a_late_shell_is_killed_with_all_it_has_started,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(only_what_stands_between_the_marks_counts, set_up,
						tear_down),
	};

	return cmocka_run_group_tests(tests, set_up_all, tear_down_all);
}
