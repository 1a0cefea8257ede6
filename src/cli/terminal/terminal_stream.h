/* terminal_stream.h - the live stream of a session (docs/terminal.md), as a client: a ticket for
 * it, and the WebSocket that the ticket opens. Threads: main. */
#ifndef TN_CLI_TERMINAL_STREAM_H
#define TN_CLI_TERMINAL_STREAM_H

#include "cli/shared/run.h"
#include "store/handles.h"
#include "transport/ws.h"

struct tn_terminal_ticket {
	uint16_t port; /* of the bridge */
	char stream[128], text[64];
	bool control;
	char id[TN_HANDLE_SIZE], name[260];
};

/* For the session that `word` means; `view_only`: without asking whether a person sits here. Starts
 * the daemon unless it runs. Otherwise the exit code, and all is told. */
int tn_terminal_ticket(struct tn_cli *cli, const char *word, bool view_only,
		       struct tn_terminal_ticket *ret);

/* Spends the ticket. Fails: DENIED (it does not count any more), SYSTEM, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_terminal_stream_open(struct tn_loop *loop,
						    const struct tn_terminal_ticket *ticket,
						    const struct tn_ws_events *events, void *data,
						    struct tn_ws **ret, struct tenon_error *err);

#endif
