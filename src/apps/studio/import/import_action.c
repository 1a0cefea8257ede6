/* import_action.c - import_terraform: the files a path names, taken into the diagram (studio.md
 * 18).
 *
 * Nothing outside the allowed roots is read (ST-142), links in a folder are not followed, and what
 * is read is parsed only: nothing of it is run. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "apps/studio/edit/action.h"
#include "apps/studio/import/import_action.h"
#include "apps/studio/import/import.h"
#include "apps/studio/limits.h"
#include "base/utf8.h"
#include "jsonrpc/json_write.h"
#include "store/file.h"

struct found { /* files of a folder, in the order in which the engine reads them */
	struct tn_arena *arena;
	struct tn_studio_fault *fault;
	struct tn_studio_import_file files[TN_STUDIO_IMPORT_FILES_MAX];
	size_t count, bytes;
	struct tn_buf skipped; /* names that are not read, a JSON array without brackets */
};

static bool ends(const char *name, const char *suffix)
{
	return tn_str_ends(tn_str_from(name), tn_str_from(suffix));
}

static bool is_read(const char *name)
{
	return ends(name, ".tf") || ends(name, ".auto.tfvars") ||
	       tn_str_is(tn_str_from(name), "terraform.tfvars");
}

/* Values later in the order win: terraform.tfvars, then the others by name. */
static int compare_files(const void *a, const void *b)
{
	const struct tn_studio_import_file *one = a, *other = b;
	bool first = tn_str_is(one->name, "terraform.tfvars");
	bool second = tn_str_is(other->name, "terraform.tfvars");

	if (first != second)
		return first ? -1 : 1;
	return tn_str_compare(one->name, other->name);
}

static bool fail_read(struct found *found, const char *name, const struct tenon_error *err)
{
	return tn_studio_fail(found->fault,
			      err->code == TENON_LIMIT ? "LIMIT_EXCEEDED" : "IO_ERROR",
			      "'%s' cannot be read: %s", name, err->message);
}

/* `fd` is closed here. */
static bool read_one(struct found *found, int fd, const char *name)
{
	struct tenon_error err;
	struct tn_buf text;
	char *kept, *kept_name;
	bool good;

	if (found->count == TN_STUDIO_IMPORT_FILES_MAX) {
		(void)close(fd); /* nothing was read */
		return tn_studio_fail(found->fault, "LIMIT_EXCEEDED",
				      "there are more than %d files", TN_STUDIO_IMPORT_FILES_MAX);
	}
	tn_buf_init(&text, TN_STUDIO_FILE_BYTES_MAX);
	good = tn_buf_read_all(&text, fd, &err) == TENON_OK;
	(void)close(fd); /* only read from */
	if (!good)
		(void)fail_read(found, name, &err);
	found->bytes += text.size;
	if (good && found->bytes > TN_STUDIO_IMPORT_BYTES_MAX)
		good = tn_studio_fail(found->fault, "LIMIT_EXCEEDED",
				      "the files have more than %zu MiB in all",
				      (size_t)TN_STUDIO_IMPORT_BYTES_MAX / TN_MIB);
	if (good) {
		kept = tn_arena_copy(found->arena, tn_buf_str(&text));
		kept_name = tn_arena_copy(found->arena, tn_str_from(name));
		good = kept && kept_name ? true : tn_studio_fail_memory(found->fault);
		if (good)
			found->files[found->count++] = (struct tn_studio_import_file){
				tn_str_from(kept_name), tn_str(kept, text.size)};
	}
	tn_buf_finish(&text);
	return good;
}

/* `fd` is closed here. */
static bool read_folder(struct found *found, int fd)
{
	DIR *folder = fdopendir(fd);
	struct tenon_error err;
	struct dirent *entry;
	bool good = true;
	int file = -1;

	if (!folder) {
		(void)close(fd); /* only read from */
		return tn_studio_fail(found->fault, "IO_ERROR", "the folder cannot be read");
	}
	while (good && (entry = readdir(folder)) != NULL) {
		const char *name = entry->d_name;

		if (!is_read(name)) {
			if (ends(name, ".tf.json") || ends(name, ".tfvars"))
				tn_json_put_text(&found->skipped, name);
			continue;
		}
		good = tn_file_open_at(dirfd(folder), name,
				       TN_FILE_NO_FOLLOW | TN_FILE_REGULAR_ONLY, &file,
				       &err) == TENON_OK
			       ? read_one(found, file, name)
			       : fail_read(found, name, &err);
	}
	(void)closedir(folder); /* it was only read */
	qsort(found->files, found->count, sizeof(*found->files), compare_files);
	return good;
}

static bool read_place(struct found *found, const struct tn_place *place, const char *path,
		       bool config)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	struct tenon_error err;
	int fd = -1;

	if (!place->exists)
		return tn_studio_fail(found->fault, "NOT_FOUND", "there is no '%.200s'", path);
	if (tn_place_is_folder(place) && !config)
		return tn_studio_fail(found->fault, "INVALID_INPUT",
				      "a state or a plan is a file: what `terraform show -json` "
				      "prints");
	if (tn_place_is_folder(place))
		return tn_place_folder(place, &fd, &err) == TENON_OK ? read_folder(found, fd)
								     : fail_read(found, path, &err);
	return tn_place_open(place, &fd, &err) == TENON_OK ? read_one(found, fd, name)
							   : fail_read(found, name, &err);
}

static bool read_path(struct found *found, const struct tn_studio_edit *edit, const char *asked,
		      bool config)
{
	const struct tn_studio_project *project = edit->project;
	char whole[PATH_MAX];
	const char *path = tn_place_from(tn_studio_projects_roots(project->projects), edit->folder,
					 asked, whole);
	struct tn_place place;
	bool good;

	if (!tn_studio_path_find(project->projects, path, &place, found->fault))
		return false;
	good = read_place(found, &place, path, config);
	tn_place_close(&place);
	if (good && found->count == 0)
		return tn_studio_fail(found->fault, "NOT_FOUND",
				      "'%.200s' has no .tf file; .tf.json files are not read",
				      path);
	return good;
}

/* ---- files that the call brings (SC-026) ---- */

/* As names of project files are: one below the folder, nothing hidden, no way out. */
static bool is_name(struct tn_str name)
{
	if (name.size == 0 || name.size > 255 || name.data[0] == '.')
		return false;
	for (size_t i = 0; i < name.size; i++) {
		unsigned char byte = (unsigned char)name.data[i];

		if (byte < 0x20 || byte == 0x7F || strchr("/\\:*?\"<>|", byte))
			return false;
	}
	return true;
}

static bool take_text(struct found *found, const struct tn_json *file, bool config)
{
	struct tn_str text;
	const char *name;

	if (!is_name(file->key))
		return tn_studio_fail(found->fault, "INVALID_INPUT",
				      "files: '%.*s' is no name of a file: send one without "
				      "folders, such as main.tf",
				      (int)(file->key.size < 80 ? file->key.size : 80),
				      file->key.data);
	if (!tn_json_to_str(file, &text))
		return tn_studio_fail(found->fault, "INVALID_INPUT", "files: send texts");
	found->bytes += text.size;
	if (found->bytes > TN_STUDIO_IMPORT_TEXTS_MAX)
		return tn_studio_fail(found->fault, "LIMIT_EXCEEDED",
				      "files: more than %zu MiB in all; put them into a folder and "
				      "send its path",
				      (size_t)TN_STUDIO_IMPORT_TEXTS_MAX / TN_MIB);
	name = tn_arena_copy(found->arena, file->key);
	if (!name)
		return tn_studio_fail_memory(found->fault);
	if (config && !is_read(name)) {
		tn_json_put_text(&found->skipped, name);
		return true;
	}
	if (found->count == TN_STUDIO_IMPORT_FILES_MAX)
		return tn_studio_fail(found->fault, "LIMIT_EXCEEDED", "files: more than %d",
				      TN_STUDIO_IMPORT_FILES_MAX);
	found->files[found->count++] =
		(struct tn_studio_import_file){tn_str(name, file->key.size), text};
	return true;
}

static bool read_texts(struct found *found, const struct tn_json *files, bool config)
{
	for (const struct tn_json *file = files->first; file; file = file->next) {
		if (!take_text(found, file, config))
			return false;
	}
	if (found->count == 0)
		return tn_studio_fail(found->fault, "NOT_FOUND",
				      "files: there is no .tf file; .tf.json files are not read");
	qsort(found->files, found->count, sizeof(*found->files), compare_files);
	return true;
}

static bool read_any(struct found *found, const struct tn_studio_edit *edit,
		     const struct tn_json *arguments, bool config)
{
	const struct tn_json *files = tn_json_get(arguments, "files");
	struct tn_str path = {NULL, 0};
	char *path_text;

	(void)tn_json_to_str(tn_json_get(arguments, "path"), &path);
	if ((path.size > 0) == (files != NULL))
		return tn_studio_fail(found->fault, "INVALID_INPUT",
				      "send either path, or files with their texts");
	if (files)
		return read_texts(found, files, config);
	path_text = tn_arena_copy(found->arena, path);
	return path_text ? read_path(found, edit, path_text, config)
			 : tn_studio_fail_memory(found->fault);
}

/* ---- the action ---- */

static enum tn_studio_import_source source_of(struct tn_str text)
{
	if (tn_str_is(text, "state"))
		return TN_STUDIO_FROM_STATE;
	return tn_str_is(text, "plan") ? TN_STUDIO_FROM_PLAN : TN_STUDIO_FROM_CONFIG;
}

static unsigned count_kept(const struct tn_json *foreign)
{
	unsigned count = 0;

	for (const struct tn_json *at = foreign->first; at; at = at->next)
		count += tn_json_is(tn_json_get(at, "kept"), TN_JSON_TRUE);
	return count;
}

/* What could not be read comes first to mind when something is missing. */
static void put_faults(struct tn_buf *text, const struct tn_json *faults)
{
	struct tn_str file, message;
	int64_t line = 0;

	if (!faults->first || !tn_json_to_str(tn_json_get(faults->first, "file"), &file) ||
	    !tn_json_to_str(tn_json_get(faults->first, "message"), &message))
		return;
	(void)tn_json_to_int(tn_json_get(faults->first, "line"), &line);
	tn_buf_append_text(text, " Not all could be read: ");
	tn_buf_append_count(text, faults->count, "fault");
	tn_buf_append_text(text, ", the first in ");
	tn_utf8_put_line(text, file);
	tn_buf_format(text, ", line %lld: ", (long long)line);
	tn_utf8_put_line(text, message);
	tn_buf_append_byte(text, '.');
}

static void put_summary(struct tn_buf *text, const struct tn_json *answer)
{
	const struct tn_json *foreign = tn_json_get(answer, "foreign");
	unsigned mapped = tn_json_get(answer, "mapped")->count, kept = count_kept(foreign);
	int64_t differences = 0;

	(void)tn_json_to_int(tn_json_get(answer, "differenceCount"), &differences);
	tn_buf_append_count(text, mapped, "resource");
	tn_buf_format(text, " %s mapped, %u in part, ", mapped == 1 ? "is" : "are",
		      tn_json_get(answer, "partial")->count);
	tn_buf_append_count(text, kept, "block");
	tn_buf_format(text, " %s as text (foreign.tf)", kept == 1 ? "stays" : "stay");
	if (foreign->count > kept) {
		tn_buf_append_text(text, ", ");
		tn_buf_append_count(text, foreign->count - kept, "block");
		tn_buf_format(text, " %s left out", foreign->count - kept == 1 ? "is" : "are");
	}
	tn_buf_append_byte(text, '.');
	put_faults(text, tn_json_get(answer, "faults"));
	tn_buf_append_text(text, " Generated again and compared: ");
	tn_buf_append_count(text, (unsigned long long)differences, "difference");
	tn_buf_append_byte(text, '.');
}

static void put_text(struct tn_studio_act *act, struct tn_buf *result, size_t start)
{
	struct tn_json *answer;
	struct tn_buf copy;

	tn_buf_init(&copy, TN_STUDIO_RESULT_BYTES_MAX + 2);
	tn_buf_append_byte(&copy, '{');
	if (result->data[start] == ',')
		start++;
	tn_buf_append(&copy, result->data + start, result->size - start);
	tn_buf_append_byte(&copy, '}');
	if (!copy.failed &&
	    tn_json_parse_copy(act->arena, tn_buf_str(&copy), &answer, NULL) == TENON_OK) {
		put_summary(act->text, answer);
		act->headline = true; /* which they are, and why, is in the lists */
	}
	tn_buf_finish(&copy);
}

bool tn_studio_act_import(struct tn_studio_act *act, const struct tn_json *arguments,
			  struct tn_buf *result)
{
	struct tn_studio_import_options options = {0};
	struct found *found = tn_arena_alloc(act->arena, sizeof(*found));
	struct tn_str source = TN_STR("config");
	size_t steps = tn_oplog_steps(act->edit->log), start = result->size;
	bool good;

	(void)tn_json_to_str(tn_json_get(arguments, "source"), &source);
	(void)tn_json_to_str(tn_json_get(arguments, "into"), &options.into);
	(void)tn_json_to_bool(tn_json_get(arguments, "dryRun"), &options.dry_run);
	options.layout = tn_json_get(arguments, "layout");
	if (!found)
		return tn_studio_fail_memory(act->fault);
	found->arena = act->arena;
	found->fault = act->fault;
	tn_buf_init(&found->skipped, TN_STUDIO_RESULT_BYTES_MAX);
	options.source = source_of(source);
	good = read_any(found, act->edit, arguments, options.source == TN_STUDIO_FROM_CONFIG);
	options.files = found->files;
	options.file_count = found->count;
	good = good && tn_studio_import(act->edit, &options, result);
	if (good) {
		tn_json_put_key(result, "skippedFiles");
		tn_json_begin_array(result);
		if (found->skipped.size > 0)
			tn_json_put_raw(result, tn_buf_str(&found->skipped));
		tn_json_end_array(result);
		tn_json_put_member_bool(result, "dryRun", options.dry_run);
		put_text(act, result, start);
	}
	tn_buf_finish(&found->skipped);
	if (options.dry_run)
		tn_oplog_back_to(act->edit->log, steps);
	return good;
}
