#include "apps/studio/mcp/waiting.h"

#include <string.h>

#include "base/mem.h"
#include "mcp/call.h"

enum { NEXT_MS = 1 }; /* what else the loop has to do comes between */

struct waiting {
	struct tenon_call *call;
	struct tn_studio_queue *queue; /* NULL: it is no longer in it */
	tenon_call_fn *again;
	void *data;
	bool due; /* its turn comes with the next turn of the loop */
	struct waiting *next;
};

struct tn_studio_queue {
	struct tn_studio_door *door;
	char *path;    /* of the project's folder */
	unsigned held; /* by so many: what is edited on trial may be closed meanwhile */
	struct waiting *first;
	struct tn_studio_queue *next;
};

static struct tn_studio_queue *find(const struct tn_studio_door *door, const char *path)
{
	struct tn_studio_queue *at = door->queues;

	while (at && strcmp(at->path, path) != 0)
		at = at->next;
	return at;
}

static void drop_empty(struct tn_studio_queue *queue)
{
	struct tn_studio_queue **at = &queue->door->queues;

	if (queue->held || queue->first)
		return;
	while (*at != queue)
		at = &(*at)->next;
	*at = queue->next;
	tn_mem_free(queue->path);
	tn_mem_free(queue);
}

static void resume(struct tenon_call *call, void *data)
{
	struct waiting *waiting = data;

	waiting->again(call, waiting->data);
}

/* One at a time: the next comes when this one has begun, and is before whoever calls then. */
static void start_next(struct tn_studio_queue *queue)
{
	queue->first->due = true;
	tenon_call_after(queue->first->call, NEXT_MS, resume, queue->first);
}

static void leave(struct waiting *waiting)
{
	struct tn_studio_queue *queue = waiting->queue;
	struct waiting **at = &queue->first;
	bool was_first = queue->first == waiting;

	while (*at != waiting)
		at = &(*at)->next;
	*at = waiting->next;
	waiting->queue = NULL;
	if (!queue->first)
		drop_empty(queue);
	else if (was_first && !queue->held)
		start_next(queue);
}

static void free_waiting(void *data)
{
	struct waiting *waiting = data;

	if (waiting->queue)
		leave(waiting);
	tn_mem_free(waiting);
}

static void cancelled(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_fail(call, "cancelled"); /* nobody reads it */
}

static void enqueue(struct tenon_call *call, struct tn_studio_queue *queue, tenon_call_fn *again,
		    void *data)
{
	struct waiting *waiting = tn_mem_alloc(sizeof(*waiting)), **end = &queue->first;
	struct tn_studio_fault fault;

	if (!waiting) {
		(void)tn_studio_fail_memory(&fault);
		tn_studio_reply_fault(call, &fault);
		return;
	}
	while (*end)
		end = &(*end)->next;
	*waiting = (struct waiting){.call = call, .queue = queue, .again = again, .data = data};
	*end = waiting;
	tenon_call_set_data(call, waiting, free_waiting);
	tenon_call_on_cancel(call, cancelled, NULL);
}

bool tn_studio_waits(struct tenon_call *call, struct tn_studio_door *door, const char *path,
		     tenon_call_fn *again, void *data)
{
	struct tn_studio_queue *queue = find(door, path);
	struct waiting *first = queue ? queue->first : NULL;

	if (!queue)
		return false;
	if (!first || first->call != call || !first->due) {
		enqueue(call, queue, again, data);
		return true;
	}
	first->due = false;
	if (queue->held)
		return true; /* somebody came before: it stays where it is */
	tenon_call_on_cancel(call, NULL, NULL);
	leave(first);
	return false;
}

struct tn_studio_queue *tn_studio_queue_hold(struct tn_studio_door *door, const char *path)
{
	struct tn_studio_queue *queue = find(door, path);

	if (!queue) {
		queue = tn_mem_alloc(sizeof(*queue));
		if (!queue)
			return NULL;
		queue->door = door;
		queue->path = tn_mem_copy_text(path, strlen(path));
		if (!queue->path) {
			tn_mem_free(queue);
			return NULL;
		}
		queue->next = door->queues;
		door->queues = queue;
	}
	queue->held++;
	return queue;
}

void tn_studio_queue_release(struct tn_studio_queue *queue)
{
	if (!queue)
		return;
	if (--queue->held > 0)
		return; /* its project is being closed, say, while an edit was made */
	if (queue->first)
		start_next(queue);
	else
		drop_empty(queue);
}
