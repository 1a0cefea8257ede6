#include "apps/terminal/pty/environment.h"

#include <locale.h>
#include <pwd.h>
#include <string.h>
#include <unistd.h>

#include "apps/terminal/pty/login_path.h"
#include "apps/terminal/redact/redact.h"
#include "base/mem.h"
#include "base/size.h"

enum { ARENA_BYTES = 8 * 1024 * 1024, VARIABLES_MAX = 4096 };

/* Where programs are when nobody says so. */
static const char *const standard_folders[] = {"/usr/local/sbin", "/usr/local/bin", "/usr/sbin",
					       "/usr/bin",        "/sbin",          "/bin"};

struct waiter {
	struct waiter *next;
	void (*ready)(void *data);
	void *data;
};

struct tn_environment {
	struct tn_arena arena;
	const char **passed; /* "NAME=value", NULL-terminated: of ours, without PATH */
	const char *path;    /* "PATH=..."; NULL: not known yet */
	struct tn_login_path *asking;
	struct waiter *waiters, **last_waiter;
};

/* ---- names ---- */

static struct tn_str name_of(const char *entry)
{
	const char *equals = strchr(entry, '=');

	return tn_str(entry, equals ? (size_t)(equals - entry) : 0);
}

static bool is_name(struct tn_str name)
{
	for (size_t i = 0; i < name.size; i++) {
		char c = name.data[i];

		if (!tn_is_alpha(c) && c != '_' && (i == 0 || !tn_is_digit(c)))
			return false;
	}
	return name.size > 0;
}

/* A star stands for any characters; patterns are short and an operator's own. */
static bool fits(struct tn_str pattern, struct tn_str name)
{
	size_t at = 0, in = 0, star = TN_STR_NONE, again = 0;

	while (in < name.size) {
		if (at < pattern.size && pattern.data[at] == '*') {
			star = at++;
			again = in;
		} else if (at < pattern.size && pattern.data[at] == name.data[in]) {
			at++;
			in++;
		} else if (star != TN_STR_NONE) {
			at = star + 1;
			in = ++again;
		} else {
			return false;
		}
	}
	while (at < pattern.size && pattern.data[at] == '*')
		at++;
	return at == pattern.size;
}

/* What describes us and would be wrong of a session, or is set for it anyway. */
static bool is_ours(struct tn_str name)
{
	static const char *const names[] = {"PATH",       "TERM",           "COLORTERM",
					    "NO_COLOR",   "NOTIFY_SOCKET",  "LISTEN_PID",
					    "LISTEN_FDS", "LISTEN_FDNAMES", "PWD",
					    "OLDPWD",     "SHLVL",          "_"};

	for (size_t i = 0; i < TN_COUNT(names); i++) {
		if (tn_str_is(name, names[i]))
			return true;
	}
	return tn_str_starts(name, TN_STR("TENON_"));
}

/* terminal.md 10.3: the allow-list, then env.pass. A secret's name must be spelled out there. */
static bool may_pass(const struct tn_term_config *config, struct tn_str name)
{
	static const char *const allowed[] = {"HOME",         "USER", "LOGNAME", "SHELL",
					      "LANG",         "TZ",   "TMPDIR",  "XDG_RUNTIME_DIR",
					      "SSH_AUTH_SOCK"};
	bool by_pattern = false;

	for (size_t i = 0; i < TN_COUNT(allowed); i++) {
		if (tn_str_is(name, allowed[i]))
			return true;
	}
	if (tn_str_starts(name, TN_STR("LC_")))
		return true;
	for (size_t i = 0; config->env_pass[i]; i++) {
		if (tn_str_is(name, config->env_pass[i]))
			return true;
		by_pattern = by_pattern || fits(tn_str_from(config->env_pass[i]), name);
	}
	return by_pattern && !is_ours(name) && !tn_redact_is_sensitive_name(name);
}

/* ---- a block that is being made ---- */

struct block {
	struct tn_arena *arena;
	const char **entries; /* room for VARIABLES_MAX, and the NULL */
	size_t count;
	bool failed;
};

static size_t find(const struct block *block, struct tn_str name)
{
	size_t i = 0;

	while (i < block->count && !tn_str_equal(name_of(block->entries[i]), name))
		i++;
	return i;
}

static const char *value_in(const struct block *block, const char *name)
{
	size_t i = find(block, tn_str_from(name));

	return i < block->count ? strchr(block->entries[i], '=') + 1 : NULL;
}

/* The later one of a name counts. */
static void put(struct block *block, const char *entry)
{
	size_t i = find(block, name_of(entry));

	if (i == VARIABLES_MAX) {
		block->failed = true;
		return;
	}
	block->entries[i] = entry;
	block->count += i == block->count;
}

static void put_value(struct block *block, const char *name, const char *value)
{
	const char *entry = tn_arena_format(block->arena, "%s=%s", name, value);

	if (entry)
		put(block, entry);
	else
		block->failed = true;
}

static void drop(struct block *block, const char *name)
{
	size_t i = find(block, tn_str_from(name));

	if (i < block->count)
		block->entries[i] = block->entries[--block->count];
}

static void begin(struct block *block, struct tn_arena *arena)
{
	*block = (struct block){.arena = arena};
	block->entries = tn_arena_alloc_array(arena, VARIABLES_MAX + 1, sizeof(*block->entries));
	block->failed = !block->entries;
}

/* ---- text is UTF-8 (terminal.md section 3) ---- */

static bool has_locale(const char *name)
{
	locale_t locale = newlocale(LC_CTYPE_MASK, name, (locale_t)0);

	if (locale == (locale_t)0)
		return false;
	freelocale(locale);
	return true;
}

/* A name that says UTF-8, of a locale that is installed: with any other a shell takes C. */
static bool is_utf8(const char *value)
{
	struct tn_str rest = tn_str_from(value);
	size_t dot = value ? tn_str_find_byte(rest, '.') : TN_STR_NONE;
	size_t at;

	if (dot == TN_STR_NONE)
		return false;
	rest = tn_str_from_offset(rest, dot + 1);
	at = tn_str_find_byte(rest, '@');
	rest.size = at == TN_STR_NONE ? rest.size : at;
	return (tn_str_equal_nocase(rest, TN_STR("UTF-8")) ||
		tn_str_equal_nocase(rest, TN_STR("utf8"))) &&
	       has_locale(value);
}

static void force_utf8(struct block *block)
{
	const char *utf8 = has_locale("C.UTF-8") ? "C.UTF-8" : "en_US.UTF-8";

	if (value_in(block, "LC_ALL") && !is_utf8(value_in(block, "LC_ALL")))
		drop(block, "LC_ALL"); /* it would outvote the two below */
	if (!is_utf8(value_in(block, "LANG")))
		put_value(block, "LANG", utf8);
	if (value_in(block, "LC_CTYPE") && !is_utf8(value_in(block, "LC_CTYPE")))
		put_value(block, "LC_CTYPE", utf8);
}

/* ---- what all sessions have in common ---- */

static void pass_ours(struct block *block, const struct tn_term_config *config)
{
	for (char **at = environ; at && *at; at++) {
		struct tn_str name = name_of(*at);
		const char *copy;

		if (!is_name(name) || !may_pass(config, name))
			continue;
		copy = tn_arena_copy(block->arena, tn_str_from(*at));
		if (copy)
			put(block, copy);
		block->failed = block->failed || !copy;
	}
}

/* A supervisor may start us without them; programs do not expect that. */
static void complete_user(struct block *block)
{
	const struct passwd *user = getpwuid(geteuid());

	if (!user)
		return;
	if (!value_in(block, "HOME"))
		put_value(block, "HOME", user->pw_dir);
	if (!value_in(block, "USER"))
		put_value(block, "USER", user->pw_name);
	if (!value_in(block, "LOGNAME"))
		put_value(block, "LOGNAME", user->pw_name);
	if (!value_in(block, "SHELL") && user->pw_shell[0])
		put_value(block, "SHELL", user->pw_shell);
}

enum tenon_code tn_environment_create(const struct tn_term_config *config,
				      struct tn_environment **ret, struct tenon_error *err)
{
	struct tn_environment *environment = tn_mem_alloc(sizeof(*environment));
	struct block block;

	if (!environment)
		return tn_fail(err, TENON_NO_MEMORY, "no memory for the environment");
	tn_arena_init(&environment->arena, ARENA_BYTES);
	environment->last_waiter = &environment->waiters;
	begin(&block, &environment->arena);
	if (!block.failed) {
		pass_ours(&block, config);
		complete_user(&block);
		force_utf8(&block);
	}
	environment->passed = block.entries;
	if (block.failed) {
		tn_environment_destroy(environment);
		return tn_fail(err, TENON_NO_MEMORY, "no memory for the environment");
	}
	*ret = environment;
	return TENON_OK;
}

void tn_environment_destroy(struct tn_environment *environment)
{
	if (!environment)
		return;
	while (environment->waiters) {
		struct waiter *waiter = environment->waiters;

		environment->waiters = waiter->next;
		tn_mem_free(waiter);
	}
	tn_login_path_free(environment->asking);
	tn_arena_finish(&environment->arena);
	tn_mem_free(environment);
}

/* ---- PATH ---- */

static bool has_folder(struct tn_str path, const char *folder)
{
	while (path.size) {
		size_t end = tn_str_find_byte(path, ':');
		struct tn_str one = tn_str(path.data, end == TN_STR_NONE ? path.size : end);

		if (tn_str_is(one, folder))
			return true;
		path = tn_str_from_offset(path, end == TN_STR_NONE ? path.size : end + 1);
	}
	return false;
}

/* Ours, and the standard folders that it lacks. */
static const char *fall_back(struct tn_arena *arena)
{
	const char *ours = NULL;
	char *path;

	for (char **at = environ; at && *at && !ours; at++) {
		if (tn_str_is(name_of(*at), "PATH"))
			ours = *at + sizeof("PATH=") - 1;
	}
	path = tn_arena_format(arena, "PATH=%s", ours ? ours : "");
	for (size_t i = 0; path && i < TN_COUNT(standard_folders); i++) {
		const char *value = path + sizeof("PATH=") - 1;

		if (!has_folder(tn_str_from(value), standard_folders[i]))
			path = tn_arena_format(arena, "%s%s%s", path, *value ? ":" : "",
					       standard_folders[i]);
	}
	return path;
}

static void set_path(struct tn_environment *environment, const char *path)
{
	environment->path = path ? tn_arena_format(&environment->arena, "PATH=%s", path)
				 : fall_back(&environment->arena);
	if (!environment->path) /* no memory: at least programs are found */
		environment->path = "PATH=/usr/local/bin:/usr/bin:/bin";
}

/* Each is taken off before it is called: it may ask again, or be the end of all of this. */
static void tell_one(struct tn_environment *environment)
{
	struct waiter waiter = *environment->waiters;

	tn_mem_free(environment->waiters);
	environment->waiters = waiter.next;
	if (!waiter.next)
		environment->last_waiter = &environment->waiters;
	waiter.ready(waiter.data);
}

static void path_known(const char *path, void *data)
{
	struct tn_environment *environment = data;
	struct tn_login_path *asked = environment->asking;
	struct waiter *last = NULL;
	bool is_last = false;

	set_path(environment, path);
	environment->asking = NULL;
	tn_login_path_free(asked);
	for (struct waiter *at = environment->waiters; at; at = at->next)
		last = at;
	while (last && !is_last) {
		is_last = environment->waiters == last;
		tell_one(environment);
	}
}

static const char *const *asking_block(struct tn_environment *environment)
{
	const struct tn_environment_wish nothing = {.session_id = ""};
	const char *const *env = NULL;

	set_path(environment, NULL); /* what the shell starts with */
	if (tn_environment_make(environment, &nothing, &environment->arena, &env, NULL) != TENON_OK)
		return NULL;
	environment->path = NULL;
	return env;
}

enum tenon_code tn_environment_prepare(struct tn_environment *environment, struct tn_loop *loop,
				       const char *shell, void (*ready)(void *data), void *data,
				       struct tenon_error *err)
{
	struct waiter *waiter;
	const char *const *env;

	if (environment->path) {
		ready(data);
		return TENON_OK;
	}
	waiter = tn_mem_alloc(sizeof(*waiter));
	if (!waiter)
		return tn_fail(err, TENON_NO_MEMORY, "no memory to wait for the PATH");
	*waiter = (struct waiter){.ready = ready, .data = data};
	*environment->last_waiter = waiter;
	environment->last_waiter = &waiter->next;
	if (environment->asking)
		return TENON_OK;
	env = asking_block(environment);
	if (!env || tn_login_path_ask(loop, shell, env, path_known, environment,
				      &environment->asking, NULL) != TENON_OK)
		path_known(NULL, environment);
	return TENON_OK;
}

void tn_environment_forget(struct tn_environment *environment, const void *data)
{
	struct waiter **at = &environment->waiters;

	while (*at) {
		struct waiter *waiter = *at;

		if (waiter->data == data) {
			*at = waiter->next;
			tn_mem_free(waiter);
		} else {
			at = &waiter->next;
		}
	}
	environment->last_waiter = at;
}

const char *tn_environment_path(const struct tn_environment *environment)
{
	return environment->path ? environment->path + sizeof("PATH=") - 1 : NULL;
}

/* ---- one session's ---- */

/* terminal.md section 3: no pager may wait for a key, no program for an editor. */
static const char *const pagers[] = {
	"PAGER=cat",  "GIT_PAGER=cat", "MANPAGER=cat", "SYSTEMD_PAGER=cat",
	"AWS_PAGER=", "GH_PAGER=cat",  "LESS=-FRX",    "GIT_EDITOR=true",
};

static enum tenon_code put_all(struct block *block, const char *const *entries,
			       struct tenon_error *err)
{
	for (size_t i = 0; entries && entries[i] && !block->failed; i++) {
		const char *copy;

		if (!is_name(name_of(entries[i])))
			return tn_fail(err, TENON_INVALID,
				       "\"%.40s\" is no name of a variable; send letters, digits "
				       "and _",
				       entries[i]);
		copy = tn_arena_copy(block->arena, tn_str_from(entries[i]));
		if (copy)
			put(block, copy);
		block->failed = block->failed || !copy;
	}
	return TENON_OK;
}

static void put_defaults(struct block *block, const struct tn_environment *environment,
			 const struct tn_environment_wish *wish)
{
	put(block, environment->path ? environment->path : "PATH=/usr/local/bin:/usr/bin:/bin");
	put(block, "TERM=xterm-256color");
	put(block, "GIT_TERMINAL_PROMPT=0");
	put(block, "DEBIAN_FRONTEND=noninteractive");
	for (size_t i = 0; i < TN_COUNT(pagers) && !wish->pagers; i++)
		put(block, pagers[i]);
}

enum tenon_code tn_environment_make(const struct tn_environment *environment,
				    const struct tn_environment_wish *wish, struct tn_arena *arena,
				    const char *const **ret, struct tenon_error *err)
{
	enum tenon_code code;
	struct block block;

	begin(&block, arena);
	if (block.failed)
		return tn_fail(err, TENON_NO_MEMORY, "no memory for the environment");
	for (size_t i = 0; environment->passed[i]; i++)
		put(&block, environment->passed[i]);
	put_defaults(&block, environment, wish);
	code = put_all(&block, wish->more, err);
	if (code == TENON_OK)
		code = put_all(&block, wish->even_more, err);
	/* Whoever asks where it is must hear the truth. */
	put(&block, "TENON_TERMINAL=1");
	put_value(&block, "TENON_SESSION_ID", wish->session_id);
	if (code == TENON_OK && block.failed)
		code = tn_fail(err, TENON_NO_MEMORY,
			       "no memory for the environment, or more than %d variables",
			       VARIABLES_MAX);
	if (code == TENON_OK)
		*ret = block.entries;
	return code;
}
