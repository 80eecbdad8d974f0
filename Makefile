# SPDX-License-Identifier: Apache-2.0
# vkassay: `make bench` measures this machine, `make test` runs the tests, and `make help` lists all targets.
#
# The wings of the program, lowest first. USES_x names the wings allowed to wing x. Each wing becomes an archive. A test
# links its own wing and the allowed ones, so any other dependency does not link. `make layers` checks the includes.
WINGS := base truth device capture shader record engine readers tune adopt commands
USES_base :=
USES_truth := base
USES_device := base
USES_capture := base
USES_shader := base truth device capture
USES_record := base truth device
USES_engine := base truth device shader record
USES_readers := base truth device shader record
USES_tune := base truth device record engine
USES_adopt := base truth capture shader
USES_commands := base truth device capture shader record engine readers tune adopt
# Folders of a wing, where not harness/WING.
FOLDERS_truth := reference harness/truth
FOLDERS_adopt := harness/tools/adopt
VERSION := 0.1.0

# Recipes source scripts/find.sh, a bash script. Under dash it would find no driver.
SHELL := bash

BUILD ?= build
ifeq ($(origin CC),default)
CC := gcc
endif
# References and judgement of checks take most of the program's own time. The rest compiles in three quarters of the time.
OPTIMIZE ?= $(if $(filter reference/% harness/truth/%,$<),-O2,-O1)
SANITIZE ?=
PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
SUITE ?= quick
FRESH ?= /var/tmp/vkassay-fresh
SUITES ?=
DEVICES ?=
ARGS ?=
FUZZ_RUNS ?= 1000000
GLSLC ?= glslc

# Sets a variable from a program's answer once, at its first use: before `install` the answers would be wrong.
once = $(eval $(1) := $(2))$($(1))

# Integer constants are enums here. clang 19 and newer would warn about enums beside doubles.
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes \
            -Wno-enum-float-conversion
PACKAGES := vulkan shaderc json-c zlib SPIRV-Headers
PACKAGE_CFLAGS = $(call once,PACKAGE_CFLAGS,$(shell pkg-config --cflags $(PACKAGES)))
PACKAGE_LIBS = $(call once,PACKAGE_LIBS,$(shell pkg-config --libs $(filter-out shaderc,$(PACKAGES))))
CMOCKA = $(call once,CMOCKA,$(shell pkg-config --cflags --libs cmocka))
CFLAGS_ALL = -std=c17 -D_GNU_SOURCE $(OPTIMIZE) $(WARNINGS) $(SANITIZE) -MMD -MP $(PACKAGE_CFLAGS) $(CFLAGS)

# SPIRV-Tools validates mutants. Debian 12's libshaderc.so does not link, because it does not name glslang. Its archives
# link, together with those of glslang and SPIRV-Tools. Symbols from archives are kept out of the program's dynamic
# symbols: a driver with the same libraries would otherwise find them instead of its own.
SHADERC_SHARED := -lshaderc -lSPIRV-Tools -lstdc++
SHADERC_STATIC := -lshaderc_combined -lSPIRV -lglslang -lMachineIndependent -lGenericCodeGen -lOSDependent \
                  -lOGLCompiler -lSPIRV -lSPIRV-Tools-opt -lSPIRV-Tools
links = $(shell echo 'int main(void) { return 0; }' | $(CC) -x c - -Wl,--no-as-needed $(1) -o /dev/null 2>/dev/null && echo yes)
SHADERC = $(call once,SHADERC,$(if $(call links,$(SHADERC_SHARED)),$(SHADERC_SHARED),$(SHADERC_STATIC) -lstdc++))
empty :=
archives = -Wl,--exclude-libs,$(subst $(empty) ,:,$(patsubst -l%,lib%.a,$(1)))
LIBS = $(PACKAGE_LIBS) $(SHADERC) $(call archives,$(SHADERC_STATIC)) -lm -lpthread -ldl $(if $(SANITIZE),scripts/keep_loaded.c)

# Objects: each source of a wing is compiled once, and the families of reference/ in double and float (reference.h).
folders = $(or $(FOLDERS_$(1)),harness/$(1))
deep = $(foreach f,$(call folders,$(1)),$(wildcard $(f)/$(2) $(f)/*/$(2) $(f)/*/*/$(2)))
sources = $(foreach s,$(call deep,$(1),*.c),$(if $(findstring /tests/,$(s))$(findstring /reader/,$(s))$(findstring /layer/,$(s)),,$(s)))
FAMILIES := $(wildcard $(addprefix reference/,elementwise/*.c reductions/*.c network/*.c))
objects = $(patsubst %.c,$(BUILD)/%.o,$(filter-out $(FAMILIES),$(call sources,$(1)))) \
          $(if $(filter truth,$(1)),$(FAMILIES:%.c=$(BUILD)/%.f64.o) $(FAMILIES:%.c=$(BUILD)/%.f32.o))
archive = $(BUILD)/lib$(1).a
reverse = $(if $(1),$(call reverse,$(wordlist 2,99,$(1))) $(firstword $(1)))
# A wing and its uses, direct or not, highest first.
closure = $(call reverse,$(filter $(1) $(foreach u,$(USES_$(1)),$(call closure,$(u))),$(WINGS)))
archives_of = $(foreach w,$(call closure,$(1)),$(call archive,$(w)))
# A test program has the name of the folder above tests/: build/tests/judge-element_test.
test_folder = $(notdir $(patsubst %/tests/,%,$(dir $(1))))
TESTS := $(foreach w,$(WINGS),$(foreach t,$(call deep,$(w),tests/*_test.c),$(BUILD)/tests/$(call test_folder,$(t))-$(basename $(notdir $(t)))))
# Each file of blocks of the command line is a test program, a link to the runner.
BLOCKS := $(filter-out %/commands-blocks_test,$(patsubst harness/commands/tests/blocks/%.txt,$(BUILD)/tests/commands-%_test,$(wildcard harness/commands/tests/blocks/*.txt)))
TESTS += $(BLOCKS)
PROGRAM := $(BUILD)/vkassay
# The Vulkan layer of `capture` is loaded into other programs, by its manifest in the same folder.
LAYER := $(BUILD)/layer/libVkLayer_vkassay_capture.so
LAYER_FILES := $(LAYER) $(BUILD)/layer/VkLayer_vkassay_capture.json
# The layer of tests that makes a driver fail.
FAULTS := $(BUILD)/faults/libVkLayer_vkassay_faults.so $(BUILD)/faults/VkLayer_vkassay_faults.json
PROGRAM_PARTS = $(BUILD)/harness/main.o $(foreach w,$(call reverse,$(WINGS)),$(call archive,$(w)))
SOURCES = $(wildcard harness/*.c) $(foreach w,$(WINGS),$(call deep,$(w),*.c) $(call deep,$(w),*.h) $(call deep,$(w),tests/*.h))

.DEFAULT_GOAL := $(PROGRAM)

# Prints a few words for a recipe. V=1 prints the whole command instead.
say = $(if $(filter-out 0,$(V)),,@printf '  %-4s %s\n' '$(1)' '$(2)';)
.DELETE_ON_ERROR:

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(CFLAGS_ALL) -c $< -o $@
$(BUILD)/%.f64.o: %.c
	@mkdir -p $(@D)
	$(call say,CC,$< (double))$(CC) $(CFLAGS_ALL) -DVKASSAY_REAL=64 -c $< -o $@
$(BUILD)/%.f32.o: %.c
	@mkdir -p $(@D)
	$(call say,CC,$< (float))$(CC) $(CFLAGS_ALL) -DVKASSAY_REAL=32 -c $< -o $@

# Names of capabilities and results of instructions, from the installed headers (harness/shader/spirv/grammar.c).
$(BUILD)/spirv_grammar.h:
	@mkdir -p $(@D)
	@printf '#define SPV_ENABLE_UTILITY_CODE\n#include <spirv/unified1/spirv.h>\n' | $(CC) $(PACKAGE_CFLAGS) -std=c17 -E -x c - | sed -nE \
	    -e 's/^ *SpvCapability(\w+) = ([0-9]+),.*/CAPABILITY(\2, "\1")/p' \
	    -e 's/^ *case (SpvOp\w+): \*hasResult = (\w+); \*hasResultType = (\w+);.*/RESULT(\1, \2, \3)/p' >$@
$(BUILD)/harness/shader/spirv/grammar.o: private CFLAGS_ALL += -I$(BUILD)
$(BUILD)/harness/shader/spirv/grammar.o: $(BUILD)/spirv_grammar.h

# The further help of each command.
$(BUILD)/help.h: $(wildcard harness/commands/help/*.txt)
	@mkdir -p $(@D)
	@for f in $^; do printf 'static const char help_%s[] =\n' $$(basename $$f .txt) && \
	    sed -e 's/[\"]/\\&/g' -e '$$!s/$$/\\n/' -e 's/.*/    "&"/' $$f && echo '    ;'; done >$@
$(BUILD)/harness/commands/command_table.o: private CFLAGS_ALL += -I$(BUILD)
$(BUILD)/harness/commands/command_table.o: $(BUILD)/help.h

# Only this file knows the version. The stamp changes only with the state of git.
$(BUILD)/harness/record/context.o: private CFLAGS_ALL += -DVKASSAY_VERSION='"$(VERSION)"' -DVKASSAY_GIT='"$(file <$(BUILD)/git)"'
$(BUILD)/harness/record/context.o: $(BUILD)/git
$(BUILD)/git: always
	@mkdir -p $(@D)
	@git describe --always --dirty 2>/dev/null >$@.new || echo unknown >$@.new
	@cmp -s $@.new $@ || cp $@.new $@
	@rm $@.new

define wing
$(call archive,$(1)): $(call objects,$(1))
	@rm -f $$@
	$$(call say,AR,$$@)ar rcs $$@ $$^
$(foreach f,$(sort $(dir $(call deep,$(1),tests/*_test.c))),$(call tests_in,$(1),$(f)))
endef
define tests_in
$(BUILD)/tests/$(call test_folder,$(2))-%: $(2)%.c $(call archives_of,$(1))
	@mkdir -p $$(@D)
	$$(call say,LINK,$$@)$$(CC) $$(CFLAGS_ALL) $$< -o $$@ $(call archives_of,$(1)) $$(LIBS) $$(CMOCKA)

endef
$(foreach w,$(WINGS),$(eval $(call wing,$(w))))
$(BUILD)/tests/commands-driver_test $(BUILD)/tests/commands-blocks_test: | $(FAULTS)
$(BUILD)/tests/commands-capture_test: | $(BUILD)/tests/capture-faults_test
$(BLOCKS): $(BUILD)/tests/commands-blocks_test
	@ln -sf $(<F) $@

$(BUILD)/harness/capture/layer/%.o: CFLAGS_ALL += -fPIC -fvisibility=hidden
$(BUILD)/harness/capture/layer/utf8.o: harness/base/utf8.c # the only part of another wing that is linked
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(CFLAGS_ALL) -c $< -o $@
$(LAYER): $(patsubst %.c,$(BUILD)/%.o,$(wildcard harness/capture/layer/*.c)) $(BUILD)/harness/capture/layer/utf8.o
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(SANITIZE) -shared $^ -o $@ -Wl,-z,nodelete $(if $(SANITIZE),,-Wl,-z,defs) -lpthread
$(BUILD)/faults/%.so: harness/commands/tests/faults/layer.c
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(filter-out -MMD -MP,$(CFLAGS_ALL)) -fPIC -fvisibility=hidden -shared $< -o $@ -lpthread
$(BUILD)/layer/%.json: harness/capture/layer/%.json
	@mkdir -p $(@D)
	@cp $< $@
$(BUILD)/faults/%.json: harness/commands/tests/faults/layer/%.json
	@mkdir -p $(@D)
	@cp $< $@

$(BUILD)/tests/capture-layer_test $(BUILD)/tests/capture-faults_test: | $(LAYER_FILES)
$(PROGRAM): $(PROGRAM_PARTS) | $(LAYER_FILES)
	$(call say,LINK,$@)$(CC) $(SANITIZE) -rdynamic $^ -o $@ $(LIBS)

# The bundle's program finds its libraries in lib/ beside it. So do these libraries, hence no "new" tags. The C++ ones
# are linked statically, so that a driver is free to load its machine's own.
BUNDLE_SHADERC = $(call once,BUNDLE_SHADERC,$(if $(call links,$(SHADERC_STATIC) -lstdc++),$(SHADERC_STATIC),$(SHADERC_SHARED)))
$(BUILD)/bundle/vkassay: $(PROGRAM_PARTS) | $(LAYER_FILES)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) -rdynamic $^ -o $@ -Wl,-rpath,'$$ORIGIN/lib' -Wl,--disable-new-dtags $(PACKAGE_LIBS) $(BUNDLE_SHADERC) \
	    -static-libgcc -Wl,-Bstatic -lstdc++ -Wl,-Bdynamic $(call archives,$(SHADERC_STATIC) -lstdc++ -lgcc -lgcc_eh) \
	    -lm -lpthread -ldl

# The fuzz targets are compiled with the tests, but only `make fuzz` links them, with clang.
FUZZ_PARTS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard harness/commands/tests/fuzz/*.c))
$(BUILD)/readers: $(FUZZ_PARTS) $(call archives_of,commands)
	$(call say,LINK,$@)$(CC) -fsanitize=fuzzer,address,undefined $^ -o $@ $(LIBS)
tests: $(TESTS) $(BUILD)/tests/reference-evaluate $(FUZZ_PARTS)
program: $(PROGRAM)

# Targets for users. Each installs dependencies first, and then starts make again, because pkg-config's answers have
# changed.
MAKE_AGAIN = scripts/install.sh $(1) && $(MAKE) --no-print-directory $(if $(filter -j%,$(MAKEFLAGS)),,-j$(JOBS))
VKASSAY = @$(call MAKE_AGAIN) program && $(PROGRAM)

bench: ## check and time SUITE (quick) on the best device of this machine
	@$(call MAKE_AGAIN) program && built=$$SECONDS && { $(PROGRAM) bench --suite $(SUITE) $(ARGS); status=$$?; \
	    echo "$$built s for installing and building, $$((SECONDS - built)) s for the suite"; exit $$status; }
check: ## check every kernel, without timing, at shapes and edge sizes drawn by --seed (minutes)
	$(VKASSAY) check $(ARGS)
report: ## draw the newest result again: tables, charts and one HTML page
	$(VKASSAY) report $(ARGS) "$$(ls -t reports/out/*/*/result.jsonl | head -n 1)"
gate: ## run the gate suite and compare it with the baseline of this device and driver
	$(VKASSAY) $@ $(ARGS)
baseline: ## run the gate suite and keep its result under reports/baselines/
	$(VKASSAY) gate --save-baseline $(ARGS)
tune: ## search the best shapes on this machine and write the tuned table (suite tuning)
	$(VKASSAY) $@ $(ARGS)
claims: ## measure claims of systems about GPUs: each holds, does not hold, or cannot be measured here
	$(VKASSAY) bench --suite claims $(ARGS)
test: ## run the tests for a change, on the installed software drivers (minutes)
	@$(call MAKE_AGAIN,test) program tests example && BUILD=$(BUILD) BUILT=$$SECONDS DEPTH=presubmit scripts/test.sh $(TESTS)
test-deep: ## run the rest of the tests: all mutants, faults and drivers, pages in a browser, Slurm, CI recipes
	@$(call MAKE_AGAIN,test) program tests example && BUILD=$(BUILD) BUILT=$$SECONDS DEPTH=deep scripts/test.sh $(TESTS)
latency: ## measure the waiting times of users and contributors (ROWS=..., minutes; scripts/latency.sh)
	@$(call MAKE_AGAIN) program && { . scripts/find.sh && PROGRAM=$(PROGRAM) scripts/latency.sh $(ROWS); }
test-fresh: ## run bench and test on bare Debian 12, 13 and sid, under FRESH (as root; about 30 minutes each)
	@scripts/fresh.sh $(FRESH) $(SUITES)
compilers: ## compile all kernels for GPUs that are not here, by Mesa in roots of Debian under FRESH (as root; minutes)
	@$(MAKE) bundle && scripts/compilers.sh $(FRESH) $(BUILD)/bundle $(DEVICES)
test-slurm: ## test scripts/slurm.sh on a temporary Slurm of one node (as root; `make test-deep` does, too)
	@$(call MAKE_AGAIN,test) program && . scripts/find.sh && use_driver "$$(lavapipe_manifest)" && \
	    python3 scripts/tests/slurm_check.py $(PROGRAM)
schemas: ## write the schemas of reports/schema again, from the tables of fields
	@$(call MAKE_AGAIN) program && for s in $$($(PROGRAM) list schemas | cut -d' ' -f1); do \
	    $(PROGRAM) list schemas $$s >reports/schema/$$s.schema.json || exit; done
results: ## measure the published results of a device again, FOLDER=reports/examples/NAME (ARGS='quick --seconds 600'; scripts/results.py)
	@$(call MAKE_AGAIN) program && scripts/results.py $(or $(FOLDER),$(error FOLDER=reports/examples/NAME is missing)) $(ARGS) \
	    --program $(PROGRAM)
figures: ## make every figure, table and chart of the pages again, from the results in reports/examples
	@$(call MAKE_AGAIN) program && scripts/figures.py --program $(PROGRAM)
pages: ## make the pages of operators, of their coverage and of the systems' documents, in build/pages/
	@$(call MAKE_AGAIN) program && scripts/figures.py --pages $(BUILD)/pages --program $(PROGRAM)
spirv: ## compile shaders for kernels/*/spirv/ that need a newer glslc (GLSLC=, with its arguments)
	@$(call MAKE_AGAIN) program && VKASSAY_GLSLC='$(GLSLC)' $(PROGRAM) spirv
mutants: ## make reports/examples/mutants.md: kernels broken by hand, and the checks that catch them (minutes)
	@$(call MAKE_AGAIN) program && BUILD=$(BUILD) scripts/mutants.sh >$(BUILD)/mutants.json && \
	    mv $(BUILD)/mutants.json reports/examples/ && scripts/figures.py --program $(PROGRAM)
mutants-kernels: ## make reports/examples/kernel-mutants.md: every third kernel in 40 mutants (SEED=1, ARGS; over an hour)
	@$(call MAKE_AGAIN,test) program && BUILD=$(BUILD) SEED=$(SEED) scripts/mutants_kernels.sh $(ARGS)
mutants-harness: ## make reports/examples/harness-mutants.md: small changes to the harness, and the tests that notice them
	@$(call MAKE_AGAIN,test) program && . scripts/find.sh && use_driver "$$(lavapipe_manifest)" && \
	    { scripts/mutants_harness.py --out reports/examples $(ARGS); status=$$?; scripts/figures.py --program $(PROGRAM); exit $$status; }
mutants-drawn: ## make reports/examples/drawn-mutants.md: changes drawn by rule, and the tests that notice them (ARGS; hours)
	@$(call MAKE_AGAIN,test lint) program && . scripts/find.sh && use_driver "$$(lavapipe_manifest)" && \
	    { scripts/mutate_c.py --out reports/examples $(ARGS); status=$$?; scripts/figures.py --program $(PROGRAM); exit $$status; }
sanitize: ## run the tests and a small suite under AddressSanitizer and UndefinedBehaviorSanitizer
	@$(call MAKE_AGAIN,test) BUILD=build-sanitize OPTIMIZE='-O1 -g -fno-omit-frame-pointer' \
	    SANITIZE='-fsanitize=address,undefined -fno-sanitize-recover=undefined' program tests example && \
	    BUILD=build-sanitize ASAN_OPTIONS=abort_on_error=1 LSAN_OPTIONS=suppressions=$(CURDIR)/scripts/lsan.supp \
	    scripts/test.sh $(TESTS:$(BUILD)/%=build-sanitize/%)
valgrind: ## run a small suite under valgrind
	@$(call MAKE_AGAIN,lint) program && scripts/valgrind.sh $(PROGRAM)
lint: ## run gcc, clang, clang-tidy, clang-format and shellcheck; none may warn
	@$(call MAKE_AGAIN,lint) BUILD=build-lint/gcc CC=gcc CFLAGS=-Werror program tests
	@$(MAKE) --no-print-directory -j$(JOBS) BUILD=build-lint/clang CC=clang CFLAGS=-Werror program tests
	@$(MAKE) --no-print-directory tidy
	@clang-format --dry-run -Werror $(SOURCES)
	@shellcheck -x scripts/*.sh .ci/run
	@! grep -ohE '^(static )?(const )?struct [a-z0-9_]+ [{]' $(foreach s,$(SOURCES),$(if $(findstring /tests/,$(s)),,$(s))) | grep -oE 'struct [a-z0-9_]+' | \
	    sort | uniq -d | grep . || { echo 'tags of two structures each (CONTRIBUTING.md)'; exit 1; }
	@! grep -nE '(shell|system)\("(python3|[a-z/]*\.py) ' $(SOURCES) || { echo 'needs_python() says which Python, base/tests/needs.h'; exit 1; }
	@! grep -n ' skip()' $(filter-out %/tests/needs.h,$(SOURCES)) || { echo 'a skip needs a reason: not_run(), base/tests/needs.h'; exit 1; }
	@! grep -nw assert_in_range $(SOURCES) || { echo 'cmocka 2 deprecates it: assert_within, base/tests/within.h'; exit 1; }
	@scripts/layers.py --check
	@scripts/prose.py --check
	@scripts/tests/mutate_check.py
# Each file has its own process: clang-tidy 14 considers va_list uninitialised from the second file on. Tests are left
# out, because the analyser assumes that a failed assertion returns.
tidy: $(BUILD)/spirv_grammar.h $(BUILD)/help.h
	@printf '%s\n' $(filter-out %_test.c,$(filter %.c,$(SOURCES))) | FLAGS='$(PACKAGE_CFLAGS) -I$(BUILD)' xargs -P $(JOBS) -n 1 scripts/tidy.sh
format: ## format every C file
	@scripts/install.sh lint && clang-format -i $(SOURCES)
bundle: ## make build/bundle/, a folder that runs on any x86-64 Linux with a Vulkan driver
	@$(call MAKE_AGAIN,bundle) $(BUILD)/bundle/vkassay && scripts/bundle.sh $(BUILD)/bundle
install: ## install the program, its data, man page and completions under PREFIX (/usr/local)
	@$(call MAKE_AGAIN) program && $(INSTALL_ENV) scripts/install_files.sh install
uninstall: ## remove the installed files under PREFIX
	@$(INSTALL_ENV) scripts/install_files.sh uninstall
deb: ## make build/vkassay_VERSION_ARCH.deb, a Debian package
	@$(call MAKE_AGAIN) program && $(INSTALL_ENV) scripts/deb.sh $(BUILD)
INSTALL_ENV = PROGRAM=$(PROGRAM) PREFIX=$(PREFIX) DESTDIR=$(DESTDIR) VERSION=$(VERSION)
layers: ## count lines, files of folders, short functions, upward includes, and how plain the prose is
	@scripts/layers.py; scripts/prose.py
example: $(BUILD)/example # the reader of tuned tables: build/example TUNED.JSON
$(BUILD)/example: harness/tune/reader/example.c harness/tune/reader/vkassay_tuned.h
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(filter-out -MMD -MP,$(CFLAGS_ALL)) $< -o $@ $(LIBS)
fuzz: ## fuzz all readers of foreign data with clang's libFuzzer, FUZZ_RUNS (a million) each (ARGS='suites claims'; hours)
	@$(call MAKE_AGAIN,fuzz) BUILD=build-fuzz CC=clang OPTIMIZE='-O1 -g' \
	    SANITIZE='-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined' build-fuzz/readers && \
	    scripts/fuzz.sh build-fuzz $(FUZZ_RUNS) $(ARGS)
soak: ## run random work with random faults for SECONDS (1200); memory and descriptors must stay flat (SEED=1)
	@$(call MAKE_AGAIN,test) program $(FAULTS) && . scripts/find.sh && use_driver "$$(lavapipe_manifest)" && \
	    scripts/soak.py $(BUILD) $(or $(SECONDS),1200) --seed $(or $(SEED),1)
faults: ## make a driver fail in all the ways of scripts/faults.py, and the page of them (ARGS; an hour)
	@$(call MAKE_AGAIN,test) program $(FAULTS) && . scripts/find.sh && use_driver "$$(lavapipe_manifest)" && \
	    scripts/faults.py $(BUILD) --out reports/examples/faults.md $(ARGS)
clean: ## remove all build folders
	rm -rf build build-fuzz build-lint build-sanitize
help: ## print this list
	@echo 'make TARGET [SUITE=quick] [ARGS="options of the program"] [NO_INSTALL=1] [PREFIX=DIR] [V=1]'
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-15s %s\n", $$1, $$2 }' Makefile

.PHONY: always layers tests program bench check report schemas figures pages tune claims gate baseline test latency test-deep test-fresh compilers test-slurm spirv mutants mutants-kernels mutants-harness mutants-drawn sanitize valgrind lint tidy format bundle fuzz soak faults example \
        install uninstall deb clean help

-include $(filter-out $(BLOCKS:%=%.d),$(shell find $(BUILD) -name '*.d' 2>/dev/null))
