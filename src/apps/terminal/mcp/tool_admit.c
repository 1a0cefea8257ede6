#include "apps/terminal/mcp/tool_admit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/terminal/policy/rules_write.h"
#include "apps/terminal/limits.h"
#include "base/size.h"
#include "base/utf8.h"
#include "mcp/consent.h"
#include "mcp/server.h"

#define ONCE "Run once"
#define LASTING "Allow this exact command in this session"
#define PROGRAM_LASTING "Allow typing into this program in this session"

/* DETAIL_BYTES: of a text, so that it and what stands before it fit into what is shown. */
enum { SUMMARY_BYTES = 400, SCRIPT_SHOWN_BYTES = 1024, DETAIL_BYTES = 2048, LEAKED_LOOKED_AT = 4 };

/* What is asked about: one run, or text for another program. */
struct matter {
	struct tenon_call *call;
	struct tn_term_door *door;
	const struct tn_term_caller *caller;
	struct tn_term_run *run;  /* NULL: text for a program */
	const char *verb, *title; /* "Run", and what counts as a name where the text is long */
	struct tn_str text;       /* as it is shown */
	const char *cwd, *session;
	struct tn_buf exactly; /* all that an approval is bound to */
	struct tn_arena *arena;
	struct tn_verdict_of_rules verdict;
};

static void begin(struct matter *m, struct tenon_call *call, struct tn_term_door *door,
		  const struct tn_term_caller *caller)
{
	*m = (struct matter){.call = call, .door = door, .caller = caller, .arena = &call->arena};
	tn_buf_init(&m->exactly, 8 * TN_MIB);
}

static void end(struct matter *m)
{
	tn_buf_finish(&m->exactly);
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
	const struct tn_term_session *s = m->run ? m->run->place.session : NULL;
	struct tn_history_event event = {.kind = kind,
					 .session_id = s ? tn_term_session_id(s) : m->session,
					 .principal = m->caller->principal};
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

/* What will happen, first and in one line; where it does not fit, the first of its lines. */
static const char *summary_of(const struct matter *m, bool *ret_whole)
{
	size_t size = tn_str_find_byte(m->text, '\n');
	struct tn_str line = tn_str(m->text.data, size == TN_STR_NONE ? m->text.size : size);

	*ret_whole = line.size == m->text.size && line.size <= SUMMARY_BYTES;
	if (*ret_whole)
		return tn_arena_format(m->arena, "%s: %.*s", m->verb, (int)line.size, line.data);
	line = tn_utf8_cut(line, SUMMARY_BYTES);
	return tn_arena_format(m->arena, "%s: %.*s ... (%s of %zu bytes, %s below)", m->verb,
			       (int)line.size, line.data, m->title, m->text.size,
			       m->text.size <= DETAIL_BYTES ? "whole" : "only its beginning");
}

static void put_script(const struct tn_input *input, struct tn_buf *out)
{
	struct tn_str text = input->text;
	size_t shown = text.size < SCRIPT_SHOWN_BYTES ? text.size : SCRIPT_SHOWN_BYTES;

	tn_buf_format(out, "\nscript %s, %zu byte%s, sha256 %s%s:\n", input->path, text.size,
		      text.size == 1 ? "" : "s", input->held.digest,
		      shown < text.size ? ", it begins" : "");
	tn_buf_append_str(out, tn_utf8_cut(text, shown));
	if (text.size && shown == text.size && text.data[text.size - 1] == '\n')
		return;
	tn_buf_append_text(out, shown < text.size ? "\n[... the rest is not shown]\n" : "\n");
}

static void put_text(struct tn_buf *out, const char *name, struct tn_str text)
{
	tn_buf_format(out, "%s", name);
	tn_buf_append_str(out, text);
	tn_buf_append_byte(out, '\n');
}

static void put_inputs(const struct tn_term_run *run, struct tn_buf *out)
{
	for (size_t i = 0; run->wish.env && run->wish.env[i]; i++)
		put_text(out, i ? "  " : "env: ", tn_str_from(run->wish.env[i]));
	if (run->wish.stdin_text.data)
		put_text(out, "stdin:\n", run->wish.stdin_text);
	for (const struct tn_input *at = run->inputs->files; at; at = at->next) {
		if (at->held.fd >= 0)
			put_script(at, out);
	}
}

/* What a person reads below it: where, why, the text when it is long, and what else it reads. A
 * long text cannot push the rest out of what is shown. One verdict: the strictest one's. */
static void put_detail(const struct matter *m, bool whole, struct tn_buf *out)
{
	const struct tn_rule_hit *hit = &m->verdict.hits[0];

	tn_buf_format(out, "directory: %s\nsession: %s\nrule: %s (%s: %s)\nrisk: %s\n",
		      m->cwd ? m->cwd : "not known", m->session, hit->id, hit->source, hit->pattern,
		      tn_risk_name(m->verdict.risk));
	if (m->verdict.explanation_count)
		tn_buf_format(out, "%s\n", m->verdict.explanation[0]);
	for (size_t i = 0; m->run && i < m->run->unheld_count; i++)
		tn_buf_format(out, "cannot be held: %s\n", m->run->unheld[i]);
	if (!whole)
		put_text(out, "all of it:\n", m->text);
	if (m->run)
		put_inputs(m->run, out);
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

/* It asks to go without a sandbox that it would have. */
static bool leaves_sandbox(const struct matter *m)
{
	const struct tn_term_session *like = m->run ? m->run->place.like : NULL;

	return m->run && m->run->wish.outside &&
	       (like ? tn_term_is_sandboxed(like) : tn_term_sandboxes(&m->door->config, m->caller));
}

static bool ask(struct matter *m, const char *kind, const char *once, const char *lasting)
{
	bool admitted = false, whole = true;
	struct tenon_act act = {
		.kind = kind, .summary = summary_of(m, &whole), .once = once, .lasting = lasting};
	struct tn_buf detail;

	if (tn_rules_fallback(m->door->rules) == TN_FALLBACK_ALLOW && !leaves_sandbox(m) &&
	    !tn_consent_can_ask(m->call)) {
		record(m, "confirmation", "confirm_fallback");
		return true; /* the policy trusts the client's own approval */
	}
	if (!m->door->server->consent)
		return fail_without_consent(m);
	tn_buf_init(&detail, 4 * TN_MIB);
	put_detail(m, whole, &detail);
	act.detail = detail.data;
	act.exactly = m->exactly.data;
	act.exactly_size = m->exactly.size;
	if (detail.failed || m->exactly.failed || !act.summary)
		tenon_call_refuse(m->call, -32603, "out of memory", NULL);
	else
		admitted = tenon_call_consent(m->call, &act);
	tn_buf_finish(&detail);
	if (admitted)
		record(m, "confirmation", "approved");
	return admitted;
}

/* What could not be looked at for want of a descriptor is not what is not there. False: *err. */
static bool has_all(const struct tn_term_run *run, struct tenon_error *err)
{
	if (!run->inputs->starved)
		return true;
	(void)tn_fail(err, TENON_LIMIT,
		      "no descriptor or memory is left for the files that it reads; try again");
	return false;
}

static bool decide(struct matter *m)
{
	struct tenon_error err;
	bool admitted;

	if (m->verdict.action == TN_RULE_ALLOW)
		return true;
	if (m->verdict.action == TN_RULE_DENY)
		return deny(m);
	if (m->caller->person)
		return true; /* who would be asked has asked for it */
	tn_term_run_hold_programs(m->run, m->door->term ? tn_term_path(m->door->term) : NULL);
	if (!has_all(m->run, &err))
		return refuse_size(m, &err);
	tn_term_run_bind(m->run, &m->exactly);
	/* What an approval is not bound to whole is not approved for longer. */
	admitted = ask(m, "run", ONCE,
		       m->run->wish.outside || m->run->inputs->is_full ? NULL : LASTING);
	m->run->inputs->approved = admitted;
	return admitted;
}

/* ---- the question ---- */

/* Its text must have been analysed. */
static enum tenon_code judge_run(const struct tn_term_door *door, struct tn_term_run *run,
				 bool is_elsewhere, struct tn_verdict_of_rules *ret,
				 struct tenon_error *err)
{
	const struct tn_rules_question question = {
		.analysis = &run->analysis,
		.cwd = run->cwd,
		.home = getenv("HOME"),
		.roots = door->config.roots,
		.network = is_elsewhere,
	};

	run->inputs->is_elsewhere = is_elsewhere;
	if (!has_all(run, err))
		return TENON_LIMIT;
	return tn_rules_judge(door->rules, &run->arena, &question, ret, err);
}

enum tenon_code tn_term_judge(const struct tn_term_door *door, struct tn_term_run *run,
			      bool is_elsewhere, struct tn_verdict_of_rules *ret,
			      struct tenon_error *err)
{
	enum tenon_code code = tn_term_run_analyse(run, err);

	return code == TENON_OK ? judge_run(door, run, is_elsewhere, ret, err) : code;
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

static void take_run(struct matter *m, struct tn_term_run *run)
{
	m->run = run;
	m->arena = &run->arena;
	m->cwd = run->cwd;
	m->session = run->session;
	m->text = run->wish.program ? join(&run->arena, run->wish.program) : run->wish.text;
	m->verb = run->wish.is_typed ? "Type" : run->wish.program ? "Start" : "Run";
	m->title = run->wish.is_typed ? "a line" : run->wish.program ? "a program" : "a command";
}

/* False: the call has ended. What the rules deny or ask about stays so. */
static bool step_outside(struct matter *m)
{
	enum tn_rule_action action = tn_rules_sandbox_off(m->door->rules);

	if (!leaves_sandbox(m) || m->verdict.action == TN_RULE_DENY)
		return true;
	m->verb = m->run->wish.program || !m->text.size ? "Start without the sandbox"
							: "Run without the sandbox";
	if (!m->text.size)
		m->text = TN_STR("a shell");
	if (action == TN_RULE_DENY)
		tn_term_fail(m->call, "denied_by_policy", "Leave sandbox out.", NULL,
			     "sandbox: the policy does not allow \"off\".");
	if (action == TN_RULE_CONFIRM && m->verdict.action == TN_RULE_ALLOW) {
		m->verdict = (struct tn_verdict_of_rules){
			.action = TN_RULE_CONFIRM, .risk = TN_RISK_UNKNOWN, .hit_count = 1};
		m->verdict.hits[0] =
			(struct tn_rule_hit){"sandbox_off",   "policy.json", "sandbox: off",
					     TN_RULE_CONFIRM, SIZE_MAX,      NULL};
	}
	return action != TN_RULE_DENY;
}

bool tn_term_admit_run(struct tenon_call *call, struct tn_term_door *door,
		       const struct tn_term_caller *caller, struct tn_term_run *run)
{
	struct matter m;
	struct tenon_error err;
	bool admitted;

	begin(&m, call, door, caller);
	take_run(&m, run);
	admitted = tn_term_judge(door, run, call->elsewhere, &m.verdict, &err) == TENON_OK
			   ? step_outside(&m) && decide(&m)
			   : refuse_size(&m, &err);
	end(&m);
	return admitted;
}

/* Between its judgement and its delivery something has changed. */
bool tn_term_admit_again(const struct tn_term_again *again, struct tn_inputs **ret, void *data)
{
	struct tn_term_door *door = data;
	const struct tn_term_run_wish wish = {.place = {.caller = again->caller,
							.session_id = again->session_id,
							.cwd = again->cwd},
					      .text = again->text,
					      .env = again->env};
	struct tn_verdict_of_rules verdict;
	struct tn_term_fault fault;
	struct tn_term_run run;
	struct tenon_error err;
	bool allowed = false;

	if (tn_term_run_resolve(door->term, &door->config, &wish, &run, &fault) &&
	    tn_term_judge(door, &run, again->is_elsewhere, &verdict, &err) == TENON_OK)
		allowed = verdict.action == TN_RULE_ALLOW ||
			  (verdict.action == TN_RULE_CONFIRM && again->caller->person);
	if (allowed)
		*ret = tn_inputs_ref(run.inputs);
	tn_term_run_finish(&run);
	return allowed;
}

/* ---- typing ---- */

static bool is_zsh(const char *shell)
{
	return shell && tn_str_ends(tn_str_from(shell), tn_str("zsh", 3));
}

/* What the keys did to the line is known to the shell alone. */
static enum tenon_code analyse_line(struct tn_term_run *run, const struct tn_typed_line *line,
				    struct tenon_error *err)
{
	enum tenon_code code = tn_term_run_analyse(run, err);

	if (code == TENON_OK && (line->hidden || tn_typed_line_asks_history(line))) {
		run->analysis.hidden = true;
		run->analysis.hidden_because =
			tn_str_from("the line was edited in ways that only the shell knows");
	}
	return code;
}

/* False: the call has ended, or waits. *line goes on when the shell will ask for more of it. */
static bool admit_line(const struct tn_term_typing *typing, struct tn_typed_line *line,
		       struct tn_term_run *run)
{
	struct matter m;
	struct tenon_error err;
	bool admitted;

	begin(&m, typing->call, typing->door, typing->caller);
	take_run(&m, run);
	admitted = analyse_line(run, line, &err) == TENON_OK &&
				   judge_run(typing->door, run, typing->call->elsewhere, &m.verdict,
					     &err) == TENON_OK
			   ? decide(&m)
			   : refuse_size(&m, &err);
	if (run->analysis.incomplete && !line->hidden)
		tn_typed_line_continue(line);
	end(&m);
	return admitted;
}

static bool keep_inputs(struct tn_term_typing *typing, const struct tn_term_run *run)
{
	if (!run->inputs->count)
		return true;
	if (typing->input_count == TN_COUNT(typing->inputs)) {
		tn_term_fail(typing->call, "input_too_large", "Type them in several calls.", NULL,
			     "More than %zu lines of this read files or run programs.",
			     TN_COUNT(typing->inputs));
		return false;
	}
	typing->inputs[typing->input_count++] = tn_inputs_ref(run->inputs);
	return true;
}

static void wish_of(const struct tn_term_typing *typing, const struct tn_typed_line *line,
		    struct tn_term_run_wish *ret)
{
	*ret = (struct tn_term_run_wish){.place = {.caller = typing->caller,
						   .session_id = typing->session_id,
						   .in_front = true},
					 .text = tn_str(line->text, line->size),
					 .shell = typing->shell,
					 .is_typed = true,
					 .no_comments = is_zsh(typing->shell)};
}

/* Lines are read on the loop: not more of them than it may be held for. */
static bool is_too_much(struct tn_term_typing *typing, const struct tn_typed_line *line)
{
	typing->judged_bytes += TN_TERM_TYPED_LINE_COST + line->size;
	return typing->judged_bytes > TN_TERM_TYPED_BYTES_MAX;
}

static bool admit_next(struct tn_term_typing *typing, struct tn_typed_line *line)
{
	struct tn_term_run_wish wish;
	struct tn_term_fault fault = {0};
	struct tn_term_run run;
	bool admitted = false;

	if (is_too_much(typing, line)) {
		tn_term_fail(typing->call, "input_too_large",
			     "Type them in several calls, or write them to a file and run that.",
			     NULL,
			     "That is more lines for a shell than are looked at in one call.");
		return false;
	}
	wish_of(typing, line, &wish);
	if (!tn_term_run_resolve(typing->door->term, &typing->door->config, &wish, &run, &fault))
		tn_term_fail_fault(typing->call, &fault);
	else
		admitted = admit_line(typing, line, &run);
	if (admitted)
		admitted = keep_inputs(typing, &run);
	if (admitted && run.place.session)
		tn_term_session_learn(run.place.session, &run.analysis);
	tn_term_run_finish(&run);
	return admitted;
}

static bool may_enter(struct tn_term_typing *typing, struct tn_typed_line *line)
{
	struct tn_term_run_wish wish;
	struct tn_verdict_of_rules verdict = {.action = TN_RULE_DENY};
	struct tn_term_fault fault;
	struct tn_term_run run;
	struct tenon_error err;
	bool may = false;

	if (is_too_much(typing, line))
		return false;
	wish_of(typing, line, &wish);
	if (tn_term_run_resolve(typing->door->term, &typing->door->config, &wish, &run, &fault) &&
	    analyse_line(&run, line, &err) == TENON_OK &&
	    judge_run(typing->door, &run, typing->call->elsewhere, &verdict, &err) == TENON_OK)
		may = verdict.action == TN_RULE_ALLOW ||
		      (verdict.action == TN_RULE_CONFIRM && typing->caller->person);
	if (may && run.analysis.incomplete && !line->hidden)
		tn_typed_line_continue(line);
	tn_term_run_finish(&run);
	return may;
}

typedef bool line_fn(struct tn_term_typing *typing, struct tn_typed_line *line);

/* Of what was typed for another program the shell may have got any end: each is looked at when it
 * is short, as the q that left a pager. */
static bool each_reading(struct tn_term_typing *typing, struct tn_typed_line *line, line_fn *each)
{
	struct tn_typed_line cut = *line;

	if (cut.leaked > LEAKED_LOOKED_AT) {
		cut.hidden = true;
		cut.leaked = 0;
	}
	while (cut.leaked) {
		struct tn_typed_line one = cut;

		if (!each(typing, &one))
			return false;
		memmove(cut.text, cut.text + 1, --cut.size);
		cut.leaked--;
	}
	*line = cut;
	return each(typing, line);
}

static bool each_line(struct tn_term_typing *typing, struct tn_typed_line *line,
		      struct tn_str bytes, line_fn *each)
{
	struct tn_typed_line next = *line;
	bool entered;

	while (bytes.size) {
		bytes = tn_str_from_offset(bytes, tn_typed_line_feed(&next, bytes, &entered));
		if (entered && !each_reading(typing, &next, each))
			return false;
	}
	*line = next;
	return true;
}

bool tn_term_may_type(const struct tn_term_typing *typing, struct tn_typed_line *line,
		      struct tn_str bytes)
{
	struct tn_term_typing as_shell = *typing;

	return each_line(&as_shell, line, bytes, may_enter);
}

/* Another program reads what is typed: what that does with it, nobody knows here. */
static bool admit_input(const struct tn_term_typing *typing, struct tn_str bytes)
{
	struct matter m;
	bool admitted;

	if (typing->caller->person ||
	    tn_rules_interactive_input(typing->door->rules) == TN_RULE_ALLOW)
		return true;
	begin(&m, typing->call, typing->door, typing->caller);
	m.verb = tn_arena_format(m.arena, "Type into %s", typing->program);
	m.title = "text";
	m.text = bytes;
	m.session = typing->session_id;
	m.cwd = typing->cwd;
	m.verdict = (struct tn_verdict_of_rules){
		.action = TN_RULE_CONFIRM, .risk = TN_RISK_UNKNOWN, .hit_count = 1};
	m.verdict.hits[0] = (struct tn_rule_hit){
		"interactive_input", "policy.json", "text for a program that is not the shell",
		TN_RULE_CONFIRM,     SIZE_MAX,      NULL};
	tn_json_begin_array(&m.exactly);
	tn_json_put_text(&m.exactly, typing->program);
	tn_json_put_text(&m.exactly, typing->session_id);
	tn_json_end_array(&m.exactly);
	admitted = m.verb ? ask(&m, "type", PROGRAM_LASTING, PROGRAM_LASTING) : false;
	end(&m);
	return admitted;
}

bool tn_term_admit_typed(struct tn_term_typing *typing, struct tn_typed_line *line,
			 struct tn_str bytes)
{
	return typing->program ? admit_input(typing, bytes)
			       : each_line(typing, line, bytes, admit_next);
}

const char *tn_term_typing_changed(const struct tn_term_typing *typing)
{
	const char *changed = NULL;

	for (size_t i = 0; i < typing->input_count && !changed; i++)
		changed = tn_inputs_changed(typing->inputs[i]);
	return changed;
}

void tn_term_typing_finish(struct tn_term_typing *typing)
{
	while (typing->input_count)
		tn_inputs_unref(typing->inputs[--typing->input_count]);
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
