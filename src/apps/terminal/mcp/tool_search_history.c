/* search_history: what was run, and what it printed (terminal.md section 7.6). */
#include "apps/terminal/mcp/tool_search_history.h"

#include "apps/terminal/mcp/resource.h"
#include "apps/terminal/mcp/tools.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "jsonrpc/json_write.h"
#include "mcp/fit.h"

enum { INTERNAL_ERROR = -32603, LIMIT_DEFAULT = 20, LINE_BYTES = 200 };

static const char UNCOUNTED[] = "Very many match: there are more than the total says.";

/* ---- the result ---- */

static void put_str_or_null(struct tn_buf *out, const char *key, struct tn_str value)
{
	if (value.data)
		tn_json_put_member_str(out, key, value);
	else
		tn_json_put_member_null(out, key);
}

static void put_entry(struct tn_buf *out, const struct tn_history_entry *entry)
{
	tn_json_begin_object(out);
	tn_json_put_member_int(out, "timestamp", entry->timestamp);
	tn_json_put_member_str(out, "content", entry->content);
	tn_json_put_member_text(out, "entry_type", entry->is_output ? "output" : "command");
	tn_json_put_member_str(out, "command_id", entry->command_id);
	put_str_or_null(out, "session_id", entry->session_id);
	put_str_or_null(out, "session_name", entry->session_name);
	put_str_or_null(out, "project_id", entry->project_id);
	put_str_or_null(out, "cwd", entry->cwd);
	if (entry->exit_code >= 0)
		tn_json_put_member_int(out, "exit_code", entry->exit_code);
	else
		tn_json_put_member_null(out, "exit_code");
	tn_json_put_member_int(out, "duration_ms", entry->duration_ms > 0 ? entry->duration_ms : 0);
	tn_json_put_member_str(out, "snippet", entry->snippet);
	if (entry->is_output)
		tn_json_put_member_int(out, "line", (int64_t)entry->line);
	else
		tn_json_put_member_null(out, "line");
	tn_json_end_object(out);
}

static void put_found(struct tn_buf *out, const struct tn_history_found *found)
{
	tn_json_begin_object(out);
	tn_json_put_key(out, "entries");
	tn_json_begin_array(out);
	for (size_t i = 0; i < found->count; i++)
		put_entry(out, &found->entries[i]);
	tn_json_end_array(out);
	tn_json_put_member_int(out, "total", (int64_t)found->total);
	put_str_or_null(out, "next_cursor",
			found->next_cursor.size ? found->next_cursor : tn_str(NULL, 0));
	if (found->warning || found->total_is_least)
		tn_json_put_member_text(out, "warning",
					found->warning ? found->warning : UNCOUNTED);
	tn_json_end_object(out);
}

/* On one line, and nothing that a terminal would obey. */
static void put_one_line(struct tn_buf *out, struct tn_str text)
{
	struct tn_str cut = tn_utf8_cut(text, LINE_BYTES);

	tn_utf8_put_line(out, cut);
	if (cut.size < text.size)
		tn_buf_append_text(out, "\xe2\x80\xa6");
}

static void put_line(struct tn_buf *out, const struct tn_history_entry *entry)
{
	char time[TN_CLOCK_ISO_SIZE];

	tn_clock_format_iso(entry->timestamp * 1000, time);
	tn_buf_format(out, "\n[%.19sZ] ", time);
	if (entry->is_output)
		tn_buf_format(out, "output line %llu", (unsigned long long)entry->line);
	else
		tn_buf_append_text(out, "command");
	if (entry->exit_code >= 0)
		tn_buf_format(out, " (exit %d)", entry->exit_code);
	tn_buf_append_text(out, ": ");
	put_one_line(out, entry->snippet);
	tn_buf_append_text(out, " \xc2\xb7 ");
	put_one_line(out, entry->command_id);
}

static bool is_same_place(const struct tn_history_entry *a, const struct tn_history_entry *b)
{
	return tn_str_equal(a->session_id, b->session_id) && tn_str_equal(a->cwd, b->cwd);
}

/* Where it ran, for who reads the text alone (hosts.md HO-001); an id is long, so what is as in the
 * line before is "same place". */
static void put_place(struct tn_buf *out, const struct tn_history_entry *entry)
{
	tn_buf_append_text(out, " in ");
	put_one_line(out, entry->cwd.data ? entry->cwd : TN_STR("a folder that is not known"));
	if (entry->session_id.data) {
		tn_buf_append_text(out, ", session ");
		put_one_line(out, entry->session_id);
	}
	if (entry->session_name.size) {
		tn_buf_append_text(out, " \"");
		put_one_line(out, entry->session_name);
		tn_buf_append_byte(out, '"');
	}
	if (entry->project_id.size) {
		tn_buf_append_text(out, ", project ");
		put_one_line(out, entry->project_id);
	}
}

/* ---- the way through the backend ---- */

struct search {
	struct tenon_call *call;
	void (*reply)(struct tenon_call *call, const struct tn_history_found *found,
		      struct tn_buf *json);
};

static void fail(struct tenon_call *call, enum tenon_code code, const struct tenon_error *error)
{
	switch (code) {
	case TENON_NO_MEMORY:
		tenon_call_refuse(call, INTERNAL_ERROR, "out of memory", NULL);
		break;
	case TENON_INVALID:
		tn_term_fail(call, "invalid_pattern",
			     "Escape what is meant literally with a backslash, or use syntax "
			     "`words`.",
			     NULL, "The query cannot be used: %s.", error->message);
		break;
	case TENON_LIMIT:
		tn_term_fail(call, "pattern_limit",
			     "Make the pattern simpler, or narrow the search with since, "
			     "session_id or type.",
			     NULL, "The search was given up: %s.", error->message);
		break;
	case TENON_EXPIRED:
		tn_term_fail(call, "invalid_cursor", "Search again without cursor.", NULL,
			     "The search cannot go on: %s.", error->message);
		break;
	default:
		tn_term_fail(call, "history_unavailable",
			     "Sessions and commands work without it; ask get_terminal_output for "
			     "what was printed lately.",
			     NULL, "The history cannot be searched: %s.", error->message);
	}
}

static void done(struct tn_history_found *found, void *data)
{
	struct search *search = data;
	struct tn_buf json;

	if (found->code != TENON_OK) {
		fail(search->call, found->code, &found->error);
	} else {
		tn_buf_init(&json, TN_RESULT_BYTES_MAX);
		put_found(&json, found);
		search->reply(search->call, found, &json);
	}
	tn_mem_free(search);
}

void tn_term_search(struct tenon_call *call, const struct tn_term_door *door,
		    struct tn_history_search *wish,
		    void (*reply)(struct tenon_call *call, const struct tn_history_found *found,
				  struct tn_buf *json))
{
	struct search *search = tn_mem_alloc(sizeof(*search));
	struct tenon_error err = {0};
	enum tenon_code code;

	if (!search) {
		tenon_call_refuse(call, INTERNAL_ERROR, "out of memory", NULL);
		return;
	}
	*search = (struct search){.call = call, .reply = reply};
	wish->owner = tenon_call_is_person(call) ? NULL : tenon_call_principal(call);
	code = door->backend->search_history(door->backend->self, wish, done, search, &err);
	if (code == TENON_OK)
		return;
	fail(call, code, &err);
	tn_mem_free(search);
}

/* ---- the tool ---- */

static void reply_tool(struct tenon_call *call, const struct tn_history_found *found,
		       struct tn_buf *json)
{
	struct tn_buf text;

	tn_buf_init(&text, TN_RESULT_BYTES_MAX);
	tn_buf_format(&text,
		      "Search results (%s%zu match%s):", found->total_is_least ? "at least " : "",
		      found->total, found->total == 1 ? "" : "es");
	if (found->warning || found->total_is_least)
		tn_buf_format(&text, "\nWarning: %s", found->warning ? found->warning : UNCOUNTED);
	for (size_t i = 0; i < found->count; i++) {
		const struct tn_history_entry *entry = &found->entries[i];

		put_line(&text, entry);
		if (!tn_call_says_all(call))
			continue;
		if (i > 0 && is_same_place(entry - 1, entry))
			tn_buf_append_text(&text, " (same place)");
		else
			put_place(&text, entry);
	}
	if (found->next_cursor.size)
		tn_buf_format(&text, "\nThere is more: cursor %.*s", (int)found->next_cursor.size,
			      found->next_cursor.data);
	tn_buf_inherit_failure(json, &text);
	tn_term_reply(call, tn_buf_str(&text), json);
	tn_buf_finish(&text);
}

unsigned tn_term_search_types(struct tn_str type)
{
	if (tn_str_is(type, "commands"))
		return TN_HISTORY_COMMANDS;
	if (tn_str_is(type, "output"))
		return TN_HISTORY_OUTPUTS;
	return type.size == 0 || tn_str_is(type, "all") ? TN_HISTORY_COMMANDS | TN_HISTORY_OUTPUTS
							: 0;
}

static enum tn_history_syntax syntax_of(const char *text)
{
	static const char *const names[] = {"words", "phrase", "fts", "regex"};

	for (size_t i = 0; text && i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(text, names[i]) == 0)
			return (enum tn_history_syntax)i;
	}
	return TN_HISTORY_WORDS;
}

/* False: the call has ended. */
static bool time_of(struct tenon_call *call, const char *name, int64_t *ret)
{
	const char *text = tenon_call_text(call, name);

	if (!text || tn_clock_parse_iso(tn_str_from(text), ret))
		return true;
	tn_term_refuse(call, "%s: send a time as RFC 3339 has it, for example 2026-11-21T10:15:30Z",
		       name);
	return false;
}

void tn_term_call_search_history(struct tenon_call *call, void *data)
{
	struct tn_term_door *door = data;
	const char *exit = tenon_call_text(call, "exit");
	struct tn_history_search search = {
		.syntax = syntax_of(tenon_call_text(call, "syntax")),
		.types = tn_term_search_types(tn_str_from(tenon_call_text(call, "type"))),
		.session_id = tenon_call_text(call, "session_id"),
		.project_id = tenon_call_text(call, "project_id"),
		.cwd_prefix = tenon_call_text(call, "cwd_prefix"),
		.cursor = tenon_call_text(call, "cursor"),
		.limit = (unsigned)tn_term_int(call, "limit", LIMIT_DEFAULT),
		.context = (unsigned)tn_term_int(call, "context", 0),
	};
	struct tn_term_caller caller;

	if (!tn_term_begin(call, door, "{\"type\":\"all\"}", &caller))
		return;
	if (exit && strcmp(exit, "any") != 0)
		search.exit = strcmp(exit, "ok") == 0 ? TN_HISTORY_OK : TN_HISTORY_FAILED;
	(void)tenon_call_bytes(call, "query", &search.query.data, &search.query.size);
	if (!time_of(call, "since", &search.since_ms) || !time_of(call, "until", &search.until_ms))
		return;
	tn_term_search(call, door, &search, reply_tool);
}
