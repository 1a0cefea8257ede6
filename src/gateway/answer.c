/* What the upstream answers, on its way to the client. */
#include "base/rng.h"
#include "gateway/internal.h"

static void fail(struct tn_gateway_connection *c)
{
	if (c->answered)
		c->phase = TN_GATEWAY_DEAD; /* the client sees that it was cut */
	else
		tn_gateway_say(c, 502,
			       c->gateway->tls
				       ? "The server behind this preview sent no valid answer.\n"
				       : "The server behind this preview sent no valid answer. If "
					 "it is an https server, preview it with https:// in "
					 "front.\n");
}

/* ---- pages ---- */

/* The block, and one script that its policy lets run. */
static void put_insert(struct tn_gateway_connection *c, struct tn_buf *out)
{
	tn_buf_append_str(out, tn_buf_str(&c->gateway->block));
	tn_buf_format(out, "<script nonce=\"%s\" src=\"/__skaffa/adapter.js\"></script>", c->nonce);
}

static void put_piece(struct tn_gateway_connection *c, struct tn_str piece, bool ended)
{
	struct tn_buf *out = &c->client.out;

	if (!c->chunked) {
		tn_buf_append_str(out, piece);
		return;
	}
	if (piece.size) {
		tn_buf_format(out, "%zx\r\n", piece.size);
		tn_buf_append_str(out, piece);
		tn_buf_append_text(out, "\r\n");
	}
	if (ended)
		tn_buf_append_text(out, "0\r\n\r\n");
}

static void pass_page(struct tn_gateway_connection *c, struct tn_str payload, bool ended)
{
	struct tn_buf page, insert;

	tn_buf_init(&page, TN_MIB);
	tn_buf_init(&insert, TN_MIB);
	if (!c->injector.done)
		put_insert(c, &insert);
	tn_inject_feed(&c->injector, payload, ended, tn_buf_str(&insert), &page);
	put_piece(c, tn_buf_str(&page), ended);
	tn_buf_inherit_failure(&c->client.out, &page);
	tn_buf_inherit_failure(&c->client.out, &insert);
	tn_buf_finish(&page);
	tn_buf_finish(&insert);
}

/* ---- the body ---- */

static void finish_answer(struct tn_gateway_connection *c)
{
	if (c->inject)
		pass_page(c, tn_str("", 0), true);
	c->phase = TN_GATEWAY_ENDING;
}

/* A page is looked at once for all that has come, however small its chunks are. */
static void pass_body(struct tn_gateway_connection *c, struct tn_str bytes, bool ended)
{
	struct tn_buf page;

	tn_buf_init(&page, TN_GATEWAY_HEAD_MAX + TN_GATEWAY_READ_BYTES);
	while (bytes.size && !c->answer_body.ended && !c->answer_body.fault) {
		struct tn_str payload;
		size_t taken = tn_body_take(&c->answer_body, bytes, &payload);

		if (c->inject)
			tn_buf_append_str(&page, payload);
		else
			tn_buf_append(&c->client.out, bytes.data, taken);
		bytes = tn_str_from_offset(bytes, taken);
	}
	if (page.size)
		pass_page(c, tn_buf_str(&page), false);
	tn_buf_inherit_failure(&c->client.out, &page);
	tn_buf_finish(&page);
	if (c->answer_body.fault ||
	    (ended && !c->answer_body.ended && c->answer_body.kind != TN_BODY_UNTIL_CLOSE))
		fail(c);
	else if (c->answer_body.ended || ended)
		finish_answer(c);
}

/* ---- the head ---- */

static void begin_tunnel(struct tn_gateway_connection *c, struct tn_str rest)
{
	tn_buf_append_str(&c->client.out, rest);
	tn_buf_append_str(&c->server.out, tn_buf_str(&c->early));
	tn_buf_finish(&c->early);
	c->phase = TN_GATEWAY_TUNNEL;
}

static void begin_answer(struct tn_gateway_connection *c, const struct tn_answer *answer)
{
	struct tn_answer_form form = {.nonce = c->nonce,
				      .upgrade = answer->status == 101,
				      .inject = answer->is_page,
				      .chunked = !c->old};

	c->answered = true;
	c->inject = form.inject;
	c->chunked = form.inject && form.chunked;
	if (c->inject)
		tn_inject_init(&c->injector);
	tn_rng_token(c->nonce, 16);
	tn_body_init(&c->answer_body, answer->body, answer->length);
	tn_answer_put(&c->client.out, answer, &c->gateway->route, &form);
}

/* The head that the exchange ends with: those before it, "Continue" and the like, are for us, as
 * the body has been sent without them. *all is what begins with it. */
static enum tn_answer_progress read_final(struct tn_str *all, bool head_only, struct tn_answer *ret)
{
	enum tn_answer_progress progress;

	do {
		progress = tn_answer_read(*all, head_only, ret);
		if (progress != TN_ANSWER_READY || ret->status >= 200 || ret->status == 101)
			return progress;
		*all = tn_str_from_offset(*all, ret->size);
	} while (all->size);
	return TN_ANSWER_MORE;
}

static void take_head(struct tn_gateway_connection *c, bool ended)
{
	struct tn_answer answer;
	struct tn_str all = tn_buf_str(&c->in), rest;
	enum tn_answer_progress progress = read_final(&all, c->head_only, &answer);

	if (progress == TN_ANSWER_FAULT || c->in.failed || (ended && progress == TN_ANSWER_MORE) ||
	    (progress == TN_ANSWER_READY && answer.status == 101 && !c->upgrade)) {
		fail(c);
		return;
	}
	if (progress != TN_ANSWER_READY)
		return;
	begin_answer(c, &answer);
	if (c->client.out.failed) { /* its policies, with ours in each, are longer than is sent */
		tn_buf_clear(&c->client.out);
		c->client.sent = 0;
		c->answered = false;
		fail(c);
		return;
	}
	rest = tn_str_from_offset(all, answer.size);
	if (answer.status == 101)
		begin_tunnel(c, rest);
	else
		pass_body(c, rest, ended);
	tn_buf_finish(&c->in);
}

void tn_gateway_take_answer(struct tn_gateway_connection *c, struct tn_str bytes, bool ended)
{
	if (c->phase == TN_GATEWAY_TUNNEL) {
		tn_buf_append_str(&c->client.out, bytes);
		if (ended)
			c->phase = TN_GATEWAY_ENDING;
	} else if (c->answered) {
		pass_body(c, bytes, ended);
	} else {
		tn_buf_append_str(&c->in, bytes);
		take_head(c, ended);
	}
	if (c->client.out.failed || c->server.out.failed)
		c->phase = TN_GATEWAY_DEAD;
}
