/* set_project_config (FR-21): one operation, and what is secret to the secret store. */
#include <math.h>
#include <stdio.h>

#include "apps/studio/document/declared.h"
#include "apps/studio/document/config.h"
#include "apps/studio/edit/edit.h"
#include "apps/studio/limits.h"
#include "apps/studio/project/project.h"
#include "jsonrpc/json_write.h"

/* ST-029: the value of a sensitive variable goes to the secret store and never into a document. */
static bool keep_secrets(struct tn_studio_edit *edit, const struct tn_json *patch,
			 struct tn_buf *ret_rest, struct tn_buf *changed)
{
	const struct tn_json *values = tn_json_get(patch, "variableValues");

	tn_json_begin_object(ret_rest);
	for (const struct tn_json *value = tn_json_is(values, TN_JSON_OBJECT) ? values->first
									      : NULL;
	     value; value = value->next) {
		struct tn_str text = {NULL, 0}, rest;
		bool set = tn_json_to_str(value, &text);
		const struct tn_studio_node *owner;

		owner = tn_studio_secret_owner(edit->document, value->key, &rest);
		if (!owner) {
			tn_json_put_key_str(ret_rest, value->key);
			tn_json_put_value(ret_rest, value);
			continue;
		}
		if (set && tn_str_is(text, TN_STUDIO_REDACTED))
			continue;
		if (!set && value->type != TN_JSON_NULL)
			return tn_studio_fail(
				edit->fault, "INVALID_INPUT",
				"variableValues.%.*s: a sensitive variable takes a text",
				(int)(value->key.size < 64 ? value->key.size : 64),
				value->key.data);
		if (!edit->project)
			return tn_studio_fail(edit->fault, "UNSUPPORTED",
					      "Sensitive values are kept by open projects only.");
		if (!tn_studio_edit_keep_secret(edit, owner->id, rest, set ? &text : NULL))
			return false;
		tn_buf_format(changed, "%s\"variableValues.%.*s\"", changed->size ? "," : "",
			      (int)value->key.size, value->key.data);
	}
	tn_json_end_object(ret_rest);
	return true;
}

/* The patch without them. */
static const struct tn_json *without_secrets(struct tn_studio_edit *edit,
					     const struct tn_json *patch, struct tn_buf *changed)
{
	const struct tn_json *values = tn_json_get(patch, "variableValues");
	struct tenon_error err = {0};
	struct tn_json *rest = NULL;
	struct tn_buf text, kept;

	if (!tn_json_is(values, TN_JSON_OBJECT))
		return patch;
	tn_buf_init(&text, TN_STUDIO_FILE_BYTES_MAX);
	tn_buf_init(&kept, TN_STUDIO_FILE_BYTES_MAX);
	if (keep_secrets(edit, patch, &kept, changed)) {
		tn_json_begin_object(&text);
		for (const struct tn_json *member = patch->first; member; member = member->next) {
			tn_json_put_key_str(&text, member->key);
			if (member == values)
				tn_json_put_raw(&text, tn_buf_str(&kept));
			else
				tn_json_put_value(&text, member);
		}
		tn_json_end_object(&text);
		tn_buf_inherit_failure(&text, &kept);
		if (tn_buf_check(&text, &err) != TENON_OK ||
		    tn_json_parse_copy(edit->arena, tn_buf_str(&text), &rest, &err) != TENON_OK)
			(void)tn_studio_fail_error(edit->fault, &err);
	}
	tn_buf_finish(&text);
	tn_buf_finish(&kept);
	return rest;
}

static bool set_config(struct tn_studio_edit *edit, const struct tn_json *config)
{
	struct tn_buf operation;
	bool done;

	tn_buf_init(&operation, TN_STUDIO_FILE_BYTES_MAX);
	tn_json_begin_object(&operation);
	tn_json_put_member_text(&operation, "op", "setConfig");
	tn_json_put_key(&operation, "config");
	tn_json_put_value(&operation, config);
	tn_json_end_object(&operation);
	done = operation.failed ? tn_studio_fail_memory(edit->fault)
				: tn_studio_edit_apply(edit, tn_buf_str(&operation));
	tn_buf_finish(&operation);
	return done;
}

/* What it may cost a month stands in cost.json, not in the configuration (studio.md 11.3). */
static bool set_budget(struct tn_studio_edit *edit, const struct tn_json *budget,
		       struct tn_buf *changed)
{
	double value = NAN;
	struct tn_buf operation;
	bool done;

	if (!budget)
		return true;
	if (budget->type != TN_JSON_NULL && (!tn_json_to_double(budget, &value) || value < 0))
		return tn_studio_fail(edit->fault, "INVALID_INPUT",
				      "budget is a number from 0 on, or null for none");
	if (value == edit->document->budget || (isnan(value) && isnan(edit->document->budget)))
		return true;
	tn_buf_format(changed, "%s\"budget\"", changed->size ? "," : "");
	tn_buf_init(&operation, 256);
	tn_json_begin_object(&operation);
	tn_json_put_member_text(&operation, "op", "setBudget");
	tn_json_put_key(&operation, "budget");
	tn_json_put_double(&operation, value);
	tn_json_end_object(&operation);
	done = tn_studio_edit_apply(edit, tn_buf_str(&operation));
	tn_buf_finish(&operation);
	return done;
}

/* `changed` is an array as text; what went to the secret store comes first. */
static void put_changes(struct tn_buf *result, struct tn_str secret, struct tn_str changed)
{
	struct tn_buf all;

	tn_buf_init(&all, TN_STUDIO_RESULT_BYTES_MAX);
	tn_buf_append_byte(&all, '[');
	tn_buf_append_str(&all, secret);
	if (secret.size > 0 && changed.size > 2)
		tn_buf_append_byte(&all, ',');
	tn_buf_append_str(&all, tn_str_from_offset(changed, 1));
	tn_json_put_member_raw(result, "changed", tn_buf_str(&all));
	tn_buf_inherit_failure(result, &all);
	tn_buf_finish(&all);
}

bool tn_studio_edit_config(struct tn_studio_edit *edit, const struct tn_json *arguments,
			   struct tn_buf *result)
{
	const struct tn_json *patch = tn_json_get(arguments, "config"), *config = NULL;
	struct tn_buf changed, secret;
	bool done = false;

	if (!patch)
		return tn_studio_fail(edit->fault, "INVALID_INPUT", "`config` is missing");
	/* All of it is looked at before anything is kept (ST-030). */
	if (!tn_studio_config_check(edit->document, patch, edit->arena, edit->fault))
		return false;
	tn_buf_init(&changed, TN_STUDIO_RESULT_BYTES_MAX);
	tn_buf_init(&secret, TN_STUDIO_RESULT_BYTES_MAX);
	patch = without_secrets(edit, patch, &secret);
	if (patch && set_budget(edit, tn_json_get(arguments, "budget"), &secret) &&
	    tn_studio_config_merge(edit->document, patch, edit->arena, &config, &changed,
				   edit->fault))
		done = changed.size <= 2 || set_config(edit, config); /* [] is no change */
	if (done) {
		(void)snprintf(edit->summary, sizeof(edit->summary), "Change the configuration");
		tn_buf_inherit_failure(&changed, &secret);
		tn_buf_inherit_failure(result, &changed);
		put_changes(result, tn_buf_str(&secret), tn_buf_str(&changed));
	}
	tn_buf_finish(&changed);
	tn_buf_finish(&secret);
	return done;
}
