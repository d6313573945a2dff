/*-------------------------------------------------------------------------
 *
 * explain.c
 *	  Everything that EXPLAIN prints.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "explain.h"

#include "commands/defrem.h"
#include "commands/explain.h"
#include "nodes/makefuncs.h"
#include "utils/ruleutils.h"

#include "planner/planner.h"
#include "settings.h"

static char *
deparse(Node *expr, ExplainState *es, CustomScanState *css, List *ancestors)
{
	List	   *context = set_deparse_context_plan(es->deparse_cxt, css->ss.ps.plan, ancestors);

	/* where the node reads one table, names need its prefix no more than a scan's do */
	return deparse_expression(expr, context,
							  es->verbose || ((Scan *) css->ss.ps.plan)->scanrelid == 0, false);
}

void
vexec_explain_expressions(ExplainState *es, const char *label, List *exprs, CustomScanState *css,
						  List *ancestors, bool conditions)
{
	List	   *texts = NIL;

	if (exprs == NIL)
		return;
	if (conditions)
	{
		ExplainPropertyText(label, deparse((Node *) make_ands_explicit(exprs), es, css, ancestors),
							es);
		return;
	}
	foreach_ptr(Node, expr, exprs)
		texts = lappend(texts, deparse(expr, es, css, ancestors));
	ExplainPropertyList(label, texts, es);
}

void
vexec_explain_kernels(ExplainState *es, const VexecFilter *filter, int inputs, int core_inputs)
{
	int			core_quals = list_length(filter->rest);

	if (es->format != EXPLAIN_FORMAT_TEXT)
	{
		ExplainPropertyInteger("Kernel Conditions", NULL, filter->nquals, es);
		ExplainPropertyInteger("Fallback Conditions", NULL, core_quals, es);
		ExplainPropertyInteger("Kernel Inputs", NULL, inputs, es);
		ExplainPropertyInteger("Fallback Inputs", NULL, core_inputs, es);
	}
	else if (core_quals + core_inputs > 0)
	{
		vexec_explain_indent(es);
		appendStringInfo(es->str, "Row by Row: %d of %d conditions, %d of %d inputs\n",
						 core_quals, filter->nquals + core_quals, core_inputs,
						 inputs + core_inputs);
	}
}

void
vexec_explain_filter(ExplainState *es, const VexecFilter *filter, CustomScanState *css,
					 List *ancestors)
{
	uint64		in = filter->entered;

	if (filter->nsteps == 0)
		return;
	ExplainOpenGroup("Filter Steps", "Filter Steps", false, es);
	for (int i = 0; i < filter->nsteps; i++)
	{
		const VexecFilterStep *step = &filter->steps[i];
		char	   *text = deparse((Node *) make_ands_explicit(step->quals), es, css, ancestors);

		if (es->format == EXPLAIN_FORMAT_TEXT)
		{
			vexec_explain_indent(es);
			appendStringInfo(es->str, "Filter Step: %s rows=" UINT64_FORMAT " of " UINT64_FORMAT "\n",
							 text, step->passed, in);
		}
		else
		{
			ExplainOpenGroup("Filter Step", NULL, true, es);
			ExplainPropertyText("Condition", text, es);
			ExplainPropertyUInteger("Rows In", NULL, in, es);
			ExplainPropertyUInteger("Rows Out", NULL, step->passed, es);
			ExplainCloseGroup("Filter Step", NULL, true, es);
		}
		in = step->passed;
	}
	ExplainCloseGroup("Filter Steps", "Filter Steps", false, es);
}

static void
explain_core_rows(ExplainState *es, uint64 core_rows, uint64 fallback_rows)
{
	if (es->format != EXPLAIN_FORMAT_TEXT)
	{
		ExplainPropertyUInteger("Rows Left to Core", NULL, core_rows, es);
		ExplainPropertyUInteger("Rows with Fallback", NULL, fallback_rows, es);
	}
	else if (core_rows > 0 || fallback_rows > 0)
	{
		vexec_explain_indent(es);
		appendStringInfo(es->str,
						 "Rows Left to Core: " UINT64_FORMAT
						 "  Rows with Fallback: " UINT64_FORMAT "\n",
						 core_rows, fallback_rows);
	}
}

void
vexec_explain_rows(ExplainState *es, uint64 batches, uint64 rows, uint64 kernel_calls,
				   uint64 core_rows, uint64 fallback_rows)
{
	if (es->format == EXPLAIN_FORMAT_TEXT)
	{
		vexec_explain_indent(es);
		appendStringInfo(es->str,
						 "Batches: " UINT64_FORMAT "  Rows: " UINT64_FORMAT
						 "  Kernel Calls: " UINT64_FORMAT "\n", batches, rows, kernel_calls);
	}
	else
	{
		ExplainPropertyUInteger("Batches", NULL, batches, es);
		ExplainPropertyUInteger("Batch Rows", NULL, rows, es);
		ExplainPropertyUInteger("Kernel Calls", NULL, kernel_calls, es);
	}
	explain_core_rows(es, core_rows, fallback_rows);
}

void
vexec_explain_batches(ExplainState *es, const VexecHeapCounters *counters, uint64 kernel_calls,
					  uint64 core_rows, uint64 fallback_rows)
{
	if (es->format == EXPLAIN_FORMAT_TEXT)
	{
		vexec_explain_indent(es);
		appendStringInfo(es->str, "Batches: " UINT64_FORMAT, counters->batches);
		if (counters->batches_walked > 0)
			appendStringInfo(es->str, " (" UINT64_FORMAT " with nulls or short rows)",
							 counters->batches_walked);
		appendStringInfo(es->str,
						 "  Pages: " UINT64_FORMAT "  Rows: " UINT64_FORMAT
						 "  Values Decoded: " UINT64_FORMAT "  Kernel Calls: " UINT64_FORMAT "\n",
						 counters->pages, counters->rows, counters->values_decoded, kernel_calls);
		explain_core_rows(es, core_rows, fallback_rows);
		return;
	}
	ExplainPropertyUInteger("Batches", NULL, counters->batches, es);
	ExplainPropertyUInteger("Pages", NULL, counters->pages, es);
	ExplainPropertyUInteger("Batch Rows", NULL, counters->rows, es);
	ExplainPropertyUInteger("Values Decoded", NULL, counters->values_decoded, es);
	ExplainPropertyUInteger("Kernel Calls", NULL, kernel_calls, es);
	ExplainPropertyUInteger("Batches with Nulls or Short Rows", NULL, counters->batches_walked, es);
	explain_core_rows(es, core_rows, fallback_rows);
}

void
vexec_explain_groups(ExplainState *es, const VexecGroupingCounters *counters)
{
	uint64		memory = (counters->peak_memory + 1023) / 1024;
	uint64		disk = (counters->peak_disk + 1023) / 1024;

	if (es->format == EXPLAIN_FORMAT_TEXT)
	{
		vexec_explain_indent(es);
		appendStringInfo(es->str,
						 "Aggregated Rows: " UINT64_FORMAT "  Groups: " UINT64_FORMAT
						 "  Memory: " UINT64_FORMAT "kB", counters->rows, counters->groups, memory);
		if (disk > 0)
			appendStringInfo(es->str, "  Disk: " UINT64_FORMAT "kB", disk);
		appendStringInfoChar(es->str, '\n');
		if (counters->partitions > 0)
		{
			vexec_explain_indent(es);
			appendStringInfo(es->str,
							 "Spilled Rows: " UINT64_FORMAT "  Partitions: " UINT64_FORMAT "\n",
							 counters->spilled_rows, counters->partitions);
		}
		return;
	}
	ExplainPropertyUInteger("Aggregated Rows", NULL, counters->rows, es);
	ExplainPropertyUInteger("Groups", NULL, counters->groups, es);
	ExplainPropertyUInteger("Peak Memory Usage", "kB", memory, es);
	ExplainPropertyUInteger("Disk Usage", "kB", disk, es);
	ExplainPropertyUInteger("Spilled Rows", NULL, counters->spilled_rows, es);
	ExplainPropertyUInteger("Partitions", NULL, counters->partitions, es);
}

/* Why the rest of a statement stays with core. */
static void
explain_reasons(ExplainState *es, const char *query_string, int stmt_location)
{
	List	   *reasons;

	if (!vexec_enabled)
		reasons = list_make1("pg_vexec.enabled is off");
	else
		reasons = vexec_reasons(query_string, stmt_location);
	if (es->format != EXPLAIN_FORMAT_TEXT)
	{
		ExplainPropertyList("Not Vectorized", reasons, es);
		return;
	}
	foreach_ptr(char, reason, reasons)
		ExplainPropertyText("Not Vectorized", reason, es);
	if (reasons == NIL)
		ExplainPropertyText("Not Vectorized", "nothing", es);
}

#ifdef VEXEC_HAVE_EXPLAIN_OPTIONS

static explain_per_plan_hook_type prev_explain_per_plan = NULL;
static int	explain_extension_id = -1;

/* EXPLAIN (VEXEC [boolean]) */
static void
set_vexec_option(ExplainState *es, DefElem *option, ParseState *pstate)
{
	static bool on = true;

	SetExplainExtensionState(es, explain_extension_id, defGetBoolean(option) ? &on : NULL);
}

static void
explain_plan(PlannedStmt *plannedstmt, IntoClause *into, ExplainState *es, const char *queryString,
			 ParamListInfo params, QueryEnvironment *queryEnv)
{
	if (prev_explain_per_plan != NULL)
		prev_explain_per_plan(plannedstmt, into, es, queryString, params, queryEnv);
	if (GetExplainExtensionState(es, explain_extension_id) != NULL || vexec_explain_reasons)
		explain_reasons(es, queryString, plannedstmt->stmt_location);
}

void
vexec_explain_init(void)
{
	explain_extension_id = GetExplainExtensionId("pg_vexec");
	VEXEC_REGISTER_EXPLAIN_OPTION("vexec", set_vexec_option);
	prev_explain_per_plan = explain_per_plan_hook;
	explain_per_plan_hook = explain_plan;
}

#else							/* EXPLAIN without options of extensions */

static ExplainOneQuery_hook_type prev_explain_one_query = NULL;

static void
explain_one_query(Query *query, int cursorOptions, IntoClause *into, ExplainState *es,
				  const char *queryString, ParamListInfo params, QueryEnvironment *queryEnv)
{
	if (prev_explain_one_query != NULL)
		prev_explain_one_query(query, cursorOptions, into, es, queryString, params, queryEnv);
	else
		standard_ExplainOneQuery(query, cursorOptions, into, es, queryString, params, queryEnv);
	if (vexec_explain_reasons)
	{
		/* the plan's own group is closed: ours stands behind it */
		ExplainOpenGroup("Vexec", NULL, true, es);
		explain_reasons(es, queryString, query->stmt_location);
		ExplainCloseGroup("Vexec", NULL, true, es);
	}
}

void
vexec_explain_init(void)
{
	prev_explain_one_query = ExplainOneQuery_hook;
	ExplainOneQuery_hook = explain_one_query;
}

#endif							/* VEXEC_HAVE_EXPLAIN_OPTIONS */
