#include "apps/terminal/screen/vt_parser.h"

#include "base/size.h"
#include "base/utf8.h"

enum state {
	GROUND,
	ESCAPE,
	ESCAPE_MORE, /* after an intermediate */
	CSI_ENTRY,
	CSI_PARAMETER,
	CSI_INTERMEDIATE,
	CSI_IGNORE,
	OSC,
	OSC_ESCAPE, /* ESC in an OSC: only a backslash ends it well */
	STRING,     /* DCS, SOS, PM, APC */
	STATE_COUNT
};

enum class {
	C0,
	BELL,
	CANCEL, /* CAN, SUB */
	ESC,
	INTERMEDIATE, /* 0x20 to 0x2F */
	PARAMETER,    /* digits, colon, semicolon */
	MARKER,       /* < = > ? */
	FINAL,
	CSI_START,    /* [ */
	OSC_START,    /* ] */
	STRING_START, /* P X ^ _ */
	STRING_END,   /* backslash */
	DELETE,
	HIGH, /* U+00A0 and up */
	CLASS_COUNT
};

enum action {
	NOTHING,
	CONTROL,
	CLEAR, /* a sequence begins */
	COLLECT,
	SET_MARKER,
	SET_VALUE,
	END_ESCAPE,
	END_CSI,
	BEGIN_OSC,
	PUT_OSC,
	END_OSC,
	PRINT
};

struct step {
	uint8_t action, next;
};

/* Rows of the table in the order of the classes; what every sequence has in common: it is cancelled
 * by CAN and SUB and begun anew by ESC, controls in it are carried out, and a character that cannot
 * be part of it ends it and is not lost. */
#define SEQUENCE(here, intermediate, parameter, marker, finals...)                                 \
	{                                                                                          \
		{CONTROL, here}, {CONTROL, here}, {NOTHING, GROUND}, {CLEAR, ESCAPE},              \
			intermediate, parameter, marker, finals, {NOTHING, here}, {PRINT, GROUND}, \
	}
#define SAME(does, next)                                        \
	{does, next}, {does, next}, {does, next}, {does, next}, \
	{                                                       \
		does, next                                      \
	}
/* A string: its controls mean nothing. */
#define TEXT(here, control, bell, escape, does)                                        \
	{                                                                              \
		control, bell, {NOTHING, GROUND}, escape, {does, here}, {does, here},  \
			{does, here}, SAME(does, here), {NOTHING, here}, {does, here}, \
	}
#define STEP(does, next)   \
	{                  \
		does, next \
	}

static const struct step steps[STATE_COUNT][CLASS_COUNT] = {
	[GROUND] = TEXT(GROUND, STEP(CONTROL, GROUND), STEP(CONTROL, GROUND), STEP(CLEAR, ESCAPE),
			PRINT),
	[ESCAPE] =
		SEQUENCE(ESCAPE, STEP(COLLECT, ESCAPE_MORE), STEP(END_ESCAPE, GROUND),
			 STEP(END_ESCAPE, GROUND), STEP(END_ESCAPE, GROUND), STEP(CLEAR, CSI_ENTRY),
			 STEP(BEGIN_OSC, OSC), STEP(NOTHING, STRING), STEP(NOTHING, GROUND)),
	[ESCAPE_MORE] = SEQUENCE(ESCAPE_MORE, STEP(COLLECT, ESCAPE_MORE), STEP(END_ESCAPE, GROUND),
				 STEP(END_ESCAPE, GROUND), SAME(END_ESCAPE, GROUND)),
	[CSI_ENTRY] =
		SEQUENCE(CSI_ENTRY, STEP(COLLECT, CSI_INTERMEDIATE), STEP(SET_VALUE, CSI_PARAMETER),
			 STEP(SET_MARKER, CSI_PARAMETER), SAME(END_CSI, GROUND)),
	[CSI_PARAMETER] = SEQUENCE(CSI_PARAMETER, STEP(COLLECT, CSI_INTERMEDIATE),
				   STEP(SET_VALUE, CSI_PARAMETER), STEP(NOTHING, CSI_IGNORE),
				   SAME(END_CSI, GROUND)),
	[CSI_INTERMEDIATE] = SEQUENCE(CSI_INTERMEDIATE, STEP(COLLECT, CSI_INTERMEDIATE),
				      STEP(NOTHING, CSI_IGNORE), STEP(NOTHING, CSI_IGNORE),
				      SAME(END_CSI, GROUND)),
	[CSI_IGNORE] = SEQUENCE(CSI_IGNORE, STEP(NOTHING, CSI_IGNORE), STEP(NOTHING, CSI_IGNORE),
				STEP(NOTHING, CSI_IGNORE), SAME(NOTHING, GROUND)),
	[OSC] = TEXT(OSC, STEP(NOTHING, OSC), STEP(END_OSC, GROUND), STEP(NOTHING, OSC_ESCAPE),
		     PUT_OSC),
	[STRING] = TEXT(STRING, STEP(NOTHING, STRING), STEP(NOTHING, STRING), STEP(CLEAR, ESCAPE),
			NOTHING),
};

/* A column of ASCII has two rows here. */
static const uint8_t classes[128] = {
	C0,           C0,           C0,           C0,           C0,           C0,
	C0,           BELL,         C0,           C0,           C0,           C0,
	C0,           C0,           C0,           C0,           C0,           C0,
	C0,           C0,           C0,           C0,           C0,           C0,
	CANCEL,       C0,           CANCEL,       ESC,          C0,           C0,
	C0,           C0,           INTERMEDIATE, INTERMEDIATE, INTERMEDIATE, INTERMEDIATE,
	INTERMEDIATE, INTERMEDIATE, INTERMEDIATE, INTERMEDIATE, INTERMEDIATE, INTERMEDIATE,
	INTERMEDIATE, INTERMEDIATE, INTERMEDIATE, INTERMEDIATE, INTERMEDIATE, INTERMEDIATE,
	PARAMETER,    PARAMETER,    PARAMETER,    PARAMETER,    PARAMETER,    PARAMETER,
	PARAMETER,    PARAMETER,    PARAMETER,    PARAMETER,    PARAMETER,    PARAMETER,
	MARKER,       MARKER,       MARKER,       MARKER,       FINAL,        FINAL,
	FINAL,        FINAL,        FINAL,        FINAL,        FINAL,        FINAL,
	FINAL,        FINAL,        FINAL,        FINAL,        FINAL,        FINAL,
	FINAL,        FINAL,        STRING_START, FINAL,        FINAL,        FINAL,
	FINAL,        FINAL,        FINAL,        FINAL,        STRING_START, FINAL,
	FINAL,        CSI_START,    STRING_END,   OSC_START,    STRING_START, STRING_START,
	FINAL,        FINAL,        FINAL,        FINAL,        FINAL,        FINAL,
	FINAL,        FINAL,        FINAL,        FINAL,        FINAL,        FINAL,
	FINAL,        FINAL,        FINAL,        FINAL,        FINAL,        FINAL,
	FINAL,        FINAL,        FINAL,        FINAL,        FINAL,        FINAL,
	FINAL,        FINAL,        FINAL,        FINAL,        FINAL,        FINAL,
	FINAL,        DELETE,
};

static enum class class_of(uint32_t code) {
	return code < TN_COUNT(classes) ? (enum class)classes[code] : HIGH;
}

void tn_vt_init(struct tn_vt_parser *parser)
{
	*parser = (struct tn_vt_parser){.state = GROUND};
}

bool tn_vt_is_ground(const struct tn_vt_parser *parser)
{
	return parser->state == GROUND && parser->utf8_size == 0;
}

/* A colon begins a part of a parameter, a semicolon the next one. */
static void set_value(struct tn_vt_sequence *q, char c)
{
	int32_t *value;

	if (q->count == 0) {
		q->values[0] = -1;
		q->count = 1;
	}
	if (q->full)
		return;
	if (c == ';' || c == ':') {
		q->full = q->count == TN_VT_PARAMETERS_MAX;
		if (q->full)
			return;
		q->colons |= c == ':' ? (uint32_t)1 << q->count : 0;
		q->values[q->count++] = -1;
		return;
	}
	value = &q->values[q->count - 1];
	*value = (*value < 0 ? 0 : *value) * 10 + (c - '0');
	if (*value > TN_VT_VALUE_MAX)
		*value = TN_VT_VALUE_MAX;
}

static void collect(struct tn_vt_sequence *q, char c)
{
	if (!q->intermediate)
		q->intermediate = c;
	else if (q->more < 1)
		q->more++;
}

static void end_csi(struct tn_vt_sequence *q, char c, const struct tn_vt_sink *sink)
{
	if (q->count == 0) {
		q->values[0] = -1;
		q->count = 1;
	}
	q->final = c;
	if (!q->more)
		sink->csi(q, sink->data);
}

static void put_osc(struct tn_vt_parser *p, uint32_t code)
{
	char text[TN_UTF8_BYTES_MAX];
	size_t size = tn_utf8_encode(code, text);

	if (p->osc_size + size > TN_VT_OSC_MAX)
		return;
	memcpy(p->osc + p->osc_size, text, size);
	p->osc_size = (uint16_t)(p->osc_size + size);
}

static void print(uint32_t code, const struct tn_vt_sink *sink)
{
	char c = (char)code;

	if (code < 0x80)
		sink->text(tn_str(&c, 1), sink->data);
	else
		sink->code(code, sink->data);
}

static void act(struct tn_vt_parser *p, enum action action, uint32_t code,
		const struct tn_vt_sink *sink)
{
	switch (action) {
	case NOTHING:
		break;
	case CONTROL:
		sink->control((unsigned char)code, sink->data);
		break;
	case CLEAR:
		p->sequence.colons = 0;
		p->sequence.count = 0;
		p->sequence.full = false;
		p->sequence.marker = p->sequence.intermediate = 0;
		p->sequence.more = 0;
		break;
	case COLLECT:
		collect(&p->sequence, (char)code);
		break;
	case SET_MARKER:
		p->sequence.marker = (char)code;
		break;
	case SET_VALUE:
		set_value(&p->sequence, (char)code);
		break;
	case END_ESCAPE:
		if (!p->sequence.more)
			sink->escape(p->sequence.intermediate, (char)code, sink->data);
		break;
	case END_CSI:
		end_csi(&p->sequence, (char)code, sink);
		break;
	case BEGIN_OSC:
		p->osc_size = 0;
		break;
	case PUT_OSC:
		put_osc(p, code);
		break;
	case END_OSC:
		sink->osc(tn_str(p->osc, p->osc_size), sink->data);
		break;
	case PRINT:
		print(code, sink);
		break;
	}
}

static void step_class(struct tn_vt_parser *p, enum class class, uint32_t code,
		       const struct tn_vt_sink *sink)
{
	struct step step;

	if (p->state == OSC_ESCAPE) {
		/* Only a backslash makes it the string's end; anything else has dropped it. */
		if (class == STRING_END) {
			p->state = GROUND;
			act(p, END_OSC, code, sink);
			return;
		}
		p->state = ESCAPE;
		act(p, CLEAR, code, sink);
	}
	step = steps[p->state][class];
	p->state = step.next;
	act(p, (enum action)step.action, code, sink);
}

static bool begins_string(uint32_t code)
{
	return code == 0x90 || code == 0x98 || (code >= 0x9D && code <= 0x9F);
}

/* C1 controls come as characters of two bytes and mean ESC with a letter. */
static void take(struct tn_vt_parser *p, uint32_t code, const struct tn_vt_sink *sink)
{
	if (p->no_c1_strings && begins_string(code))
		return;
	if (code >= 0x80 && code < 0xA0) {
		step_class(p, ESC, 0x1B, sink);
		code -= 0x40;
	}
	step_class(p, class_of(code), code, sink);
}

/* Which bytes may follow the first of a character: no overlong form, no surrogate, nothing past
 * U+10FFFF is ever begun, so that each maximal wrong piece becomes one U+FFFD (Unicode 3.9). */
static bool continues(unsigned char first, unsigned at, unsigned char byte)
{
	unsigned char low = 0x80, high = 0xBF;

	if (at == 1) {
		low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : low;
		high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : high;
	}
	return byte >= low && byte <= high;
}

static uint8_t length_of(unsigned char first)
{
	if (first < 0xC2 || first > 0xF4)
		return 0;
	return first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

/* One byte of a character of more than one, or what interrupts it. False: the byte is not used. */
static bool take_utf8(struct tn_vt_parser *p, unsigned char byte, const struct tn_vt_sink *sink)
{
	uint32_t code;

	if (p->utf8_size == 0) {
		p->utf8_length = length_of(byte);
		if (p->utf8_length == 0)
			take(p, TN_UTF8_REPLACEMENT, sink);
		else
			p->utf8[p->utf8_size++] = (char)byte;
		return true;
	}
	if (!continues((unsigned char)p->utf8[0], p->utf8_size, byte)) {
		p->utf8_size = 0;
		take(p, TN_UTF8_REPLACEMENT, sink);
		return false;
	}
	p->utf8[p->utf8_size++] = (char)byte;
	if (p->utf8_size < p->utf8_length)
		return true;
	p->utf8_size = 0;
	if (tn_utf8_decode(p->utf8, p->utf8_length, &code))
		take(p, code, sink);
	return true;
}

/* How many bytes from `at` are printable ASCII: eight at a time. */
static size_t printable(const char *at, size_t size)
{
	const uint64_t ones = 0x0101010101010101, highs = 0x8080808080808080;
	size_t i = 0;

	for (; size - i >= sizeof(uint64_t); i += sizeof(uint64_t)) {
		uint64_t word, low, delete;

		memcpy(&word, at + i, sizeof(word));
		low = (word - ones * 0x20) & ~word;
		delete = word ^ (ones * 0x7F);
		delete = (delete - ones) & ~delete;
		if ((word | low | delete) & highs)
			break;
	}
	while (i < size && at[i] >= 0x20 && at[i] < 0x7F)
		i++;
	return i;
}

/* A whole character above ASCII, the usual case. Returns its length; 0: byte by byte. */
static size_t take_whole(struct tn_vt_parser *p, struct tn_str rest, const struct tn_vt_sink *sink)
{
	uint32_t code;
	size_t size = tn_utf8_decode(rest.data, rest.size, &code);

	if (size)
		take(p, code, sink);
	return size;
}

/* The digits and separators of a control sequence, of which colours have many. Returns how many. */
static size_t take_values(struct tn_vt_parser *p, struct tn_str rest)
{
	size_t i = 0;

	if (p->state != CSI_ENTRY && p->state != CSI_PARAMETER)
		return 0;
	while (i < rest.size && rest.data[i] >= '0' && rest.data[i] <= ';')
		set_value(&p->sequence, rest.data[i++]);
	if (i)
		p->state = CSI_PARAMETER;
	return i;
}

void tn_vt_feed(struct tn_vt_parser *parser, struct tn_str bytes, const struct tn_vt_sink *sink)
{
	size_t at = 0;

	while (at < bytes.size) {
		unsigned char byte = (unsigned char)bytes.data[at];
		size_t run;

		if (parser->utf8_size) {
			at += take_utf8(parser, byte, sink);
			continue;
		}
		if (byte >= 0x80) {
			run = take_whole(parser, tn_str_from_offset(bytes, at), sink);
			at += run ? run : take_utf8(parser, byte, sink);
			continue;
		}
		run = parser->state == GROUND ? printable(bytes.data + at, bytes.size - at) : 0;
		if (run) {
			sink->text(tn_str(bytes.data + at, run), sink->data);
			at += run;
			continue;
		}
		run = take_values(parser, tn_str_from_offset(bytes, at));
		if (run == 0)
			step_class(parser, class_of(byte), byte, sink);
		at += run ? run : 1;
	}
}

static void put_parameters(const struct tn_vt_sequence *q, struct tn_buf *out)
{
	if (q->marker)
		tn_buf_append_byte(out, q->marker);
	for (uint16_t i = 0; i < q->count; i++) {
		if (i)
			tn_buf_append_byte(out, q->colons >> i & 1 ? ':' : ';');
		if (q->values[i] >= 0)
			tn_buf_append_uint(out, (unsigned long long)q->values[i]);
	}
}

void tn_vt_put_csi(const struct tn_vt_sequence *sequence, struct tn_buf *out)
{
	tn_buf_append_text(out, "\033[");
	put_parameters(sequence, out);
	if (sequence->intermediate)
		tn_buf_append_byte(out, sequence->intermediate);
	tn_buf_append_byte(out, sequence->final);
}

static void put_sequence(const struct tn_vt_sequence *q, struct tn_buf *out)
{
	put_parameters(q, out);
	if (q->full)
		tn_buf_append_byte(out, ';');
	for (unsigned i = 0; q->intermediate && i <= q->more; i++)
		tn_buf_append_byte(out, q->intermediate);
}

void tn_vt_put_state(const struct tn_vt_parser *parser, struct tn_buf *out)
{
	static const char *const starts[STATE_COUNT] = {
		[GROUND] = "",
		[ESCAPE] = "\033",
		[ESCAPE_MORE] = "\033",
		[CSI_ENTRY] = "\033[",
		[CSI_PARAMETER] = "\033[",
		[CSI_INTERMEDIATE] = "\033[",
		[CSI_IGNORE] = "\033[0?",
		[OSC] = "\033]",
		[OSC_ESCAPE] = "\033]",
		[STRING] = "\033X",
	};

	tn_buf_append_text(out, starts[parser->state]);
	if (parser->state == ESCAPE_MORE || parser->state == CSI_PARAMETER ||
	    parser->state == CSI_INTERMEDIATE)
		put_sequence(&parser->sequence, out);
	if (parser->state == OSC || parser->state == OSC_ESCAPE)
		tn_buf_append(out, parser->osc, parser->osc_size);
	if (parser->state == OSC_ESCAPE)
		tn_buf_append_byte(out, '\033');
	tn_buf_append(out, parser->utf8, parser->utf8_size);
}
