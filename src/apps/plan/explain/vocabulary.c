#include "apps/plan/explain/vocabulary_table.h"

#include "apps/plan/explain/path.h"
#include "apps/plan/explain/redact.h"
#include "apps/plan/explain/safety.h"
#include "apps/plan/read/secret_names.h"
#include "base/size.h"
#include "base/utf8.h"

/* ---- types ---- */

const struct tn_plan_type *tn_plan_types(size_t *ret_count)
{
	*ret_count = tn_plan_type_count;
	return tn_plan_type_table;
}

const struct tn_plan_type *tn_plan_type_find(struct tn_str name)
{
	size_t low = 0, high = tn_plan_type_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = tn_str_compare(name, tn_str_from(tn_plan_type_table[middle].name));

		if (order == 0)
			return &tn_plan_type_table[middle];
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}

/* A whole part of the name, between underscores: aws_miami_thing has none. */
static bool has_part(struct tn_str name, struct tn_str part)
{
	while (name.size > 0) {
		size_t end = tn_str_find_byte(name, '_');
		struct tn_str first = tn_str(name.data, end == TN_STR_NONE ? name.size : end);

		if (tn_str_equal(first, part))
			return true;
		name = tn_str_from_offset(name, first.size + 1);
	}
	return false;
}

enum tn_plan_class tn_plan_type_class(struct tn_str name)
{
	const struct tn_plan_type *type = tn_plan_type_find(name);

	if (type)
		return type->class;
	return has_part(name, TN_STR("iam")) ? TN_PLAN_IDENTITY : TN_PLAN_CLASS_UNKNOWN;
}

bool tn_plan_type_is_versioned(struct tn_str name)
{
	static const char *const types[] = {
		"aws_api_gateway_deployment",
		"aws_apigatewayv2_deployment",
		"aws_batch_job_definition",
		"aws_ecs_task_definition",
		"aws_lambda_layer_version",
		"aws_launch_configuration",
		"aws_launch_template",
		"google_compute_instance_template",
		"google_compute_region_instance_template",
		"null_resource",
		"terraform_data",
		"time_sleep",
		"time_static",
	};

	for (size_t i = 0; i < TN_COUNT(types); i++)
		if (tn_str_is(name, types[i]))
			return true;
	return false;
}

static struct tn_str last_word(struct tn_str text)
{
	size_t at = text.size;

	while (at > 0 && text.data[at - 1] != ' ')
		at--;
	return tn_str_from_offset(text, at);
}

/* What the noun is of: "clean-up rules" of "clean-up rules of a storage bucket". */
static struct tn_str head_of(struct tn_str noun)
{
	static const struct tn_str joints[] = {{" of ", 4}, {" on ", 4}, {" in ", 4}, {" for ", 5}};

	for (size_t i = 0; i < TN_COUNT(joints); i++) {
		size_t at = tn_str_find(noun, joints[i]);

		if (at != TN_STR_NONE)
			noun.size = at;
	}
	return noun;
}

bool tn_plan_type_is_address(struct tn_str name)
{
	static const char *const types[] = {"aws_eip",
					    "azurerm_public_ip",
					    "azurerm_public_ip_prefix",
					    "google_compute_address",
					    "google_compute_global_address",
					    "oci_core_public_ip",
					    "digitalocean_floating_ip",
					    "digitalocean_reserved_ip",
					    "hcloud_floating_ip",
					    "hcloud_primary_ip"};

	for (size_t i = 0; i < TN_COUNT(types); i++)
		if (tn_str_is(name, types[i]))
			return true;
	return false;
}

/* By what the noun is called: "managed database server", "group of machines". */
bool tn_plan_type_runs(struct tn_str name)
{
	static const char *const words[] = {
		"machine",     "machines", "database", "cluster",     "server",     "function",
		"application", "service",  "queue",    "container",   "job",        "workflow",
		"balancer",    "gateway",  "cache",    "broker",      "stream",     "warehouse",
		"platform",    "pipeline", "site",     "environment", "deployment", "endpoint",
		"notebook",    "member",   "firewall"};
	const struct tn_plan_type *known = tn_plan_type_find(name);
	struct tn_str noun = known ? tn_str_from(known->noun) : tn_str("", 0);

	for (size_t i = 0; i < TN_COUNT(words); i++)
		if (tn_str_is(last_word(head_of(noun)), words[i]) ||
		    tn_str_is(last_word(noun), words[i]))
			return true;
	return false;
}

/* Type prefix and how its maker is called, where the first letter in upper case is not enough. */
static const struct {
	struct tn_str prefix;
	const char *name;
} providers[] = {
	{{"aws", 3}, "AWS"},
	{{"awscc", 5}, "AWS"},
	{{"azapi", 5}, "Azure"},
	{{"azuread", 7}, "Azure"},
	{{"azuredevops", 11}, "Azure DevOps"},
	{{"azurerm", 7}, "Azure"},
	{{"digitalocean", 12}, "DigitalOcean"},
	{{"github", 6}, "GitHub"},
	{{"gitlab", 6}, "GitLab"},
	{{"google", 6}, "Google Cloud"},
	{{"googleworkspace", 15}, "Google Workspace"},
	{{"hcloud", 6}, "Hetzner Cloud"},
	{{"ibm", 3}, "IBM"},
	{{"mongodbatlas", 12}, "MongoDB Atlas"},
	{{"mysql", 5}, "MySQL"},
	{{"newrelic", 8}, "New Relic"},
	{{"oci", 3}, "Oracle Cloud"},
	{{"openstack", 9}, "OpenStack"},
	{{"ovh", 3}, "OVH"},
	{{"pagerduty", 9}, "PagerDuty"},
	{{"postgresql", 10}, "PostgreSQL"},
	{{"tfe", 3}, "Terraform Enterprise"},
	{{"tls", 3}, "TLS"},
	{{"vsphere", 7}, "vSphere"},
};

static void put_provider(struct tn_buf *out, struct tn_str prefix)
{
	size_t first;

	for (size_t i = 0; i < TN_COUNT(providers); i++)
		if (tn_str_equal(prefix, providers[i].prefix)) {
			tn_buf_append_text(out, providers[i].name);
			return;
		}
	first = out->size;
	tn_plan_put_clean(out, prefix, 0);
	if (!out->failed && out->data[first] >= 'a' && out->data[first] <= 'z')
		out->data[first] = (char)(out->data[first] - 'a' + 'A');
}

static void put_unknown_noun(struct tn_buf *out, struct tn_str type)
{
	size_t split = tn_str_find_byte(type, '_');
	struct tn_str rest;
	size_t words_start;

	if (type.size == 0 || split == 0) {
		tn_buf_append_text(out, "object");
		return;
	}
	put_provider(out, tn_str(type.data, split == TN_STR_NONE ? type.size : split));
	tn_buf_append_byte(out, ' ');
	words_start = out->size;
	rest = tn_str_from_offset(type, split == TN_STR_NONE ? type.size : split + 1);
	if (rest.size == 0)
		tn_buf_append_text(out, "object");
	else
		tn_plan_put_clean(out, rest, 0);
	for (size_t i = words_start; i < out->size; i++)
		if (out->data[i] == '_')
			out->data[i] = ' ';
}

void tn_plan_put_noun(struct tn_buf *out, struct tn_str type)
{
	const struct tn_plan_type *known = tn_plan_type_find(type);

	if (known)
		tn_buf_append_text(out, known->noun);
	else
		put_unknown_noun(out, type);
}

static bool is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

/* rules, permissions; not address, alias, DNS. */
static bool is_plural(struct tn_str noun)
{
	struct tn_str word = last_word(head_of(noun));
	char before;

	if (word.size < 3 || word.data[word.size - 1] != 's')
		return false;
	before = word.data[word.size - 2];
	return before != 's' && before != 'u' && before != 'i' &&
	       !tn_str_equal(word, TN_STR("alias")) && !tn_str_equal(word, TN_STR("kubernetes"));
}

const char *tn_plan_article(struct tn_str noun)
{
	/* Letters whose name begins with a vowel: an SQL database, an MX record. */
	static const struct tn_str spoken = {"AEFHILMNORSX", 12};
	static const struct tn_str vowels = {"aeio", 4};
	char first = noun.size ? noun.data[0] : 'x';

	if (is_plural(noun))
		return "";
	if (noun.size > 1 && is_upper(first) && is_upper(noun.data[1]))
		return tn_str_find_byte(spoken, first) == TN_STR_NONE ? "a" : "an";
	if (tn_to_lower(first) == 'u') /* a user, a unit; an upstream */
		return tn_str_starts(noun, TN_STR("us")) || tn_str_starts(noun, TN_STR("uni"))
			       ? "a"
			       : "an";
	return tn_str_find_byte(vowels, tn_to_lower(first)) == TN_STR_NONE ? "a" : "an";
}

/* ---- labels ---- */

/* Best first. */
static const struct tn_str label_names[] = {
	{"name", 4},
	{"display_name", 12},
	{"bucket", 6},
	{"identifier", 10},
	{"cluster_identifier", 18},
	{"function_name", 13},
	{"title", 5},
	{"hostname", 8},
	{"domain", 6},
	{"domain_name", 11},
	{"metadata[0].name", 16}, /* Kubernetes */
	{"metadata.name", 13},
	{"key", 3},
	{"id", 2},
};

static bool is_known_text(const struct tn_plan_value *value)
{
	return value->kind == TN_PLAN_VALUE_STRING && tn_str_trim(value->text).size > 0;
}

static bool is_hexadecimal(struct tn_str text)
{
	for (size_t i = 0; i < text.size; i++) {
		char c = tn_to_lower(text.data[i]);

		if (!tn_is_digit(c) && (c < 'a' || c > 'f'))
			return false;
	}
	return text.size > 0;
}

/* arn:aws:..., /subscriptions/..., 7adc2fcc-...: what machines call it tells people nothing. */
static bool is_number_of_machine(struct tn_str id)
{
	size_t digits = 0, dashes = 0, letters = 0, dash = tn_str_find_byte(id, '-');
	struct tn_str rest = tn_str_from_offset(id, dash == TN_STR_NONE ? 0 : dash + 1);

	if (tn_str_starts(id, TN_STR("arn:")) || tn_str_starts(id, TN_STR("/subscriptions/")) ||
	    tn_str_starts(id, TN_STR("projects/")))
		return true;
	/* i-0123456789abcdef0, subnet-0a1b2c3d */
	if (dash != TN_STR_NONE && dash <= 8 && rest.size >= 8 && is_hexadecimal(rest))
		return true;
	for (size_t i = 0; i < id.size; i++) {
		char c = tn_to_lower(id.data[i]);

		digits += tn_is_digit(c);
		dashes += c == '-';
		letters += c >= 'a' && c <= 'f';
	}
	return digits + dashes + letters == id.size &&
	       ((id.size == 36 && dashes == 4) || digits == id.size);
}

static const struct tn_plan_value *label_value(const struct tn_plan_entry *entry,
					       const struct tn_plan_attribute *attribute)
{
	bool is_new = entry->action == TN_PLAN_CREATE;
	const struct tn_plan_value *first = is_new ? &attribute->after : &attribute->before;
	const struct tn_plan_value *second = is_new ? &attribute->before : &attribute->after;

	if (attribute->sensitive || attribute->write_only)
		return NULL;
	if (!is_known_text(first))
		first = is_known_text(second) ? second : NULL;
	if (first && tn_str_is(attribute->path, "id") && is_number_of_machine(first->text))
		return NULL;
	if (first && tn_str_is(first->text, "vpc")) /* the "domain" of an address */
		return NULL;
	return first;
}

static const struct tn_plan_value *find_label(const struct tn_plan_entry *entry)
{
	const struct tn_plan_value *best = NULL;
	size_t best_rank = TN_COUNT(label_names);

	for (uint32_t i = 0; i < entry->attributes.count && best_rank > 0; i++) {
		const struct tn_plan_attribute *attribute = &entry->attributes.items[i];
		const struct tn_plan_value *value;

		for (size_t rank = 0; rank < best_rank; rank++) {
			if (!tn_str_equal(attribute->path, label_names[rank]))
				continue;
			value = label_value(entry, attribute);
			if (value) {
				best = value;
				best_rank = rank;
			}
			break;
		}
	}
	return best;
}

/* A name may hold a secret, as any text may. */
static void put_harmless(struct tn_buf *out, struct tn_str text)
{
	struct tn_buf clean;

	tn_buf_init(&clean, out->limit);
	tn_plan_redact(&clean, text);
	tn_buf_inherit_failure(out, &clean);
	tn_plan_put_clean(out, tn_buf_str(&clean), TN_PLAN_SHOWN_CHARACTERS);
	tn_buf_finish(&clean);
}

void tn_plan_put_label(struct tn_buf *out, const struct tn_plan_entry *entry)
{
	const struct tn_plan_value *value = find_label(entry);

	if (value) {
		put_harmless(out, value->text);
		return;
	}
	tn_plan_put_clean(out, entry->name, TN_PLAN_SHOWN_CHARACTERS);
	if (entry->key_kind == TN_PLAN_KEY_NONE)
		return;
	tn_buf_append_byte(out, '[');
	put_harmless(out, entry->key_text);
	tn_buf_append_byte(out, ']');
}

/* ---- attributes ---- */

const struct tn_plan_attribute *tn_plan_find_attribute(const struct tn_plan_entry *entry,
						       const char *path)
{
	struct tn_str wanted = tn_str_from(path);

	for (uint32_t i = 0; i < entry->attributes.count; i++)
		if (tn_str_equal(entry->attributes.items[i].path, wanted))
			return &entry->attributes.items[i];
	return NULL;
}

bool tn_plan_value_equal(const struct tn_plan_value *a, const struct tn_plan_value *b)
{
	bool a_is_nothing = a->kind == TN_PLAN_VALUE_NONE || a->kind == TN_PLAN_VALUE_NULL;
	bool b_is_nothing = b->kind == TN_PLAN_VALUE_NONE || b->kind == TN_PLAN_VALUE_NULL;

	if (a_is_nothing || b_is_nothing)
		return a_is_nothing && b_is_nothing;
	return a->kind == b->kind && tn_str_equal(a->text, b->text);
}

bool tn_plan_path_is_hidden(struct tn_str path)
{
	return tn_plan_is_secret_name(path);
}

bool tn_plan_is_hidden(struct tn_str path, const struct tn_plan_value *before,
		       const struct tn_plan_value *after)
{
	const struct tn_plan_value *const values[] = {before, after};
	unsigned settings = 0;

	if (!tn_plan_path_is_hidden(path))
		return false;
	for (size_t i = 0; i < TN_COUNT(values); i++) {
		if (values[i]->kind == TN_PLAN_VALUE_NONE || values[i]->kind == TN_PLAN_VALUE_NULL)
			continue;
		if (!tn_plan_value_is_setting(path, values[i]))
			return true;
		settings++;
	}
	return settings == 0;
}

/* ---- text from outside ---- */

bool tn_plan_is_control(uint32_t code)
{
	return tn_utf8_look(code) >= TN_UTF8_NO_SIZE;
}

static void put_character(struct tn_buf *out, uint32_t code)
{
	char bytes[TN_UTF8_BYTES_MAX];

	if (!tn_plan_is_control(code))
		tn_buf_append(out, bytes, tn_utf8_encode(code, bytes));
	else if (out->size == 0 || out->data[out->size - 1] != ' ')
		tn_buf_append_byte(out, ' ');
}

static bool is_printable_ascii(char c)
{
	return c >= ' ' && c < 0x7f;
}

void tn_plan_put_clean(struct tn_buf *out, struct tn_str text, size_t max)
{
	size_t at = 0, shown = 0;

	if (max == 0)
		max = SIZE_MAX;
	while (at < text.size && shown < max) {
		size_t start = at;
		uint32_t code = TN_UTF8_REPLACEMENT;
		size_t size;

		while (at < text.size && shown < max && is_printable_ascii(text.data[at])) {
			at++;
			shown++;
		}
		tn_buf_append(out, text.data + start, at - start);
		if (at == text.size || shown == max)
			break;
		size = tn_utf8_decode(text.data + at, text.size - at, &code);
		put_character(out, code);
		at += size ? size : 1;
		shown++;
	}
	if (at < text.size)
		tn_buf_append_text(out, "\xe2\x80\xa6");
}
