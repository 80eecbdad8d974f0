// SPDX-License-Identifier: Apache-2.0
#include "batch.h"

#include "../../base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOT_FOUND = 127 }; // what env(1) exits with when there is no such program
static const char log_name[] = "gnuplot.log";

// Through env(1), which finds the program and sets its locale; the settings of the user's own
// .gnuplot are left out.
static int spawn(pid_t *child, const char *folder, const char *script, const char *setting) {
    char *const argv[] = {"env", "LC_ALL=C", "gnuplot", "--default-settings", "-e", (char *)(uintptr_t)setting,
        (char *)(uintptr_t)script, NULL};
    posix_spawn_file_actions_t actions;
    int code = posix_spawn_file_actions_init(&actions);
    if (code) return code;
    code = posix_spawn_file_actions_addchdir_np(&actions, folder);
    if (!code) code = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    if (!code) code = posix_spawn_file_actions_addopen(&actions, 2, log_name, O_WRONLY | O_CREAT | O_EXCL, 0644);
    if (!code) code = posix_spawn_file_actions_adddup2(&actions, 2, 1);
    if (!code) code = posix_spawnp(child, argv[0], &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    return code;
}

// The first line that is not blank and no pointer to a column.
static const char *first_words(struct arena *arena, const char *log) {
    struct error ignored;
    char *text = file_read(arena, log, NULL, &ignored);
    for (char *line = text ? strtok(text, "\n") : NULL; line; line = strtok(NULL, "\n"))
        if (line[strspn(line, " \t^")]) return line;
    return "no message";
}

const char *gnuplot_run(struct arena *arena, const char *folder, const char *script, const char *template_folder) {
    char *templates = realpath(template_folder, NULL);
    if (!templates) return arena_format(arena, "%s: %s", template_folder, strerror(errno));
    const char *setting = strchr(templates, '\'') ? NULL : arena_format(arena, "templates='%s/'", templates);
    const char *log = arena_format(arena, "%s/%s", folder, log_name);
    free(templates);
    if (!setting || !log) return arena_format(arena, "%s: a path with a quote", template_folder);
    unlink(log); // of an earlier run, or a link that leads elsewhere
    pid_t child;
    int status, code = spawn(&child, folder, script, setting);
    if (code) return arena_format(arena, "gnuplot could not be started: %s", strerror(code));
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return arena_format(arena, "gnuplot: %s", strerror(errno));
    const char *why = NULL;
    if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_FOUND)
        why = "gnuplot is not installed";
    else if (WIFSIGNALED(status))
        why = arena_format(arena, "gnuplot was ended by signal %d", WTERMSIG(status));
    else if (WEXITSTATUS(status))
        why = arena_format(arena, "gnuplot: %s", first_words(arena, log));
    if (!why || WEXITSTATUS(status) == NOT_FOUND) unlink(log);
    return why;
}
