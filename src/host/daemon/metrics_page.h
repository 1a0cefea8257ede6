/* metrics_page.h - /metrics: the numbers of metrics.h as Prometheus text, format 0.0.4.
 *
 * Threads: loop. */
#ifndef TN_HOST_METRICS_PAGE_H
#define TN_HOST_METRICS_PAGE_H

#include "host/daemon/daemon.h"
#include "transport/http.h"

/* `daemon->metrics` is there. */
void tn_metrics_write(const struct tn_daemon *daemon, struct tn_buf *out);

/* struct tn_http_page.get; `daemon`: the struct tn_daemon. */
void tn_metrics_page(struct tn_http_exchange *x, void *daemon);

#endif
