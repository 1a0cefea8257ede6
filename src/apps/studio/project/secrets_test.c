/* Secrets: kept apart, taken back with an edit that fails, and shown to nobody (ST-029, ST-087,
 * ST-141). */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "apps/studio/edit/edit.h"
#include "apps/studio/project/project_test_kit.h"
#include "base/mem.h"

static void set(struct tn_studio_project *project, const char *name, const char *value)
{
	struct tn_str text = tn_str_from(value);

	assert_true(tn_studio_secret_set(project, tn_str_from(name), value ? &text : NULL, NULL));
}

static bool is_set(const struct tn_studio_project *project, const char *key)
{
	return tn_json_get(project->secrets, key) != NULL;
}

static void expect_redacted(const struct tn_studio_project *project, const char *text,
			    const char *wanted)
{
	struct tn_buf out;

	tn_buf_init(&out, 4 * TN_MIB);
	tn_studio_redact(project, tn_str_from(text), &out);
	tn_buf_append_byte(&out, '\0');
	assert_string_equal(out.data, wanted);
	tn_buf_finish(&out);
}

static void secrets_are_kept_apart(void **state)
{
	struct kit *kit = *state;
	struct tn_studio_project *project = kit_new(kit, "shop");
	char path[256];
	struct stat status;

	assert_false(is_set(project, "vm_admin_password"));
	set(project, "vm_admin_password", "hunter2-\"quoted\"\n");
	assert_true(is_set(project, "vm_admin_password"));
	(void)snprintf(path, sizeof(path), "%s/.tenon/secrets.json", project->path);
	assert_int_equal(lstat(path, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);
	kit_restart(kit);
	project = kit_open(kit, "shop");
	assert_true(tn_str_is(tn_json_get(project->secrets, "vm_admin_password")->text,
			      "hunter2-\"quoted\"\n"));
	set(project, "b", "another one");
	set(project, "b", NULL);
	assert_false(is_set(project, "b"));
	assert_int_equal(project->secrets->count, 1);
}

/* A store of before, by names of variables: what is a node's is that node's from now on. */
static void former_keys_are_taken_over(void **state)
{
	struct kit *kit = *state;
	struct tn_studio_project *project = kit_new(kit, "shop");

	assert_true(kit_commit(project,
			       "[{\"op\":\"putNode\",\"node\":{\"id\":\"one\",\"typeId\":"
			       "\"azurerm/database/mssql_server\",\"label\":\"S\","
			       "\"terraformName\":\"main\",\"position\":{\"x\":0,\"y\":0}}}]"));
	assert_true(kit_save(kit, project, false, false));
	assert_true(tn_studio_project_close(project, false, NULL));
	kit_write(kit, ".tenon/secrets.json",
		  "{\"main_administrator_login_password\":\"first "
		  "value\",\"gone_password\":\"old\"}");
	project = kit_open(kit, "shop");
	assert_true(is_set(project, "one/administrator_login_password"));
	assert_false(is_set(project, "main_administrator_login_password"));
	expect_redacted(project, "first value", "[redacted]");
	set(project, "one/administrator_login_password", "second value");
	kit_restart(kit);
	project = kit_open(kit, "shop");
	assert_true(
		tn_str_is(tn_json_get(project->secrets, "one/administrator_login_password")->text,
			  "second value"));
	assert_true(is_set(project, "gone_password")); /* nobody's */
}

/* 12.6: a batch that fails leaves no secret behind. */
static void secrets_are_part_of_an_edit(void **state)
{
	struct kit *kit = *state;
	struct tn_studio_project *project = kit_new(kit, "shop");
	char *before, *after;

	set(project, "a", "first value");
	before = kit_read(kit, ".tenon/secrets.json");
	tn_studio_secrets_begin(project);
	set(project, "a", "second value");
	set(project, "b", "another one");
	assert_true(tn_str_is(tn_json_get(project->secrets, "a")->text, "second value"));
	expect_redacted(project, "second value", "[redacted]");
	after = kit_read(kit, ".tenon/secrets.json");
	assert_string_equal(before, after); /* not before the edit is whole */
	tn_mem_free(after);
	assert_true(tn_studio_secrets_end(project, false, NULL));
	assert_true(tn_str_is(tn_json_get(project->secrets, "a")->text, "first value"));
	assert_false(is_set(project, "b"));
	tn_studio_secrets_begin(project);
	set(project, "b", "another one");
	assert_true(tn_studio_secrets_end(project, true, NULL));
	kit_restart(kit);
	project = kit_open(kit, "shop");
	assert_true(is_set(project, "b"));
	tn_mem_free(before);
}

static void secrets_have_caps(void **state)
{
	struct kit *kit = *state;
	struct tn_studio_project *project = kit_new(kit, "shop");
	struct tn_studio_fault fault = {.code = NULL};
	struct tn_str wrong = {"a\0b", 3}, bytes = {"\xFF", 1}, huge;
	char *text = tn_mem_alloc(70000);

	memset(text, 'x', 70000);
	huge = tn_str(text, 70000);
	assert_false(tn_studio_secret_set(project, TN_STR("a"), &wrong, &fault));
	assert_string_equal(fault.code, "INVALID_INPUT");
	assert_false(tn_studio_secret_set(project, TN_STR("a"), &bytes, &fault));
	assert_string_equal(fault.code, "INVALID_INPUT");
	assert_false(tn_studio_secret_set(project, TN_STR("a"), &huge, &fault));
	assert_string_equal(fault.code, "LIMIT_EXCEEDED");
	assert_null(strstr(fault.message, "xxx"));
	tn_mem_free(text);
}

/* Those of nodes that are gone are kept as long as there is room. */
static void what_is_left_makes_room(void **state)
{
	struct kit *kit = *state;
	struct tn_studio_project *project = kit_new(kit, "shop");
	struct tn_studio_fault fault = {.code = NULL};
	struct tn_str value = TN_STR("hunter2hunter2");
	char key[32];

	assert_true(kit_add(project, "here", "here"));
	tn_studio_secrets_begin(project);
	set(project, "here/first", "hunter2hunter2");
	for (int i = 1; i < TN_STUDIO_SECRETS_MAX + 5; i++) {
		(void)snprintf(key, sizeof(key), "gone%d/password", i);
		set(project, key, "hunter2hunter2");
	}
	assert_int_equal(project->secrets->count, TN_STUDIO_SECRETS_MAX);
	assert_true(is_set(project, "here/first"));
	assert_false(is_set(project, "gone5/password"));
	assert_true(is_set(project, "gone6/password"));
	for (int i = 1; i < TN_STUDIO_SECRETS_MAX; i++) {
		(void)snprintf(key, sizeof(key), "here/%d", i);
		set(project, key, "hunter2hunter2");
	}
	assert_false(tn_studio_secret_set(project, TN_STR("here/more"), &value, &fault));
	assert_string_equal(fault.code, "LIMIT_EXCEEDED");
	assert_true(tn_studio_secrets_end(project, true, NULL));
}

/* A store that somebody broke counts as none, and is told. */
static void a_broken_store_is_a_warning(void **state)
{
	struct kit *kit = *state;
	struct tn_studio_project *project = kit_new(kit, "shop");
	struct tn_buf warnings;
	char path[256];

	set(project, "a", "first value");
	assert_true(tn_studio_project_close(project, false, NULL));
	kit_write(kit, ".tenon/secrets.json", "{\"a\":");
	(void)snprintf(path, sizeof(path), "%s/shop", kit->home);
	tn_buf_init(&warnings, TN_MIB);
	project = tn_studio_project_open(kit->projects, path, &warnings, NULL);
	assert_non_null(project);
	tn_buf_append_byte(&warnings, '\0');
	assert_non_null(strstr(warnings.data, "SECRETS_UNREADABLE"));
	assert_false(is_set(project, "a"));
	tn_buf_finish(&warnings);
}

/* ST-087 */
static void secrets_are_redacted(void **state)
{
	struct kit *kit = *state;
	struct tn_studio_project *project = kit_new(kit, "shop");

	expect_redacted(project, "nothing to hide", "nothing to hide");
	set(project, "a", "hunter2");
	set(project, "b", "hunter2-longer");
	set(project, "c", "abc"); /* in every text */
	set(project, "d", "say \"hi\"");
	set(project, "e", "-----BEGIN KEY-----\nMIIabcdefgh\n}\n-----END KEY-----\n");
	set(project, "f", "overlap-one");
	set(project, "g", "one-overlap");
	expect_redacted(project, "x hunter2 y", "x [redacted] y");
	expect_redacted(project, "hunter2-longer", "[redacted]");
	expect_redacted(project, "hunter2-long", "[redacted]-long");
	set(project, "markup", "a<b>&\"c\"d");
	expect_redacted(project, "x {\"p\":\"a\\u003cb\\u003e\\u0026\\\"c\\\"d\"}",
			"x {\"p\":\"[redacted]\"}");
	expect_redacted(project, "x YTxiPiYiYyJk y", "x [redacted] y");
	expect_redacted(project, "hunter2hunter2", "[redacted][redacted]");
	expect_redacted(project, "abc", "abc");
	expect_redacted(project, "{\"m\":\"say \\\"hi\\\"\"}", "{\"m\":\"[redacted]\"}");
	/* Line by line, as output comes. */
	expect_redacted(project, "  MIIabcdefgh", "  [redacted]");
	expect_redacted(project, "}", "}");
	/* Words that overlap leave nothing of each other. */
	expect_redacted(project, "<overlap-one-overlap>", "<[redacted]>");
	/* What the configuration keeps at sensitive paths. */
	assert_true(kit_commit(project,
			       "[{\"op\":\"setConfig\",\"config\":{\"backend\":{\"config\":{"
			       "\"access_key\":\"canary-key\",\"container_name\":\"state\"}}}}]"));
	expect_redacted(project, "canary-key state", "[redacted] state");
	assert_true(kit_commit(project, "[{\"op\":\"setConfig\",\"config\":{}}]"));
	expect_redacted(project, "canary-key state", "canary-key state");
	set(project, "a", NULL);
	expect_redacted(project, "x hunter2 y", "x hunter2 y");
	/* ST-141: the daemon's own credentials. */
	assert_int_equal(setenv("ARM_CLIENT_SECRET", "canary-env", 1), 0);
	set(project, "a", "renewed!");
	expect_redacted(project, "canary-env", "[redacted]");
	assert_int_equal(unsetenv("ARM_CLIENT_SECRET"), 0);
}

/* The reference: every byte that some secret covers is hidden. */
static void redacting_is_exact(void **state)
{
	struct kit *kit = *state;
	struct tn_studio_project *project = kit_new(kit, "shop");
	const char *words[40];
	char texts[40][12];
	unsigned seed = 7;

	for (int i = 0; i < 40; i++) {
		char name[8];
		size_t size = 4 + (size_t)(rand_r(&seed) % 7);

		for (size_t k = 0; k < size; k++)
			texts[i][k] = (char)('a' + rand_r(&seed) % 3);
		texts[i][size] = '\0';
		words[i] = texts[i];
		(void)snprintf(name, sizeof(name), "v%d", i);
		set(project, name, texts[i]);
	}
	for (int round = 0; round < 200; round++) {
		char text[64], wanted[1024] = "";
		bool hidden[64] = {false};
		size_t used = 0;

		for (size_t k = 0; k < 60; k++)
			text[k] = (char)('a' + rand_r(&seed) % 3);
		text[60] = '\0';
		for (size_t at = 0; at < 60; at++) {
			for (int i = 0; i < 40; i++) {
				size_t size = strlen(words[i]);

				if (strncmp(text + at, words[i], size) == 0)
					memset(hidden + at, 1, size);
			}
		}
		struct tn_buf out;
		tn_buf_init(&out, 65536);
		tn_studio_redact(project, tn_str_from(text), &out);
		/* What is left of the text, without the marks. */
		tn_buf_append_byte(&out, '\0');
		for (size_t k = 0; k < 60; k++) {
			if (!hidden[k])
				wanted[used++] = text[k];
		}
		wanted[used] = '\0';
		char left[1024];
		size_t count = 0;
		for (const char *at = out.data; *at;) {
			if (strncmp(at, "[redacted]", 10) == 0)
				at += 10;
			else
				left[count++] = *at++;
		}
		left[count] = '\0';
		assert_string_equal(left, wanted);
		tn_buf_finish(&out);
	}
}

/* A thousand secrets and a megabyte: one pass. */
static void redacting_is_fast(void **state)
{
	struct kit *kit = *state;
	struct tn_studio_project *project = kit_new(kit, "shop");
	struct tn_buf text, out;
	clock_t began, took_ms;

	tn_studio_secrets_begin(project);
	for (int i = 0; i < 500; i++) {
		char name[16], value[32];

		(void)snprintf(name, sizeof(name), "v%d", i);
		(void)snprintf(value, sizeof(value), "secret-%d-%d", i, i * 7919);
		set(project, name, value);
	}
	assert_true(tn_studio_secrets_end(project, true, NULL));
	tn_buf_init(&text, 2 * TN_MIB);
	tn_buf_init(&out, 4 * TN_MIB);
	while (text.size < TN_MIB)
		tn_buf_append_text(&text, "azurerm_subnet.app: Creation complete after 12s\n");
	tn_studio_redact(project, TN_STR("x"), &out);
	began = clock(); /* the processor's time: others may want it, too */
	tn_studio_redact(project, tn_buf_str(&text), &out);
	took_ms = (clock() - began) / (CLOCKS_PER_SEC / 1000);
	print_message("1 MiB with 500 secrets: %ld ms\n", (long)took_ms);
	assert_true(took_ms < 1000);
	tn_buf_finish(&text);
	tn_buf_finish(&out);
}

/* ST-141: the helper of other tests finds what it looks for. */
static void planted_secrets_are_found(void **state)
{
	static const char *const secrets[] = {"canary-one", "two\"quoted\"", NULL};

	(void)state;
	assert_null(kit_find_secret(TN_STR("nothing here"), secrets));
	assert_string_equal(kit_find_secret(TN_STR("a canary-one b"), secrets), "canary-one");
	assert_non_null(kit_find_secret(TN_STR("{\"a\":\"two\\\"quoted\\\"\"}"), secrets));
	assert_non_null(kit_find_secret(TN_STR("x Y2FuYXJ5LW9uZQ== x"), secrets));
}

#define KIT(test) cmocka_unit_test_setup_teardown(test, kit_set_up, kit_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		KIT(secrets_are_kept_apart),     KIT(what_is_left_makes_room),
		KIT(former_keys_are_taken_over), KIT(secrets_are_part_of_an_edit),
		KIT(secrets_have_caps),          KIT(a_broken_store_is_a_warning),
		KIT(secrets_are_redacted),       KIT(redacting_is_exact),
		KIT(redacting_is_fast),          cmocka_unit_test(planted_secrets_are_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
