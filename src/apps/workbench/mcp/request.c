#include "apps/workbench/mcp/request.h"

#include <stdio.h>

#include "mcp/server.h"

void tn_wb_request_begin(struct tn_wb_request *request, const struct tn_wb_acting *acting,
			 uint64_t number)
{
	struct tn_wb_door *door = acting->door;

	*request = (struct tn_wb_request){.door = door,
					  .next = door->requests,
					  .number = number,
					  .began_ms = tn_server_now_ms(door->server),
					  .state_since_ms = acting->session->state_since_ms};
	(void)snprintf(request->workspace, sizeof(request->workspace), "%s", acting->workspace->id);
	(void)snprintf(request->session, sizeof(request->session), "%s", acting->session->id);
	door->requests = request;
}

void tn_wb_request_end(struct tn_wb_request *request)
{
	struct tn_wb_request **at = request->door ? &request->door->requests : NULL;

	while (at && *at && *at != request)
		at = &(*at)->next;
	if (at && *at)
		*at = request->next;
}

struct tn_wb_session *tn_wb_request_session(const struct tn_wb_request *request)
{
	const struct tn_wb_workspace *workspace =
		tn_wb_workspaces_find(&request->door->workspaces, tn_str_from(request->workspace));

	return workspace ? tn_wb_session_of(workspace, request->session) : NULL;
}

/* Without extent where it is none, or larger than a window is. */
static struct tn_wb_rect read_rect(const struct tn_json *json)
{
	static const char *const names[] = {"x", "y", "width", "height"};
	double values[4];

	for (size_t i = 0; i < 4; i++)
		if (!tn_json_to_double(tn_json_get(json, names[i]), &values[i]) || values[i] < 0 ||
		    values[i] > TN_WB_WINDOW_MAX)
			return (struct tn_wb_rect){0};
	return (struct tn_wb_rect){values[0], values[1], values[2], values[3]};
}

void tn_wb_request_answered(struct tn_wb_door *door, const struct tn_wb_session *session,
			    uint64_t number, bool ok, struct tn_str code,
			    const struct tn_json *rect)
{
	for (struct tn_wb_request *at = door->requests; at; at = at->next) {
		if (at->number != number || strcmp(at->session, session->id) != 0)
			continue;
		at->answered = true;
		at->ok = ok;
		at->rect = read_rect(rect);
		(void)snprintf(at->code, sizeof(at->code), "%.*s",
			       (int)(code.size < sizeof(at->code) ? code.size : 0),
			       code.data ? code.data : "");
	}
}

uint64_t tn_wb_request_age_ms(const struct tn_wb_request *request)
{
	return tn_server_now_ms(request->door->server) - request->began_ms;
}
