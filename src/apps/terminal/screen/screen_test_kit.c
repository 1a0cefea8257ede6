#include "apps/terminal/screen/screen_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/size.h"
#include "base/utf8.h"

struct tn_screen *test_screen(uint16_t columns, uint16_t rows)
{
	const struct tn_screen_options options = {
		.columns = columns, .rows = rows, .scrollback_max = TEST_SCROLLBACK};
	struct tn_screen *screen = NULL;
	struct tenon_error err;

	if (tn_screen_create(&options, &screen, &err) != TENON_OK)
		fail_msg("%s", err.message);
	return screen;
}

void test_feed(struct tn_screen *screen, const char *text)
{
	tn_screen_feed(screen, tn_str_from(text));
}

/* Cells that SGR would not tell apart: flags, and erased or a blank. */
static void dump_cells(const struct tn_screen *screen, uint16_t row, uint16_t columns,
		       struct tn_buf *out)
{
	for (uint16_t i = 0; i < columns; i++) {
		struct tn_style style;
		unsigned flags;
		struct tn_str text = tn_screen_cell(screen, row, i, &style, &flags);

		tn_buf_append_byte(out, text.size ? 'c' : flags & TN_CELL_WIDE_TAIL ? 't' : '.');
		if (flags & TN_CELL_WIDE)
			tn_buf_append_byte(out, 'w');
		if (text.size > TN_UTF8_BYTES_MAX || style.flags)
			tn_buf_format(out, "(%zu,%x)", text.size, style.flags);
	}
}

static void dump_line(const struct tn_screen *screen, int32_t row, struct tn_buf *out)
{
	tn_buf_format(out, "%4d%c|", row, tn_screen_line_wraps(screen, row) ? '>' : ' ');
	tn_screen_put_line_ansi(screen, row, false, out);
	tn_buf_append_text(out, "|");
}

struct tn_buf test_dump(const struct tn_screen *screen)
{
	struct tn_screen_look look;
	struct tn_buf out;

	tn_screen_look(screen, &look);
	tn_buf_init(&out, 64 * TN_MIB);
	for (int32_t i = -(int32_t)look.scrollback_count; i < 0; i++) {
		dump_line(screen, i, &out);
		tn_buf_append_text(&out, "\n");
	}
	for (uint16_t i = 0; i < look.rows; i++) {
		dump_line(screen, i, &out);
		dump_cells(screen, i, look.columns, &out);
		tn_buf_append_text(&out, "\n");
	}
	tn_buf_format(&out,
		      "%ux%u cursor %u,%u%s %s alternate %d mouse %s paste %d keys %d %d %u\n",
		      look.columns, look.rows, look.cursor_row, look.cursor_column,
		      look.cursor_visible ? "" : " hidden", look.cursor_shape, look.alternate,
		      look.mouse, look.bracketed_paste, look.application_cursor,
		      look.application_keypad, look.modify_other);
	tn_buf_format(&out, "title %s\n", look.title);
	assert_false(out.failed);
	assert_true(tn_utf8_valid(out.data, out.size));
	return out;
}

static struct tn_str take_line(struct tn_str *text)
{
	size_t end = tn_str_find_byte(*text, '\n');
	struct tn_str line = tn_str(text->data, end == TN_STR_NONE ? text->size : end);

	*text = tn_str_from_offset(*text, line.size + 1);
	return line;
}

/* Escapes made visible. */
static void show(const char *name, struct tn_str line)
{
	fprintf(stderr, "%s ", name);
	for (size_t i = 0; i < line.size; i++)
		fputc(line.data[i] == '\033' ? '~' : line.data[i], stderr);
	fputc('\n', stderr);
}

void test_same(const struct tn_screen *a, const struct tn_screen *b, const char *story,
	       uint64_t seed)
{
	struct tn_buf first = test_dump(a), second = test_dump(b);

	if (!tn_str_equal(tn_buf_str(&first), tn_buf_str(&second))) {
		struct tn_str rest = tn_buf_str(&first), other = tn_buf_str(&second), line, twin;

		do {
			line = take_line(&rest);
			twin = take_line(&other);
		} while (tn_str_equal(line, twin) && (rest.size || other.size));
		show("first: ", line);
		show("second:", twin);
		fail_msg("%s, seed %llu: the screens differ", story, (unsigned long long)seed);
	}
	tn_buf_finish(&first);
	tn_buf_finish(&second);
}

/* SplitMix64. */
uint32_t test_random(struct test_random *random, uint32_t below)
{
	uint64_t z = random->state += 0x9E3779B97F4A7C15;

	z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
	z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
	return (uint32_t)((z ^ (z >> 31)) >> 32) % below;
}

/* Mostly small, sometimes none, sometimes far too much. */
static void put_number(struct test_random *r, unsigned flags, struct tn_buf *out)
{
	static const unsigned large[] = {0, 99, 999, 65535, 65536, 4294967295u};
	uint32_t kind = test_random(r, 20);

	if (kind == 0)
		tn_buf_append_uint(
			out,
			large[test_random(r, TN_COUNT(large) - (flags & TEST_ORACLE ? 1 : 0))]);
	else if (kind > 2)
		tn_buf_append_uint(out, 1 + test_random(r, kind < 15 ? 6 : 40));
}

static void put_text(struct test_random *r, unsigned flags, struct tn_buf *out)
{
	static const char *const words[] = {
		"\xC3\xA9",                 /* e acute */
		"\xE2\x94\x80\xE2\x94\xBC", /* box drawing */
		"\xE4\xB8\xAD\xE6\x96\x87", /* CJK */
		"\xEA\xB0\x80",             /* Hangul */
		"\xF0\x9F\x98\x80",         /* an emoji */
		"e\xCC\x81",                /* e and a combining acute */
		"n\xCC\x83\xCC\x8A",
		"\xCC\x88",                                     /* a mark alone */
		"\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x92\xBB", /* joined emoji */
		"\xE2\x9D\xA4\xEF\xB8\x8F",
		"\xE1\x84\x80\xE1\x85\xA1\xE1\x86\xA8", /* Hangul in pieces */
		"\xE2\x80\xAE",                         /* a direction override */
		"q\xCC\x81\xCC\x82\xCC\x83\xCC\x84\xCC\x85\xCC\x86\xCC\x87", /* too many marks */
	};
	uint32_t count = 1 + test_random(r, test_random(r, 4) ? 8 : 60);

	if (test_random(r, 3) == 0) {
		uint32_t most = flags & TEST_WIDE ? 4 : flags & TEST_ORACLE ? 2 : TN_COUNT(words);

		tn_buf_append_text(out, words[test_random(r, most)]);
		return;
	}
	while (count--)
		tn_buf_append_byte(out, (char)(0x20 + test_random(r, 0x5F)));
}

static void put_style(struct test_random *r, unsigned flags, struct tn_buf *out)
{
	static const char *const styles[] = {
		"0",          "",
		"1",          "2",
		"3",          "4",
		"5",          "7",
		"8",          "9",
		"22",         "23",
		"24",         "25",
		"27",         "28",
		"29",         "39",
		"49",         "31;44",
		"91",         "103",
		"38;5;200",   "48;5;17",
		"38;2;1;2;3", "48;2;250;128;0",
		"38:5:99",    "4:3",
		"4:0",        "1;31;4",
		"21",         "48;5;300",
		"38",         "38:2::9:8:7",
		"58;5;9;1",   "6",
	};

	/* The last ones mean nothing to the oracle. */
	uint32_t most = TN_COUNT(styles) - (flags & TEST_ORACLE ? 5 : 0);

	tn_buf_format(out, "\033[%sm", styles[test_random(r, most)]);
}

static void put_control(struct test_random *r, unsigned flags, struct tn_buf *out)
{
	/* Behind a wide character in the last columns the oracle has another cursor, if it does not
	 * go to the start of a row. */
	static const char *const controls[] = {"\r\n", "\r\n", "\033E", "\r\n\r\n", "\r",   "\n",
					       "\b",   "\t",   "\013",  "\033D",    "\033M"};
	uint32_t most = flags & TEST_WIDE ? 4 : TN_COUNT(controls);

	tn_buf_append_text(out, controls[test_random(r, most)]);
}

static void put_numbers(struct test_random *r, unsigned flags, char final, struct tn_buf *out)
{
	/* What an empty region does differs. */
	if (final == 'r' && (flags & TEST_ORACLE || test_random(r, 2))) {
		if (test_random(r, 3))
			tn_buf_format(out, "%u;%u", 1 + test_random(r, 5), 6 + test_random(r, 5));
		return;
	}
	if (final == 'J' || final == 'K')
		tn_buf_append_uint(out, test_random(r, 3));
	else
		put_number(r, flags, out);
	if (final == 'H' || final == 'f' || final == 'r') {
		tn_buf_append_byte(out, ';');
		put_number(r, flags, out);
	}
}

/* Cursor movement and editing with one or two numbers. */
static void put_csi(struct test_random *r, unsigned flags, struct tn_buf *out)
{
	/* The oracle's cursor does not stop at a scroll region's borders, and outside of it
	 * characters are neither inserted nor deleted. */
	static const char finals[] = "rCDGHd`afXJKSTLMIZP@ABEFe";
	const char *from = flags & TEST_ORACLE && !(flags & TEST_REGION) ? finals + 1 : finals;
	size_t count = strlen(from) - (flags & TEST_ORACLE && flags & TEST_REGION ? 7 : 0);
	char final = from[test_random(r, (uint32_t)count)];

	tn_buf_append_text(out, "\033[");
	put_numbers(r, flags, final, out);
	tn_buf_append_byte(out, final);
	/* Where the cursor is after them differs between terminals. */
	if (flags & TEST_ORACLE && (final == 'L' || final == 'M'))
		tn_buf_append_byte(out, '\r');
}

static void put_mode(struct test_random *r, unsigned flags, struct tn_buf *out)
{
	static const char *const modes[] = {
		"?6",    "?7",    "4",     "?25",   "?1",    "?2004", "?1049", "?1047",
		"?47",   "?1000", "?1002", "?1003", "?1006", "?1004", "?66",   "20",
		"?2026", "?12",   "?5",    "?1048", "?9",    "?7777",
	};
	/* Origin mode is part of the saved cursor here and in xterm, and not in the oracle. */
	uint32_t least = flags & TEST_ORACLE && !(flags & TEST_REGION) ? 1 : 0;
	uint32_t most = flags & TEST_ORACLE ? 6 : TN_COUNT(modes);

	tn_buf_format(out, "\033[%s%c", modes[least + test_random(r, most - least)],
		      test_random(r, 5) < 3 ? 'h' : 'l');
}

static void put_rare(struct test_random *r, struct tn_buf *out)
{
	static const char *const rare[] = {
		"\0337",
		"\0338",
		"\033(0",
		"\033(B",
		"\033)0",
		"\033(A",
		"\016",
		"\017",
		"\033*0",
		"\033n",
		"\033o",
		"\033N",
		"\033O",
		"\033H",
		"\033[g",
		"\033[3g",
		"\033#8",
		"\033c",
		"\033[!p",
		"\033[3 q",
		"\033[6 q",
		"\033=",
		"\033>",
		"\033]0;a title\007",
		"\033]2;\xC3\xA4 and\033\\",
		"\033]52;c;AAAA\007",
		"\033P$qm\033\\",
		"\033_app\033\\",
		"\033^pm\033\\",
		"\033Xsos\033\\",
		"\033[c",
		"\033[>c",
		"\033[5n",
		"\033[6n",
		"\005",
		"\007",
		"\033[21t",
		"\033[>4;2m",
		"\033[>4m",
		"\033[s",
		"\033[u",
		"\033[3J",
		"x\033[7b",
		"\033[5b",
		"\xE4\xB8\xAD\033[3b",
		"\033[?2J",
		"\033[?K",
		"\033[20T",
		"\302\2333C",
		"\xC2\x85",
		"\033[1;2;3;4;5T",
		"\033[?6n",
	};

	tn_buf_append_text(out, rare[test_random(r, TN_COUNT(rare))]);
}

/* Bytes without sense: cut sequences, wrong UTF-8, controls in the middle. */
static void put_wild(struct test_random *r, struct tn_buf *out)
{
	static const char *const wild[] = {
		"\033",          "\033[",
		"\033[3",        "\033[3;",
		"\033[?",        "\033]",
		"\033]0;un",     "\033P",
		"\033[1:2",      "\033[38;2;1",
		"\033(",         "\033# ",
		"\xE4",          "\xE4\xB8",
		"\xF0\x9F",      "\xFF",
		"\xC0\x80",      "\xED\xA0\x80",
		"\033[3\nC",     "\033[3\030",
		"\033[3\033[C",  "\033[ !p",
		"\033[?3?h",     "\033]0;x\033",
		"\033[\xC3\xA9", "\177",
		"\033[4\177A",   "\033[;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;1m",
		"\xC2",          "\033[>1;2;3",
		"\033  ",
	};

	tn_buf_append_text(out, wild[test_random(r, TN_COUNT(wild))]);
}

void test_random_piece(struct test_random *random, unsigned flags, struct tn_buf *out)
{
	uint32_t kind = test_random(random, flags & TEST_WIDE ? 62 : 100);

	if (kind < 40)
		put_text(random, flags, out);
	else if (kind < 50)
		put_style(random, flags, out);
	else if (kind < 62)
		put_control(random, flags, out);
	else if (kind < 85)
		put_csi(random, flags, out);
	else if (kind < 91 || flags & TEST_ORACLE)
		put_mode(random, flags, out);
	else if (kind < 97 || !(flags & TEST_WILD))
		put_rare(random, out);
	else
		put_wild(random, out);
}

struct tn_buf test_random_stream(uint64_t seed, unsigned pieces, unsigned flags)
{
	struct test_random random = {seed};
	struct tn_buf out;

	tn_buf_init(&out, 16 * TN_MIB);
	while (pieces--)
		test_random_piece(&random, flags, &out);
	assert_false(out.failed);
	return out;
}
