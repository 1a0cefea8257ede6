/* A whole plan: statements and floors (floorplan.md 5.2). */
#include "apps/floorplan/language/lex_text.h"
#include "apps/floorplan/language/parser.h"
#include "apps/floorplan/limits.h"

/* ---- floors ---- */

struct floor_ends { /* of the three lists of a floor */
	struct tn_floor_room_tree **room;
	struct tn_floor_stair_tree **stair;
	struct tn_floor_lift_tree **lift;
};

static bool parse_element(struct tn_floor_parser *p, struct floor_ends *ends)
{
	if (tn_parse_is_word(p, TN_WORD_stair)) {
		if (tn_parse_stair(p, ends->stair)) {
			ends->stair = &(*ends->stair)->next;
			return true;
		}
		*ends->stair = NULL;
	} else if (tn_parse_is_word(p, TN_WORD_lift)) {
		if (tn_parse_lift(p, ends->lift)) {
			ends->lift = &(*ends->lift)->next;
			return true;
		}
		*ends->lift = NULL;
	} else {
		if (tn_parse_room(p, NULL, 0, ends->room)) {
			ends->room = &(*ends->room)->next;
			return true;
		}
		*ends->room = NULL;
	}
	return false;
}

static bool is_element(const struct tn_floor_parser *p)
{
	return tn_parse_is_word(p, TN_WORD_room) || tn_parse_is_word(p, TN_WORD_sub_room) ||
	       tn_parse_is_word(p, TN_WORD_stair) || tn_parse_is_word(p, TN_WORD_lift);
}

static void parse_elements(struct tn_floor_parser *p, struct tn_floor_floor_tree *floor)
{
	struct floor_ends ends = {&floor->rooms, &floor->stairs, &floor->lifts};

	while (is_element(p) && !p->full) {
		uint32_t first = p->at;

		if (!parse_element(p, &ends) && !p->full)
			tn_parse_recover(p, first, '}');
	}
}

/* Up to the opening brace; behind a fault there the rooms are read all the same. */
static bool parse_floor_head(struct tn_floor_parser *p, struct tn_floor_floor_tree *floor)
{
	tn_parse_next(p);
	if (tn_parse_name(p, &floor->name) &&
	    (!tn_parse_is_word(p, TN_WORD_height) || tn_parse_measure(p, &floor->height)) &&
	    tn_parse_is_sign(p, '{'))
		return true;
	(void)tn_parse_expected(
		p, floor->height.tokens.first == TN_FLOOR_NO_TOKEN ? "'height' or '{'" : "'{'");
	while (tn_parse_here(p)->kind != TN_FLOOR_END && !tn_parse_at_statement(p) &&
	       !tn_parse_is_sign(p, '{'))
		tn_parse_next(p);
	return tn_parse_is_sign(p, '{') || is_element(p);
}

static bool parse_floor(struct tn_floor_parser *p, struct tn_floor_floor_tree **ret)
{
	struct tn_floor_floor_tree *floor = tn_parse_new(p, sizeof(*floor));

	if (!floor)
		return false;
	*ret = floor;
	floor->word = p->at;
	floor->close = TN_FLOOR_NO_TOKEN;
	floor->height.tokens = tn_parse_no_tokens();
	if (!tn_parse_count(p, &p->floors, TN_FLOOR_FLOORS_MAX, "floors") ||
	    !parse_floor_head(p, floor))
		return false;
	floor->open = p->at;
	(void)tn_parse_take_sign(p, '{');
	parse_elements(p, floor);
	p->told = false;
	floor->close = p->at;
	if (!p->full && !tn_parse_take_sign(p, '}'))
		return tn_parse_expected(p, "'room', 'stair', 'lift' or '}'");
	floor->tokens = tn_parse_since(p, floor->word);
	return true;
}

/* ---- the other statements ---- */

static bool parse_define(struct tn_floor_parser *p, struct tn_floor_define_tree **ret)
{
	struct tn_floor_define_tree *define = tn_parse_new(p, sizeof(*define));
	uint32_t first = p->at;

	if (!define)
		return false;
	*ret = define;
	if (!tn_parse_count(p, &p->sizes, TN_FLOOR_SIZES_MAX, "sizes"))
		return false;
	tn_parse_next(p);
	if (!tn_parse_name(p, &define->name) || !tn_parse_size(p, false, &define->size))
		return false;
	define->tokens = tn_parse_since(p, first);
	return true;
}

static bool parse_style(struct tn_floor_parser *p, struct tn_floor_style_tree **ret)
{
	struct tn_floor_style_tree *style = tn_parse_new(p, sizeof(*style));
	uint32_t first = p->at;

	if (!style)
		return false;
	*ret = style;
	if (!tn_parse_count(p, &p->styles, TN_FLOOR_STYLES_MAX, "styles"))
		return false;
	tn_parse_next(p);
	if (!tn_parse_name(p, &style->name) || !tn_parse_properties(p, true, &style->properties))
		return false;
	style->tokens = tn_parse_since(p, first);
	return true;
}

static bool parse_config(struct tn_floor_parser *p, struct tn_floor_tree *tree)
{
	struct tn_floor_property *properties = NULL;
	uint32_t first = p->at;
	bool is_second = tree->config_block.first != TN_FLOOR_NO_TOKEN;

	if (is_second)
		(void)tn_floor_diagnose(p->list, 5008, &tn_parse_here(p)->range,
					"there is a config block already; put everything into one");
	tn_parse_next(p);
	if (!tn_parse_properties(p, false, &properties))
		return false;
	if (!is_second) {
		tree->config = properties;
		tree->config_block = tn_parse_since(p, first);
	}
	return true;
}

struct ends { /* of the lists of a plan */
	struct tn_floor_define_tree **define;
	struct tn_floor_style_tree **style;
	struct tn_floor_floor_tree **floor;
	struct tn_floor_connect_tree **connect;
	struct tn_floor_vertical_tree **vertical;
};

/* What was begun and could not be read is in no list. */
#define KEEP(end, good)                          \
	do {                                     \
		if (good)                        \
			(end) = &(*(end))->next; \
		else                             \
			*(end) = NULL;           \
	} while (0)

static bool parse_outside_floor(struct tn_floor_parser *p)
{
	struct tn_str word = tn_floor_token_text(&p->lexed, p->at);

	return tn_parse_fault(p, 1006, &tn_parse_here(p)->range,
			      "this %.*s stands outside of a floor; put it into floor NAME { }",
			      (int)word.size, word.data);
}

static bool parse_statement(struct tn_floor_parser *p, struct tn_floor_tree *tree,
			    struct ends *ends)
{
	bool good;

	p->told = false;
	if (tn_parse_is_word(p, TN_WORD_floor)) {
		good = parse_floor(p, ends->floor);
		/* A floor whose end is missing has its rooms. */
		if (*ends->floor && (*ends->floor)->close != TN_FLOOR_NO_TOKEN)
			ends->floor = &(*ends->floor)->next;
		else
			*ends->floor = NULL;
	} else if (tn_parse_is_word(p, TN_WORD_connect)) {
		good = tn_parse_connect(p, ends->connect);
		KEEP(ends->connect, good);
	} else if (tn_parse_is_word(p, TN_WORD_vertical)) {
		good = tn_parse_vertical(p, ends->vertical);
		KEEP(ends->vertical, good);
	} else if (tn_parse_is_word(p, TN_WORD_define)) {
		good = parse_define(p, ends->define);
		KEEP(ends->define, good);
	} else if (tn_parse_is_word(p, TN_WORD_style)) {
		good = parse_style(p, ends->style);
		KEEP(ends->style, good);
	} else if (tn_parse_is_word(p, TN_WORD_config)) {
		good = parse_config(p, tree);
	} else if (is_element(p)) {
		good = parse_outside_floor(p);
	} else {
		good = tn_parse_expected(p, "'floor', 'connect', 'vertical', 'define', 'style' or "
					    "'config'");
	}
	return good;
}

static void parse_statements(struct tn_floor_parser *p, struct tn_floor_tree *tree)
{
	struct ends ends = {&tree->defines, &tree->styles, &tree->floors, &tree->connections,
			    &tree->verticals};

	while (tn_parse_here(p)->kind != TN_FLOOR_END && !p->full && !p->list->starved) {
		uint32_t first = p->at;

		if (p->braces && tn_parse_take_sign(p, '}')) {
			p->braces = false;
			continue;
		}
		if (!parse_statement(p, tree, &ends) && !p->full)
			tn_parse_recover(p, first, '\0');
	}
}

/* ---- the head ---- */

static bool parse_version(struct tn_floor_parser *p, struct tn_floor_tree *tree)
{
	uint32_t first = p->at;

	if (tn_parse_here(p)->kind == TN_FLOOR_STRING) {
		struct tn_str text = tn_floor_token_text(&p->lexed, p->at);

		tree->directive_version = tn_str(text.data + 1, text.size > 1 ? text.size - 2 : 0);
		tree->directive_range = tn_parse_here(p)->range;
		tn_parse_next(p);
		return true;
	}
	if (tn_parse_here(p)->kind != TN_FLOOR_NUMBER)
		return tn_parse_expected(p, "a version such as 1.0");
	tn_parse_next(p);
	/* 1.0.0 has no blanks inside. */
	while (tn_parse_is_sign(p, '.') && tn_parse_ahead(p, 1)->kind == TN_FLOOR_NUMBER) {
		tn_parse_next(p);
		tn_parse_next(p);
	}
	tree->directive_range = tn_floor_span(&p->lexed, first, p->at - 1);
	tree->directive_version = tn_str(p->lexed.text.data + tree->directive_range.start,
					 tree->directive_range.end - tree->directive_range.start);
	return true;
}

static bool parse_directive(struct tn_floor_parser *p, struct tn_floor_tree *tree)
{
	struct tn_str word;

	tn_parse_next(p);
	word = tn_floor_token_text(&p->lexed, p->at);
	if (!tn_str_is(word, "version"))
		return tn_parse_fault(p, 1010, &tn_parse_here(p)->range,
				      "there is no directive '%.*s'; only %%%%{version: 1.0}%%%%",
				      (int)(word.size > 60 ? 60 : word.size), word.data);
	tn_parse_next(p);
	if (!tn_parse_want_sign(p, ':') || !parse_version(p, tree))
		return false;
	if (tn_parse_here(p)->kind != TN_FLOOR_CLOSE_DIRECTIVE)
		return tn_parse_expected(p, "'}%%'");
	tn_parse_next(p);
	return true;
}

static void skip_directive(struct tn_floor_parser *p)
{
	while (tn_parse_here(p)->kind != TN_FLOOR_END &&
	       tn_parse_here(p)->kind != TN_FLOOR_CLOSE_DIRECTIVE &&
	       !tn_parse_is_word(p, TN_WORD_floorplan))
		tn_parse_next(p);
	if (tn_parse_here(p)->kind == TN_FLOOR_CLOSE_DIRECTIVE)
		tn_parse_next(p);
}

static void parse_head(struct tn_floor_parser *p, struct tn_floor_tree *tree)
{
	if (tn_parse_here(p)->kind == TN_FLOOR_OPEN_DIRECTIVE && !parse_directive(p, tree))
		skip_directive(p);
	p->told = false;
	tree->floorplan_word = p->at;
	if (!tn_parse_take_word(p, TN_WORD_floorplan)) {
		(void)tn_parse_expected(p, "'floorplan'");
		while (tn_parse_here(p)->kind != TN_FLOOR_END && !tn_parse_at_statement(p) &&
		       !tn_parse_is_word(p, TN_WORD_floorplan))
			tn_parse_next(p);
		(void)tn_parse_take_word(p, TN_WORD_floorplan);
	}
	p->told = false;
	if (tn_parse_is_sign(p, '{')) {
		p->braces = true;
		(void)tn_parse_fault(p, 1008, &tn_parse_here(p)->range,
				     "floorplan takes no braces; leave '{' and its '}' out");
		tn_parse_next(p);
	}
}

/* ---- all of it ---- */

bool tn_floor_parse(struct tn_str text, struct tn_arena *arena, struct tn_floor_diagnostics *list,
		    struct tn_floor_tree *ret)
{
	struct tn_floor_parser p = {.list = list, .arena = arena};

	*ret = (struct tn_floor_tree){.config_block = tn_parse_no_tokens()};
	if (text.size == 0)
		text = TN_STR(""); /* tokens point into it, if only at its end */
	if (!tn_floor_text_check(text, list))
		return !list->starved;
	tn_front_read(text, arena, list, &ret->front);
	if (!tn_floor_lex(text, ret->front.end, arena, list, &p.lexed))
		return false;
	ret->lexed = p.lexed;
	parse_head(&p, ret);
	parse_statements(&p, ret);
	tn_parse_tell_hyphens(&p, p.lexed.count);
	ret->parses = list->counts[TN_FLOOR_ERROR] == 0;
	tn_version_check(ret, list);
	return !list->starved;
}
