import { tmpdir } from 'node:os'
import path from 'node:path'
import { defineConfig } from 'vitest/config'

// Threads and child processes of tests compile the same files thousands of times.
process.env['NODE_COMPILE_CACHE'] ??= path.join(tmpdir(), 'node-compile-cache')

const onPostgres = 'packages/*/{src,test}/**/postgres/**/*.test.ts'
const builtProgram = './tools/build/global-setup.ts'
const common = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // On a busy machine, a second is too short for 200 connections.
  expect: { poll: { timeout: 10_000 } },
  pool: 'forks',
  // CI repeats a failed test once and names it in its output: on a busy machine a wait may be too short. A counterexample of a
  // property test is never repeated.
  retry: process.env['CI'] === 'true' ? { count: 1, condition: /^(?!Property failed)/ } : 0,
} as const

export default defineConfig({
  test: {
    // Most tests wait for processes, timers and disks for half of their time: twice as many files as processors of a small machine.
    maxWorkers: 4,
    projects: [
      {
        test: {
          ...common,
          name: 'all but PostgreSQL',
          include: ['packages/*/{src,test,tools}/**/*.test.ts', '{tools,bench}/**/*.test.ts'],
          exclude: [onPostgres, '**/node_modules/**'],
          globalSetup: builtProgram,
        },
      },
      {
        test: {
          ...common,
          name: 'PostgreSQL',
          include: [onPostgres],
          globalSetup: [builtProgram, './packages/server/test/postgres/global-setup.ts'],
        },
      },
      {
        test: {
          ...common,
          name: 'newest PostgreSQL',
          include: ['packages/server/src/db/postgres/*.test.ts', 'packages/server/test/postgres/http-on-postgres.test.ts'],
          globalSetup: [builtProgram, './packages/server/test/postgres/global-setup-newest.ts'],
        },
      },
    ],
  },
})
