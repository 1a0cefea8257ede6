/* tenon doctor --repair: journals of documents that have a bad line keep what stands before it. */
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "cli/doctor/doctor.h"
#include "client/limits.h"
#include "store/file.h"
#include "store/oplog_salvage.h"

/* Deeper folders and more entries are not ours. */
enum { DEPTH_MAX = 8, ENTRIES_MAX = 100000 };

struct repair {
	const struct tn_cli *cli;
	struct tn_buf out;
	char stamp[TN_CLOCK_ISO_SIZE];
	unsigned entries, journals, repaired, failed;
};

/* The journal's name becomes the log's. */
static bool cut_ending(char *path)
{
	static const char ending[] = ".journal";
	size_t size = strlen(path), ending_size = sizeof(ending) - 1;

	if (size <= ending_size || strcmp(path + size - ending_size, ending) != 0)
		return false;
	path[size - ending_size] = '\0';
	return true;
}

static void repair_one(struct repair *repair, const char *path)
{
	struct tn_oplog_salvage found;
	struct tenon_error err = {0};
	enum tenon_code code = tn_oplog_salvage_look(path, &found, &err);

	repair->journals++;
	if (code == TENON_OK && !found.is_damaged)
		return;
	if (code == TENON_OK)
		code = tn_oplog_salvage_repair(path, repair->stamp, &found, &err);
	if (code != TENON_OK) {
		repair->failed++;
		tn_buf_format(&repair->out, "fail  %s: %s\n", path, err.message);
		return;
	}
	repair->repaired++;
	tn_buf_format(&repair->out,
		      "mended %s: %zu changes are kept, %zu lines from the damaged one on are not; "
		      "all of them stand in %s\n",
		      path, found.good_lines, found.lost_lines, found.copy);
}

static void look_in(struct repair *repair, const char *folder, unsigned depth)
{
	DIR *dir = opendir(folder);

	for (struct dirent *entry; dir && (entry = readdir(dir));) {
		char path[PATH_MAX];
		struct stat status;

		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		if (++repair->entries > ENTRIES_MAX ||
		    snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name) >=
			    (int)sizeof(path) ||
		    lstat(path, &status) != 0)
			continue;
		if (S_ISDIR(status.st_mode) && depth < DEPTH_MAX)
			look_in(repair, path, depth + 1);
		else if (S_ISREG(status.st_mode) && cut_ending(path))
			repair_one(repair, path);
	}
	if (dir)
		(void)closedir(dir); /* only read from */
}

/* A name that files may have: 2026-11-22T101500.000Z. */
static void make_stamp(char stamp[TN_CLOCK_ISO_SIZE])
{
	char *to = stamp;

	tn_clock_format_iso(tn_clock_wall_ms(&tn_clock_system), stamp);
	for (const char *from = stamp; *from; from++)
		if (*from != ':')
			*to++ = *from;
	*to = '\0';
}

int tn_doctor_repair(const struct tn_cli *cli, const char *folder)
{
	struct repair repair = {.cli = cli};
	struct tenon_error err = {0};
	struct tn_buf state;
	int exit;

	tn_buf_init(&state, PATH_MAX);
	if (!folder && tn_dir_state(&state, false, &err) != TENON_OK) {
		tn_buf_finish(&state);
		return tn_cli_fail_error(cli, TN_EXIT_USAGE, NULL, &err);
	}
	tn_buf_append_byte(&state, '\0');
	tn_buf_init(&repair.out, TN_CLIENT_RESULT_MAX);
	make_stamp(repair.stamp);
	look_in(&repair, folder ? folder : state.data, 0);
	tn_buf_format(&repair.out, "%u journals looked at, %u mended, %u could not be.\n",
		      repair.journals, repair.repaired, repair.failed);
	exit = tn_cli_write(cli, &repair.out, repair.failed ? TN_EXIT_TOOL : TN_EXIT_OK);
	tn_buf_finish(&repair.out);
	tn_buf_finish(&state);
	return exit;
}
