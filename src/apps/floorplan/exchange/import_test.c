/* Plans from JSON of either shape, and what is told of those that are faulty (floorplan.md 10.1).
 */
#include "apps/floorplan/exchange/interchange_test_kit.h"

#include "apps/floorplan/limits.h"

static void expect_import(const char *json, const char *text, const char *warnings)
{
	struct import found;

	kit_import(tn_str_from(json), &found);
	if (found.code != TENON_OK)
		fail_msg("%s", found.faults.data);
	assert_string_equal(found.text.data, text);
	assert_string_equal(found.warnings.data, warnings);
	kit_import_finish(&found);
}

static void expect_faults(const char *json, const char *faults)
{
	struct import found;

	kit_import(tn_str_from(json), &found);
	assert_int_equal(found.code, TENON_INVALID);
	assert_string_equal(found.faults.data, faults);
	assert_int_equal(found.text.size, 1); /* nothing but the NUL of this test */
	kit_import_finish(&found);
}

#define SOLID "walls [top: solid, right: solid, bottom: solid, left: solid]"

static void test_older_shape(void **state)
{
	(void)state;
	expect_import(
		"{\"grammarVersion\":\"0.1.0\",\"floors\":[{\"id\":\"f1\",\"index\":0,\"rooms\":["
		"{\"name\":\"A\",\"x\":0,\"z\":2,\"width\":10,\"height\":8,\"walls\":[{"
		"\"direction\":\"top\",\"type\":\"window\",\"position\":25},{\"direction\":"
		"\"left\","
		"\"type\":\"open\"}]},{\"name\":\"B\",\"x\":10,\"z\":2,\"width\":5,\"height\":8}]}]"
		","
		"\"connections\":[{\"fromRoom\":\"A\",\"fromWall\":\"right\",\"toRoom\":\"B\","
		"\"toWall\":\"left\",\"doorType\":\"door\",\"position\":30,\"swing\":\"left\","
		"\"opensInto\":\"B\",\"width\":3,\"fullHeight\":true}]}",
		"%%{version: \"1.0\"}%%\nfloorplan\n  config { default_unit: ft }\n  floor f1 {\n"
		"    room A at (0,2) size (10 x 8) walls [top: window at 25%, right: solid, "
		"bottom: "
		"solid, left: open]\n"
		"    room B at (10,2) size (5 x 8) " SOLID "\n  }\n"
		"  connect A.right to B.left door at 30% size (3 x full) opens into B swing: "
		"left\n",
		"[]");
}

static void test_names(void **state)
{
	(void)state;
	expect_import(
		"{\"format\":\"floorplan/1\",\"colour\":1,\"floors\":[{\"id\":\"1st\",\"rooms\":["
		"{\"name\":\"Living Room\",\"x\":0,\"y\":0,\"width\":1,\"height\":1},"
		"{\"name\":\"Living_Room\",\"width\":1,\"height\":1,\"relative\":{\"direction\":"
		"\"right-of\",\"reference\":\"Living Room\"}},"
		"{\"name\":\"door\",\"x\":9,\"y\":9,\"width\":1,\"height\":1,\"label\":\"D\"}]}],"
		"\"connections\":[{\"from\":\"Living Room\",\"to\":\"Living_Room\",\"type\":"
		"\"opening\"}]}",
		"%%{version: \"1.0\"}%%\nfloorplan\n  config { default_unit: ft }\n  floor _1st {\n"
		"    room Living_Room_2 at (0,0) size (1 x 1) " SOLID " label \"Living Room\"\n"
		"    room Living_Room size (1 x 1) " SOLID " right-of Living_Room_2\n"
		"    room door_ at (9,9) size (1 x 1) " SOLID " label \"D\"\n"
		"  }\n  connect Living_Room_2 to Living_Room opening\n",
		"[{\"message\":\"the field 'colour' is not known and left out\",\"path\":\"\"},"
		"{\"message\":\"'1st' is no name and is called '_1st'\",\"path\":\"/floors/0\"},"
		"{\"message\":\"'Living Room' is no name and is called 'Living_Room_2'\",\"path\":"
		"\"/floors/0/rooms/0\"},{\"message\":\"'door' is no name and is called 'door_'\","
		"\"path\":\"/floors/0/rooms/2\"}]");
}

static void test_faults(void **state)
{
	(void)state;
	expect_faults("[]",
		      "[{\"code\":\"FP9001\",\"message\":\"an object is due here, not array\","
		      "\"path\":\"\"}]");
	expect_faults(
		"{\"format\":\"x\",\"floors\":[{\"id\":\"F\",\"rooms\":[{\"name\":\"A\",\"x\":"
		"\"1\","
		"\"y\":0,\"width\":0,\"height\":1e9}]}],\"verticals\":[[]]}",
		"[{\"code\":\"FP9001\",\"message\":\"'x' is none of: floorplan/1\",\"path\":"
		"\"/format\"},{\"code\":\"FP9001\",\"message\":\"a number is due here, not "
		"string\","
		"\"path\":\"/floors/0/rooms/0/x\"},{\"code\":\"FP9001\",\"message\":"
		"\"numbers go up to 1000000\",\"path\":\"/floors/0/rooms/0/height\"},{\"code\":"
		"\"FP9001\",\"message\":\"a number above zero is due here\",\"path\":"
		"\"/floors/0/rooms/0/width\"},{\"code\":\"FP9001\",\"message\":"
		"\"a vertical link is an array of two or more\",\"path\":\"/verticals/0\"}]");
}

#define FAULT(message, path) \
	"{\"code\":\"FP9001\",\"message\":\"" message "\",\"path\":\"" path "\"}"
#define A_ROOM(members)                                                      \
	"{\"format\":\"floorplan/1\",\"floors\":[{\"id\":\"F\",\"rooms\":[{" \
	"\"name\":\"A\"," members "}]}]}"
#define AT "/floors/0/rooms/0"

/* 5.2: what is there and wrong is not missing as well. */
static void test_one_fault_each(void **state)
{
	(void)state;
	expect_faults(A_ROOM("\"x\":1e300,\"y\":0,\"width\":1,\"height\":1"),
		      "[" FAULT("numbers go up to 1000000", AT "/x") "]");
	expect_faults(A_ROOM("\"x\":0,\"y\":0,\"width\":1e300,\"height\":\"2\""),
		      "[" FAULT("numbers go up to 1000000", AT "/width") "," FAULT(
			      "a number is due here, not string", AT "/height") "]");
	expect_faults(A_ROOM("\"y\":true,\"width\":1"),
		      "[" FAULT("a number is due here, not boolean", AT "/y") "," FAULT(
			      "'x' is missing", AT "/x") "," FAULT("'height' is missing",
								   AT "/height") "]");
	expect_faults("{\"format\":\"floorplan/1\",\"floors\":[],\"styles\":[{\"name\":1.5}]}",
		      "[" FAULT("a text is due here, not number", "/styles/0/name") "]");
}

/* Texts that no string of the language can hold. */
static void test_texts(void **state)
{
	(void)state;
	expect_import(
		"{\"format\":\"floorplan/1\",\"title\":\"two\\nlines\",\"floors\":[{\"id\":\"F\","
		"\"rooms\":[{\"name\":\"A\",\"x\":0,\"y\":0,\"width\":1,\"height\":1,\"label\":"
		"\"a\\\"b'c\\u0000\"}]}]}",
		"---\ntitle: \"two lines\"\n---\n%%{version: \"1.0\"}%%\nfloorplan\n  config { "
		"default_unit: ft }\n  floor F {\n    room A at (0,0) size (1 x 1) " SOLID
		" label \"a'b'c \"\n  }\n",
		"[{\"message\":\"a control character became a blank\",\"path\":\"/title\"},"
		"{\"message\":\"the text has both kinds of quotes; \\\" became '\",\"path\":"
		"\"/floors/0/rooms/0/label\"},{\"message\":\"the text has a NUL, which became a "
		"blank\",\"path\":\"/floors/0/rooms/0/label\"}]");
}

/* Nesting, the size of the text, and how many faults are told of (7.1, 11). */
static void test_limits(void **state)
{
	struct import found;
	struct tn_buf json;
	size_t told = 0;

	(void)state;
	tn_buf_init(&json, 4 * TN_MIB);
	tn_buf_append_text(&json, "{\"format\":\"floorplan/1\",\"floors\":[{\"id\":\"F\",");
	for (int i = 0; i < TN_FLOOR_DEPTH_MAX + 2; i++)
		tn_buf_format(&json,
			      "\"rooms\":[{\"name\":\"R%d\",\"x\":0,\"y\":0,\"width\":1,"
			      "\"height\":1%s",
			      i, i == TN_FLOOR_DEPTH_MAX + 1 ? "" : ",");
	for (int i = 0; i < TN_FLOOR_DEPTH_MAX + 2; i++)
		tn_buf_append_text(&json, "}]");
	tn_buf_append_text(&json, "}]}");
	kit_import(tn_buf_str(&json), &found);
	assert_int_equal(found.code, TENON_INVALID);
	assert_non_null(strstr(found.faults.data, "rooms are nested at most 8 deep"));
	kit_import_finish(&found);

	tn_buf_clear(&json);
	tn_buf_append_text(&json, "{\"format\":\"floorplan/1\",\"floors\":[{}");
	for (int i = 0; i < 100; i++)
		tn_buf_append_text(&json, ",{}");
	tn_buf_append_text(&json, "]}");
	kit_import(tn_buf_str(&json), &found);
	for (const char *at = found.faults.data; (at = strstr(at, "FP9001")); at++)
		told++;
	assert_int_equal(told, 20);
	kit_import_finish(&found);

	tn_buf_clear(&json);
	tn_buf_append_text(&json, "{\"format\":\"floorplan/1\",\"floors\":[],\"styles\":[{"
				  "\"name\":\"S\",\"roughness\":1}");
	for (int i = 0; i < 300; i++)
		tn_buf_format(&json, ",{\"name\":\"S%d\",\"floor_texture\":\"%04090d\"}", i, i);
	tn_buf_append_text(&json, "]}");
	kit_import(tn_buf_str(&json), &found);
	assert_int_equal(found.code, TENON_INVALID);
	assert_non_null(strstr(found.faults.data, "text would be larger than 1048576 bytes"));
	kit_import_finish(&found);
	tn_buf_finish(&json);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_older_shape), cmocka_unit_test(test_names),
		cmocka_unit_test(test_faults),      cmocka_unit_test(test_texts),
		cmocka_unit_test(test_limits),      cmocka_unit_test(test_one_fault_each),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
