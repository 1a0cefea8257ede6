/* The argv for bubblewrap, and the choice between it and Landlock. The order of its options is the
 * order of mounts: a later one lies on an earlier one. */
#include "apps/terminal/sandbox/internal.h"

#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/size.h"

enum { TARGET_SIZE = 256 };

const char *tn_sandbox_name(enum tn_sandbox_kind kind)
{
	return kind == TN_SANDBOX_LANDLOCK     ? "landlock"
	       : kind == TN_SANDBOX_BUBBLEWRAP ? "bubblewrap"
					       : "none";
}

void tn_sandbox_add(struct tn_sandbox_words *words, const char *text)
{
	if (words->count == TN_SANDBOX_WORDS_MAX || !text)
		words->failed = true;
	else
		words->list[words->count++] = text;
}

void tn_sandbox_add_copy(struct tn_sandbox_words *words, const char *text)
{
	tn_sandbox_add(words, tn_arena_copy(words->arena, tn_str_from(text)));
}

static void add_mount(struct tn_sandbox_words *words, const char *option, const char *source,
		      const char *target)
{
	tn_sandbox_add(words, option);
	tn_sandbox_add_copy(words, source);
	tn_sandbox_add_copy(words, target);
}

static bool is_folder(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool is_below(const char *path, const char *folder)
{
	size_t size = strlen(folder);

	if (size == 1 && folder[0] == '/')
		return true;
	return strncmp(path, folder, size) == 0 && (path[size] == '/' || path[size] == '\0');
}

/* ---- the system, to read ---- */

/* With /bin a link into /usr it is the same link inside. */
static void add_system_folder(struct tn_sandbox_words *words, const char *path)
{
	char target[TARGET_SIZE];
	struct stat status;
	ssize_t size;

	if (lstat(path, &status) != 0)
		return;
	if (S_ISDIR(status.st_mode)) {
		add_mount(words, "--ro-bind", path, path);
		return;
	}
	size = readlink(path, target, sizeof(target) - 1);
	if (size <= 0)
		return;
	target[size] = '\0';
	add_mount(words, "--symlink", target, path);
}

static void add_system(struct tn_sandbox_words *words)
{
	static const char *const folders[] = {"/usr",   "/bin",   "/sbin",   "/lib",
					      "/lib32", "/lib64", "/libx32", "/etc"};
	char real[PATH_MAX];

	for (size_t i = 0; i < TN_COUNT(folders); i++)
		add_system_folder(words, folders[i]);
	/* A resolver keeps it in /run, and no name would be found without it. */
	if (realpath("/etc/resolv.conf", real) && !is_below(real, "/etc") &&
	    !is_below(real, "/usr"))
		add_mount(words, "--ro-bind", real, real);
}

/* What in /etc is nobody's business. File permissions hide most of it anyway; but the user that we
 * run as may be in a group that reads it. */
static const char *const secrets[] = {
	"/etc/NetworkManager/system-connections",
	"/etc/credstore",
	"/etc/credstore.encrypted",
	"/etc/cups/ssl",
	"/etc/docker/key.json",
	"/etc/exim4/passwd.client",
	"/etc/gshadow",
	"/etc/gshadow-",
	"/etc/ipsec.d/private",
	"/etc/ipsec.secrets",
	"/etc/krb5.keytab",
	"/etc/kubernetes",
	"/etc/letsencrypt",
	"/etc/mysql/debian.cnf",
	"/etc/openvpn",
	"/etc/pki/tls/private",
	"/etc/postfix/sasl_passwd",
	"/etc/ppp/chap-secrets",
	"/etc/ppp/pap-secrets",
	"/etc/rancher",
	"/etc/samba/private",
	"/etc/security/opasswd",
	"/etc/shadow",
	"/etc/shadow-",
	"/etc/ssh/ssh_host_*_key",
	"/etc/ssl/private",
	"/etc/sudoers",
	"/etc/sudoers.d",
	"/etc/sudo.conf",
	"/etc/wireguard",
	"/etc/wpa_supplicant",
};

/* Nothing is where it was: an empty folder, or a file that is always at its end. */
static void hide(struct tn_sandbox_words *words, const char *path)
{
	char real[PATH_MAX];

	if (!realpath(path, real))
		return;
	if (is_folder(real)) {
		tn_sandbox_add(words, "--tmpfs");
		tn_sandbox_add_copy(words, real);
	} else {
		add_mount(words, "--ro-bind", "/dev/null", real);
	}
}

void tn_sandbox_each_secret(void (*each)(const char *path, void *data), void *data)
{
	for (size_t i = 0; i < TN_COUNT(secrets); i++) {
		glob_t found;

		if (glob(secrets[i], GLOB_NOSORT, NULL, &found) != 0)
			continue;
		for (size_t j = 0; j < found.gl_pathc; j++)
			each(found.gl_pathv[j], data);
		globfree(&found);
	}
}

static void hide_one(const char *path, void *words)
{
	hide(words, path);
}

/* ---- what may be written ---- */

/* An empty folder that goes with the sandbox; false: home is "/", or nowhere. */
static bool find_home(char out[PATH_MAX])
{
	const char *home = getenv("HOME");

	return home && home[0] == '/' && realpath(home, out) && strcmp(out, "/") != 0;
}

size_t tn_sandbox_writable(const struct tn_term_config *config, const struct tn_sandbox_wish *wish,
			   struct tn_arena *arena, const char **out, size_t max)
{
	char real[PATH_MAX], home[PATH_MAX];
	bool has_home = find_home(home);
	size_t count = 0;

	for (size_t i = 0; config->roots[i] && count < max; i++) {
		if (realpath(config->roots[i], real) && strcmp(real, "/") != 0)
			out[count++] = tn_arena_copy(arena, tn_str_from(real));
	}
	if (config->roots[0] || !realpath(wish->cwd, real) || strcmp(real, "/") == 0)
		return count;
	/* Nobody has chosen it; home and what holds all homes would be too much. */
	if ((has_home && is_below(home, real)) || is_below(real, "/usr") || is_below(real, "/etc"))
		return count;
	out[0] = tn_arena_copy(arena, tn_str_from(real));
	return 1;
}

static bool is_granted(const char *const *writable, size_t count, const char *path)
{
	for (size_t i = 0; i < count; i++) {
		if (writable[i] && is_below(path, writable[i]))
			return true;
	}
	return false;
}

struct granted {
	struct tn_sandbox_words *words;
	const char *const *writable;
	size_t count;
};

static void hide_granted(const char *path, void *data)
{
	const struct granted *granted = data;
	char real[PATH_MAX];

	if (realpath(path, real) && is_granted(granted->writable, granted->count, real))
		hide(granted->words, real);
}

/* Our own settings, policy, tokens and history are not in the reach of what they are about, even
 * when a root has them in it. */
void tn_sandbox_each_ours(const struct tn_term_config *config, struct tn_arena *arena,
			  void (*each)(const char *path, void *data), void *data)
{
	static const struct {
		const char *variable, *below;
	} places[] = {
		{"XDG_CONFIG_HOME", "tenon"}, {"HOME", ".config/tenon"},
		{"XDG_STATE_HOME", "tenon"},  {"HOME", ".local/state/tenon"},
		{"XDG_RUNTIME_DIR", "tenon"},
	};

	for (size_t i = 0; i < TN_COUNT(places); i++) {
		const char *base = getenv(places[i].variable), *path = NULL;

		if (base && base[0] == '/')
			path = tn_arena_format(arena, "%s/%s", base, places[i].below);
		if (path)
			each(path, data);
	}
	each(config->state_folder, data);
	if (config->runtime_folder)
		each(config->runtime_folder, data);
}

/* ---- all of it ---- */

/* Ctrl-C goes to the whole foreground group, and bubblewrap is in it: it must outlive that, and the
 * program must get it as ever. */
static const char ignore[] = "--ignore-signal=INT,QUIT,TSTP";
static const char restore[] = "--default-signal=INT,QUIT,TSTP";

static void add_begin(struct tn_sandbox_words *words, bool network)
{
	static const char *const begin[] = {
		"/usr/bin/env",         ignore,           "bwrap",
		"--die-with-parent",    "--unshare-user", "--disable-userns",
		"--unshare-pid",        "--unshare-ipc",  "--unshare-uts",
		"--unshare-cgroup-try",
	};

	for (size_t i = 0; i < TN_COUNT(begin); i++)
		tn_sandbox_add(words, begin[i]);
	if (!network)
		tn_sandbox_add(words, "--unshare-net");
}

static void add_end(struct tn_sandbox_words *words, const struct tn_sandbox_wish *wish)
{
	static const char *const unset[] = {"SSH_AUTH_SOCK", "TMPDIR", "XDG_RUNTIME_DIR"};

	/* They name what is not inside. */
	for (size_t i = 0; i < TN_COUNT(unset); i++) {
		tn_sandbox_add(words, "--unsetenv");
		tn_sandbox_add(words, unset[i]);
	}
	tn_sandbox_add(words, "--chdir");
	tn_sandbox_add_copy(words, wish->cwd);
	tn_sandbox_add(words, "--");
	tn_sandbox_add(words, "/usr/bin/env");
	tn_sandbox_add(words, restore);
	for (size_t i = 0; wish->argv[i]; i++)
		tn_sandbox_add_copy(words, wish->argv[i]);
}

struct grants {
	const char *writable[256];
	size_t count;
	char home[PATH_MAX];
	bool has_home; /* it is empty, and its own */
};

static void add_places(struct tn_sandbox_words *words, const struct tn_term_config *config,
		       const struct tn_sandbox_wish *wish, const struct grants *grants)
{
	struct granted granted = {words, grants->writable, grants->count};

	add_system(words);
	tn_sandbox_add(words, "--proc");
	tn_sandbox_add(words, "/proc");
	tn_sandbox_add(words, "--dev");
	tn_sandbox_add(words, "/dev");
	tn_sandbox_add(words, "--tmpfs");
	tn_sandbox_add(words, "/tmp");
	if (grants->has_home) {
		tn_sandbox_add(words, "--tmpfs");
		tn_sandbox_add_copy(words, grants->home);
	}
	for (size_t i = 0; i < grants->count; i++)
		add_mount(words, "--bind", grants->writable[i], grants->writable[i]);
	/* Last: nothing lies on these any more. */
	tn_sandbox_each_secret(hide_one, words);
	tn_sandbox_each_ours(config, words->arena, hide_granted, &granted);
	if (wish->run_folder)
		add_mount(words, "--ro-bind", wish->run_folder, wish->run_folder);
}

static void put_report(const struct tn_term_config *config, const struct grants *grants,
		       struct tn_buf *report)
{
	tn_buf_append_text(report, "reads: /usr, /bin, /sbin, /lib*, /etc (without secrets)\n"
				   "writes: ");
	for (size_t i = 0; i < grants->count; i++)
		tn_buf_format(report, "%s%s", i ? ", " : "", grants->writable[i]);
	tn_buf_format(report,
		      "%s\nown and empty, gone with the session: /tmp%s%s\n"
		      "processes: its own only\nnetwork: %s\n",
		      grants->count ? "" : "nothing", grants->has_home ? ", " : "",
		      grants->has_home ? grants->home : "",
		      config->sandbox_network ? "the host's" : "none");
}

static void use_bubblewrap(const struct tn_term_config *config, const struct tn_sandbox_wish *wish,
			   struct tn_sandbox_words *words, struct tn_buf *report)
{
	struct grants grants = {.count = 0};

	grants.count = tn_sandbox_writable(config, wish, words->arena, grants.writable,
					   TN_COUNT(grants.writable));
	grants.has_home =
		find_home(grants.home) && !is_granted(grants.writable, grants.count, grants.home);
	add_begin(words, config->sandbox_network);
	add_places(words, config, wish, &grants);
	add_end(words, wish);
	put_report(config, &grants, report);
}

static void add_program(struct tn_sandbox_words *words, const struct tn_sandbox_wish *wish)
{
	for (size_t i = 0; wish->argv[i]; i++)
		tn_sandbox_add_copy(words, wish->argv[i]);
}

static void only_hold(struct tn_sandbox_words *words)
{
	static const char *const begin[] = {"/proc/self/exe", "--confine", "--only-held", "--"};

	for (size_t i = 0; i < TN_COUNT(begin); i++)
		tn_sandbox_add(words, begin[i]);
}

enum tenon_code tn_sandbox_wrap(const struct tn_term_config *config,
				const struct tn_sandbox_wish *wish, struct tn_arena *arena,
				const char *const **ret_argv, struct tn_buf *report,
				struct tenon_error *err)
{
	struct tn_sandbox_words words = {.arena = arena};

	words.list = tn_arena_alloc_array(arena, TN_SANDBOX_WORDS_MAX + 1, sizeof(*words.list));
	if (!words.list)
		return tn_fail(err, TENON_NO_MEMORY, "no memory for the sandbox");
	if (wish->holds && wish->kind != TN_SANDBOX_LANDLOCK)
		only_hold(&words);
	if (wish->kind == TN_SANDBOX_LANDLOCK)
		tn_sandbox_landlock(config, wish, &words, report);
	else if (wish->kind != TN_SANDBOX_NONE || !wish->holds)
		use_bubblewrap(config, wish, &words, report);
	else
		add_program(&words, wish);
	if (words.failed)
		return tn_fail(err, TENON_NO_MEMORY,
			       "no memory for the sandbox, or more than %d "
			       "words to start it",
			       TN_SANDBOX_WORDS_MAX);
	*ret_argv = words.list;
	return TENON_OK;
}
