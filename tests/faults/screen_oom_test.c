/* Every allocation of a screen fails once, and from then on always: no crash, no leak, a refused
 * size leaves the screen as it was, and the text on it is there; what may be lost is scroll-back
 * and marks on characters. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "apps/terminal/screen/screen_test.h"
#include "short_memory.h"

static const char *const expected_rows[] = {"two    ", "e three", "end    "};

static void expect_text(const struct tn_screen *screen)
{
	bool armed = fault.armed;
	struct tn_buf line;

	fault.armed = false;
	tn_buf_init(&line, TN_KIB);
	for (int32_t i = 0; i < 3; i++) {
		tn_buf_clear(&line);
		tn_screen_put_line(screen, i, false, &line);
		assert_true(tn_str_starts(tn_buf_str(&line), TN_STR("e\xCC\x81")) ||
			    tn_str_starts(tn_str_from(expected_rows[i]),
					  tn_str(line.data, line.size < 7 ? line.size : 7)));
	}
	tn_buf_finish(&line);
	fault.armed = armed;
}

static void ignore(struct tn_screen *screen, struct tn_str text, bool wrapped, void *data)
{
	(void)screen;
	(void)wrapped;
	(void)data;
	assert_true(text.size <= 7);
}

static void live(void)
{
	const struct tn_screen_options options = {
		.columns = 7, .rows = 3, .scrollback_max = 100, .scrolled = ignore};
	struct tn_screen *screen = NULL;
	struct tn_screen_look look;
	struct tenon_error err;
	enum tenon_code code = tn_screen_create(&options, &screen, &err);

	if (code != TENON_OK) {
		assert_int_equal(code, TENON_NO_MEMORY);
		assert_null(screen);
		return;
	}
	for (unsigned i = 0; i < 40; i++)
		test_feed(screen, "x\xCC\x81\r\n");
	test_feed(screen, "one\r\ntwo\r\ne\xCC\x81 three\r\nend");
	expect_text(screen);
	code = tn_screen_resize(screen, 9, 3, &err);
	tn_screen_look(screen, &look);
	assert_int_equal(look.columns, code == TENON_OK ? 9 : 7);
	assert_true(code == TENON_OK || code == TENON_NO_MEMORY);
	expect_text(screen);
	test_feed(screen, "\033[?1049h full \033[?1049l");
	expect_text(screen);
	tn_screen_destroy(screen);
}

static void fail_each(bool goes_on)
{
	unsigned long nth = 0;

	do {
		fault = (struct short_memory){.armed = true, .goes_on = goes_on, .nth = ++nth};
		live();
		fault.armed = false;
		assert_int_equal(fault.live, 0);
	} while (fault.hit);
	assert_true(nth > 15);
	print_message("%lu allocations\n", nth - 1);
}

static void each_once(void **state)
{
	(void)state;
	fail_each(false);
}

static void each_for_good(void **state)
{
	(void)state;
	fail_each(true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_once),
		cmocka_unit_test(each_for_good),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
