/* tool_picture.h - from the arguments that ask for a picture to its bytes (floorplan.md 7.2): what
 * render_floorplan and export_floorplan share. Threads: any; one act at a time. */
#ifndef TN_FLOOR_TOOL_PICTURE_H
#define TN_FLOOR_TOOL_PICTURE_H

#include "apps/floorplan/action.h"
#include "apps/floorplan/model.h"

enum tn_floor_format {
	TN_FLOOR_PNG,
	TN_FLOOR_SVG,
	TN_FLOOR_PDF,
	TN_FLOOR_DXF,
	TN_FLOOR_JSON,
	TN_FLOOR_CANONICAL,
	TN_FLOOR_CSV,
	TN_FLOOR_MODEL
};
/* "png"; the fallback when `name` is empty. */
enum tn_floor_format tn_floor_format_of(struct tn_str name, enum tn_floor_format fallback);
const char *tn_floor_format_mime(enum tn_floor_format format);

/* Options as the arguments say. False: the act has been refused, or there is no memory. */
bool tn_floor_picture_ask(struct tn_floor_act *act, struct tn_arena *arena,
			  struct tn_floor_picture_options *ret);
/* The floors that are asked for are those of act->plan. False: the act has been refused. */
bool tn_floor_picture_has_floors(struct tn_floor_act *act,
				 const struct tn_floor_picture_options *options);
/* PNG or SVG of act->plan to act->file; `before` NULL: no difference is shown. ret->display has
 * been freed. False: as above. */
bool tn_floor_picture_make(struct tn_floor_act *act, const struct tn_floor_plan *before,
			   const struct tn_floor_picture_options *options,
			   enum tn_floor_format format, struct tn_arena *arena,
			   struct tn_floor_picture *ret);
/* DXF or PDF to act->file; the paper and scale are arguments. False: as above. */
bool tn_floor_drawing_make(struct tn_floor_act *act, const struct tn_floor_picture_options *options,
			   enum tn_floor_format format);
/* A PNG of the plan in space to act->file; the camera is arguments, and told in *ret_view. False:
 * as above. */
bool tn_floor_model_make(struct tn_floor_act *act, const struct tn_floor_picture_options *options,
			 struct tn_arena *arena, struct tn_floor_picture *ret,
			 struct tn_floor_view *ret_view);
void tn_floor_put_view(struct tn_buf *out, const struct tn_floor_view *view); /* members */
/* `bytes` and `sha256` of act->file as members. */
void tn_floor_put_file(struct tn_floor_act *act);

/* clang-format off */
#define TN_FLOOR_PICTURE_ARGUMENTS \
	"\"width\":{\"type\":\"number\",\"minimum\":64,\"maximum\":8192,\"default\":800," \
	"\"description\":\"Pixels, a whole number; width times height is at most " \
	"25000000\"},\"height\":{\"type\":\"number\",\"minimum\":64,\"maximum\":8192," \
	"\"default\":600,\"description\":\"Pixels, a whole " \
	"number\"},\"floors\":{\"type\":\"array\",\"minItems\":1,\"maxItems\":64," \
	"\"items\":{\"type\":\"string\",\"minLength\":1},\"description\":\"Which floors, " \
	"by their ids\"},\"floorIndex\":{\"type\":\"integer\",\"minimum\":0," \
	"\"default\":0,\"description\":\"One floor, counted from " \
	"0\"},\"renderAllFloors\":{\"type\":\"boolean\",\"default\":false," \
	"\"description\":\"All floors in one picture\"}," \
	"\"multiFloorLayout\":{\"type\":\"string\",\"enum\":[\"sideBySide\",\"stacked\"]," \
	"\"default\":\"sideBySide\",\"description\":\"How several floors are " \
	"placed\"},\"theme\":{\"type\":\"string\",\"enum\":[\"default\",\"dark\"," \
	"\"blueprint\"],\"description\":\"Colours; without it the " \
	"plan's\"},\"showLabels\":{\"type\":\"boolean\",\"description\":\"Names and " \
	"sizes in rooms; without it the plan's\"}," \
	"\"showDimensions\":{\"type\":\"boolean\",\"description\":\"Dimension lines; " \
	"without it the plan's\"},\"showArea\":{\"type\":\"boolean\",\"default\":false," \
	"\"description\":\"Areas in rooms\"},\"showFloorSummary\":{\"type\":\"boolean\"," \
	"\"default\":false,\"description\":\"A line of totals below each " \
	"floor\"},\"showLegend\":{\"type\":\"boolean\",\"default\":false," \
	"\"description\":\"The legend, also when no room needs " \
	"it\"},\"showScaleBar\":{\"type\":\"boolean\",\"default\":true," \
	"\"description\":\"A bar of a round length\"},\"areaUnit\":{\"type\":\"string\"," \
	"\"enum\":[\"sqft\",\"sqm\"],\"description\":\"Of areas; without it the " \
	"plan's\"},\"lengthUnit\":{\"type\":\"string\",\"enum\":[\"m\",\"ft\",\"cm\"," \
	"\"in\",\"mm\"],\"description\":\"Of dimension texts; without it the " \
	"plan's\"},\"dimensionMode\":{\"type\":\"string\",\"enum\":[\"chain\",\"rooms\"]," \
	"\"default\":\"chain\",\"description\":\"Chains outside, or each room's own " \
	"inside\"},\"dimensionFormat\":{\"type\":\"string\",\"enum\":[\"decimal\"," \
	"\"architectural\"],\"default\":\"decimal\",\"description\":\"12.5 ft, or feet " \
	"and inches (only for ft and in)\"}"
#define TN_FLOOR_PAPER_ARGUMENTS \
	"\"paper\":{\"type\":\"string\",\"enum\":[\"A4\",\"A3\",\"Letter\"]," \
	"\"default\":\"A4\",\"description\":\"Of pdf\"},\"scale\":{\"type\":\"string\"," \
	"\"pattern\":\"^(fit|1:[1-9][0-9]{0,4})$\",\"default\":\"fit\"," \
	"\"description\":\"Of pdf: 1:50, 1:100, or " \
	"fit\"},\"allOnOne\":{\"type\":\"boolean\",\"default\":false," \
	"\"description\":\"Of pdf: all floors on one page\"}"
#define TN_FLOOR_PLACE(text) \
	"{\"type\":\"object\",\"properties\":{" \
	"\"x\":{\"type\":\"number\",\"minimum\":-1e7,\"maximum\":1e7}," \
	"\"y\":{\"type\":\"number\",\"minimum\":-1e7,\"maximum\":1e7}," \
	"\"z\":{\"type\":\"number\",\"minimum\":-1e7,\"maximum\":1e7}}," \
	"\"required\":[\"x\",\"y\",\"z\"],\"additionalProperties\":false," \
	"\"description\":\"" text "\"}"
#define TN_FLOOR_CAMERA_ARGUMENTS \
	"\"projection\":{\"type\":\"string\",\"enum\":[\"isometric\"," \
	"\"perspective\"],\"default\":\"isometric\",\"description\":\"Of 3d-png: parallel " \
	"rays, always the whole plan, or as an eye sees it\"},\"cameraPosition\":" \
	TN_FLOOR_PLACE("Of 3d-png, in the plan's unit: x and y as in the plan, z up from the " \
		       "first floor. Without it all is seen from the lower right; isometric " \
		       "takes the direction from it") \
	",\"cameraTarget\":" \
	TN_FLOOR_PLACE("Of 3d-png: what the camera looks at; without it the middle of the plan") \
	",\"fov\":{\"type\":\"number\",\"minimum\":10,\"maximum\":120,\"default\":50," \
	"\"description\":\"Of 3d-png in perspective: degrees from top to bottom\"}"
/* clang-format on */

#endif
