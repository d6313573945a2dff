/*-------------------------------------------------------------------------
 *
 * selection.c
 *	  Narrowing the rows of a batch.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "batch/select.h"
#include "batch/isa.h"

/* kernel_select.c, once for each level */
extern const VexecSelectKernels vexec_select_kernels_base;
#ifdef VEXEC_MULTI_ISA
extern const VexecSelectKernels vexec_select_kernels_v3;
extern const VexecSelectKernels vexec_select_kernels_v4;
#endif

int
vexec_selection_clip(const uint16 *sel, int n, int stop)
{
	if (sel == NULL)
		return Min(n, stop);
	while (n > 0 && sel[n - 1] >= stop)
		n--;
	return n;
}

static const VexecSelectKernels *
select_kernels(void)
{
	static const VexecSelectKernels *const levels[] = VEXEC_ISA_TABLE(vexec_select_kernels);

	return levels[vexec_isa_level()];
}

void
vexec_vector_and(VexecVector *result, const VexecVector *a, const VexecVector *b, int n)
{
	Assert(!a->constant && !b->constant);

	select_kernels()->both(a->values, b->values, result->values, n);
	for (int w = 0; w < (n + 63) / 64; w++)
		result->nulls[w] = (a->has_nulls ? a->nulls[w] : 0) | (b->has_nulls ? b->nulls[w] : 0);
	result->has_nulls = a->has_nulls || b->has_nulls;
}

void
vexec_selection_filter(VexecSelection *sel, const VexecVector *vec, int stop)
{
	const VexecSelectKernels *kernels = select_kernels();
	const uint8 *values = vec->values;
	const uint64 *nulls = vec->has_nulls ? vec->nulls : NULL;
	int			n = vexec_selection_clip(vexec_selection_list(sel), sel->count, stop);

	if (vec->constant)
	{
		sel->count = values[0] && !vexec_is_null(vec, 0) ? n : 0;
		return;
	}
	if (!sel->dense)
	{
		sel->count = kernels->listed(values, nulls, sel->rows, n, sel->rows);
		return;
	}

	/* that all rows pass is common, and keeps the selection dense */
	if (nulls == NULL && memchr(values, 0, n) == NULL)
	{
		sel->count = n;
		return;
	}
	sel->count = kernels->dense(values, nulls, n, sel->rows);
	sel->dense = false;
}
