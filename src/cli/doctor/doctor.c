/* tenon doctor: looks at everything that can be wrong on this machine, and says what to do. */
#include "cli/doctor/doctor.h"

#include "base/size.h"
#include "client/limits.h"
#include "host/settings/config.h"

/* That settings are wrong is said elsewhere; what depends on them is not looked at then. */
static void check_by_settings(struct tn_doctor *doctor)
{
	struct tn_config *settings = NULL;

	if (tn_config_read(NULL, NULL, &settings, NULL) == TENON_OK) {
		doctor->views = tn_config_views(settings);
		tn_doctor_check_terminal(doctor);
	}
	tn_doctor_check_around(doctor);
	tn_doctor_check_hosts(doctor);
	tn_config_free(settings);
	doctor->views = NULL;
}

int tn_cli_doctor(int argc, char **argv)
{
	struct tn_doctor doctor = {.cli = {.verb = "doctor"}};
	const char *words[1];
	bool repair = false;
	const struct tn_option table[] = {
		{.name = "repair",
		 .kind = TN_OPTION_FLAG,
		 .value = &repair,
		 .help = "mend damaged journals below FOLDER (the state folder); copies are kept"},
		{.name = "json",
		 .kind = TN_OPTION_FLAG,
		 .value = &doctor.cli.json,
		 .help = "one line of JSON: result, checks, and the report"},
	};
	const struct tn_options options = {
		.usage = "tenon doctor [--repair [FOLDER]] [--json]",
		.summary = "Checks folders, settings, the daemon and everything around it, says "
			   "what to do about\nwhat is wrong, and ends with a block to paste into a "
			   "bug report. Changes nothing and starts\nno daemon; with --repair it "
			   "does nothing but mend. Exit 5 when a check "
			   "failed.\n\n"
			   "Example: tenon doctor --json",
		.options = table,
		.option_count = TN_COUNT(table),
		.words = words,
		.word_max = 1};
	struct tn_buf out;
	size_t count = 0;
	int exit = TN_EXIT_OK;

	if (!tn_cli_begin(&doctor.cli, &options, argc, argv, &count, &exit))
		return exit;
	if (repair)
		return tn_doctor_repair(&doctor.cli, count ? words[0] : NULL);
	if (count)
		return tn_cli_usage(&doctor.cli, "a folder is for --repair");
	tn_arena_init(&doctor.arena, TN_CLIENT_ARENA_MAX);
	tn_doctor_check_files(&doctor);
	tn_doctor_check_daemon(&doctor);
	check_by_settings(&doctor);
	tn_buf_init(&out, 4 * TN_MIB);
	if (doctor.cli.json)
		tn_doctor_put_json(&doctor, &out);
	else
		tn_doctor_put_for_people(&doctor, &out);
	exit = tn_cli_write(&doctor.cli, &out,
			    tn_doctor_worst(&doctor) == TN_HEALTH_FAIL ? TN_EXIT_TOOL : TN_EXIT_OK);
	tn_buf_finish(&out);
	tn_arena_finish(&doctor.arena);
	return exit;
}
