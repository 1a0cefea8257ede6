/* send_keys: typing into whatever reads the terminal (terminal.md section 7.7). Text is never
 * interpreted; keys are. */
#include <stdio.h>
#include <string.h>

#include "apps/terminal/mcp/tools.h"
#include "apps/terminal/shell/keys.h"
#include "apps/terminal/limits.h"
#include "apps/terminal/mcp/to_json.h"
#include "apps/terminal/mcp/tool_admit.h"
#include "apps/terminal/mcp/tool_state.h"
#include "base/limits.h"
#include "mcp/fit.h"

/* Another program may take READ_LOOKS times LOOK_MS to read what was typed. */
enum { SETTLE_MS = 300, PIECES_MAX = 1024, LOOK_MS = 5, READ_LOOKS = 60 };

/* What is still to be typed, between pauses. */
struct typing {
	struct tenon_call *call;
	struct tn_term_door *door;
	struct tn_term_caller caller;
	char session_id[TN_HANDLE_SIZE];
	const struct tn_json *next; /* of the sequence; NULL: nothing more */
	uint64_t from, sent;
	uint32_t settle_ms;
	struct tn_term_typing admitted; /* by the rules */
	char front[64];
	bool is_judged;         /* as lines of the shell, whoever will read them */
	struct tn_str rest;     /* for another program, and not typed yet */
	uint64_t rest_pause_ms; /* behind that */
	unsigned looks;         /* how often it was not ready for the next byte */
};

static void settled(struct tenon_call *call, void *data);
static void type_on(struct tenon_call *call, void *data);

static struct tn_term_session *session_again(struct typing *t, bool usable)
{
	struct tn_term_fault fault = {0};
	struct tn_term_session *s = tn_term_find(t->door->term, &t->caller, t->session_id, &fault);

	if (!s || (usable && !tn_term_usable(s, &t->caller, &fault))) {
		tn_term_fail_fault(t->call, &fault);
		return NULL;
	}
	return s;
}

static void look_of(const struct tn_term_session *s, struct tn_screen_look *look)
{
	const struct tn_screen *screen = tn_term_session_screen(s);

	*look = (struct tn_screen_look){.rows = 0};
	if (screen)
		tn_screen_look(screen, look);
}

/* Line feeds are Enter; a terminal sends CR for it. */
static void put_typed(struct tn_buf *out, struct tn_str text)
{
	for (size_t i = 0; i < text.size; i++) {
		if (text.data[i] == '\r' && i + 1 < text.size && text.data[i + 1] == '\n')
			continue;
		tn_buf_append_byte(out, text.data[i] == '\n' ? '\r' : text.data[i]);
	}
}

/* What would end the brackets early is not pasted. */
static void put_pasted(struct tn_buf *out, struct tn_str text)
{
	static const struct tn_str end = {"\x1b[201~", 6};
	size_t at;

	tn_buf_append_text(out, "\x1b[200~");
	while ((at = tn_str_find(text, end)) != TN_STR_NONE) {
		put_typed(out, tn_str(text.data, at));
		text = tn_str_from_offset(text, at + end.size);
	}
	put_typed(out, text);
	tn_buf_append_text(out, "\x1b[201~");
}

/* False: the call has ended. */
static bool send(struct typing *t, struct tn_term_session *s, const struct tn_buf *bytes)
{
	struct tenon_error err = {0};
	enum tenon_code code = tn_buf_check(bytes, &err);

	if (code == TENON_OK)
		code = tn_term_session_send(s, tn_buf_str(bytes), &err);
	if (code == TENON_OK) {
		t->sent += bytes->size;
		return true;
	}
	if (code == TENON_LIMIT)
		tn_term_fail(t->call, "line_too_long", "Send shorter lines, or write a file.", NULL,
			     "text: %s.", err.message);
	else if (code == TENON_BUSY)
		tn_term_fail(t->call, "shell_not_ready", "Send it again in a moment.", NULL, "%s.",
			     err.message);
	else if (code == TENON_EXPIRED)
		tn_term_fail(t->call, "session_exited", "create_session starts a new one.", NULL,
			     "%s.", err.message);
	else
		tenon_call_refuse(t->call, -32603, err.message, NULL);
	return false;
}

/* 10.2: what was looked at before a pause is what is typed after it. False: the call has ended. */
static bool is_as_admitted(struct typing *t)
{
	const char *changed = tn_term_typing_changed(&t->admitted);

	if (changed)
		tn_term_fail(t->call, "changed", "Send the same call again: it is looked at anew.",
			     NULL,
			     "%s was changed after it had been looked at. Nothing more was typed.",
			     changed);
	return !changed;
}

/* False: the call has ended. */
static bool encode_key(struct typing *t, struct tn_str name, const struct tn_screen_look *look,
		       struct tn_buf *out)
{
	struct tenon_error err;

	if (tn_keys_encode(name, look, out, &err) == TENON_OK)
		return true;
	tn_term_fail(t->call, "invalid_key", NULL, NULL, "%s", err.message);
	return false;
}

/* ---- a sequence ---- */

/* One text or key onto `out`. False: the call has ended. */
static bool put_step(struct typing *t, const struct tn_json *step,
		     const struct tn_screen_look *look, struct tn_buf *out)
{
	struct tn_str text;

	if (tn_json_to_str(tn_json_get(step, "text"), &text))
		put_typed(out, text);
	else if (tn_json_to_str(tn_json_get(step, "key"), &text))
		return encode_key(t, text, look, out);
	return true;
}

/* ---- for another program than the shell ---- */

/* With these a shell begins to run what stands on its line: Enter, what its editor has for it, and
 * the end of a text. */
static bool begins_line(char c)
{
	return c == '\r' || c == '\n' || c == 0x04 || c == 0x0f || c == 0x05;
}

static bool has_line(struct tn_str bytes)
{
	for (size_t i = 0; i < bytes.size; i++) {
		if (begins_line(bytes.data[i]))
			return true;
	}
	return false;
}

static void after_rest(struct tenon_call *call, struct typing *t)
{
	uint64_t pause = t->rest_pause_ms;

	if (t->next)
		tenon_call_after(call, pause ? pause : 1, type_on, t);
	else
		tenon_call_after(call, pause + t->settle_ms ? pause + t->settle_ms : 1, settled, t);
}

static bool send_text(struct typing *t, struct tn_term_session *s, struct tn_str text)
{
	struct tn_buf bytes;
	bool sent;

	tn_buf_init(&bytes, 2 * TN_TERM_COMMAND_BYTES_MAX);
	tn_buf_append_str(&bytes, text);
	sent = send(t, s, &bytes);
	tn_buf_finish(&bytes);
	return sent;
}

/* The program in front has become a shell, or has started one. */
static bool has_become_shell(struct typing *t, struct tn_term_session *s)
{
	if (tn_term_session_shell_in_front(s))
		return false;
	tn_term_session_front(s, t->front, sizeof(t->front));
	return tn_analysis_is_shell(tn_str_from(t->front));
}

/* It reads no more: what is left comes to the shell, at once or when it has ended. */
static void leave_to_shell(struct typing *t, struct tn_term_session *s)
{
	t->admitted.cwd = tn_term_session_cwd(s);
	t->admitted.shell =
		tn_analysis_is_shell(tn_str_from(t->front)) ? t->front : tn_term_session_shell(s);
	if (!tn_term_may_type(&t->admitted, tn_term_session_typed_line(s), t->rest)) {
		tn_term_fail(t->call, "changed",
			     "Send what is left in a call of its own, when get_screen shows who "
			     "reads it.",
			     NULL,
			     "%s %s, and the policy asks about what is left where a shell gets it. "
			     "%llu byte%s typed, %zu %s not.",
			     t->front[0] ? t->front : "The program in front",
			     t->admitted.shell == t->front ? "reads what is typed now"
							   : "does not read what is typed any more",
			     (unsigned long long)t->sent, t->sent == 1 ? " was" : "s were",
			     t->rest.size, t->rest.size == 1 ? "was" : "were");
		return;
	}
	if (!send_text(t, s, t->rest))
		return;
	t->rest.size = 0;
	after_rest(t->call, t);
}

/* Up to what begins a line; that by itself, and only to a program that reads it. What has no Enter
 * behind it runs nothing, whoever gets it. */
static void type_rest(struct tenon_call *call, void *data)
{
	struct typing *t = data;
	struct tn_term_session *s = session_again(t, true);
	size_t size = 0;

	if (!s)
		return;
	while (size < t->rest.size && !begins_line(t->rest.data[size]))
		size++;
	if (size == 0 && t->rest.size) {
		if (!tn_term_session_is_read(s) && t->looks++ < READ_LOOKS &&
		    !tn_term_session_shell_in_front(s)) {
			tenon_call_after(call, LOOK_MS, type_rest, t);
			return;
		}
		if (!tn_term_session_is_read(s) || has_become_shell(t, s)) {
			leave_to_shell(t, s);
			return;
		}
		size = 1;
	}
	t->looks = 0;
	if (!send_text(t, s, tn_str(t->rest.data, size)))
		return;
	tn_typed_line_lend(tn_term_session_typed_line(s), tn_str(t->rest.data, size));
	t->rest = tn_str_from_offset(t->rest, size);
	if (t->rest.size)
		tenon_call_after(call, LOOK_MS, type_rest, t);
	else
		after_rest(call, t);
}

/* False: the call has ended, or goes on by itself. */
static bool type_bytes(struct typing *t, struct tn_term_session *s, const struct tn_buf *bytes,
		       uint64_t pause_ms)
{
	char *copy;

	if (t->is_judged)
		return is_as_admitted(t) && send(t, s, bytes);
	copy = tn_arena_copy(&t->call->arena, tn_buf_str(bytes));
	if (!copy || bytes->failed) {
		tenon_call_refuse(t->call, -32603, "Out of memory.", NULL);
		return false;
	}
	t->rest = tn_str(copy, bytes->size);
	t->rest_pause_ms = pause_ms;
	type_rest(t->call, t);
	return false;
}

static void type_on(struct tenon_call *call, void *data)
{
	struct typing *t = data;
	struct tn_term_session *s = session_again(t, true);
	struct tn_screen_look look;
	int64_t pause = -1;
	struct tn_buf bytes;
	bool good = s != NULL;

	if (!good)
		return;
	look_of(s, &look);
	tn_buf_init(&bytes, 2 * TN_TERM_COMMAND_BYTES_MAX);
	for (; good && t->next && pause < 0; t->next = t->next->next) {
		(void)tn_json_to_int(tn_json_get(t->next, "wait_ms"), &pause); /* or no pause */
		good = pause >= 0 || put_step(t, t->next, &look, &bytes);
	}
	t->rest_pause_ms = pause > 0 ? (uint64_t)pause : 0;
	if (good && bytes.size)
		good = type_bytes(t, s, &bytes, t->rest_pause_ms);
	tn_buf_finish(&bytes);
	if (good)
		after_rest(call, t);
}

/* ---- the end ---- */

static void put_result(struct tn_buf *out, struct typing *t, struct tn_term_session *s,
		       const struct tn_output *output)
{
	const struct tn_screen *screen = tn_term_session_screen(s);
	struct tn_term_session_info info;
	struct tn_term_waiting waiting;
	char cursor[TN_CURSOR_TEXT_SIZE];

	tn_term_session_describe(s, &t->caller, &info);
	tn_term_session_waiting(s, &waiting);
	tn_output_cursor(tn_term_session_epoch(s), output->next, cursor);
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "session_id", info.id);
	tn_json_put_member_int(out, "sent_bytes", (int64_t)t->sent);
	tn_json_put_member_str(out, "output", tn_buf_str(&output->text));
	tn_json_put_member_text(out, "next_cursor", cursor);
	tn_json_put_member_text(out, "state", tn_term_state_name(info.state));
	tn_json_put_key(out, "screen");
	if (info.alternate_screen && screen)
		tn_term_put_screen(out, screen, TN_TERM_SCREEN_TEXT, 0, true);
	else
		tn_json_put_null(out);
	tn_json_put_key(out, "waiting");
	tn_term_put_waiting(out, &waiting);
	tn_json_put_member_bool(out, "exited", info.state >= TN_TERM_EXITED);
	tn_json_end_object(out);
}

/* What the output does not show, and how to read on (hosts.md HO-001). */
static void put_note(struct tn_buf *out, const struct typing *t, struct tn_term_session *s,
		     const struct tn_output *output)
{
	const struct tn_screen *screen = tn_term_session_screen(s);
	struct tn_term_session_info info;
	struct tn_term_waiting waiting;
	char cursor[TN_CURSOR_TEXT_SIZE];

	tn_term_session_describe(s, &t->caller, &info);
	tn_term_session_waiting(s, &waiting);
	tn_output_cursor(tn_term_session_epoch(s), output->next, cursor);
	if (info.alternate_screen && screen) {
		tn_buf_append_text(out, "[screen]\n");
		tn_term_put_screen_text(out, screen, false);
		tn_buf_append_byte(out, '\n');
	}
	tn_buf_format(out, "[%s%s \xc2\xb7 next_cursor %s]", tn_term_state_name(info.state),
		      !waiting.for_input     ? ""
		      : waiting.hidden_input ? " \xc2\xb7 waits for hidden input (password?)"
					     : " \xc2\xb7 waits for input",
		      cursor);
}

static void settled(struct tenon_call *call, void *data)
{
	struct typing *t = data;
	struct tn_term_session *s = session_again(t, false);
	struct tn_term_shaping shaping = {
		.bytes_max = (size_t)tn_term_int(call, "max_bytes", TN_TERM_ANSWER_BYTES)};
	struct tn_output output = {0};
	struct tn_buf structured, text, note;
	struct tenon_error err;
	unsigned redactions;

	if (!s)
		return;
	if (tn_term_session_has_read_all(s))
		tn_typed_line_reset(tn_term_session_typed_line(s));
	if (tn_term_session_output(s, t->from, UINT64_MAX, &shaping, false, &output, &redactions,
				   &err) != TENON_OK) {
		tenon_call_refuse(call, -32603, err.message, NULL);
		return;
	}
	tn_buf_init(&structured, TN_RESULT_BYTES_MAX);
	if (tn_call_sends_structured(call))
		put_result(&structured, t, s, &output);
	tn_buf_init(&text, TN_RESULT_BYTES_MAX);
	tn_buf_append_str(&text, tn_buf_str(&output.text));
	if (!output.text.size)
		tn_buf_format(&text, "Sent %llu byte%s; nothing was printed.",
			      (unsigned long long)t->sent, t->sent == 1 ? "" : "s");
	tn_buf_init(&note, TN_RESULT_BYTES_MAX);
	put_note(&note, t, s, &output);
	/* What is on a screen may hold a secret; the output is clean already. */
	tn_term_clean(t->door->term, &note, &redactions);
	tn_term_clean(t->door->term, &structured, &redactions);
	tn_buf_inherit_failure(&structured, &text);
	tn_buf_inherit_failure(&structured, &note);
	tn_term_reply_with(call, tn_buf_str(&text), tn_buf_str(&note), &structured);
	tn_buf_finish(&note);
	tn_buf_finish(&text);
	tn_output_finish(&output);
}

/* ---- the call ---- */

/* False: the call has ended. */
static bool put_all(struct typing *t, struct tn_term_session *s, struct tn_buf *out)
{
	const struct tn_json *arguments = tn_call_arguments(t->call);
	const struct tn_json *keys = tn_json_get(arguments, "keys");
	struct tn_screen_look look;
	struct tn_str text;

	look_of(s, &look);
	if (tn_json_to_str(tn_json_get(arguments, "text"), &text)) {
		if (tn_term_flag(t->call, "paste", false) && look.bracketed_paste)
			put_pasted(out, text);
		else
			put_typed(out, text);
		if (tn_term_flag(t->call, "enter", false))
			tn_buf_append_byte(out, '\r');
	}
	for (const struct tn_json *at = keys ? keys->first : NULL; at; at = at->next) {
		(void)tn_json_to_str(at, &text); /* the schema has checked it */
		if (!encode_key(t, text, &look, out))
			return false;
	}
	return true;
}

/* It does not read: lines wait in the terminal until the shell does. Where a person is asked about
 * text for programs, that is asked. */
static bool goes_to_shell(const struct typing *t, const struct tn_term_session *s,
			  struct tn_str bytes)
{
	return has_line(bytes) && !tn_term_session_is_read(s) && !tn_term_session_has_no_shell(s) &&
	       tn_rules_interactive_input(t->door->rules) == TN_RULE_ALLOW;
}

/* A shell in front, be it started by the session's own: its lines are looked at. */
static bool admit_bytes(struct typing *t, struct tn_term_session *s, struct tn_str bytes)
{
	struct tn_typed_line *line = tn_term_session_typed_line(s);
	struct tn_term_typing *typing = &t->admitted;

	*typing = (struct tn_term_typing){.call = t->call,
					  .door = t->door,
					  .caller = &t->caller,
					  .session_id = t->session_id,
					  .cwd = tn_term_session_cwd(s),
					  .shell = tn_term_session_shell(s)};
	if (!line) {
		tenon_call_refuse(t->call, -32603, "Out of memory.", NULL);
		return false;
	}
	if (!tn_term_session_shell_in_front(s)) {
		tn_term_session_front(s, t->front, sizeof(t->front));
		if (tn_analysis_is_shell(tn_str_from(t->front)))
			typing->shell = t->front;
		else if (!goes_to_shell(t, s, bytes))
			typing->program = t->front[0] ? t->front : "a program";
	}
	t->is_judged = !typing->program || t->caller.person || tn_term_session_has_no_shell(s);
	return tn_term_admit_typed(typing, line, bytes);
}

/* All that would be typed, for the rules, whatever pauses are between. */
static bool admit(struct typing *t, struct tn_term_session *s)
{
	const struct tn_json *sequence = tn_json_get(tn_call_arguments(t->call), "sequence");
	struct tn_screen_look look;
	struct tn_buf bytes;
	bool good;

	look_of(s, &look);
	tn_buf_init(&bytes, 2 * TN_TERM_COMMAND_BYTES_MAX);
	good = put_all(t, s, &bytes);
	for (const struct tn_json *at = sequence ? sequence->first : NULL; good && at;
	     at = at->next)
		good = put_step(t, at, &look, &bytes);
	good = good && admit_bytes(t, s, tn_buf_str(&bytes));
	tn_buf_finish(&bytes);
	return good;
}

static void forget_typing(void *data)
{
	struct typing *t = data;

	tn_term_typing_finish(&t->admitted);
}

static bool check_arguments(struct tenon_call *call)
{
	const struct tn_json *arguments = tn_call_arguments(call);
	int ways = (tn_json_get(arguments, "text") != NULL) +
		   (tn_json_get(arguments, "keys") != NULL) +
		   (tn_json_get(arguments, "sequence") != NULL);

	if (ways == 1)
		return true;
	tn_term_refuse(call, "arguments: send exactly one of text, keys and sequence");
	return false;
}

void tn_term_call_keys(struct tenon_call *call, void *data)
{
	struct tn_term_door *door = data;
	const struct tn_json *sequence = tn_json_get(tn_call_arguments(call), "sequence");
	struct tn_term_caller caller;
	struct tn_term_session *s;
	struct typing *t;
	struct tn_buf bytes;
	bool good;

	if (!tn_term_begin(call, door, "{\"wait_ms\":300}", &caller) || !check_arguments(call))
		return;
	s = tn_term_session_of(call, door, &caller, true);
	t = s ? tn_arena_alloc(&call->arena, sizeof(*t)) : NULL;
	if (!t) {
		if (s)
			tenon_call_refuse(call, -32603, "Out of memory.", NULL);
		return;
	}
	tenon_call_set_data(call, t, forget_typing);
	t->call = call;
	t->door = door;
	t->caller = caller;
	t->from = tn_term_session_end(s);
	t->settle_ms = (uint32_t)tn_term_int(call, "wait_ms", SETTLE_MS);
	if (t->settle_ms > tn_settings_u32(&door->config.settings, "terminal.max_hold_ms"))
		t->settle_ms = tn_settings_u32(&door->config.settings, "terminal.max_hold_ms");
	(void)snprintf(t->session_id, sizeof(t->session_id), "%s", tn_term_session_id(s));
	if (!admit(t, s))
		return;
	if (sequence) {
		t->next = sequence->first;
		type_on(call, t);
		return;
	}
	tn_buf_init(&bytes, 2 * TN_TERM_COMMAND_BYTES_MAX);
	good = put_all(t, s, &bytes) && type_bytes(t, s, &bytes, 0);
	tn_buf_finish(&bytes);
	if (good)
		after_rest(call, t);
}
