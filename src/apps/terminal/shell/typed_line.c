#include "apps/terminal/shell/typed_line.h"

enum {
	KEY_ABORT = 0x03,
	KEY_END = 0x04,
	KEY_BACKSPACE = 0x08,
	KEY_TAB = 0x09,
	KEY_REDRAW = 0x0c,
	KEY_ACCEPT = 0x0f, /* enters the line, and fetches the next one of the history */
	KEY_PREFIX = 0x18, /* ^X: ^X^E has an editor run what is written there */
	KEY_EDIT = 0x05,
	KEY_KILL = 0x15,
	KEY_ESCAPE = 0x1b,
	KEY_DELETE = 0x7f
};

void tn_typed_line_reset(struct tn_typed_line *line)
{
	*line = (struct tn_typed_line){.size = 0};
}

/* In the middle of a paste, or of a key, it stays there: a shell may be, too. */
static void begin_line(struct tn_typed_line *line)
{
	bool in_paste = line->in_paste;

	if (line->stays) {
		line->entered = line->stays = false;
		return;
	}
	tn_typed_line_reset(line);
	line->in_paste = in_paste;
}

void tn_typed_line_prompted(struct tn_typed_line *line)
{
	if ((line->entered && !line->stays) || (!line->size && !line->hidden))
		tn_typed_line_reset(line);
	else
		line->leaked = line->size;
	line->in_paste = line->escape = line->prefixed = false;
	line->sequence_size = 0;
}

void tn_typed_line_continue(struct tn_typed_line *line)
{
	line->entered = false;
	if (line->size < TN_TYPED_LINE_MAX)
		line->text[line->size++] = '\n';
	else
		line->hidden = true;
}

static void put(struct tn_typed_line *line, char c)
{
	if (line->size < TN_TYPED_LINE_MAX)
		line->text[line->size++] = c;
	else
		line->hidden = true;
}

void tn_typed_line_lend(struct tn_typed_line *line, struct tn_str bytes)
{
	if (line->entered)
		tn_typed_line_reset(line);
	for (size_t i = 0; i < bytes.size; i++) {
		char c = bytes.data[i];

		if (c == '\r' || c == '\n' || c == KEY_ABORT)
			tn_typed_line_reset(line);
		else
			put(line, c);
	}
	line->leaked = line->size;
}

/* The last character, all its bytes. */
static void take_back(struct tn_typed_line *line)
{
	while (line->size && ((unsigned char)line->text[line->size - 1] & 0xC0) == 0x80)
		line->size--;
	if (line->size)
		line->size--;
	if (line->leaked > line->size)
		line->leaked = line->size;
}

/* A whole sequence of a key. What is not the mark of a paste moves the cursor, asks the history, or
 * does what the user has bound it to. */
static void take_sequence(struct tn_typed_line *line)
{
	struct tn_str keys = tn_str(line->sequence, line->sequence_size);

	line->escape = false;
	line->sequence_size = 0;
	if (tn_str_is(keys, "[200~"))
		line->in_paste = true;
	else if (tn_str_is(keys, "[201~"))
		line->in_paste = false;
	else
		line->hidden = true;
}

static void read_sequence(struct tn_typed_line *line, char c)
{
	bool introduces = line->sequence_size == 0 && (c == '[' || c == 'O');

	if (c == '\r' || c == '\n') { /* vi: the line is entered from command mode */
		line->escape = false;
		line->sequence_size = 0;
		line->hidden = line->entered = true;
		return;
	}

	if (line->sequence_size < sizeof(line->sequence))
		line->sequence[line->sequence_size++] = c;
	else
		line->hidden = true;
	if (!introduces && (line->sequence_size == 1 || (c >= 0x40 && c <= 0x7e)))
		take_sequence(line);
}

/* What stands before the cursor goes; elsewhere than at its end that is not all. */
static void kill_line(struct tn_typed_line *line)
{
	if (!line->hidden)
		line->size = line->leaked = 0;
}

static void read_key(struct tn_typed_line *line, char c)
{
	bool prefixed = line->prefixed;

	line->prefixed = c == KEY_PREFIX;
	switch (c) {
	case KEY_ABORT:
		tn_typed_line_reset(line);
		break;
	case KEY_BACKSPACE: /* erases for editors of lines; for a terminal it is a character */
		line->hidden = line->hidden || line->size > 0;
		break;
	case KEY_DELETE:
		take_back(line);
		break;
	case KEY_KILL:
		kill_line(line);
		break;
	case KEY_ESCAPE:
		line->escape = true;
		break;
	case KEY_END: /* a terminal gives the shell what was typed; editors list what would fit */
		line->entered = line->stays = line->size > 0;
		break;
	case KEY_REDRAW:
	case '\0':
		break;
	case KEY_ACCEPT:
		line->entered = true;
		break;
	default:
		line->entered = prefixed && c == KEY_EDIT;
		if ((unsigned char)c < 0x20 || prefixed)
			line->hidden = true; /* edits in a way that only the shell knows */
		else
			put(line, c);
	}
}

/* What a key does in a paste hangs on the shell. */
static void paste(struct tn_typed_line *line, char c)
{
	if ((unsigned char)c < 0x20 && c != KEY_TAB)
		line->hidden = true;
	put(line, c);
}

bool tn_typed_line_asks_history(const struct tn_typed_line *line)
{
	bool quoted = false;

	for (size_t i = 0; i < line->size; i++) {
		char c = line->text[i], next = i + 1 < line->size ? line->text[i + 1] : ' ';

		if (c == '\\' && !quoted)
			i++;
		else if (c == '\'')
			quoted = !quoted;
		else if (c == '!' && !quoted && !strchr(" \t\n=(\"", next))
			return true;
		else if (c == '^' && i == 0)
			return true;
	}
	return false;
}

size_t tn_typed_line_feed(struct tn_typed_line *line, struct tn_str bytes, bool *ret_entered)
{
	*ret_entered = false;
	if (line->entered)
		begin_line(line);
	for (size_t i = 0; i < bytes.size; i++) {
		char c = bytes.data[i];

		if (line->escape)
			read_sequence(line, c);
		else if (c == '\r' || c == '\n')
			line->entered = true; /* not every shell knows the marks of a paste */
		else if (line->in_paste && c != KEY_ESCAPE)
			paste(line, c);
		else
			read_key(line, c);
		if (line->entered) {
			*ret_entered = true;
			return i + 1;
		}
	}
	return bytes.size;
}
