/* A build without the page (-Dweb=disabled): the table of files is empty, and "/" says why. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/size.h"
#include "serve/door_kit.h"
#include "host/daemon/ui.h"

/* In the place of the table that the build makes. */
const struct tn_ui_asset tn_ui_assets[] = {{.path = NULL}};

static void test_says_why(void **state)
{
	static const char *const requests[] = {
		DOOR_HEAD("GET /") "\r\n",
		DOOR_HEAD("GET /") "Accept-Encoding: gzip\r\n\r\n",
		DOOR_HEAD("GET /") "If-None-Match: \"\"\r\n\r\n",
		DOOR_HEAD("GET /assets/index.js") "\r\n",
	};
	struct tn_http_page pages[TN_UI_PAGES + 1] = {{.path = NULL}};
	struct door *d = door_create();

	(void)state;
	for (size_t i = 0; i < TN_UI_PAGES; i++)
		pages[i] = tn_ui_pages[i];
	(void)door_listen(d, &(struct tenon_http_options){.origins = NULL},
			  &(struct tn_http_extra){.pages = pages, .hardened = true});
	door_run(d);
	assert_false(tn_ui_is_built());
	assert_null(tn_ui_find(TN_STR("/")));
	for (size_t i = 0; i < TN_COUNT(requests); i++) {
		assert_int_equal(door_ask(d, d->port, requests[i]), 404);
		assert_true(door_replied(d, "-Dweb=disabled"));
		assert_true(door_replied(d, "\r\nContent-Security-Policy: default-src 'none'"));
		assert_false(door_replied(d, "Content-Encoding"));
		assert_false(door_replied(d, "ETag"));
	}
	door_close(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_says_why),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
