/*-------------------------------------------------------------------------
 *
 * settings.h
 *	  Every setting of pg_vexec; settings.c documents each once.
 *
 *-------------------------------------------------------------------------
 */
#ifndef VEXEC_SETTINGS_H
#define VEXEC_SETTINGS_H

extern bool vexec_enabled;
extern bool vexec_force;
extern bool vexec_require;
extern bool vexec_explain_reasons;
extern int	vexec_batch_rows;
extern int	vexec_isa;

/* Costs, in the unit of seq_page_cost; planner/cost.c uses them. */
extern double vexec_startup_cost;
extern double vexec_tuple_cost;
extern double vexec_column_cost;
extern double vexec_operator_cost;
extern double vexec_group_cost;
extern double vexec_emit_cost;
extern double vexec_row_cost;

#ifdef PG_VEXEC_TEST
extern bool vexec_test_core_explain;
extern bool vexec_test_log_plans;
#endif

/* Define the settings; called once from _PG_init. */
extern void vexec_define_settings(void);

#endif							/* VEXEC_SETTINGS_H */
