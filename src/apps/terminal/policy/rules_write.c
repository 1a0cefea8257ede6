#include "apps/terminal/policy/rules_write.h"

#include "base/utf8.h"

enum { COMMANDS_SHOWN_MAX = 200 };

void tn_rules_put_hits(struct tn_buf *out, const struct tn_verdict_of_rules *verdict)
{
	tn_json_begin_array(out);
	for (size_t i = 0; i < verdict->hit_count; i++) {
		tn_json_begin_object(out);
		tn_json_put_member_text(out, "id", verdict->hits[i].id);
		tn_json_put_member_text(out, "source", verdict->hits[i].source);
		tn_json_put_member_text(out, "pattern", verdict->hits[i].pattern);
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
}

static void put_texts(struct tn_buf *out, const char *key, const struct tn_str *texts, size_t count)
{
	tn_json_put_key(out, key);
	tn_json_begin_array(out);
	for (size_t i = 0; i < count; i++)
		tn_json_put_str(out, texts[i]);
	tn_json_end_array(out);
}

static void put_command(struct tn_buf *out, const struct tn_simple_command *c)
{
	tn_json_begin_object(out);
	tn_json_put_member_str(out, "name", c->name);
	tn_json_put_member_str(out, "path", c->path);
	put_texts(out, "args", c->words, c->word_count);
	tn_json_put_member_str(out, "source", c->source);
	put_texts(out, "writes", c->writes, c->write_count);
	tn_json_put_member_bool(out, "privileged", c->privileged);
	if (c->wrapper.size)
		tn_json_put_member_str(out, "wrapper", c->wrapper);
	else
		tn_json_put_member_null(out, "wrapper");
	tn_json_end_object(out);
}

static void put_commands(struct tn_buf *out, const struct tn_analysis *analysis)
{
	tn_json_put_key(out, "simple_commands");
	tn_json_begin_array(out);
	for (size_t i = 0; i < analysis->count && i < COMMANDS_SHOWN_MAX; i++)
		put_command(out, &analysis->commands[i]);
	tn_json_end_array(out);
}

static void put_alternatives(struct tn_buf *out, const struct tn_verdict_of_rules *verdict)
{
	tn_json_put_key(out, "alternatives");
	tn_json_begin_array(out);
	for (size_t i = 0; i < verdict->alternative_count; i++) {
		const struct tn_rule_alternative *a = &verdict->alternatives[i];

		tn_json_begin_object(out);
		tn_json_put_member_text(out, "command", a->command);
		tn_json_put_member_text(out, "description", a->description);
		tn_json_put_member_text(out, "risk", tn_risk_name(a->risk));
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
}

void tn_rules_put_verdict(struct tn_buf *out, const struct tn_analysis *analysis,
			  const struct tn_verdict_of_rules *verdict)
{
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "decision", tn_rule_action_name(verdict->action));
	tn_json_put_key(out, "rules");
	tn_rules_put_hits(out, verdict);
	tn_json_put_member_text(out, "risk", tn_risk_name(verdict->risk));
	tn_json_put_key(out, "explanation");
	tn_json_begin_array(out);
	for (size_t i = 0; i < verdict->explanation_count; i++)
		tn_json_put_text(out, verdict->explanation[i]);
	tn_json_end_array(out);
	put_commands(out, analysis);
	tn_json_put_member_bool(out, "hidden", analysis->hidden);
	tn_json_put_member_bool(out, "opaque", analysis->opaque);
	tn_json_put_member_bool(out, "needs_privilege", verdict->needs_privilege);
	tn_json_put_member_bool(out, "network", verdict->network);
	tn_json_put_member_text(out, "undo_hint", verdict->undo_hint);
	put_alternatives(out, verdict);
	tn_json_end_object(out);
}

/* "/bin/tee by sudo with privilege writes a": its words stand in the command. */
static void put_command_words(struct tn_buf *out, const struct tn_simple_command *c)
{
	tn_utf8_put_line(out, c->path.size ? c->path : c->name);
	if (c->wrapper.size) {
		tn_buf_append_text(out, " by ");
		tn_utf8_put_line(out, c->wrapper);
	}
	if (c->privileged)
		tn_buf_append_text(out, " with privilege");
	for (size_t i = 0; i < c->write_count; i++) {
		tn_buf_append_text(out, i ? ", " : " writes ");
		tn_utf8_put_line(out, c->writes[i]);
	}
}

void tn_rules_put_commands(struct tn_buf *out, const struct tn_analysis *analysis,
			   const struct tn_verdict_of_rules *verdict)
{
	for (size_t i = 0; i < analysis->count && i < COMMANDS_SHOWN_MAX; i++) {
		tn_buf_append_text(out, i ? "; " : "Runs: ");
		put_command_words(out, &analysis->commands[i]);
	}
	if (analysis->count > 0)
		tn_buf_append_text(out, ".\n");
	if (verdict->network)
		tn_buf_append_text(out, "It uses the network.\n");
	if (verdict->needs_privilege)
		tn_buf_append_text(out, "It needs privilege.\n");
}

void tn_rules_put_text(struct tn_buf *out, const struct tn_analysis *analysis,
		       const struct tn_verdict_of_rules *verdict)
{
	tn_buf_format(out, "%s (risk: %s", tn_rule_action_name(verdict->action),
		      tn_risk_name(verdict->risk));
	tn_buf_append_text(out, analysis->hidden   ? ", the text hides what will run)\n"
				: analysis->opaque ? ", not all of it is known)\n"
						   : ")\n");
	for (size_t i = 0; i < verdict->hit_count; i++)
		tn_buf_format(out, "rule %s (%s): %s, %s\n", verdict->hits[i].id,
			      verdict->hits[i].source, tn_rule_action_name(verdict->hits[i].action),
			      verdict->hits[i].pattern);
	for (size_t i = 0; i < verdict->explanation_count; i++)
		tn_buf_format(out, "%s\n", verdict->explanation[i]);
	if (verdict->undo_hint)
		tn_buf_format(out, "To undo it: %s\n", verdict->undo_hint);
	for (size_t i = 0; i < verdict->alternative_count; i++)
		tn_buf_format(out, "Instead: %s - %s\n", verdict->alternatives[i].command,
			      verdict->alternatives[i].description);
}
