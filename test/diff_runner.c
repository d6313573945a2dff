/*-------------------------------------------------------------------------
 *
 * diff_runner.c
 *	  Runs SQL files with the extension off and on, and compares what a client
 *	  sees.
 *
 * The file format and the meaning of a difference are described at the head
 * of test/diff, which compiles and calls this program.
 *
 * For each file a database is made and its setup statements run once.  Each
 * mode then runs the other statements in one session of its own, in a copy of
 * that database made page by page, so that no mode sees what another one has
 * written, and all see the same pages.  The first mode is the oracle.
 *
 * Memory is allocated with malloc and kept as long as one file is compared.
 *
 *-------------------------------------------------------------------------
 */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <libpq-fe.h>

#define MAX_MODES 32
#define MAX_SETTINGS 32

/* Differing rows printed for each side. */
#define SHOWN_ROWS 3

/* Bytes of a row or statement that are printed. */
#define SHOWN_BYTES 300

/* Lines of the server's log that are printed before the end of a crashed process. */
#define SHOWN_LOG_LINES 25

/* Seconds to wait for a server that restarts after a crash. */
#define RESTART_SECONDS 60

/* Relative tolerance of floats under the approx annotation. */
#define APPROX_TOLERANCE 1e-12

#define FLOAT4_OID 700
#define FLOAT8_OID 701

typedef enum Ordering
{
	ORDERING_FROM_TEXT,
	ORDERING_ORDERED,
	ORDERING_UNORDERED
} Ordering;

typedef struct Statement
{
	char	   *text;
	int			line;			/* of its first character, from 1 */
	bool		setup;
	bool		require;
	bool		approx;
	bool		serial;			/* its answer is free in parallel plans */
	bool		error;			/* a mistake in the statement is meant */
	bool		ordered;
} Statement;

typedef struct StatementList
{
	Statement  *items;
	int			count;
	int			size;
} StatementList;

typedef struct Mode
{
	const char *name;
	int			nsettings;
	char	   *settings[MAX_SETTINGS]; /* "name = value" */
	bool		force;			/* sets pg_vexec.force = on */
	const char *workers;		/* its setting that allows parallel plans, or NULL */
} Mode;

/* One result of a statement; a query string can give several. */
typedef struct Answer
{
	ExecStatusType status;
	char	   *tag;			/* command tag */
	char	   *columns;		/* names and types */
	int			ncolumns;
	Oid		   *types;
	char	  **rows;			/* in the escapes of COPY's text format */
	int			nrows;
	int			size;
	char	   *error;			/* all fields that a client sees, or NULL */
	char		sqlstate[6];
} Answer;

typedef struct Outcome
{
	Answer	   *answers;
	int			count;
	char	   *warnings;		/* all messages of level WARNING, in order */
	bool		lost;			/* the connection broke */
} Outcome;

static Mode modes[MAX_MODES];
static int	nmodes = 0;
static char *common_settings[MAX_SETTINGS];
static int	ncommon = 0;
static const char *log_path = NULL;
static bool verbose = false;
static int	differences = 0;

static void die(const char *format,...) __attribute__((format(printf, 1, 2), noreturn));

static void
die(const char *format,...)
{
	va_list		args;

	fflush(stdout);
	fprintf(stderr, "diff_runner: ");
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	exit(2);
}

static void *
allocate(size_t size)
{
	void	   *p = calloc(1, size > 0 ? size : 1);

	if (p == NULL)
		die("out of memory");
	return p;
}

static void *
reallocate(void *p, size_t size)
{
	p = realloc(p, size);
	if (p == NULL)
		die("out of memory");
	return p;
}

static char *
copy_text(const char *text, size_t length)
{
	char	   *copy = allocate(length + 1);

	memcpy(copy, text, length);
	return copy;
}

/* Appends to *text, which is NULL or from here. */
static void
append(char **text, const char *format,...) __attribute__((format(printf, 2, 3)));

static void
append(char **text, const char *format,...)
{
	va_list		args;
	int			added;
	size_t		old = *text ? strlen(*text) : 0;

	va_start(args, format);
	added = vsnprintf(NULL, 0, format, args);
	va_end(args);
	*text = reallocate(*text, old + added + 1);
	va_start(args, format);
	vsnprintf(*text + old, added + 1, format, args);
	va_end(args);
}

/* --- Reading a file ----------------------------------------------------- */

static char *
read_file(const char *path)
{
	FILE	   *f = fopen(path, "rb");
	char	   *text = NULL;
	size_t		length = 0,
				got;

	if (f == NULL)
		die("cannot open %s: %s", path, strerror(errno));
	do
	{
		text = reallocate(text, length + 65536 + 1);
		got = fread(text + length, 1, 65536, f);
		length += got;
	} while (got > 0);
	fclose(f);
	text[length] = '\0';
	return text;
}

static bool
is_word_char(unsigned char c)
{
	return isalnum(c) || c == '_' || c == '$' || c >= 0x80;
}

/*
 * The length of a dollar quote's delimiter at p, which is a '$', or 0.
 */
static size_t
dollar_delimiter(const char *p)
{
	const char *q = p + 1;

	if (isdigit((unsigned char) *q))
		return 0;
	while (is_word_char(*q) && *q != '$')
		q++;
	return *q == '$' ? (size_t) (q - p + 1) : 0;
}

/*
 * The character after the comment, quoted text or dollar-quoted text at p, or p
 * when none starts there.
 */
static const char *
skip_opaque(const char *p, const char *start)
{
	if (p[0] == '-' && p[1] == '-')
	{
		while (*p && *p != '\n')
			p++;
	}
	else if (p[0] == '/' && p[1] == '*')
	{
		int			depth = 0;

		do
		{
			if (p[0] == '/' && p[1] == '*')
			{
				depth++;
				p += 2;
			}
			else if (p[0] == '*' && p[1] == '/')
			{
				depth--;
				p += 2;
			}
			else
				p++;
		} while (*p && depth > 0);
	}
	else if (*p == '\'' || *p == '"')
	{
		char		quote = *p;
		bool		escapes = quote == '\'' && p > start && (p[-1] == 'E' || p[-1] == 'e') &&
			(p - 1 == start || !is_word_char(p[-2]));

		/* A doubled quote ends one text and starts the next: same effect. */
		for (p++; *p && *p != quote; p++)
		{
			if (escapes && *p == '\\' && p[1])
				p++;
		}
		if (*p)
			p++;
	}
	else if (*p == '$' && (p == start || !is_word_char(p[-1])))
	{
		size_t		length = dollar_delimiter(p);

		if (length > 0)
		{
			const char *end = p + length;

			while (*end && strncmp(end, p, length) != 0)
				end++;
			p = *end ? end + length : end;
		}
	}
	return p;
}

static Statement *
add_statement(StatementList *list)
{
	if (list->count == list->size)
	{
		list->size = list->size ? list->size * 2 : 64;
		list->items = reallocate(list->items, list->size * sizeof(Statement));
	}
	memset(&list->items[list->count], 0, sizeof(Statement));
	return &list->items[list->count++];
}

/*
 * Splits a file into statements, with the annotations before each.
 */
static void
parse_file(const char *path, const char *text, StatementList *list)
{
	const char *p = text;
	int			line = 1;
	bool		setup = false;
	bool		require = false,
				approx = false,
				serial = false,
				error = false;
	Ordering	ordering = ORDERING_FROM_TEXT;

	while (*p)
	{
		const char *start,
				   *next;
		int			depth = 0,
					bodies = 0,
					words = 0;
		bool		has_order = false,
					routine = false;
		char		previous[16] = "",
					word[16];
		Statement  *s;

		/* Between statements. */
		if (isspace((unsigned char) *p))
		{
			line += *p == '\n';
			p++;
			continue;
		}
		next = skip_opaque(p, p);
		if (p[0] == '-' && p[1] == '-')
		{
			char	   *comment;
			const char *from = p + 2,
					   *to = next;

			while (from < to && isspace((unsigned char) *from))
				from++;
			while (to > from && isspace((unsigned char) to[-1]))
				to--;
			comment = copy_text(from, to - from);
			if (strcmp(comment, "setup") == 0)
				setup = true;
			else if (strcmp(comment, "end setup") == 0)
				setup = false;
			else if (strcmp(comment, "require") == 0)
				require = true;
			else if (strcmp(comment, "approx") == 0)
				approx = true;
			else if (strcmp(comment, "serial") == 0)
				serial = true;
			else if (strcmp(comment, "error") == 0)
				error = true;
			else if (strcmp(comment, "ordered") == 0)
				ordering = ORDERING_ORDERED;
			else if (strcmp(comment, "unordered") == 0)
				ordering = ORDERING_UNORDERED;
			free(comment);
			p = next;
			continue;
		}
		if (p[0] == '/' && p[1] == '*')
		{
			for (; p < next; p++)
				line += *p == '\n';
			continue;
		}
		if (*p == ';')
		{
			p++;
			continue;
		}
		if (*p == '\\')
			die("%s:%d: backslash commands are not understood", path, line);

		/* A statement. */
		start = p;
		s = add_statement(list);
		s->line = line;
		while (*p && !(*p == ';' && depth == 0 && bodies == 0))
		{
			next = skip_opaque(p, start);
			if (next > p)
			{
				for (; p < next; p++)
					line += *p == '\n';
				continue;
			}
			if (*p == '(')
				depth++;
			else if (*p == ')' && depth > 0)
				depth--;
			else if (is_word_char(*p))
			{
				size_t		length = 0;

				while (is_word_char(p[length]))
					length++;
				if (length < sizeof(word))
				{
					for (size_t i = 0; i < length; i++)
						word[i] = tolower((unsigned char) p[i]);
					word[length] = '\0';
				}
				else
					strcpy(word, "?");

				if (depth == 0 && strcmp(previous, "order") == 0 && strcmp(word, "by") == 0)
					has_order = true;

				/* CREATE [OR REPLACE] FUNCTION ... BEGIN ATOMIC ... END */
				if (words < 4 && (strcmp(word, "function") == 0 || strcmp(word, "procedure") == 0))
					routine = true;
				if (routine && strcmp(previous, "begin") == 0 && strcmp(word, "atomic") == 0)
					bodies++;
				else if (bodies > 0 && strcmp(word, "case") == 0)
					bodies++;
				else if (bodies > 0 && strcmp(word, "end") == 0)
					bodies--;

				strcpy(previous, word);
				words++;
				p += length;

				/* A prefixed quote: the quote must see its prefix. */
				continue;
			}
			line += *p == '\n';
			p++;
		}
		if (*p != ';')
			die("%s:%d: statement without a semicolon", path, s->line);
		s->text = copy_text(start, p - start);
		p++;
		s->setup = setup;
		s->require = require;
		s->approx = approx;
		s->serial = serial;
		s->error = error;
		s->ordered = ordering == ORDERING_ORDERED || (ordering == ORDERING_FROM_TEXT && has_order);
		require = approx = serial = error = false;
		ordering = ORDERING_FROM_TEXT;
	}
	if (setup)
		die("%s: no \"-- end setup\"", path);
}

/* --- Running a statement ------------------------------------------------ */

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

static void
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

static void
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

/* --- Comparing ---------------------------------------------------------- */

static void
print_shortened(const char *text)
{
	size_t		length = strlen(text);

	if (length > SHOWN_BYTES)
		printf("%.*s... (%zu bytes)\n", SHOWN_BYTES, text, length);
	else
		printf("%s\n", text);
}

/* Starts the report of a difference. */
static void
report(const char *path, const Statement *s, const Mode *mode, const char *format,...)
			__attribute__((format(printf, 4, 5)));

static void
report(const char *path, const Statement *s, const Mode *mode, const char *format,...)
{
	va_list		args;

	differences++;
	printf("%s:%d: mode %s: ", path, s->line, mode->name);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n    statement: ");
	print_shortened(s->text);
}

static void
report_pair(const char *what, const char *off, const char *on)
{
	printf("    %s, %s: ", modes[0].name, what);
	print_shortened(off ? off : "(none)");
	printf("    this mode, %s: ", what);
	print_shortened(on ? on : "(none)");
}

static bool
same_text(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "") == 0;
}

/* Copies column number c of a row. */
static char *
column_text(const char *row, int c)
{
	const char *end;

	for (; c > 0; c--)
		row = strchr(row, '\t') + 1;
	end = strchr(row, '\t');
	return copy_text(row, end ? (size_t) (end - row) : strlen(row));
}

static bool
is_float(Oid type)
{
	return type == FLOAT4_OID || type == FLOAT8_OID;
}

/*
 * A text that sorts rows which are equal up to rounding next to each other:
 * exact columns first, then floats with fewer digits.
 */
static char *
approx_key(const Answer *a, const char *row)
{
	char	   *key = NULL;

	for (int pass = 0; pass < 2; pass++)
	{
		for (int c = 0; c < a->ncolumns; c++)
		{
			char	   *value;

			if (is_float(a->types[c]) != (pass == 1))
				continue;
			value = column_text(row, c);
			if (pass == 0 || strcmp(value, "\\N") == 0)
				append(&key, "%s\t", value);
			else
				append(&key, "%.8e\t", strtod(value, NULL));
			free(value);
		}
	}
	return key ? key : copy_text("", 0);
}

static bool
approx_equal(const Answer *a, const char *x, const char *y)
{
	bool		same = true;

	for (int c = 0; c < a->ncolumns && same; c++)
	{
		char	   *vx = column_text(x, c);
		char	   *vy = column_text(y, c);

		if (strcmp(vx, vy) != 0)
		{
			double		dx = strtod(vx, NULL);
			double		dy = strtod(vy, NULL);
			double		tolerance = a->types[c] == FLOAT4_OID ? 1e-6 : APPROX_TOLERANCE;

			same = is_float(a->types[c]) && strcmp(vx, "\\N") != 0 && strcmp(vy, "\\N") != 0 &&
				isfinite(dx) && isfinite(dy) &&
				fabs(dx - dy) <= tolerance * fmax(fabs(dx), fabs(dy));
		}
		free(vx);
		free(vy);
	}
	return same;
}

typedef struct KeyedRow
{
	char	   *key;			/* sorts the row; the row itself unless approx */
	char	   *row;
} KeyedRow;

static int
compare_keys(const void *a, const void *b)
{
	return strcmp(((const KeyedRow *) a)->key, ((const KeyedRow *) b)->key);
}

/* Rows sorted for a comparison as multisets. */
static KeyedRow *
sort_rows(const Answer *a, bool approx)
{
	KeyedRow   *sorted = allocate(a->nrows * sizeof(KeyedRow));

	for (int r = 0; r < a->nrows; r++)
	{
		sorted[r].row = a->rows[r];
		sorted[r].key = approx ? approx_key(a, a->rows[r]) : a->rows[r];
	}
	qsort(sorted, a->nrows, sizeof(KeyedRow), compare_keys);
	return sorted;
}

static void
free_sorted(KeyedRow *sorted, int n, bool approx)
{
	for (int r = 0; r < n && approx; r++)
		free(sorted[r].key);
	free(sorted);
}

static void
show_row(const char *side, int number, const char *row)
{
	printf("    %s row %d: ", side, number);
	print_shortened(row);
}

/* Compares rows; reports a difference and returns false. */
static bool
same_rows(const char *path, const Statement *s, const Mode *mode, const Answer *off,
		  const Answer *on)
{
	bool		parallel = s->approx || mode->workers != NULL;
	bool		approx = parallel && off->ncolumns > 0;
	KeyedRow   *x,
			   *y;
	int			i = 0,
				j = 0,
				shown_x = 0,
				shown_y = 0;
	bool		same = true;

	/* Workers of a parallel plan deliver in any order before an error. */
	if (parallel && off->error != NULL)
		return true;

	if (s->ordered)
	{
		while (i < off->nrows && i < on->nrows &&
			   (strcmp(off->rows[i], on->rows[i]) == 0 ||
				(approx && approx_equal(off, off->rows[i], on->rows[i]))))
			i++;
		if (i == off->nrows && i == on->nrows)
			return true;
		report(path, s, mode, "rows differ from row %d on (%d rows in mode %s, %d in this)", i + 1,
			   off->nrows, modes[0].name, on->nrows);
		for (j = i; j < off->nrows && j < i + SHOWN_ROWS; j++)
			show_row(modes[0].name, j + 1, off->rows[j]);
		for (j = i; j < on->nrows && j < i + SHOWN_ROWS; j++)
			show_row("this mode's", j + 1, on->rows[j]);
		return false;
	}

	x = sort_rows(off, approx);
	y = sort_rows(on, approx);
	while (i < off->nrows || j < on->nrows)
	{
		int			order;

		if (i < off->nrows && j < on->nrows && approx && approx_equal(off, x[i].row, y[j].row))
			order = 0;
		else if (i < off->nrows && j < on->nrows)
			order = strcmp(x[i].key, y[j].key);
		else
			order = i < off->nrows ? -1 : 1;
		if (order == 0 && (!approx || approx_equal(off, x[i].row, y[j].row)))
		{
			i++;
			j++;
			continue;
		}
		if (same)
			report(path, s, mode, "rows differ (%d rows in mode %s, %d in this)", off->nrows,
				   modes[0].name, on->nrows);
		same = false;
		if (order <= 0)
		{
			if (shown_x++ < SHOWN_ROWS)
			{
				printf("    only in mode %s: ", modes[0].name);
				print_shortened(x[i].row);
			}
			i++;
		}
		else
		{
			if (shown_y++ < SHOWN_ROWS)
			{
				printf("    only in this mode: ");
				print_shortened(y[j].row);
			}
			j++;
		}
		if (shown_x > SHOWN_ROWS && shown_y > SHOWN_ROWS)
			break;
	}
	free_sorted(x, off->nrows, approx);
	free_sorted(y, on->nrows, approx);
	return same;
}

/*
 * Forgets that an error came from a worker, which is a matter of chance.  The
 * worker's line stands first, last, alone or between other lines of the
 * context.
 */
static void
remove_worker_context(char *error)
{
	static const struct
	{
		const char *found;
		size_t		kept;		/* leading bytes that stay */
	}			contexts[] = {
		{"; context: parallel worker\n", strlen("; context: ")},
		{"; context: parallel worker", 0},
		{"\nparallel worker", 0}
	};

	for (size_t i = 0; i < sizeof(contexts) / sizeof(contexts[0]); i++)
	{
		char	   *at = strstr(error, contexts[i].found);

		if (at != NULL)
		{
			const char *rest = at + strlen(contexts[i].found);

			memmove(at + contexts[i].kept, rest, strlen(rest) + 1);
			break;
		}
	}
}

static void
compare_outcomes(const char *path, const Statement *s, const Mode *mode, const Outcome *off,
				 const Outcome *on)
{
	if (off->count != on->count)
	{
		report(path, s, mode, "%d results in mode %s, %d in this", off->count, modes[0].name,
			   on->count);
		return;
	}
	for (int i = 0; i < off->count; i++)
	{
		const Answer *a = &off->answers[i];
		const Answer *b = &on->answers[i];

		if (mode->workers != NULL && b->error != NULL)
			remove_worker_context(b->error);
		if (!same_text(a->error, b->error))
		{
			report(path, s, mode, "errors differ");
			report_pair("error", a->error, b->error);
			if (a->error == NULL || b->error == NULL)
				printf("    rows: %d in mode %s, %d in this\n", a->nrows, modes[0].name, b->nrows);
			return;
		}
		/* The columns are known to a client only when a row came or none failed. */
		if (a->columns != NULL && b->columns != NULL && strcmp(a->columns, b->columns) != 0)
		{
			report(path, s, mode, "columns differ");
			report_pair("columns", a->columns, b->columns);
			return;
		}
		if (!same_rows(path, s, mode, a, b))
			return;
		if (a->status != b->status || !same_text(a->tag, b->tag))
		{
			report(path, s, mode, "command tags differ");
			report_pair("tag", a->tag, b->tag);
			return;
		}
	}
	if (!same_text(off->warnings, on->warnings))
	{
		report(path, s, mode, "warnings differ");
		report_pair("warnings", off->warnings, on->warnings);
	}
}

/* --- Sessions and databases --------------------------------------------- */

/* Connects to a database; the server is that of the PGHOST family of variables. */
static PGconn *
try_connect(const char *database)
{
	const char *keywords[] = {"dbname", "application_name", NULL};
	const char *values[] = {database, "diff_runner", NULL};
	PGconn	   *conn = PQconnectdbParams(keywords, values, 0);

	if (PQstatus(conn) != CONNECTION_OK)
	{
		PQfinish(conn);
		return NULL;
	}
	return conn;
}

/* Connects, waiting for a server that restarts. */
static PGconn *
connect_to(const char *database)
{
	PGconn	   *conn;

	for (int tries = 0; tries < RESTART_SECONDS * 10; tries++)
	{
		conn = try_connect(database);
		if (conn != NULL)
			return conn;
		usleep(100000);
	}
	die("cannot connect to database %s within %d s", database, RESTART_SECONDS);
}

/* Runs a statement of the runner itself; NULL when it succeeds, else the message. */
static char *
try_command(PGconn *conn, const char *text)
{
	PGresult   *result = PQexec(conn, text);
	ExecStatusType status = PQresultStatus(result);
	char	   *message = NULL;

	if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
		message = copy_text(PQerrorMessage(conn), strlen(PQerrorMessage(conn)));
	PQclear(result);
	return message;
}

static void
ignore_notice(void *arg, const PGresult *result)
{
	(void) arg;
	(void) result;
}

static void
command(PGconn *conn, const char *format,...) __attribute__((format(printf, 2, 3)));

static void
command(PGconn *conn, const char *format,...)
{
	char		text[1024];
	char	   *message;
	va_list		args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	message = try_command(conn, text);
	if (message != NULL)
		die("\"%s\": %s", text, message);
}

/* Opens a session in the given mode. */
static PGconn *
open_session(const char *database, const Mode *mode)
{
	PGconn	   *conn = connect_to(database);

	PQsetNoticeReceiver(conn, ignore_notice, NULL);
	command(conn, "LOAD 'pg_vexec'");
	for (int i = 0; i < ncommon; i++)
		command(conn, "SET %s", common_settings[i]);
	for (int i = 0; i < mode->nsettings; i++)
		command(conn, "SET %s", mode->settings[i]);
	return conn;
}

/* The position where the server's log ends. */
static long
log_end(void)
{
	FILE	   *f;
	long		end = 0;

	if (log_path == NULL || (f = fopen(log_path, "rb")) == NULL)
		return 0;
	if (fseek(f, 0, SEEK_END) == 0)
		end = ftell(f);
	fclose(f);
	return end;
}

static void
print_log_line(const char *line)
{
	printf("        %.*s\n", (int) strcspn(line, "\n"), line);
}

/*
 * Prints what the server has logged since a position about a crash: the lines
 * that name a failed assertion or a sanitizer's finding, and the last lines up
 * to the end of the process.
 */
static void
print_log(long start)
{
	static const char *const causes[] = {"TRAP:", "PANIC:", "ERROR: AddressSanitizer",
		"runtime error:"};
	char	   *text;
	const char *from,
			   *end,
			   *p;
	int			lines = 0;

	if (log_path == NULL)
		return;
	text = read_file(log_path);
	from = text;
	if ((size_t) start <= strlen(text))
		from += start;
	end = strstr(from, " was terminated by signal ");
	if (end == NULL)
		end = from + strlen(from);
	p = end;
	while (p > from && lines <= SHOWN_LOG_LINES)
	{
		p--;
		if (*p == '\n')
			lines++;
	}
	if (*p == '\n')
		p++;

	printf("    server log:\n");
	for (const char *line = from; line < p; line += strcspn(line, "\n") + 1)
	{
		for (size_t i = 0; i < sizeof(causes) / sizeof(causes[0]); i++)
		{
			const char *found = strstr(line, causes[i]);

			if (found != NULL && found < line + strcspn(line, "\n"))
				print_log_line(line);
		}
	}
	for (const char *line = p; line <= end && *line; line += strcspn(line, "\n") + 1)
	{
		print_log_line(line);
		if (line[strcspn(line, "\n")] == '\0')
			break;
	}
	free(text);
}

static PGTransactionStatusType
run_annotated(PGconn *conn, const Statement *s, const Mode *mode, Outcome *outcome)
{
	bool		require = s->require && mode->force && PQtransactionStatus(conn) != PQTRANS_INERROR;

	bool		serial = s->serial && mode->workers != NULL &&
		PQtransactionStatus(conn) != PQTRANS_INERROR;

	PQsetNoticeReceiver(conn, ignore_notice, NULL);
	if (require)
		command(conn, "SET pg_vexec.require = on");
	if (serial)
		command(conn, "SET max_parallel_workers_per_gather = 0");
	run_statement(conn, s->text, outcome);
	if ((require || serial) && !outcome->lost)
	{
		PQsetNoticeReceiver(conn, ignore_notice, NULL);
		/* In a failed transaction the rollback will undo the settings. */
		if (PQtransactionStatus(conn) != PQTRANS_INERROR)
		{
			if (require)
				command(conn, "SET pg_vexec.require = off");
			if (serial)
				command(conn, "SET %s", mode->workers);
		}
	}
	return PQtransactionStatus(conn);
}

/* An SQLSTATE that tells of a mistake in the test file. */
static bool
is_mistake(const char *sqlstate)
{
	static const char *const mistakes[] = {"42601", "42P01", "42703", "42883", "42704", "42P02"};

	for (size_t i = 0; i < sizeof(mistakes) / sizeof(mistakes[0]); i++)
	{
		if (strcmp(sqlstate, mistakes[i]) == 0)
			return true;
	}
	return false;
}

/* Compares one file; returns the number of statements compared. */
static int
compare_file(const char *path)
{
	char	   *text = read_file(path);
	StatementList list = {0};
	PGconn	   *admin = connect_to("postgres");
	PGconn	   *conn;
	Outcome    *oracle;
	char		base[64],
				copy[64];
	int			compared = 0;
	int			before = differences;
	bool		lost = false;
	struct timespec t0,
				t1;

	clock_gettime(CLOCK_MONOTONIC, &t0);
	PQsetNoticeReceiver(admin, ignore_notice, NULL);
	parse_file(path, text, &list);
	snprintf(base, sizeof(base), "vexec_diff_%d", (int) getpid());
	snprintf(copy, sizeof(copy), "vexec_diff_%d_copy", (int) getpid());
	command(admin, "DROP DATABASE IF EXISTS %s WITH (FORCE)", base);
	command(admin, "DROP DATABASE IF EXISTS %s WITH (FORCE)", copy);
	command(admin, "CREATE DATABASE %s TEMPLATE template0 STRATEGY file_copy", base);

	conn = connect_to(base);
	PQsetNoticeReceiver(conn, ignore_notice, NULL);
	command(conn, "CREATE EXTENSION IF NOT EXISTS pg_vexec");
	PQfinish(conn);
	conn = open_session(base, &modes[0]);
	for (int i = 0; i < list.count && !lost; i++)
	{
		Statement  *s = &list.items[i];
		Outcome		outcome;

		if (!s->setup)
		{
			compared++;
			continue;
		}
		run_statement(conn, s->text, &outcome);
		for (int k = 0; k < outcome.count; k++)
		{
			if (outcome.answers[k].error != NULL)
			{
				report(path, s, &modes[0], "setup failed");
				printf("    %s\n", outcome.answers[k].error);
				lost = true;
			}
		}
		lost = lost || outcome.lost;
		free_outcome(&outcome);
	}
	PQfinish(conn);

	oracle = allocate(list.count * sizeof(Outcome));
	for (int m = 0; m < nmodes && !lost; m++)
	{
		Mode	   *mode = &modes[m];
		long		log_start = log_end();

		command(admin, "CREATE DATABASE %s TEMPLATE %s STRATEGY file_copy", copy, base);
		conn = open_session(copy, mode);
		for (int i = 0; i < list.count; i++)
		{
			Statement  *s = &list.items[i];
			Outcome		outcome;

			if (s->setup)
				continue;
			run_annotated(conn, s, mode, &outcome);
			if (outcome.lost)
			{
				report(path, s, mode, "the server closed the connection");
				lost = true;
				free_outcome(&outcome);
				break;
			}
			if (m == 0)
			{
				oracle[i] = outcome;
				for (int k = 0; k < outcome.count; k++)
				{
					Answer	   *a = &outcome.answers[k];

					if (a->error != NULL && !s->error && is_mistake(a->sqlstate))
					{
						report(path, s, mode, "a mistake in the file (else annotate it with \"-- error\")");
						printf("    %s\n", a->error);
					}
					else if (a->error != NULL && verbose)
						printf("%s:%d: raises %s\n", path, s->line, a->error);
				}
			}
			else
			{
				compare_outcomes(path, s, mode, &oracle[i], &outcome);
				free_outcome(&outcome);
			}
		}
		PQfinish(conn);
		if (lost)
		{
			/* Wait until the server has noticed the crash and is back: its log is complete then. */
			PQfinish(admin);
			sleep(1);
			admin = connect_to("postgres");
			print_log(log_start);
			PQsetNoticeReceiver(admin, ignore_notice, NULL);
		}
		command(admin, "DROP DATABASE IF EXISTS %s WITH (FORCE)", copy);
	}
	command(admin, "DROP DATABASE IF EXISTS %s WITH (FORCE)", base);
	PQfinish(admin);

	clock_gettime(CLOCK_MONOTONIC, &t1);
	printf("%s: %d statements, %d differences, %.1f s\n", path, compared, differences - before,
		   (t1.tv_sec - t0.tv_sec) + (t1.tv_nsec - t0.tv_nsec) / 1e9);
	fflush(stdout);

	for (int i = 0; i < list.count; i++)
	{
		free_outcome(&oracle[i]);
		free(list.items[i].text);
	}
	free(oracle);
	free(list.items);
	free(text);
	return compared;
}

/* Splits "a = b; c = d" into settings. */
static int
split_settings(char *text, char **settings)
{
	int			n = 0;

	for (char *part = strtok(text, ";"); part != NULL; part = strtok(NULL, ";"))
	{
		while (isspace((unsigned char) *part))
			part++;
		if (*part == '\0')
			continue;
		if (n == MAX_SETTINGS)
			die("more than %d settings", MAX_SETTINGS);
		settings[n++] = part;
	}
	return n;
}

static void
usage(void)
{
	fprintf(stderr,
			"usage: diff_runner [-v] [-l LOG] [-s 'NAME = VALUE; ...'] -m 'MODE: NAME = VALUE; ...' ... FILE...\n"
			"  -m  a mode and its settings; the first one is the oracle\n"
			"  -s  settings of all modes\n"
			"  -l  the server's log file, for the report of a crash\n"
			"  -v  print the statements that raise an error in the first mode\n");
	exit(2);
}

int
main(int argc, char **argv)
{
	int			c;
	int			compared = 0;

	while ((c = getopt(argc, argv, "vl:s:m:")) != -1)
	{
		switch (c)
		{
			case 'v':
				verbose = true;
				break;
			case 'l':
				log_path = optarg;
				break;
			case 's':
				ncommon = split_settings(optarg, common_settings);
				break;
			case 'm':
				{
					Mode	   *mode = &modes[nmodes];
					char	   *colon = strchr(optarg, ':');

					if (nmodes == MAX_MODES || colon == NULL)
						usage();
					*colon = '\0';
					mode->name = optarg;
					mode->nsettings = split_settings(colon + 1, mode->settings);
					for (int i = 0; i < mode->nsettings; i++)
					{
						if (strstr(mode->settings[i], "pg_vexec.force = on") != NULL)
							mode->force = true;
						if (strstr(mode->settings[i], "max_parallel_workers_per_gather = ") != NULL)
							mode->workers = mode->settings[i];
					}
					nmodes++;
					break;
				}
			default:
				usage();
		}
	}
	if (nmodes < 2 || optind == argc)
		usage();
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (int i = optind; i < argc; i++)
		compared += compare_file(argv[i]);
	printf("%d statements x %d modes, %d differences\n", compared, nmodes - 1, differences);
	return differences > 0 ? 1 : 0;
}
