#include "apps/workbench/sessions/log.h"

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

/* Behind the first byte that is not between the two. */
static size_t skip_between(struct tn_str text, size_t at, char first, char last)
{
	while (at < text.size && text.data[at] >= first && text.data[at] <= last)
		at++;
	return at < text.size ? at + 1 : at;
}

/* Behind BEL or ESC \. */
static size_t skip_string(struct tn_str text, size_t at)
{
	while (at < text.size && text.data[at] != '\a' && text.data[at] != '\033')
		at++;
	if (at + 1 < text.size && text.data[at] == '\033')
		at++;
	return at < text.size ? at + 1 : at;
}

/* Where a sequence that begins with ESC ends (ECMA-48): CSI up to its final byte, OSC and the like
 * up to their terminator, others up to the byte behind their intermediate ones. */
static size_t skip_sequence(struct tn_str text, size_t at)
{
	char kind = at + 1 < text.size ? text.data[at + 1] : '\0';

	at += 2;
	if (kind >= ' ' && kind <= '/')
		return skip_between(text, at, ' ', '/');
	if (kind == '[')
		return skip_between(text, at, ' ', '?');
	if (kind == ']' || kind == 'P' || kind == '^' || kind == '_' || kind == 'X')
		return skip_string(text, at);
	return at;
}

static bool is_continuation(char byte)
{
	return ((unsigned char)byte & 0xC0) == 0x80;
}

/* A copy without sequences and control bytes but tab and line feed; NULL: no memory. */
static char *clean(struct tn_str text)
{
	char *out = tn_mem_alloc(
		(text.size < TN_WB_TEXT_BYTES_MAX ? text.size : TN_WB_TEXT_BYTES_MAX) + 1);
	size_t size = 0, at = 0;

	if (!out)
		return NULL;
	while (at < text.size && size < TN_WB_TEXT_BYTES_MAX) {
		unsigned char c = (unsigned char)text.data[at];

		if (c == '\033') {
			at = skip_sequence(text, at);
			continue;
		}
		at++;
		if ((c >= 0x20 && c != 0x7F) || c == '\t' || c == '\n')
			out[size++] = (char)c;
	}
	if (at < text.size && is_continuation(text.data[at])) { /* no half of a character */
		while (size > 0 && is_continuation(out[size - 1]))
			size--;
		size -= size > 0;
	}
	out[size] = '\0';
	return out;
}

void tn_wb_log_add(struct tn_wb_log *log, const struct tn_wb_log_entry *entry, struct tn_str text)
{
	char *message = clean(text);

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

void tn_wb_log_put(struct tn_buf *out, const struct tn_wb_log *log, enum tn_wb_log_level least,
		   size_t limit)
{
	size_t back = 0, wanted = 0;

	while (back < log->count && wanted < limit)
		wanted += entry_before(log, ++back)->level >= least;
	tn_json_begin_array(out);
	for (; back > 0; back--)
		if (entry_before(log, back)->level >= least)
			put_entry(out, entry_before(log, back));
	tn_json_end_array(out);
}
