#include "apps/workbench/sessions/log.h"

#include "apps/workbench/values/plain.h"
#include "base/clock.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"

static const char *const level_names[] = {"debug", "info", "warn", "error"};
static const char *const origin_names[] = {"server", "page"};

void tn_wb_log_init(struct tn_wb_log *log)
{
	*log = (struct tn_wb_log){0};
}

void tn_wb_log_finish(struct tn_wb_log *log)
{
	for (size_t i = 0; log->ring && i < TN_WB_LOG_ENTRIES_MAX; i++)
		tn_mem_free(log->ring[i].message);
	tn_mem_free(log->ring);
	tn_wb_log_init(log);
}

bool tn_wb_log_level_of(struct tn_str name, enum tn_wb_log_level *ret)
{
	for (size_t i = 0; i < TN_COUNT(level_names); i++) {
		if (!tn_str_is(name, level_names[i]))
			continue;
		*ret = (enum tn_wb_log_level)i;
		return true;
	}
	return false;
}

void tn_wb_log_add(struct tn_wb_log *log, const struct tn_wb_log_entry *entry, struct tn_str text)
{
	char *message = tn_wb_plain_copy(text);

	if (!log->ring)
		log->ring = tn_mem_alloc_array(TN_WB_LOG_ENTRIES_MAX, sizeof(*log->ring));
	if (!log->ring || !message) {
		tn_mem_free(message);
		log->lost++;
		return;
	}
	tn_mem_free(log->ring[log->next].message);
	log->ring[log->next] = *entry;
	log->ring[log->next].message = message;
	log->next = (log->next + 1) % TN_WB_LOG_ENTRIES_MAX;
	log->said++;
	if (log->count < TN_WB_LOG_ENTRIES_MAX)
		log->count++;
}

static void put_entry(struct tn_buf *out, const struct tn_wb_log_entry *entry)
{
	char at[TN_CLOCK_ISO_SIZE];

	tn_clock_format_iso(entry->at_wall_ms, at);
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "level", level_names[entry->level]);
	tn_json_put_member_text(out, "message", entry->message);
	tn_json_put_member_text(out, "timestamp", at);
	tn_json_put_member_text(out, "origin", origin_names[entry->origin]);
	tn_json_end_object(out);
}

/* The entry that is `back` before the next one. */
static const struct tn_wb_log_entry *entry_before(const struct tn_wb_log *log, size_t back)
{
	return &log->ring[(log->next + TN_WB_LOG_ENTRIES_MAX - back) % TN_WB_LOG_ENTRIES_MAX];
}

static size_t size_of(const struct tn_wb_log_entry *entry)
{
	struct tn_buf one;
	size_t size;

	tn_buf_init(&one, TN_WB_TEXT_BYTES_MAX * 8);
	put_entry(&one, entry);
	size = one.size + 1;
	tn_buf_finish(&one);
	return size;
}

/* How far back those reach that are wanted and fit, from `start` on; at least one of them. */
static size_t reach(const struct tn_wb_log *log, const struct tn_wb_log_query *query, size_t start)
{
	size_t back = start, wanted = 0, bytes = 0;

	while (back < log->count && (!query->limit || wanted < query->limit)) {
		const struct tn_wb_log_entry *entry = entry_before(log, back + 1);

		if (entry->level >= query->least) {
			bytes += size_of(entry);
			if (query->bytes_max && wanted && bytes > query->bytes_max)
				break;
			wanted++;
		}
		back++;
	}
	return back;
}

static bool has_more(const struct tn_wb_log *log, enum tn_wb_log_level least, size_t back)
{
	while (back < log->count)
		if (entry_before(log, ++back)->level >= least)
			return true;
	return false;
}

uint64_t tn_wb_log_put(struct tn_buf *out, const struct tn_wb_log *log,
		       const struct tn_wb_log_query *query)
{
	uint64_t since = query->before && query->before < log->said ? log->said - query->before : 0;
	size_t start = since < log->count ? (size_t)since : log->count;
	size_t back = reach(log, query, start);
	bool more = has_more(log, query->least, back);
	uint64_t cursor = log->said - back;

	tn_json_begin_array(out);
	for (; back > start; back--)
		if (entry_before(log, back)->level >= query->least)
			put_entry(out, entry_before(log, back));
	tn_json_end_array(out);
	return more ? cursor : 0;
}
