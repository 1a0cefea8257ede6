#include "apps/floorplan/mcp/action.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/limits.h"
#include "jsonrpc/json_write.h"

enum { MESSAGE_SIZE = 512 };

/* ---- life ---- */

static void begin(struct tn_floor_act *act)
{
	tn_buf_init(&act->json, TN_RESULT_BYTES_MAX);
	tn_buf_init(&act->file, TN_RESULT_BYTES_MAX);
	tn_buf_init(&act->text_after, TN_RESULT_BYTES_MAX);
	tn_json_begin_object(&act->json);
}

void tn_floor_act_init(struct tn_floor_act *act, struct tn_str text,
		       const struct tn_json *arguments)
{
	*act = (struct tn_floor_act){.text = text, .arguments = arguments};
	begin(act);
}

void tn_floor_act_finish(struct tn_floor_act *act)
{
	tn_buf_finish(&act->json);
	tn_buf_finish(&act->file);
	tn_buf_finish(&act->text_after);
	tn_floor_plan_free(act->plan);
	act->plan = NULL;
}

void tn_floor_act_again(struct tn_floor_act *act, struct tn_str text)
{
	const struct tn_json *arguments = act->arguments;
	struct tn_fonts *fonts = act->fonts;

	tn_floor_act_finish(act);
	tn_floor_act_init(act, text, arguments);
	act->fonts = fonts;
}

bool tn_floor_act_end(struct tn_floor_act *act)
{
	tn_json_end_object(&act->json);
	tn_buf_inherit_failure(&act->json, &act->file);
	tn_buf_inherit_failure(&act->json, &act->text_after);
	return !act->json.failed;
}

bool tn_floor_act_read(struct tn_floor_act *act, bool lint)
{
	struct tenon_error err = {0};

	if (tn_floor_plan_create(act->text, lint, &act->plan, &err) == TENON_OK &&
	    !act->plan->diagnostics.starved)
		return true;
	act->json.failed = true;
	act->json.starved = true;
	return false;
}

/* ---- faults ---- */

void tn_floor_put_fault(struct tn_buf *out, const char *code, const char *message, const char *path)
{
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "code", code);
	tn_json_put_member_text(out, "message", message);
	if (path)
		tn_json_put_member_text(out, "path", path);
	tn_json_end_object(out);
}

static void refuse(struct tn_floor_act *act, const char *code, const char *path,
		   const char *message)
{
	act->success = false;
	tn_buf_clear(&act->file);
	tn_buf_clear(&act->json);
	tn_json_begin_object(&act->json);
	tn_json_put_member_bool(&act->json, "success", false);
	tn_json_put_key(&act->json, "errors");
	tn_json_begin_array(&act->json);
	tn_floor_put_fault(&act->json, code, message, path);
	tn_json_end_array(&act->json);
}

void tn_floor_act_refuse(struct tn_floor_act *act, const char *code, const char *path,
			 const char *format, ...)
{
	char message[MESSAGE_SIZE];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(message, sizeof(message), format, args); /* cut is fine */
	va_end(args);
	refuse(act, code, path, message);
}

void tn_floor_act_fail(struct tn_floor_act *act, const struct tenon_error *err)
{
	if (err->code == TENON_NO_MEMORY) {
		act->json.failed = true;
		act->json.starved = true;
		return;
	}
	refuse(act, err->code == TENON_NOT_FOUND ? "FP9002" : "FP9001", NULL, err->message);
}

/* ---- diagnostics ---- */

void tn_floor_act_put_list(struct tn_floor_act *act, enum tn_floor_severity severity, size_t max,
			   bool *cut)
{
	static const char *const keys[] = {"errors", "warnings", "infos"};
	bool more = false;

	tn_json_put_key(&act->json, keys[severity]);
	tn_floor_diagnostics_put(&act->json, &act->plan->diagnostics, severity, max, &more);
	*cut = *cut || more;
}

void tn_floor_act_put_counts(struct tn_floor_act *act)
{
	const size_t *counts = act->plan->diagnostics.counts;
	struct tn_buf *out = &act->json;

	tn_json_put_key(out, "counts");
	tn_json_begin_object(out);
	tn_json_put_member_int(out, "errors", (int64_t)counts[TN_FLOOR_ERROR]);
	tn_json_put_member_int(out, "warnings", (int64_t)counts[TN_FLOOR_WARNING]);
	tn_json_put_member_int(out, "infos", (int64_t)counts[TN_FLOOR_INFO]);
	tn_json_end_object(out);
}

void tn_floor_act_put_cut(struct tn_floor_act *act, bool cut)
{
	if (!cut)
		return;
	tn_floor_act_put_counts(act);
	tn_json_put_member_bool(&act->json, "truncated", true);
}

void tn_floor_act_put_bad_plan(struct tn_floor_act *act)
{
	bool cut = false;

	act->success = false;
	tn_json_put_member_bool(&act->json, "success", false);
	tn_floor_act_put_list(act, TN_FLOOR_ERROR, TN_FLOOR_LISTED_MAX, &cut);
	tn_floor_act_put_list(act, TN_FLOOR_WARNING, TN_FLOOR_LISTED_MAX, &cut);
	tn_floor_act_put_cut(act, cut);
}

/* ---- arguments ---- */

bool tn_floor_argument_bool(const struct tn_floor_act *act, const char *name, bool fallback)
{
	(void)tn_json_to_bool(tn_json_get(act->arguments, name), &fallback);
	return fallback;
}

double tn_floor_argument_number(const struct tn_floor_act *act, const char *name, double fallback)
{
	(void)tn_json_to_double(tn_json_get(act->arguments, name), &fallback);
	return fallback;
}

struct tn_str tn_floor_argument_text(const struct tn_floor_act *act, const char *name)
{
	struct tn_str text = {NULL, 0};

	(void)tn_json_to_str(tn_json_get(act->arguments, name), &text);
	return text;
}
