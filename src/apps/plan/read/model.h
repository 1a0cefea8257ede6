/* model.h - what a plan says, after reading: the result model of plan.md section 5 as C structs.
 *
 * Ownership: everything hangs on the plan's arena and is read-only once parsing is done; slices
 * point into the plan's own cleaned copy of the input or its arena. Threads: a finished plan may be
 * read by any thread. Absent texts have data == NULL. */
#ifndef TN_PLAN_MODEL_H
#define TN_PLAN_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"

enum tn_plan_kind { TN_PLAN_TEXT, TN_PLAN_JSON, TN_PLAN_JSON_STREAM };

enum tn_plan_tool { TN_PLAN_TOOL_UNKNOWN, TN_PLAN_TERRAFORM, TN_PLAN_OPENTOFU };

enum tn_plan_format {
	TN_PLAN_MODERN,
	TN_PLAN_LEGACY_0_12,
	TN_PLAN_LEGACY_0_11,
	TN_PLAN_FORMAT_JSON,
	TN_PLAN_FORMAT_JSON_STREAM
};

enum tn_plan_status {
	TN_PLAN_CHANGES,
	TN_PLAN_OUTPUTS_ONLY,
	TN_PLAN_NO_CHANGES,
	TN_PLAN_NO_VERDICT, /* the text ends before it says what would be done */
	TN_PLAN_DRIFT_ONLY,
	TN_PLAN_DEFERRED_ONLY,
	TN_PLAN_ERRORED,
	TN_PLAN_NOT_A_PLAN
};

enum tn_plan_mode { TN_PLAN_MODE_UNKNOWN, TN_PLAN_NORMAL, TN_PLAN_DESTROY, TN_PLAN_REFRESH_ONLY };

enum tn_plan_action {
	TN_PLAN_CREATE,
	TN_PLAN_UPDATE,
	TN_PLAN_DELETE,
	TN_PLAN_REPLACE,
	TN_PLAN_READ,
	TN_PLAN_FORGET,
	TN_PLAN_IMPORT,
	TN_PLAN_MOVE,
	TN_PLAN_ACTION_UNKNOWN,
	TN_PLAN_ACTION_COUNT
};

enum tn_plan_order {
	TN_PLAN_ORDER_NONE,
	TN_PLAN_DESTROY_FIRST,
	TN_PLAN_CREATE_FIRST,
	TN_PLAN_FORGET_OLD,  /* new created, old forgotten: ["create","forget"] */
	TN_PLAN_FORGET_FIRST /* ["forget","create"]; replace_order says "forget_old" too */
};

enum tn_plan_confidence { TN_PLAN_HIGH, TN_PLAN_MEDIUM, TN_PLAN_LOW };

/* The clean-up steps of plan.md section 3.2, one bit each, in the order they are listed. */
enum tn_plan_cleanup {
	TN_PLAN_CLEAN_BOM = 1 << 0,
	TN_PLAN_CLEAN_UTF16 = 1 << 1,
	TN_PLAN_CLEAN_LATIN1 = 1 << 2,
	TN_PLAN_CLEAN_CRLF = 1 << 3,
	TN_PLAN_CLEAN_CR_REDRAW = 1 << 4,
	TN_PLAN_CLEAN_ANSI = 1 << 5,
	TN_PLAN_CLEAN_ANSI_REMNANT = 1 << 6,
	TN_PLAN_CLEAN_PREFIX_ISO8601 = 1 << 7,
	TN_PLAN_CLEAN_PREFIX_BRACKET_TIME = 1 << 8,
	TN_PLAN_CLEAN_PREFIX_RUNNER = 1 << 9,
	TN_PLAN_CLEAN_PREFIX_COMPOSE = 1 << 10,
	TN_PLAN_CLEAN_PREFIX_QUOTE = 1 << 11,
	TN_PLAN_CLEAN_PREFIX_GENERIC = 1 << 12,
	TN_PLAN_CLEAN_INDENT = 1 << 13,
	TN_PLAN_CLEAN_MARKDOWN = 1 << 14,
	TN_PLAN_CLEAN_HTML_ENTITIES = 1 << 15,
	TN_PLAN_CLEAN_SHIFTED_LAYOUT = 1 << 16,
	TN_PLAN_CLEAN_DIFF_LAYOUT = 1 << 17
};

/* ---- values ---- */

enum tn_plan_value_kind {
	TN_PLAN_VALUE_NONE, /* absent on this side; written as null */
	TN_PLAN_VALUE_NULL,
	TN_PLAN_VALUE_STRING, /* text: unescaped, at most TN_PLAN_VALUE_BYTES_MAX */
	TN_PLAN_VALUE_NUMBER, /* text: digits as written */
	TN_PLAN_VALUE_BOOL,   /* text: "true" or "false" */
	TN_PLAN_VALUE_JSON    /* text: a small literal value such as [] or {}, already JSON */
};

struct tn_plan_value {
	struct tn_str text;
	uint8_t kind;   /* enum tn_plan_value_kind */
	bool truncated; /* cut at the limit, ends in an ellipsis */
};

enum tn_plan_change {
	TN_PLAN_ATTR_ADD,
	TN_PLAN_ATTR_REMOVE,
	TN_PLAN_ATTR_UPDATE,
	TN_PLAN_ATTR_UNCHANGED /* kept only where it names or describes the object */
};

struct tn_plan_attribute {
	struct tn_str path; /* plan.md section 5: environment.variables["REGION"] */
	struct tn_plan_value before, after;
	uint8_t change; /* enum tn_plan_change: written as "add", "remove", "update", "unchanged" */
	bool unknown;   /* known after apply */
	bool sensitive; /* both values are NONE then */
	bool write_only;
	bool forces_replacement;
	bool multiline;
};

struct tn_plan_attributes {
	struct tn_plan_attribute *items;
	uint32_t count;
	uint32_t truncated; /* further lines, counted only */
};

struct tn_plan_reason {
	const char *code;   /* plan.md section 4.4; a static string */
	struct tn_str text; /* the words of the note, or the attribute that forces */
};

/* ---- risk ---- */

enum tn_plan_risk {
	TN_PLAN_RISK_NONE,
	TN_PLAN_RISK_LOW,
	TN_PLAN_RISK_MEDIUM,
	TN_PLAN_RISK_HIGH,
	TN_PLAN_RISK_CRITICAL
};

/* How much of the internet may come. */
enum tn_plan_crowd {
	TN_PLAN_EVERYBODY,
	TN_PLAN_LOW_CROWD,  /* half of the older addresses: the other half may not come */
	TN_PLAN_HIGH_CROWD, /* the other one */
	TN_PLAN_SIX_CROWD   /* all newer addresses (IPv6), and no older ones */
};

struct tn_plan_finding {
	const char *id; /* "RISK-ACCESS-OPEN"; a static string */
	enum tn_plan_risk level;
	uint32_t change;      /* index into changes[], or TN_PLAN_NO_CHANGE for the whole plan */
	struct tn_str title;  /* a few words */
	struct tn_str detail; /* a sentence */
	struct tn_str fact;   /* what decides, in a few words: "SSH (port 22)"; empty when none */
	struct tn_str path;   /* evidence: attribute path; absent when none */
	struct tn_plan_value before, after;
	uint8_t crowd; /* enum tn_plan_crowd: to whom it opens */
};
#define TN_PLAN_NO_CHANGE UINT32_MAX

/* ---- entries ---- */

enum tn_plan_key_kind { TN_PLAN_KEY_NONE, TN_PLAN_KEY_INT, TN_PLAN_KEY_STRING };

struct tn_plan_entry {
	struct tn_str address; /* as printed, index included */
	struct tn_str module;  /* "module.db[\"eu\"]"; absent in the root module */
	struct tn_str type, name;
	struct tn_str key_text; /* INT: digits; STRING: unescaped */
	struct tn_str deposed, previous_address, import_id;
	uint8_t key_kind;               /* enum tn_plan_key_kind */
	uint8_t action;                 /* enum tn_plan_action */
	uint8_t order;                  /* enum tn_plan_order */
	uint8_t risk;                   /* enum tn_plan_risk, filled by tn_plan_assess_risk */
	bool is_data;                   /* mode "data" */
	uint32_t unit;                  /* index into units[] */
	uint32_t line_first, line_last; /* 1-based, of the cleaned input; 0 for JSON */
	struct tn_plan_reason *reasons;
	uint32_t reason_count;
	uint32_t hidden_attributes, hidden_blocks, hidden_elements;
	struct tn_plan_attributes attributes;
};

struct tn_plan_output {
	struct tn_str name;
	uint8_t action; /* enum tn_plan_action: create, update, delete */
	bool sensitive, unknown;
	struct tn_plan_value before, after;
};

struct tn_plan_drift {
	struct tn_str address, previous_address;
	uint8_t action; /* update, delete, move */
	struct tn_plan_attributes attributes;
};

struct tn_plan_deferred {
	struct tn_str address;
	uint8_t action;
	const char *reason; /* "deferred_prerequisite"; a static string, never NULL */
};

struct tn_plan_invocation {
	struct tn_str address;
	const char *when;       /* "direct", "before", "after" */
	struct tn_str resource; /* absent when direct */
};

struct tn_plan_diagnostic {
	const char *severity; /* "error", "warning" */
	struct tn_str summary, address, file, detail;
	uint32_t line;
	bool in_apply; /* belongs to an apply that followed; does not count */
};

struct tn_plan_line { /* the "Plan:" line; -1 where the field was not printed */
	bool present;
	int64_t import, add, change, destroy, forget, invoke;
};

struct tn_plan_mismatch {
	const char *field; /* "add", "change", "destroy", "import", "forget" */
	uint32_t unit;
	int64_t stated, counted;
};

struct tn_plan_unit {
	struct tn_str label;
	uint32_t total_changes;
	struct tn_plan_line plan_line;
	bool truncated;
};

struct tn_plan_warning {
	const char *code; /* "unterminated_body" */
	struct tn_str message;
	uint32_t line; /* 0 when it has none */
};

/* ---- the plan ---- */

struct tn_plan {
	struct tn_arena arena;
	char id[48]; /* "pln_..."; empty until somebody keeps the plan */

	enum tn_plan_kind kind;
	enum tn_plan_tool tool;
	struct tn_str tool_version;
	enum tn_plan_format format;
	size_t bytes;
	const char *encoding; /* "utf-8", "utf-16le", "utf-16be", "latin-1" */
	char sha256[65];      /* of the bytes as given, lower-case hex */
	uint32_t normalised;  /* enum tn_plan_cleanup bits */
	bool contains_apply, truncated;

	enum tn_plan_status status;
	bool errored;
	enum tn_plan_mode mode;
	enum tn_plan_confidence confidence;
	int consistent; /* 1, 0, or -1 when no "Plan:" line exists */

	struct tn_plan_entry *changes;
	uint32_t change_count;
	uint32_t total_changes;                 /* plan.md section 6.1: without reads */
	uint32_t actions[TN_PLAN_ACTION_COUNT]; /* entries per action */
	struct tn_plan_line plan_line;          /* sum over units */
	struct tn_plan_mismatch *mismatches;
	uint32_t mismatch_count;

	struct tn_plan_output *outputs;
	uint32_t output_count;
	struct tn_plan_drift *drift;
	uint32_t drift_count;
	struct tn_plan_deferred *deferred;
	uint32_t deferred_count;
	struct tn_plan_invocation *invocations;
	uint32_t invocation_count;
	struct tn_plan_diagnostic *diagnostics;
	uint32_t diagnostic_count;
	struct tn_plan_unit *units;
	uint32_t unit_count;
	struct tn_plan_warning *warnings;
	uint32_t warning_count;

	enum tn_plan_risk risk;           /* filled by tn_plan_assess_risk */
	struct tn_plan_finding *findings; /* in plan order, highest first within one change */
	uint32_t finding_count;
};

#endif
