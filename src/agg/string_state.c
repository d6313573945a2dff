/*-------------------------------------------------------------------------
 *
 * string_state.c
 *	  min and max of text and char(n) under any collation.
 *
 * Of values that compare equal core keeps the new one for text and the old one
 * for char(n); that can be seen with padding and nondeterministic collations.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "agg/aggregates.h"
#include "compat.h"

#include "utils/builtins.h"
#include "utils/memutils.h"
#include "utils/varlena.h"

/* How strings of one update are compared. */
typedef struct StringOrder
{
	bool		max;
	bool		bpchar;			/* trailing blanks do not count */
	bool		bytes;			/* the collation is C */
	Oid			collation;
} StringOrder;

static inline int
compare_strings(const StringOrder *how, VexecString a, VexecString b)
{
	int			order;

	if (how->bpchar)
	{
		a.len = bpchartruelen(unconstify(char *, a.data), a.len);
		b.len = bpchartruelen(unconstify(char *, b.data), b.len);
	}
	if (!how->bytes)
		return varstr_cmp(a.data, a.len, b.data, b.len, how->collation);
	order = memcmp(a.data, b.data, Min(a.len, b.len));
	return order != 0 ? order : (a.len > b.len) - (a.len < b.len);
}

/*
 * Whether the state's value stays.  Equal bytes are equal under every
 * collation and cannot be told apart afterwards; an unknown collation is left
 * to varstr_cmp, which raises core's error for it.
 */
static inline bool
string_stays(const StringOrder *how, VexecString state, VexecString value)
{
	int			order;

	if (!how->bytes && OidIsValid(how->collation) && state.len == value.len &&
		memcmp(state.data, value.data, state.len) == 0)
		return true;
	order = compare_strings(how, state, value);
	if (order == 0)
		return how->bpchar;
	return how->max ? order > 0 : order < 0;
}

static void
string_set(VexecTransitionState *ts, VexecStringBest *state, VexecString value)
{
	/* The state may be an empty string: a buffer says that there was a row. */
	state->data = vexec_state_buffer(ts, state->data, &state->buffer_size, Max(value.len, 1));
	memcpy(state->data, value.data, value.len);
	state->len = value.len;
}

static pg_attribute_always_inline void
string_update(VEXEC_UPDATE_ARGS, bool max, bool bpchar)
{
	VexecStringBest *states = (VexecStringBest *) ts->states;
	const VexecString *values;
	StringOrder how;

	VEXEC_SPREAD_SPACE(VexecString);

	VEXEC_SPREAD(arg, VexecString);
	values = VEXEC_VALUES(arg, VexecString);
	how.max = max;
	how.bpchar = bpchar;
	how.collation = ts->collation;
	how.bytes = OidIsValid(ts->collation) && vexec_collation_is_c(ts->collation);
	if (tickets == NULL)
	{
		/* The candidate is borrowed until the end of the batch. */
		VexecString best = {states[0].data, states[0].len};

		VEXEC_FOREACH_NOT_NULL(row, arg, sel, n,
							   {
								   if (best.data == NULL ||
									   !string_stays(&how, best, values[row]))
									   best = values[row];
							   });
		if (best.data != states[0].data)
			string_set(ts, &states[0], best);
	}
	else
		VEXEC_FOREACH_NOT_NULL(row, arg, sel, n,
							   {
								   VexecStringBest *state = &states[tickets[row]];
								   VexecString best;

								   best.data = state->data;
								   best.len = state->len;
								   if (best.data == NULL ||
									   !string_stays(&how, best, values[row]))
									   string_set(ts, state, values[row]);
							   });
}

void
vexec_min_text_update(VEXEC_UPDATE_ARGS)
{
	string_update(ts, arg, tickets, sel, n, false, false);
}

void
vexec_max_text_update(VEXEC_UPDATE_ARGS)
{
	string_update(ts, arg, tickets, sel, n, true, false);
}

void
vexec_min_bpchar_update(VEXEC_UPDATE_ARGS)
{
	string_update(ts, arg, tickets, sel, n, false, true);
}

void
vexec_max_bpchar_update(VEXEC_UPDATE_ARGS)
{
	string_update(ts, arg, tickets, sel, n, true, true);
}

Datum
vexec_string_best_final(VexecTransitionState *ts, uint32 ticket, bool *isnull)
{
	VexecStringBest *state = &((VexecStringBest *) ts->states)[ticket];

	*isnull = (state->data == NULL);
	if (*isnull)
		return (Datum) 0;
	return PointerGetDatum(cstring_to_text_with_len(state->data, state->len));
}
