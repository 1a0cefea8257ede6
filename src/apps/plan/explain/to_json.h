/* to_json.h - a plan as the JSON object of plan.md section 5, whole or in part.
 *
 * Failures stick to the buffer (base/buf.h). Threads: any. */
#ifndef TN_PLAN_TO_JSON_H
#define TN_PLAN_TO_JSON_H

#include "apps/plan/read/model.h"
#include "base/buf.h"

enum tn_plan_detail {
	TN_PLAN_DETAIL_SUMMARY, /* no entries: "resource_changes" is empty */
	TN_PLAN_DETAIL_CHANGES, /* entries with the attributes that change */
	TN_PLAN_DETAIL_FULL     /* also the unchanged attributes that were kept */
};

/* Which entries are written. Counts, risk and all other members are always those of the whole
 * plan. A zeroed filter with a detail selects everything. */
struct tn_plan_filter {
	enum tn_plan_detail detail;
	uint32_t offset;              /* among the entries that match */
	uint32_t limit;               /* 0: no limit */
	uint32_t actions;             /* bits 1u << enum tn_plan_action; 0: all */
	enum tn_plan_risk min_risk;   /* NONE: all */
	struct tn_str address_prefix; /* empty: all */
	bool redact;                  /* for storage: hidden paths and secrets go (redact.h) */
};

/* How many entries match, ignoring offset and limit. */
uint32_t tn_plan_count_matching(const struct tn_plan *plan, const struct tn_plan_filter *filter);
bool tn_plan_entry_matches(const struct tn_plan_entry *entry, const struct tn_plan_filter *filter);

/* The object of section 5, and one further member that says which part this is:
 *   "page":{"offset":0,"limit":200,"matched":1234,"next_offset":200}   next_offset null: the end */
void tn_plan_put_json(struct tn_buf *out, const struct tn_plan *plan,
		      const struct tn_plan_filter *filter);

/* The same for a model (hosts.md HO-003): no null, nothing at its default or twice; of many changes
 * some attributes each, and "attributes_more". Every member that is there means the same. */
void tn_plan_put_lean_json(struct tn_buf *out, const struct tn_plan *plan,
			   const struct tn_plan_filter *filter);
/* The first finding of this change, or finding_count: they stand in plan order. */
uint32_t tn_plan_first_finding(const struct tn_plan *plan, uint32_t change);
/* What a finding is about, or forces a replacement, is never left out. */
bool tn_plan_attribute_weighs(const struct tn_plan *plan, uint32_t change,
			      const struct tn_plan_attribute *attribute);
/* Part of it: members of the whole plan that few plans have; those alone that there are. */
void tn_plan_put_rare_members(struct tn_buf *out, const struct tn_plan *plan,
			      const struct tn_plan_filter *filter);

/* The compact text of terraform_parse (section 12): {"resource_changes":[{address,type,name,action,
 * actions}],"summary":{total_changes,actions}}. The same entries as above. */
void tn_plan_put_compact_json(struct tn_buf *out, const struct tn_plan *plan,
			      const struct tn_plan_filter *filter);

/* One entry alone (terraform_show_change): the entry of section 5 with all kept attributes, of
 * which offset and limit (0: all) select a part, and "total_attributes". */
void tn_plan_put_change_json(struct tn_buf *out, const struct tn_plan *plan, uint32_t change,
			     uint32_t offset, uint32_t limit);

/* {"create":0,"update":0,"delete":0,"replace":0,"forget":0,"import":0,"move":0,"read":0}, and
 * "unknown" only when there are some. */
void tn_plan_put_actions_object(struct tn_buf *out, const struct tn_plan *plan);

/* [{"code","message","line"}] */
void tn_plan_put_warnings_array(struct tn_buf *out, const struct tn_plan *plan);

/* Shared with comparing and risk: a typed JSON value, null for none. */
void tn_plan_put_json_value(struct tn_buf *out, const struct tn_plan_value *value);
/* An absent text is null. */
void tn_plan_put_json_text(struct tn_buf *out, struct tn_str text);
/* "findings": {"id","level","address","title","detail","evidence":{path,before,after} or null}
 * each, the worst first. */
void tn_plan_put_json_findings(struct tn_buf *out, const struct tn_plan *plan,
			       enum tn_plan_risk min_level);

#endif
