/* history_index.c - words by the index: all that match are counted, the best are shown. */
#include "apps/terminal/history/internal.h"

#include <stdlib.h>

#include "apps/terminal/limits.h"
#include "base/mem.h"

struct hit {
	int64_t command, rowid; /* the command's; its own */
	int64_t rank;           /* the index's, of ranked queries; else 0 */
	unsigned tier;
	bool is_output;
};
struct hits {
	struct hit *items;
	size_t count, wanted; /* at most so many of commands, and of outputs */
};

/* A smaller tier, and a smaller rank, is a better match; what was run last comes first. */
static int compare_hits(const void *a, const void *b)
{
	const struct hit *left = a, *right = b;

	if (left->tier != right->tier)
		return left->tier < right->tier ? -1 : 1;
	if (left->rank != right->rank)
		return left->rank < right->rank ? -1 : 1;
	if (left->command != right->command)
		return left->command > right->command ? -1 : 1;
	if (left->is_output != right->is_output)
		return left->is_output - right->is_output;
	return left->rowid > right->rowid ? -1 : left->rowid < right->rowid;
}

/* How well something matches: a command begins with the words as they stand in the query; it has
 * them so; it has all of them. Nothing is in two tiers. */
enum { TIER_BEGINS, TIER_PHRASE, TIER_WORDS, TIERS };

/* What has the phrase has all words. */
static enum tenon_code put_tier(const struct tn_history_query *query, unsigned tier, bool outputs,
				struct tn_buf *out, struct tenon_error *err)
{
	tn_buf_clear(out);
	if (!query->phrase.size || tier == TIER_WORDS) {
		tn_buf_append_byte(out, '(');
		tn_buf_append_str(out, query->match);
		tn_buf_append_byte(out, ')');
	}
	if (query->phrase.size) {
		tn_buf_append_text(out, tier == TIER_BEGINS  ? "^"
					: tier == TIER_WORDS ? " NOT "
							     : "");
		tn_buf_append_str(out, query->phrase);
	}
	if (query->phrase.size && tier == TIER_PHRASE && !outputs) {
		tn_buf_append_text(out, " NOT ^");
		tn_buf_append_str(out, query->phrase);
	}
	return tn_buf_check(out, err);
}

/* Cross joins keep their order: the index is asked first. Left to itself SQLite goes through all
 * commands by their time, and asks the index for each. */
enum { FIND_ROWS, FIND_TEXTS, FIND_RANKS, FINDS };
static const char *const find_sql[2][FINDS] = {
	{"select f.rowid, f.rowid, null from commands_fts f"
	 " cross join commands c on c.rowid=f.rowid left join sessions s on s.id=c.session_id"
	 " where commands_fts match ?1 and f.rowid<=?2 and" TN_HISTORY_FILTER
	 " order by f.rowid desc",
	 "select f.rowid, f.rowid, c.text from commands_fts f"
	 " cross join commands c on c.rowid=f.rowid left join sessions s on s.id=c.session_id"
	 " where commands_fts match ?1 and f.rowid<=?2 and" TN_HISTORY_FILTER
	 " order by f.rowid desc",
	 "select f.rowid, f.rowid, cast(bm25(commands_fts)*1000000 as int) from commands_fts f"
	 " cross join commands c on c.rowid=f.rowid left join sessions s on s.id=c.session_id"
	 " where commands_fts match ?1 and f.rowid<=?2 and" TN_HISTORY_FILTER},
	{"select f.rowid, c.rowid, null from outputs_fts f"
	 " cross join outputs o on o.rowid=f.rowid cross join commands c on c.id=o.command_id"
	 " left join sessions s on s.id=c.session_id"
	 " where outputs_fts match ?1 and f.rowid<=?2 and" TN_HISTORY_FILTER
	 " order by f.rowid desc",
	 "select f.rowid, c.rowid, o.text from outputs_fts f"
	 " cross join outputs o on o.rowid=f.rowid cross join commands c on c.id=o.command_id"
	 " left join sessions s on s.id=c.session_id"
	 " where outputs_fts match ?1 and f.rowid<=?2 and" TN_HISTORY_FILTER
	 " order by f.rowid desc",
	 "select f.rowid, c.rowid, cast(bm25(outputs_fts)*1000000 as int) from outputs_fts f"
	 " cross join outputs o on o.rowid=f.rowid cross join commands c on c.id=o.command_id"
	 " left join sessions s on s.id=c.session_id"
	 " where outputs_fts match ?1 and f.rowid<=?2 and" TN_HISTORY_FILTER},
};

/* Nothing but the index decides: it can count by itself, and only what is shown is looked at. */
static bool is_plain(const struct tn_history_runner *runner)
{
	return !runner->query.literal_count && !tn_history_is_filtered(runner->search);
}

static int64_t newest_of(const struct tn_history_runner *runner, bool outputs)
{
	return outputs ? runner->place.outputs_max : runner->place.commands_max;
}

static enum tenon_code count_all(struct tn_history_runner *runner, bool outputs,
				 struct tenon_error *err)
{
	struct tn_sqlite_stmt *stmt = NULL;
	bool row = false;
	enum tenon_code code = tn_sqlite_prepare(
		runner->db,
		outputs ? "select count(*) from outputs_fts where outputs_fts match ?1 and "
			  "rowid<=?2"
			: "select count(*) from commands_fts where commands_fts match ?1 and "
			  "rowid<=?2",
		&stmt, err);

	if (code == TENON_OK) {
		tn_sqlite_bind_str(stmt, 1, runner->query.match);
		tn_sqlite_bind_int(stmt, 2, newest_of(runner, outputs));
		code = tn_sqlite_step(stmt, &row, err);
	}
	if (code == TENON_OK && row)
		runner->found->total += (size_t)tn_sqlite_column_int(stmt, 0);
	tn_sqlite_finish(stmt);
	return code;
}

struct tier {
	unsigned number;
	bool outputs, plain;
	size_t room; /* so many more are wanted */
};

static void keep_best(struct hits *hits)
{
	qsort(hits->items, hits->count, sizeof(hits->items[0]), compare_hits);
	if (hits->count > hits->wanted)
		hits->count = hits->wanted;
}

/* Of a text that has been read the tier is told by it. */
static unsigned tier_of(const struct tn_history_runner *runner, struct tn_str text, bool outputs)
{
	size_t at = tn_history_find(text, tn_str_trim(runner->search->query), 0);

	return at == TN_STR_NONE ? TIER_WORDS : at == 0 && !outputs ? TIER_BEGINS : TIER_PHRASE;
}

/* Of `how` the rest is known: its tier, its rank. */
static void add_hit(struct tn_sqlite_stmt *stmt, struct hit how, struct hits *hits)
{
	how.rowid = tn_sqlite_column_int(stmt, 0);
	how.command = tn_sqlite_column_int(stmt, 1);
	hits->items[hits->count++] = how;
	if (hits->count == 2 * hits->wanted)
		keep_best(hits);
}

static enum tenon_code begin_find(const struct tn_history_runner *runner, const struct tier *tier,
				  struct tn_str match, struct tn_sqlite_stmt **ret,
				  struct tenon_error *err)
{
	unsigned what = runner->query.ranked          ? FIND_RANKS
			: runner->query.literal_count ? FIND_TEXTS
						      : FIND_ROWS;
	enum tenon_code code =
		tn_sqlite_prepare(runner->db, find_sql[tier->outputs][what], ret, err);

	if (code != TENON_OK)
		return code;
	tn_sqlite_bind_str(*ret, 1, match);
	tn_sqlite_bind_int(*ret, 2, newest_of(runner, tier->outputs));
	tn_history_bind_filter(*ret, runner->search);
	return TENON_OK;
}

static enum tenon_code find_tier(struct tn_history_runner *runner, struct tier *tier,
				 struct tn_str match, struct hits *hits, struct tenon_error *err)
{
	struct tn_sqlite_stmt *stmt = NULL;
	enum tenon_code code = begin_find(runner, tier, match, &stmt, err);
	bool row = true;

	while (code == TENON_OK && (tier->room || !tier->plain)) {
		code = tn_sqlite_step(stmt, &row, err);
		if (code != TENON_OK || !row)
			break;
		runner->found->total += !tier->plain;
		if (tier->room) {
			tier->room--;
			add_hit(stmt,
				(struct hit){.tier = tier->number, .is_output = tier->outputs},
				hits);
		}
	}
	tn_sqlite_finish(stmt);
	return code;
}

/* Of words with punctuation the index knows only who may have them; of the best by rank it does not
 * know which they are. */
static enum tenon_code look_at_all(struct tn_history_runner *runner, bool outputs,
				   struct hits *hits, struct tenon_error *err)
{
	const struct tier tier = {.outputs = outputs};
	struct tn_sqlite_stmt *stmt = NULL;
	enum tenon_code code = begin_find(runner, &tier, runner->query.match, &stmt, err);
	bool row = true;

	while (code == TENON_OK) {
		struct hit hit = {.is_output = outputs};
		struct tn_str text;

		code = tn_sqlite_step(stmt, &row, err);
		if (code != TENON_OK || !row)
			break;
		if (runner->query.ranked) {
			hit.rank = tn_sqlite_column_int(stmt, 2);
		} else {
			text = tn_sqlite_column_str(stmt, 2);
			if (!tn_history_has_literals(&runner->query, text))
				continue;
			hit.tier = tier_of(runner, text, outputs);
		}
		runner->found->total++;
		add_hit(stmt, hit, hits);
	}
	tn_sqlite_finish(stmt);
	return code;
}

static enum tenon_code find_hits(struct tn_history_runner *runner, bool outputs, struct hits *hits,
				 struct tenon_error *err)
{
	struct tier tier = {.outputs = outputs, .plain = is_plain(runner), .room = hits->wanted};
	const struct tn_history_query *query = &runner->query;
	/* One word is its own phrase. */
	unsigned last = !query->phrase.size                         ? 1
			: tn_str_equal(query->match, query->phrase) ? TIER_WORDS
								    : TIERS;
	struct tn_buf match;
	enum tenon_code code;

	if (query->literal_count || query->ranked)
		return look_at_all(runner, outputs, hits, err);
	code = tier.plain ? count_all(runner, outputs, err) : TENON_OK;
	tn_buf_init(&match, TN_MIB);
	/* No output begins with what was asked for. */
	tier.number = outputs && query->phrase.size ? TIER_PHRASE : 0;
	for (; tier.number < last && code == TENON_OK; tier.number++) {
		code = put_tier(query, tier.number, outputs, &match, err);
		if (code == TENON_OK)
			code = find_tier(runner, &tier, tn_buf_str(&match), hits, err);
	}
	tn_buf_finish(&match);
	return code;
}

static enum tenon_code show_hit(struct tn_history_runner *runner, const struct hit *hit,
				struct tenon_error *err)
{
	static const char *const sql[] = {
		"select highlight(commands_fts, 0, ?2, ?3), 0, " TN_HISTORY_COLUMNS
		" from commands_fts f cross join commands c on c.rowid=f.rowid"
		" left join sessions s on s.id=c.session_id"
		" where commands_fts match ?1 and f.rowid=?4",
		"select highlight(outputs_fts, 0, ?2, ?3), o.truncated, " TN_HISTORY_COLUMNS
		" from outputs_fts f cross join outputs o on o.rowid=f.rowid"
		" cross join commands c on c.id=o.command_id left join sessions s on "
		"s.id=c.session_id"
		" where outputs_fts match ?1 and f.rowid=?4",
	};
	struct tn_sqlite_stmt *stmt = NULL;
	enum tenon_code code = tn_sqlite_prepare(runner->db, sql[hit->is_output], &stmt, err);
	bool row = false;

	if (code == TENON_OK) {
		tn_sqlite_bind_str(stmt, 1, runner->query.match);
		tn_sqlite_bind_text(stmt, 2, TN_HISTORY_MARK);
		tn_sqlite_bind_text(stmt, 3, TN_HISTORY_MARK_END);
		tn_sqlite_bind_int(stmt, 4, hit->rowid);
		code = tn_sqlite_step(stmt, &row, err);
	}
	if (code == TENON_OK && row) { /* it may have been forgotten meanwhile */
		int64_t truncated = tn_sqlite_column_int(stmt, 1);

		code = tn_history_add(runner, stmt, 2, tn_sqlite_column_str(stmt, 0), true,
				      hit->is_output, truncated > 1 ? (uint64_t)truncated - 1 : 0,
				      err);
	}
	tn_sqlite_finish(stmt);
	return code;
}

enum tenon_code tn_history_by_index(struct tn_history_runner *runner, struct tenon_error *err)
{
	size_t offset = (size_t)runner->place.offset;
	struct hits hits = {.wanted = offset + runner->search->limit};
	enum tenon_code code = TENON_OK;

	runner->found->total = 0;
	hits.items = tn_mem_alloc_array(2 * hits.wanted, sizeof(hits.items[0]));
	if (!hits.items)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	if (runner->search->types & TN_HISTORY_COMMANDS)
		code = find_hits(runner, false, &hits, err);
	if (code == TENON_OK && (runner->search->types & TN_HISTORY_OUTPUTS))
		code = find_hits(runner, true, &hits, err);
	if (code == TENON_OK)
		keep_best(&hits);
	for (size_t i = offset; i < hits.count && code == TENON_OK; i++)
		code = show_hit(runner, &hits.items[i], err);
	tn_mem_free(hits.items);
	runner->has_next = runner->found->total > hits.wanted && hits.wanted < TN_HISTORY_PAGES_MAX;
	runner->next = runner->place;
	runner->next.offset = (int64_t)hits.wanted;
	return code;
}
