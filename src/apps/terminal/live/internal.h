/* internal.h - the inside of the live view, for its files: live.c has sessions, viewers and
 * bytes, live_talk.c what is said in words, live_ticket.c who is let in. Threads: loop. */
#ifndef TN_TERMINAL_LIVE_INTERNAL_H
#define TN_TERMINAL_LIVE_INTERNAL_H

#include "apps/terminal/limits.h"
#include "apps/terminal/live/live.h"
#include "apps/terminal/output/live_filter.h"
#include "store/handles.h"

enum {
	LIVE_SCROLLBACK = 1000,    /* lines above the screen in a snapshot */
	LIVE_SLICE = 128 * 1024,   /* filtered at a time */
	LIVE_FRAME = 64 * 1024,    /* of one message */
	LIVE_SAID_MAX = 16 * 1024, /* the longest text about a session: it has a path in it */
	LIVE_RETURN_MS = 15000,    /* who had the keyboard and lost the line may come back */
	LIVE_CLOSE_NORMAL = 1000,  /* codes of WebSocket */
	LIVE_CLOSE_POLICY = 1008
};

struct ticket {
	char text[TN_LIVE_TICKET_SIZE]; /* empty: free */
	char session_id[TN_HANDLE_SIZE], principal[TN_HANDLE_PRINCIPAL_SIZE];
	bool control;
	uint64_t until_ms;
};

/* A session that somebody watches. */
struct live_feed {
	struct tn_live *live;
	struct tn_term_session *session; /* NULL: gone */
	char id[TN_HANDLE_SIZE];
	struct tn_term_watcher watcher;
	/* One for all viewers, so that all get the same bytes; it holds whatever is unfinished. */
	struct tn_live_filter filter;
	struct tn_buf out; /* of the filter */
	struct tn_live_viewer *viewers;
	size_t viewer_count;
	struct tn_live_viewer *controller;    /* NULL: none of ours */
	bool is_vacant;                       /* the one in control has lost its line */
	uint16_t columns_before, rows_before; /* whoever is in control changed it; 0: nobody did */
	uint16_t columns_theirs, rows_theirs; /* to this */
	struct tn_timer *timer;               /* of a vacancy */
	uint16_t columns, rows;               /* as viewers know them */
	char title[TN_SCREEN_TITLE_SIZE];
	uint64_t offset; /* of the stream: what viewers have seen */
	struct live_feed *next;
};

struct tn_live_viewer {
	struct live_feed *feed;
	struct tn_live_wire wire;
	bool may_control, has_begun, is_lagging, is_closing, told_exit;
	/* Bytes in binary messages since the beginning: sent, drawn by the viewer, and where the
	 * last snapshot ended. */
	uint64_t sent, acked, snapshot_end;
	struct tn_buf said; /* the last `state`, so that it is not said twice */
	struct tn_live_viewer *next;
};

struct tn_live {
	struct tn_live_options options;
	struct live_feed *feeds;
	struct ticket tickets[TN_TERM_TICKETS_MAX];
};

/* ---- live.c ---- */
void live_send_snapshot(struct tn_live_viewer *viewer);
void live_close_viewer(struct tn_live_viewer *viewer, unsigned code);

/* ---- live_talk.c ---- */
void live_say(struct tn_live_viewer *viewer, const struct tn_buf *text); /* unless it failed */
void live_say_snapshot(struct tn_live_viewer *viewer, size_t size);
void live_say_lag(struct tn_live_viewer *viewer, uint64_t bytes);
void live_say_state(struct tn_live_viewer *viewer); /* unless nothing of it has changed */
void live_say_exit(struct tn_live_viewer *viewer);  /* once, if it has ended */
void live_tell_shape(struct live_feed *feed);       /* title and size, if they have changed */
void live_tell_state(struct live_feed *feed);
void live_tell_command(struct live_feed *feed, const struct tn_term_command_info *info, bool ended);
/* The keyboard goes back, and the size that the session had. */
void live_give(struct live_feed *feed);
void live_type(struct tn_live_viewer *viewer, struct tn_str bytes);
void live_take_text(struct tn_live_viewer *viewer, struct tn_str text);

/* ---- live_ticket.c ---- */
/* Spends it, and tells what it said. False: it is none for this session. */
bool live_ticket_use(struct tn_live *live, struct tn_str session_id, struct tn_str text,
		     struct ticket *ret);

#endif
