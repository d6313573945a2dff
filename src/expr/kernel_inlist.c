/*-------------------------------------------------------------------------
 *
 * kernel_inlist.c
 *	  Look up a vector's values in an IN list.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "expr/inlist.h"
#include "expr/kernel_template.h"

extern void VEXEC_ISA_NAME(vexec_inlist_run) (const VexecInList *list, VexecKernelCall *call);

static inline bool
find_int(const VexecInList *list, int64 v)
{
	uint32		slot = (uint32) vexec_inlist_hash_int(v) & list->mask;

	for (;;)
	{
		const int32 element = list->slots[slot];

		if (element < 0)
			return false;
		if (list->ints[element] == v)
			return true;
		slot = (slot + 1) & list->mask;
	}
}

/*
 * Integers: a pass per element for a short list, else a lookup per row.
 */
#define RUN_INT(name, T) \
static void \
name(const VexecInList *list, VexecKernelCall *call) \
{ \
	const T    *restrict av = VEXEC_VALUES(call->arg[0], T); \
	uint8	   *restrict rv = VEXEC_VALUES(call->result, uint8); \
	int			n; \
	const uint16 *sel = vexec_kernel_rows(call, &n); \
\
	if (list->bitmap == NULL && list->slots == NULL) \
	{ \
		if (sel == NULL) \
		{ \
			memset(rv, 0, n); \
			for (int i = 0; i < list->count; i++) \
			{ \
				const T		v = (T) list->ints[i]; \
\
				for (int row = 0; row < n; row++) \
					rv[row] |= (av[row] == v); \
			} \
			return; \
		} \
		for (int k = 0; k < n; k++) \
		{ \
			const T		a = av[sel[k]]; \
			uint8		found = 0; \
\
			for (int i = 0; i < list->count; i++) \
				found |= (a == (T) list->ints[i]); \
			rv[sel[k]] = found; \
		} \
		return; \
	} \
	sel = vexec_kernel_selected(call, &n); \
	for (int k = 0; k < n; k++) \
	{ \
		const int	row = sel ? sel[k] : k; \
\
		if (sizeof(T) == sizeof(int16)) \
		{ \
			const uint16 v = (uint16) av[row]; \
\
			rv[row] = (list->bitmap[v >> 6] >> (v & 63)) & 1; \
		} \
		else \
			rv[row] = find_int(list, av[row]); \
	} \
}

RUN_INT(run_int16, int16)
RUN_INT(run_int32, int32)
RUN_INT(run_int64, int64)

static inline bool
find_string(const VexecInList *list, VexecString s)
{
	uint32		slot = (uint32) vexec_bytes_hash(s.data, s.len) & list->mask;

	for (;;)
	{
		const int32 element = list->slots[slot];

		if (element < 0)
			return false;
		if (list->strings[element].len == s.len &&
			vexec_bytes_equal(list->strings[element].data, s.data, s.len))
			return true;
		slot = (slot + 1) & list->mask;
	}
}

static void
run_string(const VexecInList *list, VexecKernelCall *call)
{
	const VexecString *av = VEXEC_VALUES(call->arg[0], VexecString);
	uint8	   *rv = VEXEC_VALUES(call->result, uint8);
	int			n;
	const uint16 *sel = vexec_kernel_selected(call, &n);

	for (int k = 0; k < n; k++)
	{
		const int	row = sel ? sel[k] : k;
		VexecString s = av[row];
		bool		found = false;

		if (list->slots != NULL)
		{
			if (list->bpchar)
				s.len = vexec_trimmed_length(s.data, s.len);
			found = find_string(list, s);
		}
		else if (list->bpchar)
		{
			/* most elements differ before the blanks are looked at */
			for (int i = 0; i < list->count && !found; i++)
			{
				const VexecString e = list->strings[i];

				found = s.len >= e.len && vexec_bytes_equal(s.data, e.data, e.len) &&
					vexec_bytes_blank(s.data + e.len, s.len - e.len);
			}
		}
		else
		{
			for (int i = 0; i < list->count && !found; i++)
			{
				const VexecString e = list->strings[i];

				found = s.len == e.len && vexec_bytes_equal(s.data, e.data, e.len);
			}
		}
		rv[row] = found;
	}
}

void
VEXEC_ISA_NAME(vexec_inlist_run) (const VexecInList *list, VexecKernelCall *call)
{
	switch (list->kind)
	{
		case VEXEC_INT16:
			run_int16(list, call);
			break;
		case VEXEC_INT32:
			run_int32(list, call);
			break;
		case VEXEC_INT64:
			run_int64(list, call);
			break;
		default:
			run_string(list, call);
			break;
	}
}
