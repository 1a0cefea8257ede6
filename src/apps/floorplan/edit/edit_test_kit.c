#include "apps/floorplan/edit/edit_test_kit.h"

#include <math.h>

#include "apps/floorplan/limits.h"
#include "base/size.h"
#include "base/utf8.h"
#include "jsonrpc/json_write.h"

/* ---- chance ---- */

uint32_t tn_edit_random(struct tn_edit_random *random, uint32_t below)
{
	uint64_t z = (random->state += 0x9E3779B97F4A7C15u);

	z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
	z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
	return (uint32_t)((z ^ (z >> 31)) >> 16) % below;
}

static const char *one_of(struct tn_edit_random *random, const char *const *words, uint32_t count)
{
	return words[tn_edit_random(random, count)];
}

/* ---- random plans ---- */

struct writer {
	struct tn_edit_random *random;
	struct tn_buf *out;
	const char *line_end;
	unsigned rooms; /* of the floor so far */
};

static bool sometimes(struct writer *w, uint32_t in)
{
	return tn_edit_random(w->random, in) == 0;
}

static void gap(struct writer *w)
{
	static const char *const gaps[] = {" ",  " ",   " ",         " ",          "  ",
					   "\t", " \t", " /* c */ ", " /* ü \n*/ "};

	tn_buf_append_text(w->out, one_of(w->random, gaps, TN_COUNT(gaps)));
	if (sometimes(w, 25))
		tn_buf_format(w->out, "# x%s   ", w->line_end);
}

static void end_line(struct writer *w)
{
	static const char *const tails[] = {"", "", "", "  ", " # tail", " /* t */", "\n\n# own"};

	tn_buf_append_text(w->out, one_of(w->random, tails, TN_COUNT(tails)));
	tn_buf_append_text(w->out, w->line_end);
}

static void length(struct writer *w, unsigned max)
{
	static const char *const units[] = {"", "", "", "", "ft", "in"};

	tn_buf_format(w->out, "%u%s%s", 1 + tn_edit_random(w->random, max),
		      sometimes(w, 4) ? ".5" : "", one_of(w->random, units, TN_COUNT(units)));
}

static void put_place(struct writer *w, unsigned first)
{
	static const char *const directions[] = {"right-of", "left-of",        "above",
						 "below",    "above-right-of", "below-left-of"};
	static const char *const ends[] = {"", " gap 1", " gap 2ft align center", " align bottom"};

	if (w->rooms > first && sometimes(w, 2)) {
		tn_buf_append_text(w->out, one_of(w->random, directions, TN_COUNT(directions)));
		gap(w);
		tn_buf_format(w->out, "R%u%s", first + tn_edit_random(w->random, w->rooms - first),
			      one_of(w->random, ends, TN_COUNT(ends)));
		return;
	}
	tn_buf_format(w->out, "at (%s", sometimes(w, 5) ? "-" : "");
	length(w, 60);
	tn_buf_append_text(w->out, sometimes(w, 2) ? "," : " , ");
	length(w, 60);
	tn_buf_append_text(w->out, ")");
}

static void put_size(struct writer *w)
{
	if (sometimes(w, 8)) {
		tn_buf_append_text(w->out, "size cell");
		return;
	}
	tn_buf_append_text(w->out, sometimes(w, 2) ? "size (" : "size(");
	length(w, 9);
	tn_buf_append_text(w->out, sometimes(w, 3) ? "x" : " x ");
	length(w, 9);
	tn_buf_append_text(w->out, ")");
}

static void put_extras(struct writer *w)
{
	static const char *const walls[] = {
		"walls [top: door at 40% size (0.7 x 2), left: window at 1]",
		"walls [top: solid, right: solid, bottom: open, left: solid]",
		"walls[left:window,]", "walls [top: door\n at 20%]"};
	static const char *const labels[] = {"label \"a # b\"", "label 'it \"is\"'", "label \"\""};

	if (sometimes(w, 2)) {
		gap(w);
		tn_buf_append_text(w->out, one_of(w->random, walls, TN_COUNT(walls)));
	}
	if (sometimes(w, 3)) {
		gap(w);
		tn_buf_append_text(w->out, one_of(w->random, labels, TN_COUNT(labels)));
	}
}

static void put_room(struct writer *w, unsigned depth, unsigned siblings);

static void put_inside(struct writer *w, unsigned depth)
{
	unsigned count = tn_edit_random(w->random, 3), first = w->rooms;

	tn_buf_append_text(w->out, " composed of [");
	if (!sometimes(w, 4))
		end_line(w);
	for (unsigned i = 0; i < count; i++)
		put_room(w, depth, first);
	tn_buf_append_text(w->out, " ]");
}

static void put_room(struct writer *w, unsigned depth, unsigned siblings)
{
	unsigned own = w->rooms;
	bool place_first = sometimes(w, 2);

	tn_buf_format(w->out, "%*s%s R%u", (int)(4 * depth), "", depth > 1 ? "sub-room" : "room",
		      own);
	gap(w);
	if (place_first)
		put_place(w, siblings);
	else
		put_size(w);
	gap(w);
	if (place_first)
		put_size(w);
	else
		put_place(w, siblings);
	w->rooms++; /* nothing stands beside itself */
	put_extras(w);
	if (sometimes(w, 8))
		tn_buf_append_text(w->out, " style Oak");
	if (depth < 4 && sometimes(w, 5))
		put_inside(w, depth + 1);
	if (sometimes(w, 12))
		tn_buf_append_byte(w->out, ' ');
	else
		end_line(w);
}

static void put_stairs(struct writer *w)
{
	static const char *const places[] = {"at (1,1)", "right-of R0 gap 1", "below R1", ""};

	if (sometimes(w, 2))
		tn_buf_format(w->out, "  stair S %s shape straight toward top rise 9ft%s",
			      one_of(w->random, places, TN_COUNT(places)), w->line_end);
	if (sometimes(w, 3))
		tn_buf_format(w->out,
			      "  stair C at (3,3) rise 4 shape custom from top [flight 4 along "
			      "R0.left, turn left landing (4 x 4), flight 3 along R1.top]%s",
			      w->line_end);
	if (sometimes(w, 3))
		tn_buf_format(w->out, "  lift L size (4 x 4) %s%s",
			      one_of(w->random, places, TN_COUNT(places)), w->line_end);
}

static void put_connections(struct writer *w, unsigned rooms, bool floors)
{
	static const char *const types[] = {"door", "double-door at 20%",
					    "opening at 30% size (2 x full)", "door swing: left"};

	for (unsigned i = 0; i < 4 && rooms > 0; i++) {
		unsigned a = tn_edit_random(w->random, rooms), b = tn_edit_random(w->random, rooms);

		tn_buf_format(w->out, "  connect %sR%u to %s", floors ? "F0." : "", a,
			      floors ? "F0." : "");
		if (sometimes(w, 4))
			tn_buf_format(w->out, "R%u.left", b);
		else
			tn_buf_format(w->out, "R%u", b);
		tn_buf_format(w->out, " %s", one_of(w->random, types, TN_COUNT(types)));
		if (sometimes(w, 4))
			tn_buf_format(w->out, " opens into R%u", a);
		if (sometimes(w, 8))
			tn_buf_append_byte(w->out, ' ');
		else
			end_line(w);
	}
}

void tn_edit_random_plan(struct tn_edit_random *random, struct tn_buf *out)
{
	static const char *const ends[] = {"\n", "\n", "\r\n", "\r"};
	struct writer w = {.random = random, .out = out};
	unsigned floors = 1 + tn_edit_random(random, 2), rooms = 0;

	w.line_end = one_of(random, ends, TN_COUNT(ends));
	if (sometimes(&w, 6))
		tn_buf_append_text(out, "\xEF\xBB\xBF");
	tn_buf_format(out, "floorplan%s  define cell (3 x 4)%s", w.line_end, w.line_end);
	if (!sometimes(&w, 3))
		tn_buf_format(out, "  config { %s }%s",
			      sometimes(&w, 4) ? "theme: dark" : "default_unit: ft", w.line_end);
	tn_buf_format(out, "style Oak { roughness: 0.5 }%s", w.line_end);
	for (unsigned i = 0; i < floors; i++) {
		unsigned count = tn_edit_random(random, 8);

		w.rooms = 0;
		tn_buf_format(out, "  floor F%u {", i);
		if (!sometimes(&w, 6))
			end_line(&w);
		for (unsigned k = 0; k < count; k++)
			put_room(&w, 1, 0);
		put_stairs(&w);
		tn_buf_format(out, "  }%s", w.line_end);
		rooms = i == 0 ? w.rooms : rooms;
	}
	put_connections(&w, rooms, floors > 1);
}

/* ---- random operations ---- */

static void put_added(struct tn_edit_random *random, const char *x, struct tn_buf *out)
{
	tn_buf_format(out, "\"name\":\"N%u\",\"size\":{\"width\":4,\"height\":\"2m\"},",
		      tn_edit_random(random, 9));
	if (tn_edit_random(random, 2))
		tn_buf_format(out, "\"position\":{\"x\":%s,\"y\":1}", x);
	else
		tn_buf_format(out,
			      "\"relativePosition\":{\"direction\":\"below\",\"reference\":"
			      "\"R%u\",\"gap\":1}",
			      tn_edit_random(random, 5));
	if (tn_edit_random(random, 3) == 0)
		tn_buf_format(out, ",\"parent\":\"R%u\"", tn_edit_random(random, 6));
}

static void put_params(struct tn_edit_random *random, unsigned action,
		       const struct tn_floor_room *room, struct tn_buf *out)
{
	static const char *const lengths[] = {"1",        "7.25",     "-3",    "\"3.5m\"",
					      "\"12in\"", "0.000001", "1e300", "\"-2 ft\"",
					      "\"x\"",    "40"};
	static const char *const types[] = {"solid", "door", "window", "open"};
	static const char *const labels[] = {"A", "", "it's", "\\\"q\\\"", "\\\"'", "ü\\nü"};
	const char *a = one_of(random, lengths, TN_COUNT(lengths));
	const char *b = one_of(random, lengths, TN_COUNT(lengths));
	const char *yes = tn_edit_random(random, 2) ? "true" : "false";

	switch (action) {
	case 0:
		put_added(random, a, out);
		break;
	case 1:
		break;
	case 2:
		tn_buf_format(out, "\"width\":%s,\"height\":%s,\"pinDependents\":%s", a, b, yes);
		break;
	case 3:
		tn_buf_format(out, "\"x\":%s,\"y\":%s,\"pinDependents\":%s", a, b, yes);
		break;
	case 4:
		tn_buf_format(out, "\"newName\":\"%s%u\"", tn_edit_random(random, 5) ? "Q" : "R",
			      tn_edit_random(random, 9));
		break;
	case 5:
		tn_buf_format(out, "\"top\":\"%s\",\"left\":\"%s\"", one_of(random, types, 4),
			      one_of(random, types, 4));
		break;
	case 6:
		tn_buf_format(out, "\"label\":\"%s\"", one_of(random, labels, TN_COUNT(labels)));
		break;
	case 7:
		tn_buf_format(out, "\"anchorRoom\":\"%.*s.%.*s\"", (int)room->floor->name.size,
			      room->floor->name.data, (int)room->name.size, room->name.data);
		break;
	case 8:
		break;
	case 9:
	case 10:
		tn_buf_format(out, "\"from\":\"F0.R%u\",\"to\":\"F0.R%u.left\"",
			      tn_edit_random(random, 4), tn_edit_random(random, 4));
		break;
	default:
		tn_buf_append_text(out, tn_edit_random(random, 2) ? "\"style\":\"Oak\""
								  : "\"style\":null");
	}
}

void tn_edit_random_operations(struct tn_edit_random *random, const struct tn_floor_plan *plan,
			       unsigned count, struct tn_buf *out)
{
	tn_buf_append_byte(out, '[');
	for (unsigned i = 0; i < count && plan->room_count > 0; i++) {
		unsigned action = tn_edit_random(random, 12);
		const struct tn_floor_room *room =
			plan->rooms[tn_edit_random(random, plan->room_count)];

		tn_buf_format(out, "%s{\"action\":\"%s\"", i ? "," : "",
			      tn_floor_edit_action(action));
		if ((action > 0 && action < 7) || action == 11)
			tn_buf_format(out, ",\"target\":\"%.*s.%.*s\"", (int)room->floor->name.size,
				      room->floor->name.data, (int)room->name.size,
				      room->name.data);
		tn_buf_append_text(out, ",\"params\":{");
		put_params(random, action, room, out);
		tn_buf_append_text(out, "}}");
	}
	tn_buf_append_byte(out, ']');
}

/* ---- what must hold ---- */

/* Comments and front matter: everything that is neither token nor blank. */
static void put_between(const struct tn_floor_plan *plan, struct tn_buf *out)
{
	const struct tn_floor_lexed *lexed = &plan->tree.lexed;
	uint32_t at = 0;

	for (uint32_t i = 0; i < lexed->count; i++) {
		uint32_t end = lexed->tokens[i].kind == TN_FLOOR_END ? (uint32_t)plan->text.size
								     : lexed->tokens[i].range.start;

		for (; at < end; at++) {
			if (!strchr(" \t\r\n\v\f", plan->text.data[at]))
				tn_buf_append_byte(out, plan->text.data[at]);
		}
		at = lexed->tokens[i].range.end;
	}
}

static bool is_part_of(struct tn_str part, struct tn_str whole) /* in order, with gaps */
{
	size_t at = 0;

	for (size_t i = 0; i < whole.size && at < part.size; i++)
		at += whole.data[i] == part.data[at];
	return at == part.size;
}

static const char *check_between(const struct tn_floor_plan *before,
				 const struct tn_floor_plan *after, bool removes)
{
	struct tn_buf a, b;
	const char *fault = NULL;

	tn_buf_init(&a, TN_FLOOR_TEXT_BYTES_MAX);
	tn_buf_init(&b, TN_FLOOR_TEXT_BYTES_MAX);
	put_between(before, &a);
	put_between(after, &b);
	if (removes ? !is_part_of(tn_buf_str(&b), tn_buf_str(&a))
		    : !tn_str_equal(tn_buf_str(&a), tn_buf_str(&b)))
		fault = "a comment was touched";
	tn_buf_finish(&a);
	tn_buf_finish(&b);
	return fault;
}

static const struct tn_floor_room *same_room(const struct tn_floor_plan *plan,
					     const struct tn_floor_room *room)
{
	for (uint32_t i = 0; i < plan->room_count; i++) {
		if (tn_str_equal(plan->rooms[i]->floor->name, room->floor->name) &&
		    tn_str_equal(plan->rooms[i]->name, room->name))
			return plan->rooms[i];
	}
	return NULL;
}

static bool is_near(double a, double b)
{
	return fabs(a - b) <= 1e-5 + 1e-12 * fabs(a);
}

/* Names and places are good; connections may be wrong. */
static bool has_places(const struct tn_floor_plan *plan)
{
	for (const struct tn_floor_diagnostic *at = plan->diagnostics.first; at; at = at->next) {
		if (at->severity == TN_FLOOR_ERROR && at->code < 4000)
			return false;
	}
	return true;
}

/* remove_room and the conversions leave every other room where it is. */
static const char *check_places(const struct tn_floor_plan *before,
				const struct tn_floor_plan *after)
{
	/* U may be another one when every length that is left has a unit. */
	const double by = tn_floor_metres(after->unit) / tn_floor_metres(before->unit);

	if (!has_places(before))
		return NULL;
	for (uint32_t i = 0; i < before->room_count; i++) {
		const struct tn_floor_room *a = before->rooms[i], *b = same_room(after, a);

		if (!b || !a->placed)
			continue;
		if (!b->placed || !is_near(a->rect.x, b->rect.x * by) ||
		    !is_near(a->rect.y, b->rect.y * by) ||
		    !is_near(a->rect.width, b->rect.width * by) ||
		    !is_near(a->rect.height, b->rect.height * by))
			return "a room has moved";
	}
	return NULL;
}

/* rename_room: token for token the same, but for that name. */
static const char *check_tokens(const struct tn_floor_plan *before,
				const struct tn_floor_plan *after, struct tn_str name)
{
	const struct tn_floor_lexed *a = &before->tree.lexed, *b = &after->tree.lexed;

	if (a->count != b->count)
		return "a name changed the number of tokens";
	for (uint32_t i = 0; i < a->count; i++) {
		struct tn_str is = tn_floor_token_text(b, i);

		if (!tn_str_equal(tn_floor_token_text(a, i), is) && !tn_str_equal(is, name))
			return "more than a name was changed";
	}
	return NULL;
}

static const char *check_one(const struct tn_floor_plan *before,
			     const struct tn_floor_edited *edited, const struct tn_json *operation)
{
	struct tn_str action = tn_str("", 0), name = tn_str("", 0);
	bool removes;
	const char *fault;

	(void)tn_json_to_str(tn_json_get(operation, "action"), &action);
	(void)tn_json_to_str(tn_json_get(tn_json_get(operation, "params"), "newName"), &name);
	removes = tn_str_starts(action, TN_STR("remove"));
	if (!edited->plan->tree.parses)
		return "the result does not parse";
	if (!tn_str_equal(tn_buf_str(&edited->text), edited->plan->text))
		return "the plan is of another text";
	fault = check_between(before, edited->plan, removes);
	if (!fault && edited->success && tn_str_is(action, "rename_room"))
		fault = check_tokens(before, edited->plan, name);
	if (!fault && (tn_str_is(action, "remove_room") ||
		       (tn_str_starts(action, TN_STR("convert")) &&
			!tn_json_get(tn_json_get(operation, "params"), "alignmentTolerance"))))
		fault = check_places(before, edited->plan);
	return fault;
}

/* Each operation alone, on the text of the one before; *text is the last one. */
static const char *run_alone(struct tn_buf *text, const struct tn_json *operations,
			     struct tn_str floor, bool *ret_good)
{
	const char *fault = NULL;
	struct tenon_error err;

	*ret_good = true;
	for (const struct tn_json *at = operations->first; at && !fault; at = at->next) {
		struct tn_json copy = *at;
		struct tn_json one = {.type = TN_JSON_ARRAY, .count = 1};
		struct tn_floor_edit_options options = {.operations = &one, .floor = floor};
		struct tn_floor_edited edited;
		struct tn_floor_plan *before;

		copy.next = NULL;
		one.first = &copy;
		if (tn_floor_plan_create(tn_buf_str(text), false, &before, &err) != TENON_OK)
			return "no memory";
		if (tn_floor_edit(tn_buf_str(text), &options, &edited, &err) != TENON_OK) {
			tn_floor_plan_free(before);
			return "no memory";
		}
		fault = check_one(before, &edited, at);
		*ret_good = *ret_good && edited.success;
		tn_buf_clear(text);
		tn_buf_append_str(text, tn_buf_str(&edited.text));
		tn_floor_edited_finish(&edited);
		tn_floor_plan_free(before);
	}
	return fault;
}

static const char *check_all(struct tn_str text, const struct tn_floor_edited *edited,
			     const struct tn_floor_edited *atomic, const struct tn_json *operations,
			     struct tn_str floor)
{
	struct tn_buf alone;
	const char *fault;
	bool good;

	if (!edited->readable)
		return edited->text.size == 0 && !edited->success ? NULL : "unread, and edited";
	if (!tn_utf8_valid(edited->changes.data, edited->changes.size) ||
	    !tn_utf8_valid(edited->errors.data, edited->errors.size))
		return "the answer is no UTF-8";
	if (!edited->success != (edited->errors.size > 0))
		return "failed without an error, or the other way round";
	if (!tn_str_equal(tn_buf_str(&atomic->text),
			  edited->success ? tn_buf_str(&edited->text) : text))
		return "atomic left something";
	tn_buf_init(&alone, TN_FLOOR_TEXT_BYTES_MAX);
	tn_buf_append_str(&alone, text);
	fault = run_alone(&alone, operations, floor, &good);
	if (!fault && (good != edited->success ||
		       !tn_str_equal(tn_buf_str(&alone), tn_buf_str(&edited->text))))
		fault = "one by one gives another text";
	tn_buf_finish(&alone);
	return fault;
}

const char *tn_edit_check(struct tn_str text, const struct tn_json *operations, struct tn_str floor)
{
	struct tn_floor_edit_options options = {.operations = operations, .floor = floor};
	struct tn_floor_edited edited, atomic;
	struct tenon_error err;
	const char *fault;

	if (tn_floor_edit(text, &options, &edited, &err) != TENON_OK)
		return err.code == TENON_INVALID ? NULL : "no memory";
	options.atomic = true;
	if (tn_floor_edit(text, &options, &atomic, &err) != TENON_OK) {
		tn_floor_edited_finish(&edited);
		return "no memory";
	}
	fault = check_all(text, &edited, &atomic, operations, floor);
	tn_floor_edited_finish(&edited);
	tn_floor_edited_finish(&atomic);
	return fault;
}
