/* Back to what was, step by step, from whatever point a change had come to. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "apps/workbench/edit/parts.h"

void tn_wb_beside_name(char ret[TN_WB_EDIT_NAME_SIZE], const char *token, size_t number,
		       enum tn_wb_beside which)
{
	(void)snprintf(ret, TN_WB_EDIT_NAME_SIZE, ".tenon-%s-%zu.%s", token, number,
		       which == TN_WB_NEW ? "new" : "old");
}

void tn_wb_tidy_file(int folder, const char *token, size_t number)
{
	char name[TN_WB_EDIT_NAME_SIZE];

	for (int which = TN_WB_NEW; which <= TN_WB_OLD; which++) {
		tn_wb_beside_name(name, token, number, (enum tn_wb_beside)which);
		(void)unlinkat(folder, name, 0); /* or it is not there */
	}
}

static bool is_same_file(int folder, const char *a, const char *b)
{
	struct stat left, right;

	return fstatat(folder, a, &left, AT_SYMLINK_NOFOLLOW) == 0 &&
	       fstatat(folder, b, &right, AT_SYMLINK_NOFOLLOW) == 0 &&
	       left.st_dev == right.st_dev && left.st_ino == right.st_ino;
}

/* A file that was there has its old self beside it; one that was made is the same as the new one
 * beside it. Where neither is so, nothing was done yet. */
void tn_wb_undo_file(int folder, const char *name, const char *token, size_t number)
{
	char before[TN_WB_EDIT_NAME_SIZE], after[TN_WB_EDIT_NAME_SIZE];

	tn_wb_beside_name(before, token, number, TN_WB_OLD);
	tn_wb_beside_name(after, token, number, TN_WB_NEW);
	if (renameat(folder, before, folder, name) != 0 && is_same_file(folder, name, after))
		(void)unlinkat(folder, name, 0); /* it was ours */
	tn_wb_tidy_file(folder, token, number);
}

/* The folder that holds the last part of `path`, which becomes `name`. */
static bool open_above(const struct tn_roots *roots, const char *root, const char *path,
		       struct tn_place *ret)
{
	char whole[PATH_MAX];
	int size = snprintf(whole, sizeof(whole), "%s/%s/..", root, path);

	return size > 0 && size < (int)sizeof(whole) &&
	       tn_place_find(roots, whole, ret, NULL) == TENON_OK;
}

void tn_wb_undo_folders(const struct tn_roots *roots, const char *root, const char *relative,
			unsigned made)
{
	char path[PATH_MAX];

	(void)snprintf(path, sizeof(path), "%s", relative);
	for (char *slash; made > 0 && (slash = strrchr(path, '/')); made--) {
		const char *name;
		struct tn_place above;

		*slash = '\0';
		name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
		if (!open_above(roots, root, path, &above))
			continue;
		(void)unlinkat(above.folder, name, AT_REMOVEDIR); /* unless something is in it */
		tn_place_close(&above);
	}
}

enum tenon_code tn_wb_sync_folder(int folder, struct tenon_error *err)
{
	int readable = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	enum tenon_code code = TENON_OK;

	if (readable < 0)
		return tn_fail_errno(err, errno, "open folder");
	/* Some file systems know no fsync of folders. */
	if (fsync(readable) != 0 && errno != EINVAL && errno != ENOTSUP)
		code = tn_fail_errno(err, errno, "write folder");
	(void)close(readable); /* already synced */
	return code;
}
