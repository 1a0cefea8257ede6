#include "apps/studio/registry/registry_test_kit.h"

struct tn_studio_registry *load(const char *text)
{
	struct tn_studio_source source = {.name = TN_STR("mine.json")};
	struct tn_studio_registry *registry;
	struct tenon_error err;

	source.text = tn_str_from(text);
	if (tn_studio_registry_create(&source, text ? 1 : 0, &registry, &err) != TENON_OK)
		fail_msg("%s", err.message);
	return registry;
}

void print_faults(const struct tn_studio_registry *registry)
{
	struct tn_buf text;

	tn_buf_init(&text, TN_MIB);
	tn_json_put_value(&text, registry->faults);
	print_message("%.*s\n", (int)text.size, text.data);
	tn_buf_finish(&text);
}

bool has_fault(const struct tn_studio_registry *registry, const char *pointer, const char *part)
{
	for (const struct tn_json *f = registry->faults->first; f; f = f->next) {
		if (tn_str_is(tn_json_get(f, "pointer")->text, pointer) &&
		    tn_str_is(tn_json_get(f, "file")->text, "mine.json") &&
		    tn_str_find(tn_json_get(f, "message")->text, tn_str_from(part)) != TN_STR_NONE)
			return true;
	}
	print_faults(registry);
	return false;
}

struct tn_studio_registry *load_types(const char *types)
{
	char text[8192];

	(void)snprintf(text, sizeof(text),
		       "{'formatVersion':1,'palette':[{'id':'own','label':'Own','order':5}],"
		       "'providers':{'acme':{'displayName':'Acme','source':'acme/acme',"
		       "'version':'~> 1.0','scopes':{'place':{'ancestor':'acme/own/room',"
		       "'attr':'id'}}}},'types':[{'typeId':'acme/own/room','displayName':'Room',"
		       "'category':'own','container':true,'terraform':{'type':'acme_room'},"
		       "'hcl':{'body':[]}}%s%s]}",
		       types[0] ? "," : "", types);
	for (char *c = text; *c; c++) {
		if (*c == '\'')
			*c = '"';
	}
	return load(text);
}

struct tn_studio_registry *load_type(const char *more)
{
	char type[6000];

	(void)snprintf(type, sizeof(type),
		       "{'typeId':'acme/own/box','displayName':'Box','category':'own',"
		       "'terraform':{'type':'acme_box'},%s}",
		       more);
	return load_types(type);
}
