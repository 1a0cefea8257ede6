#include "apps/terminal/pty/pty_pump.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apps/terminal/limits.h"
#include "apps/terminal/pty/pty_pass.h"
#include "base/clock.h"

enum {
	READ_MAX = 64 * 1024,
	PUMP_READS = 64,         /* of one stream, then the others' turn comes */
	BELL_MS = 1,             /* between two bells of a flood */
	BELL_BYTES = 128 * 1024, /* so much waiting rings before that */
	AGAIN_MS = 10,      /* a terminal that nobody has open just now is looked at again ... */
	AGAIN_MAX_MS = 200, /* ... later and later */
};

/* ---- shared memory ---- */

struct tn_pty_shared *tn_pty_shared_map(int fd, size_t *ret_size)
{
	struct stat info;
	void *memory;
	size_t rings;

	if (fstat(fd, &info) != 0 || info.st_size < TN_PTY_PAGE_BYTES)
		return NULL;
	rings = ((size_t)info.st_size - TN_PTY_PAGE_BYTES) / TN_PTY_RING_BYTES;
	if (rings < 1 || rings > TN_PTY_STREAMS)
		return NULL;
	*ret_size = TN_PTY_PAGE_BYTES + rings * TN_PTY_RING_BYTES;
	memory = mmap(NULL, *ret_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	return memory == MAP_FAILED ? NULL : memory;
}

uint8_t *tn_pty_shared_bytes(struct tn_pty_shared *shared, int stream)
{
	return (uint8_t *)shared + TN_PTY_PAGE_BYTES + (size_t)stream * TN_PTY_RING_BYTES;
}

/* ---- the bell ---- */

uint64_t tn_pty_pump_now_ms(void)
{
	return tn_clock_now_ms(&tn_clock_system);
}

static void ring_bell(struct tn_pty_pump *p)
{
	const uint64_t one = 1;

	p->bell_ms = tn_pty_pump_now_ms();
	p->bell_waits = false;
	for (uint32_t i = 0; i < p->shared->streams; i++)
		(void)atomic_fetch_and(&p->streams[i].ring->sleeping,
				       ~(uint32_t)TN_PTY_DAEMON_SLEEPS);
	if (write(p->bell, &one, sizeof(one)) < 0)
		return; /* it has not been heard 2^64 times: it rings already */
}

/* In a flood the daemon need not wake for each piece: once a millisecond, or for a fair share. */
static void tell_of_bytes(struct tn_pty_pump *p, const struct tn_pty_pump_stream *stream)
{
	uint64_t waiting;

	if (!(atomic_load(&stream->ring->sleeping) & TN_PTY_DAEMON_SLEEPS))
		return;
	waiting = atomic_load(&stream->ring->head) - atomic_load(&stream->ring->tail);
	if (waiting >= BELL_BYTES || tn_pty_pump_now_ms() >= p->bell_ms + BELL_MS)
		ring_bell(p);
	else
		p->bell_waits = true;
}

void tn_pty_pump_tell(struct tn_pty_pump *p, enum tn_pty_state state)
{
	atomic_store(&p->shared->state, state);
	ring_bell(p);
}

/* ---- bytes ---- */

static void end_stream(struct tn_pty_pump *p, struct tn_pty_pump_stream *stream)
{
	if (stream->fd < 0)
		return;
	tn_pty_close_fd(&stream->fd);
	stream->is_dry = true;
	atomic_store(&stream->ring->ended, 1);
	ring_bell(p);
}

/* Room in one piece; 0: the ring is full, and the daemon knows that we wait. */
static size_t find_room(struct tn_pty_pump_stream *stream, uint64_t *ret_head)
{
	uint64_t head = atomic_load(&stream->ring->head), used;
	size_t at = (size_t)(head % TN_PTY_RING_BYTES), room;

	used = head - atomic_load(&stream->ring->tail);
	if (used >= TN_PTY_RING_BYTES) {
		(void)atomic_fetch_or(&stream->ring->sleeping, TN_PTY_KEEPER_SLEEPS);
		used = head - atomic_load(&stream->ring->tail);
		if (used >= TN_PTY_RING_BYTES)
			return 0;
		(void)atomic_fetch_and(&stream->ring->sleeping, ~(uint32_t)TN_PTY_KEEPER_SLEEPS);
	}
	*ret_head = head;
	room = (size_t)(TN_PTY_RING_BYTES - used);
	if (room > TN_PTY_RING_BYTES - at)
		room = TN_PTY_RING_BYTES - at;
	return room < READ_MAX ? room : READ_MAX;
}

/* Nothing was read, for this reason (0: the end). */
static void read_nothing(struct tn_pty_pump *p, struct tn_pty_pump_stream *stream, int number)
{
	if (number == EAGAIN) {
		stream->is_dry = p->program_ended;
		if (p->is_last)
			end_stream(p, stream); /* whoever still has it open is beyond us */
		return;
	}
	/* No process has the terminal open. While the program runs it may open it again. */
	if (number == EIO && p->has_terminal && !p->program_ended && !p->is_last) {
		if (stream->again_after_ms < AGAIN_MAX_MS)
			stream->again_after_ms += AGAIN_MS;
		stream->again_ms = tn_pty_pump_now_ms() + stream->again_after_ms;
		return;
	}
	end_stream(p, stream);
}

/* Reads until nothing is there, the ring is full, or others are due. True: there may be more. */
static bool pump_one(struct tn_pty_pump *p, struct tn_pty_pump_stream *stream)
{
	for (int i = 0; i < PUMP_READS && stream->fd >= 0; i++) {
		uint64_t head = 0;
		size_t room = find_room(stream, &head);
		ssize_t got;

		stream->is_full = room == 0;
		if (room == 0)
			return false;
		got = read(stream->fd, stream->bytes + head % TN_PTY_RING_BYTES, room);
		if (got > 0) {
			if (p->program_ended)
				p->drained += (size_t)got;
			stream->again_after_ms = 0;
			atomic_store(&stream->ring->head, head + (uint64_t)got);
			tell_of_bytes(p, stream);
		} else if (got == 0 || errno != EINTR) {
			read_nothing(p, stream, got == 0 ? 0 : errno);
			return false;
		}
	}
	return stream->fd >= 0;
}

void tn_pty_pump_note_end(struct tn_pty_pump *p)
{
	p->program_ended = true;
	for (int i = 0; i < TN_PTY_STREAMS; i++) {
		p->streams[i].is_dry = p->streams[i].fd < 0;
		p->streams[i].again_ms = 0;
	}
}

bool tn_pty_pump_is_dry(const struct tn_pty_pump *p)
{
	bool dry = true;

	for (int i = 0; i < TN_PTY_STREAMS; i++)
		dry = dry && p->streams[i].is_dry;
	/* What others write meanwhile must not delay the end for ever: no more than this can have
	 * been the program's own. */
	return dry || p->drained >= TN_PTY_RING_BYTES;
}

void tn_pty_pump_end_all(struct tn_pty_pump *p)
{
	for (int i = 0; i < TN_PTY_STREAMS; i++)
		end_stream(p, &p->streams[i]);
}

bool tn_pty_pump_run(struct tn_pty_pump *p)
{
	bool more = false;

	for (int i = 0; i < TN_PTY_STREAMS; i++) {
		struct tn_pty_pump_stream *stream = &p->streams[i];

		if (stream->fd < 0 || stream->is_full)
			continue;
		if (stream->again_ms && tn_pty_pump_now_ms() < stream->again_ms)
			continue;
		stream->again_ms = 0;
		more = pump_one(p, stream) || more;
	}
	if (p->bell_waits && tn_pty_pump_now_ms() >= p->bell_ms + BELL_MS)
		ring_bell(p);
	return more;
}

uint64_t tn_pty_pump_due_ms(const struct tn_pty_pump *p)
{
	uint64_t due = p->bell_waits ? p->bell_ms + BELL_MS : 0;

	for (int i = 0; i < TN_PTY_STREAMS; i++) {
		uint64_t again = p->streams[i].fd >= 0 ? p->streams[i].again_ms : 0;

		if (again && (due == 0 || again < due))
			due = again;
	}
	return due;
}
