/* oplog_test_kit.h - a small document for tests of the operation log: 64 slots, each with a text.
 *
 * Operations: {"set":"k5","value":"text"}, {"drop":"k5"}; anything else is refused. */
#ifndef TN_STORE_OPLOG_TEST_KIT_H
#define TN_STORE_OPLOG_TEST_KIT_H

#include "store/oplog.h"

enum { KIT_SLOTS = 64 };

struct kit_document {
	char *slots[KIT_SLOTS];
};

extern const struct tn_document_ops kit_ops;
extern const struct tn_clock kit_clock; /* stands still */

void kit_clear(struct kit_document *document);
void kit_save(const void *document, struct tn_buf *out);

/* A commit of operations written as JSON text, made by "tester". */
TN_MUST_USE enum tenon_code kit_commit(struct tn_oplog *log, const char *operations,
				       struct tn_change *ret, struct tenon_error *err);
/* The same step by step, with a note. */
TN_MUST_USE enum tenon_code kit_step(struct tn_oplog *log, const char *operations,
				     struct tn_change *ret, struct tenon_error *err);
TN_MUST_USE enum tenon_code kit_open(const char *path, struct kit_document *document,
				     struct tn_oplog **ret, struct tenon_error *err);

/* A random operation, appended. The numbers are the caller's: *seed changes. */
void kit_random_operation(struct tn_buf *out, uint64_t *seed);
uint64_t kit_random(uint64_t *seed);

#endif
