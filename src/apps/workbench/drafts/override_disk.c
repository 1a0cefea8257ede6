#include "apps/workbench/drafts/override_disk.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* ---- looking ---- */

void tn_wb_disk_look_init(struct tn_wb_disk_look *look)
{
	*look = (struct tn_wb_disk_look){.is_same = false};
	tn_wb_document_init(&look->document);
	tn_wb_diagnostics_init(&look->diagnostics);
}

void tn_wb_disk_look_finish(struct tn_wb_disk_look *look)
{
	tn_wb_document_finish(&look->document);
	tn_wb_diagnostics_finish(&look->diagnostics);
}

/* Appends the file's bytes. *ret_exists false: there is none. Fails: DENIED (a link, no regular
 * file), LIMIT, SYSTEM, NO_MEMORY. */
static enum tenon_code read_file(int root_fd, struct tn_buf *text, bool *ret_exists,
				 struct tenon_error *err)
{
	enum tenon_code code;
	int folder = tn_wb_override_folder_open(root_fd), fd = -1;

	*ret_exists = false;
	if (folder < 0 && errno == ENOENT)
		return TENON_OK;
	*ret_exists = true;
	if (folder < 0)
		return tn_fail(err, TENON_DENIED,
			       "\"" TN_WB_OVERRIDE_FOLDER
			       "\" is no folder of the workspace itself");
	code = tn_file_open_at(folder, TN_WB_OVERRIDE_NAME,
			       TN_FILE_NO_FOLLOW | TN_FILE_REGULAR_ONLY, &fd, err);
	(void)close(folder); /* only held */
	*ret_exists = code != TENON_NOT_FOUND;
	if (code == TENON_OK)
		code = tn_buf_read_all(text, fd, err);
	if (fd >= 0)
		(void)close(fd); /* only read from */
	return code == TENON_NOT_FOUND ? TENON_OK : code;
}

/* A document that was filled halfway is emptied: nothing is loaded (O14). */
static void be_invalid(struct tn_wb_disk_look *look)
{
	look->is_invalid = true;
	tn_wb_document_finish(&look->document);
	tn_wb_document_init(&look->document);
}

static enum tenon_code read_text(struct tn_wb_disk_look *look, struct tn_str text,
				 struct tenon_error *err)
{
	enum tenon_code code = tn_wb_override_file_read(&look->document, text, look->updated_at,
							&look->diagnostics, err);

	if (code != TENON_OK)
		be_invalid(look);
	return code == TENON_NO_MEMORY ? code : TENON_OK;
}

enum tenon_code tn_wb_disk_look(struct tn_wb_disk_look *look, int root_fd, struct tenon_error *err)
{
	struct tenon_error why = {0};
	enum tenon_code code;
	struct tn_buf text;

	tn_buf_init(&text, TN_WB_OVERRIDES_FILE_MAX);
	code = read_file(root_fd, &text, &look->exists, &why);
	if (code == TENON_OK && look->exists)
		tn_digest_hex(tn_buf_str(&text), look->digest);
	look->is_same =
		code == TENON_OK && look->is_known && strcmp(look->digest, look->known) == 0;
	if (code == TENON_NO_MEMORY) {
		(void)tn_fail(err, code, "out of memory");
	} else if (code != TENON_OK) {
		be_invalid(look);
		tn_wb_diagnose(&look->diagnostics,
			       &(struct tn_wb_diagnostic){.severity = TN_WB_ERROR,
							  .code = "UNKNOWN_ERROR",
							  .message = why.message,
							  .file = TN_WB_OVERRIDE_PATH});
		code = TENON_OK;
	} else if (look->exists && !look->is_same) {
		code = read_text(look, tn_buf_str(&text), err);
	}
	tn_buf_finish(&text);
	return code;
}
