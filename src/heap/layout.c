/*-------------------------------------------------------------------------
 *
 * layout.c
 *	  Where the columns of a table stand in its tuples.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type_d.h"

#include "batch/isa.h"
#include "heap/decode.h"

/* kernel_decode.c, once for each level */
extern const VexecDecodeKernels vexec_decode_kernels_base;
#ifdef VEXEC_MULTI_ISA
extern const VexecDecodeKernels vexec_decode_kernels_v3;
extern const VexecDecodeKernels vexec_decode_kernels_v4;
#endif

const VexecDecodeKernels *
vexec_decode_kernels(void)
{
	static const VexecDecodeKernels *const levels[] = VEXEC_ISA_TABLE(vexec_decode_kernels);

	return levels[vexec_isa_level()];
}

static uint8
align_bytes(char attalign)
{
	switch (attalign)
	{
		case TYPALIGN_CHAR:
			return 1;
		case TYPALIGN_SHORT:
			return ALIGNOF_SHORT;
		case TYPALIGN_INT:
			return ALIGNOF_INT;
		case TYPALIGN_DOUBLE:
			return ALIGNOF_DOUBLE;
	}
	elog(ERROR, "unrecognized attribute alignment: %d", (int) attalign);
	return 0;
}

VexecLayout *
vexec_layout_create(TupleDesc tupdesc)
{
	VexecLayout *layout = palloc0(sizeof(VexecLayout));
	bool		in_prefix = true;

	layout->natts = tupdesc->natts;
	layout->attributes = palloc0(sizeof(VexecAttribute) * Max(tupdesc->natts, 1));
	layout->constant = palloc0(sizeof(int) * Max(tupdesc->natts, 1));

	for (int i = 0; i < tupdesc->natts; i++)
	{
		Form_pg_attribute form = TupleDescAttr(tupdesc, i);
		VexecAttribute *attribute = &layout->attributes[i];

		attribute->len = form->attlen;
		attribute->align = align_bytes(form->attalign);
		attribute->byval = form->attbyval;

		/*
		 * A tuple without nulls that has these attributes fits a page, so an
		 * offset past it belongs to no tuple; the cap keeps the sum small.
		 */
		if (in_prefix && attribute->len > 0 && layout->prefix_size <= BLCKSZ)
		{
			int			offset = TYPEALIGN(attribute->align, layout->prefix_size);

			layout->constant[i] = offset;
			layout->prefix_size = offset + attribute->len;
			layout->prefix++;
		}
		else
			in_prefix = false;
	}
	return layout;
}

VexecStep *
vexec_layout_steps(const VexecLayout *layout, int first, int last, int *nsteps)
{
	VexecStep  *steps = palloc(sizeof(VexecStep) * Max(last - first, 1));
	int			n = 0;

	for (int i = first; i < last; i++)
	{
		const VexecAttribute *attribute = &layout->attributes[i];

		if (attribute->len > 0)
		{
			/*
			 * Behind a start that is aligned at least as strictly, padding is
			 * known.
			 */
			if (n > 0 && steps[n - 1].kind == VEXEC_STEP_FIXED &&
				steps[n - 1].align >= attribute->align)
			{
				Size		size = TYPEALIGN(attribute->align, steps[n - 1].size);

				size += attribute->len;
				if (size <= BLCKSZ)
				{
					steps[n - 1].size = size;
					continue;
				}
			}
			steps[n].kind = VEXEC_STEP_FIXED;
			steps[n].size = attribute->len;
		}
		else
		{
			steps[n].kind = attribute->len == -1 ? VEXEC_STEP_VARLENA : VEXEC_STEP_CSTRING;
			steps[n].size = 0;
		}
		steps[n].align = attribute->align;
		n++;
	}
	*nsteps = n;
	return steps;
}
