/*
 * The clock and the randomness of servers that take part in executions; preloaded into PostgreSQL, Redis and MariaDB.
 *
 * A shared file has a place for each thread, which in PostgreSQL and Redis is a process. While a place names the thread,
 * its wall clock stands where norn has set it, its random bytes follow from a seed, and what only time would end (lock_timeout, statement_timeout, pg_sleep) is
 * written down instead: norn sets the clock to that moment when virtual time is there, and sends SIGALRM. The alarm of
 * deadlock_timeout, a millisecond, is left to real time: it decides nothing but when a backend looks for a deadlock.
 *
 * A backend sets its alarm for much else, leaves it when it is not wanted any more, and hands it on to the next
 * execution. So what is written down is what PostgreSQL itself says of the timeouts that end something.
 *
 * A session of MariaDB is a thread, and waits for locks and for time on condition variables. While it does, its place
 * says so; who signals the variable writes down that it does no longer, and so before its own client has an answer.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define PLACES 65536
/* Shorter alarms are real. */
#define REAL_US 5000
/* How often one that is held looks whether it still is. */
#define HELD_US 50
/* How often a thread that waits looks whether virtual time is there. */
#define SLICE_NS 500000
/* What a steady server starts with. */
#define STEADY_SECONDS 1000
#define STEADY_PID 1000

struct place {
  /* The number of the thread. */
  int64_t id;
  int64_t now_us;
  /* When what the backend waits for ends by itself; 0 if never. */
  int64_t until_us;
  uint64_t seed;
  uint64_t drawn;
  /* ASLEEP while it does nothing but wait. */
  _Atomic int64_t asleep;
  /* It waits for a lock, and does not go on before norn lets it. */
  _Atomic int64_t held;
  /* Virtual time is where the wait of a thread ends. */
  _Atomic int64_t is_over;
};

enum { AWAKE, ASLEEP, WOKEN };

int RAND_bytes(unsigned char *, int);

static struct place *places;
/* A server of one process: what it seeds itself with when it starts is the same each time. */
static int is_steady;
/* Its sessions are threads. */
static int is_threaded;
static int64_t alarm_us;
/* The alarm is left to real time. Another that comes is of an earlier execution. */
static volatile sig_atomic_t is_real;
static volatile sig_atomic_t in_alarm;
static void (*alarm_handler)(int);
static void (*end_handlers[SIGTERM + 1])(int);

/* The function that one here stands before; others may call before the constructor has run. */
static void *real(void **known, const char *name) {
  if (*known == NULL) *known = dlsym(RTLD_NEXT, name);
  return *known;
}

#define REAL(name) ((__typeof__(&name))real(&real_##name, #name))

static void *real_gettimeofday, *real_clock_gettime, *real_setitimer, *real_sigaction, *real_epoll_wait, *real_fopen,
    *real_RAND_bytes, *real_send;

/* PostgreSQL's own, where it has them; times are in microseconds since 2000. */
static _Bool (*timeout_active)(int);
static int64_t (*timeout_start)(int), (*timeout_finish)(int);
#define EPOCH_US 946684800000000LL
/* Of enum TimeoutId: those of a lock, a statement, a transaction that is idle, and a transaction (17) or session. */
#define DEADLOCK 1
static const int ENDING[] = {DEADLOCK, 2, 3, 7, 8};

__attribute__((constructor)) static void begin(void) {
  timeout_active = (__typeof__(timeout_active))dlsym(RTLD_DEFAULT, "get_timeout_active");
  timeout_start = (__typeof__(timeout_start))dlsym(RTLD_DEFAULT, "get_timeout_start_time");
  timeout_finish = (__typeof__(timeout_finish))dlsym(RTLD_DEFAULT, "get_timeout_finish_time");
  is_steady = getenv("NORN_STEADY") != NULL;
  is_threaded = getenv("NORN_THREADED") != NULL;
  const char *path = getenv("NORN_SESSIONS");
  int fd = path == NULL ? -1 : open(path, O_RDWR | O_CLOEXEC);
  if (fd < 0) return;
  void *memory = mmap(NULL, PLACES * sizeof(struct place), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (memory != MAP_FAILED) places = memory;
  close(fd);
}

/* The place of this thread, if it takes part in an execution. */
static struct place *own(void) {
  if (places == NULL) return NULL;
  int64_t id = syscall(SYS_gettid);
  struct place *place = &places[id % PLACES];
  return place->id == id && place->now_us != 0 ? place : NULL;
}

static int64_t now_of(const struct place *place) {
  return in_alarm && alarm_us > place->now_us ? alarm_us : place->now_us;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  struct place *place = own();
  if (place == NULL) {
    int status = REAL(gettimeofday)(time, zone);
    if (is_steady) time->tv_usec = time->tv_sec = STEADY_SECONDS;
    return status;
  }
  int64_t now = now_of(place);
  time->tv_sec = now / 1000000;
  time->tv_usec = now % 1000000;
  return 0;
}

static int is_wall(clockid_t clock) { return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE; }

int clock_gettime(clockid_t clock, struct timespec *time) {
  struct place *place = is_wall(clock) || (is_threaded && clock == CLOCK_MONOTONIC) ? own() : NULL;
  if (place == NULL) {
    int status = REAL(clock_gettime)(clock, time);
    if (is_steady && is_wall(clock)) time->tv_nsec = time->tv_sec = STEADY_SECONDS;
    return status;
  }
  int64_t now = now_of(place);
  time->tv_sec = now / 1000000;
  time->tv_nsec = now % 1000000 * 1000;
  return 0;
}

time_t time(time_t *out) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (out != NULL) *out = now.tv_sec;
  return now.tv_sec;
}

static int knows_timeouts(void) { return timeout_active != NULL && timeout_start != NULL && timeout_finish != NULL; }

static int is_short(int id) { return id == DEADLOCK && timeout_finish(id) - timeout_start(id) <= REAL_US; }

/* Writes down when something ends. */
static void write_down(struct place *place) {
  if (!knows_timeouts()) return;
  int64_t until = 0;
  for (size_t at = 0; at < sizeof ENDING / sizeof *ENDING; at++) {
    int id = ENDING[at];
    if (!timeout_active(id) || is_short(id)) continue;
    int64_t finish = timeout_finish(id) + EPOCH_US;
    if (until == 0 || finish < until) until = finish;
  }
  place->until_us = until;
}

int setitimer(__itimer_which_t which, const struct itimerval *value, struct itimerval *before) {
  struct place *place = which == ITIMER_REAL && value != NULL ? own() : NULL;
  if (place == NULL) return REAL(setitimer)(which, value, before);
  int64_t us = value->it_value.tv_sec * 1000000LL + value->it_value.tv_usec;
  alarm_us = us == 0 ? 0 : now_of(place) + us;
  is_real = us != 0 && us <= REAL_US && (!knows_timeouts() || (timeout_active(DEADLOCK) && is_short(DEADLOCK)));
  place->until_us = is_real ? place->until_us : alarm_us;
  write_down(place);
  struct itimerval none = {{0, 0}, {0, 0}};
  return REAL(setitimer)(which, is_real ? value : &none, before);
}

/* The handler sets the alarm again if anything else is due. */
static void on_alarm(int signal) {
  struct place *place = own();
  if (place != NULL) place->until_us = 0;
  in_alarm = is_real;
  is_real = 0;
  alarm_handler(signal);
  in_alarm = 0;
}

/* What is canceled or ended waits no more. */
static void on_end(int signal) {
  struct place *place = own();
  if (place != NULL) place->held = 0;
  end_handlers[signal](signal);
}

int sigaction(int signal, const struct sigaction *action, struct sigaction *before) {
  int is_alarm = signal == SIGALRM;
  if ((!is_alarm && signal != SIGINT && signal != SIGTERM) || action == NULL || is_steady ||
      action->sa_handler == SIG_IGN || action->sa_handler == SIG_DFL)
    return REAL(sigaction)(signal, action, before);
  if (is_alarm) alarm_handler = action->sa_handler;
  else end_handlers[signal] = action->sa_handler;
  struct sigaction own_action = *action;
  own_action.sa_handler = is_alarm ? on_alarm : on_end;
  return REAL(sigaction)(signal, &own_action, before);
}

int epoll_wait(int fd, struct epoll_event *events, int most, int timeout) {
  struct place *place = own();
  if (place != NULL) write_down(place);
  if (place == NULL || timeout <= 0) {
    int found = REAL(epoll_wait)(fd, events, most, timeout);
    int error = errno;
    while (place != NULL && place->held) usleep(HELD_US);
    errno = error;
    return found;
  }
  int64_t before = place->until_us;
  int64_t until = place->now_us + timeout * 1000LL;
  if (before == 0 || until < before) place->until_us = until;
  place->asleep = 1;
  int found = REAL(epoll_wait)(fd, events, most, -1);
  place->asleep = 0;
  place->until_us = before;
  return found;
}

/* The threads that wait on condition variables. */
#define MOST_WAITING 1024
static struct waiting {
  _Atomic(struct place *) place;
  _Atomic(pthread_cond_t *) cond;
} waiting[MOST_WAITING];
static _Atomic int first_free;

static struct waiting *enter(pthread_cond_t *cond, struct place *place) {
  for (int at = 0; at < MOST_WAITING; at++) {
    struct place *none = NULL;
    if (!atomic_compare_exchange_strong(&waiting[at].place, &none, place)) continue;
    waiting[at].cond = cond;
    for (int high = first_free; high <= at && !atomic_compare_exchange_weak(&first_free, &high, at + 1);) continue;
    return &waiting[at];
  }
  return NULL;
}

static void *real_pthread_cond_wait, *real_pthread_cond_timedwait, *real_pthread_cond_signal,
    *real_pthread_cond_broadcast;

/* Waits as long as virtual time says; without a moment, without end. */
static int await(struct place *place, pthread_cond_t *cond, pthread_mutex_t *mutex, const struct timespec *until) {
  place->is_over = 0;
  place->until_us = until == NULL ? 0 : until->tv_sec * 1000000LL + until->tv_nsec / 1000;
  struct waiting *entry = enter(cond, place);
  place->asleep = ASLEEP;
  int status;
  do {
    struct timespec slice;
    REAL(clock_gettime)(CLOCK_REALTIME, &slice);
    slice.tv_nsec += SLICE_NS;
    if (slice.tv_nsec >= 1000000000) slice.tv_sec++, slice.tv_nsec -= 1000000000;
    status = REAL(pthread_cond_timedwait)(cond, mutex, &slice);
  } while (status == ETIMEDOUT && place->asleep == ASLEEP && !place->is_over);
  if (status == ETIMEDOUT && place->asleep != ASLEEP) status = 0;
  if (entry != NULL) {
    entry->cond = NULL;
    entry->place = NULL;
  }
  place->until_us = 0;
  place->asleep = AWAKE;
  place->is_over = 0;
  if (!place->held) return status;
  pthread_mutex_unlock(mutex);
  while (place->held) usleep(HELD_US);
  pthread_mutex_lock(mutex);
  return status;
}

int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex, const struct timespec *until) {
  struct place *place = is_threaded ? own() : NULL;
  return place == NULL ? REAL(pthread_cond_timedwait)(cond, mutex, until) : await(place, cond, mutex, until);
}

int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex) {
  struct place *place = is_threaded ? own() : NULL;
  return place == NULL ? REAL(pthread_cond_wait)(cond, mutex) : await(place, cond, mutex, NULL);
}

/* Whether a thread that takes part waited on it. */
static int wake(pthread_cond_t *cond) {
  int count = 0;
  for (int at = 0; at < first_free; at++) {
    struct place *place = waiting[at].place;
    if (waiting[at].cond != cond || place == NULL) continue;
    place->asleep = WOKEN;
    count++;
  }
  return count;
}

/* Of several that wait, nobody knows which the system would choose: all look again. */
int pthread_cond_signal(pthread_cond_t *cond) {
  return wake(cond) > 1 ? REAL(pthread_cond_broadcast)(cond) : REAL(pthread_cond_signal)(cond);
}

int pthread_cond_broadcast(pthread_cond_t *cond) {
  wake(cond);
  return REAL(pthread_cond_broadcast)(cond);
}

/* Before a client hears that something is done or waits. */
ssize_t send(int fd, const void *bytes, size_t count, int flags) {
  struct place *place = own();
  if (place != NULL) write_down(place);
  return REAL(send)(fd, bytes, count, flags);
}

static uint64_t mixed(uint64_t value) {
  value += 0x9e3779b97f4a7c15;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

pid_t getpid(void) { return is_steady ? STEADY_PID : syscall(SYS_getpid); }

FILE *fopen(const char *path, const char *mode) {
  return REAL(fopen)(is_steady && strcmp(path, "/dev/urandom") == 0 ? "/dev/zero" : path, mode);
}

int RAND_bytes(unsigned char *buffer, int count) {
  struct place *place = own();
  if (place == NULL) return REAL(RAND_bytes) == NULL ? 0 : REAL(RAND_bytes)(buffer, count);
  for (int at = 0; at < count; at += 8) {
    uint64_t word = mixed(mixed(place->seed) + place->drawn++);
    memcpy(buffer + at, &word, count - at < 8 ? count - at : 8);
  }
  return 1;
}
