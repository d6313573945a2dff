# pg_vexec: build, install and test with the PostgreSQL that PG_CONFIG names (17, 18 or 19).
#
#   make PG_CONFIG=/path/to/pg_config
#   make install PG_CONFIG=...
#   make installcheck PG_CONFIG=...      against a running server (PGHOST, PGPORT)
#
# Without PG_CONFIG, test/find-server chooses: an installed PostgreSQL or the tests' own build;
# installcheck may also install or build one.  A build that leaves the checkout alone: test/build.
# installcheck with a private server: test/installcheck.

MODULE_big = pg_vexec
EXTENSION = pg_vexec
DATA = $(sort $(wildcard pg_vexec--*.sql))
PGFILEDESC = "pg_vexec - vectorized execution of analytical queries"

# One file per feature in sql/.  pg_regress creates the extension in its database; a test that
# changes settings starts with LOAD 'pg_vexec'.
REGRESS = $(patsubst sql/%.sql,%,$(sort $(wildcard sql/*.sql)))
REGRESS_OPTS = --inputdir=. --load-extension=pg_vexec

ifndef PG_CONFIG
PG_CONFIG := $(shell test/find-server $(if $(filter installcheck,$(MAKECMDGOALS)),,--installed))
endif
ifeq ($(PG_CONFIG),)
$(error no PostgreSQL 17 or later with server headers found; set PG_CONFIG, or run test/setup)
endif

# Checked here: the compiler's own messages would not tell.
PG_VERSION := $(shell $(PG_CONFIG) --version 2>/dev/null)
PG_HEADERS := $(shell $(PG_CONFIG) --includedir-server 2>/dev/null)
ifeq ($(PG_VERSION),)
$(error PG_CONFIG = $(PG_CONFIG) does not run)
endif
ifeq ($(filter 17% 18% 19%,$(word 2,$(PG_VERSION))),)
$(error PG_CONFIG = $(PG_CONFIG) belongs to $(PG_VERSION); pg_vexec needs 17, 18 or 19)
endif
ifeq ($(wildcard $(PG_HEADERS)/postgres.h),)
$(error no server headers in $(PG_HEADERS); on Debian they are in the package postgresql-server-dev-NN)
endif

# Kernel files are compiled once for each instruction set level; CPU dispatch is in src/expr.
SOURCES = $(sort $(wildcard src/*.c src/*/*.c))
KERNELS = $(filter src/%,$(sort $(wildcard src/*/kernel_*.c)))
KERNELS_BASE = $(KERNELS:.c=.o)
ifneq ($(filter x86_64-%,$(filter-out %x32,$(shell $$($(PG_CONFIG) --cc) -dumpmachine))),)
MULTI_ISA = -DVEXEC_MULTI_ISA
KERNELS_V3 = $(KERNELS:.c=_v3.o)
KERNELS_V4 = $(KERNELS:.c=_v4.o)
endif
OBJS = $(SOURCES:.c=.o) $(KERNELS_V3) $(KERNELS_V4)

# The module holds code that must be the one compiled here, not bitcode for inlining.
override with_llvm = no

PG_CPPFLAGS = -Isrc $(MULTI_ISA) -MMD -MP
# The server's headers demand the exceptions.
PG_CFLAGS = -fvisibility=hidden -Wall -Wextra -Wno-unused-parameter -Wno-sign-compare \
	-Wno-missing-field-initializers

# No contraction: a fused multiply-add rounds differently from the server's own code.  The next two
# are what the server is built with.  Errors of mathematical functions are checked by value.
KERNEL_CFLAGS = -O3 -ffp-contract=off -fwrapv -fno-strict-aliasing -fno-math-errno
V3_CFLAGS = -march=x86-64-v3
V4_CFLAGS = -march=x86-64-v4 -mprefer-vector-width=512

EXTRA_CLEAN = $(OBJS:.o=.d) .build-id

PGXS := $(shell $(PG_CONFIG) --pgxs)
include $(PGXS)

# Taken here, before any setting that holds for some objects only.
BUILD_ID := $(VERSION) $(PG_CONFIG) $(CC) $(CFLAGS) $(CPPFLAGS) \
	$(KERNEL_CFLAGS) $(V3_CFLAGS) $(V4_CFLAGS)

$(KERNELS_BASE): override CFLAGS += $(KERNEL_CFLAGS)
$(KERNELS_BASE): override CPPFLAGS += -DVEXEC_ISA=base
$(KERNELS_V3): override CFLAGS += $(KERNEL_CFLAGS) $(V3_CFLAGS)
$(KERNELS_V3): override CPPFLAGS += -DVEXEC_ISA=v3
$(KERNELS_V4): override CFLAGS += $(KERNEL_CFLAGS) $(V4_CFLAGS)
$(KERNELS_V4): override CPPFLAGS += -DVEXEC_ISA=v4

%_v3.o: %.c
	$(CC) $(CFLAGS) $(CPPFLAGS) -c -o $@ $<

%_v4.o: %.c
	$(CC) $(CFLAGS) $(CPPFLAGS) -c -o $@ $<

# Objects depend on the headers they include, and on what they are built for and with.
-include $(wildcard $(OBJS:.o=.d))

$(OBJS): .build-id

.build-id: vexec-check-build-id
	@printf '%s\n' '$(BUILD_ID)' >$@.new; \
	if cmp -s $@.new $@; then rm -f $@.new; else mv $@.new $@; fi

.PHONY: vexec-check-build-id
