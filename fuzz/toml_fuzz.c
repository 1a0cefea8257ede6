/* toml_fuzz.c - any text: what is set is found again, doing it twice changes nothing, everything
 * else stays, and a new table that is removed again leaves no trace. */
#include <stdint.h>

#include "host/settings/toml_edit.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct tn_str keys[] = {TN_STR("mcp"), TN_STR("t")};
static const struct tn_toml_path path = {keys, 2};
static const struct tn_toml_pair pairs[] = {
	{TN_STR("command"), TN_STR("\"/bin/x\"")},
	{TN_STR("args"), TN_STR("[\"mcp\"]")},
};

static void check_pairs(struct tn_arena *arena, const struct tn_buf *text)
{
	struct tn_toml_table table;
	struct tenon_error err;
	size_t found = 0;

	tn_assert(tn_toml_find(arena, tn_buf_str(text), path, &table, &err) == TENON_OK);
	tn_assert(table.found);
	for (size_t i = 0; i < table.count; i++)
		found += tn_str_is(table.pairs[i].key, "command") ||
			 tn_str_is(table.pairs[i].key, "args");
	tn_assert(found >= 2);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tn_str text = tn_str((const char *)data, size);
	struct tn_toml_table before, after;
	struct tn_arena arena;
	struct tn_buf set, again, removed;
	struct tenon_error err;

	tn_arena_init(&arena, 64 * TN_MIB);
	tn_buf_init(&set, size + TN_MIB);
	tn_buf_init(&again, size + TN_MIB);
	tn_buf_init(&removed, size + TN_MIB);
	if (tn_toml_find(&arena, text, path, &before, &err) != TENON_OK)
		goto out;
	if (tn_toml_set(text, path, pairs, 2, &set, &err) == TENON_OK) {
		check_pairs(&arena, &set);
		tn_assert(tn_toml_set(tn_buf_str(&set), path, pairs, 2, &again, &err) == TENON_OK);
		tn_assert(tn_str_equal(tn_buf_str(&again), tn_buf_str(&set)));
		tn_assert(tn_toml_drop(tn_buf_str(&set), path, pairs[0].key, &removed, &err) ==
			  TENON_OK);
		tn_assert(tn_toml_find(&arena, tn_buf_str(&removed), path, &after, &err) ==
			  TENON_OK);
		tn_buf_clear(&removed);
		tn_assert(tn_toml_remove(tn_buf_str(&set), path, &removed, &err) == TENON_OK);
		if (!before.found && (size == 0 || data[size - 1] == '\n'))
			tn_assert(tn_str_equal(tn_buf_str(&removed), text));
		tn_assert(tn_toml_find(&arena, tn_buf_str(&removed), path, &before, &err) ==
			  TENON_OK);
		tn_assert(!before.found);
	}
out:
	tn_buf_finish(&set);
	tn_buf_finish(&again);
	tn_buf_finish(&removed);
	tn_arena_finish(&arena);
	return 0;
}
