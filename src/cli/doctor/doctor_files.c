/* Folders, their modes, what stands in them, and the room there is. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/size.h"
#include "cli/doctor/doctor.h"
#include "cli/daemon/log_path.h"
#include "host/limits.h"
#include "host/probe.h"
#include "host/settings/config.h"
#include "host/person/proof.h"
#include "mcp/consent_policy.h"
#include "store/file.h"

static const char room_remedy[] = "make room on that disk: documents and logs are written there";

enum { PROOF_MS = 15000, ROOM_FAIL_MIB = 10, ROOM_WARN_MIB = 200 };

/* ---- variables ---- */

static void check_variables(struct tn_doctor *doctor)
{
	static const char *const names[] = {"XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_STATE_HOME"};
	static const char remedy[] = "set it to an absolute path of a folder of yours, or unset it";
	const char *home = getenv("HOME");

	for (size_t i = 0; i < TN_COUNT(names); i++) {
		const char *value = getenv(names[i]);
		struct stat status;

		if (!value || !*value)
			tn_doctor_say(doctor, i == 0 ? TN_HEALTH_NOTE : TN_HEALTH_OK, names[i],
				      NULL, "not set: the usual folder is used");
		else if (*value != '/')
			tn_doctor_say(doctor, TN_HEALTH_WARN, names[i], remedy,
				      "%s is no absolute path and is ignored", value);
		else if (stat(value, &status) != 0 && i == 0)
			tn_doctor_say(doctor, TN_HEALTH_FAIL, names[i], remedy, "%s: %s", value,
				      strerrordesc_np(errno));
		else
			tn_doctor_say(doctor, TN_HEALTH_OK, names[i], NULL, "%s", value);
	}
	if (!home || *home != '/')
		tn_doctor_say(doctor, TN_HEALTH_WARN, "HOME",
			      "set HOME, or all of XDG_CONFIG_HOME, XDG_STATE_HOME and "
			      "XDG_RUNTIME_DIR",
			      "not set");
}

/* ---- modes ---- */

/* A file or folder that only we may look into. Missing is fine. */
static void check_private(struct tn_doctor *doctor, const char *name, const char *path)
{
	struct stat status;

	if (lstat(path, &status) != 0) {
		if (errno != ENOENT && errno != ENOTDIR)
			tn_doctor_say(doctor, TN_HEALTH_FAIL, name,
				      "see to it that you may look at it", "%s: %s", path,
				      strerrordesc_np(errno));
		return;
	}
	if (status.st_uid != geteuid())
		tn_doctor_say(doctor, TN_HEALTH_FAIL, name, "give it to your own user, or move it",
			      "%s belongs to another user (%lu)", path,
			      (unsigned long)status.st_uid);
	else if (status.st_mode & 077)
		tn_doctor_say(doctor, TN_HEALTH_WARN, name,
			      "chmod go= PATH: others on this machine may read it",
			      "%s has mode %03o", path, (unsigned)status.st_mode & 0777U);
	else
		tn_doctor_say(doctor, TN_HEALTH_OK, name, NULL, "%s, mode %03o", path,
			      (unsigned)status.st_mode & 0777U);
}

static void check_runtime(struct tn_doctor *doctor)
{
	struct tenon_error err = {0};

	switch (tn_runtime_find(&doctor->paths, false, &err)) {
	case TENON_OK:
		doctor->has_paths = true;
		check_private(doctor, "runtime folder", doctor->paths.folder);
		check_private(doctor, "discovery file", doctor->paths.discovery);
		check_private(doctor, "person's door", doctor->paths.person);
		break;
	case TENON_NOT_FOUND:
		tn_doctor_say(doctor, TN_HEALTH_NOTE, "runtime folder", NULL,
			      "not there yet: the first daemon makes it");
		break;
	default:
		tn_doctor_say(doctor, TN_HEALTH_FAIL, "runtime folder",
			      "remove it, or set XDG_RUNTIME_DIR to a folder of yours", "%s",
			      err.message);
	}
}

/* ---- settings ---- */

/* consent.proof: whether a human can be asked, which asks nobody. */
static void check_proof(struct tn_doctor *doctor, const char *kind)
{
	char path[PATH_MAX];
	const char *argv[] = {path, "--check", kind, NULL};
	struct tenon_error err;
	struct tn_str said;
	struct tn_buf out;
	int exit = 0;

	if (strcmp(kind, "none") == 0)
		return;
	tn_buf_init(&out, 4096);
	if (tn_proof_find(path, &err) == TENON_OK &&
	    tn_probe_run(argv, PROOF_MS, &out, &exit, &err) == TENON_OK) {
		said = tn_str_trim(tn_buf_str(&out));
		tn_doctor_say(doctor, exit == 0 ? TN_HEALTH_OK : TN_HEALTH_FAIL, "consent.proof",
			      "until this is mended nothing can be approved", "%s: %.*s", kind,
			      (int)said.size, said.data);
	} else {
		tn_doctor_say(doctor, TN_HEALTH_FAIL, "consent.proof",
			      "until this is mended nothing can be approved", "%s: %s", kind,
			      err.message);
	}
	tn_buf_finish(&out);
}

static void check_policy(struct tn_doctor *doctor, const char *config_path)
{
	const char *slash = strrchr(config_path, '/');
	char path[PATH_MAX + 16];
	struct tn_policy *policy = NULL;
	struct tenon_error err = {0};
	struct tn_buf text;
	enum tenon_code code;

	(void)snprintf(path, sizeof(path), "%.*s/policy.json",
		       slash ? (int)(slash - config_path) : 0, config_path);
	tn_buf_init(&text, 4 * TN_MIB);
	code = tn_file_read(path, TN_FILE_REGULAR_ONLY, &text, &err);
	if (code == TENON_NOT_FOUND) {
		tn_doctor_say(doctor, TN_HEALTH_OK, "policy", NULL, "the built-in one");
	} else if (code != TENON_OK ||
		   tn_policy_parse(tn_buf_str(&text), &policy, &err) != TENON_OK) {
		tn_doctor_say(doctor, TN_HEALTH_FAIL, "policy",
			      "mend that line, or remove the file: the built-in policy holds then",
			      "%s", err.message);
	} else {
		tn_doctor_say(doctor, TN_HEALTH_OK, "policy", NULL, "%s", path);
		check_private(doctor, "policy file", path);
	}
	tn_policy_free(policy);
	tn_buf_finish(&text);
}

/* All of them: whoever mends one of five does not want to start five times. */
static void tell_faults(struct tn_doctor *doctor)
{
	struct tn_buf faults;
	struct tn_str rest;

	tn_buf_init(&faults, TN_CONFIG_BYTES_MAX);
	tn_config_faults(NULL, NULL, &faults);
	rest = tn_buf_str(&faults);
	while (rest.size) {
		size_t end = tn_str_find_byte(rest, '\n');
		size_t size = end == TN_STR_NONE ? rest.size : end;

		tn_doctor_say(doctor, TN_HEALTH_FAIL, "settings",
			      "mend it in config.json, or in that variable; the daemon does not "
			      "start with it",
			      "%.*s", (int)size, rest.data);
		rest = tn_str_from_offset(rest, size + (end != TN_STR_NONE));
	}
	tn_buf_finish(&faults);
}

static void check_settings(struct tn_doctor *doctor)
{
	struct tn_config *config = NULL;
	struct tenon_error err = {0};
	const char *token;

	if (tn_config_read(NULL, NULL, &config, &err) != TENON_OK) {
		tell_faults(doctor);
		return;
	}
	tn_doctor_say(doctor, TN_HEALTH_OK, "settings", NULL, "%s",
		      access(tn_config_path(config), F_OK) == 0 ? tn_config_path(config)
								: "the defaults; no config.json");
	check_private(doctor, "config.json", tn_config_path(config));
	token = tn_config_text(config, "http.token_file");
	if (*token && access(token, R_OK) != 0)
		tn_doctor_say(doctor, TN_HEALTH_FAIL, "token file",
			      "write a token of 16 to 127 characters into it, or unset "
			      "http.token_file",
			      "%s: %s", token, strerrordesc_np(errno));
	else if (*token)
		check_private(doctor, "token file", token);
	check_policy(doctor, tn_config_path(config));
	check_proof(doctor, tn_config_text(config, "consent.proof"));
	tn_config_free(config);
}

/* ---- room ---- */

static void check_state(struct tn_doctor *doctor)
{
	struct tenon_error err = {0};
	struct statvfs room;
	struct tn_buf folder;
	char path[PATH_MAX], log[PATH_MAX];

	tn_buf_init(&folder, PATH_MAX);
	if (tn_dir_state(&folder, false, &err) != TENON_OK) {
		tn_doctor_say(doctor, TN_HEALTH_FAIL, "state folder", "set HOME or XDG_STATE_HOME",
			      "%s", err.message);
		tn_buf_finish(&folder);
		return;
	}
	(void)snprintf(path, sizeof(path), "%.*s", (int)folder.size, folder.data);
	tn_buf_finish(&folder);
	check_private(doctor, "state folder", path);
	if (tn_cli_log_path(log, &err) == TENON_OK)
		check_private(doctor, "log", log);
	/* The folder may not be there yet: the one above it has the same disk. */
	while (statvfs(path, &room) != 0 && strlen(path) > 1) {
		char *slash = strrchr(path, '/');

		if (slash == path)
			slash++;
		*slash = '\0';
	}
	if (statvfs(path, &room) == 0) {
		unsigned long long mib = (unsigned long long)room.f_bavail * room.f_frsize / TN_MIB;

		tn_doctor_say(doctor,
			      mib < ROOM_FAIL_MIB   ? TN_HEALTH_FAIL
			      : mib < ROOM_WARN_MIB ? TN_HEALTH_WARN
						    : TN_HEALTH_OK,
			      "disk", room_remedy, "%llu MiB free below the state folder", mib);
	}
}

void tn_doctor_check_files(struct tn_doctor *doctor)
{
	check_variables(doctor);
	check_runtime(doctor);
	check_settings(doctor);
	check_state(doctor);
}
