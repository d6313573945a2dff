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
 * Eager stages.  Tuples are cheapest to read just after their page came into
 * the first-level cache, while the next page is on its way from memory.  So the
 * columns of a stage that was asked for at most rows of the batches before are
 * decoded page by page while a batch is gathered, in one walk for all of them.
 *
 * Pins.  The pages of a batch stay pinned, since its values are read from them
 * and point into them.  A page whose columns all were decoded eagerly and by
 * value is let go at once: more than eight pins make every pin and unpin of
 * this process go through a hash table.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/heapam.h"
#include "access/htup_details.h"
#include "access/tableam.h"
#include "executor/instrument.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "port/pg_bitutils.h"
#include "storage/bufmgr.h"
#include "storage/read_stream.h"
#include "utils/memutils.h"

#include "compat.h"
#include "heap/column.h"
#include "heap/heap.h"
#include "heap/pages.h"

/*
 * Pages of a batch.  What a later stage reads again has to be in the second-level
 * cache still: a filter on a late column that a quarter of the rows pass took 180
 * ms with 1,024 rows of TPC-H's lineitem, on 19 pages, and 169 with 12 pages.
 */
#define MAX_PAGES 12

#define CACHE_LINE 64

/*
 * A stage becomes eager when it is asked for at this part of the rows, and
 * lazy again below that one.  Decoding in passing costs about half of what
 * coming back for a row costs.
 */
#define EAGER_ABOVE 0.7
#define EAGER_BELOW 0.5

/* Rows after which older ones count half. */
#define EAGER_WINDOW (16 * VEXEC_BATCH_ROWS)

typedef struct BatchPage
{
	Buffer		buffer;			/* pinned by us, or invalid */
	Buffer		recent;			/* the same, even after it was let go */
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
	bool		eager;
	int			selected;		/* rows asked for in this batch */
	int64		recent_selected;	/* and in recent ones, */
	int64		recent_rows;	/* of so many */
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
	VexecPages	pages_ahead;	/* where it came from */
	int			prepared_used;	/* visible tuples of the newest page that are
								 * in this batch or one before; the newest page
								 * is what core prepared last */

	/* the batch */
	int			nrows;
	int			npages;
	BatchPage	pages[MAX_PAGES];
	int			recent_page;	/* where the last single row was */
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
	int			ncolumns;
	int			last;			/* of all stages */

	/* the eager stages' columns, ascending */
	int			neager;
	VexecColumn **eager;
	int			eager_last;
	bool		eager_batch;	/* the current batch's tuples are clean so far,
								 * and these columns decoded */
	bool		not_eager_next; /* the next batch's tuples are not clean */
	bool		by_value;		/* no value points into a page */
	bool		unpin;			/* this batch's pages are let go when read */
	bool		prefetch_due;	/* for the page ahead */

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
		scan->by_value &= column->byval;
		stage->columns[stage->ncolumns++] = column;
		stage->last = attno;
		scan->last = Max(scan->last, attno);
		scan->ncolumns++;
		scan->has_columns = true;
	}
}

/* List the columns of the eager stages. */
static void
collect_eager(VexecHeapScan *scan)
{
	for (int i = 0; i < scan->nstages; i++)
	{
		for (int j = 0; j < scan->stages[i].ncolumns; j++)
			scan->stages[i].columns[j]->decoded = scan->stages[i].eager;
	}
	scan->neager = 0;
	scan->eager_last = 0;
	for (int att = 0; att < scan->last; att++)
	{
		if (scan->columns[att] != NULL && scan->columns[att]->decoded)
		{
			scan->eager[scan->neager++] = scan->columns[att];
			scan->eager_last = att + 1;
		}
	}
}

/* A scan whose pages come from core's, which is opened in the same context. */
static VexecHeapScan *
begin_heap(Relation rel, Snapshot snapshot, ParallelTableScanDesc shared, int ncolumn_stages,
		   Bitmapset **column_stages, bool detoast)
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
	scan->by_value = true;
	scan->nstages = ncolumn_stages;
	scan->stages = palloc0(sizeof(ScanStage) * Max(ncolumn_stages, 1));
	for (int i = 0; i < ncolumn_stages; i++)
		begin_stage(scan, &scan->stages[i], column_stages[i]);

	/* most batches are asked for the first stage at all rows */
	scan->eager = palloc(sizeof(VexecColumn *) * Max(scan->layout->natts, 1));
	scan->clean = MaxTupleAttributeNumber;
	if (ncolumn_stages > 0)
	{
		scan->stages[0].eager = true;
		collect_eager(scan);
	}

	scan->core = (HeapScanDesc) (shared != NULL ? vexec_table_beginscan_parallel(rel, shared) :
								 vexec_table_beginscan(rel, snapshot));
	Assert(scan->core->rs_base.rs_flags & SO_ALLOW_PAGEMODE);
	vexec_pages_begin(&scan->pages_ahead, scan->core);

	MemoryContextSwitchTo(oldcontext);
	return scan;
}

VexecHeapScan *
vexec_heap_begin(Relation rel, Snapshot snapshot, int ncolumn_stages, Bitmapset **column_stages,
				 bool detoast)
{
	return begin_heap(rel, snapshot, NULL, ncolumn_stages, column_stages, detoast);
}

VexecHeapScan *
vexec_heap_begin_parallel(Relation rel, ParallelTableScanDesc shared, int ncolumn_stages,
						  Bitmapset **column_stages, bool detoast)
{
	return begin_heap(rel, NULL, shared, ncolumn_stages, column_stages, detoast);
}

/* Release the batch's pages before number keep. */
static void
release_pages(VexecHeapScan *scan, int keep)
{
	/* in the order that the resource owner finds them fastest */
	for (int i = keep - 1; i >= 0; i--)
	{
		if (BufferIsValid(scan->pages[i].buffer))
			ReleaseBuffer(scan->pages[i].buffer);
	}
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
	vexec_pages_rescan(&scan->pages_ahead);
	scan->at_end = false;
	scan->handed_over = false;
}

void
vexec_heap_end(VexecHeapScan *scan)
{
	release_batch(scan);
	vexec_pages_end(&scan->pages_ahead);
	table_endscan((TableScanDesc) scan->core);
	MemoryContextDelete(scan->context);
}

/* ----------------------------------------------------------------
 *		Walks over clean tuples
 * ----------------------------------------------------------------
 */

/* Let a walk begin where the last one ended. */
static void
walk_begin(const VexecHeapScan *scan, VexecWalk *walk)
{
	walk->from = scan->walk_from;
	walk->from_constant = scan->walk_constant;
	/* the array that from is not in */
	walk->to = (uint16 *) (scan->walk_from == scan->positions[0] ?
						   scan->positions[1] : scan->positions[0]);
}

/* A walk ended before an attribute. */
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

/* Fill a walk's positions: those of a column's values. */
static void
walk_to_column(VexecHeapScan *scan, VexecColumn *column, VexecWalk *walk)
{
	if (column->att < scan->layout->prefix)
	{
		walk->from = NULL;
		walk->from_constant = scan->layout->constant[column->att];
		walk->to = NULL;
		return;
	}
	if (scan->walk_att < 0 || scan->walk_att > column->att)
	{
		scan->walk_att = scan->layout->prefix;
		scan->walk_from = NULL;
		scan->walk_constant = scan->layout->prefix_size;
	}
	if (scan->walk_att < column->att)
	{
		const VexecColumnSteps *steps = column_steps(scan, column, scan->walk_att);

		walk_begin(scan, walk);
		scan->decoder.kernels->skip(walk, steps->steps, steps->nsteps);
		walk_reached(scan, walk, column->att);
	}
	walk_begin(scan, walk);
	/* nothing is behind the last column of all */
	if (column->att == scan->last - 1)
		walk->to = NULL;
}

/* The walk's column is decoded. */
static void
walk_passed(VexecHeapScan *scan, const VexecColumn *column, const VexecWalk *walk)
{
	if (walk->to)
		walk_reached(scan, walk, column->att + 1);
}

/* ----------------------------------------------------------------
 *		Pages to batches
 * ----------------------------------------------------------------
 */

/*
 * Ask for the cache lines of the page ahead: all of them, or those of header
 * and line pointers if nobody will look at the tuples.  Inlined by force: GCC
 * takes a function that only prefetches for one without effect, and drops calls
 * of it.
 */
static pg_attribute_always_inline void
prefetch_page(const VexecHeapScan *scan, Buffer current)
{
	const char *next = (const char *) BufferGetPage(scan->ahead);
	Page		page = BufferGetPage(current);
	int			size = BLCKSZ;

	/* the pages of a table are much alike, so the current one tells */
	if (!scan->has_columns && PageIsAllVisible(page))
		size = Min(((PageHeader) page)->pd_lower, BLCKSZ);

	/*
	 * A whole page goes to the second-level cache: the first has too few miss
	 * buffers for so many lines, and drops or delays what it cannot take.
	 */
	if (size < BLCKSZ)
		for (int i = 0; i < size; i += CACHE_LINE)
			__builtin_prefetch(next + i);
	else
		for (int i = 0; i < BLCKSZ; i += CACHE_LINE)
			__builtin_prefetch(next + i, 0, 2);
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
		buffer = vexec_pages_next(&scan->pages_ahead);
	if (!BufferIsValid(buffer))
	{
		scan->at_end = true;
		return false;
	}

	page->buffer = buffer;
	page->recent = buffer;
	page->block = BufferGetBlockNumber(buffer);
	page->first_row = scan->nrows;
	page->first_index = 0;
	scan->npages++;
	scan->counters.pages++;

	if (look_ahead)
	{
		scan->ahead = vexec_pages_next(&scan->pages_ahead);
		scan->prefetch_due = BufferIsValid(scan->ahead);
		scan->at_end = !scan->prefetch_due;
	}

	core->rs_cbuf = buffer;
	core->rs_cblock = page->block;
	heap_prepare_pagescan((TableScanDesc) core);
	core->rs_cbuf = InvalidBuffer;
	scan->prepared_used = 0;
	return true;
}

/*
 * Lower scan->clean to the first null of rows begin .. end-1, some of which
 * have null bitmaps.  Nulls behind the last column that is decoded do not
 * count.
 */
static void
find_nulls(VexecHeapScan *scan, int begin, int end)
{
	int			clean = Min(scan->clean, scan->last);

	for (int row = begin; row < end; row++)
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

/*
 * Tuples of the newest page become rows nrows .. nrows+count-1.  Returns false
 * where they have to begin a batch of their own, because they are not clean and
 * pages of this batch were let go.
 */
static bool
gather_rows(VexecHeapScan *scan, int count)
{
	Buffer		buffer = scan->pages[scan->npages - 1].buffer;
	int			begin = scan->nrows;
	int			clean_before = scan->clean;
	VexecGathered gathered = {0, HEAP_NATTS_MASK};

	if (scan->has_columns)
		scan->decoder.kernels->gather(BufferGetPage(buffer), scan->lines + begin, count,
									  scan->data + begin, scan->header_size + begin, &gathered);

	/*
	 * Not earlier: lines of this page that have gone to the second-level cache
	 * would have to wait behind those of the next one.
	 */
	if (scan->prefetch_due)
	{
		prefetch_page(scan, buffer);
		scan->prefetch_due = false;
	}

	scan->clean = Min(scan->clean, gathered.natts);
	if ((gathered.infomask & HEAP_HASNULL) != 0)
		find_nulls(scan, begin, begin + count);

	if (!scan->eager_batch)
		return true;
	scan->walk_att = -1;
	if (scan->clean < scan->eager_last)
	{
		if (scan->unpin && begin > 0)
		{
			scan->clean = clean_before;
			scan->not_eager_next = true;
			return false;
		}
		scan->eager_batch = false;
		scan->unpin = false;
		return true;
	}
	for (int i = 0; i < scan->neager; i++)
	{
		VexecColumn *column = scan->eager[i];
		VexecWalk	walk = {.data = scan->data, .begin = begin, .end = begin + count};

		walk_to_column(scan, column, &walk);
		vexec_column_decode_part(&scan->decoder, column, &walk);
		walk_passed(scan, column, &walk);
	}
	scan->counters.values_decoded += (uint64) scan->neager * count;
	return true;
}

/* Choose the stages that the next batch decodes while it is gathered. */
static void
choose_eager(VexecHeapScan *scan)
{
	bool		changed = false;

	for (int i = 0; i < scan->nstages; i++)
	{
		ScanStage  *stage = &scan->stages[i];
		bool		eager;

		stage->recent_rows += scan->nrows;
		stage->recent_selected += stage->selected;
		stage->selected = 0;
		eager = stage->recent_selected >
			(stage->eager ? EAGER_BELOW : EAGER_ABOVE) * stage->recent_rows;
		if (stage->recent_rows > EAGER_WINDOW)
		{
			stage->recent_rows /= 2;
			stage->recent_selected /= 2;
		}
		changed |= eager != stage->eager;
		stage->eager = eager;
	}
	if (changed)
		collect_eager(scan);
}

/* Forget what is known of the batch before. */
static void
begin_batch(VexecHeapScan *scan)
{
	MemoryContextReset(scan->decoder.memory);
	if (scan->nrows > 0)
		choose_eager(scan);

	/* tuples that are not clean come in crowds */
	scan->eager_batch = scan->clean >= scan->eager_last && !scan->not_eager_next;
	scan->not_eager_next = false;
	scan->unpin = scan->by_value && scan->eager_batch && scan->neager == scan->ncolumns;
	for (int i = 0; i < scan->nstages; i++)
	{
		for (int j = 0; j < scan->stages[i].ncolumns; j++)
		{
			scan->stages[i].columns[j]->recorded = false;
			scan->stages[i].columns[j]->decoded = scan->stages[i].eager;
		}
	}
	scan->nrows = 0;
	scan->recent_page = 0;
	scan->clean = MaxTupleAttributeNumber;
	scan->walk_att = -1;
}

int
vexec_heap_next_batch(VexecHeapScan *scan, int maxrows)
{
	HeapScanDesc core = scan->core;
	bool		newest_left;
	int			limit;

	Assert(maxrows >= 1 && maxrows <= VEXEC_BATCH_ROWS);
	Assert(!scan->handed_over);

	begin_batch(scan);

	/* the newest page stays if only part of it was in the batch before */
	newest_left = scan->npages > 0 && scan->prepared_used < core->rs_ntuples;
	release_pages(scan, newest_left ? scan->npages - 1 : scan->npages);
	if (newest_left)
	{
		scan->pages[0].first_row = 0;
		scan->pages[0].first_index = scan->prepared_used;
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
		if (!gather_rows(scan, take))
			break;
		scan->nrows += take;
		scan->prepared_used += take;
		if (scan->unpin && scan->prepared_used == core->rs_ntuples)
		{
			ReleaseBuffer(scan->pages[scan->npages - 1].buffer);
			scan->pages[scan->npages - 1].buffer = InvalidBuffer;
		}
		if (scan->nrows == maxrows)
			break;
		newest_left = false;
	}

	if (scan->nrows > 0)
	{
		scan->counters.batches++;
		scan->counters.rows += scan->nrows;
		if (scan->clean < scan->last)
			scan->counters.batches_walked++;
	}
	if (!scan->eager_batch)
	{
		for (int i = 0; i < scan->neager; i++)
			scan->eager[i]->decoded = false;
	}
	return scan->nrows;
}

/* ----------------------------------------------------------------
 *		Batches to vectors
 * ----------------------------------------------------------------
 */

/* Note the offsets of the stage's columns, and of others that are passed. */
static void
walk_tuples(VexecHeapScan *scan, const ScanStage *stage, const uint16 *sel, int n)
{
	int			prefix = Min(scan->layout->prefix, scan->clean);
	int			first = -1;
	VexecWalk	walk = {.data = scan->data, .sel = sel, .begin = 0, .end = n};

	for (int i = 0; i < stage->ncolumns; i++)
	{
		VexecColumn *column = stage->columns[i];

		if (column->att >= prefix && !column->recorded && !column->decoded)
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
	walk_begin(scan, &walk);
	scan->decoder.kernels->walk(&walk, scan->header_size, scan->layout->attributes,
								scan->walk_att, stage->last);
	for (int att = scan->walk_att; att < stage->last; att++)
	{
		if (scan->columns[att] != NULL)
			scan->columns[att]->recorded = true;
	}
	walk_reached(scan, &walk, stage->last);
}

/* Decode one column; see vexec_heap_decode for the result. */
static int
decode_column(VexecHeapScan *scan, VexecColumn *column, const uint16 *sel, int n)
{
	VexecWalk	walk = {.data = scan->data, .sel = sel, .begin = 0, .end = n};
	int			stop;

	if (column->decoded)
		return scan->nrows;
	scan->counters.values_decoded += n;
	if (column->recorded)
		return vexec_column_decode_recorded(&scan->decoder, column, scan->data, sel, n);
	walk_to_column(scan, column, &walk);
	stop = vexec_column_decode(&scan->decoder, column, &walk, n);
	walk_passed(scan, column, &walk);
	return stop;
}

int
vexec_heap_decode(VexecHeapScan *scan, int stage_number, const uint16 *sel, int n)
{
	ScanStage  *stage = &scan->stages[stage_number];
	bool		clean = scan->clean >= stage->last;
	int			result = scan->nrows;
	int			reached;

	Assert(stage_number >= 0 && stage_number < scan->nstages);
	Assert(n >= 0 && n <= scan->nrows);

	stage->selected = n;
	if (!clean)
		walk_tuples(scan, stage, sel, n);

	/*
	 * Columns behind the position reached come first: those before it begin a
	 * walk of their own.
	 */
	reached = scan->walk_att;
	for (int pass = 0; pass < 2; pass++)
	{
		for (int i = 0; i < stage->ncolumns; i++)
		{
			VexecColumn *column = stage->columns[i];
			int			stop;

			if ((column->att < reached) != (pass == 1))
				continue;
			stop = decode_column(scan, column, sel, n);
			result = Min(result, stop);
		}
	}
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

/*
 * Read a page that was let go.  It mostly is where it was; then it does not
 * count, as core's scan would have kept it.
 */
static Buffer
read_again(VexecHeapScan *scan, const BatchPage *page)
{
	if (!ReadRecentBuffer(scan->rel->rd_locator, MAIN_FORKNUM, page->block, page->recent))
		return ReadBufferExtended(scan->rel, MAIN_FORKNUM, page->block, RBM_NORMAL,
								  scan->core->rs_strategy);
	if (scan->local)
		pgBufferUsage.local_blks_hit--;
	else
		pgBufferUsage.shared_blks_hit--;
	return page->recent;
}

/*
 * The page of a row, pinned.  Whatever pruning did to it since it was let go,
 * a tuple that our snapshot sees is still there, at the same line.
 */
static BatchPage *
page_of_row(VexecHeapScan *scan, int row)
{
	BatchPage  *page;
	int			i = Min(scan->recent_page, scan->npages - 1);

	/* rows are mostly asked for in order */
	Assert(row >= 0 && row < scan->nrows);
	while (scan->pages[i].first_row > row)
		i--;
	while (i + 1 < scan->npages && scan->pages[i + 1].first_row <= row)
		i++;
	scan->recent_page = i;
	page = &scan->pages[i];
	if (!BufferIsValid(page->buffer))
		page->buffer = read_again(scan, page);
	return page;
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

	Assert(core->rs_base.rs_parallel == NULL);
	if (row < 0)
	{
		/* as core leaves its scan at the end */
		Assert(scan->at_end);
		release_batch(scan);
		read_stream_reset(core->rs_read_stream);
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

Size
vexec_heap_batch_memory(const VexecHeapScan *scan)
{
	return MemoryContextMemAllocated(scan->decoder.memory, true);
}

VexecHeapCounters *
vexec_heap_counters(VexecHeapScan *scan)
{
	return &scan->counters;
}
