/*-------------------------------------------------------------------------
 *
 * sorted_call.c
 *	  Aggregates with DISTINCT, ORDER BY or WITHIN GROUP: the rows of all groups
 *	  go to one sort, and come back group by group.
 *
 * The first sort column is an int8: the ticket in the top 31 bits, below it
 * whether the first ORDER BY value is null, and 32 bits of that value in its
 * sort order.  Thus most comparisons are one of integers, and where the value
 * fits in 32 bits it need not be looked at again.  After the ORDER BY columns
 * the order of arrival decides.
 *
 * Ordered-set aggregates sort for themselves: they get the rows of a group in
 * the order of arrival, as in nodeAgg.c.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "agg/calls.h"

#include <math.h>

#include "catalog/pg_aggregate.h"
#include "catalog/pg_operator_d.h"
#include "catalog/pg_type_d.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/numeric.h"
#include "utils/tuplesort.h"
#include "utils/typcache.h"

#include "compat.h"

#define MIN_SORT_MEMORY (64 * 1024)

/* Bits of the first sort column. */
#define PREFIX_BITS 33
#define PREFIX_NULL (UINT64CONST(1) << 32)
#define LEAD_SIGN (UINT64CONST(1) << 63)

/* Integers of this size are exact in a double. */
#define EXACT_DOUBLE (INT64CONST(1) << 53)

/* What the lower bits of the first sort column hold. */
typedef enum PrefixKind
{
	PREFIX_ARRIVAL,				/* number of the row; groups are not sorted */
	PREFIX_NONE,
	PREFIX_INEXACT,				/* equal ones need another look */
	PREFIX_EXACT
} PrefixKind;

struct VexecSortedCall
{
	VexecCoreCall *core;
	int			nargs;
	int			ninputs;		/* the first so many are passed on */
	bool		strict;			/* rows with a null input are left out */
	bool		ordered_set;
	bool		direct;			/* the only group: rows went to the state */
	Oid		   *types;			/* of the arguments */

	PrefixKind	prefix;
	int			prefix_arg;
	bool		prefix_descending;
	bool		prefix_nulls_first;

	/* Tuples: the first sort column, the arguments, maybe the arrival. */
	TupleDesc	desc;
	bool		has_arrival;
	int			ncolumns;		/* sort columns */
	AttrNumber *columns;
	Oid		   *operators;
	Oid		   *collations;
	bool	   *nulls_first;

	int			ndistinct;
	AttrNumber *distinct_columns;
	Oid		   *distinct_collations;
	FmgrInfo   *equal;

	Tuplesortstate *sort;		/* NULL before begin and after reset */
	TupleTableSlot *input;
	TupleTableSlot *current;	/* the tuple read last */
	TupleTableSlot *previous;	/* DISTINCT: the last one that was passed on */
	bool		pending;		/* current is not yet used */
	bool		at_end;
	uint64		arrival;
	Size		disk;
	MemoryContext memory;		/* owns the sort */
	MemoryContext scratch;		/* values of a row, leavings of equality functions */
};

/* --- creation ------------------------------------------------------------------ */

static void
init_descriptor(VexecSortedCall *sorted, Aggref *aggref)
{
	Expr	   *int8 = (Expr *) makeConst(INT8OID, -1, InvalidOid, sizeof(int64), (Datum) 0, false,
										  true);
	List	   *entries = list_make1(makeTargetEntry(int8, 1, NULL, false));

	foreach_node(TargetEntry, entry, aggref->args)
		entries = lappend(entries, makeTargetEntry(entry->expr, list_length(entries) + 1, NULL,
												   false));
	if (sorted->has_arrival)
		entries = lappend(entries, makeTargetEntry(int8, list_length(entries) + 1, NULL, false));
	sorted->desc = ExecTypeFromTL(entries);
}

/* How the first sort column can take part of an argument's value. */
static PrefixKind
prefix_kind(Oid typid, Oid collation, Oid sort_operator, bool *descending)
{
	TypeCacheEntry *type = lookup_type_cache(typid, TYPECACHE_LT_OPR | TYPECACHE_GT_OPR);

	/* the bits are in the order of the type's own operators only */
	if (sort_operator != type->lt_opr && sort_operator != type->gt_opr)
		return PREFIX_NONE;
	*descending = (sort_operator == type->gt_opr);
	switch (vexec_kind_of_type(typid))
	{
		case VEXEC_BOOL:
		case VEXEC_INT16:
		case VEXEC_INT32:
			return PREFIX_EXACT;
		case VEXEC_INT64:
		case VEXEC_FLOAT4:
		case VEXEC_FLOAT8:
		case VEXEC_NUMERIC:
			return PREFIX_INEXACT;
		case VEXEC_STRING:
			/* trailing blanks of char(n) are not compared */
			return typid != BPCHAROID && OidIsValid(collation) &&
				vexec_collation_is_c(collation) ? PREFIX_INEXACT : PREFIX_NONE;
		case VEXEC_DATUM:
			break;
	}
	return PREFIX_NONE;
}

static void
add_column(VexecSortedCall *sorted, AttrNumber column, Oid operator, Oid collation,
		   bool nulls_first)
{
	sorted->columns[sorted->ncolumns] = column;
	sorted->operators[sorted->ncolumns] = operator;
	sorted->collations[sorted->ncolumns] = collation;
	sorted->nulls_first[sorted->ncolumns] = nulls_first;
	sorted->ncolumns++;
}

static void
init_columns(VexecSortedCall *sorted, Aggref *aggref)
{
	List	   *clauses = aggref->aggdistinct != NIL ? aggref->aggdistinct : aggref->aggorder;
	int			limit = list_length(clauses) + 2;

	if (sorted->ordered_set)
		clauses = NIL;
	sorted->columns = palloc(limit * sizeof(AttrNumber));
	sorted->operators = palloc(limit * sizeof(Oid));
	sorted->collations = palloc(limit * sizeof(Oid));
	sorted->nulls_first = palloc(limit * sizeof(bool));
	sorted->prefix = PREFIX_ARRIVAL;

	add_column(sorted, 1, Int8LessOperator, InvalidOid, false);
	foreach_node(SortGroupClause, clause, clauses)
	{
		TargetEntry *entry = get_sortgroupclause_tle(clause, aggref->args);
		Oid			collation = exprCollation((Node *) entry->expr);

		if (foreach_current_index(clause) == 0)
		{
			sorted->prefix_arg = entry->resno - 1;
			sorted->prefix_nulls_first = clause->nulls_first;
			sorted->prefix = prefix_kind(exprType((Node *) entry->expr), collation,
										 clause->sortop, &sorted->prefix_descending);
			if (sorted->prefix == PREFIX_EXACT)
				continue;
		}
		add_column(sorted, entry->resno + 1, clause->sortop, collation, clause->nulls_first);
	}

	/* rows that cannot be told from each other have no order */
	sorted->has_arrival = sorted->prefix != PREFIX_ARRIVAL &&
		!(sorted->prefix == PREFIX_EXACT && sorted->nargs == 1);
	if (sorted->has_arrival)
		add_column(sorted, sorted->nargs + 2, Int8LessOperator, InvalidOid, false);
}

static void
init_distinct(VexecSortedCall *sorted, Aggref *aggref)
{
	int			n = list_length(aggref->aggdistinct);

	sorted->ndistinct = n;
	sorted->distinct_columns = palloc(Max(n, 1) * sizeof(AttrNumber));
	sorted->distinct_collations = palloc(Max(n, 1) * sizeof(Oid));
	sorted->equal = palloc0(Max(n, 1) * sizeof(FmgrInfo));
	foreach_node(SortGroupClause, clause, aggref->aggdistinct)
	{
		int			i = foreach_current_index(clause);
		TargetEntry *entry = get_sortgroupclause_tle(clause, aggref->args);

		sorted->distinct_columns[i] = entry->resno + 1;
		sorted->distinct_collations[i] = n == 1 ? aggref->inputcollid :
			exprCollation((Node *) entry->expr);
		fmgr_info(get_opcode(clause->eqop), &sorted->equal[i]);
	}
}

VexecSortedCall *
vexec_sorted_call_create(const VexecCall *call, VexecCoreCall *core)
{
	VexecSortedCall *sorted = palloc0(sizeof(VexecSortedCall));
	Aggref	   *aggref = call->aggref;

	Assert(call->nargs == list_length(aggref->args));
	sorted->core = core;
	sorted->nargs = call->nargs;
	sorted->ordered_set = AGGKIND_IS_ORDERED_SET(aggref->aggkind);
	sorted->ninputs = vexec_core_call_inputs(core, &sorted->strict);
	sorted->types = palloc(Max(call->nargs, 1) * sizeof(Oid));
	foreach_node(TargetEntry, entry, aggref->args)
		sorted->types[foreach_current_index(entry)] = exprType((Node *) entry->expr);

	init_columns(sorted, aggref);
	init_distinct(sorted, aggref);
	init_descriptor(sorted, aggref);
	sorted->input = MakeSingleTupleTableSlot(sorted->desc, &TTSOpsVirtual);
	sorted->current = MakeSingleTupleTableSlot(sorted->desc, &TTSOpsMinimalTuple);
	sorted->previous = MakeSingleTupleTableSlot(sorted->desc, &TTSOpsMinimalTuple);
	sorted->memory = AllocSetContextCreate(CurrentMemoryContext, "vexec aggregate sort",
										   ALLOCSET_DEFAULT_SIZES);
	sorted->scratch = AllocSetContextCreate(CurrentMemoryContext, "vexec aggregate sort row",
											ALLOCSET_DEFAULT_SIZES);
	return sorted;
}

/* --- input ------------------------------------------------------------------------ */

void
vexec_sorted_call_begin(VexecSortedCall *sorted, Size memory)
{
	MemoryContext old_context = MemoryContextSwitchTo(sorted->memory);
	Size		kilobytes = Max(memory, MIN_SORT_MEMORY) / 1024;

	Assert(sorted->sort == NULL);
	sorted->sort = tuplesort_begin_heap(sorted->desc, sorted->ncolumns, sorted->columns,
										sorted->operators, sorted->collations,
										sorted->nulls_first, (int) Min(kilobytes, MAX_KILOBYTES),
										NULL, TUPLESORT_NONE);
	sorted->arrival = 0;
	sorted->pending = false;
	sorted->at_end = false;
	sorted->direct = false;
	MemoryContextSwitchTo(old_context);
}

/* The top 32 bits of a double whose unsigned order is that of float8. */
static uint32
float_bits(double value)
{
	uint64		bits;

	if (isnan(value))
		return PG_UINT32_MAX;
	value += 0.0;				/* minus zero equals zero */
	memcpy(&bits, &value, sizeof(bits));
	bits = (bits & LEAD_SIGN) ? ~bits : bits | LEAD_SIGN;
	return (uint32) (bits >> 32);
}

/*
 * Conversions to double are rounded correctly, so they keep the order.  That
 * holds for a decimal's division as long as both operands are exact.
 */
static uint32
numeric_bits(const VexecVector *arg, int row)
{
	static const double powers[] = {
		1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
		1e17, 1e18
	};
	bool		isnull;
	Datum		value;

	StaticAssertStmt(lengthof(powers) == VEXEC_MAX_SCALE + 1, "a power for each scale");
	if (arg->is_decimal)
	{
		int64		integer = VEXEC_VALUES(arg, int64)[row];

		if (integer > -EXACT_DOUBLE && integer < EXACT_DOUBLE)
			return float_bits((double) integer / powers[arg->scale]);
	}
	value = vexec_vector_fetch(arg, row, NUMERICOID, &isnull);
	return float_bits(DatumGetFloat8(DirectFunctionCall1(numeric_float8_no_overflow, value)));
}

static uint32
string_bits(const VexecString *string)
{
	uint32		bits = 0;

	for (int i = 0; i < sizeof(bits); i++)
		bits = bits << 8 | (i < string->len ? (uint8) string->data[i] : 0);
	return bits;
}

/* 33 bits in the order of the first sort column's value. */
static uint64
prefix_bits(const VexecSortedCall *sorted, const VexecVector *arg, int row)
{
	uint32		bits = 0;

	if (arg->constant)
		row = 0;
	if (vexec_is_null(arg, row))
		return sorted->prefix_nulls_first ? 0 : PREFIX_NULL;
	switch (arg->kind)
	{
		case VEXEC_BOOL:
			bits = VEXEC_VALUES(arg, uint8)[row] != 0;
			break;
		case VEXEC_INT16:
			bits = (uint32) (int32) VEXEC_VALUES(arg, int16)[row] ^ 0x80000000;
			break;
		case VEXEC_INT32:
			bits = (uint32) VEXEC_VALUES(arg, int32)[row] ^ 0x80000000;
			break;
		case VEXEC_INT64:
			bits = float_bits((double) VEXEC_VALUES(arg, int64)[row]);
			break;
		case VEXEC_FLOAT4:
			bits = float_bits(VEXEC_VALUES(arg, float4)[row]);
			break;
		case VEXEC_FLOAT8:
			bits = float_bits(VEXEC_VALUES(arg, float8)[row]);
			break;
		case VEXEC_NUMERIC:
			bits = numeric_bits(arg, row);
			break;
		case VEXEC_STRING:
			bits = string_bits(&VEXEC_VALUES(arg, VexecString)[row]);
			break;
		case VEXEC_DATUM:
			elog(ERROR, "value of an unexpected kind in an aggregate's sort");
	}
	if (sorted->prefix_descending)
		bits = ~bits;
	return (sorted->prefix_nulls_first ? PREFIX_NULL : 0) | bits;
}

static int64
lead_value(const VexecSortedCall *sorted, const VexecVector *const *args, uint32 ticket, int row)
{
	uint64		bits = 0;

	/* beyond 2^33 rows arrivals are numbered from 0 again: no order is promised */
	if (sorted->prefix == PREFIX_ARRIVAL)
		bits = sorted->arrival & ((UINT64CONST(1) << PREFIX_BITS) - 1);
	else if (sorted->prefix != PREFIX_NONE)
		bits = prefix_bits(sorted, args[sorted->prefix_arg], row);
	return (int64) (((uint64) ticket << PREFIX_BITS | bits) ^ LEAD_SIGN);
}

static uint32
lead_ticket(int64 lead)
{
	return (uint32) (((uint64) lead ^ LEAD_SIGN) >> PREFIX_BITS);
}

static bool
has_null_input(const VexecSortedCall *sorted, const VexecVector *const *args, int row)
{
	for (int i = 0; i < sorted->ninputs; i++)
	{
		if (vexec_is_null(args[i], row))
			return true;
	}
	return false;
}

static void
put_row(VexecSortedCall *sorted, const VexecVector *const *args, uint32 ticket, int row)
{
	TupleTableSlot *slot = sorted->input;
	MemoryContext old_context;

	MemoryContextReset(sorted->scratch);
	old_context = MemoryContextSwitchTo(sorted->scratch);
	ExecClearTuple(slot);
	slot->tts_values[0] = Int64GetDatum(lead_value(sorted, args, ticket, row));
	slot->tts_isnull[0] = false;
	for (int i = 0; i < sorted->nargs; i++)
		slot->tts_values[i + 1] = vexec_vector_fetch(args[i], row, sorted->types[i],
													 &slot->tts_isnull[i + 1]);
	if (sorted->has_arrival)
	{
		slot->tts_values[sorted->nargs + 1] = Int64GetDatum((int64) sorted->arrival);
		slot->tts_isnull[sorted->nargs + 1] = false;
	}
	sorted->arrival++;
	ExecStoreVirtualTuple(slot);
	MemoryContextSwitchTo(old_context);
	tuplesort_puttupleslot(sorted->sort, slot);
}

void
vexec_sorted_call_put(VexecSortedCall *sorted, const VexecVector *const *args,
					  const uint32 *tickets, const uint16 *sel, int n)
{
	if (sorted->ordered_set && tickets == NULL && !sorted->direct)
	{
		Assert(sorted->arrival == 0);
		sorted->direct = true;
		vexec_core_call_reset(sorted->core);
		vexec_core_call_grow(sorted->core, 1);
	}
	for (int k = 0; k < n; k++)
	{
		int			row = sel ? sel[k] : k;

		if (sorted->strict && has_null_input(sorted, args, row))
			continue;
		if (sorted->direct)
			vexec_core_call_advance_row(sorted->core, 0, args, row);
		else
			put_row(sorted, args, tickets ? tickets[row] : 0, row);
	}
}

/* --- output -------------------------------------------------------------------------- */

static void
note_disk(VexecSortedCall *sorted)
{
	TuplesortInstrumentation stats;

	tuplesort_get_stats(sorted->sort, &stats);
	if (stats.spaceType == SORT_SPACE_TYPE_DISK)
		sorted->disk = (Size) stats.spaceUsed * 1024;
}

void
vexec_sorted_call_finish(VexecSortedCall *sorted)
{
	tuplesort_performsort(sorted->sort);
	note_disk(sorted);
}

/* Is the tuple read equal to the last one passed on, in the columns of DISTINCT? */
static bool
is_duplicate(VexecSortedCall *sorted)
{
	MemoryContext old_context;
	bool		duplicate = true;

	/* groups differ, or the first sort column's value */
	if (DatumGetInt64(sorted->current->tts_values[0]) !=
		DatumGetInt64(sorted->previous->tts_values[0]))
		return false;

	MemoryContextReset(sorted->scratch);
	old_context = MemoryContextSwitchTo(sorted->scratch);
	for (int i = sorted->ndistinct - 1; i >= 0 && duplicate; i--)
	{
		int			at = sorted->distinct_columns[i] - 1;
		bool		is_null = sorted->current->tts_isnull[at];

		if (is_null || sorted->previous->tts_isnull[at])
			duplicate = is_null && sorted->previous->tts_isnull[at];
		else
			duplicate = DatumGetBool(FunctionCall2Coll(&sorted->equal[i],
													   sorted->distinct_collations[i],
													   sorted->previous->tts_values[at],
													   sorted->current->tts_values[at]));
	}
	MemoryContextSwitchTo(old_context);
	return duplicate;
}

static bool
read_tuple(VexecSortedCall *sorted)
{
	MemoryContext old_context;
	bool		found;

	if (sorted->pending)
		return true;
	if (sorted->at_end)
		return false;
	CHECK_FOR_INTERRUPTS();

	/* a copy, which DISTINCT needs, outlives the caller's context */
	old_context = MemoryContextSwitchTo(sorted->memory);
	found = tuplesort_gettupleslot(sorted->sort, true, sorted->ndistinct > 0, sorted->current,
								   NULL);
	MemoryContextSwitchTo(old_context);
	if (!found)
	{
		sorted->at_end = true;
		return false;
	}
	slot_getsomeattrs(sorted->current, sorted->nargs + 1);
	sorted->pending = true;
	return true;
}

void
vexec_sorted_call_replay(VexecSortedCall *sorted, uint32 ticket)
{
	bool		has_previous = false;

	if (sorted->direct)
	{
		Assert(ticket == 0);
		return;
	}
	vexec_core_call_reset(sorted->core);
	vexec_core_call_grow(sorted->core, 1);
	while (read_tuple(sorted))
	{
		uint32		read = lead_ticket(DatumGetInt64(sorted->current->tts_values[0]));

		if (read > ticket)
			break;
		sorted->pending = false;
		if (read < ticket || (has_previous && is_duplicate(sorted)))
			continue;
		vexec_core_call_advance(sorted->core, 0, sorted->current->tts_values + 1,
								sorted->current->tts_isnull + 1);
		if (sorted->ndistinct > 0)
		{
			TupleTableSlot *slot = sorted->previous;

			sorted->previous = sorted->current;
			sorted->current = slot;
			has_previous = true;
		}
	}
	ExecClearTuple(sorted->previous);
}

Size
vexec_sorted_call_disk(VexecSortedCall *sorted)
{
	if (sorted->sort != NULL)
		note_disk(sorted);
	return sorted->disk;
}

void
vexec_sorted_call_reset(VexecSortedCall *sorted)
{
	ExecClearTuple(sorted->input);
	ExecClearTuple(sorted->current);
	ExecClearTuple(sorted->previous);
	if (sorted->sort != NULL)
	{
		tuplesort_end(sorted->sort);
		sorted->sort = NULL;
	}
	sorted->direct = false;
	vexec_core_call_reset(sorted->core);
	MemoryContextReset(sorted->memory);
	MemoryContextReset(sorted->scratch);
}
