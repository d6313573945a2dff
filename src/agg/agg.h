/*-------------------------------------------------------------------------
 *
 * agg.h
 *	  Aggregation: grouping keys to tickets, and states by ticket.
 *
 * A ticket is the dense number (0, 1, 2, ...) of a group in the order of first
 * appearance.  The ticket table turns key vectors into tickets; then every
 * transition updates its own dense array of states.  Ungrouped aggregation is
 * one ticket.
 *
 *-------------------------------------------------------------------------
 */
#ifndef VEXEC_AGG_H
#define VEXEC_AGG_H

#include "batch/batch.h"

#include "nodes/primnodes.h"
#include "utils/palloc.h"

/* --- tickets ------------------------------------------------------------ */

typedef struct VexecTicketTable VexecTicketTable;

typedef struct VexecKeyType
{
	VexecKind	kind;			/* kind of the key vectors */
	Oid			typid;
	int32		typmod;
	Oid			collation;
	Oid			eq_operator;	/* SortGroupClause.eqop, for DATUM keys */
} VexecKeyType;

/*
 * Whether keys of this type can be ticketed; if not, *reason says why (a
 * constant string in lower case without period, as the planner's reasons are).
 */
extern bool vexec_key_supported(const VexecKeyType *key, const char **reason);

/*
 * An empty table for nkeys >= 1 keys, sized for about expected_groups.  All
 * memory is in a child of the current context.
 */
extern VexecTicketTable *vexec_tickets_create(int nkeys, const VexecKeyType *keys,
											  double expected_groups);

/*
 * Give each selected row its ticket: tickets[row] is set.  Rows are taken in
 * order, so new groups are numbered by first appearance, and the key returned
 * later is that of the group's first row.  Nulls are equal to each other.
 */
extern void vexec_tickets_assign(VexecTicketTable *table, VexecVector *const *keys,
								 const uint16 *sel, int n, uint32 *tickets);

extern uint32 vexec_tickets_count(const VexecTicketTable *table);

/* A key of a group, as a Datum that lives as long as the table is unchanged. */
extern Datum vexec_tickets_key(VexecTicketTable *table, int key, uint32 ticket, bool *isnull);

/* Bytes used by table and keys. */
extern Size vexec_tickets_memory(const VexecTicketTable *table);

/* Forget all groups, keep the memory for the next round. */
extern void vexec_tickets_reset(VexecTicketTable *table);

#ifdef PG_VEXEC_TEST
/* All keys hash alike, for tests of long probes.  Not to change while a table exists. */
extern bool vexec_test_equal_hashes;
#endif

/* --- transitions and aggregates ------------------------------------------ */

/*
 * One transition: what nodeAgg calls a pertrans.  Several aggregates may share
 * it (sum and avg of the same numeric argument): whenever core's aggregates
 * share a transition function, ours share name, state and update.
 */
typedef struct VexecTransition VexecTransition;

/* What a transition's functions see. */
typedef struct VexecTransitionState
{
	const VexecTransition *transition;
	char	   *states;			/* nstates elements of transition->state_size */
	uint32		nstates;		/* initialised elements */
	uint32		capacity;
	Oid			argtype;		/* InvalidOid for count(*) */
	Oid			collation;		/* Aggref.inputcollid */
	MemoryContext memory;		/* owns states and what they point to; child
								 * of the context current at creation */
	void	   *private_data;	/* the transition's own, in memory */
} VexecTransitionState;

struct VexecTransition
{
	const char *name;
	VexecKind	arg;			/* ignored if there is no argument */
	bool		any_kind;		/* arg is ignored: a vector of any kind will do */
	Size		state_size;		/* a new state is zeroed bytes */
	bool		can_raise;		/* update may raise core's transition error
								 * (float overflow), for the row order of errors */

	/*
	 * Feed the selected rows.  tickets is indexed by row; NULL means ticket 0
	 * for all.  arg is NULL for count(*); it may be constant; null rows are
	 * skipped.  Rows are taken in ascending order wherever order can be seen
	 * (float sums, ties of min and max).
	 */
	void		(*update) (VexecTransitionState *ts, const VexecVector *arg,
						   const uint32 *tickets, const uint16 *sel, int n);
};

/* One aggregate: a transition and a final function over its state. */
typedef struct VexecAggregate
{
	Oid			aggfnoid;		/* pg_proc OID, from fmgroids.h or pg_aggregate.dat */
	VexecTransition transition;

	/* The result for one group, allocated in the current context. */
	Datum		(*finalize) (VexecTransitionState *ts, uint32 ticket, bool *isnull);
} VexecAggregate;

/*
 * The aggregate's vector implementation at the instruction set level in
 * force, or NULL.  Looks at nothing but the function's OID.
 */
extern const VexecAggregate *vexec_aggregate_lookup(Oid aggfnoid);

/* A transition with no states yet. */
extern VexecTransitionState *vexec_transition_create(const VexecTransition *transition,
													 Oid argtype, Oid collation);

/* Make states 0 .. count-1 exist; new ones are zeroed. */
extern void vexec_transition_grow(VexecTransitionState *ts, uint32 count);

/* Forget all states and what they own. */
extern void vexec_transition_reset(VexecTransitionState *ts);

/* Bytes used by states and what they own. */
extern Size vexec_transition_memory(const VexecTransitionState *ts);

/* Bytes a group is expected to need, for the planner's memory estimate. */
extern Size vexec_group_size_estimate(int nkeys, const VexecKeyType *keys, const int32 *widths,
									  int ntransitions,
									  const VexecTransition *const *transitions);

#endif							/* VEXEC_AGG_H */
