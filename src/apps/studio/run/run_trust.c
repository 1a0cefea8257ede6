/* run_trust.c - what of a project can run programs or read files, and whether a person trusts it
 * (ST-085, ST-143). */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "apps/studio/limits.h"
#include "apps/studio/run/internal.h"
#include "jsonrpc/json_write.h"

enum { FILES_MAX = 1000 };

void tn_studio_trust_finish(struct tn_studio_trust *trust)
{
	tn_buf_finish(&trust->names);
	tn_buf_finish(&trust->text);
}

static void add_name(struct tn_studio_trust *trust, const char *format, ...) TN_PRINTF(2, 3);

static void add_name(struct tn_studio_trust *trust, const char *format, ...)
{
	char name[400];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(name, sizeof(name), format, args);
	va_end(args);
	tn_buf_format(&trust->names, "%s%s", trust->names.size > 0 ? ", " : "", name);
	trust->count++;
}

static void add_file(void *data, const char *name)
{
	add_name(data, "%s", name);
}

/* ---- configuration that a client brought (foreign.tf) ---- */

static bool is_of_word(char byte)
{
	return tn_is_alpha(byte) || tn_is_digit(byte) || byte == '_' || byte == '-';
}

/* As a word of its own, or, with `part`, in any word. */
static bool has_word(struct tn_str text, const char *word, bool part)
{
	struct tn_str wanted = tn_str_from(word);
	size_t at = 0;

	while (at < text.size) {
		size_t found = tn_str_find(tn_str_from_offset(text, at), wanted), end;

		if (found == TN_STR_NONE)
			return false;
		at += found;
		end = at + wanted.size;
		if (part || ((at == 0 || !is_of_word(text.data[at - 1])) &&
			     (end == text.size || !is_of_word(text.data[end]))))
			return true;
		at = end;
	}
	return false;
}

/* By what words the engine can be made to run a program, to ask somebody, or to read a file. Rather
 * one too many. */
static const struct {
	const char *word;
	bool part;
} powers[] = {
	{"file", true},    {"template", true},    {"provisioner", false}, {"data", false},
	{"module", false}, {"provider", false},   {"ephemeral", false},   {"external", true},
	{"exec", true},    {"connection", false}, {"::", true},
};

/* Without the comment that we begin a file with. */
static struct tn_str without_head(struct tn_str text)
{
	while (text.size > 0 && text.data[0] == '#') {
		size_t end = tn_str_find_byte(text, '\n');

		text = end == TN_STR_NONE ? tn_str("", 0) : tn_str_from_offset(text, end + 1);
	}
	return text;
}

/* Appends them to the name. */
static bool put_powers(struct tn_buf *name, struct tn_str text)
{
	size_t count = 0;

	for (size_t i = 0; i < sizeof(powers) / sizeof(powers[0]); i++) {
		if (has_word(text, powers[i].word, powers[i].part))
			tn_buf_format(name, "%s%s",
				      count++ > 0 ? " " : " (in it: ", powers[i].word);
	}
	if (count > 0)
		tn_buf_append_text(name, ")");
	return count > 0;
}

/* Where a module comes from: what lies outside of the project's folder changes as anybody likes. */
static bool leads_outside(struct tn_str text)
{
	static const struct tn_str source = {"source", 6};
	size_t at = 0;

	while (at < text.size) {
		size_t found = tn_str_find(tn_str_from_offset(text, at), source), end;
		struct tn_str value;

		if (found == TN_STR_NONE)
			return false;
		at += found + source.size;
		end = tn_str_find_byte(tn_str_from_offset(text, at), '\n');
		value = tn_str_from_offset(text, at);
		if (end != TN_STR_NONE)
			value.size = end;
		if (tn_str_find(value, TN_STR("..")) != TN_STR_NONE ||
		    tn_str_find(value, TN_STR("\"/")) != TN_STR_NONE ||
		    tn_str_find(value, TN_STR("file:")) != TN_STR_NONE ||
		    tn_str_find(value, TN_STR("::/")) != TN_STR_NONE)
			return true;
	}
	return false;
}

/* What exports and saving write beside terraform/ can be read, and a template there be evaluated.
 */
static bool put_neighbours(struct tn_buf *all, const struct tn_studio_project *project)
{
	struct tn_arena arena;
	const char **names;
	size_t count = 0;
	bool good;

	tn_arena_init(&arena, TN_MIB);
	names = tn_arena_alloc_array(&arena, FILES_MAX, sizeof(*names));
	good = names && tn_studio_neighbours(project->path, FILES_MAX, &arena, names, &count);
	for (size_t i = 0; i < count; i++) {
		char path[TN_STUDIO_RUN_PATH_SIZE];
		struct stat about = {0};

		if (tn_studio_run_path(path, project->path, names[i]) && stat(path, &about) == 0)
			tn_buf_format(all, "%s %llu %lld %lld.%09ld\n", names[i],
				      (unsigned long long)about.st_ino, (long long)about.st_size,
				      (long long)about.st_ctim.tv_sec, about.st_ctim.tv_nsec);
	}
	tn_arena_finish(&arena);
	return good;
}

/* With such words anything that goes into the engine can be what they read: all of it is trusted,
 * and nothing else. */
static void look_at_powers(struct tn_studio_trust *trust, struct tn_buf *all,
			   const struct tn_studio_project *project,
			   const struct tn_studio_known *known,
			   const struct tn_studio_generated *generated, const char *directory)
{
	char inputs[TN_DIGEST_HEX_SIZE];

	tn_studio_run_inputs(project, known, generated, directory, inputs);
	tn_buf_format(all, "inputs %s\n", inputs);
	trust->too_many = !put_neighbours(all, project) || trust->too_many;
}

static bool is_brought(struct tn_str name)
{
	return tn_str_is(name, "foreign.tf") || tn_str_is(name, "foreign.auto.tfvars");
}

static void look_at_foreign(struct tn_studio_trust *trust, struct tn_buf *all,
			    const struct tn_studio_project *project,
			    const struct tn_studio_known *known,
			    const struct tn_studio_generated *generated, const char *directory)
{
	bool any = false;

	for (size_t i = 0; i < generated->file_count; i++) {
		const struct tn_studio_file *file = &generated->files[i];
		char hex[TN_DIGEST_HEX_SIZE];
		struct tn_buf name;

		if (!is_brought(file->name))
			continue;
		tn_digest_hex(file->text, hex);
		tn_buf_format(all, "%.*s = %s\n", (int)file->name.size, file->name.data, hex);
		tn_buf_format(&trust->text, "%.*s:\n%.*s\n", (int)file->name.size, file->name.data,
			      (int)file->text.size, file->text.data);
		tn_buf_init(&name, TN_MIB);
		tn_buf_append_str(&name, file->name);
		any = put_powers(&name, without_head(file->text)) || any;
		add_name(trust, "%.*s", (int)name.size, name.data ? name.data : "");
		tn_buf_finish(&name);
		trust->is_outside = trust->is_outside || leads_outside(file->text);
		trust->from_client = true;
	}
	if (any)
		look_at_powers(trust, all, project, known, generated, directory);
}

/* ---- the rest ---- */

/* The state says which providers are installed and started: whoever names another one, names them.
 */
static void look_at_backend(struct tn_studio_trust *trust, struct tn_buf *all,
			    const struct tn_studio_project *project)
{
	const struct tn_json *backend = tn_json_get(project->document.config, "backend");
	struct tn_buf text;
	struct tn_str type;

	if (!tn_json_to_str(tn_json_get(backend, "type"), &type) || tn_str_is(type, "local"))
		return;
	tn_buf_init(&text, TN_STUDIO_STRING_BYTES_MAX);
	tn_json_put_value(&text, backend);
	tn_buf_format(all, "backend %.*s\n", (int)text.size, text.data ? text.data : "");
	tn_buf_append_text(&trust->text, "the state's place, which names the providers:\n");
	tn_studio_redact(project, tn_buf_str(&text), &trust->text);
	tn_buf_append_byte(&trust->text, '\n');
	trust->too_many = trust->too_many || text.failed;
	tn_buf_finish(&text);
	add_name(trust, "the state of the backend \"%.*s\"", (int)(type.size < 60 ? type.size : 60),
		 type.data);
	trust->from_client = true;
}

/* Its own types, as they were read when it was opened: those are what is generated from. */
static void look_at_types(struct tn_studio_trust *trust, struct tn_buf *all,
			  const struct tn_studio_project *project)
{
	const struct tn_studio_document *document = &project->document;
	const struct tn_studio_registry *registry = document->registry;
	bool any = registry->project_brings;

	if (any)
		add_name(trust, "types/ (providers or bindings of its own)");
	for (size_t i = 0; i < registry->type_count; i++) {
		const struct tn_studio_type *type = registry->types[i];
		bool used = false;

		for (size_t j = 0; type->needs_trust && j < document->node_count && !used; j++)
			used = document->nodes[j]->type == type;
		if (used)
			add_name(trust, "types/ (%.*s)", (int)type->id.size, type->id.data);
		any = any || used;
	}
	if (any)
		tn_buf_format(all, "types %s\n", registry->project_digest);
}

/* What the engine takes as its own work: programs that a plan starts, other folders for modules,
 * providers that a state asks for. Once there is trust it is the engine that writes them. */
static void look_at_remains(struct tn_studio_trust *trust, const char *directory)
{
	static const char *const names[] = {".terraform", "terraform.tfstate",
					    "terraform.tfstate.d"};
	char path[TN_STUDIO_RUN_PATH_SIZE];
	struct stat about;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (tn_studio_run_path(path, directory, names[i]) && lstat(path, &about) == 0)
			add_name(trust, "%s", names[i]);
	}
}

void tn_studio_trust_look(struct tn_studio_trust *trust, const struct tn_studio_project *project,
			  const struct tn_studio_known *known,
			  const struct tn_studio_generated *generated, const char *directory)
{
	struct tn_buf all;

	*trust = (struct tn_studio_trust){.count = 0};
	tn_buf_init(&trust->names, TN_MIB);
	tn_buf_init(&trust->text, 2 * TN_STUDIO_FILE_BYTES_MAX);
	tn_buf_init(&all, TN_STUDIO_FILE_BYTES_MAX);
	trust->too_many =
		!tn_studio_foreign_put(&all, known, generated, directory, add_file, trust);
	look_at_foreign(trust, &all, project, known, generated, directory);
	look_at_backend(trust, &all, project);
	look_at_types(trust, &all, project);
	if (!project->made_here)
		look_at_remains(trust, directory);
	tn_digest_hex(tn_buf_str(&all), trust->digest);
	trust->too_many = trust->too_many || all.failed || trust->names.failed;
	tn_buf_finish(&all);
}

bool tn_studio_trust_holds(const struct tn_studio_trust *trust,
			   const struct tn_studio_project *project)
{
	if (trust->is_outside)
		return false;
	if (project->made_here && project->trusted[0] == '\0' && !trust->from_client)
		return true;
	if (trust->count == 0 && !trust->too_many)
		return true;
	return project->made_here && !trust->too_many &&
	       strcmp(project->trusted, trust->digest) == 0;
}

bool tn_studio_starting_is_trusted(struct tn_studio_starting *s, const struct tn_studio_run *run)
{
	struct tn_studio_trust trust;
	const char *more = "";
	bool good;

	tn_studio_trust_look(&trust, s->project, tn_studio_known_of(s->runs, s->project),
			     &s->generated, run->directory);
	good = tn_studio_trust_holds(&trust, s->project);
	if (trust.is_outside)
		more = ". A module in foreign.tf lies outside of the folder terraform/, where what "
		       "it is changes "
		       "unseen: put it there first";
	else if (trust.too_many)
		more = ". There are more files than can be trusted, or folders lie too deep";
	if (!good)
		(void)tn_studio_fail(
			s->fault, "UNTRUSTED_PROJECT",
			"This project has what was not made here and can run programs or read "
			"files%s: %.*s%s. A person has to trust it before the engine runs in it.",
			s->project->trusted[0] ? ", and it has changed since it was trusted" : "",
			(int)(trust.names.size < 400 ? trust.names.size : 400),
			trust.names.size ? trust.names.data : "", more);
	tn_studio_trust_finish(&trust);
	return good;
}

bool tn_studio_run_trust(const struct tn_studio_runs *runs, struct tn_studio_project *project,
			 struct tn_studio_trust *ret, struct tn_studio_fault *fault)
{
	struct tn_studio_generated generated;
	struct tn_studio_diagnostics list;
	char directory[TN_STUDIO_RUN_PATH_SIZE];
	struct tn_arena arena;
	bool good;

	tn_arena_init(&arena, TN_STUDIO_ARENA_MAX);
	good = tn_studio_run_path(directory, project->path, "terraform") &&
	       tn_studio_run_generate(runs, project, &arena, &list, &generated, fault);
	if (good)
		tn_studio_trust_look(ret, project, tn_studio_known_of(runs, project), &generated,
				     directory);
	tn_arena_finish(&arena);
	return good;
}
