/* action.h - what a tool does with a plan, apart from the protocol: the door runs it in a worker,
 * the command line by itself.
 *
 * An action reads the text and arguments that fit its schema, and writes one JSON object.
 * Ownership: the caller's, who finishes the act. Threads: one at a time; any number of acts at
 * once. */
#ifndef TN_FLOOR_ACTION_H
#define TN_FLOOR_ACTION_H

#include "apps/floorplan/plan/plan.h"
#include "draw/display.h"
#include "jsonrpc/json.h"

enum { TN_FLOOR_LISTED_MAX = 100 }; /* diagnostics of one severity (5.1) */

struct tn_floor_act {
	/* Given. */
	struct tn_str text;              /* the plan; empty for import */
	const struct tn_json *arguments; /* fit the tool's schema */
	struct tn_fonts *fonts;          /* for labels that the embedded font lacks; NULL: boxes */
	/* Made. */
	struct tn_buf json;          /* the answer: an open object, until tn_floor_act_end */
	bool success;                /* what isError and the exit code follow (7.1) */
	struct tn_buf file;          /* a picture or document; empty: none */
	const char *mime;            /* of it */
	bool in_json;                /* the answer has the file already: it is no part of its own */
	bool invalid;                /* validate: the plan is not (strictly) valid; an exit code */
	struct tn_buf text_after;    /* of an action that writes: what the plan is now */
	struct tn_letters_told told; /* of the picture */
	struct tn_floor_plan *plan;  /* for the command line's lines; NULL: none */
};

/* Beside its tool_NAME.json, which says "action"; tools.h declares them. */
struct tn_floor_action {
	bool without_text, writes;
	void (*run)(struct tn_floor_act *act); /* want of memory sticks to `json` */
};

void tn_floor_act_init(struct tn_floor_act *act, struct tn_str text,
		       const struct tn_json *arguments);
void tn_floor_act_finish(struct tn_floor_act *act);
/* Forgets what was made, to run again on another text. */
void tn_floor_act_again(struct tn_floor_act *act, struct tn_str text);
/* Closes the object. False: it is not whole, for want of memory or because it is too large. */
bool tn_floor_act_end(struct tn_floor_act *act);

/* The text as act->plan. False: no memory, and the act has failed. */
bool tn_floor_act_read(struct tn_floor_act *act, bool lint);
/* {"success":false,"errors":[{code, message, path}]}; `path` NULL: none. The act is over. */
void tn_floor_act_refuse(struct tn_floor_act *act, const char *code, const char *path,
			 const char *format, ...) TN_PRINTF(4, 5);
/* The same with a failure of the engine. */
void tn_floor_act_fail(struct tn_floor_act *act, const struct tenon_error *err);
/* success false with all diagnostics of the plan (7.2). */
void tn_floor_act_put_bad_plan(struct tn_floor_act *act);
/* `errors`, `warnings` or `infos`; *cut is set when there were more than `max`. */
void tn_floor_act_put_list(struct tn_floor_act *act, enum tn_floor_severity severity, size_t max,
			   bool *cut);
/* How many there are of each severity: `counts`. */
void tn_floor_act_put_counts(struct tn_floor_act *act);
/* Behind lists of which one was cut: `truncated`, with the true counts (5.1). Not cut: nothing. */
void tn_floor_act_put_cut(struct tn_floor_act *act, bool cut);
/* One of the usual faults as an object of an `errors` array. */
void tn_floor_put_fault(struct tn_buf *out, const char *code, const char *message,
			const char *path);

bool tn_floor_argument_bool(const struct tn_floor_act *act, const char *name, bool fallback);
double tn_floor_argument_number(const struct tn_floor_act *act, const char *name, double fallback);
struct tn_str tn_floor_argument_text(const struct tn_floor_act *act, const char *name);

#endif
