import { createInterface } from 'node:readline/promises'
import { CommandFailure } from '../command-failure.ts'
import { exitCodes } from '../exit-codes.ts'

/** Whether a user at a terminal can be asked. */
export function canAsk(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY
}

/** Asks the user for a confirmation. Throws if there is no terminal. */
export async function confirm(question: string, signal: AbortSignal): Promise<boolean> {
  if (!canAsk()) {
    throw new CommandFailure(
      exitCodes.usage,
      'Nothing was changed. There is no terminal to ask for confirmation; --yes applies the changes without asking.',
    )
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  // The readline interface consumes Ctrl-C, so it is passed on to the process here.
  terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  try {
    const response = await terminal.question(`${question} [y/N] `, { signal })
    return /^y(es)?$/i.test(response.trim())
  } finally {
    terminal.close()
  }
}
