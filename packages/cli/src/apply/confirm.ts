import { createInterface } from 'node:readline/promises'
import { CommandFailure } from '../command-failure.ts'
import { exitCodes } from '../exit-codes.ts'

/** Asks on a terminal. Without a terminal nothing can be confirmed. */
export async function confirm(question: string, signal: AbortSignal): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw new CommandFailure(
      exitCodes.usage,
      'Nothing was changed. There is no terminal for the confirmation; --yes applies the changes without it.',
    )
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  // The terminal reader receives Ctrl-C before the process does.
  terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  try {
    const response = await terminal.question(`${question} [y/N] `, { signal })
    return /^y(es)?$/i.test(response.trim())
  } finally {
    terminal.close()
  }
}
