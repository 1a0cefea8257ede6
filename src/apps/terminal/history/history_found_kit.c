#include "apps/terminal/history/history_found_kit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

void history_found_list(const struct tn_history_found *found, char *out, size_t size)
{
	out[0] = '\0';
	if (found->code != TENON_OK)
		(void)snprintf(out, size, "%s", tenon_code_name(found->code));
	for (size_t i = 0; i < found->count; i++) {
		const struct tn_history_entry *entry = &found->entries[i];
		size_t used = strlen(out);

		(void)snprintf(out + used, size - used, "%s%c%.*s", i ? " " : "",
			       entry->is_output ? 'O' : 'C', (int)entry->command_id.size - 4,
			       entry->command_id.data + 4);
		used = strlen(out);
		if (entry->is_output)
			(void)snprintf(out + used, size - used, ":%d", (int)entry->line);
	}
}

void history_found_expect(struct history_kit *kit, const struct tn_history_search *search,
			  const char *wanted)
{
	struct tn_history_found found = history_kit_search(kit, search);
	char got[2048];

	history_found_list(&found, got, sizeof(got));
	if (strcmp(got, wanted) != 0)
		fail_msg("%.*s: %s, not %s (%s)", (int)search->query.size, search->query.data, got,
			 wanted, found.error.message);
	if (found.code == TENON_OK && !found.next_cursor.size && !search->cursor)
		assert_int_equal(found.total, found.count);
	tn_arena_finish(&found.arena);
}

void history_found_expect_pages(struct history_kit *kit, struct tn_history_search *search,
				uint64_t total, const char *const *wanted, size_t count)
{
	char got[2048], cursor[200] = "";

	for (size_t page = 0; page < count; page++) {
		struct tn_history_found found = history_kit_search(kit, search);

		assert_int_equal(found.total, total);
		history_found_list(&found, got, sizeof(got));
		assert_string_equal(got, wanted[page]);
		(void)snprintf(cursor, sizeof(cursor), "%.*s", (int)found.next_cursor.size,
			       found.next_cursor.data);
		search->cursor = cursor;
		tn_arena_finish(&found.arena);
	}
	assert_string_equal(cursor, "");
	search->cursor = NULL;
}
