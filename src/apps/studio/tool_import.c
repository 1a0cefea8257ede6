/* import_terraform: existing configuration, a state or a plan into the diagram. */
#include "apps/studio/import_action.h"
#include "apps/studio/tool_state.h"

static const char input_schema[] =
	"{\"type\":\"object\",\"properties\":{"
	"\"source\":{\"type\":\"string\",\"enum\":[\"config\",\"state\",\"plan\"],\"description\":"
	"\"config: .tf files. state, plan: JSON of `terraform show -json`\"},"
	"\"path\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":4096,\"description\":\"The "
	"folder with the .tf files (terraform.tfvars and *.auto.tfvars are read, too), or one "
	"file; absolute\"},"
	"\"into\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":64,\"description\":\"The "
	"container for what would stand at the top level, for example a subscription\"},"
	"\"dryRun\":{\"type\":\"boolean\",\"description\":\"Only tell what would "
	"happen\"}," TN_STUDIO_WRITE_ARGUMENTS
	"},\"required\":[\"source\",\"path\"],\"additionalProperties\":false}";

static const char output_schema[] = TN_STUDIO_OUTPUT(
	"\"mapped\":" TN_STUDIO_OBJECTS ",\"partial\":" TN_STUDIO_OBJECTS
	",\"foreign\":" TN_STUDIO_OBJECTS ",\"renamed\":" TN_STUDIO_OBJECTS
	",\"lost\":" TN_STUDIO_OBJECTS ",\"faults\":" TN_STUDIO_OBJECTS
	",\"differences\":" TN_STUDIO_OBJECTS ",\"differenceCount\":" TN_STUDIO_COUNT
	",\"unchangedBlocks\":" TN_STUDIO_COUNT ",\"skippedFiles\":" TN_STUDIO_TEXTS
	",\"dryRun\":" TN_STUDIO_SWITCH TN_STUDIO_CHANGE,
	"\"mapped\",\"partial\",\"foreign\",\"differences\",\"revision\"");

static const struct tn_studio_action action = {
	.name = "import_terraform", .writes = true, .run = tn_studio_act_import};

static void call_import(struct tenon_call *call, void *door)
{
	tn_studio_run_action(call, door, &action);
}

const struct tenon_tool tn_studio_tool_import = {
	.name = "import_terraform",
	.title = "Take existing configuration in",
	.description =
		"Makes resources of the diagram from .tf files, or from the JSON of a state or a "
		"plan. Names of blocks are kept, so that a plan afterwards shows no change. What "
		"no resource type covers is kept as text and written back to foreign.tf. The "
		"answer says what was mapped, what in part (file, line, attribute), what stays "
		"foreign, and compares what is generated now with what was read.",
	.input_schema = input_schema,
	.output_schema = output_schema,
	.flags = TENON_NOT_DESTRUCTIVE | TENON_IDEMPOTENT | TENON_CLOSED_WORLD,
	.call = call_import,
	.beyond_core = true,
};
