/* internal.h - the records behind status.h, for the files status*.c. Threads: loop. */
#ifndef TN_STUDIO_STATUS_INTERNAL_H
#define TN_STUDIO_STATUS_INTERNAL_H

#include "apps/studio/status/status.h"

enum tn_studio_flight {
	TN_STUDIO_GROUNDED,
	TN_STUDIO_FLY_CREATE,
	TN_STUDIO_FLY_UPDATE,
	TN_STUDIO_FLY_DELETE
};

struct tn_studio_record_part {
	char *address, *error; /* error NULL: none */
	enum tn_studio_flight flight;
	bool primary, present;
	bool removed; /* it was there, and a run took it away */
	bool tainted; /* the error is the state's own, and goes with its mark */
	struct tn_studio_record_part *next;
};

struct tn_studio_record_look_of { /* how the diagram showed it last; NULL: not known */
	char *type_id, *label, *parent_id;
	int32_t x, y, width, height; /* absolute */
};

struct tn_studio_record { /* one node */
	char *node_id, *run_id;
	char applied[65]; /* empty: never */
	int64_t cents;    /* a month, when it was applied */
	bool is_priced;
	int64_t updated_ms;
	bool has_primary; /* some types have extras only */
	struct tn_studio_record_part *parts;
	struct tn_studio_record_look_of look;
	bool is_ghost; /* it was no more in the diagram when that was noted */
};

struct tn_studio_status {
	struct tn_studio_status_options options;
	char *path;
	struct tn_map entries;
};

/* ---- status_record.c ---- */

/* One of the six words; *ret_phase: "destroying" or NULL. */
const char *tn_studio_record_word(const struct tn_studio_record *entry, const char **ret_phase);
/* What failed of it; NULL: nothing. */
const char *tn_studio_record_error(const struct tn_studio_record *entry);
/* NULL: none; or no memory. */
struct tn_studio_record *tn_studio_record_find(const struct tn_studio_status *status,
					       struct tn_str node_id);
struct tn_studio_record *tn_studio_record_make(struct tn_studio_status *status,
					       struct tn_str node_id);
struct tn_studio_record_part *tn_studio_record_part(struct tn_studio_record *entry,
						    struct tn_str address);
void tn_studio_record_free_part(struct tn_studio_record_part *part);
void tn_studio_record_free(struct tn_studio_record *entry);
/* Without data: none any more. */
void tn_studio_record_set_error(struct tn_studio_record_part *part, struct tn_str why);

/* What a reader saw before a change, to see whether it is another now. */
struct tn_studio_record_look {
	const char *word, *phase;
	bool has_error;
};
struct tn_studio_record_look tn_studio_record_look(const struct tn_studio_record *entry);
void tn_studio_record_touched(struct tn_studio_status *status, struct tn_studio_record *entry,
			      struct tn_studio_record_look before);

/* ---- status_file.c ---- */

/* `all`: with what only we need to know. */
void tn_studio_record_put_parts(struct tn_buf *out, const struct tn_studio_record *entry, bool all);
void tn_studio_record_put_times(struct tn_buf *out, const struct tn_studio_record *entry);
TN_MUST_USE enum tenon_code tn_studio_status_read_file(struct tn_studio_status *status,
						       struct tenon_error *err);

#endif
