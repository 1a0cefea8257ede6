/* fixtures_ui.c - MCP Apps: a tool with a page that shows its result, and one for the page alone.
 */
#include <string.h>

#include "fixtures.h"

#define PAGE_URI "ui://tenon-conformance/clock.html"

static const char page[] =
	"<!doctype html><html><head><meta charset=\"utf-8\"><title>Clock</title></head><body>"
	"<output id=\"time\">no time yet</output><script>"
	"addEventListener('message', function (event) {"
	"  var message = event.data;"
	"  if (message && message.method === 'ui/notifications/tool-result')"
	"    document.getElementById('time').textContent ="
	"      message.params.structuredContent.time;"
	"});"
	"parent.postMessage({jsonrpc: '2.0', id: 1, method: 'ui/initialize', params: {"
	"  appInfo: {name: 'clock', version: '1.0.0'}, appCapabilities: {},"
	"  protocolVersion: '2026-01-26'}}, '*');"
	"</script></body></html>";

static void read_page(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_add_resource_text(call, NULL, NULL, page, TENON_TEXT);
	tenon_call_set_block_meta(call, "{\"ui\":{\"prefersBorder\":true}}");
	tenon_call_finish(call);
}

const struct tenon_resource fixture_ui_resource = {
	.uri = PAGE_URI,
	.name = "clock",
	.title = "A clock",
	.description = "The page of test_ui_clock",
	.mime_type = "text/html;profile=mcp-app",
	.size_bytes = (int64_t)sizeof(page) - 1,
	.read = read_page,
};

/* The same time each day, so that tests can compare it. */
static void tell_time(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_add_text(call, "It is noon.", TENON_TEXT);
	tenon_call_set_structured(call, "{\"time\":\"12:00\"}", TENON_TEXT);
	tenon_call_set_meta(call, tenon_call_can(call, TENON_CAN_SHOW_UI)
					  ? "\"example.com/shown\":true"
					  : "\"example.com/shown\":false");
	tenon_call_finish(call);
}

const struct tenon_tool fixture_ui_tools[] = {
	{.name = "test_ui_clock",
	 .description = "Tells the time, and shows it on a page where the host can",
	 .output_schema = "{\"type\":\"object\",\"properties\":{\"time\":{\"type\":\"string\"}},"
			  "\"required\":[\"time\"]}",
	 .flags = TENON_READ_ONLY | TENON_CLOSED_WORLD,
	 .ui = PAGE_URI,
	 .call = tell_time},
	{.name = "test_ui_refresh",
	 .description = "Tells the page the time again",
	 .flags = TENON_READ_ONLY | TENON_CLOSED_WORLD,
	 .ui_only = true,
	 .call = tell_time},
	{.name = NULL},
};
