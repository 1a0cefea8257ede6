/* attribute_list.h - the attributes of one entry while it is read, and the paths put together for
 * them. One list serves a whole plan, one entry after the other; only what is committed is kept.
 *
 * Paths follow plan.md section 5. At most TN_PLAN_ATTRIBUTES_MAX attributes are kept, unchanged
 * ones only up to half of that, so that they crowd nothing out; the rest is counted. Threads: one
 * at a time. */
#ifndef TN_PLAN_ATTRIBUTE_LIST_H
#define TN_PLAN_ATTRIBUTE_LIST_H

#include "apps/plan/limits.h"
#include "apps/plan/read/build.h"

struct tn_plan_attribute_list {
	struct tn_plan_build *build;
	struct tn_arena scratch;              /* paths of this entry */
	struct tn_plan_attribute *attributes; /* TN_PLAN_ATTRIBUTES_MAX of them */
	bool in_scratch[TN_PLAN_ATTRIBUTES_MAX];
	uint32_t count, unchanged, truncated;
};

/* A path; in scratch unless it is a slice that lives as long as the plan. */
struct tn_plan_path {
	struct tn_str text;
	bool in_scratch;
};

/* False: no memory. Pairs with finish. */
bool tn_plan_attribute_list_init(struct tn_plan_attribute_list *list, struct tn_plan_build *build);
void tn_plan_attribute_list_finish(struct tn_plan_attribute_list *list);
void tn_plan_attribute_list_reset(struct tn_plan_attribute_list *list);

/* An attribute without values, or NULL when it is only counted. It stays in place until reset. */
struct tn_plan_attribute *tn_plan_attribute_list_add(struct tn_plan_attribute_list *list,
						     struct tn_plan_path path, uint8_t change);

/* Gives an attribute another path. */
void tn_plan_attribute_list_rename(struct tn_plan_attribute_list *list, uint32_t index,
				   struct tn_plan_path path);

/* "parent.name" or, where the name is quoted, "parent[\"name\"]"; paths beyond
 * TN_PLAN_PATH_BYTES_MAX stop growing. */
struct tn_plan_path tn_plan_path_name(struct tn_plan_attribute_list *list, struct tn_str parent,
				      struct tn_str name);
struct tn_plan_path tn_plan_path_index(struct tn_plan_attribute_list *list, struct tn_str parent,
				       uint32_t index);
/* The four parts one after the other. */
struct tn_plan_path tn_plan_path_join(struct tn_plan_attribute_list *list, struct tn_str parent,
				      struct tn_str before, struct tn_str name,
				      struct tn_str after);

/* Copies the attributes to the plan. */
void tn_plan_attribute_list_commit(struct tn_plan_attribute_list *list,
				   struct tn_plan_attributes *ret);

#endif
