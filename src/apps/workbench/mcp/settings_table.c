#include "apps/workbench/mcp/settings_table.h"

#include "base/size.h"

/* The order is that of docs/configuration.md and of tenon://settings. */
static const struct tn_setting rows[] = {
	{.key = "workbench.actuation",
	 .type = TN_SETTING_STRING,
	 .fallback = "confirm",
	 .values = "off|confirm|allow",
	 .restart = true,
	 .description = "What assistants may do to previews: off: look alone; confirm: act when a "
			"person agrees; allow: act without being asked about"},
};

const struct tn_setting_table tn_wb_setting_table = {.rows = rows, .count = TN_COUNT(rows)};
