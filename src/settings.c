/*-------------------------------------------------------------------------
 *
 * settings.c
 *	  The settings pg_vexec.*: names, ranges, descriptions.
 *
 * A plan that was made under one value of a setting must not be run under
 * another: whatever decides which plan is chosen discards the session's
 * cached plans when its value changes.  ResetPlanCache() only walks lists in
 * process-local memory and marks their entries.  It neither allocates nor
 * raises, and needs no transaction, so it may be called wherever an assign
 * hook is: while a transaction that changed the setting is rolled back, when
 * the configuration file is read again (also in the postmaster, whose list is
 * empty), and while a parallel worker takes over the leader's settings.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>

#include "utils/guc.h"
#include "utils/plancache.h"

#include "agg/agg.h"
#include "batch/isa.h"
#include "settings.h"

/* Larger batches leave the level 2 cache, and selections are lists of uint16. */
#define MAX_BATCH_ROWS 1024

/* Caps; "auto" is above every level, so that it caps nothing. */
#define ISA_AUTO (VEXEC_ISA_V4 + 1)

bool		vexec_enabled = false;
bool		vexec_force = false;
bool		vexec_require = false;
bool		vexec_explain_reasons = false;
int			vexec_batch_rows = MAX_BATCH_ROWS;
int			vexec_isa = ISA_AUTO;
#ifdef PG_VEXEC_TEST
bool		vexec_test_core_explain = false;
bool		vexec_test_log_plans = false;
#endif

/*
 * bench/calibrate finds a unit of cost to be 6.4 microseconds, and in that unit
 * the time of vectorized plans: 15 to 20 us to plan and start a scan; 5 ns to
 * visit a row; 0 to 5 ns to decode a value; 0.9 ns for an operator; 7 ns for a
 * grouping key; 35 ns to hand a row up.  The defaults are that, and somewhat
 * more where core's estimates for the same queries are low: with them
 * bench/plan_choice finds hardly a vectorized plan that is slower than core's.
 *
 * Gathering the row of another plan takes 15 ns and 7 for each column.  It is
 * counted at less than half of that: it competes with core's aggregation, which
 * core counts at 16 ns for a step that takes 30 to 100.
 */
double		vexec_startup_cost = 5.0;
double		vexec_tuple_cost = 0.001;
double		vexec_column_cost = 0.0005;
double		vexec_operator_cost = 0.0002;
double		vexec_group_cost = 0.0015;
double		vexec_emit_cost = 0.006;
double		vexec_row_cost = 0.001;

static const struct config_enum_entry isa_options[] = {
	{"auto", ISA_AUTO, false},
	{"base", VEXEC_ISA_BASE, false},
	{"v3", VEXEC_ISA_V3, false},
	{"v4", VEXEC_ISA_V4, false},
	{NULL, 0, false}
};

/* Assign hooks run before the variable changes. */
#define ASSIGN_RESETS_PLANS(type, variable) \
static void \
assign_##variable(type newval, void *extra) \
{ \
	if (newval != variable) \
		ResetPlanCache(); \
}

ASSIGN_RESETS_PLANS(bool, vexec_enabled)
ASSIGN_RESETS_PLANS(bool, vexec_force)
ASSIGN_RESETS_PLANS(double, vexec_startup_cost)
ASSIGN_RESETS_PLANS(double, vexec_tuple_cost)
ASSIGN_RESETS_PLANS(double, vexec_column_cost)
ASSIGN_RESETS_PLANS(double, vexec_operator_cost)
ASSIGN_RESETS_PLANS(double, vexec_group_cost)
ASSIGN_RESETS_PLANS(double, vexec_emit_cost)
ASSIGN_RESETS_PLANS(double, vexec_row_cost)

static void
define_cost(const char *name, const char *short_desc, double *variable,
			GucRealAssignHook assign_hook)
{
	DefineCustomRealVariable(name, short_desc,
							 "In the unit of seq_page_cost. Changing it discards the session's cached plans.",
							 variable, *variable, 0.0, DBL_MAX,
							 PGC_USERSET, GUC_EXPLAIN, NULL, assign_hook, NULL);
}

/*
 * Values given before the library was loaded apply now; one that is not valid
 * raises a WARNING and the default stays.
 */
void
vexec_define_settings(void)
{
	DefineCustomBoolVariable("pg_vexec.enabled",
							 "Lets the planner choose vectorized scans and aggregations.",
							 "They are chosen where they are estimated to be cheaper. "
							 "Changing it discards the session's cached plans.",
							 &vexec_enabled, false,
							 PGC_USERSET, GUC_EXPLAIN, NULL, assign_vexec_enabled, NULL);
	DefineCustomBoolVariable("pg_vexec.force",
							 "Makes the planner choose vectorized plans wherever they are possible, at any cost.",
							 "For tests: queries can become slower. Needs pg_vexec.enabled. "
							 "Changing it discards the session's cached plans.",
							 &vexec_force, false,
							 PGC_SUSET, GUC_EXPLAIN, NULL, assign_vexec_force, NULL);
	DefineCustomBoolVariable("pg_vexec.require",
							 "Raises an error when a query that reads a table uses no vectorized plan node.",
							 "The error names the reason. Applies to SELECT, INSERT, UPDATE, DELETE and MERGE sent by "
							 "the client, not to queries inside functions, DO, CALL and triggers.",
							 &vexec_require, false,
							 PGC_USERSET, 0, NULL, NULL, NULL);
	DefineCustomBoolVariable("pg_vexec.explain_reasons",
							 "Makes EXPLAIN print why parts of a plan are not vectorized.",
							 "From PostgreSQL 18 on, EXPLAIN (VEXEC) does the same for one statement.",
							 &vexec_explain_reasons, false,
							 PGC_USERSET, 0, NULL, NULL, NULL);
	DefineCustomIntVariable("pg_vexec.batch_rows",
							"Sets the largest number of rows that are processed together.",
							"For tests: smaller batches are slower, results are the same.",
							&vexec_batch_rows, MAX_BATCH_ROWS, 1, MAX_BATCH_ROWS,
							PGC_USERSET, GUC_NOT_IN_SAMPLE, NULL, NULL, NULL);
	DefineCustomEnumVariable("pg_vexec.isa",
							 "Sets the highest instruction set level that is used.",
							 "For tests: auto uses what the processor has, base is what every processor of "
							 "this architecture has, v3 adds AVX2, v4 adds AVX-512. Results are the same.",
							 &vexec_isa, ISA_AUTO, isa_options,
							 PGC_SUSET, GUC_NOT_IN_SAMPLE, NULL, NULL, NULL);

#ifdef PG_VEXEC_TEST
	DefineCustomBoolVariable("pg_vexec.test_equal_hashes",
							 "Makes all hashes of grouping keys equal.",
							 "For tests: only builds for tests have it.",
							 &vexec_test_equal_hashes, false,
							 PGC_SUSET, GUC_NOT_IN_SAMPLE, NULL, NULL, NULL);
	DefineCustomBoolVariable("pg_vexec.test_core_explain",
							 "Makes EXPLAIN without ANALYZE plan as if pg_vexec.enabled were off.",
							 "For tests: only builds for tests have it.",
							 &vexec_test_core_explain, false,
							 PGC_SUSET, GUC_NOT_IN_SAMPLE, NULL, NULL, NULL);
	DefineCustomBoolVariable("pg_vexec.test_log_plans",
							 "Writes to the server's log what the plan of each of the client's queries consists of.",
							 "For tests: only builds for tests have it.",
							 &vexec_test_log_plans, false,
							 PGC_SUSET, GUC_NOT_IN_SAMPLE, NULL, NULL, NULL);
#endif

	define_cost("pg_vexec.startup_cost",
				"Sets the planner's estimate of the cost of starting a vectorized scan.",
				&vexec_startup_cost, assign_vexec_startup_cost);
	define_cost("pg_vexec.tuple_cost",
				"Sets the planner's estimate of the cost of visiting one row in a vectorized scan.",
				&vexec_tuple_cost, assign_vexec_tuple_cost);
	define_cost("pg_vexec.column_cost",
				"Sets the planner's estimate of the cost of decoding one column value.",
				&vexec_column_cost, assign_vexec_column_cost);
	define_cost("pg_vexec.operator_cost",
				"Sets the planner's estimate of the cost of one vectorized operator or function for one row.",
				&vexec_operator_cost, assign_vexec_operator_cost);
	define_cost("pg_vexec.group_cost",
				"Sets the planner's estimate of the cost of grouping one row by one key.",
				&vexec_group_cost, assign_vexec_group_cost);
	define_cost("pg_vexec.emit_cost",
				"Sets the planner's estimate of the cost of handing one row to a plan node that is not vectorized.",
				&vexec_emit_cost, assign_vexec_emit_cost);
	define_cost("pg_vexec.row_cost",
				"Sets the planner's estimate of the cost of gathering a row of another plan node; a column counts half.",
				&vexec_row_cost, assign_vexec_row_cost);

	MarkGUCPrefixReserved("pg_vexec");
}
