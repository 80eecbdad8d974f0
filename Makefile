# SPDX-License-Identifier: Apache-2.0
# vkassay: `make bench` measures this machine, `make test` runs every test; `make help` lists the rest.
#
# Layers, lowest first. An archive is made of each; a test of one links that one and those below it, so that a
# dependency that points upwards does not link.
LAYERS := reference harness/base harness/stats harness/device harness/judge harness/record harness/plan \
          harness/render harness/run harness/tune harness/supervise harness/commands

BUILD ?= build
CC ?= gcc
OPTIMIZE ?= -O2 -g
SANITIZE ?=
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes
PACKAGES := vulkan shaderc json-c
CFLAGS_ALL = -std=c17 -D_GNU_SOURCE $(OPTIMIZE) $(WARNINGS) $(SANITIZE) -MMD -MP \
             $(shell pkg-config --cflags $(PACKAGES)) $(CFLAGS)
# Debian 12's libshaderc.so names no glslang to load and does not link; its archives do, with those of glslang and SPIRV-Tools.
SHADERC := $(shell echo 'int main(void) { return 0; }' | $(CC) -x c - -Wl,--no-as-needed -lshaderc -o /dev/null \
    2>/dev/null && echo -lshaderc || echo -lshaderc_combined -lSPIRV -lglslang -lMachineIndependent -lGenericCodeGen \
    -lOSDependent -lOGLCompiler -lSPIRV -lSPIRV-Tools-opt -lSPIRV-Tools -lstdc++)
LIBS = $(shell pkg-config --libs $(filter-out shaderc,$(PACKAGES))) $(SHADERC) -lm -lpthread -ldl

# Objects: every source of a layer once; the families of reference/ twice, in double and in float (reference.h).
FAMILIES := $(filter-out reference/table.c reference/dtype.c reference/operator.c,$(wildcard reference/*.c))
objects = $(patsubst %.c,$(BUILD)/%.o,$(filter-out $(FAMILIES),$(wildcard $(1)/*.c))) \
          $(if $(filter reference,$(1)),$(FAMILIES:%.c=$(BUILD)/%.f64.o) $(FAMILIES:%.c=$(BUILD)/%.f32.o))
archive = $(BUILD)/lib$(notdir $(1)).a
below = $(if $(filter $(1),$(firstword $(2))),$(1),$(firstword $(2)) $(call below,$(1),$(wordlist 2,99,$(2))))
reverse = $(if $(1),$(call reverse,$(wordlist 2,99,$(1))) $(firstword $(1)))
TESTS := $(foreach l,$(LAYERS),$(patsubst $(l)/tests/%.c,$(BUILD)/tests/$(notdir $(l))-%,$(wildcard $(l)/tests/*_test.c)))

.DEFAULT_GOAL := $(BUILD)/vkassay

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -c $< -o $@
$(BUILD)/%.f64.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -DVKASSAY_REAL=64 -c $< -o $@
$(BUILD)/%.f32.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -DVKASSAY_REAL=32 -c $< -o $@

define layer
$(call archive,$(1)): $(call objects,$(1))
	@rm -f $$@
	ar rcs $$@ $$^
$(BUILD)/tests/$(notdir $(1))-%: $(1)/tests/%.c $(foreach l,$(call below,$(1),$(LAYERS)),$(call archive,$(l)))
	@mkdir -p $$(@D)
	$$(CC) $$(CFLAGS_ALL) $$(shell pkg-config --cflags cmocka) $$< -o $$@ \
	    $(foreach l,$(call reverse,$(call below,$(1),$(LAYERS))),$(call archive,$(l))) $$(LIBS) $$(shell pkg-config --libs cmocka)
endef
$(foreach l,$(LAYERS),$(eval $(call layer,$(l))))

$(BUILD)/vkassay: $(BUILD)/harness/main.o $(foreach l,$(call reverse,$(LAYERS)),$(call archive,$(l)))
	$(CC) $(SANITIZE) -rdynamic $^ -o $@ $(LIBS)

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
