/** What processes did to the outside, as strace saw it. Pure. */
import { posix } from 'node:path'

/** What strace is told to follow: all that changes a disk, reaches the network, starts or signals a process. */
export const TRACED = [
  'open,openat,creat,mkdir,mkdirat,rmdir,unlink,unlinkat,rename,renameat,renameat2,link,linkat,symlink,symlinkat',
  'truncate,ftruncate,chmod,fchmod,fchmodat,?fchmodat2,chown,fchown,lchown,fchownat,utimensat,mknod,mknodat,setxattr',
  'connect,bind,listen,sendto,sendmsg,sendmmsg,execve,execveat,kill,tkill,tgkill,setpriority,ptrace',
].join(',')

const READS = /^open(?:at)?\(.*\bO_RDONLY\b(?!.*O_CREAT)/
/** A call of one process: strace pads the number. */
const LINE = /^(?:\[pid\s+)?(\d+)\]?\s+(\w+)\((.*)$/

export interface Call {
  readonly pid: number
  readonly name: string
  readonly text: string
  /** Paths that it names, as written. */
  readonly paths: readonly string[]
}

/** The calls that change something; those that failed count too, unless they only read. */
export function callsOf(trace: string): Call[] {
  return trace.split('\n').flatMap((line) => {
    const [, pid, name, rest] = LINE.exec(line) ?? []
    const text = `${name}(${rest}`
    if (pid === undefined || READS.test(text)) return []
    const paths = pathsIn(rest!)
    return [{ pid: Number(pid), name: name!, text, paths: name === 'execve' ? paths.slice(0, 1) : paths }]
  })
}

/** The paths in the arguments of a call; a path may be relative to the folder of a descriptor. */
function pathsIn(args: string): string[] {
  const joined = args.replace(/(?:AT_FDCWD|\d+)<(\/[^>]*)>, "((?:[^"\\]|\\.)*)"/g, (_, folder: string, path: string) =>
    path.startsWith('/') ? `"${path}"` : `"${folder}/${path}"`,
  )
  const quoted = [...joined.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, path]) => path!)
  const open = [...joined.matchAll(/<(\/[^>]*)>/g)].map(([, path]) => path!)
  return [...quoted, ...open]
}

export interface Allowed {
  /** Folders in which norn may write. */
  readonly folders: readonly string[]
  /** Programs that it may start. */
  readonly programs: ReadonlySet<string>
  /** The process that signals those that it has started. */
  readonly supervisor: number
}

/** A saved failure names the commit. */
const COMMIT = '["git", "rev-parse", "HEAD"]'
const SIGNALS = ['kill', 'tkill', 'tgkill']
const MESSAGES = ['sendto', 'sendmsg', 'sendmmsg']
const OTHERS = ['connect', 'bind', 'listen', 'setpriority', 'ptrace']

/** Whether a call touches what is not norn's own. */
export function touches({ pid, name, text, paths }: Call, { folders, programs, supervisor }: Allowed): boolean {
  if (name === 'execve' || name === 'execveat') return !programs.has(paths[0]!) && !text.includes(COMMIT)
  if (SIGNALS.includes(name)) return pid !== supervisor
  if (MESSAGES.includes(name)) return /sa_family|sun_path/.test(text)
  if (OTHERS.includes(name)) return true
  const isOwn = (path: string) =>
    path === '/dev/null' || folders.some((folder) => path === folder || path.startsWith(`${folder}/`))
  return !paths.map((path) => posix.normalize(path)).every(isOwn)
}
