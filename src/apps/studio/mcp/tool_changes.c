/* list_changes: who did what, and when (12.6); of one change also where what is gone stood. */
#include "apps/studio/document/change.h"
#include "apps/studio/document/stood.h"
#include "apps/studio/limits.h"
#include "apps/studio/mcp/presence.h"
#include "apps/studio/mcp/tool_state.h"
#include "apps/studio/mcp/tools.h"
#include "jsonrpc/json_write.h"

enum { LIMIT_DEFAULT = 50 };

struct listing {
	struct tn_buf *out;
	struct tn_studio_here *here; /* whose colours are */
	const char *actor;           /* NULL: everybody */
	uint64_t change;             /* 0: all */
	size_t count, skip;
};

static bool is_wanted(const struct listing *listing, const struct tn_change *change)
{
	return (!listing->actor || strcmp(listing->actor, change->actor) == 0) &&
	       (!listing->change || listing->change == change->id);
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
		tn_studio_put_listed_change(listing->out, change, tn_studio_here_colour,
					    listing->here);
	return true;
}

static bool read_change(struct tenon_call *call, uint64_t *ret)
{
	const char *id = tenon_call_text(call, "changeId");
	struct tn_studio_fault fault = {.code = NULL};

	if (!id || tn_studio_read_change_id(id, ret))
		return true;
	(void)tn_studio_fail(&fault, "INVALID_INPUT",
			     "changeId '%.60s' is none; changes have them (\"change-12\")", id);
	tn_studio_reply_fault(call, &fault);
	return false;
}

/* Without memory it is not said. */
static void put_stood(const struct listing *listing, struct tn_studio_project *project)
{
	struct tn_buf stood;

	tn_buf_init(&stood, TN_STUDIO_RESULT_BYTES_MAX);
	if (tn_studio_document_index(&project->document, NULL) == TENON_OK &&
	    tn_studio_put_stood(&stood, &project->document, project->log, listing->change, NULL) ==
		    TENON_OK) {
		tn_json_put_key(listing->out, "stood");
		tn_json_put_raw(listing->out, tn_buf_str(&stood));
	}
	tn_buf_finish(&stood);
}

void tn_studio_call_changes(struct tenon_call *call, void *data)
{
	struct tn_studio_door *door = data;
	struct tn_studio_project *project = tn_studio_project_of(call, door);
	int64_t limit = LIMIT_DEFAULT, since = 0;
	struct tn_buf result;
	struct listing listing = {
		.out = &result, .here = door->here, .actor = tenon_call_text(call, "actor")};

	if (!project || !read_change(call, &listing.change))
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
	if (listing.change)
		put_stood(&listing, project);
	tn_json_put_member_int(&result, "revision", (int64_t)tn_oplog_revision(project->log));
	tn_studio_put_can_undo(&result, project->log);
	tn_json_end_object(&result);
	tn_studio_reply(call, tn_str("", 0), &result);
}
