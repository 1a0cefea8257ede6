#include "apps/workbench/workspace/claiming.h"

#include "base/limits.h"
#include "loop/loop.h"

void tn_wb_claiming_init(struct tn_wb_claiming *claiming)
{
	*claiming = (struct tn_wb_claiming){.kind = TN_WB_CLAIM_SNAPSHOT};
	tn_buf_init(&claiming->text, TN_MESSAGE_BYTES_MAX);
	tn_buf_init(&claiming->out, TN_RESULT_BYTES_MAX);
	tn_wb_diagnostics_init(&claiming->diagnostics);
}

void tn_wb_claiming_finish(struct tn_wb_claiming *claiming)
{
	tn_buf_finish(&claiming->text);
	tn_buf_finish(&claiming->out);
	tn_wb_diagnostics_finish(&claiming->diagnostics);
}

/* ---- one update ---- */

/* Where it is made: the graph, and how many producers from outside it has seen. */
struct place {
	struct tn_wb_graph *graph;
	uint32_t outside;
};

struct counting {
	const char *producer;
	size_t count;
	uint32_t rank;
	bool found;
};

static void count_one(const char *producer, uint32_t rank, void *data)
{
	struct counting *counting = data;

	counting->count++;
	if (strcmp(producer, counting->producer) != 0)
		return;
	counting->found = true;
	counting->rank = rank;
}

/* In the order of their first contact (G3). False: there are too many; also one that claims nothing
 * takes room. */
static bool find_rank(struct tn_wb_claiming *claiming, struct place *place, uint32_t *ret)
{
	struct counting counting = {.producer = claiming->producer};

	tn_wb_graph_producers(place->graph, count_one, &counting);
	*ret = counting.found ? counting.rank : TN_WB_RANK_OUTSIDE + place->outside++;
	if (counting.found || counting.count < TN_WB_PRODUCERS_MAX)
		return true;
	tn_wb_diagnose(&claiming->diagnostics,
		       &(struct tn_wb_diagnostic){
			       .severity = TN_WB_ERROR,
			       .code = "limit_exceeded",
			       .message = "the graph has its most producers already: delete some"});
	return false;
}

static enum tenon_code take_back(struct tn_wb_claiming *claiming, struct tn_wb_graph *graph)
{
	if (tn_wb_graph_removes_long(graph, claiming->producer))
		return TENON_BUSY;
	claiming->update.accepted =
		tn_wb_graph_remove(graph, claiming->producer, &claiming->update);
	return claiming->update.accepted
		       ? TENON_OK
		       : tn_fail(&claiming->err, TENON_NOT_FOUND, "there is no such producer");
}

static enum tenon_code claim(struct tn_wb_claiming *claiming, struct place *place,
			     const struct tn_json *document)
{
	struct tn_wb_diagnostics *diagnostics = &claiming->diagnostics;
	uint32_t rank;

	claiming->update.revision = tn_wb_graph_revision(place->graph);
	if (!find_rank(claiming, place, &rank))
		return TENON_OK; /* refused */
	if (claiming->kind == TN_WB_CLAIM_SNAPSHOT)
		return tn_wb_graph_put(place->graph, claiming->producer, rank, document,
				       &claiming->update, diagnostics, &claiming->err);
	return tn_wb_graph_edit(place->graph, claiming->producer, rank, document, &claiming->update,
				diagnostics, &claiming->err);
}

/* BUSY: it is for a worker; nothing has happened. */
static enum tenon_code update(struct tn_wb_claiming *claiming, struct place *place,
			      const struct tn_json *document)
{
	uint32_t outside = place->outside;
	enum tenon_code code = claiming->kind == TN_WB_CLAIM_NOTHING
				       ? take_back(claiming, place->graph)
				       : claim(claiming, place, document);

	if (code == TENON_OK)
		claiming->describe(claiming);
	if (code == TENON_BUSY)
		place->outside = outside;
	return code;
}

/* Of what has come as text, in a copy: it may have to be read once more. */
static enum tenon_code read_and_update(struct tn_wb_claiming *claiming, struct place *place)
{
	struct tn_json *document = NULL;
	struct tn_arena arena;
	enum tenon_code code = TENON_OK;

	tn_arena_init(&arena, TN_MESSAGE_ARENA_MAX);
	if (claiming->kind != TN_WB_CLAIM_NOTHING)
		code = tn_json_parse_copy(&arena, tn_buf_str(&claiming->text), &document,
					  &claiming->err);
	if (code == TENON_OK)
		code = update(claiming, place, document);
	tn_arena_finish(&arena);
	return code;
}

/* ---- in a worker: all that wait, one after the other ---- */

static void do_all(struct tn_wb_claiming *first, struct tn_wb_graph *copy)
{
	struct place place = {copy, first->outside};
	bool accepted = false;

	for (struct tn_wb_claiming *at = first; at; at = at->next) {
		at->code = copy ? read_and_update(at, &place)
				: tn_fail(&at->err, TENON_NO_MEMORY, "out of memory");
		accepted = accepted || (at->code == TENON_OK && at->update.accepted);
	}
	first->outside = place.outside;
	if (accepted)
		first->made = copy;
	else
		tn_wb_graph_destroy(copy);
}

static void work(void *data, const atomic_bool *cancelled)
{
	struct tn_wb_claiming *first = data;

	(void)cancelled;
	do_all(first, tn_wb_graph_copy(first->lent));
}

static void destroy_graph(void *graph)
{
	tn_wb_graph_destroy(graph);
}

/* ---- the queue ---- */

bool tn_wb_claiming_is_idle(const struct tn_wb_workspace *workspace)
{
	return !workspace->claiming_runs;
}

static void finish_all(struct tn_wb_workspace *workspace, struct tn_wb_claiming *first)
{
	struct tn_wb_claiming *next;

	for (struct tn_wb_claiming *at = first; at; at = next) {
		bool changed = at->code == TENON_OK && at->update.changed;

		next = at->next;
		if (!workspace)
			at->code = TENON_CANCELLED;
		else if (changed)
			tn_wb_workspace_tell(workspace, TN_WB_CHANGED_GRAPH);
		at->done(at);
	}
}

static void take_place(struct tn_wb_workspace *workspace, struct tn_wb_graph *made)
{
	struct tn_wb_graph *before = workspace->graph;

	tn_wb_graph_succeed(made, before);
	workspace->graph = made;
	workspace->sessions.site.graph = made;
	tn_job_free_aside(workspace->set->loop, destroy_graph, before);
}

static void done(void *data, bool cancelled)
{
	struct tn_wb_claiming *first = data;
	struct tn_wb_workspace *workspace = first->workspace;

	(void)cancelled;  /* nobody does */
	if (!workspace) { /* closed: what it had lent is nobody's */
		tn_wb_graph_destroy(first->lent);
		tn_wb_graph_destroy(first->made);
		finish_all(NULL, first);
		return;
	}
	workspace->claiming_runs = NULL;
	workspace->outside = first->outside;
	if (first->made)
		take_place(workspace, first->made);
	finish_all(workspace, first);
	workspace->settle_look(workspace);
	tn_wb_claiming_go_on(workspace);
}

bool tn_wb_claiming_try(struct tn_wb_workspace *workspace, struct tn_wb_claiming *claiming)
{
	struct place place = {workspace->graph, workspace->outside};

	if (workspace->claiming_runs || workspace->claimings)
		return false;
	if (claiming->document || claiming->kind == TN_WB_CLAIM_NOTHING)
		claiming->code = update(claiming, &place, claiming->document);
	else if (claiming->text.size <= TN_WB_CLAIMED_NOW_BYTES)
		claiming->code = read_and_update(claiming, &place);
	else
		return false;
	if (claiming->code == TENON_BUSY)
		return false;
	workspace->outside = place.outside;
	claiming->next = NULL;
	finish_all(workspace, claiming);
	return true;
}

static size_t bytes_of(const struct tn_wb_claiming *first)
{
	size_t bytes = 0;

	for (const struct tn_wb_claiming *at = first; at; at = at->next)
		bytes += at->text.size;
	return bytes;
}

bool tn_wb_claiming_add(struct tn_wb_workspace *workspace, struct tn_wb_claiming *claiming)
{
	struct tn_wb_claiming **at = &workspace->claimings;
	size_t count = 0,
	       bytes = bytes_of(workspace->claimings) + bytes_of(workspace->claiming_runs);

	claiming->code = TENON_OK;
	claiming->workspace = workspace;
	claiming->document = NULL;
	claiming->next = NULL;
	for (; *at; at = &(*at)->next)
		count++;
	if (count >= TN_WB_CLAIMINGS_MAX ||
	    (bytes && bytes + claiming->text.size > TN_WB_CLAIMINGS_BYTES_MAX))
		return false;
	*at = claiming;
	tn_wb_claiming_go_on(workspace);
	return true;
}

/* Those in front whose text is there; what is behind one that comes waits for it. */
static struct tn_wb_claiming *take_ready(struct tn_wb_workspace *workspace)
{
	struct tn_wb_claiming *first = workspace->claimings, **at = &workspace->claimings;

	while (*at && !(*at)->comes)
		at = &(*at)->next;
	if (at == &workspace->claimings)
		return NULL;
	workspace->claimings = *at;
	*at = NULL;
	return first;
}

void tn_wb_claiming_go_on(struct tn_wb_workspace *workspace)
{
	struct tn_wb_claiming *first = workspace->claiming_runs ? NULL : take_ready(workspace);
	enum tenon_code code;
	struct tn_job *job;

	if (!first)
		return;
	first->lent = workspace->graph;
	first->outside = workspace->outside;
	code = tn_job_start(workspace->set->loop, work, done, first, &job, &first->err);
	if (code == TENON_OK) {
		workspace->claiming_runs = first;
		return;
	}
	for (struct tn_wb_claiming *at = first; at; at = at->next)
		at->code = code;
	finish_all(workspace, first);
}

void tn_wb_claiming_drop(struct tn_wb_claiming *claiming)
{
	struct tn_wb_workspace *workspace = claiming->workspace;
	struct tn_wb_claiming **at = workspace ? &workspace->claimings : NULL;

	while (at && *at && *at != claiming)
		at = &(*at)->next;
	if (at && *at)
		*at = claiming->next;
	claiming->next = NULL;
	claiming->code = TENON_CANCELLED;
	claiming->done(claiming);
	if (workspace)
		tn_wb_claiming_go_on(workspace);
}

void tn_wb_claiming_close(struct tn_wb_workspace *workspace)
{
	struct tn_wb_claiming *waiting = workspace->claimings;

	workspace->claimings = NULL;
	for (struct tn_wb_claiming *at = waiting; at; at = at->next)
		at->workspace = NULL;
	finish_all(NULL, waiting);
	if (!workspace->claiming_runs)
		return;
	for (struct tn_wb_claiming *at = workspace->claiming_runs; at; at = at->next)
		at->workspace = NULL;
	workspace->claiming_runs = NULL;
	workspace->graph = NULL; /* its worker has it */
}
