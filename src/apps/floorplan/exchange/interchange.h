/* interchange.h - a plan in other forms (floorplan.md section 10): JSON and back, canonical text,
 * a schedule of rooms, DXF, PDF. Threads: any. */
#ifndef TN_FLOOR_INTERCHANGE_H
#define TN_FLOOR_INTERCHANGE_H

#include "apps/floorplan/picture/picture.h"
#include "jsonrpc/json.h"

/* Each fails: LIMIT, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_floor_put_json(struct tn_buf *out, const struct tn_floor_plan *plan,
					      struct tenon_error *err);
/* `notes` gets a JSON array of what other readers may not know (E1, E6) and of dropped comments. */
TN_MUST_USE enum tenon_code tn_floor_put_canonical(struct tn_buf *out,
						   const struct tn_floor_plan *plan,
						   struct tn_buf *notes, struct tenon_error *err);
TN_MUST_USE enum tenon_code tn_floor_put_csv(struct tn_buf *out, const struct tn_floor_plan *plan,
					     struct tenon_error *err);
TN_MUST_USE enum tenon_code tn_floor_put_dxf(struct tn_buf *out, const struct tn_floor_plan *plan,
					     struct tenon_error *err);
struct tn_floor_pdf_options {
	const char *paper; /* "A4", "A3", "Letter" */
	double scale;      /* 50: 1:50; 0: fit */
	bool all_on_one;
	const struct tn_floor_picture_options *picture;
};
TN_MUST_USE enum tenon_code tn_floor_put_pdf(struct tn_buf *out, const struct tn_floor_plan *plan,
					     const struct tn_floor_pdf_options *options,
					     struct tenon_error *err);

/* JSON of either shape to canonical text; `faults` gets FP9001 with a path each, `warnings` what
 * was left out or renamed, both as JSON arrays. Fails: INVALID (see faults), LIMIT, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_floor_import(const struct tn_json *json, struct tn_str name,
					    struct tn_buf *text, struct tn_buf *warnings,
					    struct tn_buf *faults, struct tenon_error *err);

#endif
