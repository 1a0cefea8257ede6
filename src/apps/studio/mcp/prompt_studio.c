/* The prompts of studio (studio.md section 14): what a person asks an assistant for by name. */
#include <string.h>

#include "apps/studio/mcp/prompt_studio.h"
#include "apps/studio/mcp/resource.h"
#include "base/limits.h"

/* A piece with an argument is only said when the argument is there, whose value stands for the one
 * "%s" in it. */
struct piece {
	const char *argument, *text;
};

enum { PIECES_MAX = 8 };
struct recipe {
	struct piece pieces[PIECES_MAX];
};

static void put_piece(struct tn_buf *out, struct tenon_call *call, const struct piece *piece)
{
	const char *value = piece->argument ? tenon_call_text(call, piece->argument) : NULL;
	const char *place = strstr(piece->text, "%s");

	if (!piece->argument) {
		tn_buf_append_text(out, piece->text);
	} else if (value && value[0] && place) {
		tn_buf_append(out, piece->text, (size_t)(place - piece->text));
		tn_buf_append_text(out, value);
		tn_buf_append_text(out, place + 2);
	}
}

static void tell(struct tenon_call *call, const struct recipe *recipe)
{
	struct tn_buf text;

	tn_buf_init(&text, TN_RESULT_BYTES_MAX);
	for (size_t i = 0; i < PIECES_MAX && recipe->pieces[i].text; i++)
		put_piece(&text, call, &recipe->pieces[i]);
	tn_buf_append_text(&text, "\n\nNever run apply or destroy unless the user explicitly asks "
				  "for exactly that: they change real infrastructure.");
	if (text.failed) {
		tenon_call_fail(call, "The arguments are too large.");
	} else {
		tenon_call_add_text(call, text.data, text.size);
		tenon_call_finish(call);
	}
	tn_buf_finish(&text);
}

/* A function for each, because the `data` of a prompt is the door: its completion needs it. */
#define GETTER(recipe)                                                \
	static void get_##recipe(struct tenon_call *call, void *door) \
	{                                                             \
		(void)door;                                           \
		tell(call, &(recipe));                                \
	}
#define ARGUMENTS(list) .arguments = (list), .argument_count = sizeof(list) / sizeof((list)[0])

static const struct tenon_prompt_argument architecture_arguments[] = {
	{.name = "description", .description = "What is to be built", .required = 1},
	{.name = "provider", .description = "azurerm or aws"},
	{.name = "region", .description = "Where, e.g. westeurope"},
	{.name = "environment", .description = "e.g. dev, prod"},
};
static const struct recipe architecture = {
	{{"description", "Build this architecture in the studio diagram: %s\n"},
	 {"provider", "Use the provider %s.\n"},
	 {"region", "Everything goes to the region %s.\n"},
	 {"environment", "It is the environment %s.\n"},
	 {NULL, "\nRead studio://guide first. Choose types with get_available_resource_types, then "
		"build everything with one execute_batch, containers first. Cure what "
		"validate_diagram finds, tidy up with layout_diagram, and end with estimate_costs: "
		"say what was built, what it costs a month and what was left open."}}};
GETTER(architecture)
const struct tenon_prompt tn_studio_prompt_architecture = {
	.name = "scaffold_architecture",
	.title = "Build an architecture",
	.description = "Builds an architecture described in words on the diagram.",
	ARGUMENTS(architecture_arguments),
	.get = get_architecture,
	.complete = tn_studio_complete,
};

static const struct tenon_prompt_argument three_tier_arguments[] = {
	{.name = "name", .description = "What the application is called"},
	{.name = "provider", .description = "azurerm or aws"},
	{.name = "region", .description = "Where, e.g. westeurope"},
	{.name = "data_tier", .description = "e.g. SQL Server, PostgreSQL"},
};
static const struct recipe three_tier = {
	{{NULL, "Build a three-tier web application in the studio diagram: a resource group, a "
		"network with a subnet for the application and one for the data, an app service "
		"plan with a web app, a database server with a database, and a key vault.\n"},
	 {"name", "It is called %s.\n"},
	 {"provider", "Use the provider %s.\n"},
	 {"region", "Everything goes to the region %s.\n"},
	 {"data_tier", "The database is %s.\n"},
	 {NULL, "\nWire them: the app to its plan and to its subnet, the database into its "
		"server. Read studio://guide, use one execute_batch, then validate_diagram, "
		"layout_diagram and estimate_costs, and report."}}};
GETTER(three_tier)
const struct tenon_prompt tn_studio_prompt_three_tier = {
	.name = "scaffold_three_tier",
	.title = "Build a three-tier application",
	.description = "Builds a web application with network, database and key vault.",
	ARGUMENTS(three_tier_arguments),
	.get = get_three_tier,
	.complete = tn_studio_complete,
};

static const struct tenon_prompt_argument review_arguments[] = {
	{.name = "focus", .description = "security, cost, reliability or all"}};
static const struct recipe review = {
	{{NULL, "Review the architecture in the studio diagram. Read "
		"terrastudio://diagram/current, studio://problems/current and "
		"studio://costs/current.\n"},
	 {"focus", "Look at %s above all.\n"},
	 {NULL, "\nList findings with the names of the resources, the worst first, each with what "
		"could happen and what would cure it. Propose the changes as execute_batch calls, "
		"but do not make them."}}};
GETTER(review)
const struct tenon_prompt tn_studio_prompt_review = {
	.name = "review_architecture",
	.title = "Review the architecture",
	.description = "Findings about security, cost and reliability, with proposals.",
	ARGUMENTS(review_arguments),
	.get = get_review,
	.complete = tn_studio_complete,
};

static const struct tenon_prompt_argument explain_arguments[] = {
	{.name = "audience", .description = "Who reads it, e.g. developers, management"}};
static const struct recipe explain = {
	{{NULL, "Explain the architecture in the studio diagram in words: what it is for, how its "
		"parts work together, where data goes. Read terrastudio://diagram/current. Change "
		"nothing.\n"},
	 {"audience", "It is for %s.\n"}}};
GETTER(explain)
const struct tenon_prompt tn_studio_prompt_explain = {
	.name = "explain_diagram",
	.title = "Explain the diagram",
	.description = "The architecture in words.",
	ARGUMENTS(explain_arguments),
	.get = get_explain,
	.complete = tn_studio_complete,
};

static const struct recipe plan = {
	{{NULL, "Generate the configuration of the studio project with generate_hcl, run "
		"run_terraform with the command plan, and explain the result: what is created, "
		"changed, replaced and destroyed, what is risky, and what it means for costs. Do "
		"not apply it."}}};
GETTER(plan)
const struct tenon_prompt tn_studio_prompt_plan = {
	.name = "plan_and_summarise",
	.title = "Plan and summarise",
	.description = "Generates, plans and explains what would happen; never applies.",
	.get = get_plan,
};

static const struct tenon_prompt_argument costs_arguments[] = {
	{.name = "target_monthly", .description = "What it may cost a month, in USD"}};
static const struct recipe costs = {
	{{NULL, "Look for ways to make the architecture in the studio diagram cheaper.\n"},
	 {"target_monthly", "It should cost at most %s USD a month.\n"},
	 {NULL, "\nUse estimate_costs, also with `usage` for what-if questions. Propose "
		"alternatives, each with what it saves a month and what is given up for it. Change "
		"nothing before the user has chosen."}}};
GETTER(costs)
const struct tenon_prompt tn_studio_prompt_costs = {
	.name = "reduce_costs",
	.title = "Reduce costs",
	.description = "Alternatives with what each of them saves.",
	ARGUMENTS(costs_arguments),
	.get = get_costs,
	.complete = tn_studio_complete,
};

static const struct recipe harden = {
	{{NULL, "Propose how to harden the network of the studio diagram: private endpoints "
		"(services that stand in subnets), network security groups on every subnet, public "
		"access off. Show it as one execute_batch with dryRun true first, explain each "
		"step, and make the change only after the user has confirmed it."}}};
GETTER(harden)
const struct tenon_prompt tn_studio_prompt_harden = {
	.name = "harden_network",
	.title = "Harden the network",
	.description = "Private endpoints, security groups, no public access; as a batch to "
		       "confirm.",
	.get = get_harden,
};

static const struct tenon_prompt_argument fix_arguments[] = {
	{.name = "runId", .description = "The run; without it the last one"}};
static const struct recipe fix = {
	{{NULL, "A run of the engine failed. Read it with get_run, map its diagnostics to the "
		"resources of the diagram, explain what went wrong, and propose changes to the "
		"diagram. Plan again after they are made.\n"},
	 {"runId", "The run is %s.\n"}}};
GETTER(fix)
const struct tenon_prompt tn_studio_prompt_fix = {
	.name = "fix_failed_run",
	.title = "Fix a failed run",
	.description = "What went wrong, where in the diagram, and what would cure it.",
	ARGUMENTS(fix_arguments),
	.get = get_fix,
	.complete = tn_studio_complete,
};

static const struct tenon_prompt_argument adopt_arguments[] = {
	{.name = "path", .description = "A folder with Terraform files", .required = 1}};
static const struct recipe adopt = {
	{{"path", "Take the Terraform configuration at %s into the studio diagram.\n"},
	 {NULL, "\nRun import_terraform with dryRun true first and explain what would be mapped, "
		"partly mapped, and kept as it is. After the user agrees import it, lay it out, "
		"give good labels, and compare with a plan, which should show no change."}}};
GETTER(adopt)
const struct tenon_prompt tn_studio_prompt_adopt = {
	.name = "adopt_existing",
	.title = "Adopt existing configuration",
	.description = "Imports Terraform files into the diagram, with a report first.",
	ARGUMENTS(adopt_arguments),
	.get = get_adopt,
};
