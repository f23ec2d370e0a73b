import { ensureBuiltProgram } from './built-program.ts'

/** Tests start the program as it is published. */
export async function setup(): Promise<void> {
  await ensureBuiltProgram()
}
