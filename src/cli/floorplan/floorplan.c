/* tenon floorplan: its subcommands. */
#include "cli/floorplan/floorplan.h"

#include "base/size.h"
#include "cli/floorplan/floorplan_author.h"
#include "cli/shared/group.h"

static const struct tn_cli_subcommand commands[] = {
	{"validate", "what is wrong with a plan", tn_cli_floorplan_validate},
	{"render", "a picture of it", tn_cli_floorplan_render},
	{"modify", "change its text without damage", tn_cli_floorplan_modify},
	{"analyze", "areas, neighbours, ways and exits", tn_cli_floorplan_analyze},
	{"export", "JSON, canonical text, DXF, PDF, SVG, CSV", tn_cli_floorplan_export},
	{"import", "a plan from JSON", tn_cli_floorplan_import},
	{"fmt", "the usual layout", tn_cli_floorplan_fmt},
	{"diff", "what changed between two plans", tn_cli_floorplan_diff},
	{"watch", "check and draw whenever it is saved", tn_cli_floorplan_watch},
	{"lsp", "a language server for editors", tn_cli_floorplan_lsp},
};

int tn_cli_floorplan(int argc, char **argv)
{
	static const struct tn_cli_group group = {
		.name = "floorplan",
		.sentence = "Floor plans as text: checked, drawn, changed, measured. No daemon is "
			    "needed.",
		.more = "All tools: tenon tools floorplan.",
		.commands = commands,
		.count = TN_COUNT(commands)};

	return tn_cli_run_group(&group, argc, argv);
}
