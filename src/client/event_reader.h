/* event_reader.h - text/event-stream, byte by byte (mcp.md MCP-097, MCP-099; WHATWG HTML 9.2.6).
 *
 * Pieces may end anywhere. What a value holds is bounded: an event whose data is larger than the
 * limit is handed out as too large, without data, and the stream goes on behind it.
 * Ownership: the caller owns the struct; slices of an event live until the next call.
 * Threads: one at a time. */
#ifndef TN_CLIENT_EVENT_READER_H
#define TN_CLIENT_EVENT_READER_H

#include <stdint.h>

#include "base/buf.h"
#include "base/str.h"

enum { TN_EVENT_WORD_MAX = 32 };

struct tn_event {
	struct tn_str type; /* "message" when the stream does not say */
	struct tn_str data; /* may be empty: a priming event */
	/* OK; LIMIT: the data is larger than the limit; NO_MEMORY. */
	enum tenon_code code;
};

struct tn_event_reader {
	/* Public: */
	struct tn_buf last_id; /* of the events that are complete; empty: none */
	uint32_t retry_ms;     /* the last one; at most TN_RESUME_RETRY_MAX_MS */
	bool has_retry;

	/* Private: */
	uint8_t state, field;
	uint8_t mark;      /* bytes of a byte order mark seen */
	bool has_data;     /* a data line was read since the last event */
	bool handed_out;   /* the buffers hold an event that was returned */
	bool id_is_bad;    /* the id that is being read holds a NUL, or is too long */
	bool has_id;       /* an id was read since the last event */
	uint8_t word_size; /* TN_EVENT_WORD_MAX + 1: longer than any we know */
	char word[TN_EVENT_WORD_MAX + 1];
	uint8_t type_size;
	char type[TN_EVENT_WORD_MAX + 1];
	struct tn_buf data, id, value;
};

void tn_event_reader_init(struct tn_event_reader *reader, size_t data_max); /* allocates nothing */
void tn_event_reader_finish(struct tn_event_reader *reader);
/* A new stream: what was not complete is dropped; the last id and the retry value stay. */
void tn_event_reader_restart(struct tn_event_reader *reader);

/* Takes bytes off the front of `bytes` until an event is complete (true) or all are used (false).
 */
bool tn_event_reader_next(struct tn_event_reader *reader, struct tn_str *bytes,
			  struct tn_event *ret);

#endif
