/* relay.h - `tenon mcp [APP...]`: an AI host's pipe, joined to the daemon's bridge.
 *
 * Messages are copied, not understood, but for the ids of requests that are out. The parts:
 * relay.c has the host's stream and the end, relay_pass.c what passes, relay_connect.c finds,
 * starts and keeps a daemon, relay_calls.c has the requests that are out, relay_session.c what a
 * new daemon is told. */
#ifndef TN_CLI_RELAY_H
#define TN_CLI_RELAY_H

#include <sys/types.h>

#include "cli/relay/relay_calls.h"
#include "cli/relay/relay_launch.h"
#include "cli/relay/relay_link.h"
#include "cli/relay/relay_scan.h"
#include "cli/relay/relay_session.h"
#include "transport/line_stream.h"

/* The program. argv[0] is "mcp"; returns the exit code. Threads: main. */
int tn_relay_main(int argc, char **argv);

/* ---- for the parts of the relay ---- */

enum { TN_RELAY_SIGNALS = 4 };

enum tn_relay_state {
	TN_RELAY_IDLE,       /* no daemon, and nobody asks for one */
	TN_RELAY_LAUNCHING,  /* a daemon is being started */
	TN_RELAY_CONNECTING, /* the handshake is under way */
	TN_RELAY_RESUMING,   /* a new daemon is told of the conversation */
	TN_RELAY_OPEN,
	TN_RELAY_RESTING, /* until the next try */
	TN_RELAY_REFUSED, /* for good: the host is told, then the program ends */
	TN_RELAY_OVER
};

struct tn_relay {
	struct tn_loop *loop;
	struct tn_line_stream *host;
	struct tn_arena arena; /* one message */
	struct tn_relay_scan scan;
	struct tn_relay_calls calls;
	struct tn_map questions; /* the daemon's requests that the host has not answered */
	struct tn_relay_session session;

	enum tn_relay_state state;
	struct tn_relay_link *link;
	struct tn_relay_launch *launch;
	struct tn_timer *timer; /* of the state */
	unsigned tries;         /* since the connection was lost */
	bool may_launch;        /* it crashed, or was never there: not after an orderly end */
	bool disagrees;         /* RESUMING: the new daemon is none to go on with */
	bool asked_again;       /* after a 401, with the file read anew */
	struct tn_buf waiting;  /* messages of the host, each behind its size */
	size_t early;           /* bytes of them that went with the handshake */
	bool early_over;        /* and no more do */
	bool has_request;       /* one of them waits for an answer */
	char path[256];
	const char *fit; /* of argv, one of mcp/fit.h; NULL: the host decides it */
	char fault[512]; /* the last reason */

	struct tn_timer *deadline; /* of the end */
	struct tn_signal *signals[TN_RELAY_SIGNALS];
	pid_t parent;
	bool ending;    /* no more input */
	bool answered;  /* the host has heard from us that something is wrong */
	unsigned waits; /* why the host must wait: TN_RELAY_WAIT_* */
	int exit_code;
};

enum { TN_RELAY_WAIT_DAEMON = 1, TN_RELAY_WAIT_CALLS = 2 };

/* relay.c */
void tn_relay_settle(struct tn_relay *relay); /* ends when it is time to */

/* relay_pass.c */
void tn_relay_pass(struct tn_relay *relay, struct tn_str text); /* a message of the host */
void tn_relay_to_host(void *relay, struct tn_str json);
void tn_relay_to_daemon(void *relay, struct tn_str json);
void tn_relay_from_daemon(struct tn_str text, void *relay);
void tn_relay_send_early(struct tn_relay *relay);   /* what waits, with the handshake */
void tn_relay_pass_waiting(struct tn_relay *relay); /* what waits, now that it is open */
/* Everything that waits or is kept for the next daemon is answered with the fault. */
void tn_relay_fail(struct tn_relay *relay, const struct tn_relay_fault *fault);
void tn_relay_lost(struct tn_relay *relay); /* the connection is gone: so is what was out */
void tn_relay_wait(struct tn_relay *relay, unsigned why, bool wait);
/* In our own name, to a message that cannot be passed on. */
void tn_relay_refuse(struct tn_relay *relay, int code, const char *message);

/* relay_connect.c */
TN_MUST_USE enum tenon_code tn_relay_connect_open(struct tn_relay *relay, struct tenon_error *err);
void tn_relay_connect_close(struct tn_relay *relay);
void tn_relay_connect(struct tn_relay *relay); /* begins, unless something is under way */
/* Tries no more; a connection that is open stays, for its end. */
void tn_relay_disconnect(struct tn_relay *relay);
void tn_relay_own_answer(struct tn_relay *relay, struct tn_str text);

#endif
