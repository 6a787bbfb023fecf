/** `norn ui`: a search whose report is open in headless Chromium meanwhile, and how it ends. */
import { type ChildProcess, execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, test, vi } from 'vitest'
import { Browser, isSkipped } from '../../../../history/test/picture/browser.ts'
import type { Live } from '../../../src/report/page/data.ts'
import { ended, project, start } from '../project.ts'

const REPOSITORY = resolve(import.meta.dirname, '../../../../..')

const ENDLESS = "import { fc, fuzz } from 'norn'\nfuzz('is fine', { n: fc.nat() }, () => {})\n"

/** What norn has printed; of stderr the address of its page, and whether it says that the search has ended. */
function printed({ stderr }: ChildProcess) {
  let text = ''
  stderr!.on('data', (chunk) => {
    text += chunk
  })
  const matching = async (pattern: RegExp) => {
    while (!pattern.test(text)) await sleep(20)
    return pattern.exec(text)!
  }
  return {
    address: async () => (await matching(/report: (http:\S+)/))[1]!,
    hasEnded: () => matching(/the search has ended; \S+ shows its report until Ctrl-C/),
  }
}

/**
 * A module that keeps what imports it from loading until it is opened: a pipe, whose reader waits. A
 * program under norn cannot wait for anything else outside.
 */
function gate(path: string) {
  execFileSync('mkfifo', [path])
  return async () => {
    const pipe = await open(path, 'w')
    rmSync(path)
    writeFileSync(path, '')
    await pipe.close()
  }
}

describe.skipIf(isSkipped)('a page that is open while norn searches', () => {
  test('has failures, their executions and the curve without being loaded again', async () => {
    const here = project({ 'b.fuzz.ts': ENDLESS })
    cpSync(join(REPOSITORY, 'examples/account'), join(here.root, 'account'), { recursive: true })
    symlinkSync(join(REPOSITORY, 'node_modules'), join(here.root, 'node_modules'))
    here.edit('account/account.fuzz.ts', 'import assert', "import './gate.ts'\nimport assert")
    const openGate = gate(join(here.root, 'account/gate.ts'))
    const args = [
      'account',
      'b.fuzz.ts',
      '--seed',
      '1',
      '--time',
      '10h',
      '--workers',
      '2',
      '--no-corpus',
      '--port',
      '0',
    ]
    const norn = start(here.root, ['ui', ...args])
    const outcome = ended(norn)
    const { address, hasEnded } = printed(norn)
    const browser = new Browser()
    try {
      const page = await browser.visit(await address(), { width: 1280, height: 800 })
      const shows = async (expression: string) => {
        while (!(await page.evaluate(expression))) await sleep(50)
      }
      const text = (selector: string) => `(document.querySelector('${selector}')?.textContent ?? '')`
      await page.evaluate('window.isTheSame = true')
      expect(await page.evaluate(text('.doing'))).toBe('starting')

      await openGate()
      await shows(`${text('.list .headline')} !== ''`)
      expect(await page.evaluate('location.hash')).toBe('#searches')
      await page.press('j')
      await shows(`document.querySelector('.failing .row.current') !== null`)
      expect(await page.evaluate(text('.headline'))).toContain('Expected values to be strictly equal')
      expect(await page.evaluate(text('.failure .badge'))).toBe('replays exactly')

      await shows(`${text('.doing')} === 'searching 2 of 2 properties'`)
      await page.press('k')
      await shows(`document.querySelector('.curve .line')?.getAttribute('d').split('L').length > 5`)
      const before = await page.evaluate<string>(text('.figures dd'))
      await shows(`${text('.figures dd')} !== '${before}'`)
      await shows(`${text('.campaign:nth-of-type(2) .told')}.includes('passed')`)

      for (const key of ['j', 'Home', 'ArrowDown']) await page.press(key)
      norn.kill('SIGINT')
      await hasEnded()
      await shows(`${text('.doing')}.startsWith('interrupted: 1 failed, 1 ')`)
      expect(await page.evaluate(text('.toolbar output'))).toMatch(/^2 \//)
      expect(page.complaints).toEqual([])

      norn.kill('SIGINT')
      const { status, stdout } = await outcome
      expect([status, stdout]).toEqual([1, expect.stringContaining('✗ deposits are never lost')])
      await shows(`${text('.doing')}.startsWith('norn has ended')`)
      expect(await page.evaluate('window.isTheSame')).toBe(true)
    } finally {
      norn.kill('SIGKILL')
      await browser[Symbol.asyncDispose]()
    }
  })
})

describe.skipIf(isSkipped)('a page of a search that has ended', () => {
  test('opens places in the editor, runs a failure again and shrinks it, in place', async () => {
    const here = project({})
    cpSync(join(REPOSITORY, 'examples/account'), join(here.root, 'account'), { recursive: true })
    symlinkSync(join(REPOSITORY, 'node_modules'), join(here.root, 'node_modules'))
    const opened = join(here.root, 'opened')
    here.write('editor', `#!/bin/sh\necho "$@" > ${opened}.part && mv ${opened}.part ${opened}\n`)
    chmodSync(join(here.root, 'editor'), 0o755)
    const args = ['account', '--seed', '1', '--runs', '50', '--no-corpus', '--no-shrink', '--port', '0']
    vi.stubEnv('LAUNCH_EDITOR', join(here.root, 'editor'))
    const norn = start(here.root, ['ui', ...args])
    const outcome = ended(norn)
    const { address, hasEnded } = printed(norn)
    const browser = new Browser()
    try {
      await hasEnded()
      const page = await browser.visit(await address(), { width: 1280, height: 800 })
      const text = (selector: string) => `(document.querySelector('${selector}')?.textContent ?? '')`
      const shows = async (expression: string) => {
        while (!(await page.evaluate(expression))) await sleep(50)
      }
      await page.press('j')
      await page.press('o')
      while (!existsSync(opened)) await sleep(50)
      expect(readFileSync(opened, 'utf8')).toMatch(/^\S+\/account\/account\.ts \d+ 1\n$/)

      here.edit('account/account.ts', 'import', '// moved\nimport')
      await page.press('End')
      await page.press('r')
      await shows(`${text('.acting')}.includes(' Re-run: ')`)
      expect(await page.evaluate(text('.acting'))).toContain('Replayed exactly')
      const [saved] = here.failures()
      expect(JSON.parse(readFileSync(join(here.root, saved!), 'utf8')).shrunk).toBe(false)
      await page.press('s')
      await shows(`${text('.acting')}.includes(' Shrink: shrunk in ')`)
      expect(JSON.parse(readFileSync(join(here.root, saved!), 'utf8')).shrunk).toBe(true)
      expect(await page.evaluate(text('.brief dt'))).toBe('Smallest input')
      expect(await page.evaluate(text('.failing .row.current .text'))).not.toBe('')

      here.edit('account/account.fuzz.ts', 'deposits are never lost', 'renamed')
      await page.press('r')
      await shows(`${text('.failure .badge')} === 'not replayed'`)
      expect(page.complaints).toEqual([])
      norn.kill('SIGINT')
      expect((await outcome).status).toBe(1)
    } finally {
      vi.unstubAllEnvs()
      norn.kill('SIGKILL')
      await browser[Symbol.asyncDispose]()
    }
  })
})

describe('a signal during the search', () => {
  const here = project({ 'a.fuzz.ts': ENDLESS })

  /** Starts norn, and waits until it searches. */
  async function searching() {
    const norn = start(here.root, ['ui', '--time', '10m', '--no-corpus', '--port', '0', '--json'])
    const outcome = ended(norn)
    const { address, hasEnded } = printed(norn)
    const url = await address()
    const live = async () => (await (await fetch(`${url}live?since=0`)).json()) as Live
    while ((await live()).changed[0]?.[1].figures === undefined) await sleep(20)
    return { norn, outcome, hasEnded, live }
  }

  it('Ctrl-C ends the search, then the page, with the status of norn fuzz', async () => {
    const { norn, outcome, hasEnded, live } = await searching()
    norn.kill('SIGINT')
    await hasEnded()
    expect(await live()).toMatchObject({ isOver: true, doing: 'interrupted: 1 inconclusive' })
    norn.kill('SIGINT')
    const { status, stdout } = await outcome
    expect([status, stdout]).toEqual([3, expect.stringMatching(/^\{"type":"summary".*\n\{"type":"end".*\n$/)])
  })

  it('SIGTERM ends both', async () => {
    const { norn, outcome } = await searching()
    norn.kill('SIGTERM')
    expect((await outcome).status).toBe(3)
  })
})

it('a port that is in use is refused before anything runs', async () => {
  const other = createServer()
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done))
  const { port } = other.address() as AddressInfo
  const here = project({ 'a.fuzz.ts': ENDLESS })
  expect(await here.call('ui', '--port', `${port}`)).toEqual({
    ...{ status: 2, stdout: '' },
    stderr: `norn: --port: port ${port} is in use: choose another, or 0 for a free one\n`,
  })
  other.close()
  const { status, stderr } = await here.call('ui', '--port', '70000')
  expect([status, stderr]).toEqual([2, expect.stringContaining('expected a whole number from 0 to 65535')])
})
