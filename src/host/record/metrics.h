/* metrics.h - what a server has done, in numbers: counters and latency histograms of a fixed size,
 * for /metrics and for the dashboard.
 *
 * Labels are names that the server itself gave: methods and tools it knows. What a client makes up
 * is counted as "other", so that no client can make them grow. Requests about this very page (reads
 * of tenon://..., subscriptions) are counted in `methods` only: a dashboard that watches shows what
 * others do. Ownership: the caller's, from open to close. Threads: loop. */
#ifndef TN_HOST_METRICS_H
#define TN_HOST_METRICS_H

#include "mcp/observe.h"
#include "mcp/server.h"

enum {
	TN_OUTCOMES = TN_OUTCOME_DROPPED + 1,
	TN_HISTOGRAM_BUCKETS = 22, /* the last one holds what is longer than all bounds */
	TN_METRICS_SECONDS = 60
};

/* Upper bounds, in seconds as text and in microseconds; the last one is "+Inf". */
struct tn_histogram_bound {
	const char *seconds;
	uint64_t us;
};
extern const struct tn_histogram_bound tn_histogram_bounds[TN_HISTOGRAM_BUCKETS];

struct tn_histogram {
	uint64_t buckets[TN_HISTOGRAM_BUCKETS]; /* each for itself, not cumulated */
	uint64_t count, sum_us, max_us;
};
void tn_histogram_add(struct tn_histogram *histogram, uint64_t us);
/* The value below which `part` (0 to 1) of all lie, interpolated inside its bucket; 0: none. */
double tn_histogram_ms(const struct tn_histogram *histogram, double part);

/* One tool or method. */
struct tn_series {
	char name[128], app[64]; /* app: of a tool; "" otherwise */
	uint64_t outcomes[TN_OUTCOMES];
	struct tn_histogram took;
	uint64_t last_wall_ms;
	struct tn_series *next;
};

struct tn_series_table {
	struct tn_series *first, **tail; /* in the order of their first call */
	struct tn_map by_name;
	size_t count_max;
	struct tn_series other;
};

/* Readable by all, written by metrics.c. */
struct tn_metrics {
	struct tenon_server *server;
	struct tn_observer observer;
	struct tn_series_table methods, tools;
	struct tn_histogram took;              /* of all that are shown on the dashboard */
	uint64_t calls, errors;                /* likewise */
	uint64_t bytes;                        /* of all answers */
	uint64_t connections;                  /* since the start */
	struct tn_series_table consents;       /* how; outcomes: of those calls */
	uint32_t ring[TN_METRICS_SECONDS + 1]; /* calls by second */
	uint64_t ring_second;
};

/* Fails: NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_metrics_open(struct tenon_server *server, struct tn_metrics **ret,
					    struct tenon_error *err);
void tn_metrics_close(struct tn_metrics *metrics); /* accepts NULL */

/* Whether a request is about the dashboard's own resources. */
bool tn_metrics_is_quiet(const struct tn_call_record *record);

/* Calls in each of the last 60 whole seconds, oldest first. */
void tn_metrics_seconds(struct tn_metrics *metrics, uint32_t out[TN_METRICS_SECONDS]);
/* The same together, and those of the second that runs. */
uint64_t tn_metrics_last_minute(struct tn_metrics *metrics);
/* Calls that run now. */
unsigned tn_metrics_in_flight(const struct tenon_server *server);
uint64_t tn_metrics_memory_bytes(void); /* resident; 0: not known */
/* "relay", "websocket", ...; never NULL. */
const char *tn_metrics_way(const struct tn_peer *peer);
/* The name of the app with this bit; "" when there is none. */
const char *tn_metrics_app_name(const struct tenon_server *server, uint32_t bit);

static inline uint64_t tn_series_errors(const struct tn_series *series)
{
	return series->outcomes[TN_OUTCOME_TOOL_ERROR] + series->outcomes[TN_OUTCOME_ERROR];
}

#endif
