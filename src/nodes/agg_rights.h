/*-------------------------------------------------------------------------
 *
 * agg_rights.h
 *	  The checks of execution rights that core's Agg node makes.
 *
 *-------------------------------------------------------------------------
 */
#ifndef VEXEC_AGG_RIGHTS_H
#define VEXEC_AGG_RIGHTS_H

#include "nodes/primnodes.h"

/*
 * Raise core's error (42501) if the current user may not execute the
 * aggregate, or its owner one of the functions that compute it, and call the
 * object-access hooks, all in core's order.  To be called in the order of
 * core's Agg node, which is that of aggno's first appearance.
 * new_transition: no aggregate before has the same aggtransno.
 */
extern void vexec_check_aggregate_rights(const Aggref *aggref, bool new_transition);

/* The check and the hook of the function that compares grouping keys. */
extern void vexec_check_key_rights(Oid eq_operator);

/*
 * The same for functions and operators of expressions on input rows, in the
 * order in which core initialises them, but without the hooks: those are called
 * when the expressions are initialised.  Core's scan below an Agg comes to them
 * before the aggregation's own output.
 */
extern void vexec_check_expression_rights(Node *expr);

#endif							/* VEXEC_AGG_RIGHTS_H */
