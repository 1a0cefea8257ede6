/* screen.c - the life of a screen: made, fed, resized, put right. */
#include "apps/terminal/screen/internal.h"
#include "apps/terminal/limits.h"
#include "base/mem.h"

static const struct tn_vt_sink sink = {
	.text = tn_screen_print_text,
	.code = tn_screen_print_code,
	.control = tn_screen_control,
	.escape = tn_screen_escape,
	.csi = tn_screen_csi,
	.osc = tn_screen_osc,
};

enum tenon_code tn_screen_check_size(uint16_t columns, uint16_t rows, struct tenon_error *err)
{
	if (columns == 0 || columns > TN_SCREEN_COLUMNS_MAX)
		return tn_fail(err, TENON_INVALID, "%u columns; send 1 to %u", columns,
			       TN_SCREEN_COLUMNS_MAX);
	if (rows == 0 || rows > TN_SCREEN_ROWS_MAX)
		return tn_fail(err, TENON_INVALID, "%u rows; send 1 to %u", rows,
			       TN_SCREEN_ROWS_MAX);
	return TENON_OK;
}

static bool allocate(struct tn_screen *s)
{
	const struct tn_screen_options *o = &s->options;

	return tn_grid_create(&s->grids[TN_MAIN], o->columns, o->rows) &&
	       tn_grid_create(&s->grids[TN_ALTERNATE], o->columns, o->rows) &&
	       tn_scrollback_create(&s->scrollback, o->scrollback_max, o->columns) &&
	       (!o->scrolled || tn_buf_reserve(&s->text, (size_t)o->columns * TN_CLUSTER_SIZE));
}

enum tenon_code tn_screen_create(const struct tn_screen_options *options, struct tn_screen **ret,
				 struct tenon_error *err)
{
	enum tenon_code code = tn_screen_check_size(options->columns, options->rows, err);
	struct tn_screen *s;

	if (code != TENON_OK)
		return code;
	if (options->scrollback_max > TN_SCREEN_SCROLLBACK_MAX)
		return tn_fail(err, TENON_INVALID, "%u lines of scroll-back; send 0 to %u",
			       (unsigned)options->scrollback_max, TN_SCREEN_SCROLLBACK_MAX);
	s = tn_mem_alloc(sizeof(*s));
	if (!s)
		return tn_fail(err, TENON_NO_MEMORY, "no memory for a screen");
	s->options = *options;
	tn_buf_init(&s->text, TN_SCREEN_COLUMNS_MAX * TN_CLUSTER_SIZE);
	tn_vt_init(&s->parser);
	if (!allocate(s)) {
		tn_screen_destroy(s);
		return tn_fail(err, TENON_NO_MEMORY, "no memory for a screen");
	}
	tn_screen_set_defaults(s);
	*ret = s;
	return TENON_OK;
}

void tn_screen_destroy(struct tn_screen *screen)
{
	if (!screen)
		return;
	tn_grid_finish(&screen->grids[TN_MAIN]);
	tn_grid_finish(&screen->grids[TN_ALTERNATE]);
	tn_scrollback_finish(&screen->scrollback);
	tn_buf_finish(&screen->text);
	tn_mem_free(screen);
}

void tn_screen_feed(struct tn_screen *screen, struct tn_str bytes)
{
	struct tn_vt_sink to = sink;

	to.data = screen;
	screen->changed = false;
	tn_vt_feed(&screen->parser, bytes, &to);
	screen->revision += screen->changed;
}

static bool modes_equal(const struct tn_modes *a, const struct tn_modes *b)
{
	return a->insert == b->insert && a->newline == b->newline &&
	       a->application_cursor == b->application_cursor &&
	       a->application_keypad == b->application_keypad && a->reversed == b->reversed &&
	       a->autowrap == b->autowrap && a->cursor_visible == b->cursor_visible &&
	       a->bracketed_paste == b->bracketed_paste && a->focus == b->focus &&
	       a->mouse == b->mouse && a->mouse_encoding == b->mouse_encoding &&
	       a->modify_other == b->modify_other;
}

/* Modes and attributes as they are at the start, but for the shape of the cursor, which is a matter
 * of taste. True: something was otherwise. */
static bool default_modes(struct tn_screen *s)
{
	struct tn_modes modes = tn_screen_default_modes();
	struct tn_place place = tn_screen_default_place();
	bool differs;

	modes.cursor_shape = s->modes.cursor_shape;
	place.row = s->now.row;
	place.column = s->now.column;
	place.waiting = s->now.waiting;
	differs = !modes_equal(&modes, &s->modes) || s->now.origin ||
		  !tn_style_equal(&place.style, &s->now.style) ||
		  memcmp(&place.charsets, &s->now.charsets, sizeof(place.charsets)) != 0 ||
		  s->single_shift;
	s->modes = modes;
	s->now = place;
	s->single_shift = 0;
	return differs;
}

bool tn_screen_sane(struct tn_screen *screen)
{
	bool wrong = !tn_vt_is_ground(&screen->parser);

	tn_vt_init(&screen->parser);
	if (screen->grid == &screen->grids[TN_ALTERNATE]) {
		tn_screen_leave_alternate(screen);
		tn_screen_restore_cursor(screen);
		wrong = true;
	}
	if (screen->top != 0 || screen->bottom != tn_screen_rows(screen) - 1) {
		tn_screen_whole_region(screen);
		wrong = true;
	}
	if (default_modes(screen))
		wrong = true;
	tn_screen_forget_last(screen);
	screen->revision += wrong;
	return wrong;
}

void tn_screen_look(const struct tn_screen *screen, struct tn_screen_look *ret)
{
	static const char *const shapes[] = {"block",     "block", "block", "underline",
					     "underline", "bar",   "bar"};
	const struct tn_modes *m = &screen->modes;

	*ret = (struct tn_screen_look){
		.columns = tn_screen_columns(screen),
		.rows = tn_screen_rows(screen),
		.cursor_row = screen->now.row,
		.cursor_column = screen->now.column,
		.cursor_visible = m->cursor_visible,
		.alternate = screen->grid == &screen->grids[TN_ALTERNATE],
		.cursor_shape = shapes[m->cursor_shape],
		.mouse = "off",
		.bracketed_paste = m->bracketed_paste,
		.application_cursor = m->application_cursor,
		.application_keypad = m->application_keypad,
		.modify_other = m->modify_other,
		.scrollback_count = screen->scrollback.count,
		.revision = screen->revision,
		.title = screen->title,
	};
	if (m->mouse)
		ret->mouse = m->mouse == 1003 ? "any" : m->mouse == 1002 ? "drag" : "click";
}
