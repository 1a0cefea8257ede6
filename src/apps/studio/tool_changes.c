/* list_changes: who did what, and when (12.6). */
#include "apps/studio/change.h"
#include "apps/studio/tool_state.h"
#include "jsonrpc/json_write.h"

enum { LIMIT_DEFAULT = 50 };

static const char input_schema[] =
	"{\"type\":\"object\",\"properties\":{"
	"\"limit\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":1000,\"default\":50,"
	"\"description\":\"Most changes to return; the newest\"},"
	"\"sinceRevision\":{\"type\":\"integer\",\"minimum\":0,\"description\":\"Only those after "
	"this revision\"},"
	"\"actor\":{\"type\":\"string\",\"maxLength\":256,\"description\":\"Only those of this "
	"client or person\"}," TN_STUDIO_PROJECT_ARGUMENT "},\"additionalProperties\":false}";

static const char output_schema[] =
	TN_STUDIO_OUTPUT("\"changes\":" TN_STUDIO_OBJECTS ",\"revision\":" TN_STUDIO_COUNT
			 ",\"canUndo\":" TN_STUDIO_SWITCH ",\"canRedo\":" TN_STUDIO_SWITCH,
			 "\"changes\",\"revision\",\"canUndo\",\"canRedo\"");

struct listing {
	struct tn_buf *out;
	const char *actor; /* NULL: everybody */
	size_t count, skip;
};

static bool is_wanted(const struct listing *listing, const struct tn_change *change)
{
	return !listing->actor || strcmp(listing->actor, change->actor) == 0;
}

static bool count(const struct tn_change *change, void *data)
{
	struct listing *listing = data;

	listing->count += is_wanted(listing, change);
	return true;
}

static bool put(const struct tn_change *change, void *data)
{
	struct listing *listing = data;

	if (!is_wanted(listing, change))
		return true;
	if (listing->skip > 0)
		listing->skip--;
	else
		tn_studio_put_listed_change(listing->out, change);
	return true;
}

static void call_changes(struct tenon_call *call, void *data)
{
	struct tn_studio_door *door = data;
	struct tn_studio_project *project = tn_studio_project_of(call, door);
	int64_t limit = LIMIT_DEFAULT, since = 0;
	struct tn_buf result;
	struct listing listing = {.out = &result, .actor = tenon_call_text(call, "actor")};

	if (!project)
		return;
	(void)tenon_call_int(call, "limit", &limit);
	(void)tenon_call_int(call, "sinceRevision", &since);
	tn_oplog_list(project->log, (uint64_t)since, count, &listing);
	listing.skip = listing.count > (size_t)limit ? listing.count - (size_t)limit : 0;
	tn_buf_init(&result, TN_STUDIO_RESULT_BYTES_MAX);
	tn_json_begin_object(&result);
	tn_json_put_key(&result, "changes");
	tn_json_begin_array(&result);
	tn_oplog_list(project->log, (uint64_t)since, put, &listing);
	tn_json_end_array(&result);
	tn_json_put_member_int(&result, "revision", (int64_t)tn_oplog_revision(project->log));
	tn_studio_put_can_undo(&result, project->log);
	tn_json_end_object(&result);
	tn_studio_reply(call, tn_str("", 0), &result);
}

const struct tenon_tool tn_studio_tool_changes = {
	.name = "list_changes",
	.title = "List changes",
	.description = "The history of the diagram, oldest first: who changed what, when, and "
		       "whether it is undone. After a lost connection it says whether a write "
		       "happened.",
	.input_schema = input_schema,
	.output_schema = output_schema,
	.flags = TENON_READ_ONLY | TENON_IDEMPOTENT | TENON_CLOSED_WORLD,
	.text_max_bytes = 100000,
	.call = call_changes,
	.beyond_core = true,
};
