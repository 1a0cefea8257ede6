/* Drawings for other programs and for paper: DXF and PDF (floorplan.md 10.2, 10.3). */
#include "apps/floorplan/exchange/interchange.h"
#include "apps/floorplan/mcp/tool_picture.h"

static double scale_of(const struct tn_floor_act *act)
{
	struct tn_str text = tn_floor_argument_text(act, "scale");
	uint64_t number = 0;

	if (text.size > 2 && tn_str_starts(text, TN_STR("1:")))
		(void)tn_str_to_uint(tn_str_from_offset(text, 2), &number);
	return (double)number;
}

bool tn_floor_drawing_make(struct tn_floor_act *act, const struct tn_floor_picture_options *options,
			   enum tn_floor_format format)
{
	struct tn_str paper = tn_floor_argument_text(act, "paper");
	const struct tn_floor_pdf_options pdf = {
		.paper = tn_str_is(paper, "A3")       ? "A3"
			 : tn_str_is(paper, "Letter") ? "Letter"
						      : "A4",
		.scale = scale_of(act),
		.all_on_one = tn_floor_argument_bool(act, "allOnOne", false),
		.picture = options};
	struct tenon_error err = {0};
	enum tenon_code code;

	/* A DXF has all floors, whichever are asked for. */
	if (format == TN_FLOOR_PDF && !tn_floor_picture_has_floors(act, options))
		return false;
	code = format == TN_FLOOR_PDF ? tn_floor_put_pdf(&act->file, act->plan, &pdf, &err)
				      : tn_floor_put_dxf(&act->file, act->plan, &err);
	act->mime = tn_floor_format_mime(format);
	if (code != TENON_OK) {
		err.code = code;
		tn_floor_act_fail(act, &err);
	}
	return code == TENON_OK;
}
