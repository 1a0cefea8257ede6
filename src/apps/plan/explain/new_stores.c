#include "apps/plan/explain/new_stores.h"

#include "apps/plan/explain/block.h"
#include "apps/plan/explain/vocabulary.h"
#include "base/buf.h"
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
	{"aws_s3control_bucket_lifecycle_configuration", "bucket", NULL, NULL},
	{"alicloud_oss_bucket_lifecycle", "bucket", "alicloud_oss_bucket", "bucket"},
	{"minio_ilm_policy", "bucket", "minio_s3_bucket", "bucket"},
};

enum { KEY_BYTES = 1024 };

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

/* The name, and the plan that it is of: stores of several accounts are called the same. False: it
 * has none that is known. */
static bool put_key(struct tn_buf *key, const struct tn_plan_entry *entry, const char *name)
{
	const struct tn_plan_attribute *attribute = tn_plan_find_attribute(entry, name);
	struct tn_str text;

	if (!attribute || attribute->sensitive ||
	    !tn_plan_side_text(attribute, TN_PLAN_AFTER, &text) || text.size == 0)
		return false;
	tn_buf_clear(key);
	tn_buf_format(key, "%u ", entry->unit);
	tn_buf_append_str(key, text);
	return !key->failed;
}

static enum tenon_code note_store(struct tn_plan_new_stores *stores, struct tn_plan_entry *entry,
				  struct tn_buf *key, struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;

	for (size_t kind = 0; kind < TN_COUNT(kinds) && code == TENON_OK; kind++)
		if (kinds[kind].store && tn_str_is(entry->type, kinds[kind].store) &&
		    put_key(key, entry, kinds[kind].name))
			code = tn_map_put(&stores->of_kind[kind], tn_buf_str(key), entry, err);
	return code;
}

enum tenon_code tn_plan_new_stores_read(struct tn_plan_new_stores *stores,
					const struct tn_plan *plan, struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;
	struct tn_buf key;

	tn_buf_init(&key, KEY_BYTES);
	for (uint32_t i = 0; i < plan->change_count && code == TENON_OK; i++)
		if (plan->changes[i].action == TN_PLAN_CREATE)
			code = note_store(stores, &plan->changes[i], &key, err);
	tn_buf_finish(&key);
	return code;
}

static bool is_noted(const struct tn_plan_new_stores *stores, const struct tn_plan_entry *entry,
		     size_t kind)
{
	struct tn_buf key;
	bool noted;

	tn_buf_init(&key, KEY_BYTES);
	noted = put_key(&key, entry, kinds[kind].names) &&
		tn_map_get(&stores->of_kind[kind], tn_buf_str(&key));
	tn_buf_finish(&key);
	return noted;
}

/* What is there has a name that is known; one that will be there may have none yet. */
bool tn_plan_is_of_new_store(const struct tn_plan_new_stores *stores,
			     const struct tn_plan_entry *entry)
{
	const struct tn_plan_attribute *named;

	for (size_t kind = 0; kind < TN_COUNT(kinds); kind++) {
		if (!tn_str_is(entry->type, kinds[kind].rules))
			continue;
		named = tn_plan_find_attribute(entry, kinds[kind].names);
		if (named && named->unknown)
			return true;
		return is_noted(stores, entry, kind);
	}
	return entry->action == TN_PLAN_CREATE;
}
