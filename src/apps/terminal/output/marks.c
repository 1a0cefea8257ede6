#include "apps/terminal/output/marks.h"

#include "base/size.h"

enum {
	BEL = 0x07,
	ESC = 0x1B,
	NUMBER_MAX = 1000000, /* saturates; no number of interest is larger */
	OSC_PROMPT = 133,
	OSC_DIRECTORY = 7
};

enum state {
	GROUND,
	ESCAPE,       /* after ESC */
	INTERMEDIATE, /* ESC and intermediate bytes: its last byte begins nothing */
	CSI,          /* not private, or past what could name the alternate screen */
	CSI_FIRST,    /* after CSI */
	CSI_PRIVATE,  /* after CSI ? */
	OSC_NUMBER,
	OSC_BODY,  /* of OSC 133 or 7 */
	OSC_ESCAPE /* ESC in it: the end, or another sequence */
};

/* One feed. */
struct scan {
	struct tn_marks *marks;
	const struct tn_marks_sink *sink;
	struct tn_str bytes;
	uint64_t base; /* stream offset of bytes.data[0] */
	size_t start;  /* what is before has been handed on or stripped */
};

void tn_marks_init(struct tn_marks *marks, const char *nonce, uint64_t offset)
{
	size_t size = strnlen(nonce, TN_NONCE_SIZE - 1);

	*marks = (struct tn_marks){.offset = offset, .state = GROUND};
	memcpy(marks->nonce, nonce, size);
	marks->nonce[size] = '\0';
}

static void hand_on(struct scan *scan, size_t until)
{
	if (until > scan->start)
		scan->sink->text(tn_str(scan->bytes.data + scan->start, until - scan->start),
				 scan->base + scan->start, scan->sink->data);
	scan->start = until;
}

/* The sequence that is being read is no mark: what was held of it is text, and so is the rest. */
static void release(struct scan *scan)
{
	struct tn_marks *marks = scan->marks;

	if (marks->held_size)
		scan->sink->text(tn_str(marks->held, marks->held_size), marks->held_from,
				 scan->sink->data);
	marks->held_size = 0;
}

/* Where in this feed the sequence that is being read begins; 0 when it began before. */
static size_t sequence_at(const struct scan *scan)
{
	uint64_t from = scan->marks->held_from;

	return from > scan->base ? (size_t)(from - scan->base) : 0;
}

static struct tn_str next_field(struct tn_str *rest)
{
	size_t end = tn_str_find_byte(*rest, ';');
	struct tn_str field = tn_str(rest->data, end == TN_STR_NONE ? rest->size : end);

	*rest = tn_str_from_offset(*rest, end == TN_STR_NONE ? rest->size : end + 1);
	return field;
}

static int hex_digit(char c)
{
	if (tn_is_digit(c))
		return c - '0';
	c = tn_to_lower(c);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* An absolute path, decoded into `out`; empty when it is none: half a directory is a lie. */
static struct tn_str decode_directory(struct tn_str text, char out[TN_MARK_CWD_SIZE])
{
	const struct tn_str none = tn_str("", 0);
	size_t size = 0;

	for (size_t i = 0; i < text.size; i++) {
		char c = text.data[i];

		if (c == '%') {
			int high = i + 1 < text.size ? hex_digit(text.data[i + 1]) : -1;
			int low = i + 2 < text.size ? hex_digit(text.data[i + 2]) : -1;

			if (high < 0 || low < 0)
				return none;
			c = (char)(high << 4 | low);
			i += 2;
		}
		if (c == '\0' || size == TN_MARK_CWD_SIZE - 1)
			return none;
		out[size++] = c;
	}
	out[size] = '\0';
	return size && out[0] == '/' ? tn_str(out, size) : none;
}

static bool take_value(struct tn_str field, struct tn_str key, struct tn_str *ret)
{
	if (!tn_str_starts(field, key))
		return false;
	*ret = tn_str_from_offset(field, key.size);
	return true;
}

static bool mark_kind(struct tn_str letter, enum tn_mark_kind *ret)
{
	static const enum tn_mark_kind kinds[] = {TN_MARK_PROMPT, TN_MARK_INPUT, TN_MARK_START,
						  TN_MARK_END};

	if (letter.size != 1 || letter.data[0] < 'A' || letter.data[0] > 'D')
		return false;
	*ret = kinds[letter.data[0] - 'A'];
	return true;
}

/* `body` follows "133;". False: not one of ours. */
static bool read_mark(const struct tn_marks *marks, struct tn_str body, struct tn_mark *mark,
		      char cwd[TN_MARK_CWD_SIZE])
{
	struct tn_str nonce = tn_str("", 0), value;
	bool has_nonce = false;
	uint64_t exit_code;

	if (!mark_kind(next_field(&body), &mark->kind))
		return false;
	mark->exit_code = -1;
	for (unsigned position = 0; body.size; position++) {
		struct tn_str field = next_field(&body);

		if (position == 0 && mark->kind == TN_MARK_END && tn_str_to_uint(field, &exit_code))
			mark->exit_code = exit_code <= INT32_MAX ? (int)exit_code : -1;
		else if (!has_nonce && take_value(field, TN_STR("tn="), &nonce))
			has_nonce = true;
		else if (take_value(field, TN_STR("n="), &value) &&
			 !tn_str_to_uint(value, &mark->number))
			mark->number = 0;
		else if (take_value(field, TN_STR("cwd="), &value))
			mark->cwd = decode_directory(value, cwd);
	}
	/* No nonce, no marks: an empty one must not be guessed. */
	return has_nonce && nonce.size &&
	       tn_str_equal_constant_time(nonce, tn_str_from(marks->nonce));
}

static bool read_directory(const struct tn_marks *marks, struct tn_str body, struct tn_mark *mark,
			   char cwd[TN_MARK_CWD_SIZE])
{
	struct tn_str rest;
	size_t slash;

	if (!marks->prompting || !take_value(body, TN_STR("file://"), &rest))
		return false;
	slash = tn_str_find_byte(rest, '/');
	if (slash == TN_STR_NONE)
		return false;
	mark->kind = TN_MARK_DIRECTORY;
	mark->cwd = decode_directory(tn_str_from_offset(rest, slash), cwd);
	return mark->cwd.size > 0;
}

static void note_phase(struct tn_marks *marks, enum tn_mark_kind kind)
{
	if (kind == TN_MARK_PROMPT || kind == TN_MARK_END)
		marks->prompting = true;
	else if (kind == TN_MARK_INPUT || kind == TN_MARK_START)
		marks->prompting = false;
}

/* The OSC ends before `end`, its terminator is `tail` bytes long. It is stripped, whoever wrote it.
 */
static void finish_osc(struct scan *scan, size_t end, size_t tail)
{
	struct tn_marks *marks = scan->marks;
	struct tn_mark mark = {.from = marks->held_from, .to = scan->base + end};
	size_t at = sequence_at(scan);
	struct tn_str whole = tn_str(scan->bytes.data + at, end - at), body;
	char cwd[TN_MARK_CWD_SIZE];
	bool ours;

	hand_on(scan, at);
	if (marks->held_size) {
		memcpy(marks->held + marks->held_size, whole.data, whole.size);
		whole = tn_str(marks->held, marks->held_size + whole.size);
	}
	marks->held_size = 0;
	scan->start = end;
	body = tn_str(whole.data + 2, whole.size - 2 - tail);
	(void)next_field(&body); /* the number */
	ours = marks->number == OSC_PROMPT ? read_mark(marks, body, &mark, cwd)
					   : read_directory(marks, body, &mark, cwd);
	if (ours) {
		note_phase(marks, mark.kind);
		scan->sink->mark(&mark, scan->sink->data);
	} else if (scan->sink->foreign) {
		scan->sink->foreign(whole, marks->held_from, scan->sink->data);
	}
}

/* ESC at `at` cut an OSC of ours or its imitation short: it is stripped without being looked at. */
static void abandon_osc(struct scan *scan, size_t at)
{
	struct tn_marks *marks = scan->marks;
	size_t begin = sequence_at(scan);

	hand_on(scan, begin);
	if (marks->held_size) {
		memcpy(marks->held + marks->held_size, scan->bytes.data, at);
		if (scan->sink->foreign)
			scan->sink->foreign(tn_str(marks->held, marks->held_size + at),
					    marks->held_from, scan->sink->data);
	} else if (scan->sink->foreign) {
		scan->sink->foreign(tn_str(scan->bytes.data + begin, at - begin), marks->held_from,
				    scan->sink->data);
	}
	marks->held_size = 0;
	scan->start = at;
}

static void begin_escape(struct scan *scan, size_t at)
{
	scan->marks->held_from = scan->base + at;
	scan->marks->state = ESCAPE;
}

static void tell_sequence(struct scan *scan, size_t end, enum tn_mark_kind kind, bool on)
{
	struct tn_mark mark = {
		.kind = kind, .from = scan->marks->held_from, .to = scan->base + end, .on = on};

	hand_on(scan, end);
	scan->sink->mark(&mark, scan->sink->data);
}

static void step_escape(struct scan *scan, size_t at)
{
	struct tn_marks *marks = scan->marks;
	char c = scan->bytes.data[at];

	marks->number = 0;
	marks->alternate = false;
	if (c == ']') {
		marks->state = OSC_NUMBER;
		return;
	}
	release(scan);
	marks->state = GROUND;
	if (c == ESC)
		begin_escape(scan, at);
	else if (c == '[')
		marks->state = CSI_FIRST;
	else if (c >= 0x20 && c <= 0x2F)
		marks->state = INTERMEDIATE;
	else if (c == 'c')
		tell_sequence(scan, at + 1, TN_MARK_RESET, false);
}

static void step_intermediate(struct scan *scan, size_t at)
{
	char c = scan->bytes.data[at];

	if (c == ESC)
		begin_escape(scan, at);
	else if (c < 0x20 || c > 0x2F)
		scan->marks->state = GROUND;
}

static void end_parameter(struct tn_marks *marks)
{
	if (marks->number == 47 || marks->number == 1047 || marks->number == 1049)
		marks->alternate = true;
	marks->number = 0;
}

static void step_parameter(struct tn_marks *marks, char c)
{
	if (marks->state == CSI_FIRST)
		marks->state = c == '?' ? CSI_PRIVATE : CSI;
	else if (marks->state == CSI)
		return;
	else if (tn_is_digit(c) && marks->number < NUMBER_MAX)
		marks->number = marks->number * 10 + (unsigned)(c - '0');
	else if (c == ';')
		end_parameter(marks);
	else if (!tn_is_digit(c))
		marks->state = CSI;
}

/* Control characters in a CSI are carried out by terminals, without ending it. */
static void step_csi(struct scan *scan, size_t at)
{
	struct tn_marks *marks = scan->marks;
	unsigned char c = (unsigned char)scan->bytes.data[at];
	bool private = marks->state == CSI_PRIVATE;

	if (c == ESC) {
		begin_escape(scan, at);
	} else if (c == 0x18 || c == 0x1A || c >= 0x7F) { /* CAN, SUB */
		marks->state = GROUND;
	} else if (c >= 0x40) {
		marks->state = GROUND;
		end_parameter(marks);
		if (private && marks->alternate && (c == 'h' || c == 'l'))
			tell_sequence(scan, at + 1, TN_MARK_ALTERNATE, c == 'h');
	} else if (c >= 0x20) {
		step_parameter(marks, (char)c);
	}
}

static bool too_long(const struct scan *scan, size_t at)
{
	return scan->base + at + 1 - scan->marks->held_from > TN_MARK_BYTES_MAX - 2;
}

static void step_osc_body(struct scan *scan, size_t at)
{
	struct tn_marks *marks = scan->marks;
	unsigned char c = (unsigned char)scan->bytes.data[at];

	if (c == BEL) {
		marks->state = GROUND;
		finish_osc(scan, at + 1, 1);
	} else if (c == ESC) {
		marks->state = OSC_ESCAPE;
	} else if (c < 0x20 || too_long(scan, at)) {
		/* No mark has a control character, or is that long: what is held must not hide the
		 * program's output. */
		release(scan);
		marks->state = GROUND;
	}
}

static void step_osc_number(struct scan *scan, size_t at)
{
	struct tn_marks *marks = scan->marks;
	char c = scan->bytes.data[at];
	bool known = marks->number == OSC_PROMPT || marks->number == OSC_DIRECTORY;

	if (tn_is_digit(c) && marks->number < NUMBER_MAX && !too_long(scan, at)) {
		marks->number = marks->number * 10 + (unsigned)(c - '0');
	} else if (known && (c == ';' || c == BEL || c == ESC)) {
		marks->state = OSC_BODY;
		step_osc_body(scan, at);
	} else {
		release(scan);
		marks->state = GROUND;
		if (c == ESC)
			begin_escape(scan, at);
	}
}

static void step_osc_escape(struct scan *scan, size_t at)
{
	struct tn_marks *marks = scan->marks;

	if (scan->bytes.data[at] == '\\') {
		marks->state = GROUND;
		finish_osc(scan, at + 1, 2);
	} else if (at > 0) {
		abandon_osc(scan, at - 1);
		begin_escape(scan, at - 1);
		step_escape(scan, at);
	} else { /* the ESC came with an earlier feed */
		uint64_t escape_at = scan->base - 1;

		if (scan->sink->foreign)
			scan->sink->foreign(tn_str(marks->held, marks->held_size - 1),
					    marks->held_from, scan->sink->data);
		marks->held[0] = ESC;
		marks->held_size = 1;
		marks->held_from = escape_at;
		step_escape(scan, at);
	}
}

static void step(struct scan *scan, size_t at)
{
	switch ((enum state)scan->marks->state) {
	case GROUND:
		break;
	case ESCAPE:
		step_escape(scan, at);
		break;
	case INTERMEDIATE:
		step_intermediate(scan, at);
		break;
	case CSI:
	case CSI_FIRST:
	case CSI_PRIVATE:
		step_csi(scan, at);
		break;
	case OSC_NUMBER:
		step_osc_number(scan, at);
		break;
	case OSC_BODY:
		step_osc_body(scan, at);
		break;
	case OSC_ESCAPE:
		step_osc_escape(scan, at);
		break;
	}
}

/* What must wait for the next feed is kept; the rest is text. */
static void keep_rest(struct scan *scan)
{
	struct tn_marks *marks = scan->marks;
	size_t at = sequence_at(scan), size;
	bool holds = marks->state == ESCAPE || marks->state >= OSC_NUMBER;

	if (!holds) {
		hand_on(scan, scan->bytes.size);
		return;
	}
	hand_on(scan, at);
	size = scan->bytes.size - at;
	memcpy(marks->held + marks->held_size, scan->bytes.data + at, size);
	marks->held_size += (uint32_t)size;
}

void tn_marks_feed(struct tn_marks *marks, struct tn_str bytes, const struct tn_marks_sink *sink)
{
	struct scan scan = {marks, sink, bytes, marks->offset, 0};

	if (bytes.size == 0)
		return;
	for (size_t at = 0; at < bytes.size; at++) {
		if (marks->state == GROUND) {
			const char *found = memchr(bytes.data + at, ESC, bytes.size - at);

			if (!found)
				break;
			at = (size_t)(found - bytes.data);
			begin_escape(&scan, at);
		} else {
			step(&scan, at);
		}
	}
	keep_rest(&scan);
	marks->offset += bytes.size;
}

void tn_marks_end(struct tn_marks *marks, const struct tn_marks_sink *sink)
{
	if (marks->held_size)
		sink->text(tn_str(marks->held, marks->held_size), marks->held_from, sink->data);
	marks->held_size = 0;
	marks->state = GROUND;
}
