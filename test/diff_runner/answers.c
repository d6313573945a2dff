/*-------------------------------------------------------------------------
 *
 * answers.c
 *	  Runs a statement and keeps all that a client sees of it.
 *
 *-------------------------------------------------------------------------
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diff_runner.h"

/* Appends one value in the escapes of COPY's text format. */
static void
put_value(char **to, const char *value, size_t length)
{
	char	   *q = *to;

	for (size_t i = 0; i < length; i++)
	{
		switch (value[i])
		{
			case '\\':
				*q++ = '\\';
				*q++ = '\\';
				break;
			case '\n':
				*q++ = '\\';
				*q++ = 'n';
				break;
			case '\r':
				*q++ = '\\';
				*q++ = 'r';
				break;
			case '\t':
				*q++ = '\\';
				*q++ = 't';
				break;
			default:
				*q++ = value[i];
		}
	}
	*to = q;
}

static void
add_row(Answer *a, char *row)
{
	if (a->nrows == a->size)
	{
		a->size = a->size ? a->size * 2 : 64;
		a->rows = reallocate(a->rows, a->size * sizeof(char *));
	}
	a->rows[a->nrows++] = row;
}

static void
add_rows(Answer *a, const PGresult *result)
{
	int			ncolumns = PQnfields(result);

	for (int r = 0; r < PQntuples(result); r++)
	{
		size_t		size = 1;
		char	   *row,
				   *to;

		for (int c = 0; c < ncolumns; c++)
			size += 3 + 2 * (size_t) PQgetlength(result, r, c);
		to = row = allocate(size);
		for (int c = 0; c < ncolumns; c++)
		{
			if (c > 0)
				*to++ = '\t';
			if (PQgetisnull(result, r, c))
			{
				*to++ = '\\';
				*to++ = 'N';
			}
			else
				put_value(&to, PQgetvalue(result, r, c), PQgetlength(result, r, c));
		}
		*to = '\0';
		add_row(a, row);
	}
}

static void
set_columns(Answer *a, const PGresult *result)
{
	if (a->columns != NULL)
		return;
	a->ncolumns = PQnfields(result);
	a->types = allocate(a->ncolumns * sizeof(Oid));
	append(&a->columns, "%d columns", a->ncolumns);
	for (int c = 0; c < a->ncolumns; c++)
	{
		a->types[c] = PQftype(result, c);
		append(&a->columns, ", \"%s\" type %u typmod %d", PQfname(result, c),
			   a->types[c], PQfmod(result, c));
	}
}

static void
set_error(Answer *a, const PGresult *result)
{
	static const struct
	{
		int			code;
		const char *name;
	}			fields[] = {
		{PG_DIAG_SEVERITY_NONLOCALIZED, "severity"},
		{PG_DIAG_SQLSTATE, "sqlstate"},
		{PG_DIAG_MESSAGE_PRIMARY, "message"},
		{PG_DIAG_MESSAGE_DETAIL, "detail"},
		{PG_DIAG_MESSAGE_HINT, "hint"},
		{PG_DIAG_CONTEXT, "context"},
		{PG_DIAG_STATEMENT_POSITION, "position"},
		{PG_DIAG_INTERNAL_POSITION, "internal position"},
		{PG_DIAG_INTERNAL_QUERY, "internal query"},
		{PG_DIAG_SCHEMA_NAME, "schema"},
		{PG_DIAG_TABLE_NAME, "table"},
		{PG_DIAG_COLUMN_NAME, "column"},
		{PG_DIAG_DATATYPE_NAME, "data type"},
		{PG_DIAG_CONSTRAINT_NAME, "constraint"}
	};
	const char *sqlstate = PQresultErrorField(result, PG_DIAG_SQLSTATE);

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
	{
		const char *value = PQresultErrorField(result, fields[i].code);

		if (value != NULL)
			append(&a->error, "%s%s: %s", a->error ? "; " : "", fields[i].name, value);
	}
	if (a->error == NULL)
		append(&a->error, "%s", PQresultErrorMessage(result));
	snprintf(a->sqlstate, sizeof(a->sqlstate), "%s", sqlstate ? sqlstate : "");
}

static void
receive_notice(void *arg, const PGresult *result)
{
	char	  **warnings = arg;
	const char *severity = PQresultErrorField(result, PG_DIAG_SEVERITY_NONLOCALIZED);

	if (severity != NULL && strcmp(severity, "WARNING") == 0)
		append(warnings, "%s%s", *warnings ? "; " : "",
			   PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY));
}

static Answer *
new_answer(Outcome *outcome)
{
	outcome->answers = reallocate(outcome->answers, (outcome->count + 1) * sizeof(Answer));
	memset(&outcome->answers[outcome->count], 0, sizeof(Answer));
	return &outcome->answers[outcome->count++];
}

void
run_statement(PGconn *conn, const char *text, Outcome *outcome)
{
	PGresult   *result;
	Answer	   *open = NULL;

	memset(outcome, 0, sizeof(*outcome));
	PQsetNoticeReceiver(conn, receive_notice, &outcome->warnings);
	if (!PQsendQuery(conn, text))
	{
		outcome->lost = true;
		return;
	}

	/* Rows one by one: those that arrive before an error are compared too. */
	PQsetSingleRowMode(conn);
	while ((result = PQgetResult(conn)) != NULL)
	{
		ExecStatusType status = PQresultStatus(result);

		if (open == NULL)
			open = new_answer(outcome);
		switch (status)
		{
			case PGRES_SINGLE_TUPLE:
				set_columns(open, result);
				add_rows(open, result);
				break;
			case PGRES_COPY_OUT:
				{
					char	   *row;
					int			length;

					while ((length = PQgetCopyData(conn, &row, 0)) > 0)
					{
						while (length > 0 && row[length - 1] == '\n')
							length--;
						add_row(open, copy_text(row, length));
						PQfreemem(row);
					}
					break;
				}
			case PGRES_COPY_IN:
				PQputCopyEnd(conn, "no input for COPY");
				break;
			default:
				open->status = status;
				if (status == PGRES_TUPLES_OK)
					set_columns(open, result);
				if (status == PGRES_FATAL_ERROR)
					set_error(open, result);
				open->tag = copy_text(PQcmdStatus(result), strlen(PQcmdStatus(result)));
				open = NULL;
				break;
		}
		PQclear(result);
	}
	if (PQstatus(conn) == CONNECTION_BAD)
		outcome->lost = true;
}

void
free_outcome(Outcome *outcome)
{
	for (int i = 0; i < outcome->count; i++)
	{
		Answer	   *a = &outcome->answers[i];

		for (int r = 0; r < a->nrows; r++)
			free(a->rows[r]);
		free(a->rows);
		free(a->tag);
		free(a->columns);
		free(a->types);
		free(a->error);
	}
	free(outcome->answers);
	free(outcome->warnings);
	memset(outcome, 0, sizeof(*outcome));
}
