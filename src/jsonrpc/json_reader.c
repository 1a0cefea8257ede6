#include "jsonrpc/json.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "base/utf8.h"
#include "jsonrpc/limits.h"

_Static_assert(TN_JSON_DEPTH_MAX <= 64 * 2, "a bit a level in tn_json_reader");

enum { EXPECT_VALUE, EXPECT_FIRST_KEY, EXPECT_KEY, EXPECT_FIRST_ELEMENT, EXPECT_COMMA, EXPECT_END };

void tn_json_reader_init(struct tn_json_reader *reader, char *text, size_t size, uint32_t depth_max)
{
	tn_assert(depth_max >= 1 && depth_max <= TN_JSON_DEPTH_MAX);
	*reader = (struct tn_json_reader){
		.start = text, .at = text, .end = text + size, .depth_max = depth_max};
	if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0)
		reader->at += 3;
}

static enum tn_json_token fail(struct tn_json_reader *r, const char *fault)
{
	if (!r->fault)
		r->fault = fault;
	return TN_JSON_TOKEN_ERROR;
}

enum tenon_code tn_json_reader_fail(const struct tn_json_reader *r, struct tenon_error *err)
{
	return tn_fail(err, TENON_INVALID, "%s at byte %zu", r->fault ? r->fault : "not JSON",
		       (size_t)(r->at - r->start));
}

static void skip_space(struct tn_json_reader *r)
{
	while (r->at < r->end &&
	       (*r->at == ' ' || *r->at == '\n' || *r->at == '\t' || *r->at == '\r'))
		r->at++;
}

/* ---- strings ---- */

static bool is_plain(char c)
{
	return (unsigned char)c >= 0x20 && c != '"' && c != '\\';
}

/* The first byte that ends a run of plain text: a quote, a backslash or a control character.
 * *high gets set when a byte above 0x7F was passed. */
static char *plain_run(char *at, const char *end, bool *high)
{
#if defined(__SSE2__)
	const __m128i quote = _mm_set1_epi8('"'), slash = _mm_set1_epi8('\\');
	const __m128i space = _mm_set1_epi8(0x1F);

	while (end - at >= 16) {
		__m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
		__m128i stop =
			_mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, slash));
		unsigned mask, above = (unsigned)_mm_movemask_epi8(bytes);

		stop = _mm_or_si128(stop, _mm_cmpeq_epi8(_mm_min_epu8(bytes, space), bytes));
		mask = (unsigned)_mm_movemask_epi8(stop);
		if (mask) {
			unsigned length = (unsigned)__builtin_ctz(mask);

			*high |= (above & ((1u << length) - 1)) != 0;
			return at + length;
		}
		*high |= above != 0;
		at += 16;
	}
#endif
	for (; at < end && is_plain(*at); at++)
		*high |= (unsigned char)*at > 0x7F;
	return at;
}

static int hex_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = tn_to_lower(c);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool read_hex4(const char *at, const char *end, uint32_t *ret)
{
	uint32_t code = 0;

	if (end - at < 4)
		return false;
	for (int i = 0; i < 4; i++) {
		int digit = hex_value(at[i]);

		if (digit < 0)
			return false;
		code = code << 4 | (uint32_t)digit;
	}
	*ret = code;
	return true;
}

/* `at` stands behind "\u". Advances *at and returns the character, a lone surrogate as U+FFFD. */
static bool read_unicode(char **at, const char *end, uint32_t *ret)
{
	uint32_t code, low;

	if (!read_hex4(*at, end, &code))
		return false;
	*at += 4;
	if (code >= 0xD800 && code <= 0xDBFF && end - *at >= 6 && (*at)[0] == '\\' &&
	    (*at)[1] == 'u' && read_hex4(*at + 2, end, &low) && low >= 0xDC00 && low <= 0xDFFF) {
		code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
		*at += 6;
	}
	*ret = code;
	return true;
}

/* `*at` stands on a backslash. Writes the character at *to (never ahead of *at). */
static bool unescape(char **at, const char *end, char **to)
{
	static const char from_letters[] = "\"\\/bfnrt";
	static const char to_bytes[] = "\"\\/\b\f\n\r\t";
	const char *letter;
	uint32_t code;

	if (end - *at < 2)
		return false;
	if ((*at)[1] == 'u') {
		*at += 2;
		if (!read_unicode(at, end, &code))
			return false;
		*to += tn_utf8_encode(code, *to);
		return true;
	}
	letter = (*at)[1] ? strchr(from_letters, (*at)[1]) : NULL;
	if (!letter)
		return false;
	*(*to)++ = to_bytes[letter - from_letters];
	*at += 2;
	return true;
}

/* r->at stands behind the opening quote. */
static bool read_string(struct tn_json_reader *r)
{
	char *start = r->at, *to, *run = r->at;
	bool high = false;

	r->at = to = plain_run(run, r->end, &high);
	for (;;) {
		if (r->at == r->end)
			return fail(r, "a string without end"), false;
		if (*r->at == '"')
			break;
		if (*r->at != '\\')
			return fail(r, "a control character in a string; escape it"), false;
		if (!unescape(&r->at, r->end, &to))
			return fail(r, "a malformed escape in a string"), false;
		run = r->at;
		r->at = plain_run(run, r->end, &high);
		memmove(to, run, (size_t)(r->at - run));
		to += r->at - run;
	}
	r->at++;
	*to = '\0'; /* over the closing quote at the latest, so strings end as C wants them */
	r->text = tn_str(start, (size_t)(to - start));
	/* Escapes only ever produce valid UTF-8, so checking the result checks the source. */
	if (high && !tn_utf8_valid(r->text.data, r->text.size))
		return fail(r, "a string that is not UTF-8"), false;
	return true;
}

/* ---- other scalars ---- */

static char *digits(char *at, const char *end)
{
	while (at < end && tn_is_digit(*at))
		at++;
	return at;
}

static enum tn_json_token read_number(struct tn_json_reader *r)
{
	char *at = r->at, *mark;

	if (*at == '-')
		at++;
	mark = at;
	at = digits(at, r->end);
	if (at == mark || (*mark == '0' && at - mark > 1))
		return fail(r, "a malformed number");
	if (at < r->end && *at == '.') {
		mark = ++at;
		at = digits(at, r->end);
		if (at == mark)
			return fail(r, "a number without digits after its point");
	}
	if (at < r->end && (*at == 'e' || *at == 'E')) {
		at++;
		if (at < r->end && (*at == '+' || *at == '-'))
			at++;
		mark = at;
		at = digits(at, r->end);
		if (at == mark)
			return fail(r, "a number without digits in its exponent");
	}
	r->text = tn_str(r->at, (size_t)(at - r->at));
	r->at = at;
	return TN_JSON_TOKEN_NUMBER;
}

static enum tn_json_token read_word(struct tn_json_reader *r, struct tn_str word,
				    enum tn_json_token token)
{
	if ((size_t)(r->end - r->at) < word.size || memcmp(r->at, word.data, word.size) != 0)
		return fail(r, "an unknown word");
	r->at += word.size;
	return token;
}

/* ---- structure ---- */

static bool in_object(const struct tn_json_reader *r)
{
	uint32_t level = r->depth - 1;

	return r->in_object[level / 64] >> (level % 64) & 1;
}

static enum tn_json_token open_level(struct tn_json_reader *r, bool object)
{
	uint32_t level = r->depth;
	uint64_t bit = UINT64_C(1) << (level % 64);

	if (level == r->depth_max)
		return fail(r, "nested too deeply");
	r->in_object[level / 64] =
		object ? r->in_object[level / 64] | bit : r->in_object[level / 64] & ~bit;
	r->depth++;
	r->at++;
	r->expect = object ? EXPECT_FIRST_KEY : EXPECT_FIRST_ELEMENT;
	return object ? TN_JSON_TOKEN_OBJECT : TN_JSON_TOKEN_ARRAY;
}

static enum tn_json_token close_level(struct tn_json_reader *r)
{
	bool object = in_object(r);

	r->at++;
	r->depth--;
	r->expect = r->depth ? EXPECT_COMMA : EXPECT_END;
	return object ? TN_JSON_TOKEN_OBJECT_END : TN_JSON_TOKEN_ARRAY_END;
}

static enum tn_json_token read_scalar(struct tn_json_reader *r)
{
	r->expect = r->depth ? EXPECT_COMMA : EXPECT_END;
	switch (*r->at) {
	case '"':
		r->at++;
		return read_string(r) ? TN_JSON_TOKEN_STRING : TN_JSON_TOKEN_ERROR;
	case 't':
		return read_word(r, TN_STR("true"), TN_JSON_TOKEN_TRUE);
	case 'f':
		return read_word(r, TN_STR("false"), TN_JSON_TOKEN_FALSE);
	case 'n':
		return read_word(r, TN_STR("null"), TN_JSON_TOKEN_NULL);
	default:
		if (*r->at == '-' || tn_is_digit(*r->at))
			return read_number(r);
		return fail(r, "an unexpected character");
	}
}

static enum tn_json_token read_value(struct tn_json_reader *r)
{
	if (*r->at == '{')
		return open_level(r, true);
	if (*r->at == '[')
		return open_level(r, false);
	return read_scalar(r);
}

static enum tn_json_token read_key(struct tn_json_reader *r)
{
	if (*r->at != '"')
		return fail(r, "a member without a quoted key");
	r->at++;
	if (!read_string(r))
		return TN_JSON_TOKEN_ERROR;
	skip_space(r);
	if (r->at == r->end || *r->at != ':')
		return fail(r, "a key without a colon");
	r->at++;
	r->expect = EXPECT_VALUE;
	return TN_JSON_TOKEN_KEY;
}

static enum tn_json_token after_comma(struct tn_json_reader *r)
{
	if (*r->at == (in_object(r) ? '}' : ']'))
		return close_level(r);
	if (*r->at != ',')
		return fail(r, "a missing comma or bracket");
	r->at++;
	skip_space(r);
	if (r->at == r->end)
		return fail(r, "an unfinished value");
	return in_object(r) ? read_key(r) : read_value(r);
}

enum tn_json_token tn_json_next(struct tn_json_reader *r)
{
	if (r->fault)
		return TN_JSON_TOKEN_ERROR;
	skip_space(r);
	if (r->at == r->end)
		return r->expect == EXPECT_END ? TN_JSON_TOKEN_END : fail(r, "an unfinished value");
	switch (r->expect) {
	case EXPECT_VALUE:
		return read_value(r);
	case EXPECT_FIRST_KEY:
		return *r->at == '}' ? close_level(r) : read_key(r);
	case EXPECT_FIRST_ELEMENT:
		return *r->at == ']' ? close_level(r) : read_value(r);
	case EXPECT_COMMA:
		return after_comma(r);
	default:
		return fail(r, "something after the value");
	}
}

bool tn_json_skip(struct tn_json_reader *r)
{
	uint32_t depth = r->depth;

	do {
		enum tn_json_token token = tn_json_next(r);

		if (token == TN_JSON_TOKEN_ERROR || token == TN_JSON_TOKEN_END)
			return false;
	} while (r->depth > depth);
	return true;
}
