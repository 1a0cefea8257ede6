/* S18: a tag in a page of somebody else's loads the script from here. */
#include "gateway/internal.h"

/* The block goes into the page (A3), by a text node: pages that trust no texts for scripts (Trusted
 * Types) let that pass. */
static const char before[] =
	"(function(){var id=\"skaffa-rt-config\";if(document.getElementById(id))return;"
	"var block=document.createElement(\"script\");block.type=\"application/json\";"
	"block.id=id;block.appendChild(document.createTextNode(JSON.stringify(";
static const char after[] =
	")));(document.head||document.documentElement).appendChild(block)})();\n";

enum tenon_code tn_gateway_make_tagged(struct tn_gateway *gateway, struct tn_str block,
				       struct tenon_error *err)
{
	tn_buf_init(&gateway->tagged, gateway->adapter.size + 64 * TN_KIB);
	tn_buf_append_text(&gateway->tagged, before);
	tn_buf_append_str(&gateway->tagged, block);
	tn_buf_append_text(&gateway->tagged, after);
	tn_buf_append_str(&gateway->tagged, gateway->adapter);
	return tn_buf_check(&gateway->tagged, err);
}

/* The origin that a page asks from cannot be made up or left out by it where its tag says
 * "crossorigin"; without that there is none, and any page could load the script and find the key in
 * its own document. */
void tn_gateway_answer_tag(struct tn_gateway_connection *c)
{
	const struct tn_gateway *gateway = c->gateway;
	struct tn_str origin = tn_request_header(c->parser, c->in.data, "Origin");
	struct tn_buf lines;

	if (!gateway->page_origin || !tn_str_is(origin, gateway->page_origin)) {
		tn_gateway_say(c, 403,
			       "This script is for pages of the server that is previewed, by the "
			       "tag with \"crossorigin\".\n");
		return;
	}
	tn_buf_init(&lines, 4 * TN_KIB);
	tn_buf_format(&lines, "Access-Control-Allow-Origin: %s\r\nVary: Origin\r\n",
		      gateway->page_origin);
	if (lines.failed)
		c->phase = TN_GATEWAY_DEAD;
	else
		tn_gateway_answer_with(c, tn_buf_str(&lines), 200, "text/javascript; charset=utf-8",
				       tn_buf_str(&gateway->tagged));
	tn_buf_finish(&lines);
}
