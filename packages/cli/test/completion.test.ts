import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runFramegate } from './run-framegate.ts'

let cwd: string
beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'framegate-completion-'))
  writeFileSync(join(cwd, 'my picture.png'), '')
  for (const { shell } of shells) {
    const { exitCode, stdout } = await runFramegate(['completion', shell], { cwd })
    expect(exitCode).toBe(0)
    writeFileSync(join(cwd, shell), stdout)
  }
})
afterAll(() => rmSync(cwd, { recursive: true }))

/** The shells, and the script with which each of them prints its completions for the last word. */
const shells = [
  {
    shell: 'bash',
    complete: (words: string[]) =>
      `source ./bash; COMP_WORDS=(${words.map(quote).join(' ')}); COMP_CWORD=${words.length - 1}; _framegate; printf '%s\\n' "\${COMPREPLY[@]}"`,
  },
  {
    shell: 'zsh',
    // A minimal replacement of zsh's completion system that records its calls.
    complete: (words: string[]) => `
      compdef() { : }
      _describe() { print -rl -- "\${(@)\${(@P)@[-1]}%%:*}" }
      _files() { print -rl -- * }
      compadd() { shift; print -rl -- "$@" }
      source ./zsh; words=(${words.map(quote).join(' ')}); CURRENT=${words.length}; _framegate`,
  },
  {
    shell: 'fish',
    complete: (words: string[]) => `source ./fish; complete -C ${quote(words.join(' '))} | string replace -r '\\t.*' ''`,
  },
]

describe.each(shells)('framegate completion $shell', ({ shell, complete }) => {
  const isInstalled = spawnSync(shell, ['-c', 'exit 0']).status === 0

  function completionsOf(...words: string[]): string[] {
    const args = shell === 'zsh' ? ['-f', '-c'] : ['-c']
    const { stdout, stderr } = spawnSync(shell, [...args, complete(['framegate', ...words])], {
      cwd,
      encoding: 'utf8',
      env: { ...process.env, HOME: cwd },
    })
    expect(stderr).toBe('')
    return stdout.split('\n').filter((line) => line !== '')
  }

  it.skipIf(!isInstalled)(`the completion of ${shell} offers commands, options, values and files`, () => {
    expect(completionsOf('')).toEqual(
      expect.arrayContaining(['serve', 'generate', 'tasks', 'models', 'quote', 'profiles', 'doctor']),
    )
    expect(completionsOf('tasks', '')).toEqual(expect.arrayContaining(['list', 'get', 'wait', 'cancel', 'download']))
    expect(completionsOf('tasks', 'list', '--')).toEqual(
      expect.arrayContaining(['--status', '--since', '--json', '--profile', '--help']),
    )
    expect(completionsOf('tasks', 'list', '--')).not.toContain('--count')
    expect(completionsOf('generate', 'list', '--')).toContain('--count')
    expect(completionsOf('tasks', 'list', '--status', '')).toEqual(
      ['queued', 'processing', 'completed', 'failed'].toSorted(shell === 'fish' ? undefined : () => 0),
    )
    expect(completionsOf('generate', '--reference', '')).toContain('my picture.png')
    expect(completionsOf('generate', '--seconds', '')).toEqual([])
    expect(completionsOf('completion', '')).toEqual(expect.arrayContaining(['bash', 'zsh', 'fish']))
  })
})

it('framegate completion rejects an unknown shell', async () => {
  const { exitCode, stderr } = await runFramegate(['completion', 'tcsh'], { cwd })
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('Allowed choices are bash, zsh, fish.')])
})

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}
