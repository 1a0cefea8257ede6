#include "apps/terminal/output/plain.h"

#include "apps/terminal/output/plain_lines.h"
#include "apps/terminal/screen/internal.h"
#include "base/mem.h"
#include "base/size.h"

enum { KEEP_BYTES = 64 * 1024, REPEAT_MAX = 1024 };

static void finish_line(struct tn_plain *plain)
{
	struct tn_plain_held *held;
	size_t at, rows = plain->options.rows;

	plain->begun = false;
	plain->line_number++;
	if (!plain->held) {
		tn_buf_clear(&plain->out);
		tn_plain_line_put(&plain->line, &plain->out);
		tn_plain_line_clear(&plain->line);
		tn_plain_hand_on(plain, tn_buf_str(&plain->out), plain->line_from, false);
		return;
	}
	if (plain->held_count == rows) {
		held = &plain->held[plain->held_first];
		tn_plain_hand_on(plain, tn_buf_str(&held->text), held->from, false);
		plain->held_first = (plain->held_first + 1) % rows;
		plain->held_count--;
	}
	at = (plain->held_first + plain->held_count++) % rows;
	held = &plain->held[at];
	held->from = plain->line_from;
	tn_buf_clear(&held->text);
	tn_plain_line_put(&plain->line, &held->text);
	tn_plain_line_clear(&plain->line);
}

/* A line that ends without LF: where the next one begins is not known, so both have one origin. */
static void split_line(struct tn_plain *plain)
{
	finish_line(plain);
	plain->begun = true;
}

void tn_plain_hand_on(struct tn_plain *plain, struct tn_str text, uint64_t from, bool unfinished)
{
	plain->options.line(text, from, unfinished, plain->options.data);
}

void tn_plain_drop_held(struct tn_plain *plain)
{
	plain->held_first = plain->held_count = 0;
}

static void on_text(struct tn_str ascii, void *data)
{
	struct tn_plain *plain = data;

	plain->returned = false;
	if (plain->screen) {
		tn_plain_draw_text(plain, ascii);
		return;
	}
	tn_plain_line_ascii(&plain->line, ascii);
	plain->last_code = (unsigned char)ascii.data[ascii.size - 1];
}

static void on_code(uint32_t code, void *data)
{
	struct tn_plain *plain = data;

	plain->returned = false;
	if (plain->screen) {
		tn_plain_draw_code(plain, code);
		return;
	}
	tn_plain_line_code(&plain->line, code);
	plain->last_code = code;
}

static void on_control(unsigned char code, void *data)
{
	struct tn_plain *plain = data;
	bool returned = plain->returned;

	plain->returned = code == '\r';
	if (code == '\n' && returned)
		plain->newlines = true;
	if (plain->screen)
		tn_plain_draw_control(plain, code);
	else if (code == '\n')
		finish_line(plain);
	else if (code == '\r')
		tn_plain_line_return(&plain->line);
	else if (code == '\b')
		tn_plain_line_left(&plain->line, 1);
	else if (code == '\t')
		tn_plain_line_tab(&plain->line);
}

static void save_cursor(struct tn_plain *plain)
{
	plain->saved_line = plain->line_number;
	plain->saved_column = plain->line.column;
	plain->saved_row_start = plain->line.row_start;
	plain->saved_style = plain->line.style;
}

/* False: it is in another line. */
static bool restore_cursor(struct tn_plain *plain)
{
	if (plain->saved_line != plain->line_number)
		return false;
	plain->line.column = plain->saved_column;
	plain->line.row_start = plain->saved_row_start;
	plain->line.style = plain->saved_style;
	return true;
}

static void on_escape(char intermediate, char final, void *data)
{
	struct tn_plain *plain = data;
	bool moves = !intermediate && final == 'M'; /* RI */

	plain->returned = false;
	if (!plain->screen && !intermediate && final == '7')
		save_cursor(plain);
	if (!plain->screen && !intermediate && final == '8')
		moves = !restore_cursor(plain);
	if (plain->screen || (moves && tn_plain_render(plain)))
		tn_plain_draw_escape(plain, intermediate, final);
	else if (!intermediate && (final == 'D' || final == 'E')) /* IND, NEL */
		split_line(plain);
}

static bool names_alternate(const struct tn_vt_sequence *q)
{
	for (unsigned i = 0; i < q->count; i++)
		if (q->values[i] == 47 || q->values[i] == 1047 || q->values[i] == 1049)
			return true;
	return false;
}

/* Whether it moves, or changes, what is in other lines. */
static bool leaves_line(const struct tn_plain *plain, const struct tn_vt_sequence *q)
{
	if (q->marker == '?')
		return q->final == 'h' && names_alternate(q);
	if (q->marker || q->intermediate)
		return false;
	switch (q->final) {
	case 'J':
		return tn_vt_value(q, 0, 0) == 1 || tn_vt_value(q, 0, 0) == 2;
	case 'u':
		return plain->saved_line != plain->line_number;
	default:
		return q->final && memchr("ABEFHLMSTdefkr", q->final, 14) != NULL;
	}
}

static void erase_line(struct tn_plain_line *line, unsigned what)
{
	if (what == 0)
		tn_plain_line_erase_right(line);
	else if (what == 1)
		tn_plain_line_erase_left(line);
	else if (what == 2)
		tn_plain_line_erase_all(line);
}

static void repeat(struct tn_plain *plain, unsigned count)
{
	if (!plain->last_code)
		return;
	for (count = count < REPEAT_MAX ? count : REPEAT_MAX; count; count--)
		tn_plain_line_code(&plain->line, plain->last_code);
}

static void edit_line(struct tn_plain *plain, const struct tn_vt_sequence *q)
{
	struct tn_plain_line *line = &plain->line;
	unsigned count = tn_vt_count(q);

	switch (q->final) {
	case 'C':
	case 'a':
		tn_plain_line_right(line, count);
		break;
	case 'D':
		tn_plain_line_left(line, count);
		break;
	case 'G':
	case '`':
		tn_plain_line_move(line, count - 1);
		break;
	case 'K':
		erase_line(line, tn_vt_value(q, 0, 0));
		break;
	case 'J': /* what is below is empty */
		if (tn_vt_value(q, 0, 0) == 0)
			tn_plain_line_erase_right(line);
		break;
	case 'X':
		tn_plain_line_blank(line, count);
		break;
	case 'P':
		tn_plain_line_delete(line, count);
		break;
	case '@':
		tn_plain_line_insert(line, count);
		break;
	case 'b':
		repeat(plain, count);
		break;
	case 'm':
		tn_style_apply(&line->style, q);
		break;
	case 's':
		save_cursor(plain);
		break;
	case 'u':
		(void)restore_cursor(plain);
		break;
	default:
		break;
	}
}

static void on_csi(const struct tn_vt_sequence *sequence, void *data)
{
	struct tn_plain *plain = data;

	plain->returned = false;
	if (plain->screen || (leaves_line(plain, sequence) && tn_plain_render(plain)))
		tn_plain_draw_csi(plain, sequence);
	else if (!sequence->marker && !sequence->intermediate)
		edit_line(plain, sequence);
}

static void on_osc(struct tn_str text, void *data)
{
	(void)text;
	(void)data;
}

static void feed(struct tn_plain *plain, struct tn_str bytes)
{
	const struct tn_vt_sink sink = {on_text, on_code, on_control, on_escape,
					on_csi,  on_osc,  plain};

	tn_vt_feed(&plain->parser, bytes, &sink);
}

/* Line by line, so that each knows where it began. */
static void feed_lines(struct tn_plain *plain, struct tn_str bytes, uint64_t from, bool moving)
{
	size_t at = 0;

	plain->rendered = false;
	while (at < bytes.size) {
		const char *end = memchr(bytes.data + at, '\n', bytes.size - at);
		size_t size = end ? (size_t)(end + 1 - bytes.data) - at : bytes.size - at;

		if (!plain->begun) {
			plain->begun = true;
			plain->line_from = moving ? from + at : from;
		}
		feed(plain, tn_str(bytes.data + at, size));
		at += size;
	}
}

void tn_plain_feed(struct tn_plain *plain, struct tn_str bytes, uint64_t from)
{
	feed_lines(plain, bytes, from, true);
}

void tn_plain_insert(struct tn_plain *plain, struct tn_str text, uint64_t at)
{
	feed_lines(plain, text, at, false);
}

static void reset(struct tn_plain *plain)
{
	tn_vt_init(&plain->parser);
	plain->parser.no_c1_strings = true;
	tn_plain_line_clear(&plain->line);
	plain->line.style = plain->saved_style = (struct tn_style){.flags = 0};
	plain->begun = plain->returned = plain->newlines = false;
	plain->line_number = plain->saved_line = plain->saved_column = plain->saved_row_start = 0;
	plain->last_code = 0;
	tn_plain_drop_held(plain);
	tn_buf_clear(&plain->out);
	tn_buf_shrink(&plain->out, KEEP_BYTES);
}

void tn_plain_end(struct tn_plain *plain)
{
	bool rendered = plain->screen != NULL;

	if (rendered) {
		tn_plain_end_screen(plain);
	} else {
		for (size_t i = 0; i < plain->held_count; i++) {
			const struct tn_plain_held *held =
				&plain->held[(plain->held_first + i) % plain->options.rows];

			tn_plain_hand_on(plain, tn_buf_str(&held->text), held->from, false);
		}
		if (!tn_plain_line_is_empty(&plain->line)) {
			tn_buf_clear(&plain->out);
			tn_plain_line_put(&plain->line, &plain->out);
			tn_plain_hand_on(plain, tn_buf_str(&plain->out), plain->line_from, true);
		}
	}
	reset(plain);
	plain->rendered = rendered;
}

bool tn_plain_rendered(const struct tn_plain *plain)
{
	return plain->rendered || plain->screen;
}

bool tn_plain_is_whole(const struct tn_plain *plain)
{
	return tn_vt_is_ground(&plain->parser);
}

size_t tn_plain_line_size(const struct tn_plain *plain)
{
	if (plain->screen || plain->line.edited || plain->line.column != plain->line.end)
		return SIZE_MAX;
	return plain->line.text.size;
}

static bool make_ring(struct tn_plain *plain)
{
	size_t rows = plain->options.rows;

	plain->held = tn_mem_alloc_array(rows, sizeof(*plain->held));
	if (!plain->held)
		return false;
	for (size_t i = 0; i < rows; i++)
		tn_buf_init(&plain->held[i].text, plain->out.limit);
	return true;
}

enum tenon_code tn_plain_create(const struct tn_plain_options *options, struct tn_plain **ret,
				struct tenon_error *err)
{
	struct tn_plain *plain = tn_mem_alloc(sizeof(*plain));
	bool styled = options->format == TN_PLAIN_ANSI;

	if (!plain)
		return tn_fail(err, TENON_NO_MEMORY, "no memory for terminal output");
	plain->options = *options;
	tn_plain_line_init(&plain->line, styled, options->columns, options->line_characters_max);
	/* A style a character, at most, and what its marks take. */
	tn_buf_init(&plain->out, (size_t)plain->line.characters_max * 128 + 256);
	tn_buf_init(&plain->row, plain->out.limit);
	if (options->columns && options->rows && !make_ring(plain)) {
		tn_plain_destroy(plain);
		return tn_fail(err, TENON_NO_MEMORY, "no memory for terminal output");
	}
	reset(plain);
	*ret = plain;
	return TENON_OK;
}

void tn_plain_destroy(struct tn_plain *plain)
{
	if (!plain)
		return;
	for (size_t i = 0; plain->held && i < plain->options.rows; i++)
		tn_buf_finish(&plain->held[i].text);
	tn_mem_free(plain->held);
	tn_screen_destroy(plain->screen);
	tn_plain_line_finish(&plain->line);
	tn_buf_finish(&plain->out);
	tn_buf_finish(&plain->row);
	tn_mem_free(plain);
}
