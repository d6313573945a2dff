/*-------------------------------------------------------------------------
 *
 * kernels.c
 *	  Find the kernel of a function.
 *
 * The families are the same at every instruction set level and list the same
 * functions in the same order, so that one index, sorted by function and built
 * at the first lookup of a backend, serves all levels.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "batch/isa.h"
#include "expr/kernel_families.h"

#include "utils/memutils.h"

#ifdef VEXEC_MULTI_ISA
#define FAMILY(name) {&name##_base, &name##_v3, &name##_v4}
#else
#define FAMILY(name) {&name##_base, &name##_base, &name##_base}
#endif

#define NLEVELS (VEXEC_ISA_V4 + 1)

static const VexecKernelFamily *const families[][NLEVELS] = {
	FAMILY(vexec_kernels_compare),
	FAMILY(vexec_kernels_int),
	FAMILY(vexec_kernels_cast),
	FAMILY(vexec_kernels_float),
	FAMILY(vexec_kernels_datetime),
	FAMILY(vexec_kernels_numeric_compare),
	FAMILY(vexec_kernels_numeric),
	FAMILY(vexec_kernels_numeric_cast),
	FAMILY(vexec_kernels_text),
	FAMILY(vexec_kernels_like),
};

typedef struct IndexEntry
{
	Oid			function;
	uint16		family;
	uint16		position;		/* in the family's list */
} IndexEntry;

static IndexEntry *kernel_index = NULL;
static int	kernel_count = 0;

static int
compare_entries(const void *a, const void *b)
{
	const Oid	x = ((const IndexEntry *) a)->function;
	const Oid	y = ((const IndexEntry *) b)->function;

	return (x > y) - (x < y);
}

static void
build_index(void)
{
	IndexEntry *entries;
	int			count = 0;

	for (int i = 0; i < lengthof(families); i++)
	{
		for (const VexecKernel *k = families[i][0]->kernels; OidIsValid(k->function); k++)
			count++;
	}
	entries = MemoryContextAlloc(TopMemoryContext, sizeof(IndexEntry) * count);
	count = 0;
	for (int i = 0; i < lengthof(families); i++)
	{
		const VexecKernel *kernels = families[i][0]->kernels;

		for (int j = 0; OidIsValid(kernels[j].function); j++)
		{
			entries[count].function = kernels[j].function;
			entries[count].family = i;
			entries[count].position = j;
			count++;
		}
	}
	qsort(entries, count, sizeof(IndexEntry), compare_entries);
	kernel_count = count;
	kernel_index = entries;
}

const VexecKernel *
vexec_kernel_lookup(Oid function)
{
	IndexEntry	key = {.function = function};
	const IndexEntry *entry;
	const VexecKernel *kernel;

	if (kernel_index == NULL)
		build_index();
	entry = bsearch(&key, kernel_index, kernel_count, sizeof(IndexEntry), compare_entries);
	if (entry == NULL)
		return NULL;
	kernel = &families[entry->family][vexec_isa_level()]->kernels[entry->position];
	Assert(kernel->function == function);
	return kernel;
}

const VexecKernelFamily *const *
vexec_kernel_families(int *count)
{
	static const VexecKernelFamily *in_force[lengthof(families)];
	const VexecIsaLevel level = vexec_isa_level();

	for (int i = 0; i < lengthof(families); i++)
		in_force[i] = families[i][level];
	*count = lengthof(families);
	return in_force;
}
