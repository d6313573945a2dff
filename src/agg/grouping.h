/*-------------------------------------------------------------------------
 *
 * grouping.h
 *	  The inside of a grouping.  Private to grouping.c and grouping_memory.c.
 *
 *-------------------------------------------------------------------------
 */
#ifndef VEXEC_GROUPING_H
#define VEXEC_GROUPING_H

#include "agg/agg.h"
#include "agg/calls.h"
#include "agg/spill.h"

/* A call at work; of its parts, those of its mode. */
typedef struct VexecGroupingCall
{
	const VexecCall *call;
	bool		by_row;			/* raises: advanced row by row */
	VexecTransitionState *states;	/* VECTOR, SET */
	VexecDistinctSet *set;		/* SET */
	VexecCoreCall *core;		/* CORE, SORT */
	VexecSortedCall *sort;		/* SORT */
	bool		replayed;		/* SORT: state 0 is that of the group at hand */
	const VexecVector **args;	/* of the batch */
	VexecSelection *selection;	/* rows of the batch to take, where it is the
								 * call's own: filtered */
	const uint16 *rows;			/* of the batch: selected rows */
	int			nrows;
	int			position;		/* row by row: next of rows */
} VexecGroupingCall;

typedef struct VexecGroupingResult
{
	VexecGroupingCall *call;
	const VexecAggregate *aggregate;	/* VECTOR, SET */
	VexecCoreFinal *final;		/* CORE, SORT */
} VexecGroupingResult;

struct VexecGrouping
{
	const VexecGroupingPlan *plan;
	MemoryContext context;		/* owns all but the struct itself */
	VexecTicketTable *table;	/* NULL without keys, and before the first row */
	VexecGroupingCall *calls;
	VexecGroupingResult *results;
	int			nsorts;
	int			nsets;
	bool		any_core;
	ExprContext *core_context;	/* owns what core's states own; NULL without
								 * them.  The executor state's, so that
								 * callbacks are run however the query ends,
								 * short of an error */
	ExprContext *core_temporary;	/* for one row */
	bool		can_raise;
	bool		repeatable;		/* final functions can run twice over a state */

	/* The batch. */
	uint32	   *tickets;		/* by row; zeros without keys */
	uint16	   *known;			/* rows with a ticket */
	uint16	   *missed;			/* rows without */
	uint64	   *missed_hashes;

	/* The limit. */
	Size		limit;			/* of tickets and states */
	Size		sort_memory;	/* of each sort */
	Size		set_memory;		/* of each set */
	Size		core_memory;	/* of core's states, when last measured */
	uint32		core_groups;	/* how many groups they were of */
	double		core_group_bytes;	/* of a group, as measured in this round or the last */
	int			core_batches;	/* batches until they are measured again */

	/* Rounds. */
	VexecSpill *spill;			/* NULL until rows were spilled */
	bool		sorting;		/* sorts have begun */
	bool		finished;		/* the round's rows have been taken */
	bool		seen_rows;
	bool		first_round;
	uint32		ngroups;		/* of the round, once finished */
	int64		at;				/* the group at hand, -1 before the first */
	VexecGroupingCounters counters;
	uint64		set_partitions; /* of sets that have been read */
};

/* --- memory (grouping_memory.c) ------------------------------------------------ */

/* Set how much of the limit groups, sorts and sets may take, from the plan's calls. */
extern void vexec_grouping_share_memory(VexecGrouping *grouping);

/* Make the table, empty and of a size that fits. */
extern void vexec_grouping_create_table(VexecGrouping *grouping);

/*
 * See that n rows fit into memory, as far as new groups are concerned: lower
 * the number of groups that the round may take if they do not.
 */
extern void vexec_grouping_limit(VexecGrouping *grouping, int n);

/* Note the memory of now for the peak; exact: core's states are measured for that. */
extern void vexec_grouping_note_memory(VexecGrouping *grouping, bool exact);

/* Note what is on disk now for the peak. */
extern void vexec_grouping_note_disk(VexecGrouping *grouping);

#endif							/* VEXEC_GROUPING_H */
