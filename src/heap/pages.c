/*-------------------------------------------------------------------------
 *
 * pages.c
 *	  Which page of a table comes next, pinned.
 *
 * Pages come from a read stream: core's, or one of our own where several
 * processes share the blocks of a table.  A table that was read in order stands
 * in order in shared buffers.  Then the buffer behind the last one holds the
 * next page, and looking there spares the buffer mapping table, whose cache
 * misses cost as much as counting a page's tuples; among processes its locks
 * cost even more.  A wrong guess costs little, and the waits between them
 * double.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "heap/pages.h"

#include "access/tableam.h"
#include "executor/instrument.h"
#include "storage/bufmgr.h"
#include "utils/rel.h"

#include "compat.h"

/* Pages between guesses where the next page is, after wrong ones. */
#define GUESS_WAIT_MIN 32
#define GUESS_WAIT_MAX 4096

/*
 * Guesses need pages that stay in shared buffers, and blocks that ascend: from
 * block 0, or in the pieces that a process is given.
 */
static void
begin_guessing(VexecPages *pages)
{
	HeapScanDesc core = pages->core;

	pages->last_block = InvalidBlockNumber;
	pages->last_buffer = InvalidBuffer;
	pages->guessed = false;
	pages->guess_wait = 0;
	pages->guess_backoff = GUESS_WAIT_MIN;
	pages->guess = !RelationUsesLocalBuffers(core->rs_base.rs_rd) && core->rs_strategy == NULL &&
		(core->rs_base.rs_flags & SO_ALLOW_SYNC) == 0;
}

static void
give(VexecPages *pages, BlockNumber block, Buffer buffer)
{
	pages->last_block = block;
	pages->last_buffer = buffer;
}

/* The guess was wrong. */
static void
back_off(VexecPages *pages)
{
	pages->guess_wait = pages->guess_backoff;
	pages->guess_backoff = Min(pages->guess_backoff * 2, GUESS_WAIT_MAX);
}

/* A page in the buffer as far behind the last one as its block is, pinned, or InvalidBuffer. */
static Buffer
guess_buffer(VexecPages *pages, BlockNumber block)
{
	int64		buffer = (int64) pages->last_buffer + block - pages->last_block;

	if (buffer < 1 || buffer > NBuffers ||
		!ReadRecentBuffer(pages->core->rs_base.rs_rd->rd_locator, MAIN_FORKNUM, block,
						  (Buffer) buffer))
		return InvalidBuffer;
	return (Buffer) buffer;
}

/* ----------------------------------------------------------------
 *		A scan of one process: core's stream
 * ----------------------------------------------------------------
 */

/*
 * While the stream is more than one page ahead it is reading from disk.  Pages
 * read so do stand in order, but taking them from it would stop it.
 */
static Buffer
next_own(VexecPages *pages)
{
	HeapScanDesc core = pages->core;
	Buffer		buffer;

	if (pages->guess && pages->last_buffer != InvalidBuffer && pages->guess_wait-- <= 0)
	{
		BlockNumber block = pages->last_block + 1;

		if (pages->guessed && block >= core->rs_nblocks)
			return InvalidBuffer;
		if (!pages->guessed && (core->rs_prefetch_block > block || block >= core->rs_nblocks))
			pages->guess_wait = GUESS_WAIT_MIN;
		else
		{
			buffer = guess_buffer(pages, block);
			if (BufferIsValid(buffer))
			{
				/* the stream may have pinned and counted it: it is always one ahead */
				if (!pages->guessed && core->rs_prefetch_block == block)
					pgBufferUsage.shared_blks_hit--;
				else
					vexec_buffer_hit(core->rs_base.rs_rd, buffer);
				give(pages, block, buffer);
				pages->guessed = true;
				pages->guess_wait = 0;
				pages->guess_backoff = GUESS_WAIT_MIN;
				return buffer;
			}
			back_off(pages);
		}

		/* let the stream go on from here */
		if (pages->guessed)
		{
			core->rs_prefetch_block = pages->last_block;
			read_stream_reset(core->rs_read_stream);
			pages->guessed = false;
		}
	}

	buffer = read_stream_next_buffer(core->rs_read_stream, NULL);
	if (BufferIsValid(buffer))
		give(pages, BufferGetBlockNumber(buffer), buffer);
	return buffer;
}

/* ----------------------------------------------------------------
 *		Shared blocks: a stream of our own
 * ----------------------------------------------------------------
 */

/* A block that no other process gets; InvalidBlockNumber if there are no more. */
static BlockNumber
take_block(VexecPages *pages)
{
	HeapScanDesc core = pages->core;
	ParallelBlockTableScanDesc blocks = (ParallelBlockTableScanDesc) core->rs_base.rs_parallel;

	if (!core->rs_inited)
	{
		vexec_parallelscan_startblock_init(core->rs_base.rs_rd, core->rs_parallelworkerdata,
										   blocks);
		core->rs_inited = true;
	}
	return table_block_parallelscan_nextpage(core->rs_base.rs_rd, core->rs_parallelworkerdata,
											 blocks);
}

/* The stream's callback.  One that is to stop takes no block: it could not be given back. */
static BlockNumber
next_for_stream(ReadStream *stream, void *callback_private_data, void *per_buffer_data)
{
	VexecPages *pages = callback_private_data;
	BlockNumber block;

	if (pages->guessed)
		return InvalidBlockNumber;
	block = take_block(pages);
	if (block != InvalidBlockNumber)
		pages->taken++;
	return block;
}

/*
 * The stream is stopped where its pages stand in order and it is not ahead,
 * that is, not reading from disk.  What it has taken comes first.
 */
static Buffer
next_shared(VexecPages *pages)
{
	BlockNumber block;
	Buffer		buffer;

	if (!pages->guessed || pages->taken > 0)
	{
		bool		in_order;

		buffer = read_stream_next_buffer(pages->shared, NULL);
		if (!BufferIsValid(buffer))
			return buffer;
		pages->taken--;
		block = BufferGetBlockNumber(buffer);
		in_order = pages->last_buffer != InvalidBuffer && buffer == pages->last_buffer + 1 &&
			block == pages->last_block + 1;
		give(pages, block, buffer);
		if (pages->guess && !pages->guessed && pages->guess_wait-- <= 0)
		{
			if (in_order && pages->taken <= 1)
				pages->guessed = true;
			else
				pages->guess_wait = GUESS_WAIT_MIN;
		}
		return buffer;
	}

	block = take_block(pages);
	if (block == InvalidBlockNumber)
		return InvalidBuffer;
	buffer = guess_buffer(pages, block);
	if (BufferIsValid(buffer))
	{
		vexec_buffer_hit(pages->core->rs_base.rs_rd, buffer);
		pages->guess_backoff = GUESS_WAIT_MIN;
	}
	else
	{
		/* read this one, and let the stream go on behind it */
		buffer = ReadBufferExtended(pages->core->rs_base.rs_rd, MAIN_FORKNUM, block, RBM_NORMAL,
									NULL);
		back_off(pages);
		read_stream_reset(pages->shared);
		pages->guessed = false;
	}
	give(pages, block, buffer);
	return buffer;
}

/* ----------------------------------------------------------------
 *		Interface
 * ----------------------------------------------------------------
 */

void
vexec_pages_begin(VexecPages *pages, HeapScanDesc core)
{
	pages->core = core;
	pages->shared = NULL;
	pages->taken = 0;
	begin_guessing(pages);
	if (core->rs_base.rs_parallel != NULL)
		pages->shared = read_stream_begin_relation(VEXEC_READ_STREAM_FLAGS, core->rs_strategy,
												   core->rs_base.rs_rd, MAIN_FORKNUM,
												   next_for_stream, pages, 0);
}

Buffer
vexec_pages_next(VexecPages *pages)
{
	return pages->shared != NULL ? next_shared(pages) : next_own(pages);
}

void
vexec_pages_rescan(VexecPages *pages)
{
	begin_guessing(pages);
	if (pages->shared != NULL)
		read_stream_reset(pages->shared);
	pages->taken = 0;
}

void
vexec_pages_end(VexecPages *pages)
{
	if (pages->shared != NULL)
		read_stream_end(pages->shared);
}
