#include "apps/workbench/sessions/target.h"

#include "apps/workbench/limits.h"
#include "apps/workbench/values/id.h"
#include "base/url.h"

static const char *refuse(struct tenon_error *err, const char *code, const char *sentence)
{
	(void)tn_fail(err, TENON_INVALID, "%s", sentence);
	return code;
}

/* scheme://NAME[:PASSWORD]@host */
static bool names_a_user(struct tn_str url)
{
	size_t at = tn_str_find(url, TN_STR("://"));
	struct tn_str host = tn_str_from_offset(url, at == TN_STR_NONE ? url.size : at + 3);

	for (size_t i = 0; i < host.size && !strchr("/?#", host.data[i]); i++)
		if (host.data[i] == '@')
			return true;
	return false;
}

static const char *check_url(const struct tn_json *member, const struct tn_wb_target_rules *rules,
			     struct tn_str *ret, struct tenon_error *err)
{
	struct tn_url url;

	if (tn_json_to_str(member, ret) && names_a_user(*ret))
		return refuse(err, "invalid_target",
			      "the URL has a name or a password before its host: leave them out, "
			      "and sign in on the page");
	if (!tn_json_to_str(member, ret) || ret->size > TN_WB_ADDRESS_BYTES_MAX ||
	    !tn_url_parse(*ret, &url) ||
	    (!tn_str_equal_nocase(url.scheme, TN_STR("http")) &&
	     !tn_str_equal_nocase(url.scheme, TN_STR("https"))))
		return refuse(err, "invalid_target",
			      "the URL must be absolute, with its scheme: "
			      "http://127.0.0.1:5173/");
	if (!rules->any_host && !tn_url_is_loopback(&url))
		return refuse(err, "invalid_target",
			      "only servers of this machine are previewed: 127.0.0.1, localhost "
			      "or [::1]");
	return NULL;
}

static const char *read_app(const struct tn_json *json, const struct tn_wb_target_rules *rules,
			    struct tn_wb_target *ret, struct tenon_error *err)
{
	const struct tn_json *url = tn_json_get(json, "url");
	const struct tn_json *launcher = tn_json_get(json, "launcherId");

	ret->type = TN_WB_GROUP_APP;
	if (!url == !launcher)
		return refuse(err, "invalid_target",
			      "an app is previewed by url or by launcherId: give exactly one");
	if (url)
		return check_url(url, rules, &ret->url, err);
	if (!tn_json_to_str(launcher, &ret->launcher) || ret->launcher.size < 1 ||
	    ret->launcher.size > TN_WB_ID_BYTES_MAX)
		return refuse(err, "invalid_target", "launcherId is a text of 1 to 200 bytes");
	return NULL;
}

static const char *read_component(const struct tn_json *json,
				  const struct tn_wb_target_rules *rules, struct tn_wb_target *ret,
				  struct tenon_error *err)
{
	const struct tn_json *url = tn_json_get(json, "harnessUrl");

	ret->type = TN_WB_GROUP_COMPONENT;
	if (!tn_json_to_str(tn_json_get(json, "componentTypeId"), &ret->component) ||
	    !tn_wb_type_id_is_valid(ret->component))
		return refuse(err, "invalid_target", "componentTypeId names a component type");
	if (rules->registry && tn_wb_registry_is_disabled(rules->registry, ret->component))
		return refuse(err, "component_disabled",
			      "that type is disabled by components.overrides");
	if (!rules->registry || !tn_wb_registry_find(rules->registry, ret->component))
		return refuse(err, "unknown_component",
			      "there is no such component type; workbench_list_components lists "
			      "them");
	return url ? check_url(url, rules, &ret->url, err) : NULL;
}

const char *tn_wb_target_read(const struct tn_json *json, const struct tn_wb_target_rules *rules,
			      struct tn_wb_target *ret, struct tenon_error *err)
{
	const struct tn_json *options = tn_json_get(json, "launcherOptions");
	struct tn_str type;

	*ret = (struct tn_wb_target){.asked = json, .options = options};
	if (!tn_json_is(json, TN_JSON_OBJECT) || !tn_json_to_str(tn_json_get(json, "type"), &type))
		return refuse(err, "invalid_target",
			      "a target is an object whose type is app or component");
	if (tn_str_is(type, "variant"))
		return refuse(err, "unsupported_target", "variants cannot be previewed yet");
	if (options && !tn_json_is(options, TN_JSON_OBJECT))
		return refuse(err, "invalid_target", "launcherOptions is an object");
	if (tn_str_is(type, "app"))
		return read_app(json, rules, ret, err);
	if (tn_str_is(type, "component"))
		return read_component(json, rules, ret, err);
	return refuse(err, "invalid_target", "the type of a target is app or component");
}
