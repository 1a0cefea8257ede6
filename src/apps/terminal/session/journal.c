/* What a new server must know of a session: lines of JSON beside its spool, written as things
 * happen and never synced (they outlive a killed server, not the machine, as the session does).
 *
 * Lines by their "t": "s" what does not change, "c" a command as it is now (its text only once),
 * "e" an edit of the stream, "a" whose active session it became, "x" where the stream stood and
 * what state that left. The screen stands
 * in a file of its own, with the offset up to which it was drawn. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apps/terminal/session/session.h"
#include "apps/terminal/limits.h"
#include "jsonrpc/json_write.h"
#include "store/file.h"

enum { JOURNAL_BYTES_MAX = 64 << 20, COMPACT_BYTES = 8 << 20 };

/* ---- writing ---- */

/* Old output goes first. */
static bool write_line(struct tn_term_session *s, struct tn_str line)
{
	struct tenon_error err = {0};

	while (line.size) {
		ssize_t wrote = write(s->journal_fd, line.data, line.size);

		if (wrote > 0) {
			line = tn_str_from_offset(line, (size_t)wrote);
			continue;
		}
		(void)tn_fail_errno(&err, wrote < 0 ? errno : ENOSPC, "write the journal");
		if (!tn_term_session_made_room(s, &err))
			return false;
	}
	return true;
}

static void append(struct tn_term_session *s, struct tn_buf *line)
{
	char path[PATH_MAX + 16];

	tn_buf_append_byte(line, '\n');
	if (s->journal_fd < 0) {
		(void)snprintf(path, sizeof(path), "%s/journal", s->spool_folder);
		s->journal_fd =
			open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
	}
	/* A full disk costs what a restart would bring back, not the session. */
	if (s->journal_fd >= 0 && !line->failed)
		s->journal_torn = !write_line(s, tn_buf_str(line));
	s->journal_bytes += line->size;
}

static void begin(struct tn_buf *line, const char *kind)
{
	tn_buf_init(line, 2 * TN_TERM_COMMAND_BYTES_MAX * 6);
	tn_json_begin_object(line);
	tn_json_put_member_text(line, "t", kind);
}

static void end(struct tn_term_session *s, struct tn_buf *line)
{
	tn_json_end_object(line);
	append(s, line);
	tn_buf_finish(line);
}

static void put_uint(struct tn_buf *out, const char *key, uint64_t value)
{
	tn_json_put_member_int(out, key, (int64_t)value);
}

static void put_flags(struct tn_buf *out, const struct tn_term_session *s)
{
	tn_json_put_member_bool(out, "login", s->login);
	tn_json_put_member_bool(out, "pagers", s->pagers);
	tn_json_put_member_bool(out, "recorded", s->recorded);
	tn_json_put_member_bool(out, "historyOff", s->history_off);
	tn_json_put_member_bool(out, "isolated", s->isolated);
	tn_json_put_member_bool(out, "pipes", s->pipes);
	tn_json_put_member_bool(out, "temporary", s->temporary);
	tn_json_put_member_bool(out, "sandboxed", s->sandboxed);
	tn_json_put_member_bool(out, "landlock", s->sandbox == TN_SANDBOX_LANDLOCK);
}

/* Where the host stands that has it: a server that looks there does not find what stands elsewhere.
 */
static void note_place(const struct tn_term_session *s)
{
	const char *place = s->term->config->runtime_folder;
	char path[PATH_MAX + 16];

	(void)snprintf(path, sizeof(path), "%s/place", s->spool_folder);
	(void)unlink(path); /* of the daemon before us */
	if (symlink(place ? place : TN_JOURNAL_NO_PLACE, path) != 0)
		return; /* a hint, no more */
}

void tn_journal_session(struct tn_term_session *s)
{
	struct tn_buf line;

	if (!s->compacting)
		note_place(s);
	begin(&line, "s");
	tn_json_put_member_text(&line, "id", s->id);
	tn_json_put_member_text(&line, "name", s->name);
	tn_json_put_member_text(&line, "owner", s->owner);
	tn_json_put_member_text(&line, "by", s->handle ? s->handle->by : NULL);
	tn_json_put_member_text(&line, "caller", s->caller_key);
	tn_json_put_member_text(&line, "project", s->project_id);
	tn_json_put_member_text(&line, "nonce", s->nonce);
	tn_json_put_member_text(&line, "epoch", s->epoch);
	tn_json_put_member_text(&line, "shell", s->shell);
	tn_json_put_member_bool(&line, "program", s->program != NULL);
	tn_json_put_member_text(&line, "programName", s->program_name);
	put_flags(&line, s);
	put_uint(&line, "idle", s->idle_timeout_s);
	put_uint(&line, "startTimeout", s->start_timeout_ms);
	put_uint(&line, "created", (uint64_t)s->created_wall_ms);
	end(s, &line);
	tn_journal_state(s);
}

void tn_journal_command(struct tn_term_command *c)
{
	struct tn_term_session *s = c->session;
	struct tn_buf line;

	begin(&line, "c");
	tn_json_put_member_text(&line, "id", c->id);
	if (!c->journaled) {
		tn_json_put_member_str(&line, "text", tn_str(c->text, c->text_size));
		tn_json_put_member_text(&line, "cwdWish", c->cwd_wish);
		tn_json_put_member_text(&line, "caller", c->caller);
		put_uint(&line, "timeout", c->timeout_ms);
		put_uint(&line, "onTimeout", c->on_timeout);
		tn_json_put_member_bool(&line, "typed", c->typed);
		tn_json_put_member_bool(&line, "isolated", c->isolated);
	}
	c->journaled = true;
	put_uint(&line, "number", c->number);
	put_uint(&line, "status", c->status);
	tn_json_put_member_bool(&line, "told", c->told);
	tn_json_put_member_bool(&line, "delivered", c->delivered);
	tn_json_put_member_bool(&line, "started", c->started);
	tn_json_put_member_bool(&line, "ended", c->ended);
	tn_json_put_member_bool(&line, "alternate", c->alternate);
	tn_json_put_member_bool(&line, "timedOut", c->timed_out);
	tn_json_put_member_int(&line, "exit", c->exit_code);
	tn_json_put_member_text(&line, "cwd", c->cwd ? c->cwd : "");
	if (c->cwd_after)
		tn_json_put_member_text(&line, "cwdAfter", c->cwd_after);
	tn_json_put_member_text(&line, "completion", c->completion);
	put_uint(&line, "startedAt", (uint64_t)c->started_wall_ms);
	put_uint(&line, "endedAt", (uint64_t)c->ended_wall_ms);
	put_uint(&line, "duration", (uint64_t)c->duration_ms);
	put_uint(&line, "from", c->from);
	put_uint(&line, "to", c->to);
	put_uint(&line, "linesBefore", c->lines_before);
	put_uint(&line, "lines", c->lines);
	end(s, &line);
}

void tn_journal_edit(struct tn_term_session *s, const struct tn_output_edit *edit)
{
	struct tn_buf line;

	if (s->reading_journal)
		return;
	begin(&line, "e");
	put_uint(&line, "from", edit->from);
	put_uint(&line, "to", edit->to);
	tn_json_put_member_str(&line, "text", edit->text);
	if (edit->frames)
		tn_json_put_member_bool(&line, "frames", true);
	end(s, &line);
}

/* Whose calls mean this session when they name none, since when. */
void tn_journal_active(struct tn_term_session *s, const char *caller_key)
{
	struct tn_buf line;

	begin(&line, "a");
	tn_json_put_member_text(&line, "caller", caller_key);
	put_uint(&line, "since", (uint64_t)tn_term_wall(s->term));
	end(s, &line);
}

/* Everybody whose active session it is. */
static void journal_callers(struct tn_term_session *s)
{
	const char *key;
	size_t cursor = 0;

	while ((key = tn_term_next_active(s->term, s->id, &cursor)) != NULL)
		tn_journal_active(s, key);
}

/* The file grows with every command; now and then it begins again with what still counts. */
static void compact(struct tn_term_session *s)
{
	char path[PATH_MAX + 16], kept[PATH_MAX + 16];
	int old = s->journal_fd;

	(void)snprintf(path, sizeof(path), "%s/journal.new", s->spool_folder);
	(void)snprintf(kept, sizeof(kept), "%s/journal", s->spool_folder);
	s->journal_fd =
		open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (s->journal_fd < 0) {
		s->journal_fd = old;
		return;
	}
	s->journal_bytes = 0;
	s->compacting = true;
	tn_journal_session(s);
	for (size_t i = 0; i < s->edit_count; i++) {
		if (s->edits[i].to > tn_spool_begin(s->spool))
			tn_journal_edit(s, &s->edits[i]);
	}
	for (struct tn_term_command *c = s->commands; c; c = c->next) {
		c->journaled = false;
		tn_journal_command(c);
	}
	journal_callers(s);
	s->compacting = false;
	if (s->journal_torn || rename(path, kept) < 0) {
		(void)close(s->journal_fd); /* the old one goes on */
		s->journal_fd = old;
		return;
	}
	(void)close(old); /* replaced */
}

void tn_journal_state(struct tn_term_session *s)
{
	struct tn_buf line;

	begin(&line, "x");
	put_uint(&line, "at", s->event_offset);
	put_uint(&line, "lines", s->lines);
	tn_json_put_member_bool(&line, "midLine", s->last_byte != '\n');
	put_uint(&line, "input", s->input_offset);
	put_uint(&line, "row", s->input_row);
	put_uint(&line, "column", s->input_column);
	put_uint(&line, "numbers", s->numbers);
	put_uint(&line, "state", s->state);
	put_uint(&line, "integration", s->integration);
	tn_json_put_member_bool(&line, "prompt", s->at_prompt);
	put_uint(&line, "start", s->start_state);
	tn_json_put_member_bool(&line, "swallowing", s->swallowing);
	tn_json_put_member_bool(&line, "stuck", s->stuck);
	tn_json_put_member_text(&line, "cwd", s->cwd);
	put_uint(&line, "columns", s->columns);
	put_uint(&line, "rows", s->rows);
	tn_json_put_member_bool(&line, "alternate", s->alternate_from != UINT64_MAX);
	if (s->alternate_from != UINT64_MAX)
		put_uint(&line, "alternateFrom", s->alternate_from);
	tn_json_put_member_text(&line, "alternateProgram", s->alternate_program);
	end(s, &line);
	if (s->journal_bytes > COMPACT_BYTES && !s->compacting)
		compact(s);
}

void tn_journal_snapshot(struct tn_term_session *s)
{
	char path[PATH_MAX + 16], made[PATH_MAX + 16];
	struct tn_buf bytes;
	int fd;

	s->snapshot_offset = s->offset;
	if (!s->screen)
		return;
	s->event_offset = s->offset;
	tn_journal_state(s);
	(void)snprintf(path, sizeof(path), "%s/screen", s->spool_folder);
	(void)snprintf(made, sizeof(made), "%s/screen.new", s->spool_folder);
	tn_buf_init(&bytes, 16 * TN_MIB);
	tn_buf_format(&bytes, "%llu\n", (unsigned long long)s->offset);
	tn_screen_put_snapshot(s->screen, 200, &bytes);
	fd = open(made, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd >= 0) {
		bool whole =
			!bytes.failed && write(fd, bytes.data, bytes.size) == (ssize_t)bytes.size;

		(void)close(fd); /* nothing is synced */
		if (whole)
			(void)rename(made, path); /* otherwise the older one counts */
	}
	tn_buf_finish(&bytes);
}

/* ---- reading ---- */

static uint64_t get_uint(const struct tn_json *line, const char *key)
{
	int64_t value = 0;

	(void)tn_json_to_int(tn_json_get(line, key), &value); /* absent: 0 */
	return value < 0 ? 0 : (uint64_t)value;
}

static int get_int(const struct tn_json *line, const char *key, int fallback)
{
	int64_t value = fallback;

	(void)tn_json_to_int(tn_json_get(line, key), &value); /* absent: the fallback */
	return (int)value;
}

static bool get_bool(const struct tn_json *line, const char *key)
{
	bool value = false;

	(void)tn_json_to_bool(tn_json_get(line, key), &value); /* absent: no */
	return value;
}

/* Strings of a tree that was read end with a NUL. */
static const char *get_text(const struct tn_json *line, const char *key)
{
	struct tn_str text = {NULL, 0};

	(void)tn_json_to_str(tn_json_get(line, key), &text); /* absent: NULL */
	return text.data;
}

static void copy(char *out, size_t size, const char *text)
{
	(void)snprintf(out, size, "%s", text ? text : "");
}

static void read_session(struct tn_term_session *s, const struct tn_json *line)
{
	const char *project = get_text(line, "project");

	copy(s->name, sizeof(s->name), get_text(line, "name"));
	copy(s->owner, sizeof(s->owner), get_text(line, "owner"));
	copy(s->caller_key, sizeof(s->caller_key), get_text(line, "caller"));
	copy(s->by, sizeof(s->by), get_text(line, "by"));
	copy(s->nonce, sizeof(s->nonce), get_text(line, "nonce"));
	copy(s->epoch, sizeof(s->epoch), get_text(line, "epoch"));
	copy(s->shell, sizeof(s->shell), get_text(line, "shell"));
	copy(s->program_name, sizeof(s->program_name), get_text(line, "programName"));
	tn_mem_free(s->project_id);
	s->project_id = project ? tn_mem_copy_text(project, strlen(project)) : NULL;
	s->login = get_bool(line, "login");
	s->pagers = get_bool(line, "pagers");
	s->recorded = get_bool(line, "recorded");
	s->history_off = get_bool(line, "historyOff");
	s->isolated = get_bool(line, "isolated");
	s->pipes = get_bool(line, "pipes");
	s->temporary = get_bool(line, "temporary");
	s->sandboxed = get_bool(line, "sandboxed");
	s->sandbox = get_bool(line, "landlock") ? TN_SANDBOX_LANDLOCK : TN_SANDBOX_BUBBLEWRAP;
	s->idle_timeout_s = (uint32_t)get_uint(line, "idle");
	s->start_timeout_ms = (uint32_t)get_uint(line, "startTimeout");
	s->created_wall_ms = (int64_t)get_uint(line, "created");
	if (get_bool(line, "program") && !s->program)
		s->program =
			tn_mem_alloc(sizeof(*s->program)); /* it runs: its words are not needed */
	if (!s->program)
		s->kind = tn_shell_kind_of(s->shell);
}

static void read_state(struct tn_term_session *s, const struct tn_json *line)
{
	s->event_offset = get_uint(line, "at");
	s->lines = get_uint(line, "lines");
	s->last_byte = get_bool(line, "midLine") ? ' ' : '\n';
	s->input_offset = get_uint(line, "input");
	s->input_row = (uint16_t)get_uint(line, "row");
	s->input_column = (uint16_t)get_uint(line, "column");
	s->numbers = get_uint(line, "numbers");
	s->state = get_uint(line, "state") <= TN_TERM_LOST
			   ? (enum tn_term_state)get_uint(line, "state")
			   : TN_TERM_IDLE;
	s->integration = get_uint(line, "integration") <= TN_TERM_INTEGRATION_PROCESS
				 ? (enum tn_term_integration)get_uint(line, "integration")
				 : TN_TERM_INTEGRATION_NONE;
	s->at_prompt = get_bool(line, "prompt");
	s->start_state = get_uint(line, "start") < TN_START_OVER
				 ? (enum tn_start_state)get_uint(line, "start")
				 : TN_START_OVER;
	s->swallowing = get_bool(line, "swallowing");
	s->stuck = get_bool(line, "stuck");
	copy(s->cwd, sizeof(s->cwd), get_text(line, "cwd"));
	s->columns = (uint16_t)get_uint(line, "columns");
	s->rows = (uint16_t)get_uint(line, "rows");
	s->alternate_from =
		get_bool(line, "alternate") ? get_uint(line, "alternateFrom") : UINT64_MAX;
	copy(s->alternate_program, sizeof(s->alternate_program),
	     get_text(line, "alternateProgram"));
}

static const char *static_completion(const char *text)
{
	static const char *const names[] = {"marks", "process", "heuristic"};

	for (size_t i = 0; text && i < TN_COUNT(names); i++) {
		if (strcmp(text, names[i]) == 0)
			return names[i];
	}
	return "none";
}

static struct tn_term_command *known_command(struct tn_term_session *s, const char *id)
{
	for (struct tn_term_command *c = s->commands; c && id; c = c->next) {
		if (strcmp(c->id, id) == 0)
			return c;
	}
	return NULL;
}

static struct tn_term_command *revive_command(struct tn_term_session *s, const struct tn_json *line)
{
	struct tn_str text = {NULL, 0};
	const char *wish = get_text(line, "cwdWish");
	struct tn_term_command *c = tn_mem_alloc(sizeof(*c));

	if (!c)
		return NULL;
	(void)tn_json_to_str(tn_json_get(line, "text"), &text); /* absent: empty */
	c->session = s;
	c->journaled = true;
	c->text = tn_mem_copy_text(text.data ? text.data : "", text.size);
	c->text_size = text.size;
	c->cwd_wish = wish ? tn_mem_copy_text(wish, strlen(wish)) : NULL;
	copy(c->id, sizeof(c->id), get_text(line, "id"));
	copy(c->caller, sizeof(c->caller), get_text(line, "caller"));
	c->timeout_ms = get_uint(line, "timeout");
	c->on_timeout = (enum tn_term_on_timeout)(get_uint(line, "onTimeout") % 3);
	c->typed = get_bool(line, "typed");
	c->isolated = get_bool(line, "isolated");
	if (!c->text) {
		tn_mem_free(c);
		return NULL;
	}
	tn_term_command_keep(c);
	return c;
}

static void read_command(struct tn_term_session *s, const struct tn_json *line)
{
	struct tn_term_command *c = known_command(s, get_text(line, "id"));
	uint64_t status = get_uint(line, "status");
	const char *after;

	if (!c)
		c = revive_command(s, line);
	if (!c)
		return;
	c->number = get_uint(line, "number");
	c->status = status <= TN_TERM_UNKNOWN ? (enum tn_term_status)status : TN_TERM_UNKNOWN;
	c->told = get_bool(line, "told");
	c->delivered = get_bool(line, "delivered");
	c->started = get_bool(line, "started");
	c->ended = get_bool(line, "ended");
	c->alternate = get_bool(line, "alternate");
	c->timed_out = get_bool(line, "timedOut");
	c->exit_code = get_int(line, "exit", TN_TERM_NO_EXIT_CODE);
	tn_term_command_note_cwd(c, get_text(line, "cwd") ? get_text(line, "cwd") : "");
	after = get_text(line, "cwdAfter");
	if (after && !c->cwd_after)
		c->cwd_after = tn_mem_copy_text(after, strlen(after));
	c->completion = static_completion(get_text(line, "completion"));
	c->started_wall_ms = (int64_t)get_uint(line, "startedAt");
	c->ended_wall_ms = (int64_t)get_uint(line, "endedAt");
	c->duration_ms = (int64_t)get_uint(line, "duration");
	c->from = get_uint(line, "from");
	c->to = get_uint(line, "to");
	c->lines_before = get_uint(line, "linesBefore");
	c->lines = get_uint(line, "lines");
}

static void read_edit(struct tn_term_session *s, const struct tn_json *line)
{
	struct tn_str text = {NULL, 0};

	(void)tn_json_to_str(tn_json_get(line, "text"), &text); /* absent: nothing */
	tn_term_session_add_edit(s, &(struct tn_output_edit){.from = get_uint(line, "from"),
							     .to = get_uint(line, "to"),
							     .text = text,
							     .frames = get_bool(line, "frames")});
}

static void read_line(struct tn_term_session *s, struct tn_arena *arena, struct tn_str text)
{
	struct tn_json *line;
	const char *kind;

	/* The last one may have been cut when the daemon was killed. */
	if (tn_json_parse_copy(arena, text, &line, NULL) != TENON_OK)
		return;
	kind = get_text(line, "t");
	if (!kind)
		return;
	if (strcmp(kind, "s") == 0)
		read_session(s, line);
	else if (strcmp(kind, "c") == 0)
		read_command(s, line);
	else if (strcmp(kind, "e") == 0)
		read_edit(s, line);
	else if (strcmp(kind, "x") == 0)
		read_state(s, line);
	else if (strcmp(kind, "a") == 0 && get_text(line, "caller"))
		tn_term_revive_active(s->term, get_text(line, "caller"), s->id,
				      (int64_t)get_uint(line, "since"));
}

static enum tenon_code read_journal(struct tn_term_session *s, struct tenon_error *err)
{
	char path[PATH_MAX + 16];
	struct tn_buf text;
	struct tn_arena arena;
	enum tenon_code code;

	(void)snprintf(path, sizeof(path), "%s/journal", s->spool_folder);
	tn_buf_init(&text, JOURNAL_BYTES_MAX);
	tn_arena_init(&arena, 64 * TN_MIB);
	code = tn_file_read(path, TN_FILE_NO_FOLLOW | TN_FILE_REGULAR_ONLY, &text, err);
	s->reading_journal = true;
	for (size_t at = 0; code == TENON_OK && at < text.size;) {
		struct tn_str rest = tn_str(text.data + at, text.size - at);
		size_t size = tn_str_find_byte(rest, '\n');

		if (size == TN_STR_NONE)
			break;
		read_line(s, &arena, tn_str(rest.data, size));
		tn_arena_reset(&arena);
		at += size + 1;
	}
	s->reading_journal = false;
	tn_arena_finish(&arena);
	tn_buf_finish(&text);
	if (code == TENON_OK && !s->nonce[0])
		code = tn_fail(err, TENON_INVALID, "the journal says nothing of the session");
	return code;
}

/* ---- a session comes back ---- */

static uint64_t read_screen(struct tn_term_session *s)
{
	char path[PATH_MAX + 16];
	struct tn_str text;
	struct tn_buf bytes;
	uint64_t offset = 0;
	size_t line;

	(void)snprintf(path, sizeof(path), "%s/screen", s->spool_folder);
	tn_buf_init(&bytes, 16 * TN_MIB);
	if (tn_file_read(path, TN_FILE_NO_FOLLOW | TN_FILE_REGULAR_ONLY, &bytes, NULL) ==
	    TENON_OK) {
		text = tn_buf_str(&bytes);
		line = tn_str_find_byte(text, '\n');
		if (line != TN_STR_NONE && tn_str_to_uint(tn_str(text.data, line), &offset) &&
		    s->screen)
			tn_screen_feed(s->screen, tn_str_from_offset(text, line + 1));
	}
	tn_buf_finish(&bytes);
	return offset;
}

/* Handles are the same as before; what cannot be had again is left out. */
static void restore_commands(struct tn_term_session *s)
{
	struct tn_term_command *next;
	uint64_t now = tn_term_now(s->term);
	int64_t wall = tn_term_wall(s->term);

	for (struct tn_term_command *c = s->commands; c; c = next) {
		struct tn_handle_new made = {
			.id = c->id, .principal = s->owner, .value = c, .bytes = sizeof(*c)};

		next = c->next;
		if (tn_handles_add(&s->term->command_handles, &made, &c->handle, NULL) != TENON_OK)
			c->handle = NULL;
		if (c->ended)
			continue;
		c->started_ms =
			now - (uint64_t)(wall > c->started_wall_ms ? wall - c->started_wall_ms : 0);
		c->queued_ms = c->started_ms;
		if (c->started && c->timeout_ms)
			c->stage_ms = c->started_ms + c->timeout_ms;
		if (c->delivered && !s->running)
			s->running = c;
	}
}

/* What was waiting to be delivered waits again, in its order. Whose call ended with the daemon, and
 * who never learned its id, was told that it failed: it is not run behind their back. */
static void requeue(struct tn_term_session *s)
{
	struct tn_term_command **at = &s->commands, *lost = NULL, **end = &lost;

	s->last_command = NULL;
	while (*at) {
		struct tn_term_command *c = *at;

		if (c->ended || c->delivered) {
			s->last_command = c;
			at = &c->next;
			continue;
		}
		*at = c->next;
		s->command_count--;
		c->kept = false;
		if (c->told) {
			tn_term_command_queue(c);
			continue;
		}
		c->next = NULL;
		*end = c;
		end = &c->next;
	}
	/* They go to the end of the list, so not while it is walked. */
	while (lost) {
		struct tn_term_command *c = lost;

		lost = c->next;
		tn_term_command_warn(c, "call_lost");
		tn_term_command_withdraw(c);
	}
}

static enum tenon_code restore(struct tn_term_session *s, struct tn_pty *pty,
			       struct tenon_error *err)
{
	struct tn_handle_new made = {.id = s->id,
				     .principal = s->owner,
				     .title = s->name,
				     .by = s->by,
				     .value = s,
				     .bytes = sizeof(*s)};
	enum tenon_code code;
	uint64_t from, begin;

	s->offset = pty ? tn_pty_tail(pty, TN_PTY_OUT) : tn_spool_end(s->spool);
	if (s->pipes && pty)
		s->error_offset = tn_pty_tail(pty, TN_PTY_ERR);
	code = tn_term_session_make_parts(s, err);
	if (code == TENON_OK && s->pipes)
		code = tn_term_session_error_folder(s, err);
	if (code == TENON_OK)
		code = tn_handles_add(&s->term->session_handles, &made, &s->handle, err);
	if (code != TENON_OK)
		return code;
	s->taken_ms = tn_term_now(s->term);
	restore_commands(s);
	requeue(s);
	from = read_screen(s);
	begin = tn_spool_begin(s->spool);
	from = from < begin ? begin : from;
	s->snapshot_offset = from;
	tn_marks_init(&s->marks, s->nonce, from);
	tn_term_session_replay(s, from, s->offset);
	return TENON_OK;
}

struct tn_term_session *tn_journal_recover(struct tn_term *term, struct tn_pty *pty,
					   const char *key)
{
	struct tn_term_session *s;
	struct tenon_error err = {0};
	enum tenon_code code;

	if (strchr(key, '/'))
		return NULL;
	s = tn_term_session_blank(term);
	if (!s)
		return NULL;
	copy(s->id, sizeof(s->id), key);
	code = tn_term_session_folders(s, &err);
	if (code == TENON_OK)
		code = read_journal(s, &err);
	if (code == TENON_OK)
		code = restore(s, pty, &err);
	if (code != TENON_OK) {
		if (term->options.problem)
			term->options.problem(err.message, term->options.data);
		tn_term_session_unmake(s);
		return NULL;
	}
	s->pty = pty;
	if (pty && s->start_state == TN_START_OVER && !s->running)
		s->root_digest = tn_pty_root_digest(pty);
	tn_term_session_link(s);
	if (!tn_term_session_open(s)) {
		term->open_count--;
		tn_term_drop_active(term, s->id);
		s->ended_ms = tn_term_now(term);
		s->ended_wall_ms = tn_term_wall(term);
	} else if (pty) {
		tn_term_session_set_state(s, s->state);
	} else {
		tn_term_session_lost(s,
				     "the server that had it was killed, and so was what kept it");
	}
	tn_term_session_schedule(s);
	return s;
}
