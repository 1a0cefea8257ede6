/* screen_escape.c - C0 controls, sequences of ESC and a letter, and OSC. */
#include <utf8proc.h>

#include "apps/terminal/screen/internal.h"
#include "base/size.h"

static void bell(struct tn_screen *s)
{
	if (s->options.bell)
		s->options.bell(s->options.data);
}

static void line_feed(struct tn_screen *s)
{
	tn_screen_index(s, false);
	s->now.waiting = false;
	if (s->modes.newline)
		s->now.column = 0;
	s->changed = true;
}

void tn_screen_control(unsigned char code, void *screen)
{
	struct tn_screen *s = screen;

	tn_screen_forget_last(s);
	switch (code) {
	case 0x07:
		bell(s);
		return;
	case 0x08:
		s->now.column = s->now.column ? (uint16_t)(s->now.column - 1) : 0;
		s->now.waiting = false;
		break;
	case 0x09:
		tn_screen_tab(s, 1);
		break;
	case 0x0A:
	case 0x0B:
	case 0x0C:
		line_feed(s);
		return;
	case 0x0D:
		s->now.column = 0;
		s->now.waiting = false;
		break;
	case 0x0E:
	case 0x0F:
		s->now.charsets.shift = code == 0x0E;
		return;
	default: /* ENQ among them: it asks for an answer that others could choose */
		return;
	}
	s->changed = true;
}

static void index_down(struct tn_screen *s)
{
	tn_screen_index(s, false);
	s->now.waiting = false;
}

static void next_line(struct tn_screen *s)
{
	index_down(s);
	s->now.column = 0;
}

static void index_up(struct tn_screen *s)
{
	tn_screen_reverse_index(s);
	s->now.waiting = false;
}

static void set_tab(struct tn_screen *s)
{
	s->tabs[s->now.column / 8] |= (uint8_t)(1 << (s->now.column % 8));
}

static void keypad_on(struct tn_screen *s)
{
	s->modes.application_keypad = true;
}

static void keypad_off(struct tn_screen *s)
{
	s->modes.application_keypad = false;
}

static void single_shift_2(struct tn_screen *s)
{
	s->single_shift = 2;
}

static void single_shift_3(struct tn_screen *s)
{
	s->single_shift = 3;
}

static void shift_2(struct tn_screen *s)
{
	s->now.charsets.shift = 2;
}

static void shift_3(struct tn_screen *s)
{
	s->now.charsets.shift = 3;
}

static const struct {
	char intermediate, final;
	void (*run)(struct tn_screen *s);
} escapes[] = {
	{0, '7', tn_screen_save_cursor},
	{0, '8', tn_screen_restore_cursor},
	{0, 'D', index_down},
	{0, 'E', next_line},
	{0, 'H', set_tab},
	{0, 'M', index_up},
	{0, 'N', single_shift_2},
	{0, 'O', single_shift_3},
	{0, 'c', tn_screen_reset},
	{0, 'n', shift_2},
	{0, 'o', shift_3},
	{0, '=', keypad_on},
	{0, '>', keypad_off},
	{'#', '8', tn_screen_align},
};

void tn_screen_escape(char intermediate, char final, void *screen)
{
	static const char designators[] = "()*+";
	struct tn_screen *s = screen;
	const char *set =
		intermediate ? memchr(designators, intermediate, sizeof(designators) - 1) : NULL;

	tn_screen_forget_last(s);
	if (set) {
		/* National sets are not told apart from ASCII. */
		s->now.charsets.sets[set - designators] =
			final == '0' || final == 'A' ? final : 'B';
		return;
	}
	for (size_t i = 0; i < TN_COUNT(escapes); i++)
		if (escapes[i].intermediate == intermediate && escapes[i].final == final) {
			escapes[i].run(s);
			s->changed = true;
			return;
		}
}

/* Neither controls nor what changes how the text around it is read. */
static bool belongs_to_title(uint32_t code)
{
	utf8proc_category_t category = utf8proc_category((utf8proc_int32_t)code);

	return category != UTF8PROC_CATEGORY_CC && category != UTF8PROC_CATEGORY_CF &&
	       category != UTF8PROC_CATEGORY_ZL && category != UTF8PROC_CATEGORY_ZP &&
	       category != UTF8PROC_CATEGORY_CO;
}

static void set_title(struct tn_screen *s, struct tn_str text)
{
	char title[TN_SCREEN_TITLE_SIZE] = "";
	size_t used = 0;

	for (size_t at = 0; at < text.size;) {
		uint32_t code;
		size_t size = tn_utf8_decode(text.data + at, text.size - at, &code);

		if (size == 0)
			break; /* cut where there was no more room for it */
		if (belongs_to_title(code)) {
			if (used + size >= sizeof(title))
				break;
			memcpy(title + used, text.data + at, size);
			used += size;
		}
		at += size;
	}
	title[used] = 0;
	memcpy(s->title, title, sizeof(title));
	s->changed = true;
}

void tn_screen_osc(struct tn_str text, void *screen)
{
	tn_screen_forget_last(screen);
	/* Icon names (1) have no place here; colours, clipboard and all others are not for us. */
	if (tn_str_starts(text, TN_STR("0;")) || tn_str_starts(text, TN_STR("2;")))
		set_title(screen, tn_str_from_offset(text, 2));
}
