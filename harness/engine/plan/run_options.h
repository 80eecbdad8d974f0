// SPDX-License-Identifier: Apache-2.0
// How points are run: what a command line and a suite settle, and workers are sent.
#ifndef VKASSAY_PLAN_RUN_OPTIONS_H
#define VKASSAY_PLAN_RUN_OPTIONS_H

#include "suite.h"

// Options for running points. Each line of the list is a member, and is also sent to workers (supervise/protocol.c).
#define RUN_OPTIONS(MEMBER)                                                                                            \
    MEMBER(uint64_t, seed)                                                                                             \
    MEMBER(double, timeout_s)         /* for one wait on the GPU */                                                    \
    MEMBER(double, interval_s)        /* least length of an interval of hot samples; 0: as the timer needs */          \
    MEMBER(bool, time)                /* false: check only */                                                          \
    MEMBER(bool, compile_only)        /* pipelines are built, and nothing is run */                                    \
    MEMBER(bool, host_clock)          /* hot samples by the host's clock, even if the device has one */                \
    MEMBER(bool, validate)            /* runs under the validation layer */                                            \
    MEMBER(bool, gpu_assisted)        /* the layer also checks accesses by shaders */                                  \
    MEMBER(bool, sanitize)            /* each point also runs with instrumented shaders */                             \
    MEMBER(bool, unsanitized)         /* no small point runs with them either: the device was lost in one */           \
    MEMBER(bool, brief)               /* a check ends at its first failure, and no cause of it is sought */            \
    MEMBER(bool, sanitize_large)      /* points beyond the shaders' numbers run with them, besides the small one */    \
    MEMBER(bool, lines)               /* shaders contain the lines of their source */                                  \
    MEMBER(bool, energy)              /* measured for each timed point if the machine counts it */                     \
    MEMBER(bool, anew)                /* drivers compile anew: earlier caches are neither used nor extended */         \
    MEMBER(int, threads)              /* its limit on the host, if other workers run beside it; 0: all cores */        \
    MEMBER(double, build_from)        /* share of the prefill to begin at; other workers begin elsewhere */            \
    MEMBER(bool, commit)              /* SPIR-V for older compilers is written beside its source */                    \
    MEMBER(int, repeat)               /* executions of each point that passed, in each state; 0: none */               \
    MEMBER(bool, busy)                /* as many beside other work */                                                  \
    MEMBER(const char *, invariant)   /* a dim: the first line along it is hashed; NULL: none */                       \
    MEMBER(const char *, disassembly) /* folder for texts of the machine code; NULL: none */                           \
    MEMBER(const char *, cache_folder)                                                                                 \
    MEMBER(const char *, own_cores)     /* for what it times: base/cores.h, cores_take; NULL: none */                  \
    MEMBER(const char *, wgsl_compiler) /* a command; NULL: see shaders/wgsl.c */                                      \
    MEMBER(const char *, rewritten)     /* a command that rewrites SPIR-V for one more run; NULL: no such run */
#define RUN_OPTIONS_MEMBER(type, name) type name;
struct run_options {
    struct settings settings;
    RUN_OPTIONS(RUN_OPTIONS_MEMBER)
    const char *const *include_folders; // searched for shader includes
    size_t include_count;
    bool only_hash; // makes only the source hash of shaders
};

#endif
