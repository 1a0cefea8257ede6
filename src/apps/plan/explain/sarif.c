#include "apps/plan/explain/sarif.h"

#include "apps/plan/explain/names.h"
#include "apps/plan/explain/risk.h"
#include "apps/plan/explain/sentence.h"
#include "jsonrpc/json_write.h"

/* SARIF knows three levels; ours stands in "properties". */
static const char *sarif_level(enum tn_plan_risk level)
{
	switch (level) {
	case TN_PLAN_RISK_CRITICAL:
	case TN_PLAN_RISK_HIGH:
		return "error";
	case TN_PLAN_RISK_MEDIUM:
		return "warning";
	case TN_PLAN_RISK_LOW:
	case TN_PLAN_RISK_NONE:
		break;
	}
	return "note";
}

/* How severe as a number; code hosts sort by it. */
static const char *severity(enum tn_plan_risk level)
{
	static const char *const scores[] = {"0.0", "3.0", "5.0", "8.0", "9.5"};

	return scores[level];
}

static void put_text_object(struct tn_buf *out, const char *key, const char *text)
{
	tn_json_put_key(out, key);
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "text", text);
	tn_json_end_object(out);
}

static void put_rules(struct tn_buf *out)
{
	size_t count;
	const struct tn_plan_rule *rules = tn_plan_rules(&count);

	tn_json_put_key(out, "rules");
	tn_json_begin_array(out);
	for (size_t i = 0; i < count; i++) {
		tn_json_begin_object(out);
		tn_json_put_member_text(out, "id", rules[i].id);
		put_text_object(out, "shortDescription", rules[i].title);
		tn_json_put_key(out, "defaultConfiguration");
		tn_json_begin_object(out);
		tn_json_put_member_text(out, "level", sarif_level(rules[i].level));
		tn_json_end_object(out);
		tn_json_put_key(out, "properties");
		tn_json_begin_object(out);
		tn_json_put_member_text(out, "security-severity", severity(rules[i].level));
		tn_json_end_object(out);
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
}

static void put_tool(struct tn_buf *out)
{
	tn_json_put_key(out, "tool");
	tn_json_begin_object(out);
	tn_json_put_key(out, "driver");
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "name", "tenon plan");
	tn_json_put_member_text(out, "version", TENON_VERSION);
	put_rules(out);
	tn_json_end_object(out);
	tn_json_end_object(out);
}

/* ---- results ---- */

static int64_t rule_index(const char *id)
{
	size_t count;
	const struct tn_plan_rule *rules = tn_plan_rules(&count);

	for (size_t i = 0; i < count; i++)
		if (strcmp(rules[i].id, id) == 0)
			return (int64_t)i;
	return -1; /* SARIF's word for none */
}

/* A URI reference: everything that is neither unreserved nor a slash is escaped. */
static void put_uri(struct tn_buf *out, struct tn_str path)
{
	struct tn_buf uri;

	tn_buf_init(&uri, out->limit);
	for (size_t i = 0; i < path.size; i++) {
		char c = path.data[i];

		if (tn_is_alpha(c) || tn_is_digit(c) || memchr("-._~/", c, 5))
			tn_buf_append_byte(&uri, c);
		else
			tn_buf_format(&uri, "%%%02X", (unsigned char)c);
	}
	out->failed = out->failed || uri.failed;
	tn_json_put_member_str(out, "uri", tn_buf_str(&uri));
	tn_buf_finish(&uri);
}

static void put_logical_location(struct tn_buf *out, const struct tn_plan_entry *entry)
{
	tn_json_put_key(out, "logicalLocations");
	tn_json_begin_array(out);
	tn_json_begin_object(out);
	tn_json_put_member_str(out, "fullyQualifiedName", entry->address);
	tn_json_put_member_text(out, "kind", "resource");
	tn_json_end_object(out);
	tn_json_end_array(out);
}

/* A JSON plan has no lines; line 1 stands for the whole file, as code hosts insist on one. */
static void put_location(struct tn_buf *out, const struct tn_plan_entry *entry,
			 struct tn_str artifact)
{
	uint32_t first = entry && entry->line_first > 0 ? entry->line_first : 1;
	uint32_t last = entry && entry->line_last >= first ? entry->line_last : first;

	tn_json_put_key(out, "locations");
	tn_json_begin_array(out);
	tn_json_begin_object(out);
	tn_json_put_key(out, "physicalLocation");
	tn_json_begin_object(out);
	tn_json_put_key(out, "artifactLocation");
	tn_json_begin_object(out);
	put_uri(out, artifact);
	tn_json_end_object(out);
	tn_json_put_key(out, "region");
	tn_json_begin_object(out);
	tn_json_put_member_int(out, "startLine", first);
	tn_json_put_member_int(out, "endLine", last);
	tn_json_end_object(out);
	tn_json_end_object(out);
	if (entry)
		put_logical_location(out, entry);
	tn_json_end_object(out);
	tn_json_end_array(out);
}

static void put_message(struct tn_buf *out, const struct tn_plan *plan,
			const struct tn_plan_finding *finding, const struct tn_plan_entry *entry)
{
	struct tn_buf text;

	tn_buf_init(&text, out->limit);
	if (entry) {
		tn_buf_append_str(&text, entry->address);
		tn_plan_put_unit(&text, plan, entry->unit, " in ");
		tn_buf_append_text(&text, ": ");
	}
	tn_buf_append_str(&text, finding->title);
	tn_buf_append_text(&text, ". ");
	tn_buf_append_str(&text, finding->detail);
	out->failed = out->failed || text.failed;
	tn_json_put_key(out, "message");
	tn_json_begin_object(out);
	tn_json_put_member_str(out, "text", tn_buf_str(&text));
	tn_json_end_object(out);
	tn_buf_finish(&text);
}

/* The same finding on the same object is the same alert tomorrow, whatever its line. */
static void put_fingerprint(struct tn_buf *out, const struct tn_plan *plan,
			    const struct tn_plan_finding *finding,
			    const struct tn_plan_entry *entry)
{
	struct tn_buf text;

	tn_buf_init(&text, out->limit);
	tn_buf_append_text(&text, finding->id);
	if (entry) {
		tn_buf_append_byte(&text, ' ');
		tn_buf_append_str(&text, entry->address);
		tn_plan_put_unit(&text, plan, entry->unit, " ");
	}
	if (finding->path.data) {
		tn_buf_append_byte(&text, ' ');
		tn_buf_append_str(&text, finding->path);
	}
	out->failed = out->failed || text.failed;
	tn_json_put_key(out, "partialFingerprints");
	tn_json_begin_object(out);
	tn_json_put_member_str(out, "tenonFinding/v1", tn_buf_str(&text));
	tn_json_end_object(out);
	tn_buf_finish(&text);
}

static void put_result(struct tn_buf *out, const struct tn_plan *plan,
		       const struct tn_plan_finding *finding, struct tn_str artifact)
{
	const struct tn_plan_entry *entry =
		finding->change == TN_PLAN_NO_CHANGE ? NULL : &plan->changes[finding->change];

	tn_json_begin_object(out);
	tn_json_put_member_text(out, "ruleId", finding->id);
	tn_json_put_member_int(out, "ruleIndex", rule_index(finding->id));
	tn_json_put_member_text(out, "level", sarif_level(finding->level));
	put_message(out, plan, finding, entry);
	put_location(out, entry, artifact);
	put_fingerprint(out, plan, finding, entry);
	tn_json_put_key(out, "properties");
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "risk", tn_plan_risk_name(finding->level));
	tn_json_end_object(out);
	tn_json_end_object(out);
}

void tn_plan_put_sarif(struct tn_buf *out, const struct tn_plan *plan, enum tn_plan_risk min_level,
		       struct tn_str artifact)
{
	if (!artifact.data)
		artifact = TN_STR("plan.txt");
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
	tn_json_put_member_text(out, "version", "2.1.0");
	tn_json_put_key(out, "runs");
	tn_json_begin_array(out);
	tn_json_begin_object(out);
	put_tool(out);
	tn_json_put_key(out, "results");
	tn_json_begin_array(out);
	for (uint32_t i = 0; i < plan->finding_count; i++)
		if (plan->findings[i].level >= min_level)
			put_result(out, plan, &plan->findings[i], artifact);
	tn_json_end_array(out);
	tn_json_end_object(out);
	tn_json_end_array(out);
	tn_json_end_object(out);
}
