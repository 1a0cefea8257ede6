/* AI hosts: which there are, and whether an entry of ours starts anything and comes to the daemon
 * that we look for, or to another (hosts.md HO-012). */
#include <stdio.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/size.h"
#include "cli/doctor/doctor.h"
#include "cli/limits.h"
#include "host/limits.h"
#include "host/settings/apps.h"
#include "host/settings/hosts_entry.h"
#include "host/settings/hosts_environment.h"
#include "store/file.h"

enum { NAME_SIZE = 64 };

/* Another port than the daemon's. */
static void put_other_url(const struct tn_doctor *doctor, struct tn_str url, struct tn_buf *out)
{
	struct tn_str ours = tn_str_from(doctor->found.url);

	if (!doctor->is_running || (!tn_str_starts(url, TN_STR("http://127.0.0.1:")) &&
				    !tn_str_starts(url, TN_STR("http://localhost:"))))
		return;
	if (tn_str_starts(url, ours) && (url.size == ours.size || url.data[ours.size] == '/'))
		return;
	tn_buf_format(out, "%s%.*s there, %.*s here", out->size ? "; " : "", (int)url.size,
		      url.data, (int)ours.size, ours.data);
}

/* The command of an entry, which may be the first of a list. False: said that it is not there. */
static bool check_command(struct tn_doctor *doctor, const struct tn_host *host, const char *name,
			  const struct tn_json *entry)
{
	const struct tn_json *command = tn_json_get(entry, "command");
	char path[PATH_MAX];

	if (tn_json_is(command, TN_JSON_ARRAY))
		command = command->first;
	if (!tn_json_is(command, TN_JSON_STRING) || command->text.size == 0 ||
	    command->text.data[0] != '/')
		return true;
	(void)snprintf(path, sizeof(path), "%.*s", (int)command->text.size, command->text.data);
	if (access(path, X_OK) == 0)
		return true;
	tn_doctor_say(doctor, TN_HEALTH_WARN, "AI hosts", "run tenon install for that host",
		      "%s: its entry \"%s\" starts nothing: there is no program %s", host->id, name,
		      path);
	return false;
}

static void check_place(struct tn_doctor *doctor, const struct tn_host *host, const char *name,
			const struct tn_json *entry)
{
	const struct tn_json *url = tn_host_entry_url(host, entry);
	struct tn_buf text;

	tn_buf_init(&text, TN_DOCTOR_TEXT_SIZE);
	if (url)
		put_other_url(doctor, url->text, &text);
	else if (check_command(doctor, host, name, entry))
		tn_host_put_elsewhere(host->stdio, entry, &text);
	if (text.size > 0)
		tn_doctor_say(doctor, TN_HEALTH_WARN, "AI hosts",
			      "run tenon install for that host, or tenon doctor in the "
			      "surroundings that its entry says",
			      "%s: its entry \"%s\" comes to another daemon: %.*s", host->id, name,
			      (int)text.size, text.data);
	tn_buf_finish(&text);
}

/* False: it has no such entry. */
static bool check_entry(struct tn_doctor *doctor, const struct tn_host *host, struct tn_str file,
			const char *name)
{
	struct tn_json *entry = NULL;
	struct tn_buf json;
	struct tn_arena arena;
	bool has;

	tn_buf_init(&json, TN_HOST_FILE_BYTES_MAX);
	tn_arena_init(&arena, TN_MESSAGE_ARENA_MAX);
	has = tn_host_get(host, file, name, &json, NULL) == TENON_OK && json.size > 0;
	if (has && tn_json_parse_copy(&arena, tn_buf_str(&json), &entry, NULL) == TENON_OK)
		check_place(doctor, host, name, entry);
	tn_arena_finish(&arena);
	tn_buf_finish(&json);
	return has;
}

/* Whether it has an entry of ours. */
static bool check_host(struct tn_doctor *doctor, const struct tn_host *host)
{
	struct tn_buf file;
	char name[NAME_SIZE];
	bool has = false;

	tn_buf_init(&file, TN_HOST_FILE_BYTES_MAX);
	if (tn_file_read(host->path, TN_FILE_REGULAR_ONLY, &file, NULL) == TENON_OK) {
		has = check_entry(doctor, host, tn_buf_str(&file), "tenon");
		for (size_t i = 0; tn_apps_at(i); i++) {
			(void)snprintf(name, sizeof(name), "tenon-%s", tn_apps_at(i)->name);
			has = check_entry(doctor, host, tn_buf_str(&file), name) || has;
		}
	}
	tn_buf_finish(&file);
	return has;
}

void tn_doctor_check_hosts(struct tn_doctor *doctor)
{
	struct tn_hosts *hosts = NULL;
	struct tenon_error err = {0};
	struct tn_buf list;
	size_t count = 0;

	if (tn_hosts_load(&hosts, &err) != TENON_OK) {
		tn_doctor_say(doctor, TN_HEALTH_WARN, "AI hosts",
			      "mend or remove that profile in hosts.d", "%s", err.message);
		return;
	}
	tn_buf_init(&list, TN_DOCTOR_TEXT_SIZE);
	for (size_t i = 0; i < hosts->count; i++) {
		if (!hosts->list[i].is_here)
			continue;
		tn_buf_format(&list, "%s%s", count++ ? ", " : "", hosts->list[i].id);
		if (check_host(doctor, &hosts->list[i]))
			tn_buf_append_text(&list, " (has tenon)");
	}
	tn_doctor_say(doctor, TN_HEALTH_NOTE, "AI hosts", NULL,
		      count ? "on this machine: %.*s" : "none found; tenon install lists them%.*s",
		      (int)list.size, list.data ? list.data : "");
	tn_buf_finish(&list);
	tn_hosts_free(hosts);
}
