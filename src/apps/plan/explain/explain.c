#include "apps/plan/explain/explain.h"

#include "apps/plan/explain/explain_notes.h"
#include "apps/plan/explain/names.h"
#include "apps/plan/explain/selection.h"
#include "apps/plan/explain/sentence.h"
#include "apps/plan/explain/vocabulary.h"
#include "apps/plan/limits.h"
#include "base/size.h"

/* ---- which form ---- */

enum tn_plan_form tn_plan_choose_form(enum tn_plan_preference preference, enum tn_plan_reply reply,
				      bool asked_again, uint32_t total_changes)
{
	if (reply == TN_PLAN_REPLY_COUNT)
		return TN_PLAN_FORM_COUNT;
	if (reply == TN_PLAN_REPLY_FULL)
		return TN_PLAN_FORM_FULL;
	if (reply == TN_PLAN_REPLY_UNCLEAR)
		return asked_again ? TN_PLAN_FORM_FULL : TN_PLAN_FORM_ASK;
	if (preference == TN_PLAN_PREFER_COUNT)
		return TN_PLAN_FORM_COUNT;
	if (preference == TN_PLAN_PREFER_FULL || total_changes <= TN_PLAN_ASK_ABOVE)
		return TN_PLAN_FORM_FULL;
	return TN_PLAN_FORM_ASK;
}

bool tn_plan_preference_from_name(struct tn_str name, enum tn_plan_preference *ret)
{
	static const char *const names[] = {"auto", "count_only", "full_summary"};

	for (unsigned i = 0; i < TN_COUNT(names); i++)
		if (tn_str_is(name, names[i])) {
			*ret = i;
			return true;
		}
	return false;
}

bool tn_plan_audience_from_name(struct tn_str name, enum tn_plan_audience *ret)
{
	if (tn_str_is(name, "developer"))
		*ret = TN_PLAN_DEVELOPER;
	else if (tn_str_is(name, "non_technical") || tn_str_is(name, "non-technical"))
		*ret = TN_PLAN_NON_TECHNICAL;
	else
		return false;
	return true;
}

const char *tn_plan_form_name(enum tn_plan_form form)
{
	static const char *const names[] = {"count_only", "full", "ask"};

	return names[form];
}

/* ---- folding ---- */

static void put_folded(struct tn_buf *out, const struct tn_plan_selection *selection)
{
	static const struct {
		enum tn_plan_action action;
		const char *word;
	} words[] = {
		{TN_PLAN_CREATE, "created"},
		{TN_PLAN_UPDATE, "changed"},
		{TN_PLAN_DELETE, "removed"},
		{TN_PLAN_REPLACE, "replaced"},
		{TN_PLAN_FORGET, "no longer managed"},
		{TN_PLAN_IMPORT, "imported"},
		{TN_PLAN_MOVE, "renamed"},
		{TN_PLAN_ACTION_UNKNOWN, "unknown"},
	};
	bool first = true;

	if (selection->folded_total == 0)
		return;
	tn_buf_format(out, "And %u more:", selection->folded_total);
	for (size_t i = 0; i < TN_COUNT(words); i++) {
		if (selection->folded[words[i].action] == 0)
			continue;
		tn_buf_format(out, "%s %u %s", first ? "" : ",", selection->folded[words[i].action],
			      words[i].word);
		first = false;
	}
	tn_buf_append_text(out, ". ");
}

/* ---- wordings ---- */

static void put_sentences(struct tn_buf *out, const struct tn_plan *plan,
			  const struct tn_plan_selection *selection, enum tn_plan_audience audience)
{
	for (uint32_t i = 0; i < selection->count; i++) {
		tn_plan_put_sentence(out, plan, tn_plan_selected(selection, i), audience);
		tn_buf_append_byte(out, ' ');
	}
}

static void put_name(struct tn_buf *out, const struct tn_plan_entry *entry)
{
	tn_plan_put_what(out, entry, TN_PLAN_NON_TECHNICAL);
	tn_buf_append_text(out, " (");
	tn_plan_put_clean(out, entry->address, 0);
	tn_buf_append_byte(out, ')');
}

/* "To be removed: the one, the other." for each action in turn. */
static void put_by_action(struct tn_buf *out, const struct tn_plan_selection *selection)
{
	static const char *const heads[TN_PLAN_ACTION_COUNT] = {
		[TN_PLAN_CREATE] = "Created",
		[TN_PLAN_UPDATE] = "Changed",
		[TN_PLAN_DELETE] = "Permanently removed",
		[TN_PLAN_REPLACE] = "Removed and rebuilt",
		[TN_PLAN_READ] = "Read",
		[TN_PLAN_FORGET] = "No longer managed",
		[TN_PLAN_IMPORT] = "Taken over",
		[TN_PLAN_MOVE] = "Renamed",
		[TN_PLAN_ACTION_UNKNOWN] = "Changed in an unknown way",
	};
	int last = -1;

	for (uint32_t i = 0; i < selection->count; i++) {
		int action = tn_plan_selected(selection, i)->action;

		if (action != last)
			tn_buf_format(out, "%s%s: ", last >= 0 ? ". " : "", heads[action]);
		else
			tn_buf_append_text(out, ", ");
		put_name(out, tn_plan_selected(selection, i));
		last = action;
	}
	tn_buf_append_text(out, ". ");
}

static void put_by_module(struct tn_buf *out, const struct tn_plan *plan,
			  const struct tn_plan_selection *selection)
{
	bool done[TN_PLAN_TOLD_MAX + 1] = {false};

	for (uint32_t i = 0; i < selection->count; i++) {
		struct tn_str module = tn_plan_selected(selection, i)->module;

		if (done[i])
			continue;
		if (module.data) {
			tn_buf_append_text(out, "In ");
			tn_plan_put_clean(out, module, 0);
			tn_buf_append_text(out, ": ");
		} else {
			tn_buf_append_text(out, "At the top: ");
		}
		for (uint32_t j = i; j < selection->count; j++) {
			if (!tn_str_equal(tn_plan_selected(selection, j)->module, module))
				continue;
			done[j] = true;
			tn_plan_put_sentence(out, plan, tn_plan_selected(selection, j),
					     TN_PLAN_NON_TECHNICAL);
			tn_buf_append_byte(out, ' ');
		}
	}
}

static void put_risk_first(struct tn_buf *out, const struct tn_plan *plan,
			   const struct tn_plan_selection *selection)
{
	tn_buf_format(out, "Highest risk: %s. ", tn_plan_risk_name(plan->risk));
	for (int level = TN_PLAN_RISK_CRITICAL; level >= TN_PLAN_RISK_NONE; level--)
		for (uint32_t i = 0; i < selection->count; i++) {
			if (tn_plan_selected(selection, i)->risk != level)
				continue;
			tn_plan_put_sentence(out, plan, tn_plan_selected(selection, i),
					     TN_PLAN_NON_TECHNICAL);
			tn_buf_append_byte(out, ' ');
		}
}

/* What goes is named; the rest is counted. */
static void put_shortest(struct tn_buf *out, const struct tn_plan *plan,
			 const struct tn_plan_selection *selection)
{
	for (uint32_t i = 0; i < selection->count; i++) {
		enum tn_plan_action action = tn_plan_selected(selection, i)->action;

		if (action != TN_PLAN_DELETE && action != TN_PLAN_REPLACE &&
		    action != TN_PLAN_FORGET)
			continue;
		tn_plan_put_sentence(out, plan, tn_plan_selected(selection, i),
				     TN_PLAN_NON_TECHNICAL);
		tn_buf_append_byte(out, ' ');
	}
	tn_plan_put_counted(out, plan->actions[TN_PLAN_UPDATE], "object is changed",
			    "objects are changed");
	tn_plan_put_counted(out, plan->actions[TN_PLAN_CREATE], "object is created",
			    "objects are created");
	tn_plan_put_counted(out, plan->actions[TN_PLAN_IMPORT], "object is taken over",
			    "objects are taken over");
	tn_plan_put_counted(out, plan->actions[TN_PLAN_MOVE], "object is renamed",
			    "objects are renamed");
}

static void put_changes(struct tn_buf *out, const struct tn_plan *plan,
			enum tn_plan_wording wording)
{
	struct tn_plan_selection selection;

	tn_plan_selection_init(&selection, plan);
	tn_buf_inherit_failure(out, &selection.items);

	switch (wording) {
	case TN_PLAN_WORDING_BY_ACTION:
		put_by_action(out, &selection);
		break;
	case TN_PLAN_WORDING_BY_MODULE:
		put_by_module(out, plan, &selection);
		break;
	case TN_PLAN_WORDING_RISK_FIRST:
		put_risk_first(out, plan, &selection);
		break;
	case TN_PLAN_WORDING_SHORTEST:
		put_shortest(out, plan, &selection);
		selection.folded_total = 0; /* they are counted already */
		break;
	case TN_PLAN_WORDING_DEVELOPER:
		put_sentences(out, plan, &selection, TN_PLAN_DEVELOPER);
		break;
	default:
		put_sentences(out, plan, &selection, TN_PLAN_NON_TECHNICAL);
		break;
	}
	put_folded(out, &selection);
	tn_plan_selection_finish(&selection);
}

static void put_worded(struct tn_buf *out, const struct tn_plan *plan, enum tn_plan_wording wording)
{
	size_t start = out->size;

	if (plan->total_changes == 0) {
		tn_plan_put_nothing_note(out, plan);
	} else {
		tn_plan_put_leading_notes(out, plan,
					  wording == TN_PLAN_WORDING_DEVELOPER
						  ? TN_PLAN_DEVELOPER
						  : TN_PLAN_NON_TECHNICAL);
		put_changes(out, plan, wording);
		tn_plan_put_closing_notes(out, plan);
	}
	if (out->size > start && out->data[out->size - 1] == ' ')
		out->size--; /* every note and sentence leaves a blank for the next one */
}

/* ---- shapes ---- */

void tn_plan_put_count_line(struct tn_buf *out, uint64_t total_changes)
{
	tn_buf_append_text(out, "Summary: ");
	tn_buf_append_uint(out, total_changes);
	tn_buf_append_text(out, " change");
	tn_buf_append_text(out, tn_plan_plural(total_changes));
}

void tn_plan_put_paragraph(struct tn_buf *out, const struct tn_plan *plan,
			   enum tn_plan_audience audience)
{
	put_worded(out, plan,
		   audience == TN_PLAN_DEVELOPER ? TN_PLAN_WORDING_DEVELOPER
						 : TN_PLAN_WORDING_PLAIN);
}

void tn_plan_put_explanation_worded(struct tn_buf *out, const struct tn_plan *plan,
				    enum tn_plan_wording wording)
{
	tn_plan_put_count_line(out, plan->total_changes);
	tn_buf_append_byte(out, '\n');
	put_worded(out, plan, wording);
}

void tn_plan_put_explanation(struct tn_buf *out, const struct tn_plan *plan, enum tn_plan_form form,
			     enum tn_plan_audience audience)
{
	tn_plan_put_count_line(out, plan->total_changes);
	if (form == TN_PLAN_FORM_COUNT)
		return;
	tn_buf_append_byte(out, '\n');
	if (form == TN_PLAN_FORM_ASK)
		tn_buf_append_text(out, TN_PLAN_QUESTION);
	else
		tn_plan_put_paragraph(out, plan, audience);
}
