/*
 * Preloaded into each node of `maelstrom(…)`: a virtual clock, and random numbers from a seed.
 *
 * Time stands still until norn moves it. A wait with a deadline waits without one, and writes the
 * deadline into memory shared with norn; when norn has moved the clock past it, the helper thread
 * wakes the waiter. Invariant: if all threads sleep, nothing but norn can wake this process.
 *
 * The calls that libc offers for waiting and for time are replaced, so this reaches runtimes that
 * go through libc (CPython, Ruby, Node, the JVM, C++, Rust), but not Go's.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define SLOTS 256
#define SECOND 1000000000ull
#define WALL_AT_START (1767225600ull * SECOND) /* 2026-01-01 */
#define MONOTONIC_AT_START (1000ull * SECOND)
/* Reads of one moment after which the clock moves by itself, so that a busy wait ends. */
#define READS_OF_A_MOMENT 20000
#define BUSY_STEP 1000000ull

/* Read and written by norn at these offsets: clock-file.ts. */
static struct shared {
  _Atomic uint64_t now;     /* nanoseconds since the start */
  _Atomic uint64_t owner;   /* the process that the deadlines are of */
  _Atomic uint64_t pending; /* unread bytes of stdin, as of the last command */
  _Atomic uint64_t consumed; /* bytes of stdin read by calls of read */
  _Atomic uint64_t brief;   /* threads that sleep in real time, and so are not idle */
  _Atomic uint64_t deadlines[SLOTS]; /* 0: none */
} *shared;

enum kind { DESCRIPTOR, CONDITION, SEMAPHORE, FUTEX };

static struct slot {
  _Atomic int used;
  int descriptor; /* an eventfd, once there is one */
  enum kind kind;
  void *object;
  _Atomic int expired;
} slots[SLOTS];

static int control = -1;
static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int helping;
static _Atomic uint64_t reads;
static _Atomic uint64_t seed;

#define REAL(name) \
  static __typeof__(name) *real; \
  if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

/* ── the clock ───────────────────────────────────────────────────────────────────────────────── */

static uint64_t now(void) { return atomic_load(&shared->now); }

static uint64_t read_clock(void) {
  static _Atomic uint64_t last;
  uint64_t at = now();
  if (atomic_exchange(&last, at) != at) atomic_store(&reads, 0);
  uint64_t count = atomic_fetch_add(&reads, 1);
  return at + (count < READS_OF_A_MOMENT ? 0 : (count - READS_OF_A_MOMENT) * BUSY_STEP / 1000);
}

static int is_wall(clockid_t clock) { return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE; }
static int is_virtual(clockid_t clock) {
  return is_wall(clock) || clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_RAW ||
         clock == CLOCK_MONOTONIC_COARSE || clock == CLOCK_BOOTTIME;
}
static uint64_t start_of(clockid_t clock) { return is_wall(clock) ? WALL_AT_START : MONOTONIC_AT_START; }
static uint64_t nanoseconds(const struct timespec *time) {
  return (uint64_t)time->tv_sec * SECOND + (uint64_t)time->tv_nsec;
}
/* The moment of an absolute time; 1 at least, as 0 stands for none. */
static uint64_t moment(clockid_t clock, const struct timespec *time) {
  if (time->tv_sec < 0) return 1;
  uint64_t at = nanoseconds(time), start = start_of(clock);
  return at > start ? at - start : 1;
}
static uint64_t after(uint64_t delay) {
  uint64_t at = now();
  return delay > UINT64_MAX / 2 - at ? UINT64_MAX / 2 : at + delay;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  if (!shared || !is_virtual(clock)) return (int)syscall(SYS_clock_gettime, clock, time);
  uint64_t at = start_of(clock) + read_clock();
  time->tv_sec = (time_t)(at / SECOND);
  time->tv_nsec = (long)(at % SECOND);
  return 0;
}
int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  (void)zone;
  struct timespec at;
  clock_gettime(CLOCK_REALTIME, &at);
  time->tv_sec = at.tv_sec;
  time->tv_usec = at.tv_nsec / 1000;
  return 0;
}
time_t time(time_t *result) {
  struct timespec at;
  clock_gettime(CLOCK_REALTIME, &at);
  if (result) *result = at.tv_sec;
  return at.tv_sec;
}
int timespec_get(struct timespec *time, int base) {
  return base == TIME_UTC && clock_gettime(CLOCK_REALTIME, time) == 0 ? base : 0;
}

/* V8 sleeps for a moment where its locks are contended; its programs only wait for epoll. */
static int is_v8;
#define BRIEFLY(result, call) \
  do { \
    atomic_fetch_add(&shared->brief, 1); \
    result = (call); \
    atomic_fetch_sub(&shared->brief, 1); \
  } while (0)

/* ── waits ───────────────────────────────────────────────────────────────────────────────────── */

static void wake(struct slot *slot) {
  atomic_store(&slot->expired, 1);
  switch (slot->kind) {
    case DESCRIPTOR: {
      uint64_t one = 1;
      if (write(slot->descriptor, &one, sizeof one) < 0) abort();
      break;
    }
    case CONDITION: pthread_cond_broadcast(slot->object); break;
    case SEMAPHORE: sem_post(slot->object); break;
    case FUTEX: syscall(SYS_futex, slot->object, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
      syscall(SYS_futex, slot->object, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
  }
}

/* Carries out norn's commands: each is a moment, to move the clock to. */
static void *help(void *unused) {
  (void)unused;
  uint64_t to;
  while (read(control, &to, sizeof to) == (ssize_t)sizeof to) {
    if (to > now()) atomic_store(&shared->now, to);
    for (int at = 0; at < SLOTS; at++) {
      uint64_t deadline = atomic_load(&shared->deadlines[at]);
      if (deadline == 0 || deadline > to) continue;
      atomic_store(&shared->deadlines[at], 0);
      wake(&slots[at]);
    }
    int pending = 0;
    ioctl(0, FIONREAD, &pending);
    atomic_store(&shared->pending, (uint64_t)pending);
  }
  return NULL;
}

/* Whether this process keeps the deadlines; the first that waits does. */
static int keeps_deadlines(void) {
  if (!shared) return 0;
  if (atomic_load(&helping)) return 1;
  uint64_t none = 0, self = (uint64_t)getpid();
  if (!atomic_compare_exchange_strong(&shared->owner, &none, self) && none != self) return 0;
  pthread_mutex_lock(&starting);
  if (!atomic_load(&helping)) {
    sigset_t all, before;
    pthread_t thread;
    control = open(getenv("NORN_CONTROL"), O_RDONLY | O_CLOEXEC);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (control < 0 || pthread_create(&thread, NULL, help, NULL) != 0) abort();
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    atomic_store(&helping, 1);
  }
  pthread_mutex_unlock(&starting);
  return 1;
}

static struct slot *begin(enum kind kind, void *object, uint64_t deadline) {
  for (int at = 0; at < SLOTS; at++) {
    int unused = 0;
    struct slot *slot = &slots[at];
    if (!atomic_compare_exchange_strong(&slot->used, &unused, 1)) continue;
    if (kind == DESCRIPTOR && !slot->descriptor) slot->descriptor = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    slot->kind = kind;
    slot->object = object;
    atomic_store(&slot->expired, 0);
    atomic_store(&shared->deadlines[at], deadline);
    return slot;
  }
  abort(); /* more threads wait than norn has deadlines for */
}

/* Whether the deadline has passed. */
static int end(struct slot *slot) {
  uint64_t ignored;
  atomic_store(&shared->deadlines[slot - slots], 0);
  int expired = atomic_load(&slot->expired);
  if (slot->kind == DESCRIPTOR && read(slot->descriptor, &ignored, sizeof ignored) > 0) expired = 1;
  atomic_store(&slot->used, 0);
  return expired;
}

/* Waits for descriptors until a deadline, as ppoll does. */
static int await(struct pollfd *polled, nfds_t count, uint64_t deadline, const sigset_t *mask) {
  struct pollfd *all = alloca((count + 1) * sizeof *all);
  if (count > 0) memcpy(all, polled, count * sizeof *all);
  struct slot *slot = begin(DESCRIPTOR, NULL, deadline);
  all[count] = (struct pollfd){.fd = slot->descriptor, .events = POLLIN};
  int ready = (int)syscall(SYS_ppoll, all, count + 1, deadline <= now() ? &(struct timespec){0, 0} : NULL, mask, 8);
  int failure = errno;
  if (ready > 0 && all[count].revents) ready--;
  end(slot);
  if (count > 0) memcpy(polled, all, count * sizeof *all);
  errno = failure;
  return ready;
}

/* A program that looks for input again and again without a wait: after a while each look waits a little. */
#define IDLE_LOOKS 50
#define LOOK_PAUSE 1000000ull
static _Atomic int looks;
static int looks_idly(int ready) {
  if (ready != 0) atomic_store(&looks, 0);
  return ready == 0 && atomic_fetch_add(&looks, 1) >= IDLE_LOOKS && keeps_deadlines();
}

int poll(struct pollfd *polled, nfds_t count, int timeout) {
  if (timeout > 0 && keeps_deadlines()) return await(polled, count, after((uint64_t)timeout * 1000000), NULL);
  struct timespec time = {timeout / 1000, timeout % 1000 * 1000000l};
  int ready = (int)syscall(SYS_ppoll, polled, count, timeout < 0 ? NULL : &time, NULL, 8);
  return timeout == 0 && looks_idly(ready) ? await(polled, count, after(LOOK_PAUSE), NULL) : ready;
}
int ppoll(struct pollfd *polled, nfds_t count, const struct timespec *timeout, const sigset_t *mask) {
  if (timeout && nanoseconds(timeout) > 0 && keeps_deadlines())
    return await(polled, count, after(nanoseconds(timeout)), mask);
  struct timespec copy = timeout ? *timeout : (struct timespec){0, 0};
  return (int)syscall(SYS_ppoll, polled, count, timeout ? &copy : NULL, mask, 8);
}

static int choose(int count, fd_set *in, fd_set *out, fd_set *except, uint64_t deadline, const sigset_t *mask) {
  struct pollfd polled[FD_SETSIZE];
  nfds_t used = 0;
  for (int at = 0; at < count && at < FD_SETSIZE; at++) {
    short events = (short)((in && FD_ISSET(at, in) ? POLLIN : 0) | (out && FD_ISSET(at, out) ? POLLOUT : 0) |
                           (except && FD_ISSET(at, except) ? POLLPRI : 0));
    if (events) polled[used++] = (struct pollfd){.fd = at, .events = events};
  }
  int ready = await(polled, used, deadline, mask);
  if (ready < 0) return ready;
  int bits = 0;
  for (nfds_t at = 0; at < used; at++) {
    struct pollfd each = polled[at];
    if (each.events & POLLIN) each.revents & (POLLIN | POLLHUP | POLLERR) ? bits++ : (FD_CLR(each.fd, in), 0);
    if (each.events & POLLOUT) each.revents & (POLLOUT | POLLERR) ? bits++ : (FD_CLR(each.fd, out), 0);
    if (each.events & POLLPRI) each.revents & POLLPRI ? bits++ : (FD_CLR(each.fd, except), 0);
  }
  return bits;
}
int select(int count, fd_set *restrict in, fd_set *restrict out, fd_set *restrict except, struct timeval *restrict timeout) {
  if (timeout && (timeout->tv_sec > 0 || timeout->tv_usec > 0) && keeps_deadlines())
    return choose(count, in, out, except, after((uint64_t)timeout->tv_sec * SECOND + (uint64_t)timeout->tv_usec * 1000), NULL);
  struct timespec time = timeout ? (struct timespec){timeout->tv_sec, timeout->tv_usec * 1000} : (struct timespec){0, 0};
  fd_set sets[3];
  if (in) sets[0] = *in;
  if (out) sets[1] = *out;
  if (except) sets[2] = *except;
  int ready = (int)syscall(SYS_pselect6, count, in, out, except, timeout ? &time : NULL, NULL);
  int is_look = timeout && timeout->tv_sec == 0 && timeout->tv_usec == 0;
  if (!is_look || !looks_idly(ready)) return ready;
  if (in) *in = sets[0];
  if (out) *out = sets[1];
  if (except) *except = sets[2];
  return choose(count, in, out, except, after(LOOK_PAUSE), NULL);
}
int pselect(int count, fd_set *restrict in, fd_set *restrict out, fd_set *restrict except,
            const struct timespec *restrict timeout, const sigset_t *restrict mask) {
  if (timeout && nanoseconds(timeout) > 0 && keeps_deadlines())
    return choose(count, in, out, except, after(nanoseconds(timeout)), mask);
  REAL(pselect);
  return real(count, in, out, except, timeout, mask);
}

/* V8's own delayed tasks (the memory reducer) come and go with garbage collection: they never fall due. */
static int is_of_v8(void) {
  char name[16] = "";
  prctl(PR_GET_NAME, name);
  return strncmp(name, "DelayedTask", 11) == 0;
}

int epoll_pwait(int epoll, struct epoll_event *events, int most, int timeout, const sigset_t *mask) {
  int given = timeout;
  if (timeout > 0 && shared && is_of_v8()) timeout = -1;
  if (timeout > 0 && keeps_deadlines()) {
    struct pollfd polled = {.fd = epoll, .events = POLLIN};
    if (await(&polled, 1, after((uint64_t)timeout * 1000000), mask) < 0) return -1;
    timeout = 0;
  }
  int ready = (int)syscall(SYS_epoll_pwait, epoll, events, most, timeout, mask, 8);
  if (timeout != 0 || given != 0 || is_v8 || !looks_idly(ready)) return ready;
  struct pollfd polled = {.fd = epoll, .events = POLLIN};
  if (await(&polled, 1, after(LOOK_PAUSE), mask) < 0) return -1;
  return (int)syscall(SYS_epoll_pwait, epoll, events, most, 0, mask, 8);
}
int epoll_wait(int epoll, struct epoll_event *events, int most, int timeout) {
  return epoll_pwait(epoll, events, most, timeout, NULL);
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left) {
  REAL(clock_nanosleep);
  int result;
  if (shared && is_v8) {
    BRIEFLY(result, real(clock, flags, time, left));
    return result;
  }
  if (!is_virtual(clock) || !keeps_deadlines()) return real(clock, flags, time, left);
  uint64_t deadline = flags & TIMER_ABSTIME ? moment(clock, time) : after(nanoseconds(time));
  if (await(NULL, 0, deadline, NULL) >= 0) return 0;
  uint64_t rest = deadline > now() ? deadline - now() : 0;
  if (left && !(flags & TIMER_ABSTIME)) *left = (struct timespec){(time_t)(rest / SECOND), (long)(rest % SECOND)};
  return errno;
}
int nanosleep(const struct timespec *time, struct timespec *left) {
  int failure = clock_nanosleep(CLOCK_MONOTONIC, 0, time, left);
  if (failure == 0) return 0;
  errno = failure;
  return -1;
}
int usleep(useconds_t microseconds) {
  return nanosleep(&(struct timespec){microseconds / 1000000, microseconds % 1000000 * 1000l}, NULL);
}
unsigned sleep(unsigned seconds) {
  struct timespec left = {0, 0};
  return nanosleep(&(struct timespec){seconds, 0}, &left) == 0 ? 0 : (unsigned)left.tv_sec + 1;
}

int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *time) {
  REAL(pthread_cond_clockwait);
  if (!keeps_deadlines()) return real(condition, mutex, clock, time);
  uint64_t deadline = moment(clock, time);
  if (deadline <= now()) {
    pthread_mutex_unlock(mutex);
    sched_yield();
    pthread_mutex_lock(mutex);
    return ETIMEDOUT;
  }
  struct slot *slot = begin(CONDITION, condition, deadline);
  int failure = pthread_cond_wait(condition, mutex);
  return end(slot) ? ETIMEDOUT : failure;
}
int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *time) {
  if (!keeps_deadlines()) {
    REAL(pthread_cond_timedwait);
    return real(condition, mutex, time);
  }
  /* The clock is an attribute that cannot be asked for: the times of both are far apart. */
  clockid_t clock = nanoseconds(time) >= WALL_AT_START ? CLOCK_REALTIME : CLOCK_MONOTONIC;
  return pthread_cond_clockwait(condition, mutex, clock, time);
}

int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *time) {
  if (!keeps_deadlines()) {
    REAL(sem_clockwait);
    return real(semaphore, clock, time);
  }
  if (sem_trywait(semaphore) == 0) return 0;
  uint64_t deadline = moment(clock, time);
  if (deadline > now()) {
    struct slot *slot = begin(SEMAPHORE, semaphore, deadline);
    int failed = sem_wait(semaphore), failure = errno;
    if (!end(slot)) {
      errno = failure;
      return failed;
    }
  }
  errno = ETIMEDOUT;
  return -1;
}
int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict time) {
  return sem_clockwait(semaphore, CLOCK_REALTIME, time);
}

ssize_t read(int descriptor, void *to, size_t length) {
  REAL(read);
  ssize_t count = real(descriptor, to, length);
  if (descriptor == 0) atomic_store(&looks, 0);
  if (descriptor == 0 && count > 0 && shared) atomic_fetch_add(&shared->consumed, (uint64_t)count);
  return count;
}

ssize_t write(int descriptor, const void *from, size_t length) {
  if (descriptor == 1) atomic_store(&looks, 0);
  return (ssize_t)syscall(SYS_write, descriptor, from, length);
}

/* ── random numbers ──────────────────────────────────────────────────────────────────────────── */

static uint64_t next_random(void) { /* splitmix64 */
  uint64_t z = atomic_fetch_add(&seed, 0x9e3779b97f4a7c15ull) + 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}
ssize_t getrandom(void *to, size_t length, unsigned flags) {
  if (!shared) return (ssize_t)syscall(SYS_getrandom, to, length, flags);
  for (size_t at = 0; at < length; at += 8) {
    uint64_t bits = next_random();
    memcpy((char *)to + at, &bits, length - at < 8 ? length - at : 8);
  }
  return (ssize_t)length;
}
int getentropy(void *to, size_t length) { return getrandom(to, length, 0) == (ssize_t)length ? 0 : -1; }

void arc4random_buf(void *to, size_t length) { getrandom(to, length, 0); }
uint32_t arc4random(void) {
  uint32_t bits;
  getrandom(&bits, sizeof bits, 0);
  return bits;
}
uint32_t arc4random_uniform(uint32_t bound) { return bound == 0 ? 0 : arc4random() % bound; }

/* ── system calls that runtimes make by number ───────────────────────────────────────────────── */

long syscall(long number, ...) {
  static long (*real)(long, ...);
  if (!real) real = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
  long a[6];
  va_list arguments;
  va_start(arguments, number);
  for (int at = 0; at < 6; at++) a[at] = va_arg(arguments, long);
  va_end(arguments);
  if (number == SYS_getrandom && shared) return getrandom((void *)a[0], (size_t)a[1], (unsigned)a[2]);
  if (number == SYS_futex && a[3] && shared) {
    long operation = a[1] & FUTEX_CMD_MASK;
    const struct timespec *time = (const struct timespec *)a[3];
    if (operation == FUTEX_WAIT && is_v8) {
      long result;
      BRIEFLY(result, real(number, a[0], a[1], a[2], a[3], a[4], a[5]));
      return result;
    }
    if ((operation == FUTEX_WAIT || operation == FUTEX_WAIT_BITSET) && keeps_deadlines()) {
      clockid_t clock = a[1] & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC;
      uint64_t deadline = operation == FUTEX_WAIT ? after(nanoseconds(time)) : moment(clock, time);
      errno = ETIMEDOUT;
      if (deadline <= now()) return -1;
      struct slot *slot = begin(FUTEX, (void *)a[0], deadline);
      long result = real(number, a[0], a[1], a[2], NULL, a[4], a[5]);
      int failure = errno;
      if (end(slot) && result == 0) {
        result = -1;
        failure = ETIMEDOUT;
      }
      errno = failure;
      return result;
    }
  }
  return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* ── the beginning ───────────────────────────────────────────────────────────────────────────── */

/* A child that does not execute another program has the time of the world. */
static void forked(void) { shared = NULL; }

__attribute__((constructor)) static void start(void) {
  const char *file = getenv("NORN_CLOCK"), *given = getenv("NORN_SEED");
  if (!file || shared) return;
  int descriptor = open(file, O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return;
  void *mapped = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  close(descriptor);
  if (mapped == MAP_FAILED) return;
  seed = given ? strtoull(given, NULL, 10) : 0;
  pthread_atfork(NULL, NULL, forked);
  char program[PATH_MAX] = "";
  ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  const char *name = length > 0 ? strrchr(program, '/') : NULL;
  is_v8 = name && strncmp(name, "/node", 5) == 0;
  /* On one processor, threads come to run in the order in which they became ready. */
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  sched_setaffinity(0, sizeof one, &one);
  struct shared *clock = mapped;
  if (atomic_load(&clock->owner) == (uint64_t)getpid()) {
    for (int at = 0; at < SLOTS; at++) atomic_store(&clock->deadlines[at], 0);
  }
  shared = clock;
}
