#include "apps/plan/read/phrase.h"

#include "apps/plan/read/escape.h"
#include "base/size.h"

struct phrase {
	struct tn_str text;
	uint8_t kind, action, order;
	const char *reason;
};

#define PHRASE(text, kind, action, order, reason)                                      \
	{                                                                              \
		{text, sizeof(text) - 1}, TN_PLAN_PHRASE_##kind, action, order, reason \
	}

/* Exact, to the end of the line. */
static const struct phrase phrases[] = {
	PHRASE("will be created", PLANNED, TN_PLAN_CREATE, 0, NULL),
	PHRASE("will be updated in-place", PLANNED, TN_PLAN_UPDATE, 0, NULL),
	PHRASE("will be destroyed", PLANNED, TN_PLAN_DELETE, 0, NULL),
	PHRASE("must be replaced", PLANNED, TN_PLAN_REPLACE, 0, NULL),
	PHRASE("is tainted, so must be replaced", PLANNED, TN_PLAN_REPLACE, 0, "tainted"),
	PHRASE("is tainted, so it must be replaced", PLANNED, TN_PLAN_REPLACE, 0, "tainted"),
	PHRASE("will be replaced, as requested", PLANNED, TN_PLAN_REPLACE, 0, "requested"),
	PHRASE("will be replaced due to changes in replace_triggered_by", PLANNED, TN_PLAN_REPLACE,
	       0, "replace_triggered_by"),
	PHRASE("must be replaced, but the existing object will not be destroyed", PLANNED,
	       TN_PLAN_REPLACE, TN_PLAN_FORGET_OLD, NULL),
	PHRASE("will be read during apply", PLANNED, TN_PLAN_READ, 0, NULL),
	PHRASE("will be imported", PLANNED, TN_PLAN_IMPORT, 0, NULL),
	PHRASE("will no longer be managed by Terraform, but will not be destroyed", PLANNED,
	       TN_PLAN_FORGET, 0, NULL),
	PHRASE("will be removed from Terraform state, but will not be destroyed", PLANNED,
	       TN_PLAN_FORGET, 0, NULL),
	PHRASE("will be removed from the OpenTofu state but will not be destroyed", PLANNED,
	       TN_PLAN_FORGET, 0, NULL),
	PHRASE("has changed", DRIFT, TN_PLAN_UPDATE, 0, NULL),
	PHRASE("has been changed", DRIFT, TN_PLAN_UPDATE, 0, NULL),
	PHRASE("has been deleted", DRIFT, TN_PLAN_DELETE, 0, NULL),
	PHRASE("was deferred", DEFERRED, TN_PLAN_ACTION_UNKNOWN, 0, NULL),
	PHRASE("will be invoked", INVOKED, TN_PLAN_ACTION_UNKNOWN, 0, NULL),
};

/* Follows any replace phrase (OpenTofu 1.12). */
static const struct tn_str kept_suffix = {
	" - older instance will not be destroyed (lifecycle.destroy = false)", 67};
static const struct tn_str called_from = {"will be invoked (called from ", 29};
static const struct tn_str moved_to = {"has moved to ", 13};

static const struct phrase *find_phrase(struct tn_str text)
{
	for (size_t i = 0; i < TN_COUNT(phrases); i++) {
		if (tn_str_equal(text, phrases[i].text))
			return &phrases[i];
	}
	return NULL;
}

static bool read_moved(struct tn_str text, struct tn_plan_header *ret)
{
	struct tn_plan_address target;

	if (!tn_str_starts(text, moved_to))
		return false;
	text = tn_str_from_offset(text, moved_to.size);
	if (text.size == 0 || tn_plan_address_read(text, &target) != text.size)
		return false;
	ret->previous_address = ret->address.text;
	ret->address = target;
	ret->kind = TN_PLAN_PHRASE_MOVED;
	ret->action = TN_PLAN_MOVE;
	return true;
}

static void read_phrase(struct tn_str text, struct tn_plan_header *ret)
{
	struct tn_str base = text;
	const struct phrase *phrase;
	bool kept = tn_str_ends(text, kept_suffix);

	if (read_moved(text, ret))
		return;
	if (kept)
		base.size -= kept_suffix.size;
	else if (tn_str_starts(text, called_from) && tn_str_ends(text, TN_STR(")")))
		base.size = sizeof("will be invoked") - 1;
	phrase = find_phrase(base);
	if (!phrase || (kept && phrase->action != TN_PLAN_REPLACE)) {
		ret->kind = TN_PLAN_PHRASE_UNKNOWN;
		ret->action = TN_PLAN_ACTION_UNKNOWN;
		return;
	}
	ret->kind = phrase->kind;
	ret->action = phrase->action;
	ret->order = kept ? TN_PLAN_FORGET_FIRST : phrase->order;
	ret->reason = phrase->reason;
}

bool tn_plan_header_read(struct tn_str text, struct tn_plan_header *ret)
{
	static const struct tn_str deposed = {" (deposed object ", 17};
	struct tn_plan_header header = {.reason = NULL};
	size_t size;

	if (text.size < 3 || text.data[0] != '#' || text.data[1] != ' ')
		return false;
	text = tn_str_from_offset(text, 2);
	size = tn_plan_address_read(text, &header.address);
	if (size == 0 || size >= text.size || text.data[size] != ' ')
		return false;
	text = tn_str_from_offset(text, size);
	if (tn_str_starts(text, deposed)) {
		size_t close = tn_str_find_byte(text, ')');

		if (close == TN_STR_NONE)
			return false;
		header.deposed = tn_str(text.data + deposed.size, close - deposed.size);
		text = tn_str_from_offset(text, close + 1);
	}
	header.phrase = tn_str_trim(text);
	if (header.phrase.size == 0)
		return false;
	read_phrase(header.phrase, &header);
	*ret = header;
	return true;
}

/* ---- notes ---- */

struct note {
	struct tn_str start, end; /* of the words between the parentheses */
	const char *code;
};

#define NOTE(start, end, code)                                           \
	{                                                                \
		{start, sizeof(start) - 1}, {end, sizeof(end) - 1}, code \
	}

/* The first that fits counts. */
static const struct note notes[] = {
	NOTE("because index [", "is out of range for count", "count_index"),
	NOTE("because key [", "is not in for_each map", "for_each_key"),
	NOTE("because resource uses count or for_each", "", "wrong_repetition"),
	NOTE("because resource does not use count", "", "wrong_repetition"),
	NOTE("because resource does not use for_each", "", "wrong_repetition"),
	NOTE("because enabled is false", "", "enabled_false"),
	NOTE("because lifecycle.destroy = false", "", "destroy_false"),
	NOTE("destroy = false is set in the configuration", "", "destroy_false"),
	NOTE("left over from a partially-failed replacement", "", "deposed_leftover"),
	NOTE("config will be generated", "", "config_generated"),
	NOTE("config refers to values not yet known", "", "config_unknown"),
	NOTE("depends on a resource or a module with changes pending", "", "dependency_pending"),
	NOTE("config will be reloaded to verify a check block", "", "check_nested"),
	NOTE("because the number of resource instances is unknown", "", "deferred_instance_count"),
	NOTE("because the resource configuration is unknown", "", "deferred_resource_config"),
	NOTE("because resource configuration is unknown", "", "deferred_resource_config"),
	NOTE("because the provider configuration is unknown", "", "deferred_provider_config"),
	NOTE("because provider configuration is unknown", "", "deferred_provider_config"),
	NOTE("because a prerequisite for this resource is deferred", "", "deferred_prerequisite"),
	NOTE("because a prerequisite", "has not yet been created", "deferred_absent_prerequisite"),
	NOTE("for an unknown reason", "", "deferred_unknown"),
	NOTE("Warning: this will destroy the imported resource", "", "imported_destroyed"),
};

/* "because X is not in configuration": X is a resource, a module, or the target of a move. */
static const char *configuration_code(struct tn_str text)
{
	static const struct tn_str start = {"because ", 8}, end = {" is not in configuration", 24};

	if (!tn_str_starts(text, start) || !tn_str_ends(text, end) ||
	    text.size < start.size + end.size)
		return NULL;
	text = tn_str(text.data + start.size, text.size - start.size - end.size);
	if (tn_str_find(text, TN_STR(" was moved to ")) != TN_STR_NONE)
		return "no_move_target";
	return tn_plan_is_module_address(text) ? "module_removed" : "not_in_configuration";
}

static const char *find_code(struct tn_str text)
{
	for (size_t i = 0; i < TN_COUNT(notes); i++) {
		if (tn_str_starts(text, notes[i].start) && tn_str_ends(text, notes[i].end))
			return notes[i].code;
	}
	return configuration_code(text);
}

static void read_import(struct tn_str words, struct tn_plan_note *ret)
{
	static const struct tn_str from = {"imported from \"", 15};
	size_t end;

	ret->effect = TN_PLAN_NOTE_IMPORTED;
	ret->value = tn_str("", 0);
	if (!tn_str_starts(words, from))
		return;
	end = tn_plan_quote_end(words, from.size);
	if (end != TN_STR_NONE)
		ret->value = tn_str(words.data + from.size, end - from.size);
}

static bool read_effect(struct tn_str words, struct tn_plan_note *ret)
{
	static const struct tn_str moved = {"moved from ", 11};

	if (tn_str_starts(words, moved)) {
		ret->effect = TN_PLAN_NOTE_MOVED_FROM;
		ret->value = tn_str_from_offset(words, moved.size);
	} else if (tn_str_starts(words, TN_STR("imported from ")) ||
		   tn_str_starts(words, TN_STR("will be imported first"))) {
		read_import(words, ret);
	} else if (tn_str_starts(words, TN_STR("imported using resource identity"))) {
		ret->effect = TN_PLAN_NOTE_IDENTITY;
		ret->value = tn_str("", 0);
	} else {
		return false;
	}
	return true;
}

bool tn_plan_note_read(struct tn_str text, struct tn_plan_note *ret)
{
	struct tn_str words = text;
	bool hash = tn_str_starts(text, TN_STR("#"));

	if (hash)
		words = tn_str_trim(tn_str_from_offset(words, 1));
	if (tn_str_starts(words, TN_STR("("))) {
		words = tn_str_from_offset(words, 1);
		if (tn_str_ends(words, TN_STR(")")))
			words.size--;
	} else if (!hash) {
		return false;
	}
	*ret = (struct tn_plan_note){.effect = TN_PLAN_NOTE_OTHER, .text = words};
	if (read_effect(words, ret))
		return true;
	ret->code = find_code(words);
	if (ret->code)
		ret->effect = TN_PLAN_NOTE_REASON;
	return true;
}
