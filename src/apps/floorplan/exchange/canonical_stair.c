/* Stairs and lifts as canonical text (floorplan.md 3.2). */
#include "apps/floorplan/exchange/canonical_piece.h"

static void put_runs(struct tn_canon *c, const struct tn_floor_stair_tree *stair)
{
	for (uint32_t i = 0; i < stair->run_count && i < TN_FLOOR_RUNS_MAX; i++) {
		tn_buf_append_text(c->out, i ? ", " : " runs ");
		tn_canon_number(c, stair->runs[i]);
	}
}

static void put_landing(struct tn_canon *c, const struct tn_floor_size *landing)
{
	if (!landing->there)
		return;
	tn_buf_append_text(c->out, " landing ");
	tn_canon_size(c, landing);
}

static void put_segment(struct tn_canon *c, const struct tn_floor_segment *segment)
{
	if (!segment->turn) {
		tn_buf_append_text(c->out, "flight ");
		tn_canon_number(c, segment->steps);
		tn_canon_measure(c, "width", &segment->width);
		if (segment->along_room != TN_FLOOR_NO_TOKEN) {
			tn_buf_append_text(c->out, " along ");
			tn_buf_append_str(c->out, tn_floor_written(c->plan, segment->along_room));
			tn_buf_append_byte(c->out, '.');
			tn_buf_append_str(c->out, tn_floor_written(c->plan, segment->along_side));
		}
		return;
	}
	tn_buf_format(c->out, "turn %s", tn_floor_hand_name(segment->hand));
	if (segment->landing.there) {
		put_landing(c, &segment->landing);
	} else {
		tn_buf_append_text(c->out, " winders ");
		tn_canon_number(c, segment->steps);
	}
	if (segment->degrees != 90) {
		tn_buf_append_byte(c->out, ' ');
		tn_canon_number(c, segment->degrees);
		tn_buf_append_text(c->out, "\xc2\xb0");
	}
}

static void put_custom(struct tn_canon *c, const struct tn_floor_stair_tree *stair)
{
	tn_buf_append_text(c->out, " [");
	for (const struct tn_floor_segment *at = stair->segments; at; at = at->next) {
		if (at != stair->segments)
			tn_buf_append_text(c->out, ", ");
		put_segment(c, at);
	}
	tn_buf_append_byte(c->out, ']');
}

static void put_shape(struct tn_canon *c, const struct tn_floor_stair_tree *stair)
{
	const enum tn_floor_shape shape = stair->shape;

	tn_buf_format(c->out, " shape %s", tn_floor_shape_name(shape));
	if (shape == TN_FLOOR_SPIRAL) {
		tn_buf_format(c->out, " rotation %s",
			      stair->clockwise ? "clockwise" : "counterclockwise");
		tn_canon_measure(c, "inner-radius", &stair->inner_radius);
		tn_canon_measure(c, "outer-radius", &stair->outer_radius);
		return;
	}
	tn_buf_format(c->out, " %s %s", shape == TN_FLOOR_STRAIGHT ? "toward" : "from",
		      tn_floor_side_name(stair->side));
	if (shape == TN_FLOOR_CURVED) {
		if (stair->has_arc && stair->arc != 90) {
			tn_buf_append_text(c->out, " arc ");
			tn_canon_number(c, stair->arc);
		}
		tn_canon_measure(c, "radius", &stair->radius);
	} else if (shape == TN_FLOOR_CUSTOM) {
		put_custom(c, stair);
	} else if (shape != TN_FLOOR_STRAIGHT) {
		tn_buf_format(c->out, " turn %s", tn_floor_hand_name(stair->hand));
		if (shape == TN_FLOOR_WINDER) {
			tn_buf_append_text(c->out, " winders ");
			tn_canon_number(c, stair->winders);
		}
		put_runs(c, stair);
		put_landing(c, &stair->landing);
	}
}

/* Keys and strings between the braces, without a comma behind the last. */
static void put_material(struct tn_canon *c, const struct tn_floor_name *material)
{
	bool first = true;

	if (!tn_floor_is_written(material->tokens))
		return;
	tn_buf_append_text(c->out, " material { ");
	for (size_t i = 0; i < 4; i++) {
		const char *key = tn_floor_material_keys[i];
		const struct tn_str text = tn_floor_material(c->plan, material, key);

		if (!text.data)
			continue;
		tn_buf_format(c->out, "%s%s: ", first ? "" : ", ", key);
		tn_canon_string(c, text);
		first = false;
	}
	tn_buf_append_text(c->out, " }");
}

void tn_canon_stair(struct tn_canon *c, const struct tn_floor_stair_tree *stair)
{
	tn_buf_append_text(c->out, "    stair ");
	tn_buf_append_str(c->out, tn_floor_written(c->plan, stair->name));
	tn_canon_at(c, &stair->at);
	put_shape(c, stair);
	tn_canon_measure(c, "rise", &stair->rise);
	tn_canon_measure(c, "width", &stair->width);
	tn_canon_measure(c, "riser", &stair->riser);
	tn_canon_measure(c, "tread", &stair->tread);
	tn_canon_measure(c, "nosing", &stair->nosing);
	tn_canon_measure(c, "headroom", &stair->headroom);
	if (tn_floor_is_written(stair->handrail.tokens)) {
		tn_buf_append_text(c->out, " handrail (");
		tn_buf_append_str(c->out, tn_floor_written(c->plan, stair->handrail.name));
		tn_buf_append_byte(c->out, ')');
	}
	if (tn_floor_is_written(stair->stringers.tokens)) {
		tn_buf_append_text(c->out, " stringers ");
		tn_buf_append_str(c->out, tn_floor_written(c->plan, stair->stringers.name));
	}
	put_material(c, &stair->material);
	tn_canon_relative(c, &stair->at, &stair->relative, true);
	tn_canon_label(c, &stair->label);
	tn_canon_style(c, &stair->style);
	tn_buf_append_byte(c->out, '\n');
}

void tn_canon_lift(struct tn_canon *c, const struct tn_floor_lift_tree *lift)
{
	bool first = true;

	tn_buf_append_text(c->out, "    lift ");
	tn_buf_append_str(c->out, tn_floor_written(c->plan, lift->name));
	tn_canon_at(c, &lift->at);
	tn_buf_append_text(c->out, " size ");
	tn_canon_size(c, &lift->size);
	for (unsigned i = 0; i < 4; i++) {
		if (!(lift->doors & (1u << i)))
			continue;
		tn_buf_format(c->out, "%s%s", first ? " doors (" : ", ",
			      tn_floor_side_name((enum tn_floor_side)i));
		first = false;
	}
	if (!first)
		tn_buf_append_byte(c->out, ')');
	tn_canon_relative(c, &lift->at, &lift->relative, true);
	tn_canon_label(c, &lift->label);
	tn_canon_style(c, &lift->style);
	tn_buf_append_byte(c->out, '\n');
}
