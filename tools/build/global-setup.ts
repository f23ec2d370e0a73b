import { ensureBuiltProgram } from './built-program.ts'

/** Builds the program before the tests, because they start it in its published form. */
export async function setup(): Promise<void> {
  await ensureBuiltProgram()
}
