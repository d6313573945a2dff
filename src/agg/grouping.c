/*-------------------------------------------------------------------------
 *
 * grouping.c
 *	  Groups and their aggregates within a memory limit.
 *
 * Rows are grouped in rounds.  A batch's keys become tickets; then every call
 * takes the batch in its own way (VexecCallMode).  Before a batch that might
 * not fit, the ticket table is told how many groups still do.  From then on the
 * round knows all its groups: rows of others are spilled, and later rounds
 * group one partition of them each.  Rows of a group thus reach its states in
 * the order of input, whichever round it is in.
 *
 * Sorts and sets of distinct values have shares of the limit of their own and
 * go to disk by themselves.  What the limit does not bound: states of groups that
 * are known already, one batch's worth of what calls of core allocate, and what
 * the first group of a round needs.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "agg/grouping.h"

#include "executor/executor.h"
#include "miscadmin.h"
#include "utils/memutils.h"

/* --- creation -------------------------------------------------------------------- */

static void
create_call(VexecGrouping *grouping, VexecGroupingCall *work, const VexecCall *call, PlanState *ps)
{
	const VexecGroupingPlan *plan = grouping->plan;

	work->call = call;
	work->args = palloc0_array(const VexecVector *, call->nargs + 1);
	work->selection = palloc(sizeof(VexecSelection));
	switch (call->mode)
	{
		case VEXEC_CALL_VECTOR:
		case VEXEC_CALL_SET:
			{
				const VexecAggregate *aggregate = vexec_aggregate_lookup(call->aggref->aggfnoid);
				Oid			argtype = InvalidOid;

				if (aggregate == NULL)
					elog(ERROR, "aggregate %u has no vector transition", call->aggref->aggfnoid);
				if (call->nargs > 0)
					argtype = plan->columns[call->args[0]].typid;
				work->states = vexec_transition_create(&aggregate->transition, argtype,
													   call->aggref->inputcollid);
				if (call->mode == VEXEC_CALL_SET)
					work->set = vexec_distinct_set_create(call,
														  plan->columns[call->args[0]].kind,
														  grouping->set_memory);
				grouping->can_raise |= aggregate->transition.can_raise;
				break;
			}
		case VEXEC_CALL_CORE:
			if (!grouping->any_core)
				grouping->core_context = CreateWorkExprContext(ps->state);
			work->core = vexec_core_call_create(call, ps, grouping->core_context,
												grouping->core_temporary);
			work->by_row = true;
			grouping->any_core = true;
			grouping->can_raise = true;
			break;
		case VEXEC_CALL_SORT:
			work->core = vexec_core_call_create(call, ps, NULL, grouping->core_temporary);
			work->sort = vexec_sorted_call_create(call, work->core, plan->nkeys > 0);
			break;
	}
}

static void
create_result(VexecGrouping *grouping, VexecGroupingResult *work, const VexecCallResult *result)
{
	Oid			aggfnoid = result->aggref->aggfnoid;

	work->call = &grouping->calls[result->call];
	if (work->call->core != NULL)
	{
		work->final = vexec_core_final_create(work->call->core, result);
		grouping->repeatable &= vexec_core_final_repeatable(work->final);
		return;
	}
	work->aggregate = vexec_aggregate_lookup(aggfnoid);
	if (work->aggregate == NULL)
		elog(ERROR, "aggregate %u has no vector transition", aggfnoid);
	if (grouping->plan->partial && work->aggregate->partial == NULL)
		elog(ERROR, "aggregate %u has no partial result", aggfnoid);
}

VexecGrouping *
vexec_grouping_create(const VexecGroupingPlan *plan, PlanState *ps)
{
	VexecGrouping *grouping = palloc0(sizeof(VexecGrouping));
	MemoryContext old_context;

	grouping->plan = plan;
	grouping->context = AllocSetContextCreate(CurrentMemoryContext, "vexec grouping",
											  ALLOCSET_DEFAULT_SIZES);
	old_context = MemoryContextSwitchTo(grouping->context);
	grouping->repeatable = true;
	vexec_grouping_share_memory(grouping);
	grouping->core_temporary = CreateExprContext(ps->state);
	grouping->calls = palloc0_array(VexecGroupingCall, Max(plan->ncalls, 1));
	for (int i = 0; i < plan->ncalls; i++)
		create_call(grouping, &grouping->calls[i], &plan->calls[i], ps);
	grouping->results = palloc0_array(VexecGroupingResult, Max(plan->nresults, 1));
	for (int i = 0; i < plan->nresults; i++)
		create_result(grouping, &grouping->results[i], &plan->results[i]);

	/*
	 * Calls of core raise any error; where there are some, vector calls that
	 * raise take turns with them.  Among vector calls alone the order does not
	 * show: all raise the same error.
	 */
	if (grouping->any_core)
		for (int i = 0; i < plan->ncalls; i++)
		{
			VexecGroupingCall *call = &grouping->calls[i];

			if (call->call->mode == VEXEC_CALL_VECTOR)
				call->by_row = call->states->transition->can_raise;
		}
	grouping->tickets = palloc0_array(uint32, VEXEC_BATCH_ROWS);
	grouping->known = palloc_array(uint16, VEXEC_BATCH_ROWS);
	grouping->missed = palloc_array(uint16, VEXEC_BATCH_ROWS);
	grouping->missed_hashes = palloc_array(uint64, VEXEC_BATCH_ROWS);
	grouping->first_round = true;
	grouping->at = -1;
	MemoryContextSwitchTo(old_context);
	return grouping;
}

bool
vexec_grouping_can_raise(const VexecGrouping *grouping)
{
	return grouping->can_raise;
}

VexecGroupingCounters *
vexec_grouping_counters(VexecGrouping *grouping)
{
	return &grouping->counters;
}

/* --- rows ---------------------------------------------------------------------------- */

/*
 * Give rows their tickets and spill those that get none.  Returns the rows that
 * remain, and changes *sel to their list.
 */
static int
assign_tickets(VexecGrouping *grouping, const VexecVector *const *columns, const uint16 **sel,
			   int n)
{
	const uint16 *rows = *sel;
	const uint64 *hashes;
	int			nknown = 0;
	int			nmissed = 0;

	vexec_grouping_limit(grouping, n);
	if (vexec_tickets_assign(grouping->table, columns, rows, n, grouping->tickets) == 0)
		return n;

	hashes = vexec_tickets_hashes(grouping->table);
	for (int i = 0; i < n; i++)
	{
		uint16		row = rows != NULL ? rows[i] : i;
		bool		known = grouping->tickets[row] != VEXEC_NO_TICKET;

		grouping->known[nknown] = row;
		nknown += known;
		grouping->missed[nmissed] = row;
		grouping->missed_hashes[nmissed] = hashes[i];
		nmissed += !known;
	}
	if (grouping->spill == NULL)
	{
		MemoryContext old_context = MemoryContextSwitchTo(grouping->context);

		grouping->spill = vexec_spill_create(grouping->plan,
											 SPILL_SHARE(grouping->plan->memory_limit));
		MemoryContextSwitchTo(old_context);
	}
	vexec_spill_write(grouping->spill, columns, grouping->missed, grouping->missed_hashes,
					  nmissed);
	grouping->counters.spilled_rows += nmissed;
	*sel = grouping->known;
	return nknown;
}

/* The rows that each call takes: all, or those that pass its filter. */
static void
select_rows(VexecGrouping *grouping, const VexecSelection *const *filters, const uint16 *sel,
			int n, bool all_known)
{
	for (int i = 0; i < grouping->plan->ncalls; i++)
	{
		VexecGroupingCall *call = &grouping->calls[i];

		call->position = 0;
		if (call->call->filter < 0)
		{
			call->rows = sel;
			call->nrows = n;
		}
		else if (all_known)
		{
			call->rows = vexec_selection_list(filters[i]);
			call->nrows = filters[i]->count;
		}
		else
		{
			const uint16 *rows = vexec_selection_list(filters[i]);
			int			count = 0;

			for (int k = 0; k < filters[i]->count; k++)
			{
				uint16		row = rows != NULL ? rows[k] : k;

				call->selection->rows[count] = row;
				count += grouping->tickets[row] != VEXEC_NO_TICKET;
			}
			call->rows = call->selection->rows;
			call->nrows = count;
		}
	}
}

static void
begin_sorts(VexecGrouping *grouping)
{
	for (int i = 0; i < grouping->plan->ncalls; i++)
		if (grouping->calls[i].sort != NULL)
			vexec_sorted_call_begin(grouping->calls[i].sort, grouping->sort_memory);
	grouping->sorting = true;
}

/* New pairs that found no room in the call's set while rows came. */
static void
advance_waiting(VexecGrouping *grouping, VexecGroupingCall *call)
{
	const VexecVector *value;
	const uint32 *tickets;
	VexecSelection first;

	while (vexec_distinct_set_next(call->set, &value, &tickets, &first))
	{
		vexec_grouping_note_memory(grouping, false);
		call->states->transition->update(call->states, value, tickets,
										 vexec_selection_list(&first), first.count);
	}
	grouping->counters.spilled_rows += vexec_distinct_set_spilled(call->set);
	grouping->set_partitions += vexec_distinct_set_partitions(call->set);
}

/* The call takes its rows of the batch as a whole. */
static void
advance_batch(VexecGrouping *grouping, VexecGroupingCall *call)
{
	const VexecVector *arg = call->call->nargs > 0 ? call->args[0] : NULL;
	const uint32 *tickets = grouping->table != NULL ? grouping->tickets : NULL;

	switch (call->call->mode)
	{
		case VEXEC_CALL_VECTOR:
			call->states->transition->update(call->states, arg, tickets, call->rows,
											 call->nrows);
			break;
		case VEXEC_CALL_SET:
			/* The list of new rows cannot be that of the rows offered. */
			{
				VexecSelection first;

				vexec_distinct_set_add(call->set, arg, tickets, call->rows, call->nrows, &first);
				if (first.count > 0)
					call->states->transition->update(call->states, arg, tickets,
													 vexec_selection_list(&first), first.count);
				break;
			}
		case VEXEC_CALL_SORT:
			vexec_sorted_call_put(call->sort, call->args, tickets, call->rows,
								  call->nrows);
			break;
		case VEXEC_CALL_CORE:
			Assert(false);
			break;
	}
}

/* The calls that raise take the row, in their order, if it is the next of theirs. */
static void
advance_row(VexecGrouping *grouping, uint16 row)
{
	const uint32 *tickets = grouping->table != NULL ? grouping->tickets : NULL;

	for (int i = 0; i < grouping->plan->ncalls; i++)
	{
		VexecGroupingCall *call = &grouping->calls[i];

		if (!call->by_row || call->position == call->nrows ||
			(call->rows != NULL ? call->rows[call->position] : call->position) != row)
			continue;
		call->position++;
		if (call->core != NULL)
			vexec_core_call_advance_row(call->core, grouping->tickets[row], call->args, row);
		else
			call->states->transition->update(call->states,
											 call->call->nargs > 0 ? call->args[0] : NULL,
											 tickets, &row, 1);
	}
}

/* All calls take the batch; sel are the rows that have tickets. */
static void
advance_calls(VexecGrouping *grouping, const VexecVector *const *columns, const uint16 *sel,
			  int n)
{
	uint32		count = grouping->table != NULL ? vexec_tickets_count(grouping->table) : 1;

	for (int i = 0; i < grouping->plan->ncalls; i++)
	{
		VexecGroupingCall *call = &grouping->calls[i];

		for (int a = 0; a < call->call->nargs; a++)
			call->args[a] = columns[call->call->args[a]];
		if (call->states != NULL)
			vexec_transition_grow(call->states, count);
		else if (call->call->mode == VEXEC_CALL_CORE)
			vexec_core_call_grow(call->core, count);
		if (!call->by_row && call->nrows > 0)
			advance_batch(grouping, call);
	}
	if (grouping->any_core)
		for (int i = 0; i < n; i++)
			advance_row(grouping, sel != NULL ? sel[i] : i);
}

static void
take_batch(VexecGrouping *grouping, const VexecVector *const *columns,
		   const VexecSelection *const *filters, const uint16 *sel, int n)
{
	int			nknown = n;

	grouping->seen_rows = true;
	if (grouping->table == NULL && grouping->plan->nkeys > 0)
		vexec_grouping_create_table(grouping);
	if (grouping->nsorts > 0 && !grouping->sorting)
		begin_sorts(grouping);
	if (grouping->table != NULL)
		nknown = assign_tickets(grouping, columns, &sel, n);
	else
		CHECK_FOR_INTERRUPTS();
	if (nknown == 0)
		return;
	select_rows(grouping, filters, sel, nknown, nknown == n);
	advance_calls(grouping, columns, sel, nknown);
}

void
vexec_grouping_consume(VexecGrouping *grouping, const VexecVector *const *columns,
					   const VexecSelection *const *filters, const uint16 *sel, int n)
{
	Assert(!grouping->finished && n <= VEXEC_BATCH_ROWS);
	if (n == 0)
		return;
	grouping->counters.rows += n;
	take_batch(grouping, columns, filters, sel, n);
}

/* --- rounds ------------------------------------------------------------------------- */

/* The round's rows have been taken: its groups are complete. */
static void
finish_round(VexecGrouping *grouping)
{
	const VexecGroupingPlan *plan = grouping->plan;

	if (grouping->nsorts > 0 && !grouping->sorting)
		begin_sorts(grouping);
	if (grouping->table != NULL)
		grouping->ngroups = vexec_tickets_count(grouping->table);
	else
		grouping->ngroups = grouping->seen_rows || !plan->grouped ? 1 : 0;
	for (int i = 0; i < plan->ncalls; i++)
	{
		VexecGroupingCall *call = &grouping->calls[i];

		/* Without a row nothing has made the states of the one group. */
		if (call->states != NULL)
			vexec_transition_grow(call->states, grouping->ngroups);
		else if (call->call->mode == VEXEC_CALL_CORE)
			vexec_core_call_grow(call->core, grouping->ngroups);
		if (call->set != NULL)
			advance_waiting(grouping, call);
		if (call->sort != NULL)
			vexec_sorted_call_finish(call->sort);
	}
	grouping->counters.groups += grouping->ngroups;
	vexec_grouping_note_memory(grouping, true);
	vexec_grouping_note_disk(grouping);
	grouping->counters.partitions = grouping->set_partitions;
	if (grouping->spill != NULL)
		grouping->counters.partitions += vexec_spill_partitions(grouping->spill);
	grouping->finished = true;
	grouping->at = -1;
}

/* Forget the round's groups. */
static void
end_round(VexecGrouping *grouping)
{
	if (grouping->table != NULL)
		vexec_tickets_reset(grouping->table);
	for (int i = 0; i < grouping->plan->ncalls; i++)
	{
		VexecGroupingCall *call = &grouping->calls[i];

		if (call->states != NULL)
			vexec_transition_reset(call->states);
		if (call->set != NULL)
			vexec_distinct_set_reset(call->set);
		if (call->sort != NULL && grouping->sorting)
			vexec_sorted_call_reset(call->sort);
		if (call->core != NULL)
			vexec_core_call_reset(call->core);
	}
	if (grouping->any_core)
		ReScanExprContext(grouping->core_context);
	ReScanExprContext(grouping->core_temporary);
	grouping->sorting = false;
	grouping->finished = false;
	grouping->seen_rows = false;
	grouping->core_memory = 0;
	grouping->core_groups = 0;
	grouping->core_batches = 0;
	grouping->ngroups = 0;
	grouping->at = -1;
}

/* Group the rows of the next partition; false if there is none. */
static bool
next_round(VexecGrouping *grouping)
{
	const VexecGroupingPlan *plan = grouping->plan;
	const VexecVector *const *columns;
	const VexecSelection **filters;
	VexecSelection *selections;
	int			n;

	if (grouping->spill == NULL || !vexec_spill_next_round(grouping->spill))
		return false;
	grouping->first_round = false;
	end_round(grouping);

	filters = palloc_array(const VexecSelection *, Max(plan->ncalls, 1));
	selections = palloc_array(VexecSelection, Max(plan->ncalls, 1));
	for (int i = 0; i < plan->ncalls; i++)
		filters[i] = plan->calls[i].filter >= 0 ? &selections[i] : NULL;
	while ((n = vexec_spill_read(grouping->spill, VEXEC_BATCH_ROWS, &columns)) > 0)
	{
		for (int i = 0; i < plan->ncalls; i++)
			if (filters[i] != NULL)
			{
				selections[i].count = n;
				selections[i].dense = true;
				vexec_selection_filter(&selections[i], columns[plan->calls[i].filter], n);
			}
		take_batch(grouping, columns, filters, NULL, n);
	}
	pfree(filters);
	pfree(selections);
	finish_round(grouping);
	return true;
}

void
vexec_grouping_finish(VexecGrouping *grouping)
{
	finish_round(grouping);
}

bool
vexec_grouping_rewind(VexecGrouping *grouping)
{
	if (!grouping->finished || !grouping->first_round || !grouping->repeatable ||
		grouping->nsorts > 0 ||
		(grouping->spill != NULL && vexec_spill_wrote(grouping->spill)))
		return false;
	grouping->at = -1;
	return true;
}

void
vexec_grouping_reset(VexecGrouping *grouping)
{
	end_round(grouping);
	if (grouping->spill != NULL)
		vexec_spill_reset(grouping->spill);
	grouping->first_round = true;
	grouping->counters.groups = 0;
}

void
vexec_grouping_end(VexecGrouping *grouping)
{
	vexec_grouping_reset(grouping);
	MemoryContextDelete(grouping->context);
	pfree(grouping);
}

/* --- groups ------------------------------------------------------------------------- */

bool
vexec_grouping_next(VexecGrouping *grouping, Datum *keys, bool *isnull)
{
	Assert(grouping->finished);
	CHECK_FOR_INTERRUPTS();
	while (++grouping->at >= grouping->ngroups)
		if (!next_round(grouping))
		{
			/* Asked again, the answer is the same. */
			grouping->at = grouping->ngroups;
			return false;
		}
	for (int i = 0; i < grouping->plan->nkeys; i++)
		keys[i] = vexec_tickets_key(grouping->table, i, (uint32) grouping->at, &isnull[i]);
	for (int i = 0; i < grouping->plan->ncalls; i++)
		grouping->calls[i].replayed = false;
	return true;
}

static Datum
vector_result(VexecGrouping *grouping, const VexecGroupingResult *result, uint32 ticket,
			  bool *isnull)
{
	VexecTransitionState *states = result->call->states;

	if (grouping->plan->partial)
		return result->aggregate->partial(states, ticket, isnull);
	return result->aggregate->finalize(states, ticket, isnull);
}

static Datum
core_result(VexecGrouping *grouping, const VexecGroupingResult *result, uint32 ticket,
			ExprContext *econtext, bool *isnull)
{
	VexecGroupingCall *call = result->call;

	if (call->sort != NULL)
	{
		if (!call->replayed)
			vexec_sorted_call_replay(call->sort, ticket);
		call->replayed = true;
		ticket = 0;
	}
	if (grouping->plan->partial)
		return vexec_core_partial(result->final, ticket, isnull);
	return vexec_core_final(result->final, ticket, econtext, isnull);
}

void
vexec_grouping_results(VexecGrouping *grouping, ExprContext *econtext, Datum *values,
					   bool *isnull)
{
	uint32		ticket = (uint32) grouping->at;

	for (int i = 0; i < grouping->plan->nresults; i++)
	{
		const VexecGroupingResult *result = &grouping->results[i];

		if (result->final != NULL)
			values[i] = core_result(grouping, result, ticket, econtext, &isnull[i]);
		else
			values[i] = vector_result(grouping, result, ticket, &isnull[i]);
	}
}
