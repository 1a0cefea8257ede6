/* row.h - one line of cleaned plan text, and the symbol in front of it.
 *
 * The column of the text behind the symbol is what the rest of the reader works with: it is the
 * same in the renderer's own layout and in the ones that move the symbol to column 0 for a pull
 * request (plan.md section 4.8). Threads: any. */
#ifndef TN_PLAN_ROW_H
#define TN_PLAN_ROW_H

#include "base/str.h"

enum tn_plan_symbol {
	TN_PLAN_SYMBOL_NONE,
	TN_PLAN_SYMBOL_ADD,            /* + */
	TN_PLAN_SYMBOL_REMOVE,         /* - */
	TN_PLAN_SYMBOL_UPDATE,         /* ~ */
	TN_PLAN_SYMBOL_READ,           /* <= */
	TN_PLAN_SYMBOL_FORGET,         /* . */
	TN_PLAN_SYMBOL_DESTROY_CREATE, /* -/+ */
	TN_PLAN_SYMBOL_CREATE_DESTROY, /* +/- */
	TN_PLAN_SYMBOL_CREATE_FORGET,  /* +/. */
	TN_PLAN_SYMBOL_FORGET_CREATE   /* ./+ */
};

struct tn_plan_row {
	struct tn_str line;   /* without LF and trailing blanks */
	struct tn_str text;   /* from the first byte that is not blank */
	struct tn_str rest;   /* behind the symbol; equals text when there is none */
	uint32_t number;      /* 1-based */
	uint32_t column;      /* of text; blank lines have column 0 */
	uint32_t rest_column; /* of rest, as the renderer would have printed it */
	uint8_t symbol;       /* enum tn_plan_symbol */
	bool shifted;         /* the two blanks before the symbol were taken away */
	bool moved;           /* the symbol stands in column 0, its blanks behind it */
};

/* Reads the line at *at and moves behind it. `number` is that of the line before. */
void tn_plan_row_read(struct tn_plan_row *row, const char **at, const char *end, uint32_t number);

/* Fills symbol, rest, rest_column, shifted and moved. */
void tn_plan_row_split(struct tn_plan_row *row);

static inline bool tn_plan_row_is_blank(const struct tn_plan_row *row)
{
	return row->text.size == 0;
}

#endif
