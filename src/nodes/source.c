/*-------------------------------------------------------------------------
 *
 * source.c
 *	  Where the batches of an aggregation come from.
 *
 * A plan's rows are copied as they come: the slot that holds one is the plan's
 * and lasts until the next.  Each column is kept as Datums, for core's
 * expressions, and turned into a vector of its kind when a batch is complete.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "nodes/source.h"

#include "executor/executor.h"
#include "miscadmin.h"
#include "utils/datum.h"
#include "utils/memutils.h"
#include "varatt.h"

/* A kernel such as LIKE reads a gigabyte a second. */
#define MAX_BATCH_BYTES ((Size) 32 * 1024 * 1024)

typedef struct RowColumn
{
	AttrNumber	attno;
	Oid			typid;
	int16		typlen;
	bool		typbyval;
	VexecVector *datums;		/* values as they came, copied */
	VexecVector *vector;		/* of the type's kind; datums itself if DATUM */
} RowColumn;

struct VexecSource
{
	VexecHeapScan *heap;		/* a table, else a plan: */

	PlanState  *plan;
	bool		at_end;			/* it is not asked again */
	int			nrows;			/* of the current batch */
	int			ncolumns;
	RowColumn  *columns;
	AttrNumber	last_attno;
	MemoryContext batch_memory;
	Size		batch_bytes;	/* copied so far */
	VexecHeapCounters counters; /* batches and rows */
};

VexecSource *
vexec_source_table(VexecHeapScan *heap)
{
	VexecSource *source = palloc0(sizeof(VexecSource));

	source->heap = heap;
	return source;
}

VexecSource *
vexec_source_rows(PlanState *plan, Bitmapset *columns)
{
	VexecSource *source = palloc0(sizeof(VexecSource));
	TupleDesc	tupdesc = ExecGetResultType(plan);
	int			attno = -1;

	source->plan = plan;
	source->batch_memory = GenerationContextCreate(CurrentMemoryContext, "vexec rows of a batch",
												   ALLOCSET_DEFAULT_SIZES);
	source->columns = palloc0(sizeof(RowColumn) * Max(bms_num_members(columns), 1));
	while ((attno = bms_next_member(columns, attno)) >= 0)
	{
		Form_pg_attribute attr = TupleDescAttr(tupdesc, attno - 1);
		RowColumn  *column = &source->columns[source->ncolumns++];
		VexecKind	kind = vexec_kind_of_type(attr->atttypid);

		column->attno = attno;
		column->typid = attr->atttypid;
		column->typlen = attr->attlen;
		column->typbyval = attr->attbyval;
		column->datums = vexec_vector_create(VEXEC_DATUM, false);
		column->vector = kind == VEXEC_DATUM ? column->datums : vexec_vector_create(kind, false);
		source->last_attno = attno;
	}
	return source;
}

/* Keep a value beyond the life of the slot it is in. */
static Datum
copy_value(VexecSource *source, const RowColumn *column, Datum value)
{
	Size		size;
	void	   *copy;

	if (column->typlen == -1 && VARATT_IS_EXTERNAL_EXPANDED(DatumGetPointer(value)))
	{
		value = datumCopy(value, false, -1);
		source->batch_bytes += VARSIZE_ANY(DatumGetPointer(value));
		return value;
	}
	size = datumGetSize(value, false, column->typlen);
	source->batch_bytes += size;
	copy = palloc(size);
	memcpy(copy, DatumGetPointer(value), size);
	return PointerGetDatum(copy);
}

static void
take_row(VexecSource *source, int row, TupleTableSlot *slot)
{
	slot_getsomeattrs(slot, source->last_attno);
	for (int i = 0; i < source->ncolumns; i++)
	{
		RowColumn  *column = &source->columns[i];
		Datum		value = slot->tts_values[column->attno - 1];

		if (slot->tts_isnull[column->attno - 1])
			vexec_vector_store(column->datums, row, column->typid, (Datum) 0, true);
		else
		{
			if (!column->typbyval)
				value = copy_value(source, column, value);
			VEXEC_VALUES(column->datums, Datum)[row] = value;
		}
	}
}

static int
next_rows(VexecSource *source, int maxrows)
{
	MemoryContext old;
	Size		limit = vexec_source_batch_limit();
	int			nrows = 0;

	MemoryContextReset(source->batch_memory);
	source->batch_bytes = 0;
	for (int i = 0; i < source->ncolumns; i++)
	{
		VexecVector *datums = source->columns[i].datums;

		datums->has_nulls = false;
		memset(datums->nulls, 0, VEXEC_NULL_WORDS * sizeof(uint64));
	}
	while (nrows < maxrows && !source->at_end && source->batch_bytes <= limit)
	{
		TupleTableSlot *slot = ExecProcNode(source->plan);

		if (TupIsNull(slot))
		{
			source->at_end = true;
			break;
		}
		old = MemoryContextSwitchTo(source->batch_memory);
		take_row(source, nrows, slot);
		MemoryContextSwitchTo(old);
		nrows++;
	}
	source->nrows = nrows;
	source->counters.rows += nrows;
	source->counters.batches += nrows > 0;
	return nrows;
}

/* Datums to values of a fixed width. */
#define UNPACK(type, from_datum) \
	do { \
		type	   *to_ = VEXEC_VALUES(column->vector, type); \
		\
		for (int row = 0; row < nrows; row++) \
			to_[row] = from_datum(from[row]); \
	} while (0)

static void
fill_vector(RowColumn *column, int nrows)
{
	const Datum *from = VEXEC_VALUES(column->datums, Datum);
	VexecVector *vector = column->vector;

	/* Datums at null rows are 0, which is a value of every fixed-width kind. */
	vector->has_nulls = column->datums->has_nulls;
	if (vector->has_nulls)
		memcpy(vector->nulls, column->datums->nulls, VEXEC_NULL_WORDS * sizeof(uint64));
	switch (vector->kind)
	{
		case VEXEC_BOOL:
			UNPACK(uint8, DatumGetBool);
			break;
		case VEXEC_INT16:
			UNPACK(int16, DatumGetInt16);
			break;
		case VEXEC_INT32:
			UNPACK(int32, DatumGetInt32);
			break;
		case VEXEC_INT64:
			UNPACK(int64, DatumGetInt64);
			break;
		case VEXEC_FLOAT4:
			UNPACK(float4, DatumGetFloat4);
			break;
		case VEXEC_FLOAT8:
			UNPACK(float8, DatumGetFloat8);
			break;
		case VEXEC_NUMERIC:
			if (vexec_numerics_to_decimal(vector, column->datums, nrows))
				break;
			vector->is_decimal = false;
			/* FALLTHROUGH */
		case VEXEC_STRING:
			for (int row = 0; row < nrows; row++)
				vexec_vector_store(vector, row, column->typid, from[row],
								   vexec_is_null(column->datums, row));
			break;
		case VEXEC_DATUM:
			break;
	}
}

int
vexec_source_next(VexecSource *source, int maxrows)
{
	if (source->heap != NULL)
		return vexec_heap_next_batch(source->heap, maxrows);
	return next_rows(source, maxrows);
}

int
vexec_source_decode(VexecSource *source, int stage, const uint16 *sel, int n)
{
	MemoryContext old;

	if (source->heap != NULL)
		return vexec_heap_decode(source->heap, stage, sel, n);
	old = MemoryContextSwitchTo(source->batch_memory);
	for (int i = 0; i < source->ncolumns; i++)
	{
		RowColumn  *column = &source->columns[i];

		if (column->vector != column->datums)
			fill_vector(column, source->nrows);
	}
	MemoryContextSwitchTo(old);
	return source->nrows;
}

VexecVector *
vexec_source_column(VexecSource *source, AttrNumber attno)
{
	if (source->heap != NULL)
		return vexec_heap_column(source->heap, attno);
	for (int i = 0; i < source->ncolumns; i++)
	{
		if (source->columns[i].attno == attno)
			return source->columns[i].vector;
	}
	elog(ERROR, "column %d of the input was not announced", attno);
}

TupleTableSlot *
vexec_source_create_slot(TupleDesc tupdesc, bool table, EState *estate)
{
	return ExecInitExtraTupleSlot(estate, tupdesc,
								  table ? &TTSOpsBufferHeapTuple : &TTSOpsVirtual);
}

void
vexec_source_store_row(VexecSource *source, int row, TupleTableSlot *slot)
{
	if (source->heap != NULL)
	{
		vexec_heap_store_slot(source->heap, row, slot);
		return;
	}
	ExecStoreAllNullTuple(slot);
	for (int i = 0; i < source->ncolumns; i++)
	{
		RowColumn  *column = &source->columns[i];
		int			at = column->attno - 1;

		slot->tts_isnull[at] = vexec_is_null(column->datums, row);
		slot->tts_values[at] = VEXEC_VALUES(column->datums, Datum)[row];
	}
}

void
vexec_source_count_rows(VexecSource *source, int nrows)
{
	if (source->heap != NULL)
		vexec_heap_count_rows(source->heap, nrows);
}

Size
vexec_source_batch_limit(void)
{
	return Min((Size) work_mem * 1024, MAX_BATCH_BYTES);
}

Size
vexec_source_batch_memory(const VexecSource *source)
{
	return source->heap != NULL ? vexec_heap_batch_memory(source->heap) : source->batch_bytes;
}

VexecHeapScan *
vexec_source_heap(const VexecSource *source)
{
	return source->heap;
}

VexecHeapCounters *
vexec_source_counters(VexecSource *source)
{
	return source->heap != NULL ? vexec_heap_counters(source->heap) : &source->counters;
}

void
vexec_source_rescan(VexecSource *source)
{
	if (source->heap != NULL)
	{
		vexec_heap_rescan(source->heap);
		return;
	}
	source->at_end = false;
	source->nrows = 0;
	MemoryContextReset(source->batch_memory);
	if (source->plan->chgParam == NULL)
		ExecReScan(source->plan);
}

void
vexec_source_end(VexecSource *source)
{
	if (source->heap != NULL)
		vexec_heap_end(source->heap);
	source->heap = NULL;
}
