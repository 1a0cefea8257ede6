/* licences_page.h - the notices of what is inside the program, which `tenon licences` prints, for
 * who looks at the page. Threads: loop. */
#ifndef TN_HOST_LICENCES_PAGE_H
#define TN_HOST_LICENCES_PAGE_H

#include "serve/http_page.h"

void tn_licences_page(struct tn_http_exchange *x, void *data); /* struct tn_http_page.get */

#endif
