#include "apps/plan/read/address.h"

#include "apps/plan/read/escape.h"

/* Letters, digits, _ and -, and anything that is not ASCII. */
static bool is_name_byte(char c)
{
	return tn_is_alpha(c) || tn_is_digit(c) || c == '_' || c == '-' || (c & 0x80);
}

static size_t read_name(struct tn_str text, size_t at, struct tn_str *ret)
{
	size_t start = at;

	if (at < text.size && (tn_is_digit(text.data[at]) || text.data[at] == '-'))
		return 0;
	while (at < text.size && is_name_byte(text.data[at]))
		at++;
	*ret = tn_str(text.data + start, at - start);
	return at - start;
}

/* `at` stands behind "[\"". Returns the offset behind "\"]", or 0. */
static size_t read_quoted_key(struct tn_str text, size_t at, struct tn_str *ret)
{
	size_t start = at;

	while (at < text.size && text.data[at] != '"')
		at += text.data[at] == '\\' ? 2 : 1;
	if (at + 1 >= text.size || text.data[at + 1] != ']')
		return 0;
	*ret = tn_str(text.data + start, at - start);
	return at + 2;
}

/* `at` stands on the bracket. [*] stands for "all instances" in deferred entries. */
static size_t read_index(struct tn_str text, size_t at, struct tn_str *ret_key, uint8_t *ret_kind)
{
	size_t start = ++at;

	*ret_kind = TN_PLAN_KEY_NONE;
	if (at >= text.size)
		return 0;
	if (text.data[at] == '"') {
		*ret_kind = TN_PLAN_KEY_STRING;
		return read_quoted_key(text, at + 1, ret_key);
	}
	if (text.data[at] == '*') {
		at++;
	} else {
		at += text.data[at] == '-';
		while (at < text.size && tn_is_digit(text.data[at]))
			at++;
		*ret_key = tn_str(text.data + start, at - start);
		*ret_kind = TN_PLAN_KEY_INT;
		if (ret_key->size == 0)
			return 0;
	}
	return at < text.size && text.data[at] == ']' ? at + 1 : 0;
}

static bool starts_at(struct tn_str text, size_t at, struct tn_str word)
{
	return text.size - at >= word.size && memcmp(text.data + at, word.data, word.size) == 0;
}

/* Any number of "module.NAME[KEY]" with dots between. Returns the offset behind the last one's dot,
 * or behind the last one when the text ends there; *ret_end is where the module's address ends. */
static size_t read_modules(struct tn_str text, size_t *ret_end)
{
	static const struct tn_str word = {"module.", 7};
	struct tn_str ignored;
	uint8_t kind;
	size_t at = 0;

	*ret_end = 0;
	while (starts_at(text, at, word)) {
		size_t size = read_name(text, at + word.size, &ignored);
		size_t end = at + word.size + size;

		if (size == 0)
			break;
		if (end < text.size && text.data[end] == '[') {
			end = read_index(text, end, &ignored, &kind);
			if (end == 0)
				break;
		}
		*ret_end = end;
		if (end == text.size || text.data[end] != '.')
			return end;
		at = end + 1;
	}
	return at;
}

static size_t read_mode(struct tn_str text, size_t at, uint8_t *ret_mode)
{
	static const struct {
		struct tn_str word;
		uint8_t mode;
	} modes[] = {{{"data.", 5}, TN_PLAN_DATA},
		     {{"ephemeral.", 10}, TN_PLAN_EPHEMERAL},
		     {{"action.", 7}, TN_PLAN_ACTION_ADDRESS}};

	*ret_mode = TN_PLAN_MANAGED;
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		if (starts_at(text, at, modes[i].word)) {
			*ret_mode = modes[i].mode;
			return modes[i].word.size;
		}
	}
	return 0;
}

size_t tn_plan_address_read(struct tn_str text, struct tn_plan_address *ret)
{
	struct tn_plan_address address = {.key_kind = TN_PLAN_KEY_NONE};
	size_t module_end, at = read_modules(text, &module_end), size;

	if (module_end)
		address.module = tn_str(text.data, module_end);
	at += read_mode(text, at, &address.mode);
	size = read_name(text, at, &address.type);
	at += size;
	if (size == 0 || at >= text.size || text.data[at] != '.')
		return 0;
	size = read_name(text, at + 1, &address.name);
	at += 1 + size;
	if (size == 0)
		return 0;
	if (at < text.size && text.data[at] == '[') {
		at = read_index(text, at, &address.key, &address.key_kind);
		if (at == 0)
			return 0;
	}
	address.text = tn_str(text.data, at);
	*ret = address;
	return at;
}

bool tn_plan_is_module_address(struct tn_str text)
{
	size_t end;

	return read_modules(text, &end) == text.size && end == text.size && end > 0;
}

bool tn_plan_entry_set_address(struct tn_plan_entry *entry, const struct tn_plan_address *address,
			       struct tn_arena *arena)
{
	entry->address = address->text;
	entry->module = address->module;
	entry->type = address->type;
	entry->name = address->name;
	entry->key_kind = address->key_kind;
	entry->key_text = address->key;
	entry->is_data = address->mode == TN_PLAN_DATA;
	if (address->key_kind != TN_PLAN_KEY_STRING)
		return true;
	return tn_plan_unescape(address->key, arena, &entry->key_text);
}
