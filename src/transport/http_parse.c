#include "transport/http_parse.h"

#include "base/size.h"
#include "transport/limits.h"

enum {
	CHUNK_LINE_MAX = 1024,       /* size and extensions of one chunk */
	CHUNK_EXTENSIONS_MAX = 4096, /* of a whole body: else they are a way to send without end */
	CHUNK_DIGITS_MAX = 15
};

#define FAIL(parser, code, sentence) fail((parser), (code), ("" sentence))

static bool fail(struct tn_http_parser *p, unsigned status, const char *sentence)
{
	p->status = status;
	p->fault = sentence;
	return false;
}

void tn_http_parser_init(struct tn_http_parser *p, const struct tn_http_limits *limits)
{
	/* The header array is large and read only up to its count. */
	memset(p, 0, offsetof(struct tn_http_parser, headers));
	p->limits = limits;
}

/* ---- characters ---- */

#define T 1
static const unsigned char token_chars[256] = {
	['!'] = T, ['#'] = T, ['$'] = T, ['%'] = T, ['&'] = T, ['\''] = T, ['*'] = T, ['+'] = T,
	['-'] = T, ['.'] = T, ['^'] = T, ['_'] = T, ['`'] = T, ['|'] = T,  ['~'] = T, ['0'] = T,
	['1'] = T, ['2'] = T, ['3'] = T, ['4'] = T, ['5'] = T, ['6'] = T,  ['7'] = T, ['8'] = T,
	['9'] = T, ['a'] = T, ['b'] = T, ['c'] = T, ['d'] = T, ['e'] = T,  ['f'] = T, ['g'] = T,
	['h'] = T, ['i'] = T, ['j'] = T, ['k'] = T, ['l'] = T, ['m'] = T,  ['n'] = T, ['o'] = T,
	['p'] = T, ['q'] = T, ['r'] = T, ['s'] = T, ['t'] = T, ['u'] = T,  ['v'] = T, ['w'] = T,
	['x'] = T, ['y'] = T, ['z'] = T, ['A'] = T, ['B'] = T, ['C'] = T,  ['D'] = T, ['E'] = T,
	['F'] = T, ['G'] = T, ['H'] = T, ['I'] = T, ['J'] = T, ['K'] = T,  ['L'] = T, ['M'] = T,
	['N'] = T, ['O'] = T, ['P'] = T, ['Q'] = T, ['R'] = T, ['S'] = T,  ['T'] = T, ['U'] = T,
	['V'] = T, ['W'] = T, ['X'] = T, ['Y'] = T, ['Z'] = T,
};
#undef T

bool tn_http_is_token(struct tn_str text)
{
	for (size_t i = 0; i < text.size; i++) {
		if (!token_chars[(unsigned char)text.data[i]])
			return false;
	}
	return text.size > 0;
}

/* Tab, visible ASCII, space and bytes above 0x7F: no control byte, so no CR, LF or NUL either. */
static bool is_field_value(struct tn_str text)
{
	const unsigned char *at = (const unsigned char *)text.data, *end = at + text.size;

	/* Eight at a time: a byte below 0x20 or equal to 0x7F shows in its top bit; a tab sends us
	 * to the slow part as well. */
	for (; end - at >= 8; at += 8) {
		const uint64_t ones = UINT64_C(0x0101010101010101), tops = ones << 7;
		uint64_t word, deletes;

		memcpy(&word, at, sizeof(word));
		deletes = word ^ (ones * 0x7f);
		if ((((word - ones * 0x20) & ~word) | ((deletes - ones) & ~deletes)) & tops)
			break;
	}
	for (; at < end; at++) {
		if ((*at < 0x20 && *at != '\t') || *at == 0x7f)
			return false;
	}
	return true;
}

static struct tn_http_span span(const char *base, const char *from, const char *to)
{
	return (struct tn_http_span){(uint32_t)(from - base), (uint32_t)(to - from)};
}

static struct tn_str span_text(const char *data, struct tn_http_span where)
{
	return tn_str(data + where.at, where.size);
}

/* ---- the request line ---- */

static bool parse_version(struct tn_http_parser *p, struct tn_str text)
{
	if (text.size != 8 || memcmp(text.data, "HTTP/", 5) != 0 || !tn_is_digit(text.data[5]) ||
	    text.data[6] != '.' || !tn_is_digit(text.data[7]))
		return FAIL(p, 400, "the request line does not end with HTTP/1.1");
	if (text.data[5] != '1')
		return FAIL(p, 505, "only HTTP/1.1 is spoken here");
	p->minor = (unsigned)(text.data[7] - '0');
	return true;
}

/* http://host[:port]/path: the authority is compared with Host once that is known. */
static const char *skip_authority(struct tn_http_parser *p, const char *data, const char *from,
				  const char *to)
{
	static const struct tn_str scheme = {"http://", 7};
	const char *end;

	if ((size_t)(to - from) <= scheme.size ||
	    !tn_str_equal_nocase(tn_str(from, scheme.size), scheme))
		return NULL;
	from += scheme.size;
	for (end = from; end < to && *end != '/' && *end != '?'; end++)
		;
	p->authority = span(data, from, end);
	p->has_authority = true;
	return end;
}

static bool parse_target(struct tn_http_parser *p, const char *data, const char *from,
			 const char *to)
{
	const char *mark;

	for (const char *at = from; at < to; at++) {
		if (*at <= 0x20 || *at >= 0x7f || *at == '#')
			return FAIL(p, 400, "the request target holds bytes that must be escaped");
	}
	if (to - from == 1 && *from == '*') {
		if (!tn_str_is(span_text(data, p->method), "OPTIONS"))
			return FAIL(p, 400, "only OPTIONS may ask for *");
		p->path = span(data, from, to);
		return true;
	}
	if (from < to && *from != '/')
		from = skip_authority(p, data, from, to);
	if (!from || (from == to ? !p->has_authority : *from != '/'))
		return FAIL(p, 400, "the request target is not a path");
	mark = memchr(from, '?', (size_t)(to - from));
	p->has_query = mark != NULL;
	p->path = span(data, from, mark ? mark : to);
	if (mark)
		p->query = span(data, mark + 1, to);
	return true;
}

static bool parse_line(struct tn_http_parser *p, const char *data, const char *from, const char *to)
{
	const char *first = memchr(from, ' ', (size_t)(to - from)), *second;

	if (!first || !tn_http_is_token(tn_str(from, (size_t)(first - from))))
		return FAIL(p, 400, "the request line does not begin with a method");
	p->method = span(data, from, first);
	first++;
	second = memchr(first, ' ', (size_t)(to - first));
	if (!second)
		return FAIL(p, 400, "the request line is not: method, target, HTTP/1.1");
	return parse_version(p, tn_str(second + 1, (size_t)(to - second - 1))) &&
	       parse_target(p, data, first, second);
}

/* ---- headers ---- */

static bool take_content_length(struct tn_http_parser *p, struct tn_str value)
{
	if (p->has_length)
		return FAIL(p, 400, "more than one Content-Length");
	if (!tn_str_to_uint(value, &p->length))
		return FAIL(p, 400, "Content-Length is not a number");
	p->has_length = true;
	return true;
}

static bool take_transfer_encoding(struct tn_http_parser *p, struct tn_str value)
{
	if (p->chunked)
		return FAIL(p, 400, "more than one Transfer-Encoding");
	if (!tn_str_equal_nocase(value, TN_STR("chunked")))
		return FAIL(p, 400, "a Transfer-Encoding other than chunked");
	p->chunked = true;
	return true;
}

static bool take_expect(struct tn_http_parser *p, struct tn_str value)
{
	if (!tn_str_equal_nocase(value, TN_STR("100-continue")))
		return FAIL(p, 417, "an Expect other than 100-continue");
	p->expect_continue = true;
	return true;
}

static void take_connection(struct tn_http_parser *p, struct tn_str value)
{
	while (value.size) {
		size_t comma = tn_str_find_byte(value, ',');
		size_t size = comma == TN_STR_NONE ? value.size : comma;

		if (tn_str_equal_nocase(tn_str_trim(tn_str(value.data, size)), TN_STR("close")))
			p->close = true;
		value = tn_str_from_offset(value, size + 1);
	}
}

/* The headers that say where the request ends and who it is for. */
static bool take_field(struct tn_http_parser *p, struct tn_str name, struct tn_str value,
		       struct tn_http_span where)
{
	switch (name.size) {
	case 4:
		if (tn_str_equal_nocase(name, TN_STR("host"))) {
			p->hosts++;
			p->host = where;
		}
		return true;
	case 6:
		return !tn_str_equal_nocase(name, TN_STR("expect")) || take_expect(p, value);
	case 10:
		if (tn_str_equal_nocase(name, TN_STR("connection")))
			take_connection(p, value);
		return true;
	case 14:
		return !tn_str_equal_nocase(name, TN_STR("content-length")) ||
		       take_content_length(p, value);
	case 17:
		return !tn_str_equal_nocase(name, TN_STR("transfer-encoding")) ||
		       take_transfer_encoding(p, value);
	default:
		return true;
	}
}

static bool parse_field(struct tn_http_parser *p, const char *data, const char *from,
			const char *to, struct tn_http_field *ret)
{
	const char *colon;

	if (*from == ' ' || *from == '\t')
		return FAIL(p, 400, "a folded header line");
	colon = memchr(from, ':', (size_t)(to - from));
	if (!colon || !tn_http_is_token(tn_str(from, (size_t)(colon - from))))
		return FAIL(p, 400, "a header name that is none");
	ret->name = span(data, from, colon);
	for (from = colon + 1; from < to && (*from == ' ' || *from == '\t'); from++)
		;
	while (to > from && (to[-1] == ' ' || to[-1] == '\t'))
		to--;
	ret->value = span(data, from, to);
	if (!is_field_value(tn_str(from, (size_t)(to - from))))
		return FAIL(p, 400, "a control character in a header");
	return true;
}

static bool parse_header(struct tn_http_parser *p, const char *data, const char *from,
			 const char *to)
{
	struct tn_http_field *field;

	if (p->header_count == p->limits->headers_max || p->header_count == TN_HTTP_HEADERS_MAX)
		return FAIL(p, 431, "too many headers");
	field = &p->headers[p->header_count++];
	return parse_field(p, data, from, to, field) &&
	       take_field(p, span_text(data, field->name), span_text(data, field->value),
			  field->value);
}

/* ---- lines ---- */

/* The next whole line in *ret_from .. *ret_to, without its CRLF; `at` is then behind it. */
static enum tn_http_progress next_line(struct tn_http_parser *p, const char *data, size_t size,
				       size_t max, const char **ret_from, const char **ret_to)
{
	const char *end =
		size > p->scanned ? memchr(data + p->scanned, '\n', size - p->scanned) : NULL;
	size_t length = end ? (size_t)(end - data) - p->at : size - p->at;

	if (length > max + 1) { /* the CR is not counted */
		(void)(p->state == TN_HTTP_AT_LINE ? FAIL(p, 414, "the request line is too long")
						   : FAIL(p, 431, "a header is too long"));
		return TN_HTTP_FAULT;
	}
	if (!end) {
		p->scanned = size;
		return TN_HTTP_MORE;
	}
	if (length == 0 || end[-1] != '\r') {
		(void)FAIL(p, 400, "a line that ends without CR");
		return TN_HTTP_FAULT;
	}
	*ret_from = data + p->at;
	*ret_to = end - 1;
	p->at = p->scanned = (size_t)(end - data) + 1;
	return TN_HTTP_READY;
}

/* One line of a header or trailer section. READY: it was the blank one. */
static enum tn_http_progress section_line(struct tn_http_parser *p, const char *data, size_t size)
{
	const char *from, *to;
	struct tn_http_field dropped;
	enum tn_http_progress progress =
		next_line(p, data, size, p->limits->header_max, &from, &to);
	size_t end = progress == TN_HTTP_READY ? p->at : size;
	bool good;

	if (progress == TN_HTTP_FAULT)
		return progress;
	if (end - p->section_at > p->limits->section_max + 2) { /* the blank line is not counted */
		(void)FAIL(p, 431, "the headers are too long");
		return TN_HTTP_FAULT;
	}
	if (progress == TN_HTTP_MORE || from == to)
		return progress;
	if (p->state == TN_HTTP_AT_HEADERS)
		good = parse_header(p, data, from, to);
	else
		good = parse_field(p, data, from, to, &dropped);
	return good ? TN_HTTP_MORE : TN_HTTP_FAULT;
}

static enum tn_http_progress section(struct tn_http_parser *p, const char *data, size_t size)
{
	for (;;) {
		size_t before = p->at;
		enum tn_http_progress progress = section_line(p, data, size);

		if (progress != TN_HTTP_MORE || p->at == before)
			return progress;
	}
}

static enum tn_http_progress request_line(struct tn_http_parser *p, const char *data, size_t size)
{
	const char *from, *to;
	enum tn_http_progress progress;

	/* One empty line may stand before a request (RFC 9112 section 2.2). */
	if (p->at == 0 && size >= 2 && data[0] == '\r' && data[1] == '\n')
		p->at = p->scanned = 2;
	/* Something else than HTTP, such as TLS, is told so at once and not after a timeout. */
	if (size > p->at && !token_chars[(unsigned char)data[p->at]] &&
	    (p->at > 0 || data[0] != '\r' || size > 1)) {
		(void)FAIL(p, 400, "this is not HTTP");
		return TN_HTTP_FAULT;
	}
	progress = next_line(p, data, size, p->limits->line_max, &from, &to);
	if (progress != TN_HTTP_READY)
		return progress;
	if (!parse_line(p, data, from, to))
		return TN_HTTP_FAULT;
	p->state = TN_HTTP_AT_HEADERS;
	p->section_at = p->at;
	return TN_HTTP_READY;
}

/* ---- the head as a whole ---- */

static bool check_head(struct tn_http_parser *p, const char *data)
{
	if (p->hosts > 1 || (p->hosts == 0 && p->minor > 0))
		return FAIL(p, 400, "there must be one Host header");
	if (p->chunked && p->has_length)
		return FAIL(p, 400, "both Content-Length and Transfer-Encoding");
	if (p->chunked && p->minor == 0)
		return FAIL(p, 400, "Transfer-Encoding with HTTP/1.0");
	/* RFC 9112 section 3.2.2 lets the authority win over Host. A difference is never honest. */
	if (p->has_authority &&
	    (p->hosts == 0 ||
	     !tn_str_equal_nocase(span_text(data, p->authority), span_text(data, p->host))))
		return FAIL(p, 400, "the request target and Host differ");
	return true;
}

enum tn_http_progress tn_http_parse_head(struct tn_http_parser *p, const char *data, size_t size)
{
	enum tn_http_progress progress = TN_HTTP_READY;

	if (p->state == TN_HTTP_AT_LINE)
		progress = request_line(p, data, size);
	if (progress == TN_HTTP_READY)
		progress = section(p, data, size);
	if (progress != TN_HTTP_READY)
		return progress;
	if (!check_head(p, data))
		return TN_HTTP_FAULT;
	if (p->minor == 0) {
		p->close = true;
		p->expect_continue = false;
	}
	p->body_at = p->at;
	p->state = p->chunked ? TN_HTTP_AT_CHUNK_SIZE : TN_HTTP_AT_LENGTH;
	return TN_HTTP_READY;
}

/* ---- bodies ---- */

static int hex_digit(char c)
{
	if (tn_is_digit(c))
		return c - '0';
	c = tn_to_lower(c);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool parse_chunk_size(struct tn_http_parser *p, const char *from, const char *to)
{
	const char *start = from;
	uint64_t size = 0;

	for (; from < to && hex_digit(*from) >= 0; from++) {
		if (from - start == CHUNK_DIGITS_MAX)
			return FAIL(p, 400, "a chunk size with too many digits");
		size = size * 16 + (uint64_t)hex_digit(*from);
	}
	if (from == start || (from < to && *from != ';'))
		return FAIL(p, 400, "a chunk size that is none");
	p->extension += (size_t)(to - from);
	if (p->extension > CHUNK_EXTENSIONS_MAX ||
	    !is_field_value(tn_str(from, (size_t)(to - from))))
		return FAIL(p, 400,
			    "chunk extensions that are too long or hold control characters");
	if (size > p->limits->body_max - p->taken)
		return FAIL(p, 413, "the body is too large");
	p->length = size;
	p->state = size ? TN_HTTP_AT_CHUNK : TN_HTTP_AT_TRAILERS;
	p->section_at = p->scanned = p->at;
	return true;
}

static enum tn_http_progress chunk_size(struct tn_http_parser *p, const char *data, size_t size)
{
	const char *from, *to;
	enum tn_http_progress progress = next_line(p, data, size, CHUNK_LINE_MAX, &from, &to);

	if (progress == TN_HTTP_FAULT && p->status != 400)
		(void)FAIL(p, 400, "a chunk size line that is too long");
	if (progress == TN_HTTP_READY && !parse_chunk_size(p, from, to))
		progress = TN_HTTP_FAULT;
	return progress;
}

static enum tn_http_progress chunk_data(struct tn_http_parser *p, char *data, size_t size)
{
	size_t take = size - p->at;

	if (take > p->length)
		take = (size_t)p->length;
	if (!p->discard) {
		char *end = data + p->body_at + p->body_size;

		if (end != data + p->at)
			memmove(end, data + p->at, take);
		p->body_size += take;
	}
	p->at += take;
	p->taken += take;
	p->length -= take;
	if (p->length)
		return TN_HTTP_MORE;
	p->state = TN_HTTP_AT_CHUNK_END;
	return TN_HTTP_READY;
}

static enum tn_http_progress chunk_end(struct tn_http_parser *p, const char *data, size_t size)
{
	size_t have = size - p->at;

	if ((have >= 1 && data[p->at] != '\r') || (have >= 2 && data[p->at + 1] != '\n')) {
		(void)FAIL(p, 400, "a chunk that does not end where it said");
		return TN_HTTP_FAULT;
	}
	if (have < 2)
		return TN_HTTP_MORE;
	p->at += 2;
	p->scanned = p->at;
	p->state = TN_HTTP_AT_CHUNK_SIZE;
	return TN_HTTP_READY;
}

static enum tn_http_progress chunked_step(struct tn_http_parser *p, char *data, size_t size)
{
	enum tn_http_progress progress;

	switch (p->state) {
	case TN_HTTP_AT_CHUNK_SIZE:
		return chunk_size(p, data, size);
	case TN_HTTP_AT_CHUNK:
		return chunk_data(p, data, size);
	case TN_HTTP_AT_CHUNK_END:
		return chunk_end(p, data, size);
	default:
		progress = section(p, data, size);
		if (progress == TN_HTTP_READY)
			p->state = TN_HTTP_AT_END;
		return progress;
	}
}

/* Closes the gap between the body so far and what is not parsed yet, so that the memory needed is
 * that of the body, however it was cut. */
static void close_gap(struct tn_http_parser *p, char *data, size_t *size)
{
	size_t end = p->body_at + p->body_size, gap;

	/* A trailer section is bounded by itself and its start must stay where it is. */
	if (p->state == TN_HTTP_AT_TRAILERS)
		end = p->section_at;
	gap = p->state == TN_HTTP_AT_TRAILERS ? 0 : p->at - end;
	if (gap == 0)
		return;
	memmove(data + end, data + p->at, *size - p->at);
	*size -= gap;
	p->at -= gap;
	p->scanned = p->scanned > p->at + gap ? p->scanned - gap : p->at;
}

static enum tn_http_progress parse_length(struct tn_http_parser *p, size_t *size)
{
	uint64_t left = p->length - p->taken;
	size_t take = *size - p->at;

	if (take > left)
		take = (size_t)left;
	p->taken += take;
	p->at += take;
	if (!p->discard)
		p->body_size += take;
	if (p->taken == p->length) {
		p->state = TN_HTTP_AT_END;
		return TN_HTTP_READY;
	}
	if (p->discard) {
		*size = p->body_at;
		p->at = p->body_at;
	}
	return TN_HTTP_MORE;
}

enum tn_http_progress tn_http_parse_body(struct tn_http_parser *p, char *data, size_t *size)
{
	enum tn_http_progress progress;

	if (p->state == TN_HTTP_AT_LENGTH)
		return parse_length(p, size);
	do {
		progress = chunked_step(p, data, *size);
	} while (progress == TN_HTTP_READY && p->state != TN_HTTP_AT_END);
	if (progress == TN_HTTP_MORE)
		close_gap(p, data, size);
	return progress;
}
