/* The file on the disk: read, and replaced whole (O11, O13). */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apps/workbench/drafts/drafts_parts.h"
#include "apps/workbench/drafts/override_file.h"
#include "store/file.h"

/* A link would lead out of the workspace. */
int tn_wb_drafts_open_folder(const struct tn_wb_drafts *drafts)
{
	return openat(drafts->root_fd, TN_WB_OVERRIDE_FOLDER,
		      O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static enum tenon_code make_folder(const struct tn_wb_drafts *drafts, int *ret_fd,
				   struct tenon_error *err)
{
	if (mkdirat(drafts->root_fd, TN_WB_OVERRIDE_FOLDER, 0777) != 0 && errno != EEXIST)
		return tn_fail_errno(err, errno, "make " TN_WB_OVERRIDE_FOLDER);
	*ret_fd = tn_wb_drafts_open_folder(drafts);
	if (*ret_fd >= 0)
		return TENON_OK;
	if (errno == ELOOP || errno == ENOTDIR)
		return tn_fail(err, TENON_DENIED,
			       "\"" TN_WB_OVERRIDE_FOLDER
			       "\" is no folder of the workspace itself");
	return tn_fail_errno(err, errno, "open " TN_WB_OVERRIDE_FOLDER);
}

enum tenon_code tn_wb_drafts_write(struct tn_wb_drafts *drafts, struct tenon_error *err)
{
	char updated_at[TN_CLOCK_ISO_SIZE];
	enum tenon_code code = TENON_OK;
	struct tn_buf text;
	int folder = -1;

	if (drafts->file_invalid)
		return tn_fail(err, TENON_INVALID,
			       TN_WB_OVERRIDE_PATH " cannot be used as it is; mend it, or back it "
						   "up and reset it");
	tn_clock_format_iso(tn_clock_wall_ms(drafts->clock), updated_at);
	tn_buf_init(&text, TN_WB_OVERRIDES_FILE_MAX);
	tn_wb_override_file_put(&text, &drafts->document, updated_at);
	code = tn_buf_check(&text, err);
	if (code == TENON_OK && drafts->root_fd >= 0)
		code = make_folder(drafts, &folder, err);
	if (code == TENON_OK && folder >= 0)
		code = tn_file_write_at(folder, TN_WB_OVERRIDE_NAME, 0666, tn_buf_str(&text), err);
	if (code == TENON_OK) {
		memcpy(drafts->updated_at, updated_at, sizeof(updated_at));
		tn_digest_hex(tn_buf_str(&text), drafts->digest);
		drafts->file_exists = folder >= 0;
	}
	if (folder >= 0)
		(void)close(folder); /* only held */
	tn_buf_finish(&text);
	return code;
}

enum tenon_code tn_wb_drafts_read(const struct tn_wb_drafts *drafts, struct tn_buf *text,
				  bool *ret_exists, struct tenon_error *err)
{
	enum tenon_code code;
	int folder, fd = -1;

	*ret_exists = false;
	if (drafts->root_fd < 0)
		return TENON_OK;
	folder = tn_wb_drafts_open_folder(drafts);
	if (folder < 0 && errno == ENOENT)
		return TENON_OK;
	if (folder < 0)
		return tn_fail(err, TENON_DENIED,
			       "\"" TN_WB_OVERRIDE_FOLDER
			       "\" is no folder of the workspace itself");
	code = tn_file_open_at(folder, TN_WB_OVERRIDE_NAME,
			       TN_FILE_NO_FOLLOW | TN_FILE_REGULAR_ONLY, &fd, err);
	(void)close(folder); /* only held */
	if (code == TENON_NOT_FOUND)
		return TENON_OK;
	*ret_exists = true;
	if (code == TENON_OK)
		code = tn_buf_read_all(text, fd, err);
	if (fd >= 0)
		(void)close(fd); /* only read from */
	return code;
}
