#include "apps/terminal/shell/keys.h"

#include <utf8proc.h>

#include "base/size.h"
#include "base/utf8.h"

enum { SHIFT = 1, META = 2, CONTROL = 4 }; /* xterm's number for them is one more than the sum */

enum kind {
	CURSOR, /* CSI letter; SS3 letter in application mode; CSI 1 ; modifiers letter */
	FIRST,  /* SS3 letter, else the same: F1 to F4 */
	NUMBER, /* CSI number ~; CSI number ; modifiers ~ */
	CODE    /* a character */
};

static const struct key {
	const char *name;
	enum kind kind;
	unsigned value; /* the letter, the number or the character */
} keys[] = {
	{"Enter", CODE, '\r'}, {"Tab", CODE, '\t'},       {"Escape", CODE, 0x1B},
	{"Space", CODE, ' '},  {"Backspace", CODE, 0x7F}, {"Delete", NUMBER, 3},
	{"Insert", NUMBER, 2}, {"Up", CURSOR, 'A'},       {"Down", CURSOR, 'B'},
	{"Left", CURSOR, 'D'}, {"Right", CURSOR, 'C'},    {"Home", CURSOR, 'H'},
	{"End", CURSOR, 'F'},  {"PageUp", NUMBER, 5},     {"PageDown", NUMBER, 6},
	{"F1", FIRST, 'P'},    {"F2", FIRST, 'Q'},        {"F3", FIRST, 'R'},
	{"F4", FIRST, 'S'},    {"F5", NUMBER, 15},        {"F6", NUMBER, 17},
	{"F7", NUMBER, 18},    {"F8", NUMBER, 19},        {"F9", NUMBER, 20},
	{"F10", NUMBER, 21},   {"F11", NUMBER, 23},       {"F12", NUMBER, 24},
};

/* What Control makes of characters that are no letters: the control character of the column of
 * ASCII they stand in, and DEC's old names of those on the digits. */
static const struct {
	char character, control;
} controls[] = {
	{' ', 0},    {'@', 0},    {'2', 0},    {'[', 0x1B}, {'3', 0x1B},  {'\\', 0x1C},
	{'4', 0x1C}, {']', 0x1D}, {'5', 0x1D}, {'^', 0x1E}, {'6', 0x1E},  {'_', 0x1F},
	{'/', 0x1F}, {'7', 0x1F}, {'?', 0x7F}, {'8', 0x7F}, {0x7F, 0x08},
};

static enum tenon_code refuse(struct tenon_error *err, struct tn_str name)
{
	struct tn_str shown = tn_utf8_cut(name, 24);

	return tn_fail(err, TENON_INVALID,
		       "unknown key \"%.*s\"; keys are one character, or Enter Tab Escape Space "
		       "Backspace Delete Insert Up Down Left Right Home End PageUp PageDown F1 to "
		       "F12, with C- M- S- before it, as in C-c or C-S-Left",
		       (int)shown.size, shown.data);
}

/* Takes "C-", "M-" and "S-" off the front, in any order. */
static unsigned take_modifiers(struct tn_str *name)
{
	unsigned modifiers = 0;

	while (name->size > 2 && name->data[1] == '-') {
		char c = name->data[0];

		if (c != 'C' && c != 'M' && c != 'S')
			break;
		modifiers |= c == 'C' ? CONTROL : c == 'M' ? META : SHIFT;
		*name = tn_str_from_offset(*name, 2);
	}
	return modifiers;
}

static const struct key *find(struct tn_str name)
{
	for (size_t i = 0; i < TN_COUNT(keys); i++)
		if (tn_str_equal_nocase(name, tn_str_from(keys[i].name)))
			return &keys[i];
	return NULL;
}

static void put_letter(char letter, bool single_shift, unsigned modifiers, struct tn_buf *out)
{
	if (modifiers)
		tn_buf_format(out, "\033[1;%u%c", modifiers + 1, letter);
	else
		tn_buf_format(out, "\033%c%c", single_shift ? 'O' : '[', letter);
}

static void put_number(unsigned number, unsigned modifiers, struct tn_buf *out)
{
	if (modifiers)
		tn_buf_format(out, "\033[%u;%u~", number, modifiers + 1);
	else
		tn_buf_format(out, "\033[%u~", number);
}

/* The control character of a key; -1: it has none. */
static int control_of(uint32_t code)
{
	if ((code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z'))
		return (int)(code & 0x1F);
	for (size_t i = 0; i < TN_COUNT(controls); i++)
		if ((unsigned char)controls[i].character == code)
			return controls[i].control;
	return -1;
}

static bool is_letter(uint32_t code)
{
	return code < 0x80 && tn_is_alpha((char)code);
}

/* Whether modifyOtherKeys gives the key a sequence of its own. Level 1: what would be the same as
 * another key without it. Level 2: all but characters with nothing or Shift. */
static bool is_modified(uint32_t code, unsigned modifiers, unsigned level)
{
	bool is_special = code == '\r' || code == '\t' || code == 0x1B || code == 0x7F;

	if (level == 0 || modifiers == 0)
		return false;
	if (level == 2)
		return modifiers != SHIFT || (is_special && code != '\t');
	if (is_special)
		return modifiers & CONTROL ? code != 0x7F : modifiers & SHIFT && code == '\r';
	if (!(modifiers & CONTROL))
		return false;
	return control_of(code) < 0 || (modifiers & SHIFT && is_letter(code));
}

static void put_code(uint32_t code, unsigned modifiers, unsigned level, struct tn_buf *out)
{
	char text[TN_UTF8_BYTES_MAX];
	int control;

	if (is_modified(code, modifiers, level)) {
		tn_buf_format(out, "\033[27;%u;%u~", modifiers + 1, (unsigned)code);
		return;
	}
	if (modifiers & META)
		tn_buf_append_byte(out, '\033');
	control = modifiers & CONTROL ? control_of(code) : -1;
	if (control >= 0)
		tn_buf_append_byte(out, (char)control);
	else if (modifiers & SHIFT && code == '\t')
		tn_buf_append_text(out, "\033[Z");
	else
		tn_buf_append(out, text, tn_utf8_encode(code, text));
}

/* A single character: Shift can only be meant for letters, which have a capital. */
static enum tenon_code put_character(struct tn_str name, struct tn_str whole, unsigned modifiers,
				     unsigned level, struct tn_buf *out, struct tenon_error *err)
{
	uint32_t code, capital;
	size_t size = name.size ? tn_utf8_decode(name.data, name.size, &code) : 0;

	if (size == 0 || size != name.size || code < 0x20 || (code >= 0x7F && code < 0xA0))
		return refuse(err, whole);
	if (modifiers & SHIFT) {
		capital = (uint32_t)utf8proc_toupper((utf8proc_int32_t)code);
		if (capital == code &&
		    utf8proc_tolower((utf8proc_int32_t)code) == (utf8proc_int32_t)code)
			return tn_fail(err, TENON_INVALID,
				       "S- goes with letters and named keys; what Shift makes of "
				       "\"%.*s\" depends on the keyboard: send that character",
				       (int)name.size, name.data);
		code = capital;
		/* The capital says it already, unless Control takes the case away. */
		if (!(modifiers & CONTROL))
			modifiers &= ~(unsigned)SHIFT;
	}
	put_code(code, modifiers, level, out);
	return TENON_OK;
}

enum tenon_code tn_keys_encode(struct tn_str name, const struct tn_screen_look *modes,
			       struct tn_buf *out, struct tenon_error *err)
{
	struct tn_str rest = name;
	unsigned modifiers = take_modifiers(&rest);
	const struct key *key = find(rest);

	if (!key)
		return put_character(rest, name, modifiers, modes->modify_other, out, err);
	switch (key->kind) {
	case CURSOR:
		put_letter((char)key->value, modes->application_cursor, modifiers, out);
		break;
	case FIRST:
		put_letter((char)key->value, true, modifiers, out);
		break;
	case NUMBER:
		put_number(key->value, modifiers, out);
		break;
	case CODE:
		put_code(key->value, modifiers, modes->modify_other, out);
		break;
	}
	return tn_buf_check(out, err);
}
