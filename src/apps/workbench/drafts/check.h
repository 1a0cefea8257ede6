/* check.h - may this operation be done? (workbench.md sections 13.3 and 13.5)
 *
 * One routine for people, tools and scripts (B5). What is known of an instance is asked of the
 * caller; what is known of types, of the registry. Threads: one at a time. */
#ifndef TN_WB_DRAFTS_CHECK_H
#define TN_WB_DRAFTS_CHECK_H

#include "apps/workbench/drafts/document.h"
#include "apps/workbench/drafts/past.h"
#include "apps/workbench/registry/registry.h"

struct tn_wb_facts {
	/* Whether an adapter knows the instance, by its list or as its selection; *ret_type_id is
	 * its type, and may stay empty. NULL: no adapter is there. */
	bool (*instance)(void *data, struct tn_str instance_id, struct tn_str *ret_type_id);
	void *data;
	/* All ready sessions of the group report their instances: then a type that is given does
	 * not make an instance known. */
	bool lists_instances;
	const struct tn_wb_registry *registry; /* NULL: an empty one */
	/* NULL, or what was there: setting it again needs nothing to be known (O10). */
	const struct tn_wb_past *past;
};

enum tn_wb_op { TN_WB_SET, TN_WB_CLEAR, TN_WB_CLEAR_INSTANCE, TN_WB_CLEAR_ALL };

struct tn_wb_checked {
	enum tn_wb_op op;
	struct tn_wb_draft_parts parts; /* of a set; address alone of a clear */
};

enum { TN_WB_FAULT_BYTES = 512 };
struct tn_wb_op_fault {
	uint32_t index;
	const char *code; /* a literal: "malformed_op", ... */
	char message[TN_WB_FAULT_BYTES];
	bool runaway; /* the pattern takes too long: worth a diagnostic of the registry */
};

/* False: *fault says why (all but the index). `document` is as the operations before left it. */
bool tn_wb_check_op(const struct tn_wb_document *document, enum tn_wb_group group,
		    const struct tn_wb_facts *facts, const struct tn_json *op,
		    struct tn_wb_checked *ret, struct tn_wb_op_fault *fault);

#endif
