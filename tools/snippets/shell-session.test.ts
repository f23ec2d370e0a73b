import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startShellSession, type ShellSession } from './shell-session.ts'

let folder: string
let shell: ShellSession
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'framegate-shell-'))
  shell = startShellSession(path.join(folder, 'session'), { cwd: folder, env: { PATH: process.env['PATH'] ?? '' } })
})
afterEach(() => rmSync(folder, { recursive: true }))

it('a shell session continues where the previous block ended', async () => {
  await shell.run(`word='two words'; say() { echo "$word in $(basename "$PWD")"; }; mkdir there; cd there`)
  expect(await shell.run('say; sh -c \'echo "$word"\'')).toBe('two words in there\ntwo words\n')
})

it.each(['false', 'false; echo fine', 'cat absent | head -n 1', 'echo "$absent"', 'exit 3'])(
  'a shell session fails on %j',
  async (script) => {
    await expect(shell.run(script)).rejects.toThrow('the program ended with')
  },
)
