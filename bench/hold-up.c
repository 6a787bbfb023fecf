/*
 * Holds up the threads of stock Node at chance, so that it shows its rarer orders within few runs.
 *
 * Preloaded into Node. A thread of libuv's pool may sleep before it works, between its work and the
 * moment it posts the completion, and before it takes the next operation; the main thread may sleep
 * before it polls, and now and then in the middle of a callback, as where it reads the clock. The
 * kernel could suspend a thread at each of these places, so every order that appears is one that
 * Node shows. What is ready at a socket of a network may be told late, as if it had come later:
 * nothing bounds how long a network takes. It begins with the first call of umask, so that Node
 * starts as fast as ever.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int (*real_lock)(pthread_mutex_t *);
static int (*real_unlock)(pthread_mutex_t *);
static int (*real_time)(clockid_t, struct timespec *);
static int (*real_poll)(int, struct epoll_event *, int, int, const sigset_t *);
static volatile int has_begun;
static __thread uint64_t chance;
static __thread int is_worker = -1;

__attribute__((constructor)) static void find(void) {
  real_lock = dlsym(RTLD_NEXT, "pthread_mutex_lock");
  real_unlock = dlsym(RTLD_NEXT, "pthread_mutex_unlock");
  real_time = dlsym(RTLD_NEXT, "clock_gettime");
  real_poll = dlsym(RTLD_NEXT, "epoll_pwait");
}

static uint64_t draw(void) {
  if (chance == 0) {
    struct timespec now;
    real_time(CLOCK_MONOTONIC, &now);
    chance = (uint64_t)now.tv_nsec * 2654435761u + (uint64_t)gettid() * 40503u + 1;
  }
  chance ^= chance << 13;
  chance ^= chance >> 7;
  chance ^= chance << 17;
  return chance >> 11;
}

/*
 * Sleeps in one of `share` cases, for 20 us to 5 ms, short sleeps as often as long ones. In every
 * other period sleeps are rare and long, so that one operation is late and the rest are not.
 */
static void hold_up(unsigned share) {
  static const unsigned longest_us[] = {50, 200, 800, 2000, 5000};
  if (!has_begun) return;
  struct timespec now;
  real_time(CLOCK_MONOTONIC, &now);
  int rare = (now.tv_nsec / 40000000) % 2;
  if (draw() % (rare ? 8 * share : share) != 0) return;
  unsigned us = rare ? 2000 + draw() % 10000 : 20 + draw() % longest_us[draw() % 5];
  struct timespec pause = {0, us * 1000L};
  nanosleep(&pause, 0);
}

/* Whether it is a thread of a pool, of libuv or V8: they are named a moment after they start. */
static int in_pool(void) {
  char name[16] = "";
  if (is_worker == 1) return 1;
  if (gettid() == getpid() || pthread_getname_np(pthread_self(), name, sizeof name) != 0) return 0;
  is_worker = strcmp(name, "libuv-worker") == 0 || strcmp(name, "V8Worker") == 0;
  return is_worker;
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  if (real_lock == 0) find();
  if (in_pool()) hold_up(3);
  return real_lock(mutex);
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
  if (real_unlock == 0) find();
  int result = real_unlock(mutex);
  if (gettid() == getpid()) hold_up(60);
  else if (in_pool()) hold_up(3);
  return result;
}

mode_t umask(mode_t mask) {
  has_begun = 1;
  return syscall(SYS_umask, mask);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  if (real_time == 0) find();
  if (gettid() == getpid()) hold_up(60);
  return real_time(clock, time);
}

/* Not a Unix socket: the kernel delivers over these within the call. */
static int is_network(int fd) {
  int domain = 0;
  socklen_t size = sizeof domain;
  return getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0 && domain != AF_UNIX;
}

/* Leaves out sockets at chance: the poll is level-triggered, so the next one tells them. */
static int without_late(struct epoll_event *events, int count) {
  int kept = 0;
  for (int index = 0; index < count; index++) {
    if (is_network(events[index].data.fd) && draw() % 5 == 0) continue;
    events[kept++] = events[index];
  }
  return kept;
}

int epoll_pwait(int fd, struct epoll_event *events, int count, int timeout, const sigset_t *mask) {
  if (gettid() == getpid()) hold_up(6);
  int ready = real_poll(fd, events, count, timeout, mask);
  if (ready <= 0 || !has_begun || gettid() != getpid()) return ready;
  for (;;) {
    int kept = without_late(events, ready);
    if (kept > 0 || timeout == 0) return kept;
    hold_up(1);
    ready = real_poll(fd, events, count, timeout, mask);
    if (ready <= 0) return ready;
  }
}
