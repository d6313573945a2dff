/*-------------------------------------------------------------------------
 *
 * plan_data.c
 *	  Writing plan data to custom_private and reading it back.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "planner/planner.h"

#include "nodes/makefuncs.h"
#include "nodes/value.h"

List *
vexec_agg_plan_write(const VexecAggPlan *plan)
{
	return lappend(list_make5(makeInteger(plan->nkeys),
							  makeInteger(plan->naggs),
							  makeBoolean(plan->grouped),
							  plan->key_operators,
							  makeFloat(psprintf("%.17e", plan->groups))),
				   makeInteger(plan->ncompared));
}

void
vexec_agg_plan_read(const CustomScan *cscan, VexecAggPlan *plan)
{
	List	   *data = cscan->custom_private;

	plan->nkeys = intVal(list_nth(data, 0));
	plan->naggs = intVal(list_nth(data, 1));
	plan->grouped = boolVal(list_nth(data, 2));
	plan->key_operators = list_nth(data, 3);
	plan->groups = floatVal(list_nth(data, 4));
	plan->ncompared = intVal(list_nth(data, 5));
}

List *
vexec_agg_plan_part(const CustomScan *cscan, int part)
{
	return list_nth(cscan->custom_exprs, part);
}
