// SPDX-License-Identifier: Apache-2.0
// Earlier spellings of commands and options. A row stays for one version.
#ifndef VKASSAY_COMMANDS_REPLACED_H
#define VKASSAY_COMMANDS_REPLACED_H

#include "options.h"

// Returns what replaces an earlier command or an earlier option of a command. NULL: there was none of this name.
const char *replaced_command(const char *name);
const char *replaced_option(enum command_set command, const char *name);

#endif
