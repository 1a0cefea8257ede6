/* open_page: `tenon open` asks whose the connection is that wants the page, and for a token of that
 * page alone; withdraw_page takes it back. */
#include <arpa/inet.h>
#include <stdio.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/rng.h"
#include "host/daemon/admin_app.h"
#include "host/limits.h"
#include "host/person/person_door.h"
#include "host/person/socket_holder.h"
#include "mcp/fit.h"

enum { TOKEN_BYTES = 32, LOOK_MS = 2000 };

/* ---- whose the connection is ---- */

struct look {
	struct tn_daemon *daemon;
	struct tn_socket_ends ends;
	struct tn_holders holders;
	struct tn_ancestry ancestries[TN_PAGE_HOLDERS_MAX]; /* of each holder */
	bool known;                                         /* all of them could be read */
};

static void free_look(void *data)
{
	struct look *look = data;

	if (look)
		tn_holders_finish(&look->holders);
	tn_mem_free(look);
}

static struct sockaddr_storage loopback_at(int64_t port)
{
	struct sockaddr_storage at = {0};
	struct sockaddr_in *four = (struct sockaddr_in *)&at;

	four->sin_family = AF_INET;
	four->sin_port = htons((uint16_t)port);
	four->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	return at;
}

static void look_work(const struct tenon_call *call, void *data)
{
	struct look *look = data;
	atomic_bool cancelled = false;
	const struct tn_holders_search how = {.patience_ms = LOOK_MS, .cancelled = &cancelled};
	uid_t uid = (uid_t)-1;

	(void)call;
	if (tn_socket_look(&look->ends, true, &uid, &look->holders.inode) != TN_SOCKET_OPEN ||
	    uid != geteuid() || !tn_holders_find(&look->holders, 1, &how))
		return;
	look->known = look->holders.count > 0 && look->holders.count <= TN_PAGE_HOLDERS_MAX &&
		      !look->holders.more;
	for (size_t i = 0; i < look->holders.count && look->known; i++)
		look->known = tn_ancestry_read(look->holders.processes[i].pid, &look->ancestries[i],
					       NULL) == TENON_OK;
}

/* A browser that runs already has often been left by what started it: that is no objection here. */
static bool is_a_persons(const struct tn_daemon *daemon, const struct look *look,
			 struct tn_process *ret_above)
{
	for (size_t i = 0; look->known && i < look->holders.count; i++) {
		if (tn_person_door_is_below(daemon->person_door, &look->ancestries[i], ret_above))
			return false;
	}
	return look->known;
}

/* One that nobody has; when all are taken, the last one is shared. */
static const char *take_token(struct tn_daemon *daemon)
{
	size_t i = 0;

	while (i + 1 < TN_PAGE_TOKENS && daemon->page_token_taken[i])
		i++;
	daemon->page_token_taken[i] = true;
	return daemon->page_tokens[i];
}

static void look_done(struct tenon_call *call, void *data)
{
	const struct look *look = data;
	struct tn_daemon *daemon = look->daemon;
	struct tn_process above = {.pid = 0};
	bool allowed = is_a_persons(daemon, look, &above);
	const struct tn_process *who = look->holders.processes; /* NULL: not known */
	struct tn_buf out;

	tn_log(allowed ? TN_LOG_INFO : TN_LOG_WARNING, "person", "process %ld (%s) was %s a page",
	       look->holders.count ? (long)who->pid : 0L,
	       look->holders.count ? who->name : "unknown", allowed ? "given" : "refused");
	tn_buf_init(&out, TN_KIB);
	tn_json_begin_object(&out);
	tn_json_put_member_bool(&out, "allowed", allowed);
	tn_json_put_member_int(&out, "process", look->holders.count ? who->pid : 0);
	tn_json_put_member_text(&out, "name", look->holders.count ? who->name : "unknown");
	if (allowed)
		tn_json_put_member_text(&out, "token", take_token(daemon));
	tn_json_end_object(&out);
	tn_call_put_structured(call, &out);
	tenon_call_reply_text(call, allowed ? "A person's." : "Not a person's.");
	tn_buf_finish(&out);
}

void tn_admin_call_open_page(struct tenon_call *call, void *data)
{
	struct look *look = tn_mem_alloc(sizeof(*look));
	int64_t port = 0, door = 0;

	if (!look || !tenon_call_int(call, "port", &port) || !tenon_call_int(call, "door", &door)) {
		free_look(look);
		tenon_call_fail(call, "out of memory");
		return;
	}
	tenon_call_set_data(call, look, free_look);
	look->daemon = ((const struct tn_admin *)data)->daemon;
	look->ends.there = loopback_at(port);
	look->ends.here = loopback_at(door);
	tenon_call_work(call, look_work, look_done, look);
}

/* ---- taking it back ---- */

void tn_admin_call_withdraw_page(struct tenon_call *call, void *data)
{
	struct tn_daemon *daemon = ((const struct tn_admin *)data)->daemon;
	const char *token = tenon_call_text(call, "token");
	char fresh[TN_TOKEN_TEXT_MAX];
	struct tenon_error err;

	for (size_t i = 0; i < TN_PAGE_TOKENS; i++) {
		if (!tn_str_equal_constant_time(tn_str_from(daemon->page_tokens[i]),
						tn_str_from(token)))
			continue;
		tn_rng_token(fresh, TOKEN_BYTES);
		if (tenon_server_replace_token(daemon->server, token, fresh, &err) != TENON_OK) {
			tenon_call_fail(call, "%s", err.message);
			return;
		}
		memcpy(daemon->page_tokens[i], fresh, sizeof(fresh));
		daemon->page_token_taken[i] = false;
		tn_log(TN_LOG_WARNING, "person", "the token of a page was withdrawn");
		tenon_call_reply_text(call, "Withdrawn.");
		return;
	}
	tenon_call_fail(call, "no page has this token");
}
