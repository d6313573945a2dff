/*-------------------------------------------------------------------------
 *
 * vexec_nodes.h
 *	  The CustomScan nodes.
 *
 *-------------------------------------------------------------------------
 */
#ifndef VEXEC_VEXEC_NODES_H
#define VEXEC_VEXEC_NODES_H

#include "nodes/execnodes.h"
#include "nodes/extensible.h"
#include "nodes/plannodes.h"

/*
 * VexecScan: plan.qual holds the filter, in core's order.
 * VexecAgg: see VexecAggPlan in planner/planner.h; plan.qual is HAVING.
 */
extern const CustomScanMethods vexec_scan_methods;
extern const CustomScanMethods vexec_agg_methods;

/* Register the nodes; called once from _PG_init. */
extern void vexec_nodes_init(void);

/* Is this one of ours? */
extern bool vexec_is_vector_node(const Plan *plan);

/*
 * The relation that a node of any kind reads itself, if that is a table or
 * materialized view of the user's; else InvalidOid.
 */
extern Oid	vexec_scanned_table(PlanState *ps);

#endif							/* VEXEC_VEXEC_NODES_H */
