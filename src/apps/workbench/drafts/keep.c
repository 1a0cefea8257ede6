/* The drafts' file, written now or aside (O11, O13). */
#include "apps/workbench/drafts/drafts_parts.h"
#include "apps/workbench/drafts/override_file.h"
#include "apps/workbench/drafts/writing.h"

enum tenon_code tn_wb_drafts_write(struct tn_wb_drafts *drafts, struct tenon_error *err)
{
	char updated_at[TN_CLOCK_ISO_SIZE];
	enum tenon_code code;

	if (drafts->file_invalid)
		return tn_fail(err, TENON_INVALID,
			       TN_WB_OVERRIDE_PATH " cannot be used as it is; mend it, or back it "
						   "up and reset it");
	if (drafts->writing)
		return tn_wb_writing_want(drafts->writing, err);
	tn_clock_format_iso(tn_clock_wall_ms(drafts->clock), updated_at);
	code = tn_wb_override_file_write(drafts->root_fd, &drafts->document, updated_at, NULL,
					 drafts->digest, err);
	if (code != TENON_OK)
		return code;
	drafts->writes++;
	memcpy(drafts->updated_at, updated_at, sizeof(updated_at));
	drafts->file_exists = drafts->root_fd >= 0;
	return TENON_OK;
}

bool tn_wb_drafts_wait(struct tn_wb_drafts *drafts, struct tn_wb_written *written)
{
	if (!tn_wb_writing_is_busy(drafts->writing))
		return false;
	tn_wb_writing_wait(drafts->writing, written);
	return true;
}
