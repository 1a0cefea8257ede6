/* tool_picture.h - from the arguments that ask for a picture to its bytes (floorplan.md 7.2): what
 * render_floorplan and export_floorplan share. Threads: any; one act at a time. */
#ifndef TN_FLOOR_TOOL_PICTURE_H
#define TN_FLOOR_TOOL_PICTURE_H

#include "apps/floorplan/mcp/action.h"
#include "apps/floorplan/picture/model.h"

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
/* `fonts` and `boxes` as members, where the picture's letters are from fonts of the machine or no
 * font has them; and in brief. */
void tn_floor_put_letters(struct tn_floor_act *act);
void tn_floor_put_letter_names(struct tn_floor_act *act);
/* `bytes` and `sha256` of act->file as members. */
void tn_floor_put_file(struct tn_floor_act *act);

#endif
