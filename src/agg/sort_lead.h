/*-------------------------------------------------------------------------
 *
 * sort_lead.h
 *	  The leading integer of an aggregate's sort.  Private to this folder.
 *
 * With groups: the ticket in the top 31 bits, below it whether the first ORDER
 * BY value is null, and 32 bits of that value in its sort order.  Without: the
 * null bit and 63 bits of the value.
 *
 *-------------------------------------------------------------------------
 */
#ifndef VEXEC_SORT_LEAD_H
#define VEXEC_SORT_LEAD_H

#include "batch/batch.h"

#include "nodes/parsenodes.h"

/* What the bits below the ticket hold. */
typedef enum VexecLeadKind
{
	VEXEC_LEAD_ARRIVAL,			/* number of the row: groups are not sorted */
	VEXEC_LEAD_NONE,			/* nothing: values have no bits in sort order */
	VEXEC_LEAD_INEXACT,			/* part of the value: equal ones may differ */
	VEXEC_LEAD_EXACT			/* the value */
} VexecLeadKind;

typedef struct VexecSortLead
{
	VexecLeadKind kind;
	bool		grouped;		/* false: all tickets are 0 */
	bool		arrival;		/* without groups, EXACT: the value, then the
								 * number of the row */
	int			arg;			/* the argument whose value it is */
	Oid			type;
	bool		descending;
	bool		nulls_first;
	int			shift;			/* bits of a value that are left out */
	uint64		null_bit;		/* above those of the value */
} VexecSortLead;

/* The order is by ticket, then by arrival. */
extern void vexec_sort_lead_init(VexecSortLead *lead, bool grouped);

/* The order is by ticket, then by a clause over the aggregate's arguments. */
extern void vexec_sort_lead_by(VexecSortLead *lead, Aggref *aggref, SortGroupClause *clause);

/* A row's integer.  Arrivals start again at 0 when their bits are used up. */
extern int64 vexec_sort_lead_value(const VexecSortLead *lead, const VexecVector *const *args,
								   int row, uint32 ticket, uint64 arrival);

extern uint32 vexec_sort_lead_ticket(const VexecSortLead *lead, int64 value);

/* The argument's value; EXACT only. */
extern Datum vexec_sort_lead_datum(const VexecSortLead *lead, int64 value, bool *isnull);

/* Are values that the sort operator takes for equal the same bytes? */
extern bool vexec_sort_equal_is_same(Expr *expr, Oid sort_operator);

#endif							/* VEXEC_SORT_LEAD_H */
