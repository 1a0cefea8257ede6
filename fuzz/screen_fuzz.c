/* screen_fuzz.c - what a program may send to its terminal, in chunks, with the window resized in
 * between: nothing is read or written where it should not be, and a snapshot draws the same screen.
 *
 * The first two bytes are the size. Then each byte says what comes: 0 another size (two bytes),
 * 1 a snapshot is compared, 2 a prompt (tn_screen_sane), 3 everything is read; anything else is the
 * length of the next chunk. */
#include <stdint.h>

#include "apps/terminal/screen/screen.h"
#include "base/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { COLUMNS_MAX = 60, ROWS_MAX = 20, SCROLLBACK = 30 };

static void on_reply(struct tn_str bytes, void *data)
{
	(void)data;
	tn_assert(bytes.size >= 4 && bytes.size < 32 && bytes.data[0] == '\033');
	for (size_t i = 1; i < bytes.size; i++)
		tn_assert(bytes.data[i] > ' ' && bytes.data[i] < 0x7F);
}

static void on_scrolled(struct tn_screen *screen, struct tn_str text, bool wrapped, void *data)
{
	(void)screen;
	(void)wrapped;
	(void)data;
	tn_assert(tn_utf8_valid(text.data, text.size));
}

static struct tn_screen *make(uint16_t columns, uint16_t rows)
{
	const struct tn_screen_options options = {
		.columns = columns,
		.rows = rows,
		.scrollback_max = SCROLLBACK,
		.reply = on_reply,
		.scrolled = on_scrolled,
	};
	struct tn_screen *screen = NULL;
	enum tenon_code code = tn_screen_create(&options, &screen, NULL);

	tn_assert(code == TENON_OK);
	return screen;
}

static void read_all(const struct tn_screen *screen, struct tn_buf *out)
{
	struct tn_screen_look look;

	tn_screen_look(screen, &look);
	tn_assert(look.cursor_row < look.rows && look.cursor_column < look.columns);
	tn_assert(look.scrollback_count <= SCROLLBACK);
	tn_buf_format(out, "%u %u %u %d %d %s %d %d %d %u %s\n", look.cursor_row,
		      look.cursor_column, look.scrollback_count, look.alternate,
		      look.cursor_visible, look.mouse, look.bracketed_paste,
		      look.application_cursor, look.application_keypad, look.modify_other,
		      look.title);
	for (int32_t i = -(int32_t)look.scrollback_count; i < look.rows; i++) {
		tn_screen_put_line(screen, i, true, out);
		tn_screen_put_line_ansi(screen, i, false, out);
		tn_buf_append_text(out, tn_screen_line_wraps(screen, i) ? "+\n" : "\n");
	}
	for (uint16_t row = 0; row < look.rows; row++)
		for (uint16_t column = 0; column < look.columns; column++) {
			struct tn_style style;
			unsigned flags;

			(void)tn_screen_cell(screen, row, column, &style, &flags);
			tn_buf_format(out, "%x.", flags);
		}
	tn_assert(!out->failed && tn_utf8_valid(out->data, out->size));
}

/* Lines that are wider than the screen by now cannot be drawn as one: they go first. */
static void compare(struct tn_screen *screen)
{
	struct tn_screen_look look;
	struct tn_buf bytes, first, second;
	struct tn_screen *copy;

	tn_screen_feed(screen, TN_STR("\033[3J"));
	tn_screen_look(screen, &look);
	copy = make(look.columns, look.rows);
	tn_buf_init(&bytes, 16 * TN_MIB);
	tn_buf_init(&first, 16 * TN_MIB);
	tn_buf_init(&second, 16 * TN_MIB);
	tn_screen_put_snapshot(screen, SCROLLBACK, &bytes);
	tn_assert(!bytes.failed);
	tn_screen_feed(copy, tn_buf_str(&bytes));
	read_all(screen, &first);
	read_all(copy, &second);
	tn_assert(tn_str_equal(tn_buf_str(&first), tn_buf_str(&second)));
	tn_buf_finish(&bytes);
	tn_buf_finish(&first);
	tn_buf_finish(&second);
	tn_screen_destroy(copy);
}

static uint16_t side(uint8_t byte, unsigned max)
{
	return (uint16_t)(1 + byte % max);
}

/* One step; returns what is left. */
static struct tn_str step(struct tn_screen *screen, struct tn_str rest)
{
	unsigned char what = (unsigned char)rest.data[0];
	struct tn_buf out;
	size_t used = 1;

	if (what == 0 && rest.size > 2) {
		enum tenon_code code =
			tn_screen_resize(screen, side((uint8_t)rest.data[1], COLUMNS_MAX),
					 side((uint8_t)rest.data[2], ROWS_MAX), NULL);

		tn_assert(code == TENON_OK);
		used = 3;
	} else if (what == 1) {
		compare(screen);
	} else if (what == 2) {
		(void)tn_screen_sane(screen);
		tn_assert(!tn_screen_sane(screen));
	} else if (what == 3) {
		tn_buf_init(&out, 16 * TN_MIB);
		read_all(screen, &out);
		tn_buf_finish(&out);
	} else {
		used += what < rest.size - 1 ? what : rest.size - 1;
		tn_screen_feed(screen, tn_str(rest.data + 1, used - 1));
	}
	return tn_str_from_offset(rest, used);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tn_str rest = tn_str((const char *)data, size);
	struct tn_screen *screen;

	if (size < 2)
		return 0;
	screen = make(side(data[0], COLUMNS_MAX), side(data[1], ROWS_MAX));
	rest = tn_str_from_offset(rest, 2);
	while (rest.size)
		rest = step(screen, rest);
	compare(screen);
	tn_screen_destroy(screen);
	return 0;
}
