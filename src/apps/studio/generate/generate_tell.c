/* generate_tell.c - what is wrong with what is generated, told once of each node and property. */
#include "apps/studio/generate/internal.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/utf8.h"

static struct tn_str told_key(struct tn_studio_gen *gen, const char *code, struct tn_str node_id,
			      struct tn_str property)
{
	return tn_studio_gen_format(gen, "%s %.*s %.*s", code, (int)node_id.size,
				    node_id.size ? node_id.data : "", (int)property.size,
				    property.size ? property.data : "");
}

bool tn_studio_gen_note_told(struct tn_studio_gen *gen, const char *code, struct tn_str node_id,
			     struct tn_str property)
{
	struct tn_str key = told_key(gen, code, node_id, property);
	struct tenon_error err;
	if (tn_map_get(&gen->told, key))
		return false;
	if (tn_map_put(&gen->told, key, gen, &err) != TENON_OK)
		gen->full = true;
	return true;
}

void tn_studio_gen_tell(struct tn_studio_gen *gen, enum tn_studio_severity severity,
			const char *code, const struct tn_studio_node *node, struct tn_str property,
			const char *format, ...)
{
	char text[1024];
	va_list args;
	/* Two blocks may be made twice by one node; all else is said once. */
	bool once = strcmp(code, "DUPLICATE_ADDRESS") != 0 && strcmp(code, "REFERENCE_CYCLE") != 0;
	if (once && !tn_studio_gen_note_told(gen, code, node ? node->id : tn_str("", 0), property))
		return;
	va_start(args, format);
	int size = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (size < 0)
		return;
	struct tn_str shown = tn_str(text, (size_t)size);
	if (shown.size >= sizeof(text)) /* cut, maybe within a character */
		shown = tn_utf8_cut(tn_str(text, sizeof(text) - 1),
				    sizeof(text) - 1 - TN_UTF8_BYTES_MAX);
	struct tn_studio_diagnostic *made = tn_studio_diagnose(gen->list, severity, code, node,
							       "%.*s", (int)shown.size, shown.data);
	if (made)
		made->property = property;
	else
		gen->full = true;
}
