#include "mcp/consent_policy.h"

#include "base/arena.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/size.h"
#include "jsonrpc/jsonc.h"
#include "mcp/limits.h"
#include "mcp/scope.h"

/* What a rule wants of a flag. */
enum want { WANT_ANY, WANT_SET, WANT_CLEAR };

struct patterns {
	const struct tn_str *texts;
	size_t count;
	bool any; /* the rule does not say */
};

struct rule {
	const char *id;
	struct patterns tools, apps, acts, clients;
	enum want read_only, destructive, idempotent, open_world, person;
	enum tn_verdict verdict;
	int elicitation;
};

enum fallback { FALLBACK_ANNOTATIONS, FALLBACK_ALLOW, FALLBACK_CONFIRM, FALLBACK_DENY };

struct tn_policy {
	struct tn_arena arena; /* everything below, and the text */
	struct rule *rules;
	size_t count;
	enum fallback fallback;
	bool fallback_given;
	enum tn_elicitation elicitation;
	uint64_t timeout_ms;
	struct tn_str terminal; /* the member of this name, for the app */
};

/* ---- reading ---- */

struct reading {
	struct tn_policy *policy;
	struct tn_str text;
	const char *base; /* what the tree's texts point into, at the text's offsets */
	size_t index;     /* of the rule being read */
	struct tenon_error *err;
};

enum { SHOWN_MAX = 60 };

/* "policy.json:4: rules[1].action: <what>" */
static enum tenon_code fail_at(const struct reading *r, const struct tn_json *member, bool in_rule,
			       const char *what)
{
	size_t line = tn_jsonc_line(r->text, (size_t)(member->key.data - r->base));
	int size = member->key.size < SHOWN_MAX ? (int)member->key.size : SHOWN_MAX;

	if (in_rule)
		return tn_fail(r->err, TENON_INVALID, "policy.json:%zu: rules[%zu].%.*s: %s", line,
			       r->index, size, member->key.data, what);
	return tn_fail(r->err, TENON_INVALID, "policy.json:%zu: %.*s: %s", line, size,
		       member->key.data, what);
}

/* The place of a text among `names`; -1: none of them. */
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

typedef enum tenon_code rule_member_fn(const struct reading *r, struct rule *rule,
				       const struct tn_json *member);

static enum tenon_code read_id(const struct reading *r, struct rule *rule,
			       const struct tn_json *member)
{
	struct tn_str text;

	if (!tn_json_to_str(member, &text) || text.size == 0 || text.size > TN_POLICY_ID_MAX)
		return fail_at(r, member, true, "send a text of 1 to 64 bytes");
	rule->id = text.data; /* a NUL follows */
	return TENON_OK;
}

static enum tenon_code read_patterns(const struct reading *r, const struct tn_json *member,
				     struct patterns *ret)
{
	size_t count = member->type == TN_JSON_ARRAY ? member->count : 1, i = 0;
	struct tn_str *texts = tn_arena_alloc_array(&r->policy->arena, count, sizeof(*texts));

	if (!texts)
		return tn_fail(r->err, TENON_NO_MEMORY, "out of memory");
	for (const struct tn_json *at = member->type == TN_JSON_ARRAY ? member->first : member;
	     i < count; at = at->next, i++) {
		if (!tn_json_to_str(at, &texts[i]) || texts[i].size == 0)
			return fail_at(r, member, true,
				       "send a text, or a list of texts; * stands for any "
				       "characters");
	}
	if (count == 0)
		return fail_at(r, member, true, "an empty list fits nothing; leave the rule out");
	*ret = (struct patterns){.texts = texts, .count = count};
	return TENON_OK;
}

static enum tenon_code read_tool(const struct reading *r, struct rule *rule,
				 const struct tn_json *member)
{
	return read_patterns(r, member, &rule->tools);
}

static enum tenon_code read_app(const struct reading *r, struct rule *rule,
				const struct tn_json *member)
{
	return read_patterns(r, member, &rule->apps);
}

static enum tenon_code read_act(const struct reading *r, struct rule *rule,
				const struct tn_json *member)
{
	return read_patterns(r, member, &rule->acts);
}

static enum tenon_code read_client(const struct reading *r, struct rule *rule,
				   const struct tn_json *member)
{
	return read_patterns(r, member, &rule->clients);
}

static bool read_want(const struct tn_json *member, enum want *ret)
{
	bool value;

	if (!tn_json_to_bool(member, &value))
		return false;
	*ret = value ? WANT_SET : WANT_CLEAR;
	return true;
}

static enum tenon_code read_flags(const struct reading *r, struct rule *rule,
				  const struct tn_json *member)
{
	const struct {
		const char *name;
		enum want *want;
	} flags[] = {
		{"readOnly", &rule->read_only},
		{"destructive", &rule->destructive},
		{"idempotent", &rule->idempotent},
		{"openWorld", &rule->open_world},
	};

	if (member->type != TN_JSON_OBJECT)
		return fail_at(r, member, true, "send an object such as {\"destructive\": true}");
	for (const struct tn_json *m = member->first; m; m = m->next) {
		size_t i = 0;

		while (i < TN_COUNT(flags) && !tn_str_is(m->key, flags[i].name))
			i++;
		if (i == TN_COUNT(flags))
			return fail_at(r, m, true,
				       "no such flag; there are readOnly, destructive, idempotent "
				       "and openWorld");
		if (!read_want(m, flags[i].want))
			return fail_at(r, m, true, "send true or false");
	}
	return TENON_OK;
}

static enum tenon_code read_person(const struct reading *r, struct rule *rule,
				   const struct tn_json *member)
{
	return read_want(member, &rule->person) ? TENON_OK
						: fail_at(r, member, true, "send true or false");
}

static enum tenon_code read_action(const struct reading *r, struct rule *rule,
				   const struct tn_json *member)
{
	static const char *const names[] = {"allow", "confirm", "deny"};
	int which = find_name(member, names, TN_COUNT(names));

	if (which < 0)
		return fail_at(r, member, true, "send \"allow\", \"confirm\" or \"deny\"");
	rule->verdict = (enum tn_verdict)which;
	return TENON_OK;
}

static enum tenon_code read_counts(const struct reading *r, struct rule *rule,
				   const struct tn_json *member)
{
	bool value;

	if (!tn_json_to_bool(member, &value))
		return fail_at(r, member, true, "send true or false");
	rule->elicitation = value;
	return TENON_OK;
}

static const struct {
	const char *name;
	rule_member_fn *read;
} rule_members[] = {
	{"id", read_id},         {"tool", read_tool},     {"app", read_app},
	{"act", read_act},       {"client", read_client}, {"flags", read_flags},
	{"person", read_person}, {"action", read_action}, {"elicitation", read_counts},
};

static enum tenon_code read_rule(const struct reading *r, const struct tn_json *list,
				 const struct tn_json *value, struct rule *rule)
{
	enum tenon_code code = TENON_OK;

	if (value->type != TN_JSON_OBJECT)
		return fail_at(r, list, false, "send a list of objects");
	rule->tools.any = rule->apps.any = rule->acts.any = rule->clients.any = true;
	rule->elicitation = -1;
	for (const struct tn_json *m = value->first; m && code == TENON_OK; m = m->next) {
		size_t i = 0;

		while (i < TN_COUNT(rule_members) && !tn_str_is(m->key, rule_members[i].name))
			i++;
		code = i < TN_COUNT(rule_members)
			       ? rule_members[i].read(r, rule, m)
			       : fail_at(r, m, true,
					 "no such member; a rule has id, tool, app, act, client, "
					 "flags, person, action and elicitation");
	}
	if (code != TENON_OK)
		return code;
	if (!tn_json_get(value, "action"))
		return tn_fail(
			r->err, TENON_INVALID,
			"policy.json:%zu: rules[%zu]: no action; send \"allow\", "
			"\"confirm\" or \"deny\"",
			tn_jsonc_line(
				r->text,
				(size_t)((value->first ? value->first : list)->key.data - r->base)),
			r->index);
	if (!rule->id)
		rule->id = tn_arena_format(&r->policy->arena, "rule %zu", r->index + 1);
	return rule->id ? TENON_OK : tn_fail(r->err, TENON_NO_MEMORY, "out of memory");
}

static enum tenon_code read_rules(struct reading *r, const struct tn_json *member)
{
	struct tn_policy *policy = r->policy;
	enum tenon_code code = TENON_OK;

	if (member->type != TN_JSON_ARRAY)
		return fail_at(r, member, false, "send a list of rules");
	if (member->count > TN_POLICY_RULES_MAX)
		return fail_at(r, member, false, "more than 1000 rules");
	policy->rules = tn_arena_alloc_array(&policy->arena, member->count, sizeof(*policy->rules));
	if (!policy->rules)
		return tn_fail(r->err, TENON_NO_MEMORY, "out of memory");
	for (const struct tn_json *m = member->first; m && code == TENON_OK; m = m->next) {
		r->index = policy->count;
		code = read_rule(r, member, m, &policy->rules[policy->count++]);
	}
	return code;
}

static enum tenon_code read_default(struct reading *r, const struct tn_json *member)
{
	static const char *const names[] = {"annotations", "allow", "confirm", "deny"};
	int which = find_name(member, names, TN_COUNT(names));

	if (which < 0)
		return fail_at(r, member, false,
			       "send \"annotations\", \"allow\", \"confirm\" or \"deny\"");
	r->policy->fallback = (enum fallback)which;
	r->policy->fallback_given = true;
	return TENON_OK;
}

static enum tenon_code read_elicitation(struct reading *r, const struct tn_json *member)
{
	static const char *const names[] = {"guarded", "always", "no_page", "never"};
	int which = find_name(member, names, TN_COUNT(names));

	if (which < 0)
		return fail_at(r, member, false,
			       "send \"guarded\", \"always\", \"no_page\" or \"never\"");
	r->policy->elicitation = (enum tn_elicitation)which;
	return TENON_OK;
}

static enum tenon_code read_timeout(struct reading *r, const struct tn_json *member)
{
	int64_t seconds;

	if (!tn_json_to_int(member, &seconds) || seconds < 1 || seconds > TN_CONSENT_SECONDS_MAX)
		return fail_at(r, member, false, "send 1 to 86400 seconds");
	r->policy->timeout_ms = (uint64_t)seconds * 1000;
	return TENON_OK;
}

/* What it says is the app's business: only its text is kept, where it stands in the file. */
static enum tenon_code read_terminal(struct reading *r, const struct tn_json *member)
{
	const struct tn_str key = TN_STR("terminal");
	const struct tn_jsonc_path path = {&key, 1};
	struct tn_jsonc_member place;
	enum tenon_code code = tn_jsonc_find(r->text, path, &place, r->err);
	size_t lines;
	char *text;

	if (code != TENON_OK)
		return fail_at(r, member, false, "it stands there twice");
	lines = tn_jsonc_line(r->text, place.value_at) - 1;
	text = tn_arena_alloc_raw(&r->policy->arena, lines + place.value_size + 1);
	if (!text)
		return tn_fail(r->err, TENON_NO_MEMORY, "out of memory");
	memset(text, '\n', lines);
	memcpy(text + lines, r->text.data + place.value_at, place.value_size);
	r->policy->terminal = tn_str(text, lines + place.value_size);
	return TENON_OK;
}

static const struct {
	const char *name;
	enum tenon_code (*read)(struct reading *r, const struct tn_json *member);
} members[] = {
	{"default", read_default},         {"rules", read_rules},       {"timeout_s", read_timeout},
	{"elicitation", read_elicitation}, {"terminal", read_terminal},
};

static enum tenon_code read_policy(struct reading *r, const struct tn_json *tree)
{
	enum tenon_code code = TENON_OK;

	if (tree->type != TN_JSON_OBJECT)
		return tn_fail(r->err, TENON_INVALID, "policy.json:1: send an object, {...}");
	for (const struct tn_json *m = tree->first; m && code == TENON_OK; m = m->next) {
		size_t i = 0;

		while (i < TN_COUNT(members) && !tn_str_is(m->key, members[i].name))
			i++;
		code = i < TN_COUNT(members)
			       ? members[i].read(r, m)
			       : fail_at(r, m, false,
					 "no such member; a policy has default, rules, timeout_s, "
					 "elicitation and terminal");
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

enum tenon_code tn_policy_parse(struct tn_str text, struct tn_policy **ret, struct tenon_error *err)
{
	struct reading r = {.text = text, .err = err};
	struct tn_json *tree;
	enum tenon_code code;

	if (text.size > TN_POLICY_BYTES_MAX)
		return tn_fail(err, TENON_LIMIT, "policy.json: more than %zu bytes",
			       TN_POLICY_BYTES_MAX);
	r.policy = tn_mem_alloc(sizeof(*r.policy));
	if (!r.policy)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	tn_arena_init(&r.policy->arena, TN_POLICY_ARENA_MAX);
	code = TENON_OK;
	if (text.data) {
		code = rename_line(err,
				   tn_jsonc_parse(&r.policy->arena, text, &tree, &r.base, err));
		if (code == TENON_OK)
			code = read_policy(&r, tree);
	}
	if (code == TENON_OK)
		*ret = r.policy;
	else
		tn_policy_free(r.policy);
	return code;
}

void tn_policy_free(struct tn_policy *policy)
{
	if (!policy)
		return;
	tn_arena_finish(&policy->arena);
	tn_mem_free(policy);
}

/* ---- asking ---- */

static bool fits(const struct patterns *patterns, struct tn_str text)
{
	if (patterns->any)
		return true;
	for (size_t i = 0; i < patterns->count; i++) {
		if (tn_pattern_fits(patterns->texts[i], text))
			return true;
	}
	return false;
}

static bool wants(enum want want, bool is_set)
{
	return want == WANT_ANY || (want == WANT_SET) == is_set;
}

static bool is_destructive(unsigned flags)
{
	return !(flags & (TENON_READ_ONLY | TENON_NOT_DESTRUCTIVE));
}

/* Somebody wrote this tool's name, or a part of it. */
static bool names(const struct patterns *tools, struct tn_str tool)
{
	for (size_t i = 0; !tools->any && i < tools->count; i++) {
		struct tn_str text = tools->texts[i];
		size_t at = 0;

		while (at < text.size && text.data[at] == '*')
			at++;
		if (at < text.size && tn_pattern_fits(text, tool))
			return true;
	}
	return false;
}

/* A tool that changes nothing is asked about only when a rule means it, and a person for what they
 * do themselves only when a rule says so. */
static bool may_confirm(const struct rule *rule, const struct tn_policy_question *q)
{
	if (q->person && rule->person != WANT_SET)
		return false;
	return q->act.data || !(q->flags & TENON_READ_ONLY) || rule->read_only == WANT_SET ||
	       names(&rule->tools, q->tool);
}

/* In all but the tool's name. */
static bool rest_fits(const struct rule *rule, const struct tn_policy_question *q)
{
	if (!rule->acts.any && (!q->act.data || !fits(&rule->acts, q->act)))
		return false;
	return fits(&rule->apps, q->app) && fits(&rule->clients, q->client) &&
	       wants(rule->person, q->person) &&
	       wants(rule->read_only, q->flags & TENON_READ_ONLY) &&
	       wants(rule->destructive, is_destructive(q->flags)) &&
	       wants(rule->idempotent, q->flags & TENON_IDEMPOTENT) &&
	       wants(rule->open_world, !(q->flags & TENON_CLOSED_WORLD));
}

static bool rule_fits(const struct rule *rule, const struct tn_policy_question *q)
{
	return fits(&rule->tools, q->tool) && rest_fits(rule, q) &&
	       (rule->verdict != TN_CONFIRM || may_confirm(rule, q));
}

static enum tn_verdict fall_back(enum fallback fallback, const struct tn_policy_question *q)
{
	bool asks = false;

	switch (fallback) {
	case FALLBACK_ALLOW:
		return TN_ALLOW;
	case FALLBACK_DENY:
		return TN_DENY;
	case FALLBACK_CONFIRM:
		asks = q->act.data || !(q->flags & TENON_READ_ONLY);
		break;
	case FALLBACK_ANNOTATIONS:
		asks = q->act.data ||
		       (is_destructive(q->flags) && !(q->flags & TENON_CLOSED_WORLD));
		break;
	}
	return asks && !q->person ? TN_CONFIRM : TN_ALLOW;
}

/* The rule that refuses the way by which the call came: the first that names the finder, if that
 * denies. One that allows a finder allows no tool. NULL: the way is free. */
static const struct rule *find_refused_way(const struct tn_policy *policy,
					   const struct tn_policy_question *q)
{
	for (size_t i = 0; q->through.data && i < policy->count; i++) {
		const struct rule *rule = &policy->rules[i];

		if (names(&rule->tools, q->through) && rest_fits(rule, q))
			return rule->verdict == TN_DENY ? rule : NULL;
	}
	return NULL;
}

struct tn_policy_answer tn_policy_ask(const struct tn_policy *policy,
				      const struct tn_policy_question *question)
{
	const struct rule *refused = find_refused_way(policy, question);

	if (refused)
		return (struct tn_policy_answer){
			.verdict = TN_DENY, .rule = refused->id, .way = true, .elicitation = -1};
	for (size_t i = 0; i < policy->count; i++) {
		const struct rule *rule = &policy->rules[i];

		if (rule_fits(rule, question))
			return (struct tn_policy_answer){.verdict = rule->verdict,
							 .rule = rule->id,
							 .elicitation = rule->elicitation};
	}
	return (struct tn_policy_answer){.verdict = fall_back(policy->fallback, question),
					 .built_in = !policy->fallback_given,
					 .elicitation = -1};
}

enum tn_elicitation tn_policy_elicitation(const struct tn_policy *policy)
{
	return policy->elicitation;
}

uint64_t tn_policy_timeout_ms(const struct tn_policy *policy)
{
	return policy->timeout_ms;
}

struct tn_str tn_policy_member(const struct tn_policy *policy, const char *name)
{
	return strcmp(name, "terminal") == 0 ? policy->terminal : tn_str("", 0);
}
