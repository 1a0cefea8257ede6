/* The pieces of canonical text (floorplan.md 10.1): what other readers would take for something
 * else is written so that they do not. */
#include <float.h>
#include <stdlib.h>

#include "apps/floorplan/exchange/canonical_piece.h"
#include "apps/floorplan/exchange/interchange_test_kit.h"

struct fixture {
	struct tn_floor_plan *plan;
	struct tn_buf out;
	struct tn_canon canon;
};

static void open_text(struct fixture *f, const char *text)
{
	f->plan = kit_read(tn_str_from(text));
	assert_true(f->plan->tree.parses);
	tn_buf_init(&f->out, 4096);
	f->canon = (struct tn_canon){.out = &f->out, .plan = f->plan};
}

static void end(struct fixture *f)
{
	tn_buf_finish(&f->out);
	tn_floor_plan_free(f->plan);
}

static void wrote(struct fixture *f, const char *expected)
{
	if (!tn_str_is(tn_buf_str(&f->out), expected))
		fail_msg("%.*s is not %s", (int)f->out.size, f->out.data, expected);
	f->out.size = 0;
}

/* Six decimals where they are the number; all that are needed where they are not. */
static void numbers_are_exact(void **state)
{
	struct fixture f;

	(void)state;
	open_text(&f, "floorplan\nfloor F { }\n");
	tn_canon_number(&f.canon, 2.5);
	wrote(&f, "2.5");
	tn_canon_number(&f.canon, 1.2345678);
	tn_buf_append_byte(&f.out, '\0');
	assert_true(strtod(f.out.data, NULL) == 1.2345678);
	f.out.size = 0;
	tn_canon_number(&f.canon, 0.0000001);
	wrote(&f, "0.00000010000000000");
	end(&f);
}

static void strings_keep_what_is_in_them(void **state)
{
	struct fixture f;

	(void)state;
	open_text(&f, "floorplan\nfloor F { }\n");
	tn_canon_string(&f.canon, TN_STR("hall"));
	wrote(&f, "\"hall\"");
	tn_canon_string(&f.canon, TN_STR("say \"hi\""));
	wrote(&f, "'say \"hi\"'");
	tn_canon_string(&f.canon, TN_STR("it's"));
	wrote(&f, "\"it's\"");
	tn_canon_string(&f.canon, TN_STR(""));
	wrote(&f, "\"\"");
	end(&f);
}

/* E10: some readers take "1.0" for a version. */
static void what_looks_like_a_version_has_other_quotes(void **state)
{
	struct fixture f;

	(void)state;
	open_text(&f, "floorplan\nfloor F { }\n");
	tn_canon_string(&f.canon, TN_STR("1.0"));
	wrote(&f, "'1.0'");
	tn_canon_string(&f.canon, TN_STR("12"));
	wrote(&f, "'12'");
	tn_canon_string(&f.canon, TN_STR("1.0a"));
	wrote(&f, "\"1.0a\"");
	end(&f);
}

/* Pieces that are read from a text: lengths as they were written, "" for what was not. */
static void clauses_are_written_as_they_were_read(void **state)
{
	struct fixture f;
	const struct tn_floor_room_tree *a, *b;

	(void)state;
	open_text(&f, "floorplan\nfloor F {\n"
		      "  room A at ( 1.50m , -2in ) size box label 'x' style Oak height 03\n"
		      "  room B below A gap 0 align left size (1 x 2ft)\n}\n"
		      "define box (10 x 12ft)\nstyle Oak { roughness: 0.5 }\n");
	a = f.plan->rooms[0]->tree;
	b = f.plan->rooms[1]->tree;
	tn_canon_at(&f.canon, &a->at);
	wrote(&f, " at (1.50m,-2in)");
	assert_int_equal(f.canon.notes[TN_CANON_NEGATIVE].count, 1);
	assert_int_equal(f.canon.notes[TN_CANON_NEGATIVE].line, 3);
	tn_canon_size(&f.canon, &a->size);
	wrote(&f, "box");
	tn_canon_size(&f.canon, &b->size);
	wrote(&f, "(1 x 2ft)");
	tn_canon_label(&f.canon, &a->label);
	wrote(&f, " label \"x\"");
	tn_canon_style(&f.canon, &a->style);
	wrote(&f, " style Oak");
	tn_canon_measure(&f.canon, "height", &a->height);
	wrote(&f, " height 03");
	tn_canon_at(&f.canon, &b->at);
	tn_canon_label(&f.canon, &b->label);
	tn_canon_style(&f.canon, &b->style);
	tn_canon_measure(&f.canon, "height", &b->height);
	wrote(&f, "");
	end(&f);
}

/* A gap of nothing and the default alignment are left out; that others may not know it is noted
 * with the line where it stands first. */
static void a_relative_place_says_what_is_not_the_default(void **state)
{
	struct fixture f;

	(void)state;
	open_text(&f, "floorplan\nfloor F {\n  room A at (0,0) size (4 x 4)\n"
		      "  room B right-of A gap 0 align top size (1 x 1)\n"
		      "  room C below A gap 2ft align center size (1 x 1)\n"
		      "  room D below A at (9,9) size (1 x 1)\n}\n");
	for (unsigned i = 1; i < 4; i++) {
		const struct tn_floor_room_tree *tree = f.plan->rooms[i]->tree;

		tn_canon_relative(&f.canon, &tree->at, &tree->relative, i > 1);
		if (i == 1)
			wrote(&f, " right-of A");
		else if (i == 2)
			wrote(&f, " below A gap 2ft align center");
		else
			wrote(&f, ""); /* 4.3: `at` counts alone */
	}
	assert_int_equal(f.canon.notes[TN_CANON_RELATIVE].count, 1);
	assert_int_equal(f.canon.notes[TN_CANON_RELATIVE].line, 5);
	end(&f);
}

static void a_note_without_a_place_is_of_the_first_line(void **state)
{
	struct fixture f;

	(void)state;
	open_text(&f, "floorplan\nfloor F { }\n");
	tn_canon_note(&f.canon, TN_CANON_UNITS, TN_FLOOR_NO_TOKEN);
	tn_canon_note(&f.canon, TN_CANON_UNITS, 0);
	assert_int_equal(f.canon.notes[TN_CANON_UNITS].count, 2);
	assert_int_equal(f.canon.notes[TN_CANON_UNITS].line, 1);
	assert_int_equal(f.canon.notes[TN_CANON_FRONT].count, 0);
	end(&f);
}

/* What does not fit is told by the buffer, and nothing is read of what was not written. */
static void a_full_buffer_is_told(void **state)
{
	struct fixture f;

	(void)state;
	open_text(&f, "floorplan\nfloor F { }\n");
	tn_buf_finish(&f.out);
	tn_buf_init(&f.out, 3);
	tn_canon_number(&f.canon, DBL_MAX);
	assert_true(f.out.failed);
	end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_exact),
		cmocka_unit_test(strings_keep_what_is_in_them),
		cmocka_unit_test(what_looks_like_a_version_has_other_quotes),
		cmocka_unit_test(clauses_are_written_as_they_were_read),
		cmocka_unit_test(a_relative_place_says_what_is_not_the_default),
		cmocka_unit_test(a_note_without_a_place_is_of_the_first_line),
		cmocka_unit_test(a_full_buffer_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
