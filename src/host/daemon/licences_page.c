#include "host/daemon/licences_page.h"

#include "transport/http.h"

extern const char tn_licences_text[]; /* the build's */
extern const size_t tn_licences_text_size;

void tn_licences_page(struct tn_http_exchange *x, void *data)
{
	const struct tn_str text = tn_str(tn_licences_text, tn_licences_text_size);

	(void)data;
	tn_http_respond(x, &(struct tn_http_reply){.status = 200,
						   .type = TN_STR("text/plain; charset=utf-8"),
						   .parts = &text,
						   .part_count = 1});
}
