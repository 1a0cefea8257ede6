/* id.h - names of component types and of instances (workbench.md section 5).
 *
 * Threads: any. The slices are UTF-8 already, as everything that was read from JSON is. */
#ifndef TN_WB_VALUES_ID_H
#define TN_WB_VALUES_ID_H

#include "base/str.h"

/* Of C0 or C1, or a byte that is no UTF-8. */
bool tn_wb_has_control(struct tn_str text);
/* 1 to TN_WB_ID_BYTES_MAX bytes without control characters. */
bool tn_wb_type_id_is_valid(struct tn_str id);
/* 1 to TN_WB_ID_BYTES_MAX bytes. */
bool tn_wb_instance_id_is_valid(struct tn_str id);

#endif
