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

/* What an aggregation consists of. */
typedef struct VexecAggParts
{
	List	   *keys;			/* grouping expressions, then what depends on them */
	List	   *key_operators;	/* OIDs of their equality operators */
	int			ncompared;		/* grouping expressions */
	bool		grouped;		/* GROUP BY present */
	List	   *aggrefs;		/* distinct Aggrefs */
	List	   *having;			/* conditions on groups */
	const char *problem;		/* why this cannot be done, or NULL */
} VexecAggParts;

/*
 * Find the parts: target_list has the grouping expressions, outputs the
 * expressions that are wanted.
 */
extern void vexec_agg_parts(PlannerInfo *root, List *target_list, List *outputs, List *having,
							VexecAggParts *parts);

/* All expressions that are evaluated for input rows. */
extern List *vexec_agg_inputs(const VexecAggParts *parts);

typedef struct VexecAggPath
{
	CustomPath	custom;
	VexecAggParts parts;
	RelOptInfo *table;			/* the table read, or NULL: custom_paths */
	bool		partial;		/* for a Finalize Aggregate above */
	double		groups;			/* estimated */
	char	   *input_name;
} VexecAggPath;

/*
 * A path of parent, with costs: over the table input_rel, whose blocks several
 * processes share if there are to be workers, or over the path input of it.
 * rows and groups are those of one process.
 */
extern VexecAggPath *vexec_make_agg_path(PlannerInfo *root, RelOptInfo *parent, PathTarget *target,
										 const VexecAggParts *parts, RelOptInfo *input_rel,
										 Path *input, int workers, double rows, double groups);

/*
 * Paths in which several processes aggregate parts of the input, and core
 * combines their states: can there be any that do not cost too much, and add
 * them.  table: input_rel itself can be read.
 */
extern bool vexec_partial_agg_possible(RelOptInfo *input_rel, RelOptInfo *output_rel, bool table,
									   GroupPathExtraData *extra);
extern void vexec_add_partial_agg_paths(PlannerInfo *root, RelOptInfo *input_rel,
										RelOptInfo *output_rel, List *target_list, bool table,
										GroupPathExtraData *extra);

/* Groups that so many rows make. */
extern double vexec_estimate_groups(PlannerInfo *root, List *target_list, double rows);

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

/* The same of an aggregation of the rows of a path. */
extern bool vexec_cost_rows_hopeless(RelOptInfo *rel, Path *input);

/* Cost of reading and filtering a table and evaluating expressions for the rows that pass. */
extern Cost vexec_cost_table_inputs(PlannerInfo *root, RelOptInfo *rel, List *exprs);

/* Cost of gathering rows of a plan into vectors, and of evaluating expressions. */
extern Cost vexec_cost_row_inputs(PlannerInfo *root, List *exprs, double rows);

/*
 * Cost of grouping rows whose inputs have been evaluated, what does not fit
 * into memory by way of the disk; *group_cost is that of each group's results.
 */
extern Cost vexec_cost_grouping(PlannerInfo *root, const VexecAggParts *parts, double rows,
								double groups, Cost *group_cost);

#endif							/* VEXEC_PATHS_H */
