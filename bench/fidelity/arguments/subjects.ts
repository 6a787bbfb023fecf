/**
 * The functions that are called with wrong arguments: every function that the modules below export,
 * the methods of `process` and of file handles. Imports nothing of norn.
 */
import { open } from 'node:fs/promises'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** Modules of which norn replaces functions, or what lies below them. */
const MODULES = [
  'fs',
  'fs/promises',
  'process',
  'os',
  'crypto',
  'dns',
  'dns/promises',
  'timers',
  'timers/promises',
  'perf_hooks',
  'zlib',
  'net',
  'dgram',
] as const

/** Functions that are not called, with the reason. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  'process.exit': 'ends the process',
  'process.reallyExit': 'ends the process',
  'process.abort': 'ends the process',
  'process.execve': 'ends the process',
  'process.kill': 'would signal processes of the machine',
  'process._kill': 'would signal processes of the machine',
  'process._debugProcess': 'would signal processes of the machine',
  'process._debugEnd': 'would act on the inspector',
  'process._fatalException': "is called by Node's C++ alone",
  'process._tickCallback': "is called by Node's C++ alone",
  'process.openStdin': 'reads the input of this process',
  'process.emit': 'would call the listeners of this process',
  'process.send': 'is there only in a child process',
  'process.disconnect': 'is there only in a child process',
  'net._createServerHandle': "is called by Node's own code alone",
  'dgram._createSocketHandle': "is called by Node's own code alone",
  'process.setuid': 'would change the user',
  'process.setgid': 'would change the user',
  'process.seteuid': 'would change the user',
  'process.setegid': 'would change the user',
  'process.setgroups': 'would change the user',
  'process.initgroups': 'would change the user',
  'os.setPriority': 'would change the priority of processes of the machine',
  'crypto.setFips': 'would change the process',
  'crypto.setEngine': 'would change the process',
}

export interface Subject {
  /** `fs.open`, `FileHandle.read`. */
  readonly name: string
  call(args: readonly unknown[]): unknown
}

type Holder = Record<string, unknown>

/** Functions of an object by name; classes are called too, as Node says by an error that they need `new`. */
function functionsOf(name: string, holder: Holder): Subject[] {
  return Object.keys(Object.getOwnPropertyDescriptors(holder))
    .filter((key) => typeof Object.getOwnPropertyDescriptor(holder, key)!.value === 'function')
    .map((key) => ({
      name: `${name}.${key}`,
      call: (args: readonly unknown[]) => Reflect.apply(holder[key] as Function, holder, args),
    }))
}

/** Methods of a handle of the file `file`. */
async function methodsOfHandles(): Promise<Subject[]> {
  const sample = await open(import.meta.filename)
  const { prototype } = sample.constructor
  await sample.close()
  return functionsOf('FileHandle', prototype as unknown as Holder)
    .filter(({ name }) => name !== 'FileHandle.constructor')
    .map(({ name }) => ({
      name,
      async call(args: readonly unknown[]) {
        const handle = await open('file', 'r+')
        try {
          return await Reflect.apply(Reflect.get(handle, name.slice('FileHandle.'.length)) as Function, handle, args)
        } finally {
          await handle.close().catch(() => {})
        }
      },
    }))
}

/** All that are called, in a fixed order. */
export async function subjects(): Promise<readonly Subject[]> {
  const exported = MODULES.flatMap((name) => functionsOf(name, require(`node:${name}`) as Holder))
  return [...exported, ...(await methodsOfHandles())].filter(({ name }) => LEFT_OUT[name] === undefined)
}
