#include "apps/workbench/drafts/drafts.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include "apps/workbench/drafts/drafts_parts.h"
#include "apps/workbench/drafts/override_disk.h"
#include "apps/workbench/drafts/override_file.h"
#include "apps/workbench/drafts/writing.h"
#include "base/mem.h"

/* ---- loading ---- */

/* What a crash left of a file that was being written (O13). */
static void remove_leftovers(int root_fd)
{
	int fd = openat(root_fd, TN_WB_OVERRIDE_FOLDER,
			O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *at;

	if (!folder && fd >= 0)
		(void)close(fd); /* nothing was read */
	if (!folder)
		return;
	while ((at = readdir(folder))) {
		struct tn_str name = tn_str_from(at->d_name);

		if (tn_str_starts(name, TN_STR(".tenon-")) && tn_str_ends(name, TN_STR(".tmp")))
			(void)unlinkat(fd, at->d_name, 0); /* it is of no use to anybody */
	}
	(void)closedir(folder);
}

static enum tenon_code load(struct tn_wb_drafts *drafts, struct tenon_error *err)
{
	struct tn_wb_disk_look look;
	enum tenon_code code;

	tn_wb_disk_look_init(&look);
	code = tn_wb_disk_look(&look, drafts->root_fd, err);
	if (code == TENON_OK) {
		tn_wb_drafts_note(drafts, &look);
		drafts->document = look.document;
		tn_wb_document_init(&look.document);
	}
	tn_wb_disk_look_finish(&look);
	return code;
}

static void go_back(struct tn_wb_drafts *drafts, struct tn_wb_document *to)
{
	struct tn_wb_outcome outcome;

	tn_wb_outcome_init(&outcome);
	(void)!tn_wb_drafts_be(drafts, to, "Not written", &outcome, NULL);
	tn_wb_outcome_finish(&outcome);
	drafts->changer_revision = 0; /* whose change was the last is not known any more */
}

static const struct tn_wb_writing_ops writing_ops = {go_back, tn_wb_drafts_merge};

enum tenon_code tn_wb_drafts_open(const struct tn_wb_drafts_options *options,
				  struct tn_wb_drafts **ret, struct tenon_error *err)
{
	struct tn_wb_drafts *drafts = tn_mem_alloc(sizeof(*drafts));
	const struct tn_oplog_options log = {.ops = &tn_wb_document_ops,
					     .document = drafts ? &drafts->document : NULL,
					     .clock = options->clock};
	enum tenon_code code;

	if (!drafts)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	drafts->root_fd = options->root_fd;
	drafts->clock = options->clock;
	tn_wb_document_init(&drafts->document);
	tn_wb_diagnostics_init(&drafts->diagnostics);
	code = tn_oplog_open(&log, &drafts->log, err);
	if (code == TENON_OK && drafts->root_fd >= 0) {
		remove_leftovers(drafts->root_fd);
		code = load(drafts, err);
	}
	if (code == TENON_OK && options->loop && drafts->root_fd >= 0) {
		drafts->writing = tn_wb_writing_open(drafts, options->loop, &writing_ops);
		if (!drafts->writing)
			code = tn_fail(err, TENON_NO_MEMORY, "out of memory");
	}
	if (code != TENON_OK) {
		tn_wb_drafts_close(drafts);
		return code;
	}
	*ret = drafts;
	return TENON_OK;
}

void tn_wb_drafts_close(struct tn_wb_drafts *drafts)
{
	if (!drafts)
		return;
	tn_wb_writing_close(drafts->writing);
	tn_oplog_close(drafts->log);
	tn_wb_past_finish(&drafts->past);
	tn_wb_document_finish(&drafts->document);
	tn_wb_diagnostics_finish(&drafts->diagnostics);
	tn_mem_free(drafts);
}

/* ---- reading ---- */

uint64_t tn_wb_drafts_revision(const struct tn_wb_drafts *drafts)
{
	return drafts->revision;
}

bool tn_wb_drafts_file_is_invalid(const struct tn_wb_drafts *drafts)
{
	return drafts->file_invalid;
}

const struct tn_wb_diagnostics *tn_wb_drafts_diagnostics(const struct tn_wb_drafts *drafts)
{
	return &drafts->diagnostics;
}

const struct tn_wb_document *tn_wb_drafts_document(const struct tn_wb_drafts *drafts)
{
	return &drafts->document;
}

const struct tn_oplog *tn_wb_drafts_log(const struct tn_wb_drafts *drafts)
{
	return drafts->log;
}
