/* documents.h - plans that are open (floorplan.md 7.8): a text, the log of its changes, and perhaps
 * the file it came from.
 *
 * A document's only operation replaces a range of bytes, {"at":7,"remove":3,"text":"..."}, and its
 * inverse is one as well. Logs are in memory: what is to last is saved to its file. A document is
 * known by a handle, which belongs to the principal that opened it. Threads: loop, except
 * tn_floor_document_read and _write, which touch only what they are given. */
#ifndef TN_FLOOR_DOCUMENTS_H
#define TN_FLOOR_DOCUMENTS_H

#include "base/clock.h"
#include "base/digest.h"
#include "store/handles.h"
#include "store/oplog.h"

struct tn_floor_document {
	struct tn_buf text;
	struct tn_oplog *log;
	char *path;                     /* NULL: it came as text */
	char saved[TN_DIGEST_HEX_SIZE]; /* of the file as it was read or written last */
	uint64_t saved_revision;        /* that stands in the file */
	void *watch;                    /* the door's own */
};

struct tn_floor_documents {
	struct tn_handles handles;
	const struct tn_clock *clock;
};

void tn_floor_documents_init(struct tn_floor_documents *documents, const struct tn_clock *clock,
			     struct tn_handle_registry *registry);
void tn_floor_documents_finish(struct tn_floor_documents *documents);

struct tn_floor_opened {
	struct tn_str text;
	const char *path; /* NULL: none */
	const char *principal, *by;
};
/* A new document; with a path that this principal has open already, that one as it is. The handle
 * is referenced for the caller. Fails: INVALID (not UTF-8, or a NUL), LIMIT, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_floor_document_open(struct tn_floor_documents *documents,
						   const struct tn_floor_opened *opened,
						   struct tn_handle **ret, struct tenon_error *err);
struct tn_handle *tn_floor_document_find_path(const struct tn_floor_documents *documents,
					      const char *principal, const char *path);

/* Makes its text `text`, as one change of what differs. Equal text: no change. Fails: EXPIRED
 * (another revision than expected; -1: whatever it is), INVALID, LIMIT, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_floor_document_change(struct tn_floor_document *document,
						     struct tn_str text, int64_t expected,
						     const char *actor, const char *label,
						     struct tenon_error *err);

static inline struct tn_floor_document *tn_floor_document_of(const struct tn_handle *handle)
{
	return handle->value;
}

#endif
