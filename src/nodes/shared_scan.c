/*-------------------------------------------------------------------------
 *
 * shared_scan.c
 *	  What the processes of a parallel query share of one node's input.
 *
 * Core fetches its own instrumentation from workers, but has no callback to
 * fetch a custom node's.  When a node of the leader is shut down, its workers
 * may still run, and when EXPLAIN prints, the query's segment is gone.  So the
 * counters are in a segment of their own, which the leader keeps until its node
 * ends; by then all workers have written.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "nodes/shared_scan.h"

#include "access/tableam.h"

/* The coordination area: this, then core's description of a table's shared blocks. */
typedef struct SharedArea
{
	dsm_handle	counters;
	int			nworkers;
	bool		has_blocks;
} SharedArea;

#define BLOCKS_OFFSET MAXALIGN(sizeof(SharedArea))

Size
vexec_shared_scan_estimate(Relation rel, EState *estate)
{
	Size		size = BLOCKS_OFFSET;

	if (rel != NULL)
		size = add_size(size, table_parallelscan_estimate(rel, estate->es_snapshot));
	return size;
}

void
vexec_shared_scan_initialize(VexecSharedScan *shared, Relation rel, EState *estate,
							 ParallelContext *pcxt, void *area, int ncounters, int npeaks)
{
	SharedArea *header = area;

	vexec_shared_scan_end(shared);
	shared->worker = false;
	shared->ncounters = ncounters;
	shared->npeaks = npeaks;
	shared->nworkers = pcxt->nworkers;
	if (rel != NULL)
	{
		shared->blocks = (ParallelTableScanDesc) ((char *) area + BLOCKS_OFFSET);
		table_parallelscan_initialize(rel, shared->blocks, estate->es_snapshot);
	}

	header->has_blocks = rel != NULL;
	header->counters = DSM_HANDLE_INVALID;
	header->nworkers = pcxt->nworkers;
	if (estate->es_instrument != 0 && pcxt->seg != NULL && pcxt->nworkers > 0)
	{
		Size		size = mul_size(mul_size(ncounters, sizeof(uint64)), pcxt->nworkers);

		shared->segment = dsm_create(size, DSM_CREATE_NULL_IF_MAXSEGMENTS);
		if (shared->segment != NULL)
		{
			memset(dsm_segment_address(shared->segment), 0, size);
			header->counters = dsm_segment_handle(shared->segment);
		}
	}
}

void
vexec_shared_scan_reinitialize(VexecSharedScan *shared, Relation rel)
{
	if (shared->blocks != NULL)
		table_parallelscan_reinitialize(rel, shared->blocks);
}

void
vexec_shared_scan_attach(VexecSharedScan *shared, void *area, int ncounters, int npeaks)
{
	SharedArea *header = area;

	shared->worker = true;
	shared->ncounters = ncounters;
	shared->npeaks = npeaks;
	shared->nworkers = header->nworkers;
	if (header->has_blocks)
		shared->blocks = (ParallelTableScanDesc) ((char *) area + BLOCKS_OFFSET);
	if (header->counters != DSM_HANDLE_INVALID)
		shared->segment = dsm_attach(header->counters);
}

int
vexec_shared_scan_counters(uint64 **counters, VexecHeapCounters *heap, VexecProgram *program,
						   VexecFilter *filter)
{
	int			n = 0;

	counters[n++] = &heap->pages;
	counters[n++] = &heap->batches;
	counters[n++] = &heap->rows;
	counters[n++] = &heap->values_decoded;
	counters[n++] = &heap->batches_walked;
	counters[n++] = &program->kernel_calls;
	counters[n++] = &filter->entered;
	for (int i = 0; i < filter->nsteps; i++)
		counters[n++] = &filter->steps[i].passed;
	Assert(n == VEXEC_SCAN_COUNTERS(filter));
	return n;
}

/* Where a worker writes; each has its place, which one after the other may use. */
static uint64 *
worker_counters(const VexecSharedScan *shared, int worker)
{
	Assert(worker >= 0 && worker < shared->nworkers);
	return (uint64 *) dsm_segment_address(shared->segment) + worker * shared->ncounters;
}

void
vexec_shared_scan_report(VexecSharedScan *shared, uint64 **counters)
{
	uint64	   *mine;

	if (!shared->worker || shared->segment == NULL)
		return;
	mine = worker_counters(shared, ParallelWorkerNumber);
	for (int i = 0; i < shared->ncounters; i++)
	{
		if (i < shared->ncounters - shared->npeaks)
			mine[i] += *counters[i];
		else if (mine[i] < *counters[i])
			mine[i] = *counters[i];
		*counters[i] = 0;
	}
}

void
vexec_shared_scan_collect(VexecSharedScan *shared, uint64 **counters)
{
	if (shared->worker || shared->segment == NULL)
		return;
	for (int worker = 0; worker < shared->nworkers; worker++)
	{
		uint64	   *theirs = worker_counters(shared, worker);

		for (int i = 0; i < shared->ncounters; i++)
		{
			*counters[i] += theirs[i];
			theirs[i] = 0;
		}
	}
}

void
vexec_shared_scan_end(VexecSharedScan *shared)
{
	if (shared->segment != NULL)
		dsm_detach(shared->segment);
	shared->segment = NULL;
	shared->blocks = NULL;
}
