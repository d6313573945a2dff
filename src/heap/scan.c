/*-------------------------------------------------------------------------
 *
 * scan.c
 *	  The scan: core's page preparation, batches of pinned tuples, and the
 *	  stages in which their columns become vectors.
 *
 * Walk positions.  The values of a tuple can only be found from left to right.
 * In a batch whose tuples have no null up to the columns of a stage ("clean"),
 * the leading fixed-width columns stand at constant offsets and the walk behind
 * them goes column by column over all selected rows; the position reached stays
 * with the rows, so that a later stage goes on from there.  A stage that needs
 * an earlier column walks its (fewer) rows again.  In other batches a walk per
 * row notes the offsets of all columns of all stages that it passes.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/heapam.h"
#include "access/htup_details.h"
#include "access/tableam.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "port/pg_bitutils.h"
#include "storage/bufmgr.h"
#include "storage/read_stream.h"
#include "utils/memutils.h"

#include "compat.h"
#include "heap/column.h"
#include "heap/heap.h"

/*
 * Pages of a batch.  1,024 rows of TPC-H's lineitem are on 19; more would cost
 * a hash table entry per pin in the server's resource owner.
 */
#define MAX_PAGES 32

#define CACHE_LINE 64

typedef struct BatchPage
{
	Buffer		buffer;			/* pinned by us */
	BlockNumber block;
	int			first_row;		/* of the batch */
	int			first_index;	/* what that row is among the page's visible
								 * tuples */
} BatchPage;

typedef struct ScanStage
{
	int			ncolumns;
	VexecColumn **columns;		/* ascending */
	int			last;			/* attributes 0 .. last-1 are walked */
} ScanStage;

struct VexecHeapScan
{
	Relation	rel;
	MemoryContext context;		/* owns this struct */
	HeapScanDesc core;			/* rs_cbuf is invalid while a batch is worked
								 * on: the pins are in pages */
	bool		local;			/* a temporary table's buffers */
	bool		handed_over;
	bool		at_end;			/* the stream has no more pages */

	Buffer		ahead;			/* the page after the newest, pinned by us */
	int			prepared_used;	/* visible tuples of the newest page that are
								 * in this batch or one before; the newest page
								 * is what core prepared last */

	/* the batch */
	int			nrows;
	int			npages;
	BatchPage	pages[MAX_PAGES];
	int			clean;			/* no tuple has a null among as many leading
								 * attributes, nor fewer of them */

	/* position of the walk over clean tuples; see the head of this file */
	int			walk_att;		/* attribute that comes next, -1: no walk yet */
	const uint16 *walk_from;	/* by row; NULL: at walk_constant in all */
	int			walk_constant;

	int			nstages;
	ScanStage  *stages;
	VexecColumn **columns;		/* by attribute, NULL if in no stage */
	VexecLayout *layout;
	bool		has_columns;
	int			last;			/* of all stages */

	VexecHeapCounters counters;

	const char *data[VEXEC_BATCH_ROWS]; /* in pinned pages */
	uint8		header_size[VEXEC_BATCH_ROWS];
	OffsetNumber lines[VEXEC_BATCH_ROWS];
	uint16		positions[2][VEXEC_BATCH_ROWS];
	VexecColumnDecoder decoder;
};

/* ----------------------------------------------------------------
 *		Begin and end
 * ----------------------------------------------------------------
 */

static void
begin_stage(VexecHeapScan *scan, ScanStage *stage, const Bitmapset *attnos)
{
	TupleDesc	tupdesc = RelationGetDescr(scan->rel);
	int			attno = -1;

	stage->columns = palloc(sizeof(VexecColumn *) * Max(bms_num_members(attnos), 1));
	while ((attno = bms_next_member(attnos, attno)) >= 0)
	{
		VexecColumn *column;

		Assert(attno >= 1 && attno <= tupdesc->natts);
		if (scan->columns[attno - 1] != NULL)
			continue;
		column = vexec_column_create(tupdesc, attno);
		column->align = scan->layout->attributes[attno - 1].align;
		scan->layout->attributes[attno - 1].offsets = column->offsets;
		scan->columns[attno - 1] = column;
		stage->columns[stage->ncolumns++] = column;
		stage->last = attno;
		scan->last = Max(scan->last, attno);
		scan->has_columns = true;
	}
}

VexecHeapScan *
vexec_heap_begin(Relation rel, Snapshot snapshot, int ncolumn_stages, Bitmapset **column_stages,
				 bool detoast)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "pg_vexec heap scan",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext oldcontext = MemoryContextSwitchTo(context);
	VexecHeapScan *scan = palloc0(sizeof(VexecHeapScan));

	scan->rel = rel;
	scan->context = context;
	scan->local = RelationUsesLocalBuffers(rel);
	scan->decoder.kernels = vexec_decode_kernels();
	scan->decoder.detoast = detoast;
	scan->decoder.memory = AllocSetContextCreate(context, "pg_vexec batch values",
												 ALLOCSET_DEFAULT_SIZES);

	scan->layout = vexec_layout_create(RelationGetDescr(rel));
	scan->columns = palloc0(sizeof(VexecColumn *) * Max(scan->layout->natts, 1));
	scan->nstages = ncolumn_stages;
	scan->stages = palloc0(sizeof(ScanStage) * Max(ncolumn_stages, 1));
	for (int i = 0; i < ncolumn_stages; i++)
		begin_stage(scan, &scan->stages[i], column_stages[i]);

	scan->core = (HeapScanDesc) vexec_table_beginscan(rel, snapshot);
	Assert(scan->core->rs_base.rs_flags & SO_ALLOW_PAGEMODE);

	MemoryContextSwitchTo(oldcontext);
	return scan;
}

/* Release the pages of the batch but "keep" and those after it. */
static void
release_pages(VexecHeapScan *scan, int keep)
{
	/* in the order that the resource owner finds them fastest */
	for (int i = keep - 1; i >= 0; i--)
		ReleaseBuffer(scan->pages[i].buffer);
	scan->npages -= keep;
	memmove(scan->pages, scan->pages + keep, sizeof(BatchPage) * scan->npages);
}

static void
release_batch(VexecHeapScan *scan)
{
	release_pages(scan, scan->npages);
	if (BufferIsValid(scan->ahead))
		ReleaseBuffer(scan->ahead);
	scan->ahead = InvalidBuffer;
	scan->nrows = 0;
}

void
vexec_heap_rescan(VexecHeapScan *scan)
{
	release_batch(scan);
	MemoryContextReset(scan->decoder.memory);
	table_rescan((TableScanDesc) scan->core, NULL);
	scan->at_end = false;
	scan->handed_over = false;
}

void
vexec_heap_end(VexecHeapScan *scan)
{
	release_batch(scan);
	table_endscan((TableScanDesc) scan->core);
	MemoryContextDelete(scan->context);
}

/* ----------------------------------------------------------------
 *		Pages to batches
 * ----------------------------------------------------------------
 */

/*
 * Ask for a page's cache lines.  Inlined by force: GCC takes a function that
 * only prefetches for one without effect, and drops calls of it.
 */
static pg_attribute_always_inline void
prefetch_page(Buffer buffer)
{
	const char *page = (const char *) BufferGetPage(buffer);

	for (int i = 0; i < BLCKSZ; i += CACHE_LINE)
		__builtin_prefetch(page + i);
}

/*
 * Let core prepare the next page and make it the newest of the batch.  Returns
 * false at the end of the table.  An error leaves pins to the resource owner.
 */
static bool
next_page(VexecHeapScan *scan, bool look_ahead)
{
	HeapScanDesc core = scan->core;
	BatchPage  *page = &scan->pages[scan->npages];
	Buffer		buffer = scan->ahead;

	CHECK_FOR_INTERRUPTS();

	scan->ahead = InvalidBuffer;
	if (!BufferIsValid(buffer) && !scan->at_end)
		buffer = read_stream_next_buffer(core->rs_read_stream, NULL);
	if (!BufferIsValid(buffer))
	{
		scan->at_end = true;
		return false;
	}

	page->buffer = buffer;
	page->block = BufferGetBlockNumber(buffer);
	page->first_row = scan->nrows;
	page->first_index = 0;
	scan->npages++;
	scan->counters.pages++;

	if (look_ahead)
	{
		scan->ahead = read_stream_next_buffer(core->rs_read_stream, NULL);
		if (BufferIsValid(scan->ahead))
			prefetch_page(scan->ahead);
		else
			scan->at_end = true;
	}

	core->rs_cbuf = buffer;
	core->rs_cblock = page->block;
	heap_prepare_pagescan((TableScanDesc) core);
	core->rs_cbuf = InvalidBuffer;
	scan->prepared_used = 0;
	return true;
}

/*
 * Lower scan->clean to the first null of any tuple, where there are null
 * bitmaps.  Nulls behind the last column that is decoded do not count.
 */
static void
find_nulls(VexecHeapScan *scan)
{
	int			clean = Min(scan->clean, scan->last);

	for (int row = 0; row < scan->nrows; row++)
	{
		const HeapTupleHeaderData *header =
			(const HeapTupleHeaderData *) (scan->data[row] - scan->header_size[row]);

		if ((header->t_infomask & HEAP_HASNULL) == 0)
			continue;
		for (int byte = 0; byte * 8 < clean; byte++)
		{
			if (header->t_bits[byte] != 0xFF)
			{
				int			first = byte * 8 + pg_rightmost_one_pos32(~header->t_bits[byte]);

				clean = Min(clean, first);
				break;
			}
		}
	}
	scan->clean = clean;
}

int
vexec_heap_next_batch(VexecHeapScan *scan, int maxrows)
{
	const VexecDecodeKernels *kernels = scan->decoder.kernels;
	HeapScanDesc core = scan->core;
	VexecGathered gathered = {0, HEAP_NATTS_MASK};
	bool		newest_left;
	int			limit;

	Assert(maxrows >= 1 && maxrows <= VEXEC_BATCH_ROWS);
	Assert(!scan->handed_over);

	/* the newest page stays if only part of it was in the batch before */
	newest_left = scan->npages > 0 && scan->prepared_used < core->rs_ntuples;
	release_pages(scan, newest_left ? scan->npages - 1 : scan->npages);
	if (newest_left)
	{
		scan->pages[0].first_row = 0;
		scan->pages[0].first_index = scan->prepared_used;
	}
	MemoryContextReset(scan->decoder.memory);
	scan->nrows = 0;
	scan->walk_att = -1;
	for (int i = 0; i < scan->nstages; i++)
	{
		for (int j = 0; j < scan->stages[i].ncolumns; j++)
			scan->stages[i].columns[j]->recorded = false;
	}

	limit = vexec_additional_pin_limit(scan->local, MAX_PAGES + 1);
	limit = Min(limit - 1, MAX_PAGES);

	for (;;)
	{
		int			take;

		if (!newest_left)
		{
			if (scan->npages >= Max(limit, 1))
				break;

			/*
			 * Looking ahead takes a pin more, and is for scans that go on: not
			 * for the first page.
			 */
			if (!next_page(scan, limit >= 1 && scan->counters.pages > 0))
				break;
			if (core->rs_ntuples == 0)
			{
				scan->npages--;
				ReleaseBuffer(scan->pages[scan->npages].buffer);
				continue;
			}
		}

		take = Min((int) core->rs_ntuples - scan->prepared_used, maxrows - scan->nrows);
		memcpy(scan->lines + scan->nrows, core->rs_vistuples + scan->prepared_used,
			   take * sizeof(OffsetNumber));
		if (scan->has_columns)
			kernels->gather(BufferGetPage(scan->pages[scan->npages - 1].buffer),
							scan->lines + scan->nrows, take, scan->data + scan->nrows,
							scan->header_size + scan->nrows, &gathered);
		scan->nrows += take;
		scan->prepared_used += take;
		if (scan->nrows == maxrows)
			break;
		newest_left = false;
	}

	if (scan->nrows > 0)
	{
		scan->counters.batches++;
		scan->counters.rows += scan->nrows;
	}
	scan->clean = gathered.natts;
	if ((gathered.infomask & HEAP_HASNULL) != 0)
		find_nulls(scan);
	if (scan->clean < scan->last)
		scan->counters.batches_walked++;
	return scan->nrows;
}

/* ----------------------------------------------------------------
 *		Batches to vectors
 * ----------------------------------------------------------------
 */

static void
walk_begin(const VexecHeapScan *scan, VexecWalk *walk, const uint16 *sel, int n)
{
	walk->data = scan->data;
	walk->from = scan->walk_from;
	walk->from_constant = scan->walk_constant;
	/* the array that from is not in */
	walk->to = (uint16 *) (scan->walk_from == scan->positions[0] ?
						   scan->positions[1] : scan->positions[0]);
	walk->sel = sel;
	walk->n = n;
}

static void
walk_reached(VexecHeapScan *scan, const VexecWalk *walk, int att)
{
	scan->walk_att = att;
	scan->walk_from = walk->to;
}

static const VexecColumnSteps *
column_steps(VexecHeapScan *scan, VexecColumn *column, int first)
{
	VexecColumnSteps *steps;
	MemoryContext oldcontext;

	for (steps = column->steps; steps != NULL; steps = steps->next)
	{
		if (steps->first == first)
			return steps;
	}
	oldcontext = MemoryContextSwitchTo(scan->context);
	steps = palloc(sizeof(VexecColumnSteps));
	steps->first = first;
	steps->steps = vexec_layout_steps(scan->layout, first, column->att, &steps->nsteps);
	steps->next = column->steps;
	column->steps = steps;
	MemoryContextSwitchTo(oldcontext);
	return steps;
}

/* Decode a column behind the fixed-width prefix of clean tuples. */
static int
decode_walked(VexecHeapScan *scan, VexecColumn *column, const uint16 *sel, int n)
{
	VexecWalk	walk;
	int			stop;

	if (scan->walk_att < 0 || scan->walk_att > column->att)
	{
		scan->walk_att = scan->layout->prefix;
		scan->walk_from = NULL;
		scan->walk_constant = scan->layout->prefix_size;
	}
	if (scan->walk_att < column->att)
	{
		const VexecColumnSteps *steps = column_steps(scan, column, scan->walk_att);

		walk_begin(scan, &walk, sel, n);
		scan->decoder.kernels->skip(&walk, steps->steps, steps->nsteps);
		walk_reached(scan, &walk, column->att);
	}
	walk_begin(scan, &walk, sel, n);
	/* nothing is behind the last column of all */
	if (column->att == scan->last - 1)
		walk.to = NULL;
	stop = vexec_column_decode(&scan->decoder, column, &walk);
	if (walk.to)
		walk_reached(scan, &walk, column->att + 1);
	return stop;
}

/* Note the offsets of the stage's columns, and of others that are passed. */
static void
walk_tuples(VexecHeapScan *scan, const ScanStage *stage, const uint16 *sel, int n)
{
	int			prefix = Min(scan->layout->prefix, scan->clean);
	int			first = -1;
	VexecWalk	walk;

	for (int i = 0; i < stage->ncolumns; i++)
	{
		VexecColumn *column = stage->columns[i];

		if (column->att >= prefix && !column->recorded)
		{
			first = column->att;
			break;
		}
	}
	if (first < 0)
		return;

	if (scan->walk_att < prefix || scan->walk_att > first)
	{
		scan->walk_att = prefix;
		scan->walk_from = NULL;
		scan->walk_constant = prefix == 0 ? 0 :
			scan->layout->constant[prefix - 1] + scan->layout->attributes[prefix - 1].len;
	}
	walk_begin(scan, &walk, sel, n);
	scan->decoder.kernels->walk(&walk, scan->header_size, scan->layout->attributes,
								scan->walk_att, stage->last);
	for (int att = scan->walk_att; att < stage->last; att++)
	{
		if (scan->columns[att] != NULL)
			scan->columns[att]->recorded = true;
	}
	walk_reached(scan, &walk, stage->last);
}

int
vexec_heap_decode(VexecHeapScan *scan, int stage_number, const uint16 *sel, int n)
{
	ScanStage  *stage = &scan->stages[stage_number];
	bool		clean = scan->clean >= stage->last;
	int			prefix = Min(scan->layout->prefix, scan->clean);
	int			result = scan->nrows;

	Assert(stage_number >= 0 && stage_number < scan->nstages);

	if (!clean)
		walk_tuples(scan, stage, sel, n);

	for (int i = 0; i < stage->ncolumns; i++)
	{
		VexecColumn *column = stage->columns[i];
		int			stop;

		if (column->att < prefix)
		{
			VexecWalk	walk = {scan->data, NULL, scan->layout->constant[column->att], NULL, sel, n};

			stop = vexec_column_decode(&scan->decoder, column, &walk);
		}
		else if (column->recorded)
			stop = vexec_column_decode_recorded(&scan->decoder, column, scan->data, sel, n);
		else
			stop = decode_walked(scan, column, sel, n);
		result = Min(result, stop);
	}
	scan->counters.values_decoded += (uint64) stage->ncolumns * n;
	return result;
}

VexecVector *
vexec_heap_column(VexecHeapScan *scan, AttrNumber attno)
{
	Assert(attno >= 1 && attno <= scan->layout->natts);
	Assert(scan->columns[attno - 1] != NULL);
	return scan->columns[attno - 1]->vec;
}

/* ----------------------------------------------------------------
 *		Single rows
 * ----------------------------------------------------------------
 */

static BatchPage *
page_of_row(VexecHeapScan *scan, int row)
{
	int			i = scan->npages - 1;

	Assert(row >= 0 && row < scan->nrows);
	while (scan->pages[i].first_row > row)
		i--;
	return &scan->pages[i];
}

void
vexec_heap_store_slot(VexecHeapScan *scan, int row, TupleTableSlot *slot)
{
	const BatchPage *page = page_of_row(scan, row);
	HeapTuple	tuple = &((BufferHeapTupleTableSlot *) slot)->base.tupdata;
	Page		contents = BufferGetPage(page->buffer);
	ItemId		item = PageGetItemId(contents, scan->lines[row]);

	Assert(TTS_IS_BUFFERTUPLE(slot));
	Assert(ItemIdIsNormal(item));
	tuple->t_len = ItemIdGetLength(item);
	ItemPointerSet(&tuple->t_self, page->block, scan->lines[row]);
	tuple->t_tableOid = RelationGetRelid(scan->rel);
	tuple->t_data = (HeapTupleHeader) PageGetItem(contents, item);
	ExecStoreBufferHeapTuple(tuple, slot, page->buffer);
}

void
vexec_heap_count_rows(VexecHeapScan *scan, int64 nrows)
{
	if (pgstat_should_count_relation(scan->rel))
		scan->rel->pgstat_info->counts.tuples_returned += nrows;
}

TableScanDesc
vexec_heap_hand_over(VexecHeapScan *scan, int row)
{
	HeapScanDesc core = scan->core;

	if (row < 0)
	{
		/* as core leaves its scan at the end; the stream is at its end too */
		Assert(scan->at_end);
		release_batch(scan);
		core->rs_cblock = InvalidBlockNumber;
		core->rs_prefetch_block = InvalidBlockNumber;
		core->rs_ctup.t_data = NULL;
		core->rs_inited = false;
	}
	else
	{
		BatchPage	page = *page_of_row(scan, row);
		bool		prepared = page.block == core->rs_cblock;
		int			index = page.first_index + row - page.first_row;

		IncrBufferRefCount(page.buffer);
		release_batch(scan);

		/* look ahead anew from this page */
		core->rs_prefetch_block = page.block;
		read_stream_reset(core->rs_read_stream);

		core->rs_cbuf = page.buffer;
		core->rs_cblock = page.block;
		if (!prepared)
			heap_prepare_pagescan((TableScanDesc) core);
		core->rs_cindex = index;
		core->rs_inited = true;
		ItemPointerSetBlockNumber(&core->rs_ctup.t_self, page.block);
	}
	core->rs_dir = ForwardScanDirection;
	scan->handed_over = true;
	return (TableScanDesc) core;
}

const VexecHeapCounters *
vexec_heap_counters(const VexecHeapScan *scan)
{
	return &scan->counters;
}
