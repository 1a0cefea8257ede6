/* The policy file: what it may say, what it means, and what is wrong with it (docs/policy.md). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/limits.h"
#include "base/size.h"
#include "mcp/consent_policy.h"
#include "tenon/tool.h"

static struct tn_policy *parse(const char *text)
{
	struct tn_policy *policy = NULL;
	struct tenon_error err;

	if (tn_policy_parse(tn_str_from(text), &policy, &err) != TENON_OK)
		fail_msg("%s", err.message);
	return policy;
}

struct asked {
	const char *tool, *app, *act, *client, *through;
	unsigned flags;
	bool person;
};

static struct tn_policy_answer ask(const struct tn_policy *policy, struct asked a)
{
	return tn_policy_ask(policy, &(struct tn_policy_question){
					     .tool = tn_str_from(a.tool),
					     .app = tn_str_from(a.app ? a.app : ""),
					     .act = tn_str_from(a.act),
					     .client = tn_str_from(a.client ? a.client : "c"),
					     .flags = a.flags,
					     .through = tn_str_from(a.through),
					     .person = a.person});
}

static void expect(const char *text, struct asked a, enum tn_verdict verdict, const char *rule)
{
	struct tn_policy *policy = parse(text);
	struct tn_policy_answer answer = ask(policy, a);

	assert_int_equal(answer.verdict, verdict);
	if (rule)
		assert_string_equal(answer.rule, rule);
	else
		assert_null(answer.rule);
	tn_policy_free(policy);
}

static void test_built_in(void **state)
{
	static const struct {
		struct asked asked;
		enum tn_verdict verdict;
	} cases[] = {
		{{.tool = "t"}, TN_CONFIRM}, /* destructive and open, unless it says otherwise */
		{{.tool = "t", .flags = TENON_IDEMPOTENT}, TN_CONFIRM},
		{{.tool = "t", .flags = TENON_CLOSED_WORLD}, TN_ALLOW},
		{{.tool = "t", .flags = TENON_NOT_DESTRUCTIVE}, TN_ALLOW},
		{{.tool = "t", .flags = TENON_READ_ONLY}, TN_ALLOW},
		{{.tool = "t", .person = true}, TN_ALLOW}, /* a person does it themselves */
		{{.tool = "t", .act = "apply", .flags = TENON_CLOSED_WORLD}, TN_CONFIRM},
		{{.tool = "t", .act = "apply", .person = true}, TN_ALLOW},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		expect(NULL, cases[i].asked, cases[i].verdict, NULL);
		expect("{}", cases[i].asked, cases[i].verdict, NULL);
		expect("{\"default\":\"annotations\"}", cases[i].asked, cases[i].verdict, NULL);
	}
}

static void test_defaults(void **state)
{
	(void)state;
	expect("{\"default\":\"allow\"}", (struct asked){.tool = "t"}, TN_ALLOW, NULL);
	expect("{\"default\":\"allow\"}", (struct asked){.tool = "t", .act = "x"}, TN_ALLOW, NULL);
	expect("{\"default\":\"confirm\"}",
	       (struct asked){.tool = "t", .flags = TENON_CLOSED_WORLD}, TN_CONFIRM, NULL);
	expect("{\"default\":\"confirm\"}", (struct asked){.tool = "t", .flags = TENON_READ_ONLY},
	       TN_ALLOW, NULL);
	expect("{\"default\":\"deny\"}", (struct asked){.tool = "t", .flags = TENON_READ_ONLY},
	       TN_DENY, NULL);
	expect("{\"default\":\"deny\"}", (struct asked){.tool = "t", .person = true}, TN_DENY,
	       NULL);
}

static void test_first_rule_wins(void **state)
{
	static const char text[] =
		"{ // comments are fine\n"
		"  \"rules\": [\n"
		"    {\"id\": \"ours\", \"tool\": [\"a_*\", \"b\"], \"action\": \"deny\"},\n"
		"    {\"tool\": \"*\", \"client\": \"ci-*\", \"action\": \"allow\"},\n"
		"    {\"app\": \"studio\", \"act\": [\"apply\", \"destroy\"], \"action\": "
		"\"confirm\"},\n"
		"    {\"flags\": {\"destructive\": true, \"openWorld\": false}, \"action\": "
		"\"confirm\"},\n"
		"  ],\n"
		"  \"default\": \"allow\"\n"
		"}\n";

	(void)state;
	expect(text, (struct asked){.tool = "a_x"}, TN_DENY, "ours");
	expect(text, (struct asked){.tool = "b", .client = "ci-1"}, TN_DENY, "ours");
	expect(text, (struct asked){.tool = "c", .client = "ci-1"}, TN_ALLOW, "rule 2");
	expect(text, (struct asked){.tool = "c", .app = "studio", .act = "apply"}, TN_CONFIRM,
	       "rule 3");
	expect(text, (struct asked){.tool = "c", .app = "studio", .act = "plan"}, TN_ALLOW, NULL);
	expect(text, (struct asked){.tool = "c", .app = "studio"}, TN_ALLOW, NULL); /* no act yet */
	expect(text, (struct asked){.tool = "c", .app = "plan", .act = "apply"}, TN_ALLOW, NULL);
	expect(text, (struct asked){.tool = "c", .flags = TENON_CLOSED_WORLD}, TN_CONFIRM,
	       "rule 4");
}

/* HO-010: who denies a finder denies every call through it; who allows one allows no tool. */
static void test_through(void **state)
{
	static const char denied[] =
		"{\"rules\":[{\"client\":\"ci\",\"tool\":\"call_*\",\"action\":\"allow\"},"
		"{\"id\":\"way\",\"tool\":[\"call_writing_tool\",\"call_tool\"],\"action\":"
		"\"deny\"},"
		"{\"id\":\"a\",\"tool\":\"a\",\"action\":\"deny\"}]}";
	static const char others[] = "{\"rules\":[{\"tool\":\"t\",\"action\":\"allow\"},{\"tool\":"
				     "\"*\",\"action\":\"deny\"}],"
				     "\"default\":\"deny\"}";
	static const char allowed[] =
		"{\"rules\":[{\"tool\":\"call_tool\",\"action\":\"allow\"}],\"default\":\"deny\"}";

	(void)state;
	expect(denied, (struct asked){.tool = "t", .through = "call_tool"}, TN_DENY, "way");
	expect(denied, (struct asked){.tool = "t", .flags = TENON_READ_ONLY}, TN_ALLOW, NULL);
	expect(denied,
	       (struct asked){.tool = "t",
			      .client = "ci",
			      .flags = TENON_READ_ONLY,
			      .through = "call_tool"},
	       TN_ALLOW, NULL);
	expect(denied, (struct asked){.tool = "a", .client = "ci", .through = "call_tool"}, TN_DENY,
	       "a");
	expect(others, (struct asked){.tool = "t", .through = "call_tool"}, TN_ALLOW, "rule 1");
	expect(allowed, (struct asked){.tool = "t", .through = "call_tool"}, TN_DENY, NULL);
}

static void test_flags(void **state)
{
	static const struct {
		const char *flags;
		unsigned fits, fits_not;
	} cases[] = {
		{"{\"readOnly\":true}", TENON_READ_ONLY, 0},
		{"{\"readOnly\":false}", 0, TENON_READ_ONLY},
		{"{\"destructive\":true}", 0, TENON_NOT_DESTRUCTIVE},
		{"{\"destructive\":true}", TENON_IDEMPOTENT, TENON_READ_ONLY},
		{"{\"destructive\":false}", TENON_NOT_DESTRUCTIVE, 0},
		{"{\"idempotent\":true}", TENON_IDEMPOTENT, 0},
		{"{\"openWorld\":true}", 0, TENON_CLOSED_WORLD},
		{"{\"openWorld\":false,\"idempotent\":false}", TENON_CLOSED_WORLD,
		 TENON_CLOSED_WORLD | TENON_IDEMPOTENT},
	};
	char text[256];

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		struct tn_buf out = {.data = text, .capacity = sizeof(text), .limit = sizeof(text)};

		tn_buf_format(&out,
			      "{\"default\":\"allow\",\"rules\":[{\"flags\":%s,\"action\":\"deny\"}"
			      "]}",
			      cases[i].flags);
		text[out.size] = '\0';
		expect(text, (struct asked){.tool = "t", .flags = cases[i].fits}, TN_DENY,
		       "rule 1");
		expect(text, (struct asked){.tool = "t", .flags = cases[i].fits_not}, TN_ALLOW,
		       NULL);
	}
}

/* Reading is asked about only by a rule that means it. */
static void test_read_only(void **state)
{
	static const struct {
		const char *rule;
		enum tn_verdict verdict;
	} cases[] = {
		{"{\"action\":\"confirm\"}", TN_ALLOW},
		{"{\"tool\":\"*\",\"action\":\"confirm\"}", TN_ALLOW},
		{"{\"app\":\"plan\",\"action\":\"confirm\"}", TN_ALLOW},
		{"{\"tool\":\"look_*\",\"action\":\"confirm\"}", TN_CONFIRM},
		{"{\"tool\":[\"x\",\"look_up\"],\"action\":\"confirm\"}", TN_CONFIRM},
		{"{\"flags\":{\"readOnly\":true},\"action\":\"confirm\"}", TN_CONFIRM},
		{"{\"app\":\"plan\",\"action\":\"deny\"}", TN_DENY},
	};
	char text[256];

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		struct tn_buf out = {.data = text, .capacity = sizeof(text), .limit = sizeof(text)};

		tn_buf_format(&out, "{\"rules\":[%s]}", cases[i].rule);
		text[out.size] = '\0';
		expect(text,
		       (struct asked){.tool = "look_up", .app = "plan", .flags = TENON_READ_ONLY},
		       cases[i].verdict, cases[i].verdict == TN_ALLOW ? NULL : "rule 1");
	}
}

static void test_persons(void **state)
{
	static const struct asked person = {.tool = "t", .person = true}, other = {.tool = "t"};

	(void)state;
	expect("{\"rules\":[{\"action\":\"confirm\"}]}", person, TN_ALLOW, NULL);
	expect("{\"rules\":[{\"action\":\"confirm\",\"person\":true}]}", person, TN_CONFIRM,
	       "rule 1");
	expect("{\"rules\":[{\"action\":\"deny\",\"person\":true}]}", other, TN_CONFIRM, NULL);
	expect("{\"rules\":[{\"action\":\"deny\",\"person\":false}]}", person, TN_ALLOW, NULL);
	expect("{\"rules\":[{\"action\":\"deny\"}]}", person, TN_DENY, "rule 1");
}

static void test_settings(void **state)
{
	struct tn_policy *policy = parse(NULL);

	(void)state;
	assert_int_equal(tn_policy_elicitation(policy), TN_ELICITATION_GUARDED);
	assert_int_equal(tn_policy_timeout_ms(policy), 0);
	assert_true(ask(policy, (struct asked){.tool = "t"}).built_in);
	tn_policy_free(policy);
	policy = parse(
		"{\"timeout_s\": 90, \"elicitation\": \"never\", \"rules\": [{\"tool\": \"t\","
		"\"action\": \"confirm\", \"elicitation\": true}, {\"tool\": \"u\","
		"\"action\": \"confirm\", \"elicitation\": false}]}");
	assert_int_equal(tn_policy_elicitation(policy), TN_ELICITATION_NEVER);
	assert_int_equal(tn_policy_timeout_ms(policy), 90000);
	assert_int_equal(ask(policy, (struct asked){.tool = "t"}).elicitation, 1);
	assert_int_equal(ask(policy, (struct asked){.tool = "u"}).elicitation, 0);
	assert_int_equal(ask(policy, (struct asked){.tool = "v"}).elicitation, -1);
	assert_false(ask(policy, (struct asked){.tool = "t"}).built_in);
	tn_policy_free(policy);
}

/* The line, the member, what was wrong, what to send instead. */
static void test_faults(void **state)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{"[]", "policy.json:1: send an object, {...}"},
		{"{\n\"defualt\": \"deny\"}",
		 "policy.json:2: defualt: no such member; a policy has "
		 "default, rules, timeout_s, elicitation and terminal"},
		{"{\"default\": \"maybe\"}", "policy.json:1: default: send \"annotations\", "
					     "\"allow\", \"confirm\" or \"deny\""},
		{"{\"default\": true}", "policy.json:1: default: send \"annotations\", \"allow\", "
					"\"confirm\" or \"deny\""},
		{"{\n\n\"timeout_s\": 0}", "policy.json:3: timeout_s: send 1 to 86400 seconds"},
		{"{\"timeout_s\": 86401}", "policy.json:1: timeout_s: send 1 to 86400 seconds"},
		{"{\"elicitation\": false}", "policy.json:1: elicitation: send \"guarded\", "
					     "\"always\", \"no_page\" or \"never\""},
		{"{\"rules\": {}}", "policy.json:1: rules: send a list of rules"},
		{"{\"rules\": [7]}", "policy.json:1: rules: send a list of objects"},
		{"{\"rules\": [\n{\"action\": \"deny\"},\n{\"tool\": \"x\"}]}",
		 "policy.json:3: rules[1]: no action; send \"allow\", \"confirm\" or \"deny\""},
		{"{\"rules\": [{}]}",
		 "policy.json:1: rules[0]: no action; send \"allow\", \"confirm\" or \"deny\""},
		{"{\"rules\": [{\"action\": \"ask\"}]}",
		 "policy.json:1: rules[0].action: send \"allow\", \"confirm\" or \"deny\""},
		{"{\"rules\": [{\"action\": \"deny\", \"tools\": \"x\"}]}",
		 "policy.json:1: rules[0].tools: no such member; a rule has id, tool, app, act, "
		 "client, flags, person, action and elicitation"},
		{"{\"rules\": [{\"action\": \"deny\", \"tool\": 7}]}",
		 "policy.json:1: rules[0].tool: send a text, or a list of texts; * stands for any "
		 "characters"},
		{"{\"rules\": [{\"action\": \"deny\", \"tool\": [\"x\", \"\"]}]}",
		 "policy.json:1: rules[0].tool: send a text, or a list of texts; * stands for any "
		 "characters"},
		{"{\"rules\": [{\"action\": \"deny\", \"app\": []}]}",
		 "policy.json:1: rules[0].app: an empty list fits nothing; leave the rule out"},
		{"{\"rules\": [{\"action\": \"deny\", \"flags\": {\"destroys\": true}}]}",
		 "policy.json:1: rules[0].destroys: no such flag; there are readOnly, destructive, "
		 "idempotent and openWorld"},
		{"{\"rules\": [{\"action\": \"deny\", \"flags\": {\"readOnly\": 1}}]}",
		 "policy.json:1: rules[0].readOnly: send true or false"},
		{"{\"rules\": [{\"action\": \"deny\", \"person\": \"yes\"}]}",
		 "policy.json:1: rules[0].person: send true or false"},
		{"{\"rules\": [{\"action\": \"deny\", \"id\": \"\"}]}",
		 "policy.json:1: rules[0].id: send a text of 1 to 64 bytes"},
		{"{\"rules\": [{\"action\": \"deny\", \"elicitation\": \"always\"}]}",
		 "policy.json:1: rules[0].elicitation: send true or false"},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		struct tn_policy *policy;
		struct tenon_error err;

		assert_int_equal(tn_policy_parse(tn_str_from(cases[i].text), &policy, &err),
				 TENON_INVALID);
		assert_string_equal(err.message, cases[i].message);
	}
}

static void test_not_json(void **state)
{
	struct tn_policy *policy;
	struct tenon_error err;

	(void)state;
	assert_int_equal(tn_policy_parse(TN_STR("{\n \"default\": }"), &policy, &err),
			 TENON_INVALID);
	assert_true(tn_str_starts(tn_str_from(err.message), TN_STR("policy.json:2: ")));
}

static void test_too_large(void **state)
{
	struct tn_policy *policy;
	struct tenon_error err;
	struct tn_buf text;

	(void)state;
	tn_buf_init(&text, TN_MIB);
	while (text.size <= TN_POLICY_BYTES_MAX)
		tn_buf_append_text(&text, "// a comment\n");
	assert_int_equal(tn_policy_parse(tn_buf_str(&text), &policy, &err), TENON_LIMIT);
	tn_buf_clear(&text);
	tn_buf_append_text(&text, "{\"rules\":[{\"action\":\"deny\"}");
	for (size_t i = 0; i < TN_POLICY_RULES_MAX; i++)
		tn_buf_append_text(&text, ",{\"action\":\"deny\"}");
	tn_buf_append_text(&text, "]}");
	assert_int_equal(tn_policy_parse(tn_buf_str(&text), &policy, &err), TENON_INVALID);
	assert_string_equal(err.message, "policy.json:1: rules: more than 1000 rules");
	tn_buf_finish(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_built_in),        cmocka_unit_test(test_defaults),
		cmocka_unit_test(test_first_rule_wins), cmocka_unit_test(test_flags),
		cmocka_unit_test(test_read_only),       cmocka_unit_test(test_persons),
		cmocka_unit_test(test_settings),        cmocka_unit_test(test_faults),
		cmocka_unit_test(test_not_json),        cmocka_unit_test(test_too_large),
		cmocka_unit_test(test_through),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
