/* What tenon doctor has found, for people, for programs and for a bug report. */
#include "cli/doctor/doctor.h"

#include <pwd.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "jsonrpc/json_write.h"

static const char *const health_names[] = {"ok", "note", "warn", "fail"};

void tn_doctor_say(struct tn_doctor *doctor, enum tn_health health, const char *name,
		   const char *remedy, const char *format, ...)
{
	struct tn_doctor_check *check;
	va_list args;

	if (doctor->count == TN_DOCTOR_CHECKS_MAX)
		return;
	check = &doctor->checks[doctor->count++];
	check->health = health;
	check->name = name;
	check->remedy = remedy;
	va_start(args, format);
	(void)vsnprintf(check->message, sizeof(check->message), format, args); /* cut is fine */
	va_end(args);
}

enum tn_health tn_doctor_worst(const struct tn_doctor *doctor)
{
	enum tn_health worst_one = TN_HEALTH_OK;

	for (size_t i = 0; i < doctor->count; i++) {
		if (doctor->checks[i].health > worst_one)
			worst_one = doctor->checks[i].health;
	}
	return worst_one;
}

static void replace_all(struct tn_buf *text, struct tn_str what, const char *by)
{
	struct tn_str rest = tn_buf_str(text);
	struct tn_buf out;
	size_t at;

	if (what.size < 2)
		return;
	tn_buf_init(&out, text->limit);
	while ((at = tn_str_find(rest, what)) != TN_STR_NONE) {
		tn_buf_append(&out, rest.data, at);
		tn_buf_append_text(&out, by);
		rest = tn_str_from_offset(rest, at + what.size);
	}
	tn_buf_append_str(&out, rest);
	tn_buf_finish(text);
	*text = out;
}

/* What goes into a public bug report: no token, home folder, user's or machine's name. */
static void hide_private(const struct tn_doctor *doctor, struct tn_buf *text)
{
	const struct passwd *user = getpwuid(geteuid());
	const char *home = getenv("HOME");
	struct utsname machine;

	replace_all(text, tn_str_from(doctor->found.token), "<TOKEN>");
	if (home && strcmp(home, "/") != 0)
		replace_all(text, tn_str_from(home), "~");
	/* "root" is everybody's name, and part of other words. */
	if (user && geteuid() != 0)
		replace_all(text, tn_str_from(user->pw_name), "<USER>");
	if (uname(&machine) == 0 && strcmp(machine.nodename, "localhost") != 0)
		replace_all(text, tn_str_from(machine.nodename), "<HOST>");
}

static void put_report(const struct tn_doctor *doctor, struct tn_buf *out)
{
	struct utsname machine;

	tn_buf_format(out, "tenon %s\n", TENON_VERSION);
	if (uname(&machine) == 0)
		tn_buf_format(out, "%s %s %s\n", machine.sysname, machine.release, machine.machine);
	for (size_t i = 0; i < doctor->count; i++)
		tn_buf_format(out, "%-5s %s: %s\n", health_names[doctor->checks[i].health],
			      doctor->checks[i].name, doctor->checks[i].message);
	hide_private(doctor, out);
}

void tn_doctor_put_for_people(const struct tn_doctor *doctor, struct tn_buf *out)
{
	struct tn_buf report;

	for (size_t i = 0; i < doctor->count; i++) {
		const struct tn_doctor_check *check = &doctor->checks[i];

		tn_buf_format(out, "%-5s %-16s %s\n", health_names[check->health], check->name,
			      check->message);
		if (check->remedy && check->health >= TN_HEALTH_WARN)
			tn_buf_format(out, "%*s-> %s\n", 23, "", check->remedy);
	}
	tn_buf_init(&report, TN_MIB);
	put_report(doctor, &report);
	tn_buf_append_text(out, "\nFor a bug report:\n\n```\n");
	tn_buf_append_str(out, tn_buf_str(&report));
	tn_buf_append_text(out, "```\n");
	tn_buf_finish(&report);
}

void tn_doctor_put_json(const struct tn_doctor *doctor, struct tn_buf *out)
{
	struct tn_buf report;

	tn_json_begin_object(out);
	tn_json_put_member_text(out, "result", health_names[tn_doctor_worst(doctor)]);
	tn_json_put_key(out, "checks");
	tn_json_begin_array(out);
	for (size_t i = 0; i < doctor->count; i++) {
		const struct tn_doctor_check *check = &doctor->checks[i];

		tn_json_begin_object(out);
		tn_json_put_member_text(out, "name", check->name);
		tn_json_put_member_text(out, "state", health_names[check->health]);
		tn_json_put_member_text(out, "message", check->message);
		tn_json_put_member_text(out, "remedy",
					check->health >= TN_HEALTH_WARN ? check->remedy : NULL);
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
	tn_buf_init(&report, TN_MIB);
	put_report(doctor, &report);
	tn_json_put_member_str(out, "report", tn_buf_str(&report));
	tn_buf_finish(&report);
	tn_json_end_object(out);
	tn_buf_append_byte(out, '\n');
}
