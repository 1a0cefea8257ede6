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
	{.key = "workbench.browser",
	 .type = TN_SETTING_STRING,
	 .fallback = "",
	 .rule = TN_SETTING_ABSOLUTE,
	 .restart = true,
	 .description =
		 "The Chromium that draws pages for workbench_capture, without a window; none: "
		 "no pictures"},
};

const struct tn_setting_table tn_wb_setting_table = {.rows = rows, .count = TN_COUNT(rows)};
