#include "host/person/callers.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/size.h"
#include "host/limits.h"
#include "host/record/log.h"
#include "transport/limits.h"

enum { RECENT = 16, SAY_AGAIN_MS = 60000, AT_ONCE_MAX = 64, READ_AT_ONCE = 64 };

/* One that has spoken, or that has started one which did. */
struct caller {
	struct tn_process process;
	bool started_one; /* only that */
};

/* Somebody who waits. */
struct waiter {
	struct waiter *next;
	struct tn_http_gate_question question;
	void (*answer)(void *host, uint64_t connection, enum tn_http_gate_mark mark, pid_t process);
	void *host; /* NULL: not wanted any more */
	/* Instead of `answer`: of a look at everything; of one at a connection that is no client's.
	 */
	void (*refreshed)(void *data, bool complete);
	void (*looked_up)(void *data, const struct tn_holders *who);
};

/* What a worker finds out. */
struct look {
	struct tn_callers *callers;
	struct waiter *waiters;
	struct tn_socket_ends *ends;
	struct tn_holders *found; /* of each end */
	enum tn_socket_state *states;
	uid_t *uids;
	bool *strangers; /* no clients: they are not remembered */
	size_t count;
	pid_t recent[RECENT], hints[AT_ONCE_MAX]; /* who is likely */
	size_t recent_count, hint_count;
	bool all;
	bool complete;                /* everybody was found in the time there is */
	bool remembered;              /* whoever was found is */
	struct caller *callers_found; /* what is to be remembered */
	size_t callers_count;
};

struct tn_callers {
	struct tn_loop *loop;
	struct caller *list;
	size_t count, capacity, forget_next; /* forget_next: whom to look at */
	struct tn_socket_ends *open;         /* connections of clients, as far as is known */
	size_t open_count, open_capacity;
	struct waiter *first, **last; /* not asked about yet */
	size_t waiting;
	struct look *look; /* the one under way */
	struct tn_job *job;
	pid_t recent[RECENT]; /* who spoke last */
	size_t recent_next;
	uint64_t looked_ms, said_ms; /* at everything; that somebody cannot be seen */
	bool again;                  /* everything is to be looked at */
	bool turn_of_all;            /* before whoever waits to be served */
	bool closed;                 /* goes when its job is through */
	struct tn_http_gate gate;
};

/* ---- who is remembered ---- */

static bool has_ended(const struct caller *caller)
{
	struct tn_process now;

	return tn_process_read(caller->process.pid, &now, NULL) != TENON_OK ||
	       !tn_process_equal(&now, &caller->process);
}

/* The kernel says quickly which numbers nobody has. Whether somebody else has one stands in /proc,
 * which is slow: of these some are looked at, the next ones the next time. */
static void forget_ended(struct tn_callers *c)
{
	size_t kept = 0, before = c->count;

	for (size_t i = 0; i < c->count; i++) {
		if (kill(c->list[i].process.pid, 0) == 0 || errno != ESRCH)
			c->list[kept++] = c->list[i];
	}
	c->count = kept;
	for (size_t i = 0; i < READ_AT_ONCE && kept == before && c->count; i++) {
		c->forget_next = c->forget_next < c->count ? c->forget_next : 0;
		if (has_ended(&c->list[c->forget_next]))
			c->list[c->forget_next] = c->list[--c->count];
		else
			c->forget_next++;
	}
}

static struct caller *find(const struct tn_callers *c, const struct tn_process *process)
{
	for (size_t i = 0; i < c->count; i++) {
		if (tn_process_equal(&c->list[i].process, process))
			return &c->list[i];
	}
	return NULL;
}

static enum tenon_code make_room(struct tn_callers *c, struct tenon_error *err)
{
	size_t capacity = c->capacity ? 2 * c->capacity : 16;
	struct caller *grown;

	if (c->count < c->capacity)
		return TENON_OK;
	forget_ended(c);
	/* It grows when half of them live, so that the dead are not looked for each time. */
	if (c->count < c->capacity / 2 || (c->capacity >= TN_CALLERS_MAX && c->count < c->capacity))
		return TENON_OK;
	if (c->count >= TN_CALLERS_MAX)
		return tn_fail(err, TENON_LIMIT,
			       "%d programs of this machine have used this server and still run",
			       TN_CALLERS_MAX);
	grown = tn_mem_resize(c->list, capacity * sizeof(*grown));
	if (!grown)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	c->list = grown;
	c->capacity = capacity;
	return TENON_OK;
}

static enum tenon_code remember(struct tn_callers *c, const struct caller *caller,
				struct tenon_error *err)
{
	struct caller *known = find(c, &caller->process);
	enum tenon_code code;

	if (known) {
		known->started_one = known->started_one && caller->started_one;
		return TENON_OK;
	}
	code = make_room(c, err);
	if (code == TENON_OK)
		c->list[c->count++] = *caller;
	return code;
}

const struct tn_process *tn_callers_above(const struct tn_callers *c,
					  const struct tn_ancestry *ancestry)
{
	for (size_t i = 0; i < c->count; i++) {
		const struct caller *caller = &c->list[i];

		if (tn_ancestry_has(ancestry, &caller->process) &&
		    !(caller->started_one && tn_ancestry_sits_below(ancestry, &caller->process)))
			return &caller->process;
	}
	return NULL;
}

/* ---- on the worker ---- */

static void note(struct look *look, const struct tn_process *process, bool started_one)
{
	struct caller *grown;

	if (process->pid == getpid())
		return;
	grown = tn_mem_resize(look->callers_found, (look->callers_count + 1) * sizeof(*grown));
	if (!grown) {
		look->remembered = false;
		return;
	}
	look->callers_found = grown;
	grown[look->callers_count++] = (struct caller){*process, started_one};
}

static void note_holders(struct look *look, const struct tn_holders *holders)
{
	for (size_t i = 0; i < holders->count; i++) {
		struct tn_process other;

		note(look, &holders->processes[i], false);
		if (holders->known)
			continue; /* and what has started it has been noted */
		if (tn_process_find_whole(holders->processes[i].pid, &other))
			note(look, &other, false);
		if (tn_process_find_starter(&holders->processes[i], &other))
			note(look, &other, true);
	}
}

/* A socket that nobody was found to have open may have been closed meanwhile. */
static void look_again(struct look *look, size_t i)
{
	unsigned long inode = 0;

	if (look->states[i] == TN_SOCKET_OPEN && !look->found[i].count)
		look->states[i] = tn_socket_look(&look->ends[i], false, &look->uids[i], &inode);
}

static void work(void *data, const atomic_bool *cancelled)
{
	struct look *look = data;

	for (size_t i = 0; i < look->count; i++) {
		look->states[i] = tn_socket_look(&look->ends[i], !look->all, &look->uids[i],
						 &look->found[i].inode);
		if (look->states[i] != TN_SOCKET_OPEN || look->uids[i] != geteuid())
			look->found[i].inode = 0; /* what others have open is not shown */
	}
	look->complete = tn_holders_find(look->found, look->count,
					 &(struct tn_holders_search){
						 .known = look->recent,
						 .known_count = look->recent_count,
						 .likely = look->hints,
						 .likely_count = look->hint_count,
						 .all = look->all,
						 .patience_ms = TN_CALLERS_LOOK_MS,
						 .cancelled = cancelled,
					 });
	for (size_t i = 0; i < look->count; i++) {
		if (!look->strangers[i])
			note_holders(look, &look->found[i]);
		look_again(look, i);
	}
}

/* ---- a look ---- */

static void free_look(struct look *look)
{
	while (look->waiters) {
		struct waiter *w = look->waiters;

		look->waiters = w->next;
		tn_mem_free(w);
	}
	for (size_t i = 0; look->found && i < look->count; i++)
		tn_holders_finish(&look->found[i]);
	tn_mem_free(look->ends);
	tn_mem_free(look->found);
	tn_mem_free(look->states);
	tn_mem_free(look->uids);
	tn_mem_free(look->strangers);
	tn_mem_free(look->callers_found);
	tn_mem_free(look);
}

static struct look *make_look(struct tn_callers *c, size_t count)
{
	struct look *look = tn_mem_alloc(sizeof(*look));

	if (!look)
		return NULL;
	look->callers = c;
	look->count = count;
	look->remembered = true;
	look->ends = tn_mem_alloc_array(count, sizeof(*look->ends));
	look->found = tn_mem_alloc_array(count, sizeof(*look->found));
	look->states = tn_mem_alloc_array(count, sizeof(*look->states));
	look->uids = tn_mem_alloc_array(count, sizeof(*look->uids));
	look->strangers = tn_mem_alloc_array(count, sizeof(*look->strangers));
	if (!count || (look->ends && look->found && look->states && look->uids && look->strangers))
		return look;
	free_look(look);
	return NULL;
}

static void free_callers(struct tn_callers *c)
{
	while (c->first) {
		struct waiter *w = c->first;

		c->first = w->next;
		tn_mem_free(w);
	}
	tn_mem_free(c->list);
	tn_mem_free(c->open);
	tn_mem_free(c);
}

/* Of the connections that were looked at those that are open still; the others are over. */
static void keep_open(struct tn_callers *c, const struct look *look)
{
	c->open_count = 0;
	for (size_t i = 0; i < look->count; i++) {
		if (look->states[i] == TN_SOCKET_OPEN)
			c->open[c->open_count++] = look->ends[i];
	}
}

static void add_open(struct tn_callers *c, const struct tn_socket_ends *ends)
{
	struct tn_socket_ends *grown;
	size_t capacity = 2 * c->open_capacity + 16;

	if (c->open_count == c->open_capacity) {
		grown = tn_mem_resize(c->open, capacity * sizeof(*grown));
		if (!grown)
			return; /* it was looked at once */
		c->open = grown;
		c->open_capacity = capacity;
	}
	c->open[c->open_count++] = *ends;
	c->again = c->again || c->open_count > 2 * (size_t)TN_HTTP_CONNECTIONS_MAX;
}

static void say_unseen(struct tn_callers *c)
{
	uint64_t now = tn_loop_now_ms(c->loop);

	if (c->said_ms && now - c->said_ms < SAY_AGAIN_MS)
		return;
	c->said_ms = now;
	tn_log(TN_LOG_WARNING, "person",
	       "a client of our own user cannot be seen in /proc: whoever it starts is not told "
	       "from a person");
}

static enum tn_http_gate_mark judge(struct tn_callers *c, const struct look *look, size_t i)
{
	if (look->states[i] == TN_SOCKET_CLOSED)
		return TN_GATE_LEFT;
	if (look->states[i] == TN_SOCKET_AWAY || look->uids[i] != geteuid())
		return TN_GATE_OTHER;
	/* Who was found does not wait for those who were not. */
	if (!look->remembered || look->found[i].more || (!look->found[i].count && !look->complete))
		return TN_GATE_BUSY;
	add_open(c, &look->ends[i]);
	if (look->found[i].count)
		return TN_GATE_OPEN;
	say_unseen(c);
	return TN_GATE_OTHER;
}

static void note_recent(struct tn_callers *c, pid_t pid)
{
	for (size_t i = 0; i < RECENT; i++) {
		if (c->recent[i] == pid)
			return;
	}
	c->recent[c->recent_next++ % RECENT] = pid;
}

static void remember_found(struct tn_callers *c, struct look *look)
{
	for (size_t i = 0; i < look->callers_count; i++) {
		const struct caller *caller = &look->callers_found[i];
		struct tenon_error err;

		if (!caller->started_one && !look->all)
			note_recent(c, caller->process.pid);
		if (remember(c, caller, &err) == TENON_OK)
			continue;
		/* Who is not is not served; and for the others nobody looks for room again. */
		look->remembered = false;
		tn_log(TN_LOG_WARNING, "person", "a client could not be remembered: %s",
		       err.message);
		return;
	}
}

static void start(struct tn_callers *c);

static void tell(const struct waiter *w, enum tn_http_gate_mark mark, const struct tn_holders *who)
{
	static const struct tn_holders nobody = {.count = 0};

	if (!w->host)
		return;
	if (w->question.person)
		mark = TN_GATE_PERSON;
	if (w->refreshed)
		w->refreshed(w->host, mark == TN_GATE_OPEN);
	else if (w->looked_up)
		w->looked_up(w->host, who ? who : &nobody);
	else
		w->answer(w->host, w->question.connection, mark,
			  who && who->count ? who->processes[0].pid : 0);
}

static bool is_sure(const struct look *look)
{
	bool sure = look->complete && look->remembered;

	for (size_t i = 0; i < look->count; i++)
		sure = sure && !look->found[i].more;
	return sure;
}

static void tell_waiters(struct tn_callers *c, struct look *look)
{
	size_t i = 0;

	for (struct waiter *w = look->waiters; w; w = w->next, i++) {
		bool judged = !look->all && !look->strangers[i];

		tell(w,
		     judged                        ? judge(c, look, i)
		     : look->all && !is_sure(look) ? TN_GATE_BUSY
						   : TN_GATE_OPEN,
		     look->all ? NULL : &look->found[i]);
	}
}

static void work_done(void *data, bool cancelled)
{
	struct look *look = data;
	struct tn_callers *c = look->callers;

	(void)cancelled;
	c->job = NULL;
	if (c->closed) {
		free_look(look);
		free_callers(c);
		return;
	}
	remember_found(c, look);
	if (look->all)
		keep_open(c, look);
	tell_waiters(c, look); /* these may ask anew */
	c->look = NULL;
	free_look(look);
	start(c);
}

/* Waiters of one kind, at most so many, taken from the front. */
static struct waiter *take_waiters(struct tn_callers *c, bool refresh, size_t max, size_t *ret)
{
	struct waiter *taken = NULL, **end = &taken, **link = &c->first;

	*ret = 0;
	while (*link && *ret < max) {
		struct waiter *w = *link;

		if ((w->refreshed != NULL) != refresh) {
			link = &w->next;
			continue;
		}
		*link = w->next;
		w->next = NULL;
		*end = w;
		end = &w->next;
		(*ret)++;
	}
	for (c->last = &c->first; *c->last; c->last = &(*c->last)->next)
		;
	c->waiting -= *ret;
	return taken;
}

static void refuse(struct waiter *waiters)
{
	while (waiters) {
		struct waiter *w = waiters;

		waiters = w->next;
		tell(w, TN_GATE_BUSY, NULL);
		tn_mem_free(w);
	}
}

static struct look *look_at_everything(struct tn_callers *c)
{
	struct look *look = make_look(c, c->open_count);

	if (!look)
		return NULL;
	look->all = true;
	for (size_t i = 0; i < c->open_count; i++)
		look->ends[i] = c->open[i];
	c->again = false;
	c->looked_ms = tn_loop_now_ms(c->loop);
	return look;
}

static struct look *look_at_waiting(struct tn_callers *c, const struct waiter *w, size_t count)
{
	struct look *look = make_look(c, count);

	for (size_t i = 0; look && w; w = w->next, i++) {
		look->ends[i] = (struct tn_socket_ends){w->question.here, w->question.there};
		look->strangers[i] = w->looked_up != NULL || w->question.person;
		if (w->question.hint)
			look->hints[look->hint_count++] = w->question.hint;
	}
	for (size_t i = 0; look && i < RECENT; i++) {
		if (c->recent[i])
			look->recent[look->recent_count++] = c->recent[i];
	}
	return look;
}

/* What is next; *ret_waiters are those of it. NULL: nothing, or no memory. */
static struct look *next_look(struct tn_callers *c, struct waiter **ret_waiters)
{
	struct waiter *all = NULL;
	size_t count = 0, all_count = 0;

	*ret_waiters = NULL;
	if (c->turn_of_all)
		all = take_waiters(c, true, SIZE_MAX, &all_count);
	if (!all_count && !(c->turn_of_all && c->again))
		*ret_waiters = take_waiters(c, false, AT_ONCE_MAX, &count);
	c->turn_of_all = count > 0;
	if (count)
		return look_at_waiting(c, *ret_waiters, count);
	*ret_waiters = all ? all : take_waiters(c, true, SIZE_MAX, &all_count);
	return all_count || c->again ? look_at_everything(c) : NULL;
}

/* Whoever waits to be served takes turns with a look at everything. */
static void start(struct tn_callers *c)
{
	struct waiter *waiters;
	struct look *look;

	if (c->look || c->closed)
		return;
	look = next_look(c, &waiters);
	if (look)
		look->waiters = waiters;
	c->look = look;
	if (!look) {
		refuse(waiters);
	} else if (tn_job_start(c->loop, work, work_done, look, &c->job, NULL) != TENON_OK) {
		c->look = NULL;
		look->waiters = NULL;
		free_look(look);
		refuse(waiters);
	}
}

/* ---- who asks ---- */

static bool add_waiter(struct tn_callers *c, const struct waiter *waiter)
{
	struct waiter *w = c->waiting < TN_CALLERS_WAITING_MAX ? tn_mem_alloc(sizeof(*w)) : NULL;

	if (!w)
		return false;
	*w = *waiter;
	*c->last = w;
	c->last = &w->next;
	c->waiting++;
	start(c);
	return true;
}

static bool ask(void *data, const struct tn_http_gate_question *question,
		void (*answer)(void *host, uint64_t connection, enum tn_http_gate_mark mark,
			       pid_t process),
		void *host)
{
	const struct waiter waiter = {.question = *question, .answer = answer, .host = host};

	return add_waiter(data, &waiter);
}

static void forget_in(struct waiter *w, const void *host)
{
	for (; w; w = w->next) {
		if (w->host == host)
			w->host = NULL;
	}
}

static void forget(void *data, const void *host)
{
	struct tn_callers *c = data;

	forget_in(c->first, host);
	if (c->look)
		forget_in(c->look->waiters, host);
}

static void active(void *data)
{
	struct tn_callers *c = data;
	uint64_t now = tn_loop_now_ms(c->loop);

	if (c->again || now - c->looked_ms < TN_CALLERS_AGAIN_MS)
		return;
	c->again = true;
	start(c);
}

bool tn_callers_refresh(struct tn_callers *c, void (*done)(void *data, bool complete), void *data)
{
	return add_waiter(c, &(struct waiter){.refreshed = done, .host = data});
}

void tn_callers_forget(struct tn_callers *c, const void *data)
{
	if (c)
		forget(c, data);
}

void tn_callers_know_persons(struct tn_callers *c)
{
	c->gate.persons = true;
}

const struct tn_http_gate *tn_callers_gate(struct tn_callers *c)
{
	return &c->gate;
}

bool tn_callers_look_up(struct tn_callers *c, const struct tn_socket_ends *ends,
			void (*done)(void *data, const struct tn_holders *who), void *data)
{
	return add_waiter(c,
			  &(struct waiter){.question = {.here = ends->here, .there = ends->there},
					   .looked_up = done,
					   .host = data});
}

enum tenon_code tn_callers_add(struct tn_callers *c, const struct tn_process *process,
			       struct tenon_error *err)
{
	return remember(c, &(struct caller){*process, false}, err);
}

enum tenon_code tn_callers_add_speaker(struct tn_callers *c, pid_t pid, struct tenon_error *err)
{
	struct tn_process process, starter;
	enum tenon_code code;

	if (tn_process_read(pid, &process, NULL) != TENON_OK)
		return TENON_OK;
	code = tn_callers_add(c, &process, err);
	if (code == TENON_OK && tn_process_find_starter(&process, &starter))
		code = remember(c, &(struct caller){starter, true}, err);
	return code;
}

/* ---- life ---- */

enum tenon_code tn_callers_open(struct tn_loop *loop, struct tn_callers **ret,
				struct tenon_error *err)
{
	struct tn_callers *c = tn_mem_alloc(sizeof(*c));

	if (!c)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	c->loop = loop;
	c->last = &c->first;
	c->gate = (struct tn_http_gate){.ask = ask, .forget = forget, .active = active, .data = c};
	*ret = c;
	return TENON_OK;
}

void tn_callers_close(struct tn_callers *c)
{
	if (!c)
		return;
	c->closed = true;
	if (c->job)
		tn_job_cancel(c->job); /* and its end frees all */
	else
		free_callers(c);
}
