/* Checks and conditions that fail (the member "checks" of a JSON plan): text plans have them as
 * diagnostics, so they are diagnostics here, too. */
#include "apps/plan/read/json_change.h"
#include "apps/plan/read/json_element.h"
#include "apps/plan/read/json_value.h"

static struct tn_str text_of(const struct tn_json *object, const char *key)
{
	const struct tn_json *member = tn_json_get(object, key);

	return tn_json_is(member, TN_JSON_STRING) ? member->text : tn_str(NULL, 0);
}

static bool fails(const struct tn_json *object)
{
	return tn_str_is(text_of(object, "status"), "fail");
}

static const struct tn_json *first_of(const struct tn_json *object, const char *key)
{
	const struct tn_json *list = tn_json_get(object, key);

	return tn_json_is(list, TN_JSON_ARRAY) && list->count ? list->first : NULL;
}

/* Checks only warn; conditions of objects and outputs stop the plan. */
static void add_problem(struct tn_plan_build *build, bool is_check, struct tn_str address,
			struct tn_str message)
{
	struct tn_plan_diagnostic *diagnostic = tn_plan_add_diagnostic(build);

	if (!diagnostic)
		return;
	diagnostic->severity = is_check ? "warning" : "error";
	diagnostic->summary = is_check ? TN_STR("Check block assertion failed")
				       : TN_STR("Resource condition failed");
	diagnostic->address = address;
	diagnostic->detail = message;
}

static void add_instance(struct tn_plan_build *build, bool is_check, const struct tn_json *instance)
{
	struct tn_str address = text_of(tn_json_get(instance, "address"), "to_display");
	const struct tn_json *problem = first_of(instance, "problems");

	if (!problem)
		add_problem(build, is_check, address, tn_str(NULL, 0));
	for (; problem; problem = problem->next)
		add_problem(build, is_check, address, text_of(problem, "message"));
}

bool tn_plan_json_read_check(struct tn_plan_json_reader *reader, enum tn_json_token token)
{
	struct tn_json *check = NULL;
	const struct tn_json *address;
	bool is_check;

	tn_arena_reset(&reader->scratch);
	if (!tn_plan_json_tick(reader) ||
	    !tn_plan_json_value(&reader->tokens, token, &reader->scratch, &check))
		return false;
	if (!check || !fails(check))
		return true;
	address = tn_json_get(check, "address");
	is_check = tn_str_is(text_of(address, "kind"), "check");
	if (!first_of(check, "instances"))
		add_problem(reader->build, is_check, text_of(address, "to_display"),
			    tn_str(NULL, 0));
	for (const struct tn_json *one = first_of(check, "instances"); one; one = one->next)
		if (fails(one))
			add_instance(reader->build, is_check, one);
	return reader->build->code == TENON_OK;
}
