/* inputs.h - what a run reads besides its text, held from the moment it is judged until it is used:
 * the directory, the scripts given to shells, the programs that are started.
 *
 * A file is opened once; what the analysis reads, what a person is shown and what the digest covers
 * are those bytes. Before it runs the names are looked at again: what leads to something else now
 * is judged, and asked about, again. Ownership: counted; the last one frees. Threads: loop. */
#ifndef TN_HOLD_INPUTS_H
#define TN_HOLD_INPUTS_H

#include "base/arena.h"
#include "base/buf.h"
#include "store/held.h"

enum { TN_INPUT_MARK_SIZE = 128 };

enum tn_input_kind {
	TN_INPUT_SCRIPT,  /* its bytes are held */
	TN_INPUT_PROGRAM, /* known by what the kernel says of it; a script's bytes are held */
	TN_INPUT_ABSENT,  /* no file that can be read stood there */
	TN_INPUT_CLOSED   /* a folder: what was not in it is not there (hold.h; of no tn_input) */
};

struct tn_input {
	struct tn_input *next; /* in the order in which they were found */
	enum tn_input_kind kind;
	char *path;                    /* absolute */
	struct tn_held held;           /* fd -1: not held */
	struct tn_str text;            /* of what is held, mapped */
	bool is_large;                 /* more than is held */
	char mark[TN_INPUT_MARK_SIZE]; /* device, inode, size, times; empty for what is held */
};

struct tn_inputs {
	unsigned refs;
	struct tn_held folder; /* fd -1: not known */
	struct tn_input *files, **end;
	size_t count, tried; /* of all; and of those that are tried before what is found */
	bool approved;       /* a person has seen exactly these */
	uint64_t bytes;      /* of all that is held */
	bool is_full;        /* there were more than TN_TERM_INPUTS_MAX, or so many bytes */
	bool starved;        /* no descriptor or memory was left to hold one */
	bool is_person, is_elsewhere; /* of the caller, for judging again */
};

struct tn_inputs *tn_inputs_create(void); /* NULL: no memory */
struct tn_inputs *tn_inputs_ref(struct tn_inputs *inputs);
void tn_inputs_unref(struct tn_inputs *inputs); /* accepts NULL */

/* The text of the script of that name, held from now on; the same for the same name each time. It
 * lives as long as the inputs. False: it cannot be read (that is noted, too), is larger than
 * TN_ANALYSIS_SCRIPT_BYTES_MAX, or there are more than TN_TERM_INPUTS_MAX or
 * TN_TERM_INPUTS_BYTES_MAX. */
bool tn_inputs_script(struct tn_inputs *inputs, const char *path, struct tn_str *ret_text);
/* A program that is started, by its absolute path. */
void tn_inputs_program(struct tn_inputs *inputs, const char *path);

/* A name that is tried before that of a program that is started: what stands there, or that nothing
 * does, must stay so, or something else is started. */
void tn_inputs_tried(struct tn_inputs *inputs, const char *path);

/* Everything that is held, as members of a JSON array: an approval is bound to it. */
void tn_inputs_bind(const struct tn_inputs *inputs, struct tn_buf *out);

/* The name of a file that is not what it was; NULL: all are. The directory is the caller's to ask
 * about (tn_held_is_still). */
const char *tn_inputs_changed(const struct tn_inputs *inputs);

/* What the kernel says of a file whose bytes are not held. A writer cannot put back the time of its
 * last change. False, and empty: there is none. */
bool tn_inputs_mark(int at, const char *path, char *out, size_t size);
bool tn_inputs_mark_fd(int fd, char *out, size_t size);
/* The descriptor that the path is opened from, and *path as seen from it. */
int tn_inputs_seen_from(const struct tn_inputs *inputs, const char **path);

#endif
