/* pointer.h - what the workbench calls the making of a JSON Pointer. Threads: any. */
#ifndef TN_WB_VALUES_POINTER_H
#define TN_WB_VALUES_POINTER_H

#include "jsonrpc/json_pointer.h"

static inline void tn_wb_pointer_push(struct tn_buf *pointer, struct tn_str token)
{
	tn_json_pointer_push(pointer, token);
}

#endif
