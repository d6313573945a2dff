/*-------------------------------------------------------------------------
 *
 * calls.h
 *	  Aggregates by core's functions, sorted input and sets of distinct values;
 *	  the parts of a grouping.  Private to this folder.
 *
 *-------------------------------------------------------------------------
 */
#ifndef VEXEC_CALLS_H
#define VEXEC_CALLS_H

#include "agg/agg.h"

/* --- core's transition and final functions (core_call.c) ---------------------- */

/*
 * States of one aggregate transition by ticket, advanced by core's transition
 * function with all that it may expect of nodeAgg: aggregate context,
 * AggGetAggref, AggStateIsShared, AggRegisterCallback, expanded objects,
 * strictness, initial values, argument types.
 */
typedef struct VexecCoreCall VexecCoreCall;

/*
 * In the current context.  What states own is in the memory of aggcontext,
 * which calls of the caller may share; NULL: the call has one of its own.
 * tmpcontext is for one row at a time and shared by all.
 */
extern VexecCoreCall *vexec_core_call_create(const VexecCall *call, PlanState *ps,
											 ExprContext *aggcontext, ExprContext *tmpcontext);

/* Make states 0 .. count-1 exist, new ones with the initial value. */
extern void vexec_core_call_grow(VexecCoreCall *core, uint32 count);
extern Size vexec_core_call_growth(const VexecCoreCall *core, uint32 count);

/* Advance by one row; values are those of the arguments, without sort columns. */
extern void vexec_core_call_advance(VexecCoreCall *core, uint32 ticket, const Datum *values,
									const bool *isnull);

/*
 * Advance by one row of a batch: args are the argument vectors.  Values that
 * have to be made as Datums live until the call returns.
 */
extern void vexec_core_call_advance_row(VexecCoreCall *core, uint32 ticket,
										const VexecVector *const *args, int row);

/* How many arguments are passed on; strict: rows with a null among them do nothing. */
extern int	vexec_core_call_inputs(const VexecCoreCall *core, bool *strict);

/*
 * Forget all states and run the callbacks that were registered for them; where
 * aggcontext is shared, its owner does that by a rescan.  To be called before
 * the context of creation goes away, too.
 */
extern void vexec_core_call_reset(VexecCoreCall *core);

/* Bytes of the states, without what is in aggcontext. */
extern Size vexec_core_call_memory(const VexecCoreCall *core);

/* The final function of one aggregate over such states. */
typedef struct VexecCoreFinal VexecCoreFinal;

extern VexecCoreFinal *vexec_core_final_create(VexecCoreCall *core, const VexecCallResult *result);

/* Does a result leave the state as it is, so that it can be asked for again? */
extern bool vexec_core_final_repeatable(const VexecCoreFinal *final);

/* The result for a ticket, in the current context. */
extern Datum vexec_core_final(VexecCoreFinal *final, uint32 ticket, ExprContext *econtext,
							  bool *isnull);

/*
 * The state as core's partial aggregation passes it on: serialized if the
 * transition type is internal.
 */
extern Datum vexec_core_partial(VexecCoreFinal *final, uint32 ticket, bool *isnull);

/* --- sorted input (sorted_call.c) ----------------------------------------------- */

/*
 * Rows of an aggregate with DISTINCT, ORDER BY or WITHIN GROUP in one tuplesort
 * on (ticket, sort columns, order of arrival).
 */
typedef struct VexecSortedCall VexecSortedCall;

/*
 * core: has an aggcontext of its own, for the state of one group at a time.
 * grouped: there are tickets other than 0.
 */
extern VexecSortedCall *vexec_sorted_call_create(const VexecCall *call, VexecCoreCall *core,
												 bool grouped);

/* memory: bytes for the sort, at least 64 kB are taken. */
extern void vexec_sorted_call_begin(VexecSortedCall *sorted, Size memory);

/*
 * Add the selected rows; args are the vectors of all of aggref->args.  tickets
 * is NULL if there is no GROUP BY: ticket 0 for all.  Raises the errors of the
 * transition function where that can be called at once.
 */
extern void vexec_sorted_call_put(VexecSortedCall *sorted, const VexecVector *const *args,
								  const uint32 *tickets, const uint16 *sel, int n);

/* Input has ended. */
extern void vexec_sorted_call_finish(VexecSortedCall *sorted);

/*
 * Make state 0 of the core call that of one group.  Tickets ascend from call
 * to call; rows of tickets passed over are dropped.
 */
extern void vexec_sorted_call_replay(VexecSortedCall *sorted, uint32 ticket);

/* Bytes on disk until now. */
extern Size vexec_sorted_call_disk(VexecSortedCall *sorted);

/* End the sort; begin can follow. */
extern void vexec_sorted_call_reset(VexecSortedCall *sorted);

/* --- distinct values (distinct_set.c) ---------------------------------------------- */

/*
 * Which (ticket, value) pairs were seen; null values are left out.  Pairs that
 * find no room wait on disk until input has ended.
 */
typedef struct VexecDistinctSet VexecDistinctSet;

/* memory: bytes that the set may take, but for some ten kB that it needs in any case. */
extern VexecDistinctSet *vexec_distinct_set_create(const VexecCall *call, VexecKind kind,
												   Size memory);

/*
 * Add the selected rows and keep in "first" the rows whose pair is known to be
 * new.  tickets may be NULL: ticket 0 for all.
 */
extern void vexec_distinct_set_add(VexecDistinctSet *set, const VexecVector *value,
								   const uint32 *tickets, const uint16 *sel, int n,
								   VexecSelection *first);

/*
 * Input has ended: the next batch of new pairs among those that waited, valid
 * until the next call; false if there are no more.  *tickets is NULL if it was.
 */
extern bool vexec_distinct_set_next(VexecDistinctSet *set, const VexecVector **value,
									const uint32 **tickets, VexecSelection *first);
extern Size vexec_distinct_set_memory(const VexecDistinctSet *set);

/* Rows and partitions written to disk since the last reset, and the most bytes there at a time. */
extern uint64 vexec_distinct_set_spilled(const VexecDistinctSet *set);
extern uint64 vexec_distinct_set_partitions(const VexecDistinctSet *set);
extern Size vexec_distinct_set_disk(const VexecDistinctSet *set);
extern void vexec_distinct_set_reset(VexecDistinctSet *set);

#endif							/* VEXEC_CALLS_H */
