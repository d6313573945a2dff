/*-------------------------------------------------------------------------
 *
 * inlist.c
 *	  Build the lookup structure of "x = ANY (constant array)".
 *
 * Short lists stay arrays.  Long ones become an open-addressing hash table of
 * element numbers, at most a quarter full, so that most misses end at the
 * first slot; lists of int2 become a bitmap of all values.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "expr/inlist.h"
#include "batch/isa.h"

#include "port/pg_bitutils.h"

extern void vexec_inlist_run_base(const VexecInList *list, VexecKernelCall *call);
extern void vexec_inlist_run_v3(const VexecInList *list, VexecKernelCall *call);
extern void vexec_inlist_run_v4(const VexecInList *list, VexecKernelCall *call);

static void
insert(VexecInList *list, int element, uint64 hash)
{
	uint32		slot = (uint32) hash & list->mask;

	while (list->slots[slot] >= 0)
		slot = (slot + 1) & list->mask;
	list->slots[slot] = element;
}

static void
build_slots(VexecInList *list)
{
	const uint64 nslots = pg_nextpower2_64((uint64) Max(list->count, 4)) * 4;

	list->slots = palloc_extended(sizeof(int32) * nslots, MCXT_ALLOC_HUGE);
	memset(list->slots, 0xFF, sizeof(int32) * nslots);
	list->mask = (uint32) (nslots - 1);
	for (int i = 0; i < list->count; i++)
		insert(list, i, list->kind == VEXEC_STRING ?
			   vexec_bytes_hash(list->strings[i].data, list->strings[i].len) :
			   vexec_inlist_hash_int(list->ints[i]));
}

static void
copy_ints(VexecInList *list, const void *values)
{
	list->ints = palloc_extended(sizeof(int64) * Max(list->count, 1), MCXT_ALLOC_HUGE);
	for (int i = 0; i < list->count; i++)
	{
		if (list->kind == VEXEC_INT16)
			list->ints[i] = ((const int16 *) values)[i];
		else if (list->kind == VEXEC_INT32)
			list->ints[i] = ((const int32 *) values)[i];
		else
			list->ints[i] = ((const int64 *) values)[i];
	}
	if (list->count <= VEXEC_INLIST_SMALL_INTS)
		return;
	if (list->kind == VEXEC_INT16)
	{
		list->bitmap = palloc0((PG_UINT16_MAX + 1) / 8);
		for (int i = 0; i < list->count; i++)
		{
			const uint16 v = (uint16) list->ints[i];

			list->bitmap[v >> 6] |= UINT64CONST(1) << (v & 63);
		}
	}
	else
		build_slots(list);
}

static void
copy_strings(VexecInList *list, const VexecString *values)
{
	list->strings = palloc_extended(sizeof(VexecString) * Max(list->count, 1), MCXT_ALLOC_HUGE);
	for (int i = 0; i < list->count; i++)
	{
		const VexecString from = values[i];
		const uint32 len = list->bpchar ? vexec_trimmed_length(from.data, from.len) : from.len;
		char	   *data = palloc_extended((Size) len + 1, MCXT_ALLOC_HUGE);

		memcpy(data, from.data, len);
		list->strings[i].data = data;
		list->strings[i].len = len;
	}
	if (list->count > VEXEC_INLIST_SMALL_STRINGS)
		build_slots(list);
}

/*
 * Everything is copied into the current memory context.
 */
VexecInList *
vexec_inlist_create(VexecKind kind, bool bpchar, const void *values, int count)
{
	VexecInList *list = palloc0(sizeof(VexecInList));

	Assert(kind == VEXEC_INT16 || kind == VEXEC_INT32 || kind == VEXEC_INT64 ||
		   kind == VEXEC_STRING);
	list->kind = kind;
	list->bpchar = bpchar;
	list->count = count;
	if (kind == VEXEC_STRING)
		copy_strings(list, values);
	else
		copy_ints(list, values);
	return list;
}

void
vexec_inlist_run(const VexecInList *list, VexecKernelCall *call)
{
	static void (*const run[]) (const VexecInList *list, VexecKernelCall *call) =
		VEXEC_ISA_TABLE(vexec_inlist_run);

	run[vexec_isa_level()] (list, call);
}
