/* The argv for bubblewrap. The order of its options is the order of mounts: a later one lies on an
 * earlier one. */
#include "apps/terminal/sandbox.h"

#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/size.h"

enum { WORDS_MAX = 4096, TARGET_SIZE = 256 };

struct words {
	struct tn_arena *arena;
	const char **list; /* room for WORDS_MAX, and the NULL */
	size_t count;
	bool failed;
};

static void add(struct words *words, const char *text)
{
	if (words->count == WORDS_MAX || !text)
		words->failed = true;
	else
		words->list[words->count++] = text;
}

static void add_copy(struct words *words, const char *text)
{
	add(words, tn_arena_copy(words->arena, tn_str_from(text)));
}

static void add_mount(struct words *words, const char *option, const char *source,
		      const char *target)
{
	add(words, option);
	add_copy(words, source);
	add_copy(words, target);
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
static void add_system_folder(struct words *words, const char *path)
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

static void add_system(struct words *words)
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
static void hide(struct words *words, const char *path)
{
	char real[PATH_MAX];

	if (!realpath(path, real))
		return;
	if (is_folder(real)) {
		add(words, "--tmpfs");
		add_copy(words, real);
	} else {
		add_mount(words, "--ro-bind", "/dev/null", real);
	}
}

static void hide_secrets(struct words *words)
{
	for (size_t i = 0; i < TN_COUNT(secrets); i++) {
		glob_t found;

		if (glob(secrets[i], GLOB_NOSORT, NULL, &found) != 0)
			continue;
		for (size_t j = 0; j < found.gl_pathc; j++)
			hide(words, found.gl_pathv[j]);
		globfree(&found);
	}
}

/* ---- what may be written ---- */

/* An empty folder that goes with the sandbox; false: home is "/", or nowhere. */
static bool find_home(char out[PATH_MAX])
{
	const char *home = getenv("HOME");

	return home && home[0] == '/' && realpath(home, out) && strcmp(out, "/") != 0;
}

/* The roots, or else where it starts, in the order in which they are mounted. */
static size_t find_writable(const struct tn_term_config *config, const struct tn_sandbox_wish *wish,
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

static void hide_granted(struct words *words, const char *path, const char *const *writable,
			 size_t count)
{
	char real[PATH_MAX];

	if (path && realpath(path, real) && is_granted(writable, count, real))
		hide(words, real);
}

/* Our own settings, policy, tokens and history are not in the reach of what they are about, even
 * when a root has them in it. */
static void hide_ours(struct words *words, const struct tn_term_config *config,
		      const char *const *writable, size_t count)
{
	static const struct {
		const char *variable, *below;
	} places[] = {
		{"XDG_CONFIG_HOME", "tenon"}, {"HOME", ".config/tenon"},
		{"XDG_STATE_HOME", "tenon"},  {"HOME", ".local/state/tenon"},
		{"XDG_RUNTIME_DIR", "tenon"},
	};

	for (size_t i = 0; i < TN_COUNT(places); i++) {
		const char *base = getenv(places[i].variable);

		if (base && base[0] == '/')
			hide_granted(words,
				     tn_arena_format(words->arena, "%s/%s", base, places[i].below),
				     writable, count);
	}
	hide_granted(words, config->state_folder, writable, count);
	if (config->runtime_folder)
		hide_granted(words, config->runtime_folder, writable, count);
}

/* ---- all of it ---- */

/* Ctrl-C goes to the whole foreground group, and bubblewrap is in it: it must outlive that, and the
 * program must get it as ever. */
static const char ignore[] = "--ignore-signal=INT,QUIT,TSTP";
static const char restore[] = "--default-signal=INT,QUIT,TSTP";

static void add_begin(struct words *words, bool network)
{
	static const char *const begin[] = {
		"/usr/bin/env",         ignore,           "bwrap",
		"--die-with-parent",    "--unshare-user", "--disable-userns",
		"--unshare-pid",        "--unshare-ipc",  "--unshare-uts",
		"--unshare-cgroup-try",
	};

	for (size_t i = 0; i < TN_COUNT(begin); i++)
		add(words, begin[i]);
	if (!network)
		add(words, "--unshare-net");
}

static void add_end(struct words *words, const struct tn_sandbox_wish *wish)
{
	static const char *const unset[] = {"SSH_AUTH_SOCK", "TMPDIR", "XDG_RUNTIME_DIR"};

	/* They name what is not inside. */
	for (size_t i = 0; i < TN_COUNT(unset); i++) {
		add(words, "--unsetenv");
		add(words, unset[i]);
	}
	add(words, "--chdir");
	add_copy(words, wish->cwd);
	add(words, "--");
	add(words, "/usr/bin/env");
	add(words, restore);
	for (size_t i = 0; wish->argv[i]; i++)
		add_copy(words, wish->argv[i]);
}

struct grants {
	const char *writable[256];
	size_t count;
	char home[PATH_MAX];
	bool has_home; /* it is empty, and its own */
};

static void add_places(struct words *words, const struct tn_term_config *config,
		       const struct tn_sandbox_wish *wish, const struct grants *grants)
{
	add_system(words);
	add(words, "--proc");
	add(words, "/proc");
	add(words, "--dev");
	add(words, "/dev");
	add(words, "--tmpfs");
	add(words, "/tmp");
	if (grants->has_home) {
		add(words, "--tmpfs");
		add_copy(words, grants->home);
	}
	for (size_t i = 0; i < grants->count; i++)
		add_mount(words, "--bind", grants->writable[i], grants->writable[i]);
	/* Last: nothing lies on these any more. */
	hide_secrets(words);
	hide_ours(words, config, grants->writable, grants->count);
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

enum tenon_code tn_sandbox_wrap(const struct tn_term_config *config,
				const struct tn_sandbox_wish *wish, struct tn_arena *arena,
				const char *const **ret_argv, struct tn_buf *report,
				struct tenon_error *err)
{
	struct words words = {.arena = arena};
	struct grants grants = {.count = 0};

	words.list = tn_arena_alloc_array(arena, WORDS_MAX + 1, sizeof(*words.list));
	if (!words.list)
		return tn_fail(err, TENON_NO_MEMORY, "no memory for the sandbox");
	grants.count =
		find_writable(config, wish, arena, grants.writable, TN_COUNT(grants.writable));
	grants.has_home =
		find_home(grants.home) && !is_granted(grants.writable, grants.count, grants.home);
	add_begin(&words, config->sandbox_network);
	add_places(&words, config, wish, &grants);
	add_end(&words, wish);
	put_report(config, &grants, report);
	if (words.failed)
		return tn_fail(err, TENON_NO_MEMORY,
			       "no memory for the sandbox, or more than %d "
			       "words to start it",
			       WORDS_MAX);
	*ret_argv = words.list;
	return TENON_OK;
}
