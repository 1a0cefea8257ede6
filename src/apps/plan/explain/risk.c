#include "apps/plan/explain/risk_rules.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/size.h"

enum { MANY_DELETES = 20, MOST_DELETES_MIN = 5 };

/* ---- what else the plan says about an address ---- */

struct index {
	struct tn_map drift;   /* address -> struct tn_plan_drift */
	struct tn_map records; /* name of a DNS record that is created -> its entry */
	struct tn_plan_new_stores new_stores;
};

static struct tn_str record_name(const struct tn_plan_entry *entry, bool new)
{
	static const char *const names[] = {"name", "hostname", "fqdn"};

	for (size_t i = 0; i < TN_COUNT(names); i++) {
		const struct tn_plan_attribute *attribute = tn_plan_find_attribute(entry, names[i]);
		const struct tn_plan_value *value;

		if (!attribute)
			continue;
		value = new ? &attribute->after : &attribute->before;
		if (value->kind == TN_PLAN_VALUE_STRING && value->text.size > 0)
			return value->text;
	}
	return tn_str(NULL, 0);
}

static enum tenon_code index_records(struct index *index, struct tn_plan *plan,
				     struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;

	if (plan->actions[TN_PLAN_DELETE] == 0 || plan->actions[TN_PLAN_CREATE] == 0)
		return TENON_OK;
	for (uint32_t i = 0; i < plan->change_count && code == TENON_OK; i++) {
		struct tn_plan_entry *entry = &plan->changes[i];
		struct tn_str name;

		if (entry->action != TN_PLAN_CREATE ||
		    tn_plan_type_class(entry->type) != TN_PLAN_DNS)
			continue;
		name = record_name(entry, true);
		if (name.size > 0)
			code = tn_map_put(&index->records, name, entry, err);
	}
	return code;
}

static enum tenon_code index_plan(struct index *index, struct tn_plan *plan,
				  struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;

	for (uint32_t i = 0; i < plan->drift_count && code == TENON_OK; i++)
		code = tn_map_put(&index->drift, plan->drift[i].address, &plan->drift[i], err);
	if (code == TENON_OK)
		code = index_records(index, plan, err);
	return code == TENON_OK ? tn_plan_new_stores_read(&index->new_stores, plan, err) : code;
}

/* ---- rules about an entry ---- */

static bool has_reason(const struct tn_plan_entry *entry, const char *code)
{
	for (uint32_t i = 0; i < entry->reason_count; i++)
		if (strcmp(entry->reasons[i].code, code) == 0)
			return true;
	return false;
}

static bool has_visible_cause(const struct tn_plan_entry *entry)
{
	static const char *const causes[] = {"forces_replacement", "tainted", "requested",
					     "replace_triggered_by"};

	for (size_t i = 0; i < TN_COUNT(causes); i++)
		if (has_reason(entry, causes[i]))
			return true;
	for (uint32_t i = 0; i < entry->attributes.count; i++)
		if (entry->attributes.items[i].forces_replacement)
			return true;
	return false;
}

/* Destroy-first; a stream does not tell the order, and then the worse one counts. */
static bool is_destroy_first(const struct tn_plan_entry *entry)
{
	return entry->order == TN_PLAN_DESTROY_FIRST || entry->order == TN_PLAN_ORDER_NONE;
}

static void assess_other_delete(struct tn_plan_risks *risks, const struct index *index)
{
	bool light = risks->class == TN_PLAN_LIGHT;
	bool moved = risks->class == TN_PLAN_DNS &&
		     tn_map_get(&index->records, record_name(risks->entry, false));

	if (risks->class == TN_PLAN_CLASS_UNKNOWN)
		tn_plan_risk_add(risks, TN_PLAN_RULE_DELETE, TN_PLAN_RISK_HIGH,
				 "It is deleted; type not known, treat as holding data.", NULL);
	else if (moved)
		tn_plan_risk_add(
			risks, TN_PLAN_RULE_DELETE, TN_PLAN_RISK_MEDIUM,
			"It is deleted; a record of this name is created in the same plan.", NULL);
	else if (light)
		tn_plan_risk_add(risks, TN_PLAN_RULE_DELETE, TN_PLAN_RISK_MEDIUM,
				 "It is deleted; it can be made again from the configuration.",
				 NULL);
	else if (!tn_plan_risk_denial(risks))
		tn_plan_risk_delete_with_disks(risks);
}

/* It holds no data, but others know it. */
static void tell_address(struct tn_plan_risks *risks, enum tn_plan_rule_number rule,
			 enum tn_plan_risk level)
{
	risks->title = "A fixed address is given up";
	tn_plan_risk_add_fact(risks, rule, level,
			      "The same address cannot be had again; whoever uses it reaches "
			      "nothing, or somebody else.",
			      NULL, TN_STR("address"));
	risks->title = NULL;
}

/* Keys, secrets and certificates: what is lost with them is not the same. */
static void tell_key_loss(struct tn_plan_risks *risks, enum tn_plan_risk level, bool replaced)
{
	static const struct {
		const char *word;
		const char *gone, *replaced;
	} losses[] = {
		{"secret", "Whoever needs it can no longer read it.",
		 "Whoever uses the old one must get the new one."},
		{"certificate", "Connections that rely on it can no longer be secured by it.",
		 "Whoever trusts the old one alone no longer connects."},
		{"", "Whatever was protected with it can no longer be opened.",
		 "What was protected with the old one may no longer open."},
	};
	const struct tn_plan_type *type = tn_plan_type_find(risks->entry->type);
	struct tn_str noun = tn_str_from(type ? type->noun : "");
	size_t at = 0;

	while (at + 1 < TN_COUNT(losses) &&
	       tn_str_find(noun, tn_str_from(losses[at].word)) == TN_STR_NONE)
		at++;
	tn_plan_risk_add(risks, TN_PLAN_RULE_KEY_LOSS, level,
			 replaced ? losses[at].replaced : losses[at].gone, NULL);
}

static void tell_lock(struct tn_plan_risks *risks)
{
	risks->title = "A lock against public access is opened";
	tn_plan_risk_add(risks, TN_PLAN_RULE_PUBLIC_DATA, TN_PLAN_RISK_HIGH,
			 "The lock against public access is removed.", NULL);
	risks->title = NULL;
}

static void assess_delete(struct tn_plan_risks *risks, const struct index *index)
{
	static const char *const locks[] = {"aws_s3_bucket_public_access_block",
					    "aws_s3_account_public_access_block"};

	if (tn_plan_type_is_address(risks->entry->type))
		tell_address(risks, TN_PLAN_RULE_DATA_DELETE, TN_PLAN_RISK_CRITICAL);
	else if (risks->class == TN_PLAN_STATEFUL || risks->class == TN_PLAN_DNS_ZONE)
		tn_plan_risk_add(risks, TN_PLAN_RULE_DATA_DELETE, TN_PLAN_RISK_CRITICAL,
				 "What it holds is gone for good unless there is a backup.", NULL);
	else
		assess_other_delete(risks, index);
	if (risks->class == TN_PLAN_KEY)
		tell_key_loss(risks, TN_PLAN_RISK_CRITICAL, false);
	for (size_t i = 0; i < TN_COUNT(locks); i++)
		if (tn_str_is(risks->entry->type, locks[i]))
			tell_lock(risks);
}

/* The old object is destroyed; which loss that is depends on the class. */
static void assess_loss(struct tn_plan_risks *risks)
{
	bool first = is_destroy_first(risks->entry);

	if (tn_plan_type_is_address(risks->entry->type)) {
		tell_address(risks, TN_PLAN_RULE_DATA_REPLACE,
			     first ? TN_PLAN_RISK_CRITICAL : TN_PLAN_RISK_HIGH);
		return;
	}
	switch (risks->class) {
	case TN_PLAN_STATEFUL:
		tn_plan_risk_add(risks, TN_PLAN_RULE_DATA_REPLACE,
				 first ? TN_PLAN_RISK_CRITICAL : TN_PLAN_RISK_HIGH,
				 first ? "What it holds is gone before the new one exists."
				       : "The new one starts empty, then the old one is removed.",
				 NULL);
		break;
	case TN_PLAN_KEY:
		tell_key_loss(risks, first ? TN_PLAN_RISK_HIGH : TN_PLAN_RISK_MEDIUM, true);
		break;
	case TN_PLAN_COMPUTE:
	case TN_PLAN_NETWORK:
	case TN_PLAN_ACCESS:
		/* Where the order is not told, nobody knows whether it is gone for a while. */
		if (risks->entry->order == TN_PLAN_DESTROY_FIRST &&
		    !tn_plan_type_is_versioned(risks->entry->type))
			tn_plan_risk_add(risks, TN_PLAN_RULE_REPLACE_DOWNTIME, TN_PLAN_RISK_MEDIUM,
					 "It is gone until the new one is ready.", NULL);
		break;
	case TN_PLAN_CLASS_UNKNOWN:
		if (first)
			tn_plan_risk_add(risks, TN_PLAN_RULE_DATA_REPLACE, TN_PLAN_RISK_HIGH,
					 "It is removed before the new one exists; type not known, "
					 "treat as holding data.",
					 NULL);
		break;
	default:
		break;
	}
}

static void assess_replace(struct tn_plan_risks *risks)
{
	const struct tn_plan_entry *entry = risks->entry;

	if (risks->old_goes) {
		assess_loss(risks);
		tn_plan_risk_replaced_disks(risks);
	} else {
		tn_plan_risk_add(risks, TN_PLAN_RULE_FORGET, TN_PLAN_RISK_MEDIUM,
				 tn_plan_type_runs(entry->type)
					 ? "The old object keeps running, and costing, unmanaged."
					 : "The old object stays as it is, unmanaged.",
				 NULL);
	}
	if (risks->class == TN_PLAN_SECRET_GEN || tn_str_ends(entry->type, TN_STR("_access_key")) ||
	    tn_str_ends(entry->type, TN_STR("_service_account_key")))
		tn_plan_risk_add(risks, TN_PLAN_RULE_SECRET_ROTATES, TN_PLAN_RISK_MEDIUM,
				 "Whoever uses the old value must get the new one.", NULL);
	if (!has_visible_cause(entry))
		tn_plan_risk_add(risks, TN_PLAN_RULE_UNKNOWN_REPLACE, TN_PLAN_RISK_MEDIUM,
				 "The plan does not show what forces the replacement.", NULL);
}

static bool makes_access_key(const struct tn_plan_entry *entry)
{
	return (entry->action == TN_PLAN_CREATE || entry->action == TN_PLAN_REPLACE) &&
	       (tn_str_ends(entry->type, TN_STR("_access_key")) ||
		tn_str_ends(entry->type, TN_STR("_service_account_key")));
}

static void assess_identity(struct tn_plan_risks *risks)
{
	if (risks->class != TN_PLAN_IDENTITY && !risks->iam_detail)
		return;
	if (risks->iam_detail)
		tn_plan_risk_add_fact(risks, TN_PLAN_RULE_IAM, TN_PLAN_RISK_HIGH, risks->iam_detail,
				      risks->iam_evidence, risks->iam_fact);
	else if (makes_access_key(risks->entry))
		tn_plan_risk_add(risks, TN_PLAN_RULE_IAM, TN_PLAN_RISK_HIGH,
				 "A new access key can be used from anywhere.", NULL);
	else
		tn_plan_risk_add(risks, TN_PLAN_RULE_IAM, TN_PLAN_RISK_MEDIUM,
				 "It changes who may do what.", NULL);
}

static void assess_dns(struct tn_plan_risks *risks)
{
	if (risks->entry->action == TN_PLAN_CREATE)
		return;
	if (risks->class == TN_PLAN_DNS_ZONE)
		tn_plan_risk_add(risks, TN_PLAN_RULE_DNS, TN_PLAN_RISK_HIGH,
				 "All names of the zone may stop to resolve.", NULL);
	else if (risks->class == TN_PLAN_DNS)
		tn_plan_risk_add(risks, TN_PLAN_RULE_DNS, TN_PLAN_RISK_MEDIUM,
				 "Clients may reach the wrong place, or none, until caches expire.",
				 NULL);
}

static void assess_import(struct tn_plan_risks *risks)
{
	bool imported = risks->entry->import_id.data != NULL && risks->old_goes;

	if (imported || has_reason(risks->entry, "imported_destroyed"))
		tn_plan_risk_add(risks, TN_PLAN_RULE_IMPORT_DESTROY, TN_PLAN_RISK_CRITICAL,
				 "It is taken over and destroyed in the same run.", NULL);
}

/* ---- drift ---- */

/* Undone where the planned value is the one from before the drift. Values that are not shown cannot
 * be compared, so touching the same attribute is enough. */
static bool undoes(const struct tn_plan_attribute *planned, const struct tn_plan_attribute *drifted)
{
	if (planned->change == TN_PLAN_ATTR_UNCHANGED ||
	    !tn_str_equal(planned->path, drifted->path))
		return false;
	return planned->sensitive || drifted->sensitive || planned->unknown ||
	       tn_plan_value_equal(&planned->after, &drifted->before);
}

static const struct tn_plan_attribute *find_undone(const struct tn_plan_entry *entry,
						   const struct tn_plan_drift *drift)
{
	for (uint32_t i = 0; i < entry->attributes.count; i++)
		for (uint32_t j = 0; j < drift->attributes.count; j++)
			if (drift->attributes.items[j].change != TN_PLAN_ATTR_UNCHANGED &&
			    undoes(&entry->attributes.items[i], &drift->attributes.items[j]))
				return &entry->attributes.items[i];
	return NULL;
}

static void assess_drift(struct tn_plan_risks *risks, const struct index *index)
{
	const struct tn_plan_entry *entry = risks->entry;
	const struct tn_plan_drift *drift = tn_map_get(&index->drift, entry->address);
	const struct tn_plan_attribute *undone;

	if (!drift)
		return;
	if (drift->action == TN_PLAN_DELETE && entry->action == TN_PLAN_CREATE) {
		tn_plan_risk_add(risks, TN_PLAN_RULE_DRIFT_REVERT, TN_PLAN_RISK_MEDIUM,
				 "Somebody deleted it outside; it is made again.", NULL);
		return;
	}
	if (entry->action != TN_PLAN_UPDATE && entry->action != TN_PLAN_REPLACE)
		return;
	undone = find_undone(entry, drift);
	if (undone)
		tn_plan_risk_add(risks, TN_PLAN_RULE_DRIFT_REVERT, TN_PLAN_RISK_MEDIUM,
				 "Somebody changed it outside; the plan changes it back.", undone);
}

/* ---- one entry, then the plan ---- */

static void begin_entry(struct tn_plan_risks *risks, uint32_t change)
{
	const struct tn_plan_entry *entry = &risks->plan->changes[change];

	tn_plan_risk_begin(risks, change);
	risks->class = tn_plan_type_class(entry->type);
	risks->old_goes = entry->action == TN_PLAN_DELETE ||
			  (entry->action == TN_PLAN_REPLACE &&
			   (entry->order == TN_PLAN_CREATE_FIRST || is_destroy_first(entry)));
	risks->rule_end[0] = risks->rule_end[1] = entry->attributes.items;
	risks->iam_detail = NULL;
	risks->iam_evidence = NULL;
	risks->iam_fact = tn_str("", 0);
}

static void assess_entry(struct tn_plan_risks *risks, const struct index *index)
{
	enum tn_plan_action action = risks->entry->action;

	if (action == TN_PLAN_READ || action == TN_PLAN_MOVE || action == TN_PLAN_IMPORT)
		return;
	if (action == TN_PLAN_FORGET) {
		tn_plan_risk_add(risks, TN_PLAN_RULE_FORGET, TN_PLAN_RISK_MEDIUM,
				 tn_plan_type_runs(risks->entry->type)
					 ? "It keeps running, and costing, unmanaged."
					 : "It stays as it is, unmanaged.",
				 NULL);
		return;
	}
	if (action == TN_PLAN_DELETE)
		assess_delete(risks, index);
	else
		tn_plan_risk_attributes(risks);
	if (action == TN_PLAN_REPLACE)
		assess_replace(risks);
	assess_identity(risks);
	assess_dns(risks);
	assess_import(risks);
	assess_drift(risks, index);
}

/* Objects that go; a new revision of something takes nothing away. */
static uint32_t count_removed(const struct tn_plan *plan)
{
	uint32_t removed = 0;

	for (uint32_t i = 0; i < plan->change_count; i++) {
		const struct tn_plan_entry *entry = &plan->changes[i];

		removed += (entry->action == TN_PLAN_DELETE || entry->action == TN_PLAN_REPLACE) &&
			   !tn_plan_type_is_versioned(entry->type);
	}
	return removed;
}

static void assess_whole(struct tn_plan_risks *risks)
{
	struct tn_plan *plan = risks->plan;
	uint64_t removed = count_removed(plan);

	risks->entry = NULL;
	risks->change = TN_PLAN_NO_CHANGE;
	risks->first = risks->count;
	if (removed > MANY_DELETES)
		tn_plan_risk_add(risks, TN_PLAN_RULE_MANY_DELETES, TN_PLAN_RISK_HIGH,
				 "More than 20 objects are deleted or replaced in one run.", NULL);
	else if (removed >= MOST_DELETES_MIN && removed * 2 > plan->change_count)
		tn_plan_risk_add(risks, TN_PLAN_RULE_MANY_DELETES, TN_PLAN_RISK_HIGH,
				 "More than half of all entries are deleted or replaced.", NULL);
	if (plan->errored)
		tn_plan_risk_add(risks, TN_PLAN_RULE_ERRORED, TN_PLAN_RISK_MEDIUM,
				 "Planning stopped with an error; there may be more changes.",
				 NULL);
	if (plan->status == TN_PLAN_NO_VERDICT)
		tn_plan_risk_add(risks, TN_PLAN_RULE_INCONSISTENT, TN_PLAN_RISK_MEDIUM,
				 "The text ends before it says what would be done.", NULL);
	else if (plan->consistent == 0 || plan->truncated)
		tn_plan_risk_add(risks, TN_PLAN_RULE_INCONSISTENT, TN_PLAN_RISK_MEDIUM,
				 "Changes may be missing from this text.", NULL);
}

/* Levels, and the findings into the plan's arena, whose limit grows by what they need: how much a
 * plan's own text may take has been decided before. */
static enum tenon_code finish(struct tn_plan_risks *risks, struct tenon_error *err)
{
	struct tn_plan *plan = risks->plan;
	size_t bytes = (size_t)risks->count * sizeof(*risks->items);

	if (risks->failed)
		return tn_fail(err, TENON_NO_MEMORY, "no memory for the plan's risks");
	if (bytes > 0) {
		plan->arena.limit += bytes + TN_PLAN_RULE_COUNT * sizeof(*risks->items);
		plan->findings = tn_arena_alloc_raw(&plan->arena, bytes);
		if (!plan->findings)
			return tn_fail(err, TENON_NO_MEMORY, "no memory for the plan's risks");
		memcpy(plan->findings, risks->items, bytes);
	}
	plan->finding_count = risks->count;
	for (uint32_t i = 0; i < risks->count; i++) {
		const struct tn_plan_finding *finding = &plan->findings[i];

		if (finding->level > plan->risk)
			plan->risk = finding->level;
		if (finding->change != TN_PLAN_NO_CHANGE &&
		    finding->level > plan->changes[finding->change].risk)
			plan->changes[finding->change].risk = (uint8_t)finding->level;
	}
	return TENON_OK;
}

static void forget_earlier(struct tn_plan *plan)
{
	plan->risk = TN_PLAN_RISK_NONE;
	plan->findings = NULL;
	plan->finding_count = 0;
	for (uint32_t i = 0; i < plan->change_count; i++)
		plan->changes[i].risk = TN_PLAN_RISK_NONE;
}

enum tenon_code tn_plan_assess_risk(struct tn_plan *plan, struct tenon_error *err)
{
	struct index index;
	struct tn_plan_risks risks = {.plan = plan, .new_stores = &index.new_stores};
	enum tenon_code code;

	forget_earlier(plan);
	tn_plan_risk_index_watches(&risks);
	tn_map_init(&index.drift);
	tn_map_init(&index.records);
	tn_plan_new_stores_init(&index.new_stores);
	code = index_plan(&index, plan, err);
	if (code != TENON_OK)
		goto out;
	for (uint32_t i = 0; i < plan->change_count; i++) {
		begin_entry(&risks, i);
		assess_entry(&risks, &index);
	}
	assess_whole(&risks);
	tn_plan_risk_join(&risks);
	code = finish(&risks, err);
out:
	tn_mem_free(risks.items);
	tn_plan_new_stores_finish(&index.new_stores);
	tn_map_finish(&index.records);
	tn_map_finish(&index.drift);
	return code;
}

/* ---- counting ---- */

uint32_t tn_plan_count_findings(const struct tn_plan *plan, enum tn_plan_risk level)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < plan->finding_count; i++)
		count += plan->findings[i].level == level;
	return count;
}
