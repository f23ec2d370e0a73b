import { tmpdir } from 'node:os'
import path from 'node:path'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './tools/test-run/longest-first.ts'
import { makeMemoryFolder } from './tools/test-run/memory-folder.ts'

// Threads and child processes of tests compile the same files thousands of times.
process.env['NODE_COMPILE_CACHE'] ??= path.join(tmpdir(), 'node-compile-cache')
process.env['TMPDIR'] = makeMemoryFolder() ?? tmpdir()
// By default, four threads of each Node process collect garbage and optimize code. In the many
// short-lived processes of a run, the threads mostly compete for the processors.
process.env['NODE_OPTIONS'] = `--v8-pool-size=1 ${process.env['NODE_OPTIONS'] ?? ''}`.trimEnd()

const onPostgres = 'packages/*/{src,test}/**/postgres/**/*.test.ts'
/**
 * Files that measure or change the process in which they run, or that run for long. All others
 * share processes: importing and compiling the service anew would be half of their CPU time.
 */
const inOwnProcess = [
  'packages/renderer/src/video/lower-thread-priority.test.ts',
  'packages/server/src/db/data-folder-lock.test.ts',
  'packages/server/src/media/s3/s3-media-store.test.ts',
  'packages/server/test/embedded-driver.test.ts',
  'packages/server/test/http-authentication.test.ts',
  'packages/server/test/hostile/{addresses,incoming-bodies,decoders,decoders-of-a-service,documents-of-brands}.test.ts',
  'packages/server/test/hostile/{event-loop,fuzz-images,images,media-inputs,probers,results,slow-clients}.test.ts',
  'packages/server/test/routing/{allocator,invariants}.test.ts',
  'tools/test-run/*.test.ts',
]
const builtProgram = './tools/build/global-setup.ts'
const common = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // On a busy machine, a second is too short for 200 connections.
  expect: { poll: { timeout: 10_000 } },
  pool: 'forks',
  // Node itself loads the sources: the code runs faster than Vite's form of it, and nothing is
  // transformed.
  experimental: { viteModuleRunner: false, nodeLoader: false },
  setupFiles: './tools/test-run/setup.ts',
  // CI repeats a failed test once and names it in its output: on a busy machine a wait may be too
  // short. A counterexample of a property test is never repeated.
  retry: process.env['CI'] === 'true' ? { count: 1, condition: /^(?!Property failed)/ } : 0,
} as const

export default defineConfig({
  test: {
    // Most tests wait for processes, timers and disks for half of their time, so two processors
    // need more than four files at a time.
    maxWorkers: 5,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...common,
          name: 'all but PostgreSQL',
          include: inOwnProcess,
          exclude: ['**/node_modules/**'],
          globalSetup: builtProgram,
        },
      },
      {
        test: {
          ...common,
          // Projects run in the order of their names. This one comes last, because its files are
          // short, so no worker is idle for long at the end.
          name: 'shared processes, all but PostgreSQL',
          isolate: false,
          include: ['packages/*/{src,test,tools}/**/*.test.ts', '{tools,bench,examples}/**/*.test.ts'],
          exclude: [onPostgres, '**/node_modules/**', ...inOwnProcess],
          globalSetup: builtProgram,
        },
      },
      {
        test: {
          ...common,
          name: 'PostgreSQL',
          isolate: false,
          include: [onPostgres],
          globalSetup: [builtProgram, './packages/server/test/postgres/global-setup.ts'],
        },
      },
      {
        test: {
          ...common,
          name: 'newest PostgreSQL',
          isolate: false,
          // Runs fewer random cases: they test the order of operations, which is the same in all
          // versions of PostgreSQL.
          env: { FRAMEGATE_FEW_CASES: '1' },
          // Only the tests of the SQL statements, because the HTTP routes do not depend on the version
          // of PostgreSQL. Long runs test the routes too.
          include: [
            'packages/server/src/db/postgres/*.test.ts',
            'packages/server/test/postgres/{deletion,statements,usage-of-processes}.test.ts',
            ...(process.env['FRAMEGATE_LONG_TESTS'] === '1' ? ['packages/server/test/postgres/http-on-postgres.test.ts'] : []),
          ],
          globalSetup: [builtProgram, './packages/server/test/postgres/global-setup-newest.ts'],
        },
      },
    ],
  },
})
