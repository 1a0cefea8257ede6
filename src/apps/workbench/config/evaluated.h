/* evaluated.h - what programs of the workspace have said of its configuration and its modules
 * (workbench.md C3, C9), and which of them must still be asked.
 *
 * The programs run elsewhere (workspace/evaluate.h); here are their words, as lines of
 * evaluator.mjs (docs/adapters.md), and what they were asked about. Ownership: the caller's struct;
 * read only while a configuration is read. Threads: any, one at a time. */
#ifndef TN_WB_CONFIG_EVALUATED_H
#define TN_WB_CONFIG_EVALUATED_H

#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "jsonrpc/json.h"

/* The two questions: modules are known when the configuration is. */
enum tn_wb_evaluated_part { TN_WB_EVALUATED_CONFIG, TN_WB_EVALUATED_MODULES };
enum { TN_WB_EVALUATED_PARTS = TN_WB_EVALUATED_MODULES + 1 };

struct tn_wb_evaluated {
	struct {
		uint64_t inputs; /* of the files that were asked about; 0: none were */
		uint64_t serial; /* of the asking */
		/* Askings since a look was last taken over: programs may change what they are made
		 * of. */
		unsigned tries;
		struct tn_buf said;   /* its lines */
		struct tn_buf loaded; /* those that say which files it is made of */
	} parts[TN_WB_EVALUATED_PARTS];
};

void tn_wb_evaluated_init(struct tn_wb_evaluated *evaluated);
void tn_wb_evaluated_finish(struct tn_wb_evaluated *evaluated);
/* A line of ours, the last one: it could not be asked, or did not end. */
void tn_wb_evaluated_put_error(struct tn_buf *said, const char *code, const char *message);

/* A file of the workspace that the programs are made of, as it was when they loaded it. */
struct tn_wb_loaded {
	const char *path;   /* relative to the workspace */
	const char *digest; /* SHA-256 in hex, or "size-N"; NULL: it was not there */
};
/* Into `arena`; *ret_all is false where there are more than are followed. Fails: NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_wb_evaluated_loaded(struct tn_arena *arena,
						   const struct tn_wb_evaluated *evaluated,
						   enum tn_wb_evaluated_part part,
						   struct tn_wb_loaded **ret, size_t *ret_count,
						   bool *ret_all, struct tenon_error *err);

/* What is missing, while a configuration is read. */
struct tn_wb_want {
	bool any;
	enum tn_wb_evaluated_part part;
	uint64_t inputs;
	struct tn_buf question; /* the line for evaluator.mjs */
};

/* ---- reading its lines ---- */

/* The lines of one module, or of the configuration; trees in the arena. */
struct tn_wb_said {
	const struct tn_json *const *lines;
	size_t count;
	const char *code,
		*message; /* it ended with an error, which is everybody's; NULL: it did not */
};
/* Fails: NO_MEMORY. What is no line of JSON is passed over. */
TN_MUST_USE enum tenon_code tn_wb_evaluated_read(struct tn_arena *arena,
						 const struct tn_wb_evaluated *evaluated,
						 enum tn_wb_evaluated_part part,
						 struct tn_wb_said *ret, struct tenon_error *err);

#endif
