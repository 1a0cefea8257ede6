/* The tables of a font file, each read when it is needed into memory of its own. A mapped file
 * would end the process (SIGBUS) when somebody cuts it short meanwhile; what is read cannot change.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "plugins/shaping.h"

enum { HEAD_SIZE = 12, ENTRY_SIZE = 16, TABLES_MAX = 256 };

struct directory { /* of one face, as HarfBuzz asks for its tables */
	struct shaping_reader *reader;
	size_t count;
	uint8_t entries[]; /* as in the file: tag, checksum, offset, length */
};

static uint32_t number_at(const uint8_t *at)
{
	return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* False: the file has not that much; where it had, it was cut short. */
static bool read_at(struct shaping_reader *reader, uint64_t from, void *to, size_t size)
{
	size_t done = 0;

	if (from > reader->size || size > reader->size - from)
		return false;
	while (done < size) {
		ssize_t got =
			pread(reader->fd, (char *)to + done, size - done, (off_t)(from + done));

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0) {
			reader->changed = true;
			return false;
		}
		done += (size_t)got;
	}
	return true;
}

/* ---- the file ---- */

/* A collection says how many it has, any other file is one. */
static unsigned count_faces(struct shaping_reader *reader)
{
	uint8_t head[HEAD_SIZE];

	if (!read_at(reader, 0, head, sizeof(head)))
		return 0;
	return number_at(head) == HB_TAG('t', 't', 'c', 'f') ? number_at(head + 8) : 1;
}

bool shaping_reader_open(const struct shaping_file *file, size_t *left, struct shaping_reader *ret)
{
	/* Opening a pipe would wait for its writer. */
	int fd = open(file->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat about;

	if (fd < 0)
		return false;
	*ret = (struct shaping_reader){.fd = fd, .size = file->size, .left = left};
	if (fstat(fd, &about) != 0 || !S_ISREG(about.st_mode) ||
	    shaping_stamp_of(&about) != file->stamp) {
		shaping_reader_close(ret);
		return false;
	}
	ret->faces = count_faces(ret);
	return true;
}

void shaping_reader_close(struct shaping_reader *reader)
{
	(void)close(reader->fd); /* nothing was written */
	reader->fd = -1;
}

char *shaping_read_all(struct shaping_reader *reader)
{
	char *bytes = tn_mem_alloc((size_t)reader->size);

	if (bytes && !read_at(reader, 0, bytes, (size_t)reader->size)) {
		tn_mem_free(bytes);
		bytes = NULL;
	}
	return bytes;
}

/* ---- a face ---- */

/* NULL: no such face, or no memory. */
static struct directory *read_directory(struct shaping_reader *reader, unsigned number)
{
	uint8_t head[HEAD_SIZE];
	uint64_t from = 0;
	struct directory *directory;
	size_t count;

	if (!read_at(reader, 0, head, sizeof(head)) || number >= reader->faces)
		return NULL;
	if (number_at(head) == HB_TAG('t', 't', 'c', 'f')) {
		if (!read_at(reader, HEAD_SIZE + 4 * (uint64_t)number, head, 4))
			return NULL;
		from = number_at(head);
		if (!read_at(reader, from, head, sizeof(head)))
			return NULL;
	}
	count = (size_t)head[4] << 8 | head[5];
	if (count > TABLES_MAX)
		return NULL;
	directory = tn_mem_alloc(sizeof(*directory) + count * ENTRY_SIZE);
	if (!directory)
		return NULL;
	directory->reader = reader;
	directory->count = count;
	if (!read_at(reader, from + HEAD_SIZE, directory->entries, count * ENTRY_SIZE)) {
		tn_mem_free(directory);
		return NULL;
	}
	return directory;
}

static const uint8_t *entry_of(const struct directory *directory, hb_tag_t tag)
{
	for (size_t i = 0; i < directory->count; i++)
		if (number_at(directory->entries + i * ENTRY_SIZE) == tag)
			return directory->entries + i * ENTRY_SIZE;
	return NULL;
}

/* Of a table that goes beyond the file what there is, as HarfBuzz takes it from a whole file. */
static hb_blob_t *read_table(hb_face_t *face, hb_tag_t tag, void *data)
{
	const struct directory *directory = data;
	struct shaping_reader *reader = directory->reader;
	const uint8_t *entry = entry_of(directory, tag);
	uint64_t from = entry ? number_at(entry + 8) : 0, size = entry ? number_at(entry + 12) : 0;
	char *bytes;

	(void)face;
	if (from >= reader->size || size == 0)
		return NULL;
	if (size > reader->size - from)
		size = reader->size - from;
	if (size > *reader->left)
		return NULL;
	bytes = tn_mem_alloc((size_t)size);
	if (!bytes || !read_at(reader, from, bytes, (size_t)size)) {
		tn_mem_free(bytes);
		return NULL;
	}
	*reader->left -= (size_t)size;
	return hb_blob_create(bytes, (unsigned)size, HB_MEMORY_MODE_READONLY, bytes, tn_mem_free);
}

hb_face_t *shaping_reader_face(struct shaping_reader *reader, unsigned number,
			       struct shaping_colours *ret)
{
	struct directory *directory = read_directory(reader, number);

	*ret = (struct shaping_colours){.pictures = false};
	if (!directory)
		return NULL;
	ret->pictures = entry_of(directory, HB_TAG('s', 'b', 'i', 'x')) ||
			entry_of(directory, HB_TAG('C', 'B', 'D', 'T'));
	ret->layers = entry_of(directory, HB_TAG('C', 'O', 'L', 'R')) != NULL;
	return hb_face_create_for_tables(read_table, directory, tn_mem_free);
}
