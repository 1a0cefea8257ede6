#include "mcp/finder/finder.h"
#include "mcp/finder/tools.h"

void tn_finder_call_call_writing(struct tenon_call *call, void *data)
{
	tn_finder_call_call(call, data); /* no tool of that name, or a finder */
}
