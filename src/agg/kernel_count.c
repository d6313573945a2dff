/*-------------------------------------------------------------------------
 *
 * kernel_count.c
 *	  count(*) and count(any).  The state is an int64.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "agg/aggregates.h"

void
VEXEC_ISA_NAME(vexec_count_update) (VEXEC_UPDATE_ARGS)
{
	int64	   *states = (int64 *) ts->states;

	if (arg != NULL && arg->constant)
	{
		if (vexec_is_null(arg, 0))
			return;
		arg = NULL;
	}

	if (tickets == NULL)
		states[0] += n - (arg == NULL ? 0 : vexec_count_nulls(arg, sel, n));
	else if (arg == NULL || !arg->has_nulls)
		VEXEC_FOREACH(row, sel, n,
					  {
						  states[tickets[row]]++;
					  });
	else
	{
		const uint64 *nulls = arg->nulls;

		/* Adding a zero costs less than a branch that cannot be predicted. */
		VEXEC_FOREACH(row, sel, n,
					  {
						  states[tickets[row]] += !vexec_null_bit(nulls, row);
					  });
	}
}
