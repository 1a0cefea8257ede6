#include "apps/floorplan/edit/edit_reread.h"

#include "apps/floorplan/language/parser.h"
#include "apps/floorplan/limits.h"
#include "base/mem.h"

enum {
	CUTS_MAX = 16,      /* more of them touch so much that all is read again */
	GARBAGE_MIN = 4000, /* tokens that were replaced: so many may be kept */
	SPARE = 4096        /* tokens that one operation may add, besides an eighth of all */
};

/* Elements of one container that stand side by side, and what is read in their place. */
struct group {
	size_t first_cut, end_cut;
	uint32_t start, end; /* bytes before: between the neighbours that stay */
	struct tn_floor_room_tree **rooms, *new_rooms; /* where the first one hangs */
	const struct tn_floor_room_tree *rooms_end;    /* the first one that stays */
	struct tn_floor_connect_tree **connects, *new_connects;
	const struct tn_floor_connect_tree *connects_end;
	struct tn_floor_room_tree *parent;
	unsigned depth;
	uint32_t removed, first_token; /* elements; of what is read */
};

struct reread {
	const struct tn_floor_plan *before;
	struct tn_floor_plan *after;
	const struct tn_edit_cut *cuts;
	size_t cut_count;
	struct tn_edit_tokens *memory;
	struct tn_arena *arena;
	struct tn_floor_token *tokens; /* those before, moved, and the new ones */
	uint32_t count;
	struct group groups[CUTS_MAX];
	size_t group_count;
};

/* ---- where what was is now ---- */

static int64_t growth(const struct tn_edit_cut *cut)
{
	return (int64_t)cut->text.size - (cut->end - cut->start);
}

/* Bytes by which the cuts before cut `count` move what stands behind them. */
static int64_t moved_by(const struct reread *r, size_t count)
{
	int64_t by = 0;

	for (size_t i = 0; i < count; i++)
		by += growth(&r->cuts[i]);
	return by;
}

static uint32_t lines_in(struct tn_str text)
{
	uint32_t lines = 0;

	for (size_t i = 0; i < text.size; i++)
		lines += text.data[i] == '\n' ||
			 (text.data[i] == '\r' && (i + 1 == text.size || text.data[i + 1] != '\n'));
	return lines;
}

static struct tn_str removed_text(const struct reread *r, const struct tn_edit_cut *cut)
{
	return tn_str(r->before->text.data + cut->start, cut->end - cut->start);
}

/* A line end of two bytes may be split, so that its lines are not those of its parts. */
static bool splits_line_end(struct tn_str part, bool behind_return)
{
	return part.size > 0 &&
	       (part.data[part.size - 1] == '\r' || (behind_return && part.data[0] == '\n'));
}

static bool are_simple(const struct reread *r)
{
	for (size_t i = 0; i < r->cut_count; i++) {
		const struct tn_edit_cut *cut = &r->cuts[i];
		bool behind = cut->start > 0 && r->before->text.data[cut->start - 1] == '\r';

		if ((i > 0 && cut->start < r->cuts[i - 1].end) ||
		    !tn_utf8_valid(cut->text.data, cut->text.size) ||
		    tn_str_find_byte(cut->text, '\0') != TN_STR_NONE ||
		    splits_line_end(cut->text, behind) ||
		    splits_line_end(removed_text(r, cut), behind))
			return false;
	}
	return r->cut_count > 0 && r->cut_count <= CUTS_MAX;
}

static bool has_room(struct reread *r, uint32_t room)
{
	struct tn_floor_token *more;

	if (r->memory->room >= room)
		return true;
	more = tn_mem_resize(r->memory->tokens, room * sizeof(*more));
	if (!more)
		return false;
	*r->memory = (struct tn_edit_tokens){more, room};
	return true;
}

struct step {
	uint32_t end;
	uint32_t bytes, lines; /* modulo 2^32: either way */
};

static void move_token(struct tn_floor_range *range, const struct step *steps, size_t count)
{
	const uint32_t start = range->start;

	for (size_t i = 0; i < count && start >= steps[i].end; i++) {
		range->start += steps[i].bytes;
		range->end += steps[i].bytes;
		range->line += steps[i].lines;
		range->end_line += steps[i].lines;
	}
}

static bool move_tokens(struct reread *r)
{
	const struct tn_floor_lexed *lexed = &r->before->tree.lexed;
	struct step steps[CUTS_MAX];

	if (!has_room(r, lexed->count + lexed->count / 8 + SPARE))
		return false;
	r->tokens = r->memory->tokens;
	r->count = lexed->count;
	for (size_t i = 0; i < r->cut_count; i++) {
		const struct tn_edit_cut *cut = &r->cuts[i];

		steps[i] = (struct step){cut->end, (uint32_t)growth(cut),
					 lines_in(cut->text) - lines_in(removed_text(r, cut))};
	}
	for (uint32_t i = 0; i < r->count; i++) {
		r->tokens[i] = lexed->tokens[i];
		move_token(&r->tokens[i].range, steps, r->cut_count);
	}
	return true;
}

/* ---- which elements are touched ---- */

struct bytes {
	uint32_t start, end;
};

static struct bytes bytes_of(const struct reread *r, struct tn_floor_tokens tokens)
{
	const struct tn_floor_token *all = r->before->tree.lexed.tokens;

	return (struct bytes){all[tokens.first].range.start, all[tokens.last].range.end};
}

/* An element that stays bounds the group; false: the cut touches it. */
static bool stays(const struct reread *r, struct group *group, struct tn_floor_tokens tokens)
{
	const struct tn_edit_cut *cut = &r->cuts[group->first_cut];
	const struct bytes own = bytes_of(r, tokens);

	if (own.end < cut->start) {
		if (own.end > group->start)
			group->start = own.end;
		return true;
	}
	if (own.start > cut->end) {
		if (own.start < group->end)
			group->end = own.start;
		return true;
	}
	return false;
}

static bool is_within(const struct reread *r, const struct tn_edit_cut *cut, uint32_t open,
		      uint32_t close)
{
	const struct tn_floor_token *all = r->before->tree.lexed.tokens;

	return open != TN_FLOOR_NO_TOKEN && close != TN_FLOOR_NO_TOKEN &&
	       all[open].range.end <= cut->start && cut->end <= all[close].range.start;
}

static uint32_t count_inside(const struct tn_floor_room_tree *room)
{
	uint32_t count = 1;

	for (const struct tn_floor_room_tree *at = room->rooms; at; at = at->next)
		count += count_inside(at); /* at most 8 deep */
	return count;
}

/* Among the rooms of a list; the deepest one that has the cut inside of its brackets counts. */
static void find_rooms(const struct reread *r, struct group *group,
		       struct tn_floor_room_tree **list)
{
	const struct tn_edit_cut *cut = &r->cuts[group->first_cut];
	struct tn_floor_room_tree **end = list;

	group->rooms = NULL;
	group->removed = 0;
	for (struct tn_floor_room_tree **at = list; *at; at = &(*at)->next) {
		struct tn_floor_room_tree *room = *at;

		if (is_within(r, cut, room->open, room->close)) {
			const struct tn_floor_token *all = r->before->tree.lexed.tokens;

			group->start = all[room->open].range.end;
			group->end = all[room->close].range.start;
			group->parent = room;
			group->depth++;
			find_rooms(r, group, &room->rooms); /* at most 8 deep */
			return;
		}
		if (stays(r, group, room->tokens)) {
			if (bytes_of(r, room->tokens).end < cut->start)
				end = &room->next;
			continue;
		}
		if (!group->rooms)
			group->rooms = at;
		group->removed += count_inside(room);
		end = &room->next;
	}
	if (!group->rooms)
		group->rooms = end;
	group->rooms_end = *end;
}

/* False: the cut touches a stair or a lift. */
static bool find_in_floor(const struct reread *r, struct group *group,
			  struct tn_floor_floor_tree *floor)
{
	const struct tn_floor_token *all = r->before->tree.lexed.tokens;

	group->start = all[floor->open].range.end;
	group->end = all[floor->close].range.start;
	group->depth = 1;
	for (const struct tn_floor_stair_tree *at = floor->stairs; at; at = at->next) {
		if (!stays(r, group, at->tokens))
			return false;
	}
	for (const struct tn_floor_lift_tree *at = floor->lifts; at; at = at->next) {
		if (!stays(r, group, at->tokens))
			return false;
	}
	find_rooms(r, group, &floor->rooms);
	return true;
}

/* Statements that are no connections. */
static bool others_stay(const struct reread *r, struct group *group)
{
	const struct tn_floor_tree *tree = &r->before->tree;
	struct tn_floor_tokens head = {tree->floorplan_word, tree->floorplan_word};
	bool good = stays(r, group, head);

	if (tree->config_block.first != TN_FLOOR_NO_TOKEN)
		good = good && stays(r, group, tree->config_block);
	for (const struct tn_floor_floor_tree *at = tree->floors; at && good; at = at->next)
		good = stays(r, group, at->tokens);
	for (const struct tn_floor_vertical_tree *at = tree->verticals; at && good; at = at->next)
		good = stays(r, group, at->tokens);
	for (const struct tn_floor_define_tree *at = tree->defines; at && good; at = at->next)
		good = stays(r, group, at->tokens);
	for (const struct tn_floor_style_tree *at = tree->styles; at && good; at = at->next)
		good = stays(r, group, at->tokens);
	return good && group->start > 0;
}

static bool find_connects(const struct reread *r, struct group *group)
{
	const struct tn_edit_cut *cut = &r->cuts[group->first_cut];
	struct tn_floor_connect_tree **end = &r->after->tree.connections;

	group->end = (uint32_t)r->before->text.size;
	if (!others_stay(r, group))
		return false;
	for (struct tn_floor_connect_tree **at = end; *at; at = &(*at)->next) {
		if (stays(r, group, (*at)->tokens)) {
			if (bytes_of(r, (*at)->tokens).end < cut->start)
				end = &(*at)->next;
			continue;
		}
		if (!group->connects)
			group->connects = at;
		group->removed++;
		end = &(*at)->next;
	}
	if (!group->connects)
		group->connects = end;
	group->connects_end = *end;
	return true;
}

static bool find_group(const struct reread *r, struct group *group)
{
	const struct tn_edit_cut *cut = &r->cuts[group->first_cut];

	for (struct tn_floor_floor_tree *at = r->before->tree.floors; at; at = at->next) {
		if (is_within(r, cut, at->open, at->close))
			return find_in_floor(r, group, at);
	}
	return find_connects(r, group);
}

/* One that begins before the last one ends is a part of it. */
static bool add_group(struct reread *r, const struct group *group)
{
	struct group *last = r->group_count ? &r->groups[r->group_count - 1] : NULL;

	if (!last || group->start >= last->end) {
		r->groups[r->group_count++] = *group;
		return true;
	}
	if (group->parent != last->parent || !group->rooms != !last->rooms)
		return false;
	last->end_cut = group->end_cut;
	if (group->end <= last->end)
		return group->start >= last->start;
	/* Each touches elements of its own beside those of both. */
	last->end = group->end;
	last->rooms_end = group->rooms_end;
	last->connects_end = group->connects_end;
	last->removed += group->removed;
	return true;
}

/* ---- reading ---- */

static bool is_unit(const struct tn_floor_token *token)
{
	return token->kind == TN_FLOOR_WORD &&
	       (token->word == TN_WORD_m || token->word == TN_WORD_ft ||
		token->word == TN_WORD_cm || token->word == TN_WORD_in ||
		token->word == TN_WORD_mm);
}

/* The units that are written decide the plan's (4.1). */
static bool has_units(const struct tn_floor_token *tokens, uint32_t first, uint32_t end)
{
	for (; first < end; first++) {
		if (is_unit(&tokens[first]))
			return true;
	}
	return false;
}

static bool had_units(const struct reread *r, const struct group *group)
{
	const struct tn_floor_token *tokens = r->before->tree.lexed.tokens;

	if (!group->rooms)
		return false;
	for (const struct tn_floor_room_tree *at = *group->rooms; at != group->rooms_end;
	     at = at->next) {
		if (has_units(tokens, at->tokens.first, at->tokens.last + 1))
			return true;
	}
	return false;
}

static bool is_blank(char byte)
{
	return byte == ' ' || byte == '\t';
}

static bool is_line_end(char byte)
{
	return byte == '\n' || byte == '\r';
}

/* What is read alone means the same as in its place: blanks before it, and before what follows. */
static bool stands_alone(struct tn_str text, size_t start, size_t end)
{
	const struct tn_str part = tn_str(text.data + start, end - start);
	size_t last = part.size;

	if (part.size == 0 || (!is_blank(part.data[0]) && !is_line_end(part.data[0])))
		return false;
	while (last > 0 && is_blank(part.data[last - 1]))
		last--;
	return end == text.size || last == 0 || is_line_end(part.data[last - 1]) ||
	       (last < part.size && tn_str_find_byte(part, '#') == TN_STR_NONE);
}

static bool add_tokens(struct reread *r, const struct tn_floor_lexed *part)
{
	if (part->count > r->memory->room - r->count)
		return false;
	memcpy(r->tokens + r->count, part->tokens, part->count * sizeof(*r->tokens));
	r->count += part->count;
	return r->count < TN_FLOOR_TOKENS_MAX;
}

static bool lex_group(struct reread *r, struct group *group)
{
	const struct tn_str text = r->after->text;
	const size_t start = (size_t)(group->start + moved_by(r, group->first_cut));
	const size_t end = (size_t)(group->end + moved_by(r, group->end_cut));
	struct tn_floor_lexed part;
	uint32_t line = 1;

	if (!stands_alone(text, start, end))
		return false;
	line += lines_in(tn_str(text.data, start));
	group->first_token = r->count;
	return tn_floor_lex_part(tn_str(text.data, end), (uint32_t)start, line, r->arena,
				 &r->after->diagnostics, &part) &&
	       add_tokens(r, &part);
}

static uint32_t count_connects(const struct reread *r)
{
	const struct tn_floor_connect_tree *at = r->before->tree.connections;
	uint32_t count = 0;

	for (; at; at = at->next)
		count++;
	return count;
}

static bool parse_group(struct reread *r, struct group *group)
{
	struct tn_floor_parser p = {.list = &r->after->diagnostics, .arena = r->arena};
	struct tn_floor_room_tree **room = &group->new_rooms;
	struct tn_floor_connect_tree **connect = &group->new_connects;

	p.lexed = (struct tn_floor_lexed){r->after->text, r->tokens, r->count, 0};
	p.at = group->first_token;
	p.rooms = r->before->room_count - (group->rooms ? group->removed : 0);
	p.connections = count_connects(r) - (group->rooms ? 0 : group->removed);
	while (tn_parse_here(&p)->kind != TN_FLOOR_END) {
		if (group->rooms) {
			if ((!tn_parse_is_word(&p, TN_WORD_room) &&
			     !tn_parse_is_word(&p, TN_WORD_sub_room)) ||
			    !tn_parse_room(&p, group->parent, group->depth, room))
				return false;
			room = &(*room)->next;
		} else {
			if (!tn_parse_is_word(&p, TN_WORD_connect) ||
			    !tn_parse_connect(&p, connect))
				return false;
			connect = &(*connect)->next;
		}
	}
	return true;
}

static bool read_group(struct reread *r, struct group *group)
{
	const struct tn_floor_diagnostics *list = &r->after->diagnostics;

	if (!lex_group(r, group) || !parse_group(r, group) || list->first || list->starved)
		return false;
	return r->before->unit_is_chosen ||
	       (!had_units(r, group) &&
		!(group->rooms && has_units(r->tokens, group->first_token, r->count)));
}

static void hang(struct group *group)
{
	if (group->rooms) {
		struct tn_floor_room_tree **at = group->rooms;

		*at = group->new_rooms;
		while (*at)
			at = &(*at)->next;
		*at = (struct tn_floor_room_tree *)group->rooms_end;
	} else {
		struct tn_floor_connect_tree **at = group->connects;

		*at = group->new_connects;
		while (*at)
			at = &(*at)->next;
		*at = (struct tn_floor_connect_tree *)group->connects_end;
	}
}

static bool find_groups(struct reread *r)
{
	for (size_t i = 0; i < r->cut_count; i++) {
		struct group group = {.first_cut = i, .end_cut = i + 1};

		if (!find_group(r, &group) || !add_group(r, &group))
			return false;
	}
	return true;
}

bool tn_edit_reread(const struct tn_floor_plan *before, const struct tn_edit_cut *cuts,
		    size_t cut_count, struct tn_edit_tokens *memory, struct tn_arena *arena,
		    struct tn_floor_plan *after)
{
	struct reread r = {.before = before,
			   .after = after,
			   .cuts = cuts,
			   .cut_count = cut_count,
			   .memory = memory,
			   .arena = arena};

	if (before->tree.lexed.count > 2 * before->token_count + GARBAGE_MIN || !are_simple(&r))
		return false;
	after->tree = before->tree;
	if (!find_groups(&r) || !move_tokens(&r))
		return false;
	for (size_t i = 0; i < r.group_count; i++) {
		if (!read_group(&r, &r.groups[i]))
			return false;
	}
	/* From behind, because where a group hangs may be a part of the one before it. */
	for (size_t i = r.group_count; i > 0; i--)
		hang(&r.groups[i - 1]);
	after->tree.lexed =
		(struct tn_floor_lexed){after->text, r.tokens, r.count, before->tree.lexed.body};
	after->token_count = before->token_count;
	after->unit_is_chosen = before->unit_is_chosen;
	return true;
}
