/* Every allocation of the client's conversation fails once, and from then on always: no crash, no
 * leak, every request ends, and the client can always be destroyed.
 *
 * short_memory.c replaces base/mem.c in this program; what the script of the server allocates never
 * fails. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/size.h"
#include "client/client_test_kit.h"
#include "short_memory.h"

static void own_memory(bool begins)
{
	fault.armed = !begins;
}

/* ---- the server ---- */

#define NAME_FORM                                                                         \
	"{\"message\":\"who?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{" \
	"\"name\":{\"type\":\"string\",\"default\":\"Ann\"}}}}"

static const struct kit_step modern[] = {
	{"server/discover", NULL, kit_modern},
	{"tools/list", "\"cursor\"", OK("\"tools\":[{\"name\":\"b\"}],\"ttlMs\":1000")},
	{"tools/list", NULL,
	 OK("\"tools\":[{\"name\":\"t\",\"outputSchema\":{\"type\":\"object\"}}],\"nextCursor\":"
	    "\"2\",\"ttlMs\":1000")},
	{"tools/call", "inputResponses",
	 OK("\"resultType\":\"task\",\"taskId\":\"T\",\"status\":\"working\",\"pollIntervalMs\":"
	    "20")},
	{"tools/call", NULL,
	 OK("\"resultType\":\"input_required\",\"requestState\":\"s\",\"inputRequests\":{\"k\":{"
	    "\"method\":\"elicitation/create\",\"params\":" NAME_FORM "}}")},
	{"tasks/get", NULL,
	 OK("\"taskId\":\"T\",\"status\":\"completed\",\"result\":{\"structuredContent\":{}}")},
	{"resources/read", NULL, OK("\"contents\":[],\"ttlMs\":1000")},
};

static const struct kit_step legacy[] = {
	{"initialize", NULL, kit_legacy},
	{"tools/call", NULL,
	 "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"elicitation/create\",\"params\":" NAME_FORM
	 "}\n"
	 "{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"sampling/createMessage\",\"params\":{"
	 "\"maxTokens\":5,\"messages\":[]}}\n" OK("\"content\":[]")},
	{"resources/subscribe", NULL, OK("")},
	{"resources/read", NULL,
	 "{\"jsonrpc\":\"2.0\",\"id\":$id,\"error\":{\"code\":-32002,"
	 "\"message\":\"no\",\"data\":{}}}"},
};

/* ---- the program ---- */

static void wait_for(struct tenon_request *request)
{
	struct tenon_outcome outcome;

	if (request)
		(void)tenon_request_wait(request, &outcome);
}

static void converse(struct kit_server *server, const struct tenon_client_options *options)
{
	struct tenon_client *client = NULL;
	struct tenon_error err;

	fault.armed = true;
	if (tenon_client_create(options, &client, &err) == TENON_OK) {
		kit_use(server, client);
		(void)tenon_client_set_roots(client, "[{\"uri\":\"file:///\"}]", &err);
		(void)tenon_client_watch(client, "x:1", &err);
		if (tenon_client_connect(client, &err) == TENON_OK) {
			tenon_client_run_for(client, 1);
			wait_for(tenon_client_list(client, TENON_LIST_TOOLS, NULL, &err));
			wait_for(tenon_client_call(client, "t", "{}", NULL, &err));
			wait_for(tenon_client_read(client, "x:1", NULL, &err));
			wait_for(tenon_client_read(client, "x:1", NULL, &err));
		}
		tenon_client_destroy(client);
	}
	fault.armed = false;
}

static void every_allocation(const struct kit_step *steps, size_t count, bool is_legacy,
			     bool goes_on)
{
	unsigned long nth;

	fault.goes_on = goes_on;
	for (nth = 1;; nth++) {
		struct kit_server server = {
			.steps = steps, .count = count, .is_loose = true, .own_memory = own_memory};
		struct tenon_client_options options = kit_options(&server);

		options.mode = is_legacy ? TENON_MODE_LEGACY : TENON_MODE_MODERN;
		options.no_reconnect = true;
		options.connect_timeout_ms = options.request_timeout_ms = 20;
		options.request_total_ms = 60;
		fault.nth = nth;
		fault.count = 0;
		fault.hit = false;
		fault.live = 0;
		tn_buf_init(&server.log, TN_MIB);
		converse(&server, &options);
		tn_buf_finish(&server.log);
		if (fault.live != 0)
			fail_msg("allocation %lu: %ld blocks are not given back", nth, fault.live);
		assert_int_equal(server.opened, server.closed);
		if (!fault.hit)
			break;
	}
	assert_true(nth > 50); /* it did fail, and the last run did not */
}

static void modern_once(void **state)
{
	(void)state;
	every_allocation(modern, TN_COUNT(modern), false, false);
}

static void modern_for_good(void **state)
{
	(void)state;
	every_allocation(modern, TN_COUNT(modern), false, true);
}

static void legacy_once(void **state)
{
	(void)state;
	every_allocation(legacy, TN_COUNT(legacy), true, false);
}

static void legacy_for_good(void **state)
{
	(void)state;
	every_allocation(legacy, TN_COUNT(legacy), true, true);
}

int main(void)
{
	const struct CMUnitTest all[] = {
		cmocka_unit_test(modern_once),
		cmocka_unit_test(modern_for_good),
		cmocka_unit_test(legacy_once),
		cmocka_unit_test(legacy_for_good),
	};

	return cmocka_run_group_tests(all, NULL, NULL);
}
