import { startBuiltThreads } from './built-threads.ts'
import { resolveExactImports } from './exact-imports.ts'
import { extendWaits } from './extend-waits.ts'

// Vitest imports this file for each test file, even in a process that runs several of them.
const setupMark = Symbol.for('framegate.testSetup')
const shared = globalThis as { [setupMark]?: true }
if (shared[setupMark] === undefined) {
  shared[setupMark] = true
  startBuiltThreads()
  extendWaits()
  if (process.env['VITEST_MODE'] !== 'WATCH') resolveExactImports()
}
