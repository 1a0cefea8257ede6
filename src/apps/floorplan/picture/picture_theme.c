/* Colours: the three themes of 6.9, those that a plan names, and whether text can be read. */
#include <math.h>

#include "apps/floorplan/picture/internal.h"
#include "base/size.h"

#define READABLE 4.5 /* WCAG's contrast for text */
#define VISIBLE 1.8  /* of a line, at least */

static const struct tn_floor_theme themes[] = {
	{"default", 0xFFFFFFFF, 0xF3F0E8FF, 0x1A1A1AFF, 0xFFFFFFFF, 0x1A1A1AFF, 0x6B6B6BFF,
	 0xFAFAFAFF, 0x111111FF, 0x555555FF, 0x333333FF, 0xB00020FF},
	{"dark", 0x1B1B1BFF, 0x2D2D2DFF, 0xCCCCCCFF, 0x3A4A55FF, 0xDDDDDDFF, 0x9A9A9AFF, 0x383838FF,
	 0xEEEEEEFF, 0xABABABFF, 0xBBBBBBFF, 0xFF6B6BFF},
	{"blueprint", 0x1A365DFF, 0x21436FFF, 0x8FC7F5FF, 0x1A365DFF, 0xBEE3F8FF, 0x63B3EDFF,
	 0x28507FFF, 0xE2E8F0FF, 0xBEE3F8FF, 0x90CDF4FF, 0xFFD166FF},
};

const struct tn_floor_theme *tn_floor_theme_find(struct tn_str name)
{
	for (size_t i = 0; i < TN_COUNT(themes); i++)
		if (tn_str_is(name, themes[i].name))
			return &themes[i];
	return &themes[0];
}

static int digit(char c)
{
	if (tn_is_digit(c))
		return c - '0';
	c = tn_to_lower(c);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

tn_colour tn_paint_colour(struct tn_str text, tn_colour fallback)
{
	tn_colour colour = 0;

	if (text.size != 7 || text.data[0] != '#')
		return fallback;
	for (size_t i = 1; i < 7; i++) {
		int value = digit(text.data[i]);

		if (value < 0)
			return fallback;
		colour = colour << 4 | (tn_colour)value;
	}
	return colour << 8 | 0xFF;
}

tn_colour tn_paint_room_colour(const struct tn_painter *painter, const struct tn_floor_room *room)
{
	return room->style ? tn_paint_colour(room->style->floor_color, painter->theme->room)
			   : painter->theme->room;
}

/* WCAG's relative luminance. */
static double luminance(tn_colour colour)
{
	static const double weights[] = {0.2126, 0.7152, 0.0722};
	double sum = 0;

	for (unsigned i = 0; i < 3; i++) {
		double c = (double)(colour >> (24 - 8 * i) & 255) / 255;

		sum += weights[i] * (c <= 0.03928 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4));
	}
	return sum;
}

double tn_paint_contrast(tn_colour a, tn_colour b)
{
	double x = luminance(a), y = luminance(b);

	return (fmax(x, y) + 0.05) / (fmin(x, y) + 0.05);
}

tn_colour tn_paint_readable(tn_colour wanted, tn_colour on)
{
	static const tn_colour black = 0x000000FF, white = 0xFFFFFFFF;

	if (tn_paint_contrast(wanted, on) >= READABLE)
		return wanted;
	return tn_paint_contrast(black, on) >= tn_paint_contrast(white, on) ? black : white;
}

tn_colour tn_paint_visible(tn_colour wanted, tn_colour on)
{
	static const tn_colour dark = 0x444444FF, light = 0xCCCCCCFF;

	if (tn_paint_contrast(wanted, on) >= VISIBLE)
		return wanted;
	return tn_paint_contrast(dark, on) >= tn_paint_contrast(light, on) ? dark : light;
}
