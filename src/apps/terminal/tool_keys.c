/* send_keys: typing into whatever reads the terminal (terminal.md section 7.7). Text is never
 * interpreted; keys are. */
#include <stdio.h>
#include <string.h>

#include "apps/terminal/keys.h"
#include "apps/terminal/to_json.h"
#include "apps/terminal/tool_admit.h"
#include "apps/terminal/tool_state.h"

enum { SETTLE_MS = 300, PIECES_MAX = 1024 };

#define KEY_TEXT "{\"type\":\"string\",\"minLength\":1,\"maxLength\":32}"

static const char input_schema[] =
	"{\"type\":\"object\",\"properties\":{" TN_TERM_SESSION_ARGUMENT ","
	"\"text\":{\"type\":\"string\",\"maxLength\":1048576,\"description\":\"Typed as it is: "
	"C-c in here is three letters\"},"
	"\"keys\":{\"type\":\"array\",\"minItems\":1,\"maxItems\":1024,\"items\":" KEY_TEXT
	",\"description\":\"Names of keys: Enter Tab Escape Space Backspace Delete Insert Up Down "
	"Left Right Home End PageUp PageDown F1 to F12, with C- M- S- before them: C-c, M-x, "
	"S-Tab\"},"
	"\"sequence\":{\"type\":\"array\",\"minItems\":1,\"maxItems\":1024,\"items\":{\"oneOf\":["
	"{\"type\":\"object\",\"properties\":{\"text\":{\"type\":\"string\",\"maxLength\":1048576}"
	"},\"required\":[\"text\"],\"additionalProperties\":false},"
	"{\"type\":\"object\",\"properties\":{\"key\":" KEY_TEXT
	"},\"required\":[\"key\"],\"additionalProperties\":false},"
	"{\"type\":\"object\",\"properties\":{\"wait_ms\":{\"type\":\"integer\",\"minimum\":0,"
	"\"maximum\":55000}},\"required\":[\"wait_ms\"],\"additionalProperties\":false}]},"
	"\"description\":\"Texts, keys and pauses, in this order\"},"
	"\"enter\":{\"type\":\"boolean\",\"default\":false,\"description\":\"Press Enter after "
	"text\"},"
	"\"paste\":{\"type\":\"boolean\",\"default\":false,\"description\":\"As pasted text, when "
	"the program tells typing and pasting apart\"},"
	"\"wait_ms\":{\"type\":\"integer\",\"minimum\":0,\"maximum\":55000,\"default\":300,"
	"\"description\":\"How long to watch what it does\"},"
	"\"max_bytes\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":1048576,\"default\":16384}"
	"},\"additionalProperties\":false}";

static const char output_schema[] = TN_TERM_OUTPUT_SCHEMA(
	"\"session_id\":" TN_TERM_TEXT ",\"sent_bytes\":" TN_TERM_COUNT ",\"output\":" TN_TERM_TEXT
	",\"next_cursor\":" TN_TERM_TEXT ",\"state\":" TN_TERM_TEXT
	",\"screen\":{\"type\":[\"object\",\"null\"]},\"waiting\":" TN_TERM_WAITING_SCHEMA
	",\"exited\":" TN_TERM_SWITCH,
	"\"session_id\",\"sent_bytes\",\"output\",\"next_cursor\",\"state\",\"screen\",\"waiting\","
	"\"exited\"");

/* What is still to be typed, between pauses. */
struct typing {
	struct tenon_call *call;
	struct tn_term_door *door;
	struct tn_term_caller caller;
	char session_id[TN_HANDLE_SIZE];
	const struct tn_json *next; /* of the sequence; NULL: nothing more */
	uint64_t from, sent;
	uint32_t settle_ms;
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
	else if (code == TENON_EXPIRED)
		tn_term_fail(t->call, "session_exited", "create_session starts a new one.", NULL,
			     "%s.", err.message);
	else
		tenon_call_refuse(t->call, -32603, err.message, NULL);
	return false;
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
	if (good && bytes.size)
		good = send(t, s, &bytes);
	tn_buf_finish(&bytes);
	if (!good)
		return;
	if (t->next)
		tenon_call_after(call, pause > 0 ? (uint64_t)pause : 1, type_on, t);
	else
		tenon_call_after(call, pause > 0 ? (uint64_t)pause + t->settle_ms : t->settle_ms,
				 settled, t);
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
	tn_json_put_member_bool(out, "exited",
				info.state != TN_TERM_IDLE && info.state != TN_TERM_RUNNING &&
					info.state != TN_TERM_WAITING_INPUT);
	tn_json_end_object(out);
}

static void settled(struct tenon_call *call, void *data)
{
	struct typing *t = data;
	struct tn_term_session *s = session_again(t, false);
	struct tn_term_shaping shaping = {
		.bytes_max = (size_t)tn_term_int(call, "max_bytes", TN_TERM_ANSWER_BYTES)};
	struct tn_output output = {0};
	struct tn_buf structured, text;
	struct tenon_error err;
	unsigned redactions;

	if (!s)
		return;
	if (tn_term_session_output(s, t->from, UINT64_MAX, &shaping, false, &output, &redactions,
				   &err) != TENON_OK) {
		tenon_call_refuse(call, -32603, err.message, NULL);
		return;
	}
	tn_buf_init(&structured, TN_RESULT_BYTES_MAX);
	put_result(&structured, t, s, &output);
	tn_buf_init(&text, TN_RESULT_BYTES_MAX);
	tn_buf_append_str(&text, tn_buf_str(&output.text));
	if (!output.text.size)
		tn_buf_format(&text, "Sent %llu bytes; nothing was printed.",
			      (unsigned long long)t->sent);
	tn_buf_inherit_failure(&structured, &text);
	tn_term_reply(call, tn_buf_str(&text), &structured);
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

/* A shell in front, be it started by the session's own: its lines are looked at. */
static bool admit_bytes(struct typing *t, struct tn_term_session *s, struct tn_str bytes)
{
	struct tn_typed_line *line = tn_term_session_typed_line(s);
	const char *shell = tn_term_session_shell(s), *program = NULL;
	char front[64] = "";

	if (!line) {
		tenon_call_refuse(t->call, -32603, "Out of memory.", NULL);
		return false;
	}
	if (!tn_term_session_shell_in_front(s)) {
		tn_term_session_front(s, front, sizeof(front));
		if (tn_analysis_is_shell(tn_str_from(front)))
			shell = front;
		else
			program = front[0] ? front : "a program";
	}
	return tn_term_admit_typed(t->call, t->door, t->session_id, tn_term_session_cwd(s), shell,
				   program, line, bytes);
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

static void call_keys(struct tenon_call *call, void *data)
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
	t->call = call;
	t->door = door;
	t->caller = caller;
	t->from = tn_term_session_end(s);
	t->settle_ms = (uint32_t)tn_term_int(call, "wait_ms", SETTLE_MS);
	if (t->settle_ms > door->config.max_hold_ms)
		t->settle_ms = door->config.max_hold_ms;
	(void)snprintf(t->session_id, sizeof(t->session_id), "%s", tn_term_session_id(s));
	if (!admit(t, s))
		return;
	if (sequence) {
		t->next = sequence->first;
		type_on(call, t);
		return;
	}
	tn_buf_init(&bytes, 2 * TN_TERM_COMMAND_BYTES_MAX);
	good = put_all(t, s, &bytes) && send(t, s, &bytes);
	tn_buf_finish(&bytes);
	if (good)
		tenon_call_after(call, t->settle_ms ? t->settle_ms : 1, settled, t);
}

const struct tenon_tool tn_term_tool_keys = {
	.name = "send_keys",
	.title = "Type",
	.description = "Types text or presses keys in a session, for programs that are in front: "
		       "editors, REPLs, prompts. text is sent literally; keys are names like Enter "
		       "or C-c. Never type passwords: hand_over gives the keyboard to a person.",
	.input_schema = input_schema,
	.output_schema = output_schema,
	.flags = TENON_ASKS_CONSENT,
	.call = call_keys,
};
