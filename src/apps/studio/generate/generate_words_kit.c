#include "apps/studio/generate/generate_words_kit.h"

int set_up(void **state)
{
	struct tn_studio_gen_kit *kit = tn_mem_alloc(sizeof(*kit));
	*state = kit;
	return kit && tn_studio_gen_kit_init(kit) ? 0 : -1;
}

int tear_down(void **state)
{
	tn_studio_gen_kit_finish(*state);
	tn_mem_free(*state);
	return 0;
}

static void put_parts(struct tn_buf *out, const char *const *parts, bool edges)
{
	bool any = false;
	for (; *parts; parts++) {
		bool edge = **parts == '@';
		if (**parts == '\0' || edge != edges)
			continue;
		tn_buf_append_text(out, any ? "," : "");
		tn_buf_append_text(out, *parts + edge);
		any = true;
	}
}

void run(struct tn_studio_gen_kit *kit, const char *config, const char *const *parts)
{
	struct tn_buf text;
	tn_buf_init(&text, TN_MIB);
	tn_buf_append_text(&text, "{'formatVersion':1,'revision':1,'nodes':[");
	put_parts(&text, parts, false);
	tn_buf_append_text(&text, "],'edges':[");
	put_parts(&text, parts, true);
	tn_buf_append_text(&text, "],'modules':[{'id':'m','name':'net'}],'instances':[]}");
	assert_true(tn_studio_gen_kit_load(kit, tn_buf_str(&text), tn_str_from(config), true));
	assert_true(tn_studio_gen_kit_run(kit, NULL));
	tn_buf_finish(&text);
}

bool has(const struct tn_studio_gen_kit *kit, const char *file, const char *text)
{
	return tn_str_find(tn_studio_gen_kit_file(kit, file), tn_str_from(text)) != TN_STR_NONE;
}

void assert_file(const struct tn_studio_gen_kit *kit, const char *file, const char *text)
{
	struct tn_str found = tn_studio_gen_kit_file(kit, file);
	char *copy = tn_arena_copy((struct tn_arena *)(uintptr_t)&kit->arena, found);
	assert_string_equal(copy, text);
}
