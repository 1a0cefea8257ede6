/* What an engine prints: any bytes become lines, any line becomes text that may be shown, and
 * whatever it seems to say is read (studio.md ST-088). */
#include <stdint.h>
#include <stdlib.h>

#include "apps/studio/run/run_line.h"
#include "base/error.h"
#include "base/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_clean(struct tn_str text)
{
	for (size_t i = 0; i < text.size; i++) {
		unsigned char c = (unsigned char)text.data[i];

		/* Escape only as the beginning of a colour. */
		tn_assert(c >= 0x20 || c == '\t' ||
			  (c == 0x1b && i + 1 < text.size && text.data[i + 1] == '['));
		tn_assert(c != 0x7f);
	}
	tn_assert(tn_utf8_valid(text.data ? text.data : "", text.size));
}

static void hear(struct tn_str line, uint64_t cut, void *data)
{
	struct tn_studio_said said;
	struct tn_arena arena;
	struct tn_buf clean, again;
	uint64_t *bytes = data;

	*bytes += line.size + cut;
	tn_arena_init(&arena, 64 * TN_MIB);
	tn_buf_init(&clean, 8 * TN_MIB);
	tn_buf_init(&again, 8 * TN_MIB);
	tn_studio_line_clean(&clean, line);
	check_clean(tn_buf_str(&clean));
	tn_studio_line_clean(&again, tn_buf_str(&clean));
	tn_assert(tn_str_equal(tn_buf_str(&clean), tn_buf_str(&again)));
	tn_studio_line_read(line, &arena, &said);
	tn_assert(said.says == TN_STUDIO_SAYS_TEXT || said.is_json);
	if (said.says == TN_STUDIO_SAYS_PLANNED || said.says == TN_STUDIO_SAYS_START ||
	    said.says == TN_STUDIO_SAYS_COMPLETE || said.says == TN_STUDIO_SAYS_ERRORED)
		tn_assert(said.address.size > 0);
	tn_buf_finish(&clean);
	tn_buf_finish(&again);
	tn_arena_finish(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	struct tn_studio_lines lines;
	uint64_t bytes = 0;
	size_t piece = size > 0 ? 1 + data[0] % 64u : 1;

	tn_studio_lines_init(&lines);
	for (size_t at = 0; at < size; at += piece)
		tn_studio_lines_feed(&lines,
				     tn_str(text + at, size - at < piece ? size - at : piece), hear,
				     &bytes);
	tn_studio_lines_end(&lines, hear, &bytes);
	tn_assert(bytes <= size);
	tn_studio_lines_finish(&lines);
	return 0;
}
