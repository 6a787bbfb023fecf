/*
 * Slows the clock of a process: to the program, the machine and its network are SLOW_CLOCK times as
 * fast. So stock Node shows what it does before a timer on a faster machine. Where nothing happens
 * for PATIENCE_MS of real time, the clock jumps to the next timer, so that a run takes no longer.
 *
 * Preloaded into Node. It begins with the first call of umask, so that Node starts as fast as ever.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_MS 1000000LL
#define NS_PER_S 1000000000LL
/* What is on its way, over loopback or from another thread, may take so long in real time. */
#define PATIENCE_MS 5

static int (*real_time)(clockid_t, struct timespec *);
static int (*real_poll)(int, struct epoll_event *, int, int, const sigset_t *);
static mode_t (*real_umask)(mode_t);
static volatile int times;
static long long begun_ns;
/* Of waiting: the real time that it took, and the time of the process that it stands for. */
static volatile long long waited_ns, skipped_ns;

__attribute__((constructor)) static void find(void) {
  real_time = dlsym(RTLD_NEXT, "clock_gettime");
  real_poll = dlsym(RTLD_NEXT, "epoll_pwait");
  real_umask = dlsym(RTLD_NEXT, "umask");
}

static long long real_ns(void) {
  struct timespec now;
  real_time(CLOCK_MONOTONIC, &now);
  return now.tv_sec * NS_PER_S + now.tv_nsec;
}

mode_t umask(mode_t mask) {
  if (times == 0) {
    begun_ns = real_ns();
    times = atoi(getenv("SLOW_CLOCK"));
  }
  return real_umask(mask);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  if (real_time == 0) find();
  if (times == 0 || (clock != CLOCK_MONOTONIC && clock != CLOCK_MONOTONIC_COARSE)) return real_time(clock, time);
  long long ns = begun_ns + (real_ns() - begun_ns - waited_ns) / times + skipped_ns;
  time->tv_sec = ns / NS_PER_S;
  time->tv_nsec = ns % NS_PER_S;
  return 0;
}

int epoll_pwait(int fd, struct epoll_event *events, int count, int timeout, const sigset_t *mask) {
  if (times == 0 || timeout <= 0 || gettid() != getpid()) return real_poll(fd, events, count, timeout, mask);
  long long from_ns = real_ns();
  int ready = real_poll(fd, events, count, PATIENCE_MS, mask);
  waited_ns += real_ns() - from_ns;
  if (ready == 0) skipped_ns += timeout * NS_PER_MS;
  return ready;
}
