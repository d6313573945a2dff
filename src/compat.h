/*-------------------------------------------------------------------------
 *
 * compat.h
 *	  The only file that tests PG_VERSION_NUM: what differs between PostgreSQL
 *	  17, 18 and 19, under one name each.
 *
 *-------------------------------------------------------------------------
 */
#ifndef VEXEC_COMPAT_H
#define VEXEC_COMPAT_H

#include "postgres.h"

#include "access/tableam.h"
#if PG_VERSION_NUM >= 180000
#include "commands/explain_format.h"
#include "commands/explain_state.h"
#define VEXEC_HAVE_EXPLAIN_OPTIONS
#else
#include "commands/explain.h"
#endif
#include "executor/executor.h"
#include "nodes/pathnodes.h"
#include "optimizer/cost.h"
#include "pgstat.h"
#include "storage/buf_internals.h"
#include "storage/bufmgr.h"
#include "utils/pg_locale.h"

/* A sequential scan; 19 takes flags. */
static inline TableScanDesc
vexec_table_beginscan(Relation rel, Snapshot snapshot)
{
#if PG_VERSION_NUM >= 190000
	return table_beginscan(rel, snapshot, 0, NULL, SO_NONE);
#else
	return table_beginscan(rel, snapshot, 0, NULL);
#endif
}

/* One process's part of a sequential scan whose blocks are shared. */
static inline TableScanDesc
vexec_table_beginscan_parallel(Relation rel, ParallelTableScanDesc shared)
{
#if PG_VERSION_NUM >= 190000
	return table_beginscan_parallel(rel, shared, SO_NONE);
#else
	return table_beginscan_parallel(rel, shared);
#endif
}

/* Begin one process's part of a table's shared blocks; 19 could restrict them. */
static inline void
vexec_parallelscan_startblock_init(Relation rel, ParallelBlockTableScanWorker worker,
								   ParallelBlockTableScanDesc shared)
{
#if PG_VERSION_NUM >= 190000
	table_block_parallelscan_startblock_init(rel, worker, shared, InvalidBlockNumber,
											 InvalidBlockNumber);
#else
	table_block_parallelscan_startblock_init(rel, worker, shared);
#endif
}

/* How core's sequential scan opens its read stream. */
#if PG_VERSION_NUM >= 180000
#define VEXEC_READ_STREAM_FLAGS (READ_STREAM_SEQUENTIAL | READ_STREAM_USE_BATCHING)
#else
#define VEXEC_READ_STREAM_FLAGS READ_STREAM_SEQUENTIAL
#endif

/*
 * How many more buffers than now this process may pin and stay within its
 * share.  17 cannot say "none": its answer is then 1.
 */
static inline uint32
vexec_additional_pin_limit(bool local, uint32 wanted)
{
#if PG_VERSION_NUM >= 180000
	uint32		limit = local ? GetAdditionalLocalPinLimit() : GetAdditionalPinLimit();

	return Min(limit, wanted);
#else
	if (local)
		LimitAdditionalLocalPins(&wanted);
	else
		LimitAdditionalPins(&wanted);
	return wanted;
#endif
}

/*
 * What the buffer manager does for a hit, where ReadRecentBuffer pinned a
 * shared buffer: statistics, and one step of the usage count, which keeps
 * tables that are read again in shared buffers.
 */
static inline void
vexec_buffer_hit(Relation rel, Buffer buffer)
{
	BufferDesc *desc = GetBufferDescriptor(buffer - 1);
#if PG_VERSION_NUM >= 190000
	uint64		state = pg_atomic_read_u64(&desc->state);
#else
	uint32		state = pg_atomic_read_u32(&desc->state);
#endif

	pgstat_count_buffer_read(rel);
	pgstat_count_buffer_hit(rel);
#if PG_VERSION_NUM >= 180000
	pgstat_count_io_op(IOOBJECT_RELATION, IOCONTEXT_NORMAL, IOOP_HIT, 1, 0);
#else
	pgstat_count_io_op(IOOBJECT_RELATION, IOCONTEXT_NORMAL, IOOP_HIT);
#endif

	/* as PinBuffer does; a locked header is left alone */
	while (BUF_STATE_GET_USAGECOUNT(state) < BM_MAX_USAGE_COUNT && (state & BM_LOCKED) == 0)
	{
#if PG_VERSION_NUM >= 190000
		if (pg_atomic_compare_exchange_u64(&desc->state, &state, state + BUF_USAGECOUNT_ONE))
			break;
#else
		if (pg_atomic_compare_exchange_u32(&desc->state, &state, state + BUF_USAGECOUNT_ONE))
			break;
#endif
	}
}

/* planner_hook's arguments. */
#if PG_VERSION_NUM >= 190000
#define VEXEC_PLANNER_PARAMETERS \
	Query *parse, const char *query_string, int cursorOptions, ParamListInfo boundParams, \
	struct ExplainState *es
#define VEXEC_PLANNER_ARGUMENTS parse, query_string, cursorOptions, boundParams, es
#else
#define VEXEC_PLANNER_PARAMETERS \
	Query *parse, const char *query_string, int cursorOptions, ParamListInfo boundParams
#define VEXEC_PLANNER_ARGUMENTS parse, query_string, cursorOptions, boundParams
#endif

/* Whether sequential scans of a relation are discouraged. */
#if PG_VERSION_NUM >= 190000
#define VEXEC_SEQSCAN_DISABLED(rel) (((rel)->pgs_mask & PGS_SEQSCAN) == 0)
#else
#define VEXEC_SEQSCAN_DISABLED(rel) ((void) (rel), !enable_seqscan)
#endif

/* Mark a path as using so many disabled node types, below core's own paths. */
static inline void
vexec_path_disable(Path *path, int nodes)
{
#if PG_VERSION_NUM >= 180000
	path->disabled_nodes = nodes;
#else
	path->startup_cost += nodes * disable_cost;
	path->total_cost += nodes * disable_cost;
#endif
}

/* How many disabled node types a path uses; on 17 its cost has them. */
static inline int
vexec_path_disabled_nodes(const Path *path)
{
#if PG_VERSION_NUM >= 180000
	return path->disabled_nodes;
#else
	(void) path;
	return 0;
#endif
}

/* Does a path use disabled node types?  On 17 its cost says so. */
static inline bool
vexec_path_is_disabled(const Path *path)
{
#if PG_VERSION_NUM >= 180000
	return path->disabled_nodes > 0;
#else
	return path->total_cost >= disable_cost;
#endif
}

/* How int8_avg_serialize sends the sum: as an int128 from 19 on, before as a NumericVar. */
#if PG_VERSION_NUM >= 190000
#define VEXEC_INT8_SUM_SENT_BINARY
#endif

/* Does the collation order by bytes? */
static inline bool
vexec_collation_is_c(Oid collation)
{
#if PG_VERSION_NUM >= 180000
	return pg_newlocale_from_collation(collation)->collate_is_c;
#else
	return lc_collate_is_c(collation);
#endif
}

/* ExecutorRun_hook's arguments; 17 has one more. */
#if PG_VERSION_NUM >= 180000
#define VEXEC_EXECUTOR_RUN_PARAMETERS QueryDesc *queryDesc, ScanDirection direction, uint64 count
#define VEXEC_EXECUTOR_RUN_ARGUMENTS queryDesc, direction, count
#else
#define VEXEC_EXECUTOR_RUN_PARAMETERS \
	QueryDesc *queryDesc, ScanDirection direction, uint64 count, bool execute_once
#define VEXEC_EXECUTOR_RUN_ARGUMENTS queryDesc, direction, count, execute_once
#endif

/* EXPLAIN's options of extensions; 19 adds a check of the option's value. */
#if PG_VERSION_NUM >= 190000
#define VEXEC_REGISTER_EXPLAIN_OPTION(name, handler) \
	RegisterExtensionExplainOption(name, handler, NULL)
#elif PG_VERSION_NUM >= 180000
#define VEXEC_REGISTER_EXPLAIN_OPTION(name, handler) RegisterExtensionExplainOption(name, handler)
#endif

/* Begin a line of EXPLAIN's text format; 17 keeps its function to itself. */
static inline void
vexec_explain_indent(ExplainState *es)
{
	if (es->str->len == 0 || es->str->data[es->str->len - 1] == '\n')
		appendStringInfoSpaces(es->str, es->indent * 2);
}

#endif							/* VEXEC_COMPAT_H */
