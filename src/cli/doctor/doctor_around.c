/* What stands around the daemon: the programs, systemd, processes that were left. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apps/studio/project/settings_table.h"
#include "cli/doctor/doctor.h"
#include "host/probe.h"
#include "store/file.h"

enum { PROBE_MS = 5000, PROCESSES_TOLD_MAX = 8 };

/* ---- programs ---- */

static void check_programs(struct tn_doctor *doctor)
{
	const char *argv[] = {NULL, "--version", NULL};
	struct tenon_error err = {0};
	struct tn_buf path, said;
	struct tn_str version;
	int exit = 0;

	tn_buf_init(&path, 4096);
	tn_buf_init(&said, 4096);
	if (tn_probe_beside("tenon", &path, &err) == TENON_OK) {
		tn_buf_append_byte(&path, '\0');
		argv[0] = path.data;
	}
	if (!argv[0] || tn_probe_run(argv, PROBE_MS, &said, &exit, &err) != TENON_OK) {
		tn_doctor_say(doctor, TN_HEALTH_FAIL, "programs",
			      "tenon and tenond belong into one folder: install both again", "%s",
			      err.message);
	} else {
		version = tn_str_trim(tn_buf_str(&said));
		tn_doctor_say(doctor,
			      tn_str_is(version, "tenon " TENON_VERSION) ? TN_HEALTH_OK
									 : TN_HEALTH_FAIL,
			      "programs", "install tenon and tenond of one version",
			      "tenond %s, %.*s", TENON_VERSION, (int)version.size, version.data);
	}
	tn_buf_finish(&path);
	tn_buf_finish(&said);
}

/* ---- the engine of studio ---- */

/* What the program says of itself, "Terraform v1.9.5". False: it is not there, or no such thing. */
static bool ask_engine(const char *name, struct tn_buf *out, struct tn_str *ret_said)
{
	const char *const argv[] = {name, "version", NULL};
	int exit = 0;
	size_t end;

	tn_buf_clear(out);
	if (tn_probe_run(argv, PROBE_MS, out, &exit, NULL) != TENON_OK || exit != 0)
		return false;
	*ret_said = tn_buf_str(out);
	end = tn_str_find_byte(*ret_said, '\n');
	if (end != TN_STR_NONE)
		*ret_said = tn_str(ret_said->data, end);
	return tn_str_starts(*ret_said, TN_STR("Terraform v")) ||
	       tn_str_starts(*ret_said, TN_STR("OpenTofu v"));
}

static void check_engine(struct tn_doctor *doctor)
{
	const struct tn_settings settings = tn_settings_of(doctor->views, &tn_studio_setting_table);
	const char *set = tn_settings_text(&settings, "studio.terraform.path");
	const char *names[] = {*set ? set : "terraform", "tofu"};
	size_t count = *set ? 1 : 2;
	struct tn_str said = {NULL, 0};
	struct tn_buf out;
	size_t i = 0;

	tn_buf_init(&out, TN_MIB);
	while (i < count && !ask_engine(names[i], &out, &said))
		i++;
	if (i < count)
		tn_doctor_say(doctor, TN_HEALTH_OK, "studio engine", NULL, "%.*s (%.200s)",
			      (int)(said.size < 100 ? said.size : 100), said.data, names[i]);
	else if (count == 1)
		tn_doctor_say(doctor, TN_HEALTH_WARN, "studio engine",
			      "correct studio.terraform.path, or leave it empty",
			      "%.200s does not answer as terraform or tofu do", set);
	else
		tn_doctor_say(doctor, TN_HEALTH_NOTE, "studio engine", NULL,
			      "neither terraform nor tofu is on PATH: studio draws, checks and "
			      "writes HCL, and runs nothing");
	tn_buf_finish(&out);
}

/* ---- systemd ---- */

static void check_systemd(struct tn_doctor *doctor)
{
	static const char *const argv[] = {"systemctl",     "--user",         "is-active",
					   "tenond.socket", "tenond.service", NULL};
	struct tenon_error err = {0};
	struct tn_str state;
	struct tn_buf said;
	int exit = 0;

	tn_buf_init(&said, 4096);
	if (tn_probe_run(argv, PROBE_MS, &said, &exit, &err) != TENON_OK) {
		tn_doctor_say(doctor, TN_HEALTH_NOTE, "systemd", NULL, "%s", err.message);
	} else {
		state = tn_str_trim(tn_buf_str(&said));
		for (size_t i = 0; i < said.size; i++)
			said.data[i] = said.data[i] == '\n' ? ',' : said.data[i];
		tn_doctor_say(doctor, TN_HEALTH_NOTE, "systemd", NULL,
			      state.size ? "tenond.socket, tenond.service: %.*s"
					 : "no manager of user services runs here%.*s",
			      (int)state.size, state.data);
	}
	tn_buf_finish(&said);
}

/* ---- processes ---- */

static bool is_tenond(const char *pid, long long *ret_pid)
{
	char path[300], name[32] = "";
	struct stat status;
	FILE *file;
	bool is;

	for (const char *c = pid; *c; c++) {
		if (*c < '0' || *c > '9')
			return false;
	}
	/* The folder is the user's, also of one whose files are not (privacy.h). */
	(void)snprintf(path, sizeof(path), "/proc/%.16s", pid);
	if (stat(path, &status) != 0 || status.st_uid != geteuid())
		return false;
	(void)snprintf(path, sizeof(path), "/proc/%.16s/comm", pid);
	file = fopen(path, "re");
	if (!file)
		return false;
	is = fgets(name, sizeof(name), file) && strcmp(name, "tenond\n") == 0;
	(void)fclose(file);
	*ret_pid = 0;
	for (const char *c = pid; *c; c++)
		*ret_pid = *ret_pid * 10 + (*c - '0');
	return is;
}

/* Whatever is called tenond and is neither the daemon nor we: `tenon serve` in some host, a daemon
 * with another runtime folder, or one that has lost its lock. It is told and never touched. */
static void check_processes(struct tn_doctor *doctor)
{
	const struct dirent *entry;
	DIR *processes = opendir("/proc");
	struct tn_buf list;
	unsigned count = 0;
	long long pid = 0;

	tn_buf_init(&list, TN_DOCTOR_TEXT_SIZE);
	while (processes && (entry = readdir(processes)) != NULL) {
		if (!is_tenond(entry->d_name, &pid) || pid == getpid() ||
		    (doctor->is_running && pid == doctor->found.pid))
			continue;
		if (count++ < PROCESSES_TOLD_MAX)
			tn_buf_format(&list, "%s%lld", count == 1 ? "" : ", ", pid);
	}
	if (processes)
		(void)closedir(processes); /* only read */
	if (count)
		tn_doctor_say(doctor, TN_HEALTH_NOTE, "processes", NULL,
			      "%u more of ours called tenond: %.*s%s", count, (int)list.size,
			      list.data, count > PROCESSES_TOLD_MAX ? ", ..." : "");
	else
		tn_doctor_say(doctor, TN_HEALTH_OK, "processes", NULL, "no other tenond");
	tn_buf_finish(&list);
}

void tn_doctor_check_around(struct tn_doctor *doctor)
{
	check_programs(doctor);
	check_engine(doctor);
	check_systemd(doctor);
	check_processes(doctor);
}
