/* oplog_fuzz.c - any snapshot and journal: read or refused, and what was read can be undone and
 * redone to the same document.
 *
 * The first byte says whether lines stand as they are or get the right checksum (or no fuzzer would
 * ever get past it); then the snapshot's line, which may be empty, and the journal's lines. */
#include <stdint.h>

#include "store/oplog_line.h"
#include "store/oplog_log.h"
#include "store/oplog_test_kit.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct tn_str take_line(struct tn_str *rest)
{
	size_t end = tn_str_find_byte(*rest, '\n');
	struct tn_str line = end == TN_STR_NONE ? *rest : tn_str(rest->data, end + 1);

	*rest = tn_str_from_offset(*rest, line.size);
	return line;
}

static void add_line(struct tn_buf *out, struct tn_str line, bool sign)
{
	struct tn_buf made;

	if (!sign || line.size < 2) {
		tn_buf_append_str(out, line);
		return;
	}
	tn_buf_init(&made, TN_MIB);
	tn_oplog_line_begin(&made);
	tn_buf_append_byte(&made, ',');
	tn_buf_append(&made, line.data, line.size - 1);
	tn_oplog_line_end(&made);
	tn_buf_append_str(out, tn_buf_str(&made));
	tn_buf_finish(&made);
}

static void save(const struct kit_document *document, struct tn_buf *out)
{
	tn_buf_init(out, TN_MIB);
	kit_save(document, out);
	tn_assert(!out->failed);
}

static void go_back_and_forth(struct tn_oplog *log, const struct kit_document *document)
{
	struct tn_change change;
	struct tn_buf before, after;
	unsigned undone = 0;

	save(document, &before);
	while (tn_oplog_undo(log, "fuzz", -1, &change, NULL) == TENON_OK)
		undone++;
	for (; undone > 0; undone--)
		tn_assert(tn_oplog_redo(log, "fuzz", -1, &change, NULL) == TENON_OK);
	save(document, &after);
	tn_assert(tn_str_equal(tn_buf_str(&before), tn_buf_str(&after)));
	tn_assert(!tn_oplog_is_broken(log));
	tn_buf_finish(&before);
	tn_buf_finish(&after);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tn_str rest = tn_str((const char *)data, size);
	struct kit_document document = {{NULL}};
	struct tn_buf snapshot, journal;
	struct tn_oplog *log = NULL;
	size_t good = 0;
	bool sign;

	if (size < 2 || size > TN_MIB)
		return 0;
	sign = data[0] & 1;
	rest = tn_str_from_offset(rest, 1);
	tn_buf_init(&snapshot, 2 * TN_MIB);
	tn_buf_init(&journal, 16 * TN_MIB);
	add_line(&snapshot, take_line(&rest), sign);
	if (snapshot.size == 1)
		tn_buf_clear(&snapshot);
	while (rest.size > 0)
		add_line(&journal, take_line(&rest), sign);
	tn_assert(kit_open(NULL, &document, &log, NULL) == TENON_OK);
	if (tn_oplog_read_snapshot(log, &snapshot, NULL) == TENON_OK &&
	    tn_oplog_read_journal(log, &journal, &good, NULL) == TENON_OK) {
		tn_assert(good <= journal.size);
		go_back_and_forth(log, &document);
	}
	tn_oplog_close(log);
	kit_clear(&document);
	tn_buf_finish(&snapshot);
	tn_buf_finish(&journal);
	return 0;
}
