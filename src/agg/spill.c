/*-------------------------------------------------------------------------
 *
 * spill.c
 *	  Rows on disk in hash partitions, written and read by batches.
 *
 * A row is a bitmap of nulls and the values that are not null, one after the
 * other: raw bytes of fixed-width kinds; a numeric behind a tag that tells its
 * form; a string behind its length; other values by reference as they are
 * stored, toast pointers included (they live as long as the query's snapshot).
 * If all columns have a fixed width, rows have one too, and nulls are zeros;
 * else the row's length comes first, and rows are padded so that what is read
 * in place is aligned.
 *
 * Rows are collected in a buffer for each partition, on top of the file's own,
 * so that a row costs a copy and not a call.  They are read into an arena that
 * holds many rows; strings and other values are borrowed from there.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "agg/spill.h"
#include "agg/tickets.h"

#include "access/tupmacs.h"
#include "miscadmin.h"
#include "port/pg_bitutils.h"
#include "storage/buffile.h"
#include "utils/expandeddatum.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/numeric.h"

/* Partitions of one level. */
#define MIN_PARTITIONS 4
#define MAX_PARTITIONS 32

/* A BufFile is its block buffer and some words. */
#define FILE_BYTES (BLCKSZ + 256)

/* Buffer of a partition. */
#define MIN_BUFFER_BYTES 1024
#define MAX_BUFFER_BYTES 8192

/* Rows are read by so many bytes. */
#define MIN_ARENA_BYTES (16 * 1024)
#define MAX_ARENA_BYTES (256 * 1024)

/*
 * A partition's groups are taken to need up to so many times the bytes of its
 * rows in memory; that decides how many partitions its own overflow gets.
 */
#define MEMORY_PER_DISK_BYTE 4

/* Form of a numeric: its scale if it is a decimal, else this. */
#define FORM_NUMERIC 0xFF

/* A column as it is written. */
typedef struct SpillColumn
{
	VexecKind	kind;
	int16		typlen;			/* DATUM */
	bool		typbyval;
	int			width;			/* bytes of a value; -1: it varies */
	int			nguards;		/* -1: the column is always valid; else at rows
								 * where one of the guards is true */
	int		   *guards;			/* filter columns */
	uint8	   *forms;			/* NUMERIC: of the batch read */
} SpillColumn;

typedef struct SpillPartition
{
	BufFile    *file;
	uint64		rows;
	Size		bytes;			/* in file */
	int			level;			/* 1: rows of the first round */
} SpillPartition;

/* A partition being written, and what is not yet in its file. */
typedef struct SpillTarget
{
	SpillPartition partition;
	char	   *buffer;
	Size		used;
} SpillTarget;

struct VexecSpill
{
	const VexecGroupingPlan *plan;
	int			ncolumns;
	SpillColumn *columns;
	int			null_bytes;
	Size		fixed_bytes;	/* bitmap, header and fixed-width values */
	bool		fixed;			/* no column varies: no header */
	int			align;			/* of rows */

	/* The round's output; ntargets is 0 until it has any. */
	int			ntargets;		/* a power of two */
	int			max_targets;
	Size		buffer_bytes;
	SpillTarget *targets;		/* max_targets, with buffers */
	char	   *row_buffer;		/* for rows larger than a partition's buffer */
	Size		row_buffer_bytes;

	/* Partitions to read, the next one last. */
	SpillPartition *pending;
	int			npending;
	int			pending_space;

	/* The partition being read; file is NULL in the first round. */
	SpillPartition current;
	Size		unread;			/* bytes in file not yet in the arena */
	uint64		rows_left;
	char	   *arena;
	Size		arena_bytes;	/* allocated */
	Size		arena_begin;	/* of rows not yet returned */
	Size		arena_end;
	VexecVector **vectors;

	uint64		rows_written;
	uint64		npartitions;
	MemoryContext context;		/* owns all but the struct itself */
	MemoryContext batch;		/* numerics of the batch read */
};

/* --- the layout of rows --------------------------------------------------------- */

/* The call's argument columns need to be valid only where its filter is true. */
static void
find_guards(VexecSpill *spill)
{
	const VexecGroupingPlan *plan = spill->plan;

	for (int i = 0; i < plan->ncolumns; i++)
		spill->columns[i].guards = palloc_array(int, plan->ncalls + 1);
	for (int i = 0; i < plan->nkeys; i++)
		spill->columns[i].nguards = -1;
	for (int c = 0; c < plan->ncalls; c++)
		if (plan->calls[c].filter >= 0)
			spill->columns[plan->calls[c].filter].nguards = -1;
	for (int c = 0; c < plan->ncalls; c++)
	{
		const VexecCall *call = &plan->calls[c];

		for (int a = 0; a < call->nargs; a++)
		{
			SpillColumn *column = &spill->columns[call->args[a]];

			if (column->nguards < 0)
				continue;
			if (call->filter < 0)
				column->nguards = -1;
			else if (column->nguards == 0 ||
					 column->guards[column->nguards - 1] != call->filter)
				column->guards[column->nguards++] = call->filter;
		}
	}
}

static void
lay_out(VexecSpill *spill)
{
	spill->fixed = true;
	spill->align = 1;
	spill->null_bytes = (spill->ncolumns + 7) / 8;
	spill->fixed_bytes = spill->null_bytes;
	for (int i = 0; i < spill->ncolumns; i++)
	{
		SpillColumn *column = &spill->columns[i];

		column->kind = spill->plan->columns[i].kind;
		column->width = -1;
		switch (column->kind)
		{
			case VEXEC_NUMERIC:
				spill->align = Max(spill->align, (int) sizeof(int32));
				break;
			case VEXEC_STRING:
				break;
			case VEXEC_DATUM:
				get_typlenbyval(spill->plan->columns[i].typid, &column->typlen,
								&column->typbyval);
				if (column->typbyval)
					column->width = sizeof(Datum);
				else
					spill->align = MAXIMUM_ALIGNOF;
				break;
			default:
				column->width = (int) vexec_kind_width(column->kind);
				break;
		}
		if (column->width < 0)
			spill->fixed = false;
		else
			spill->fixed_bytes += column->width;
	}
	if (!spill->fixed)
		spill->fixed_bytes += sizeof(uint32);
}

VexecSpill *
vexec_spill_create(const VexecGroupingPlan *plan, Size memory)
{
	VexecSpill *spill = palloc0(sizeof(VexecSpill));
	MemoryContext old_context;

	spill->context = AllocSetContextCreate(CurrentMemoryContext, "vexec spill",
										   ALLOCSET_SMALL_SIZES);
	old_context = MemoryContextSwitchTo(spill->context);
	spill->batch = AllocSetContextCreate(spill->context, "vexec spill batch",
										 ALLOCSET_DEFAULT_SIZES);
	spill->plan = plan;
	spill->ncolumns = plan->ncolumns;
	spill->columns = palloc0_array(SpillColumn, plan->ncolumns);
	lay_out(spill);
	find_guards(spill);

	/* Half for partitions being written, half for those that wait and the one read. */
	memory /= 2;
	spill->max_targets = MAX_PARTITIONS;
	while (spill->max_targets > MIN_PARTITIONS &&
		   spill->max_targets * (FILE_BYTES + MIN_BUFFER_BYTES) > memory)
		spill->max_targets /= 2;
	spill->buffer_bytes = memory / spill->max_targets;
	spill->buffer_bytes -= Min(spill->buffer_bytes, FILE_BYTES);
	spill->buffer_bytes = Max(spill->buffer_bytes, MIN_BUFFER_BYTES);
	spill->buffer_bytes = Min(spill->buffer_bytes, MAX_BUFFER_BYTES);
	MemoryContextSwitchTo(old_context);
	return spill;
}

/* --- writing ----------------------------------------------------------------------- */

static void
write_file(VexecSpill *spill, SpillPartition *partition, const void *data, Size size)
{
	if (partition->file == NULL)
	{
		MemoryContext old_context = MemoryContextSwitchTo(spill->context);

		partition->file = BufFileCreateTemp(false);
		spill->npartitions++;
		MemoryContextSwitchTo(old_context);
	}
	BufFileWrite(partition->file, data, size);
	partition->bytes += size;
}

static void
flush_target(VexecSpill *spill, SpillTarget *target)
{
	if (target->used > 0)
		write_file(spill, &target->partition, target->buffer, target->used);
	target->used = 0;
}

/* As many partitions as the rows to come may need to fit into memory. */
static void
begin_targets(VexecSpill *spill)
{
	int			count = spill->max_targets;

	if (spill->targets == NULL)
	{
		char	   *buffers = MemoryContextAlloc(spill->context,
												 spill->max_targets * spill->buffer_bytes);

		spill->targets = MemoryContextAllocZero(spill->context,
												spill->max_targets * sizeof(SpillTarget));
		for (int i = 0; i < spill->max_targets; i++)
			spill->targets[i].buffer = buffers + i * spill->buffer_bytes;
	}
	if (spill->current.file != NULL)
	{
		double		bytes = (double) spill->current.bytes * spill->rows_left / spill->current.rows;
		double		needed = bytes * MEMORY_PER_DISK_BYTE / spill->plan->memory_limit;

		while (count > MIN_PARTITIONS && needed <= count / 2)
			count /= 2;
	}
	for (int i = 0; i < count; i++)
	{
		SpillTarget *target = &spill->targets[i];

		memset(&target->partition, 0, sizeof(SpillPartition));
		target->partition.level = spill->current.level + 1;
		target->used = 0;
	}
	spill->ntargets = count;
}

static inline int
choose_target(const VexecSpill *spill, uint64 hash)
{
	uint64		mixed = vexec_mix64(hash + spill->current.level * UINT64CONST(0x9E3779B97F4A7C15));

	return (int) (mixed >> 32) & (spill->ntargets - 1);
}

static inline bool
is_guarded_null(const VexecSpill *spill, const SpillColumn *column,
				const VexecVector *const *columns, int row)
{
	for (int i = 0; i < column->nguards; i++)
	{
		const VexecVector *guard = columns[column->guards[i]];

		if (!vexec_is_null(guard, row) && VEXEC_VALUES(guard, uint8)[guard->constant ? 0 : row])
			return false;
	}
	return column->nguards >= 0;
}

static inline bool
is_null(const VexecSpill *spill, int i, const VexecVector *const *columns, int row)
{
	const SpillColumn *column = &spill->columns[i];

	return is_guarded_null(spill, column, columns, row) || vexec_is_null(columns[i], row);
}

static Size
datum_size(const SpillColumn *column, Datum value)
{
	const char *pointer = DatumGetPointer(value);

	if (column->typlen > 0)
		return column->typlen;
	if (column->typlen == -2)
		return strlen(pointer) + 1;
	if (VARATT_IS_EXTERNAL_EXPANDED(pointer))
		return EOH_get_flat_size(DatumGetEOHP(value));
	return VARSIZE_ANY(pointer);
}

/* Bytes that a value of varying width may take, padding included. */
static Size
varying_size(const SpillColumn *column, const VexecVector *vec, int at)
{
	switch (column->kind)
	{
		case VEXEC_NUMERIC:
			if (vec->is_decimal)
				return 1 + sizeof(int64);
			return 1 + sizeof(int32) + VARSIZE(DatumGetPointer(VEXEC_VALUES(vec, Datum)[at]));
		case VEXEC_STRING:
			return sizeof(uint32) + VEXEC_VALUES(vec, VexecString)[at].len;
		default:
			return MAXIMUM_ALIGNOF + datum_size(column, VEXEC_VALUES(vec, Datum)[at]);
	}
}

static Size
row_size(const VexecSpill *spill, const VexecVector *const *columns, int row)
{
	Size		size = spill->fixed_bytes;

	if (spill->fixed)
		return size;
	for (int i = 0; i < spill->ncolumns; i++)
		if (spill->columns[i].width < 0 && !is_null(spill, i, columns, row))
			size += varying_size(&spill->columns[i], columns[i],
								 columns[i]->constant ? 0 : row);
	return TYPEALIGN(spill->align, size);
}

#define PUT(type, value) \
	do { \
		type		put_ = (value); \
		memcpy(to, &put_, sizeof(type)); \
		to += sizeof(type); \
	} while (0)

/* Zeros up to the next multiple from the start of the row. */
static inline char *
pad(char *row, char *to, int align)
{
	char	   *end = row + TYPEALIGN(align, to - row);

	while (to < end)
		*to++ = 0;
	return to;
}

static char *
encode_datum(const SpillColumn *column, Datum value, char *row, char *to)
{
	Size		size = datum_size(column, value);

	to = pad(row, to, MAXIMUM_ALIGNOF);
	if (column->typlen == -1 && VARATT_IS_EXTERNAL_EXPANDED(DatumGetPointer(value)))
		EOH_flatten_into(DatumGetEOHP(value), to, size);
	else
		memcpy(to, DatumGetPointer(value), size);
	return to + size;
}

static char *
encode_value(const SpillColumn *column, const VexecVector *vec, int at, char *row, char *to)
{
	switch (column->kind)
	{
		case VEXEC_BOOL:
			PUT(uint8, VEXEC_VALUES(vec, uint8)[at]);
			return to;
		case VEXEC_INT16:
			PUT(int16, VEXEC_VALUES(vec, int16)[at]);
			return to;
		case VEXEC_INT32:
		case VEXEC_FLOAT4:
			PUT(uint32, VEXEC_VALUES(vec, uint32)[at]);
			return to;
		case VEXEC_INT64:
		case VEXEC_FLOAT8:
			PUT(uint64, VEXEC_VALUES(vec, uint64)[at]);
			return to;
		case VEXEC_NUMERIC:
			if (vec->is_decimal)
			{
				PUT(uint8, (uint8) vec->scale);
				PUT(int64, VEXEC_VALUES(vec, int64)[at]);
			}
			else
			{
				const char *numeric = DatumGetPointer(VEXEC_VALUES(vec, Datum)[at]);

				PUT(uint8, FORM_NUMERIC);
				to = pad(row, to, sizeof(int32));
				memcpy(to, numeric, VARSIZE(numeric));
				to += VARSIZE(numeric);
			}
			return to;
		case VEXEC_STRING:
			{
				VexecString value = VEXEC_VALUES(vec, VexecString)[at];

				PUT(uint32, value.len);
				if (value.len > 0)
					memcpy(to, value.data, value.len);
				return to + value.len;
			}
		case VEXEC_DATUM:
			if (!column->typbyval)
				return encode_datum(column, VEXEC_VALUES(vec, Datum)[at], row, to);
			PUT(Datum, VEXEC_VALUES(vec, Datum)[at]);
			return to;
	}
	pg_unreachable();
}

/* Returns the bytes written, at most row_size. */
static Size
encode_row(const VexecSpill *spill, const VexecVector *const *columns, int row, char *start)
{
	char	   *to = start;
	uint8	   *nulls;

	if (!spill->fixed)
		to += sizeof(uint32);
	nulls = (uint8 *) to;
	memset(nulls, 0, spill->null_bytes);
	to += spill->null_bytes;
	for (int i = 0; i < spill->ncolumns; i++)
	{
		const SpillColumn *column = &spill->columns[i];

		if (!is_null(spill, i, columns, row))
			to = encode_value(column, columns[i], columns[i]->constant ? 0 : row, start, to);
		else
		{
			nulls[i >> 3] |= 1 << (i & 7);
			if (spill->fixed)
			{
				memset(to, 0, column->width);
				to += column->width;
			}
		}
	}
	if (!spill->fixed)
	{
		uint32		length;

		to = pad(start, to, spill->align);
		length = (uint32) (to - start);
		memcpy(start, &length, sizeof(length));
	}
	return to - start;
}

static void
write_large_row(VexecSpill *spill, SpillTarget *target, const VexecVector *const *columns,
				int row, Size size)
{
	/* Values are below 1 GB, but several of them may not be. */
	if (size > PG_UINT32_MAX)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("row is too large to be spilled"),
				 errdetail("Its columns need %zu bytes.", size)));
	if (size > spill->row_buffer_bytes)
	{
		if (spill->row_buffer != NULL)
			pfree(spill->row_buffer);
		spill->row_buffer = NULL;
		spill->row_buffer = MemoryContextAllocHuge(spill->context, size);
		spill->row_buffer_bytes = size;
	}
	flush_target(spill, target);
	size = encode_row(spill, columns, row, spill->row_buffer);
	write_file(spill, &target->partition, spill->row_buffer, size);
}

void
vexec_spill_write(VexecSpill *spill, const VexecVector *const *columns, const uint16 *rows,
				  const uint64 *hashes, int n)
{
	if (spill->ntargets == 0)
		begin_targets(spill);
	for (int k = 0; k < n; k++)
	{
		SpillTarget *target = &spill->targets[choose_target(spill, hashes[k])];
		Size		size = row_size(spill, columns, rows[k]);

		target->partition.rows++;
		if (size > spill->buffer_bytes)
			write_large_row(spill, target, columns, rows[k], size);
		else
		{
			if (size > spill->buffer_bytes - target->used)
				flush_target(spill, target);
			target->used += encode_row(spill, columns, rows[k], target->buffer + target->used);
		}
	}
	spill->rows_written += n;
}

/* --- rounds -------------------------------------------------------------------------- */

static void
close_partition(SpillPartition *partition)
{
	if (partition->file != NULL)
		BufFileClose(partition->file);
	memset(partition, 0, sizeof(SpillPartition));
}

static void
push_pending(VexecSpill *spill, const SpillPartition *partition)
{
	if (spill->npending == spill->pending_space)
	{
		spill->pending_space = Max(2 * spill->pending_space, MAX_PARTITIONS);
		if (spill->pending == NULL)
			spill->pending = MemoryContextAlloc(spill->context,
												spill->pending_space * sizeof(SpillPartition));
		else
			spill->pending = repalloc(spill->pending,
									  spill->pending_space * sizeof(SpillPartition));
	}
	spill->pending[spill->npending++] = *partition;
}

static void
begin_reading(VexecSpill *spill)
{
	Size		arena_bytes = Min(spill->plan->memory_limit / 16, MAX_ARENA_BYTES);

	arena_bytes = Max(arena_bytes, MIN_ARENA_BYTES);
	if (spill->arena == NULL)
	{
		MemoryContext old_context = MemoryContextSwitchTo(spill->context);

		spill->arena = palloc(arena_bytes);
		spill->vectors = palloc_array(VexecVector *, Max(spill->ncolumns, 1));
		for (int i = 0; i < spill->ncolumns; i++)
		{
			spill->vectors[i] = vexec_vector_create(spill->columns[i].kind, false);
			if (spill->columns[i].kind == VEXEC_NUMERIC)
				spill->columns[i].forms = palloc(VEXEC_BATCH_ROWS);
		}
		MemoryContextSwitchTo(old_context);
	}
	else if (spill->arena_bytes > arena_bytes)
		spill->arena = repalloc_huge(spill->arena, arena_bytes);
	spill->arena_bytes = arena_bytes;
	spill->arena_begin = spill->arena_end = 0;
	spill->unread = spill->current.bytes;
	spill->rows_left = spill->current.rows;
	if (BufFileSeek(spill->current.file, 0, 0, SEEK_SET) != 0)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not rewind temporary file of vectorized aggregation")));
}

bool
vexec_spill_next_round(VexecSpill *spill)
{
	close_partition(&spill->current);

	/* All pass on what they have before their buffers serve the next round. */
	for (int i = spill->ntargets - 1; i >= 0; i--)
	{
		flush_target(spill, &spill->targets[i]);
		if (spill->targets[i].partition.file != NULL)
			push_pending(spill, &spill->targets[i].partition);
		memset(&spill->targets[i].partition, 0, sizeof(SpillPartition));
	}
	spill->ntargets = 0;
	if (spill->row_buffer != NULL)
		pfree(spill->row_buffer);
	spill->row_buffer = NULL;
	spill->row_buffer_bytes = 0;
	if (spill->npending == 0)
		return false;
	spill->current = spill->pending[--spill->npending];
	begin_reading(spill);
	return true;
}

bool
vexec_spill_wrote(const VexecSpill *spill)
{
	return spill->ntargets > 0;
}

void
vexec_spill_reset(VexecSpill *spill)
{
	close_partition(&spill->current);
	for (int i = 0; i < spill->ntargets; i++)
	{
		close_partition(&spill->targets[i].partition);
		spill->targets[i].used = 0;
	}
	spill->ntargets = 0;
	while (spill->npending > 0)
		close_partition(&spill->pending[--spill->npending]);
	MemoryContextReset(spill->batch);
}

uint64
vexec_spill_rows_written(const VexecSpill *spill)
{
	return spill->rows_written;
}

uint64
vexec_spill_partitions(const VexecSpill *spill)
{
	return spill->npartitions;
}

Size
vexec_spill_disk(const VexecSpill *spill)
{
	Size		bytes = spill->current.bytes;

	for (int i = 0; i < spill->ntargets; i++)
		bytes += spill->targets[i].partition.bytes;
	for (int i = 0; i < spill->npending; i++)
		bytes += spill->pending[i].bytes;
	return bytes;
}

Size
vexec_spill_memory(const VexecSpill *spill)
{
	return MemoryContextMemAllocated(spill->context, true);
}

/* --- reading -------------------------------------------------------------------------- */

/* Length of the next row, or 0 if not even that is in the arena. */
static inline Size
next_row_length(const VexecSpill *spill)
{
	uint32		length;

	if (spill->fixed)
		return spill->fixed_bytes;
	if (spill->arena_end - spill->arena_begin < sizeof(uint32))
		return 0;
	memcpy(&length, spill->arena + spill->arena_begin, sizeof(length));
	return length;
}

static void
enlarge_arena(VexecSpill *spill, Size size)
{
	spill->arena = repalloc_huge(spill->arena, size);
	spill->arena_bytes = size;
}

/*
 * Move what is left to the front and fill the arena; it then has at least one
 * row.  Rows are multiples of their alignment, so it is kept.
 */
static void
fill_arena(VexecSpill *spill)
{
	Size		left = spill->arena_end - spill->arena_begin;
	Size		length;

	memmove(spill->arena, spill->arena + spill->arena_begin, left);
	spill->arena_begin = 0;
	spill->arena_end = left;
	for (;;)
	{
		Size		size = Min(spill->arena_bytes - spill->arena_end, spill->unread);

		BufFileReadExact(spill->current.file, spill->arena + spill->arena_end, size);
		spill->arena_end += size;
		spill->unread -= size;
		length = next_row_length(spill);
		if (length <= spill->arena_bytes)
			break;
		enlarge_arena(spill, length);
	}
	if (length == 0 || length > spill->arena_end)
		elog(ERROR, "temporary file of vectorized aggregation is damaged");
}

#define GET(type, target) \
	do { \
		memcpy(&(target), from, sizeof(type)); \
		from += sizeof(type); \
	} while (0)

static const char *
decode_datum(const SpillColumn *column, const char *row, const char *from, Datum *value)
{
	from = row + TYPEALIGN(MAXIMUM_ALIGNOF, from - row);
	*value = PointerGetDatum(from);
	return from + datum_size(column, *value);
}

/* Numerics of either form go into the vector's elements as they are. */
static const char *
decode_numeric(const SpillColumn *column, VexecVector *vec, int at, const char *row,
			   const char *from)
{
	GET(uint8, column->forms[at]);
	if (column->forms[at] != FORM_NUMERIC)
		GET(int64, VEXEC_VALUES(vec, int64)[at]);
	else
	{
		from = row + TYPEALIGN(sizeof(int32), from - row);
		VEXEC_VALUES(vec, Datum)[at] = PointerGetDatum(from);
		from += VARSIZE(from);
	}
	return from;
}

static const char *
decode_value(const SpillColumn *column, VexecVector *vec, int at, const char *row,
			 const char *from)
{
	switch (column->kind)
	{
		case VEXEC_BOOL:
			GET(uint8, VEXEC_VALUES(vec, uint8)[at]);
			return from;
		case VEXEC_INT16:
			GET(int16, VEXEC_VALUES(vec, int16)[at]);
			return from;
		case VEXEC_INT32:
		case VEXEC_FLOAT4:
			GET(uint32, VEXEC_VALUES(vec, uint32)[at]);
			return from;
		case VEXEC_INT64:
		case VEXEC_FLOAT8:
			GET(uint64, VEXEC_VALUES(vec, uint64)[at]);
			return from;
		case VEXEC_STRING:
			{
				VexecString *value = &VEXEC_VALUES(vec, VexecString)[at];

				GET(uint32, value->len);
				value->data = from;
				return from + value->len;
			}
		case VEXEC_DATUM:
			if (!column->typbyval)
				return decode_datum(column, row, from, &VEXEC_VALUES(vec, Datum)[at]);
			GET(Datum, VEXEC_VALUES(vec, Datum)[at]);
			return from;
		case VEXEC_NUMERIC:
			return decode_numeric(column, vec, at, row, from);
	}
	pg_unreachable();
}

/* One scale for the vector, or pointers. */
static void
unify_numerics(VexecSpill *spill, VexecVector *vec, const uint8 *forms, int n)
{
	int			form = -1;
	bool		same = true;
	MemoryContext old_context;

	for (int i = 0; i < n; i++)
	{
		if (vexec_is_null(vec, i))
			continue;
		if (form < 0)
			form = forms[i];
		same &= (form == forms[i]);
	}
	vec->is_decimal = same && form != FORM_NUMERIC;
	vec->scale = vec->is_decimal && form >= 0 ? form : 0;
	if (same)
		return;
	old_context = MemoryContextSwitchTo(spill->batch);
	for (int i = 0; i < n; i++)
		if (!vexec_is_null(vec, i) && forms[i] != FORM_NUMERIC)
			VEXEC_VALUES(vec, Datum)[i] =
				NumericGetDatum(int64_div_fast_to_numeric(VEXEC_VALUES(vec, int64)[i], forms[i]));
	MemoryContextSwitchTo(old_context);
}

static void
set_null(VexecVector *vec, int at)
{
	if (!vec->has_nulls)
		memset(vec->nulls, 0, VEXEC_NULL_WORDS * sizeof(uint64));
	vec->has_nulls = true;
	vexec_set_null(vec, at);
	if (vec->kind == VEXEC_STRING)
		memset(&VEXEC_VALUES(vec, VexecString)[at], 0, sizeof(VexecString));
}

/* Take the next row from the arena; it is complete. */
static void
decode_row(VexecSpill *spill, int at, Size length)
{
	const char *row = spill->arena + spill->arena_begin;
	const char *from = row + (spill->fixed ? 0 : sizeof(uint32));
	const uint8 *nulls = (const uint8 *) from;

	from += spill->null_bytes;
	for (int i = 0; i < spill->ncolumns; i++)
	{
		const SpillColumn *column = &spill->columns[i];

		if (nulls[i >> 3] & (1 << (i & 7)))
		{
			set_null(spill->vectors[i], at);
			if (spill->fixed)
				from += column->width;
		}
		else
			from = decode_value(column, spill->vectors[i], at, row, from);
	}
	spill->arena_begin += length;
}

int
vexec_spill_read(VexecSpill *spill, int maxrows, const VexecVector *const **columns)
{
	int			n = 0;

	CHECK_FOR_INTERRUPTS();
	MemoryContextReset(spill->batch);
	*columns = (const VexecVector *const *) spill->vectors;
	if (spill->rows_left == 0)
		return 0;
	for (int i = 0; i < spill->ncolumns; i++)
		spill->vectors[i]->has_nulls = false;

	/* Small batches are avoided as long as the arena has room for large ones. */
	if (spill->unread > 0 &&
		(spill->arena_end - spill->arena_begin < spill->arena_bytes / 2))
		fill_arena(spill);
	while (n < maxrows && spill->arena_begin < spill->arena_end)
	{
		Size		length = next_row_length(spill);

		if (length == 0 || length > spill->arena_end - spill->arena_begin)
			break;
		decode_row(spill, n, length);
		n++;
	}

	/* The row at the front is larger than half of the arena. */
	if (n == 0)
	{
		fill_arena(spill);
		decode_row(spill, 0, next_row_length(spill));
		n = 1;
	}
	for (int i = 0; i < spill->ncolumns; i++)
		if (spill->columns[i].kind == VEXEC_NUMERIC)
			unify_numerics(spill, spill->vectors[i], spill->columns[i].forms, n);
	spill->rows_left -= n;
	return n;
}
