/*-------------------------------------------------------------------------
 *
 * pages.h
 *	  Which page of a table comes next, pinned.  Private to this folder.
 *
 *-------------------------------------------------------------------------
 */
#ifndef VEXEC_PAGES_H
#define VEXEC_PAGES_H

#include "postgres.h"

#include "access/heapam.h"
#include "storage/read_stream.h"

typedef struct VexecPages
{
	HeapScanDesc core;			/* borrowed */
	ReadStream *shared;			/* of our own where processes share the blocks,
								 * else NULL: core's is used */
	int			taken;			/* shared: blocks that the stream has taken and
								 * not given yet */
	BlockNumber last_block;		/* the last page given, and its buffer; */
	Buffer		last_buffer;	/* invalid: none yet */
	bool		guess;			/* pages may be had without the stream */
	bool		guessed;		/* they are: the stream is behind, or stopped */
	int			guess_wait;		/* pages to go before the next guess */
	int			guess_backoff;	/* the wait after the next miss */
} VexecPages;

/* The pages of a scan that core has begun; in the current memory context. */
extern void vexec_pages_begin(VexecPages *pages, HeapScanDesc core);

/* The next page, the caller's to release; InvalidBuffer at the end. */
extern Buffer vexec_pages_next(VexecPages *pages);

/* After table_rescan: start again. */
extern void vexec_pages_rescan(VexecPages *pages);

/* Before table_endscan: let go of pages that were read ahead. */
extern void vexec_pages_end(VexecPages *pages);

#endif							/* VEXEC_PAGES_H */
