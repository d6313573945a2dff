/*-------------------------------------------------------------------------
 *
 * quals.c
 *	  What a batch scan can read, and in what order it filters.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "planner/paths.h"

#include "access/heapam.h"
#include "access/table.h"
#include "catalog/pg_class.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "utils/rel.h"

#include "expr/expr.h"

const char *
vexec_relation_decline(PlannerInfo *root, RelOptInfo *rel, RangeTblEntry *rte)
{
	Relation	relation;
	bool		is_heap;

	if (rte->rtekind != RTE_RELATION)
		return "the input is not a table";
	if (rte->inh)
		return "the table has partitions or children";
	if (rte->relkind != RELKIND_RELATION && rte->relkind != RELKIND_MATVIEW)
		return "the relation is not a table or materialized view";
	if (rte->tablesample != NULL)
		return "TABLESAMPLE is not vectorized";
	if (root->parse->commandType != CMD_SELECT && root->parse->commandType != CMD_INSERT)
		return "a table read directly by UPDATE, DELETE or MERGE is not vectorized";
	if (root->rowMarks != NIL)
		return "row locking (FOR UPDATE or SHARE) is not vectorized";
	if (!bms_is_empty(rel->lateral_relids))
		return "the scan depends on another table of the query (LATERAL)";

	relation = table_open(rte->relid, NoLock);
	is_heap = relation->rd_tableam == GetHeapamTableAmRoutine();
	table_close(relation, NoLock);
	if (!is_heap)
		return "the table's access method is not heap";

	foreach_node(RestrictInfo, rinfo, rel->baserestrictinfo)
	{
		if (rinfo->pseudoconstant)
			return "a condition does not depend on the table";
		if (contain_volatile_functions((Node *) rinfo->clause))
			return "a condition is volatile";
	}
	return NULL;
}

typedef struct OrderedQual
{
	Node	   *clause;
	Cost		cost;
	Index		security_level;
} OrderedQual;

List *
vexec_order_quals(PlannerInfo *root, List *clauses)
{
	OrderedQual *items = palloc(sizeof(OrderedQual) * Max(list_length(clauses), 1));
	int			nitems = 0;
	List	   *result = NIL;

	foreach_ptr(Node, clause, clauses)
	{
		OrderedQual item = {.clause = clause};
		QualCost	cost;
		int			at;

		cost_qual_eval_node(&cost, clause, root);
		item.cost = cost.per_tuple;
		if (IsA(clause, RestrictInfo))
		{
			RestrictInfo *rinfo = (RestrictInfo *) clause;

			item.clause = (Node *) rinfo->clause;
			if (!(rinfo->leakproof && item.cost < 10 * cpu_operator_cost))
				item.security_level = rinfo->security_level;
		}

		/* stable insertion by security level, then cost */
		for (at = nitems++; at > 0; at--)
		{
			OrderedQual *before = &items[at - 1];

			if (item.security_level > before->security_level ||
				(item.security_level == before->security_level && item.cost >= before->cost))
				break;
			items[at] = *before;
		}
		items[at] = item;
	}
	for (int i = 0; i < nitems; i++)
		result = lappend(result, items[i].clause);
	return result;
}

int
vexec_count_vector_quals(List *quals, char **reason)
{
	int			count = 0;

	*reason = NULL;
	foreach_ptr(Node, qual, quals)
	{
		if (!vexec_expr_supported(qual, reason))
			break;
		count++;
	}
	return count;
}
