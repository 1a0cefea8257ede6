/* relay_scan.h - what the relay must know of a message that it passes on: is it a request, which
 * id, which method.
 *
 * Nothing is changed and nothing is judged: what is no message is the daemon's to answer. Works on
 * a copy, for the reader of JSON works in place. Threads: one at a time. */
#ifndef TN_CLI_RELAY_SCAN_H
#define TN_CLI_RELAY_SCAN_H

#include "base/buf.h"
#include "jsonrpc/json.h"

enum tn_relay_kind {
	TN_RELAY_OTHER, /* no JSON-RPC message, or one without a usable id */
	TN_RELAY_REQUEST,
	TN_RELAY_NOTIFICATION,
	TN_RELAY_RESULT,
	TN_RELAY_ERROR
};

struct tn_relay_message {
	enum tn_relay_kind kind;
	struct tn_str id;     /* as written, points into the text */
	struct tn_str key;    /* the same for all ways to write one id; points into the scan */
	struct tn_str method; /* unescaped; points into the scan */
	struct tn_str params; /* as written; empty: none */
};

enum tn_relay_step {
	TN_RELAY_MESSAGE,
	TN_RELAY_END,
	TN_RELAY_MALFORMED, /* not JSON, or deeper than the daemon reads */
	TN_RELAY_STARVED    /* no memory for the copy */
};

struct tn_relay_scan {
	struct tn_str text;
	struct tn_buf copy; /* kept between messages while it is small */
	struct tn_json_reader reader;
	bool batch, done;
};

void tn_relay_scan_init(struct tn_relay_scan *scan);
void tn_relay_scan_finish(struct tn_relay_scan *scan);

/* Begins with a text that outlives the scan of it. */
bool tn_relay_scan_begin(struct tn_relay_scan *scan, struct tn_str text);
/* The next message: the only one, or an element of a batch. What a batch is worth is known at its
 * end only: TN_RELAY_MALFORMED may come behind messages. */
enum tn_relay_step tn_relay_scan_next(struct tn_relay_scan *scan, struct tn_relay_message *ret);

/* Only as much of the one message as it takes to know kind, id and method: for what the daemon
 * sends, which begins with them. `params` is not set. */
enum tn_relay_step tn_relay_scan_head(struct tn_relay_scan *scan, struct tn_str text,
				      struct tn_relay_message *ret);

#endif
