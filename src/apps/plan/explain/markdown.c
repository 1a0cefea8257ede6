#include "apps/plan/explain/markdown.h"

#include <string.h>

#include "apps/plan/explain/diagnostic_words.h"
#include "apps/plan/explain/markdown_settings.h"
#include "apps/plan/explain/names.h"
#include "apps/plan/explain/risk.h"
#include "apps/plan/explain/sentence.h"
#include "apps/plan/explain/vocabulary.h"
#include "base/size.h"

enum {
	FOLD_ABOVE = 10,  /* rows of a group before it is folded away */
	NOTE_BYTES = 320, /* kept free for saying what was left out of the tables */
	MORE_BYTES = 32,  /* "- and 4294967295 more" */
	ESCAPE_MAX = 9    /* bytes one byte of text may become */
};

static const char details_end[] = "\n</details>\n";

/* A comment that grows by whole pieces and never past its limit. */
struct comment {
	const struct tn_plan *plan;
	enum tn_plan_audience audience;
	struct tn_buf *out;
	size_t start;        /* of the comment in the buffer */
	size_t limit;        /* bytes */
	struct tn_buf piece; /* being made */
	struct tn_str said;  /* what its reader has read before; empty: nothing */
};

static size_t comment_size(const struct comment *comment)
{
	return comment->out->size - comment->start;
}

/* Appends the piece when it fits below `limit`; empties it either way. */
static bool add_piece(struct comment *comment, size_t limit)
{
	bool fits = !comment->piece.failed && comment_size(comment) + comment->piece.size <= limit;

	if (comment->piece.starved) /* not too long, but never made: the whole comment failed */
		tn_buf_inherit_failure(comment->out, &comment->piece);
	if (fits)
		tn_buf_append_str(comment->out, tn_buf_str(&comment->piece));
	tn_buf_clear(&comment->piece);
	return fits;
}

/* ---- head ---- */

static void put_count(struct tn_buf *out, uint32_t count, const char *words)
{
	if (count > 0)
		tn_buf_format(out, ", %u %s", count, words);
}

static void put_head(struct comment *comment)
{
	const struct tn_plan *plan = comment->plan;
	struct tn_buf *out = comment->out;

	if (!comment->said.size)
		tn_buf_format(out, "<!-- tenon-plan:%.12s -->\n", plan->sha256);
	tn_buf_format(out, "### Plan: %u to add, %u to change, %u to replace, %u to destroy",
		      plan->actions[TN_PLAN_CREATE], plan->actions[TN_PLAN_UPDATE],
		      plan->actions[TN_PLAN_REPLACE], plan->actions[TN_PLAN_DELETE]);
	put_count(out, plan->actions[TN_PLAN_FORGET], "to forget");
	put_count(out, plan->actions[TN_PLAN_IMPORT], "to import");
	put_count(out, plan->actions[TN_PLAN_MOVE], "to move");
	put_count(out, plan->actions[TN_PLAN_ACTION_UNKNOWN], "unknown");
	tn_buf_format(out, " \xe2\x80\x93 risk: %s\n", tn_plan_risk_name(plan->risk));
}

static bool was_said(const struct comment *comment, const struct tn_buf *text)
{
	return comment->said.size > 0 && !text->failed && text->size > 0 &&
	       tn_str_find(comment->said, tn_buf_str(text)) != TN_STR_NONE;
}

/* A paragraph too long for its share is cut as plain text, so no escape is ever cut. */
static void put_paragraph(struct comment *comment)
{
	size_t share = comment->limit / 3;
	struct tn_buf text;

	tn_buf_init(&text, comment->out->limit);
	tn_plan_put_paragraph(&text, comment->plan, comment->audience);
	tn_buf_inherit_failure(comment->out, &text);
	if (was_said(comment, &text)) {
		(void)add_piece(comment, comment->limit); /* the head */
		tn_buf_finish(&text);
		return;
	}
	tn_buf_append_byte(&comment->piece, '\n');
	tn_plan_put_markdown_text(&comment->piece, tn_buf_str(&text));
	tn_buf_append_byte(&comment->piece, '\n');
	if (comment->piece.failed || comment->piece.size > share) {
		struct tn_buf cut;

		tn_buf_init(&cut, comment->out->limit);
		tn_plan_put_clean(&cut, tn_buf_str(&text), share / ESCAPE_MAX);
		tn_buf_inherit_failure(comment->out, &cut);
		tn_buf_clear(&comment->piece);
		tn_buf_append_byte(&comment->piece, '\n');
		tn_plan_put_markdown_text(&comment->piece, tn_buf_str(&cut));
		tn_buf_append_byte(&comment->piece, '\n');
		tn_buf_finish(&cut);
	}
	(void)add_piece(comment, comment->limit); /* it has been made to fit */
	tn_buf_finish(&text);
}

/* ---- lists ---- */

typedef void put_item_fn(struct tn_buf *out, const struct tn_plan *plan, uint32_t index);

/* A heading and a list that takes at most `share` bytes; what is left out is counted. */
static void put_list(struct comment *comment, const char *heading, uint32_t count,
		     put_item_fn *put_item, size_t share)
{
	size_t limit = comment_size(comment) + share;
	uint32_t shown = 0;

	if (limit > comment->limit)
		limit = comment->limit;
	if (count == 0 || limit < MORE_BYTES)
		return;
	tn_buf_format(&comment->piece, "\n#### %s\n\n", heading);
	if (!add_piece(comment, limit - MORE_BYTES))
		return;
	for (; shown < count; shown++) {
		put_item(&comment->piece, comment->plan, shown);
		if (!add_piece(comment, limit - (shown + 1 < count ? MORE_BYTES : 0)))
			break;
	}
	if (shown < count) {
		tn_buf_format(&comment->piece, "- and %u more\n", count - shown);
		(void)add_piece(comment, limit); /* room was kept */
	}
}

/* Findings by level: item number i of the list. */
static const struct tn_plan_finding *nth_finding(const struct tn_plan *plan, uint32_t index)
{
	enum tn_plan_risk level = TN_PLAN_RISK_CRITICAL;
	uint32_t count = tn_plan_count_findings(plan, level);

	while (index >= count) {
		index -= count;
		level--;
		count = tn_plan_count_findings(plan, level);
	}
	for (uint32_t i = 0; i < plan->finding_count; i++)
		if (plan->findings[i].level == level && index-- == 0)
			return &plan->findings[i];
	return NULL;
}

/* What a rule has to say is said once a level. */
static bool is_explained(const struct tn_plan *plan, const struct tn_plan_finding *finding)
{
	for (const struct tn_plan_finding *at = plan->findings; at < finding; at++)
		if (at->level == finding->level && strcmp(at->id, finding->id) == 0 &&
		    tn_str_equal(at->detail, finding->detail))
			return true;
	return false;
}

static void put_finding(struct tn_buf *out, const struct tn_plan *plan, uint32_t index)
{
	const struct tn_plan_finding *finding = nth_finding(plan, index);

	tn_assert(finding);
	tn_buf_format(out, "- **%s** ", tn_plan_risk_name(finding->level));
	tn_buf_append_str(out, finding->title);
	if (finding->change != TN_PLAN_NO_CHANGE) {
		tn_buf_append_text(out, ": ");
		tn_plan_put_markdown_code(out, plan->changes[finding->change].address);
		tn_plan_put_markdown_unit(out, plan, plan->changes[finding->change].unit);
	}
	if (finding->path.data) {
		tn_buf_append_text(out, ", ");
		tn_plan_put_markdown_code(out, finding->path);
	}
	if (finding->fact.size > 0) {
		tn_buf_append_text(out, ": ");
		tn_plan_put_markdown_text(out, finding->fact);
	}
	tn_buf_append_byte(out, '.');
	if (!is_explained(plan, finding)) {
		tn_buf_append_byte(out, ' ');
		tn_buf_append_str(out, finding->detail);
	}
	tn_buf_append_byte(out, '\n');
}

void tn_plan_put_markdown_unit(struct tn_buf *out, const struct tn_plan *plan, uint32_t unit)
{
	struct tn_buf text;

	tn_buf_init(&text, out->limit);
	tn_plan_put_unit(&text, plan, unit, " in ");
	tn_buf_inherit_failure(out, &text);
	tn_plan_put_markdown_text(out, tn_buf_str(&text));
	tn_buf_finish(&text);
}

static void put_output(struct tn_buf *out, const struct tn_plan *plan, uint32_t index)
{
	static const char *const words[TN_PLAN_ACTION_COUNT] = {
		[TN_PLAN_CREATE] = "is new",
		[TN_PLAN_DELETE] = "is removed",
	};
	const char *word = words[plan->outputs[index].action];

	tn_buf_append_text(out, "- ");
	tn_plan_put_markdown_code(out, plan->outputs[index].name);
	tn_buf_format(out, " %s\n", word ? word : "changes");
}

static void put_drift(struct tn_buf *out, const struct tn_plan *plan, uint32_t index)
{
	const struct tn_plan_drift *drift = &plan->drift[index];
	const char *word = drift->action == TN_PLAN_DELETE ? "deleted"
			   : drift->action == TN_PLAN_MOVE ? "moved"
							   : "changed";

	tn_buf_append_text(out, "- ");
	tn_plan_put_markdown_code(out, drift->address);
	tn_buf_format(out, " was %s\n", word);
}

static void put_diagnostic(struct tn_buf *out, const struct tn_plan *plan, uint32_t index)
{
	const struct tn_plan_diagnostic *diagnostic;
	struct tn_buf text;

	if (index >= plan->diagnostic_count) {
		tn_buf_append_text(out, "- reading the text: ");
		tn_plan_put_markdown_text(out,
					  plan->warnings[index - plan->diagnostic_count].message);
		tn_buf_append_byte(out, '\n');
		return;
	}
	diagnostic = &plan->diagnostics[index];
	tn_buf_format(out, "- %s%s: ", diagnostic->severity,
		      diagnostic->in_apply ? " of an apply that followed" : "");
	tn_buf_init(&text, out->limit);
	tn_plan_put_diagnostic(&text, NULL, diagnostic);
	tn_buf_inherit_failure(out, &text);
	tn_plan_put_markdown_text(out, tn_buf_str(&text));
	tn_buf_finish(&text);
	tn_buf_append_byte(out, '\n');
}

/* ---- tables ---- */

static const struct group {
	enum tn_plan_action action;
	const char *heading;  /* "Removed (2)" */
	const char *left_out; /* "2 removed" */
} groups[] = {
	/* The last ones are cut first. */
	{TN_PLAN_DELETE, "Removed", "removed"},
	{TN_PLAN_REPLACE, "Replaced", "replaced"},
	{TN_PLAN_FORGET, "No longer managed", "no longer managed"},
	{TN_PLAN_ACTION_UNKNOWN, "Unknown", "unknown"},
	{TN_PLAN_UPDATE, "Changed", "changed"},
	{TN_PLAN_IMPORT, "Imported", "imported"},
	{TN_PLAN_MOVE, "Moved", "moved"},
	{TN_PLAN_READ, "Read while applying", "read"},
	{TN_PLAN_CREATE, "Created", "created"},
};

/* Plain text for the last column, to be escaped as a whole. */
static void put_why(struct tn_buf *out, const struct tn_plan *plan,
		    const struct tn_plan_entry *entry, enum tn_plan_audience audience)
{
	bool any = false;

	if (entry->action == TN_PLAN_UPDATE)
		any = tn_plan_put_updates(out, plan, entry, audience);
	else if (entry->action == TN_PLAN_CREATE)
		any = tn_plan_put_facts(out, entry);
	else
		any = tn_plan_put_because(out, entry, audience);
	if (entry->action == TN_PLAN_REPLACE && entry->order == TN_PLAN_CREATE_FIRST) {
		tn_buf_append_text(out,
				   any ? "; the new one comes first" : "the new one comes first");
		any = true;
	}
	if (entry->deposed.data) {
		tn_buf_append_text(out, any ? "; deposed object " : "deposed object ");
		tn_plan_put_clean(out, entry->deposed, 0);
		any = true;
	}
	if (entry->previous_address.data) {
		tn_buf_append_text(out, any ? "; was " : "was ");
		tn_plan_put_clean(out, entry->previous_address, 0);
		any = true;
	}
	if (entry->import_id.data)
		tn_buf_append_text(out, any ? "; taken over first" : "taken over");
}

static void put_row(struct comment *comment, const struct tn_plan_entry *entry)
{
	struct tn_buf *out = &comment->piece;
	struct tn_buf text;

	tn_buf_init(&text, out->limit);
	tn_buf_append_text(out, "| ");
	tn_plan_put_markdown_code(out, entry->address);
	tn_plan_put_markdown_unit(out, comment->plan, entry->unit);
	tn_buf_append_text(out, " | ");
	tn_plan_put_what(&text, entry, comment->audience);
	tn_buf_inherit_failure(out, &text);
	tn_plan_put_markdown_text(out, tn_buf_str(&text));
	tn_buf_append_text(out, " | ");
	tn_buf_clear(&text);
	put_why(&text, comment->plan, entry, comment->audience);
	tn_buf_inherit_failure(out, &text);
	tn_plan_put_markdown_text(out, tn_buf_str(&text));
	tn_buf_append_text(out, " |\n");
	tn_buf_finish(&text);
}

static void put_group_head(struct tn_buf *out, const struct group *group, uint32_t count)
{
	if (count > FOLD_ABOVE)
		tn_buf_format(out, "\n<details>\n<summary>%s (%u)</summary>\n\n", group->heading,
			      count);
	else
		tn_buf_format(out, "\n#### %s (%u)\n\n", group->heading, count);
	tn_buf_append_text(out, "| Address | What | Why / key facts |\n| --- | --- | --- |\n");
}

/* Its sentence stands in what was said before. */
static bool is_known(const struct comment *comment, const struct tn_plan_entry *entry)
{
	struct tn_buf text;
	bool known;

	if (!comment->said.size)
		return false;
	tn_buf_init(&text, comment->out->limit);
	tn_plan_put_sentence(&text, comment->plan, entry, comment->audience);
	tn_buf_inherit_failure(comment->out, &text);
	known = was_said(comment, &text);
	tn_buf_finish(&text);
	return known;
}

struct rows {
	const struct group *group;
	uint32_t count, shown, known;
	size_t limit; /* of the comment */
};

/* The rows of one level of risk. False: there is no room for more. */
static bool put_rows(struct comment *comment, struct rows *rows, enum tn_plan_risk level)
{
	const struct tn_plan *plan = comment->plan;

	for (uint32_t i = 0; i < plan->change_count && rows->shown + rows->known < rows->count;
	     i++) {
		const struct tn_plan_entry *entry = &plan->changes[i];

		if (entry->action != rows->group->action || entry->risk != level)
			continue;
		if (is_known(comment, entry)) {
			rows->known++;
			continue;
		}
		if (rows->shown == 0)
			put_group_head(&comment->piece, rows->group, rows->count);
		put_row(comment, entry);
		if (!add_piece(comment, rows->limit))
			return false;
		rows->shown++;
	}
	return true;
}

/* Head, first row and end come together or not at all; the worst come first, so that they are not
 * the ones that are cut. Returns how many rows were left out. */
static uint32_t put_group(struct comment *comment, const struct group *group, size_t limit)
{
	struct rows rows = {
		.group = group, .count = comment->plan->actions[group->action], .limit = limit};
	bool folded = rows.count > FOLD_ABOVE, room = true;

	if (limit < sizeof(details_end))
		return rows.count;
	rows.limit -= folded ? sizeof(details_end) : 0;
	for (int level = TN_PLAN_RISK_CRITICAL; level >= TN_PLAN_RISK_NONE && room; level--)
		room = put_rows(comment, &rows, (enum tn_plan_risk)level);
	if (folded && rows.shown > 0)
		tn_buf_append_text(comment->out, details_end);
	return rows.count - rows.shown - rows.known;
}

static void put_groups(struct comment *comment, size_t limit)
{
	uint32_t left_out[TN_COUNT(groups)];
	bool cut = false, first = true;

	for (size_t i = 0; i < TN_COUNT(groups); i++) {
		/* Once something is cut, what matters less is not squeezed in behind it. */
		left_out[i] = cut ? comment->plan->actions[groups[i].action]
				  : put_group(comment, &groups[i], limit);
		cut = cut || left_out[i] > 0;
	}
	if (!cut)
		return;
	tn_buf_append_text(comment->out, "\n_Left out to keep this short:");
	for (size_t i = 0; i < TN_COUNT(groups); i++) {
		if (left_out[i] == 0)
			continue;
		tn_buf_format(comment->out, "%s %u %s", first ? "" : ",", left_out[i],
			      groups[i].left_out);
		first = false;
	}
	tn_buf_append_text(comment->out, "._\n");
}

/* The settings of the objects whose rows leave some out, worst first, as far as there is room. */
static void put_settings(struct comment *comment, size_t limit)
{
	const char *head = comment->said.size
				   ? "\n#### Settings (terraform_show_change has all)\n\n"
				   : "\n#### Settings\n";
	size_t before = strlen(head);

	if (limit < before)
		return;
	for (int level = TN_PLAN_RISK_CRITICAL; level >= TN_PLAN_RISK_NONE; level--)
		for (uint32_t i = 0; i < comment->plan->change_count; i++) {
			if (comment->plan->changes[i].risk != level)
				continue;
			if (before > 0)
				tn_buf_append_text(&comment->piece, head);
			if (comment->said.size)
				tn_plan_put_markdown_weighty(&comment->piece, comment->plan, i);
			else
				tn_plan_put_markdown_settings(&comment->piece, comment->plan,
							      &comment->plan->changes[i]);
			if (comment->piece.size == before && !comment->piece.failed) {
				tn_buf_clear(&comment->piece); /* its row tells all */
				continue;
			}
			if (!add_piece(comment, limit))
				return;
			before = 0; /* the heading is there */
		}
}

/* ---- the comment ---- */

/* What comes below the tables is made first, aside, so that the tables get all the rest. */
static void put_tail(struct comment *comment)
{
	const struct tn_plan *plan = comment->plan;
	size_t share = comment->limit / 10;

	put_list(comment, "Outputs", plan->output_count, put_output, share);
	put_list(comment, "Changed outside", plan->drift_count, put_drift, share);
	put_list(comment, "Errors and warnings", plan->diagnostic_count + plan->warning_count,
		 put_diagnostic, share);
}

static void put_comment(struct tn_buf *out, const struct tn_plan *plan,
			enum tn_plan_audience audience, size_t max_bytes, struct tn_str said)
{
	struct comment comment = {.plan = plan, .audience = audience, .out = out, .said = said};
	struct comment below;
	struct tn_buf tail;

	comment.start = out->size;
	comment.limit = max_bytes ? max_bytes : TN_PLAN_MARKDOWN_BYTES;
	if (comment.limit < TN_PLAN_MARKDOWN_BYTES_MIN)
		comment.limit = TN_PLAN_MARKDOWN_BYTES_MIN;
	comment.limit -= NOTE_BYTES;
	tn_buf_init(&comment.piece, comment.limit); /* what is larger cannot fit */
	tn_buf_init(&tail, out->limit);

	put_head(&comment);
	put_paragraph(&comment);
	put_list(&comment, "Risks", plan->finding_count, put_finding, comment.limit / 6);
	below = (struct comment){
		.plan = plan, .audience = audience, .out = &tail, .limit = comment.limit / 3};
	tn_buf_init(&below.piece, out->limit);
	put_tail(&below);
	put_groups(&comment, comment.limit - tail.size);
	put_settings(&comment, comment.limit - tail.size);
	tn_buf_append_str(out, tn_buf_str(&tail));
	tn_buf_inherit_failure(out, &tail);

	tn_buf_finish(&below.piece);
	tn_buf_finish(&tail);
	tn_buf_finish(&comment.piece);
}

void tn_plan_put_markdown(struct tn_buf *out, const struct tn_plan *plan,
			  enum tn_plan_audience audience, size_t max_bytes)
{
	put_comment(out, plan, audience, max_bytes, tn_str("", 0));
}

void tn_plan_put_markdown_beside(struct tn_buf *out, const struct tn_plan *plan,
				 enum tn_plan_audience audience, struct tn_str said)
{
	put_comment(out, plan, audience, 0, said);
}
