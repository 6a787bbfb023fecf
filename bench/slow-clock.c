/*
 * Slows the clock of a process: to the program, the machine and its network are SLOW_CLOCK times as
 * fast. So stock Node shows what it does before a timer on a faster machine. Where nothing happens
 * for IDLE_MS of real time, the clock jumps to the next timer, so that a run takes no longer.
 *
 * Preloaded into Node. It begins with the first call of umask, so that Node starts as fast as ever.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <time.h>

#define NS 1000000000LL
#define IDLE_MS 8

static int (*real_time)(clockid_t, struct timespec *);
static int (*real_poll)(int, struct epoll_event *, int, int, const sigset_t *);
static mode_t (*real_umask)(mode_t);
static long long begun_ns;
static volatile long long jumped_ns;
static volatile int times = 1;

__attribute__((constructor)) static void find(void) {
  real_time = dlsym(RTLD_NEXT, "clock_gettime");
  real_poll = dlsym(RTLD_NEXT, "epoll_pwait");
  real_umask = dlsym(RTLD_NEXT, "umask");
}

static int is_monotonic(clockid_t clock) {
  return clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_COARSE;
}

mode_t umask(mode_t mask) {
  const char *given = getenv("SLOW_CLOCK");
  struct timespec now;
  if (times == 1 && given != 0) {
    real_time(CLOCK_MONOTONIC, &now);
    begun_ns = now.tv_sec * NS + now.tv_nsec;
    times = atoi(given);
  }
  return real_umask(mask);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  if (real_time == 0) find();
  int result = real_time(clock, time);
  long long ns = time->tv_sec * NS + time->tv_nsec;
  if (result != 0 || times == 1 || !is_monotonic(clock) || ns < begun_ns) return result;
  ns = begun_ns + (ns - begun_ns) / times + jumped_ns;
  time->tv_sec = ns / NS;
  time->tv_nsec = ns % NS;
  return 0;
}

int epoll_pwait(int fd, struct epoll_event *events, int count, int timeout, const sigset_t *mask) {
  if (times == 1 || timeout <= 0) return real_poll(fd, events, count, timeout, mask);
  int ready = real_poll(fd, events, count, IDLE_MS, mask);
  if (ready == 0) jumped_ns += timeout * (NS / 1000);
  return ready;
}
