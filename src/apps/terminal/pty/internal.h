/* internal.h - the layout of a PTY and its host in the daemon; for pty*.c alone. */
#ifndef TN_TERMINAL_PTY_INTERNAL_H
#define TN_TERMINAL_PTY_INTERNAL_H

#include "apps/terminal/pty/pty.h"
#include "apps/terminal/pty/pty_link.h"
#include "apps/terminal/pty/pty_pass.h"
#include "base/buf.h"

struct tn_pty {
	struct tn_pty_host *host; /* NULL: the host was closed */
	struct tn_pty *next;      /* of all */
	struct tn_pty *next_due;  /* of those that are due */
	bool is_due;
	char key[TN_PTY_KEY_SIZE];
	void *data;
	struct tn_pty_shared *shared;
	size_t shared_size;
	uint8_t *bytes[TN_PTY_STREAMS];
	int socket; /* to the keeper */
	int bell;
	int master; /* -1: pipes */
	struct tn_io *bell_io, *master_io;
	struct tn_buf input;
	bool paused;
	bool is_serving, is_closed; /* it is freed when it is no longer being served */
	bool is_lost;               /* the keeper is gone, and will write no more */
	bool end_asked;
	bool exit_told, closed_told, lost_told;
	bool ended_told[TN_PTY_STREAMS];
};

struct tn_pty_host {
	struct tn_loop *loop;
	struct tn_pty_host_options options;
	char *program, *path; /* copies; may be NULL */
	struct tn_pty_link link;
	struct tn_io *link_io;
	struct tn_later *later;
	struct tn_timer *mourning; /* the host was killed: keepers are ending their sessions */
	uint64_t mourning_end;
	struct tn_pty *all;
	struct tn_pty *due, **due_end; /* one turn each, in the order in which they came */
	bool is_serving, is_closed;
};

/* Has it its turn at the end of this one. */
void tn_pty_request_turn(struct tn_pty *pty);

/* A PTY of these descriptors (shared, socket, bell, master or -1). It takes all but the first,
 * unless it fails: NO_MEMORY, SYSTEM. */
TN_MUST_USE enum tenon_code tn_pty_adopt(struct tn_pty_host *host, const char *key,
					 const int fds[TN_PTY_FDS_KEPT + 1], struct tn_pty **ret,
					 struct tenon_error *err);

/* Its turn: bytes, then what has become of it. It may be freed afterwards. */
void tn_pty_serve(struct tn_pty *pty);

/* An order to the keeper; false: there is none. */
bool tn_pty_order(struct tn_pty *pty, const struct tn_pty_command *command);

/* ---- pty_daemon.c ---- */

/* A connected host, started if there is none. Fails: as tn_pty_link_start, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_pty_host_need(struct tn_pty_host *host, struct tenon_error *err);

#endif
