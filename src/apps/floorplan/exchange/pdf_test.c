/* A plan on paper, read back (floorplan.md 10.3). */
#include "draw/pdf_test_kit.h"

#include <math.h>
#include <stdlib.h>

#include "apps/floorplan/exchange/interchange.h"
#include "apps/floorplan/limits.h"
#include "base/size.h"

#define POINTS_PER_METRE (72 / 0.0254)

static const char three_floors[] =
	"floorplan config {default_unit: m} floor Low { room Hall at (0,0) size (10 x 4) } "
	"floor Mid { room Bath at (0,0) size (10 x 4) label \"a(b)\\\\c %>\" } "
	"floor Top { room Attic at (0,0) size (10 x 4) }";

static enum tenon_code put(struct tn_buf *out, const char *text,
			   const struct tn_floor_pdf_options *options, struct tenon_error *err)
{
	struct tn_floor_plan *plan;
	enum tenon_code code;

	tn_buf_init(out, TN_FLOOR_OUTPUT_BYTES_MAX);
	assert_int_equal(tn_floor_plan_create(tn_str_from(text), false, &plan, err), TENON_OK);
	assert_true(plan->valid);
	code = tn_floor_put_pdf(out, plan, options, err);
	tn_floor_plan_free(plan);
	return code;
}

static struct tn_floor_picture_options all_floors(void)
{
	return (struct tn_floor_picture_options){
		.all_floors = true, .labels = -1, .dimensions = -1, .area_in_sqm = -1};
}

static void draw(struct pdf *pdf, const char *text, const char *paper, double scale)
{
	const struct tn_floor_picture_options picture = all_floors();
	const struct tn_floor_pdf_options options = {paper, scale, false, &picture};
	struct tenon_error err;

	*pdf = (struct pdf){.page_count = 0};
	if (put(&pdf->text, text, &options, &err) != TENON_OK)
		fail_msg("%s", err.message);
	pdf_read(pdf);
}

static void expect_words(const struct pdf_page *page, const char *words, bool there)
{
	char wanted[128];

	(void)snprintf(wanted, sizeof(wanted), "|%s|", words);
	if (!strstr(page->words, wanted) == there)
		fail_msg("%s: %s", wanted, page->words);
}

/* ---- pages ---- */

static void test_page_for_each_floor(void **state)
{
	struct pdf pdf;

	(void)state;
	draw(&pdf, three_floors, "A4", 0);
	assert_int_equal(pdf.page_count, 3);
	expect_words(&pdf.pages[0], "Hall", true);
	expect_words(&pdf.pages[0], "Low", true);
	expect_words(&pdf.pages[0], "Bath", false);
	expect_words(&pdf.pages[1], "Bath", true);
	expect_words(&pdf.pages[1], "Mid", true);
	expect_words(&pdf.pages[2], "Attic", true);
	expect_words(&pdf.pages[2], "Hall", false);
	pdf_finish(&pdf);
}

static void expect_pages(const struct tn_floor_picture_options *picture, bool all_on_one,
			 const char *const *rooms, size_t count)
{
	const struct tn_floor_pdf_options options = {"A4", 0, all_on_one, picture};
	struct pdf pdf = {.page_count = 0};
	struct tenon_error err;

	assert_int_equal(put(&pdf.text, three_floors, &options, &err), TENON_OK);
	pdf_read(&pdf);
	assert_int_equal(pdf.page_count, all_on_one ? 1 : count);
	for (size_t i = 0; i < count; i++)
		expect_words(&pdf.pages[all_on_one ? 0 : i], rooms[i], true);
	pdf_finish(&pdf);
}

static void test_pages_asked_for(void **state)
{
	static const char *const all[] = {"Hall", "Bath", "Attic"}, *const two[] = {"Attic",
										    "Hall"};
	static const struct tn_str names[] = {{"Top", 3}, {"Low", 3}};
	struct tn_floor_picture_options picture = all_floors();

	(void)state;
	expect_pages(&picture, true, all, 3);
	picture.all_floors = false;
	picture.floors = names;
	picture.floor_count = 2;
	expect_pages(&picture, false, two, 2);
	expect_pages(&picture, true, two, 2);
	picture.floors = NULL;
	picture.floor_index = 1;
	expect_pages(&picture, false, &all[1], 1);
}

static void test_no_floor(void **state)
{
	struct pdf pdf;

	(void)state;
	draw(&pdf, "floorplan", "A4", 100);
	assert_int_equal(pdf.page_count, 1);
	pdf_finish(&pdf);
}

static void expect_paper(const char *paper, double width, double height)
{
	struct pdf pdf;

	draw(&pdf, "floorplan floor F { room A at (0,0) size (10 x 40) }", paper, 0);
	assert_true(fabs(pdf.pages[0].width - width) < 0.01);
	assert_true(fabs(pdf.pages[0].height - height) < 0.01);
	pdf_finish(&pdf);
	/* It lies across when the plan is larger that way. */
	draw(&pdf, "floorplan floor F { room A at (0,0) size (40 x 10) }", paper, 0);
	assert_true(fabs(pdf.pages[0].width - height) < 0.01);
	assert_true(fabs(pdf.pages[0].height - width) < 0.01);
	pdf_finish(&pdf);
}

static void test_papers(void **state)
{
	(void)state;
	expect_paper("A4", 210 / 25.4 * 72, 297 / 25.4 * 72);
	expect_paper("A3", 297 / 25.4 * 72, 420 / 25.4 * 72);
	expect_paper("Letter", 8.5 * 72, 11 * 72);
}

/* ---- scales ---- */

static void test_scales(void **state)
{
	static const double scales[] = {50, 100, 75.5, 1000};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(scales); i++) {
		double between = 10.2 * POINTS_PER_METRE / scales[i]; /* walls are 0.2 m */
		char words[32];
		struct pdf pdf;

		draw(&pdf, three_floors, "A3", scales[i]);
		for (size_t k = 0; k < 3; k++)
			assert_true(pdf_has_width(&pdf.pages[k], between));
		(void)snprintf(words, sizeof(words), "Low  1:%.0f (A3)", scales[i]);
		expect_words(&pdf.pages[0], words, true);
		pdf_finish(&pdf);
	}
	/* The same lengths, in feet. */
	for (size_t i = 0; i < 2; i++) {
		struct pdf pdf;

		draw(&pdf,
		     "floorplan config {default_unit: ft, wall_thickness: 1} floor F { room A at "
		     "(0,0) size (20 x 10) }",
		     "A4", scales[i]);
		assert_true(
			pdf_has_width(&pdf.pages[0], 21 * 0.3048 * POINTS_PER_METRE / scales[i]));
		pdf_finish(&pdf);
	}
}

static void expect_refused(const char *paper, double scale, enum tenon_code wanted,
			   const char *words)
{
	const struct tn_floor_picture_options picture = all_floors();
	const struct tn_floor_pdf_options options = {paper, scale, false, &picture};
	struct tenon_error err = {0};
	struct tn_buf out;

	assert_int_equal(put(&out, three_floors, &options, &err), wanted);
	if (!strstr(err.message, words))
		fail_msg("%s %g: %s", paper, scale, err.message);
	tn_buf_finish(&out);
}

/* It says at which scale the plan fits, and there it does; a little larger it does not. */
static void test_scale_that_does_not_fit(void **state)
{
	const struct tn_floor_picture_options picture = all_floors();
	struct tn_floor_pdf_options options = {"A4", 10, false, &picture};
	struct tenon_error err = {0};
	struct tn_buf out;
	const char *least;

	(void)state;
	assert_int_equal(put(&out, three_floors, &options, &err), TENON_LIMIT);
	tn_buf_finish(&out);
	least = strstr(err.message, "it fits at 1:");
	assert_non_null(least);
	options.scale = strtod(least + 13, NULL);
	assert_true(options.scale > 10);
	assert_int_equal(put(&out, three_floors, &options, &err), TENON_OK);
	tn_buf_finish(&out);
	options.scale -= 1.001;
	assert_int_equal(put(&out, three_floors, &options, &err), TENON_LIMIT);
	tn_buf_finish(&out);
}

static void test_refused(void **state)
{
	(void)state;
	expect_refused("A5", 100, TENON_INVALID, "choose A4, A3 or Letter");
	expect_refused("a4", 100, TENON_INVALID, "choose A4, A3 or Letter");
	expect_refused("", 100, TENON_INVALID, "choose A4, A3 or Letter");
	expect_refused("A4", -1, TENON_INVALID, "the scale");
	expect_refused("A4", NAN, TENON_INVALID, "the scale");
	expect_refused("A4", INFINITY, TENON_INVALID, "the scale");
	expect_refused("A4", 1e7, TENON_INVALID, "the scale");
}

/* ---- the file ---- */

static void test_words(void **state)
{
	struct tn_str text, info;
	struct pdf pdf;

	(void)state;
	draw(&pdf,
	     "---\ntitle: \"a) /Z (\u00fc\U0001F600\"\n---\nfloorplan floor F { room A at (0,0) "
	     "size "
	     "(10 x 10) label \"x(y)) \\\\ %> << /Q\" }",
	     "A4", 0);
	expect_words(&pdf.pages[0], "x(y)) \\\\ %> << /Q", true);
	text = tn_buf_str(&pdf.text);
	/* UTF-16: nothing in a title ends the words or begins a name. */
	assert_int_not_equal(
		tn_str_find(text, TN_STR("/Title <FEFF006100290020002F005A0020002800FCD83DDE00>")),
		TN_STR_NONE);
	assert_int_equal(tn_str_find(text, TN_STR("Date")), TN_STR_NONE);
	assert_int_equal(tn_str_find(text, TN_STR("/ID")), TN_STR_NONE);
	info = pdf_object(&pdf, 3);
	assert_int_not_equal(tn_str_find(info, TN_STR("/Producer (Tenon)")), TN_STR_NONE);
	pdf_finish(&pdf);
}

static void test_same_bytes(void **state)
{
	static const char *const papers[] = {"A4", "A3", "Letter"};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(papers); i++) {
		struct pdf once, twice;

		draw(&once, three_floors, papers[i], 100);
		draw(&twice, three_floors, papers[i], 100);
		assert_true(tn_str_equal(tn_buf_str(&once.text), tn_buf_str(&twice.text)));
		pdf_finish(&once);
		pdf_finish(&twice);
	}
}

static void test_cap(void **state)
{
	const struct tn_floor_picture_options picture = all_floors();
	const struct tn_floor_pdf_options options = {"A4", 0, false, &picture};
	struct tn_floor_plan *plan;
	struct tenon_error err;

	(void)state;
	assert_int_equal(tn_floor_plan_create(TN_STR(three_floors), false, &plan, &err), TENON_OK);
	for (size_t limit = 0; limit < 10000; limit += 999) {
		struct tn_buf out;

		tn_buf_init(&out, limit);
		assert_int_equal(tn_floor_put_pdf(&out, plan, &options, &err), TENON_LIMIT);
		assert_in_range(out.size, 0, limit);
		tn_buf_finish(&out);
	}
	tn_floor_plan_free(plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_page_for_each_floor),
		cmocka_unit_test(test_pages_asked_for),
		cmocka_unit_test(test_no_floor),
		cmocka_unit_test(test_papers),
		cmocka_unit_test(test_scales),
		cmocka_unit_test(test_scale_that_does_not_fit),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_same_bytes),
		cmocka_unit_test(test_cap),
	};

	return cmocka_run_group_tests_name("floorplan PDF", tests, NULL, NULL);
}
