#include "apps/plan/explain/safety.h"

#include <string.h>

#include "apps/plan/explain/path.h"
#include "base/size.h"

enum {
	NAME_BYTES = 80, /* longer names are in no row */
	KEY_BYTES = 2 * NAME_BYTES
};

/* ---- names ---- */

/* A name in parts, as the table has it. */
struct name {
	char text[NAME_BYTES];
	size_t size;
	bool turned; /* by a part that says disabled */
};

static bool is_among(struct tn_str part, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (tn_str_is(part, words[i]))
			return true;
	return false;
}

static bool is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

static bool is_letter(char c)
{
	return tn_is_alpha(c) || tn_is_digit(c);
}

/* Behind the part at `at`; a large letter behind a small one begins another: publicAccess. */
static size_t part_end(struct tn_str text, size_t at)
{
	size_t end = at;

	while (end < text.size && is_letter(text.data[end]) &&
	       !(end > at && is_upper(text.data[end]) && !is_upper(text.data[end - 1])))
		end++;
	return end;
}

/* Parts that only say that it is a switch; false: there is no room for another one. */
static bool add_part(struct name *name, struct tn_str part)
{
	static const char *const silent[] = {"enable", "enabled", "is"};
	static const char *const turning[] = {"disable", "disabled"};
	char small[NAME_BYTES];

	if (name->size + part.size + 2 > sizeof(name->text))
		return false;
	for (size_t i = 0; i < part.size; i++)
		small[i] = tn_to_lower(part.data[i]);
	part.data = small;
	if (is_among(part, silent, TN_COUNT(silent)))
		return true;
	if (is_among(part, turning, TN_COUNT(turning))) {
		name->turned = !name->turned;
		return true;
	}
	if (name->size > 0)
		name->text[name->size++] = '_';
	memcpy(name->text + name->size, small, part.size);
	name->size += part.size;
	return true;
}

static bool read_name(struct name *name, struct tn_str text)
{
	*name = (struct name){.size = 0};
	for (size_t at = 0, end; at < text.size; at = end) {
		end = part_end(text, at);
		if (end == at)
			end++;
		else if (!add_part(name, tn_str(text.data + at, end - at)))
			return false;
	}
	return true;
}

/* ---- rows ---- */

static bool is_of(const struct tn_plan_safety *setting, struct tn_str type)
{
	struct tn_str of = tn_str_from(setting->of);

	if (of.size == 0)
		return true;
	if (of.data[of.size - 1] == '*')
		return tn_str_starts(type, tn_str(of.data, of.size - 1));
	return tn_str_equal(of, type);
}

static size_t first_row(struct tn_str name)
{
	size_t low = 0, high = tn_plan_safety_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (tn_str_compare(tn_str_from(tn_plan_safety_table[middle].name), name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Of the rows with this name, the one that is most about this type. */
static const struct tn_plan_safety *find_row(struct tn_str name, struct tn_str type)
{
	const struct tn_plan_safety *best = NULL;

	for (size_t i = first_row(name); i < tn_plan_safety_count; i++) {
		const struct tn_plan_safety *at = &tn_plan_safety_table[i];

		if (!tn_str_is(name, at->name))
			break;
		if (is_of(at, type) && (!best || strlen(at->of) > strlen(best->of)))
			best = at;
	}
	return best;
}

/* block_x is the opposite of x, and so is insecure_x. */
static bool turns_around(struct tn_str part)
{
	static const char *const words[] = {"block",    "prevent", "deny",     "forbid", "restrict",
					    "disallow", "no",      "non",      "skip",   "ignore",
					    "bypass",   "without", "insecure", "unsafe"};

	return is_among(part, words, TN_COUNT(words));
}

/* "*_x" of a name that ends with x, the longest end first. */
static const struct tn_plan_safety *find_end(struct tn_str name, struct tn_str type, bool *turned)
{
	char key[NAME_BYTES + 2] = "*_";

	for (size_t at = 0; at < name.size;) {
		struct tn_str rest = tn_str_from_offset(name, at);
		size_t end = tn_str_find_byte(rest, '_');
		const struct tn_plan_safety *found;

		if (end == TN_STR_NONE)
			return NULL;
		if (turns_around(tn_str(rest.data, end)))
			*turned = !*turned;
		at += end + 1;
		rest = tn_str_from_offset(name, at);
		memcpy(key + 2, rest.data, rest.size);
		found = find_row(tn_str(key, rest.size + 2), type);
		if (found)
			return found;
	}
	return NULL;
}

static const struct tn_plan_safety *find_in_block(const struct name *block, const struct name *name,
						  struct tn_str type)
{
	char key[KEY_BYTES];

	if (block->size == 0 || name->size == 0)
		return NULL;
	memcpy(key, block->text, block->size);
	key[block->size] = '.';
	memcpy(key + block->size + 1, name->text, name->size);
	return find_row(tn_str(key, block->size + 1 + name->size), type);
}

/* What is called nothing but "enabled" is called as its block is. */
static bool is_only_a_switch(const struct name *name)
{
	static const char *const words[] = {"", "status", "state"};

	return is_among(tn_str(name->text, name->size), words, TN_COUNT(words));
}

/* What people put into a map is theirs, whatever it is called. */
static bool is_free(struct tn_str owner)
{
	static const char *const maps[] = {"variables",   "environment_variables",
					   "env",         "parameters",
					   "metadata",    "app_settings",
					   "triggers",    "triggers_replace",
					   "keepers",     "data",
					   "string_data", "input",
					   "content",     "config_vars"};

	for (size_t i = 0; i < TN_COUNT(maps); i++)
		if (tn_plan_path_has_name(owner, tn_str_from(maps[i])))
			return true;
	return false;
}

/* But a cloud reads settings of its own among the metadata of its machines: what a row about them
 * names is one. */
static bool is_of_machine(const struct tn_plan_safety *row, struct tn_str type, struct tn_str owner)
{
	return row->of[0] != '\0' && tn_str_starts(type, TN_STR("google_compute_")) &&
	       tn_str_is(tn_plan_path_split(owner).name, "metadata");
}

static const struct tn_plan_safety *find(struct tn_str type, struct tn_str path_name,
					 struct tn_str owner, bool *turned)
{
	const struct tn_plan_safety *found;
	struct name name, block;

	if (!read_name(&name, path_name) || !read_name(&block, tn_plan_path_split(owner).name))
		return NULL;
	*turned = name.turned;
	found = find_in_block(&block, &name, type);
	if (found)
		return found;
	if (is_only_a_switch(&name)) {
		if (owner.size == 0)
			return find_row(TN_STR("."), type);
		*turned = name.turned != block.turned;
		name = block;
	}
	found = name.size > 0 ? find_row(tn_str(name.text, name.size), type) : NULL;
	return found ? found : find_end(tn_str(name.text, name.size), type, turned);
}

const struct tn_plan_safety *tn_plan_safety_find(struct tn_str type, struct tn_str path,
						 bool *ret_turned)
{
	struct tn_plan_path split = tn_plan_path_split(path);
	struct tn_str owner = split.owner;
	const struct tn_plan_safety *found;

	if (split.name.size == 0) {
		/* A map's key is its owner's word, but where a row knows the type. */
		found = find(type, tn_plan_path_key(path), tn_str("", 0), ret_turned);
		return found && found->of[0] != '\0' && !tn_plan_path_is_remark(path) ? found
										      : NULL;
	}
	owner.size -= owner.size > 0; /* the dot */
	found = split.name.size ? find(type, split.name, owner, ret_turned) : NULL;
	if (!found || tn_plan_path_is_remark(path))
		return NULL;
	return !is_free(owner) || is_of_machine(found, type, owner) ? found : NULL;
}

const struct tn_plan_safety *tn_plan_safety_find_block(struct tn_str type, struct tn_str path,
						       struct tn_str *ret_owner)
{
	for (size_t dot = 0; dot < path.size; dot++) {
		const struct tn_plan_safety *row;
		char key[NAME_BYTES + 2];
		struct tn_str name;

		if (path.data[dot] != '.')
			continue;
		name = tn_plan_path_split(tn_str(path.data, dot)).name;
		if (name.size == 0 || name.size > NAME_BYTES)
			continue;
		memcpy(key, name.data, name.size);
		memcpy(key + name.size, "{}", 2);
		row = find_row(tn_str(key, name.size + 2), type);
		if (row) {
			*ret_owner = tn_str(path.data, dot + 1);
			return row;
		}
	}
	return NULL;
}

bool tn_plan_value_is_setting(struct tn_str path, const struct tn_plan_value *value)
{
	const struct tn_plan_safety *row;
	bool turned;

	if (value->kind == TN_PLAN_VALUE_BOOL)
		return true;
	row = tn_plan_safety_find(tn_str("", 0), path, &turned);
	if (!row)
		return false;
	if (row->risky == TN_PLAN_RISKY_ORDER)
		return value->kind == TN_PLAN_VALUE_STRING &&
		       tn_plan_safety_has_word(row, value->text, false);
	return value->kind == TN_PLAN_VALUE_NUMBER &&
	       (row->risky == TN_PLAN_RISKY_LESS || row->risky == TN_PLAN_RISKY_LESS_FOREVER);
}

/* ---- orders ---- */

/* The next piece of *rest up to `separator`. */
static struct tn_str next_piece(struct tn_str *rest, char separator)
{
	size_t end = tn_str_find_byte(*rest, separator);
	struct tn_str piece = tn_str(rest->data, end == TN_STR_NONE ? rest->size : end);

	*rest = tn_str_from_offset(*rest, piece.size + 1);
	return piece;
}

static bool place_in(struct tn_str order, struct tn_str word, unsigned *ret)
{
	for (unsigned place = 0; order.size > 0; place++)
		if (tn_str_equal_nocase(next_piece(&order, '>'), word)) {
			*ret = place;
			return true;
		}
	return false;
}

bool tn_plan_safety_places(const struct tn_plan_safety *setting, struct tn_str word,
			   struct tn_str other, unsigned *ret_place, unsigned *ret_other)
{
	struct tn_str orders = tn_str_from(setting->order);

	while (orders.size > 0) {
		struct tn_str order = next_piece(&orders, ',');

		if (place_in(order, word, ret_place) && place_in(order, other, ret_other))
			return true;
	}
	return false;
}

bool tn_plan_safety_has_word(const struct tn_plan_safety *setting, struct tn_str word, bool last)
{
	struct tn_str orders = tn_str_from(setting->order);

	while (orders.size > 0) {
		struct tn_str order = next_piece(&orders, ',');

		while (order.size > 0) {
			struct tn_str piece = next_piece(&order, '>');

			if ((order.size == 0 || !last) && tn_str_equal_nocase(piece, word))
				return true;
		}
	}
	return false;
}
