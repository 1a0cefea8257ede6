/* export.h - a diagram as something to hand on: pictures, documents, tables (studio.md 12.7, 15.8).
 *
 * Nothing of it holds a secret. Text of users is escaped for each format. Threads: any. */
#ifndef TN_STUDIO_EXPORT_H
#define TN_STUDIO_EXPORT_H

#include "apps/studio/cost/cost.h"
#include "apps/studio/picture/picture.h"
#include "apps/studio/status/status.h"

enum tn_studio_format {
	TN_STUDIO_SVG,
	TN_STUDIO_PNG,
	TN_STUDIO_MARKDOWN,
	TN_STUDIO_MERMAID,
	TN_STUDIO_CSV,
	TN_STUDIO_EXPORT_JSON
};

struct tn_studio_export_options {
	enum tn_studio_format format;
	struct tn_str project_name;
	uint64_t revision;
	const struct tn_json *node_ids; /* these with what is inside; NULL: all */
	enum tn_studio_theme theme;
	bool legend;
	double scale; /* PNG; 0: 1, or less where the picture would be very large */
	const struct tn_studio_status *status; /* NULL: nothing is deployed */
	const struct tn_studio_prices *prices; /* NULL: no costs */
	struct tn_fonts *fonts;                /* for what the embedded font lacks; NULL: boxes */
	const struct tn_json *secrets;         /* names of variables with a value; NULL: none */
};

struct tn_studio_export_facts { /* of pictures */
	uint32_t width, height; /* pixels; 0: no picture */
	double scale;
	struct tn_letters_told letters;
};

const char *tn_studio_format_mime(enum tn_studio_format format);
/* Appends the document to `out`. Fails: NOT_FOUND (an id), LIMIT_EXCEEDED. */
bool tn_studio_export(const struct tn_studio_document *document,
		      const struct tn_studio_export_options *options, struct tn_arena *arena,
		      struct tn_buf *out, struct tn_studio_export_facts *ret,
		      struct tn_studio_fault *fault);

/* ---- for export*.c ---- */

struct tn_studio_exporter {
	const struct tn_studio_document *document;
	const struct tn_studio_export_options *options;
	struct tn_arena *arena;
	struct tn_buf *out;
	bool *shown;                 /* by node order */
	const struct tn_json *costs; /* of tn_studio_estimate; NULL: none */
	const struct tn_studio_edge *edges;
	size_t edge_count;
};
void tn_studio_export_mermaid(struct tn_studio_exporter *exporter);
void tn_studio_export_markdown(struct tn_studio_exporter *exporter);
void tn_studio_export_csv(struct tn_studio_exporter *exporter);
void tn_studio_export_json(struct tn_studio_exporter *exporter);

#endif
