/* http_fuzz.c - any bytes as a connection's input: cut into any pieces they mean the same as in
 * one, and what is accepted is within the limits and free of what a second parser could read
 * otherwise. */
#include <stdint.h>

#include "base/mem.h"
#include "transport/http_parse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Small, so that inputs of a few hundred bytes reach them. */
static const struct tn_http_limits limits = {
	.line_max = 80, .header_max = 100, .section_max = 300, .headers_max = 8, .body_max = 200};

struct input {
	const uint8_t *data; /* what has not arrived yet */
	size_t size;
	uint64_t seed; /* of the pieces; 0: all at once */
	char *text;    /* the request so far, in memory of exactly its size */
	size_t text_size;
};

/* Moves everything to new memory of the exact size: a read past the end or through an old pointer
 * is seen by the sanitizer. False: nothing more comes. */
static bool arrive(struct input *in)
{
	size_t piece = in->size;
	char *text;

	if (in->size == 0)
		return false;
	if (in->seed) {
		in->seed = in->seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
		piece = 1 + (size_t)(in->seed >> 33) % ((in->seed >> 62) ? 8 : 64);
		piece = piece < in->size ? piece : in->size;
	}
	text = tn_mem_alloc(in->text_size + piece);
	tn_assert(text);
	memcpy(text, in->text ? in->text : "", in->text_size);
	memcpy(text + in->text_size, in->data, piece);
	tn_mem_free(in->text);
	in->text = text;
	in->text_size += piece;
	in->data += piece;
	in->size -= piece;
	return true;
}

static void put_span(struct tn_buf *log, const struct input *in, struct tn_http_span where)
{
	tn_assert((size_t)where.at + where.size <= in->text_size);
	tn_buf_append(log, in->text + where.at, where.size);
	tn_buf_append_byte(log, '\n');
}

static void check_value(const struct input *in, struct tn_http_span where)
{
	for (size_t i = 0; i < where.size; i++) {
		char c = in->text[where.at + i];

		tn_assert(c != '\r' && c != '\n' && c != '\0');
	}
}

static void put_head(struct tn_buf *log, const struct input *in, const struct tn_http_parser *p)
{
	tn_assert(p->header_count <= limits.headers_max);
	tn_assert(!(p->chunked && p->has_length));
	tn_assert(p->minor == 0 || p->hosts == 1);
	put_span(log, in, p->method);
	put_span(log, in, p->path);
	put_span(log, in, p->query);
	for (size_t i = 0; i < p->header_count; i++) {
		const struct tn_http_field *field = &p->headers[i];

		tn_assert(tn_http_is_token(tn_str(in->text + field->name.at, field->name.size)));
		check_value(in, field->value);
		put_span(log, in, field->name);
		put_span(log, in, field->value);
	}
}

/* A line may be both too long and wrong: which of them is found first depends on the pieces. */
static unsigned verdict(const struct tn_http_parser *p)
{
	tn_assert(p->fault && p->fault[0]);
	switch (p->status) {
	case 400:
	case 414:
	case 431:
		return 400;
	default:
		tn_assert(p->status == 413 || p->status == 417 || p->status == 505);
		return p->status;
	}
}

/* One request; false when it is the last. `log` gets all there is to know about it. */
static bool take_request(struct input *in, struct tn_buf *log, bool discard)
{
	struct tn_http_parser p;
	enum tn_http_progress progress;

	tn_http_parser_init(&p, &limits);
	do {
		progress = tn_http_parse_head(&p, in->text, in->text_size);
	} while (progress == TN_HTTP_MORE && arrive(in));
	if (progress == TN_HTTP_READY) {
		put_head(log, in, &p);
		if (p.has_length && p.length > limits.body_max)
			return false; /* the server asks for no such body */
		p.discard = discard;
		do {
			progress = tn_http_parse_body(&p, in->text, &in->text_size);
		} while (progress == TN_HTTP_MORE && arrive(in));
		tn_assert(p.taken <= limits.body_max && p.body_size == (discard ? 0 : p.taken));
	}
	tn_buf_append_uint(log, progress == TN_HTTP_FAULT ? verdict(&p) : (unsigned)progress);
	tn_buf_append_uint(log, p.taken);
	if (progress != TN_HTTP_READY)
		return false;
	tn_assert(p.at <= in->text_size && p.body_at + p.body_size <= p.at);
	tn_buf_append(log, in->text + p.body_at, p.body_size);
	memmove(in->text, in->text + p.at, in->text_size - p.at);
	in->text_size -= p.at;
	return true;
}

static void take_all(struct tn_buf *log, const uint8_t *data, size_t size, uint64_t seed,
		     bool discard)
{
	struct input in = {.data = data, .size = size, .seed = seed};

	tn_buf_init(log, TN_MIB * 16);
	(void)arrive(&in);
	while (in.text_size && take_request(&in, log, discard))
		if (in.text_size == 0)
			(void)arrive(&in);
	tn_mem_free(in.text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tn_buf whole, cut;
	uint64_t seed;

	if (size < 2)
		return 0;
	seed = 1 + data[0] + 256u * data[1]; /* the pieces are the fuzzer's choice as well */
	for (unsigned discard = 0; discard < 2; discard++) {
		take_all(&whole, data + 2, size - 2, 0, discard);
		take_all(&cut, data + 2, size - 2, seed, discard);
		tn_assert(tn_str_equal(tn_buf_str(&whole), tn_buf_str(&cut)));
		tn_buf_finish(&whole);
		tn_buf_finish(&cut);
	}
	return 0;
}
