#include "apps/plan/explain/names.h"

#include "base/size.h"

static const char *const kinds[] = {"text", "json", "json_stream"};
static const char *const tools[] = {"unknown", "terraform", "opentofu"};
static const char *const formats[] = {"modern", "legacy_0_12", "legacy_0_11", "json",
				      "json_stream"};
static const char *const statuses[] = {"changes",    "outputs_only",  "no_changes", "no_verdict",
				       "drift_only", "deferred_only", "errored",    "not_a_plan"};
static const char *const modes[] = {"unknown", "normal", "destroy", "refresh_only"};
static const char *const confidences[] = {"high", "medium", "low"};
static const char *const actions[TN_PLAN_ACTION_COUNT] = {
	"create", "update", "delete", "replace", "read", "forget", "import", "move", "unknown",
};
static const char *const changes[] = {"add", "remove", "update", "unchanged"};
static const char *const orders[] = {NULL, "destroy_first", "create_first", "forget_old",
				     "forget_old"};
static const char *const levels[] = {"none", "low", "medium", "high", "critical"};

/* In the order of enum tn_plan_cleanup's bits. */
static const char *const cleanups[] = {
	"bom",
	"utf16",
	"latin1",
	"crlf",
	"cr_redraw",
	"ansi",
	"ansi_remnant",
	"prefix:iso8601",
	"prefix:bracket_time",
	"prefix:runner",
	"prefix:compose",
	"prefix:quote",
	"prefix:generic",
	"indent",
	"markdown",
	"html_entities",
	"shifted_layout",
	"diff_layout",
};

#define NAME_OF(table, value)                         \
	tn_assert((size_t)(value) < TN_COUNT(table)); \
	return (table)[value]

const char *tn_plan_kind_name(enum tn_plan_kind kind)
{
	NAME_OF(kinds, kind);
}

const char *tn_plan_tool_name(enum tn_plan_tool tool)
{
	NAME_OF(tools, tool);
}

const char *tn_plan_product_name(enum tn_plan_tool tool)
{
	return tool == TN_PLAN_OPENTOFU ? "OpenTofu" : "Terraform";
}

const char *tn_plan_format_name(enum tn_plan_format format)
{
	NAME_OF(formats, format);
}

const char *tn_plan_status_name(enum tn_plan_status status)
{
	NAME_OF(statuses, status);
}

const char *tn_plan_mode_name(enum tn_plan_mode mode)
{
	NAME_OF(modes, mode);
}

const char *tn_plan_confidence_name(enum tn_plan_confidence confidence)
{
	NAME_OF(confidences, confidence);
}

const char *tn_plan_action_name(enum tn_plan_action action)
{
	NAME_OF(actions, action);
}

const char *tn_plan_change_name(enum tn_plan_change change)
{
	NAME_OF(changes, change);
}

const char *tn_plan_order_name(enum tn_plan_order order)
{
	NAME_OF(orders, order);
}

const char *tn_plan_risk_name(enum tn_plan_risk level)
{
	NAME_OF(levels, level);
}

const char *tn_plan_cleanup_name(enum tn_plan_cleanup step)
{
	unsigned bit = (unsigned)__builtin_ctz((unsigned)step);

	NAME_OF(cleanups, bit);
}

static unsigned replace_words(const struct tn_plan_entry *entry, const char *words[2])
{
	bool old_goes = entry->order == TN_PLAN_DESTROY_FIRST ||
			entry->order == TN_PLAN_CREATE_FIRST || entry->order == TN_PLAN_ORDER_NONE;
	bool new_first = entry->order == TN_PLAN_CREATE_FIRST || entry->order == TN_PLAN_FORGET_OLD;

	words[new_first ? 0 : 1] = "create";
	words[new_first ? 1 : 0] = old_goes ? "delete" : "forget";
	return 2;
}

unsigned tn_plan_action_words(const struct tn_plan_entry *entry, const char *words[2])
{
	switch ((enum tn_plan_action)entry->action) {
	case TN_PLAN_REPLACE:
		return replace_words(entry, words);
	case TN_PLAN_MOVE:
	case TN_PLAN_IMPORT:
		words[0] = "no-op";
		return 1;
	default:
		words[0] = tn_plan_action_name(entry->action);
		return 1;
	}
}

bool tn_plan_action_from_name(struct tn_str name, enum tn_plan_action *ret)
{
	for (unsigned i = 0; i < TN_COUNT(actions); i++)
		if (tn_str_is(name, actions[i])) {
			*ret = i;
			return true;
		}
	return false;
}

bool tn_plan_risk_from_name(struct tn_str name, enum tn_plan_risk *ret)
{
	for (unsigned i = 0; i < TN_COUNT(levels); i++)
		if (tn_str_is(name, levels[i])) {
			*ret = i;
			return true;
		}
	return false;
}

const char *tn_plan_plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}
