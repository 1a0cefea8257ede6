#include "apps/plan/explain/explain_notes.h"

#include "apps/plan/explain/names.h"
#include "apps/plan/explain/diagnostic_words.h"
#include "apps/plan/explain/finding_words.h"
#include "apps/plan/explain/risk.h"
#include "apps/plan/explain/vocabulary.h"

enum { MISMATCHES_SHOWN = 5, WARNINGS_SHOWN = 3 };

/* ---- leading ---- */

static const struct tn_plan_diagnostic *first_error(const struct tn_plan *plan)
{
	for (uint32_t i = 0; i < plan->diagnostic_count; i++)
		if (!plan->diagnostics[i].in_apply &&
		    strcmp(plan->diagnostics[i].severity, "error") == 0)
			return &plan->diagnostics[i];
	return NULL;
}

/* ": <first error>." or ".". */
static void put_first_error(struct tn_buf *out, const struct tn_plan *plan)
{
	const struct tn_plan_diagnostic *error = first_error(plan);

	if (error && tn_str_trim(error->summary).size > 0) {
		tn_buf_append_text(out, ": ");
		tn_plan_put_diagnostic(out, plan, error);
	}
	tn_buf_append_text(out, ". ");
}

static const char *field_words(const char *field)
{
	static const struct {
		const char *field, *words;
	} table[] = {
		{"add", "to add"},       {"change", "to change"}, {"destroy", "to destroy"},
		{"import", "to import"}, {"forget", "to forget"},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (strcmp(field, table[i].field) == 0)
			return table[i].words;
	return field;
}

static void put_mismatches(struct tn_buf *out, const struct tn_plan *plan)
{
	tn_buf_append_text(out, "The text looks cut off or altered: ");
	for (uint32_t i = 0; i < plan->mismatch_count; i++) {
		const struct tn_plan_mismatch *mismatch = &plan->mismatches[i];

		if (i == MISMATCHES_SHOWN) {
			tn_buf_append_text(out, " and more");
			break;
		}
		if (i > 0)
			tn_buf_append_text(out, ", ");
		tn_buf_format(out, "%lld %s announced but %lld found", (long long)mismatch->stated,
			      field_words(mismatch->field), (long long)mismatch->counted);
	}
	tn_buf_append_text(out, ". ");
}

static void put_consistency(struct tn_buf *out, const struct tn_plan *plan)
{
	if (plan->mismatch_count > 0)
		put_mismatches(out, plan);
	else if (plan->consistent == 0)
		tn_buf_format(out,
			      "The text looks cut off or altered: the %u change%s found "
			      "do%s not match its totals. ",
			      plan->total_changes, tn_plan_plural(plan->total_changes),
			      plan->total_changes == 1 ? "es" : "");
	else if (plan->truncated && plan->plan_line.present)
		tn_buf_format(out,
			      "The text looks cut off, but the %u change%s found fit its totals. ",
			      plan->total_changes, tn_plan_plural(plan->total_changes));
	else if (plan->truncated)
		tn_buf_format(out,
			      "The text looks cut off: %u change%s found, and it has no total to "
			      "compare with. ",
			      plan->total_changes, plan->total_changes == 1 ? " was" : "s were");
}

void tn_plan_put_leading_notes(struct tn_buf *out, const struct tn_plan *plan,
			       enum tn_plan_audience audience)
{
	if (plan->errored) {
		tn_buf_format(out, "The plan is incomplete because %s stopped with an error",
			      tn_plan_product_name(plan->tool));
		put_first_error(out, plan);
	}
	put_consistency(out, plan);
	tn_plan_put_dangers(out, plan, audience);
}

/* ---- closing ---- */

void tn_plan_put_counted(struct tn_buf *out, uint64_t count, const char *one, const char *many)
{
	if (count == 0)
		return;
	tn_buf_append_uint(out, count);
	tn_buf_append_byte(out, ' ');
	tn_buf_append_text(out, count == 1 ? one : many);
	tn_buf_append_text(out, ". ");
}

static uint64_t count_warnings(const struct tn_plan *plan)
{
	uint64_t count = plan->warning_count;

	for (uint32_t i = 0; i < plan->diagnostic_count; i++)
		count += !plan->diagnostics[i].in_apply &&
			 strcmp(plan->diagnostics[i].severity, "warning") == 0;
	return count;
}

/* What warnings are about, where they say it. */
static void put_warnings(struct tn_buf *out, const struct tn_plan *plan)
{
	uint32_t shown = 0;

	tn_plan_put_counted(out, count_warnings(plan), "warning was given", "warnings were given");
	for (uint32_t i = 0; i < plan->diagnostic_count && shown < WARNINGS_SHOWN; i++) {
		const struct tn_plan_diagnostic *diagnostic = &plan->diagnostics[i];

		if (diagnostic->in_apply || strcmp(diagnostic->severity, "warning") != 0 ||
		    !tn_plan_diagnostic_tells(diagnostic))
			continue;
		tn_plan_put_diagnostic(out, plan, diagnostic);
		tn_buf_append_text(out, ". ");
		shown++;
	}
}

static uint32_t count_drift(const struct tn_plan *plan, enum tn_plan_action action)
{
	uint32_t count = 0;

	for (uint32_t i = 0; plan->drift && i < plan->drift_count; i++)
		count += plan->drift[i].action == action;
	return count;
}

/* Somebody deleted it, and it is created: the rule about drift has found those. */
static uint32_t count_made_again(const struct tn_plan *plan)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < plan->finding_count; i++)
		count += strcmp(plan->findings[i].id, "RISK-DRIFT-REVERT") == 0 &&
			 plan->changes[plan->findings[i].change].action == TN_PLAN_CREATE;
	return count;
}

static void put_drifted(struct tn_buf *out, const struct tn_plan *plan, uint32_t count,
			const char *word)
{
	if (count > 0)
		tn_buf_format(out, "%u object%s %s outside %s", count,
			      count == 1 ? " was" : "s were", word,
			      tn_plan_product_name(plan->tool));
}

static void put_drift(struct tn_buf *out, const struct tn_plan *plan)
{
	uint32_t deleted = count_drift(plan, TN_PLAN_DELETE);
	uint32_t again = count_made_again(plan);

	put_drifted(out, plan, plan->drift_count - deleted, "changed");
	if (plan->drift_count > deleted)
		tn_buf_append_text(out, ". ");
	put_drifted(out, plan, deleted, "deleted");
	if (again > 0 && again == deleted)
		tn_buf_append_text(out, again == 1 ? " and is made again" : " and are made again");
	else if (again > 0)
		tn_buf_format(out, ", and %u of them %s made again", again,
			      again == 1 ? "is" : "are");
	if (deleted > 0)
		tn_buf_append_text(out, ". ");
}

void tn_plan_put_closing_notes(struct tn_buf *out, const struct tn_plan *plan)
{
	tn_plan_put_counted(out, plan->actions[TN_PLAN_READ], "data source is read while applying",
			    "data sources are read while applying");
	tn_plan_put_counted(out, plan->output_count, "output value changes",
			    "output values change");
	put_drift(out, plan);
	tn_plan_put_counted(out, plan->deferred_count, "change is put off to a later plan",
			    "changes are put off to a later plan");
	tn_plan_put_counted(out, plan->invocation_count, "action is run", "actions are run");
	put_warnings(out, plan);
}

/* ---- no changes ---- */

static void put_status_note(struct tn_buf *out, const struct tn_plan *plan)
{
	switch (plan->status) {
	case TN_PLAN_OUTPUTS_ONLY:
		tn_buf_format(out, "Only output values change (%u), no object does. ",
			      plan->output_count);
		break;
	case TN_PLAN_DRIFT_ONLY:
		tn_buf_append_text(out, "Nothing is changed now; ");
		put_drift(out, plan);
		break;
	case TN_PLAN_DEFERRED_ONLY:
		tn_buf_format(out, "Nothing is changed now; %u change%s put off to a later plan. ",
			      plan->deferred_count, plan->deferred_count == 1 ? " is" : "s are");
		break;
	case TN_PLAN_NO_CHANGES:
		tn_buf_append_text(out, "No changes: what exists matches the configuration. ");
		break;
	default:
		if (plan->actions[TN_PLAN_READ] > 0)
			tn_buf_format(out,
				      "No object changes; %u data source%s read while "
				      "applying. ",
				      plan->actions[TN_PLAN_READ],
				      plan->actions[TN_PLAN_READ] == 1 ? " is" : "s are");
		else
			tn_buf_append_text(out, "The text lists no change to any object. ");
		break;
	}
}

void tn_plan_put_nothing_note(struct tn_buf *out, const struct tn_plan *plan)
{
	if (plan->errored) {
		tn_buf_append_text(out, "Planning failed");
		put_first_error(out, plan);
	} else if (plan->status == TN_PLAN_NO_VERDICT) {
		tn_buf_format(out, "The text ends before %s says what it would do. ",
			      tn_plan_product_name(plan->tool));
	} else if (plan->consistent == 0 || plan->truncated) {
		put_consistency(out, plan);
	} else {
		put_status_note(out, plan);
	}
}
