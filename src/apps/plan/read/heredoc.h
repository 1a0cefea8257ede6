/* heredoc.h - values printed over many lines (plan.md section 4.5): where one ends, and both sides
 * of one that is shown as a difference. Threads: one at a time. */
#ifndef TN_PLAN_HEREDOC_H
#define TN_PLAN_HEREDOC_H

#include "apps/plan/read/row.h"
#include "apps/plan/read/value.h"
#include "base/buf.h"

struct tn_plan_heredoc {
	struct tn_plan_build *build;
	bool open;
	uint32_t column; /* of the attribute's name and of the line that ends it */
	struct tn_plan_attribute *attribute; /* that gets the text, NULL: nobody */
	struct tn_str delimiter;
	bool marked;     /* each line has a symbol column of its own */
	bool after_only; /* it stands behind an arrow */
	bool before_cut, after_cut;
	struct tn_buf before, after;
};

void tn_plan_heredoc_init(struct tn_plan_heredoc *heredoc, struct tn_plan_build *build);
void tn_plan_heredoc_finish(struct tn_plan_heredoc *heredoc);

/* `row` is the line with "<<-EOT". */
void tn_plan_heredoc_open(struct tn_plan_heredoc *heredoc, const struct tn_plan_row *row,
			  const struct tn_plan_token *token, struct tn_plan_attribute *attribute,
			  bool after_only);

/* True when the line is the closing one: at the attribute's own column, with nothing behind the
 * delimiter that could be content. */
bool tn_plan_heredoc_ends(const struct tn_plan_heredoc *heredoc, const struct tn_plan_row *row);

/* What the closing line says behind the delimiter. */
struct tn_str tn_plan_heredoc_rest(const struct tn_plan_heredoc *heredoc,
				   const struct tn_plan_row *row);

void tn_plan_heredoc_line(struct tn_plan_heredoc *heredoc, const struct tn_plan_row *row);

/* Gives the attribute its values. */
void tn_plan_heredoc_close(struct tn_plan_heredoc *heredoc);

#endif
