/* Every allocation of reading a plan fails once, and from then on always: no crash, no leak, and an
 * answer that says so. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "apps/floorplan/plan/plan.h"
#include "short_memory.h"

/* Some of everything, and enough faults that diagnostics are made. */
static const char plan_text[] =
	"---\nversion: 1.0\nconfig:\n  theme: dark\n  colour: 3\n---\nfloorplan\n"
	"define big (3 x 3)\nstyle Oak { floor_color: \"#112233\", shine: 1 }\n"
	"config { default_style: Oka, wall_thickness: 0.5 }\n"
	"floor F {\nroom A at (0,0) size (40 x 40) walls [left: window, top: door] composed of [\n"
	"sub-room B at (0,0) size big sub-room C size (3 x 3) right-of B walls [left: open] ]\n"
	"room D size (9 x 9) right-of A\nroom E at (50,-1) size (9 x 9) style Oal\n"
	"room G size (1 x 1) below Dd\nroom H size (1 x 1) below I room I size (1 x 1) below H\n"
	"room J size (1 x 1)\n"
	"stair S at (1,1) shape U-shaped from top turn left rise 9 riser 1\n"
	"stair T at (9,9) shape custom from top [flight 3, turn left landing (1 x 1), flight 9 "
	"along "
	"Aa.top] rise 9\nlift L at (1,1) size (3 x 3)\n}\n"
	"connect A.right to D.left door\nconnect D to A opening\nconnect C to A door\n"
	"connect D to outside door\nconnect A to Z door\nvertical F.S to F.L to F.M\n";

static void fail_each(bool goes_on)
{
	unsigned long nth = 0;
	unsigned refused = 0;

	fault = (struct short_memory){.armed = false};
	do {
		struct tn_floor_plan *plan = NULL;
		struct tenon_error err;
		enum tenon_code code;

		fault.goes_on = goes_on;
		fault.nth = ++nth;
		fault.count = 0;
		fault.hit = false;
		fault.armed = true;
		code = tn_floor_plan_create(tn_str_from(plan_text), false, &plan, &err);
		fault.armed = false;
		if (code == TENON_OK) {
			assert_false(fault.hit); /* no plan is half read */
			assert_true(plan->tree.parses && plan->room_count == 9);
			assert_true(plan->diagnostics.counts[TN_FLOOR_ERROR] > 8);
		} else {
			assert_int_equal(code, TENON_NO_MEMORY);
			assert_null(plan);
			refused++;
		}
		tn_floor_plan_free(plan);
		assert_int_equal(fault.live, 0);
	} while (fault.hit);
	assert_true(refused > 5);
	print_message("%lu allocations, %u times refused\n", nth - 1, refused);
}

static void test_each_once(void **state)
{
	(void)state;
	fail_each(false);
}

static void test_each_for_good(void **state)
{
	(void)state;
	fail_each(true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_once),
		cmocka_unit_test(test_each_for_good),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
