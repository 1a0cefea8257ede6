/* Talks to tests/servers/price_list.py over a real socket:
 * studio_prices_refresh_test PLUGIN_FOLDER PRICE_LIST */
#include "apps/studio/cost/prices_refresh.h"

#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "apps/studio/cost/internal.h"
#include "apps/studio/registry/internal.h"
#include "loop/http_client.h"
#include "store/file.h"

static const char *plugin_folder;
static const char *server_path;

struct fixture {
	pid_t pid;
	int server_input;
	unsigned port;
	char folder[64];
};

static struct fixture shared;

static int start_server(void **state)
{
	int to_server[2], from_server[2];
	FILE *port;

	if (pipe(to_server) != 0 || pipe(from_server) != 0)
		return -1;
	shared.pid = fork();
	if (shared.pid == 0) {
		(void)dup2(to_server[0], STDIN_FILENO);
		(void)dup2(from_server[1], STDOUT_FILENO);
		(void)close(to_server[1]);
		(void)execlp("python3", "python3", server_path, (char *)NULL);
		_exit(127);
	}
	(void)close(to_server[0]);
	(void)close(from_server[1]);
	shared.server_input = to_server[1];
	port = fdopen(from_server[0], "r");
	if (!port || fscanf(port, "%u", &shared.port) != 1)
		return -1;
	(void)fclose(port);
	(void)snprintf(shared.folder, sizeof(shared.folder), "/tmp/tenon-prices-XXXXXX");
	*state = &shared;
	return mkdtemp(shared.folder) ? 0 : -1;
}

static void forget(void)
{
	char path[100];

	(void)snprintf(path, sizeof(path), "%s/prices.json", shared.folder);
	(void)unlink(path);
}

static int stop_server(void **state)
{
	(void)state;
	forget();
	(void)rmdir(shared.folder);
	(void)close(shared.server_input);
	return waitpid(shared.pid, NULL, 0) == shared.pid ? 0 : -1;
}

/* A table with two prices that the list knows, and one that it does not. */
static struct tn_studio_registry *small_registry(void)
{
	static const char text[] =
		"{\"formatVersion\":1,\"costRegions\":[\"eastus\",\"westeurope\",\"northeurope\"],"
		"\"prices\":{\"asOf\":\"2026-04\",\"currency\":\"USD\",\"region\":{\"azurerm\":"
		"\"eastus\"},\"table\":{\"azurerm/vm/Standard_B2s\":{\"per\":\"hour\",\"usd\":1},"
		"\"azurerm/vm/Standard_D4s_v3\":{\"per\":\"hour\",\"usd\":2},"
		"\"azurerm/vm/Standard_X\":{\"per\":\"hour\",\"usd\":3},"
		"\"azurerm/disk/Standard_LRS\":{\"per\":\"GB-month\",\"usd\":4}}}}";
	const struct tn_studio_source source = {.name = TN_STR("small.json"),
						.text = tn_str(text, sizeof(text) - 1)};
	struct tn_studio_registry *registry;
	struct tenon_error err;

	assert_int_equal(tn_registry_create(&source, 1, false, &registry, &err), TENON_OK);
	return registry;
}

static enum tenon_code refresh(const struct tn_studio_registry *registry, const char *mode,
			       struct tn_arena *arena, struct tn_studio_refresh_result *ret,
			       struct tenon_error *err)
{
	char url[100];
	const struct tn_studio_refresh_options options = {.url = url,
							  .folder = shared.folder,
							  .plugin_folder = plugin_folder,
							  .clock = &tn_clock_system};

	(void)snprintf(url, sizeof(url), "http://127.0.0.1:%u/%s/prices", shared.port, mode);
	return tn_studio_prices_refresh(registry, &options, arena, ret, err);
}

static bool has_file(void)
{
	char path[100];
	struct stat info;

	(void)snprintf(path, sizeof(path), "%s/prices.json", shared.folder);
	return stat(path, &info) == 0;
}

static double price(const struct tn_studio_registry *registry,
		    const struct tn_studio_prices *prices, const char *key, const char *region,
		    bool *ret_approximate)
{
	struct tn_studio_price found;

	assert_true(tn_studio_price_find(registry, prices, tn_str_from(key), tn_str_from(region),
					 TN_STR("eastus"), &found));
	*ret_approximate = found.approximate;
	return found.usd;
}

/* ST-111: over several pages, the Linux price by the hour, per region; then the cache is read. */
static void check_table(const struct tn_studio_registry *registry,
			const struct tn_studio_refresh_result *result)
{
	struct tn_studio_prices *prices;
	struct tenon_error err = {0};
	bool approximate;

	assert_int_equal(tn_studio_prices_load(registry, shared.folder, &prices, &err), TENON_OK);
	assert_string_equal(err.message, "");
	assert_true(tn_str_is(tn_studio_prices_as_of(registry, prices), result->as_of));
	assert_true(
		fabs(price(registry, prices, "azurerm/vm/Standard_B2s", "eastus", &approximate) -
		     0.05) < 1e-9);
	assert_false(approximate);
	assert_true(fabs(price(registry, prices, "azurerm/vm/Standard_B2s", "westeurope",
			       &approximate) -
			 0.06) < 1e-9);
	assert_false(approximate);
	/* A region that nobody estimates for is not kept. */
	assert_true(
		fabs(price(registry, prices, "azurerm/vm/Standard_B2s", "marsnorth", &approximate) -
		     0.05) < 1e-9);
	assert_true(approximate);
	/* What could not be had is the shipped figure. */
	assert_true(fabs(price(registry, prices, "azurerm/vm/Standard_X", "eastus", &approximate) -
			 3) < 1e-9);
	tn_studio_prices_unref(prices);
}

static void test_refresh(void **state)
{
	static const char *const modes[] = {"ok", "throttled"};
	struct tn_studio_registry *registry = small_registry();

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct tn_studio_refresh_result result;
		struct tn_arena arena;
		struct tenon_error err = {0};

		tn_arena_init(&arena, 16 * TN_MIB);
		forget();
		if (refresh(registry, modes[i], &arena, &result, &err) != TENON_OK)
			fail_msg("%s: %s", modes[i], err.message);
		assert_int_equal(result.wanted, 3);
		assert_int_equal(result.refreshed, 2);
		assert_int_equal(result.unmapped, 1);
		assert_int_equal(result.regional, 4);
		assert_in_range(result.requests, 11, 11); /* five pages twice, one empty one */
		assert_non_null(result.problems);
		assert_null(result.problems->next);
		assert_true(tn_str_is(result.problems->key, "azurerm/vm/Standard_X"));
		check_table(registry, &result);
		tn_arena_finish(&arena);
	}
	forget();
	tn_studio_registry_unref(registry);
}

/* Whatever the list answers: a sentence, and the table stays as it is. */
static void test_bad_lists(void **state)
{
	static const struct {
		const char *mode, *message;
	} cases[] = {
		{"busy", "asked too often"},     {"broken", "no JSON"},
		{"endless", "too large"},        {"euro", "not in USD"},
		{"elsewhere", "somewhere else"}, {"pages", "too many pages"},
		{"refused", "refused"},          {"unclear", "several prices fit"},
		{"strange", "no such price"},
	};
	struct tn_studio_registry *registry = small_registry();

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct tn_studio_refresh_result result;
		struct tn_arena arena;
		struct tenon_error err = {0};
		bool told = false;

		tn_arena_init(&arena, 64 * TN_MIB);
		assert_int_equal(refresh(registry, cases[i].mode, &arena, &result, &err),
				 TENON_EXPIRED);
		for (const struct tn_studio_refresh_problem *p = result.problems; p; p = p->next)
			told = told || strstr(p->message.data, cases[i].message) != NULL;
		if (!told)
			fail_msg("%s: %s", cases[i].mode,
				 result.problems ? result.problems->message.data : "nothing");
		assert_false(has_file());
		tn_arena_finish(&arena);
	}
	tn_studio_registry_unref(registry);
}

/* A list that is not there any more leaves the table of last time. */
static void test_old_table_stays(void **state)
{
	struct tn_studio_registry *registry = small_registry();
	struct tn_studio_refresh_result result;
	struct tn_arena arena;
	struct tenon_error err = {0};

	(void)state;
	tn_arena_init(&arena, 16 * TN_MIB);
	assert_int_equal(refresh(registry, "ok", &arena, &result, &err), TENON_OK);
	assert_true(has_file());
	assert_int_equal(refresh(registry, "broken", &arena, &result, &err), TENON_EXPIRED);
	assert_true(has_file());
	assert_int_equal(refresh(registry, "ok", &arena, &result, &err), TENON_OK);
	check_table(registry, &result);
	forget();
	tn_arena_finish(&arena);
	tn_studio_registry_unref(registry);
}

static void test_addresses(void **state)
{
	static const char *const wrong[] = {"ftp://127.0.0.1/x", "nothing", "http://a/b?c=d", ""};
	struct tn_studio_registry *registry = small_registry();

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		const struct tn_studio_refresh_options options = {.url = wrong[i],
								  .folder = shared.folder,
								  .plugin_folder = plugin_folder,
								  .clock = &tn_clock_system};
		struct tn_studio_refresh_result result;
		struct tn_arena arena;
		struct tenon_error err = {0};

		tn_arena_init(&arena, TN_MIB);
		assert_int_equal(
			tn_studio_prices_refresh(registry, &options, &arena, &result, &err),
			TENON_INVALID);
		tn_arena_finish(&arena);
	}
	tn_studio_registry_unref(registry);
}

/* A broken cache counts as none, and that is told. */
static void test_broken_cache(void **state)
{
	static const char *const texts[] = {
		"",
		"{",
		"[]",
		"{\"formatVersion\":2}",
		"{\"formatVersion\":1,\"currency\":\"EUR\",\"asOf\":\"x\",\"table\":{}}",
		"{\"formatVersion\":1,\"currency\":\"USD\",\"asOf\":\"x\",\"table\":{\"a\":{"
		"\"usd\":"
		"-1,\"per\":\"h\"}}}"};
	struct tn_studio_registry *registry = small_registry();
	char path[100];

	(void)state;
	(void)snprintf(path, sizeof(path), "%s/prices.json", shared.folder);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct tn_studio_prices *prices;
		struct tenon_error err = {0};

		assert_int_equal(tn_file_write(path, 0600, tn_str_from(texts[i]), &err), TENON_OK);
		assert_int_equal(tn_studio_prices_load(registry, shared.folder, &prices, &err),
				 TENON_OK);
		assert_string_not_equal(err.message, "");
		assert_true(tn_str_is(tn_studio_prices_as_of(registry, prices), "2026-04"));
		tn_studio_prices_unref(prices);
	}
	forget();
	tn_studio_registry_unref(registry);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_refresh),         cmocka_unit_test(test_bad_lists),
		cmocka_unit_test(test_old_table_stays), cmocka_unit_test(test_addresses),
		cmocka_unit_test(test_broken_cache),
	};

	if (argc != 3)
		return 1;
	plugin_folder = argv[1];
	server_path = argv[2];
	(void)signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, start_server, stop_server);
}
