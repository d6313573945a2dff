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
	List	   *data = list_make5(makeInteger(plan->nkeys),
								  makeInteger(plan->ncompared),
								  makeInteger(plan->naggs),
								  makeBoolean(plan->grouped),
								  makeBoolean(plan->partial));

	data = lappend(data, plan->key_operators);
	data = lappend(data, plan->input_columns);
	data = lappend(data, makeFloat(psprintf("%.17e", plan->groups)));
	return lappend(data, makeString(plan->input_name));
}

void
vexec_agg_plan_read(const CustomScan *cscan, VexecAggPlan *plan)
{
	List	   *data = cscan->custom_private;

	plan->nkeys = intVal(list_nth(data, 0));
	plan->ncompared = intVal(list_nth(data, 1));
	plan->naggs = intVal(list_nth(data, 2));
	plan->grouped = boolVal(list_nth(data, 3));
	plan->partial = boolVal(list_nth(data, 4));
	plan->key_operators = list_nth(data, 5);
	plan->input_columns = list_nth(data, 6);
	plan->groups = floatVal(list_nth(data, 7));
	plan->input_name = strVal(list_nth(data, 8));
}

List *
vexec_agg_plan_part(const CustomScan *cscan, int part)
{
	return list_nth(cscan->custom_exprs, part);
}
