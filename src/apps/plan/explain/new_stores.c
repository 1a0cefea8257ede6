#include "apps/plan/explain/new_stores.h"

#include "apps/plan/explain/block.h"
#include "apps/plan/explain/vocabulary.h"
#include "base/size.h"

/* Objects that hold the rules of a store, and by what they name it. */
static const struct {
	const char *rules, *names; /* the type, and its attribute */
	const char *store, *name;  /* the same of the store; NULL: it has its name from the cloud */
} kinds[TN_PLAN_STORE_KINDS] = {
	{"aws_s3_bucket_lifecycle_configuration", "bucket", "aws_s3_bucket", "bucket"},
	{"aws_ecr_lifecycle_policy", "repository", "aws_ecr_repository", "name"},
	{"azurerm_storage_management_policy", "storage_account_id", NULL, NULL},
	{"google_bigtable_gc_policy", "table", "google_bigtable_table", "name"},
};

void tn_plan_new_stores_init(struct tn_plan_new_stores *stores)
{
	for (size_t i = 0; i < TN_COUNT(kinds); i++)
		tn_map_init(&stores->of_kind[i]);
}

void tn_plan_new_stores_finish(struct tn_plan_new_stores *stores)
{
	for (size_t i = 0; i < TN_COUNT(kinds); i++)
		tn_map_finish(&stores->of_kind[i]);
}

/* False: it has none that is known. */
static bool read_name(const struct tn_plan_entry *entry, const char *name, struct tn_str *ret)
{
	const struct tn_plan_attribute *attribute = tn_plan_find_attribute(entry, name);

	return attribute && !attribute->sensitive &&
	       tn_plan_side_text(attribute, TN_PLAN_AFTER, ret) && ret->size > 0;
}

enum tenon_code tn_plan_new_stores_read(struct tn_plan_new_stores *stores,
					const struct tn_plan *plan, struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;

	for (uint32_t i = 0; i < plan->change_count; i++) {
		struct tn_plan_entry *entry = &plan->changes[i];
		struct tn_str name;

		for (size_t kind = 0; kind < TN_COUNT(kinds) && code == TENON_OK; kind++)
			if (entry->action == TN_PLAN_CREATE && kinds[kind].store &&
			    tn_str_is(entry->type, kinds[kind].store) &&
			    read_name(entry, kinds[kind].name, &name))
				code = tn_map_put(&stores->of_kind[kind], name, entry, err);
	}
	return code;
}

/* What is there has a name that is known; one that will be there may have none yet. */
bool tn_plan_is_of_new_store(const struct tn_plan_new_stores *stores,
			     const struct tn_plan_entry *entry)
{
	const struct tn_plan_attribute *named;
	struct tn_str name;

	for (size_t kind = 0; kind < TN_COUNT(kinds); kind++) {
		if (!tn_str_is(entry->type, kinds[kind].rules))
			continue;
		named = tn_plan_find_attribute(entry, kinds[kind].names);
		if (named && named->unknown)
			return true;
		return read_name(entry, kinds[kind].names, &name) &&
		       tn_map_get(&stores->of_kind[kind], name);
	}
	return entry->action == TN_PLAN_CREATE;
}
