import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtLauncher } from '../../../tools/build/built-program.ts'
import { runFramegate } from './run-framegate.ts'

let cwd: string
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'framegate-full-output-'))
})
afterAll(() => rmSync(cwd, { recursive: true }))

/** Runs a command with a redirection in the syntax of the shell. */
const runRedirected = (command: string) =>
  runFramegate([`'${process.execPath}' '${builtLauncher}' ${command}`], { cwd, node: '/bin/sh', launcher: '-c' })

describe.skipIf(!existsSync('/dev/full'))('a file on a full disk', () => {
  it('framegate fails with one sentence if it cannot write its output', async () => {
    const { exitCode, stderr } = await runRedirected('--version > /dev/full')
    expect([exitCode, stderr]).toEqual([1, 'The output cannot be written (ENOSPC): the disk is full.\n'])
  })

  it('framegate ends with the exit code of the command if it cannot write its messages', async () => {
    expect((await runRedirected('--unknown-option 2> /dev/full')).exitCode).toBe(2)
  })
})
