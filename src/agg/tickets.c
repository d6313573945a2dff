/*-------------------------------------------------------------------------
 *
 * tickets.c
 *	  The ticket table: from grouping keys to dense group numbers.
 *
 * Here are the table's life and its growth.  The loops over rows are in
 * kernel_tickets.c, the rules of each kind of key in ticket_keys.c.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "agg/tickets.h"
#include "batch/isa.h"

#include "miscadmin.h"
#include "port/pg_bitutils.h"
#include "utils/memutils.h"

/*
 * Slots are filled up to a share.  The branches of a probe are predicted worse
 * the fuller they are: 4.5 ns a row at 0.3, 6.5 at 0.5, 8.3 at 0.6.  Beyond the
 * second-level cache more slots cost misses instead.
 */
#define SMALL_SLOTS (64 * 1024)
#define MAX_FILL(nslots) ((nslots) / 8 * ((nslots) <= SMALL_SLOTS ? 3 : 5))

/* The estimate may be wrong by far: no more groups than this are prepared for. */
#define MAX_EXPECTED_GROUPS (1024 * 1024)

/* The largest block of copies of keys: unused parts of blocks count as used memory. */
#define KEY_BLOCK_BYTES (32 * 1024)

/* Groups between two looks for interrupts while the slots are built anew. */
#define REHASH_CHUNK 1024

#ifdef PG_VEXEC_TEST
bool		vexec_test_equal_hashes = false;
#define EQUAL_HASHES vexec_test_equal_hashes
#else
#define EQUAL_HASHES false
#endif

/* --- the table's life ----------------------------------------------------------- */

static const VexecTicketKernels *
ticket_kernels(void)
{
	static const VexecTicketKernels *const kernels[] = VEXEC_ISA_TABLE(vexec_ticket_kernels);

	return kernels[vexec_isa_level()];
}

static void
create_slots(VexecTicketTable *table, uint64 nslots)
{
	table->nslots = nslots;
	table->shift = 64 - pg_leftmost_one_pos64(nslots);
	table->slots = MemoryContextAllocAligned(table->context, nslots * sizeof(VexecTicketSlot),
											 PG_CACHE_LINE_SIZE,
											 MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
}

static void *
resize_array(VexecTicketTable *table, void *array, Size size)
{
	return array == NULL ? MemoryContextAllocHuge(table->context, size) :
		repalloc_huge(array, size);
}

/* At most 2^31 tickets of at most 2^11 keys of 8 bytes: no overflow in Size. */
static void
set_capacity(VexecTicketTable *table, uint64 capacity)
{
	table->groups = resize_array(table, table->groups, capacity * table->nkeys * sizeof(uint64));
	for (int k = 0; k < table->nkeys; k++)
	{
		VexecTicketKey *key = &table->keys[k];

		if (vexec_ticket_key_has_originals(key))
			key->originals = resize_array(table, key->originals, capacity * sizeof(uint64));
	}
	table->capacity = capacity;
}

VexecTicketTable *
vexec_tickets_create(int nkeys, const VexecKeyType *keys, double expected_groups)
{
	VexecTicketTable *table = palloc0(sizeof(VexecTicketTable));
	uint64		nslots = 2 * VEXEC_BATCH_ROWS;
	uint64		room;

	Assert(nkeys >= 1);
	table->context = AllocSetContextCreate(CurrentMemoryContext, "vexec ticket table",
										   ALLOCSET_SMALL_SIZES);
	table->key_memory = BumpContextCreate(table->context, "vexec ticket keys",
										  0, ALLOCSET_DEFAULT_INITSIZE, KEY_BLOCK_BYTES);
	table->scratch = AllocSetContextCreate(table->context, "vexec ticket scratch",
										   ALLOCSET_SMALL_SIZES);
	table->kernels = ticket_kernels();
	table->nkeys = nkeys;
	table->keys = MemoryContextAllocZero(table->context, nkeys * sizeof(VexecTicketKey));
	for (int k = 0; k < nkeys; k++)
		vexec_ticket_key_init(table, &table->keys[k], &keys[k]);
	table->hashes = MemoryContextAllocAligned(table->context, VEXEC_BATCH_ROWS * sizeof(uint64),
											  PG_CACHE_LINE_SIZE, 0);
	table->verify = MemoryContextAllocAligned(table->context, VEXEC_BATCH_ROWS,
											  PG_CACHE_LINE_SIZE, 0);

	/* Room for a batch of new groups is always there. */
	room = (uint64) Min(Max(expected_groups, 1), MAX_EXPECTED_GROUPS) + VEXEC_BATCH_ROWS;
	while (MAX_FILL(nslots) < room)
		nslots *= 2;
	create_slots(table, nslots);
	set_capacity(table, room);
	table->max_groups = VEXEC_MAX_GROUPS;
	table->max_key_bytes = SIZE_MAX;
	return table;
}

uint32
vexec_tickets_count(const VexecTicketTable *table)
{
	return table->ngroups;
}

Size
vexec_tickets_memory(const VexecTicketTable *table)
{
	return MemoryContextMemAllocated(table->context, true) + table->unbuilt_bytes;
}

void
vexec_tickets_reset(VexecTicketTable *table)
{
	if (table->ngroups > 0)
		memset(table->slots, 0, table->nslots * sizeof(VexecTicketSlot));
	table->ngroups = 0;
	table->max_groups = VEXEC_MAX_GROUPS;
	table->key_bytes = 0;
	table->unbuilt_bytes = 0;
	table->max_key_bytes = SIZE_MAX;
	MemoryContextReset(table->key_memory);
	MemoryContextReset(table->scratch);
}

/* --- growth ----------------------------------------------------------------------- */

static void
override_hashes(uint64 *hashes, int n)
{
	for (int i = 0; i < n; i++)
		hashes[i] = UINT64CONST(0x0123456789ABCDEF);
}

/* The old slots go first: groups say all that the new ones need. */
static void
rebuild_slots(VexecTicketTable *table, uint64 nslots)
{
	uint64		mask = nslots - 1;

	pfree(table->slots);
	table->slots = NULL;
	create_slots(table, nslots);
	for (uint32 first = 0; first < table->ngroups; first += REHASH_CHUNK)
	{
		int			n = Min(REHASH_CHUNK, table->ngroups - first);
		uint64		hashes[REHASH_CHUNK];

		CHECK_FOR_INTERRUPTS();
		table->kernels->hash_groups(table, first, n, hashes);
		if (EQUAL_HASHES)
			override_hashes(hashes, n);
		for (int i = 0; i < n; i++)
			__builtin_prefetch(&table->slots[hashes[i] >> table->shift], 1);
		for (int i = 0; i < n; i++)
		{
			uint64		position = hashes[i] >> table->shift;

			while (table->slots[position].tag != 0)
				position = (position + 1) & mask;
			table->slots[position].tag = (uint32) hashes[i] | 1;
			table->slots[position].ticket = first + i;
		}
	}
}

/* Capacity and slots with room for n new groups, as far as they are allowed. */
static void
grown_sizes(const VexecTicketTable *table, int n, uint64 *capacity, uint64 *nslots)
{
	uint64		needed = Min((uint64) table->ngroups + n, table->max_groups);

	*capacity = table->capacity;
	if (needed > *capacity)
		*capacity = vexec_grown_capacity(*capacity, needed);
	*nslots = table->nslots;
	while (needed > MAX_FILL(*nslots))
		*nslots *= 2;
}

static void
reserve(VexecTicketTable *table, int n)
{
	uint64		capacity;
	uint64		nslots;

	grown_sizes(table, n, &capacity, &nslots);
	if (capacity > table->capacity)
		set_capacity(table, capacity);
	if (nslots > table->nslots)
		rebuild_slots(table, nslots);
}

Size
vexec_tickets_growth(const VexecTicketTable *table, int n)
{
	uint64		capacity;
	uint64		nslots;
	int			arrays = table->nkeys;

	grown_sizes(table, n, &capacity, &nslots);
	if (capacity == table->capacity && nslots == table->nslots)
		return 0;
	for (int k = 0; k < table->nkeys; k++)
		if (vexec_ticket_key_has_originals(&table->keys[k]))
			arrays++;
	return (capacity - table->capacity) * arrays * sizeof(uint64) +
		(nslots - table->nslots) * sizeof(VexecTicketSlot);
}

int
vexec_tickets_fitting(const VexecTicketTable *table, int n, Size bytes)
{
	int			fit = 0;
	int			too_many = n;

	while (too_many - fit > 1)
	{
		int			middle = (fit + too_many) / 2;

		if (vexec_tickets_growth(table, middle) <= bytes)
			fit = middle;
		else
			too_many = middle;
	}
	return fit;
}

void
vexec_tickets_limit(VexecTicketTable *table, uint32 groups, Size key_bytes)
{
	/* A sum that overflows is no limit. */
	if (key_bytes > SIZE_MAX - table->key_bytes)
		table->max_key_bytes = SIZE_MAX;
	else
		table->max_key_bytes = table->key_bytes + key_bytes;
	table->max_groups = Min(table->max_groups, groups);
}

bool
vexec_tickets_full(const VexecTicketTable *table)
{
	return table->ngroups >= table->max_groups;
}

const uint64 *
vexec_tickets_hashes(const VexecTicketTable *table)
{
	return table->hashes;
}

void
vexec_tickets_long_probe(void)
{
	CHECK_FOR_INTERRUPTS();
}

int
vexec_tickets_assign(VexecTicketTable *table, const VexecVector *const *keys, const uint16 *sel,
					 int n, uint32 *tickets)
{
	bool		verify = false;

	if (n == 0)
		return 0;
	Assert(n <= VEXEC_BATCH_ROWS);
	CHECK_FOR_INTERRUPTS();
	reserve(table, n);
	table->vectors = keys;
	memset(table->verify, 0, n);
	for (int k = 0; k < table->nkeys; k++)
	{
		VexecTicketKey *key = &table->keys[k];

		if (!keys[k]->constant)
			verify |= vexec_ticket_lanes(table, key, keys[k], sel, n);
		else
		{
			uint8		verify_first = table->verify[0];
			bool		inexact = vexec_ticket_lanes(table, key, keys[k], NULL, 1);

			for (int i = 1; i < n; i++)
				key->lanes[i] = key->lanes[0];
			if (inexact)
				memset(table->verify, 1, n);
			else
				table->verify[0] = verify_first;
			verify |= inexact;
		}
	}
	table->kernels->hash_rows(table, n);
	if (EQUAL_HASHES)
		override_hashes(table->hashes, n);
	table->nmissed = 0;
	table->kernels->resolve(table, sel, n, verify, tickets);
	table->vectors = NULL;
	MemoryContextReset(table->scratch);
	return table->nmissed;
}

/* --- the planner's estimate ------------------------------------------------------------------ */

/*
 * Arrays that double are three quarters full on average.  Large ones grow by a
 * quarter and are nine tenths full: for them the estimate errs on the safe side.
 */
#define ARRAY_SLACK(bytes) ((bytes) * 4 / 3)

/* What the buffer of a string extreme is taken to need. */
#define EXTREME_BYTES 48

Size
vexec_group_size_estimate(int nkeys, const VexecKeyType *keys, const int32 *widths,
						  int ntransitions, const VexecTransition *const *transitions)
{
	/* Large tables' slots are between 5/16 and 5/8 full. */
	Size		size = sizeof(VexecTicketSlot) * 16 / 7;

	for (int k = 0; k < nkeys; k++)
	{
		Size		width = Max(widths[k], 0);

		size += ARRAY_SLACK(sizeof(uint64));
		switch (keys[k].kind)
		{
			case VEXEC_FLOAT4:
			case VEXEC_FLOAT8:
				size += ARRAY_SLACK(sizeof(uint64));
				break;
			case VEXEC_STRING:
			case VEXEC_DATUM:
			case VEXEC_NUMERIC:
				size += ARRAY_SLACK(sizeof(uint64)) + MAXALIGN(VARHDRSZ + width);
				break;
			default:
				break;
		}
	}
	for (int i = 0; i < ntransitions; i++)
	{
		size += ARRAY_SLACK(transitions[i]->state_size);
		if (transitions[i]->arg == VEXEC_STRING)
			size += EXTREME_BYTES;
	}
	return size;
}
