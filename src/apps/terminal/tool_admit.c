#include "apps/terminal/tool_admit.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "apps/terminal/rules_write.h"
#include "base/limits.h"
#include "mcp/consent.h"
#include "mcp/server.h"

#define ONCE "Run once"
#define LASTING "Allow this exact command in this session"
#define PROGRAM_LASTING "Allow typing into this program in this session"

/* What is asked about: one command, program or line. */
struct matter {
	struct tenon_call *call;
	struct tn_term_door *door;
	const struct tn_term_caller *caller;
	const char *summary;
	struct tn_str text; /* as it is shown */
	const char *cwd, *session;
	struct tn_buf exactly; /* all that an approval is bound to */
	struct tn_arena arena;
	struct tn_analysis analysis;
	struct tn_verdict_of_rules verdict;
};

static void begin(struct matter *m, struct tenon_call *call, struct tn_term_door *door,
		  const struct tn_term_caller *caller)
{
	*m = (struct matter){.call = call, .door = door, .caller = caller};
	tn_arena_init(&m->arena, TN_ANALYSIS_ARENA_MAX);
	tn_buf_init(&m->exactly, 8 * TN_MIB);
	tn_json_begin_array(&m->exactly);
}

static void end(struct matter *m)
{
	tn_buf_finish(&m->exactly);
	tn_arena_finish(&m->arena);
}

static bool refuse_size(struct matter *m, const struct tenon_error *err)
{
	tn_term_fail(m->call, "input_too_large", "Write it to a file, and run that.", NULL,
		     "%s. Nothing was run.", err->message);
	return false;
}

/* ---- what happened, for the history ---- */

static void record(const struct matter *m, const char *kind, const char *decision)
{
	struct tn_history_event event = {
		.kind = kind, .session_id = m->session, .principal = m->caller->principal};
	struct tn_history *history = m->door->term ? tn_term_history(m->door->term) : NULL;
	struct tn_buf detail;

	if (!history)
		return;
	tn_buf_init(&detail, TN_MIB);
	tn_json_begin_object(&detail);
	tn_json_put_member_text(&detail, "decision", decision);
	tn_json_put_member_text(&detail, "risk", tn_risk_name(m->verdict.risk));
	tn_json_put_key(&detail, "rules");
	tn_rules_put_hits(&detail, &m->verdict);
	tn_json_put_member_text(&detail, "consent", m->call->consent);
	tn_json_put_member_text(&detail, "client", m->caller->client);
	tn_json_end_object(&detail);
	tn_buf_append_byte(&detail, '\0');
	event.detail = detail.failed ? NULL : detail.data;
	tn_history_record_event(history, &event);
	tn_buf_finish(&detail);
}

/* ---- denied ---- */

static bool deny(struct matter *m)
{
	const struct tn_rule_hit *hit = &m->verdict.hits[0];
	const char *why = m->verdict.explanation_count ? m->verdict.explanation[0] : "";
	struct tn_buf data;

	record(m, "decision", "deny");
	tn_buf_init(&data, TN_MIB);
	tn_json_begin_object(&data);
	tn_json_put_member_text(&data, "rule", hit->id);
	tn_json_put_member_text(&data, "risk", tn_risk_name(m->verdict.risk));
	tn_json_put_key(&data, "rules");
	tn_rules_put_hits(&data, &m->verdict);
	tn_json_end_object(&data);
	tn_buf_append_byte(&data, '\0');
	tn_term_fail(m->call, "denied_by_policy",
		     "Rules are changed by a person, in policy.json only; check_command says what "
		     "would be allowed.",
		     data.failed ? NULL : data.data,
		     "The policy denies this (rule %s, %s: %s). %s%sNothing was run.", hit->id,
		     hit->source, hit->pattern, why, why[0] ? " " : "");
	tn_buf_finish(&data);
	return false;
}

/* ---- asked about ---- */

/* What a person reads; the command last, because that may be long. */
static void put_detail(const struct matter *m, struct tn_buf *out)
{
	const struct tn_rule_hit *hit = &m->verdict.hits[0];

	tn_buf_format(out, "directory: %s\nsession: %s\nrule: %s (%s: %s)\nrisk: %s\n",
		      m->cwd ? m->cwd : "not known", m->session ? m->session : "a new one", hit->id,
		      hit->source, hit->pattern, tn_risk_name(m->verdict.risk));
	for (size_t i = 0; i < m->verdict.explanation_count && i < 3; i++)
		tn_buf_format(out, "%s\n", m->verdict.explanation[i]);
	tn_buf_append_text(out, "command:\n");
	tn_buf_append_str(out, m->text);
	tn_buf_append_byte(out, '\0');
}

/* Nobody can answer, and there is not even where an approval could be kept. */
static bool fail_without_consent(struct matter *m)
{
	tn_term_fail(m->call, "confirmation_required",
		     "Use a client that can ask its user, or the daemon (tenon mcp).", NULL,
		     "The policy asks a person about this (rule %s), and here nobody can be asked. "
		     "Nothing was run.",
		     m->verdict.hits[0].id);
	return false;
}

static bool ask(struct matter *m, const char *kind, const char *once, const char *lasting)
{
	struct tenon_act act = {
		.kind = kind, .summary = m->summary, .once = once, .lasting = lasting};
	struct tn_buf detail;
	bool admitted = false;

	if (tn_rules_fallback(m->door->rules) == TN_FALLBACK_ALLOW &&
	    !tn_consent_can_ask(m->call)) {
		record(m, "confirmation", "confirm_fallback");
		return true; /* the policy trusts the client's own approval */
	}
	if (!m->door->server->consent)
		return fail_without_consent(m);
	tn_buf_init(&detail, 4 * TN_MIB);
	put_detail(m, &detail);
	tn_json_end_array(&m->exactly);
	act.detail = detail.data;
	act.exactly = m->exactly.data;
	act.exactly_size = m->exactly.size;
	if (detail.failed || m->exactly.failed)
		tenon_call_refuse(m->call, -32603, "out of memory", NULL);
	else
		admitted = tenon_call_consent(m->call, &act);
	tn_buf_finish(&detail);
	if (admitted)
		record(m, "confirmation", "approved");
	return admitted;
}

static bool decide(struct matter *m)
{
	if (m->verdict.action == TN_RULE_ALLOW)
		return true;
	if (m->verdict.action == TN_RULE_DENY)
		return deny(m);
	if (m->caller->person)
		return true; /* who would be asked has asked for it */
	return ask(m, "run", ONCE, LASTING);
}

/* ---- the question ---- */

static bool judge(struct matter *m)
{
	const struct tn_rules_question question = {
		.analysis = &m->analysis,
		.cwd = m->cwd,
		.home = getenv("HOME"),
		.roots = m->door->config.roots,
		.network = m->call->foreign,
	};
	struct tenon_error err;

	return tn_rules_judge(m->door->rules, &m->arena, &question, &m->verdict, &err) == TENON_OK
		       ? true
		       : refuse_size(m, &err);
}

/* Where it will run: what was asked for, seen from where the session is. */
static const char *resolve_cwd(struct matter *m, const char *wanted, const char *base)
{
	char own[4096];

	if (!base && m->door->config.roots && m->door->config.roots[0])
		base = m->door->config.roots[0];
	if (!base)
		base = getcwd(own, sizeof(own));
	if (!wanted || !wanted[0])
		return base == own ? tn_arena_copy(&m->arena, tn_str_from(own)) : base;
	if (wanted[0] == '/' || wanted[0] == '~' || !base)
		return wanted;
	return tn_arena_format(&m->arena, "%s/%s", base, wanted);
}

static void bind_text(struct matter *m, const char *what, struct tn_str text)
{
	tn_json_put_text(&m->exactly, what);
	tn_json_put_str(&m->exactly, text);
}

static void bind_list(struct matter *m, const char *what, const char *const *list)
{
	for (size_t i = 0; list && list[i]; i++)
		bind_text(m, what, tn_str_from(list[i]));
}

bool tn_term_admit_execute(struct tenon_call *call, struct tn_term_door *door,
			   const struct tn_term_caller *caller,
			   const struct tn_term_execute *request)
{
	struct tn_analysis_surroundings around = {.env = request->env};
	struct tn_term_fault fault = {0};
	struct tn_term_session *s =
		request->isolated || !door->term
			? NULL
			: tn_term_find(door->term, caller, request->session_id, &fault);
	struct matter m;
	struct tenon_error err;
	bool admitted;

	begin(&m, call, door, caller);
	m.summary = "Run a command";
	m.text = request->command;
	m.session = request->isolated ? "isolated" : s ? tn_term_session_id(s) : NULL;
	m.cwd = resolve_cwd(&m, request->cwd, s ? tn_term_session_cwd(s) : NULL);
	around.cwd = m.cwd;
	around.shell = s ? tn_term_session_shell(s) : request->isolated ? "sh" : door->config.shell;
	around.stdin_text = request->has_stdin ? request->stdin_text : tn_str(NULL, 0);
	bind_text(&m, "command", request->command);
	bind_text(&m, "cwd", tn_str_from(m.cwd));
	bind_text(&m, "session", tn_str_from(m.session));
	bind_list(&m, "env", request->env);
	bind_text(&m, "stdin", request->stdin_text);
	admitted = tn_analyse(&m.arena, request->command, &around, &m.analysis, &err) == TENON_OK
			   ? judge(&m) && decide(&m)
			   : refuse_size(&m, &err);
	end(&m);
	return admitted;
}

static struct tn_str join(struct tn_arena *arena, const char *const *words)
{
	struct tn_buf out;
	const char *text;

	tn_buf_init(&out, 8 * TN_MIB);
	for (size_t i = 0; words[i]; i++) {
		if (i)
			tn_buf_append_byte(&out, ' ');
		tn_buf_append_text(&out, words[i]);
	}
	text = tn_arena_copy(arena, tn_buf_str(&out));
	tn_buf_finish(&out);
	return tn_str_from(text);
}

bool tn_term_admit_program(struct tenon_call *call, struct tn_term_door *door,
			   const struct tn_term_caller *caller,
			   const struct tn_term_create *request)
{
	struct tn_analysis_surroundings around = {.env = request->env};
	struct matter m;
	struct tenon_error err;
	bool admitted;

	begin(&m, call, door, caller);
	m.summary = "Start a program in a new session";
	m.text = join(&m.arena, request->program);
	m.cwd = resolve_cwd(&m, request->cwd, NULL);
	around.cwd = m.cwd;
	bind_list(&m, "program", request->program);
	bind_text(&m, "cwd", tn_str_from(m.cwd));
	bind_list(&m, "env", request->env);
	admitted =
		tn_analyse_argv(&m.arena, request->program, &around, &m.analysis, &err) == TENON_OK
			? judge(&m) && decide(&m)
			: refuse_size(&m, &err);
	end(&m);
	return admitted;
}

/* ---- typing ---- */

/* bash and zsh put lines of the history in place of !word before they read it. */
static bool asks_history(const struct tn_typed_line *line)
{
	bool quoted = false;

	for (size_t i = 0; i < line->size; i++) {
		char c = line->text[i], next = i + 1 < line->size ? line->text[i + 1] : ' ';

		if (c == '\\' && !quoted)
			i++;
		else if (c == '\'')
			quoted = !quoted;
		else if (c == '!' && !quoted && !strchr(" \t\n=(\"", next))
			return true;
		else if (c == '^' && i == 0)
			return true;
	}
	return false;
}

static bool is_zsh(const char *shell)
{
	return shell && tn_str_ends(tn_str_from(shell), tn_str("zsh", 3));
}

/* False: the call has ended, or waits. *line goes on when the shell will ask for more of it. */
static bool admit_line(struct tenon_call *call, struct tn_term_door *door,
		       const struct tn_term_caller *caller, const char *session_id, const char *cwd,
		       const char *shell, struct tn_typed_line *line)
{
	struct tn_analysis_surroundings around = {
		.cwd = cwd, .shell = shell, .no_comments = is_zsh(shell)};
	struct matter m;
	struct tenon_error err;
	bool admitted;

	begin(&m, call, door, caller);
	m.summary = "Type a command into a shell";
	m.text = tn_str(line->text, line->size);
	m.cwd = cwd;
	m.session = session_id;
	bind_text(&m, "line", m.text);
	bind_text(&m, "cwd", tn_str_from(cwd));
	bind_text(&m, "session", tn_str_from(session_id));
	if (tn_analyse(&m.arena, m.text, &around, &m.analysis, &err) != TENON_OK) {
		admitted = refuse_size(&m, &err);
	} else {
		bool incomplete = m.analysis.incomplete;

		if (line->opaque || asks_history(line)) {
			m.analysis.opaque = true;
			m.analysis.opaque_because =
				tn_str_from("the line was edited in ways that only the shell "
					    "knows");
		}
		admitted = judge(&m) && decide(&m);
		if (incomplete && !line->opaque)
			tn_typed_line_continue(line);
	}
	end(&m);
	return admitted;
}

static bool admit_lines(struct tenon_call *call, struct tn_term_door *door,
			const struct tn_term_caller *caller, const char *session_id,
			const char *cwd, const char *shell, struct tn_typed_line *line,
			struct tn_str bytes)
{
	struct tn_typed_line next = *line;
	bool entered;

	while (bytes.size) {
		bytes = tn_str_from_offset(bytes, tn_typed_line_feed(&next, bytes, &entered));
		if (entered && !admit_line(call, door, caller, session_id, cwd, shell, &next))
			return false;
	}
	*line = next;
	return true;
}

/* Another program reads what is typed: what that does with it, nobody knows here. */
static bool admit_input(struct tenon_call *call, struct tn_term_door *door,
			const struct tn_term_caller *caller, const char *session_id,
			const char *cwd, const char *program, struct tn_str bytes)
{
	struct matter m;
	bool admitted;

	if (caller->person || tn_rules_interactive_input(door->rules) == TN_RULE_ALLOW)
		return true;
	begin(&m, call, door, caller);
	m.summary = tn_arena_format(&m.arena, "Type into %s", program);
	m.text = bytes;
	m.session = session_id;
	m.cwd = cwd;
	m.verdict = (struct tn_verdict_of_rules){
		.action = TN_RULE_CONFIRM, .risk = TN_RISK_UNKNOWN, .hit_count = 1};
	m.verdict.hits[0] = (struct tn_rule_hit){
		"interactive_input", "policy.json", "text for a program that is not the shell",
		TN_RULE_CONFIRM,     SIZE_MAX,      NULL};
	bind_text(&m, "program", tn_str_from(program));
	bind_text(&m, "session", tn_str_from(session_id));
	admitted = m.summary ? ask(&m, "type", PROGRAM_LASTING, PROGRAM_LASTING) : false;
	end(&m);
	return admitted;
}

bool tn_term_admit_typed(struct tenon_call *call, struct tn_term_door *door, const char *session_id,
			 const char *cwd, const char *shell, const char *program,
			 struct tn_typed_line *line, struct tn_str bytes)
{
	struct tn_term_caller caller;

	tn_term_caller_of(call, &caller);
	if (program)
		return admit_input(call, door, &caller, session_id, cwd, program, bytes);
	return admit_lines(call, door, &caller, session_id, cwd, shell, line, bytes);
}

/* ---- the policy ---- */

static enum tenon_code read_part(struct tn_str text, void **ret_made, struct tenon_error *err)
{
	struct tn_rules *rules;
	enum tenon_code code = tn_rules_create(text, &rules, err);

	if (code == TENON_OK)
		*ret_made = rules;
	return code;
}

static void use_part(void *made, void *data)
{
	struct tn_term_door *door = data;

	tn_rules_destroy(door->rules);
	door->rules = made;
}

static void drop_part(void *made)
{
	tn_rules_destroy(made);
}

enum tenon_code tn_term_admit_open(struct tn_term_door *door, struct tenon_error *err)
{
	door->policy = (struct tn_policy_part){.member = "terminal",
					       .read = read_part,
					       .use = use_part,
					       .drop = drop_part,
					       .data = door};
	return tn_policy_part_add(door->server, &door->policy, err);
}

void tn_term_admit_close(struct tn_term_door *door)
{
	tn_policy_part_remove(door->server, &door->policy);
	tn_rules_destroy(door->rules);
	door->rules = NULL;
}
