/* history_sweep.c - all texts that a pattern is in, in the order in which they lie on the disk:
 * that is many times faster than command by command. Of those that match the newest are kept for
 * the page. */
#include "apps/terminal/history/internal.h"

#include <stdlib.h>

#include "apps/terminal/limits.h"
#include "base/clock.h"
#include "base/mem.h"

struct text {
	int64_t started, command; /* of the command: when it began, its rowid */
	int64_t number;           /* 0: the command itself; its outputs count from 1 */
	int64_t rowid;            /* its own */
};

struct sweep {
	struct tn_history_runner *runner;
	struct text *best;
	size_t count, wanted; /* `best` has room for twice as many as are wanted */
	int64_t total;
	uint64_t begun_ms;
	bool stopped;
};

static int compare_texts(const void *a, const void *b)
{
	const struct text *left = a, *right = b;

	if (left->started != right->started)
		return left->started > right->started ? -1 : 1;
	if (left->command != right->command)
		return left->command > right->command ? -1 : 1;
	return left->number < right->number ? -1 : left->number > right->number;
}

static void keep_newest(struct sweep *sweep)
{
	qsort(sweep->best, sweep->count, sizeof(sweep->best[0]), compare_texts);
	if (sweep->count > sweep->wanted)
		sweep->count = sweep->wanted;
}

static void add(struct sweep *sweep, struct text text)
{
	const struct tn_history_place *place = &sweep->runner->place;
	const struct text from = {
		.started = place->started, .command = place->rowid, .number = place->texts};

	sweep->total++;
	if (compare_texts(&text, &from) < 0)
		return; /* a page before had it */
	sweep->best[sweep->count++] = text;
	if (sweep->count == 2 * sweep->wanted)
		keep_newest(sweep);
}

/* Where very many match, the page is found sooner by going from the newest on; to count them all is
 * worth no more than this. */
static bool is_enough(const struct sweep *sweep)
{
	uint64_t took = tn_clock_now_ms(&tn_clock_system) - sweep->begun_ms;
	int64_t wanted = (int64_t)sweep->wanted;

	return (took > TN_HISTORY_COUNT_MS && sweep->total >= 10 * wanted) ||
	       (took > TN_HISTORY_SEARCH_MS / 2 && sweep->total >= wanted);
}

/* What the texts of one table are read by; of those that match, the command. */
struct table {
	const char *texts, *command;
};
static const struct table commands_table = {
	"select text, rowid from commands where rowid<=?1 order by rowid desc",
	"select c.started, c.rowid, 0 from commands c left join sessions s on s.id=c.session_id"
	" where ?1 is null and c.rowid=?2 and" TN_HISTORY_FILTER,
};
static const struct table outputs_table = {
	"select text, rowid from outputs where rowid<=?1 order by rowid desc",
	"select c.started, c.rowid, o.part+1 from outputs o"
	" cross join commands c on c.id=o.command_id left join sessions s on s.id=c.session_id"
	" where ?1 is null and o.rowid=?2 and" TN_HISTORY_FILTER,
};

/* It matches: whether it is wanted at all its command tells. */
static enum tenon_code take(struct sweep *sweep, struct tn_sqlite_stmt *command, int64_t rowid,
			    struct tenon_error *err)
{
	bool wanted = false;
	enum tenon_code code;

	tn_sqlite_reset(command);
	tn_sqlite_bind_int(command, 2, rowid);
	tn_history_bind_filter(command, sweep->runner->search);
	code = tn_sqlite_step(command, &wanted, err);
	if (code == TENON_OK && wanted)
		add(sweep, (struct text){.started = tn_sqlite_column_int(command, 0),
					 .command = tn_sqlite_column_int(command, 1),
					 .number = tn_sqlite_column_int(command, 2),
					 .rowid = rowid});
	return code;
}

static enum tenon_code go_through(struct sweep *sweep, struct tn_sqlite_stmt *texts,
				  struct tn_sqlite_stmt *command, struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;
	bool row = true, found = false;

	while (code == TENON_OK && !sweep->stopped) {
		code = tn_sqlite_step(texts, &row, err);
		if (code != TENON_OK || !row)
			break;
		code = tn_regex_finds(sweep->runner->query.regex, tn_sqlite_column_str(texts, 0),
				      &found, err);
		if (code != TENON_OK || !found)
			continue;
		code = take(sweep, command, tn_sqlite_column_int(texts, 1), err);
		sweep->stopped = is_enough(sweep);
	}
	return code;
}

static enum tenon_code sweep_table(struct sweep *sweep, const struct table *table, int64_t newest,
				   struct tenon_error *err)
{
	struct tn_sqlite_stmt *texts = NULL, *command = NULL;
	enum tenon_code code = tn_sqlite_prepare(sweep->runner->db, table->texts, &texts, err);

	if (code == TENON_OK)
		code = tn_sqlite_prepare(sweep->runner->db, table->command, &command, err);
	if (code == TENON_OK) {
		tn_sqlite_bind_int(texts, 1, newest);
		code = go_through(sweep, texts, command, err);
	}
	tn_sqlite_finish(command);
	tn_sqlite_finish(texts);
	return code;
}

static enum tenon_code show(struct tn_history_runner *runner, const struct text *text,
			    struct tenon_error *err)
{
	static const char *const sql[] = {
		"select c.text, 0, " TN_HISTORY_COLUMNS
		" from commands c left join sessions s on s.id=c.session_id where c.rowid=?1",
		"select o.text, o.truncated, " TN_HISTORY_COLUMNS
		" from outputs o cross join commands c on c.id=o.command_id"
		" left join sessions s on s.id=c.session_id where o.rowid=?1",
	};
	struct tn_sqlite_stmt *stmt = NULL;
	enum tenon_code code = tn_sqlite_prepare(runner->db, sql[text->number > 0], &stmt, err);
	bool row = false;

	if (code == TENON_OK) {
		tn_sqlite_bind_int(stmt, 1, text->rowid);
		code = tn_sqlite_step(stmt, &row, err);
	}
	if (code == TENON_OK && row) { /* it may have been forgotten meanwhile */
		int64_t truncated = tn_sqlite_column_int(stmt, 1);

		code = tn_history_add(runner, stmt, 2, tn_sqlite_column_str(stmt, 0), false,
				      text->number > 0, truncated > 1 ? (uint64_t)truncated - 1 : 0,
				      err);
	}
	tn_sqlite_finish(stmt);
	return code;
}

static enum tenon_code show_page(struct sweep *sweep, struct tenon_error *err)
{
	struct tn_history_runner *runner = sweep->runner;
	size_t limit = runner->search->limit;
	enum tenon_code code = TENON_OK;

	keep_newest(sweep);
	for (size_t i = 0; i < sweep->count && i < limit && code == TENON_OK; i++)
		code = show(runner, &sweep->best[i], err);
	runner->has_next = sweep->count > limit;
	runner->next = runner->place;
	if (runner->has_next) {
		runner->next.started = sweep->best[limit].started;
		runner->next.rowid = sweep->best[limit].command;
		runner->next.texts = sweep->best[limit].number;
	}
	return code;
}

/* The first page has counted for all that follow. */
static void tell_total(const struct sweep *sweep, bool whole)
{
	struct tn_history_runner *runner = sweep->runner;
	struct tn_history_place *place = &runner->place;

	if (runner->first) {
		place->total = sweep->total;
		if (place->total < (int64_t)runner->found->count)
			place->total = (int64_t)runner->found->count;
		place->uncounted = !whole;
	}
	runner->next.total = place->total;
	runner->next.uncounted = place->uncounted;
	runner->found->total = (size_t)place->total;
	runner->found->total_is_least = place->uncounted;
}

enum tenon_code tn_history_sweep(struct tn_history_runner *runner, struct tenon_error *err)
{
	unsigned types = runner->search->types;
	struct sweep sweep = {.runner = runner,
			      .wanted = runner->search->limit + 1,
			      .begun_ms = tn_clock_now_ms(&tn_clock_system)};
	enum tenon_code code = TENON_OK;
	bool whole;

	sweep.best = tn_mem_alloc_array(2 * sweep.wanted, sizeof(sweep.best[0]));
	if (!sweep.best)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	if (types & TN_HISTORY_COMMANDS)
		code = sweep_table(&sweep, &commands_table, runner->place.commands_max, err);
	if (code == TENON_OK && (types & TN_HISTORY_OUTPUTS))
		code = sweep_table(&sweep, &outputs_table, runner->place.outputs_max, err);
	whole = code == TENON_OK && !sweep.stopped;
	if (whole)
		code = show_page(&sweep, err);
	else if (code == TENON_OK || code == TENON_LIMIT)
		/* The newest may be many already before the text that takes too long. */
		code = tn_history_scan(runner, err);
	if (code == TENON_OK)
		tell_total(&sweep, whole);
	tn_mem_free(sweep.best);
	return code;
}
