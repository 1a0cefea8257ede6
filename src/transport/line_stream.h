/* line_stream.h - messages as lines over two descriptors: stdio, and any other byte stream
 * (mcp.md section 9).
 *
 * One message a line. Lines of one input chunk are answered by one write; large messages are
 * written straight from where they lie. Reading and writing go on independently: when the peer does
 * not read, output is queued up to TN_OUTPUT_QUEUE_MAX, then reading pauses until the queue has
 * halved. Ownership: the caller keeps the descriptors open until line_stream_close. Threads: loop.
 */
#ifndef TN_TRANSPORT_LINE_STREAM_H
#define TN_TRANSPORT_LINE_STREAM_H

#include "base/error.h"
#include "base/str.h"
#include "loop/loop.h"

struct tn_line_stream;

struct tn_line_stream_events {
	/* One line without its end; valid during the call. Blank lines are passed over. */
	void (*line)(struct tn_line_stream *stream, struct tn_str line, void *data);
	/* A line longer than the limit was skipped (MCP-089). */
	void (*too_long)(struct tn_line_stream *stream, void *data);
	/* End of input; nothing more will be read. Output still works. */
	void (*end)(struct tn_line_stream *stream, void *data);
	/* The peer reads no more, or the system failed: nothing works. Comes at most once. */
	void (*broken)(struct tn_line_stream *stream, void *data);
	/* The output had been over TN_OUTPUT_QUEUE_MAX and is half of it now. NULL: not told. */
	void (*relieved)(struct tn_line_stream *stream, void *data);
};

TN_MUST_USE enum tenon_code tn_line_stream_open(struct tn_loop *loop, int in_fd, int out_fd,
						size_t line_max,
						const struct tn_line_stream_events *events,
						void *data, struct tn_line_stream **ret,
						struct tenon_error *err);
void tn_line_stream_close(struct tn_line_stream *stream); /* accepts NULL */

/* Sends one line; the newline is added. Dropped when the stream is broken. */
void tn_line_stream_send(struct tn_line_stream *stream, struct tn_str line);
/* Lines wait while it is so: whoever they go to is slow. */
void tn_line_stream_pause(struct tn_line_stream *stream, bool pause);
void tn_line_stream_stop_reading(struct tn_line_stream *stream);
size_t tn_line_stream_queued(const struct tn_line_stream *stream); /* bytes not written yet */
/* True when everything sent so far has been written. */
bool tn_line_stream_flush(struct tn_line_stream *stream);

#endif
