/*-------------------------------------------------------------------------
 *
 * util.c
 *	  Memory, texts, files, and the end after an error.
 *
 *-------------------------------------------------------------------------
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diff_runner.h"

void
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

void *
allocate(size_t size)
{
	void	   *p = calloc(1, size > 0 ? size : 1);

	if (p == NULL)
		die("out of memory");
	return p;
}

void *
reallocate(void *p, size_t size)
{
	p = realloc(p, size);
	if (p == NULL)
		die("out of memory");
	return p;
}

char *
copy_text(const char *text, size_t length)
{
	char	   *copy = allocate(length + 1);

	memcpy(copy, text, length);
	return copy;
}

void
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

char *
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
