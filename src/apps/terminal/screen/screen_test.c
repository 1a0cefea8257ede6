/* What a screen shows, told as stories in tests/data/terminal/screens: bytes in, rows out. A line
 * is
 *   size COLUMNS ROWS      a new screen                  in BYTES      fed; \e \r \n \t \b \xHH \\
 *   row |TEXT|             the next row, in full         ansi |TEXT|   the next row with its
 * colours back |TEXT|            the next line of scroll-back, from the oldest one kept; then its
 * end:
 *                          "+" if it goes on in the next line
 *   cursor ROW COLUMN      from 0                        look WORDS    see look_words
 *   resize COLUMNS ROWS    title TEXT                    reply BYTES   everything answered so far
 *   sane yes|no            what tn_screen_sane says      # a remark
 * terminal.md 6.4, 7.9, 10.4, 16. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <fcntl.h>
#include <unistd.h>

#include <cmocka.h>

#include "apps/terminal/screen/screen_test.h"
#include "base/size.h"

struct story {
	const char *name;
	unsigned line;
	struct tn_screen *screen;
	struct tn_buf bytes;    /* of the line, unescaped */
	struct tn_buf shown;    /* what the screen has there */
	struct tn_buf replies;  /* since it was made */
	struct tn_buf scrolled; /* the same, for lines that left */
	unsigned bells;
	int32_t row, back; /* that come next */
};

static void on_reply(struct tn_str bytes, void *data)
{
	tn_buf_append_str(&((struct story *)data)->replies, bytes);
}

static void on_scrolled(struct tn_screen *screen, struct tn_str text, bool wrapped, void *data)
{
	struct story *s = data;

	(void)screen;
	tn_buf_append_str(&s->scrolled, text);
	tn_buf_append_text(&s->scrolled, wrapped ? "+\n" : "\n");
}

static void on_bell(void *data)
{
	((struct story *)data)->bells++;
}

static int hex(char c)
{
	return tn_is_digit(c) ? c - '0' : tn_to_lower(c) - 'a' + 10;
}

static void unescape(struct tn_str text, struct tn_buf *out)
{
	static const char names[] = "ertnb\\s", values[] = "\033\r\t\n\b\\ ";

	tn_buf_clear(out);
	for (size_t i = 0; i < text.size; i++) {
		const char *name;

		if (text.data[i] != '\\') {
			tn_buf_append_byte(out, text.data[i]);
			continue;
		}
		assert_true(++i < text.size);
		if (text.data[i] == 'x') {
			assert_true(i + 2 < text.size);
			tn_buf_append_byte(
				out, (char)(hex(text.data[i + 1]) << 4 | hex(text.data[i + 2])));
			i += 2;
			continue;
		}
		name = strchr(names, text.data[i]);
		assert_non_null(name);
		tn_buf_append_byte(out, values[name - names]);
	}
}

/* With escapes visible, for messages. */
static void show(const char *what, struct tn_str text)
{
	print_message("%s", what);
	for (size_t i = 0; i < text.size; i++)
		if (text.data[i] == '\033')
			print_message("\\e");
		else
			print_message("%c", text.data[i]);
	print_message("\n");
}

static void expect(const struct story *s, struct tn_str shown, struct tn_str wanted)
{
	if (tn_str_equal(shown, wanted))
		return;
	show("shown:  ", shown);
	show("wanted: ", wanted);
	fail_msg("%s.screen:%u", s->name, s->line);
}

static void make(struct story *s, unsigned columns, unsigned rows)
{
	const struct tn_screen_options options = {
		.columns = (uint16_t)columns,
		.rows = (uint16_t)rows,
		.scrollback_max = TEST_SCROLLBACK,
		.reply = on_reply,
		.scrolled = on_scrolled,
		.bell = on_bell,
		.data = s,
	};
	struct tenon_error err;

	tn_screen_destroy(s->screen);
	tn_buf_clear(&s->replies);
	tn_buf_clear(&s->scrolled);
	s->bells = 0;
	assert_int_equal(tn_screen_create(&options, &s->screen, &err), TENON_OK);
}

static void do_size(struct story *s, struct tn_str rest)
{
	unsigned columns, rows;

	assert_int_equal(sscanf(rest.data, "%u %u", &columns, &rows), 2);
	make(s, columns, rows);
}

static void do_in(struct story *s, struct tn_str rest)
{
	unescape(rest, &s->bytes);
	tn_screen_feed(s->screen, tn_buf_str(&s->bytes));
	s->row = 0;
	s->back = 0;
}

static void do_resize(struct story *s, struct tn_str rest)
{
	struct tenon_error err;
	unsigned columns, rows;

	assert_int_equal(sscanf(rest.data, "%u %u", &columns, &rows), 2);
	assert_int_equal(tn_screen_resize(s->screen, (uint16_t)columns, (uint16_t)rows, &err),
			 TENON_OK);
	s->row = 0;
	s->back = 0;
}

static void do_row(struct story *s, struct tn_str rest)
{
	tn_buf_clear(&s->shown);
	tn_buf_append_byte(&s->shown, '|');
	tn_screen_put_line(s->screen, s->row, false, &s->shown);
	tn_buf_append_text(&s->shown, tn_screen_line_wraps(s->screen, s->row) ? "|+" : "|");
	s->row++;
	expect(s, tn_buf_str(&s->shown), rest);
}

static void do_ansi(struct story *s, struct tn_str rest)
{
	unescape(rest, &s->bytes);
	tn_buf_clear(&s->shown);
	tn_buf_append_byte(&s->shown, '|');
	tn_screen_put_line_ansi(s->screen, s->row++, true, &s->shown);
	tn_buf_append_byte(&s->shown, '|');
	expect(s, tn_buf_str(&s->shown), tn_buf_str(&s->bytes));
}

static void do_back(struct story *s, struct tn_str rest)
{
	struct tn_screen_look look;
	int32_t row;

	tn_screen_look(s->screen, &look);
	row = s->back++ - (int32_t)look.scrollback_count;
	tn_buf_clear(&s->shown);
	tn_buf_append_byte(&s->shown, '|');
	tn_screen_put_line(s->screen, row, true, &s->shown);
	tn_buf_append_text(&s->shown, tn_screen_line_wraps(s->screen, row) ? "|+" : "|");
	expect(s, row < 0 ? tn_buf_str(&s->shown) : TN_STR("none"), rest);
}

static void do_cursor(struct story *s, struct tn_str rest)
{
	struct tn_screen_look look;

	tn_screen_look(s->screen, &look);
	tn_buf_clear(&s->shown);
	tn_buf_format(&s->shown, "%u %u", look.cursor_row, look.cursor_column);
	expect(s, tn_buf_str(&s->shown), rest);
}

static void do_look(struct story *s, struct tn_str rest)
{
	struct tn_screen_look look;

	tn_screen_look(s->screen, &look);
	tn_buf_clear(&s->shown);
	tn_buf_format(&s->shown, "%s %s %s mouse=%s%s%s%s other=%u",
		      look.alternate ? "alternate" : "main", look.cursor_shape,
		      look.cursor_visible ? "visible" : "invisible", look.mouse,
		      look.bracketed_paste ? " paste" : "",
		      look.application_cursor ? " cursor-keys" : "",
		      look.application_keypad ? " keypad" : "", look.modify_other);
	expect(s, tn_buf_str(&s->shown), rest);
}

static void do_title(struct story *s, struct tn_str rest)
{
	struct tn_screen_look look;

	tn_screen_look(s->screen, &look);
	expect(s, tn_str_from(look.title), rest);
}

static void do_reply(struct story *s, struct tn_str rest)
{
	unescape(rest, &s->bytes);
	expect(s, tn_buf_str(&s->replies), tn_buf_str(&s->bytes));
}

static void do_scrolled(struct story *s, struct tn_str rest)
{
	unescape(rest, &s->bytes);
	expect(s, tn_buf_str(&s->scrolled), tn_buf_str(&s->bytes));
}

static void do_bells(struct story *s, struct tn_str rest)
{
	tn_buf_clear(&s->shown);
	tn_buf_format(&s->shown, "%u", s->bells);
	expect(s, tn_buf_str(&s->shown), rest);
}

static void do_sane(struct story *s, struct tn_str rest)
{
	expect(s, tn_screen_sane(s->screen) ? TN_STR("yes") : TN_STR("no"), rest);
	s->row = 0;
	s->back = 0;
}

static const struct {
	const char *word;
	void (*run)(struct story *s, struct tn_str rest);
} words[] = {
	{"size", do_size},   {"in", do_in},       {"resize", do_resize},     {"row", do_row},
	{"ansi", do_ansi},   {"back", do_back},   {"cursor", do_cursor},     {"look", do_look},
	{"title", do_title}, {"reply", do_reply}, {"scrolled", do_scrolled}, {"bells", do_bells},
	{"sane", do_sane},
};

static void run_line(struct story *s, struct tn_str line)
{
	size_t end = tn_str_find_byte(line, ' ');
	struct tn_str word = tn_str(line.data, end == TN_STR_NONE ? line.size : end);

	if (line.size == 0 || line.data[0] == '#')
		return;
	for (size_t i = 0; i < TN_COUNT(words); i++)
		if (tn_str_is(word, words[i].word)) {
			words[i].run(s, tn_str_from_offset(line, word.size + 1));
			return;
		}
	fail_msg("%s.screen:%u: no such word", s->name, s->line);
}

static struct tn_buf read_story(const char *name)
{
	struct tenon_error err;
	struct tn_buf text;
	char path[4096];
	int fd;

	(void)snprintf(path, sizeof(path), "%s/terminal/screens/%s.screen", TN_TEST_DATA, name);
	tn_buf_init(&text, TN_MIB);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		fail_msg("%s: not there", path);
	assert_int_equal(tn_buf_read_all(&text, fd, &err), TENON_OK);
	(void)close(fd); /* only read */
	tn_buf_append_byte(&text, 0);
	return text;
}

static void run_story(void **state)
{
	struct story s = {.name = *state};
	struct tn_buf text = read_story(s.name);
	struct tn_str rest = tn_str(text.data, text.size - 1);

	tn_buf_init(&s.bytes, TN_MIB);
	tn_buf_init(&s.shown, TN_MIB);
	tn_buf_init(&s.replies, TN_MIB);
	tn_buf_init(&s.scrolled, TN_MIB);
	while (rest.size) {
		size_t end = tn_str_find_byte(rest, '\n');
		struct tn_str line = tn_str(rest.data, end == TN_STR_NONE ? rest.size : end);

		s.line++;
		run_line(&s, line);
		rest = tn_str_from_offset(rest, line.size + 1);
	}
	tn_screen_destroy(s.screen);
	tn_buf_finish(&s.bytes);
	tn_buf_finish(&s.shown);
	tn_buf_finish(&s.replies);
	tn_buf_finish(&s.scrolled);
	tn_buf_finish(&text);
}

#define STORY(name)                                                  \
	{                                                            \
		name, run_story, NULL, NULL, (void *)(uintptr_t)name \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		STORY("alternate"), STORY("answers"), STORY("charsets"), STORY("colours"),
		STORY("cursor"),    STORY("edit"),    STORY("modes"),    STORY("region"),
		STORY("resize"),    STORY("sane"),    STORY("title"),    STORY("torture"),
		STORY("utf8"),      STORY("wide"),    STORY("wrap"),     STORY("xterm"),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
