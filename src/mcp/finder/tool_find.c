/* find_tools: the tool that a caller sees and that fits its words best, with all that a call of it
 * needs; a line for those that fit nearly as well; of the others that fit, or when nothing does of
 * all, the names. */
#include <limits.h>
#include <string.h>

#include "base/limits.h"
#include "jsonrpc/json_write.h"
#include "mcp/finder/finder.h"
#include "mcp/finder/finder_search.h"
#include "mcp/finder/tools.h"
#include "mcp/fit.h"
#include "mcp/limits.h"
#include "mcp/method.h"
#include "mcp/scope.h"
#include "mcp/server.h"

#define NAMED (UINT_MAX - 1) /* the score of what is asked for by its name, or more */

enum {
	SURE = 3,
	LINES_MAX = 4,    /* tools that are described, be it in a line */
	NAMED_MAX = 8,    /* others that a model is told the names of */
	LISTED_FIRST = 4, /* of these, so many that its list has */
};

struct found {
	const struct tn_item *item;
	unsigned score;
};

struct search {
	const struct tenon_call *call;
	struct tn_str query;
	struct tn_finder_word words[TN_FINDER_WORDS_MAX];
	unsigned weights[TN_FINDER_WORDS_MAX];
	size_t word_count;
	unsigned (*scores)[TN_FINDER_WORDS_MAX]; /* of each tool */
	uint32_t app;                            /* bit; 0: of all */
	enum tn_listing listing;                 /* of the caller */
	struct found *found;
	size_t count, unlisted;    /* those that are not listed come first */
	size_t full, shown, named; /* up to here with schemas, with a line, with the name */
	bool fits_none;            /* nothing fits: all are named */
	bool listed_is_best;       /* one that the caller's list has */
};

/* Its schema stands in the caller's list. */
static bool is_listed(const struct search *s, const struct tn_item *item)
{
	return s->listing == TN_LISTS_EVERYDAY && item->tool.everyday;
}

/* Who asks for it by its name wants its arguments, listed or not. */
static bool is_behind(const struct search *s, const struct found *found)
{
	return is_listed(s, found->item) && found->score < NAMED;
}

/* What is not listed first, best first; of the same score in the order of the list. */
static void insert(struct search *s, const struct tn_item *item, unsigned score)
{
	bool behind = is_behind(s, &(struct found){item, score});
	size_t at = s->count++;

	while (at > 0 && (is_behind(s, &s->found[at - 1]) == behind ? s->found[at - 1].score < score
								    : !behind)) {
		s->found[at] = s->found[at - 1];
		at--;
	}
	s->found[at] = (struct found){item, score};
}

static bool may_be_found(const struct search *s, const struct tn_sight *sight,
			 const struct tn_item *item)
{
	return !item->finder && !item->tool.ui_only && tn_sees(sight, item) &&
	       (!s->app || item->app == s->app);
}

/* A word that few tools have says most: it counts as often as one of those that have it is rarer
 * than one of all. */
static void weigh(struct search *s, const struct tn_sight *sight)
{
	const struct tn_list *list = &s->call->server->registry.lists[TN_ITEM_TOOL];

	for (size_t w = 0; w < s->word_count; w++) {
		unsigned fitting = 0, all = 0;

		for (size_t i = 0; i < list->count; i++) {
			if (!may_be_found(s, sight, list->items[i]))
				continue;
			s->scores[i][w] = tn_finder_score(&list->items[i]->tool, &s->words[w]);
			all++;
			fitting += s->scores[i][w] > 0;
		}
		for (s->weights[w] = 1; fitting && fitting * 2 <= all; fitting *= 2)
			s->weights[w]++;
	}
}

/* What fits all words stands before what fits one of them well. */
static unsigned score_of(const struct search *s, const struct tn_item *item,
			 const unsigned scores[TN_FINDER_WORDS_MAX])
{
	enum tn_finder_naming naming = tn_finder_naming(s->query, item->key);
	unsigned score = 0, fitting = 0;

	if (naming != TN_FINDER_NOT_NAMED)
		return naming == TN_FINDER_NAMED ? UINT_MAX : NAMED;
	for (size_t w = 0; w < s->word_count; w++) {
		score += scores[w] * s->weights[w];
		fitting += scores[w] > 0;
	}
	return score * fitting;
}

static void look(struct search *s, bool all)
{
	const struct tn_list *list = &s->call->server->registry.lists[TN_ITEM_TOOL];
	const struct tn_sight sight = tn_peer_sight(s->call->peer);

	s->listing = sight.listing;
	s->count = 0;
	if (!all)
		weigh(s, &sight);
	for (size_t i = 0; i < list->count; i++) {
		const struct tn_item *item = list->items[i];
		unsigned score = !may_be_found(s, &sight, item) ? 0
				 : all                          ? 1
								: score_of(s, item, s->scores[i]);

		if (score > 0)
			insert(s, item, score);
	}
}

static bool fits_well(const struct search *s, size_t i)
{
	return s->found[i].score > s->found[0].score / 2;
}

/* Schemas are long: of those that fit well the best have theirs, of the others there is a line. Of
 * the first three in any case, unless a tool of the list fits best. */
static void share_out(struct search *s, size_t limit)
{
	size_t lines = limit > LINES_MAX ? limit : LINES_MAX;

	s->listed_is_best =
		s->unlisted < s->count && s->found[s->unlisted].score > s->found[0].score;
	while (s->full < s->unlisted && s->full < limit && fits_well(s, s->full))
		s->full++;
	s->shown = s->full;
	while (s->shown < s->unlisted && s->shown < lines &&
	       (fits_well(s, s->shown) || (!s->listed_is_best && s->shown < SURE &&
					   s->found[s->shown].score > s->found[0].score / 4)))
		s->shown++;
	s->named = s->count;
	if (s->shown > 0 && tn_call_is_for_model(s->call) && s->count - s->shown > NAMED_MAX)
		s->named = s->shown + NAMED_MAX;
}

static const char *caller_of(const struct tn_item *item)
{
	return item->tool.flags & TENON_READ_ONLY && !item->tool.writes_with ? "call_tool"
									     : "call_writing_tool";
}

static const char *description_of(const struct tn_item *item)
{
	return item->tool.description ? item->tool.description : "";
}

static struct tn_str first_sentence(const struct tn_item *item)
{
	struct tn_str all = tn_str_from(description_of(item));
	const char *end = strstr(all.data, ". ");

	return end ? tn_str(all.data, (size_t)(end - all.data) + 1) : all;
}

/* Of those that are not shown: what fits best of the caller's list, then what fits less. */
static const struct tn_item *other_at(const struct search *s, size_t i)
{
	size_t listed = s->count - s->unlisted, less = s->unlisted - s->shown;
	size_t first = listed < LISTED_FIRST ? listed : LISTED_FIRST;

	i -= s->shown;
	if (i < first)
		return s->found[s->unlisted + i].item;
	return s->found[i < first + less ? s->shown + i - first : s->unlisted + i - less].item;
}

/* ---- as data ---- */

static void put_tool(const struct tn_item *item, bool full, struct tn_buf *out)
{
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "name", item->tool.name);
	if (full)
		tn_json_put_member_text(out, "description", description_of(item));
	else
		tn_json_put_member_str(out, "description", first_sentence(item));
	tn_json_put_member_text(out, "call_with", caller_of(item));
	if (full)
		tn_json_put_member_raw(out, "input_schema", tn_str_from(item->tool.input_schema));
	tn_json_end_object(out);
}

static void put_data(const struct search *s, struct tn_buf *out)
{
	tn_json_begin_object(out);
	tn_json_put_key(out, "tools");
	tn_json_begin_array(out);
	for (size_t i = 0; i < s->shown; i++)
		put_tool(s->found[i].item, i < s->full, out);
	tn_json_end_array(out);
	tn_json_put_key(out, "others");
	tn_json_begin_array(out);
	for (size_t i = s->shown; i < s->named; i++)
		tn_json_put_text(out, other_at(s, i)->tool.name);
	tn_json_end_array(out);
	if (s->named < s->count)
		tn_json_put_member_int(out, "more", (int64_t)(s->count - s->named));
	tn_json_end_object(out);
}

/* ---- as text ---- */

static void put_shown(const struct search *s, struct tn_buf *out)
{
	for (size_t i = 0; i < s->full; i++) {
		const struct tn_item *item = s->found[i].item;

		tn_buf_format(out, "%s (%s): %s\narguments: %s\n\n", item->tool.name,
			      caller_of(item), description_of(item), item->tool.input_schema);
	}
	if (s->full < s->shown)
		tn_buf_append_text(out, "Fitting less; with its name as query each has its "
					"arguments:\n");
	for (size_t i = s->full; i < s->shown; i++) {
		const struct tn_item *item = s->found[i].item;

		tn_buf_format(out, "%s (%s): ", item->tool.name, caller_of(item));
		tn_buf_append_str(out, first_sentence(item));
		tn_buf_append_byte(out, '\n');
	}
}

static void put_text(const struct search *s, struct tn_buf *out)
{
	if (s->fits_none)
		tn_buf_append_text(out, "No tool fits these words.\n");
	if (s->listed_is_best)
		tn_buf_format(out, "Of your list %s fits best.\n\n",
			      s->found[s->unlisted].item->tool.name);
	put_shown(s, out);
	if (s->count > s->shown)
		tn_buf_append_text(out, s->shown ? "Listed already, or fitting less: " : "Tools: ");
	for (size_t i = s->shown; i < s->named; i++)
		tn_buf_format(out, "%s%s", i > s->shown ? ", " : "", other_at(s, i)->tool.name);
	if (s->named < s->count)
		tn_buf_format(out, " and %zu more", s->count - s->named);
	if (!s->shown)
		tn_buf_append_text(out, s->count ? "\nAsk with one of these names as query for "
						   "its arguments.\n"
						 : "There are none.\n");
}

/* ---- the call ---- */

/* The app of that name; false: there is none, and that is the answer. */
static bool read_app(struct tenon_call *call, struct search *s)
{
	const char *app = tenon_call_text(call, "app");
	struct tn_buf names;

	if (!app)
		return true;
	s->app = tn_server_app_bit(call->server, tn_str_from(app));
	if (s->app)
		return true;
	tn_buf_init(&names, TN_KIB);
	for (const struct tn_app_slot *slot = call->server->apps; slot; slot = slot->next) {
		if (!slot->is_off)
			tn_buf_format(&names, "%s%s", names.size ? ", " : "", slot->app->name);
	}
	tenon_call_fail(call, "app: there is no app \"%.64s\" here; there are: %.*s.", app,
			(int)names.size, names.size ? names.data : "");
	tn_buf_finish(&names);
	return false;
}

static void answer(struct tenon_call *call, const struct search *s)
{
	struct tn_buf data, text;

	tn_buf_init(&data, TN_MIB);
	tn_buf_init(&text, TN_MIB);
	if (tn_call_sends_structured(call))
		put_data(s, &data);
	put_text(s, &text);
	if (data.failed || text.failed) {
		tn_call_starve(call);
		tenon_call_fail(call, "There is no memory left for the answer.");
	} else {
		tenon_call_add_text(call, text.data, text.size);
		tn_call_put_structured(call, &data);
		tenon_call_finish(call);
	}
	tn_buf_finish(&data);
	tn_buf_finish(&text);
}

void tn_finder_call_find(struct tenon_call *call, void *data)
{
	const size_t count = call->server->registry.lists[TN_ITEM_TOOL].count;
	const char *query = tenon_call_text(call, "query");
	struct search s = {.call = call, .query = tn_str_from(query)};
	int64_t limit = 0;

	(void)data;
	if (!read_app(call, &s))
		return;
	s.found = tn_arena_alloc_array(&call->arena, count, sizeof(*s.found));
	s.scores = tn_arena_alloc_array(&call->arena, count, sizeof(*s.scores));
	if (!s.found || !s.scores) {
		tn_call_starve(call);
		tenon_call_fail(call, "There is no memory left to look.");
		return;
	}
	if (!tenon_call_int(call, "limit", &limit))
		limit = TN_FINDER_TOOLS;
	s.word_count = tn_finder_words(s.query, s.words);
	look(&s, s.query.size == 0);
	s.fits_none = s.count == 0 && s.query.size > 0;
	if (s.fits_none)
		look(&s, true);
	while (s.unlisted < s.count && !is_behind(&s, &s.found[s.unlisted]))
		s.unlisted++;
	s.named = s.count;
	if (s.query.size > 0 && !s.fits_none)
		share_out(&s, (size_t)limit);
	answer(call, &s);
}
