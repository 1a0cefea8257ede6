#include "apps/floorplan/mcp/settings_table.h"

#include "base/size.h"

/* The order is that of docs/configuration.md and of tenon://settings. */
static const struct tn_setting rows[] = {
	{.key = "floorplan.roots",
	 .type = TN_SETTING_LIST,
	 .fallback = "",
	 .rule = TN_SETTING_ABSOLUTE,
	 .separator = ':',
	 .restart = true,
	 .description = "Folders in which floor plans may be opened and saved; none: the working "
			"directory, unless home is or lies in it"},
};

const struct tn_setting_table tn_floor_setting_table = {.rows = rows, .count = TN_COUNT(rows)};
