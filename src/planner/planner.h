/*-------------------------------------------------------------------------
 *
 * planner.h
 *	  What becomes vectorized, at what cost, and why not.
 *
 *-------------------------------------------------------------------------
 */
#ifndef VEXEC_PLANNER_H
#define VEXEC_PLANNER_H

#include "agg/agg.h"

#include "nodes/extensible.h"
#include "nodes/pathnodes.h"
#include "nodes/plannodes.h"

/* Install the planner hooks; called once from _PG_init. */
extern void vexec_planner_init(void);

/* --- reasons -------------------------------------------------------------- */

/*
 * Say why something stays with core.  what: "scan of" or "aggregation over";
 * alias: of the table, or of the tables, "a, b".  reason: a
 * sentence fragment in the style of an error detail.  Kept for the statement
 * being planned; copied.
 */
extern void vexec_decline(const char *what, const char *alias, const char *reason);

/*
 * The reasons kept for a statement, as a List of strings "what: reason" in the
 * session's memory; NIL if there were none, or if they are forgotten (the last
 * MAX_STATEMENTS statements planned in this session are remembered).
 */
extern List *vexec_reasons(const char *query_string, int stmt_location);

/* --- plan data -------------------------------------------------------------- */

/*
 * What VexecAgg's plan says beyond its expressions.  custom_scan_tlist holds
 * nkeys grouping expressions, then naggs Aggrefs, then the columns used below.
 * custom_exprs is (quals, keys, arguments, filters, direct arguments); the
 * latter three have one entry for each Aggref: a list of expressions, an
 * expression or NULL, a list of expressions.
 *
 * With a scanrelid the input is that table.  Else it is the plan in
 * custom_plans, and input_columns has for each entry of custom_scan_tlist the
 * column of that plan's result which is the same, or 0.
 */
typedef struct VexecAggPlan
{
	int			nkeys;
	int			ncompared;		/* keys that core would compare; the others depend on them */
	int			naggs;
	bool		grouped;		/* GROUP BY present: no rows, no group */
	bool		partial;		/* results go to a Finalize Aggregate of core */
	List	   *key_operators;	/* OIDs of equality operators */
	List	   *input_columns;	/* NIL for a table */
	double		groups;			/* estimated */
	char	   *input_name;		/* as in reasons: "a, b" */
} VexecAggPlan;

extern List *vexec_agg_plan_write(const VexecAggPlan *plan);
extern void vexec_agg_plan_read(const CustomScan *cscan, VexecAggPlan *plan);

/* Parts of custom_exprs. */
extern List *vexec_agg_plan_part(const CustomScan *cscan, int part);

#define VEXEC_AGG_QUALS 0
#define VEXEC_AGG_KEYS 1
#define VEXEC_AGG_ARGUMENTS 2
#define VEXEC_AGG_FILTERS 3
#define VEXEC_AGG_DIRECT_ARGUMENTS 4

/*
 * The kind of key vector and comparison for a grouping expression.
 */
extern VexecKeyType vexec_key_type(Node *expr, Oid eq_operator);

#endif							/* VEXEC_PLANNER_H */
