/*
 * measure.c
 *	  What the programs that time queries share; measure.h has the contracts.
 */
#define _GNU_SOURCE				/* vasprintf */

#include "measure.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Progress on a terminal overwrites its line; elsewhere it takes lines, so it comes less often. */
#define PROGRESS_TERMINAL	500.0
#define PROGRESS_FILE		10000.0

const char *measure_program = "bench";

void
measure_fail(const char *what, const char *detail)
{
	measure_progress_clear();
	fprintf(stderr, "%s: %s: %s\n", measure_program, what, detail);
	exit(EXIT_FAILED);
}

void *
measure_alloc(size_t size)
{
	void	   *memory = malloc(size);

	if (memory == NULL)
		measure_fail("allocate memory", strerror(errno));
	return memory;
}

char *
measure_printf(const char *format,...)
{
	va_list		arguments;
	char	   *text;
	int			length;

	va_start(arguments, format);
	length = vasprintf(&text, format, arguments);
	va_end(arguments);
	if (length < 0)
		measure_fail("allocate memory", strerror(errno));
	return text;
}

char *
measure_read_file(const char *file)
{
	FILE	   *stream = fopen(file, "r");
	char	   *text = NULL;
	size_t		capacity = 0;

	if (stream == NULL)
		measure_fail(file, strerror(errno));
	if (getdelim(&text, &capacity, '\0', stream) < 0)
		measure_fail(file, "the file is empty or cannot be read");
	fclose(stream);
	return text;
}

int
measure_parse_count(const char *option, const char *text, int low, int high)
{
	char	   *end;
	long		value;

	errno = 0;
	value = strtol(text, &end, 10);
	if (errno != 0 || end == text || *end != '\0' || value < low || value > high)
		measure_fail(option, "not a number in range");
	return (int) value;
}

double
measure_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double) now.tv_sec * 1e3 + (double) now.tv_nsec / 1e6;
}

PGconn *
measure_connect(const char *conninfo, const char *const *setup, int nsetup)
{
	PGconn	   *connection = PQconnectdb(conninfo);

	if (PQstatus(connection) != CONNECTION_OK)
		measure_fail("connect", PQerrorMessage(connection));
	for (int i = 0; i < nsetup; i++)
		measure_do(connection, setup[i]);
	return connection;
}

PGresult *
measure_run(PGconn *connection, const char *sql)
{
	PGresult   *result = PQexec(connection, sql);
	ExecStatusType status = PQresultStatus(result);

	if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
		measure_fail(sql, PQresultErrorMessage(result));
	return result;
}

void
measure_do(PGconn *connection, const char *sql)
{
	PQclear(measure_run(connection, sql));
}

PGresult *
measure_timed(PGconn *connection, const char *sql, double *ms)
{
	double		start = measure_now();
	PGresult   *result = PQexec(connection, sql);

	*ms = measure_now() - start;
	return result;
}

char *
measure_explain(PGconn *connection, const char *options, const char *sql)
{
	char	   *explain = measure_printf("EXPLAIN (%s) %s", options, sql);
	PGresult   *plan = measure_run(connection, explain);
	size_t		size = 1,
				used = 0;
	char	   *text;

	for (int row = 0; row < PQntuples(plan); row++)
		size += (size_t) PQgetlength(plan, row, 0) + 1;
	text = measure_alloc(size);
	for (int row = 0; row < PQntuples(plan); row++)
	{
		memcpy(text + used, PQgetvalue(plan, row, 0), (size_t) PQgetlength(plan, row, 0));
		used += (size_t) PQgetlength(plan, row, 0);
		text[used++] = '\n';
	}
	text[used] = '\0';
	PQclear(plan);
	free(explain);
	return text;
}

static void
report_difference(const char *title, const char *what, const char *off, const char *on)
{
	measure_progress_clear();
	fprintf(stderr, "%s: %s: %s: off \"%s\", on \"%s\"\n", measure_program, title, what, off, on);
}

bool
measure_same_answer(const char *title, const PGresult *off, const PGresult *on)
{
	char		what[64],
				left[32],
				right[32];

	if (PQresultStatus(on) != PGRES_TUPLES_OK)
	{
		report_difference(title, "error", "", PQresultErrorMessage(on));
		return false;
	}
	if (PQnfields(off) != PQnfields(on) || PQntuples(off) != PQntuples(on))
	{
		snprintf(left, sizeof(left), "%d x %d", PQntuples(off), PQnfields(off));
		snprintf(right, sizeof(right), "%d x %d", PQntuples(on), PQnfields(on));
		report_difference(title, "rows and columns", left, right);
		return false;
	}
	for (int column = 0; column < PQnfields(off); column++)
	{
		if (PQftype(off, column) != PQftype(on, column) ||
			PQfmod(off, column) != PQfmod(on, column) ||
			strcmp(PQfname(off, column), PQfname(on, column)) != 0)
		{
			snprintf(what, sizeof(what), "name or type of column %d", column + 1);
			report_difference(title, what, PQfname(off, column), PQfname(on, column));
			return false;
		}
		for (int row = 0; row < PQntuples(off); row++)
		{
			int			length = PQgetlength(off, row, column);

			if (PQgetisnull(off, row, column) != PQgetisnull(on, row, column) ||
				length != PQgetlength(on, row, column) ||
				memcmp(PQgetvalue(off, row, column), PQgetvalue(on, row, column),
					   (size_t) length) != 0)
			{
				snprintf(what, sizeof(what), "row %d, column %d", row + 1, column + 1);
				report_difference(title, what,
								  PQgetisnull(off, row, column) ? "null" :
								  PQgetvalue(off, row, column),
								  PQgetisnull(on, row, column) ? "null" :
								  PQgetvalue(on, row, column));
				return false;
			}
		}
	}
	return true;
}

void
measure_progress_clear(void)
{
	if (isatty(STDERR_FILENO))
		fprintf(stderr, "\r\033[K");
}

void
measure_progress(const char *format,...)
{
	static double reported = 0;
	bool		terminal = isatty(STDERR_FILENO);
	double		now = measure_now();
	va_list		arguments;

	if (reported == 0)
		reported = now;
	if (now - reported < (terminal ? PROGRESS_TERMINAL : PROGRESS_FILE))
		return;
	reported = now;
	fprintf(stderr, "%s  ", terminal ? "\r\033[K" : "");
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	if (!terminal)
		fputc('\n', stderr);
}

static int
compare_doubles(const void *a, const void *b)
{
	double		x = *(const double *) a,
				y = *(const double *) b;

	return (x > y) - (x < y);
}

double
measure_median(double *values, int n)
{
	if (n == 0)
		return 0;
	qsort(values, (size_t) n, sizeof(double), compare_doubles);
	return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

/* The number of values below the median is binomial with p = 1/2. */
int
measure_interval_rank(int n)
{
	double		probability = 1,
				below = 0;
	int			rank = 0;

	for (int i = 0; i < n; i++)
		probability /= 2;
	while (rank < n)
	{
		below += probability;
		if (2 * below > 0.05)
			break;
		probability *= (double) (n - rank) / (rank + 1);
		rank++;
	}
	return rank;
}
