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
 * A grouping puts both together within a memory limit: beyond it the groups
 * known go on in memory, and the rows of others go to hash partitions on disk,
 * which are grouped later in the same way.
 *
 *-------------------------------------------------------------------------
 */
#ifndef VEXEC_AGG_H
#define VEXEC_AGG_H

#include "batch/batch.h"

#include "nodes/execnodes.h"
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

/* The ticket of a row whose group is not in the table and may not be added. */
#define VEXEC_NO_TICKET PG_UINT32_MAX

/*
 * Take no new group once there are so many, or once copies of keys have taken
 * so many more bytes (the key that exceeds them is still kept).  Rows of other
 * groups get VEXEC_NO_TICKET.  The number of groups can only be lowered, until
 * vexec_tickets_reset lifts both.
 */
extern void vexec_tickets_limit(VexecTicketTable *table, uint32 groups, Size key_bytes);

/* Whether the table takes no new groups any more. */
extern bool vexec_tickets_full(const VexecTicketTable *table);

/*
 * Bytes by which room for n more groups would enlarge the table; copies of keys
 * are not included.  Arrays that are moved while they grow are counted once:
 * large ones move by remapping pages, and slots are freed before new ones are
 * made.
 */
extern Size vexec_tickets_growth(const VexecTicketTable *table, int n);

/* The most new groups, less than n, whose room enlarges the table by so many bytes at most. */
extern int	vexec_tickets_fitting(const VexecTicketTable *table, int n, Size bytes);

/*
 * The next capacity of an array that must hold "needed" elements: arrays
 * double while they are small, and grow by a quarter when doubling could waste
 * much of a memory limit.
 */
static inline uint64
vexec_grown_capacity(uint64 capacity, uint64 needed)
{
	uint64		next = capacity < 4096 ? 2 * capacity : capacity + capacity / 4;

	return Max(next, needed);
}

/*
 * Give each selected row its ticket: tickets[row] is set.  Rows are taken in
 * order, so new groups are numbered by first appearance, and the key returned
 * later is that of the group's first row.  Nulls are equal to each other.
 * Returns the number of rows that got VEXEC_NO_TICKET.
 */
extern int	vexec_tickets_assign(VexecTicketTable *table, const VexecVector *const *keys,
								 const uint16 *sel, int n, uint32 *tickets);

/*
 * The hashes of the rows assigned last, one for each selected row in order.
 * Equal keys have equal hashes until vexec_tickets_reset, no longer.
 */
extern const uint64 *vexec_tickets_hashes(const VexecTicketTable *table);

extern uint32 vexec_tickets_count(const VexecTicketTable *table);

/* A key of a group, as a Datum that lives as long as the table is unchanged. */
extern Datum vexec_tickets_key(VexecTicketTable *table, int key, uint32 ticket, bool *isnull);

/*
 * Bytes used by table and keys, and by keys that vexec_tickets_key has yet to
 * build.
 */
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

	/*
	 * The state of one group as a value of core's transition type, serialized
	 * if that is internal, for a Finalize Aggregate of core above.
	 */
	Datum		(*partial) (VexecTransitionState *ts, uint32 ticket, bool *isnull);
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

/* Bytes by which room for so many states would enlarge the array. */
extern Size vexec_transition_growth(const VexecTransitionState *ts, uint32 count);

/* Forget all states and what they own. */
extern void vexec_transition_reset(VexecTransitionState *ts);

/* Bytes used by states and what they own. */
extern Size vexec_transition_memory(const VexecTransitionState *ts);

/* Bytes a group is expected to need, for the planner's memory estimate. */
extern Size vexec_group_size_estimate(int nkeys, const VexecKeyType *keys, const int32 *widths,
									  int ntransitions,
									  const VexecTransition *const *transitions);

/* --- grouping ---------------------------------------------------------------- */

/* How the rows of an aggregate become its state. */
typedef enum VexecCallMode
{
	VEXEC_CALL_VECTOR,			/* a vector transition */
	VEXEC_CALL_SET,				/* DISTINCT by a hash set of (group, value),
								 * then a vector transition */
	VEXEC_CALL_CORE,			/* core's transition function, row by row */
	VEXEC_CALL_SORT				/* DISTINCT, ORDER BY or WITHIN GROUP: a sort of
								 * all groups' rows, then core's transition
								 * function, group by group */
} VexecCallMode;

/*
 * The way an aggregate is to be computed; false if there is none, and then
 * *reason says why (in the form of the planner's reasons, in the current
 * context).  Looks only at the Aggref and the catalogs.
 */
extern bool vexec_call_mode(Aggref *aggref, VexecCallMode *mode, char **reason);

/* A column of input: a grouping key, an argument or a filter. */
typedef struct VexecInputColumn
{
	VexecKind	kind;
	Oid			typid;
} VexecInputColumn;

/* One transition.  Aggregates that share core's aggtransno share it. */
typedef struct VexecCall
{
	Aggref	   *aggref;			/* the first aggregate that uses it */
	VexecCallMode mode;
	bool		shared;			/* several aggregates use it */
	int			nargs;			/* entries of aggref->args, columns that only
								 * sort included; 0 for count(*) */
	int		   *args;			/* their columns */
	int			filter;			/* column of kind BOOL, or -1 */
} VexecCall;

typedef struct VexecCallResult
{
	Aggref	   *aggref;
	int			call;
	List	   *direct_args;	/* ExprStates over the slot that holds the keys */
} VexecCallResult;

typedef struct VexecGroupingPlan
{
	int			nkeys;			/* the first columns; 0: one group */
	const VexecKeyType *keys;
	bool		grouped;		/* GROUP BY present: no rows, no group */
	double		groups;			/* estimate */
	bool		partial;		/* results are core's transition values */
	int			ncolumns;
	const VexecInputColumn *columns;
	int			ncalls;
	VexecCall  *calls;
	int			nresults;
	VexecCallResult *results;
	Size		memory_limit;	/* bytes of tickets, states, sets and sorts */
} VexecGroupingPlan;

typedef struct VexecGrouping VexecGrouping;

/*
 * What EXPLAIN ANALYZE shows; peaks and sums over rescans.  The caller may move
 * them, or add those of other processes.
 */
typedef struct VexecGroupingCounters
{
	uint64		rows;			/* rows consumed, each once */
	uint64		groups;			/* groups of the last scan, all rounds */
	uint64		spilled_rows;	/* a row counts each time it is written */
	uint64		partitions;		/* on disk, of all levels */
	uint64		peak_memory;	/* bytes */
	uint64		peak_disk;		/* bytes */
} VexecGroupingCounters;

/*
 * A grouping without rows.  The plan is borrowed and lives as long.  All
 * memory is in children of the current context; ps is the node for which
 * core's functions are called.  Checks no privileges.
 */
extern VexecGrouping *vexec_grouping_create(const VexecGroupingPlan *plan, PlanState *ps);

/*
 * Take the selected rows of a batch.  columns[i] is the vector of column i
 * (constant or not; only rows selected, and for an argument only those that
 * pass its call's filter, need to be valid).  filters[i] are the rows of the
 * selection that pass the filter of call i; NULL if it has none.
 * Errors of transition functions are raised in the order of core.
 */
extern void vexec_grouping_consume(VexecGrouping *grouping, const VexecVector *const *columns,
								   const VexecSelection *const *filters, const uint16 *sel, int n);

/* Must rows be consumed one by one as they are evaluated, for the order of errors? */
extern bool vexec_grouping_can_raise(const VexecGrouping *grouping);

/* There are no more rows: groups can be asked for. */
extern void vexec_grouping_finish(VexecGrouping *grouping);

/*
 * Go to the next group and give its keys, valid until the next call; false if
 * there are no more.  Reads what was spilled when the groups in memory are done.
 */
extern bool vexec_grouping_next(VexecGrouping *grouping, Datum *keys, bool *isnull);

/*
 * Results of the group that vexec_grouping_next went to, in the current
 * context.  Direct arguments are evaluated in econtext.
 */
extern void vexec_grouping_results(VexecGrouping *grouping, ExprContext *econtext, Datum *values,
								   bool *isnull);

/* Go back before the first group; false if the rows must be consumed again for that. */
extern bool vexec_grouping_rewind(VexecGrouping *grouping);

/* Forget all rows. */
extern void vexec_grouping_reset(VexecGrouping *grouping);

/* Release files, sorts and memory. */
extern void vexec_grouping_end(VexecGrouping *grouping);

extern VexecGroupingCounters *vexec_grouping_counters(VexecGrouping *grouping);

#endif							/* VEXEC_AGG_H */
