// SPDX-License-Identifier: Apache-2.0
// cmocka with the headers that it needs before it. Most tests have no use for the state that cmocka passes to each.
#ifndef VKASSAY_TESTS_UNIT_H
#define VKASSAY_TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#pragma GCC diagnostic ignored "-Wunused-parameter"

#endif
