#include "apps/plan/explain/risk_rules.h"
#include "apps/plan/explain/sentence.h"

#include "apps/plan/explain/names.h"
#include "apps/plan/explain/policy_words.h"
#include "apps/plan/explain/rules.h"
#include "apps/plan/explain/vocabulary.h"
#include "base/size.h"

/* ---- what ---- */

void tn_plan_put_what(struct tn_buf *out, const struct tn_plan_entry *entry,
		      enum tn_plan_audience audience)
{
	if (audience == TN_PLAN_DEVELOPER && entry->type.size > 0)
		tn_plan_put_clean(out, entry->type, 0);
	else
		tn_plan_put_noun(out, entry->type);
	tn_buf_append_text(out, " \"");
	tn_plan_put_label(out, entry);
	tn_buf_append_byte(out, '"');
}

static void put_what_and_where(struct tn_buf *out, const struct tn_plan *plan,
			       const struct tn_plan_entry *entry, enum tn_plan_audience audience)
{
	tn_plan_put_what(out, entry, audience);
	tn_buf_append_text(out, " (");
	tn_plan_put_clean(out, entry->address, 0);
	if (entry->previous_address.size > 0 && entry->action != TN_PLAN_MOVE) {
		tn_buf_append_text(out, ", until now ");
		tn_plan_put_clean(out, entry->previous_address, 0);
	}
	tn_plan_put_unit(out, plan, entry->unit, ", in ");
	tn_buf_append_byte(out, ')');
}

void tn_plan_put_unit(struct tn_buf *out, const struct tn_plan *plan, uint32_t unit,
		      const char *before)
{
	/* Changes stand in the order of their units. */
	if (plan->change_count == 0 || unit >= plan->unit_count ||
	    plan->changes[0].unit == plan->changes[plan->change_count - 1].unit)
		return;
	tn_buf_append_text(out, before);
	if (plan->units[unit].label.size > 0)
		tn_plan_put_clean(out, plan->units[unit].label, TN_PLAN_SHOWN_CHARACTERS);
	else
		tn_buf_format(out, "part %u", unit + 1);
}

/* ---- because ---- */

static const struct {
	const char *code;
	const char *words;
} causes[] = {
	{"not_in_configuration", "it is no longer in the configuration"},
	{"module_removed", "its module is no longer in the configuration"},
	{"no_move_target", "it was moved to a place that is not in the configuration"},
	{"count_index", "fewer copies are wanted"},
	{"for_each_key", "its entry was taken off the list it is made from"},
	{"wrong_repetition", "the way its copies are counted has changed"},
	{"enabled_false", "it is switched off in the configuration"},
	{"deposed_leftover", "it is left over from an earlier replacement that failed"},
	{"tainted", "it is marked as damaged"},
	{"requested", "its replacement was requested"},
	{"replace_triggered_by", "something it depends on changes"},
	{"imported_destroyed", "the imported object does not fit the configuration"},
};

/* Path components as words: environment.variables["REGION"] is "environment variables REGION". */
static void put_path_words(struct tn_buf *out, struct tn_str path)
{
	size_t start = out->size, to;
	bool index = false;

	tn_plan_put_clean(out, path, TN_PLAN_SHOWN_CHARACTERS);
	if (out->failed)
		return;
	to = start;
	for (size_t from = start; from < out->size; from++) {
		char c = out->data[from];

		if (c == '[')
			index = from + 1 < out->size && tn_is_digit(out->data[from + 1]);
		if (c == '_' || c == '.' || c == '[')
			c = ' ';
		if ((index && (c == ' ' || tn_is_digit(c))) || c == ']' || c == '"') {
			index = index && c != ']';
			continue;
		}
		out->data[to++] = c;
	}
	out->size = to;
}

void tn_plan_put_path_words(struct tn_buf *out, struct tn_str path, enum tn_plan_audience audience)
{
	if (audience == TN_PLAN_DEVELOPER)
		tn_plan_put_clean(out, path, 0);
	else
		put_path_words(out, path);
}

static uint32_t count_forcing(const struct tn_plan_entry *entry)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < entry->reason_count; i++)
		count += strcmp(entry->reasons[i].code, "forces_replacement") == 0;
	return count;
}

static void put_forced(struct tn_buf *out, const struct tn_plan_entry *entry,
		       enum tn_plan_audience audience)
{
	uint32_t shown = 0, all = count_forcing(entry);

	tn_buf_append_text(out, "because ");
	if (audience == TN_PLAN_NON_TECHNICAL)
		tn_buf_append_text(out, "its ");
	for (uint32_t i = 0; i < entry->reason_count; i++) {
		if (strcmp(entry->reasons[i].code, "forces_replacement") != 0)
			continue;
		if (shown == TN_PLAN_UPDATES_SHOWN) {
			tn_buf_append_text(out, " and more");
			break;
		}
		if (shown++ > 0)
			tn_buf_append_text(out, shown == all ? " and " : ", ");
		tn_plan_put_path_words(out, entry->reasons[i].text, audience);
	}
	tn_buf_append_text(out, " cannot be changed in place");
}

bool tn_plan_put_because(struct tn_buf *out, const struct tn_plan_entry *entry,
			 enum tn_plan_audience audience)
{
	for (uint32_t i = 0; i < entry->reason_count; i++) {
		if (strcmp(entry->reasons[i].code, "forces_replacement") == 0) {
			put_forced(out, entry, audience);
			return true;
		}
		for (size_t j = 0; j < TN_COUNT(causes); j++)
			if (strcmp(entry->reasons[i].code, causes[j].code) == 0) {
				tn_buf_append_text(out, "because ");
				tn_buf_append_text(out, causes[j].words);
				return true;
			}
	}
	return false;
}

static void put_because_clause(struct tn_buf *out, const struct tn_plan_entry *entry,
			       enum tn_plan_audience audience)
{
	size_t before = out->size;

	tn_buf_append_byte(out, ' ');
	if (!tn_plan_put_because(out, entry, audience) && !out->failed)
		out->size = before;
}

/* ---- facts ---- */

/* How a bare value reads in a sentence; the rest are told as they are. */
static const struct {
	const char *name;
	const char *before, *after;
} fact_words[] = {
	{"memory_size_gb", "", " GB of memory"},
	{"allocated_storage", "", " GB of storage"},
	{"region", "in ", ""},
	{"location", "in ", ""},
	{"availability_zone", "in ", ""},
	{"location_id", "in ", ""},
	{"zone", "in ", ""},
	{"engine_version", "version ", ""},
	{"version", "version ", ""},
	{"redis_version", "Redis version ", ""},
	{"kubernetes_version", "Kubernetes version ", ""},
	{"port", "port ", ""},
	{"from_port-to_port", "port ", ""},
	{"cidr_blocks", "for ", ""},
	{"desired_count", "running ", " times"},
	{"replicas", "running ", " times"},
	{"min_size-max_size", "", " of them"},
};

/* Bare text could read like a sentence of ours; anything but a plain word is quoted. */
static bool is_plain_word(struct tn_str text)
{
	for (size_t i = 0; i < text.size; i++) {
		char c = text.data[i];

		if (!tn_is_alpha(c) && !tn_is_digit(c) && !memchr("._:/-", c, 5))
			return false;
	}
	return text.size > 0 && text.data[text.size - 1] != '.' &&
	       text.size <= TN_PLAN_SHOWN_CHARACTERS;
}

static bool is_list(const struct tn_plan_fact *fact)
{
	return fact->last || strcmp(fact->name, "cidr_blocks") == 0;
}

static bool is_number(const struct tn_plan_attribute *attribute)
{
	return attribute->after.kind == TN_PLAN_VALUE_NUMBER ||
	       attribute->before.kind == TN_PLAN_VALUE_NUMBER;
}

static void put_fact(struct tn_buf *out, const struct tn_plan_entry *entry,
		     const struct tn_plan_fact *fact)
{
	const char *before = "", *after = "";
	struct tn_str value;
	size_t start;

	for (size_t i = 0; i < TN_COUNT(fact_words); i++)
		if (strcmp(fact->name, fact_words[i].name) == 0) {
			before = fact_words[i].before;
			after = fact_words[i].after;
		}
	tn_buf_append_text(out, before);
	if (!*before && !*after && is_number(fact->first)) {
		put_path_words(out, fact->first->path); /* "50" alone tells nobody anything */
		tn_buf_append_byte(out, ' ');
	}
	start = out->size;
	tn_plan_put_fact_value(out, entry, fact);
	if (out->failed)
		return;
	value = tn_str(out->data + start, out->size - start);
	if (!is_plain_word(value) && !is_list(fact)) {
		tn_buf_append_text(out, "\"\"");
		if (out->failed)
			return;
		memmove(out->data + start + 1, out->data + start, out->size - start - 2);
		out->data[start] = '"';
		out->data[out->size - 1] = '"';
	}
	tn_buf_append_text(out, after);
}

static void put_reachable(struct tn_buf *out, const struct tn_plan_fact *fact)
{
	bool yes = tn_str_is(fact->first->after.text, "true") ||
		   tn_str_is(fact->first->before.text, "true");

	tn_buf_append_text(out,
			   yes ? "reachable from the internet" : "not reachable from the internet");
}

/* What it lets in, whom it lets do what, where it leads. */
static bool put_meaning(struct tn_buf *out, const struct tn_plan_entry *entry,
			enum tn_plan_side side)
{
	static const char *const ways[] = {"destination_cidr_block", "destination_ipv6_cidr_block",
					   "address_prefix", "dest_range"};
	struct tn_str text;

	if (tn_plan_type_class(entry->type) == TN_PLAN_ACCESS)
		return tn_plan_put_rules(out, entry, side);
	for (size_t i = 0; i < TN_COUNT(ways); i++) {
		const struct tn_plan_attribute *way = tn_plan_find_attribute(entry, ways[i]);

		if (!way || !tn_plan_side_text(way, side, &text) || text.size == 0)
			continue;
		tn_buf_append_text(out, "to \"");
		tn_plan_put_clean(out, text, TN_PLAN_SHOWN_CHARACTERS);
		tn_buf_append_byte(out, '"');
		return true;
	}
	return tn_plan_put_permissions(out, entry, side);
}

/* Ports and addresses of a rule are told with it. */
static bool is_only_meaning(const struct tn_plan_entry *entry)
{
	enum tn_plan_class class = tn_plan_type_class(entry->type);

	return class == TN_PLAN_ACCESS || class == TN_PLAN_IDENTITY;
}

bool tn_plan_put_facts(struct tn_buf *out, const struct tn_plan_entry *entry)
{
	struct tn_plan_fact facts[TN_PLAN_FACTS_SHOWN];
	size_t start = out->size;
	unsigned count;

	if (put_meaning(out, entry, TN_PLAN_AFTER) && is_only_meaning(entry))
		return true;
	count = tn_plan_find_facts(entry, facts, TN_PLAN_FACTS_SHOWN);
	for (unsigned i = 0; i < count; i++) {
		if (out->size > start)
			tn_buf_append_text(out, ", ");
		if (strcmp(facts[i].name, "publicly_accessible") == 0)
			put_reachable(out, &facts[i]);
		else
			put_fact(out, entry, &facts[i]);
	}
	return out->size > start;
}

/* ---- sentences ---- */

static void put_article(struct tn_buf *out, const struct tn_plan_entry *entry,
			enum tn_plan_audience audience)
{
	const char *article;
	struct tn_buf noun;

	tn_buf_init(&noun, out->limit);
	if (audience == TN_PLAN_DEVELOPER)
		tn_buf_append_str(&noun, entry->type);
	else
		tn_plan_put_noun(&noun, entry->type);
	tn_buf_inherit_failure(out, &noun);
	article = tn_plan_article(tn_buf_str(&noun));
	tn_buf_append_text(out, article);
	if (*article)
		tn_buf_append_byte(out, ' ');
	tn_buf_finish(&noun);
}

/* What runs goes on running with the revision that it has. */
static bool put_revision(struct tn_buf *out, const struct tn_plan *plan,
			 const struct tn_plan_entry *entry, enum tn_plan_audience audience)
{
	bool script = tn_str_is(entry->type, "null_resource") ||
		      tn_str_is(entry->type, "terraform_data") ||
		      tn_str_starts(entry->type, TN_STR("time_"));
	size_t before;

	if (!tn_plan_type_is_versioned(entry->type))
		return false;
	tn_buf_append_text(out, script ? "Runs again: the " : "Makes a new revision of the ");
	put_what_and_where(out, plan, entry, audience);
	before = out->size;
	tn_buf_append_text(out, ": ");
	if (!tn_plan_put_updates(out, plan, entry, audience) && !out->failed)
		out->size = before;
	if (!script)
		tn_buf_append_text(out, "; what runs keeps running until it is exchanged");
	return true;
}

/* Imported and replaced, imported and changed. */
static void put_taken_over(struct tn_buf *out, const struct tn_plan *plan,
			   const struct tn_plan_entry *entry, enum tn_plan_audience audience,
			   const char *after)
{
	tn_buf_append_text(out, "Takes over the existing ");
	put_what_and_where(out, plan, entry, audience);
	tn_buf_append_text(out, after);
}

/* A rule or a permission that is made anew may say something else. */
static void put_afterwards(struct tn_buf *out, const struct tn_plan_entry *entry)
{
	size_t before = out->size;

	if (!is_only_meaning(entry))
		return;
	tn_buf_append_text(out, "; afterwards: ");
	if (!put_meaning(out, entry, TN_PLAN_AFTER) && !out->failed)
		out->size = before;
}

static void put_replace(struct tn_buf *out, const struct tn_plan *plan,
			const struct tn_plan_entry *entry, enum tn_plan_audience audience)
{
	bool forgets = entry->order == TN_PLAN_FORGET_OLD || entry->order == TN_PLAN_FORGET_FIRST;

	if (!forgets && put_revision(out, plan, entry, audience))
		return;
	if (entry->import_id.data) {
		put_taken_over(out, plan, entry, audience, " and replaces it");
		put_because_clause(out, entry, audience);
		return;
	}
	switch ((enum tn_plan_order)entry->order) {
	case TN_PLAN_CREATE_FIRST:
		tn_buf_append_text(out, "Builds a replacement for the ");
		put_what_and_where(out, plan, entry, audience);
		tn_buf_append_text(out, ", then removes the old one");
		put_because_clause(out, entry, audience);
		break;
	case TN_PLAN_FORGET_OLD:
	case TN_PLAN_FORGET_FIRST:
		tn_buf_append_text(out, "Builds a new ");
		put_what_and_where(out, plan, entry, audience);
		tn_buf_format(out, " and leaves the old one %s outside %s's control",
			      tn_plan_type_runs(entry->type) ? "running" : "in place",
			      tn_plan_product_name(plan->tool));
		break;
	case TN_PLAN_ORDER_NONE: /* a stream does not tell */
		tn_buf_append_text(out, "Replaces the ");
		put_what_and_where(out, plan, entry, audience);
		put_because_clause(out, entry, audience);
		break;
	case TN_PLAN_DESTROY_FIRST:
		tn_buf_append_text(out, "Removes and rebuilds the ");
		put_what_and_where(out, plan, entry, audience);
		put_because_clause(out, entry, audience);
		tn_buf_append_text(out, "; it is unavailable in between");
		break;
	}
	if (!forgets && tn_plan_root_disk_fate(entry) == TN_PLAN_DISK_UNTOLD)
		tn_buf_append_text(
			out,
			"; what is on its root disk is lost, unless the disk is set to be kept");
	put_afterwards(out, entry);
}

/* What it let in or allowed is gone with it. */
static void put_delete(struct tn_buf *out, const struct tn_plan *plan,
		       const struct tn_plan_entry *entry, enum tn_plan_audience audience)
{
	size_t before;

	tn_buf_append_text(out, "Permanently removes the ");
	put_what_and_where(out, plan, entry, audience);
	before = out->size;
	tn_buf_append_text(out, ", ");
	if (!put_meaning(out, entry, TN_PLAN_BEFORE)) {
		if (!out->failed)
			out->size = before;
	} else {
		tn_buf_append_byte(out, ',');
	}
	before = out->size;
	put_because_clause(out, entry, audience);
	if (!out->failed && out->size == before && out->data[before - 1] == ',')
		out->size--;
}

static void put_create(struct tn_buf *out, const struct tn_plan *plan,
		       const struct tn_plan_entry *entry, enum tn_plan_audience audience)
{
	size_t before;

	tn_buf_append_text(out, "Creates ");
	put_article(out, entry, audience);
	put_what_and_where(out, plan, entry, audience);
	before = out->size;
	tn_buf_append_text(out, ", ");
	if (!tn_plan_put_facts(out, entry) && !out->failed)
		out->size = before;
}

static void put_update_sentence(struct tn_buf *out, const struct tn_plan *plan,
				const struct tn_plan_entry *entry, enum tn_plan_audience audience)
{
	size_t before;

	if (entry->import_id.data) {
		put_taken_over(out, plan, entry, audience, " and changes it");
	} else {
		tn_buf_append_text(out, tn_plan_changes_only_tags(entry)
						? "Changes only tags of the "
						: "Changes the ");
		put_what_and_where(out, plan, entry, audience);
	}
	before = out->size;
	tn_buf_append_text(out, ": ");
	if (!tn_plan_put_updates(out, plan, entry, audience) && !out->failed)
		out->size = before;
}

static void put_move(struct tn_buf *out, const struct tn_plan *plan,
		     const struct tn_plan_entry *entry)
{
	tn_buf_append_text(out, "Renames ");
	tn_plan_put_clean(out, entry->previous_address, 0);
	tn_buf_append_text(out, " to ");
	tn_plan_put_clean(out, entry->address, 0);
	tn_buf_format(out, " in %s's records only", tn_plan_product_name(plan->tool));
}

/* Words around what and where, for the actions that need no more. */
static void put_framed(struct tn_buf *out, const struct tn_plan *plan, const char *before,
		       const struct tn_plan_entry *entry, enum tn_plan_audience audience,
		       const char *after)
{
	tn_buf_append_text(out, before);
	put_what_and_where(out, plan, entry, audience);
	tn_buf_append_text(out, after);
}

void tn_plan_put_sentence(struct tn_buf *out, const struct tn_plan *plan,
			  const struct tn_plan_entry *entry, enum tn_plan_audience audience)
{
	switch ((enum tn_plan_action)entry->action) {
	case TN_PLAN_DELETE:
		put_delete(out, plan, entry, audience);
		break;
	case TN_PLAN_REPLACE:
		put_replace(out, plan, entry, audience);
		break;
	case TN_PLAN_FORGET:
		put_framed(out, plan, "Stops managing the ", entry, audience,
			   tn_plan_type_runs(entry->type) ? "; it keeps running"
							  : "; it stays as it is");
		break;
	case TN_PLAN_UPDATE:
		put_update_sentence(out, plan, entry, audience);
		break;
	case TN_PLAN_CREATE:
		put_create(out, plan, entry, audience);
		break;
	case TN_PLAN_IMPORT:
		put_framed(out, plan, "Starts managing the existing ", entry, audience, "");
		break;
	case TN_PLAN_MOVE:
		put_move(out, plan, entry);
		break;
	case TN_PLAN_READ:
		put_framed(out, plan, "Reads the ", entry, audience, " while applying");
		break;
	default:
		put_framed(out, plan, "Does something this program does not know to the ", entry,
			   audience, "");
		break;
	}
	tn_buf_append_byte(out, '.');
}
