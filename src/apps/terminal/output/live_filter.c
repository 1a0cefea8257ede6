#include "apps/terminal/output/live_filter.h"

#include "apps/terminal/screen/vt_width.h"
#include "base/size.h"
#include "base/utf8.h"

/* Control sequences that draw, or set what drawing and keys depend on. What is not here asks,
 * prints, moves the window or is unknown: it goes. */
static const struct {
	char marker, intermediate;
	const char *finals;
} sequences[] = {
	{0, 0, "@ABCDEFGHIJKLMPSTXZ`abdefghlmrsu"},
	{'?', 0, "JKhlrs"}, /* selective erasing; modes, kept and brought back */
	{'>', 0, "mnu"},    /* how keys with modifiers are sent */
	{'<', 0, "u"},
	{'=', 0, "u"},
	{0, '!', "p"},   /* soft reset */
	{0, ' ', "@Aq"}, /* sideways; the cursor's shape */
	{0, '"', "q"},
	{0, '$', "rtvxz{"}, /* rectangles */
};

/* Escape sequences, likewise. Not here: who are you (Z), other encodings, C1 of eight bits. */
static const struct {
	char intermediate;
	const char *finals; /* NULL: any; they name character sets */
} escapes[] = {
	{0, "78=>DEHMNOcno|}~"},
	{'#', "34568"},
	{'(', NULL},
	{')', NULL},
	{'*', NULL},
	{'+', NULL},
	{'-', NULL},
	{'.', NULL},
	{'/', NULL},
};

enum osc_kind { OSC_TITLE, OSC_COLOUR, OSC_LINK };

static const struct {
	uint16_t first, last;
	enum osc_kind kind;
} oscs[] = {
	{0, 2, OSC_TITLE},    {4, 5, OSC_COLOUR},     {8, 8, OSC_LINK},
	{10, 19, OSC_COLOUR}, {104, 105, OSC_COLOUR}, {110, 119, OSC_COLOUR},
};

void tn_live_filter_init(struct tn_live_filter *filter)
{
	tn_vt_init(&filter->parser);
	filter->took_out = false;
}

/* One feed. */
struct pass {
	struct tn_live_filter *filter;
	struct tn_buf *out;
};

static void on_text(struct tn_str ascii, void *data)
{
	struct pass *pass = data;

	pass->filter->took_out = false;
	tn_buf_append_str(pass->out, ascii);
}

/* Characters without a shape are not on our screen: direction marks would show a person another
 * command than the one that is there. */
static void on_code(uint32_t code, void *data)
{
	struct pass *pass = data;
	char text[TN_UTF8_BYTES_MAX];

	if (tn_vt_width(code) == TN_VT_UNSEEN)
		return;
	pass->filter->took_out = false;
	tn_buf_append(pass->out, text, tn_utf8_encode(code, text));
}

static void on_control(unsigned char code, void *data)
{
	struct pass *pass = data;

	if (code && strchr("\a\b\t\n\v\f\r\x0e\x0f", code))
		tn_buf_append_byte(pass->out, (char)code);
	else
		pass->filter->took_out = true;
}

static bool is_known_escape(char intermediate, char final)
{
	for (size_t i = 0; i < TN_COUNT(escapes); i++)
		if (escapes[i].intermediate == intermediate)
			return !escapes[i].finals || strchr(escapes[i].finals, final);
	return false;
}

static void on_escape(char intermediate, char final, void *data)
{
	struct pass *pass = data;

	if (!is_known_escape(intermediate, final)) {
		pass->filter->took_out = true;
		return;
	}
	tn_buf_append_byte(pass->out, '\033');
	if (intermediate)
		tn_buf_append_byte(pass->out, intermediate);
	tn_buf_append_byte(pass->out, final);
}

static bool draws(const struct tn_vt_sequence *q)
{
	for (size_t i = 0; i < TN_COUNT(sequences); i++)
		if (sequences[i].marker == q->marker &&
		    sequences[i].intermediate == q->intermediate)
			return strchr(sequences[i].finals, q->final) != NULL;
	return false;
}

static void on_csi(const struct tn_vt_sequence *sequence, void *data)
{
	struct pass *pass = data;
	bool repeats = sequence->final == 'b';

	if (!draws(sequence))
		pass->filter->took_out = true;
	else if (!repeats || !pass->filter->took_out)
		tn_vt_put_csi(sequence, pass->out);
}

/* What of a title is shown: letters, not too many. */
static void put_title(struct tn_str text, struct tn_buf *out)
{
	size_t size;
	unsigned count = 0;
	uint32_t code;

	for (size_t at = 0; at < text.size && count < TN_LIVE_TITLE_CODES_MAX; at += size) {
		size = tn_utf8_decode(text.data + at, text.size - at, &code);
		if (size == 0)
			return;
		if (tn_vt_width(code) == TN_VT_UNSEEN)
			continue;
		tn_buf_append(out, text.data + at, size);
		count++;
	}
}

/* A link that a person may follow, or the end of one. `text`: parameters; address. */
static bool is_harmless_link(struct tn_str text)
{
	static const char *const schemes[] = {"http://", "https://", "mailto:"};
	size_t begin = tn_str_find_byte(text, ';');
	struct tn_str address = tn_str_from_offset(text, begin == TN_STR_NONE ? 0 : begin + 1);

	if (begin == TN_STR_NONE)
		return false;
	for (size_t i = 0; i < TN_COUNT(schemes); i++) {
		struct tn_str scheme = tn_str_from(schemes[i]);

		if (address.size >= scheme.size &&
		    tn_str_equal_nocase(tn_str(address.data, scheme.size), scheme))
			return true;
	}
	return address.size == 0;
}

static bool passes(enum osc_kind kind, struct tn_str text)
{
	switch (kind) {
	case OSC_TITLE:
		return true;
	case OSC_COLOUR:
		return tn_str_find_byte(text, '?') == TN_STR_NONE;
	case OSC_LINK:
		return is_harmless_link(text);
	}
	return false;
}

/* `rest`: of `text`, behind the number. */
static void put_osc(unsigned number, enum osc_kind kind, struct tn_str text, struct tn_str rest,
		    struct tn_buf *out)
{
	if (!passes(kind, rest))
		return;
	if (kind == OSC_TITLE) {
		tn_buf_format(out, "\033]%u;", number);
		put_title(rest, out);
	} else {
		tn_buf_append_text(out, "\033]");
		tn_buf_append_str(out, text);
	}
	tn_buf_append_text(out, "\033\\");
}

static void on_osc(struct tn_str text, void *data)
{
	struct pass *pass = data;
	size_t digits = 0;
	unsigned number = 0;

	pass->filter->took_out = true; /* or not: after it nothing is repeated, either way */
	for (; digits < text.size && digits < 4 && tn_is_digit(text.data[digits]); digits++)
		number = number * 10 + (unsigned)(text.data[digits] - '0');
	/* One that was cut is another link, or another colour. */
	if (digits == 0 || text.size > TN_VT_OSC_MAX - TN_UTF8_BYTES_MAX ||
	    (digits < text.size && text.data[digits] != ';'))
		return;
	for (size_t i = 0; i < TN_COUNT(oscs); i++)
		if (number >= oscs[i].first && number <= oscs[i].last)
			put_osc(number, oscs[i].kind, text, tn_str_from_offset(text, digits + 1),
				pass->out);
}

void tn_live_filter_feed(struct tn_live_filter *filter, struct tn_str bytes, struct tn_buf *out)
{
	struct pass pass = {filter, out};
	const struct tn_vt_sink sink = {on_text, on_code, on_control, on_escape,
					on_csi,  on_osc,  &pass};

	tn_vt_feed(&filter->parser, bytes, &sink);
}
