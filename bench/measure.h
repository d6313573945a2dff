/*
 * measure.h
 *	  What the programs that time queries share: a session, times, plans, answers, statistics.
 *
 * Every function that talks to the server ends the program with EXIT_FAILED and a message when the
 * server refuses, unless its comment says otherwise.  Times are in milliseconds.
 */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <stdbool.h>

#include <libpq-fe.h>

#define EXIT_DIFFERENT		1
#define EXIT_FAILED			2

/* The program's name in messages; set first. */
extern const char *measure_program;

extern void measure_fail(const char *what, const char *detail) __attribute__((noreturn));

/* malloc, strdup and the like that never return NULL. */
extern void *measure_alloc(size_t size);
extern char *measure_printf(const char *format,...) __attribute__((format(printf, 1, 2)));

/* A whole file, ended by a null byte; the caller owns it. */
extern char *measure_read_file(const char *file);

/* The number of text, which must be within low and high; option names it in the message. */
extern int	measure_parse_count(const char *option, const char *text, int low, int high);

/* Monotonic time. */
extern double measure_now(void);

/* A session in which the statements of setup have been run. */
extern PGconn *measure_connect(const char *conninfo, const char *const *setup, int nsetup);

/* Runs a statement that is not measured and must succeed; the caller owns the result. */
extern PGresult *measure_run(PGconn *connection, const char *sql);

/* The same, without a result. */
extern void measure_do(PGconn *connection, const char *sql);

/*
 * Runs a statement and stores the time of PQexec: planning, execution and the transfer of the
 * answer.  The result is the caller's, and so is a look at its status.
 */
extern PGresult *measure_timed(PGconn *connection, const char *sql, double *ms);

/* The lines of EXPLAIN (options) sql, each ended by a newline; the caller owns the text. */
extern char *measure_explain(PGconn *connection, const char *options, const char *sql);

/*
 * Compares two answers: column names and types, rows, nulls, bytes, in order.  Reports the first
 * difference under the title.
 */
extern bool measure_same_answer(const char *title, const PGresult *off, const PGresult *on);

/*
 * Says on standard error where a long run is, at most twice a second on a terminal and every ten
 * seconds elsewhere.  measure_progress_clear makes room for a line of output.
 */
extern void measure_progress(const char *format,...) __attribute__((format(printf, 1, 2)));
extern void measure_progress_clear(void);

/* The median of n values, which are sorted by the call; 0 when there are none. */
extern double measure_median(double *values, int n);

/*
 * The rank k, from 1, such that the k-th smallest and k-th largest of n values enclose the median
 * with at least 95 %; 0 when n is too small, below 6.
 */
extern int	measure_interval_rank(int n);

#endif							/* BENCH_MEASURE_H */
