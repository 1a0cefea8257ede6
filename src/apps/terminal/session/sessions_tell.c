/* What a server's sessions tell others: the app of a change, the history of an act; and nobody of
 * secrets. */
#include "apps/terminal/session/session.h"

void tn_term_changed(struct tn_term *term, enum tn_term_change what, const char *id)
{
	if (term->options.changed && !term->closing)
		term->options.changed(what, id, term->options.data);
}

void tn_term_note(struct tn_term *term, const char *kind, const struct tn_term_session *s,
		  const struct tn_term_caller *caller, const char *detail)
{
	if (!term->history || s->history_off)
		return;
	tn_history_record_event(term->history,
				&(struct tn_history_event){.kind = kind,
							   .session_id = s->id,
							   .principal = caller->principal,
							   .detail = detail,
							   .secrets = term->redactor});
}

void tn_term_clean(struct tn_term *term, struct tn_buf *text, unsigned *count)
{
	struct tn_buf clean;

	*count = 0;
	if (term->config->redact_results == TN_REDACT_OFF || !text->size)
		return;
	tn_buf_init(&clean, text->limit);
	tn_redact(term->redactor, term->config->redact_results, tn_buf_str(text), &clean, count);
	if (*count == 0 && !clean.failed) {
		tn_buf_finish(&clean);
		return;
	}
	tn_buf_finish(text);
	*text = clean;
}
