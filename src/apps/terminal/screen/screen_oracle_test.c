/* Our screen beside libvterm 0.1.4 on streams that nobody chose: every cell, the cursor, and what
 * scrolled away. Left out, because the two differ and we do what xterm does:
 * - the cursor behind the last column: line feeds and edits end its waiting (the oracle's waits on
 *   while it does not move), switching wrapping off does, too; it is saved with the cursor; EL and
 *   ED there erase nothing (as in VTE, tmux and xterm.js; xterm itself loses a letter)
 * - a scroll region: cursor movement stops at its borders, ICH and DCH work outside of it; one that
 *   is empty is ignored; its first rows scroll away into the scroll-back however many at once
 * - wide characters: the oracle leaves halves of those it overwrites, moves others by one column in
 *   insert mode, and its cursor stays on the first half in the last columns
 * - origin mode is saved with the cursor; a cursor that was never saved is at home, in no colour
 * - SGR 6, 38:2::R:G:B, 58 and colours past 255; numbers past 2^31
 * - IL and DL go to column 1 (DEC STD 070, xterm.js), here made equal by a carriage return
 * - joined emoji, single shifts and REP, which it does not have. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <vterm.h>

#include "apps/terminal/screen/screen_test.h"
#include "base/size.h"
#include "base/utf8.h"

enum { COLUMNS = 40, ROWS = 10, PIECES = 120 };

struct oracle {
	VTerm *vterm;
	VTermScreen *screen;
	struct tn_buf scrolled; /* lines that left at the top, without blanks at their end */
};

static void put_cell(const VTermScreenCell *cell, struct tn_buf *out)
{
	char text[TN_UTF8_BYTES_MAX];

	if (cell->chars[0] == (uint32_t)-1)
		return;
	if (cell->chars[0] == 0)
		tn_buf_append_byte(out, ' ');
	for (size_t i = 0; i < VTERM_MAX_CHARS_PER_CELL && cell->chars[i]; i++)
		tn_buf_append(out, text, tn_utf8_encode(cell->chars[i], text));
}

static void trim(struct tn_buf *out, size_t start)
{
	while (out->size > start && out->data[out->size - 1] == ' ')
		out->size--;
	tn_buf_append_byte(out, '\n');
}

static int push_line(int columns, const VTermScreenCell *cells, void *user)
{
	struct oracle *o = user;
	size_t start = o->scrolled.size;

	for (int i = 0; i<columns; i += cells[i].width> 1 ? 2 : 1)
		put_cell(&cells[i], &o->scrolled);
	trim(&o->scrolled, start);
	return 1;
}

static const VTermScreenCallbacks callbacks = {.sb_pushline = push_line};

static void oracle_open(struct oracle *o)
{
	tn_buf_init(&o->scrolled, 16 * TN_MIB);
	o->vterm = vterm_new(ROWS, COLUMNS);
	assert_non_null(o->vterm);
	vterm_set_utf8(o->vterm, 1);
	o->screen = vterm_obtain_screen(o->vterm);
	vterm_screen_set_callbacks(o->screen, &callbacks, o);
	vterm_screen_enable_altscreen(o->screen, 1);
	vterm_screen_reset(o->screen, 1);
}

static void oracle_close(struct oracle *o)
{
	vterm_free(o->vterm);
	tn_buf_finish(&o->scrolled);
}

static tn_colour colour_of(const VTermColor *colour)
{
	if (colour->type & VTERM_COLOR_DEFAULT_MASK)
		return 0;
	if (VTERM_COLOR_IS_INDEXED(colour))
		return colour->indexed.idx + 1u;
	return TN_COLOUR_RGB | (tn_colour)colour->rgb.red << 16 |
	       (tn_colour)colour->rgb.green << 8 | colour->rgb.blue;
}

static unsigned flags_of(const VTermScreenCellAttrs *a)
{
	return (a->bold ? TN_CELL_BOLD : 0u) | (a->italic ? TN_CELL_ITALIC : 0u) |
	       (a->underline ? TN_CELL_UNDERLINE : 0u) | (a->blink ? TN_CELL_BLINK : 0u) |
	       (a->reverse ? TN_CELL_REVERSE : 0u) | (a->strike ? TN_CELL_STRIKE : 0u);
}

/* An erased cell has a background and nothing else. */
static void show_oracle_cell(const struct oracle *o, int row, int column, struct tn_buf *out)
{
	VTermScreenCell cell;
	VTermPos pos = {.row = row, .col = column};
	size_t start = out->size;

	(void)vterm_screen_get_cell(o->screen, pos, &cell); /* inside */
	put_cell(&cell, out);
	if (cell.chars[0] == 0) {
		out->size = start;
		tn_buf_format(out, "{%x}", colour_of(&cell.bg));
	} else if (cell.chars[0] != (uint32_t)-1) {
		tn_buf_format(out, "{%x,%x,%x}", colour_of(&cell.fg), colour_of(&cell.bg),
			      flags_of(&cell.attrs));
	}
}

static void show_cell(const struct tn_screen *screen, uint16_t row, uint16_t column,
		      struct tn_buf *out)
{
	const unsigned both = TN_CELL_BOLD | TN_CELL_ITALIC | TN_CELL_UNDERLINE | TN_CELL_BLINK |
			      TN_CELL_REVERSE | TN_CELL_STRIKE;
	struct tn_style style;
	unsigned flags;
	struct tn_str text = tn_screen_cell(screen, row, column, &style, &flags);

	if (flags & TN_CELL_WIDE_TAIL)
		return;
	tn_buf_append_str(out, text);
	if (text.size == 0)
		tn_buf_format(out, "{%x}", style.background);
	else
		tn_buf_format(out, "{%x,%x,%x}", style.foreground, style.background,
			      style.flags & both);
}

static void check_scrolled(const struct tn_screen *screen, const struct oracle *o, uint64_t seed)
{
	struct tn_screen_look look;
	struct tn_buf ours;

	tn_screen_look(screen, &look);
	tn_buf_init(&ours, 16 * TN_MIB);
	for (int32_t i = -(int32_t)look.scrollback_count; i < 0; i++) {
		tn_screen_put_line(screen, i, true, &ours);
		tn_buf_append_byte(&ours, '\n');
	}
	if (!tn_str_ends(tn_buf_str(&o->scrolled), tn_buf_str(&ours)) ||
	    (look.scrollback_count < TEST_SCROLLBACK && ours.size != o->scrolled.size))
		fail_msg("seed %llu: scrolled away here:\n%.*s\nand there:\n%.*s",
			 (unsigned long long)seed, (int)ours.size, ours.data, (int)o->scrolled.size,
			 o->scrolled.data);
	tn_buf_finish(&ours);
}

static bool same(const struct tn_screen *screen, const struct oracle *o, struct tn_buf *ours,
		 struct tn_buf *theirs)
{
	struct tn_screen_look look;
	struct tn_style style;
	VTermPos cursor;
	unsigned flags;

	tn_buf_clear(ours);
	tn_buf_clear(theirs);
	vterm_state_get_cursorpos(vterm_obtain_state(o->vterm), &cursor);
	tn_screen_look(screen, &look);
	(void)tn_screen_cell(screen, look.cursor_row, look.cursor_column, &style, &flags);
	tn_buf_format(ours, "%u,%u", look.cursor_row,
		      look.cursor_column -
			      (flags & TN_CELL_WIDE_TAIL && look.cursor_column == COLUMNS - 1));
	tn_buf_format(theirs, "%d,%d", cursor.row, cursor.col);
	for (uint16_t row = 0; row < ROWS && tn_str_equal(tn_buf_str(ours), tn_buf_str(theirs));
	     row++) {
		tn_buf_clear(ours);
		tn_buf_clear(theirs);
		tn_buf_format(ours, "row %u ", row);
		tn_buf_format(theirs, "row %u ", row);
		for (uint16_t column = 0; column < COLUMNS; column++) {
			show_cell(screen, row, column, ours);
			show_oracle_cell(o, row, column, theirs);
		}
	}
	return tn_str_equal(tn_buf_str(ours), tn_buf_str(theirs));
}

static void show_history(const struct tn_buf *sent)
{
	size_t from = sent->size > 300 ? sent->size - 300 : 0;

	for (size_t i = from; i < sent->size; i++)
		if ((unsigned char)sent->data[i] < 0x20)
			print_message("<%02x>", (unsigned char)sent->data[i]);
		else
			print_message("%c", sent->data[i]);
	print_message("\n");
}

/* A line feed at the last row leaves the oracle's cursor waiting behind the last column, as nothing
 * has moved; xterm's and ours no longer waits. */
static void next_piece(const struct tn_screen *screen, struct test_random *random, unsigned flags,
		       struct tn_buf *sent)
{
	struct tn_screen_look look;
	size_t before = sent->size;
	struct tn_buf piece;

	tn_buf_init(&piece, TN_MIB);
	test_random_piece(random, flags, &piece);
	tn_screen_look(screen, &look);
	if (look.cursor_column == COLUMNS - 1 && (unsigned char)piece.data[0] < 0x20 &&
	    (piece.data[1] != '[' || piece.data[2] == '?' ||
	     strchr("STJK@PXI", piece.data[piece.size - 1])))
		tn_buf_append_byte(sent, '\r');
	tn_buf_append_str(sent, tn_buf_str(&piece));
	tn_buf_finish(&piece);
	assert_true(sent->size > before);
}

/* Piece by piece, so that what made the difference is the last thing shown. */
static void compare(uint64_t seed, unsigned flags)
{
	struct tn_screen *screen = test_screen(COLUMNS, ROWS);
	struct test_random random = {seed};
	struct tn_buf sent, ours, theirs;
	struct oracle oracle;

	tn_buf_init(&sent, TN_MIB);
	tn_buf_init(&ours, TN_MIB);
	tn_buf_init(&theirs, TN_MIB);
	oracle_open(&oracle);
	for (unsigned i = 0; i < PIECES; i++) {
		struct tn_str piece;
		size_t before = sent.size;

		next_piece(screen, &random, flags, &sent);
		/* A cursor that waits is saved as such by xterm and us only. */
		if (i % 40 == 39 && !(flags & (TEST_REGION | TEST_WIDE)))
			tn_buf_append_text(&sent, i % 80 == 39 ? "\r\033[?1049h" : "\033[?1049l");
		piece = tn_str_from_offset(tn_buf_str(&sent), before);
		tn_screen_feed(screen, piece);
		(void)vterm_input_write(oracle.vterm, piece.data, piece.size); /* all of it */
		if (!same(screen, &oracle, &ours, &theirs)) {
			show_history(&sent);
			fail_msg("seed %llu\nours   %.*s\ntheirs %.*s", (unsigned long long)seed,
				 (int)ours.size, ours.data, (int)theirs.size, theirs.data);
		}
	}
	if (flags & TEST_WIDE)
		check_scrolled(screen, &oracle, seed);
	oracle_close(&oracle);
	tn_screen_destroy(screen);
	tn_buf_finish(&sent);
	tn_buf_finish(&ours);
	tn_buf_finish(&theirs);
}

static void random_streams(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 400; seed++)
		compare(seed, TEST_ORACLE | (seed % 2 ? TEST_REGION : 0));
}

static void random_wide_text(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 200; seed++)
		compare(seed, TEST_ORACLE | TEST_WIDE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_streams),
		cmocka_unit_test(random_wide_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
