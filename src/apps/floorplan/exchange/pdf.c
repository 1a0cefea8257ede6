/* A plan on paper (floorplan.md 10.3): the picture, at a scale, as pages of a PDF. */
#include "apps/floorplan/exchange/interchange.h"
#include "apps/floorplan/limits.h"
#include "base/size.h"
#include "draw/pdf.h"

#define POINTS_PER_METRE (72 / 0.0254)
#define SLACK 1e-9 /* of a scale: what just fits, fits */

static const struct {
	const char *name;
	double width, height; /* upright, in points */
} papers[] = {
	{"A4", 595.275591, 841.889764}, {"A3", 841.889764, 1190.551181}, {"Letter", 612, 792}};

struct work {
	const struct tn_floor_plan *plan;
	const struct tn_floor_pdf_options *options;
	struct tn_floor_picture_options picture;
	size_t paper;
	struct tn_arena arena;
	struct tn_pdf_page pages[TN_FLOOR_FLOORS_MAX];
	struct tn_display *displays[TN_FLOOR_FLOORS_MAX]; /* of the pages */
	size_t page_count;
};

/* ---- one page ---- */

/* Pixels are points here. */
static void turn_paper(struct work *work, bool wide)
{
	double width = papers[work->paper].width, height = papers[work->paper].height;

	work->picture.width = (uint32_t)(wide ? height : width);
	work->picture.height = (uint32_t)(wide ? width : height);
}

static double metres_to_points(const struct work *work)
{
	return tn_floor_metres(work->plan->unit) * POINTS_PER_METRE;
}

/* How large it is drawn on this paper, in points a U. */
static enum tenon_code measure(struct work *work, bool wide, double *ret, struct tenon_error *err)
{
	struct tn_floor_picture_options options;
	struct tn_floor_picture picture;
	enum tenon_code code;

	turn_paper(work, wide);
	options = work->picture;
	options.told = NULL; /* nobody sees it */
	code = tn_floor_draw(work->plan, &options, &work->arena, &picture, err);
	if (code != TENON_OK)
		return code;
	*ret = picture.transform_count > 0 ? picture.transforms[0].scale : 0;
	tn_display_free(picture.display);
	return TENON_OK;
}

static enum tenon_code refuse_scale(const struct work *work, double fits, struct tenon_error *err)
{
	double least = metres_to_points(work) / fits;
	unsigned long long shown = (unsigned long long)least + 1;

	return tn_fail(
		err, TENON_LIMIT,
		"at 1:%.0f the plan is larger than %s; it fits at 1:%llu, on larger paper, or "
		"with the scale \"fit\"",
		work->options->scale, papers[work->paper].name, shown);
}

/* Which way the paper lies, and the scale. */
static enum tenon_code settle(struct work *work, struct tenon_error *err)
{
	double upright, across, fits, wanted = 0;
	enum tenon_code code;

	work->picture.scale = 0;
	code = measure(work, false, &upright, err);
	if (code == TENON_OK)
		code = measure(work, true, &across, err);
	if (code != TENON_OK)
		return code;
	fits = across > upright ? across : upright;
	if (work->options->scale > 0)
		wanted = metres_to_points(work) / work->options->scale;
	if (fits > 0 && wanted > fits * (1 + SLACK))
		return refuse_scale(work, fits, err);
	turn_paper(work, across > upright);
	work->picture.scale = fits > 0 ? wanted : 0;
	return TENON_OK;
}

/* In the corner: which floor it is, and the scale if it is a round one. */
static void put_corner(struct work *work, const struct tn_floor_picture *picture)
{
	const struct tn_draw_text how = {.x = work->picture.width - 16,
					 .y = work->picture.height - 8,
					 .size = 8,
					 .anchor = TN_DRAW_END,
					 .colour = 0x808080FF};
	char room[TN_FLOOR_NAME_BYTES_MAX + 64];
	struct tn_buf words = {.data = room, .capacity = sizeof(room), .limit = sizeof(room)};

	if (picture->transform_count == 1)
		tn_buf_append_str(&words, picture->transforms[0].floor->name);
	if (work->options->scale > 0)
		tn_buf_format(&words, "%s1:%.0f (%s)", words.size > 0 ? "  " : "",
			      work->options->scale, papers[work->paper].name);
	if (words.size > 0)
		tn_draw_put_text(picture->display, tn_buf_str(&words), &how);
}

static enum tenon_code add_page(struct work *work, struct tenon_error *err)
{
	struct tn_pdf_page *page = &work->pages[work->page_count];
	struct tn_floor_picture picture;
	enum tenon_code code = settle(work, err);

	if (code == TENON_OK)
		code = tn_floor_draw(work->plan, &work->picture, &work->arena, &picture, err);
	if (code != TENON_OK)
		return code;
	put_corner(work, &picture);
	*page = (struct tn_pdf_page){.display = picture.display, .scale = 1};
	page->width = papers[work->paper].width;
	page->height = papers[work->paper].height;
	if (work->picture.width > work->picture.height) {
		page->width = papers[work->paper].height;
		page->height = papers[work->paper].width;
	}
	work->displays[work->page_count++] = picture.display;
	return TENON_OK;
}

/* ---- all ---- */

/* A page for each floor that the options name, or one with all of them. */
static enum tenon_code add_pages(struct work *work, struct tenon_error *err)
{
	const struct tn_floor_picture_options *given = work->options->picture;
	const struct tn_floor_floor *floor = work->plan->floors;
	enum tenon_code code = TENON_OK;

	if (work->options->all_on_one || !floor)
		return add_page(work, err);
	if (!given->floors && !given->all_floors)
		return add_page(work, err);
	work->picture.all_floors = false;
	work->picture.floor_count = 1;
	for (size_t i = 0; i < given->floor_count && given->floors && code == TENON_OK; i++) {
		if (work->page_count == TN_COUNT(work->pages))
			return tn_fail(err, TENON_LIMIT, "more than %d pages", TN_FLOOR_FLOORS_MAX);
		work->picture.floors = &given->floors[i];
		code = add_page(work, err);
	}
	for (; floor && !given->floors && code == TENON_OK; floor = floor->next) {
		work->picture.floors = &floor->name;
		code = add_page(work, err);
	}
	return code;
}

static bool find_paper(const char *name, size_t *ret)
{
	for (size_t i = 0; i < TN_COUNT(papers); i++) {
		if (tn_str_is(tn_str_from(papers[i].name), name)) {
			*ret = i;
			return true;
		}
	}
	return false;
}

enum tenon_code tn_floor_put_pdf(struct tn_buf *out, const struct tn_floor_plan *plan,
				 const struct tn_floor_pdf_options *options,
				 struct tenon_error *err)
{
	struct work work = {.plan = plan, .options = options, .picture = *options->picture};
	enum tenon_code code;

	if (!find_paper(options->paper, &work.paper))
		return tn_fail(err, TENON_INVALID, "paper \"%.20s\"; choose A4, A3 or Letter",
			       options->paper);
	if (!(options->scale >= 0 && options->scale <= TN_FLOOR_LENGTH_MAX))
		return tn_fail(err, TENON_INVALID, "the scale 1:%g; choose 1:1 to 1:%d, or fit",
			       options->scale, TN_FLOOR_LENGTH_MAX);
	tn_arena_init(&work.arena, TN_FLOOR_ARENA_MAX);
	code = add_pages(&work, err);
	if (code == TENON_OK)
		code = tn_draw_pdf(work.pages, work.page_count, plan->tree.front.title, out, err);
	for (size_t i = 0; i < work.page_count; i++)
		tn_display_free(work.displays[i]);
	tn_arena_finish(&work.arena);
	return code;
}
