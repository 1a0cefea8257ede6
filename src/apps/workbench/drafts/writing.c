#include "apps/workbench/drafts/writing.h"

#include <fcntl.h>
#include <unistd.h>

#include "apps/workbench/drafts/drafts_parts.h"
#include "base/mem.h"
#include "loop/loop.h"

/* Somebody who writes the file all the time does not keep others waiting for ever. */
enum { MERGES_MAX = 8 };

struct tn_wb_writing {
	struct tn_wb_drafts *drafts; /* NULL: they were closed */
	const struct tn_wb_writing_ops *ops;
	struct tn_loop *loop;
	int root_fd;
	uint64_t wanted, written; /* how often it was asked for, and what of it is done */
	struct tn_wb_written *waiting;

	/* As the file is, as it will be, and as it shall be when the drafts are closed. */
	struct tn_wb_document base, now, last;
	bool runs, has_last;
	uint64_t number; /* of what is being written */
	unsigned merges; /* in a row */
	char updated_at[TN_CLOCK_ISO_SIZE];
	char known[TN_DIGEST_HEX_SIZE], digest[TN_DIGEST_HEX_SIZE]; /* of the file: before, after */
	enum tenon_code code;
	struct tenon_error err;
	struct tn_wb_disk_look theirs; /* where others have changed the file */
};

/* The same drafts, in a list of its own. False: no memory. */
static bool copy(struct tn_wb_document *to, const struct tn_wb_document *from)
{
	tn_wb_document_finish(to);
	tn_wb_document_init(to);
	to->slots = tn_mem_alloc_array(from->count + 1, sizeof(*to->slots));
	if (!to->slots)
		return false;
	to->count = to->capacity = from->count;
	to->bytes = from->bytes;
	for (size_t i = 0; i < from->count; i++)
		to->slots[i].draft = tn_wb_draft_ref(from->slots[i].draft);
	return true;
}

static void move(struct tn_wb_document *to, struct tn_wb_document *from)
{
	tn_wb_document_finish(to);
	*to = *from;
	tn_wb_document_init(from);
}

static void free_writing(struct tn_wb_writing *writing)
{
	tn_wb_document_finish(&writing->base);
	tn_wb_document_finish(&writing->now);
	tn_wb_document_finish(&writing->last);
	tn_wb_disk_look_finish(&writing->theirs);
	if (writing->root_fd >= 0)
		(void)close(writing->root_fd); /* only held */
	tn_mem_free(writing);
}

struct tn_wb_writing *tn_wb_writing_open(struct tn_wb_drafts *drafts, struct tn_loop *loop,
					 const struct tn_wb_writing_ops *ops)
{
	struct tn_wb_writing *writing = tn_mem_alloc(sizeof(*writing));

	if (!writing)
		return NULL;
	writing->drafts = drafts;
	writing->loop = loop;
	writing->ops = ops;
	writing->root_fd = fcntl(drafts->root_fd, F_DUPFD_CLOEXEC, 3);
	tn_wb_document_init(&writing->base);
	tn_wb_document_init(&writing->now);
	tn_wb_document_init(&writing->last);
	tn_wb_disk_look_init(&writing->theirs);
	if (writing->root_fd >= 0 && copy(&writing->base, &drafts->document))
		return writing;
	free_writing(writing);
	return NULL;
}

bool tn_wb_writing_is_busy(const struct tn_wb_writing *writing)
{
	return writing && writing->runs;
}

void tn_wb_writing_settled(struct tn_wb_writing *writing)
{
	if (writing && !writing->runs)
		(void)copy(&writing->base, &writing->drafts->document); /* or the one before */
}

/* ---- in the worker ---- */

static void work(void *data, const atomic_bool *cancelled)
{
	struct tn_wb_writing *writing = data;

	(void)cancelled; /* what was asked for is written */
	writing->code =
		tn_wb_override_file_write(writing->root_fd, &writing->now, writing->updated_at,
					  writing->known, writing->digest, &writing->err);
	if (writing->code != TENON_EXPIRED)
		return;
	tn_wb_disk_look_finish(&writing->theirs);
	tn_wb_disk_look_init(&writing->theirs);
	if (tn_wb_disk_look(&writing->theirs, writing->root_fd, &writing->err) != TENON_OK)
		writing->code = TENON_NO_MEMORY;
}

static void done(void *data, bool cancelled);

static enum tenon_code start(struct tn_wb_writing *writing, struct tenon_error *err)
{
	struct tn_job *job;
	enum tenon_code code = tn_job_start(writing->loop, work, done, writing, &job, err);

	writing->runs = code == TENON_OK;
	return code;
}

static enum tenon_code start_now(struct tn_wb_writing *writing, struct tenon_error *err)
{
	const struct tn_wb_drafts *drafts = writing->drafts;

	if (!copy(&writing->now, &drafts->document))
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	tn_clock_format_iso(tn_clock_wall_ms(drafts->clock), writing->updated_at);
	memcpy(writing->known, drafts->digest, sizeof(writing->known));
	writing->number = writing->wanted;
	writing->drafts->writes++;
	return start(writing, err);
}

/* ---- what came of it ---- */

/* Those who wait for what is settled now. */
static void tell(struct tn_wb_writing *writing, enum tenon_code code, const struct tenon_error *err)
{
	struct tn_wb_written **at = &writing->waiting, *ready = NULL, **end = &ready;

	while (*at) {
		struct tn_wb_written *one = *at;

		if (one->number > writing->written) {
			at = &one->next;
			continue;
		}
		*at = one->next;
		one->next = NULL;
		*end = one;
		end = &one->next;
	}
	while (ready) {
		struct tn_wb_written *one = ready;

		ready = one->next;
		one->writing = NULL;
		one->done(one, code, err);
	}
}

static void succeed(struct tn_wb_writing *writing)
{
	struct tn_wb_drafts *drafts = writing->drafts;

	memcpy(drafts->updated_at, writing->updated_at, sizeof(writing->updated_at));
	memcpy(drafts->digest, writing->digest, sizeof(writing->digest));
	drafts->file_exists = true;
	move(&writing->base, &writing->now);
	writing->written = writing->number;
	writing->merges = 0;
}

/* O6: what was not written has not happened, nor what was built on it. */
static void fail(struct tn_wb_writing *writing)
{
	writing->written = writing->wanted;
	writing->merges = 0;
	writing->ops->go_back(writing->drafts, &writing->base);
}

static void finish_closed(struct tn_wb_writing *writing)
{
	if (writing->has_last) {
		writing->has_last = false;
		move(&writing->now, &writing->last);
		if (writing->code == TENON_OK)
			memcpy(writing->known, writing->digest, sizeof(writing->known));
		if (start(writing, NULL) == TENON_OK)
			return;
	}
	free_writing(writing);
}

static void done(void *data, bool cancelled)
{
	struct tn_wb_writing *writing = data;
	struct tenon_error err = writing->err;
	enum tenon_code code = cancelled ? TENON_CANCELLED : writing->code;

	writing->runs = false;
	if (!writing->drafts) {
		finish_closed(writing);
		return;
	}
	writing->drafts->writes++;
	if (code == TENON_EXPIRED && writing->merges++ < MERGES_MAX) {
		code = writing->ops->merge(writing->drafts, &writing->base, &writing->theirs, &err);
		if (code == TENON_OK)
			code = start_now(writing, &err);
		if (code == TENON_OK)
			return;
	}
	if (code == TENON_OK)
		succeed(writing);
	else
		fail(writing);
	/* Whoever is told may close the drafts. */
	writing->runs = true;
	tell(writing, code, &err);
	writing->runs = false;
	if (!writing->drafts)
		finish_closed(writing);
	else if (writing->wanted > writing->written && start_now(writing, &err) != TENON_OK) {
		fail(writing);
		tell(writing, TENON_NO_MEMORY, &err);
	}
}

/* ---- from outside ---- */

enum tenon_code tn_wb_writing_want(struct tn_wb_writing *writing, struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;

	writing->wanted++;
	if (!writing->runs)
		code = start_now(writing, err);
	if (code != TENON_OK)
		writing->wanted--;
	return code;
}

void tn_wb_writing_wait(struct tn_wb_writing *writing, struct tn_wb_written *written)
{
	written->writing = writing;
	written->number = writing->wanted;
	written->next = writing->waiting;
	writing->waiting = written;
}

void tn_wb_written_forget(struct tn_wb_written *written)
{
	struct tn_wb_written **at = written->writing ? &written->writing->waiting : NULL;

	while (at && *at && *at != written)
		at = &(*at)->next;
	if (at && *at)
		*at = written->next;
	written->writing = NULL;
}

void tn_wb_writing_close(struct tn_wb_writing *writing)
{
	struct tenon_error err;

	if (!writing)
		return;
	/* Also what has changed since the worker began. */
	writing->has_last = writing->runs && writing->wanted > writing->number &&
			    copy(&writing->last, &writing->drafts->document);
	writing->written = writing->wanted;
	(void)tn_fail(&err, TENON_CANCELLED, "the workspace was closed meanwhile");
	tell(writing, TENON_CANCELLED, &err);
	writing->drafts = NULL;
	if (!writing->runs)
		free_writing(writing);
}
