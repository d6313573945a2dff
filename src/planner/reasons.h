/*-------------------------------------------------------------------------
 *
 * reasons.h
 *	  Bracket around the planning of one statement; private to planner/.
 *
 *-------------------------------------------------------------------------
 */
#ifndef VEXEC_REASONS_H
#define VEXEC_REASONS_H

/*
 * Reasons given from now on belong to this statement.  Returns what
 * vexec_reasons_end needs to go back to the statement around it.
 */
extern void *vexec_reasons_begin(const char *query_string, int stmt_location);
extern void vexec_reasons_end(void *outer);

/* Drop the reasons that were given for this, because it is vectorized. */
extern void vexec_reasons_drop(const char *what, const char *alias);

#endif							/* VEXEC_REASONS_H */
