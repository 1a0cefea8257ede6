/* gateway_fuzz.c - anything that a server may answer through the gateway (workbench.md S16): the
 * head that is passed on is one that reads back, in pieces an answer means the same as in one, and
 * of a page nothing is lost: what is put into it stands there once.
 *
 * The input: two bytes that choose the request and the pieces, then what the server sends. */
#include <stdint.h>

#include "base/mem.h"
#include "gateway/head.h"
#include "gateway/inject.h"
#include "gateway/limits.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define INSERT "\x01inserted\x02"

static const struct tn_route route = {.upstream_host = {"localhost:5173", 14},
				      .upstream_origin = {"http://localhost:5173", 21},
				      .own_origin = {"http://127.0.0.1:40001", 22},
				      .channel = {"ws://127.0.0.1:40001", 20}};

static void check_head(const struct tn_answer *answer, bool head_only)
{
	const struct tn_answer_form form = {.inject = answer->is_page,
					    .chunked = true,
					    .upgrade = answer->status == 101,
					    .nonce = "N"};
	struct tn_answer again;
	struct tn_buf out;

	tn_buf_init(&out, 16 * TN_MIB);
	tn_answer_put(&out, answer, &route, &form);
	tn_assert(!out.failed && out.size > 4);
	tn_assert(tn_answer_read(tn_buf_str(&out), head_only, &again) == TN_ANSWER_READY);
	tn_assert(again.size == out.size && again.status == answer->status);
	tn_assert(again.is_page == answer->is_page);
	if (answer->is_page)
		tn_assert(again.body == TN_BODY_CHUNKED);
	else
		tn_assert(again.body == answer->body && again.length == answer->length);
	tn_buf_finish(&out);
}

/* What the page is made of; false: the body is none. */
static bool pass(struct tn_str bytes, const struct tn_answer *answer, size_t piece,
		 struct tn_buf *plain, struct tn_buf *page)
{
	struct tn_inject inject;
	struct tn_body body;

	tn_body_init(&body, answer->body, answer->length);
	tn_inject_init(&inject);
	while (bytes.size && !body.ended && !body.fault) {
		struct tn_str part = tn_str(bytes.data, bytes.size < piece ? bytes.size : piece),
			      payload;
		size_t taken = tn_body_take(&body, part, &payload);

		tn_assert(taken <= part.size && (taken || body.fault || body.ended));
		tn_assert(payload.size <= taken);
		tn_buf_append_str(plain, payload);
		tn_inject_feed(&inject, payload, false, TN_STR(INSERT), page);
		tn_assert(inject.held.size <= TN_GATEWAY_LOOK_BYTES_MAX + piece);
		bytes = tn_str_from_offset(bytes, taken);
	}
	tn_inject_feed(&inject, tn_str("", 0), true, TN_STR(INSERT), page);
	tn_inject_finish(&inject);
	tn_assert(!plain->failed && !page->failed);
	return !body.fault;
}

static void check_insert(struct tn_str plain, struct tn_str page)
{
	const struct tn_str insert = TN_STR(INSERT);
	size_t at = 0;

	if (plain.size == page.size) { /* UTF-16 */
		tn_assert(tn_str_equal(plain, page) && plain.size >= 2);
		return;
	}
	tn_assert(page.size == plain.size + insert.size);
	while (at < plain.size && plain.data[at] == page.data[at])
		at++;
	while (!tn_str_starts(tn_str_from_offset(page, at), insert)) {
		tn_assert(at > 0);
		at--;
	}
	tn_assert(tn_str_equal(tn_str_from_offset(page, at + insert.size),
			       tn_str_from_offset(plain, at)));
}

static void check_page(struct tn_str bytes, const struct tn_answer *answer, size_t piece)
{
	struct tn_buf plain[2], page[2];
	bool good[2];

	for (int i = 0; i < 2; i++) {
		tn_buf_init(&plain[i], 4 * TN_MIB);
		tn_buf_init(&page[i], 4 * TN_MIB);
		good[i] = pass(bytes, answer, i ? piece : SIZE_MAX / 2, &plain[i], &page[i]);
	}
	tn_assert(good[0] == good[1]);
	tn_assert(tn_str_equal(tn_buf_str(&plain[0]), tn_buf_str(&plain[1])));
	if (plain[0].size < TN_GATEWAY_LOOK_BYTES_MAX)
		tn_assert(tn_str_equal(tn_buf_str(&page[0]), tn_buf_str(&page[1])));
	check_insert(tn_buf_str(&plain[0]), tn_buf_str(&page[0]));
	for (int i = 0; i < 2; i++) {
		tn_buf_finish(&plain[i]);
		tn_buf_finish(&page[i]);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum tn_answer_progress progress;
	struct tn_answer answer;
	struct tn_str text;
	char *copy;

	if (size < 2 || size > TN_MIB)
		return 0;
	copy = tn_mem_alloc(size - 1); /* a read past the end is seen by the sanitizer */
	tn_assert(copy);
	memcpy(copy, data + 2, size - 2);
	text = tn_str(copy, size - 2);
	progress = tn_answer_read(text, data[0] & 1, &answer);
	if (progress == TN_ANSWER_READY) {
		tn_assert(answer.size <= text.size);
		check_head(&answer, data[0] & 1);
		check_page(tn_str_from_offset(text, answer.size), &answer,
			   1 + (size_t)data[1] % 64);
	}
	tn_mem_free(copy);
	return 0;
}
