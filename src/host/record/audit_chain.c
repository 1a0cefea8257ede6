#include "host/record/audit_chain.h"

#include "base/size.h"
#include "host/limits.h"
#include "jsonrpc/json.h"

enum { ARENA_BYTES = 1024 * 1024 };

/* The entry's "prev"; NULL data: none. False: no entry. */
static bool read_entry(struct tn_str line, char prev[TN_DIGEST_HEX_SIZE])
{
	struct tn_arena arena;
	struct tn_json *root = NULL;
	struct tn_str text;
	bool is_entry;

	prev[0] = '\0';
	if (line.size > TN_AUDIT_LINE_MAX)
		return false;
	tn_arena_init(&arena, ARENA_BYTES);
	is_entry = tn_json_parse_copy(&arena, line, &root, NULL) == TENON_OK &&
		   tn_json_get(root, "time") && tn_json_get(root, "tool");
	if (is_entry && tn_json_to_str(tn_json_get(root, "prev"), &text) &&
	    text.size == TN_DIGEST_HEX_SIZE - 1) {
		memcpy(prev, text.data, text.size);
		prev[text.size] = '\0';
	}
	tn_arena_finish(&arena);
	return is_entry;
}

bool tn_audit_chain_is_entry(struct tn_str line)
{
	char prev[TN_DIGEST_HEX_SIZE];

	return read_entry(line, prev);
}

/* Entries of versions before the chain have no "prev"; one behind an entry that has one was put
 * there by somebody else. The first entry's may have stood in a file that is no longer kept. */
static bool follows(const struct tn_audit_chain *chain, const char *prev, bool *chained)
{
	bool was_chained = *chained;

	*chained = was_chained || prev[0];
	if (!prev[0])
		return !was_chained;
	return !chain->head[0] || strcmp(prev, chain->head) == 0;
}

static void feed_line(struct tn_audit_chain *chain, struct tn_str line)
{
	char prev[TN_DIGEST_HEX_SIZE];

	chain->lines++;
	if (!read_entry(line, prev)) {
		chain->damaged++;
		return;
	}
	if (!follows(chain, prev, &chain->chained) && chain->breaks++ == 0)
		chain->break_line = chain->lines;
	chain->entries++;
	tn_digest_hex(line, chain->head);
	for (size_t i = 0; i < TN_COUNT(chain->wanted); i++)
		if (chain->wanted[i] && strcmp(chain->wanted[i], chain->head) == 0)
			chain->wanted_line[i] = chain->lines;
}

void tn_audit_chain_feed(struct tn_audit_chain *chain, struct tn_str text)
{
	while (text.size) {
		size_t end = tn_str_find_byte(text, '\n');
		struct tn_str line = tn_str(text.data, end == TN_STR_NONE ? text.size : end);

		if (line.size)
			feed_line(chain, line);
		text = end == TN_STR_NONE ? tn_str("", 0) : tn_str_from_offset(text, end + 1);
	}
}
