/* rules_write.h - a verdict as check_command answers it (terminal.md section 7.13). Threads: any.
 */
#ifndef TN_TERM_RULES_WRITE_H
#define TN_TERM_RULES_WRITE_H

#include "apps/terminal/policy/rules.h"
#include "jsonrpc/json_write.h"

/* The object; its parts. */
void tn_rules_put_verdict(struct tn_buf *out, const struct tn_analysis *analysis,
			  const struct tn_verdict_of_rules *verdict);
void tn_rules_put_hits(struct tn_buf *out, const struct tn_verdict_of_rules *verdict);
/* The same for people: a line for the decision, then sentences. */
void tn_rules_put_text(struct tn_buf *out, const struct tn_analysis *analysis,
		       const struct tn_verdict_of_rules *verdict);
/* Which programs it runs, and what these write; for who is sent no object (hosts.md HO-001). */
void tn_rules_put_commands(struct tn_buf *out, const struct tn_analysis *analysis,
			   const struct tn_verdict_of_rules *verdict);

#endif
