/* draft.h - one override: a draft value for one prop path of one instance (workbench.md O1, O2).
 *
 * A draft never changes. Ownership: counted references; texts inside live as long as it.
 * Threads: one at a time. */
#ifndef TN_WB_DRAFTS_DRAFT_H
#define TN_WB_DRAFTS_DRAFT_H

#include "base/buf.h"
#include "jsonrpc/json.h"

enum tn_wb_group { TN_WB_GROUP_APP, TN_WB_GROUP_COMPONENT };
enum { TN_WB_GROUPS = 2 };

const char *tn_wb_group_name(enum tn_wb_group group); /* "app", "component" */
bool tn_wb_group_of(struct tn_str name, enum tn_wb_group *ret);

struct tn_wb_address {
	enum tn_wb_group group;
	struct tn_str instance_id, path;
};
/* The order of the file: group, instance, path; bytes. */
int tn_wb_address_compare(const struct tn_wb_address *a, const struct tn_wb_address *b);

struct tn_wb_draft {
	uint32_t refs;
	struct tn_wb_address address;
	struct tn_str value;        /* JSON, compact */
	struct tn_str type_id;      /* empty: not known */
	struct tn_str locator;      /* JSON; empty: none */
	struct tn_str rebound_from; /* the instance's id before it was found again; empty: none */
	size_t bytes;               /* that it takes */
	char data[];
};

/* What a draft is made of. */
struct tn_wb_draft_parts {
	struct tn_wb_address address;
	const struct tn_json *value, *locator; /* locator NULL: none */
	struct tn_str type_id, rebound_from;
};
/* At most TN_WB_LOCATOR_BYTES_MAX and TN_WB_VALUE_DEPTH_MAX levels, no number too large. */
bool tn_wb_locator_is_valid(const struct tn_json *locator);

/* Copies everything. Fails: LIMIT, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_wb_draft_make(const struct tn_wb_draft_parts *parts,
					     struct tn_wb_draft **ret, struct tenon_error *err);
struct tn_wb_draft *tn_wb_draft_ref(struct tn_wb_draft *draft); /* accepts NULL */
void tn_wb_draft_unref(struct tn_wb_draft *draft);              /* accepts NULL */

/* Byte for byte, or both NULL. */
bool tn_wb_draft_equal(const struct tn_wb_draft *a, const struct tn_wb_draft *b);
/* Two drafts of one address that the file has the same of. */
bool tn_wb_draft_equal_in_file(const struct tn_wb_draft *a, const struct tn_wb_draft *b);

/* instanceId, path, value, componentTypeId?, instanceLocator?, as members. */
void tn_wb_draft_put_members(struct tn_buf *out, const struct tn_wb_draft *draft);

#endif
