#include "apps/studio/project/settings_table.h"

#include "base/size.h"

/* The order is that of docs/configuration.md and of tenon://settings. */
static const struct tn_setting rows[] = {
	{.key = "studio.terraform.path",
	 .type = TN_SETTING_STRING,
	 .fallback = "",
	 .variable = "TENON_TERRAFORM",
	 .restart = true,
	 .description =
		 "The engine that runs configurations; empty: terraform, then tofu, on PATH"},
	{.key = "studio.roots",
	 .type = TN_SETTING_LIST,
	 .fallback = "",
	 .rule = TN_SETTING_ABSOLUTE,
	 .separator = ':',
	 .restart = true,
	 .description = "Folders in which projects may lie; none: the home folder and the "
			"temporary one"},
	{.key = "studio.tools",
	 .type = TN_SETTING_STRING,
	 .fallback = "all",
	 .values = "all|core",
	 .restart = true,
	 .description = "core: the 17 tools of the first version, for small contexts; "
			"for one client: tenon mcp studio --core"},
	{.key = "studio.plugin_cache",
	 .type = TN_SETTING_STRING,
	 .fallback = "",
	 .rule = TN_SETTING_ABSOLUTE,
	 .restart = true,
	 .description = "A folder in which the engine keeps providers for all projects"},
	{.key = "studio.runs_at_once",
	 .type = TN_SETTING_INTEGER,
	 .fallback = "2",
	 .least = 1,
	 .most = 64,
	 .restart = true,
	 .description = "Runs of the engine at a time, over all projects; each project has one"},
	{.key = "studio.notifications.destructive",
	 .type = TN_SETTING_BOOLEAN,
	 .fallback = "true",
	 .restart = true,
	 .description = "Whether the desktop is told when an apply or destroy starts"},
	{.key = "studio.prices_url",
	 .type = TN_SETTING_STRING,
	 .fallback = "",
	 .rule = TN_SETTING_URL,
	 .restart = true,
	 .description = "Where prices are refreshed from; empty: the clouds' public lists"},
};

const struct tn_setting_table tn_studio_setting_table = {.rows = rows, .count = TN_COUNT(rows)};
