#include "apps/terminal/output/intake.h"

#include "apps/terminal/limits.h"

/* Makes the spool reach `to`. The page cache costs half as much in whole blocks as in what a turn
 * takes, so that what already stands in the ring is written ahead, to the end of a block. */
static enum tenon_code write_down(const struct tn_intake *in, uint64_t to, struct tenon_error *err)
{
	uint64_t tail = tn_pty_tail(in->pty, in->stream), end = tn_spool_end(in->spool);
	enum tenon_code code = TENON_OK;

	/* A spool that does not reach the ring has a hole, one beyond it another stream's bytes. */
	if (end < tail || end > tn_pty_head(in->pty, in->stream))
		end = tail;
	while (code == TENON_OK && end < to) {
		size_t ahead = (size_t)(end - tail);
		size_t max = ahead + TN_SPOOL_BLOCK_BYTES - (size_t)(end % TN_SPOOL_BLOCK_BYTES);
		struct tn_str bytes = tn_pty_peek(in->pty, in->stream, max);

		bytes = tn_str_from_offset(bytes, ahead);
		code = tn_spool_write(in->spool, end, bytes, err);
		end += bytes.size;
	}
	return code;
}

enum tenon_code tn_intake_turn(const struct tn_intake *in, struct tenon_error *err)
{
	uint64_t began_us = tn_clock_now_us(in->clock);

	for (int i = 0; i < TN_TERM_TURN_PIECES; i++) {
		struct tn_str bytes = tn_pty_peek(in->pty, in->stream, TN_TERM_TURN_BYTES);
		uint64_t to = tn_pty_tail(in->pty, in->stream) + bytes.size;
		enum tenon_code code = TENON_OK;

		if (bytes.size == 0)
			break;
		if (in->spool)
			code = write_down(in, to, err);
		if (code != TENON_OK)
			return code;
		in->take(bytes, in->data);
		tn_pty_consume(in->pty, in->stream, bytes.size);
		if (tn_clock_now_us(in->clock) - began_us >= TN_TERM_TURN_US)
			break;
	}
	return TENON_OK;
}
