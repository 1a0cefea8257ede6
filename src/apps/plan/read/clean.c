#include "apps/plan/read/clean.h"

#include "base/size.h"
#include "base/utf8.h"

/* ---- encoding ---- */

enum { PATTERN_BYTES = 512 };

enum encoding { UTF8, UTF16LE, UTF16BE, LATIN1 };

/* Text of mostly ASCII characters has a NUL in every other byte. */
static bool has_nul_pattern(const unsigned char *bytes, size_t size, size_t parity)
{
	size_t count = size < PATTERN_BYTES ? size : PATTERN_BYTES, nuls = 0, others = 0;

	if (count < 4)
		return false;
	for (size_t i = 0; i < count; i++) {
		if (bytes[i] != 0)
			continue;
		if (i % 2 == parity)
			nuls++;
		else
			others++;
	}
	return nuls * 10 >= count * 4 && others * 20 <= count;
}

/* Latin-1 where no byte above 0x7F is part of a valid character; one that is merely cut off at the
 * end of the input is no sign of it. */
static enum encoding guess_8bit(const char *bytes, size_t size)
{
	size_t valid = 0, invalid = 0;

	for (size_t at = 0; at < size;) {
		uint32_t code;
		size_t length;

		if (!(bytes[at] & 0x80)) {
			at++;
			continue;
		}
		length = tn_utf8_decode(bytes + at, size - at, &code);
		valid += length > 0;
		invalid += length == 0 && size - at >= TN_UTF8_BYTES_MAX;
		at += length ? length : 1;
	}
	return invalid > 0 && valid == 0 ? LATIN1 : UTF8;
}

static enum encoding guess_encoding(const unsigned char *bytes, size_t size, size_t *ret_bom)
{
	*ret_bom = 0;
	if (size >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0) {
		*ret_bom = 3;
		return UTF8;
	}
	if (size >= 2 && (memcmp(bytes, "\xFF\xFE", 2) == 0 || memcmp(bytes, "\xFE\xFF", 2) == 0)) {
		*ret_bom = 2;
		return bytes[0] == 0xFF ? UTF16LE : UTF16BE;
	}
	if (has_nul_pattern(bytes, size, 1))
		return UTF16LE;
	return has_nul_pattern(bytes, size, 0) ? UTF16BE : UTF8;
}

static uint32_t unit_at(const unsigned char *bytes, size_t at, bool little)
{
	return little ? (uint32_t)(bytes[at] | bytes[at + 1] << 8)
		      : (uint32_t)(bytes[at] << 8 | bytes[at + 1]);
}

/* Writes to `to`, or only counts when it is NULL. */
static size_t from_utf16(const unsigned char *bytes, size_t size, bool little, char *to)
{
	char one[TN_UTF8_BYTES_MAX];
	size_t used = 0;

	for (size_t at = 0; at + 1 < size; at += 2) {
		uint32_t code = unit_at(bytes, at, little), low;

		if (code >= 0xD800 && code <= 0xDBFF && at + 3 < size) {
			low = unit_at(bytes, at + 2, little);
			if (low >= 0xDC00 && low <= 0xDFFF) {
				code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
				at += 2;
			}
		}
		used += tn_utf8_encode(code, to ? to + used : one);
	}
	return used;
}

static size_t from_latin1(const unsigned char *bytes, size_t size, char *to)
{
	char one[TN_UTF8_BYTES_MAX];
	size_t used = 0;

	for (size_t i = 0; i < size; i++)
		used += tn_utf8_encode(bytes[i], to ? to + used : one);
	return used;
}

/* Invalid bytes become U+FFFD, one each. */
static size_t from_utf8(const char *bytes, size_t size, char *to)
{
	char one[TN_UTF8_BYTES_MAX];
	size_t used = 0, at = 0;

	while (at < size) {
		uint32_t code = TN_UTF8_REPLACEMENT;
		size_t length = tn_utf8_decode(bytes + at, size - at, &code);

		if (length == 0)
			code = TN_UTF8_REPLACEMENT;
		used += tn_utf8_encode(code, to ? to + used : one);
		at += length ? length : 1;
	}
	return used;
}

static size_t convert(enum encoding encoding, const unsigned char *bytes, size_t size, char *to)
{
	switch (encoding) {
	case UTF16LE:
	case UTF16BE:
		return from_utf16(bytes, size, encoding == UTF16LE, to);
	case LATIN1:
		return from_latin1(bytes, size, to);
	default:
		return from_utf8((const char *)bytes, size, to);
	}
}

static void note_encoding(struct tn_plan_build *build, enum encoding encoding, bool bom)
{
	static const char *const names[] = {"utf-8", "utf-16le", "utf-16be", "latin-1"};
	struct tn_plan *plan = build->plan;

	plan->encoding = names[encoding];
	if (bom)
		plan->normalised |= TN_PLAN_CLEAN_BOM;
	if (encoding == UTF16LE || encoding == UTF16BE)
		plan->normalised |= TN_PLAN_CLEAN_UTF16;
	if (encoding == LATIN1) {
		plan->normalised |= TN_PLAN_CLEAN_LATIN1;
		tn_plan_warn(build, "encoding_guessed", 0,
			     "the text is not UTF-8; it was read as Latin-1");
	}
}

bool tn_plan_clean_encoding(struct tn_plan_build *build, const void *bytes, size_t size,
			    struct tn_plan_text *ret)
{
	const unsigned char *start = bytes;
	size_t bom, needed;
	enum encoding encoding = guess_encoding(start, size, &bom);
	bool as_is;

	start += bom;
	size -= bom;
	as_is = encoding == UTF8 && tn_utf8_valid((const char *)start, size);
	if (encoding == UTF8 && !as_is)
		encoding = guess_8bit((const char *)start, size);
	note_encoding(build, encoding, bom > 0);
	needed = as_is ? size : convert(encoding, start, size, NULL);
	ret->data = tn_arena_alloc_raw(&build->plan->arena, needed + 1);
	if (!ret->data) {
		(void)tn_plan_build_fail(build, TENON_NO_MEMORY, "input_too_large",
					 "no memory for %zu bytes of plan", needed);
		return false;
	}
	if (as_is && size)
		memcpy(ret->data, start, size);
	else if (!as_is)
		(void)convert(encoding, start, size, ret->data);
	ret->data[needed] = '\0';
	ret->size = needed;
	return true;
}

/* ---- control characters ---- */

struct controls {
	const char *at, *end;
	char *to, *line; /* where the next byte goes, and where its line began */
	bool returned;   /* a CR came and nothing has been drawn over the line yet */
	uint32_t steps;
};

static bool is_control(unsigned char c)
{
	return (c < 0x20 && c != '\n' && c != '\t') || c == 0x7F;
}

/* No branch in it, so that the compiler can look at many bytes at once. */
static bool has_controls(const char *data, size_t size)
{
	unsigned found = 0;

	for (size_t i = 0; i < size; i++) {
		unsigned char c = (unsigned char)data[i];

		found |= (unsigned)(c < 0x20) & (unsigned)(c != '\n') & (unsigned)(c != '\t');
		found |= (unsigned)(c == 0x7F);
	}
	return found != 0;
}

/* U+0080 to U+009F are C2 80 to C2 9F. */
static bool is_c1(const char *at, const char *end)
{
	return end - at >= 2 && (unsigned char)at[0] == 0xC2 && (unsigned char)at[1] >= 0x80 &&
	       (unsigned char)at[1] <= 0x9F;
}

static bool has_c1(const char *data, size_t size)
{
	const char *end = data + size;

	for (const char *at = data; (at = memchr(at, 0xC2, (size_t)(end - at))); at++) {
		if (is_c1(at, end))
			return true;
	}
	return false;
}

/* Behind the introducer: parameters, intermediates, one final byte. */
static const char *csi_end(const char *at, const char *end, char *ret_final)
{
	*ret_final = 0;
	while (at < end && *at >= 0x20 && *at <= 0x3F)
		at++;
	if (at < end && *at >= 0x40 && *at <= 0x7E)
		*ret_final = *at++;
	return at;
}

/* Behind the introducer of OSC and the other strings: up to BEL or ST, at most to the line's end.
 */
static const char *osc_end(const char *at, const char *end)
{
	while (at < end && *at != '\n') {
		if (*at == '\a')
			return at + 1;
		if (*at == '\x1B')
			return end - at >= 2 && at[1] == '\\' ? at + 2 : at;
		if (is_c1(at, end) && (unsigned char)at[1] == 0x9C)
			return at + 2;
		at++;
	}
	return at;
}

static void erase_if_returned(struct controls *c, char final)
{
	/* "CR, erase line" is how a progress display removes itself. */
	if (c->returned && final == 'K') {
		c->to = c->line;
		c->returned = false;
		c->steps |= TN_PLAN_CLEAN_CR_REDRAW;
	}
}

static void skip_sequence(struct controls *c, unsigned char kind)
{
	char final;

	if (kind == '[') {
		c->at = csi_end(c->at, c->end, &final);
		erase_if_returned(c, final);
	} else if (kind == ']' || kind == 'P' || kind == 'X' || kind == '^' || kind == '_') {
		c->at = osc_end(c->at, c->end);
	} else if (kind >= 0x20 && kind <= 0x2F) { /* ESC ( B and its like */
		while (c->at < c->end && *c->at >= 0x20 && *c->at <= 0x2F)
			c->at++;
		if (c->at < c->end && *c->at >= 0x30)
			c->at++;
	}
	c->steps |= TN_PLAN_CLEAN_ANSI;
}

/* `at` stands on a byte that is no text. */
static void take_control(struct controls *c)
{
	unsigned char byte = (unsigned char)*c->at;

	if (byte == '\r') {
		c->at++;
		c->returned = true;
	} else if (byte == 0x1B) {
		c->at++;
		if (c->at < c->end && (unsigned char)*c->at >= 0x20 &&
		    (unsigned char)*c->at < 0x7F) {
			byte = (unsigned char)*c->at++;
			skip_sequence(c, byte);
		} else {
			c->steps |= TN_PLAN_CLEAN_ANSI;
		}
	} else if (byte == 0xC2) { /* 8-bit C1: its 7-bit letter is 0x40 less */
		byte = (unsigned char)((unsigned char)c->at[1] - 0x40);
		c->at += 2;
		skip_sequence(c, byte);
	} else {
		c->at++;
		c->steps |= TN_PLAN_CLEAN_ANSI;
	}
}

static const char *text_run(const char *at, const char *end)
{
	while (at < end && *at != '\n' && !is_control((unsigned char)*at) && !is_c1(at, end))
		at++;
	return at;
}

static void take_text(struct controls *c, const char *stop)
{
	size_t size = (size_t)(stop - c->at);

	if (c->returned) { /* only what was drawn last stays */
		if (c->to != c->line)
			c->steps |= TN_PLAN_CLEAN_CR_REDRAW;
		c->to = c->line;
		c->returned = false;
	}
	memmove(c->to, c->at, size);
	c->to += size;
	c->at = stop;
}

static void take_newline(struct controls *c)
{
	if (c->returned)
		c->steps |= TN_PLAN_CLEAN_CRLF;
	c->returned = false;
	*c->to++ = '\n';
	c->at++;
	c->line = c->to;
}

static void strip_controls(struct tn_plan_build *build, struct tn_plan_text *text)
{
	struct controls c = {.at = text->data,
			     .end = text->data + text->size,
			     .to = text->data,
			     .line = text->data};

	while (c.at < c.end) {
		const char *stop = text_run(c.at, c.end);

		if (stop > c.at)
			take_text(&c, stop);
		else if (*c.at == '\n')
			take_newline(&c);
		else
			take_control(&c);
	}
	text->size = (size_t)(c.to - text->data);
	build->plan->normalised |= c.steps;
}

/* ---- remnants of escapes whose ESC was lost in copying ---- */

enum { REMNANT_LINES = 3, PROBE_BYTES = 256 * 1024 };

/* "[0m", "[1;31m" at `at`; its size, or 0. */
static size_t sgr_size(const char *at, const char *end)
{
	const char *start = at++;

	while (at < end && at - start < 24 && (tn_is_digit(*at) || *at == ';'))
		at++;
	return at < end && *at == 'm' && at - start > 1 ? (size_t)(at - start) + 1 : 0;
}

/* The spellings of ESC in front of the bracket that is the `size`-th byte written. */
static size_t escape_spelling(const char *line, const char *bracket)
{
	static const struct tn_str spellings[] = {{"\\u001b", 6}, {"\\u001B", 6},     {"\\x1b", 4},
						  {"\\x1B", 4},   {"\\033", 4},       {"\\e", 2},
						  {"^[", 2},      {"\xE2\x90\x9B", 3}};
	struct tn_str before = tn_str(line, (size_t)(bracket - line));

	for (size_t i = 0; i < TN_COUNT(spellings); i++) {
		if (tn_str_ends(before, spellings[i]))
			return spellings[i].size;
	}
	return 0;
}

/* Lines of data[0..size) with a reset, which every colouring ends in. */
static unsigned count_resets(const char *data, size_t size)
{
	struct tn_str rest = tn_str(data, size);
	unsigned lines = 0;

	while (lines < REMNANT_LINES) {
		size_t at = tn_str_find(rest, TN_STR("[0m"));
		const char *next;

		if (at == TN_STR_NONE)
			break;
		lines++;
		next = memchr(rest.data + at, '\n', rest.size - at);
		if (!next)
			break;
		rest = tn_str_from_offset(rest, (size_t)(next - rest.data));
	}
	return lines;
}

static void strip_remnants(struct tn_plan_build *build, struct tn_plan_text *text)
{
	const char *at = text->data, *end = text->data + text->size;
	char *to = text->data, *line = to;

	while (at < end) {
		size_t size = *at == '[' ? sgr_size(at, end) : 0;

		if (size == 0) {
			*to++ = *at;
			if (*at++ == '\n')
				line = to;
			continue;
		}
		to -= escape_spelling(line, to);
		at += size;
	}
	text->size = (size_t)(to - text->data);
	build->plan->normalised |= TN_PLAN_CLEAN_ANSI_REMNANT;
}

void tn_plan_clean_controls(struct tn_plan_build *build, struct tn_plan_text *text)
{
	size_t probe = text->size < PROBE_BYTES ? text->size : PROBE_BYTES;

	if (has_controls(text->data, text->size) || has_c1(text->data, text->size))
		strip_controls(build, text);
	/* Coloured text is coloured all over: its first part tells. */
	if (probe > text->size)
		probe = text->size;
	if (count_resets(text->data, probe) >= REMNANT_LINES)
		strip_remnants(build, text);
}

/* ---- entities ---- */

static const struct {
	struct tn_str name;
	char character;
} entities[] = {{{"&gt;", 4}, '>'},   {{"&lt;", 4}, '<'},  {{"&amp;", 5}, '&'},
		{{"&quot;", 6}, '"'}, {{"&#34;", 5}, '"'}, {{"&#39;", 5}, '\''}};

static size_t entity_at(const char *at, const char *end, char *ret)
{
	for (size_t i = 0; i < TN_COUNT(entities); i++) {
		if (tn_str_starts(tn_str(at, (size_t)(end - at)), entities[i].name)) {
			*ret = entities[i].character;
			return entities[i].name.size;
		}
	}
	return 0;
}

/* Only an escaped arrow says that the whole text was escaped. */
static bool has_escaped_arrow(const struct tn_plan_text *text)
{
	const char *end = text->data + text->size;

	for (const char *at = text->data; (at = memchr(at, '&', (size_t)(end - at))); at++) {
		if (at > text->data && at[-1] == '-' && end - at >= 4 && memcmp(at, "&gt;", 4) == 0)
			return true;
	}
	return false;
}

void tn_plan_clean_entities(struct tn_plan_build *build, struct tn_plan_text *text)
{
	const char *at = text->data, *end = text->data + text->size;
	char *to = text->data;

	if (!has_escaped_arrow(text))
		return;
	build->plan->normalised |= TN_PLAN_CLEAN_HTML_ENTITIES;
	while (at < end) {
		const char *stop = memchr(at, '&', (size_t)(end - at));
		size_t used;
		char character;

		if (!stop)
			stop = end;
		memmove(to, at, (size_t)(stop - at));
		to += stop - at;
		at = stop;
		if (at == end)
			break;
		used = entity_at(at, end, &character);
		*to++ = used ? character : *at;
		at += used ? used : 1;
	}
	text->size = (size_t)(to - text->data);
}
