import { startBuiltThreads } from './built-threads.ts'
import { resolveExactImports } from './exact-imports.ts'

// Vitest imports this file for each test file, even in a process that runs several of them.
const done = Symbol.for('framegate.testSetup')
const shared = globalThis as { [done]?: true }
if (shared[done] === undefined) {
  shared[done] = true
  startBuiltThreads()
  if (process.env['VITEST_MODE'] !== 'WATCH') resolveExactImports()
}
