/* document.h - all overrides of a workspace as a document of the operation log (ARCHITECTURE
 * section 3.3): it changes by one operation alone, which puts a draft at an address or takes it
 * away.
 *
 * The operation: {"group","instanceId","path","entry"}, the entry null or {"value",
 * "componentTypeId"?, "instanceLocator"?, "reboundFrom"?}. Ownership: the caller's struct. Limits:
 * TN_WB_OVERRIDES_MAX drafts, TN_WB_OVERRIDES_BYTES_MAX. Threads: one at a time. */
#ifndef TN_WB_DRAFTS_DOCUMENT_H
#define TN_WB_DRAFTS_DOCUMENT_H

#include "apps/workbench/drafts/draft.h"
#include "apps/workbench/limits.h"
#include "base/map.h"
#include "store/oplog.h"

struct tn_wb_slot { /* a draft and what the sessions say of it */
	struct tn_wb_draft *draft;
	uint8_t reports[TN_WB_SESSIONS_MAX]; /* enum tn_wb_report; computed, not part of the log */
	/* Made by an assistant; else it is taken for a person's: what a person made and an
	 * assistant has changed since, what undo brings back, and what the file had. */
	bool by_assistant;
};

/* An address that was touched since tn_wb_document_watch, and what was there before. */
struct tn_wb_touch {
	struct tn_wb_draft *before; /* NULL: nothing */
	struct tn_wb_slot slot;     /* of that, with what is known beside the draft */
	struct tn_wb_draft *named;  /* a draft of that address, so that it stays named */
};

struct tn_wb_document {
	struct tn_wb_slot *slots; /* sorted by address */
	size_t count, capacity;
	size_t bytes;
	size_t rebound;        /* drafts that were found again under another id */
	struct tn_map touched; /* addresses to their number + 1 */
	struct tn_buf touches; /* of struct tn_wb_touch, in the order they came */
	bool watching;
};

extern const struct tn_document_ops tn_wb_document_ops;

void tn_wb_document_init(struct tn_wb_document *document);
void tn_wb_document_finish(struct tn_wb_document *document);

/* Where the address is, or would be. */
size_t tn_wb_document_place(const struct tn_wb_document *document,
			    const struct tn_wb_address *address);
/* NULL: no draft is there. */
struct tn_wb_slot *tn_wb_document_find(const struct tn_wb_document *document,
				       const struct tn_wb_address *address);
/* The slots of one group, or of one instance in it: from *ret_first, that many. */
size_t tn_wb_document_group(const struct tn_wb_document *document, enum tn_wb_group group,
			    size_t *ret_first);
size_t tn_wb_document_instance(const struct tn_wb_document *document, enum tn_wb_group group,
			       struct tn_str instance_id, size_t *ret_first);

/* Puts a draft in its place, outside the log: a reference is taken. Fails: LIMIT, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_wb_document_put(struct tn_wb_document *document,
					       struct tn_wb_draft *draft, struct tenon_error *err);
void tn_wb_document_remove(struct tn_wb_document *document, size_t index);

/* Begins to note what is touched; anew. */
void tn_wb_document_watch(struct tn_wb_document *document);
void tn_wb_document_unwatch(struct tn_wb_document *document);
/* A draft that was named, and stays as it is, is one of the touches. Fails: NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_wb_document_name(struct tn_wb_document *document,
						const struct tn_wb_slot *slot,
						struct tenon_error *err);
/* Drafts that were touched and are as they were keep what the sessions said of them, and whose they
 * are. */
void tn_wb_document_settle(struct tn_wb_document *document);
size_t tn_wb_document_touches(const struct tn_wb_document *document,
			      const struct tn_wb_touch **ret);
/* What is there now, for a touch: NULL for nothing. */
struct tn_wb_draft *tn_wb_document_after(const struct tn_wb_document *document,
					 const struct tn_wb_touch *touch);

/* An operation, as JSON, in the arena (sharing what it is given). NULL: no memory. */
struct tn_json *tn_wb_document_operation(struct tn_arena *arena,
					 const struct tn_wb_address *address,
					 const struct tn_json *entry);
/* The entry of one; NULL: no memory. */
struct tn_json *tn_wb_document_entry(struct tn_arena *arena, const struct tn_wb_draft_parts *parts);
/* The address that an operation names. False: it names none. */
bool tn_wb_document_address(const struct tn_json *operation, struct tn_wb_address *ret);

#endif
