/* history_scan.c - entries newest first, text by text, for what the index cannot find: words of
 * punctuation alone, everything, and the page of a pattern that many have. */
#include "apps/terminal/history/internal.h"

#include "apps/terminal/limits.h"

struct scan {
	struct tn_history_runner *runner;
	struct tn_sqlite_stmt *commands, *outputs;
	int64_t read;    /* texts looked at */
	int64_t total;   /* that match */
	bool page_alone; /* the total is known otherwise */
};

static const char commands_sql[] =
	"select c.text, c.rowid, " TN_HISTORY_COLUMNS
	" from commands c left join sessions s on s.id=c.session_id"
	" where ?1 is null and c.rowid<=?2 and (c.started, c.rowid)<=(?10, ?11) "
	"and" TN_HISTORY_FILTER " order by c.started desc, c.rowid desc";
static const char outputs_sql[] =
	"select text, truncated, part from outputs where command_id=?1 and rowid<=?2 order by part";

static enum tenon_code matches(struct scan *scan, struct tn_str text, bool *ret,
			       struct tenon_error *err)
{
	struct tn_history_query *query = &scan->runner->query;

	if (query->regex)
		return tn_regex_finds(query->regex, text, ret, err);
	*ret = tn_history_has_literals(query, text);
	return TENON_OK;
}

/* How far the newest entries are looked through. */
static bool is_enough(const struct scan *scan)
{
	const struct tn_history_runner *runner = scan->runner;

	if (scan->page_alone)
		return runner->has_next;
	if (runner->has_next && (!runner->first || tn_history_is_late(runner)))
		return true; /* the rest was counted by the first page, or as far as time allows */
	return runner->place.offset + scan->read >= TN_HISTORY_LITERAL_TEXTS;
}

/* One text; `number`: which one of its command; 0 is the command itself. */
static enum tenon_code look(struct scan *scan, struct tn_str text, bool is_output, int64_t number,
			    uint64_t before, struct tenon_error *err)
{
	struct tn_history_runner *runner = scan->runner;
	int64_t rowid = tn_sqlite_column_int(scan->commands, 1);
	int64_t started = tn_sqlite_column_int(scan->commands, 8);
	bool found = false;
	enum tenon_code code;

	if (started == runner->place.started && rowid == runner->place.rowid &&
	    number < runner->place.texts)
		return TENON_OK; /* the page before had it */
	scan->read++;
	code = matches(scan, text, &found, err);
	if (code != TENON_OK || !found)
		return code;
	scan->total++;
	if (runner->found->count < runner->search->limit)
		return tn_history_add(runner, scan->commands, 2, text, false, is_output, before,
				      err);
	if (!runner->has_next) {
		runner->has_next = true;
		runner->next = runner->place;
		runner->next.started = started;
		runner->next.rowid = rowid;
		runner->next.texts = number;
		if (!runner->query.regex)
			runner->next.offset += scan->read - 1;
	}
	return TENON_OK;
}

static enum tenon_code look_at_outputs(struct scan *scan, struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;
	bool row = true;

	tn_sqlite_reset(scan->outputs);
	tn_sqlite_bind_str(scan->outputs, 1, tn_sqlite_column_str(scan->commands, 2));
	tn_sqlite_bind_int(scan->outputs, 2, scan->runner->place.outputs_max);
	while (code == TENON_OK) {
		int64_t truncated;

		code = tn_sqlite_step(scan->outputs, &row, err);
		if (code != TENON_OK || !row)
			break;
		truncated = tn_sqlite_column_int(scan->outputs, 1);
		code = look(scan, tn_sqlite_column_str(scan->outputs, 0), true,
			    tn_sqlite_column_int(scan->outputs, 2) + 1,
			    truncated > 1 ? (uint64_t)truncated - 1 : 0, err);
	}
	return code;
}

static enum tenon_code scan_commands(struct scan *scan, struct tenon_error *err)
{
	unsigned types = scan->runner->search->types;
	enum tenon_code code = TENON_OK;
	bool row = true;

	while (code == TENON_OK && !is_enough(scan)) {
		code = tn_sqlite_step(scan->commands, &row, err);
		if (code != TENON_OK || !row)
			break;
		if (types & TN_HISTORY_COMMANDS)
			code = look(scan, tn_sqlite_column_str(scan->commands, 0), false, 0, 0,
				    err);
		if (code == TENON_OK && (types & TN_HISTORY_OUTPUTS))
			code = look_at_outputs(scan, err);
	}
	return code;
}

/* How many entries there are at all, without reading them. */
static enum tenon_code count_everything(struct scan *scan, struct tenon_error *err)
{
	static const char *const filtered[] = {
		"select count(*) from commands c left join sessions s on s.id=c.session_id"
		" where ?1 is null and c.rowid<=?2 and" TN_HISTORY_FILTER,
		"select count(*) from outputs o join commands c on c.id=o.command_id"
		" left join sessions s on s.id=c.session_id"
		" where ?1 is null and o.rowid<=?2 and" TN_HISTORY_FILTER,
	};
	/* An index is far smaller than its table. */
	static const char *const whole[] = {
		"select count(*) from commands indexed by commands_started where rowid<=?2",
		"select count(*) from outputs indexed by outputs_command where rowid<=?2",
	};
	struct tn_history_runner *runner = scan->runner;
	bool is_filtered = tn_history_is_filtered(runner->search);
	const char *const *sql = is_filtered ? filtered : whole;
	enum tenon_code code = TENON_OK;

	scan->total = 0;
	for (unsigned i = 0; i < 2 && code == TENON_OK; i++) {
		struct tn_sqlite_stmt *stmt = NULL;
		bool row = false;

		if (!(runner->search->types & (i ? TN_HISTORY_OUTPUTS : TN_HISTORY_COMMANDS)))
			continue;
		code = tn_sqlite_prepare(runner->db, sql[i], &stmt, err);
		if (code == TENON_OK) {
			tn_sqlite_bind_int(stmt, 2,
					   i ? runner->place.outputs_max
					     : runner->place.commands_max);
			if (is_filtered)
				tn_history_bind_filter(stmt, runner->search);
			code = tn_sqlite_step(stmt, &row, err);
		}
		if (code == TENON_OK && row)
			scan->total += tn_sqlite_column_int(stmt, 0);
		tn_sqlite_finish(stmt);
	}
	return code;
}

/* The page is there though time is over; what has not been counted stays uncounted. */
static bool is_page_whole(const struct tn_history_runner *runner, enum tenon_code code)
{
	return runner->has_next && (code == TENON_CANCELLED || code == TENON_LIMIT) &&
	       !(runner->cancelled && atomic_load(runner->cancelled));
}

enum tenon_code tn_history_scan(struct tn_history_runner *runner, struct tenon_error *err)
{
	struct scan scan = {.runner = runner};
	bool everything = !runner->query.regex && runner->query.literal_count == 0;
	enum tenon_code code = tn_sqlite_prepare(runner->db, commands_sql, &scan.commands, err);

	scan.page_alone = everything || runner->query.regex;
	if (code == TENON_OK)
		code = tn_sqlite_prepare(runner->db, outputs_sql, &scan.outputs, err);
	if (code == TENON_OK) {
		tn_sqlite_bind_int(scan.commands, 2, runner->place.commands_max);
		tn_sqlite_bind_int(scan.commands, 10, runner->place.started);
		tn_sqlite_bind_int(scan.commands, 11, runner->place.rowid);
		tn_history_bind_filter(scan.commands, runner->search);
		code = scan_commands(&scan, err);
	}
	if (is_page_whole(runner, code))
		code = TENON_OK;
	tn_sqlite_finish(scan.commands);
	tn_sqlite_finish(scan.outputs);
	if (code == TENON_OK && everything && runner->first)
		code = count_everything(&scan, err);
	if (runner->query.regex) /* it has been counted, as far as time allowed */
		return code;
	if (!runner->first)
		scan.total = runner->place.total;
	runner->next.total = scan.total;
	runner->found->total = (size_t)scan.total;
	return code;
}
