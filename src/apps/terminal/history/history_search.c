#include "apps/terminal/history/internal.h"

#include <stdio.h>
#include <stdlib.h>

#include "apps/terminal/limits.h"
#include "base/clock.h"
#include "base/mem.h"

/* ---- what every way of searching shares ---- */

bool tn_history_is_late(const struct tn_history_runner *runner)
{
	return tn_clock_now_ms(&tn_clock_system) > runner->deadline_ms ||
	       (runner->cancelled && atomic_load(runner->cancelled));
}

static bool stop(void *data)
{
	return tn_history_is_late(data);
}

void tn_history_bind_filter(struct tn_sqlite_stmt *stmt, const struct tn_history_search *search)
{
	tn_sqlite_bind_text(stmt, 3, search->session_id);
	tn_sqlite_bind_text(stmt, 4, search->project_id);
	tn_sqlite_bind_int(stmt, 5, search->since_ms);
	tn_sqlite_bind_int(stmt, 6, search->until_ms ? search->until_ms : INT64_MAX);
	tn_sqlite_bind_int(stmt, 7, (int64_t)search->exit);
	tn_sqlite_bind_text(stmt, 8, search->cwd_prefix);
	tn_sqlite_bind_text(stmt, 9, search->owner);
}

static bool keep_column(struct tn_history_runner *runner, struct tn_sqlite_stmt *stmt, int column,
			struct tn_str *ret)
{
	struct tn_str text = tn_sqlite_column_str(stmt, column);

	if (!text.data)
		return true;
	ret->data = tn_arena_copy(&runner->found->arena, text);
	ret->size = text.size;
	return ret->data != NULL;
}

enum tenon_code tn_history_add(struct tn_history_runner *runner, struct tn_sqlite_stmt *stmt,
			       int column, struct tn_str text, bool marked, bool is_output,
			       uint64_t before, struct tenon_error *err)
{
	struct tn_history_entry *entry = &runner->found->entries[runner->found->count];
	struct tn_history_lines lines = {0};
	int64_t started = tn_sqlite_column_int(stmt, column + 6);
	enum tenon_code code =
		tn_history_pick(&runner->query, text, marked, is_output, runner->search->context,
				&runner->found->arena, &lines, err);

	if (code != TENON_OK)
		return code;
	if (!keep_column(runner, stmt, column, &entry->command_id) ||
	    !keep_column(runner, stmt, column + 1, &entry->session_id) ||
	    !keep_column(runner, stmt, column + 2, &entry->session_name) ||
	    !keep_column(runner, stmt, column + 3, &entry->project_id) ||
	    !keep_column(runner, stmt, column + 4, &entry->cwd))
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	entry->content = lines.content;
	entry->snippet = lines.snippet;
	entry->line = is_output ? lines.line + before : 0;
	entry->is_output = is_output;
	entry->exit_code = tn_sqlite_column_is_null(stmt, column + 5)
				   ? -1
				   : (int)tn_sqlite_column_int(stmt, column + 5);
	entry->timestamp = started / 1000;
	if (!tn_sqlite_column_is_null(stmt, column + 7))
		entry->duration_ms = tn_sqlite_column_int(stmt, column + 7) - started;
	runner->found->count++;
	return TENON_OK;
}

/* ---- by the index ---- */

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
	const struct tn_history_search *search = runner->search;

	return !runner->query.literal_count && !search->session_id && !search->project_id &&
	       !search->cwd_prefix && !search->owner && !search->since_ms && !search->until_ms &&
	       search->exit == TN_HISTORY_ANY_EXIT;
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

static enum tenon_code search_index(struct tn_history_runner *runner, struct tenon_error *err)
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

/* ---- cursors ---- */

enum { PLACE_NUMBERS = 7 };

static void list_place(struct tn_history_place *place, int64_t *ret[PLACE_NUMBERS])
{
	ret[0] = &place->commands_max;
	ret[1] = &place->outputs_max;
	ret[2] = &place->offset;
	ret[3] = &place->started;
	ret[4] = &place->rowid;
	ret[5] = &place->texts;
	ret[6] = &place->total;
}

/* Of everything that decides which entries are found, so that a cursor goes with its search. */
static uint32_t digest(const struct tn_history_search *search)
{
	const char *const texts[] = {search->session_id, search->project_id, search->cwd_prefix,
				     search->owner};
	uint64_t hash = tn_str_hash(search->query, 1);

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		hash = tn_str_hash(tn_str_from(texts[i]), hash + (texts[i] != NULL));
	hash += (uint64_t)search->syntax * 3 + search->types * 17 + (uint64_t)search->exit * 257;
	hash ^= (uint64_t)search->since_ms * 31 + (uint64_t)search->until_ms;
	return (uint32_t)(hash ^ hash >> 32);
}

static enum tenon_code write_cursor(struct tn_history_runner *runner, struct tenon_error *err)
{
	int64_t *numbers[PLACE_NUMBERS];
	struct tn_buf text;
	char *copy;

	if (!runner->has_next)
		return TENON_OK;
	list_place(&runner->next, numbers);
	tn_buf_init(&text, TN_KIB);
	tn_buf_format(&text, "h1.%08x", digest(runner->search));
	for (size_t i = 0; i < PLACE_NUMBERS; i++)
		tn_buf_format(&text, ".%llx", (unsigned long long)*numbers[i]);
	copy = text.failed ? NULL : tn_arena_copy(&runner->found->arena, tn_buf_str(&text));
	runner->found->next_cursor = tn_str(copy, copy ? text.size : 0);
	tn_buf_finish(&text);
	return copy ? TENON_OK : tn_fail(err, TENON_NO_MEMORY, "out of memory");
}

static bool read_numbers(const char *text, uint32_t wanted, int64_t *numbers[PLACE_NUMBERS])
{
	char *end;

	if (strncmp(text, "h1.", 3) != 0 || strtoull(text + 3, &end, 16) != wanted)
		return false;
	for (size_t i = 0; i < PLACE_NUMBERS; i++) {
		unsigned long long value;

		if (*end != '.' || end[1] == '-' || end[1] == '+' || end[1] == ' ')
			return false;
		value = strtoull(end + 1, &end, 16);
		if (value > INT64_MAX)
			return false;
		*numbers[i] = (int64_t)value;
	}
	return *end == '\0';
}

static enum tenon_code newest_rows(struct tn_history_runner *runner, struct tenon_error *err)
{
	struct tn_sqlite_stmt *stmt = NULL;
	bool row = false;
	enum tenon_code code = tn_sqlite_prepare(
		runner->db,
		"select (select max(rowid) from commands), (select max(rowid) from outputs)", &stmt,
		err);

	if (code == TENON_OK)
		code = tn_sqlite_step(stmt, &row, err);
	if (code == TENON_OK && row) {
		runner->place.commands_max = tn_sqlite_column_int(stmt, 0);
		runner->place.outputs_max = tn_sqlite_column_int(stmt, 1);
	}
	tn_sqlite_finish(stmt);
	return code;
}

static enum tenon_code find_place(struct tn_history_runner *runner, struct tenon_error *err)
{
	const char *cursor = runner->search->cursor;
	int64_t *numbers[PLACE_NUMBERS];

	runner->place = (struct tn_history_place){.started = INT64_MAX, .rowid = INT64_MAX};
	runner->first = !cursor;
	if (!cursor)
		return newest_rows(runner, err);
	list_place(&runner->place, numbers);
	if (!read_numbers(cursor, digest(runner->search), numbers) ||
	    runner->place.offset > TN_HISTORY_PAGES_MAX)
		return tn_fail(
			err, TENON_EXPIRED,
			"the cursor does not belong to this search; search again without it");
	return TENON_OK;
}

/* ---- one search ---- */

static enum tenon_code search_as(struct tn_history_runner *runner, enum tn_history_syntax syntax,
				 struct tn_str text, struct tn_arena *arena,
				 struct tenon_error *err)
{
	enum tenon_code code;

	tn_history_query_finish(&runner->query);
	code = tn_history_query_init(&runner->query, syntax, text, arena, err);
	if (code != TENON_OK)
		return code;
	return runner->query.match.size ? search_index(runner, err) : tn_history_scan(runner, err);
}

/* Nothing has these words: those that were probably meant, and the answer says so. */
static enum tenon_code search_near(struct tn_history_runner *runner, struct tn_arena *arena,
				   struct tenon_error *err)
{
	struct tn_buf near, warning;
	bool changed = false;
	enum tenon_code code;

	tn_buf_init(&near, TN_MIB);
	tn_buf_init(&warning, TN_MIB);
	code = tn_history_near(runner, &near, &changed, err);
	if (code == TENON_OK && changed)
		code = search_as(runner, TN_HISTORY_WORDS, tn_buf_str(&near), arena, err);
	if (code == TENON_OK && runner->found->total) {
		tn_buf_append_text(&warning, "Nothing has \"");
		tn_buf_append_str(&warning, tn_str_trim(runner->search->query));
		tn_buf_append_text(&warning, "\"; shown is what has \"");
		tn_buf_append_str(&warning, tn_buf_str(&near));
		tn_buf_append_text(&warning, "\".");
		if (tn_buf_check(&warning, err) == TENON_OK)
			runner->found->warning =
				tn_arena_copy(&runner->found->arena, tn_buf_str(&warning));
	}
	tn_buf_finish(&near);
	tn_buf_finish(&warning);
	return code;
}

static enum tenon_code search(struct tn_history_runner *runner, struct tenon_error *err)
{
	const struct tn_history_search *search = runner->search;
	struct tn_arena arena;
	enum tenon_code code;

	tn_arena_init(&arena, TN_MIB);
	code = search_as(runner, search->syntax, search->query, &arena, err);
	/* What is no expression is words (terminal.md 7.6: no query text may raise an error). */
	if (code == TENON_SYSTEM && search->syntax == TN_HISTORY_FTS && !tn_history_is_damaged(err))
		code = search_as(runner, TN_HISTORY_WORDS, search->query, &arena, err);
	if (code == TENON_OK && search->syntax == TN_HISTORY_WORDS && !runner->found->total)
		code = search_near(runner, &arena, err);
	tn_history_query_finish(&runner->query);
	tn_arena_finish(&arena);
	return code;
}

static enum tenon_code run(struct tn_history_runner *runner, struct tn_history_db *db,
			   struct tenon_error *err)
{
	/* Without a file the writer's connection is everybody's, and must not be stopped. */
	bool shared = strcmp(db->path, ":memory:") == 0;
	enum tenon_code code = shared ? TENON_OK : tn_history_db_open_reader(db, err);

	if (code != TENON_OK)
		return code;
	runner->db = db->db;
	runner->shared = shared;
	runner->found->entries = tn_arena_alloc_array(&runner->found->arena, runner->search->limit,
						      sizeof(struct tn_history_entry));
	if (!runner->found->entries)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	if (!shared)
		tn_sqlite_set_stop(db->db, stop, runner);
	code = find_place(runner, err);
	if (code == TENON_OK)
		code = search(runner, err);
	if (code == TENON_OK)
		code = write_cursor(runner, err);
	if (!shared)
		tn_sqlite_set_stop(db->db, NULL, NULL);
	return code;
}

void tn_history_run(struct tn_history_db *db, const struct tn_history_request *request,
		    struct tn_history_found *found)
{
	struct tn_history_runner runner = {
		.search = &request->search, .cancelled = request->cancelled, .found = found};

	*found = (struct tn_history_found){.code = TENON_OK};
	tn_arena_init(&found->arena, TN_HISTORY_FOUND_BYTES_MAX);
	runner.deadline_ms =
		tn_clock_now_ms(&tn_clock_system) +
		(request->search.time_ms ? request->search.time_ms : TN_HISTORY_SEARCH_MS);
	found->code = run(&runner, db, &found->error);
	if (found->code == TENON_NOT_FOUND) { /* nothing was ever written */
		found->error = (struct tenon_error){0};
		found->code = request->search.cursor
				      ? tn_fail(&found->error, TENON_EXPIRED,
						"the cursor does not belong to this search; search "
						"again without it")
				      : TENON_OK;
	} else if (found->code == TENON_CANCELLED &&
		   !(request->cancelled && atomic_load(request->cancelled))) {
		found->code = tn_fail(&found->error, TENON_LIMIT, "the search takes too long");
	}
	if (found->code != TENON_OK)
		found->count = found->total = 0;
}
