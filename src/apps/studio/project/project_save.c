#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apps/studio/project/internal.h"
#include "apps/studio/limits.h"
#include "jsonrpc/json_write.h"
#include "store/file.h"

/* Saving is whole or not at all (ST-022). All files are written beside the old ones first
 * (.tenon/next-NAME) and synced; then .tenon/saving.json says what is about to be put in place,
 * from what to what. From here on only renames are left, the diagram last: a crash is finished at
 * the next opening, a failure is taken back. */
#define SAVING_FILE ".tenon/saving.json"

struct save {
	struct tn_studio_project *project;
	struct tn_studio_fault *fault;
	struct tn_studio_texts old;
	struct tn_buf made[TN_STUDIO_FILE_COUNT];
	bool renames;                       /* the name alone may be another one */
	bool wanted[TN_STUDIO_FILE_COUNT];  /* there is to be such a file */
	bool changes[TN_STUDIO_FILE_COUNT]; /* it is another one */
	struct tn_studio_saved saved;       /* what will be true afterwards */
};

/* ---- the texts ---- */

static void put_studio(const struct tn_studio_project *project, struct tn_buf *out)
{
	static const char *const ours[] = {"formatVersion", "id", "name", "created", "config"};
	const struct tn_json *head = project->own->head, *config = project->document.config;

	tn_json_begin_object(out);
	tn_json_put_member_int(out, "formatVersion", 1);
	tn_json_put_member_text(out, "id", project->id);
	tn_json_put_member_text(out, "name", project->name);
	if (tn_json_get(head, "created")) {
		tn_json_put_key(out, "created");
		tn_json_put_value(out, tn_json_get(head, "created"));
	}
	if (config || tn_json_get(head, "config")) {
		tn_json_put_key(out, "config");
		if (config)
			tn_json_put_value(out, config);
		else
			tn_json_put_raw(out, TN_STR("{}"));
	}
	for (const struct tn_json *at = head ? head->first : NULL; at; at = at->next) {
		bool known = false;

		for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++)
			known = known || tn_str_is(at->key, ours[i]);
		if (known)
			continue;
		tn_json_put_key_str(out, at->key);
		tn_json_put_value(out, at);
	}
	tn_json_end_object(out);
}

static void render_studio(const struct tn_studio_project *project, struct tn_buf *out)
{
	struct tn_arena arena;
	struct tn_json *value = NULL;
	struct tn_buf compact;

	tn_arena_init(&arena, TN_STUDIO_ARENA_MAX);
	tn_buf_init(&compact, TN_STUDIO_FILE_BYTES_MAX);
	put_studio(project, &compact);
	if (!compact.failed &&
	    tn_json_parse_copy(&arena, tn_buf_str(&compact), &value, NULL) == TENON_OK) {
		tn_studio_write_pretty(out, value, 0);
		tn_buf_append_byte(out, '\n');
	} else {
		out->failed = true;
	}
	tn_buf_finish(&compact);
	tn_arena_finish(&arena);
}

bool tn_studio_project_render(const struct tn_studio_project *project, int file, struct tn_buf *out)
{
	switch (file) {
	case TN_STUDIO_FILE_STUDIO:
		render_studio(project, out);
		return true;
	case TN_STUDIO_FILE_COST:
		tn_studio_document_write_cost(&project->document, out);
		return out->size > 0 || out->failed;
	default:
		tn_studio_document_write_diagram(&project->document,
						 tn_oplog_revision(project->log), out);
		return true;
	}
}

/* What says the same is left as it is, however it is laid out (ST-020). */
static bool says_the_same(const struct tn_studio_text *old, const struct tn_buf *made)
{
	struct tn_arena arena;
	struct tn_json *a = NULL, *b = NULL;
	bool same;

	tn_arena_init(&arena, TN_STUDIO_ARENA_MAX);
	same = tn_str_equal(tn_buf_str(&old->bytes), tn_buf_str(made)) ||
	       (tn_json_parse_copy(&arena, tn_buf_str(&old->bytes), &a, NULL) == TENON_OK &&
		tn_json_parse_copy(&arena, tn_buf_str(made), &b, NULL) == TENON_OK &&
		tn_json_equal(a, b));
	tn_arena_finish(&arena);
	return same;
}

static bool render_all(struct save *save)
{
	save->saved.revision = tn_oplog_revision(save->project->log);
	for (int i = 0; i < TN_STUDIO_FILE_COUNT; i++) {
		const struct tn_studio_text *old = &save->old.files[i];
		struct tn_buf *made = &save->made[i];

		save->wanted[i] = tn_studio_project_render(save->project, i, made);
		if (made->failed && made->starved)
			return tn_studio_fail_memory(save->fault);
		if (made->failed)
			return tn_studio_fail(
				save->fault, "LIMIT_EXCEEDED", "%s would be larger than %zu MiB",
				tn_studio_project_file_name(i), TN_STUDIO_FILE_BYTES_MAX / TN_MIB);
		if (save->wanted[i] != old->exists)
			save->changes[i] = true;
		else
			save->changes[i] = save->wanted[i] && !says_the_same(old, made);
		if (!save->wanted[i])
			save->saved.digests[i][0] = '\0';
		else if (save->changes[i])
			tn_digest_hex(tn_buf_str(made), save->saved.digests[i]);
		else
			memcpy(save->saved.digests[i], old->digest, TN_DIGEST_HEX_SIZE);
	}
	return true;
}

/* ---- the steps ---- */

static enum tenon_code find_file(const struct tn_studio_project *project, const char *folder,
				 int file, struct tn_place *ret, struct tenon_error *err)
{
	char name[64];

	(void)snprintf(name, sizeof(name), "%s%s", folder, tn_studio_project_file_name(file));
	return tn_studio_project_place(project, name, ret, err);
}

/* The mode a person gave the file stays; a new one gets what the umask leaves. */
static void keep_mode(const struct tn_place *old, const struct tn_place *next)
{
	int fd = -1;

	if (!old->exists || !S_ISREG(old->status.st_mode) ||
	    tn_file_open_at(next->folder, next->name, TN_FILE_NO_FOLLOW | TN_FILE_REGULAR_ONLY, &fd,
			    NULL) != TENON_OK)
		return;
	(void)fchmod(fd, old->status.st_mode & 0777); /* otherwise it has the usual one */
	(void)close(fd);                              /* already synced */
}

static bool stage(struct save *save, int file)
{
	struct tenon_error err = {0};
	struct tn_place next = {.folder = -1}, old = {.folder = -1};
	enum tenon_code code = find_file(save->project, ".tenon/next-", file, &next, &err);

	if (code == TENON_OK)
		code = tn_place_write(&next, 0666, tn_buf_str(&save->made[file]), &err);
	if (code == TENON_OK)
		code = find_file(save->project, "", file, &old, &err);
	if (code == TENON_OK)
		keep_mode(&old, &next);
	else
		(void)tn_studio_fail(save->fault, "IO_ERROR", "%s cannot be saved: %s",
				     tn_studio_project_file_name(file), err.message);
	tn_place_close(&next);
	tn_place_close(&old);
	return code == TENON_OK;
}

static void remove_file(const struct tn_studio_project *project, const char *name)
{
	struct tn_place place;
	struct tenon_error ignored;

	if (tn_studio_project_place(project, name, &place, NULL) != TENON_OK)
		return;
	(void)(tn_place_remove(&place, &ignored) == TENON_OK); /* most are not there */
	tn_place_close(&place);
}

static void unstage(const struct tn_studio_project *project)
{
	char name[64];

	for (int i = 0; i < TN_STUDIO_FILE_COUNT; i++) {
		(void)snprintf(name, sizeof(name), ".tenon/next-%s",
			       tn_studio_project_file_name(i));
		remove_file(project, name);
	}
	remove_file(project, SAVING_FILE); /* one that stays is found to be done */
}

/* "diagram.json":{"from":"...","to":"..."}; a member that is missing: no file. */
static bool announce(struct save *save)
{
	struct tn_buf text;
	bool done;

	tn_buf_init(&text, TN_MIB);
	tn_json_begin_object(&text);
	tn_json_put_member_int(&text, "revision", (int64_t)save->saved.revision);
	tn_json_put_key(&text, "files");
	tn_json_begin_object(&text);
	for (int i = 0; i < TN_STUDIO_FILE_COUNT; i++) {
		tn_json_put_key(&text, tn_studio_project_file_name(i));
		tn_json_begin_object(&text);
		if (save->old.files[i].exists)
			tn_json_put_member_text(&text, "from", save->old.files[i].digest);
		if (save->wanted[i])
			tn_json_put_member_text(&text, "to", save->saved.digests[i]);
		tn_json_end_object(&text);
	}
	tn_json_end_object(&text);
	tn_json_end_object(&text);
	tn_buf_append_byte(&text, '\n');
	done = text.failed ? tn_studio_fail_memory(save->fault)
			   : tn_studio_private_write(save->project, SAVING_FILE, tn_buf_str(&text),
						     save->fault);
	tn_buf_finish(&text);
	return done;
}

static enum tenon_code put_in_place(const struct tn_studio_project *project, int file, bool wanted,
				    struct tenon_error *err)
{
	struct tn_place next = {.folder = -1}, path = {.folder = -1};
	enum tenon_code code = find_file(project, ".tenon/next-", file, &next, err);

	if (code == TENON_OK)
		code = find_file(project, "", file, &path, err);
	if (code == TENON_OK && !wanted)
		code = tn_place_remove(&path, err);
	else if (code == TENON_OK && renameat(next.folder, next.name, path.folder, path.name) != 0)
		code = tn_fail_errno(err, errno, "rename file");
	tn_place_close(&next);
	tn_place_close(&path);
	return code;
}

static bool take_back(const struct save *save, int file)
{
	const struct tn_studio_text *old = &save->old.files[file];
	struct tenon_error ignored;
	struct tn_place path;
	enum tenon_code code;

	if (find_file(save->project, "", file, &path, NULL) != TENON_OK)
		return false;
	code = old->exists ? tn_place_write(&path, 0666, tn_buf_str(&old->bytes), &ignored)
			   : tn_place_remove(&path, &ignored);
	tn_place_close(&path);
	return code == TENON_OK;
}

static void sync_folder(const struct tn_studio_project *project)
{
	struct tn_place place;
	int fd = -1;

	if (tn_studio_project_place(project, ".", &place, NULL) != TENON_OK)
		return;
	if (tn_place_folder(&place, &fd, NULL) == TENON_OK) {
		(void)fsync(fd); /* what a power cut takes is finished from .tenon next time */
		(void)close(fd);
	}
	tn_place_close(&place);
}

static bool put_all_in_place(struct save *save)
{
	for (int i = 0; i < TN_STUDIO_FILE_COUNT; i++) {
		struct tenon_error err = {0};
		bool whole = true;

		if (!save->changes[i] ||
		    put_in_place(save->project, i, save->wanted[i], &err) == TENON_OK)
			continue;
		(void)tn_studio_fail(save->fault, "IO_ERROR", "%s cannot be put in its place: %s",
				     tn_studio_project_file_name(i), err.message);
		while (i-- > 0)
			whole = (!save->changes[i] || take_back(save, i)) && whole;
		save->project->own->unfinished = !whole;
		if (whole)
			unstage(save->project);
		return false;
	}
	sync_folder(save->project);
	return true;
}

/* ---- all of it ---- */

static bool fail_changed(const struct save *save)
{
	struct tn_studio_project *project = save->project;
	char names[128] = "";
	struct tn_buf details;

	tn_buf_init(&details, TN_MIB);
	tn_json_begin_object(&details);
	tn_json_put_key(&details, "files");
	tn_json_begin_array(&details);
	for (int i = 0; i < TN_STUDIO_FILE_COUNT; i++) {
		size_t used = strlen(names);

		if (strcmp(save->old.files[i].digest, project->own->saved.digests[i]) == 0)
			continue;
		(void)snprintf(names + used, sizeof(names) - used, "%s%s", used ? ", " : "",
			       tn_studio_project_file_name(i));
		tn_json_put_text(&details, tn_studio_project_file_name(i));
	}
	tn_json_end_array(&details);
	tn_studio_project_put_differences(project, &save->old, &details);
	tn_json_end_object(&details);
	(void)tn_studio_fail(
		save->fault, "DISK_CHANGED",
		"%s changed on disk since the last save. Save with force to overwrite, "
		"or with reload to take what is there and drop the unsaved changes.",
		names);
	if (save->fault && !details.failed)
		save->fault->details =
			tn_str_from(tn_arena_copy(project->own->scratch, tn_buf_str(&details)));
	tn_buf_finish(&details);
	project->disk_changed = true;
	return false;
}

static bool is_as_saved(const struct save *save)
{
	for (int i = 0; i < TN_STUDIO_FILE_COUNT; i++) {
		if (strcmp(save->old.files[i].digest, save->project->own->saved.digests[i]) != 0)
			return false;
	}
	return true;
}

static bool write_files(struct save *save)
{
	bool any = false;

	for (int i = 0; i < TN_STUDIO_FILE_COUNT; i++) {
		if (save->changes[i] && save->wanted[i] && !stage(save, i)) {
			unstage(save->project);
			return false;
		}
		any = any || save->changes[i];
	}
	if (any && !announce(save)) {
		unstage(save->project);
		return false;
	}
	if (any && !put_all_in_place(save))
		return false;
	/* Where this fails the announcement stays, and the next opening writes it. */
	if (tn_studio_saved_write(save->project, &save->saved, any ? NULL : save->fault))
		unstage(save->project);
	else if (!any)
		return false;
	return true;
}

static void note_saved(struct save *save)
{
	struct tn_studio_project *project = save->project;

	project->own->saved = save->saved;
	project->saved_revision = save->saved.revision;
	project->recovered = project->disk_changed = false;
	for (int i = 0; i < TN_STUDIO_FILE_COUNT; i++)
		project->own->marks[i] = tn_studio_mark_of(project, i);
}

static void put_files(const struct save *save, struct tn_buf *out)
{
	tn_json_begin_array(out);
	for (int i = 0; i < TN_STUDIO_FILE_COUNT; i++) {
		if (save->wanted[i])
			tn_json_put_text(out, tn_studio_project_file_name(i));
	}
	tn_json_end_array(out);
}

/* Deleted, or moved away (SC-240). */
static bool check_folder(const struct save *save)
{
	struct tn_place place;

	if (tn_studio_project_place(save->project, ".", &place, NULL) != TENON_OK)
		return tn_studio_fail(save->fault, "IO_ERROR",
				      "the project's folder is not there any more. Nothing is lost "
				      "while the project is open: save again when the folder is "
				      "back, or export it");
	tn_place_close(&place);
	return true;
}

static bool save_now(struct save *save, bool force, struct tn_buf *ret_files)
{
	struct tn_studio_project *project = save->project;
	struct tenon_error err = {0};
	bool unchanged;

	/* What could neither be done nor taken back: the disk was gone for a while. */
	if (project->own->unfinished) {
		if (!tn_studio_project_finish_save(project, save->fault))
			return false;
		project->own->unfinished = false;
		(void)tn_studio_saved_read(project, &project->own->saved);
		project->saved_revision = project->own->saved.revision;
	}
	/* The files must not be ahead of the log, whatever happens to the machine. */
	if (tn_oplog_sync(project->log, &err) != TENON_OK)
		return tn_studio_fail_error(save->fault, &err);
	if (!tn_studio_texts_read(project, &save->old, save->fault))
		return false;
	unchanged = is_as_saved(save);
	if (!unchanged && !check_folder(save))
		return false;
	if (!unchanged && !force)
		return fail_changed(save);
	if (!render_all(save))
		return false;
	if (!unchanged || save->renames || tn_studio_project_is_dirty(project)) {
		if (!write_files(save))
			return false;
		note_saved(save);
	}
	put_files(save, ret_files);
	return true;
}

static bool reload(struct tn_studio_project *project, struct tn_buf *ret_files,
		   struct tn_studio_fault *fault)
{
	struct tn_studio_texts texts;
	bool done;

	done = tn_studio_texts_read(project, &texts, fault) &&
	       tn_studio_project_take(project, &texts, "Take the files on disk", fault);
	tn_studio_texts_finish(&texts);
	if (done)
		tn_buf_append_text(ret_files, "[]");
	return done;
}

static bool save_all(struct save *save, bool force, struct tn_buf *ret_files)
{
	bool done;

	for (int i = 0; i < TN_STUDIO_FILE_COUNT; i++)
		tn_buf_init(&save->made[i], TN_STUDIO_FILE_BYTES_MAX);
	done = save_now(save, force, ret_files);
	for (int i = 0; i < TN_STUDIO_FILE_COUNT; i++)
		tn_buf_finish(&save->made[i]);
	tn_studio_texts_finish(&save->old);
	if (done)
		tn_studio_project_tell(save->project, "projects");
	return done;
}

bool tn_studio_project_save(struct tn_studio_project *project, bool force, bool reload_files,
			    struct tn_buf *ret_files, struct tn_studio_fault *fault)
{
	struct save save = {.project = project, .fault = fault};

	tn_arena_reset(&project->projects->scratch);
	if (force || !reload_files)
		return save_all(&save, force, ret_files);
	if (!reload(project, ret_files, fault))
		return false;
	tn_studio_project_tell(project, "projects");
	return true;
}

bool tn_studio_project_rename(struct tn_studio_project *project, const char *name, bool force,
			      struct tn_buf *ret_files, struct tn_studio_fault *fault)
{
	struct save save = {.project = project, .fault = fault, .renames = true};
	char before[sizeof(project->name)];

	tn_arena_reset(&project->projects->scratch);
	if (!tn_studio_name_check(name, fault))
		return false;
	(void)snprintf(before, sizeof(before), "%s", project->name);
	(void)snprintf(project->name, sizeof(project->name), "%s", name);
	if (save_all(&save, force, ret_files))
		return true;
	(void)snprintf(project->name, sizeof(project->name), "%s", before);
	return false;
}

/* ---- after a crash ---- */

/* What saving.json says of a file: whether it is in its place, can be put there, or is another one
 * than either. */
enum standing { IN_PLACE, STAGED, FOREIGN };

static const char *text_of(const struct tn_json *object, const char *key)
{
	struct tn_str text;

	return tn_json_to_str(tn_json_get(object, key), &text) ? text.data : "";
}

static enum standing standing_of(const struct tn_studio_project *project, int file,
				 const struct tn_json *move)
{
	const char *from = text_of(move, "from"), *to = text_of(move, "to");
	struct tn_studio_text now, next;
	enum standing standing = FOREIGN;
	char name[64];

	(void)snprintf(name, sizeof(name), ".tenon/next-%s", tn_studio_project_file_name(file));
	tn_studio_text_init(&now);
	tn_studio_text_init(&next);
	if (tn_studio_text_read(project, tn_studio_project_file_name(file), &now, NULL) &&
	    tn_studio_text_read(project, name, &next, NULL)) {
		if (strcmp(now.digest, to) == 0)
			standing = IN_PLACE;
		else if (strcmp(now.digest, from) == 0 && strcmp(next.digest, to) == 0)
			standing = STAGED;
	}
	tn_studio_text_finish(&now);
	tn_studio_text_finish(&next);
	return standing;
}

/* False: nothing was announced, or what is there cannot be what was announced. */
static bool finish_announced(const struct tn_studio_project *project, const struct tn_json *saving,
			     struct tn_studio_saved *ret)
{
	const struct tn_json *moves = tn_json_get(saving, "files");
	enum standing standings[TN_STUDIO_FILE_COUNT];
	struct tenon_error ignored;
	int64_t revision;

	if (!tn_json_to_int(tn_json_get(saving, "revision"), &revision) || revision < 0)
		return false;
	ret->revision = (uint64_t)revision;
	for (int i = 0; i < TN_STUDIO_FILE_COUNT; i++) {
		const struct tn_json *move = tn_json_get(moves, tn_studio_project_file_name(i));
		const char *to = text_of(move, "to");

		standings[i] = standing_of(project, i, move);
		if (standings[i] == FOREIGN || (*to && strlen(to) != TN_DIGEST_HEX_SIZE - 1))
			return false;
		(void)snprintf(ret->digests[i], TN_DIGEST_HEX_SIZE, "%s", to);
	}
	for (int i = 0; i < TN_STUDIO_FILE_COUNT; i++) {
		if (standings[i] == STAGED &&
		    put_in_place(project, i, ret->digests[i][0] != '\0', &ignored) != TENON_OK)
			return false;
	}
	sync_folder(project);
	return true;
}

bool tn_studio_project_finish_save(struct tn_studio_project *project, struct tn_studio_fault *fault)
{
	struct tn_studio_saved saved = {.revision = 0};
	struct tn_studio_text text;
	struct tn_json *saving = NULL;
	struct tn_arena arena;
	bool done = true;

	tn_studio_text_init(&text);
	tn_arena_init(&arena, TN_MIB);
	/* One that cannot be read was never announced: it is written whole. */
	if (tn_studio_text_read(project, SAVING_FILE, &text, NULL) && text.exists &&
	    tn_studio_text_parse(&text, SAVING_FILE, &arena, &saving, NULL) &&
	    finish_announced(project, saving, &saved))
		done = tn_studio_saved_write(project, &saved, fault);
	if (done)
		unstage(project);
	tn_arena_finish(&arena);
	tn_studio_text_finish(&text);
	return done;
}
