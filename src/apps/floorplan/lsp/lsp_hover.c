/* Facts about what stands at a place, and the outline of a plan. */
#include "apps/floorplan/lsp/internal.h"
#include "apps/floorplan/limits.h"
#include "apps/floorplan/plan/metrics.h"
#include "jsonrpc/json_write.h"

/* Kinds of symbols of the protocol. */
enum { KIND_MODULE = 2, KIND_CLASS = 5, KIND_FUNCTION = 12, KIND_OBJECT = 19, KIND_STRUCT = 23 };

/* ---- hover ---- */

static void put_rounded(struct tn_buf *out, double value)
{
	tn_floor_put_number(out, (double)(int64_t)(value * 100 + (value < 0 ? -0.5 : 0.5)) / 100);
}

static void put_rect(struct tn_buf *out, const struct tn_floor_plan *plan,
		     const struct tn_floor_rect *rect)
{
	const char *unit = tn_floor_unit_name(plan->unit);

	tn_buf_append_text(out, "\n\n");
	put_rounded(out, rect->width);
	tn_buf_append_text(out, " x ");
	put_rounded(out, rect->height);
	tn_buf_format(out, " %s at (", unit);
	put_rounded(out, rect->x);
	tn_buf_append_text(out, ", ");
	put_rounded(out, rect->y);
	tn_buf_append_text(out, ")");
}

static void put_room(struct tn_buf *out, const struct tn_floor_plan *plan,
		     const struct tn_floor_room *room)
{
	bool sqm = plan->settings.area_in_sqm;
	size_t sub_rooms = 0;

	tn_buf_format(out, "**%s %.*s** on floor %.*s", room->parent ? "sub-room" : "room",
		      (int)room->name.size, room->name.data, (int)room->floor->name.size,
		      room->floor->name.data);
	if (room->label.size > 0)
		tn_buf_format(out, "\n\n\"%.*s\"", (int)room->label.size, room->label.data);
	if (!room->placed) {
		tn_buf_append_text(out, "\n\nhas no place");
		return;
	}
	put_rect(out, plan, &room->rect);
	tn_buf_append_text(out, ", area ");
	put_rounded(out, tn_floor_area(plan, room->rect.width * room->rect.height, sqm));
	tn_buf_format(out, " %s, height ", sqm ? "sqm" : "sqft");
	put_rounded(out, room->height);
	tn_buf_format(out, " %s\n\nwalls:", tn_floor_unit_name(plan->unit));
	for (int side = 0; side < 4; side++)
		tn_buf_format(out, "%s %s %s", side > 0 ? "," : "",
			      tn_floor_side_name((enum tn_floor_side)side),
			      tn_floor_wall_name(room->walls[side]));
	for (const struct tn_floor_room *sub = room->rooms; sub; sub = sub->next)
		sub_rooms++;
	if (sub_rooms > 0)
		tn_buf_format(out, "\n\n%zu sub-rooms", sub_rooms);
}

static void put_circulation(struct tn_buf *out, const struct tn_floor_plan *plan,
			    const struct tn_floor_circulation *one)
{
	tn_buf_format(out, "**%s %.*s** on floor %.*s", one->lift ? "lift" : "stair",
		      (int)one->name.size, one->name.data, (int)one->floor->name.size,
		      one->floor->name.data);
	if (one->placed)
		put_rect(out, plan, &one->rect);
	if (one->lift)
		return;
	tn_buf_format(out, "\n\n%u steps, riser ", one->steps);
	put_rounded(out, one->riser);
	tn_buf_append_text(out, ", tread ");
	put_rounded(out, one->tread);
	tn_buf_format(out, " %s", tn_floor_unit_name(plan->unit));
}

static void put_floor(struct tn_buf *out, const struct tn_floor_plan *plan,
		      const struct tn_floor_floor *floor, struct tn_arena *arena)
{
	struct tn_floor_floor_metrics metrics;
	bool sqm = plan->settings.area_in_sqm;

	tn_buf_format(out, "**floor %.*s**", (int)floor->name.size, floor->name.data);
	if (!tn_floor_floor_measure(plan, floor, arena, &metrics))
		return;
	tn_buf_format(out, "\n\n%u rooms, net area ", metrics.room_count);
	put_rounded(out, tn_floor_area(plan, metrics.net_area, sqm));
	tn_buf_append_text(out, sqm ? " sqm" : " sqft");
	if (metrics.room_count > 0)
		put_rect(out, plan, &metrics.bounds);
}

static void put_words(struct tn_buf *out, const struct tn_lsp_request *request,
		      const struct tn_lsp_mention *here)
{
	const struct tn_floor_plan *plan = request->document->plan;
	struct tn_str name = tn_floor_token_text(&plan->tree.lexed, here->definition);

	if (here->kind == TN_LSP_ROOM)
		put_room(out, plan, here->what);
	else if (here->kind == TN_LSP_CIRCULATION)
		put_circulation(out, plan, here->what);
	else if (here->kind == TN_LSP_FLOOR)
		put_floor(out, plan, here->what, request->arena);
	else
		tn_buf_format(out, "**%s %.*s**", here->kind == TN_LSP_STYLE ? "style" : "define",
			      (int)name.size, name.data);
}

/* A key of the configuration: what it takes. */
static bool put_key(struct tn_buf *out, struct tn_str word)
{
	struct tn_floor_config_key key;

	for (size_t i = 0; tn_floor_config_at(i, &key); i++) {
		if (!tn_str_is(word, key.key) && !tn_str_is(word, key.camel))
			continue;
		tn_buf_format(out, "**%s**: %s", key.key, key.value);
		if (key.standard[0])
			tn_buf_format(out, "; default %s", key.standard);
		return true;
	}
	return false;
}

static uint32_t token_at(const struct tn_floor_lexed *lexed, size_t offset)
{
	for (uint32_t i = 0; i < lexed->count; i++)
		if (offset >= lexed->tokens[i].range.start && offset < lexed->tokens[i].range.end)
			return i;
	return TN_FLOOR_NO_TOKEN;
}

void tn_lsp_hover(struct tn_lsp_request *request)
{
	const struct tn_floor_plan *plan = request->document->plan;
	const struct tn_lsp_mention *here;
	struct tn_lsp_mentions all;
	struct tn_buf words;
	uint32_t token;

	tn_lsp_find_mentions(plan, request->arena, &all);
	here = tn_lsp_mention_at(plan, &all, request->offset);
	token = here ? here->token : token_at(&plan->tree.lexed, request->offset);
	tn_buf_init(&words, TN_FLOOR_OUTPUT_BYTES_MAX);
	if (here)
		put_words(&words, request, here);
	else if (token != TN_FLOOR_NO_TOKEN)
		(void)put_key(&words, tn_floor_token_text(&plan->tree.lexed, token));
	if (words.size > 0) {
		const struct tn_floor_range *range = &plan->tree.lexed.tokens[token].range;

		tn_json_begin_object(request->result);
		tn_json_put_key(request->result, "contents");
		tn_json_begin_object(request->result);
		tn_json_put_member_text(request->result, "kind", "markdown");
		tn_json_put_member_str(request->result, "value", tn_buf_str(&words));
		tn_json_end_object(request->result);
		tn_lsp_put_range(request->result, "range", request->document, range->start,
				 range->end);
		tn_json_end_object(request->result);
	}
	tn_buf_finish(&words);
}

/* ---- the outline ---- */

static void begin_symbol(struct tn_lsp_request *request, uint32_t name,
			 struct tn_floor_tokens tokens, int kind, const char *detail)
{
	const struct tn_floor_lexed *lexed = &request->document->plan->tree.lexed;
	const struct tn_floor_range *own = &lexed->tokens[name].range;
	struct tn_floor_range whole = tn_floor_span(lexed, tokens.first, tokens.last);
	struct tn_buf *out = request->result;

	tn_json_begin_object(out);
	tn_json_put_member_str(out, "name", tn_floor_token_text(lexed, name));
	tn_json_put_member_text(out, "detail", detail);
	tn_json_put_member_int(out, "kind", kind);
	tn_lsp_put_range(out, "range", request->document, whole.start, whole.end);
	tn_lsp_put_range(out, "selectionRange", request->document, own->start, own->end);
	tn_json_put_key(out, "children");
	tn_json_begin_array(out);
}

static void end_symbol(struct tn_lsp_request *request)
{
	tn_json_end_array(request->result);
	tn_json_end_object(request->result);
}

static void put_rooms(struct tn_lsp_request *request, const struct tn_floor_room_tree *room)
{
	for (; room; room = room->next) {
		begin_symbol(request, room->name, room->tokens, KIND_OBJECT,
			     room->parent ? "sub-room" : "room");
		put_rooms(request, room->rooms);
		end_symbol(request);
	}
}

static void put_floors(struct tn_lsp_request *request, const struct tn_floor_floor_tree *floor)
{
	for (; floor; floor = floor->next) {
		const struct tn_floor_stair_tree *stair = floor->stairs;
		const struct tn_floor_lift_tree *lift = floor->lifts;

		begin_symbol(request, floor->name, floor->tokens, KIND_MODULE, "floor");
		put_rooms(request, floor->rooms);
		for (; stair; stair = stair->next) {
			begin_symbol(request, stair->name, stair->tokens, KIND_FUNCTION, "stair");
			end_symbol(request);
		}
		for (; lift; lift = lift->next) {
			begin_symbol(request, lift->name, lift->tokens, KIND_FUNCTION, "lift");
			end_symbol(request);
		}
		end_symbol(request);
	}
}

void tn_lsp_symbols(struct tn_lsp_request *request)
{
	const struct tn_floor_tree *tree = &request->document->plan->tree;
	const struct tn_floor_define_tree *define = tree->defines;
	const struct tn_floor_style_tree *style = tree->styles;

	tn_json_begin_array(request->result);
	/* With syntax errors, a statement may lack its name. */
	for (; define && tree->parses; define = define->next) {
		begin_symbol(request, define->name, define->tokens, KIND_STRUCT, "define");
		end_symbol(request);
	}
	for (; style && tree->parses; style = style->next) {
		begin_symbol(request, style->name, style->tokens, KIND_CLASS, "style");
		end_symbol(request);
	}
	if (tree->parses)
		put_floors(request, tree->floors);
	tn_json_end_array(request->result);
}
