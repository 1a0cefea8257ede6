/* internal.h - what output.c is made of: output_pump.c reads a stretch of the spool without our
 * marks and with its edits; output_page.c makes pages of it that fit. Threads: loop. */
#ifndef TN_TERMINAL_OUTPUT_INTERNAL_H
#define TN_TERMINAL_OUTPUT_INTERNAL_H

#include "apps/terminal/output/output.h"

/* Where a stretch goes, in its order. */
struct tn_output_sink {
	void (*text)(struct tn_str bytes, uint64_t from, void *data);
	void (*insert)(const struct tn_output_edit *edit, void *data);
	void (*skipped)(uint64_t to, void *data); /* a mark ended here; NULL: nobody asks */
	bool foreign;                             /* marks that are not ours are text as well */
	bool frames;                              /* edits that hide frames do not count */
	const bool *stop;                         /* set by `text` or `insert`: it is enough */
	void *data;
};

/* Fails: SYSTEM, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_output_pump(const struct tn_output_source *source, uint64_t from,
					   uint64_t to, const struct tn_output_sink *sink,
					   struct tenon_error *err);
/* Where in [from, to) a line begins, at `from` or after it; if none does, a character. */
TN_MUST_USE enum tenon_code tn_output_line_start(const struct tn_output_source *source,
						 uint64_t from, uint64_t to, uint64_t *ret,
						 struct tenon_error *err);
/* Where the last `lines` lines of [from, to) begin. It does not look further back than
 * TN_OUTPUT_SEARCH_MAX. */
TN_MUST_USE enum tenon_code tn_output_last_lines(const struct tn_output_source *source,
						 uint64_t from, uint64_t to, uint32_t lines,
						 uint64_t *ret, struct tenon_error *err);

struct tn_output_page_wish {
	enum tn_plain_format format;
	uint64_t from, to; /* within what there is */
	size_t text_max;
	uint32_t lines_max; /* 0: no limit */
};
struct tn_output_page {
	struct tn_buf text;  /* the caller's, initialised; appended to */
	uint64_t from, next; /* the bytes that it shows */
	bool complete;       /* to the end of what was wished, but for an unfinished character */
	bool rendered;
};
/* From `from` on as much as fits. Something always does, unless there is nothing whole. */
TN_MUST_USE enum tenon_code tn_output_forward(const struct tn_output_source *source,
					      const struct tn_output_page_wish *wish,
					      struct tn_output_page *page, struct tenon_error *err);
/* Up to `to` as many lines as fit. */
TN_MUST_USE enum tenon_code tn_output_backward(const struct tn_output_source *source,
					       const struct tn_output_page_wish *wish,
					       struct tn_output_page *page,
					       struct tenon_error *err);

#endif
