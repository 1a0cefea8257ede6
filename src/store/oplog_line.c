#include "store/oplog_line.h"

#include <stdio.h>

#include "base/crc32c.h"

enum { DIGITS = 8, DIGITS_AT = 10, MEMBERS_AT = 20 };

static const char head[] = "{\"check\":\"00000000\",";

static void digits_of(struct tn_str line, char out[DIGITS + 1])
{
	(void)snprintf(out, DIGITS + 1, "%08x", tn_crc32c(tn_str_from_offset(line, MEMBERS_AT)));
}

void tn_oplog_line_begin(struct tn_buf *out)
{
	_Static_assert(sizeof(head) - 1 == MEMBERS_AT, "the members follow the checksum");
	tn_buf_append(out, head, MEMBERS_AT - 1); /* the writer puts the comma */
}

void tn_oplog_line_end(struct tn_buf *out)
{
	char digits[DIGITS + 1];

	tn_buf_append_byte(out, '}');
	if (out->failed)
		return;
	digits_of(tn_buf_str(out), digits);
	memcpy(out->data + DIGITS_AT, digits, DIGITS);
	tn_buf_append_byte(out, '\n');
}

bool tn_oplog_line_is_whole(struct tn_str line)
{
	char digits[DIGITS + 1];

	if (line.size <= MEMBERS_AT || memcmp(line.data, head, DIGITS_AT) != 0 ||
	    memcmp(line.data + DIGITS_AT + DIGITS, head + DIGITS_AT + DIGITS,
		   MEMBERS_AT - DIGITS_AT - DIGITS) != 0)
		return false;
	digits_of(line, digits);
	return memcmp(line.data + DIGITS_AT, digits, DIGITS) == 0;
}
