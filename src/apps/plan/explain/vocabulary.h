/* vocabulary.h - plain words for resource types, labels for objects, and the facts worth telling
 * about them (plan.md section 7, Appendix B).
 *
 * The table is data/plan-types.tsv, compiled in and sorted. Everything written for people is free
 * of control characters and line breaks. Threads: any; no state. */
#ifndef TN_PLAN_VOCABULARY_H
#define TN_PLAN_VOCABULARY_H

#include "apps/plan/read/model.h"
#include "base/buf.h"

enum tn_plan_class {
	TN_PLAN_CLASS_UNKNOWN, /* not in the table */
	TN_PLAN_STATEFUL,
	TN_PLAN_COMPUTE,
	TN_PLAN_NETWORK,
	TN_PLAN_ACCESS,
	TN_PLAN_IDENTITY,
	TN_PLAN_KEY,
	TN_PLAN_DNS,
	TN_PLAN_DNS_ZONE,
	TN_PLAN_SECRET_GEN,
	TN_PLAN_LIGHT
};

struct tn_plan_type {
	const char *name; /* "aws_db_instance" */
	const char *noun; /* "managed database" */
	enum tn_plan_class class;
};

/* Exact name; NULL when the table has no such type. */
const struct tn_plan_type *tn_plan_type_find(struct tn_str name);

/* The class by exact name, else IDENTITY where "iam" is a whole part of the name
 * (google_project_iam_audit_config, not aws_miami_x), else UNKNOWN. */
enum tn_plan_class tn_plan_type_class(struct tn_str name);

/* True for revisions and scripts: what they replace keeps running as it is (task definitions,
 * machine templates, published code), or there is nothing that runs (null_resource). */
bool tn_plan_type_is_versioned(struct tn_str name);

/* True for fixed addresses: stateful, but what is lost with them is no data. */
bool tn_plan_type_is_address(struct tn_str name);

/* True for what runs: machines, databases, functions; not for disks, files, permissions. */
bool tn_plan_type_runs(struct tn_str name);

/* The whole table in order of names; *ret_count entries. */
const struct tn_plan_type *tn_plan_types(size_t *ret_count);

/* "managed database"; for an unknown type its provider and words: "Fastly service vcl". Never
 * empty. */
void tn_plan_put_noun(struct tn_buf *out, struct tn_str type);

/* "a" or "an", by the noun's first letter as it is spoken (an SQL database, a user); empty where
 * there are several (clean-up rules of a bucket). */
const char *tn_plan_article(struct tn_str noun);

/* The object's name for people: the first known string among name, display_name, ...; else the
 * resource name with its key. The value before the change, when there was one. Never a value that
 * is sensitive or unknown; secrets in it are redacted, numbers of machines are passed over. */
void tn_plan_put_label(struct tn_buf *out, const struct tn_plan_entry *entry);

/* ---- attributes ---- */

/* The attribute with exactly this path, or NULL. */
const struct tn_plan_attribute *tn_plan_find_attribute(const struct tn_plan_entry *entry,
						       const char *path);

/* The same kind and text; absent and null are the same to a reader. */
bool tn_plan_value_equal(const struct tn_plan_value *a, const struct tn_plan_value *b);

/* True when the value under this path is never shown (read/secret_names.h). */
bool tn_plan_path_is_hidden(struct tn_str path);

/* The same of two values that are at hand: a switch, and what only a setting can be, is shown
 * whatever its name holds: http_tokens = "required", shared_access_key_enabled = true. */
bool tn_plan_is_hidden(struct tn_str path, const struct tn_plan_value *before,
		       const struct tn_plan_value *after);

/* One key fact. The values of a list are joined by the writer. */
struct tn_plan_fact {
	const char *name;                      /* "instance_type"; "from_port-to_port" for a pair */
	const struct tn_plan_attribute *first; /* its value, or the list's first element */
	const struct tn_plan_attribute *last;  /* of a pair: the upper end; otherwise NULL */
};
enum { TN_PLAN_FACTS_MAX = 8 };

/* Fills at most `max` facts (up to TN_PLAN_FACTS_MAX), in the order of section 7. */
unsigned tn_plan_find_facts(const struct tn_plan_entry *entry, struct tn_plan_fact *facts,
			    unsigned max);

/* The bare value, at most 60 characters: t3.small, 80-443. */
void tn_plan_put_fact_value(struct tn_buf *out, const struct tn_plan_entry *entry,
			    const struct tn_plan_fact *fact);

/* ---- text from outside ---- */

enum { TN_PLAN_SHOWN_CHARACTERS = 60 };

/* True for letters and signs that can steer a terminal or turn the reading direction. */
bool tn_plan_is_control(uint32_t code);

/* The text without control characters, line separators and direction marks (each becomes a blank),
 * cut with an ellipsis after `max` characters; 0: not cut. */
void tn_plan_put_clean(struct tn_buf *out, struct tn_str text, size_t max);

#endif
