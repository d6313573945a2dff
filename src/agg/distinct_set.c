/*-------------------------------------------------------------------------
 *
 * distinct_set.c
 *	  Which values of an aggregate's argument were seen in which group.
 *
 * The set is a ticket table of (group's ticket, value).  Its tickets are dense
 * and numbered by first appearance in row order, so a row is the first one of
 * its pair if and only if its ticket is the next in the numbering.
 *
 * Once the table is full, rows with other pairs are spilled.  When input has
 * ended, hash partitions of these are taken through the emptied table in turn.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "agg/calls.h"
#include "agg/spill.h"

#include "catalog/pg_type_d.h"
#include "nodes/nodeFuncs.h"
#include "utils/memutils.h"

struct VexecDistinctSet
{
	VexecKeyType value;
	bool		grouped;		/* the table's first key is the group's ticket */
	Size		limit;			/* bytes of the table */
	VexecTicketTable *table;	/* NULL until the first rows */
	VexecVector *groups;		/* tickets of the batch as a vector */
	uint32	   *pairs;			/* the table's tickets of the batch, by row */
	VexecSelection not_null;

	/* Pairs that found no room; their columns are the table's keys. */
	VexecSpill *spill;			/* NULL until there are any */
	VexecGroupingPlan plan;		/* of the spill: its columns and memory */
	VexecInputColumn columns[2];
	bool		reading;		/* the table's pairs come from disk */
	uint16	   *missed;			/* rows of the batch without a place */
	uint64	   *hashes;			/* theirs */
	Size		disk;
	MemoryContext memory;		/* owns table and spill */
};

/* The columns of pairs: the ticket, a plain int4 (it is below 2^31), and the value. */
static const VexecKeyType group_key = {
	.kind = VEXEC_INT32,
	.typid = INT4OID,
	.typmod = -1,
};

VexecDistinctSet *
vexec_distinct_set_create(const VexecCall *call, VexecKind kind, Size memory)
{
	VexecDistinctSet *set = palloc0(sizeof(VexecDistinctSet));
	Expr	   *arg = linitial_node(TargetEntry, call->aggref->args)->expr;

	Assert(list_length(call->aggref->aggdistinct) == 1);
	set->value.kind = kind;
	set->value.typid = exprType((Node *) arg);
	set->value.typmod = exprTypmod((Node *) arg);
	set->value.collation = exprCollation((Node *) arg);
	set->value.eq_operator = linitial_node(SortGroupClause, call->aggref->aggdistinct)->eqop;
	set->plan.memory_limit = memory;
	set->memory = AllocSetContextCreate(CurrentMemoryContext, "vexec distinct set",
										ALLOCSET_SMALL_SIZES);
	return set;
}

/* Whether there are groups is known with the first rows. */
static void
create_table(VexecDistinctSet *set, bool grouped)
{
	MemoryContext old_context = MemoryContextSwitchTo(set->memory);
	VexecKeyType keys[2] = {group_key, set->value};
	Size		share = set->plan.memory_limit - SPILL_SHARE(set->plan.memory_limit);

	set->grouped = grouped;
	set->table = vexec_tickets_create(grouped ? 2 : 1, grouped ? keys : &set->value, 1);
	set->pairs = palloc_array(uint32, VEXEC_BATCH_ROWS);
	if (grouped)
		set->groups = vexec_vector_create(VEXEC_INT32, false);

	/* What an empty table needs does not count where it would take all. */
	set->limit = Max(share, vexec_tickets_memory(set->table) + share / 2);
	MemoryContextSwitchTo(old_context);
}

static void
create_spill(VexecDistinctSet *set)
{
	MemoryContext old_context = MemoryContextSwitchTo(set->memory);
	int			n = set->grouped ? 2 : 1;

	set->columns[0].kind = group_key.kind;
	set->columns[0].typid = group_key.typid;
	set->columns[n - 1].kind = set->value.kind;
	set->columns[n - 1].typid = set->value.typid;
	set->plan.ncolumns = set->plan.nkeys = n;
	set->plan.columns = set->columns;
	set->spill = vexec_spill_create(&set->plan, SPILL_SHARE(set->plan.memory_limit));
	set->missed = palloc_array(uint16, VEXEC_BATCH_ROWS);
	set->hashes = palloc_array(uint64, VEXEC_BATCH_ROWS);
	MemoryContextSwitchTo(old_context);
}

/* --- adding ------------------------------------------------------------------- */

/* The selected rows whose value is not null. */
static const uint16 *
select_not_null(VexecDistinctSet *set, const VexecVector *value, const uint16 *sel, int *n)
{
	int			count = 0;

	if (!value->has_nulls)
		return sel;
	for (int k = 0; k < *n; k++)
	{
		int			row = sel ? sel[k] : k;

		if (!vexec_is_null(value, row))
			set->not_null.rows[count++] = row;
	}
	*n = count;
	return set->not_null.rows;
}

/* See that n rows fit into memory: the table takes no more pairs than that. */
static void
limit_pairs(VexecDistinctSet *set, int n)
{
	uint32		count = vexec_tickets_count(set->table);
	Size		bytes = vexec_tickets_memory(set->table);
	Size		space = set->limit - Min(bytes, set->limit);
	int			fit = n;

	if (vexec_tickets_full(set->table))
		return;
	if (vexec_tickets_growth(set->table, n) > space)
		fit = vexec_tickets_fitting(set->table, n, space);

	/* One pair finds room in any case, so that the number of pairs on disk falls. */
	vexec_tickets_limit(set->table, fit < n ? Max(count + fit, 1) : PG_UINT32_MAX,
						space - Min(vexec_tickets_growth(set->table, fit), space));
}

/* Rows of the batch without a place in the table wait on disk. */
static void
spill_missed(VexecDistinctSet *set, const VexecVector *const *keys, const uint16 *sel, int n)
{
	const uint64 *hashes = vexec_tickets_hashes(set->table);
	int			count = 0;

	if (set->spill == NULL)
		create_spill(set);
	for (int k = 0; k < n; k++)
	{
		uint16		row = sel ? sel[k] : k;

		set->missed[count] = row;
		set->hashes[count] = hashes[k];
		count += set->pairs[row] == VEXEC_NO_TICKET;
	}
	vexec_spill_write(set->spill, keys, set->missed, set->hashes, count);
}

static void
add_pairs(VexecDistinctSet *set, const VexecVector *const *keys, const uint16 *sel, int n,
		  VexecSelection *first)
{
	uint32		next = vexec_tickets_count(set->table);

	limit_pairs(set, n);
	if (vexec_tickets_assign(set->table, keys, sel, n, set->pairs) > 0)
		spill_missed(set, keys, sel, n);
	first->count = 0;
	first->dense = false;
	if (vexec_tickets_count(set->table) == next)
		return;

	for (int k = 0; k < n; k++)
	{
		int			row = sel ? sel[k] : k;

		first->rows[first->count] = row;
		if (set->pairs[row] == next)
		{
			next++;
			first->count++;
		}
	}
	Assert(next == vexec_tickets_count(set->table));
}

void
vexec_distinct_set_add(VexecDistinctSet *set, const VexecVector *value, const uint32 *tickets,
					   const uint16 *sel, int n, VexecSelection *first)
{
	const VexecVector *keys[2] = {value, NULL};

	first->count = 0;
	first->dense = false;
	if (set->table == NULL)
		create_table(set, tickets != NULL);
	Assert(set->grouped == (tickets != NULL) && !set->reading);

	sel = select_not_null(set, value, sel, &n);
	if (n == 0)
		return;
	if (set->grouped)
	{
		int32	   *groups = VEXEC_VALUES(set->groups, int32);

		VEXEC_FOREACH(row, sel, n, groups[row] = (int32) tickets[row];);
		keys[0] = set->groups;
		keys[1] = value;
	}
	add_pairs(set, keys, sel, n, first);
}

/* --- what waited ---------------------------------------------------------------- */

/* Pairs of other partitions are not in this one: the table begins anew for each. */
static bool
next_partition(VexecDistinctSet *set)
{
	set->disk = Max(set->disk, vexec_spill_disk(set->spill));
	set->reading = vexec_spill_next_round(set->spill);
	vexec_tickets_reset(set->table);
	return set->reading;
}

bool
vexec_distinct_set_next(VexecDistinctSet *set, const VexecVector **value, const uint32 **tickets,
						VexecSelection *first)
{
	const VexecVector *const *columns;
	int			n;

	if (set->spill == NULL || (!set->reading && !next_partition(set)))
		return false;
	do
	{
		while ((n = vexec_spill_read(set->spill, VEXEC_BATCH_ROWS, &columns)) == 0)
			if (!next_partition(set))
				return false;
		add_pairs(set, columns, NULL, n, first);
	} while (first->count == 0);
	*value = columns[set->grouped ? 1 : 0];
	*tickets = set->grouped ? VEXEC_VALUES(columns[0], uint32) : NULL;
	return true;
}

/* --- the set's life -------------------------------------------------------------- */

Size
vexec_distinct_set_memory(const VexecDistinctSet *set)
{
	return MemoryContextMemAllocated(set->memory, true);
}

uint64
vexec_distinct_set_spilled(const VexecDistinctSet *set)
{
	return set->spill == NULL ? 0 : vexec_spill_rows_written(set->spill);
}

uint64
vexec_distinct_set_partitions(const VexecDistinctSet *set)
{
	return set->spill == NULL ? 0 : vexec_spill_partitions(set->spill);
}

Size
vexec_distinct_set_disk(const VexecDistinctSet *set)
{
	return set->spill == NULL ? 0 : Max(set->disk, vexec_spill_disk(set->spill));
}

void
vexec_distinct_set_reset(VexecDistinctSet *set)
{
	if (set->spill != NULL)
		vexec_spill_reset(set->spill);
	MemoryContextReset(set->memory);
	set->spill = NULL;
	set->table = NULL;
	set->pairs = NULL;
	set->groups = NULL;
	set->reading = false;
	set->disk = 0;
}
