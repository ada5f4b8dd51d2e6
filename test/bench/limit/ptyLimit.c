/*
 * The physical limit: what a command in a PTY costs with nothing around it.
 * Reads requests from stdin, one a line, and answers each with one JSON line on stdout:
 *   r COMMAND   openpty, fork, exec `bash -c COMMAND`, read everything until the PTY hangs up, wait for the exit code
 *   e TEXT      write TEXT to a `cat` that is kept running and read until the line came back twice (echo and answer)
 * `ms` is the time inside this process; the round trip over the pipe is for the caller to measure.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __APPLE__
#include <util.h>
#else
#include <pty.h>
#include <utmp.h>
#endif

/* As large as a reader's buffer usually is; the kernel hands out PTY output in smaller pieces whatever is asked. */
#define READ_BUFFER_BYTES 65536
#define LINES_PER_ECHO 2

static char buffer[READ_BUFFER_BYTES];

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

static pid_t start(const char *command, int *master) {
  struct winsize size = {.ws_row = 24, .ws_col = 80};
  int slave;
  if (openpty(master, &slave, NULL, NULL, &size) != 0) {
    perror("openpty");
    exit(1);
  }
  fcntl(*master, F_SETFD, FD_CLOEXEC);
  pid_t pid = fork();
  if (pid < 0) {
    perror("fork");
    exit(1);
  }
  if (pid == 0) {
    login_tty(slave);
    execl("/bin/bash", "bash", "-c", command, (char *)NULL);
    _exit(127);
  }
  close(slave);
  return pid;
}

/* EIO (Linux) or 0 (elsewhere) means that nobody holds the other side any more. */
static ssize_t read_some(int master) {
  ssize_t n;
  do n = read(master, buffer, sizeof buffer);
  while (n < 0 && errno == EINTR);
  return n;
}

static void run(const char *command) {
  double started = now_ms();
  unsigned long long bytes = 0;
  int master, status;
  pid_t pid = start(command, &master);
  for (ssize_t n; (n = read_some(master)) > 0;) bytes += (unsigned long long)n;
  waitpid(pid, &status, 0);
  close(master);
  printf("{\"ms\":%.3f,\"bytes\":%llu,\"code\":%d}\n", now_ms() - started, bytes,
         WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

static void echo(const char *line, size_t length) {
  static int cat = -1;
  if (cat < 0) start("exec cat", &cat);
  double started = now_ms();
  if (write(cat, line, length) != (ssize_t)length) exit(1);
  for (int lines = 0; lines < LINES_PER_ECHO;) {
    ssize_t n = read_some(cat);
    if (n <= 0) exit(1);
    for (ssize_t i = 0; i < n; i++) lines += buffer[i] == '\n';
  }
  printf("{\"ms\":%.3f}\n", now_ms() - started);
}

int main(void) {
  char *line = NULL;
  size_t capacity = 0;
  for (ssize_t length; (length = getline(&line, &capacity, stdin)) > 2;) {
    if (line[0] == 'e') {
      echo(line + 2, (size_t)length - 2);
    } else {
      line[length - 1] = '\0';
      run(line + 2);
    }
    fflush(stdout);
  }
  return 0;
}
