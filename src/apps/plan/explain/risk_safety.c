/* risk_safety.c - settings that go the risky way: which they are stands in
 * data/plan-safety.tsv, and what each of its meanings comes to in the table below. */
#include "apps/plan/explain/expiry.h"
#include "apps/plan/explain/risk_rules.h"
#include "apps/plan/explain/safety.h"
#include "apps/plan/explain/turn.h"
#include "base/size.h"

struct meaning {
	enum tn_plan_rule_number rule;
	enum tn_plan_risk level;
	const char *detail;
	bool of_new;        /* told of an object that is made this way, too */
	const char *partly; /* of a step that does not go all the way: medium; NULL: the same */
	const char *title;  /* NULL: the rule's */
};

static const char shortened[] = "Protection of data is shortened";
static const char reachable[] = "It becomes reachable";
static const char unlocked[] = "A lock against public access is opened";

static const struct meaning meanings[TN_PLAN_MEANS_COUNT] = {
	[TN_PLAN_MEANS_SAFEGUARD] = {TN_PLAN_RULE_DATA_PROTECT_OFF, TN_PLAN_RISK_HIGH,
				     "A safeguard of the data is taken away.", false, NULL, NULL},
	[TN_PLAN_MEANS_CARELESS] = {TN_PLAN_RULE_DATA_PROTECT_OFF, TN_PLAN_RISK_HIGH,
				    "A safeguard of the data is taken away.", false, NULL, NULL},
	[TN_PLAN_MEANS_SHORTER] = {TN_PLAN_RULE_DATA_PROTECT_OFF, TN_PLAN_RISK_MEDIUM,
				   "What is deleted can be brought back for a shorter time.", false,
				   NULL, shortened},
	[TN_PLAN_MEANS_BACKUPS] = {TN_PLAN_RULE_DATA_PROTECT_OFF, TN_PLAN_RISK_MEDIUM,
				   "It can be restored to a shorter past: older backups are not "
				   "kept.",
				   false, NULL, shortened},
	[TN_PLAN_MEANS_HELD] = {TN_PLAN_RULE_DATA_PROTECT_OFF, TN_PLAN_RISK_MEDIUM,
				"What is stored there cannot be deleted for a shorter time than "
				"before: the lock on it ends sooner.",
				false, NULL, shortened},
	[TN_PLAN_MEANS_KEPT] = {TN_PLAN_RULE_DATA_PROTECT_OFF, TN_PLAN_RISK_MEDIUM,
				"What it keeps is kept for a shorter time.", false, NULL,
				shortened},
	[TN_PLAN_MEANS_LOGS] = {TN_PLAN_RULE_DATA_EXPIRES, TN_PLAN_RISK_HIGH,
				"Logs older than the new limit are deleted, existing ones, too.",
				false, NULL, NULL},
	[TN_PLAN_MEANS_MESSAGES] = {TN_PLAN_RULE_DATA_EXPIRES, TN_PLAN_RISK_HIGH,
				    "Messages older than the new limit are deleted, read or not.",
				    false, NULL, NULL},
	[TN_PLAN_MEANS_AGES] = {TN_PLAN_RULE_DATA_EXPIRES, TN_PLAN_RISK_HIGH,
				"Data older than the new limit is deleted, also what is there now.",
				false, NULL, NULL},
	[TN_PLAN_MEANS_ENTRIES] = {TN_PLAN_RULE_DATA_EXPIRES, TN_PLAN_RISK_HIGH,
				   "Entries whose time is over are deleted, existing ones, too.",
				   false, NULL, NULL},
	[TN_PLAN_MEANS_DATED] =
		{TN_PLAN_RULE_DATA_EXPIRES, TN_PLAN_RISK_HIGH,
		 "It is deleted itself, with all that it holds, when that time comes.", false, NULL,
		 NULL},
	[TN_PLAN_MEANS_LATER] = {TN_PLAN_RULE_DATA_EXPIRES, TN_PLAN_RISK_HIGH,
				 "What is made there from now on is deleted when it is older than "
				 "the new limit.",
				 false, NULL, NULL},
	[TN_PLAN_MEANS_ENCRYPTION] = {TN_PLAN_RULE_ENCRYPTION_OFF, TN_PLAN_RISK_HIGH,
				      "Encryption is turned off.", false, NULL, NULL},
	[TN_PLAN_MEANS_PLAIN] = {TN_PLAN_RULE_ENCRYPTION_OFF, TN_PLAN_RISK_HIGH,
				 "Connections that are not encrypted are accepted.", false,
				 "Connections are checked less strictly.", NULL},
	[TN_PLAN_MEANS_UNVERIFIED] =
		{TN_PLAN_RULE_ENCRYPTION_OFF, TN_PLAN_RISK_HIGH,
		 "Who is at the other end of a connection is no longer checked.", false, NULL,
		 NULL},
	[TN_PLAN_MEANS_OWN_KEY] = {TN_PLAN_RULE_ENCRYPTION_OFF, TN_PLAN_RISK_HIGH,
				   "The encryption key of its own is taken away.", false, NULL,
				   NULL},
	[TN_PLAN_MEANS_ROTATION] = {TN_PLAN_RULE_ENCRYPTION_OFF, TN_PLAN_RISK_MEDIUM,
				    "It is no longer replaced by a new one from time to time.",
				    false, NULL, NULL},
	[TN_PLAN_MEANS_KEY_OFF] = {TN_PLAN_RULE_KEY_OFF, TN_PLAN_RISK_HIGH,
				   "While it is off, what is protected with it cannot be opened.",
				   false, NULL, NULL},
	[TN_PLAN_MEANS_PUBLIC] = {TN_PLAN_RULE_PUBLIC_DATA, TN_PLAN_RISK_HIGH,
				  "It can be reached from the public internet.", true,
				  "It can be reached from more places.", reachable},
	[TN_PLAN_MEANS_NESTED] = {TN_PLAN_RULE_PUBLIC_DATA, TN_PLAN_RISK_HIGH,
				  "What is stored in it may be made public.", true, NULL, unlocked},
	[TN_PLAN_MEANS_REACHABLE] = {TN_PLAN_RULE_PUBLIC_DATA, TN_PLAN_RISK_HIGH,
				     "It can be reached from the public internet.", false,
				     "It can be reached from more places.", reachable},
	[TN_PLAN_MEANS_WIDER] = {TN_PLAN_RULE_PUBLIC_DATA, TN_PLAN_RISK_MEDIUM,
				 "It can be reached from more places.", false, NULL, reachable},
	[TN_PLAN_MEANS_UNLOCKED] = {TN_PLAN_RULE_PUBLIC_DATA, TN_PLAN_RISK_HIGH,
				    "It, or what it holds, may be made public.", false, NULL,
				    unlocked},
	[TN_PLAN_MEANS_LOCK] = {TN_PLAN_RULE_PUBLIC_DATA, TN_PLAN_RISK_HIGH,
				"It, or what it holds, may be made public.", true, NULL, unlocked},
	[TN_PLAN_MEANS_ANYBODY] = {TN_PLAN_RULE_PUBLIC_DATA, TN_PLAN_RISK_HIGH,
				   "Everybody may read it.", true, "More people may read it.",
				   NULL},
	[TN_PLAN_MEANS_GUARD] = {TN_PLAN_RULE_SECURITY_OFF, TN_PLAN_RISK_HIGH,
				 "A protection against attacks is turned off.", false,
				 "A protection against attacks is weakened.", NULL},
	[TN_PLAN_MEANS_UNRECORDED] = {TN_PLAN_RULE_SECURITY_OFF, TN_PLAN_RISK_HIGH,
				      "Less of what happens there is recorded.", false, NULL, NULL},
	[TN_PLAN_MEANS_UNWATCHED] = {TN_PLAN_RULE_SECURITY_OFF, TN_PLAN_RISK_MEDIUM,
				     "Attacks or weak places are no longer looked for.", false,
				     NULL, NULL},
	[TN_PLAN_MEANS_SIGN_IN] = {TN_PLAN_RULE_SECURITY_OFF, TN_PLAN_RISK_HIGH,
				   "Weaker ways to sign in are accepted.", false, NULL, NULL},
	[TN_PLAN_MEANS_METADATA] = {TN_PLAN_RULE_SECURITY_OFF, TN_PLAN_RISK_HIGH,
				    "Whoever makes the machine send a request may read its keys.",
				    false, NULL, NULL},
	[TN_PLAN_MEANS_UNCHECKED] = {TN_PLAN_RULE_SECURITY_OFF, TN_PLAN_RISK_HIGH,
				     "Who uses it, or what they may do, is no longer checked.",
				     false, NULL, NULL},
	[TN_PLAN_MEANS_EXCHANGEABLE] = {TN_PLAN_RULE_SECURITY_OFF, TN_PLAN_RISK_MEDIUM,
					"What was published under a name can be exchanged.", false,
					NULL, NULL},
	[TN_PLAN_MEANS_HOST] = {TN_PLAN_RULE_SECURITY_OFF, TN_PLAN_RISK_HIGH,
				"What runs in it gets more rights on the machine it runs on.",
				false, NULL, NULL},
	[TN_PLAN_MEANS_REVIEW] = {TN_PLAN_RULE_SECURITY_OFF, TN_PLAN_RISK_HIGH,
				  "Changes are accepted with fewer checks.", false, NULL, NULL},
};

/* ---- does it go the risky way? ---- */

static bool falls(const struct tn_plan_safety *setting, const struct tn_plan_attribute *attribute)
{
	if (setting->risky == TN_PLAN_RISKY_LESS_FOREVER)
		return !tn_plan_is_unclear(attribute) &&
		       !tn_plan_value_is_endless(&attribute->after) &&
		       (tn_plan_turns_less(attribute) ||
			tn_plan_value_is_endless(&attribute->before));
	return tn_plan_turns_less(attribute) || tn_plan_turns_zero(attribute);
}

/* From a stronger word to a weaker one; of a new object, the weakest. */
static bool weakens(const struct tn_plan_safety *setting, const struct tn_plan_attribute *attribute,
		    bool of_new)
{
	unsigned before, after;

	if (tn_plan_is_unclear(attribute) || !tn_plan_value_is_readable(&attribute->after))
		return false;
	if (!tn_plan_value_is_readable(&attribute->before))
		return of_new && tn_plan_safety_has_word(setting, attribute->after.text, true);
	return tn_plan_safety_places(setting, attribute->before.text, attribute->after.text,
				     &before, &after) &&
	       before < after;
}

/* A lock that a new object is made without is open, too. */
static bool is_open_lock(const struct tn_plan_safety *setting,
			 const struct tn_plan_attribute *attribute)
{
	return setting->meaning == TN_PLAN_MEANS_LOCK && !tn_plan_is_unclear(attribute) &&
	       attribute->after.kind == TN_PLAN_VALUE_BOOL &&
	       tn_plan_value_is_off(&attribute->after);
}

static bool is_risky(const struct tn_plan_safety *setting, bool turned,
		     const struct tn_plan_attribute *attribute, bool of_new)
{
	switch (setting->risky) {
	case TN_PLAN_RISKY_OFF:
	case TN_PLAN_RISKY_ON:
		if ((setting->risky == TN_PLAN_RISKY_ON) != turned)
			return tn_plan_turns_on(attribute);
		return tn_plan_turns_off(attribute) ||
		       (!turned && is_open_lock(setting, attribute));
	case TN_PLAN_RISKY_GONE:
		return tn_plan_is_taken_away(attribute);
	case TN_PLAN_RISKY_ORDER:
		return weakens(setting, attribute, of_new);
	default:
		return falls(setting, attribute);
	}
}

/* ---- telling it ---- */

/* What the object holds goes with it; a disk goes by its switch as it was. */
static void tell_safeguard(struct tn_plan_risks *risks, const struct tn_plan_attribute *attribute,
			   enum tn_plan_risk level, const char *detail)
{
	bool goes = risks->old_goes && !tn_plan_is_disk_switch(risks->entry->type, attribute->path);

	if (goes)
		risks->title = NULL;
	if (goes)
		tn_plan_risk_add(risks, TN_PLAN_RULE_DATA_PROTECT_OFF, TN_PLAN_RISK_CRITICAL,
				 "A safeguard of the data is taken away, and the same plan "
				 "removes the object.",
				 attribute);
	else
		tn_plan_risk_add(risks, TN_PLAN_RULE_DATA_PROTECT_OFF, level, detail, attribute);
}

static bool is_partly(const struct tn_plan_safety *setting,
		      const struct tn_plan_attribute *attribute)
{
	return setting->risky == TN_PLAN_RISKY_ORDER &&
	       !tn_plan_safety_has_word(setting, attribute->after.text, true);
}

static void tell(struct tn_plan_risks *risks, const struct tn_plan_safety *setting,
		 const struct tn_plan_attribute *attribute)
{
	const struct meaning *meaning = &meanings[setting->meaning];

	/* Nothing is kept any more: that is the safeguard itself. */
	if ((setting->meaning == TN_PLAN_MEANS_SHORTER ||
	     setting->meaning == TN_PLAN_MEANS_BACKUPS) &&
	    tn_plan_value_is_zero(&attribute->after))
		meaning = &meanings[TN_PLAN_MEANS_SAFEGUARD];
	risks->title = meaning->title;
	if (is_partly(setting, attribute) && meaning->partly)
		tn_plan_risk_add(risks, meaning->rule, TN_PLAN_RISK_MEDIUM, meaning->partly,
				 attribute);
	else if (meaning->rule == TN_PLAN_RULE_DATA_PROTECT_OFF)
		tell_safeguard(risks, attribute, meaning->level, meaning->detail);
	else
		tn_plan_risk_add(risks, meaning->rule, meaning->level, meaning->detail, attribute);
	risks->title = NULL;
}

/* ---- blocks that go ---- */

/* What a member says of its block as it was. */
enum strength { SAYS_NOTHING, WEAK, STRONG };

static bool is_own_switch(struct tn_str name)
{
	static const char *const names[] = {"enabled", "enable", "is_enabled", "status", "state"};

	return tn_plan_is_one_of(name, names, TN_COUNT(names));
}

static enum strength strength_of(const struct tn_plan_safety *row, bool turned,
				 const struct tn_plan_value *value)
{
	switch (row->risky) {
	case TN_PLAN_RISKY_OFF:
	case TN_PLAN_RISKY_ON:
		if ((row->risky == TN_PLAN_RISKY_ON) != turned)
			return tn_plan_value_is_on(value) ? WEAK : STRONG;
		return tn_plan_value_is_off(value) ? WEAK : STRONG;
	case TN_PLAN_RISKY_LESS:
		return tn_plan_value_is_zero(value) ? WEAK : STRONG;
	case TN_PLAN_RISKY_ORDER:
		return tn_plan_safety_has_word(row, value->text, true) ? WEAK : STRONG;
	case TN_PLAN_RISKY_GONE: /* encryption without a key of its own is encryption, too */
		return value->text.size > 0 ? STRONG : SAYS_NOTHING;
	default:
		return STRONG;
	}
}

static enum strength member_strength(const struct tn_plan_risks *risks,
				     const struct tn_plan_attribute *member)
{
	const struct tn_plan_safety *row;
	bool turned;

	if (member->sensitive || !tn_plan_value_is_readable(&member->before))
		return SAYS_NOTHING;
	row = tn_plan_safety_find(risks->entry->type, member->path, &turned);
	return row && row->meaning != TN_PLAN_MEANS_NONE && row->meaning != TN_PLAN_MEANS_EXPIRES
		       ? strength_of(row, turned, &member->before)
		       : SAYS_NOTHING;
}

/* Its own switch was off, or all that its members say was as weak as can be. That changes go
 * through a request at all is worth something, however little the request wants. */
static bool was_off(const struct tn_plan_risks *risks, const struct tn_plan_block *block,
		    const struct tn_plan_safety *row)
{
	enum strength strongest = SAYS_NOTHING;

	for (const struct tn_plan_attribute *at = block->first; at < block->end; at++) {
		struct tn_plan_path path = tn_plan_path_split(at->path);
		enum strength strength;

		if (!tn_str_equal(path.owner, block->owner))
			continue;
		if (is_own_switch(path.name) && !at->sensitive &&
		    tn_plan_value_is_readable(&at->before) &&
		    (tn_plan_value_is_off(&at->before) || tn_plan_value_is_zero(&at->before)))
			return true;
		strength = member_strength(risks, at);
		strongest = strength > strongest ? strength : strongest;
	}
	return strongest == WEAK && row->meaning != TN_PLAN_MEANS_REVIEW;
}

/* The block goes with all that stands in it: told by the first of that. */
static void check_block(struct tn_plan_risks *risks, const struct tn_plan_attribute *attribute)
{
	struct tn_plan_block block;
	struct tn_str owner;
	const struct tn_plan_safety *row =
		tn_plan_safety_find_block(risks->entry->type, attribute->path, &owner);

	if (!row)
		return;
	block = tn_plan_block_around(risks->entry, attribute, owner);
	if (block.first != attribute)
		return;
	for (const struct tn_plan_attribute *at = block.first; at < block.end; at++)
		if (at->change != TN_PLAN_ATTR_REMOVE)
			return;
	if (!was_off(risks, &block, row))
		tell(risks, row, attribute);
}

/* ---- parameters: { name = "rds.force_ssl", value = "1" } ---- */

/* Blocks, and types, that hold a server's own settings; a program's variables are its own. */
static bool holds_parameters(struct tn_str type, struct tn_str owner)
{
	static const char *const blocks[] = {"parameter", "database_flags", "cluster_parameter",
					     "server_parameter"};
	struct tn_str block = tn_plan_path_split(tn_str(owner.data, owner.size - 1)).name;

	return tn_plan_is_one_of(block, blocks, TN_COUNT(blocks)) ||
	       tn_str_find(type, TN_STR("parameter")) != TN_STR_NONE;
}

static bool is_parameter(const struct tn_plan_risks *risks, struct tn_plan_path path)
{
	if (!tn_str_is(path.name, "value"))
		return false;
	return path.owner.size > 0 ? holds_parameters(risks->entry->type, path.owner)
				   : tn_str_ends(risks->entry->type, TN_STR("_configuration"));
}

/* 1 and 0 are on and off here. */
static struct tn_plan_value as_switch(const struct tn_plan_value *value)
{
	struct tn_plan_value ret = *value;

	if (tn_plan_value_is_readable(value) && tn_str_is(value->text, "1"))
		ret.text = TN_STR("on");
	else if (tn_plan_value_is_readable(value) && tn_str_is(value->text, "0"))
		ret.text = TN_STR("off");
	else
		return ret;
	ret.kind = TN_PLAN_VALUE_STRING;
	return ret;
}

/* The value that the parameter has afterwards, wherever it stands then; false: none. */
static bool find_later(const struct tn_plan_entry *entry, struct tn_str name,
		       struct tn_plan_value *ret)
{
	for (uint32_t i = 0; i < entry->attributes.count; i++) {
		const struct tn_plan_attribute *at = &entry->attributes.items[i];
		struct tn_plan_path path = tn_plan_path_split(at->path);
		const struct tn_plan_attribute *beside;
		struct tn_plan_block block;
		struct tn_str text;

		if (!tn_str_is(path.name, "value") || !tn_plan_side_text(at, TN_PLAN_AFTER, &text))
			continue;
		block = tn_plan_block_around(entry, at, path.owner);
		beside = tn_plan_block_get(&block, "name");
		if (beside && tn_plan_side_text(beside, TN_PLAN_AFTER, &text) &&
		    tn_str_equal(text, name)) {
			*ret = as_switch(at->change == TN_PLAN_ATTR_UNCHANGED ? &at->before
									      : &at->after);
			return true;
		}
	}
	return false;
}

/* What was set to be safe and is not any more; told by its value as it was. */
static void check_parameter(struct tn_plan_risks *risks, const struct tn_plan_attribute *attribute,
			    struct tn_plan_path path)
{
	struct tn_plan_block block = tn_plan_block_around(risks->entry, attribute, path.owner);
	const struct tn_plan_attribute *beside = tn_plan_block_get(&block, "name");
	struct tn_plan_attribute change = *attribute;
	const struct tn_plan_safety *row;
	struct tn_str name;
	bool turned;

	if (!beside || tn_plan_is_unclear(attribute) ||
	    !tn_plan_side_text(beside, TN_PLAN_BEFORE, &name))
		return;
	row = tn_plan_safety_find(risks->entry->type, name, &turned);
	if (!row || row->meaning == TN_PLAN_MEANS_NONE || row->meaning == TN_PLAN_MEANS_EXPIRES)
		return;
	change.change = TN_PLAN_ATTR_UPDATE;
	change.before = as_switch(&attribute->before);
	change.after = (struct tn_plan_value){.kind = TN_PLAN_VALUE_NONE};
	(void)find_later(risks->entry, name, &change.after);
	if (is_risky(row, turned, &change, false))
		tell(risks, row, attribute);
}

void tn_plan_risk_safety(struct tn_plan_risks *risks, const struct tn_plan_attribute *attribute)
{
	const struct tn_plan_safety *setting;
	bool turned, of_new;

	if (tn_plan_expiry_is_shared(risks->entry->type, attribute->path)) {
		tn_plan_risk_expiry(risks, attribute);
		return;
	}
	if (attribute->change == TN_PLAN_ATTR_REMOVE)
		check_block(risks, attribute);
	if (is_parameter(risks, tn_plan_path_split(attribute->path)))
		check_parameter(risks, attribute, tn_plan_path_split(attribute->path));
	setting = tn_plan_safety_find(risks->entry->type, attribute->path, &turned);
	if (!setting || setting->meaning == TN_PLAN_MEANS_NONE)
		return;
	if (setting->meaning == TN_PLAN_MEANS_EXPIRES) {
		tn_plan_risk_expiry(risks, attribute);
		return;
	}
	of_new = meanings[setting->meaning].of_new;
	if (risks->entry->action == TN_PLAN_CREATE && !of_new)
		return;
	if (is_risky(setting, turned, attribute, of_new))
		tell(risks, setting, attribute);
}
