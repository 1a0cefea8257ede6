#include "apps/terminal/output/intake.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <signal.h>
#include <unistd.h>

#include <cmocka.h>

#include "apps/terminal/limits.h"
#include "apps/terminal/pty/internal.h"

/* A ring without a keeper, a clock that is turned, and who is told. */
struct kit {
	char folder[48];
	struct tn_pty_shared shared;
	struct tn_pty pty;
	struct tn_spool_budget budget;
	struct tn_spool *spool;
	struct tn_clock clock;
	uint64_t now_us, us_per_piece;
	uint64_t told; /* of so many bytes */
	size_t pieces, largest;
	uint64_t most_ahead;
};

static uint64_t now_ms(void *data)
{
	return ((struct kit *)data)->now_us / 1000;
}

static uint64_t now_us(void *data)
{
	return ((struct kit *)data)->now_us;
}

/* The byte at each stream offset. */
static char byte_at(uint64_t offset)
{
	return (char)((offset * 2654435761u) >> 13);
}

static int set_up(void **state)
{
	struct kit *kit = test_calloc(1, sizeof(*kit));

	(void)snprintf(kit->folder, sizeof(kit->folder), "/tmp/tenon-intake-XXXXXX");
	kit->pty.shared = &kit->shared;
	kit->pty.bytes[TN_PTY_OUT] = test_malloc(TN_PTY_RING_BYTES);
	kit->clock = (struct tn_clock){.monotonic_ms = now_ms, .monotonic_us = now_us, .data = kit};
	kit->budget.bytes_max = 64 * TN_MIB;
	*state = kit;
	if (!mkdtemp(kit->folder))
		return -1;
	return tn_spool_open(kit->folder, 8 * TN_MIB, &kit->budget, &kit->spool, NULL) == TENON_OK
		       ? 0
		       : -1;
}

static int tear_down(void **state)
{
	struct kit *kit = *state;

	tn_spool_remove(kit->spool);
	test_free(kit->pty.bytes[TN_PTY_OUT]);
	test_free(kit);
	return 0;
}

/* What the keeper does. */
static void produce(struct kit *kit, size_t size)
{
	struct tn_pty_ring *ring = &kit->shared.rings[TN_PTY_OUT];
	uint64_t head = atomic_load(&ring->head);

	assert_true(head + size - atomic_load(&ring->tail) <= TN_PTY_RING_BYTES);
	for (size_t i = 0; i < size; i++)
		kit->pty.bytes[TN_PTY_OUT][(head + i) % TN_PTY_RING_BYTES] =
			(uint8_t)byte_at(head + i);
	atomic_store(&ring->head, head + size);
}

static void take(struct tn_str bytes, void *data)
{
	struct kit *kit = data;
	uint64_t tail = tn_pty_tail(&kit->pty, TN_PTY_OUT);

	assert_int_equal(tail, kit->told); /* the ring has them still */
	for (size_t i = 0; i < bytes.size; i++)
		assert_int_equal(bytes.data[i], byte_at(tail + i));
	kit->told += bytes.size;
	kit->pieces++;
	kit->now_us += kit->us_per_piece;
	if (bytes.size > kit->largest)
		kit->largest = bytes.size;
	if (!kit->spool)
		return;
	assert_true(tn_spool_end(kit->spool) >= kit->told); /* written down first */
	if (tn_spool_end(kit->spool) - kit->told > kit->most_ahead)
		kit->most_ahead = tn_spool_end(kit->spool) - kit->told;
}

static enum tenon_code turn(struct kit *kit)
{
	const struct tn_intake intake = {.pty = &kit->pty,
					 .stream = TN_PTY_OUT,
					 .spool = kit->spool,
					 .clock = &kit->clock,
					 .take = take,
					 .data = kit};
	struct tenon_error err;

	return tn_intake_turn(&intake, &err);
}

static void check_spool(struct kit *kit)
{
	struct tn_buf bytes;
	uint64_t begin = tn_spool_begin(kit->spool), end = tn_spool_end(kit->spool);

	tn_buf_init(&bytes, 16 * TN_MIB);
	while (begin + bytes.size < end)
		assert_int_equal(tn_spool_read(kit->spool, begin + bytes.size,
					       (size_t)(end - begin) - bytes.size, &bytes, NULL),
				 TENON_OK);
	for (size_t i = 0; i < bytes.size; i++)
		assert_int_equal(bytes.data[i], byte_at(begin + i));
	tn_buf_finish(&bytes);
}

/* terminal.md 6.1: whatever sizes come, all of it stands in the spool, in order. */
static void every_byte_is_written_down_before_it_is_told_of(void **state)
{
	struct kit *kit = *state;
	uint64_t all = 0;
	unsigned dice = 7;

	for (int round = 0; round < 400; round++) {
		uint64_t waiting = all - kit->told;
		size_t size;

		dice = dice * 1103515245 + 12345;
		size = (dice >> 8) % (round % 3 ? 5000 : 100000);
		if (size > TN_PTY_RING_BYTES - waiting)
			size = (size_t)(TN_PTY_RING_BYTES - waiting);
		produce(kit, size);
		all += size;
		assert_int_equal(turn(kit), TENON_OK);
		assert_int_equal(tn_pty_tail(&kit->pty, TN_PTY_OUT), kit->told);
	}
	while (kit->told < all)
		assert_int_equal(turn(kit), TENON_OK);
	assert_int_equal(tn_spool_end(kit->spool), all);
	assert_true(all > 2 * TN_MIB);
	assert_true(kit->largest <= TN_TERM_TURN_BYTES);
	assert_true(kit->most_ahead > 0 && kit->most_ahead < TN_SPOOL_BLOCK_BYTES);
	check_spool(kit);
}

/* terminal.md 12.4: what is slow to understand gives others their turn after one piece. */
static void a_turn_is_short(void **state)
{
	struct kit *kit = *state;

	produce(kit, TN_PTY_RING_BYTES);
	assert_int_equal(turn(kit), TENON_OK);
	assert_int_equal(kit->pieces, TN_TERM_TURN_PIECES);
	kit->us_per_piece = TN_TERM_TURN_US;
	assert_int_equal(turn(kit), TENON_OK);
	assert_int_equal(kit->pieces, TN_TERM_TURN_PIECES + 1);
	kit->us_per_piece = TN_TERM_TURN_US / 2;
	assert_int_equal(turn(kit), TENON_OK);
	assert_int_equal(kit->pieces, TN_TERM_TURN_PIECES + 3);
	assert_int_equal(kit->told, kit->pieces * TN_TERM_TURN_BYTES);
}

static void without_a_spool_it_is_only_told_of(void **state)
{
	struct kit *kit = *state;
	struct tn_spool *spool = kit->spool;

	kit->spool = NULL;
	produce(kit, 100);
	assert_int_equal(turn(kit), TENON_OK);
	assert_int_equal(turn(kit), TENON_OK); /* nothing there: nothing happens */
	assert_int_equal(kit->told, 100);
	assert_int_equal(kit->pieces, 1);
	kit->spool = spool;
}

/* terminal.md 6.1: with a full disk the program waits, and nothing is lost. */
static void without_room_it_stays_in_the_ring(void **state)
{
	struct kit *kit = *state;
	struct rlimit before, small = {0};
	void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);

	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	produce(kit, 200000);
	small = (struct rlimit){100000, before.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	assert_int_equal(turn(kit), TENON_OK); /* a block is written */
	assert_int_equal(turn(kit), TENON_LIMIT);
	assert_int_equal(turn(kit), TENON_LIMIT);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	(void)signal(SIGXFSZ, handler);
	assert_int_equal(kit->told, TN_SPOOL_BLOCK_BYTES);
	assert_int_equal(tn_spool_end(kit->spool), kit->told);
	while (kit->told < 200000)
		assert_int_equal(turn(kit), TENON_OK);
	assert_int_equal(tn_spool_end(kit->spool), 200000);
	check_spool(kit);
}

/* A daemon that was killed has written, but not consumed: the next one goes on from the ring. */
static void what_was_written_ahead_is_not_written_twice(void **state)
{
	struct kit *kit = *state;
	char wrong[50] = {0};

	produce(kit, 100000);
	assert_int_equal(turn(kit), TENON_OK);
	assert_int_equal(kit->told, TN_TERM_TURN_PIECES * TN_TERM_TURN_BYTES);
	produce(kit, 3000);
	tn_spool_close(kit->spool);
	assert_int_equal(tn_spool_open(kit->folder, 8 * TN_MIB, &kit->budget, &kit->spool, NULL),
			 TENON_OK);
	while (kit->told < 103000)
		assert_int_equal(turn(kit), TENON_OK);
	assert_int_equal(tn_spool_end(kit->spool), 103000);
	check_spool(kit);
	/* What no ring has said is no output of this stream. */
	assert_int_equal(tn_spool_write(kit->spool, 103000, tn_str(wrong, sizeof(wrong)), NULL),
			 TENON_OK);
	produce(kit, 20);
	assert_int_equal(turn(kit), TENON_OK);
	assert_int_equal(tn_spool_end(kit->spool), 103020);
	check_spool(kit);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(every_byte_is_written_down_before_it_is_told_of,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_turn_is_short, set_up, tear_down),
		cmocka_unit_test_setup_teardown(without_a_spool_it_is_only_told_of, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(without_room_it_stays_in_the_ring, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(what_was_written_ahead_is_not_written_twice, set_up,
						tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
