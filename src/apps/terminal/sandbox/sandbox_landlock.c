/* The words for tenond --confine: what a confined session may write, and what it does not read. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apps/terminal/sandbox/internal.h"
#include "base/size.h"

/* What proves who the user is, below home. What is made there later is not granted either. */
static const char *const credentials[] = {
	".ssh",
	".gnupg",
	".netrc",
	".git-credentials",
	".config/git/credentials",
	".config/gh",
	".config/hub",
	".config/glab-cli",
	".npmrc",
	".yarnrc.yml",
	".pypirc",
	".config/pip/pip.conf",
	".gem/credentials",
	".cargo/credentials",
	".cargo/credentials.toml",
	".m2/settings.xml",
	".gradle/gradle.properties",
	".docker",
	".config/containers",
	".kube",
	".config/helm",
	".aws",
	".azure",
	".config/gcloud",
	".config/doctl",
	".config/heroku",
	".config/rclone",
	".config/op",
	".oci",
	".fly",
	".databrickscfg",
	".terraform.d/credentials.tfrc.json",
	".terraformrc",
	".vault-token",
	".pgpass",
	".my.cnf",
	".password-store",
	".local/share/keyrings",
	".local/share/kwalletd",
	".mozilla",
	".thunderbird",
	".config/google-chrome",
	".config/chromium",
	".config/microsoft-edge",
	".config/BraveSoftware",
	".config/Signal",
	".claude",
	".claude.json",
	".codex",
	".gemini",
	".config/github-copilot",
};

/* What build tools write beside the project. Not what of theirs is run later (~/.cargo/bin). */
static const char *const caches[] = {
	".npm",
	".cargo/registry",
	".cargo/git",
	".cargo/.package-cache",
	".cargo/.package-cache-mutate",
	".cargo/.global-cache",
	"go/pkg/mod",
	".gradle/caches",
	".m2/repository",
	".yarn/berry/cache",
	".local/share/pnpm/store",
};

static void add_option(struct tn_sandbox_words *words, const char *option, const char *value)
{
	tn_sandbox_add(words, option);
	tn_sandbox_add_copy(words, value);
}

static void hide(const char *path, void *words)
{
	add_option(words, "--hide", path);
}

/* What the user cannot read needs no rule, and each one takes a folder apart. */
static void hide_readable(const char *path, void *words)
{
	if (access(path, R_OK) == 0)
		hide(path, words);
}

static void add_home(struct tn_sandbox_words *words, const char *home, struct tn_buf *report)
{
	char real[PATH_MAX];
	struct stat status;
	const char *cache;

	if (!home || !realpath(home, real) || strcmp(real, "/") == 0)
		return;
	for (size_t i = 0; i < TN_COUNT(credentials); i++)
		hide(tn_arena_format(words->arena, "%s/%s", real, credentials[i]), words);
	cache = tn_arena_format(words->arena, "%s/.cache", real);
	if (cache && (mkdir(cache, S_IRWXU) == 0 ||
		      (lstat(cache, &status) == 0 && S_ISDIR(status.st_mode)))) {
		add_option(words, "--cache", cache);
		tn_buf_format(report, ", %s", cache);
	}
	for (size_t i = 0; i < TN_COUNT(caches); i++) {
		const char *path = tn_arena_format(words->arena, "%s/%s", real, caches[i]);

		if (path && lstat(path, &status) == 0 && !S_ISLNK(status.st_mode))
			add_option(words, "--write", path);
	}
}

void tn_sandbox_landlock(const struct tn_term_config *config, const struct tn_sandbox_wish *wish,
			 struct tn_sandbox_words *words, struct tn_buf *report)
{
	const char *writable[256], *run = getenv("XDG_RUNTIME_DIR"), *abi = getenv(TN_SANDBOX_ABI);
	size_t count =
		tn_sandbox_writable(config, wish, words->arena, writable, TN_COUNT(writable));

	tn_buf_append_text(report, "reads: everything but Tenon's files and credentials\nwrites: ");
	tn_sandbox_add(words, "/proc/self/exe");
	tn_sandbox_add(words, "--confine");
	if (wish->holds)
		tn_sandbox_add(words, "--held");
	for (size_t i = 0; i < count; i++) {
		add_option(words, "--write", writable[i]);
		tn_buf_format(report, "%s%s", i ? ", " : "", writable[i]);
	}
	tn_sandbox_each_ours(config, words->arena, hide, words);
	if (run && run[0] == '/')
		hide(run, words);
	/* Where one is looked for without the variable, ours or another daemon's of the user. */
	hide(tn_arena_format(words->arena, "/run/user/%lu", (unsigned long)geteuid()), words);
	hide(tn_arena_format(words->arena, "/tmp/tenon-%lu", (unsigned long)geteuid()), words);
	tn_sandbox_each_secret(hide_readable, words);
	add_home(words, getenv("HOME"), report);
	if (wish->run_folder)
		add_option(words, "--read", wish->run_folder);
	if (!config->sandbox_network)
		tn_sandbox_add(words, "--no-network");
	if (abi && abi[0])
		add_option(words, "--abi", abi);
	tn_sandbox_add(words, "--");
	for (size_t i = 0; wish->argv[i]; i++)
		tn_sandbox_add_copy(words, wish->argv[i]);
	tn_buf_format(report, "\nnetwork: %s\n", config->sandbox_network ? "the host's" : "none");
}
