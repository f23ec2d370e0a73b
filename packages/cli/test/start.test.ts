import { once } from 'node:events'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { builtLauncher } from '../../../tools/build/built-program.ts'
import { runFramegate } from './run-framegate.ts'

/** In the repository, the command runs from its sources. */
const launcher = fileURLToPath(new URL('../bin/framegate.js', import.meta.url))

let cwd: string
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'framegate-start-'))
})
afterEach(() => rmSync(cwd, { recursive: true }))

/** Runs a command and returns every file that it has loaded, according to V8's coverage. */
async function filesLoadedBy(args: string[], env: Record<string, string> = {}): Promise<string[]> {
  const folder = join(cwd, 'loaded')
  await runFramegate(args, { cwd, launcher, env: { NODE_V8_COVERAGE: folder, ...env } })
  return readdirSync(folder).flatMap((name) => {
    const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as { result: { url: string }[] }
    return result.map(({ url }) => url)
  })
}

it.each([[['--help']], [['completion', 'bash']], [['profiles', 'list']], [['tasks', 'list', '--url', 'http://127.0.0.1:9/api']]])(
  'the command %j starts without loading the service',
  async (args) => {
    const files = await filesLoadedBy(args)
    expect(files.some((file) => file.includes('/packages/cli/src/program.ts'))).toBe(true)
    expect(files.filter((file) => file.includes('/packages/server/'))).toEqual([])
  },
)

it.runIf(process.platform === 'linux').each([
  ['16', {}],
  ['4', { UV_THREADPOOL_SIZE: '4' }],
])('the launcher lets Node make %s file system calls at a time with the environment %j', async (expected, env) => {
  const hook = join(cwd, 'hook.mjs')
  writeFileSync(hook, "process.on('exit', () => process.stderr.write(`pool ${process.env.UV_THREADPOOL_SIZE}`))")
  const args = ['MALLOC_MMAP_THRESHOLD_', process.execPath, builtLauncher, 'serve', '--help']
  const { stderr } = await runFramegate(args, {
    cwd,
    node: '/usr/bin/env',
    launcher: '-u',
    env: { NODE_OPTIONS: `--import=${hook}`, ...env },
  })
  expect(stderr).toBe(`pool ${expected}`)
})

it.each([[['models', 'list']], [['accounts', 'create', 'Studio North']]])(
  "the command %j calls the server without loading Node's fetch",
  async (args) => {
    const hook = join(cwd, 'hook.mjs')
    const isLoaded = "process.moduleLoadList.some((name) => name.includes('undici'))"
    writeFileSync(hook, `process.on('exit', () => process.stderr.write('fetch is loaded: ' + ${isLoaded}))`)
    let calls = 0
    const server = createServer((_request, response) => {
      calls++
      response.setHeader('content-type', 'application/json').end('{"object":"list","items":[],"next_cursor":null}')
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    const env = {
      FRAMEGATE_URL: `http://127.0.0.1:${port}/api`,
      FRAMEGATE_API_KEY: 'fg_live_x',
      NODE_OPTIONS: `--import=${hook}`,
    }
    const { stderr } = await runFramegate(args, { cwd, env })
    server.close()
    expect([calls, stderr]).toEqual([1, expect.stringContaining('fetch is loaded: false')])
  },
)
