/* Rules of a policy file: reading them, and what they decide (terminal.md sections 7.13 and 10.1).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "apps/terminal/policy/paths.h"
#include "apps/terminal/limits.h"
#include "apps/terminal/policy/rules_write.h"
#include "base/size.h"

/* The example of terminal.md 10.1 as JSON. */
static const char example[] =
	"{\"default\": \"allow\", \"opaque\": \"confirm\", \"confirm_fallback\": \"refuse\",\n"
	" \"rules\": [\n"
	"  {\"action\": \"deny\", \"command\": \"mkfs*\"},\n"
	"  {\"id\": \"forced-push\", \"action\": \"confirm\", \"command\": \"git\",\n"
	"   \"args\": [\"push\"], \"any\": [\"--force\", \"-f\", \"--force-with-lease\"]},\n"
	"  {\"action\": \"confirm\", \"command\": [\"rm\"],\n"
	"   \"any\": [\"-r\", \"-R\", \"--recursive\", \"-f\", \"--force\"]},\n"
	"  {\"action\": \"deny\", \"path_write\": [\"/etc/**\", \"~/.ssh/**\"]},\n"
	"  {\"action\": \"allow\", \"command\": [\"ls\", \"cat\", \"git\"], \"cwd\": "
	"[\"/srv/**\"]}\n"
	" ]}";

struct asked {
	struct tn_arena arena;
	struct tn_analysis analysis;
	struct tn_verdict_of_rules verdict;
};

static struct tn_rules *make(const char *text)
{
	struct tn_rules *rules;
	struct tenon_error err;

	if (tn_rules_create(tn_str_from(text), &rules, &err) != TENON_OK)
		fail_msg("%s", err.message);
	return rules;
}

static void ask(struct asked *a, const struct tn_rules *rules, const char *command, const char *cwd,
		bool network)
{
	const struct tn_analysis_surroundings around = {.cwd = cwd};
	const struct tn_rules_question question = {
		.analysis = &a->analysis, .cwd = cwd, .home = "/home/ann", .network = network};
	struct tenon_error err;

	tn_arena_init(&a->arena, TN_ANALYSIS_ARENA_MAX);
	assert_int_equal(tn_analyse(&a->arena, tn_str_from(command), &around, &a->analysis, &err),
			 TENON_OK);
	assert_int_equal(tn_rules_judge(rules, &a->arena, &question, &a->verdict, &err), TENON_OK);
}

static void expect(const struct tn_rules *rules, const char *command, const char *cwd,
		   const char *action, const char *rule)
{
	struct asked a;

	ask(&a, rules, command, cwd, false);
	if (strcmp(tn_rule_action_name(a.verdict.action), action) != 0)
		fail_msg("%s: %s, not %s", command, tn_rule_action_name(a.verdict.action), action);
	if (rule)
		assert_string_equal(a.verdict.hit_count ? a.verdict.hits[0].id : "", rule);
	tn_arena_finish(&a.arena);
}

static void test_example(void **state) /* terminal.md 10.1 */
{
	struct tn_rules *rules = make(example);

	(void)state;
	expect(rules, "mkfs.ext4 /dev/x", "/tmp", "deny", "rule 1");
	expect(rules, "git push -f", "/tmp", "confirm", "forced-push");
	expect(rules, "git push -vf", "/tmp", "confirm", "forced-push");
	expect(rules, "git push --force-with-lease=x", "/tmp", "confirm", "forced-push");
	expect(rules, "git -C push log -f", "/tmp", "confirm", "forced-push");
	expect(rules, "git commit -f", "/tmp", "allow", NULL);
	expect(rules, "git push -f", "/srv/x", "confirm", "forced-push");
	expect(rules, "rm -rf x", "/tmp", "confirm", "rule 3");
	expect(rules, "rm x", "/tmp", "allow", NULL);
	expect(rules, "echo x > /etc/hosts", "/tmp", "deny", "rule 4");
	expect(rules, "echo x > ../etc/hosts", "/tmp", "deny", "rule 4");
	expect(rules, "cd /etc; echo x > hosts", "/tmp", "deny", "rule 4");
	expect(rules, "cp x ~/.ssh/authorized_keys", "/tmp", "deny", "rule 4");
	expect(rules, "tee -a /home/ann/.ssh/config", "/tmp", "deny", "rule 4");
	expect(rules, "rm -r /etc", "/tmp", "confirm", "rule 3"); /* the first that fits */
	expect(rules, "ls", "/srv/x", "allow", "rule 5");
	expect(rules, "ls; rm -r x; mkfs y", "/srv/x", "deny", "rule 1"); /* the strictest */
	expect(rules, "$X", "/tmp", "confirm", "hidden");
	expect(rules, "cat /etc/shadow; sudo reboot", "/tmp", "allow", NULL); /* replaced */
	tn_rules_destroy(rules);
}

static void test_built_in_among_own(void **state)
{
	struct tn_rules *rules =
		make("{\"rules\": [{\"id\": \"tmp\", \"action\": \"allow\", \"command\": \"rm\", "
		     "\"cwd\": \"/tmp/**\"}, \"built-in\", {\"action\": \"deny\", \"command\": "
		     "\"telnet\"}]}");

	(void)state;
	expect(rules, "rm -rf x", "/tmp/a", "allow", "tmp");
	expect(rules, "rm -rf x", "/home/ann/b", "confirm", "delete");
	expect(rules, "telnet x", "/tmp/a", "deny", "rule 3");
	tn_rules_destroy(rules);
}

static void test_default(void **state) /* allow for local callers, confirm for the network */
{
	static const struct {
		const char *policy;
		enum tn_rule_action local, network;
	} cases[] = {
		{"", TN_RULE_ALLOW, TN_RULE_CONFIRM},
		{"{}", TN_RULE_ALLOW, TN_RULE_CONFIRM},
		{"{\"default\":\"allow\"}", TN_RULE_ALLOW, TN_RULE_ALLOW},
		{"{\"default\":\"confirm\"}", TN_RULE_CONFIRM, TN_RULE_CONFIRM},
		{"{\"default\":\"deny\"}", TN_RULE_DENY, TN_RULE_DENY},
	};
	struct asked a;

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		struct tn_rules *rules = make(cases[i].policy);

		ask(&a, rules, "ls", "/tmp", false);
		assert_int_equal(a.verdict.action, cases[i].local);
		tn_arena_finish(&a.arena);
		ask(&a, rules, "ls", "/tmp", true);
		assert_int_equal(a.verdict.action, cases[i].network);
		if (cases[i].network != TN_RULE_ALLOW)
			assert_string_equal(a.verdict.hits[0].source, "default");
		tn_arena_finish(&a.arena);
		ask(&a, rules, "python3 -c 1", "/tmp", false); /* opaque is the default */
		assert_int_equal(a.verdict.action, cases[i].local);
		tn_arena_finish(&a.arena);
		ask(&a, rules, "echo $(cat x) | sh", "/tmp", false); /* hidden is never easier */
		assert_int_equal(a.verdict.action, cases[i].local == TN_RULE_ALLOW
							   ? TN_RULE_CONFIRM
							   : cases[i].local);
		tn_arena_finish(&a.arena);
		tn_rules_destroy(rules);
	}
}

static void test_settings(void **state)
{
	struct tn_rules *rules = make("");

	(void)state;
	assert_int_equal(tn_rules_fallback(rules), TN_FALLBACK_REFUSE);
	assert_int_equal(tn_rules_interactive_input(rules), TN_RULE_ALLOW);
	assert_int_equal(tn_rules_sandbox_off(rules), TN_RULE_CONFIRM);
	assert_false(tn_rules_history_off(rules, "x"));
	tn_rules_destroy(rules);
	rules = make("// people write comments\n{\"confirm_fallback\": \"allow\", "
		     "\"interactive_input\": \"confirm\", \"sandbox_off\": \"allow\", "
		     "\"history_off\": [\"secret-*\"],}");
	assert_int_equal(tn_rules_fallback(rules), TN_FALLBACK_ALLOW);
	assert_int_equal(tn_rules_interactive_input(rules), TN_RULE_CONFIRM);
	assert_int_equal(tn_rules_sandbox_off(rules), TN_RULE_ALLOW);
	assert_true(tn_rules_history_off(rules, "secret-1"));
	assert_false(tn_rules_history_off(rules, "open"));
	assert_false(tn_rules_history_off(rules, NULL));
	tn_rules_destroy(rules);
}

static void test_faults(void **state) /* an unknown key is an error, with its line */
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{"\n\n[]", "policy.json: terminal: send an object, {...}"},
		{"\n\n{\n\"defualt\": \"deny\"}",
		 "policy.json:4: terminal.defualt: no such member"},
		{"{\"default\": \"maybe\"}", "policy.json:1: terminal.default: send \"allow\""},
		{"{\"programs\": []}", "policy.json:1: terminal.programs: no such member"},
		{"{\"rules\": {}}", "policy.json:1: terminal.rules: send a list"},
		{"{\"rules\": [1]}", "policy.json:1: terminal.rules: send a list"},
		{"{\"rules\": [\n{\"action\": \"deny\",\n\"comand\": \"x\"}]}",
		 "policy.json:3: terminal.rules[0].comand: no such member"},
		{"{\"rules\": [{\"command\": \"x\"}]}",
		 "policy.json:1: terminal.rules[0].command: its rule has no action"},
		{"{\"rules\": [{\"action\": \"deny\"}, {}]}",
		 "policy.json:1: terminal.rules[1].: "},
		{"{\"rules\": [{\"action\": \"deny\", \"any\": []}]}",
		 "policy.json:1: terminal.rules[0].any: an empty list"},
		{"{\"rules\": [{\"action\": \"deny\", \"any\": [1]}]}",
		 "policy.json:1: terminal.rules[0].any: send a text"},
		{"{\"rules\": [{\"action\": \"deny\", \"privileged\": \"yes\"}]}",
		 "policy.json:1: terminal.rules[0].privileged: send true or false"},
		{"{\"interactive_input\": \"deny\"}",
		 "policy.json:1: terminal.interactive_input: send \"allow\" or \"confirm\""},
		{"{\"confirm_fallback\": 1}", "policy.json:1: terminal.confirm_fallback: send"},
		{"{\"sandbox_off\": \"ask\"}", "policy.json:1: terminal.sandbox_off: send"},
		{"{\"history_off\": 1}", "policy.json:1: terminal.history_off: send"},
		{"\n{nonsense", "policy.json:2: "},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		struct tn_rules *rules;
		struct tenon_error err;

		assert_int_equal(tn_rules_create(tn_str_from(cases[i].text), &rules, &err),
				 TENON_INVALID);
		if (strncmp(err.message, cases[i].message, strlen(cases[i].message)) != 0)
			fail_msg("%s\n%s", cases[i].text, err.message);
	}
}

static void test_conditions(void **state)
{
	struct tn_rules *rules = make(
		"{\"rules\": ["
		"{\"id\":\"priv\",\"action\":\"deny\",\"privileged\":true,\"command\":\"cat\"},"
		"{\"id\":\"net\",\"action\":\"confirm\",\"network\":true,\"except\":\"git\"},"
		"{\"id\":\"read\",\"action\":\"deny\",\"path_read\":\"**/*.pem\"},"
		"{\"id\":\"path\",\"action\":\"deny\",\"path\":[\"secrets/**\"]},"
		"{\"id\":\"none\",\"action\":\"confirm\",\"command\":\"make\",\"none\":\"-n\"},"
		"{\"id\":\"pipe\",\"action\":\"deny\",\"command\":\"tac\",\"reads_pipe\":true},"
		"{\"id\":\"order\",\"action\":\"deny\",\"command\":\"x\",\"args\":[\"a\",\"b\"]}]"
		"}");

	(void)state;
	expect(rules, "sudo cat x", "/p", "deny", "priv");
	expect(rules, "cat x", "/p", "allow", NULL);
	expect(rules, "curl x", "/p", "confirm", "net");
	expect(rules, "git fetch", "/p", "allow", NULL);
	expect(rules, "cat a/b/key.pem", "/p", "deny", "read");
	expect(rules, "cat < key.pem", "/p", "deny", "read");
	expect(rules, "cat $X/key.pem", "/p", "deny", "read");
	expect(rules, "cat *.p?m", "/p", "deny", "read");
	expect(rules, "ls secrets/a", "/p", "deny", "path");
	expect(rules, "ls ./x/../secrets", "/p", "deny", "path");
	expect(rules, "ls secretsx", "/p", "allow", NULL);
	expect(rules, "make all", "/p", "confirm", "none");
	expect(rules, "make -kn all", "/p", "allow", NULL);
	expect(rules, "ls | tac", "/p", "deny", "pipe");
	expect(rules, "tac x", "/p", "allow", NULL);
	expect(rules, "x a c b", "/p", "deny", "order");
	expect(rules, "x b a", "/p", "allow", NULL);
	tn_rules_destroy(rules);
}

static void test_paths(void **state)
{
	static const struct {
		const char *pattern, *path;
		bool is_glob, fits;
	} cases[] = {
		{"/etc/**", "/etc/hosts", false, true},
		{"/etc/**", "/etc/a/b/c", false, true},
		{"/etc/**", "/etc", false, true},
		{"/etc/**", "/etcetera", false, false},
		{"/etc/*", "/etc/a/b", false, false},
		{"/etc/*", "/etc/a", false, true},
		{"/etc/?osts", "/etc/hosts", false, true},
		{"/etc/[gh]osts", "/etc/hosts", false, true},
		{"/etc/[!h]osts", "/etc/hosts", false, false},
		{"/etc/[a-z]osts", "/etc/hosts", false, true},
		{"**/id_*", "/home/x/.ssh/id_rsa", false, true},
		{"/etc/hosts", "/e*c/h?sts", true, true},
		{"/etc/hosts", "/e*c/h?sts", false, false},
		{"/etc/**", "/*", true, true},
		{"/etc/*", "/e/*", true, false},
		{"/dev/sd*", "/dev/[sh]d?", true, true},
		{"", "", false, true},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		if (tn_path_fits(tn_str_from(cases[i].pattern), tn_str_from(cases[i].path),
				 cases[i].is_glob) != cases[i].fits)
			fail_msg("%s, %s", cases[i].pattern, cases[i].path);
	}
}

/* Of some letters, stars and slashes; `letters` are those it may have. */
static struct tn_str make_random(char *text, size_t size_max, const char *letters, uint32_t *seed)
{
	size_t size, count = strlen(letters);

	*seed = *seed * 1664525U + 1013904223U;
	size = (*seed >> 8) % (size_max + 1);
	for (size_t i = 0; i < size; i++) {
		*seed = *seed * 1664525U + 1013904223U;
		text[i] = letters[(*seed >> 8) % count];
	}
	return tn_str(text, size);
}

/* A text without signs fits as a path as it fits as a pattern, which is found out another way. */
static void test_paths_both_ways(void **state)
{
	uint32_t seed = 20261128;
	unsigned fitting = 0;

	(void)state;
	for (unsigned i = 0; i < 200000; i++) {
		char of[2][16];
		struct tn_str pattern = make_random(of[0], 8, "aab/*?*", &seed);
		struct tn_str path = make_random(of[1], 12, "aaab/", &seed);
		bool fits = tn_path_fits(pattern, path, false);

		fitting += fits;
		if (fits != tn_path_fits(pattern, path, true))
			fail_msg("%.*s, %.*s", (int)pattern.size, pattern.data, (int)path.size,
				 path.data);
	}
	assert_in_range(fitting, 5000, 195000);
}

/* Stars that a path makes go back again and again. */
static void test_paths_with_many_stars(void **state)
{
	char path[4096];

	(void)state;
	memset(path, 'a', sizeof(path));
	for (unsigned i = 0; i < 200; i++) {
		assert_false(tn_path_fits(TN_STR("**a*a**a*b"), tn_str(path, 4000), false));
		assert_true(tn_path_fits(TN_STR("**a*a**a*a"), tn_str(path, 4000), false));
	}
}

/* A long message of a commit is no option. */
static void test_long_words(void **state)
{
	struct tn_rules *rules = make("");
	struct tn_buf text;

	(void)state;
	tn_buf_init(&text, TN_MIB);
	tn_buf_append_text(&text, "git commit -m 'rm -rf / ");
	while (text.size < 20000)
		tn_buf_append_text(&text, "push --force ");
	tn_buf_append_text(&text, "'");
	tn_buf_append_byte(&text, '\0');
	expect(rules, text.data, "/p", "allow", NULL);
	tn_buf_finish(&text);
	assert_true(tn_name_fits(TN_STR("a*[b-d]"), TN_STR("axxc"), false));
	tn_rules_destroy(rules);
}

static void test_resolve(void **state)
{
	static const struct {
		const char *cwd, *path, *full;
	} cases[] = {
		{"/a/b", "c", "/a/b/c"},
		{"/a/b", "../c", "/a/c"},
		{"/a/b", "../../../..", "/"},
		{"/a", "/x//y/./z/", "/x/y/z"},
		{"/a", "~", "/home/ann"},
		{"/a", "~/x", "/home/ann/x"},
		{"/a", "~root/x", "/root/x"},
		{"/a", "~bob/x", "/a/~bob/x"},
		{"", "x", NULL},
		{"", "/x", "/x"},
		{"~/p", "x", "/home/ann/p/x"},
		{"/a", "", "/a"},
	};
	struct tn_arena arena;

	(void)state;
	tn_arena_init(&arena, TN_MIB);
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		const char *full = tn_path_resolve(&arena, tn_str_from(cases[i].cwd),
						   TN_STR("/home/ann"), tn_str_from(cases[i].path));

		if (!cases[i].full)
			assert_null(full);
		else
			assert_string_equal(full, cases[i].full);
	}
	tn_arena_finish(&arena);
}

static void test_answer(void **state) /* terminal.md 7.13: the shape */
{
	static const char wanted[] =
		"{\"decision\":\"confirm\",\"rules\":[{\"id\":\"delete\",\"source\":\"built-in\","
		"\"pattern\":\"a recursive or forced "
		"delete\"}],\"risk\":\"danger\",\"explanation\":["
		"\"It deletes files for good, and whole directories.\"],\"simple_commands\":[{"
		"\"name\":\"rm\",\"path\":\"/bin/rm\",\"args\":[\"-rf\",\"x y\"],\"source\":"
		"\"/bin/rm -rf 'x y'\",\"writes\":[\"x "
		"y\"],\"privileged\":false,\"wrapper\":null}],"
		"\"hidden\":false,\"opaque\":false,\"needs_privilege\":false,\"network\":false,"
		"\"undo_hint\":";
	struct tn_rules *rules = make("");
	struct asked a;
	struct tn_buf out;

	(void)state;
	ask(&a, rules, "/bin/rm -rf 'x y'", "/tmp", false);
	tn_buf_init(&out, TN_MIB);
	tn_rules_put_verdict(&out, &a.analysis, &a.verdict);
	assert_false(out.failed);
	assert_true(out.size > sizeof(wanted));
	assert_memory_equal(out.data, wanted, sizeof(wanted) - 1);
	assert_true(tn_str_find(tn_buf_str(&out),
				TN_STR("\"alternatives\":[{\"command\":\"ls -la -- PATH\"")) !=
		    TN_STR_NONE);
	tn_buf_finish(&out);
	tn_arena_finish(&a.arena);
	ask(&a, rules, "sudo apt-get install jq", "/tmp", false);
	assert_true(a.verdict.needs_privilege && a.verdict.network);
	tn_arena_finish(&a.arena);
	ask(&a, rules, "ls", "/tmp", false);
	assert_int_equal(a.verdict.risk, TN_RISK_SAFE);
	tn_arena_finish(&a.arena);
	ask(&a, rules, "frobnicate", "/tmp", false);
	assert_int_equal(a.verdict.risk, TN_RISK_UNKNOWN);
	assert_true(a.verdict.explanation_count > 0);
	tn_arena_finish(&a.arena);
	tn_rules_destroy(rules);
}

/* A megabyte of whatever is bounded, or opaque, or refused for its size: never slow. */
static void test_large(void **state)
{
	static const char *const pieces[] = {"a ",   "a;",      "$(",    "((\n", "{a,b} ",
					     "\"$(", "`",       "${x:-", "a|",   "<<E\n",
					     "[[ ",  "x=$x$x;", "if ",   "'",    "\\"};
	struct tn_rules *rules = make("");

	(void)state;
	for (size_t i = 0; i < TN_COUNT(pieces); i++) {
		const struct tn_analysis_surroundings around = {.cwd = "/tmp"};
		struct tn_analysis analysis;
		const struct tn_rules_question question = {.analysis = &analysis, .cwd = "/tmp"};
		struct tn_verdict_of_rules verdict;
		struct tn_arena arena;
		struct tenon_error err;
		struct tn_buf text;
		enum tenon_code code;

		tn_buf_init(&text, 2 * TN_MIB);
		while (text.size < TN_MIB)
			tn_buf_append_text(&text, pieces[i]);
		tn_arena_init(&arena, TN_ANALYSIS_ARENA_MAX);
		code = tn_analyse(&arena, tn_buf_str(&text), &around, &analysis, &err);
		if (code == TENON_OK)
			code = tn_rules_judge(rules, &arena, &question, &verdict, &err);
		assert_true(code == TENON_OK || code == TENON_NO_MEMORY);
		/* What has not been looked at is not simply allowed. */
		if (code == TENON_OK && analysis.hidden)
			assert_true(verdict.action != TN_RULE_ALLOW);
		if (strcmp(pieces[i], "a;") == 0)
			assert_true(analysis.hidden);
		tn_arena_finish(&arena);
		tn_buf_finish(&text);
	}
	tn_rules_destroy(rules);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_example),
		cmocka_unit_test(test_built_in_among_own),
		cmocka_unit_test(test_default),
		cmocka_unit_test(test_settings),
		cmocka_unit_test(test_faults),
		cmocka_unit_test(test_conditions),
		cmocka_unit_test(test_paths),
		cmocka_unit_test(test_paths_both_ways),
		cmocka_unit_test(test_paths_with_many_stars),
		cmocka_unit_test(test_resolve),
		cmocka_unit_test(test_long_words),
		cmocka_unit_test(test_answer),
		cmocka_unit_test(test_large),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
