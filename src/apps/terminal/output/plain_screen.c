/* plain_screen.c - lines that something moves across: they are drawn on a screen and read from it.
 */
#include "apps/terminal/output/plain_lines.h"
#include "apps/terminal/screen/internal.h"
#include "base/utf8.h"

static void draw(struct tn_plain *plain, struct tn_buf *bytes)
{
	tn_screen_feed(plain->screen, tn_buf_str(bytes));
	tn_buf_clear(bytes);
}

/* How many bytes of `text` have `room` characters; *ret_count: how many it has. SGR has none. */
static size_t fit(struct tn_str text, uint64_t room, uint64_t *ret_count)
{
	uint64_t count = 0;
	size_t kept = text.size;
	bool escaped = false;

	for (size_t i = 0; i < text.size; i++) {
		unsigned char c = (unsigned char)text.data[i];

		escaped = escaped || c == 0x1B;
		if (!escaped && (c & 0xC0) != 0x80 && count++ == room)
			kept = i;
		escaped = escaped && c != 'm';
	}
	*ret_count = count;
	return kept;
}

/* As many characters as of any line. */
static void add_to_row(struct tn_plain *plain, struct tn_str text)
{
	uint64_t max = plain->line.characters_max, room = max - plain->row_characters, count;
	size_t kept = fit(text, room, &count);

	tn_buf_append(&plain->row, text.data, kept);
	plain->row_characters += count < room ? count : room;
	plain->row_hidden += count < room ? 0 : count - room;
}

static void hand_on_row(struct tn_plain *plain, bool unfinished)
{
	if (plain->row_hidden)
		tn_buf_format(&plain->row, "\xe2\x80\xa6[+%llu]",
			      (unsigned long long)plain->row_hidden);
	tn_plain_hand_on(plain, tn_buf_str(&plain->row), plain->screen_from, unfinished);
	tn_buf_clear(&plain->row);
	plain->row_characters = plain->row_hidden = 0;
}

static void on_scrolled(struct tn_screen *screen, struct tn_str text, bool wrapped, void *data)
{
	struct tn_plain *plain = data;

	(void)screen;
	add_to_row(plain, text);
	if (!wrapped)
		hand_on_row(plain, false);
}

/* The cursor was saved in this line: that must be so on the screen as well. */
static void draw_saved(struct tn_plain *plain, struct tn_buf *bytes)
{
	tn_buf_append_byte(bytes, '\r');
	if (plain->saved_column > plain->saved_row_start)
		tn_buf_format(bytes, "\033[%lluC",
			      (unsigned long long)(plain->saved_column - plain->saved_row_start));
	tn_buf_append_text(bytes, "\0337");
}

static void draw_lines(struct tn_plain *plain)
{
	struct tn_plain_line *line = &plain->line;
	uint64_t number = plain->line_number - plain->held_count;
	struct tn_buf *bytes = &plain->out;

	plain->screen_from = plain->line_from;
	if (plain->held_count)
		plain->screen_from = plain->held[plain->held_first].from;
	tn_buf_clear(bytes);
	for (size_t i = 0; i < plain->held_count; i++, number++) {
		struct tn_plain_held *held =
			&plain->held[(plain->held_first + i) % plain->options.rows];

		tn_buf_append_str(bytes, tn_buf_str(&held->text));
		if (number == plain->saved_line)
			draw_saved(plain, bytes);
		tn_buf_append_text(bytes, "\r\n");
		draw(plain, bytes);
	}
	tn_plain_drop_held(plain);
	tn_plain_line_put(line, bytes);
	if (number == plain->saved_line)
		draw_saved(plain, bytes);
	tn_buf_append_byte(bytes, '\r');
	if (line->column > line->row_start)
		tn_buf_format(bytes, "\033[%lluC",
			      (unsigned long long)(line->column - line->row_start));
	tn_screen_put_style(&line->style, bytes);
	draw(plain, bytes);
	tn_plain_line_clear(line);
}

bool tn_plain_render(struct tn_plain *plain)
{
	struct tn_screen_options options = {.columns = plain->options.columns,
					    .rows = plain->options.rows,
					    .scrolled = on_scrolled,
					    .data = plain};

	if (!plain->held)
		return false;
	if (tn_screen_create(&options, &plain->screen, NULL) != TENON_OK) {
		plain->screen = NULL;
		return false;
	}
	draw_lines(plain);
	return true;
}

void tn_plain_draw_text(struct tn_plain *plain, struct tn_str ascii)
{
	tn_screen_feed(plain->screen, ascii);
}

void tn_plain_draw_code(struct tn_plain *plain, uint32_t code)
{
	char text[TN_UTF8_BYTES_MAX];

	tn_screen_feed(plain->screen, tn_str(text, tn_utf8_encode(code, text)));
}

/* A pipe has no driver that writes CR before LF: then LF alone is a new line. */
void tn_plain_draw_control(struct tn_plain *plain, unsigned char code)
{
	const char byte = (char)code;

	if (code == '\n' && !plain->newlines)
		tn_screen_feed(plain->screen, TN_STR("\r\n"));
	else
		tn_screen_feed(plain->screen, tn_str(&byte, 1));
}

void tn_plain_draw_escape(struct tn_plain *plain, char intermediate, char final)
{
	struct tn_buf *bytes = &plain->out;

	tn_buf_append_byte(bytes, '\033');
	if (intermediate)
		tn_buf_append_byte(bytes, intermediate);
	tn_buf_append_byte(bytes, final);
	draw(plain, bytes);
}

void tn_plain_draw_csi(struct tn_plain *plain, const struct tn_vt_sequence *q)
{
	struct tn_buf *bytes = &plain->out;

	tn_vt_put_csi(q, bytes);
	draw(plain, bytes);
}

static void put_row(struct tn_plain *plain, int32_t row, bool trim)
{
	struct tn_buf *bytes = &plain->out;

	tn_buf_clear(bytes);
	if (plain->options.format == TN_PLAIN_ANSI)
		tn_screen_put_line_ansi(plain->screen, row, trim, bytes);
	else
		tn_screen_put_line(plain->screen, row, trim, bytes);
	add_to_row(plain, tn_buf_str(bytes));
}

static bool row_is_empty(struct tn_plain *plain, int32_t row)
{
	struct tn_buf *bytes = &plain->out;

	tn_buf_clear(bytes);
	tn_screen_put_line(plain->screen, row, true, bytes);
	return bytes->size == 0;
}

void tn_plain_end_screen(struct tn_plain *plain)
{
	struct tn_screen_look look;
	int32_t last;

	tn_screen_look(plain->screen, &look);
	if (look.alternate) { /* frames of a full-screen program are no lines */
		tn_screen_feed(plain->screen, TN_STR("\033[?1049l"));
		tn_screen_look(plain->screen, &look);
	}
	for (last = look.rows - 1; last >= 0 && row_is_empty(plain, last);)
		last--;
	if (last < look.cursor_row)
		last = look.cursor_row - (look.cursor_column == 0);
	for (int32_t row = 0; row <= last; row++) {
		bool wraps = row < last && tn_screen_line_wraps(plain->screen, row);

		put_row(plain, row, !wraps);
		if (!wraps)
			hand_on_row(plain, row == last && row >= look.cursor_row);
	}
	tn_screen_destroy(plain->screen);
	plain->screen = NULL;
}
