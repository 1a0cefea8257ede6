/* What is to be changed, read and checked before anything is written. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "apps/workbench/edit/parts.h"
#include "apps/workbench/limits.h"
#include "apps/workbench/values/plain_path.h"
#include "base/digest.h"
#include "base/mem.h"
#include "base/utf8.h"

enum tenon_code tn_wb_transaction_open(struct tn_wb_transaction *t, const char *root,
				       struct tenon_error *err)
{
	const char *const folders[] = {t->root, NULL};
	enum tenon_code code;

	*t = (struct tn_wb_transaction){.root_fd = -1, .journal = -1};
	if (!realpath(root, t->root))
		return tn_fail(err, errno == ENOENT ? TENON_NOT_FOUND : TENON_DENIED,
			       "the root is no folder that may be entered");
	code = tn_roots_init(&t->roots, folders, err);
	if (code != TENON_OK)
		return code;
	code = tn_root_open(&t->roots, 0, &t->root_fd, err);
	if (code != TENON_OK)
		tn_roots_finish(&t->roots);
	return code;
}

void tn_wb_transaction_close(struct tn_wb_transaction *t)
{
	for (size_t i = 0; i < t->count; i++) {
		tn_place_close(&t->files[i].place);
		tn_buf_finish(&t->files[i].before);
		tn_buf_finish(&t->files[i].after);
	}
	tn_mem_free(t->files);
	if (t->journal >= 0)
		(void)close(t->journal); /* its lock with it */
	(void)close(t->root_fd);         /* only held */
	tn_roots_finish(&t->roots);
}

/* ---- where it is ---- */

static enum tenon_code find(const struct tn_wb_transaction *t, struct tn_wb_prepared *file,
			    struct tenon_error *err)
{
	struct tn_str path = file->edit->path;
	size_t above = strcmp(t->root, "/") == 0 ? 0 : strlen(t->root);
	char whole[PATH_MAX];
	enum tenon_code code;

	if (!tn_wb_path_is_plain(path) || path.size + above + 2 > sizeof(whole))
		return tn_fail(err, TENON_INVALID,
			       "a filePath is relative to the root, with slashes, without \"..\"");
	memcpy(whole, t->root, above);
	whole[above] = '/';
	memcpy(whole + above + 1, path.data, path.size);
	whole[above + 1 + path.size] = '\0';
	code = tn_place_find(&t->roots, whole, &file->place, err);
	if (code != TENON_OK) {
		file->place.folder = -1;
		return code;
	}
	file->relative = file->place.path + above + 1;
	if (tn_place_is_folder(&file->place))
		return tn_fail(err, TENON_INVALID, "it is a folder");
	if (file->place.exists && !S_ISREG(file->place.status.st_mode))
		return tn_fail(err, TENON_DENIED, "it is no ordinary file");
	return TENON_OK;
}

static enum tenon_code check_rules(const struct tn_wb_transaction *t, size_t number,
				   const struct tn_wb_globs *read_only, struct tenon_error *err)
{
	const struct tn_wb_prepared *file = &t->files[number];

	if (tn_wb_globs_match(read_only, file->edit->path) ||
	    tn_wb_globs_match(read_only, tn_str_from(file->relative)))
		return tn_fail(err, TENON_DENIED, "readOnlyFiles says that it stays as it is");
	for (size_t i = 0; i < number; i++)
		if (strcmp(t->files[i].relative, file->relative) == 0)
			return tn_fail(err, TENON_INVALID,
				       "the same file is named twice: send its edits as one");
	return TENON_OK;
}

/* ---- what it is ---- */

static enum tenon_code read_file(struct tn_wb_prepared *file, struct tenon_error *err)
{
	int fd = -1;
	enum tenon_code code = tn_place_open(&file->place, &fd, err);

	if (code != TENON_OK)
		return code;
	if (fstat(fd, &file->status) != 0)
		code = tn_fail_errno(err, errno, "look at file");
	else if (file->status.st_size > (off_t)TN_WB_EDIT_FILE_BYTES_MAX)
		code = tn_fail(err, TENON_INVALID, "it is larger than 16 MiB");
	else
		code = tn_buf_read_all(&file->before, fd, err);
	(void)close(fd); /* only read from */
	/* Replacing it needs the folder alone; but whoever made it read-only meant it. */
	if (code == TENON_OK && faccessat(file->place.folder, file->place.name, W_OK,
					  AT_EACCESS | AT_SYMLINK_NOFOLLOW) != 0)
		code = tn_fail(err, TENON_DENIED, "the file may not be written");
	file->is_there = code == TENON_OK;
	return code;
}

static enum tenon_code prepare_text(struct tn_wb_prepared *file, struct tenon_error *err)
{
	char digest[TN_DIGEST_HEX_SIZE];
	enum tenon_code code = read_file(file, err);

	if (code != TENON_OK)
		return code;
	tn_digest_hex(tn_buf_str(&file->before), digest);
	if (file->edit->expected.size &&
	    !tn_str_equal_nocase(file->edit->expected, tn_str_from(digest)))
		return tn_fail(err, TENON_EXPIRED, "it has changed since it was read");
	code = tn_wb_replace(tn_buf_str(&file->before), file->edit->list, file->edit->count,
			     &file->after, err);
	file->is_nothing = code == TENON_OK &&
			   tn_str_equal(tn_buf_str(&file->before), tn_buf_str(&file->after));
	return code;
}

static enum tenon_code prepare_create(struct tn_wb_prepared *file, struct tenon_error *err)
{
	if (file->place.has_slash)
		return tn_fail(err, TENON_INVALID, "the path names a folder");
	if (file->place.exists && !file->edit->overwrite)
		return tn_fail(err, TENON_EXPIRED, "there is such a file already");
	for (const char *at = file->place.exists ? "" : file->place.name; *at; at++)
		file->made += *at == '/';
	tn_buf_append_str(&file->after, file->edit->contents);
	return file->place.exists ? read_file(file, err) : TENON_OK;
}

static enum tenon_code prepare_delete(struct tn_wb_prepared *file, struct tenon_error *err)
{
	file->is_nothing = !file->place.exists && file->edit->allow_missing;
	return file->is_nothing ? TENON_OK : read_file(file, err);
}

static enum tenon_code prepare(struct tn_wb_transaction *t, size_t number,
			       const struct tn_wb_globs *read_only, struct tenon_error *err)
{
	struct tn_wb_prepared *file = &t->files[number];
	enum tenon_code code = find(t, file, err);

	if (code == TENON_OK)
		code = check_rules(t, number, read_only, err);
	if (code != TENON_OK)
		return code;
	switch (file->edit->kind) {
	case TN_WB_EDIT_TEXT:
		return prepare_text(file, err);
	case TN_WB_EDIT_CREATE:
		return prepare_create(file, err);
	case TN_WB_EDIT_DELETE:
		return prepare_delete(file, err);
	}
	return TENON_OK;
}

/* ---- all of them ---- */

static const char *name_of(const struct tenon_error *err)
{
	switch (err->code) {
	case TENON_INVALID:
	case TENON_LIMIT:
		return "invalidEdit";
	case TENON_NOT_FOUND:
		return "notFound";
	case TENON_EXPIRED:
		return "conflict";
	case TENON_DENIED:
		return "permissionDenied";
	case TENON_SYSTEM:
		return err->sys_errno == EACCES || err->sys_errno == EPERM ||
				       err->sys_errno == EROFS
			       ? "permissionDenied"
			       : "ioError";
	default:
		return "ioError";
	}
}

enum tenon_code tn_wb_edit_fail_of(struct tn_wb_edit_outcome *outcome, struct tn_str path,
				   const struct tenon_error *err)
{
	return tn_wb_edit_fail(outcome, name_of(err), path, err->code);
}

enum tenon_code tn_wb_transaction_prepare(struct tn_wb_transaction *t,
					  const struct tn_wb_edits *edits,
					  struct tn_wb_edit_outcome *outcome,
					  struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;
	size_t bytes = 0;

	t->files = tn_mem_alloc_array(edits->count + 1, sizeof(*t->files));
	if (!t->files)
		return tn_wb_edit_fail(outcome, "ioError", tn_str("", 0),
				       tn_fail(err, TENON_NO_MEMORY, "out of memory"));
	while (code == TENON_OK && t->count < edits->count) {
		struct tn_wb_prepared *file = &t->files[t->count];

		file->edit = &edits->list[t->count];
		file->place.folder = -1;
		tn_buf_init(&file->before, TN_WB_EDIT_FILE_BYTES_MAX);
		tn_buf_init(&file->after, TN_WB_EDIT_FILE_BYTES_MAX);
		code = prepare(t, t->count++, edits->read_only, err);
		if (code == TENON_OK)
			code = tn_buf_check(&file->after, err);
		bytes += file->before.size + file->after.size;
		if (code == TENON_OK && bytes > TN_WB_EDIT_BYTES_MAX)
			code = tn_fail(err, TENON_LIMIT, "all files together are too large");
		if (code != TENON_OK)
			(void)tn_wb_edit_fail_of(outcome, file->edit->path, err);
	}
	return code;
}
