/* risk_attributes.c - the rules that look at one attribute: a table from exact names to checks. */
#include "apps/plan/explain/grants.h"
#include "apps/plan/explain/risk_rules.h"
#include "apps/plan/read/access_names.h"
#include "base/size.h"

typedef void check_fn(struct tn_plan_risks *risks, const struct tn_plan_attribute *attribute,
		      struct tn_plan_path path);

/* ---- reading values ---- */

static bool is_one_of(struct tn_str text, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (tn_str_equal_nocase(text, tn_str_from(words[i])))
			return true;
	return false;
}

static bool is_on(const struct tn_plan_value *value)
{
	static const char *const words[] = {"true", "enabled", "active", "on"};

	return (value->kind == TN_PLAN_VALUE_BOOL || value->kind == TN_PLAN_VALUE_STRING) &&
	       is_one_of(value->text, words, TN_COUNT(words));
}

static bool is_off(const struct tn_plan_value *value)
{
	static const char *const words[] = {"false", "disabled", "suspended", "inactive", "off"};

	if (value->kind == TN_PLAN_VALUE_NONE || value->kind == TN_PLAN_VALUE_NULL)
		return true;
	return (value->kind == TN_PLAN_VALUE_BOOL || value->kind == TN_PLAN_VALUE_STRING) &&
	       is_one_of(value->text, words, TN_COUNT(words));
}

static bool is_zero(const struct tn_plan_value *value)
{
	bool digit = false;

	if (value->kind != TN_PLAN_VALUE_NUMBER && value->kind != TN_PLAN_VALUE_STRING)
		return false;
	for (size_t i = 0; i < value->text.size; i++) {
		if (value->text.data[i] != '0' && value->text.data[i] != '.')
			return false;
		digit = digit || value->text.data[i] == '0';
	}
	return digit;
}

/* Sensitive values are absent on both sides and look like "off": nothing is concluded from them. */
static bool is_hidden(const struct tn_plan_attribute *attribute)
{
	return attribute->sensitive || attribute->unknown || attribute->write_only ||
	       attribute->change == TN_PLAN_ATTR_UNCHANGED;
}

static bool turns_off(const struct tn_plan_attribute *attribute)
{
	return !is_hidden(attribute) && is_on(&attribute->before) && is_off(&attribute->after);
}

static bool turns_on(const struct tn_plan_attribute *attribute)
{
	return !is_hidden(attribute) && !is_on(&attribute->before) && is_on(&attribute->after);
}

static bool turns_zero(const struct tn_plan_attribute *attribute)
{
	return !is_hidden(attribute) && tn_plan_value_is_readable(&attribute->before) &&
	       !is_zero(&attribute->before) && is_zero(&attribute->after);
}

static bool is_removed(const struct tn_plan_attribute *attribute)
{
	return !is_hidden(attribute) && attribute->before.kind == TN_PLAN_VALUE_STRING &&
	       attribute->before.text.size > 0 &&
	       (attribute->after.kind == TN_PLAN_VALUE_NONE ||
		attribute->after.kind == TN_PLAN_VALUE_NULL ||
		(attribute->after.kind == TN_PLAN_VALUE_STRING && attribute->after.text.size == 0));
}

/* ---- RISK-DATA-PROTECT-OFF ---- */

static void protection_goes(struct tn_plan_risks *risks, const struct tn_plan_attribute *attribute)
{
	if (risks->old_goes)
		tn_plan_risk_add(risks, TN_PLAN_RULE_DATA_PROTECT_OFF, TN_PLAN_RISK_CRITICAL,
				 "A safeguard of the data is taken away, and the same plan "
				 "removes the object.",
				 attribute);
	else
		tn_plan_risk_add(risks, TN_PLAN_RULE_DATA_PROTECT_OFF, TN_PLAN_RISK_HIGH,
				 "A safeguard of the data is taken away.", attribute);
}

static void check_protection(struct tn_plan_risks *risks, const struct tn_plan_attribute *attribute,
			     struct tn_plan_path path)
{
	(void)path;
	if (turns_off(attribute))
		protection_goes(risks, attribute);
}

/* Nothing is lost yet when a new object is made this way; an existing one becomes easy to lose. */
static void check_carelessness(struct tn_plan_risks *risks,
			       const struct tn_plan_attribute *attribute, struct tn_plan_path path)
{
	(void)path;
	if (risks->entry->action != TN_PLAN_CREATE && turns_on(attribute))
		protection_goes(risks, attribute);
}

static void check_retention(struct tn_plan_risks *risks, const struct tn_plan_attribute *attribute,
			    struct tn_plan_path path)
{
	(void)path;
	if (turns_zero(attribute))
		protection_goes(risks, attribute);
}

/* ---- RISK-ENCRYPTION-OFF ---- */

static void encryption_goes(struct tn_plan_risks *risks, const struct tn_plan_attribute *attribute,
			    const char *detail)
{
	tn_plan_risk_add(risks, TN_PLAN_RULE_ENCRYPTION_OFF, TN_PLAN_RISK_HIGH, detail, attribute);
}

static void check_encryption(struct tn_plan_risks *risks, const struct tn_plan_attribute *attribute,
			     struct tn_plan_path path)
{
	(void)path;
	if (turns_off(attribute))
		encryption_goes(risks, attribute, "Encryption is turned off.");
}

static void check_encryption_key(struct tn_plan_risks *risks,
				 const struct tn_plan_attribute *attribute,
				 struct tn_plan_path path)
{
	(void)path;
	if (is_removed(attribute))
		encryption_goes(risks, attribute, "The encryption key of its own is taken away.");
}

/* "ELBSecurityPolicy-TLS13-1-2-2021-06" begins with 1.2; those that name none with 1.0. */
static unsigned elb_version(struct tn_str policy)
{
	static const struct tn_str newest = {"TLS13-", 6};
	size_t at = tn_str_find(policy, newest);

	if (at == TN_STR_NONE && tn_str_find(policy, TN_STR("TLS-")) != TN_STR_NONE)
		return 0; /* as elsewhere */
	if (at == TN_STR_NONE)
		return 10;
	at += newest.size;
	if (at + 2 >= policy.size || !tn_is_digit(policy.data[at]) ||
	    !tn_is_digit(policy.data[at + 2]))
		return 10;
	return (unsigned)(policy.data[at] - '0') * 10 + (unsigned)(policy.data[at + 2] - '0');
}

/* "TLS1_2", "1.2", "TLSv1.2_2021" give 12, "TLSv1_2016" gives 10, "SSLv3" gives 3; 0: none. */
static unsigned tls_version(struct tn_str text)
{
	size_t tls = tn_str_find(text, TN_STR("TLS"));
	size_t at = tls == TN_STR_NONE ? 0 : tls + 3;
	unsigned major;

	if (tls == TN_STR_NONE && tn_str_starts(text, TN_STR("SSL")))
		return 3;
	while (tls != TN_STR_NONE && at < text.size && !tn_is_digit(text.data[at]))
		at++;
	if (at >= text.size || !tn_is_digit(text.data[at]))
		return 0;
	major = (unsigned)(text.data[at++] - '0');
	if (at < text.size && !tn_is_digit(text.data[at]))
		at++;
	/* A year may follow: TLSv1_2016 is 1.0 as it was chosen in 2016. */
	if (at < text.size && tn_is_digit(text.data[at]) &&
	    (at + 1 == text.size || !tn_is_digit(text.data[at + 1])))
		return major * 10 + (unsigned)(text.data[at] - '0');
	return major * 10;
}

static unsigned lowest_version(struct tn_str text)
{
	unsigned version =
		tn_str_starts(text, TN_STR("ELBSecurityPolicy-")) ? elb_version(text) : 0;

	return version ? version : tls_version(text);
}

static void check_tls(struct tn_plan_risks *risks, const struct tn_plan_attribute *attribute,
		      struct tn_plan_path path)
{
	unsigned before, after;

	(void)path;
	if (is_hidden(attribute) || !tn_plan_value_is_readable(&attribute->before) ||
	    !tn_plan_value_is_readable(&attribute->after))
		return;
	before = lowest_version(attribute->before.text);
	after = lowest_version(attribute->after.text);
	if (before > 0 && after > 0 && after < before)
		encryption_goes(risks, attribute,
				"Older, weaker versions of TLS are accepted again.");
}

/* versioning { enabled }, encrypt_at_rest { enabled }: the block says what it is about. */
static void check_enabled(struct tn_plan_risks *risks, const struct tn_plan_attribute *attribute,
			  struct tn_plan_path path)
{
	static const char *const safeguards[] = {"versioning",
						 "versioning_configuration",
						 "backup_configuration",
						 "point_in_time_recovery",
						 "point_in_time_recovery_configuration",
						 "automated_backup_policy",
						 "soft_delete_policy"};
	static const char *const encryptions[] = {"encrypt_at_rest", "node_to_node_encryption",
						  "server_side_encryption"};
	struct tn_str block;

	if (path.owner.size == 0 || !turns_off(attribute))
		return;
	block = tn_plan_path_split(tn_str(path.owner.data, path.owner.size - 1)).name;
	if (is_one_of(block, safeguards, TN_COUNT(safeguards)))
		protection_goes(risks, attribute);
	else if (is_one_of(block, encryptions, TN_COUNT(encryptions)))
		encryption_goes(risks, attribute, "Encryption is turned off.");
}

/* ---- RISK-PUBLIC-DATA ---- */

static void becomes_public(struct tn_plan_risks *risks, const struct tn_plan_attribute *attribute,
			   const char *detail)
{
	tn_plan_risk_add(risks, TN_PLAN_RULE_PUBLIC_DATA, TN_PLAN_RISK_HIGH, detail, attribute);
}

static void check_public_switch(struct tn_plan_risks *risks,
				const struct tn_plan_attribute *attribute, struct tn_plan_path path)
{
	(void)path;
	if (turns_on(attribute))
		becomes_public(risks, attribute, "It can be reached from the public internet.");
}

static void check_public_lock(struct tn_plan_risks *risks,
			      const struct tn_plan_attribute *attribute, struct tn_plan_path path)
{
	(void)path;
	if (is_hidden(attribute) || !is_off(&attribute->after))
		return;
	if (is_on(&attribute->before) || attribute->after.kind == TN_PLAN_VALUE_BOOL)
		becomes_public(risks, attribute, "A lock against public access is opened.");
}

static void check_public_prevention(struct tn_plan_risks *risks,
				    const struct tn_plan_attribute *attribute,
				    struct tn_plan_path path)
{
	struct tn_str after;

	(void)path;
	if (is_hidden(attribute) || !tn_str_is(attribute->before.text, "enforced") ||
	    (tn_plan_side_text(attribute, TN_PLAN_AFTER, &after) && tn_str_is(after, "enforced")))
		return;
	becomes_public(risks, attribute, "A lock against public access is opened.");
}

static bool becomes(const struct tn_plan_attribute *attribute, const char *const *words,
		    size_t count)
{
	struct tn_str after;

	return !is_hidden(attribute) && tn_plan_side_text(attribute, TN_PLAN_AFTER, &after) &&
	       is_one_of(after, words, count);
}

static void check_acl(struct tn_plan_risks *risks, const struct tn_plan_attribute *attribute,
		      struct tn_plan_path path)
{
	static const char *const words[] = {"public-read",        "public-read-write",
					    "authenticated-read", "publicRead",
					    "publicReadWrite",    "authenticatedRead"};

	(void)path;
	if (becomes(attribute, words, TN_COUNT(words)))
		becomes_public(risks, attribute, "Everybody may read it.");
}

static void check_container_access(struct tn_plan_risks *risks,
				   const struct tn_plan_attribute *attribute,
				   struct tn_plan_path path)
{
	static const char *const words[] = {"blob", "container"};

	(void)path;
	if (becomes(attribute, words, TN_COUNT(words)))
		becomes_public(risks, attribute, "Everybody may read it.");
}

/* ---- the small ones ---- */

static void check_capacity(struct tn_plan_risks *risks, const struct tn_plan_attribute *attribute,
			   struct tn_plan_path path)
{
	(void)path;
	if (turns_zero(attribute))
		tn_plan_risk_add(risks, TN_PLAN_RULE_CAPACITY_ZERO, TN_PLAN_RISK_MEDIUM,
				 "Nothing of it keeps running.", attribute);
}

static void check_restart(struct tn_plan_risks *risks, const struct tn_plan_attribute *attribute,
			  struct tn_plan_path path)
{
	bool changes = attribute->change != TN_PLAN_ATTR_UNCHANGED;

	if (tn_str_is(path.name, "size") && risks->class != TN_PLAN_COMPUTE)
		return; /* a larger disk does not restart */
	if (risks->entry->action == TN_PLAN_UPDATE && changes)
		tn_plan_risk_add(risks, TN_PLAN_RULE_RESTART, TN_PLAN_RISK_LOW,
				 "Changing this usually restarts it.", attribute);
}

/* ---- the table ---- */

struct watch {
	struct tn_str name; /* the whole last name of the path */
	check_fn *check;
};

#define WATCH(name, check)                      \
	{                                       \
		{name, sizeof(name) - 1}, check \
	}

/* Those of one first letter stand together, which is how they are found. */
static const struct watch watches[] = {
	WATCH("acl", check_acl),
	WATCH("allow_blob_public_access", check_public_switch),
	WATCH("allow_nested_items_to_be_public", check_public_switch),
	WATCH("at_rest_encryption_enabled", check_encryption),
	WATCH("backup_retention_days", check_retention),
	WATCH("backup_retention_limit", check_retention),
	WATCH("backup_retention_period", check_retention),
	WATCH("block_public_acls", check_public_lock),
	WATCH("block_public_policy", check_public_lock),
	WATCH("capacity", check_capacity),
	WATCH("container_access_type", check_container_access),
	WATCH("custom_data", check_restart),
	WATCH("default_acl", check_acl),
	WATCH("delete_automated_backups", check_carelessness),
	WATCH("delete_protection", check_protection),
	WATCH("deletion_protection", check_protection),
	WATCH("deletion_protection_enabled", check_protection),
	WATCH("desired_capacity", check_capacity),
	WATCH("desired_count", check_capacity),
	WATCH("desired_size", check_capacity),
	WATCH("disable_api_termination", check_protection),
	WATCH("disk_encryption_set_id", check_encryption_key),
	WATCH("enable_deletion_protection", check_protection),
	WATCH("enable_https_traffic_only", check_encryption),
	WATCH("enabled", check_enabled),
	WATCH("encrypted", check_encryption),
	WATCH("encryption_at_host_enabled", check_encryption),
	WATCH("encryption_at_rest", check_encryption),
	WATCH("encryption_at_rest_enabled", check_encryption),
	WATCH("encryption_enabled", check_encryption),
	WATCH("encryption_in_transit_enabled", check_encryption),
	WATCH("engine_version", check_restart),
	WATCH("force_destroy", check_carelessness),
	WATCH("https_only", check_encryption),
	WATCH("https_traffic_only_enabled", check_encryption),
	WATCH("ignore_public_acls", check_public_lock),
	WATCH("infrastructure_encryption_enabled", check_encryption),
	WATCH("instance_class", check_restart),
	WATCH("instance_count", check_capacity),
	WATCH("instance_type", check_restart),
	WATCH("kms_key_arn", check_encryption_key),
	WATCH("kms_key_id", check_encryption_key),
	WATCH("kms_key_name", check_encryption_key),
	WATCH("kms_master_key_id", check_encryption_key),
	WATCH("machine_type", check_restart),
	WATCH("metadata_startup_script", check_restart),
	WATCH("min_capacity", check_capacity),
	WATCH("min_count", check_capacity),
	WATCH("min_node_count", check_capacity),
	WATCH("min_protocol_version", check_tls),
	WATCH("min_replicas", check_capacity),
	WATCH("min_size", check_capacity),
	WATCH("min_tls_version", check_tls),
	WATCH("minimum_protocol_version", check_tls),
	WATCH("minimum_tls_version", check_tls),
	WATCH("node_count", check_capacity),
	WATCH("node_type", check_restart),
	WATCH("point_in_time_recovery_enabled", check_protection),
	WATCH("predefined_acl", check_acl),
	WATCH("prevent_deletion", check_protection),
	WATCH("public_access_prevention", check_public_prevention),
	WATCH("public_network_access", check_public_switch),
	WATCH("public_network_access_enabled", check_public_switch),
	WATCH("publicly_accessible", check_public_switch),
	WATCH("purge_protection_enabled", check_protection),
	WATCH("replicas", check_capacity),
	WATCH("require_ssl", check_encryption),
	WATCH("restrict_public_buckets", check_public_lock),
	WATCH("security_policy", check_tls),
	WATCH("server_type", check_restart),
	WATCH("size", check_restart),
	WATCH("skip_final_snapshot", check_carelessness),
	WATCH("soft_delete_enabled", check_protection),
	WATCH("soft_delete_retention_days", check_retention),
	WATCH("ssl_enforcement_enabled", check_encryption),
	WATCH("ssl_policy", check_tls),
	WATCH("status", check_enabled),
	WATCH("storage_encrypted", check_encryption),
	WATCH("target_size", check_capacity),
	WATCH("termination_protection", check_protection),
	WATCH("tls_security_policy", check_tls),
	WATCH("transit_encryption", check_encryption),
	WATCH("transit_encryption_enabled", check_encryption),
	WATCH("user_data", check_restart),
	WATCH("user_data_base64", check_restart),
	WATCH("vm_size", check_restart),
	WATCH("worker_count", check_capacity),
};

enum { NO_WATCH = 255 };

_Static_assert(TN_COUNT(watches) < NO_WATCH, "the index of first letters is one byte");

void tn_plan_risk_index_watches(struct tn_plan_risks *risks)
{
	memset(risks->watches, NO_WATCH, sizeof(risks->watches));
	for (size_t i = TN_COUNT(watches); i-- > 0;)
		risks->watches[(unsigned char)watches[i].name.data[0]] = (uint8_t)i;
}

static const struct watch *find_watch(const struct tn_plan_risks *risks, struct tn_str name)
{
	unsigned char first = (unsigned char)name.data[0];

	if (first >= TN_PLAN_FIRST_LETTERS || risks->watches[first] == NO_WATCH)
		return NULL;
	for (size_t i = risks->watches[first];
	     i < TN_COUNT(watches) && (unsigned char)watches[i].name.data[0] == first; i++)
		if (tn_str_equal(name, watches[i].name))
			return &watches[i];
	return NULL;
}

void tn_plan_risk_attributes(struct tn_plan_risks *risks)
{
	const struct tn_plan_attributes *attributes = &risks->entry->attributes;
	bool has_address = false, has_grant = false;

	for (uint32_t i = 0; i < attributes->count; i++) {
		const struct tn_plan_attribute *attribute = &attributes->items[i];
		struct tn_plan_path path = tn_plan_path_split(attribute->path);
		const struct watch *watch;

		if (path.name.size == 0)
			continue;
		has_grant = has_grant || tn_plan_grants_read(attribute->path);
		watch = find_watch(risks, path.name);
		if (watch && !tn_plan_path_is_remark(attribute->path))
			watch->check(risks, attribute, path);
		else
			has_address = has_address || tn_plan_access_is_address(path.name);
	}
	if (has_grant)
		tn_plan_risk_grants(risks);
	if (has_address)
		tn_plan_risk_access(risks);
}
