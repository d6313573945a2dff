/*-------------------------------------------------------------------------
 *
 * compare.c
 *	  Compares what two modes gave, and prints how they differ.
 *
 *-------------------------------------------------------------------------
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diff_runner.h"

/* Differing rows printed for each side. */
#define SHOWN_ROWS 3

/* Bytes of a row or statement that are printed. */
#define SHOWN_BYTES 300

/* Relative tolerance of floats under the approx annotation. */
#define APPROX_TOLERANCE 1e-12

#define FLOAT4_OID 700
#define FLOAT8_OID 701

static int	differences = 0;

int
count_differences(void)
{
	return differences;
}

static void
print_shortened(const char *text)
{
	size_t		length = strlen(text);

	if (length > SHOWN_BYTES)
		printf("%.*s... (%zu bytes)\n", SHOWN_BYTES, text, length);
	else
		printf("%s\n", text);
}

void
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
report_pair(const Mode *mode, const char *what, const char *off, const char *on)
{
	printf("    %s, %s: ", mode->oracle, what);
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
			   off->nrows, mode->oracle, on->nrows);
		for (j = i; j < off->nrows && j < i + SHOWN_ROWS; j++)
			show_row(mode->oracle, j + 1, off->rows[j]);
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
				   mode->oracle, on->nrows);
		same = false;
		if (order <= 0)
		{
			if (shown_x++ < SHOWN_ROWS)
			{
				printf("    only in mode %s: ", mode->oracle);
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

void
compare_outcomes(const char *path, const Statement *s, const Mode *mode, const Outcome *off,
				 const Outcome *on)
{
	if (off->count != on->count)
	{
		report(path, s, mode, "%d results in mode %s, %d in this", off->count, mode->oracle,
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
			report_pair(mode, "error", a->error, b->error);
			if (a->error == NULL || b->error == NULL)
				printf("    rows: %d in mode %s, %d in this\n", a->nrows, mode->oracle, b->nrows);
			return;
		}
		/* The columns are known to a client only when a row came or none failed. */
		if (a->columns != NULL && b->columns != NULL && strcmp(a->columns, b->columns) != 0)
		{
			report(path, s, mode, "columns differ");
			report_pair(mode, "columns", a->columns, b->columns);
			return;
		}
		if (!same_rows(path, s, mode, a, b))
			return;
		if (a->status != b->status || !same_text(a->tag, b->tag))
		{
			report(path, s, mode, "command tags differ");
			report_pair(mode, "tag", a->tag, b->tag);
			return;
		}
	}
	if (!same_text(off->warnings, on->warnings))
	{
		report(path, s, mode, "warnings differ");
		report_pair(mode, "warnings", off->warnings, on->warnings);
	}
}
