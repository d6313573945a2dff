/*-------------------------------------------------------------------------
 *
 * nodes.c
 *	  Registration of the nodes.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "nodes/vexec_nodes.h"

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
