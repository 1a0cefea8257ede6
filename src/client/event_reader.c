#include "client/event_reader.h"

#include "client/limits.h"
#include "loop/limits.h"

/* Where in a line the next byte falls. */
enum state {
	START, /* of the stream: a byte order mark may come */
	NAME,  /* of a field, or the start of a line */
	BLANK, /* after the colon: one blank is no part of the value */
	VALUE,
	AFTER_CR /* a LF now belongs to the line that is over */
};

enum field { UNKNOWN, DATA, EVENT, ID, RETRY };

static const char byte_order_mark[] = "\xEF\xBB\xBF";

void tn_event_reader_init(struct tn_event_reader *reader, size_t data_max)
{
	*reader = (struct tn_event_reader){.state = START};
	tn_buf_init(&reader->last_id, TN_EVENT_ID_BYTES_MAX);
	tn_buf_init(&reader->data, data_max);
	tn_buf_init(&reader->id, TN_EVENT_ID_BYTES_MAX);
	tn_buf_init(&reader->value, TN_EVENT_ID_BYTES_MAX);
}

void tn_event_reader_finish(struct tn_event_reader *reader)
{
	tn_buf_finish(&reader->last_id);
	tn_buf_finish(&reader->data);
	tn_buf_finish(&reader->id);
	tn_buf_finish(&reader->value);
}

/* The data's memory of a large message is given back when the next one begins. */
static void drop_event(struct tn_event_reader *reader)
{
	tn_buf_clear(&reader->data);
	tn_buf_shrink(&reader->data, TN_HTTP_PIECE_MAX);
	reader->has_data = false;
	reader->has_id = false;
	reader->handed_out = false;
	reader->type_size = 0;
}

static void begin_line(struct tn_event_reader *reader)
{
	reader->state = NAME;
	reader->word_size = 0;
}

void tn_event_reader_restart(struct tn_event_reader *reader)
{
	drop_event(reader);
	begin_line(reader);
	reader->state = START;
	reader->mark = 0;
}

static enum field field_of(struct tn_str name)
{
	if (tn_str_is(name, "data"))
		return DATA;
	if (tn_str_is(name, "event"))
		return EVENT;
	if (tn_str_is(name, "id"))
		return ID;
	return tn_str_is(name, "retry") ? RETRY : UNKNOWN;
}

/* The name is complete: what follows goes where the field says. */
static void begin_value(struct tn_event_reader *reader)
{
	reader->field = (uint8_t)field_of(tn_str(reader->word, reader->word_size));
	reader->state = BLANK;
	reader->word_size = 0;
	tn_buf_clear(&reader->value);
	if (reader->field == DATA && reader->has_data)
		tn_buf_append_byte(&reader->data, '\n');
}

static void put_word(struct tn_event_reader *reader, struct tn_str part)
{
	for (size_t i = 0; i < part.size && reader->word_size <= TN_EVENT_WORD_MAX; i++)
		reader->word[reader->word_size++] = part.data[i];
}

static void put_value(struct tn_event_reader *reader, struct tn_str part)
{
	if (reader->field == DATA)
		tn_buf_append_str(&reader->data, part);
	else if (reader->field == ID)
		tn_buf_append_str(&reader->value, part);
	else if (reader->field != UNKNOWN)
		put_word(reader, part);
}

static void end_id(struct tn_event_reader *reader)
{
	struct tn_str id = tn_buf_str(&reader->value);

	/* A longer id could not be sent back either. */
	if (reader->value.failed || tn_str_find_byte(id, '\0') != TN_STR_NONE)
		return;
	tn_buf_clear(&reader->id);
	tn_buf_append_str(&reader->id, id);
	reader->has_id = !reader->id.failed;
}

static void end_retry(struct tn_event_reader *reader)
{
	uint64_t value = TN_RESUME_RETRY_MAX_MS;

	for (size_t i = 0; i < reader->word_size; i++) {
		if (!tn_is_digit(reader->word[i]))
			return;
	}
	if (reader->word_size == 0)
		return;
	/* More digits than fit are just long. */
	if (!tn_str_to_uint(tn_str(reader->word, reader->word_size), &value) ||
	    value > TN_RESUME_RETRY_MAX_MS)
		value = TN_RESUME_RETRY_MAX_MS;
	reader->retry_ms = (uint32_t)value;
	reader->has_retry = true;
}

static void end_field(struct tn_event_reader *reader)
{
	switch ((enum field)reader->field) {
	case DATA:
		reader->has_data = true;
		break;
	case EVENT:
		memcpy(reader->type, reader->word, reader->word_size);
		reader->type_size = reader->word_size;
		break;
	case ID:
		end_id(reader);
		break;
	case RETRY:
		end_retry(reader);
		break;
	case UNKNOWN:
		break;
	}
}

/* A blank line: the id counts, whether or not there is an event (MCP-097). */
static bool dispatch(struct tn_event_reader *reader, struct tn_event *ret)
{
	if (reader->has_id) {
		tn_buf_clear(&reader->last_id);
		tn_buf_append_str(&reader->last_id, tn_buf_str(&reader->id));
	}
	if (!reader->has_data) {
		drop_event(reader);
		return false;
	}
	*ret = (struct tn_event){
		.type = reader->type_size ? tn_str(reader->type, reader->type_size)
					  : TN_STR("message"),
		.data = tn_buf_str(&reader->data),
	};
	ret->code = tn_buf_check(&reader->data, NULL);
	if (ret->code != TENON_OK)
		ret->data.size = 0;
	reader->handed_out = true;
	return true;
}

/* True: an event is complete. */
static bool end_line(struct tn_event_reader *reader, char last, struct tn_event *ret)
{
	bool is_blank = reader->state == NAME && reader->word_size == 0;

	if (reader->state == NAME && !is_blank)
		begin_value(reader); /* a name alone has an empty value */
	if (!is_blank)
		end_field(reader);
	begin_line(reader);
	if (last == '\r')
		reader->state = AFTER_CR;
	return is_blank && dispatch(reader, ret);
}

/* The bytes in front of the line's end; in a name in front of the colon, too. */
static size_t run_size(struct tn_str bytes, bool in_name)
{
	size_t size = 0;

	while (size < bytes.size && bytes.data[size] != '\n' && bytes.data[size] != '\r' &&
	       !(in_name && bytes.data[size] == ':'))
		size++;
	return size;
}

/* One step in states that take a single byte; false: the byte is to be read in the new state. */
static bool take_byte(struct tn_event_reader *reader, char byte)
{
	switch ((enum state)reader->state) {
	case START:
		if (byte == byte_order_mark[reader->mark] && ++reader->mark < 3)
			return true;
		begin_line(reader);
		if (reader->mark == 3)
			return true;
		/* Half a mark is the start of a name that nobody knows. */
		put_word(reader, tn_str(byte_order_mark, reader->mark));
		return false;
	case AFTER_CR:
		reader->state = NAME;
		return byte == '\n';
	case BLANK:
		reader->state = VALUE;
		return byte == ' ';
	case NAME:
	case VALUE:
		break;
	}
	return false;
}

bool tn_event_reader_next(struct tn_event_reader *reader, struct tn_str *bytes,
			  struct tn_event *ret)
{
	if (reader->handed_out)
		drop_event(reader);
	while (bytes->size) {
		bool in_name;
		size_t size;
		char end;

		if (take_byte(reader, bytes->data[0])) {
			*bytes = tn_str_from_offset(*bytes, 1);
			continue;
		}
		in_name = reader->state == NAME;
		size = run_size(*bytes, in_name);
		if (in_name)
			put_word(reader, tn_str(bytes->data, size));
		else
			put_value(reader, tn_str(bytes->data, size));
		*bytes = tn_str_from_offset(*bytes, size);
		if (!bytes->size)
			break;
		end = bytes->data[0];
		*bytes = tn_str_from_offset(*bytes, 1);
		if (end == ':')
			begin_value(reader);
		else if (end_line(reader, end, ret))
			return true;
	}
	return false;
}
