/* The folder and the file of the overrides, replaced whole; nothing here knows the drafts (O11). */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apps/workbench/drafts/drafts_parts.h"
#include "apps/workbench/drafts/override_file.h"
#include "store/file.h"

/* A link would lead out of the workspace. */
int tn_wb_override_folder_open(int root_fd)
{
	return openat(root_fd, TN_WB_OVERRIDE_FOLDER,
		      O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static enum tenon_code make_folder(int root_fd, int *ret_fd, struct tenon_error *err)
{
	if (mkdirat(root_fd, TN_WB_OVERRIDE_FOLDER, 0777) != 0 && errno != EEXIST)
		return tn_fail_errno(err, errno, "make " TN_WB_OVERRIDE_FOLDER);
	*ret_fd = tn_wb_override_folder_open(root_fd);
	if (*ret_fd >= 0)
		return TENON_OK;
	if (errno == ELOOP || errno == ENOTDIR)
		return tn_fail(err, TENON_DENIED,
			       "\"" TN_WB_OVERRIDE_FOLDER
			       "\" is no folder of the workspace itself");
	return tn_fail_errno(err, errno, "open " TN_WB_OVERRIDE_FOLDER);
}

enum tenon_code tn_wb_override_file_write(int root_fd, const struct tn_wb_document *document,
					  const char *updated_at, const char *known,
					  char ret_digest[TN_DIGEST_HEX_SIZE],
					  struct tenon_error *err)
{
	enum tenon_code code;
	struct tn_buf text;
	int folder = -1;

	tn_buf_init(&text, TN_WB_OVERRIDES_FILE_MAX);
	tn_wb_override_file_put(&text, document, updated_at);
	code = tn_buf_check(&text, err);
	if (code == TENON_OK && root_fd >= 0)
		code = make_folder(root_fd, &folder, err);
	if (code == TENON_OK && folder >= 0)
		code = tn_file_write_known_at(folder, TN_WB_OVERRIDE_NAME, 0666, tn_buf_str(&text),
					      known, err);
	if (code == TENON_OK)
		tn_digest_hex(tn_buf_str(&text), ret_digest);
	if (folder >= 0)
		(void)close(folder); /* only held */
	tn_buf_finish(&text);
	return code;
}
