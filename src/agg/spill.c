/*-------------------------------------------------------------------------
 *
 * spill.c
 *	  Rows on disk in hash partitions, written and read by batches.
 *
 * Partitions are logical tapes of one temporary file, as in core's hash
 * aggregation: a file for each would cost more than a small partition's rows,
 * and blocks that have been read serve the partitions to come.
 *
 * Rows are collected in a buffer for each partition, on top of the tape's own,
 * so that a row costs a copy and not a call.  They are read into an arena that
 * holds many rows; strings and other values are borrowed from there.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "agg/spill.h"
#include "agg/spill_row.h"
#include "agg/tickets.h"

#include "miscadmin.h"
#include "utils/logtape.h"
#include "utils/memutils.h"

/* Partitions of one level. */
#define MIN_PARTITIONS 4
#define MAX_PARTITIONS 32

/* A tape that is written or read has a buffer of a block, and some words. */
#define TAPE_BYTES (BLCKSZ + 256)

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

typedef struct SpillPartition
{
	LogicalTape *tape;			/* NULL until there are rows */
	uint64		rows;
	Size		bytes;			/* on the tape */
	int			level;			/* 1: rows of the first round */
} SpillPartition;

/* A partition being written, and what is not yet on its tape. */
typedef struct SpillTarget
{
	SpillPartition partition;
	char	   *buffer;
	Size		used;
} SpillTarget;

struct VexecSpill
{
	const VexecGroupingPlan *plan;
	VexecSpillLayout *layout;
	LogicalTapeSet *tapes;		/* NULL until there are partitions */

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

	/* The partition being read; tape is NULL in the first round. */
	SpillPartition current;
	Size		unread;			/* bytes on the tape not yet in the arena */
	uint64		rows_left;
	char	   *arena;
	Size		arena_bytes;	/* allocated */
	Size		arena_begin;	/* of rows not yet returned */
	Size		arena_end;
	VexecVector **vectors;

	uint64		rows_written;
	uint64		npartitions;
	MemoryContext context;		/* owns all but the struct itself */
	MemoryContext tape_context; /* tapes and what they own, until a reset */
	MemoryContext batch;		/* numerics of the batch read */
};

VexecSpill *
vexec_spill_create(const VexecGroupingPlan *plan, Size memory)
{
	VexecSpill *spill = palloc0(sizeof(VexecSpill));
	MemoryContext old_context;

	spill->context = AllocSetContextCreate(CurrentMemoryContext, "vexec spill",
										   ALLOCSET_SMALL_SIZES);
	old_context = MemoryContextSwitchTo(spill->context);
	spill->tape_context = AllocSetContextCreate(spill->context, "vexec spill tapes",
												ALLOCSET_SMALL_SIZES);
	spill->batch = AllocSetContextCreate(spill->context, "vexec spill batch",
										 ALLOCSET_DEFAULT_SIZES);
	spill->plan = plan;
	spill->layout = vexec_spill_layout(plan);

	/* Most is for partitions being written: those that wait need no buffer. */
	memory -= memory / 3;
	spill->max_targets = MAX_PARTITIONS;
	while (spill->max_targets > MIN_PARTITIONS &&
		   spill->max_targets * (TAPE_BYTES + MIN_BUFFER_BYTES) > memory)
		spill->max_targets /= 2;
	spill->buffer_bytes = memory / spill->max_targets;
	spill->buffer_bytes -= Min(spill->buffer_bytes, TAPE_BYTES);
	spill->buffer_bytes = Max(spill->buffer_bytes, MIN_BUFFER_BYTES);
	spill->buffer_bytes = Min(spill->buffer_bytes, MAX_BUFFER_BYTES);
	spill->buffer_bytes = TYPEALIGN_DOWN(MAXIMUM_ALIGNOF, spill->buffer_bytes);
	MemoryContextSwitchTo(old_context);
	return spill;
}

/* --- writing ----------------------------------------------------------------------- */

static void
write_tape(VexecSpill *spill, SpillPartition *partition, const void *data, Size size)
{
	MemoryContext old_context = MemoryContextSwitchTo(spill->tape_context);

	if (spill->tapes == NULL)
		spill->tapes = LogicalTapeSetCreate(true, NULL, -1);
	if (partition->tape == NULL)
	{
		partition->tape = LogicalTapeCreate(spill->tapes);
		spill->npartitions++;
	}
	LogicalTapeWrite(partition->tape, data, size);
	partition->bytes += size;
	MemoryContextSwitchTo(old_context);
}

static void
flush_target(VexecSpill *spill, SpillTarget *target)
{
	if (target->used > 0)
		write_tape(spill, &target->partition, target->buffer, target->used);
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
	if (spill->current.tape != NULL)
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

static void
free_row_buffer(VexecSpill *spill)
{
	if (spill->row_buffer != NULL)
		pfree(spill->row_buffer);
	spill->row_buffer = NULL;
	spill->row_buffer_bytes = 0;
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
		free_row_buffer(spill);
		spill->row_buffer = MemoryContextAllocHuge(spill->context, size);
		spill->row_buffer_bytes = size;
	}
	flush_target(spill, target);
	size = vexec_spill_encode(spill->layout, columns, row, spill->row_buffer);
	write_tape(spill, &target->partition, spill->row_buffer, size);
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
		Size		size = vexec_spill_row_size(spill->layout, columns, rows[k]);

		target->partition.rows++;
		if (size > spill->buffer_bytes)
			write_large_row(spill, target, columns, rows[k], size);
		else
		{
			if (size > spill->buffer_bytes - target->used)
				flush_target(spill, target);
			target->used += vexec_spill_encode(spill->layout, columns, rows[k],
											   target->buffer + target->used);
		}
	}
	spill->rows_written += n;
}

/* --- rounds -------------------------------------------------------------------------- */

static void
close_partition(SpillPartition *partition)
{
	if (partition->tape != NULL)
		LogicalTapeClose(partition->tape);
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
	Size		arena_bytes = Min(spill->plan->memory_limit / 32, MAX_ARENA_BYTES);

	arena_bytes = Max(arena_bytes, MIN_ARENA_BYTES);
	if (spill->arena == NULL)
	{
		MemoryContext old_context = MemoryContextSwitchTo(spill->context);

		spill->arena = palloc(arena_bytes);
		spill->vectors = palloc_array(VexecVector *, Max(spill->plan->ncolumns, 1));
		for (int i = 0; i < spill->plan->ncolumns; i++)
			spill->vectors[i] = vexec_vector_create(spill->plan->columns[i].kind, false);
		MemoryContextSwitchTo(old_context);
	}
	else if (spill->arena_bytes > arena_bytes)
		spill->arena = repalloc_huge(spill->arena, arena_bytes);
	spill->arena_bytes = arena_bytes;
	spill->arena_begin = spill->arena_end = 0;
	spill->unread = spill->current.bytes;
	spill->rows_left = spill->current.rows;
}

bool
vexec_spill_next_round(VexecSpill *spill)
{
	close_partition(&spill->current);

	/* All pass on what they have before their buffers serve the next round. */
	for (int i = spill->ntargets - 1; i >= 0; i--)
	{
		SpillPartition *partition = &spill->targets[i].partition;

		flush_target(spill, &spill->targets[i]);
		if (partition->tape != NULL)
		{
			LogicalTapeRewindForRead(partition->tape, BLCKSZ);
			push_pending(spill, partition);
		}
		memset(partition, 0, sizeof(SpillPartition));
	}
	spill->ntargets = 0;
	free_row_buffer(spill);
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
	if (spill->tapes != NULL)
		LogicalTapeSetClose(spill->tapes);
	spill->tapes = NULL;

	/* Closing a tape that is being written would not free all that it owns. */
	MemoryContextReset(spill->tape_context);
	memset(&spill->current, 0, sizeof(SpillPartition));
	spill->ntargets = 0;
	spill->npending = 0;
	free_row_buffer(spill);
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
	return spill->tapes == NULL ? 0 : (Size) LogicalTapeSetBlocks(spill->tapes) * BLCKSZ;
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
	return vexec_spill_row_length(spill->layout, spill->arena + spill->arena_begin,
								  spill->arena_end - spill->arena_begin);
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
	MemoryContext old_context = MemoryContextSwitchTo(spill->tape_context);

	memmove(spill->arena, spill->arena + spill->arena_begin, left);
	spill->arena_begin = 0;
	spill->arena_end = left;
	for (;;)
	{
		Size		size = Min(spill->arena_bytes - spill->arena_end, spill->unread);

		if (LogicalTapeRead(spill->current.tape, spill->arena + spill->arena_end, size) != size)
			elog(ERROR, "temporary file of vectorized aggregation ends early");
		spill->arena_end += size;
		spill->unread -= size;
		length = next_row_length(spill);
		if (length <= spill->arena_bytes)
			break;
		enlarge_arena(spill, length);
	}
	if (length == 0 || length > spill->arena_end)
		elog(ERROR, "temporary file of vectorized aggregation is damaged");
	MemoryContextSwitchTo(old_context);
}

/* Take the next row from the arena; it is complete. */
static void
take_row(VexecSpill *spill, int at, Size length)
{
	vexec_spill_decode(spill->layout, spill->arena + spill->arena_begin, spill->vectors, at);
	spill->arena_begin += length;
}

int
vexec_spill_read(VexecSpill *spill, int maxrows, const VexecVector *const **columns)
{
	int			n = 0;
	MemoryContext old_context;

	CHECK_FOR_INTERRUPTS();
	MemoryContextReset(spill->batch);
	*columns = (const VexecVector *const *) spill->vectors;
	if (spill->rows_left == 0)
		return 0;
	for (int i = 0; i < spill->plan->ncolumns; i++)
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
		take_row(spill, n, length);
		n++;
	}

	/* The row at the front is larger than half of the arena. */
	if (n == 0)
	{
		fill_arena(spill);
		take_row(spill, 0, next_row_length(spill));
		n = 1;
	}
	old_context = MemoryContextSwitchTo(spill->batch);
	vexec_spill_unify_numerics(spill->layout, spill->vectors, n);
	MemoryContextSwitchTo(old_context);
	spill->rows_left -= n;
	return n;
}
