/* doctor.h - what tenon doctor has found out, and the checks that find it.
 *
 * A check looks and says; it changes nothing, starts nothing and ends nothing. Threads: main. */
#ifndef TN_CLI_DOCTOR_H
#define TN_CLI_DOCTOR_H

#include "cli/connect.h"
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
	const struct tn_json *status; /* tenon://status, or NULL */
};

void tn_doctor_say(struct tn_doctor *doctor, enum tn_health health, const char *name,
		   const char *remedy, const char *format, ...) TN_PRINTF(5, 6);

void tn_doctor_check_files(struct tn_doctor *doctor);    /* folders, modes, settings, disk */
void tn_doctor_check_daemon(struct tn_doctor *doctor);   /* does it answer, on every way in */
void tn_doctor_check_around(struct tn_doctor *doctor);   /* programs, hosts, systemd, processes */
void tn_doctor_check_terminal(struct tn_doctor *doctor); /* shells, sandbox, roots, history */

#endif
