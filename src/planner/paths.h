/*-------------------------------------------------------------------------
 *
 * paths.h
 *	  Paths and costs; private to planner/.
 *
 *-------------------------------------------------------------------------
 */
#ifndef VEXEC_PATHS_H
#define VEXEC_PATHS_H

#include "planner/planner.h"

/* Add a VexecScan path beside core's, or say why not. */
extern void vexec_add_scan_path(PlannerInfo *root, RelOptInfo *rel, Index rti, RangeTblEntry *rte);

/* Add a VexecAgg path to the grouped relation, or say why not. */
extern void vexec_add_agg_path(PlannerInfo *root, RelOptInfo *input_rel, RelOptInfo *output_rel,
							   GroupPathExtraData *extra);

/*
 * Whether a batch scan can read the relation at all.  Returns NULL, or the
 * reason why not.
 */
extern const char *vexec_relation_decline(PlannerInfo *root, RelOptInfo *rel, RangeTblEntry *rte);

/*
 * The clauses in the order in which core evaluates them, without
 * RestrictInfos; as order_qual_clauses() in createplan.c.
 */
extern List *vexec_order_quals(PlannerInfo *root, List *clauses);

/*
 * Split ordered quals: how many at the front have kernels.  *reason is why the
 * next one has not, if there is a next one.
 */
extern int	vexec_count_vector_quals(List *quals, char **reason);

/* --- costs ------------------------------------------------------------------ */

/*
 * Cost of reading the table in batches and applying the quals, the first
 * nvector of them by kernels; without start-up cost.
 */
extern Cost vexec_cost_filter(PlannerInfo *root, RelOptInfo *rel, List *quals, int nvector);

/* The part of it that several processes cannot divide: reading the pages. */
extern Cost vexec_cost_pages(RelOptInfo *rel);

/*
 * How many workers could share a batch scan of the table's blocks; 0 if none,
 * also where the query's limits say so.
 */
extern int	vexec_scan_workers(RelOptInfo *rel);

/* By how much that many workers and the leader divide the rows of a scan. */
extern double vexec_parallel_divisor(int workers);

/*
 * Under pg_vexec.force, costs are next to nothing, but keep their order among
 * themselves.
 */
#define VEXEC_FORCED_COST 1e-6

/*
 * Is some path of a relation cheaper than a batch scan of input could be, by
 * one process or several, whatever it filters and computes?
 */
extern bool vexec_cost_hopeless(RelOptInfo *rel, RelOptInfo *input);

/* Cost of evaluating expressions for a number of rows. */
extern Cost vexec_cost_exprs(PlannerInfo *root, List *exprs, double rows);

/* Cost of decoding those columns of exprs that the quals have not decoded. */
extern Cost vexec_cost_columns(RelOptInfo *rel, List *exprs, List *quals, double rows);

#endif							/* VEXEC_PATHS_H */
