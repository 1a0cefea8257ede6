/* What may be asked, and of whom; talking to an endpoint is proven by http_client_test,
 * tests/cli/plan_cli.sh and tests/dialogues/plan_models.txt. */
#include "apps/plan/service/model_source.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "apps/plan/service/answer.h"

static struct tn_plan_config settings(const char *base_url, const char *key)
{
	return (struct tn_plan_config){.base_url = base_url,
				       .api_key = key,
				       .model = "m",
				       .timeout_ms = 1000,
				       .max_tokens = 10,
				       .allow_remote = true};
}

static const char *check(const struct tn_plan_config *config)
{
	struct tenon_error err = {0};
	const char *reason = tn_plan_model_check(config, &err);

	/* Whatever is said, the key is not in it. */
	assert_null(config->api_key ? strstr(err.message, config->api_key) : NULL);
	return reason ? reason : "";
}

/* Section 10.5: a key is optional for loopback and keyless endpoints only. */
static void who_may_be_asked(void **state)
{
	struct tn_plan_config config = settings("https://models.example/v1", "sk-key");

	(void)state;
	assert_string_equal(check(&config), "");
	config.api_key = NULL;
	assert_string_equal(check(&config), "source_unavailable");
	config.keyless = true;
	assert_string_equal(check(&config), "");
	config = settings("http://127.0.0.1:11434/v1", NULL);
	assert_string_equal(check(&config), "");
	config = settings("http://models.example/v1", "sk-key"); /* the key would go in clear */
	assert_string_equal(check(&config), "source_unavailable");
	config = settings("ftp://127.0.0.1/v1", NULL);
	assert_string_equal(check(&config), "source_unavailable");
	config = settings("https://models.example/v1", "sk-key\r\nX-Evil: 1");
	assert_string_equal(check(&config), "bad_api_key");
}

static void remote_can_be_forbidden(void **state)
{
	struct tn_plan_config config = settings("https://models.example/v1", "sk-key");

	(void)state;
	config.allow_remote = false;
	assert_string_equal(check(&config), "source_unavailable");
	config.base_url = "http://localhost:1/v1";
	assert_string_equal(check(&config), "");
}

/* Section 9: details for models on this machine only, unless the operator says otherwise. */
static void details_stay_here(void **state)
{
	struct tn_plan_config config = settings("https://models.example/v1", "sk-key");

	(void)state;
	assert_false(tn_plan_shows_details(&config, TN_PLAN_SOURCE_OPENAI));
	assert_false(tn_plan_shows_details(&config, TN_PLAN_SOURCE_SAMPLING));
	assert_false(tn_plan_shows_details(&config, TN_PLAN_SOURCE_CLIENT));
	config.base_url = "http://127.0.0.1:1/v1";
	assert_true(tn_plan_shows_details(&config, TN_PLAN_SOURCE_OPENAI));
	config.context_details = TN_PLAN_SWITCH_OFF;
	assert_false(tn_plan_shows_details(&config, TN_PLAN_SOURCE_OPENAI));
	config.context_details = TN_PLAN_SWITCH_ON;
	assert_true(tn_plan_shows_details(&config, TN_PLAN_SOURCE_CLIENT));
}

static void without_the_plugin_every_reply_says_so(void **state)
{
	struct tn_plan_config config = settings("http://127.0.0.1:1/v1", NULL);
	const struct tn_plan_model_question questions[2] = {
		{.system = TN_STR("s"), .document = TN_STR("{}")},
		{.system = TN_STR("s"), .document = TN_STR("{}")}};
	struct tn_plan_model_reply replies[2] = {0};
	struct tn_http_client *client = NULL;
	struct tenon_error err = {0};

	(void)state;
	assert_int_equal(tn_http_client_open("/nonexistent", &client, &err), TENON_OK);
	tn_plan_model_run(client, &config, questions, replies, 2, NULL, NULL);
	for (size_t i = 0; i < 2; i++) {
		assert_string_equal(replies[i].reason, "source_unavailable");
		assert_non_null(strstr(replies[i].err.message, "tenon-client.so"));
		tn_buf_finish(&replies[i].text);
	}
	tn_http_client_close(client);
}

/* plan.md section 10.5: allow_remote=false forbids any endpoint that is not loopback. */
static void only_this_machine_is_local(void **state)
{
	const char *const local[] = {"http://127.0.0.1:11434/v1", "http://localhost/v1",
				     "https://[::1]:8080/v1", "http://LOCALHOST:1",
				     "http://127.9.8.7"};
	const char *const remote[] = {"https://api.openai.com/v1",
				      "http://127.0.0.1.evil.example/v1",
				      "http://127.evil.0.1/",
				      "http://localhost.evil.example",
				      "http://user:pw@127.0.0.1/v1",
				      "http://127.0.0.1@evil.example/v1",
				      "http://127.0.0.1:80@evil.example/",
				      "http://evil.example/127.0.0.1",
				      "http://evil.example\\@127.0.0.1/",
				      "127.0.0.1",
				      "",
				      "http://[::2]/"};

	struct tn_plan_config config;

	(void)state;
	for (size_t i = 0; i < sizeof(local) / sizeof(local[0]); i++) {
		config = settings(local[i], NULL);
		assert_false(tn_plan_model_is_remote(&config));
	}
	for (size_t i = 0; i < sizeof(remote) / sizeof(remote[0]); i++) {
		config = settings(remote[i], NULL);
		assert_true(tn_plan_model_is_remote(&config));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_this_machine_is_local),
		cmocka_unit_test(who_may_be_asked),
		cmocka_unit_test(remote_can_be_forbidden),
		cmocka_unit_test(details_stay_here),
		cmocka_unit_test(without_the_plugin_every_reply_says_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
