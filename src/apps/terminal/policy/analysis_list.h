/* analysis_list.h - reading a list of commands: what analysis_list.c, analysis_keyword.c and
 * analysis_simple.c share.
 *
 * Compound commands are frames of a stack; keywords open and close them. A text that closes what it
 * did not open is opaque, and reading goes on behind it. Threads: any. */
#ifndef TN_TERM_ANALYSIS_LIST_H
#define TN_TERM_ANALYSIS_LIST_H

#include "apps/terminal/policy/internal.h"

enum tn_frame_kind {
	TN_FRAME_TOP,
	TN_FRAME_PAREN, /* ( ) */
	TN_FRAME_BRACE, /* { } */
	TN_FRAME_IF,
	TN_FRAME_LOOP_HEAD, /* while, until: before `do` */
	TN_FRAME_FOR_HEAD,
	TN_FRAME_LOOP,
	TN_FRAME_CASE,
	TN_FRAME_BLOCK /* fish: until `end` */
};

struct tn_frame {
	struct tn_frame *up;
	enum tn_frame_kind kind;
	unsigned depth;
	bool in_pipe, piped; /* all of it, the next command: stands behind a | */
	bool joined;         /* | && or || wants another command */
	size_t from;         /* the first command in it */
	size_t pipe_from;    /* the first command of the pipeline being read */
	size_t fed_from;     /* of the pipe it stands behind */
	struct tn_str cwd;
	struct tn_str function; /* whose body it is; empty: none */
	size_t body_at;         /* where that begins */
};

struct tn_list {
	struct tn_reader *r;
	struct tn_frame *frame;
	char closer;            /* ')', or NUL for the end of the text */
	struct tn_str function; /* the next compound command is its body */
	size_t body_at;         /* which begins here */
	bool is_closed;         /* by that */
	bool has_closed;        /* a compound command has just ended; redirections may follow */
	size_t closed_from;     /* its first command */
};

bool tn_list_open(struct tn_list *l, enum tn_frame_kind kind); /* false: too deep */
void tn_list_close(struct tn_list *l, enum tn_frame_kind kind);
void tn_list_skip_blanks(struct tn_reader *r); /* and comments */
void tn_list_skip_lines(struct tn_reader *r);  /* and line ends */
void tn_list_read_patterns(struct tn_list *l);

/* analysis_keyword.c: a keyword and what belongs to it, or a simple command. */
void tn_list_read_command(struct tn_list *l);
/* The word at this place is `keyword`, unquoted: passes over it. */
bool tn_list_take_keyword(struct tn_reader *r, const char *keyword);

/* analysis_simple.c */
void tn_list_read_simple(struct tn_list *l);
void tn_here_read_all(struct tn_reader *r); /* at the beginning of a line */
void tn_here_end(struct tn_reader *r);      /* the text is over */

#endif
