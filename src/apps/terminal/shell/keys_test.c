/* terminal.md 7.7: key names to bytes, for the modes that the program set. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "apps/terminal/shell/keys.h"
#include "base/size.h"

struct sample {
	const char *name, *bytes;
	size_t size; /* 0: up to the NUL */
};

static void check(const struct sample *samples, size_t count, const struct tn_screen_look *modes)
{
	for (size_t i = 0; i < count; i++) {
		size_t size = samples[i].size ? samples[i].size : strlen(samples[i].bytes);
		struct tenon_error err;
		struct tn_buf out;

		tn_buf_init(&out, 64);
		if (tn_keys_encode(tn_str_from(samples[i].name), modes, &out, &err) != TENON_OK)
			fail_msg("%s: %s", samples[i].name, err.message);
		if (!tn_str_equal(tn_buf_str(&out), tn_str(samples[i].bytes, size)))
			fail_msg("%s gave %zu bytes: \\x%02x %.*s", samples[i].name, out.size,
				 (unsigned char)out.data[0], (int)out.size - 1, out.data + 1);
		tn_buf_finish(&out);
	}
}

static void all_names(void **state)
{
	static const struct sample samples[] = {
		{"Enter", "\r", 0},
		{"Tab", "\t", 0},
		{"Escape", "\033", 0},
		{"Space", " ", 0},
		{"Backspace", "\177", 0},
		{"Delete", "\033[3~", 0},
		{"Insert", "\033[2~", 0},
		{"Up", "\033[A", 0},
		{"Down", "\033[B", 0},
		{"Left", "\033[D", 0},
		{"Right", "\033[C", 0},
		{"Home", "\033[H", 0},
		{"End", "\033[F", 0},
		{"PageUp", "\033[5~", 0},
		{"PageDown", "\033[6~", 0},
		{"F1", "\033OP", 0},
		{"F2", "\033OQ", 0},
		{"F3", "\033OR", 0},
		{"F4", "\033OS", 0},
		{"F5", "\033[15~", 0},
		{"F6", "\033[17~", 0},
		{"F7", "\033[18~", 0},
		{"F8", "\033[19~", 0},
		{"F9", "\033[20~", 0},
		{"F10", "\033[21~", 0},
		{"F11", "\033[23~", 0},
		{"F12", "\033[24~", 0},
		{"q", "q", 0},
		{"-", "-", 0},
		{"\xC3\xA9", "\xC3\xA9", 0},
		{"enter", "\r", 0},
	};
	const struct tn_screen_look modes = {.columns = 80};

	(void)state;
	check(samples, TN_COUNT(samples), &modes);
}

static void with_modifiers(void **state)
{
	static const struct sample samples[] = {
		{"C-c", "\003", 0},
		{"C-a", "\001", 0},
		{"C-z", "\032", 0},
		{"C-A", "\001", 0},
		{"C-Space", "\0", 1},
		{"C-@", "\0", 1},
		{"C-[", "\033", 0},
		{"C-\\", "\034", 0},
		{"C-]", "\035", 0},
		{"C-^", "\036", 0},
		{"C-_", "\037", 0},
		{"C-/", "\037", 0},
		{"C-?", "\177", 0},
		{"C--", "-", 0},
		{"M-x", "\033x", 0},
		{"M-\xC3\xA9", "\033\xC3\xA9", 0},
		{"M-C-x", "\033\030", 0},
		{"C-M-x", "\033\030", 0},
		{"S-a", "A", 0},
		{"S-\xC3\xA9", "\xC3\x89", 0},
		{"M-S-a", "\033A", 0},
		{"C-S-a", "\001", 0},
		{"S-Tab", "\033[Z", 0},
		{"M-Enter", "\033\r", 0},
		{"M-Escape", "\033\033", 0},
		{"M-Backspace", "\033\177", 0},
		{"C-Backspace", "\010", 0},
		{"C-Enter", "\r", 0},
		{"C-S-Left", "\033[1;6D", 0},
		{"S-Up", "\033[1;2A", 0},
		{"M-Down", "\033[1;3B", 0},
		{"C-Right", "\033[1;5C", 0},
		{"C-M-S-Home", "\033[1;8H", 0},
		{"C-F1", "\033[1;5P", 0},
		{"S-F5", "\033[15;2~", 0},
		{"C-Delete", "\033[3;5~", 0},
		{"M-PageUp", "\033[5;3~", 0},
	};
	const struct tn_screen_look modes = {.columns = 80};

	(void)state;
	check(samples, TN_COUNT(samples), &modes);
}

static void application_cursor(void **state)
{
	static const struct sample samples[] = {
		{"Up", "\033OA", 0},      {"Down", "\033OB", 0},    {"Left", "\033OD", 0},
		{"Right", "\033OC", 0},   {"Home", "\033OH", 0},    {"End", "\033OF", 0},
		{"C-Up", "\033[1;5A", 0}, {"Delete", "\033[3~", 0},
	};
	const struct tn_screen_look modes = {.application_cursor = true};

	(void)state;
	check(samples, TN_COUNT(samples), &modes);
}

static void modify_other(void **state)
{
	static const struct sample first[] = {
		{"C-c", "\003", 0},
		{"C-Enter", "\033[27;5;13~", 0},
		{"S-Enter", "\033[27;2;13~", 0},
		{"C-Tab", "\033[27;5;9~", 0},
		{"C-;", "\033[27;5;59~", 0},
		{"C-S-a", "\033[27;6;65~", 0},
		{"M-x", "\033x", 0},
		{"S-Tab", "\033[Z", 0},
		{"C-Backspace", "\010", 0},
		{"a", "a", 0},
	};
	static const struct sample second[] = {
		{"C-c", "\033[27;5;99~", 0},
		{"M-x", "\033[27;3;120~", 0},
		{"S-a", "A", 0},
		{"a", "a", 0},
		{"Enter", "\r", 0},
		{"C-Space", "\033[27;5;32~", 0},
		{"S-Tab", "\033[Z", 0},
		{"C-Backspace", "\033[27;5;127~", 0},
	};
	struct tn_screen_look modes = {.modify_other = 1};

	(void)state;
	check(first, TN_COUNT(first), &modes);
	modes.modify_other = 2;
	check(second, TN_COUNT(second), &modes);
}

static void refused(void **state)
{
	static const char *const names[] = {"",   "Retrun", "C-",  "C-Foo", "F13",  "F0",
					    "ab", "X-a",    "S-1", "\x01",  "\xFF", "\xC2\x85"};
	const struct tn_screen_look modes = {.columns = 80};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(names); i++) {
		struct tenon_error err = {.code = TENON_OK};
		struct tn_buf out;

		tn_buf_init(&out, 64);
		if (tn_keys_encode(tn_str_from(names[i]), &modes, &out, &err) != TENON_INVALID)
			fail_msg("%s was taken", names[i]);
		assert_int_equal(out.size, 0);
		if (!tn_str_is(tn_str_from(names[i]), "S-1"))
			assert_non_null(strstr(err.message, "PageUp PageDown F1 to F12"));
		tn_buf_finish(&out);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_names),
		cmocka_unit_test(with_modifiers),
		cmocka_unit_test(application_cursor),
		cmocka_unit_test(modify_other),
		cmocka_unit_test(refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
