#include "apps/terminal/typed_line.h"

enum {
	KEY_ABORT = 0x03,
	KEY_END = 0x04,
	KEY_BACKSPACE = 0x08,
	KEY_TAB = 0x09,
	KEY_REDRAW = 0x0c,
	KEY_KILL = 0x15,
	KEY_ESCAPE = 0x1b,
	KEY_DELETE = 0x7f
};

void tn_typed_line_reset(struct tn_typed_line *line)
{
	*line = (struct tn_typed_line){.size = 0};
}

void tn_typed_line_continue(struct tn_typed_line *line)
{
	line->entered = false;
	if (line->size < TN_TYPED_LINE_MAX)
		line->text[line->size++] = '\n';
	else
		line->opaque = true;
}

static void put(struct tn_typed_line *line, char c)
{
	if (line->size < TN_TYPED_LINE_MAX)
		line->text[line->size++] = c;
	else
		line->opaque = true;
}

/* The last character, all its bytes. */
static void take_back(struct tn_typed_line *line)
{
	while (line->size && ((unsigned char)line->text[line->size - 1] & 0xC0) == 0x80)
		line->size--;
	if (line->size)
		line->size--;
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
		line->opaque = true;
}

static void read_sequence(struct tn_typed_line *line, char c)
{
	bool introduces = line->sequence_size == 0 && (c == '[' || c == 'O');

	if (line->sequence_size < sizeof(line->sequence))
		line->sequence[line->sequence_size++] = c;
	else
		line->opaque = true;
	if (!introduces && (line->sequence_size == 1 || (c >= 0x40 && c <= 0x7e)))
		take_sequence(line);
}

/* What stands before the cursor goes; elsewhere than at its end that is not all. */
static void kill_line(struct tn_typed_line *line)
{
	if (!line->opaque)
		line->size = 0;
}

static void read_key(struct tn_typed_line *line, char c)
{
	switch (c) {
	case KEY_ABORT:
		tn_typed_line_reset(line);
		break;
	case KEY_BACKSPACE:
	case KEY_DELETE:
		take_back(line);
		break;
	case KEY_KILL:
		kill_line(line);
		break;
	case KEY_ESCAPE:
		line->escape = true;
		break;
	case KEY_REDRAW:
	case KEY_END: /* ends the shell, or lists what would fit: the line stays */
	case '\0':
		break;
	default:
		if ((unsigned char)c < 0x20)
			line->opaque = true; /* edits in a way that only the shell knows */
		else
			put(line, c);
	}
}

size_t tn_typed_line_feed(struct tn_typed_line *line, struct tn_str bytes, bool *ret_entered)
{
	*ret_entered = false;
	if (line->entered)
		tn_typed_line_reset(line);
	for (size_t i = 0; i < bytes.size; i++) {
		char c = bytes.data[i];

		if (line->escape)
			read_sequence(line, c);
		else if (line->in_paste && c != KEY_ESCAPE)
			put(line, c == '\r' ? '\n' : c);
		else if (c == '\r' || c == '\n')
			line->entered = true;
		else
			read_key(line, c);
		if (line->entered) {
			*ret_entered = true;
			return i + 1;
		}
	}
	return bytes.size;
}
