/* What the terminal finds on this machine: shells, sandbox, directories, history. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apps/terminal/settings/config.h"
#include "hold/confine.h"
#include "apps/terminal/sandbox/sandbox.h"
#include "base/size.h"
#include "cli/doctor/doctor.h"

static const char *get_variable(const char *name)
{
	return getenv(name);
}

/* ---- shells ---- */

static void check_shells(struct tn_doctor *doctor, const struct tn_term_config *config)
{
	static const char *const names[] = {"bash", "zsh", "fish", "dash"};
	char path[4096], list[128] = "";
	struct tenon_error err = {0};
	size_t used = 0;

	if (tn_term_config_shell(config, NULL, path, &err) != TENON_OK) {
		tn_doctor_say(doctor, TN_HEALTH_FAIL, "terminal shells",
			      "name shells that are there in terminal.allowed_shells, or none",
			      "%s", err.message);
		return;
	}
	for (size_t i = 0; i < TN_COUNT(names); i++) {
		char other[4096];

		if (tn_term_config_shell(config, names[i], other, NULL) == TENON_OK)
			used += (size_t)snprintf(list + used, sizeof(list) - used, " %s", names[i]);
	}
	tn_doctor_say(doctor, TN_HEALTH_OK, "terminal shells", NULL,
		      "%.200s by default; whose commands are followed:%s", path,
		      used ? list : " none of bash, zsh, fish, dash");
}

/* ---- the sandbox ---- */

struct answer {
	struct tn_loop *loop;
	char why_not[256];
};

static void answered(const char *why_not, void *data)
{
	struct answer *answer = data;

	(void)snprintf(answer->why_not, sizeof(answer->why_not), "%s", why_not ? why_not : "");
	tn_loop_stop(answer->loop);
}

/* Whether this one works; the answer has a sentence when it does not. */
static bool try_sandbox(enum tn_sandbox_kind kind, struct answer *answer)
{
	struct tn_sandbox_probe *probe = NULL;

	*answer = (struct answer){.why_not = "there is no memory to try it"};
	if (tn_loop_create(&answer->loop, NULL) != TENON_OK)
		return false;
	if (tn_sandbox_probe(answer->loop, kind, answered, answer, &probe, NULL) == TENON_OK)
		tn_loop_run(answer->loop);
	tn_sandbox_probe_free(probe);
	tn_loop_destroy(answer->loop);
	return !answer->why_not[0];
}

/* Which layer refuses what, of what differs between kernels. */
static void say_landlock(struct tn_doctor *doctor)
{
	const char *mask = getenv(TN_SANDBOX_ABI);
	int abi = tn_confine_abi(mask ? (int)strtol(mask, NULL, 10) : -1);

	tn_doctor_say(
		doctor, TN_HEALTH_OK, "terminal sandbox", NULL,
		"Landlock works (ABI %d): files and moves by Landlock, truncation by %s, the "
		"network (when it is off) by %sthe system call filter, devices by %s, signals "
		"by %s, connections to sockets in files and changes of modes, owners and times "
		"by the watcher",
		abi, abi >= TN_CONFINE_ABI_TRUNCATE ? "Landlock" : "filter and watcher",
		abi >= TN_CONFINE_ABI_NETWORK ? "Landlock and " : "",
		abi >= TN_CONFINE_ABI_DEVICE ? "Landlock" : "nobody but the list of them",
		abi >= TN_CONFINE_ABI_SCOPE ? "Landlock" : "the watcher");
}

static void check_sandbox(struct tn_doctor *doctor, const struct tn_term_config *config)
{
	struct answer landlock, bubblewrap;
	bool has_landlock = try_sandbox(TN_SANDBOX_LANDLOCK, &landlock);
	bool has_bubblewrap = try_sandbox(TN_SANDBOX_BUBBLEWRAP, &bubblewrap);
	bool wanted = config->sandbox == TN_TERM_SANDBOX_ALWAYS ||
		      (config->sandbox == TN_TERM_SANDBOX_LANDLOCK && !has_landlock);

	if (has_landlock)
		say_landlock(doctor);
	else
		tn_doctor_say(doctor, TN_HEALTH_NOTE, "terminal sandbox",
			      "bubblewrap is used instead where it works", "%s", landlock.why_not);
	if (has_bubblewrap)
		tn_doctor_say(doctor, TN_HEALTH_OK, "terminal sandbox", NULL, "bubblewrap works");
	else
		tn_doctor_say(
			doctor, wanted ? TN_HEALTH_FAIL : TN_HEALTH_NOTE, "terminal sandbox",
			wanted ? "terminal.sandbox asks for it: mend that, or no session starts"
			       : "it is needed only for terminal.sandbox = \"bubblewrap\"",
			"%s", bubblewrap.why_not);
}

/* ---- directories ---- */

static void check_roots(struct tn_doctor *doctor, const struct tn_term_config *config)
{
	char path[4096];
	struct tenon_error err = {0};
	size_t count = 0;

	for (; config->roots[count]; count++) {
		if (tn_term_config_directory(config, NULL, config->roots[count], path, &err) !=
		    TENON_OK)
			tn_doctor_say(doctor, TN_HEALTH_WARN, "terminal roots",
				      "make it, or take it out of terminal.roots", "%.200s: %s",
				      config->roots[count], err.message);
	}
	if (!count)
		tn_doctor_say(doctor, TN_HEALTH_NOTE, "terminal roots", NULL,
			      "none: commands may start in any directory");
}

/* ---- history ---- */

/* Whether the file begins as SQLite's files do; an empty one is about to. */
static bool is_database(const char *path, off_t size)
{
	static const char begins[] = "SQLite format 3";
	char head[sizeof(begins)] = "";
	FILE *file = fopen(path, "re");
	bool good = false;

	if (!file)
		return false;
	good = size == 0 || (fread(head, 1, sizeof(head), file) == sizeof(head) &&
			     memcmp(head, begins, sizeof(head)) == 0);
	(void)fclose(file); /* only read */
	return good;
}

static void check_history(struct tn_doctor *doctor, const struct tn_term_config *config)
{
	static const char name[] = "terminal history";
	char path[4096 + 16];
	struct stat status;

	if (!tn_settings_bool(&config->settings, "terminal.history.enabled")) {
		tn_doctor_say(doctor, TN_HEALTH_NOTE, name, NULL, "off (terminal.history.enabled)");
		return;
	}
	(void)snprintf(path, sizeof(path), "%s/history.db", config->state_folder);
	if (lstat(path, &status) != 0) {
		tn_doctor_say(doctor, TN_HEALTH_OK, name, NULL, "none yet");
		return;
	}
	if (!S_ISREG(status.st_mode) || status.st_uid != geteuid() || (status.st_mode & 077))
		tn_doctor_say(doctor, TN_HEALTH_FAIL, name,
			      "it must be a file of yours that only you may open: chmod 600",
			      "%s is open to others, or not yours", path);
	else if (!is_database(path, status.st_size))
		tn_doctor_say(doctor, TN_HEALTH_FAIL, name, "move it away: a new one is begun",
			      "%s is no database", path);
	else
		tn_doctor_say(doctor, TN_HEALTH_OK, name, NULL, "%s, %llu KiB", path,
			      (unsigned long long)(status.st_size / 1024));
}

/* The settings count as the daemon would read them. */
void tn_doctor_check_terminal(struct tn_doctor *doctor)
{
	const struct tn_term_surroundings around = {.views = doctor->views, .get = get_variable};
	struct tn_term_config config;
	struct tenon_error err = {0};

	if (tn_term_config_read(&config, &around, &err) != TENON_OK) {
		tn_doctor_say(doctor, TN_HEALTH_FAIL, "terminal", "set HOME", "%s", err.message);
		return;
	}
	check_shells(doctor, &config);
	check_sandbox(doctor, &config);
	check_roots(doctor, &config);
	check_history(doctor, &config);
	tn_term_config_finish(&config);
}
