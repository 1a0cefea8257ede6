#include "apps/terminal/policy/rule.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/limits.h"
#include "base/size.h"
#include "jsonrpc/jsonc.h"

extern const char tn_term_rules_data[]; /* data/rules.json */
extern const size_t tn_term_rules_data_size;

struct reading {
	struct tn_rules *rules;
	struct tn_str text;
	const char *base;
	size_t index; /* of the rule being read */
	bool built_in, in_rule;
	struct tn_rule **tail;
	struct tenon_error *err;
};

enum { SHOWN_MAX = 60 };

/* "policy.json:4: terminal.rules[1].action: <what>" */
static enum tenon_code fail_at(const struct reading *r, const struct tn_json *member,
			       const char *what)
{
	size_t line =
		member->key.data ? tn_jsonc_line(r->text, (size_t)(member->key.data - r->base)) : 1;
	int size = member->key.size < SHOWN_MAX ? (int)member->key.size : SHOWN_MAX;
	char rule[32] = "";

	if (r->in_rule)
		(void)snprintf(rule, sizeof(rule), "rules[%zu].", r->index);
	return tn_fail(r->err, TENON_INVALID, "policy.json:%zu: terminal.%s%.*s: %s", line, rule,
		       size, member->key.data ? member->key.data : "", what);
}

static enum tenon_code no_memory(const struct reading *r)
{
	return tn_fail(r->err, TENON_NO_MEMORY, "out of memory");
}

/* ---- values ---- */

static const char *const actions[] = {"allow", "confirm", "deny"};

static int find_name(const struct tn_json *value, const char *const *names, size_t count)
{
	struct tn_str text;

	if (!tn_json_to_str(value, &text))
		return -1;
	for (size_t i = 0; i < count; i++) {
		if (tn_str_is(text, names[i]))
			return (int)i;
	}
	return -1;
}

static void note_second_letter(struct tn_rule_texts *texts, struct tn_str path)
{
	bool of_home = tn_str_starts(path, TN_STR("~/"));
	size_t at = of_home ? 2 : 1;
	unsigned char c = at < path.size ? (unsigned char)path.data[at] : '*';
	uint64_t *set = of_home ? texts->home : texts->root;

	if (strchr("*?[", c) || (!of_home && path.data[0] != '/')) {
		memset(texts->root, 0xFF, sizeof(texts->root));
		memset(texts->home, 0xFF, sizeof(texts->home));
	} else {
		set[c / 64] |= UINT64_C(1) << (c % 64);
	}
}

static void note_first_letters(struct tn_rule_texts *texts)
{
	for (size_t i = 0; i < texts->count; i++) {
		unsigned char c = (unsigned char)texts->items[i].data[0];

		if (strchr("*?[", c))
			memset(texts->first, 0xFF, sizeof(texts->first));
		else
			texts->first[c / 64] |= UINT64_C(1) << (c % 64);
		note_second_letter(texts, texts->items[i]);
	}
}

static enum tenon_code read_texts(const struct reading *r, const struct tn_json *member,
				  struct tn_rule_texts *ret)
{
	bool is_list = member->type == TN_JSON_ARRAY;
	size_t count = is_list ? member->count : 1, i = 0;
	struct tn_str *texts =
		tn_arena_alloc_array(&r->rules->arena, count ? count : 1, sizeof(*texts));

	if (!texts)
		return no_memory(r);
	if (count == 0)
		return fail_at(r, member, "an empty list fits nothing; leave it out");
	for (const struct tn_json *at = is_list ? member->first : member; i < count;
	     at = at->next, i++) {
		if (!tn_json_to_str(at, &texts[i]) || texts[i].size == 0)
			return fail_at(r, member, "send a text, or a list of texts");
	}
	*ret = (struct tn_rule_texts){.items = texts, .count = count, .given = true};
	note_first_letters(ret);
	return TENON_OK;
}

static enum tenon_code read_want(const struct reading *r, const struct tn_json *member,
				 enum tn_rule_want *ret)
{
	bool value;

	if (!tn_json_to_bool(member, &value))
		return fail_at(r, member, "send true or false");
	*ret = value ? TN_WANT_SET : TN_WANT_CLEAR;
	return TENON_OK;
}

static enum tenon_code read_flag(const struct reading *r, const struct tn_json *member, bool *ret)
{
	return tn_json_to_bool(member, ret) ? TENON_OK : fail_at(r, member, "send true or false");
}

static enum tenon_code read_sentence(const struct reading *r, const struct tn_json *member,
				     const char **ret)
{
	struct tn_str text;

	if (!tn_json_to_str(member, &text) || !text.size || text.size > 512)
		return fail_at(r, member, "send a text of 1 to 512 bytes");
	*ret = text.data; /* a NUL follows */
	return TENON_OK;
}

static enum tenon_code read_action(const struct reading *r, const struct tn_json *member,
				   enum tn_rule_action *ret)
{
	int which = find_name(member, actions, TN_COUNT(actions));

	if (which < 0)
		return fail_at(r, member, "send \"allow\", \"confirm\" or \"deny\"");
	*ret = (enum tn_rule_action)which;
	return TENON_OK;
}

static enum tenon_code read_risk(const struct reading *r, const struct tn_json *member,
				 enum tn_risk *ret)
{
	static const char *const risks[] = {"safe", "caution", "unknown", "danger"};
	int which = find_name(member, risks, TN_COUNT(risks));

	if (which < 0)
		return fail_at(r, member, "send \"safe\", \"caution\", \"danger\" or \"unknown\"");
	*ret = (enum tn_risk)which;
	return TENON_OK;
}

/* ---- a rule ---- */

static enum tenon_code read_alternative(const struct reading *r, const struct tn_json *value,
					const struct tn_json *list, struct tn_rule_alternative *ret)
{
	enum tenon_code code = TENON_OK;

	if (value->type != TN_JSON_OBJECT)
		return fail_at(r, list, "send a list of objects");
	for (const struct tn_json *m = value->first; m && code == TENON_OK; m = m->next) {
		if (tn_str_is(m->key, "command"))
			code = read_sentence(r, m, &ret->command);
		else if (tn_str_is(m->key, "description"))
			code = read_sentence(r, m, &ret->description);
		else if (tn_str_is(m->key, "risk"))
			code = read_risk(r, m, &ret->risk);
		else
			code = fail_at(r, m,
				       "no such member; there are command, description, risk");
	}
	if (code == TENON_OK && (!ret->command || !ret->description))
		code = fail_at(r, list, "each needs command and description");
	return code;
}

static enum tenon_code read_instead(const struct reading *r, const struct tn_json *member,
				    struct tn_rule *rule)
{
	enum tenon_code code = TENON_OK;

	if (member->type != TN_JSON_ARRAY || member->count > TN_RULE_ALTERNATIVES_MAX)
		return fail_at(r, member, "send a list of at most 4 objects");
	for (const struct tn_json *m = member->first; m && code == TENON_OK; m = m->next)
		code = read_alternative(r, m, member, &rule->instead[rule->instead_count++]);
	return code;
}

/* Which of the rule's members a name means. */
struct slot {
	struct tn_rule_texts *texts;
	enum tn_rule_want *want;
	const char **sentence;
	bool *flag;
};

static bool find_slot(struct tn_rule *rule, struct tn_str key, bool in_programs, struct slot *ret)
{
	const struct {
		const char *name;
		struct slot slot;
	} slots[] = {
		{"command", {.texts = &rule->command}},
		{"except", {.texts = &rule->except}},
		{"args", {.texts = &rule->args}},
		{"any", {.texts = &rule->any}},
		{"none", {.texts = &rule->none}},
		{"path", {.texts = &rule->path}},
		{"path_write", {.texts = &rule->path_write}},
		{"path_read", {.texts = &rule->path_read}},
		{"cwd", {.texts = &rule->cwd}},
		{"fed_by", {.texts = &rule->fed_by}},
		{"feeds", {.texts = &rule->feeds}},
		{"privileged", {.want = &rule->privileged}},
		{"network", {.want = &rule->network}},
		{"runs_unknown", {.want = &rule->runs_unknown}},
		{"forks_itself", {.want = &rule->forks_itself}},
		{"deletes", {.want = &rule->deletes}},
		{"above", {.want = &rule->above}},
		{"reads_pipe", {.want = &rule->reads_pipe}},
		{"sends_secret", {.want = &rule->sends_secret}},
		{"id", {.sentence = &rule->id}},
		{"pattern", {.sentence = &rule->pattern}},
		{"why", {.sentence = &rule->why}},
		{"undo", {.sentence = &rule->undo}},
	};

	if (in_programs && tn_str_is(key, "network")) {
		*ret = (struct slot){.flag = &rule->marks_network};
		return true;
	}
	if (in_programs && tn_str_is(key, "privilege")) {
		*ret = (struct slot){.flag = &rule->marks_privilege};
		return true;
	}
	for (size_t i = 0; i < TN_COUNT(slots); i++) {
		if (tn_str_is(key, slots[i].name)) {
			*ret = slots[i].slot;
			return true;
		}
	}
	return false;
}

static enum tenon_code read_member(const struct reading *r, struct tn_rule *rule,
				   const struct tn_json *m, bool in_programs)
{
	struct slot slot = {0};

	if (tn_str_is(m->key, "action") && !in_programs) {
		rule->has_action = true;
		return read_action(r, m, &rule->action);
	}
	if (tn_str_is(m->key, "risk")) {
		rule->has_risk = true;
		return read_risk(r, m, &rule->risk);
	}
	if (tn_str_is(m->key, "instead"))
		return read_instead(r, m, rule);
	if (!find_slot(rule, m->key, in_programs, &slot))
		return fail_at(r, m,
			       "no such member; a rule has id, action, command, except, args, any, "
			       "none, path, path_write, path_read, cwd, privileged, network and "
			       "others (docs/policy.md)");
	if (slot.texts)
		return read_texts(r, m, slot.texts);
	if (slot.want)
		return read_want(r, m, slot.want);
	return slot.flag ? read_flag(r, m, slot.flag) : read_sentence(r, m, slot.sentence);
}

static void put_list(struct tn_buf *out, const char *name, const struct tn_rule_texts *texts)
{
	if (!texts->given || out->size > 160)
		return;
	if (out->size)
		tn_buf_append_text(out, "; ");
	tn_buf_format(out, "%s ", name);
	for (size_t i = 0; i < texts->count && out->size < 160; i++)
		tn_buf_format(out, "%s%.*s", i ? ", " : "", (int)texts->items[i].size,
			      texts->items[i].data);
}

/* What a rule looks for, in words, when it does not say so itself. */
static const char *describe(struct tn_arena *arena, const struct tn_rule *rule)
{
	struct tn_buf out;
	const char *text;

	tn_buf_init(&out, 64 * TN_KIB);
	put_list(&out, "command", &rule->command);
	put_list(&out, "args", &rule->args);
	put_list(&out, "any of", &rule->any);
	put_list(&out, "none of", &rule->none);
	put_list(&out, "path", &rule->path);
	put_list(&out, "write", &rule->path_write);
	put_list(&out, "read", &rule->path_read);
	put_list(&out, "cwd", &rule->cwd);
	if (!out.size)
		tn_buf_append_text(&out, "every command");
	text = out.failed ? NULL : tn_arena_copy(arena, tn_buf_str(&out));
	tn_buf_finish(&out);
	return text;
}

static enum tenon_code finish_rule(const struct reading *r, struct tn_rule *rule,
				   const struct tn_json *value, bool in_programs)
{
	struct tn_arena *arena = &r->rules->arena;

	if (!rule->has_action && !in_programs)
		return fail_at(r, value->first ? value->first : value,
			       "its rule has no action; send \"allow\", \"confirm\" or \"deny\"");
	if (rule->id && strlen(rule->id) > TN_POLICY_ID_MAX)
		return fail_at(r, value->first, "its rule's id has more than 64 bytes");
	if (!rule->id)
		rule->id = tn_arena_format(arena, "rule %zu", r->index + 1);
	if (!rule->pattern)
		rule->pattern = describe(arena, rule);
	rule->source = r->built_in ? "built-in" : "policy.json";
	rule->built_in = r->built_in;
	return rule->id && rule->pattern ? TENON_OK : no_memory(r);
}

static enum tenon_code read_rule(struct reading *r, const struct tn_json *value, bool in_programs)
{
	struct tn_rule *rule = tn_arena_alloc(&r->rules->arena, sizeof(*rule));
	enum tenon_code code = TENON_OK;

	if (!rule)
		return no_memory(r);
	*r->tail = rule;
	r->tail = &rule->next;
	r->in_rule = true;
	for (const struct tn_json *m = value->first; m && code == TENON_OK; m = m->next)
		code = read_member(r, rule, m, in_programs);
	if (code == TENON_OK)
		code = finish_rule(r, rule, value, in_programs);
	r->in_rule = false;
	return code;
}

static struct tn_rule **end_of(struct tn_rule **list)
{
	while (*list)
		list = &(*list)->next;
	return list;
}

/* "built-in" among rules stands for the ones that hold without any. */
static enum tenon_code include_built_in(struct reading *r)
{
	enum tenon_code code = tn_rules_read(
		r->rules, tn_str(tn_term_rules_data, tn_term_rules_data_size), true, r->err);

	r->tail = end_of(&r->rules->rules);
	return code;
}

static enum tenon_code read_rules(struct reading *r, const struct tn_json *member)
{
	enum tenon_code code = TENON_OK;

	if (member->type != TN_JSON_ARRAY)
		return fail_at(r, member, "send a list of rules");
	if (member->count > TN_POLICY_RULES_MAX)
		return fail_at(r, member, "more than 1000 rules");
	r->tail = end_of(&r->rules->rules);
	r->index = 0;
	for (const struct tn_json *m = member->first; m && code == TENON_OK; m = m->next) {
		struct tn_str text;

		if (tn_json_to_str(m, &text) && tn_str_is(text, "built-in") && !r->built_in)
			code = include_built_in(r);
		else if (m->type == TN_JSON_OBJECT)
			code = read_rule(r, m, false);
		else
			code = fail_at(r, member,
				       "send a list of objects; \"built-in\" stands for "
				       "the built-in rules");
		r->index++;
	}
	if (!r->built_in)
		r->rules->rules_given = true;
	return code;
}

static enum tenon_code read_programs(struct reading *r, const struct tn_json *member)
{
	enum tenon_code code = TENON_OK;

	if (r->rules->programs)
		return TENON_OK; /* the built-in rules were asked for twice */
	r->tail = &r->rules->programs;
	for (const struct tn_json *m = member->first; m && code == TENON_OK; m = m->next)
		code = read_rule(r, m, true);
	return code;
}

/* ---- the members ---- */

static enum tenon_code read_default(struct reading *r, const struct tn_json *m)
{
	r->rules->fallback_given = true;
	return read_action(r, m, &r->rules->fallback);
}

static enum tenon_code read_hidden(struct reading *r, const struct tn_json *m)
{
	r->rules->hidden_given = true;
	return read_action(r, m, &r->rules->hidden);
}

static enum tenon_code read_opaque(struct reading *r, const struct tn_json *m)
{
	r->rules->opaque_given = true;
	return read_action(r, m, &r->rules->opaque);
}

static enum tenon_code read_confirm_fallback(struct reading *r, const struct tn_json *m)
{
	static const char *const names[] = {"refuse", "allow"};
	int which = find_name(m, names, TN_COUNT(names));

	if (which < 0)
		return fail_at(r, m, "send \"refuse\" or \"allow\"");
	r->rules->confirm_fallback = (enum tn_fallback)which;
	return TENON_OK;
}

static enum tenon_code read_interactive(struct reading *r, const struct tn_json *m)
{
	enum tenon_code code = read_action(r, m, &r->rules->interactive_input);

	if (code == TENON_OK && r->rules->interactive_input == TN_RULE_DENY)
		code = fail_at(r, m, "send \"allow\" or \"confirm\"");
	return code;
}

static enum tenon_code read_sandbox_off(struct reading *r, const struct tn_json *m)
{
	int which = find_name(m, actions, TN_COUNT(actions));
	bool allowed;

	if (which >= 0)
		r->rules->sandbox_off = (enum tn_rule_action)which;
	else if (tn_json_to_bool(m, &allowed))
		r->rules->sandbox_off = allowed ? TN_RULE_ALLOW : TN_RULE_DENY;
	else
		return fail_at(r, m, "send \"allow\", \"confirm\" or \"deny\", or true or false");
	return TENON_OK;
}

static enum tenon_code read_history_off(struct reading *r, const struct tn_json *m)
{
	if (tn_json_to_bool(m, &r->rules->history_off))
		return TENON_OK;
	if (read_texts(r, m, &r->rules->history_off_projects) != TENON_OK)
		return fail_at(r, m, "send true, false, or a list of project ids");
	return TENON_OK;
}

static const struct {
	const char *name;
	enum tenon_code (*read)(struct reading *r, const struct tn_json *m);
	bool only_built_in;
} members[] = {
	{"default", read_default, false},
	{"hidden", read_hidden, false},
	{"opaque", read_opaque, false},
	{"confirm_fallback", read_confirm_fallback, false},
	{"interactive_input", read_interactive, false},
	{"sandbox_off", read_sandbox_off, false},
	{"history_off", read_history_off, false},
	{"rules", read_rules, false},
	{"programs", read_programs, true},
};

static enum tenon_code read_members(struct reading *r, const struct tn_json *tree)
{
	enum tenon_code code = TENON_OK;

	if (tree->type != TN_JSON_OBJECT)
		return tn_fail(r->err, TENON_INVALID,
			       "policy.json: terminal: send an object, {...}");
	for (const struct tn_json *m = tree->first; m && code == TENON_OK; m = m->next) {
		size_t i = 0;

		while (i < TN_COUNT(members) && !(tn_str_is(m->key, members[i].name) &&
						  (r->built_in || !members[i].only_built_in)))
			i++;
		code = i < TN_COUNT(members)
			       ? members[i].read(r, m)
			       : fail_at(r, m,
					 "no such member; there are default, hidden, opaque, "
					 "confirm_fallback, interactive_input, sandbox_off, "
					 "history_off and rules");
	}
	return code;
}

/* "line 3: ..." becomes "policy.json:3: ...", as everywhere. */
static enum tenon_code rename_line(struct tenon_error *err, enum tenon_code code)
{
	struct tenon_error told;

	if (code != TENON_INVALID || !err || strncmp(err->message, "line ", 5) != 0)
		return code;
	told = *err;
	return tn_fail(err, code, "policy.json:%.200s", told.message + 5);
}

enum tenon_code tn_rules_read(struct tn_rules *rules, struct tn_str text, bool built_in,
			      struct tenon_error *err)
{
	struct reading r = {.rules = rules, .text = text, .built_in = built_in, .err = err};
	struct tn_json *tree;
	enum tenon_code code;

	if (text.size > 2 * TN_POLICY_BYTES_MAX)
		return tn_fail(err, TENON_LIMIT, "policy.json: terminal: more than %zu bytes",
			       TN_POLICY_BYTES_MAX);
	code = rename_line(err, tn_jsonc_parse(&rules->arena, text, &tree, &r.base, err));
	return code == TENON_OK ? read_members(&r, tree) : code;
}
