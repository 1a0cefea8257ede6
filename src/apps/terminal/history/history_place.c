/* history_place.c - where a search stands, and the cursors that lead there. */
#include "apps/terminal/history/internal.h"

#include <stdlib.h>

#include "apps/terminal/limits.h"

enum { PLACE_NUMBERS = 8 };

static void list_place(struct tn_history_place *place, int64_t *ret[PLACE_NUMBERS])
{
	ret[0] = &place->commands_max;
	ret[1] = &place->outputs_max;
	ret[2] = &place->offset;
	ret[3] = &place->started;
	ret[4] = &place->rowid;
	ret[5] = &place->texts;
	ret[6] = &place->total;
	ret[7] = &place->uncounted;
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

enum tenon_code tn_history_write_cursor(struct tn_history_runner *runner, struct tenon_error *err)
{
	int64_t *numbers[PLACE_NUMBERS];
	struct tn_buf text;
	char *copy;

	if (!runner->has_next)
		return TENON_OK;
	list_place(&runner->next, numbers);
	tn_buf_init(&text, TN_KIB);
	tn_buf_format(&text, "h2.%08x", digest(runner->search));
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

	if (strncmp(text, "h2.", 3) != 0 || strtoull(text + 3, &end, 16) != wanted)
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

enum tenon_code tn_history_find_place(struct tn_history_runner *runner, struct tenon_error *err)
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
