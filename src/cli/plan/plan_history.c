/* tenon plan history: explanations that servers on this machine gave (plan.md sections 13 and 16).
 * Explaining by pipe or file keeps nothing, so it never appears here. */
#include <string.h>

#include "apps/plan/service/history.h"
#include "apps/plan/explain/vocabulary.h"
#include "apps/plan/limits.h"
#include "base/limits.h"
#include "base/size.h"
#include "cli/plan/plan.h"
#include "jsonrpc/json.h"

enum format { FORMAT_TEXT, FORMAT_JSON };
enum { LIMIT_DEFAULT = 20 };

static struct tn_str member(const struct tn_json *entry, const char *name)
{
	struct tn_str text = TN_STR("");

	(void)tn_json_to_str(tn_json_get(entry, name), &text); /* absent: empty */
	return text;
}

static void write_line(struct tn_buf *out, const struct tn_json *entry)
{
	struct tn_str created = member(entry, "created");
	int64_t score = 0;

	(void)tn_json_to_int(tn_json_get(entry, "score"), &score); /* always there */
	tn_buf_append_str(out, created);
	tn_buf_format(out, "  %3lld  ", (long long)score);
	tn_buf_append_str(out, member(entry, "source"));
	tn_buf_append_text(out, "  ");
	tn_plan_put_clean(out, member(entry, "text"), 0); /* on one line */
	tn_buf_append_byte(out, '\n');
}

static bool write_lines(struct tn_buf *found, struct tn_buf *out)
{
	const struct tn_json *entries, *entry;
	struct tn_json *tree = NULL;
	struct tn_arena arena;
	bool read;

	tn_arena_init(&arena, TN_MESSAGE_ARENA_MAX);
	read = tn_json_parse(&arena, found->data, found->size, &tree, NULL) == TENON_OK;
	entries = read ? tn_json_get(tree, "entries") : NULL;
	for (entry = entries && entries->count ? entries->first : NULL; entry; entry = entry->next)
		write_line(out, entry);
	if (read && entries && entries->count == 0)
		tn_buf_append_text(out, "no earlier explanations\n");
	tn_arena_finish(&arena);
	return read;
}

static void show(struct tn_plan_run *run, const struct tn_plan_question *question, int format)
{
	struct tn_plan_history *history = NULL;
	struct tenon_error err = {0};
	struct tn_buf found, out;
	enum tenon_code code;

	tn_buf_init(&found, TN_RESULT_BYTES_MAX);
	tn_buf_init(&out, TN_RESULT_BYTES_MAX);
	code = tn_plan_history_create(&run->config, &tn_clock_system, NULL, &history, &err);
	if (code == TENON_OK)
		code = tn_plan_history_find(history, question, &found, &err);
	if (code == TENON_OK && format == FORMAT_JSON)
		tn_buf_append_str(&out, tn_buf_str(&found));
	else if (code == TENON_OK)
		out.failed |= !write_lines(&found, &out);
	if (code == TENON_OK) {
		tn_plan_run_write(run, &out);
	} else {
		tn_plan_run_say(run, "%s", err.message);
		tn_plan_run_note(run, TN_PLAN_EXIT_NO_INPUT);
	}
	tn_plan_history_destroy(history);
	tn_buf_finish(&found);
	tn_buf_finish(&out);
}

void tn_plan_run_history(struct tn_plan_run *run, int argc, char **argv)
{
	const char *since = NULL;
	int64_t limit = LIMIT_DEFAULT;
	int format = FORMAT_TEXT;
	const struct tn_option own[] = {
		{.name = "limit",
		 .kind = TN_OPTION_NUMBER,
		 .value = &limit,
		 .least = 1,
		 .most = TN_PLAN_HISTORY_ROWS_MAX,
		 .word = "N",
		 .help = "at most so many, 20"},
		{.name = "since",
		 .kind = TN_OPTION_TEXT,
		 .value = &since,
		 .word = "DATE",
		 .help = "2026-11-21 or 2026-11-21T10:15:30Z"},
		{.name = "format",
		 .kind = TN_OPTION_CHOICE,
		 .value = &format,
		 .choices = "text|json",
		 .help = "how the result looks"},
	};
	struct tn_plan_question question = {0};

	if (!tn_plan_run_options(run, "tenon plan history [QUERY] [options]",
				 "Finds explanations that servers gave earlier, newest first.", own,
				 TN_COUNT(own), 1, argc, argv))
		return;
	if (since && !tn_plan_parse_time(tn_str_from(since), &question.since_ms)) {
		tn_plan_run_say(run, "--since wants 2026-11-21 or 2026-11-21T10:15:30Z");
		tn_plan_run_note(run, TN_PLAN_EXIT_USAGE);
		return;
	}
	question.query = run->word_count ? tn_str_from(run->words[0]) : tn_str(NULL, 0);
	question.limit = (uint32_t)limit;
	show(run, &question, format);
}
