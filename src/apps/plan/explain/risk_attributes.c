/* risk_attributes.c - the rules that look at one attribute: a table from exact names to checks. */
#include "apps/plan/explain/grants.h"
#include "apps/plan/explain/risk_rules.h"
#include "apps/plan/explain/rules.h"
#include "apps/plan/explain/turn.h"
#include "apps/plan/read/access_names.h"
#include "base/size.h"

typedef void check_fn(struct tn_plan_risks *risks, const struct tn_plan_attribute *attribute,
		      struct tn_plan_path path);

/* ---- RISK-ENCRYPTION-OFF ---- */

static void encryption_goes(struct tn_plan_risks *risks, const struct tn_plan_attribute *attribute,
			    const char *detail)
{
	tn_plan_risk_add(risks, TN_PLAN_RULE_ENCRYPTION_OFF, TN_PLAN_RISK_HIGH, detail, attribute);
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
	if (tn_plan_is_unclear(attribute) || !tn_plan_value_is_readable(&attribute->before) ||
	    !tn_plan_value_is_readable(&attribute->after))
		return;
	before = lowest_version(attribute->before.text);
	after = lowest_version(attribute->after.text);
	if (before > 0 && after > 0 && after < before)
		encryption_goes(risks, attribute,
				"Older, weaker versions of TLS are accepted again.");
}

/* ---- RISK-PUBLIC-DATA ---- */

static void becomes_public(struct tn_plan_risks *risks, const struct tn_plan_attribute *attribute,
			   const char *detail)
{
	tn_plan_risk_add(risks, TN_PLAN_RULE_PUBLIC_DATA, TN_PLAN_RISK_HIGH, detail, attribute);
}

static void check_public_prevention(struct tn_plan_risks *risks,
				    const struct tn_plan_attribute *attribute,
				    struct tn_plan_path path)
{
	struct tn_str after;

	(void)path;
	if (tn_plan_is_unclear(attribute) || !tn_str_is(attribute->before.text, "enforced") ||
	    (tn_plan_side_text(attribute, TN_PLAN_AFTER, &after) && tn_str_is(after, "enforced")))
		return;
	risks->title = "A lock against public access is opened";
	becomes_public(risks, attribute, "What is stored there may be made public.");
	risks->title = NULL;
}

static bool becomes(const struct tn_plan_attribute *attribute, const char *const *words,
		    size_t count)
{
	struct tn_str after;

	return !tn_plan_is_unclear(attribute) &&
	       tn_plan_side_text(attribute, TN_PLAN_AFTER, &after) &&
	       tn_plan_is_one_of(after, words, count);
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
	bool least = tn_str_starts(path.name, TN_STR("min_"));

	if (!tn_plan_turns_zero(attribute))
		return;
	risks->title = least ? "Capacity may go to zero" : NULL;
	tn_plan_risk_add(risks, TN_PLAN_RULE_CAPACITY_ZERO, TN_PLAN_RISK_MEDIUM,
			 least ? "It may shrink until nothing of it runs."
			       : "Nothing of it keeps running.",
			 attribute);
	risks->title = NULL;
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
	WATCH("capacity", check_capacity),
	WATCH("container_access_type", check_container_access),
	WATCH("custom_data", check_restart),
	WATCH("default_acl", check_acl),
	WATCH("desired_capacity", check_capacity),
	WATCH("desired_count", check_capacity),
	WATCH("desired_size", check_capacity),
	WATCH("engine_version", check_restart),
	WATCH("instance_class", check_restart),
	WATCH("instance_count", check_capacity),
	WATCH("instance_type", check_restart),
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
	WATCH("predefined_acl", check_acl),
	WATCH("public_access_prevention", check_public_prevention),
	WATCH("replicas", check_capacity),
	WATCH("security_policy", check_tls),
	WATCH("server_type", check_restart),
	WATCH("size", check_restart),
	WATCH("ssl_policy", check_tls),
	WATCH("target_size", check_capacity),
	WATCH("tls_security_policy", check_tls),
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

/* What does not change is no risk of this change; people may call what they write about an object
 * like a setting. */
static void check(struct tn_plan_risks *risks, const struct tn_plan_attribute *attribute,
		  struct tn_plan_path path)
{
	const struct watch *watch;

	if (attribute->change == TN_PLAN_ATTR_UNCHANGED)
		return;
	watch = find_watch(risks, path.name);
	if (!watch)
		tn_plan_risk_safety(risks, attribute);
	else if (!tn_plan_path_is_remark(attribute->path))
		watch->check(risks, attribute, path);
}

void tn_plan_risk_attributes(struct tn_plan_risks *risks)
{
	const struct tn_plan_attributes *attributes = &risks->entry->attributes;
	bool has_address = false, has_grant = false, has_source = false;

	for (uint32_t i = 0; i < attributes->count; i++) {
		const struct tn_plan_attribute *attribute = &attributes->items[i];
		struct tn_plan_path path = tn_plan_path_split(attribute->path);

		if (path.name.size == 0) {
			if (attribute->change != TN_PLAN_ATTR_UNCHANGED)
				tn_plan_risk_safety(risks, attribute);
			continue;
		}
		has_grant = has_grant || tn_plan_grants_read(attribute->path);
		has_source = has_source || tn_plan_rule_is_source(path.name);
		has_address = has_address || tn_plan_access_is_address(path.name);
		check(risks, attribute, path);
	}
	if (has_grant)
		tn_plan_risk_grants(risks);
	if (has_address) {
		uint32_t found = risks->count;

		tn_plan_risk_access(risks);
		if (risks->count == found)
			(void)tn_plan_risk_denial(risks);
	} else if (!has_source) {
		tn_plan_risk_unseen(risks);
	}
}
