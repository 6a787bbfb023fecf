/** What strace shows of a call that leaves norn's folders, and of one that does not. */
import { expect, test } from 'vitest'
import { callsOf, touches } from '../robustness/escapes/calls.ts'

const ALLOWED = { folders: ['/t/own', '/t/project/.norn'], programs: new Set(['/node']), supervisor: 7 }

test.each([
  ['8 openat(AT_FDCWD</t/project>, "/t/outside/x", O_WRONLY|O_CREAT|O_CLOEXEC, 0666) = 3</t/outside/x>', true],
  ['8 openat(AT_FDCWD</t/project>, "x", O_RDWR|O_CLOEXEC) = -1 EACCES (Permission denied)', true],
  ['8 openat(AT_FDCWD</t/project>, "/t/own/x", O_WRONLY|O_CREAT, 0666 <unfinished ...>', false],
  ['8 openat(AT_FDCWD</t/project>, "/etc/passwd", O_RDONLY|O_CLOEXEC) = 3</etc/passwd>', false],
  ['8 ftruncate(20</t/outside/file>, 0) = 0', true],
  ['8 rename("/t/own/a", "/t/own/../outside") = 0', true],
  ['8 unlink("/t/owner") = -1 ENOENT (No such file or directory)', true],
  ['8 connect(9<socket:[1]>, {sa_family=AF_INET, sin_port=htons(80)}, 16) = 0', true],
  ['8 sendto(9<UDP:[1]>, "x", 1, 0, {sa_family=AF_INET, sin_port=htons(53)}, 16) = 1', true],
  ['8 sendmsg(9<UNIX:[1]>, {msg_name=NULL, msg_iov=[{iov_base="x"}]}, 0) = 1', false],
  ['8 execve("/usr/bin/touch", ["touch"], 0x7f /* 2 vars */) = 0', true],
  ['8 execve("/node", ["node", "/x"], 0x7f /* 2 vars */) = 0', false],
  ['8 execve("/usr/bin/git", ["git", "rev-parse", "HEAD"], 0x7f /* 2 vars */) = 0', false],
  ['8 execve("/usr/bin/git", ["git", "push"], 0x7f /* 2 vars */) = 0', true],
  ['8 kill(1, SIGCONT) = 0', true],
  ['7 kill(8, SIGKILL) = 0', false],
])('%s', (line, isTouched) => {
  expect(callsOf(line).some((call) => touches(call, ALLOWED))).toBe(isTouched)
})
