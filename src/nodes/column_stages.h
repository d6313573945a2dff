/*-------------------------------------------------------------------------
 *
 * column_stages.h
 *	  Which columns are decoded when; private to nodes/.
 *
 *-------------------------------------------------------------------------
 */
#ifndef VEXEC_COLUMN_STAGES_H
#define VEXEC_COLUMN_STAGES_H

#include "nodes/bitmapset.h"
#include "nodes/pg_list.h"

/* One stage for each condition, and one for everything behind the filter. */
typedef struct VexecColumnStages
{
	int			count;			/* list_length(quals) + 1 */
	Bitmapset **sets;			/* attribute numbers */
} VexecColumnStages;

/*
 * Collect the user columns of the relation with this range table index that
 * the expressions use.  rest may contain nulls.
 */
extern void vexec_column_stages(VexecColumnStages *stages, List *quals, List *rest, Index relid);

#endif							/* VEXEC_COLUMN_STAGES_H */
