/* doctor.h - what tenon doctor has found out, and the checks that find it.
 *
 * A check looks and says; it changes nothing, starts nothing and ends nothing. Only
 * tn_doctor_repair changes files. Threads: main. */
#ifndef TN_CLI_DOCTOR_H
#define TN_CLI_DOCTOR_H

#include "base/settings.h"
#include "cli/shared/connect.h"
#include "jsonrpc/json.h"

enum tn_health { TN_HEALTH_OK, TN_HEALTH_NOTE, TN_HEALTH_WARN, TN_HEALTH_FAIL };

enum { TN_DOCTOR_CHECKS_MAX = 64, TN_DOCTOR_TEXT_SIZE = 400 };

struct tn_doctor_check {
	enum tn_health health;
	const char *name;                  /* "discovery file": static */
	char message[TN_DOCTOR_TEXT_SIZE]; /* what was found */
	const char *remedy;                /* what to do about it: static, or NULL */
};

struct tn_doctor {
	struct tn_cli cli;
	struct tn_doctor_check checks[TN_DOCTOR_CHECKS_MAX];
	size_t count;
	/* What one check finds and the next ones use. */
	struct tn_runtime_paths paths;
	struct tn_discovery found;
	bool has_paths, is_running, is_off; /* off: mcp.enabled is false */
	struct tn_arena arena;
	const struct tn_json *status;    /* tenon://status, or NULL */
	const struct tn_settings *views; /* of the settings, as the daemon would read them */
};

/* ---- what was found (doctor_report.c) ---- */

void tn_doctor_say(struct tn_doctor *doctor, enum tn_health health, const char *name,
		   const char *remedy, const char *format, ...) TN_PRINTF(5, 6);
enum tn_health tn_doctor_worst(const struct tn_doctor *doctor);
/* With a block for a bug report: no token, home folder, user's or machine's name. */
void tn_doctor_put_for_people(const struct tn_doctor *doctor, struct tn_buf *out);
void tn_doctor_put_json(const struct tn_doctor *doctor, struct tn_buf *out); /* one line */

/* ---- the checks, one file each ---- */

void tn_doctor_check_files(struct tn_doctor *doctor);    /* folders, modes, settings, disk */
void tn_doctor_check_daemon(struct tn_doctor *doctor);   /* does it answer, on every way in */
void tn_doctor_check_around(struct tn_doctor *doctor);   /* programs, systemd, processes */
void tn_doctor_check_hosts(struct tn_doctor *doctor);    /* AI hosts and their entries */
void tn_doctor_check_terminal(struct tn_doctor *doctor); /* shells, sandbox, roots, history */

/* Journals with a bad line below `folder` (NULL: the state folder) keep the changes before it, and
 * a copy of the whole file. The exit code. */
int tn_doctor_repair(const struct tn_cli *cli, const char *folder);

#endif
