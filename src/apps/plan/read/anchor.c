#include "apps/plan/read/anchor.h"

#include "apps/plan/read/address.h"
#include "base/size.h"
#include "base/utf8.h"

struct sentence {
	struct tn_str before, after; /* around the tool's name where `tool` is set */
	bool tool;
	uint8_t anchor, mode;
};

#define SAYS(text, anchor)                                                           \
	{                                                                            \
		{text, sizeof(text) - 1}, {"", 0}, false, TN_PLAN_ANCHOR_##anchor, 0 \
	}
#define SAYS_MODE(text, anchor, mode)                                                             \
	{                                                                                         \
		{text, sizeof(text) - 1}, {"", 0}, false, TN_PLAN_ANCHOR_##anchor, TN_PLAN_##mode \
	}
#define TOOL(before, after, anchor)                                             \
	{                                                                       \
		{before, sizeof(before) - 1}, {after, sizeof(after) - 1}, true, \
			TN_PLAN_ANCHOR_##anchor, 0                              \
	}

/* A line begins with these words. The longer of two that begin alike stands first. */
static const struct sentence sentences[] = {
	TOOL("Note: Objects have changed outside of ", "", DRIFT),
	TOOL("", " used the selected providers to generate the following", LEGEND),
	SAYS("An execution plan has been generated and is shown below.", OLD_LEGEND),
	SAYS("Resource actions are indicated with the following symbols:", SYMBOLS),
	TOOL("", " will perform the following actions:", LIST),
	TOOL("", " planned the following actions, but then encountered a problem:", LIST_ERRORED),
	SAYS("Note: This is a partial plan, parts can only be known in the next", DEFERRED),
	TOOL("", " will invoke the following action", INVOKE),
	SAYS("Changes to Outputs:", OUTPUTS),
	SAYS("No current changes. This plan requires another plan to be applied", DEFERRED_ONLY),
	SAYS_MODE("No changes. Your infrastructure still matches the configuration.", NO_CHANGES,
		  REFRESH_ONLY),
	SAYS_MODE("No changes. No objects need to be destroyed.", NO_CHANGES, DESTROY),
	SAYS_MODE("No changes. Your infrastructure matches the configuration.", NO_CHANGES, NORMAL),
	SAYS_MODE("No changes. Infrastructure is up-to-date.", NO_CHANGES, NORMAL),
	SAYS("No changes.", NO_CHANGES),
	SAYS("This plan does nothing.", NO_CHANGES),
	SAYS("Planning failed.", FAILED),
	SAYS("Note: You didn't use the -out option", END),
	SAYS("Note: You didn't specify an \"-out\" parameter", END),
	SAYS("Saved the plan to:", END),
	SAYS("This plan was saved to:", END),
	SAYS("This is a refresh-only plan,", REFRESH_ONLY),
	SAYS("Apply complete! Resources:", APPLY),
	SAYS("Destroy complete! Resources:", APPLY),
	SAYS("Refreshing Terraform state in-memory prior to plan", OLD_REFRESH),
};

static const struct {
	struct tn_str name;
	enum tn_plan_tool tool;
} tools[] = {{{"Terraform", 9}, TN_PLAN_TERRAFORM}, {{"OpenTofu", 8}, TN_PLAN_OPENTOFU}};

static bool sentence_fits(const struct sentence *sentence, struct tn_str text,
			  enum tn_plan_tool *ret_tool)
{
	struct tn_str rest;

	if (!tn_str_starts(text, sentence->before))
		return false;
	if (!sentence->tool)
		return true;
	rest = tn_str_from_offset(text, sentence->before.size);
	for (size_t i = 0; i < TN_COUNT(tools); i++) {
		if (tn_str_starts(rest, tools[i].name) &&
		    tn_str_starts(tn_str_from_offset(rest, tools[i].name.size), sentence->after)) {
			*ret_tool = tools[i].tool;
			return true;
		}
	}
	return false;
}

/* "ADDRESS: Creating..." and so on. */
static const struct {
	struct tn_str words;
	enum tn_plan_anchor anchor;
} progress[] = {
	{{"Refreshing state...", 19}, TN_PLAN_ANCHOR_REFRESH},
	{{"Refresh complete", 16}, TN_PLAN_ANCHOR_REFRESH},
	{{"Reading...", 10}, TN_PLAN_ANCHOR_REFRESH},
	{{"Read complete after", 19}, TN_PLAN_ANCHOR_REFRESH},
	{{"Still reading...", 16}, TN_PLAN_ANCHOR_REFRESH},
	{{"Preparing import...", 19}, TN_PLAN_ANCHOR_REFRESH},
	{{"Opening...", 10}, TN_PLAN_ANCHOR_NOISE},
	{{"Creating...", 11}, TN_PLAN_ANCHOR_APPLY},
	{{"Creation complete after", 23}, TN_PLAN_ANCHOR_APPLY},
	{{"Still creating...", 17}, TN_PLAN_ANCHOR_APPLY},
	{{"Modifying...", 12}, TN_PLAN_ANCHOR_APPLY},
	{{"Modifications complete after", 28}, TN_PLAN_ANCHOR_APPLY},
	{{"Still modifying...", 18}, TN_PLAN_ANCHOR_APPLY},
	{{"Destroying...", 13}, TN_PLAN_ANCHOR_APPLY},
	{{"Destruction complete after", 26}, TN_PLAN_ANCHOR_APPLY},
	{{"Still destroying...", 19}, TN_PLAN_ANCHOR_APPLY},
	{{"Importing...", 12}, TN_PLAN_ANCHOR_APPLY},
	{{"Import complete", 15}, TN_PLAN_ANCHOR_APPLY},
};

static enum tn_plan_anchor find_progress(struct tn_str text)
{
	static const struct tn_str deposed = {" (deposed object ", 17};
	struct tn_plan_address address;
	size_t size = tn_plan_address_read(text, &address);

	if (size == 0)
		return TN_PLAN_ANCHOR_NONE;
	text = tn_str_from_offset(text, size);
	if (tn_str_starts(text, deposed)) {
		size = tn_str_find_byte(text, ')');
		text = tn_str_from_offset(text, size == TN_STR_NONE ? text.size : size + 1);
	}
	if (!tn_str_starts(text, TN_STR(": ")))
		return TN_PLAN_ANCHOR_NONE;
	text = tn_str_from_offset(text, 2);
	for (size_t i = 0; i < TN_COUNT(progress); i++) {
		if (tn_str_starts(text, progress[i].words))
			return progress[i].anchor;
	}
	return TN_PLAN_ANCHOR_NONE;
}

/* "Terraform v1.9.0", at the end of the line or before a blank. */
static bool read_version(struct tn_str text, struct tn_plan_anchor_hit *ret)
{
	for (size_t i = 0; i < TN_COUNT(tools); i++) {
		struct tn_str rest;
		size_t size = 0;

		if (!tn_str_starts(text, tools[i].name))
			continue;
		rest = tn_str_from_offset(text, tools[i].name.size);
		if (!tn_str_starts(rest, TN_STR(" v")))
			return false;
		rest = tn_str_from_offset(rest, 2);
		while (size < rest.size && rest.data[size] != ' ')
			size++;
		if (size == 0 || !tn_is_digit(rest.data[0]))
			return false;
		ret->anchor = TN_PLAN_ANCHOR_NOISE;
		ret->tool = tools[i].tool;
		ret->version = tn_str(rest.data, size);
		return true;
	}
	return false;
}

struct tn_plan_anchor_hit tn_plan_anchor_find(struct tn_str text)
{
	struct tn_plan_anchor_hit hit = {.anchor = TN_PLAN_ANCHOR_NONE};
	enum tn_plan_tool tool = TN_PLAN_TOOL_UNKNOWN;

	if (text.size == 0 || !(tn_is_alpha(text.data[0]) || (text.data[0] & 0x80)))
		return hit;
	if (text.data[0] >= 'A' && text.data[0] <= 'Z') {
		for (size_t i = 0; i < TN_COUNT(sentences); i++) {
			if (!sentence_fits(&sentences[i], text, &tool))
				continue;
			hit.anchor = (enum tn_plan_anchor)sentences[i].anchor;
			hit.mode = (enum tn_plan_mode)sentences[i].mode;
			hit.tool = tool;
			return hit;
		}
		if (read_version(text, &hit))
			return hit;
	}
	/* A provider's type may begin with any letter. */
	if (text.data[0] == 'p' && tn_str_starts(text, TN_STR("plan. Resource actions are")))
		hit.anchor = TN_PLAN_ANCHOR_SYMBOLS;
	else
		hit.anchor = find_progress(text);
	return hit;
}

bool tn_plan_label_read(struct tn_str text, struct tn_str *ret)
{
	static const struct tn_str ran = {"Ran Plan for ", 13};
	size_t at = 0, digits;

	while (at < text.size && text.data[at] == '#')
		at++;
	text = tn_str_trim(tn_str_from_offset(text, at));
	for (digits = 0; digits < text.size && tn_is_digit(text.data[digits]);)
		digits++;
	if (digits && tn_str_starts(tn_str_from_offset(text, digits), TN_STR(". ")))
		text = tn_str_from_offset(text, digits + 2);
	if (tn_str_starts(text, ran))
		text = tn_str_from_offset(text, ran.size);
	if (!tn_str_starts(text, TN_STR("dir: ")) && !tn_str_starts(text, TN_STR("project: ")))
		return false;
	*ret = text;
	return true;
}

bool tn_plan_is_ellipsis(struct tn_str text)
{
	static const struct tn_str exact[] = {
		{"...", 3}, {"[...]", 5}, {"(...)", 5}, {"\xE2\x80\xA6", 3}, {"[\xE2\x80\xA6]", 5}};

	for (size_t i = 0; i < TN_COUNT(exact); i++) {
		if (tn_str_equal(text, exact[i]))
			return true;
	}
	if (text.size > 200)
		return false;
	if (tn_str_find(text, TN_STR("truncated")) != TN_STR_NONE)
		return true;
	return tn_str_find(text, TN_STR("exceed")) != TN_STR_NONE &&
	       (tn_str_find(text, TN_STR("limit")) != TN_STR_NONE ||
		tn_str_find(text, TN_STR("size")) != TN_STR_NONE ||
		tn_str_find(text, TN_STR("maximum")) != TN_STR_NONE);
}

static bool repeats(struct tn_str text, size_t group, size_t times)
{
	if (group == 0 || text.size < group * times)
		return false;
	return memcmp(text.data, text.data + group, text.size - group) == 0;
}

/* The bytes of `count` characters at the start of the text; 0: shorter, or not UTF-8. */
static size_t characters_size(struct tn_str text, size_t count)
{
	size_t at = 0;
	uint32_t code;

	while (count-- > 0) {
		size_t size =
			at < text.size ? tn_utf8_decode(text.data + at, text.size - at, &code) : 0;

		if (size == 0)
			return 0;
		at += size;
	}
	return at;
}

bool tn_plan_is_rule(struct tn_str text)
{
	if (text.size < 10 || tn_is_alpha(text.data[0]) || tn_is_digit(text.data[0]) ||
	    text.data[0] == '#')
		return false;
	for (size_t count = 1; count <= 3; count++) {
		if (repeats(text, characters_size(text, count), 10))
			return true;
	}
	return false;
}
