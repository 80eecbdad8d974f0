// SPDX-License-Identifier: Apache-2.0
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// The first file to be opened would get the number of a closed stream, and what is printed would go into it. Writing to
// the stand-in of standard output is an error, as writing to none is.
static void fill_closed(void) {
    static const int modes[] = {O_RDONLY, O_RDONLY, O_WRONLY};
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", modes[fd]) != fd) _exit(STATUS_FAULT);
}

void output_open(void) {
    fill_closed();
    signal(SIGPIPE, SIG_IGN); // else a pipe to head(1) would end a run
}

enum status output_close(enum status status) {
    bool failed = ferror(stdout);
    errno = 0;
    failed = fclose(stdout) != 0 || failed;
    if (!failed) return status;
    fprintf(stderr,
        "vkassay: standard output could not be written%s%s; what was printed is incomplete, files are not\n",
        errno ? ": " : "", errno ? strerror(errno) : "");
    return status == STATUS_OK ? STATUS_FAULT : status;
}
