/* form.h - a question of the server's (MCP elicitation), asked on the controlling terminal.
 *
 * Field after field: strings, numbers, integers, booleans and enumerations, the ones that forms may
 * have (MCP-208). Enter takes the default, or leaves out what need not be given; Ctrl-D gives the
 * whole form up. What does not fit the schema is asked for again. Nothing blocks: lines are taken
 * as they come, so that the connection lives on while a person thinks. Threads: loop. */
#ifndef TN_CLI_FORM_H
#define TN_CLI_FORM_H

#include "loop/loop.h"
#include "tenon/client.h"

struct tn_form;

/* A terminal is there to ask on. */
bool tn_form_possible(void);

/* Asks; the question is answered when the form is complete, given up or closed. `finished` runs
 * once, last, unless tn_form_close came first. Fails: NOT_FOUND (no terminal), INVALID (a form that
 * we cannot show), NO_MEMORY: the question is still open then. */
TN_MUST_USE enum tenon_code tn_form_open(struct tn_loop *loop, struct tenon_question *question,
					 void (*finished)(struct tn_form *form, void *data),
					 void *data, struct tn_form **ret, struct tenon_error *err);
/* Does not answer the question. Accepts NULL. */
void tn_form_close(struct tn_form *form);

#endif
