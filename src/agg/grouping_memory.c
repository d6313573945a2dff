/*-------------------------------------------------------------------------
 *
 * grouping_memory.c
 *	  The memory of a grouping: its shares of the limit, how much is taken, and
 *	  how many groups still fit.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "agg/grouping.h"

#include "utils/memutils.h"

/*
 * Shares of the memory limit, beside buffers of partitions: all sorts have half
 * of it; of what is left, all sets have half and the groups the rest.  Without
 * keys there are no groups.
 */
#define SORT_SHARE(limit) ((limit) / 2)
#define SET_SHARE(left) ((left) / 2)

/*
 * States of core may own a memory context each, and measuring visits them all.
 * So that this costs little for each row, it is done once in as many batches as
 * there are such numbers of groups, but at least once in so many batches.
 */
#define CORE_MEASURE_GROUPS (16 * 1024)
#define CORE_MEASURE_BATCHES 64

/* Up to this, what is free inside of blocks matters, and costs little to look at. */
#define SMALL_CONTEXT (64 * 1024)

/* --- shares ------------------------------------------------------------------------ */

void
vexec_grouping_share_memory(VexecGrouping *grouping)
{
	const VexecGroupingPlan *plan = grouping->plan;
	Size		left = plan->memory_limit;
	Size		sorts = 0;
	Size		sets = 0;

	for (int i = 0; i < plan->ncalls; i++)
	{
		grouping->nsorts += plan->calls[i].mode == VEXEC_CALL_SORT;
		grouping->nsets += plan->calls[i].mode == VEXEC_CALL_SET;
	}
	if (plan->nkeys > 0)
		left -= SPILL_SHARE(left);
	if (grouping->nsorts > 0)
	{
		bool		alone = plan->nkeys == 0 && grouping->nsets == 0;

		sorts = alone ? left : SORT_SHARE(plan->memory_limit);
		grouping->sort_memory = sorts / grouping->nsorts;
	}
	left -= sorts;
	if (grouping->nsets > 0)
	{
		sets = plan->nkeys == 0 ? left : SET_SHARE(left);
		grouping->set_memory = sets / grouping->nsets;
	}
	grouping->limit = left - sets;
}

/*
 * A table for the groups expected, but for no more than half of the limit.  An
 * empty table does not count: what a batch needs is there in any case.
 */
void
vexec_grouping_create_table(VexecGrouping *grouping)
{
	const VexecGroupingPlan *plan = grouping->plan;
	Size		share = grouping->limit;
	Size		group_bytes = 32;	/* slots, right after they have doubled */
	MemoryContext old_context = MemoryContextSwitchTo(grouping->context);

	group_bytes += 2 * sizeof(uint64) * plan->nkeys;
	for (int i = 0; i < plan->ncalls; i++)
		if (grouping->calls[i].states != NULL)
			group_bytes += grouping->calls[i].states->transition->state_size;
	grouping->table = vexec_tickets_create(plan->nkeys, plan->keys,
										   Min(plan->groups, (double) (share / 2 / group_bytes)));
	grouping->limit = Max(share, vexec_tickets_memory(grouping->table) + share / 2);
	MemoryContextSwitchTo(old_context);
}

/* --- what is taken ----------------------------------------------------------------- */

/* The bytes of core's states at count groups. */
static void
measure_core(VexecGrouping *grouping, uint32 count)
{
	MemoryContext context;
	Size		bytes;

	if (!grouping->any_core)
		return;
	context = grouping->core_context->ecxt_per_tuple_memory;
	bytes = MemoryContextMemAllocated(context, true);
	if (bytes <= SMALL_CONTEXT)
	{
		MemoryContextCounters counters = {0};

		MemoryContextMemConsumed(context, &counters);
		bytes -= counters.freespace;
	}
	for (int i = 0; i < grouping->plan->ncalls; i++)
		if (grouping->calls[i].call->mode == VEXEC_CALL_CORE)
			bytes += vexec_core_call_memory(grouping->calls[i].core);
	grouping->core_memory = bytes;
	grouping->core_groups = count;
	if (count > 0)
		grouping->core_group_bytes = (double) bytes / count;
}

/* Bytes of tickets and states; core's states are taken to have grown as their number has. */
static Size
memory_now(const VexecGrouping *grouping)
{
	Size		bytes = grouping->core_memory;

	if (grouping->table != NULL)
	{
		uint32		count = vexec_tickets_count(grouping->table);

		if (count > grouping->core_groups)
			bytes = (Size) (grouping->core_group_bytes * count);
		bytes += vexec_tickets_memory(grouping->table);
	}
	for (int i = 0; i < grouping->plan->ncalls; i++)
	{
		const VexecGroupingCall *call = &grouping->calls[i];

		if (call->states != NULL)
			bytes += vexec_transition_memory(call->states);
	}
	return bytes;
}

/* bytes: of tickets and states. */
static void
note_memory(VexecGrouping *grouping, Size bytes)
{
	bytes += grouping->nsorts * grouping->sort_memory;
	if (grouping->nsets > 0)
		for (int i = 0; i < grouping->plan->ncalls; i++)
			if (grouping->calls[i].set != NULL)
				bytes += vexec_distinct_set_memory(grouping->calls[i].set);
	if (grouping->spill != NULL)
		bytes += vexec_spill_memory(grouping->spill);
	grouping->counters.peak_memory = Max(grouping->counters.peak_memory, bytes);
}

void
vexec_grouping_note_memory(VexecGrouping *grouping, bool exact)
{
	if (exact)
		measure_core(grouping, grouping->ngroups);
	note_memory(grouping, memory_now(grouping));
}

void
vexec_grouping_note_disk(VexecGrouping *grouping)
{
	Size		bytes = 0;

	if (grouping->spill != NULL)
		bytes += vexec_spill_disk(grouping->spill);
	for (int i = 0; i < grouping->plan->ncalls; i++)
	{
		const VexecGroupingCall *call = &grouping->calls[i];

		if (call->set != NULL)
			bytes += vexec_distinct_set_disk(call->set);
		if (call->sort != NULL && grouping->sorting)
			bytes += vexec_sorted_call_disk(call->sort);
	}
	grouping->counters.peak_disk = Max(grouping->counters.peak_disk, bytes);
}

/* What states own beside their array. */
static Size
owned_memory(const VexecTransitionState *states)
{
	Size		bytes = vexec_transition_memory(states);
	Size		array = states->capacity * states->transition->state_size;

	return bytes - Min(array, bytes);
}

/*
 * Bytes that so many new groups would need at once.  What their states will own
 * is taken to be as much as those of the groups there are.
 */
static Size
growth(const VexecGrouping *grouping, int ngroups)
{
	uint32		count = vexec_tickets_count(grouping->table) + ngroups;
	Size		bytes = vexec_tickets_growth(grouping->table, ngroups);
	double		owned = grouping->core_group_bytes * ngroups;

	for (int i = 0; i < grouping->plan->ncalls; i++)
	{
		const VexecGroupingCall *call = &grouping->calls[i];

		if (call->states != NULL)
		{
			bytes += vexec_transition_growth(call->states, count);
			if (call->states->nstates > 0)
				owned += (double) owned_memory(call->states) / call->states->nstates * ngroups;
		}
		if (call->call->mode == VEXEC_CALL_CORE)
			bytes += vexec_core_call_growth(call->core, count);
	}
	return bytes + (Size) owned;
}

void
vexec_grouping_limit(VexecGrouping *grouping, int n)
{
	uint32		count = vexec_tickets_count(grouping->table);
	Size		bytes;
	Size		space;
	Size		needed;
	uint32		max_groups = PG_UINT32_MAX;

	if (grouping->any_core && --grouping->core_batches < 0)
	{
		measure_core(grouping, count);
		grouping->core_batches = Min(count / CORE_MEASURE_GROUPS, CORE_MEASURE_BATCHES - 1);
	}
	bytes = memory_now(grouping);
	note_memory(grouping, bytes);
	if (vexec_tickets_full(grouping->table))
		return;
	space = grouping->limit - Min(bytes, grouping->limit);
	needed = growth(grouping, n);
	if (needed > space)
	{
		int			fit = 0;
		int			too_many = n;

		/* The most new groups that fit; at least one if there is none yet. */
		while (too_many - fit > 1)
		{
			int			middle = (fit + too_many) / 2;

			if (growth(grouping, middle) <= space)
				fit = middle;
			else
				too_many = middle;
		}
		max_groups = Max(count + fit, 1);
		needed = growth(grouping, fit);
		needed = Min(needed, space);
	}
	vexec_tickets_limit(grouping->table, max_groups, space - needed);
}
