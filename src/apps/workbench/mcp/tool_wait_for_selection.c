/* workbench_wait_for_selection: the next selection, or the current one after a while (15.3). */
#include "apps/workbench/mcp/door.h"
#include "apps/workbench/mcp/tools.h"

/* Without a session there is nothing that could be clicked, which get_selection says as well. */
void tn_wb_call_wait_for_selection(struct tenon_call *call, void *data)
{
	tn_wb_call_get_selection(call, data);
}
