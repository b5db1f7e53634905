# Licensed to the birds.

# The compiler.
CC ?= cc
CFLAGS := -O2 \
	-Wall
export PATH := $(CURDIR)/bin:$(PATH)
override LDFLAGS += -lm
EMPTY =
VERSION != git describe --tags

include config.mk
-include local.mk

# How a unit is announced.
define announce
@echo building $(1)
@echo with $(CC)
endef

.PHONY: all clean

# Builds everything.
# The default.
all: collect plot | build ## the whole thing
	@echo done
	$(MAKE) check

collect plot: common.o
	$(call announce,$@)
	$(CC) -o $@ $^

build/%.o: src/%.c
	$(CC) $(CFLAGS) -c $< -o $@

build/slow.o: CFLAGS += -O3

# Removes what was built.
.PHONY: clean
clean:
	rm -rf build

ifdef DEBUG
EXTRA = -g
debug: all
	gdb collect
else
EXTRA = -DNDEBUG
endif

$(OBJECTS): build/%.o: src/%.c
	$(CC) -c $<

once:: ; @touch once
alias: collect

check:
ifeq ($(OS),Windows_NT)
	check.exe
else
	./check
endif

last:
	@echo "end
broken (
