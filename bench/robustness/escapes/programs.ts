// biome-ignore-all lint/suspicious/noTemplateCurlyInString: programs as text
/**
 * Programs that try to reach the disk, the network or processes past the world: each is the body of a property.
 * `M` names a path outside of the project, `O` is a file that is there, `r` is `require`.
 *
 * Only what is harmless on a machine that lets them through: they touch the folders of the bench alone.
 */
type Programs = Readonly<Record<string, string>>

const each = (names: readonly string[], code: (name: string) => string): Programs =>
  Object.fromEntries(names.map((name) => [name, code(name)]))

/** Functions of `node:fs` that change the disk, with their arguments. */
const CHANGES: Programs = {
  writeFile: "M, 'x'",
  appendFile: "O, 'x'",
  mkdir: 'M',
  mkdtemp: 'M',
  rmdir: 'D',
  rm: 'D, { recursive: true }',
  unlink: 'O',
  rename: 'O, M',
  copyFile: 'O, M',
  cp: 'D, M, { recursive: true }',
  link: 'O, M',
  symlink: 'O, M',
  truncate: 'O, 0',
  chmod: 'O, 0o600',
  chown: 'O, process.getuid(), process.getgid()',
  lchown: 'O, process.getuid(), process.getgid()',
  utimes: 'O, 1, 1',
  lutimes: 'O, 1, 1',
}

const disk: Programs = {
  ...Object.fromEntries(
    Object.entries(CHANGES).flatMap(([name, args]) => [
      [`fs.${name}Sync`, `r('fs').${name}Sync(${args})`],
      [`fs.${name}`, `await new Promise((ended) => r('fs').${name}(${args}, ended))`],
      [`fs.promises.${name}`, `await r('fs').promises.${name}(${args})`],
    ]),
  ),
  'fs.openSync and write':
    "const fs = r('fs'); const fd = fs.openSync(M, 'w'); fs.writeSync(fd, 'x'); fs.ftruncateSync(fd, 0); fs.fchmodSync(fd, 0o600); fs.futimesSync(fd, 1, 1)",
  FileHandle: "const h = await r('fs').promises.open(M, 'w'); await h.write('x'); await h.close()",
  createWriteStream:
    "const w = r('fs').createWriteStream(O, { flags: 'a' }); w.end('x'); await new Promise((ended) => w.on('close', ended))",
  Utf8Stream:
    "const { Utf8Stream } = r('fs'); const s = new Utf8Stream({ dest: M, sync: true }); s.write('x'); s.flushSync()",
  'binding fs': "const b = process.binding('fs'); const fd = b.open(M, 65, 0o666); b.writeString(fd, 'x')",
  'binding fs writeFileUtf8': "process.binding('fs').writeFileUtf8(M, 'x', 65, 0o666)",
  'a link into another folder': "const fs = r('fs'); fs.symlinkSync(D, 'link'); fs.writeFileSync('link/x', 'x')",
  'a descriptor of a folder':
    "const fs = r('fs'); const fd = fs.openSync(D, 'r'); fs.writeFileSync(`/proc/self/fd/${fd}/x`, 'x')",
  '/proc/self/fd':
    "const fs = r('fs'); for (let fd = 3; fd < 40; fd++) try { fs.writeFileSync(`/proc/self/fd/${fd}`, 'ESCAPED') } catch {}",
  '/proc/self/comm': "r('fs').writeFileSync('/proc/self/comm', 'escaped')",
  '/proc/self/mem':
    "const fs = r('fs'); const fd = fs.openSync('/proc/self/mem', 'r+'); fs.writeSync(fd, Buffer.alloc(1), 0, 1, 0)",
  '/proc/self/cwd': "r('fs').writeFileSync('/proc/self/cwd/escaped', 'x')",
  '/proc/self/root': "r('fs').writeFileSync('/proc/self/root' + M, 'x')",
  '/dev/shm': "r('fs').writeFileSync('/dev/shm/norn-escaped', 'x')",
  descriptors: "for (let fd = 3; fd < 40; fd++) try { r('fs').writeSync(fd, 'ESCAPED') } catch {}",
  chdir: "process.chdir(D); r('fs').writeFileSync('x', 'x')",
  'another vm context':
    "r('vm').runInNewContext(`f('process')`, { f: Function('name', 'return globalThis[name]') }).getBuiltinModule('fs').writeFileSync(M, 'x')",
  'the vm of this context': "r('vm').runInThisContext('process').getBuiltinModule('fs').writeFileSync(M, 'x')",
  Function: "Function('return process')().getBuiltinModule('fs').writeFileSync(M, 'x')",
  'process.mainModule': "process.mainModule.require('fs').writeFileSync(M, 'x')",
  'a data: module':
    "await import(`data:text/javascript,import fs from 'node:fs'; fs.writeFileSync(${JSON.stringify(M)}, 'x')`)",
  'a module that it writes':
    "r('fs').writeFileSync(M + '.mjs', `import fs from 'fs'; fs.writeFileSync(${JSON.stringify(M)}, 'x')`); await import(M + '.mjs')",
  'sqlite file': "new (r('node:sqlite').DatabaseSync)(M).exec('create table t(a)')",
  'sqlite attach': "new (r('node:sqlite').DatabaseSync)(':memory:').exec(`attach '${M}' as x; create table x.t(a)`)",
  'sqlite vacuum': "new (r('node:sqlite').DatabaseSync)(':memory:').exec(`vacuum into '${M}'`)",
  'sqlite backup': "const { DatabaseSync, backup } = r('node:sqlite'); await backup(new DatabaseSync(':memory:'), M)",
  wasi: "new (r('wasi').WASI)({ version: 'preview1', preopens: { '/': D } })",
  'heap snapshot': "r('v8').writeHeapSnapshot(M)",
  report: 'process.report.writeReport(M)',
  'compile cache': "r('module').enableCompileCache(M)",
  'trace events': "r('trace_events').createTracing({ categories: ['node'] }).enable()",
  'startup snapshot': "r('v8').startupSnapshot.setDeserializeMainFunction(() => {})",
  coverage: "r('v8').takeCoverage()",
  dlopen: 'process.dlopen({ exports: {} }, O)',
  'an addon': "r('fs').writeFileSync(M + '.node', 'x'); r(M + '.node')",
}

const CHILDREN = ['exec', 'execFile', 'spawn', 'execSync', 'execFileSync', 'spawnSync']

const processes: Programs = {
  ...each(CHILDREN, (name) =>
    name.startsWith('exec') && !name.includes('File')
      ? `r('child_process').${name}('touch ' + M)`
      : `r('child_process').${name}('/usr/bin/touch', [M])`,
  ),
  'spawn with a shell': "r('child_process').spawn('touch ' + M, { shell: true })",
  'fork with another program': "r('child_process').fork(M, [], { execPath: '/usr/bin/touch' })",
  'ChildProcess.spawn': "new (r('child_process').ChildProcess)().spawn({ file: '/usr/bin/touch', args: ['touch', M] })",
  'cluster.fork': "const c = r('cluster'); c.setupPrimary({ exec: '/usr/bin/touch', args: [M] }); c.fork()",
  'binding process_wrap':
    "new (process.binding('process_wrap').Process)().spawn({ file: '/usr/bin/touch', args: ['touch', M] })",
  'binding spawn_sync':
    "process.binding('spawn_sync').spawn({ file: '/usr/bin/touch', args: ['touch', M], envPairs: [], stdio: [] })",
  execve: "process.execve('/usr/bin/touch', ['touch', M], {})",
  'kill the parent': "process.kill(process.ppid, 'SIGCONT')",
  'kill by the real number': "process.kill(Number(r('fs').readlinkSync('/proc/self')), 'SIGCONT')",
  'kill a group': "process.kill(-process.ppid, 'SIGCONT')",
  _kill: 'process._kill(process.ppid, 18)',
  _debugProcess: 'process._debugProcess(process.ppid)',
  abort: 'process.abort()',
  reallyExit: 'process.reallyExit(0)',
  setpriority: "r('os').setPriority(process.ppid, 1)",
  ...each(['eval', 'execArgv', 'env'], (kind) => {
    const options = { eval: '', execArgv: ", execArgv: ['--expose-internals']", env: ', env: {}' }[kind]!
    return `const w = new (r('worker_threads').Worker)(\`require('fs').writeFileSync(\${JSON.stringify(M)}, 'x')\`, { eval: true${options} }); await new Promise((ended) => w.on('exit', ended))`
  }),
}

const network: Programs = {
  'net.connect': "r('net').connect(80, '192.0.2.1')",
  'tls.connect': "r('tls').connect(443, '192.0.2.1')",
  'http.get': "r('http').get('http://192.0.2.1/')",
  'https.get': "r('https').get('https://192.0.2.1/')",
  'http2.connect': "r('http2').connect('http://192.0.2.1')",
  fetch: "await fetch('http://192.0.2.1/')",
  WebSocket: "const w = new WebSocket('ws://192.0.2.1/'); await new Promise((ended) => { w.onerror = ended })",
  listen: "r('net').createServer().listen(0, '0.0.0.0')",
  'listen on a path': "r('net').createServer().listen(M)",
  'connect to a path': "r('net').connect(O)",
  'http server': "r('http').createServer().listen(0)",
  datagram: "r('dgram').createSocket('udp4').send('x', 53, '192.0.2.1')",
  'datagram to a group': "r('dgram').createSocket('udp4').send('x', 5353, '224.0.0.251')",
  'datagram bound': "r('dgram').createSocket('udp4').bind(0)",
  'dns.lookup': "await r('dns').promises.lookup('norn.invalid')",
  'dns.resolve': "await r('dns').promises.resolve4('norn.invalid')",
  'dns.reverse': "await r('dns').promises.reverse('192.0.2.1')",
  Resolver:
    "const d = new (r('dns').promises.Resolver)(); d.setServers(['192.0.2.1']); await d.resolve4('norn.invalid')",
  'binding tcp_wrap':
    "const { TCP, constants } = process.binding('tcp_wrap'); const h = new TCP(constants.SERVER); h.bind('127.0.0.1', 0); h.listen(5)",
  'binding udp_wrap': "const { UDP } = process.binding('udp_wrap'); new UDP().bind('127.0.0.1', 0, 0)",
  'binding pipe_wrap':
    "const { Pipe, constants } = process.binding('pipe_wrap'); const h = new Pipe(constants.SERVER); h.bind(M); h.listen(5)",
  'inspector.open': "r('inspector').open(0)",
  'inspector session': "new (r('inspector').Session)().connect()",
  'a socket over a descriptor': "new (r('net').Socket)({ fd: 1 }).write('ESCAPED')",
  'a TTY': "new (r('tty').WriteStream)(2).write('ESCAPED')",
}

export const PROGRAMS: Readonly<Record<string, Programs>> = { disk, processes, network }
