/* From what is prepared to what is there: new files beside the old ones, then one name after the
 * other. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "apps/workbench/edit/parts.h"
#include "apps/workbench/edit/recover.h"
#include "base/digest.h"
#include "base/size.h"
#include "jsonrpc/json_write.h"
#include "store/file.h"

/* ---- to the disk ---- */

static size_t folder_size(const struct tn_wb_prepared *file)
{
	const char *slash = strrchr(file->place.path, '/');

	return slash ? (size_t)(slash - file->place.path) : 0;
}

/* Its folder; of files that follow one another in one folder, with the last. */
static enum tenon_code sync_folder(struct tn_wb_transaction *t, size_t number,
				   struct tenon_error *err)
{
	const struct tn_wb_prepared *file = &t->files[number], *next = file + 1;
	size_t size = folder_size(file);

	if (number + 1 < t->count && folder_size(next) == size &&
	    memcmp(file->place.path, next->place.path, size) == 0)
		return TENON_OK;
	if (file->is_nothing && !file->place.exists)
		return TENON_OK; /* there may be no such folder */
	return tn_wb_sync_folder(file->place.folder, err);
}

/* ---- beside ---- */

static enum tenon_code write_beside(const struct tn_wb_prepared *file, const char *name,
				    struct tn_str bytes, struct tenon_error *err)
{
	const int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
	int fd = openat(file->place.folder, name, flags, file->is_there ? 0600 : 0666);
	enum tenon_code code;

	if (fd < 0)
		return tn_fail_errno(err, errno, "write beside the file");
	code = tn_file_write_all(fd, bytes, err);
	if (code == TENON_OK && file->is_there) {
		/* Only who owns it, or root, may give it away; then the mode is what counts. */
		(void)!fchown(fd, file->status.st_uid, file->status.st_gid);
		if (fchmod(fd, file->status.st_mode & 07777) != 0)
			code = tn_fail_errno(err, errno, "set the file's mode");
	}
	if (close(fd) != 0 && code == TENON_OK)
		code = tn_fail_errno(err, errno, "write beside the file");
	return code;
}

/* Links cost nothing and keep everything of the file; where there are none, a copy does. */
static enum tenon_code keep_old(const struct tn_wb_prepared *file, const char *name,
				struct tenon_error *err)
{
	int folder = file->place.folder;

	if (linkat(folder, file->place.name, folder, name, 0) == 0)
		return TENON_OK;
	if (errno != EPERM && errno != ENOTSUP && errno != ENOSYS && errno != EMLINK)
		return tn_fail_errno(err, errno, "keep the file");
	return write_beside(file, name, tn_buf_str(&file->before), err);
}

static enum tenon_code stage(struct tn_wb_transaction *t, size_t number, struct tenon_error *err)
{
	struct tn_wb_prepared *file = &t->files[number];
	char name[TN_WB_EDIT_NAME_SIZE];
	enum tenon_code code = TENON_OK;

	if (file->is_nothing)
		return TENON_OK;
	if (file->edit->kind == TN_WB_EDIT_CREATE && !file->is_there)
		code = tn_place_make(&file->place, TN_PLACE_FILE, 0777, err);
	if (code == TENON_OK && file->edit->kind != TN_WB_EDIT_DELETE) {
		tn_wb_beside_name(name, t->token, number, TN_WB_NEW);
		code = write_beside(file, name, tn_buf_str(&file->after), err);
	}
	if (code == TENON_OK && file->is_there) {
		tn_wb_beside_name(name, t->token, number, TN_WB_OLD);
		code = keep_old(file, name, err);
	}
	return code;
}

/* ---- in place ---- */

/* Whether `name` is still what was read. */
static bool is_as_read(const struct tn_wb_prepared *file, const char *name)
{
	struct stat now;

	return fstatat(file->place.folder, name, &now, AT_SYMLINK_NOFOLLOW) == 0 &&
	       now.st_dev == file->status.st_dev && now.st_ino == file->status.st_ino &&
	       now.st_size == file->status.st_size &&
	       now.st_mtim.tv_sec == file->status.st_mtim.tv_sec &&
	       now.st_mtim.tv_nsec == file->status.st_mtim.tv_nsec;
}

static enum tenon_code exchange(struct tn_wb_transaction *t, size_t number, struct tenon_error *err)
{
	const struct tn_wb_prepared *file = &t->files[number];
	int folder = file->place.folder, done;
	char name[TN_WB_EDIT_NAME_SIZE];

	if (file->is_nothing)
		return TENON_OK;
	if (file->is_there && !is_as_read(file, file->place.name))
		return tn_fail(err, TENON_EXPIRED, "it was changed meanwhile");
	tn_wb_beside_name(name, t->token, number, TN_WB_NEW);
	if (file->edit->kind == TN_WB_EDIT_DELETE)
		done = unlinkat(folder, file->place.name, 0);
	else if (file->is_there)
		done = renameat(folder, name, folder, file->place.name);
	else
		done = linkat(folder, name, folder, file->place.name, 0);
	if (done == 0)
		return TENON_OK;
	return errno == EEXIST ? tn_fail(err, TENON_EXPIRED, "somebody else has made it meanwhile")
			       : tn_fail_errno(err, errno, "replace the file");
}

/* Somebody may have written into it until its name was another's; that is not lost. */
static enum tenon_code check_old(struct tn_wb_transaction *t, size_t number,
				 struct tenon_error *err)
{
	const struct tn_wb_prepared *file = &t->files[number];
	char name[TN_WB_EDIT_NAME_SIZE];
	struct stat kept;

	if (file->is_nothing || !file->is_there)
		return TENON_OK;
	tn_wb_beside_name(name, t->token, number, TN_WB_OLD);
	if (fstatat(file->place.folder, name, &kept, AT_SYMLINK_NOFOLLOW) == 0 &&
	    kept.st_ino == file->status.st_ino && !is_as_read(file, name))
		return tn_fail(err, TENON_EXPIRED, "it was changed meanwhile");
	return TENON_OK;
}

/* ---- all of them ---- */

static void take_back(struct tn_wb_transaction *t)
{
	for (size_t i = t->count; i-- > 0;) {
		struct tn_wb_prepared *file = &t->files[i];

		if (file->is_nothing)
			continue;
		if (!strchr(file->place.name, '/'))
			tn_wb_undo_file(file->place.folder, file->place.name, t->token, i);
		(void)!tn_wb_sync_folder(file->place.folder, NULL); /* as well as it goes */
		tn_wb_undo_folders(&t->roots, t->root, file->relative, file->made);
	}
	tn_wb_journal_end(t);
}

typedef enum tenon_code step_fn(struct tn_wb_transaction *t, size_t number,
				struct tenon_error *err);

/* One step of every file, then the next: nobody sees some files new and others old for longer than
 * renaming them takes. */
static enum tenon_code change(struct tn_wb_transaction *t, struct tn_wb_edit_outcome *outcome,
			      struct tenon_error *err)
{
	static step_fn *const steps[] = {stage, sync_folder, exchange, check_old, sync_folder};
	enum tenon_code code = TENON_OK;

	for (size_t step = 0; step < TN_COUNT(steps); step++)
		for (size_t i = 0; i < t->count; i++) {
			code = steps[step](t, i, err);
			if (code == TENON_OK)
				continue;
			return tn_wb_edit_fail_of(outcome, t->files[i].edit->path, err);
		}
	code = tn_wb_journal_commit(t, err);
	return code == TENON_OK ? code : tn_wb_edit_fail_of(outcome, tn_str("", 0), err);
}

static void tidy_up(struct tn_wb_transaction *t)
{
	for (size_t i = 0; i < t->count; i++)
		if (!t->files[i].is_nothing)
			tn_wb_tidy_file(t->files[i].place.folder, t->token, i);
	tn_wb_journal_end(t);
}

/* ---- what it came to ---- */

static void put_file(struct tn_buf *out, const struct tn_wb_prepared *file)
{
	char digest[TN_DIGEST_HEX_SIZE];

	tn_json_begin_object(out);
	tn_json_put_member_str(out, "filePath", file->edit->path);
	if (file->edit->kind == TN_WB_EDIT_DELETE) {
		tn_json_put_member_null(out, "sha256");
	} else {
		tn_digest_hex(tn_buf_str(&file->after), digest);
		tn_json_put_member_text(out, "sha256", digest);
	}
	tn_json_end_object(out);
}

/* The list is sorted by now. */
static void put_inverse(struct tn_buf *out, const struct tn_wb_prepared *file)
{
	char digest[TN_DIGEST_HEX_SIZE];
	size_t grown = 0; /* the text before it; modulo: it may have shrunk */

	tn_digest_hex(tn_buf_str(&file->after), digest);
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "kind", "text");
	tn_json_put_member_str(out, "filePath", file->edit->path);
	tn_json_put_member_text(out, "expectedSha256", digest);
	tn_json_put_key(out, "edits");
	tn_json_begin_array(out);
	for (size_t i = 0; i < file->edit->count; i++) {
		const struct tn_wb_replacement *at = &file->edit->list[i];
		size_t start = at->start + grown;

		tn_json_begin_object(out);
		tn_json_put_member_int(out, "start", (int64_t)start);
		tn_json_put_member_int(out, "end", (int64_t)(start + at->text.size));
		tn_json_put_member_str(out, "newText",
				       tn_str(file->before.data + at->start, at->end - at->start));
		tn_json_end_object(out);
		grown += at->text.size - (at->end - at->start);
	}
	tn_json_end_array(out);
	tn_json_end_object(out);
}

static enum tenon_code describe(const struct tn_wb_transaction *t,
				struct tn_wb_edit_outcome *outcome, struct tenon_error *err)
{
	enum tenon_code code;

	tn_json_begin_array(&outcome->files);
	tn_json_begin_array(&outcome->inverse);
	for (size_t i = 0; i < t->count; i++) {
		put_file(&outcome->files, &t->files[i]);
		if (t->files[i].edit->kind == TN_WB_EDIT_TEXT)
			put_inverse(&outcome->inverse, &t->files[i]);
	}
	tn_json_end_array(&outcome->files);
	tn_json_end_array(&outcome->inverse);
	code = tn_buf_check(&outcome->files, err);
	if (code == TENON_OK)
		code = tn_buf_check(&outcome->inverse, err);
	return code == TENON_OK ? code : tn_wb_edit_fail_of(outcome, tn_str("", 0), err);
}

static bool has_work(const struct tn_wb_transaction *t)
{
	for (size_t i = 0; i < t->count; i++)
		if (!t->files[i].is_nothing)
			return true;
	return false;
}

static enum tenon_code run(struct tn_wb_transaction *t, const struct tn_wb_edits *edits,
			   struct tn_wb_edit_outcome *outcome, struct tenon_error *err)
{
	enum tenon_code code = tn_wb_transaction_prepare(t, edits, outcome, err);

	if (code == TENON_OK)
		code = describe(t, outcome, err);
	if (code != TENON_OK || !has_work(t))
		return code;
	code = tn_wb_journal_begin(t, err);
	if (code != TENON_OK)
		return tn_wb_edit_fail_of(outcome, t->files[0].edit->path, err);
	code = change(t, outcome, err);
	if (code == TENON_OK)
		tidy_up(t);
	else
		take_back(t);
	return code;
}

enum tenon_code tn_wb_edits_apply(const char *root, const struct tn_wb_edits *edits,
				  struct tn_wb_edit_outcome *outcome, struct tenon_error *err)
{
	struct tenon_error own;
	struct tenon_error *why = err ? err : &own;
	struct tn_wb_transaction t;
	enum tenon_code code;

	(void)tn_wb_edits_recover(root);
	code = tn_wb_transaction_open(&t, root, why);
	if (code != TENON_OK)
		return tn_wb_edit_fail_of(outcome, tn_str("", 0), why);
	code = run(&t, edits, outcome, why);
	tn_wb_transaction_close(&t);
	return code;
}
