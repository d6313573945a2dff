/*-------------------------------------------------------------------------
 *
 * plan_log.h
 *	  pg_vexec.test_log_plans; private to nodes/, builds for tests only.
 *
 *-------------------------------------------------------------------------
 */
#ifndef VEXEC_PLAN_LOG_H
#define VEXEC_PLAN_LOG_H

#include "executor/execdesc.h"

/*
 * Write a line "pg_vexec plan: JSON" about a query that starts to the server's
 * log.  The JSON object holds "query", its text; "reads", whether the plan has
 * a sequential scan of a heap table of the user's or an aggregation over any
 * scan of one, vector nodes included; "vector", whether it has a vector node;
 * "nodes", the names of the nodes that make "reads" true and are not vector
 * nodes; "command", whether the query changes data; and "reasons".
 */
extern void vexec_log_plan(QueryDesc *desc);

#endif							/* VEXEC_PLAN_LOG_H */
