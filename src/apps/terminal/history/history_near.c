/* Words with typing errors: the nearest that something has, by the words of the index. */
#include "apps/terminal/history/internal.h"

#include <string.h>

#include "base/near.h"

enum { SHORTEST = 3, LONGEST = 32, TWO_ERRORS_FROM = 8 };

/* Of one index, those that begin with the same letter: the first one is rarely wrong. */
#define NEAR_SQL(index)                                                                 \
	"create virtual table temp.history_near using fts5vocab(main, " index ", row)", \
		"select term, doc from temp.history_near where term>=?1 and term<?2",   \
		"drop table temp.history_near"
enum { SQL_MAKE, SQL_READ, SQL_DROP, SQLS };
static const char *const near_sql[2][SQLS] = {{NEAR_SQL("commands_fts")},
					      {NEAR_SQL("outputs_fts")}};

struct near_word {
	char text[LONGEST]; /* in small letters */
	size_t size;
	bool is_prefix; /* the last one */
	bool is_known;
	char best[LONGEST + 4];
	size_t best_size;
	unsigned distance;
	int64_t count; /* of what has it */
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Only of plain words it is known how the index spells them; another digit is another thing, and no
 * error. */
static bool take_word(struct near_word *word, struct tn_str text)
{
	if (text.size < SHORTEST || text.size > LONGEST)
		return false;
	for (size_t i = 0; i < text.size; i++) {
		if (!tn_is_alpha(text.data[i]))
			return false;
		word->text[i] = tn_to_lower(text.data[i]);
	}
	word->size = text.size;
	word->distance = (text.size >= TWO_ERRORS_FROM ? 2 : 1) + 1;
	return true;
}

static void compare_term(struct near_word *word, struct tn_str term, int64_t count)
{
	struct tn_str text = tn_str(word->text, word->size);
	unsigned distance;

	if (tn_str_equal(term, text) || (word->is_prefix && tn_str_starts(term, text))) {
		word->is_known = true;
		return;
	}
	if (term.size > sizeof(word->best) || term.size + 2 < text.size)
		return;
	distance = tn_near_distance(text, term);
	if (distance > word->distance || (distance == word->distance && count <= word->count))
		return;
	if (distance > (text.size >= TWO_ERRORS_FROM ? 2u : 1u))
		return;
	memcpy(word->best, term.data, term.size);
	word->best_size = term.size;
	word->distance = distance;
	word->count = count;
}

static enum tenon_code read_terms(struct tn_history_runner *runner, const char *sql,
				  struct near_word *word, struct tenon_error *err)
{
	struct tn_sqlite_stmt *stmt = NULL;
	char after = (char)(word->text[0] + 1);
	enum tenon_code code = tn_sqlite_prepare(runner->db, sql, &stmt, err);
	bool row = true;

	if (code == TENON_OK) {
		tn_sqlite_bind_str(stmt, 1, tn_str(word->text, 1));
		tn_sqlite_bind_str(stmt, 2, tn_str(&after, 1));
	}
	while (code == TENON_OK && !word->is_known) {
		code = tn_sqlite_step(stmt, &row, err);
		if (code != TENON_OK || !row)
			break;
		compare_term(word, tn_sqlite_column_str(stmt, 0), tn_sqlite_column_int(stmt, 1));
	}
	tn_sqlite_finish(stmt);
	return code;
}

/* A reader's file cannot be written whatever this says; a table of its own must be allowed. */
static void allow_tables(struct tn_history_runner *runner, bool allowed)
{
	if (!runner->shared)
		tn_sqlite_try(runner->db,
			      allowed ? "pragma query_only=off" : "pragma query_only=on");
}

static enum tenon_code find_in(struct tn_history_runner *runner, bool outputs,
			       struct near_word *word, struct tenon_error *err)
{
	const char *const *sql = near_sql[outputs];
	enum tenon_code code;

	allow_tables(runner, true);
	code = tn_sqlite_exec(runner->db, sql[SQL_MAKE], err);
	if (code == TENON_OK) {
		code = read_terms(runner, sql[SQL_READ], word, err);
		tn_sqlite_try(runner->db, sql[SQL_DROP]);
	}
	allow_tables(runner, false);
	return code;
}

static enum tenon_code find_near(struct tn_history_runner *runner, struct near_word *word,
				 struct tenon_error *err)
{
	unsigned types = runner->search->types;
	enum tenon_code code = TENON_OK;

	if (types & TN_HISTORY_COMMANDS)
		code = find_in(runner, false, word, err);
	if (code == TENON_OK && (types & TN_HISTORY_OUTPUTS) && !word->is_known)
		code = find_in(runner, true, word, err);
	return code;
}

enum tenon_code tn_history_near(struct tn_history_runner *runner, struct tn_buf *ret,
				bool *ret_changed, struct tenon_error *err)
{
	struct tn_str rest = tn_str_trim(runner->search->query);
	enum tenon_code code = TENON_OK;

	*ret_changed = false;
	while (rest.size && code == TENON_OK) {
		size_t size = 0;
		struct near_word word = {.size = 0};

		while (size < rest.size && !is_blank(rest.data[size]))
			size++;
		word.is_prefix = size == rest.size;
		if (take_word(&word, tn_str(rest.data, size)))
			code = find_near(runner, &word, err);
		if (ret->size)
			tn_buf_append_byte(ret, ' ');
		if (word.best_size && !word.is_known)
			tn_buf_append(ret, word.best, word.best_size);
		else
			tn_buf_append(ret, rest.data, size);
		*ret_changed = *ret_changed || (word.best_size && !word.is_known);
		rest = tn_str_trim(tn_str_from_offset(rest, size));
	}
	return code == TENON_OK ? tn_buf_check(ret, err) : code;
}
