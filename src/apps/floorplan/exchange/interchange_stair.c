/* Stairs and lifts as JSON (floorplan.md 10.1). */
#include "apps/floorplan/exchange/interchange_piece.h"
#include "jsonrpc/json_write.h"

static struct tn_str name_of(const struct tn_floor_plan *plan, const struct tn_floor_name *clause)
{
	return tn_floor_is_written(clause->tokens) ? tn_floor_written(plan, clause->name)
						   : tn_str(NULL, 0);
}

static void put_segment(struct tn_floor_json *j, const struct tn_floor_segment *segment)
{
	tn_json_begin_object(j->out);
	if (segment->turn) {
		tn_json_put_member_text(j->out, "turn", tn_floor_hand_name(segment->hand));
		if (segment->landing.there)
			tn_floor_json_size(j, "landing", &segment->landing);
		else
			tn_floor_json_number(j, "winders", segment->steps);
		tn_floor_json_number(j, "degrees", segment->degrees);
	} else {
		tn_floor_json_number(j, "flight", segment->steps);
		tn_floor_json_measure(j, "width", &segment->width);
		if (segment->along_room != TN_FLOOR_NO_TOKEN) {
			tn_json_put_key(j->out, "along");
			tn_json_begin_object(j->out);
			tn_json_put_member_str(j->out, "room",
					       tn_floor_written(j->plan, segment->along_room));
			tn_json_put_member_str(j->out, "side",
					       tn_floor_written(j->plan, segment->along_side));
			tn_json_end_object(j->out);
		}
	}
	tn_json_end_object(j->out);
}

static void put_turning(struct tn_floor_json *j, const struct tn_floor_stair_tree *stair)
{
	tn_json_put_member_text(j->out, "turn", tn_floor_hand_name(stair->hand));
	if (stair->shape == TN_FLOOR_WINDER)
		tn_floor_json_number(j, "winders", stair->winders);
	if (stair->run_count > 0) {
		tn_json_put_key(j->out, "runs");
		tn_json_begin_array(j->out);
		for (uint32_t i = 0; i < stair->run_count && i < TN_FLOOR_RUNS_MAX; i++) {
			if (i > 0)
				tn_buf_append_byte(j->out, ',');
			tn_floor_put_number(j->out, stair->runs[i]);
		}
		tn_json_end_array(j->out);
	}
	if (stair->landing.there)
		tn_floor_json_size(j, "landing", &stair->landing);
}

static void put_shape(struct tn_floor_json *j, const struct tn_floor_stair_tree *stair)
{
	tn_json_put_key(j->out, "shape");
	tn_json_begin_object(j->out);
	tn_json_put_member_text(j->out, "kind", tn_floor_shape_name(stair->shape));
	if (stair->shape == TN_FLOOR_SPIRAL) {
		tn_json_put_member_text(j->out, "rotation",
					stair->clockwise ? "clockwise" : "counterclockwise");
		tn_floor_json_measure(j, "innerRadius", &stair->inner_radius);
		tn_floor_json_measure(j, "outerRadius", &stair->outer_radius);
	} else if (stair->shape == TN_FLOOR_STRAIGHT) {
		tn_json_put_member_text(j->out, "toward", tn_floor_side_name(stair->side));
	} else {
		tn_json_put_member_text(j->out, "from", tn_floor_side_name(stair->side));
		if (stair->shape == TN_FLOOR_CURVED) {
			tn_floor_json_number(j, "arc", stair->has_arc ? stair->arc : 90);
			tn_floor_json_measure(j, "radius", &stair->radius);
		} else if (stair->shape == TN_FLOOR_CUSTOM) {
			tn_json_put_key(j->out, "segments");
			tn_json_begin_array(j->out);
			for (const struct tn_floor_segment *at = stair->segments; at; at = at->next)
				put_segment(j, at);
			tn_json_end_array(j->out);
		} else {
			put_turning(j, stair);
		}
	}
	tn_json_end_object(j->out);
}

static void put_material(struct tn_floor_json *j, const struct tn_floor_name *material)
{
	if (!tn_floor_is_written(material->tokens)) {
		tn_json_put_member_null(j->out, "material");
		return;
	}
	tn_json_put_key(j->out, "material");
	tn_json_begin_object(j->out);
	for (size_t i = 0; i < 4; i++) {
		const char *key = tn_floor_material_keys[i];
		const struct tn_str text = tn_floor_material(j->plan, material, key);

		if (text.data)
			tn_json_put_member_str(j->out, key, text);
	}
	tn_json_end_object(j->out);
}

static void put_place(struct tn_floor_json *j, const struct tn_floor_circulation *one)
{
	const struct tn_floor_at *at = one->lift ? &one->lift_tree->at : &one->stair->at;
	const struct tn_floor_point resolved = {one->rect.x, one->rect.y};

	tn_json_put_member_str(j->out, "name", one->name);
	tn_floor_json_text(j, "label", one->label);
	tn_floor_json_place(j, at, resolved);
}

void tn_floor_json_stair(struct tn_floor_json *j, const struct tn_floor_circulation *one)
{
	const struct tn_floor_stair_tree *stair = one->stair;

	tn_json_begin_object(j->out);
	put_place(j, one);
	put_shape(j, stair);
	tn_floor_json_measure(j, "rise", &stair->rise);
	tn_floor_json_measure(j, "width", &stair->width);
	tn_floor_json_measure(j, "riser", &stair->riser);
	tn_floor_json_measure(j, "tread", &stair->tread);
	tn_floor_json_measure(j, "nosing", &stair->nosing);
	tn_floor_json_measure(j, "headroom", &stair->headroom);
	tn_floor_json_text(j, "handrail", name_of(j->plan, &stair->handrail));
	tn_floor_json_text(j, "stringers", name_of(j->plan, &stair->stringers));
	put_material(j, &stair->material);
	tn_floor_json_text(j, "style", name_of(j->plan, &stair->style));
	tn_floor_json_relative(j, &stair->at, &stair->relative);
	tn_json_end_object(j->out);
}

void tn_floor_json_lift(struct tn_floor_json *j, const struct tn_floor_circulation *one)
{
	const struct tn_floor_lift_tree *lift = one->lift_tree;

	tn_json_begin_object(j->out);
	put_place(j, one);
	tn_floor_json_extent(j, &lift->size);
	tn_json_put_key(j->out, "doors");
	tn_json_begin_array(j->out);
	for (unsigned i = 0; i < 4; i++) {
		if (lift->doors & (1u << i))
			tn_json_put_text(j->out, tn_floor_side_name((enum tn_floor_side)i));
	}
	tn_json_end_array(j->out);
	tn_floor_json_text(j, "style", name_of(j->plan, &lift->style));
	tn_floor_json_relative(j, &lift->at, &lift->relative);
	tn_json_end_object(j->out);
}
