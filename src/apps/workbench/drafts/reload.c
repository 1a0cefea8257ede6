/* The file that others have changed, or damaged (O14, O15). */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "apps/workbench/drafts/drafts_parts.h"
#include "apps/workbench/drafts/override_file.h"
#include "apps/workbench/drafts/writing.h"

/* Every draft of `from` that `against` does not have the same of: `clear` it, or put it. */
static enum tenon_code step_difference(struct tn_wb_change *change,
				       const struct tn_wb_document *from,
				       const struct tn_wb_document *against, bool clear,
				       struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;

	for (size_t i = from->count; i-- > 0 && code == TENON_OK;) {
		struct tn_wb_draft *draft = from->slots[i].draft;
		const struct tn_wb_slot *other = tn_wb_document_find(against, &draft->address);
		struct tn_wb_draft_parts parts = {.address = draft->address,
						  .type_id = draft->type_id};
		struct tn_json *value = NULL, *locator = NULL;

		if (clear) {
			if (!other)
				code = tn_wb_change_clear(change, draft, err);
			continue;
		}
		if (other && tn_wb_draft_equal_in_file(other->draft, draft))
			continue;
		code = tn_json_parse_copy(&change->arena, draft->value, &value, err);
		if (code == TENON_OK && draft->locator.size)
			code = tn_json_parse_copy(&change->arena, draft->locator, &locator, err);
		parts.value = value;
		parts.locator = locator;
		if (code == TENON_OK)
			code = tn_wb_change_step(
				change,
				tn_wb_document_operation(
					&change->arena, &draft->address,
					tn_wb_document_entry(&change->arena, &parts)),
				err);
	}
	return code;
}

enum tenon_code tn_wb_drafts_be(struct tn_wb_drafts *drafts, const struct tn_wb_document *read,
				const char *label, struct tn_wb_outcome *outcome,
				struct tenon_error *err)
{
	struct tn_wb_change change = {.drafts = drafts,
				      .outcome = outcome,
				      .actor = "somebody (the file)",
				      .label = label,
				      .keep_file = true};
	enum tenon_code code = tn_wb_change_begin(&change, err);

	if (code != TENON_OK)
		return code;
	code = step_difference(&change, &drafts->document, read, true, err);
	if (code == TENON_OK)
		code = step_difference(&change, read, &drafts->document, false, err);
	if (code == TENON_OK)
		return tn_wb_change_end(&change, err);
	tn_wb_change_abandon(&change);
	return tn_wb_change_fail(&change, "internal_error", code);
}

void tn_wb_drafts_look_begin(const struct tn_wb_drafts *drafts, struct tn_wb_disk_look *look)
{
	look->is_known = !drafts->file_invalid;
	memcpy(look->known, drafts->digest, sizeof(look->known));
	look->writes = drafts->writes;
}

void tn_wb_drafts_note(struct tn_wb_drafts *drafts, struct tn_wb_disk_look *look)
{
	tn_wb_diagnostics_finish(&drafts->diagnostics);
	drafts->diagnostics = look->diagnostics;
	tn_wb_diagnostics_init(&look->diagnostics);
	memcpy(drafts->digest, look->digest, sizeof(look->digest));
	drafts->file_exists = look->exists;
	drafts->file_invalid = look->is_invalid;
	if (!look->is_invalid)
		memcpy(drafts->updated_at, look->updated_at, sizeof(look->updated_at));
}

enum tenon_code tn_wb_drafts_reload(struct tn_wb_drafts *drafts, struct tn_wb_disk_look *look,
				    struct tn_wb_outcome *outcome, struct tenon_error *err)
{
	bool merged = drafts->merged;
	enum tenon_code code = TENON_OK;

	outcome->revision = drafts->revision;
	/* What has been written meanwhile is looked at again: its folder is followed. */
	if (!look->is_same && look->writes == drafts->writes &&
	    !tn_wb_writing_is_busy(drafts->writing)) {
		tn_wb_drafts_note(drafts, look);
		if (!look->is_invalid) {
			code = tn_wb_drafts_be(drafts, &look->document,
					       "Change " TN_WB_OVERRIDE_PATH, outcome, err);
			tn_wb_writing_settled(drafts->writing);
		}
	}
	drafts->merged = false;
	outcome->changed = outcome->changed || merged;
	return code;
}

/* ---- back up and reset (O14) ---- */

static void backup_name(const struct tn_wb_drafts *drafts, char *out, size_t size)
{
	char time[TN_CLOCK_ISO_SIZE];

	tn_clock_format_iso(tn_clock_wall_ms(drafts->clock), time);
	for (char *at = time; *at; at++) {
		if (*at == ':')
			*at = '-'; /* not every file system takes colons */
	}
	(void)snprintf(out, size, TN_WB_OVERRIDE_NAME ".bak-%s", time);
}

enum tenon_code tn_wb_drafts_reset_file(struct tn_wb_drafts *drafts, struct tenon_error *err)
{
	char name[128];
	enum tenon_code code = TENON_OK;
	int folder;

	if (!drafts->file_invalid)
		return tn_fail(err, TENON_INVALID, "the file is fine; there is nothing to reset");
	folder = tn_wb_override_folder_open(drafts->root_fd);
	if (folder < 0)
		return tn_fail_errno(err, errno, "open " TN_WB_OVERRIDE_FOLDER);
	backup_name(drafts, name, sizeof(name));
	/* A name that is there already is a backup, too: it may not be overwritten. */
	if (renameat2(folder, TN_WB_OVERRIDE_NAME, folder, name, RENAME_NOREPLACE) != 0 &&
	    errno != ENOENT)
		code = tn_fail_errno(err, errno, "rename the file");
	(void)close(folder); /* only held */
	if (code != TENON_OK)
		return code;
	tn_wb_diagnostics_finish(&drafts->diagnostics);
	drafts->file_invalid = drafts->file_exists = false;
	drafts->digest[0] = '\0';
	drafts->writes++;
	/* What is in memory would be lost with the next crash. */
	return drafts->document.count ? tn_wb_drafts_write(drafts, err) : TENON_OK;
}
