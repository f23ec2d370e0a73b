import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { runFramegate } from './run-framegate.ts'

/** In the repository the command runs from its sources. */
const launcher = fileURLToPath(new URL('../bin/framegate.js', import.meta.url))

let cwd: string
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'framegate-start-'))
})
afterEach(() => rmSync(cwd, { recursive: true }))

/** Every file that the command has loaded, from V8's coverage. */
async function loadedBy(args: string[], env: Record<string, string> = {}): Promise<string[]> {
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
    const files = await loadedBy(args)
    expect(files.some((file) => file.includes('/packages/cli/src/program.ts'))).toBe(true)
    expect(files.filter((file) => file.includes('/packages/server/'))).toEqual([])
  },
)
