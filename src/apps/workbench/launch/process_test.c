/* A program that runs for us: lines in and out, its end, and what is left (S6, S20). */
#include "apps/workbench/launch/process.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "loop/guard.h"

enum { LINE_MAX_BYTES = 64, WAIT_MS = 20000 };

struct kit {
	struct tn_loop *loop;
	struct tn_timer *late;
	struct tn_wb_process *process;
	struct tn_buf said; /* lines, with "!" before those of the standard error */
	struct tn_child_end end;
	bool has_ended, is_late, frees;
	size_t lines;
};

static void too_late(struct tn_timer *timer, void *data)
{
	struct kit *kit = data;

	(void)timer;
	kit->is_late = true;
	tn_loop_stop(kit->loop);
}

static void line(void *data, struct tn_str text, bool is_stderr)
{
	struct kit *kit = data;

	kit->lines++;
	if (kit->said.size < 4096)
		tn_buf_format(&kit->said, "%s%.*s\n", is_stderr ? "!" : "", (int)text.size,
			      text.size ? text.data : "");
	if (kit->frees) {
		tn_wb_process_free(kit->process);
		kit->process = NULL;
		tn_loop_stop(kit->loop);
	}
}

static void ended(void *data, struct tn_child_end end)
{
	struct kit *kit = data;

	kit->has_ended = true;
	kit->end = end;
	tn_loop_stop(kit->loop);
}

static void begin(struct kit *kit, const char *script)
{
	const char *command[] = {"/bin/sh", "-c", script, NULL};
	static const char *const env[] = {"PATH=/usr/bin:/bin", NULL};
	const struct tn_wb_process_options options = {.command = command,
						      .env = env,
						      .directory = "/usr",
						      .line_max = LINE_MAX_BYTES,
						      .line = line,
						      .ended = ended,
						      .data = kit};
	struct tn_wb_process_options whole = options;

	*kit = (struct kit){0};
	tn_buf_init(&kit->said, 64 * 1024);
	assert_int_equal(tn_loop_create(&kit->loop, NULL), TENON_OK);
	assert_int_equal(tn_timer_open(kit->loop, too_late, kit, &kit->late, NULL), TENON_OK);
	tn_timer_start(kit->late, WAIT_MS);
	whole.loop = kit->loop;
	assert_int_equal(tn_wb_process_start(&whole, &kit->process, NULL), TENON_OK);
}

static void run(struct kit *kit)
{
	tn_loop_run(kit->loop);
	assert_false(kit->is_late);
	tn_buf_append_byte(&kit->said, '\0');
}

static void finish(struct kit *kit)
{
	tn_wb_process_free(kit->process);
	tn_timer_close(kit->late);
	tn_buf_finish(&kit->said);
	tn_loop_destroy(kit->loop);
}

static void lines_come_whole_and_the_last_one_without_its_end(void **state)
{
	struct kit kit;

	(void)state;
	begin(&kit, "read a; read b; echo \"$b then $a in $(pwd)\"; sleep 0.1; echo no >&2; "
		    "sleep 0.1; printf 'windows\\r\\n'; printf '%0100d\\nlast' 7; exit 5");
	assert_true(tn_wb_process_send(kit.process, TN_STR("one")));
	assert_true(tn_wb_process_send(kit.process, TN_STR("two")));
	run(&kit);
	assert_true(kit.has_ended);
	assert_int_equal(kit.end.number, 5);
	assert_string_equal(kit.said.data,
			    "two then one in /usr\n!no\nwindows\n"
			    "000000000000000000000000000000000000000000000000000000000000000"
			    "0\nlast\n");
	finish(&kit);
}

static void much_input_is_written_as_it_is_read(void **state)
{
	struct tn_buf line_in;
	struct kit kit;

	(void)state;
	tn_buf_init(&line_in, 16 * TN_MIB);
	for (int i = 0; i < 500000; i++)
		tn_buf_append_text(&line_in, "0123456789");
	begin(&kit, "sleep 0.2; head -c 5000001 | wc -c");
	assert_true(tn_wb_process_send(kit.process, tn_buf_str(&line_in)));
	run(&kit);
	assert_string_equal(kit.said.data, "5000001\n");
	finish(&kit);
	tn_buf_finish(&line_in);
}

static void a_flood_is_read_to_its_end_and_leaves_the_loop_to_others(void **state)
{
	struct kit kit;

	(void)state;
	begin(&kit, "yes | head -n 300000");
	run(&kit);
	assert_int_equal(kit.lines, 300000);
	finish(&kit);
}

static void it_may_be_freed_while_it_tells(void **state)
{
	struct kit kit;

	(void)state;
	begin(&kit, "echo one; echo two; sleep 100");
	kit.frees = true;
	run(&kit);
	assert_string_equal(kit.said.data, "one\n");
	assert_false(kit.has_ended);
	finish(&kit);
}

static void stopped_it_ends_and_says_how(void **state)
{
	struct tn_buf words;
	struct kit kit;

	(void)state;
	begin(&kit, "sleep 100");
	tn_wb_process_stop(kit.process);
	run(&kit);
	assert_true(kit.end.by_signal);
	tn_buf_init(&words, 256);
	tn_wb_process_put_end(&words, kit.end);
	tn_wb_process_put_end(&words, (struct tn_child_end){.number = 3});
	tn_buf_append_byte(&words, '\0');
	assert_string_equal(words.data, "signal 15 (Terminated)exit status 3");
	tn_buf_finish(&words);
	finish(&kit);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_come_whole_and_the_last_one_without_its_end),
		cmocka_unit_test(much_input_is_written_as_it_is_read),
		cmocka_unit_test(a_flood_is_read_to_its_end_and_leaves_the_loop_to_others),
		cmocka_unit_test(it_may_be_freed_while_it_tells),
		cmocka_unit_test(stopped_it_ends_and_says_how),
	};

	if (argc > 1 && strcmp(argv[1], TN_GUARD_WORD) == 0)
		return tn_guard_main(argc - 1, argv + 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
