/* Where a message of the language server begins and ends in what has come so far. */
#include "apps/floorplan/lsp/lsp.h"
#include "apps/floorplan/limits.h"

/* Two lengths are refused: whoever reads the other one sees other messages. Other fields do not
 * matter. */
static bool read_length(struct tn_str header, size_t *ret)
{
	bool found = false;

	while (header.size > 0) {
		size_t end = tn_str_find(header, TN_STR("\r\n"));
		struct tn_str line = end == TN_STR_NONE ? header : tn_str(header.data, end);
		size_t colon = tn_str_find_byte(line, ':');
		uint64_t value;

		header = end == TN_STR_NONE ? tn_str("", 0) : tn_str_from_offset(header, end + 2);
		if (colon == TN_STR_NONE ||
		    !tn_str_equal_nocase(tn_str(line.data, colon), TN_STR("Content-Length")))
			continue;
		if (found ||
		    !tn_str_to_uint(tn_str_trim(tn_str_from_offset(line, colon + 1)), &value) ||
		    value > TN_LSP_MESSAGE_BYTES_MAX)
			return false;
		*ret = (size_t)value;
		found = true;
	}
	return found;
}

enum tn_lsp_frame tn_lsp_frame(struct tn_str in, struct tn_str *ret_message, size_t *ret_end)
{
	size_t most = TN_LSP_HEADER_BYTES_MAX, length = 0,
	       end = tn_str_find(tn_str(in.data, in.size < most ? in.size : most),
				 TN_STR("\r\n\r\n"));

	if (end == TN_STR_NONE)
		return in.size < most ? TN_LSP_FRAME_PART : TN_LSP_FRAME_BAD;
	if (!read_length(tn_str(in.data, end), &length))
		return TN_LSP_FRAME_BAD;
	end += 4;
	if (in.size - end < length)
		return TN_LSP_FRAME_PART;
	*ret_message = tn_str(in.data + end, length);
	*ret_end = end + length;
	return TN_LSP_FRAME_WHOLE;
}
