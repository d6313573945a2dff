/*-------------------------------------------------------------------------
 *
 * nodes.c
 *	  Registration of the nodes, and what can be told of any node.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "nodes/vexec_nodes.h"

#include "access/transam.h"
#include "catalog/pg_class.h"
#include "executor/executor.h"

#include "nodes/require.h"

bool
vexec_is_vector_node(const Plan *plan)
{
	const CustomScan *cscan = (const CustomScan *) plan;

	return IsA(plan, CustomScan) &&
		(cscan->methods == &vexec_scan_methods || cscan->methods == &vexec_agg_methods);
}

void
vexec_nodes_init(void)
{
	RegisterCustomScanMethods(&vexec_scan_methods);
	RegisterCustomScanMethods(&vexec_agg_methods);
	vexec_require_init();
}

Oid
vexec_scanned_table(PlanState *ps)
{
	Index		scanrelid;
	RangeTblEntry *rte;

	switch (nodeTag(ps->plan))
	{
		case T_SeqScan:
		case T_SampleScan:
		case T_IndexScan:
		case T_IndexOnlyScan:
		case T_BitmapHeapScan:
		case T_TidScan:
		case T_TidRangeScan:
		case T_CustomScan:
			scanrelid = ((Scan *) ps->plan)->scanrelid;
			break;
		default:
			return InvalidOid;
	}
	if (scanrelid == 0)
		return InvalidOid;
	rte = exec_rt_fetch(scanrelid, ps->state);
	if (rte->relid < FirstNormalObjectId ||
		(rte->relkind != RELKIND_RELATION && rte->relkind != RELKIND_MATVIEW))
		return InvalidOid;
	return rte->relid;
}
