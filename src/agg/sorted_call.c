/*-------------------------------------------------------------------------
 *
 * sorted_call.c
 *	  Aggregates with DISTINCT, ORDER BY or WITHIN GROUP: the rows of all groups
 *	  go to one sort, and come back group by group.
 *
 * Every row has a leading integer of the ticket and part of the first ORDER BY
 * value (sort_lead.h), so most comparisons are one of integers.  A value that
 * fits there is taken from there; where no other column is left, integers are
 * all that is sorted; where the integer says nothing, it is left out.  After the
 * ORDER BY columns the order of arrival decides.
 *
 * Ordered-set aggregates sort for themselves: as in nodeAgg.c they get the rows
 * of a group in the order of arrival.  To core's own ones that order does not
 * matter, and values that come sorted save them work.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "agg/calls.h"
#include "agg/sort_lead.h"

#include "access/htup_details.h"
#include "catalog/pg_aggregate.h"
#include "catalog/pg_operator_d.h"
#include "catalog/pg_type_d.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/fmgroids.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/syscache.h"
#include "utils/tuplesort.h"

#define MIN_SORT_MEMORY (64 * 1024)

/* Where an argument's value comes from when a row is read. */
typedef enum ArgumentSource
{
	SOURCE_COLUMN,				/* the tuple */
	SOURCE_LEAD,				/* the leading integer */
	SOURCE_CONSTANT
} ArgumentSource;

typedef struct Argument
{
	Oid			type;
	ArgumentSource source;
	AttrNumber	column;			/* SOURCE_COLUMN; 0 until assigned */
	const Const *constant;		/* SOURCE_CONSTANT: borrowed */
} Argument;

/* A row that was read. */
typedef struct SortedRow
{
	int64		lead;
	Datum	   *values;			/* of the arguments */
	bool	   *isnull;
	TupleTableSlot *slot;		/* owns what the values point to */
} SortedRow;

struct VexecSortedCall
{
	VexecCoreCall *core;
	int			nargs;
	int			ninputs;		/* the first so many are passed on */
	bool		strict;			/* rows with a null input are left out */
	bool		ordered_set;
	bool		direct;			/* the only group: rows went to the state */
	Argument   *args;

	VexecSortLead lead;
	bool		integers;		/* only the leading integers are sorted */
	AttrNumber	lead_column;	/* of the tuple; 0 if there is none */
	AttrNumber	arrival_column; /* likewise */
	TupleDesc	desc;
	int			ncolumns;		/* sort columns */
	AttrNumber *columns;
	Oid		   *operators;
	Oid		   *collations;
	bool	   *nulls_first;

	int			ndistinct;
	int		   *distinct_args;
	Oid		   *distinct_collations;
	FmgrInfo   *equal;

	Tuplesortstate *sort;		/* NULL before begin and after reset */
	TupleTableSlot *input;
	SortedRow	current;		/* the row read last */
	SortedRow	previous;		/* DISTINCT: the last one that was passed on */
	bool		pending;		/* current is not yet used */
	bool		at_end;
	uint64		arrival;
	Size		disk;
	MemoryContext memory;		/* owns the sort */
	MemoryContext scratch;		/* values of a row, leavings of equality functions */
};

/* --- creation ------------------------------------------------------------------ */

/* Can rows that the ORDER BY values do not tell apart differ? */
static bool
ties_can_differ(const VexecSortedCall *sorted, Aggref *aggref, List *clauses)
{
	foreach_node(TargetEntry, entry, aggref->args)
	{
		bool		same = sorted->args[foreach_current_index(entry)].source != SOURCE_COLUMN;

		foreach_node(SortGroupClause, clause, clauses)
		{
			if (clause->tleSortGroupRef == entry->ressortgroupref)
				same = same || vexec_sort_equal_is_same(entry->expr, clause->sortop);
		}
		if (!same)
			return true;
	}
	return false;
}

static void
add_sort_column(VexecSortedCall *sorted, AttrNumber column, Oid operator, Oid collation,
				bool nulls_first)
{
	sorted->columns[sorted->ncolumns] = column;
	sorted->operators[sorted->ncolumns] = operator;
	sorted->collations[sorted->ncolumns] = collation;
	sorted->nulls_first[sorted->ncolumns] = nulls_first;
	sorted->ncolumns++;
}

static AttrNumber
add_column(List **entries, Expr *expr)
{
	AttrNumber	column = list_length(*entries) + 1;

	*entries = lappend(*entries, makeTargetEntry(expr, column, NULL, false));
	return column;
}

/*
 * Lay out the tuple and its sort columns.  Columns to sort come first: nearly
 * always their place in the tuple is fixed then.
 */
static void
init_columns(VexecSortedCall *sorted, Aggref *aggref, List *clauses)
{
	int			limit = list_length(clauses) + 2;
	bool		integers = true;
	List	   *entries = NIL;

	sorted->columns = palloc(limit * sizeof(AttrNumber));
	sorted->operators = palloc(limit * sizeof(Oid));
	sorted->collations = palloc(limit * sizeof(Oid));
	sorted->nulls_first = palloc(limit * sizeof(bool));

	foreach_node(TargetEntry, entry, aggref->args)
	{
		Argument   *arg = &sorted->args[foreach_current_index(entry)];

		arg->type = exprType((Node *) entry->expr);
		if (IsA(entry->expr, Const))
		{
			arg->source = SOURCE_CONSTANT;
			arg->constant = (Const *) entry->expr;
		}
		else if (sorted->lead.kind == VEXEC_LEAD_EXACT &&
				 foreach_current_index(entry) == sorted->lead.arg)
			arg->source = SOURCE_LEAD;
		else
			integers = false;
	}
	sorted->integers = integers;
	if (integers)
		return;

	if (sorted->lead.grouped || sorted->ordered_set || sorted->lead.kind != VEXEC_LEAD_NONE)
	{
		sorted->lead_column = add_column(&entries,
										 (Expr *) makeNullConst(INT8OID, -1, InvalidOid));
		add_sort_column(sorted, sorted->lead_column, Int8LessOperator, InvalidOid, false);
	}
	if (sorted->ordered_set || !ties_can_differ(sorted, aggref, clauses))
		 /* any order will do */ ;
	else if (!sorted->lead.grouped && sorted->lead.kind == VEXEC_LEAD_EXACT &&
			 list_length(clauses) == 1)
		sorted->lead.arrival = true;
	else
		sorted->arrival_column = add_column(&entries,
											(Expr *) makeNullConst(INT4OID, -1, InvalidOid));
	foreach_node(SortGroupClause, clause, clauses)
	{
		TargetEntry *entry = get_sortgroupclause_tle(clause, aggref->args);
		Argument   *arg = &sorted->args[entry->resno - 1];

		if (arg->source != SOURCE_COLUMN || arg->column != 0)
			continue;
		arg->column = add_column(&entries, entry->expr);
		if (!sorted->ordered_set)
			add_sort_column(sorted, arg->column, clause->sortop,
							exprCollation((Node *) entry->expr), clause->nulls_first);
	}
	if (sorted->arrival_column != 0)
		add_sort_column(sorted, sorted->arrival_column, Int4LessOperator, InvalidOid, false);
	foreach_node(TargetEntry, entry, aggref->args)
	{
		Argument   *arg = &sorted->args[foreach_current_index(entry)];

		if (arg->source != SOURCE_COLUMN || arg->column != 0)
			continue;
		arg->column = add_column(&entries, entry->expr);
	}
	sorted->desc = ExecTypeFromTL(entries);
	sorted->input = MakeSingleTupleTableSlot(sorted->desc, &TTSOpsVirtual);
	sorted->current.slot = MakeSingleTupleTableSlot(sorted->desc, &TTSOpsMinimalTuple);
	sorted->previous.slot = MakeSingleTupleTableSlot(sorted->desc, &TTSOpsMinimalTuple);
}

static void
init_row(SortedRow *row, int nargs)
{
	row->values = palloc0(Max(nargs, 1) * sizeof(Datum));
	row->isnull = palloc0(Max(nargs, 1) * sizeof(bool));
}

static void
init_distinct(VexecSortedCall *sorted, Aggref *aggref)
{
	int			n = list_length(aggref->aggdistinct);

	sorted->ndistinct = n;
	sorted->distinct_args = palloc(Max(n, 1) * sizeof(int));
	sorted->distinct_collations = palloc(Max(n, 1) * sizeof(Oid));
	sorted->equal = palloc0(Max(n, 1) * sizeof(FmgrInfo));
	foreach_node(SortGroupClause, clause, aggref->aggdistinct)
	{
		int			i = foreach_current_index(clause);
		TargetEntry *entry = get_sortgroupclause_tle(clause, aggref->args);

		sorted->distinct_args[i] = entry->resno - 1;
		sorted->distinct_collations[i] = n == 1 ? aggref->inputcollid :
			exprCollation((Node *) entry->expr);
		fmgr_info(get_opcode(clause->eqop), &sorted->equal[i]);
	}
}

/* Does the aggregate's transition function do no more than sort? */
static bool
is_core_ordered_set(Aggref *aggref)
{
	HeapTuple	tuple = SearchSysCache1(AGGFNOID, ObjectIdGetDatum(aggref->aggfnoid));
	Oid			function;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for aggregate %u", aggref->aggfnoid);
	function = ((Form_pg_aggregate) GETSTRUCT(tuple))->aggtransfn;
	ReleaseSysCache(tuple);
	return function == F_ORDERED_SET_TRANSITION || function == F_ORDERED_SET_TRANSITION_MULTI;
}

VexecSortedCall *
vexec_sorted_call_create(const VexecCall *call, VexecCoreCall *core, bool grouped)
{
	VexecSortedCall *sorted = palloc0(sizeof(VexecSortedCall));
	Aggref	   *aggref = call->aggref;
	List	   *clauses = aggref->aggdistinct != NIL ? aggref->aggdistinct : aggref->aggorder;

	Assert(call->nargs == list_length(aggref->args));
	sorted->core = core;
	sorted->nargs = call->nargs;
	sorted->ordered_set = AGGKIND_IS_ORDERED_SET(aggref->aggkind);
	sorted->ninputs = vexec_core_call_inputs(core, &sorted->strict);
	sorted->args = palloc0(Max(call->nargs, 1) * sizeof(Argument));
	vexec_sort_lead_init(&sorted->lead, grouped);
	if (clauses != NIL && (!sorted->ordered_set || is_core_ordered_set(aggref)))
		vexec_sort_lead_by(&sorted->lead, aggref, linitial_node(SortGroupClause, clauses));
	init_columns(sorted, aggref, clauses);
	init_row(&sorted->current, sorted->nargs);
	init_row(&sorted->previous, sorted->nargs);
	init_distinct(sorted, aggref);
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
	Size		kilobytes = Min(Max(memory, MIN_SORT_MEMORY) / 1024, MAX_KILOBYTES);

	Assert(sorted->sort == NULL);
	if (sorted->integers)
		sorted->sort = tuplesort_begin_datum(INT8OID, Int8LessOperator, InvalidOid, false,
											 (int) kilobytes, NULL, TUPLESORT_NONE);
	else
		sorted->sort = tuplesort_begin_heap(sorted->desc, sorted->ncolumns, sorted->columns,
											sorted->operators, sorted->collations,
											sorted->nulls_first, (int) kilobytes, NULL,
											TUPLESORT_NONE);
	sorted->arrival = 0;
	sorted->pending = false;
	sorted->at_end = false;
	sorted->direct = false;
	MemoryContextSwitchTo(old_context);
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
	int64		lead = vexec_sort_lead_value(&sorted->lead, args, row, ticket, sorted->arrival);
	MemoryContext old_context;

	if (sorted->integers)
	{
		tuplesort_putdatum(sorted->sort, Int64GetDatum(lead), false);
		return;
	}
	MemoryContextReset(sorted->scratch);
	old_context = MemoryContextSwitchTo(sorted->scratch);
	ExecClearTuple(slot);
	if (sorted->lead_column != 0)
	{
		slot->tts_values[sorted->lead_column - 1] = Int64GetDatum(lead);
		slot->tts_isnull[sorted->lead_column - 1] = false;
	}
	if (sorted->arrival_column != 0)
	{
		slot->tts_values[sorted->arrival_column - 1] =
			Int32GetDatum((int32) ((uint32) sorted->arrival + (uint32) PG_INT32_MIN));
		slot->tts_isnull[sorted->arrival_column - 1] = false;
	}
	for (int i = 0; i < sorted->nargs; i++)
	{
		const Argument *arg = &sorted->args[i];

		if (arg->source == SOURCE_COLUMN)
			slot->tts_values[arg->column - 1] =
				vexec_vector_fetch(args[i], row, arg->type, &slot->tts_isnull[arg->column - 1]);
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

/* Is the row read equal to the last one passed on, in the columns of DISTINCT? */
static bool
is_duplicate(VexecSortedCall *sorted)
{
	const SortedRow *current = &sorted->current;
	const SortedRow *previous = &sorted->previous;
	MemoryContext old_context;
	bool		duplicate = true;

	Assert(!sorted->lead.arrival);
	/* groups differ, or the first values */
	if (current->lead != previous->lead)
		return false;

	MemoryContextReset(sorted->scratch);
	old_context = MemoryContextSwitchTo(sorted->scratch);
	for (int i = sorted->ndistinct - 1; i >= 0 && duplicate; i--)
	{
		int			at = sorted->distinct_args[i];

		if (sorted->args[at].source != SOURCE_COLUMN)
			continue;
		if (current->isnull[at] || previous->isnull[at])
			duplicate = current->isnull[at] && previous->isnull[at];
		else
			duplicate = DatumGetBool(FunctionCall2Coll(&sorted->equal[i],
													   sorted->distinct_collations[i],
													   previous->values[at],
													   current->values[at]));
	}
	MemoryContextSwitchTo(old_context);
	return duplicate;
}

/* Fetch the next tuple or integer from the sort. */
static bool
fetch(VexecSortedCall *sorted)
{
	SortedRow  *row = &sorted->current;
	MemoryContext old_context;
	bool		found;

	CHECK_FOR_INTERRUPTS();
	/* a copy, which DISTINCT needs, outlives the caller's context */
	old_context = MemoryContextSwitchTo(sorted->memory);
	if (sorted->integers)
	{
		Datum		lead;
		bool		isnull;

		found = tuplesort_getdatum(sorted->sort, true, false, &lead, &isnull, NULL);
		if (found)
			row->lead = DatumGetInt64(lead);
	}
	else
	{
		found = tuplesort_gettupleslot(sorted->sort, true, sorted->ndistinct > 0, row->slot, NULL);
		if (found)
		{
			slot_getallattrs(row->slot);
			if (sorted->lead_column != 0)
				row->lead = DatumGetInt64(row->slot->tts_values[sorted->lead_column - 1]);
		}
	}
	MemoryContextSwitchTo(old_context);
	return found;
}

static bool
read_row(VexecSortedCall *sorted)
{
	SortedRow  *row = &sorted->current;

	if (sorted->pending)
		return true;
	if (sorted->at_end)
		return false;
	sorted->at_end = !fetch(sorted);
	if (sorted->at_end)
		return false;
	sorted->pending = true;

	for (int i = 0; i < sorted->nargs; i++)
	{
		const Argument *arg = &sorted->args[i];

		switch (arg->source)
		{
			case SOURCE_COLUMN:
				row->values[i] = row->slot->tts_values[arg->column - 1];
				row->isnull[i] = row->slot->tts_isnull[arg->column - 1];
				break;
			case SOURCE_LEAD:
				row->values[i] = vexec_sort_lead_datum(&sorted->lead, row->lead, &row->isnull[i]);
				break;
			case SOURCE_CONSTANT:
				row->values[i] = arg->constant->constvalue;
				row->isnull[i] = arg->constant->constisnull;
				break;
		}
	}
	return true;
}

static void
clear_slots(VexecSortedCall *sorted)
{
	if (sorted->integers)
		return;
	ExecClearTuple(sorted->input);
	ExecClearTuple(sorted->current.slot);
	ExecClearTuple(sorted->previous.slot);
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
	while (read_row(sorted))
	{
		uint32		read = vexec_sort_lead_ticket(&sorted->lead, sorted->current.lead);

		if (read > ticket)
			break;
		sorted->pending = false;
		if (read < ticket || (has_previous && is_duplicate(sorted)))
			continue;
		vexec_core_call_advance(sorted->core, 0, sorted->current.values, sorted->current.isnull);
		if (sorted->ndistinct > 0)
		{
			SortedRow	row = sorted->previous;

			sorted->previous = sorted->current;
			sorted->current = row;
			has_previous = true;
		}
	}
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
	clear_slots(sorted);
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
