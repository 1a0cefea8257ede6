/* Solids of a plan in space: each is measured, looked at and drawn in its turn. */
#include "apps/floorplan/picture/model_faces.h"

#include <math.h>

#include "draw/limits.h"

tn_colour tn_model_mix(tn_colour a, tn_colour b, double part)
{
	tn_colour mixed = 0;

	for (unsigned shift = 8; shift < 32; shift += 8) {
		double x = a >> shift & 255, y = b >> shift & 255;

		mixed |= (tn_colour)floor(x + (y - x) * part + 0.5) << shift;
	}
	return mixed | 0xFF;
}

double tn_model_steady(double length)
{
	return floor(length * 1e6 + 0.5) / 1e6;
}

static void measure(struct tn_floor_view *view, struct tn_point3 at)
{
	view->min = (struct tn_point3){fmin(view->min.x, at.x), fmin(view->min.y, at.y),
				       fmin(view->min.z, at.z)};
	view->max = (struct tn_point3){fmax(view->max.x, at.x), fmax(view->max.y, at.y),
				       fmax(view->max.z, at.z)};
}

void tn_model_look_at(struct tn_model *model, struct tn_point3 at)
{
	struct tn_floor_box *box = &model->look;
	struct tn_point pixel;

	if (!tn_scene_pixel(&model->scene, at, &pixel)) {
		*box = (struct tn_floor_box){-INFINITY, -INFINITY, INFINITY, INFINITY};
		return;
	}
	/* Until the end `width` and `height` are the right and lower edges. */
	box->x = fmin(box->x, pixel.x);
	box->y = fmin(box->y, pixel.y);
	box->width = fmax(box->width, pixel.x);
	box->height = fmax(box->height, pixel.y);
}

void tn_model_put(struct tn_model *model, const struct tn_point *base, unsigned count,
		  double bottom, double top, struct tn_model_colours colours)
{
	struct tn_point corners[TN_SCENE_CORNERS_MAX];
	struct tn_prism prism = {.base = corners,
				 .count = count,
				 .bottom = tn_model_steady(model->base + bottom),
				 .top = tn_model_steady(model->base + top),
				 .top_colour = colours.top,
				 .side_colour = colours.side};

	if (count < 3 || count > TN_SCENE_CORNERS_MAX || prism.top <= prism.bottom)
		return;
	for (unsigned i = 0; i < count; i++) {
		const struct tn_point3 low = {tn_model_steady(base[i].x),
					      tn_model_steady(base[i].y), prism.bottom},
				       high = {low.x, low.y, prism.top};

		corners[i] = (struct tn_point){low.x, low.y};
		if (model->act == TN_MODEL_DRAW)
			continue;
		if (model->act == TN_MODEL_MEASURE) {
			measure(model->view, low);
			measure(model->view, high);
		} else {
			tn_model_look_at(model, low);
			tn_model_look_at(model, high);
		}
	}
	if (model->act == TN_MODEL_DRAW)
		tn_scene_add(&model->scene, &prism);
}

void tn_model_put_box(struct tn_model *model, const struct tn_floor_rect *rect, double bottom,
		      double top, struct tn_model_colours colours)
{
	const struct tn_point base[4] = {{rect->x, rect->y},
					 {rect->x + rect->width, rect->y},
					 {rect->x + rect->width, rect->y + rect->height},
					 {rect->x, rect->y + rect->height}};

	tn_model_put(model, base, 4, bottom, top, colours);
}
