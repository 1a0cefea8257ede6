#include "apps/plan/service/history.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>

#include "apps/plan/limits.h"
#include "base/mem.h"
#include "base/size.h"
#include "jsonrpc/json_write.h"
#include "store/file.h"
#include "store/sqlite.h"

enum {
	SCHEMA_VERSION = 1,
	PATH_BYTES_MAX = PATH_MAX,
	DROP_EVERY = 64, /* explanations */
	DROP_EVERY_MS = 60 * 60 * 1000
};
static const int64_t day_ms = 24 * 60 * 60 * 1000;

struct tn_plan_history {
	pthread_mutex_t lock;
	struct tn_sqlite *db; /* NULL until it is needed */
	const struct tn_clock *clock;
	bool in_memory;
	uint32_t keep_days;
	uint64_t handle_idle_ms;
	unsigned added;            /* explanations by this process */
	int64_t dropped_ms;        /* when old rows were last looked for */
	char path[PATH_BYTES_MAX]; /* empty: the state folder */
};

/* The columns of plan.md section 16, and the principal each row belongs to. */
static const char schema[] =
	"begin immediate;"
	"create table if not exists plans(id text primary key, principal text not null,"
	" sha256 text not null, created integer not null, expires integer not null,"
	" source_bytes integer not null, parsed_json text not null, raw_text text);"
	"create table if not exists turns(conversation_id text not null, seq integer not null,"
	" role text not null, content text not null, created integer not null,"
	" primary key(conversation_id, seq)) without rowid;"
	"create table if not exists explanations(id integer primary key, plan_id text not null,"
	" principal text not null, created integer not null, form text not null,"
	" source text not null, score integer not null, text text not null,"
	" addresses text not null);"
	"create index if not exists explanations_created on explanations(created);"
	"create index if not exists turns_created on turns(created);"
	"create index if not exists plans_expires on plans(expires);"
	"create virtual table if not exists explanations_words using fts5(text, addresses,"
	" content='explanations', content_rowid='id');"
	"create trigger if not exists explanations_added after insert on explanations begin"
	" insert into explanations_words(rowid, text, addresses)"
	" values(new.id, new.text, new.addresses); end;"
	"create trigger if not exists explanations_removed after delete on explanations begin"
	" insert into explanations_words(explanations_words, rowid, text, addresses)"
	" values('delete', old.id, old.text, old.addresses); end;"
	"pragma user_version=1;"
	"commit;";

enum tenon_code tn_plan_history_create(const struct tn_plan_config *config,
				       const struct tn_clock *clock, const char *path,
				       struct tn_plan_history **ret, struct tenon_error *err)
{
	struct tn_plan_history *history = tn_mem_alloc(sizeof(*history));

	if (!history)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	if (path && strlen(path) >= sizeof(history->path)) {
		tn_mem_free(history);
		return tn_fail(err, TENON_INVALID, "the database's path is too long");
	}
	if (path)
		memcpy(history->path, path, strlen(path) + 1);
	history->clock = clock;
	history->in_memory = config->keep_days == 0;
	history->keep_days = config->keep_days;
	history->handle_idle_ms = config->handle_idle_ms;
	if (pthread_mutex_init(&history->lock, NULL) != 0) {
		tn_mem_free(history);
		return tn_fail(err, TENON_SYSTEM, "no lock to be had");
	}
	*ret = history;
	return TENON_OK;
}

void tn_plan_history_destroy(struct tn_plan_history *history)
{
	if (!history)
		return;
	tn_sqlite_close(history->db);
	(void)pthread_mutex_destroy(&history->lock); /* nobody uses it any more */
	tn_mem_free(history);
}

/* ---- opening ---- */

static enum tenon_code set_up(struct tn_sqlite *db, struct tenon_error *err)
{
	struct tn_sqlite_stmt *stmt = NULL;
	enum tenon_code code;
	bool row = false;
	int64_t version = 0;

	code = tn_sqlite_prepare(db, "pragma user_version", &stmt, err);
	if (code == TENON_OK)
		code = tn_sqlite_step(stmt, &row, err);
	if (code == TENON_OK && row)
		version = tn_sqlite_column_int(stmt, 0);
	tn_sqlite_finish(stmt);
	if (code != TENON_OK || version == SCHEMA_VERSION)
		return code;
	if (version > SCHEMA_VERSION)
		return tn_fail(err, TENON_INVALID, "the history was made by a newer version");
	return tn_sqlite_exec(db, schema, err);
}

static enum tenon_code find_path(const struct tn_plan_history *history, bool create,
				 struct tn_buf *ret_path, struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;

	if (history->in_memory) {
		tn_buf_append_text(ret_path, ":memory:");
	} else if (history->path[0]) {
		tn_buf_append_text(ret_path, history->path);
	} else {
		code = tn_dir_state(ret_path, create, err);
		tn_buf_append_text(ret_path, "/plans.db");
	}
	tn_buf_append_byte(ret_path, '\0');
	return code == TENON_OK ? tn_buf_check(ret_path, err) : code;
}

static enum tenon_code open_db(struct tn_plan_history *history, bool create,
			       struct tenon_error *err)
{
	struct tn_sqlite *db = NULL;
	struct tn_buf path;
	enum tenon_code code;

	if (history->db)
		return TENON_OK;
	tn_buf_init(&path, PATH_BYTES_MAX);
	code = find_path(history, create, &path, err);
	if (code == TENON_OK)
		code = tn_sqlite_open(path.data, create ? TN_SQLITE_CREATE : 0, &db, err);
	tn_buf_finish(&path);
	if (code == TENON_OK)
		code = set_up(db, err);
	if (code != TENON_OK) {
		tn_sqlite_close(db);
		return code;
	}
	history->db = db;
	return TENON_OK;
}

/* ---- adding ---- */

static enum tenon_code run(struct tn_sqlite_stmt *stmt, enum tenon_code code,
			   struct tenon_error *err)
{
	if (code == TENON_OK)
		code = tn_sqlite_run(stmt, err);
	tn_sqlite_finish(stmt);
	return code;
}

/* True in *ret_stored when the plan is there already; its life is then prolonged. */
static enum tenon_code prolong_plan(struct tn_plan_history *history,
				    const struct tn_plan_record *record, int64_t expires_ms,
				    bool *ret_stored, struct tenon_error *err)
{
	struct tn_sqlite_stmt *stmt = NULL;
	enum tenon_code code;

	code = tn_sqlite_prepare(history->db, "update plans set expires=? where id=? returning 1",
				 &stmt, err);
	if (code != TENON_OK)
		return code;
	tn_sqlite_bind_int(stmt, 1, expires_ms);
	tn_sqlite_bind_text(stmt, 2, record->plan_id);
	code = tn_sqlite_step(stmt, ret_stored, err);
	return run(stmt, code, err);
}

static enum tenon_code insert_plan(struct tn_plan_history *history,
				   const struct tn_plan_record *record, struct tn_str plan_json,
				   int64_t now_ms, struct tenon_error *err)
{
	struct tn_sqlite_stmt *stmt = NULL;
	enum tenon_code code;

	code = tn_sqlite_prepare(history->db,
				 "insert into plans(id, principal, sha256, created, expires,"
				 " source_bytes, parsed_json, raw_text) values(?,?,?,?,?,?,?,?)",
				 &stmt, err);
	if (code != TENON_OK)
		return code;
	tn_sqlite_bind_text(stmt, 1, record->plan_id);
	tn_sqlite_bind_text(stmt, 2, record->principal);
	tn_sqlite_bind_text(stmt, 3, record->sha256);
	tn_sqlite_bind_int(stmt, 4, now_ms);
	tn_sqlite_bind_int(stmt, 5, now_ms + (int64_t)history->handle_idle_ms);
	tn_sqlite_bind_int(stmt, 6, (int64_t)record->source_bytes);
	tn_sqlite_bind_str(stmt, 7, plan_json);
	tn_sqlite_bind_str(stmt, 8, history->in_memory ? tn_str(NULL, 0) : record->raw);
	return run(stmt, code, err);
}

static enum tenon_code add_plan(struct tn_plan_history *history,
				const struct tn_plan_record *record, int64_t now_ms,
				struct tenon_error *err)
{
	bool stored = false;
	struct tn_buf json;
	enum tenon_code code;

	code = prolong_plan(history, record, now_ms + (int64_t)history->handle_idle_ms, &stored,
			    err);
	if (code != TENON_OK || stored)
		return code;
	tn_buf_init(&json, 16 * TN_MIB);
	/* In memory the plan itself is at hand as long as it lives. */
	if (history->in_memory)
		tn_buf_append_text(&json, "{}");
	else
		record->write_plan(&json, record->write_plan_data);
	code = insert_plan(history, record, tn_buf_str(&json), now_ms, err);
	tn_buf_finish(&json);
	return code;
}

static enum tenon_code add_explanation(struct tn_plan_history *history,
				       const struct tn_plan_record *record, int64_t now_ms,
				       struct tenon_error *err)
{
	struct tn_sqlite_stmt *stmt = NULL;
	enum tenon_code code;

	code = tn_sqlite_prepare(history->db,
				 "insert into explanations(plan_id, principal, created, form,"
				 " source, score, text, addresses) values(?,?,?,?,?,?,?,?)",
				 &stmt, err);
	if (code != TENON_OK)
		return code;
	tn_sqlite_bind_text(stmt, 1, record->plan_id);
	tn_sqlite_bind_text(stmt, 2, record->principal);
	tn_sqlite_bind_int(stmt, 3, now_ms);
	tn_sqlite_bind_text(stmt, 4, record->form);
	tn_sqlite_bind_text(stmt, 5, record->source);
	tn_sqlite_bind_int(stmt, 6, record->score);
	tn_sqlite_bind_str(stmt, 7, record->text);
	tn_sqlite_bind_str(stmt, 8, record->addresses.data ? record->addresses : TN_STR(""));
	return run(stmt, code, err);
}

static enum tenon_code add_turn(struct tn_plan_history *history, const char *conversation_id,
				const struct tn_plan_turn *turn, int64_t now_ms,
				struct tenon_error *err)
{
	struct tn_sqlite_stmt *stmt = NULL;
	enum tenon_code code;

	code = tn_sqlite_prepare(history->db,
				 "insert into turns(conversation_id, seq, role, content, created)"
				 " select ?1, coalesce(max(seq), 0) + 1, ?2, ?3, ?4 from turns"
				 " where conversation_id=?1",
				 &stmt, err);
	if (code != TENON_OK)
		return code;
	tn_sqlite_bind_text(stmt, 1, conversation_id);
	tn_sqlite_bind_str(stmt, 2, turn->role);
	tn_sqlite_bind_str(stmt, 3, turn->content);
	tn_sqlite_bind_int(stmt, 4, now_ms);
	return run(stmt, code, err);
}

static enum tenon_code drop_before(struct tn_plan_history *history, const char *sql,
				   int64_t before_ms, struct tenon_error *err)
{
	struct tn_sqlite_stmt *stmt = NULL;
	enum tenon_code code = tn_sqlite_prepare(history->db, sql, &stmt, err);

	if (code != TENON_OK)
		return code;
	tn_sqlite_bind_int(stmt, 1, before_ms);
	return run(stmt, code, err);
}

/* Retention: explanations for keep_days, plans and turns as long as a handle may live. In memory
 * they are kept as long as the process lives, with the bound on their number. Looked after with the
 * first explanation and then now and then: nothing is wrong with a row that lives an hour longer.
 */
static enum tenon_code drop_old(struct tn_plan_history *history, int64_t now_ms,
				struct tenon_error *err)
{
	int64_t keep_ms = history->in_memory ? now_ms : (int64_t)history->keep_days * day_ms;
	int64_t idle_ms = (int64_t)history->handle_idle_ms;
	int64_t kept_max =
		history->in_memory ? TN_PLAN_HISTORY_MEMORY_MAX : TN_PLAN_HISTORY_KEPT_MAX;
	const struct {
		const char *sql;
		int64_t value;
	} drops[] = {
		{"delete from explanations where created < ?", now_ms - keep_ms},
		{"delete from explanations where id <= (select max(id) from explanations) - ?",
		 kept_max},
		{"delete from turns where created < ?", now_ms - idle_ms},
		{"delete from turns where created < (select min(created) from explanations) and ?",
		 1},
		{"delete from plans where expires < ?", now_ms},
		{"delete from plans where rowid in (select rowid from plans order by expires desc"
		 " limit -1 offset ?)",
		 TN_PLAN_HANDLES_MAX},
	};

	if (++history->added % DROP_EVERY != 1 && now_ms - history->dropped_ms < DROP_EVERY_MS)
		return TENON_OK;
	history->dropped_ms = now_ms;
	for (size_t i = 0; i < TN_COUNT(drops); i++) {
		enum tenon_code code = drop_before(history, drops[i].sql, drops[i].value, err);

		if (code != TENON_OK)
			return code;
	}
	return TENON_OK;
}

static enum tenon_code add_all(struct tn_plan_history *history, const struct tn_plan_record *record,
			       struct tenon_error *err)
{
	int64_t now_ms = tn_clock_wall_ms(history->clock);
	enum tenon_code code = tn_sqlite_exec(history->db, "begin immediate", err);

	if (code != TENON_OK)
		return code;
	code = add_plan(history, record, now_ms, err);
	if (code == TENON_OK)
		code = add_explanation(history, record, now_ms, err);
	for (size_t i = 0; code == TENON_OK && record->conversation_id && i < record->turn_count;
	     i++)
		code = add_turn(history, record->conversation_id, &record->turns[i], now_ms, err);
	if (code == TENON_OK)
		code = drop_old(history, now_ms, err);
	if (code == TENON_OK)
		code = tn_sqlite_exec(history->db, "commit", err);
	/* A transaction that cannot even be rolled back ends with its connection. */
	if (code != TENON_OK && tn_sqlite_exec(history->db, "rollback", NULL) != TENON_OK) {
		tn_sqlite_close(history->db);
		history->db = NULL;
	}
	return code;
}

enum tenon_code tn_plan_history_add(struct tn_plan_history *history,
				    const struct tn_plan_record *record, struct tenon_error *err)
{
	enum tenon_code code;

	(void)pthread_mutex_lock(&history->lock); /* fails only on a broken lock */
	code = open_db(history, true, err);
	if (code == TENON_OK)
		code = add_all(history, record, err);
	(void)pthread_mutex_unlock(&history->lock);
	return code;
}

/* ---- finding ---- */

/* Each word becomes a phrase in quotes, so that nothing in it is query syntax; all must occur. */
static void write_words(struct tn_buf *out, struct tn_str query)
{
	for (size_t i = 0, start = 0; i <= query.size; i++) {
		if (i < query.size && query.data[i] != ' ' && query.data[i] != '\t' &&
		    query.data[i] != '\n')
			continue;
		if (i > start) {
			if (out->size)
				tn_buf_append_byte(out, ' ');
			tn_buf_append_byte(out, '"');
			for (size_t j = start; j < i; j++) {
				if (query.data[j] == '"')
					tn_buf_append_byte(out, '"');
				tn_buf_append_byte(out, query.data[j]);
			}
			tn_buf_append_byte(out, '"');
		}
		start = i + 1;
	}
}

static void write_entry(struct tn_buf *out, struct tn_sqlite_stmt *stmt)
{
	char when[TN_CLOCK_ISO_SIZE];

	tn_clock_format_iso(tn_sqlite_column_int(stmt, 2), when);
	tn_json_begin_object(out);
	tn_json_put_member_int(out, "id", tn_sqlite_column_int(stmt, 0));
	tn_json_put_member_str(out, "plan_id", tn_sqlite_column_str(stmt, 1));
	tn_json_put_member_text(out, "created", when);
	tn_json_put_member_str(out, "form", tn_sqlite_column_str(stmt, 3));
	tn_json_put_member_str(out, "source", tn_sqlite_column_str(stmt, 4));
	tn_json_put_member_int(out, "score", tn_sqlite_column_int(stmt, 5));
	tn_json_put_member_str(out, "text", tn_sqlite_column_str(stmt, 6));
	tn_json_end_object(out);
}

#define FOUND_ROWS                                                                               \
	" from explanations where (?1 is null or principal=?1) and created>=?2 and (?3 is null " \
	"or id in"                                                                               \
	" (select rowid from explanations_words where explanations_words match ?3))"

static void bind_question(struct tn_sqlite_stmt *stmt, const struct tn_plan_question *question,
			  struct tn_str words)
{
	tn_sqlite_bind_text(stmt, 1, question->principal);
	tn_sqlite_bind_int(stmt, 2, question->since_ms);
	tn_sqlite_bind_str(stmt, 3, words.size ? words : tn_str(NULL, 0));
}

static enum tenon_code count_found(struct tn_sqlite *db, const struct tn_plan_question *question,
				   struct tn_str words, int64_t *ret_total, struct tenon_error *err)
{
	struct tn_sqlite_stmt *stmt = NULL;
	enum tenon_code code = tn_sqlite_prepare(db, "select count(*)" FOUND_ROWS, &stmt, err);
	bool row = false;

	if (code != TENON_OK)
		return code;
	bind_question(stmt, question, words);
	code = tn_sqlite_step(stmt, &row, err);
	*ret_total = code == TENON_OK && row ? tn_sqlite_column_int(stmt, 0) : 0;
	tn_sqlite_finish(stmt);
	return code;
}

static enum tenon_code write_found(struct tn_sqlite *db, const struct tn_plan_question *question,
				   struct tn_str words, struct tn_buf *out, struct tenon_error *err)
{
	struct tn_sqlite_stmt *stmt = NULL;
	int64_t total = 0;
	bool row = true;
	enum tenon_code code;

	code = count_found(db, question, words, &total, err);
	if (code == TENON_OK)
		code = tn_sqlite_prepare(db,
					 "select id, plan_id, created, form, source, score,"
					 " text" FOUND_ROWS " order by created desc, id desc"
					 " limit ?4",
					 &stmt, err);
	if (code != TENON_OK)
		return code;
	bind_question(stmt, question, words);
	tn_sqlite_bind_int(stmt, 4, question->limit);
	tn_json_begin_object(out);
	tn_json_put_key(out, "entries");
	tn_json_begin_array(out);
	while (code == TENON_OK && row) {
		code = tn_sqlite_step(stmt, &row, err);
		if (code == TENON_OK && row)
			write_entry(out, stmt);
	}
	tn_json_end_array(out);
	tn_json_put_member_int(out, "total", total);
	tn_json_end_object(out);
	tn_sqlite_finish(stmt);
	return code;
}

enum tenon_code tn_plan_history_find(struct tn_plan_history *history,
				     const struct tn_plan_question *question, struct tn_buf *out,
				     struct tenon_error *err)
{
	struct tn_buf words;
	enum tenon_code code;

	tn_buf_init(&words, 2 * question->query.size + 16 * TN_KIB);
	write_words(&words, question->query);
	(void)pthread_mutex_lock(&history->lock); /* fails only on a broken lock */
	code = open_db(history, false, err);
	if (code == TENON_OK)
		code = write_found(history->db, question, tn_buf_str(&words), out, err);
	else if (code == TENON_NOT_FOUND) { /* nothing was explained yet: no file, no fault */
		tn_buf_append_text(out, "{\"entries\":[],\"total\":0}");
		code = TENON_OK;
	}
	(void)pthread_mutex_unlock(&history->lock);
	tn_buf_finish(&words);
	return code == TENON_OK ? tn_buf_check(out, err) : code;
}

static enum tenon_code read_raw(struct tn_plan_history *history, const char *plan_id,
				const char *principal, struct tn_buf *ret_raw,
				struct tenon_error *err)
{
	struct tn_sqlite_stmt *stmt = NULL;
	enum tenon_code code;
	bool row = false;

	code = tn_sqlite_prepare(history->db,
				 "select raw_text, expires from plans where id=? and principal=?",
				 &stmt, err);
	if (code != TENON_OK)
		return code;
	tn_sqlite_bind_text(stmt, 1, plan_id);
	tn_sqlite_bind_text(stmt, 2, principal);
	code = tn_sqlite_step(stmt, &row, err);
	if (code == TENON_OK && !row)
		code = tn_fail(err, TENON_NOT_FOUND, "this plan is not known");
	else if (code == TENON_OK &&
		 (tn_sqlite_column_int(stmt, 1) < tn_clock_wall_ms(history->clock) ||
		  !tn_sqlite_column_str(stmt, 0).data))
		code = tn_fail(err, TENON_EXPIRED, "this plan is kept no longer");
	if (code == TENON_OK) {
		tn_buf_append_str(ret_raw, tn_sqlite_column_str(stmt, 0));
		code = tn_buf_check(ret_raw, err);
	}
	tn_sqlite_finish(stmt);
	return code;
}

enum tenon_code tn_plan_history_raw(struct tn_plan_history *history, const char *plan_id,
				    const char *principal, struct tn_buf *ret_raw,
				    struct tenon_error *err)
{
	enum tenon_code code;

	(void)pthread_mutex_lock(&history->lock); /* fails only on a broken lock */
	code = open_db(history, false, err);
	if (code == TENON_OK)
		code = read_raw(history, plan_id, principal, ret_raw, err);
	(void)pthread_mutex_unlock(&history->lock);
	return code;
}

/* ---- time ---- */

/* Days since 1970 of a date in the Gregorian calendar. */
static int64_t days_from_date(int64_t year, int64_t month, int64_t day)
{
	/* Years begin in March here, so that the leap day is the last one. */
	int64_t y = month <= 2 ? year - 1 : year;
	int64_t era = y / 400;
	int64_t year_of_era = y - era * 400;
	int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
	int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;

	return era * 146097 + day_of_era - 719468;
}

static bool read_digits(struct tn_str *text, size_t count, uint64_t least, uint64_t most,
			int64_t *ret)
{
	uint64_t value = 0;

	if (text->size < count || !tn_str_to_uint(tn_str(text->data, count), &value) ||
	    value < least || value > most)
		return false;
	*ret = (int64_t)value;
	*text = tn_str_from_offset(*text, count);
	return true;
}

static bool read_byte(struct tn_str *text, char byte)
{
	if (text->size == 0 || text->data[0] != byte)
		return false;
	*text = tn_str_from_offset(*text, 1);
	return true;
}

static bool read_date(struct tn_str *text, int64_t *ret_ms)
{
	int64_t year, month, day;

	if (!read_digits(text, 4, 1970, 9999, &year) || !read_byte(text, '-') ||
	    !read_digits(text, 2, 1, 12, &month) || !read_byte(text, '-') ||
	    !read_digits(text, 2, 1, 31, &day))
		return false;
	*ret_ms = days_from_date(year, month, day) * day_ms;
	return true;
}

static bool read_time(struct tn_str *text, int64_t *ret_ms)
{
	int64_t hour, minute, second;

	if (!read_byte(text, 'T') || !read_digits(text, 2, 0, 23, &hour) || !read_byte(text, ':') ||
	    !read_digits(text, 2, 0, 59, &minute) || !read_byte(text, ':') ||
	    !read_digits(text, 2, 0, 60, &second))
		return false;
	if (read_byte(text, '.')) { /* fractions are read over */
		while (text->size && tn_is_digit(text->data[0]))
			*text = tn_str_from_offset(*text, 1);
	}
	*ret_ms = ((hour * 60 + minute) * 60 + second) * 1000;
	return read_byte(text, 'Z');
}

bool tn_plan_parse_time(struct tn_str text, int64_t *ret_ms)
{
	int64_t date_ms, time_ms = 0;

	if (!read_date(&text, &date_ms) || (text.size > 0 && !read_time(&text, &time_ms)))
		return false;
	*ret_ms = date_ms + time_ms;
	return text.size == 0;
}
