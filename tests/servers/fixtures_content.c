/* fixtures_content.c - tools, resources and prompts that answer at once with fixed content. */
#include <stdio.h>
#include <string.h>

#include "fixtures.h"

/* ---- tools (mcp-conformance.md section 4.1) ---- */

static void simple_text(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_reply_text(call, "This is a simple text response for testing.");
}

static void image(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_add_image(call, "image/png", fixture_png, fixture_png_size);
	tenon_call_finish(call);
}

static void audio(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_add_audio(call, "audio/wav", fixture_wav, fixture_wav_size);
	tenon_call_finish(call);
}

static void embedded_resource(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_add_resource_text(call, "test://embedded-resource", "text/plain",
				     "This is an embedded resource content.", TENON_TEXT);
	tenon_call_finish(call);
}

static void multiple_types(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_add_text(call, "Multiple content types test:", TENON_TEXT);
	tenon_call_add_image(call, "image/png", fixture_png, fixture_png_size);
	tenon_call_add_resource_text(call, "test://mixed-content-resource", "application/json",
				     "{\"test\":\"data\",\"value\":123}", TENON_TEXT);
	tenon_call_finish(call);
}

static void error_handling(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_fail(call, "This tool intentionally returns an error for testing");
}

static void schema_only(struct tenon_call *call, void *data)
{
	(void)data;
	const char *arguments = tenon_call_json(call, NULL);
	fixture_reply(call, "Accepted: %s", arguments ? arguments : "{}");
}

static void header_param(struct tenon_call *call, void *data)
{
	(void)data;
	const char *region = tenon_call_text(call, "region");
	if (!region) {
		tenon_call_reply_text(call, "No region.");
		return;
	}
	region = fixture_text(call, "region");
	if (region)
		fixture_reply(call, "Region: %s", region);
}

/* Word for word what section 4.2 of the contract prints: the suite compares it with the list. */
static const char json_schema_2020_12[] =
	"{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"type\":\"object\","
	"\"$defs\":{\"address\":{\"$anchor\":\"addressDef\",\"type\":\"object\",\"properties\":"
	"{\"street\":{\"type\":\"string\"},\"city\":{\"type\":\"string\"}}}},"
	"\"properties\":{\"name\":{\"type\":\"string\"},\"address\":{\"$ref\":\"#/$defs/address\"},"
	"\"contactMethod\":{\"type\":\"string\",\"enum\":[\"phone\",\"email\"]},"
	"\"phone\":{\"type\":\"string\"},\"email\":{\"type\":\"string\"}},"
	"\"allOf\":[{\"anyOf\":[{\"required\":[\"phone\"]},{\"required\":[\"email\"]}]}],"
	"\"if\":{\"properties\":{\"contactMethod\":{\"const\":\"phone\"}},"
	"\"required\":[\"contactMethod\"]},"
	"\"then\":{\"required\":[\"phone\"]},\"else\":{\"required\":[\"email\"]},"
	"\"additionalProperties\":false}";

static const char header_schema[] =
	"{\"type\":\"object\",\"properties\":{\"region\":{\"type\":\"string\","
	"\"description\":\"Mirrored in a header\",\"x-mcp-header\":\"Region\"},"
	"\"note\":{\"type\":\"string\",\"description\":\"Anything\"}}}";

const struct tenon_tool fixture_content_tools[] = {
	{.name = "test_simple_text",
	 .description = "Answers with one text block",
	 .flags = TENON_READ_ONLY,
	 .call = simple_text},
	{.name = "test_image_content",
	 .description = "Answers with a picture of one pixel",
	 .call = image},
	{.name = "test_audio_content", .description = "Answers with a short sound", .call = audio},
	{.name = "test_embedded_resource",
	 .description = "Answers with an embedded resource",
	 .call = embedded_resource},
	{.name = "test_multiple_content_types",
	 .description = "Answers with a text, a picture and a resource",
	 .call = multiple_types},
	{.name = "test_error_handling",
	 .description = "Fails, as a tool fails: with a result",
	 .call = error_handling},
	{.name = "json_schema_2020_12_tool",
	 .description = "Has an input schema with many keywords",
	 .input_schema = json_schema_2020_12,
	 .call = schema_only},
	{.name = "test_header_param",
	 .description = "Has an argument that HTTP clients repeat in a header",
	 .input_schema = header_schema,
	 .call = header_param},
	{.name = NULL}};

/* ---- resources (section 4.4) ---- */

static void read_static_text(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_add_resource_text(call, NULL, "text/plain",
				     "This is the content of the static text resource.",
				     TENON_TEXT);
	tenon_call_finish(call);
}

static void read_static_binary(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_add_resource_blob(call, NULL, "image/png", fixture_png, fixture_png_size);
	tenon_call_finish(call);
}

static void read_watched(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_add_resource_text(call, NULL, "text/plain", "This resource can be watched.",
				     TENON_TEXT);
	tenon_call_finish(call);
}

static void read_template(struct tenon_call *call, void *data)
{
	(void)data;
	char text[1024];
	const char *id = tenon_call_json(call, "id"); /* as JSON, so already quoted and escaped */
	if (!id || strlen(id) > 256) {
		tenon_call_not_found(call);
		return;
	}
	const int size = snprintf(text, sizeof(text),
				  "{\"id\":%s,\"templateTest\":true,\"data\":\"Data for ID: %s}",
				  id, id + 1);
	tenon_call_add_resource_text(call, NULL, "application/json", text, (size_t)size);
	tenon_call_finish(call);
}

const struct tenon_resource fixture_resources[] = {{.uri = "test://static-text",
						    .name = "static-text",
						    .description = "A text that never changes",
						    .mime_type = "text/plain",
						    .size_bytes = -1,
						    .read = read_static_text},
						   {.uri = "test://static-binary",
						    .name = "static-binary",
						    .description = "A picture that never changes",
						    .mime_type = "image/png",
						    .size_bytes = -1,
						    .read = read_static_binary},
						   {.uri = "test://watched-resource",
						    .name = "watched-resource",
						    .description = "A text one can subscribe to",
						    .mime_type = "text/plain",
						    .size_bytes = -1,
						    .read = read_watched},
						   {.uri = NULL}};

const struct tenon_resource_template fixture_templates[] = {
	{.uri_template = "test://template/{id}/data",
	 .name = "template",
	 .description = "A little JSON about any id",
	 .mime_type = "application/json",
	 .read = read_template},
	{.uri_template = NULL}};

/* ---- prompts (section 4.4) ---- */

static void get_simple(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_reply_text(call, "This is a simple prompt for testing.");
}

static void get_with_arguments(struct tenon_call *call, void *data)
{
	(void)data;
	const char *arg1 = fixture_text(call, "arg1");
	const char *arg2 = arg1 ? fixture_text(call, "arg2") : NULL;
	if (arg2)
		fixture_reply(call, "Prompt with arguments: arg1='%s', arg2='%s'", arg1, arg2);
}

static void complete_argument(struct tenon_call *call, void *data)
{
	static const char *const words[] = {"paris", "park", "party"};
	const char *name, *typed;
	(void)data;
	tenon_call_completing(call, &name, &typed);
	for (size_t i = 0; strcmp(name, "arg1") == 0 && i < sizeof(words) / sizeof(words[0]); i++) {
		if (strncmp(words[i], typed, strlen(typed)) == 0)
			tenon_call_add_completion(call, words[i]);
	}
	tenon_call_finish(call);
}

static void get_with_resource(struct tenon_call *call, void *data)
{
	(void)data;
	const char *uri = fixture_text(call, "resourceUri");
	if (!uri)
		return;
	tenon_call_add_resource_text(call, uri, "text/plain",
				     "Embedded resource content for testing.", TENON_TEXT);
	tenon_call_reply_text(call, "Please process the embedded resource above.");
}

static void get_with_image(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_add_image(call, "image/png", fixture_png, fixture_png_size);
	tenon_call_reply_text(call, "Please analyze the image above.");
}

static const struct tenon_prompt_argument two_arguments[] = {
	{.name = "arg1", .description = "The first argument", .required = 1},
	{.name = "arg2", .description = "The second argument", .required = 1}};

static const struct tenon_prompt_argument uri_argument[] = {
	{.name = "resourceUri", .description = "The URI of the resource", .required = 1}};

const struct tenon_prompt fixture_prompts[] = {{.name = "test_simple_prompt",
						.description = "A prompt without arguments",
						.get = get_simple},
					       {.name = "test_prompt_with_arguments",
						.description = "A prompt with two arguments",
						.arguments = two_arguments,
						.argument_count = 2,
						.get = get_with_arguments,
						.complete = complete_argument},
					       {.name = "test_prompt_with_embedded_resource",
						.description = "A prompt that embeds a resource",
						.arguments = uri_argument,
						.argument_count = 1,
						.get = get_with_resource},
					       {.name = "test_prompt_with_image",
						.description = "A prompt with a picture",
						.get = get_with_image},
					       {.name = NULL}};
