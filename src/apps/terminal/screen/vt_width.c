#include "apps/terminal/screen/vt_width.h"

#include <stdbool.h>

#include <utf8proc.h>

enum { ZERO_WIDTH_NON_JOINER = 0x200C, ZERO_WIDTH_JOINER = 0x200D };

/* Drawn below or around the digits after them: format characters, but with a shape. */
static bool is_number_sign(uint32_t code)
{
	return (code >= 0x600 && code <= 0x605) || code == 0x6DD || code == 0x70F ||
	       code == 0x890 || code == 0x891 || code == 0x8E2 || code == 0x110BD ||
	       code == 0x110CD;
}

/* Hangul vowels and final consonants follow a leading one, with which they are one syllable. */
static bool is_jamo_tail(uint32_t code)
{
	return (code >= 0x1160 && code <= 0x11FF) || (code >= 0xD7B0 && code <= 0xD7FF);
}

/* Format characters have no shape: direction marks reorder what a person reads, tags smuggle text
 * that only a model sees. Neither is part of a screen. The joiners are, inside of an emoji. */
static enum tn_vt_width width_of_none(uint32_t code)
{
	switch (utf8proc_category((utf8proc_int32_t)code)) {
	case UTF8PROC_CATEGORY_MN:
	case UTF8PROC_CATEGORY_ME:
		return TN_VT_JOINS;
	case UTF8PROC_CATEGORY_MC: /* utf8proc has 0, the C library and terminals have 1 */
		return TN_VT_NARROW;
	case UTF8PROC_CATEGORY_CF:
		if (code == ZERO_WIDTH_JOINER || code == ZERO_WIDTH_NON_JOINER)
			return TN_VT_JOINS;
		return is_number_sign(code) ? TN_VT_NARROW : TN_VT_UNSEEN;
	case UTF8PROC_CATEGORY_ZL:
	case UTF8PROC_CATEGORY_ZP:
		return TN_VT_UNSEEN;
	default:
		return TN_VT_NARROW;
	}
}

enum tn_vt_width tn_vt_width(uint32_t code)
{
	int width;

	if (code < 0x300)
		return TN_VT_NARROW;
	if ((code >= 0x4E00 && code <= 0x9FFF) || (code >= 0xAC00 && code <= 0xD7A3))
		return TN_VT_WIDE;
	if (is_jamo_tail(code))
		return TN_VT_JOINS;
	width = utf8proc_charwidth((utf8proc_int32_t)code);
	if (width <= 0)
		return width_of_none(code);
	return width == 1 ? TN_VT_NARROW : TN_VT_WIDE;
}
