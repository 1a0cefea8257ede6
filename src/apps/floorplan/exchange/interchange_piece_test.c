/* The pieces of a plan as JSON (floorplan.md 10.1): what is not there is null and no key is
 * missing, lengths are in the unit of the plan, and what was lost is remembered. */
#include "apps/floorplan/exchange/interchange_piece.h"
#include "apps/floorplan/exchange/interchange_test_kit.h"
#include "jsonrpc/json_write.h"

struct fixture {
	struct tn_floor_plan *plan;
	struct tn_buf out;
	struct tn_floor_json json;
};

static void open_text(struct fixture *f, const char *text)
{
	f->plan = kit_read(tn_str_from(text));
	assert_true(f->plan->tree.parses);
	tn_buf_init(&f->out, 4096);
	f->json = (struct tn_floor_json){.out = &f->out, .plan = f->plan};
	tn_json_begin_object(&f->out);
}

static void wrote(struct fixture *f, const char *expected)
{
	tn_json_end_object(&f->out);
	if (!tn_str_is(tn_buf_str(&f->out), expected))
		fail_msg("%.*s is not %s", (int)f->out.size, f->out.data, expected);
	f->out.size = 0;
	tn_json_begin_object(&f->out);
}

static void end(struct fixture *f)
{
	tn_buf_finish(&f->out);
	tn_floor_plan_free(f->plan);
}

static const char rooms[] = "floorplan\nconfig { default_unit: m }\nfloor F {\n"
			    "  room A at (50cm,2) size box height 270cm\n"
			    "  room B right-of A gap 20cm size (3 x 400cm)\n"
			    "  room C below A align center size (1 x 1)\n}\n"
			    "define box (10 x 12)\n";

static void lengths_are_in_the_unit_of_the_plan(void **state)
{
	struct fixture f;

	(void)state;
	open_text(&f, rooms);
	tn_floor_json_measure(&f.json, "height", &f.plan->rooms[0]->tree->height);
	tn_floor_json_measure(&f.json, "other", &f.plan->rooms[1]->tree->height);
	wrote(&f, "{\"height\":2.7,\"other\":null}");
	assert_false(f.json.rounded);
	end(&f);
}

/* A third of a foot has more than six decimals: whoever exports it is told so. */
static void what_six_decimals_cannot_hold_is_remembered(void **state)
{
	struct tn_floor_length length = {.number = 1.0 / 3, .unit = TN_FLOOR_M};
	struct fixture f;

	(void)state;
	open_text(&f, rooms);
	tn_floor_json_length(&f.json, "gap", &length);
	wrote(&f, "{\"gap\":0.333333}");
	assert_true(f.json.rounded);
	end(&f);
}

static void a_named_size_has_the_lengths_of_its_name(void **state)
{
	struct tn_floor_size none = {.there = false, .name = TN_FLOOR_NO_TOKEN};
	struct fixture f;

	(void)state;
	open_text(&f, rooms);
	tn_floor_json_size(&f.json, "size", &f.plan->rooms[0]->tree->size);
	wrote(&f, "{\"size\":{\"width\":10,\"height\":12}}");
	tn_floor_json_extent(&f.json, &f.plan->rooms[1]->tree->size);
	wrote(&f, "{\"width\":3,\"height\":4}");
	tn_floor_json_size(&f.json, "size", &none);
	tn_floor_json_extent(&f.json, &none);
	wrote(&f, "{\"size\":null,\"width\":null,\"height\":null}");
	end(&f);
}

/* A size that names nothing is a fault of the plan, not a reason to crash. */
static void a_size_of_no_name_is_null(void **state)
{
	struct tn_floor_plan *plan;
	struct tenon_error err;
	struct fixture f;

	(void)state;
	assert_int_equal(
		tn_floor_plan_create(
			TN_STR("floorplan\nfloor F {\n  room A at (0,0) size nothing\n}\n"), false,
			&plan, &err),
		TENON_OK);
	assert_false(plan->valid);
	tn_buf_init(&f.out, 4096);
	f.plan = plan;
	f.json = (struct tn_floor_json){.out = &f.out, .plan = plan};
	tn_json_begin_object(&f.out);
	if (plan->room_count)
		tn_floor_json_size(&f.json, "size", &plan->rooms[0]->tree->size);
	tn_json_end_object(&f.out);
	assert_false(f.out.failed);
	end(&f);
}

static void a_place_is_the_written_one_or_where_it_came_to_be(void **state)
{
	struct fixture f;

	(void)state;
	open_text(&f, rooms);
	tn_floor_json_place(&f.json, &f.plan->rooms[0]->tree->at, (struct tn_floor_point){7.25, 8});
	wrote(&f, "{\"x\":0.5,\"y\":2}");
	tn_floor_json_place(&f.json, &f.plan->rooms[1]->tree->at,
			    (struct tn_floor_point){7.25, -0.0});
	wrote(&f, "{\"x\":7.25,\"y\":0}");
	end(&f);
}

static void a_relative_place_names_what_it_depends_on(void **state)
{
	struct fixture f;
	const struct tn_floor_room_tree *tree;

	(void)state;
	open_text(&f, rooms);
	tree = f.plan->rooms[0]->tree;
	tn_floor_json_relative(&f.json, &tree->at, &tree->relative);
	wrote(&f, "{\"relative\":null}");
	assert_false(f.json.relative);
	tree = f.plan->rooms[1]->tree;
	tn_floor_json_relative(&f.json, &tree->at, &tree->relative);
	wrote(&f, "{\"relative\":{\"direction\":\"right-of\",\"reference\":\"A\",\"gap\":0.2,"
		  "\"align\":null}}");
	assert_true(f.json.relative);
	tree = f.plan->rooms[2]->tree;
	tn_floor_json_relative(&f.json, &tree->at, &tree->relative);
	wrote(&f, "{\"relative\":{\"direction\":\"below\",\"reference\":\"A\",\"gap\":0,"
		  "\"align\":\"center\"}}");
	end(&f);
}

static void text_that_is_empty_is_not_text_that_is_missing(void **state)
{
	struct fixture f;

	(void)state;
	open_text(&f, rooms);
	tn_floor_json_text(&f.json, "a", TN_STR("say \"hi\""));
	tn_floor_json_text(&f.json, "b", TN_STR(""));
	tn_floor_json_text(&f.json, "c", tn_str(NULL, 0));
	wrote(&f, "{\"a\":\"say \\\"hi\\\"\",\"b\":\"\",\"c\":null}");
	end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lengths_are_in_the_unit_of_the_plan),
		cmocka_unit_test(what_six_decimals_cannot_hold_is_remembered),
		cmocka_unit_test(a_named_size_has_the_lengths_of_its_name),
		cmocka_unit_test(a_size_of_no_name_is_null),
		cmocka_unit_test(a_place_is_the_written_one_or_where_it_came_to_be),
		cmocka_unit_test(a_relative_place_names_what_it_depends_on),
		cmocka_unit_test(text_that_is_empty_is_not_text_that_is_missing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
