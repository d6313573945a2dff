/*-------------------------------------------------------------------------
 *
 * reasons.c
 *	  Why something was not vectorized, remembered by statement.
 *
 * A finished plan has no place for the reasons on all server versions, and a
 * cached plan outlives its planning.  So the session remembers them for the
 * statements planned last, by query text and position in it, which both the
 * planner and the executor know.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "planner/planner.h"

#include "common/hashfn.h"
#include "nodes/pg_list.h"
#include "optimizer/planner.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

#include "compat.h"
#include "planner/paths.h"
#include "planner/reasons.h"
#include "settings.h"

/* Statements remembered, and reasons for each: bounds the session's memory. */
#define MAX_STATEMENTS 64
#define MAX_REASONS 32

typedef struct StatementReasons
{
	uint64		key;			/* 0: unused */
	MemoryContext memory;		/* owns the list and its strings */
	List	   *reasons;
} StatementReasons;

static StatementReasons statements[MAX_STATEMENTS];
static int	next_statement;
static StatementReasons *current;	/* being planned; NULL outside the planner */

static uint64
statement_key(const char *query_string, int stmt_location)
{
	uint64		key;

	if (query_string == NULL)
		query_string = "";
	key = hash_bytes_extended((const unsigned char *) query_string, strlen(query_string),
							  (uint64) stmt_location);
	return key == 0 ? 1 : key;
}

static StatementReasons *
find_statement(uint64 key)
{
	for (int i = 0; i < MAX_STATEMENTS; i++)
	{
		if (statements[i].key == key)
			return &statements[i];
	}
	return NULL;
}

void *
vexec_reasons_begin(const char *query_string, int stmt_location)
{
	uint64		key = statement_key(query_string, stmt_location);
	StatementReasons *outer = current;

	current = find_statement(key);
	if (current == NULL)
	{
		current = &statements[next_statement];
		next_statement = (next_statement + 1) % MAX_STATEMENTS;
	}
	current->key = key;
	current->reasons = NIL;
	if (current->memory != NULL)
		MemoryContextReset(current->memory);
	return outer;
}

void
vexec_reasons_end(void *outer)
{
	current = outer;
}

/* "what alias: reason".  Every statement makes some, and formats are slow. */
static char *
reason_text(const char *what, const char *alias, const char *reason)
{
	Size		what_length = strlen(what);
	Size		alias_length = strlen(alias);
	Size		reason_size = strlen(reason) + 1;
	char	   *text = palloc(what_length + 1 + alias_length + 2 + reason_size);
	char	   *at = text;

	memcpy(at, what, what_length);
	at += what_length;
	if (alias_length > 0)
	{
		*at++ = ' ';
		memcpy(at, alias, alias_length);
		at += alias_length;
	}
	*at++ = ':';
	*at++ = ' ';
	memcpy(at, reason, reason_size);
	return text;
}

void
vexec_decline(const char *what, const char *alias, const char *reason)
{
	MemoryContext old;
	char	   *text;

	if (current == NULL || list_length(current->reasons) >= MAX_REASONS)
		return;
	if (current->memory == NULL)
		current->memory = AllocSetContextCreate(TopMemoryContext, "VexecReasons",
												ALLOCSET_SMALL_SIZES);
	old = MemoryContextSwitchTo(current->memory);
	text = reason_text(what, alias, reason);
	foreach_ptr(char, known, current->reasons)
	{
		if (strcmp(known, text) == 0)
		{
			/* a table's partitions share its alias: there may be thousands of these */
			pfree(text);
			MemoryContextSwitchTo(old);
			return;
		}
	}
	current->reasons = lappend(current->reasons, text);
	MemoryContextSwitchTo(old);
}

void
vexec_reasons_drop(const char *what, const char *alias)
{
	char	   *prefix = psprintf("%s %s: ", what, alias);

	foreach_ptr(char, reason, current->reasons)
	{
		if (strncmp(reason, prefix, strlen(prefix)) == 0)
			current->reasons = foreach_delete_current(current->reasons, reason);
	}
}

List *
vexec_reasons(const char *query_string, int stmt_location)
{
	StatementReasons *found = find_statement(statement_key(query_string, stmt_location));

	return found == NULL ? NIL : found->reasons;
}
