#include "apps/workbench/launch/prepare.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "loop/program_find.h"
#include "store/file.h"

/* T21: what is started belongs to the folder that is trusted, wherever a link in it leads. */
static const char *find_directory(struct tn_wb_prepare *prepare, struct tenon_error *err)
{
	size_t size = strlen(prepare->root);
	struct stat status;
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "%s/%s", prepare->root, prepare->folder) >=
		    (int)sizeof(path) ||
	    !realpath(path, prepare->directory) || stat(prepare->directory, &status) != 0 ||
	    !S_ISDIR(status.st_mode)) {
		(void)tn_fail(
			err, TENON_NOT_FOUND,
			"the folder %.100s (preview.root, or the launcher's cwd) is not there",
			prepare->folder);
		return "folder_missing";
	}
	if (size > 1 && (strncmp(prepare->directory, prepare->root, size) != 0 ||
			 (prepare->directory[size] != '/' && prepare->directory[size]))) {
		(void)tn_fail(err, TENON_DENIED,
			      "the folder %.100s lies outside the workspace; name one inside it",
			      prepare->folder);
		return "path_escapes_workspace";
	}
	return NULL;
}

static const char *find_node(struct tn_wb_prepare *prepare, struct tenon_error *err)
{
	struct stat status;

	if (!prepare->needs_node ||
	    tn_program_find("node", prepare->node, sizeof(prepare->node), &status))
		return NULL;
	(void)tn_fail(
		err, TENON_NOT_FOUND,
		"Node was not found on the daemon's PATH. Install Node 20.19 or newer; if it is "
		"installed, restart the daemon where `node` works: "
		"tenon down, then tenon up");
	return "NODE_MISSING";
}

/* ---- our files ---- */

static bool is_written(const char *path, struct tn_str text)
{
	struct tn_buf found;
	bool same;

	tn_buf_init(&found, text.size + 1);
	same = tn_file_read(path, TN_FILE_NO_FOLLOW | TN_FILE_REGULAR_ONLY, &found, NULL) ==
		       TENON_OK &&
	       tn_str_equal(tn_buf_str(&found), text);
	tn_buf_finish(&found);
	return same;
}

static enum tenon_code find_folder(struct tn_wb_prepare *prepare, char *out, size_t size,
				   struct tenon_error *err)
{
	enum tenon_code code;

	if (prepare->runtime_folder) {
		(void)snprintf(out, size, "%s/workbench", prepare->runtime_folder);
		return tn_dir_create(out, 0700, err);
	}
	tn_wb_scratch_sweep();
	code = tn_wb_scratch_make("workbench", prepare->made, err);
	(void)snprintf(out, size, "%s", prepare->made);
	return code;
}

static enum tenon_code write_files(struct tn_wb_prepare *prepare, struct tenon_error *err)
{
	char folder[PATH_MAX - 256];
	enum tenon_code code;

	if (!prepare->files[0].name)
		return TENON_OK;
	if (!prepare->files[0].text.size)
		return tn_fail(err, TENON_NOT_FOUND, "this build has no programs for Node");
	code = find_folder(prepare, folder, sizeof(folder), err);
	for (int i = 0; code == TENON_OK && i < TN_WB_PREPARE_FILES && prepare->files[i].name;
	     i++) {
		const struct tn_wb_prepare_file *file = &prepare->files[i];

		(void)snprintf(prepare->paths[i], PATH_MAX, "%s/%.200s", folder, file->name);
		if (!is_written(prepare->paths[i], file->text))
			code = tn_file_write(prepare->paths[i], 0600, file->text, err);
	}
	return code;
}

const char *tn_wb_prepare(struct tn_wb_prepare *prepare, struct tenon_error *err)
{
	const char *code = find_directory(prepare, err);

	if (!code)
		code = find_node(prepare, err);
	if (!code && write_files(prepare, err) != TENON_OK)
		code = "launch_failed";
	return code;
}
