/* Completion of what the resources' URIs and the prompts' arguments leave open. */
#include <string.h>

#include "apps/floorplan/mcp/schema_page.h"
#include "apps/floorplan/mcp/tool_state.h"
#include "base/limits.h"
#include "base/size.h"

struct completing {
	struct tenon_call *call;
	struct tn_floor_door *door;
	struct tn_str typed;
	uint64_t total;
};

static void offer(struct completing *to, const char *value)
{
	if (!tn_str_starts(tn_str_from(value), to->typed))
		return;
	if (to->total++ < TN_COMPLETIONS_MAX)
		tenon_call_add_completion(to->call, value);
}

static void complete_examples(struct completing *to)
{
	struct tn_floor_example example;

	for (size_t i = 0; tn_floor_example_at(i, &example); i++)
		offer(to, example.name);
}

static void complete_documents(struct completing *to)
{
	const char *principal = tenon_call_principal(to->call);
	const struct tn_handle *at = NULL;

	while ((at = tn_handles_next(&to->door->documents.handles, at, principal)))
		offer(to, at->id);
}

static void complete_units(struct completing *to)
{
	for (int unit = TN_FLOOR_M; unit <= TN_FLOOR_MM; unit++)
		offer(to, tn_floor_unit_name((enum tn_floor_unit)unit));
}

static void complete_codes(struct completing *to)
{
	static const char *const codes[] = {"residential", "commercial", "ada", "none"};

	for (size_t i = 0; i < TN_COUNT(codes); i++)
		offer(to, codes[i]);
}

static void complete_focus(struct completing *to)
{
	static const char *const focuses[] = {"circulation", "daylight", "accessibility", "areas",
					      "all"};

	for (size_t i = 0; i < TN_COUNT(focuses); i++)
		offer(to, focuses[i]);
}

void tn_floor_complete(struct tenon_call *call, void *door)
{
	static const struct {
		const char *name;
		void (*complete)(struct completing *to);
	} completers[] = {{"name", complete_examples},      {"id", complete_documents},
			  {"document", complete_documents}, {"unit", complete_units},
			  {"code", complete_codes},         {"focus", complete_focus}};
	const char *name = NULL, *value = NULL;
	struct completing to = {.call = call, .door = door};

	tenon_call_completing(call, &name, &value);
	to.typed = tn_str_from(value);
	for (size_t i = 0; name && i < TN_COUNT(completers); i++) {
		if (strcmp(completers[i].name, name) == 0)
			completers[i].complete(&to);
	}
	tenon_call_set_completion_total(call, to.total);
	tenon_call_finish(call);
}
