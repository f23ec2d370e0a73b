import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { builtLauncher } from '../../../tools/build/built-program.ts'
import type { Outcome, RunOptions } from './run-framegate.ts'

/** Whether `script` from util-linux is installed, which creates the pseudo-terminal. */
export const hasTerminal = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0

export interface TerminalOptions extends RunOptions {
  /** Width of the terminal in columns. Default: 100. 0 stands for an unknown width. */
  columns?: number
}

/**
 * Runs the command line in a terminal of 24 rows. Returns stdout and stderr combined, as a user
 * sees them.
 */
export async function runOnTerminal(args: string[], { cwd, env = {}, input, columns = 100 }: TerminalOptions): Promise<Outcome> {
  const line = [`stty cols ${columns} rows 24;`, 'exec', ...[process.execPath, builtLauncher, ...args].map(quote)].join(' ')
  const child = spawn('script', ['--quiet', '--return', '--command', line, '/dev/null'], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: cwd, TERM: 'xterm-256color', SHELL: '/bin/sh', ...env },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'inherit'],
  })
  // Written before the program reads it. The terminal buffers it.
  child.stdin?.write(input ?? '')
  let stdout = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  const [exitCode] = await once(child, 'close')
  return { exitCode, stdout, stderr: '' }
}

/**
 * Returns the final contents of the terminal. Interprets only the control sequences that the
 * command line uses.
 */
export function finalScreen(written: string): string[] {
  const lines = ['']
  let row = 0
  let column = 0
  for (const [token] of written.matchAll(/\p{Cc}\[(\d*)([A-Z])|\p{Cc}\[\?\d+[hl]|[^]/gu)) {
    if (token === '\r') column = 0
    else if (token === '\n') lines[++row] ??= ''
    else if (token.endsWith('A') && token.length > 1) row -= Number.parseInt(token.slice(2), 10)
    else if (token === '\x1b[J') lines.splice(row, Infinity, (lines[row] ?? '').slice(0, column))
    else if (token.startsWith('\x1b[?')) continue
    else if (token.startsWith('\x1b')) throw new Error(`an unexpected code: ${JSON.stringify(token)}`)
    else {
      const line = (lines[row] ?? '').padEnd(column)
      lines[row] = line.slice(0, column) + token + line.slice(column + 1)
      column += 1
    }
  }
  return lines.filter((line) => line !== '')
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}
