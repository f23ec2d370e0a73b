import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { builtFolder } from './build/built-program.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const copiedPaths = [
  'docs',
  'packages',
  'tools',
  'LICENSE',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'vitest.config.ts',
  '.oxlintrc.json',
  '.oxfmtrc.json',
]
let tree: string
let files: string[]

beforeAll(() => {
  tree = mkdtempSync(path.join(tmpdir(), 'framegate-new-driver-'))
  for (const name of copiedPaths) {
    cpSync(path.join(root, name), path.join(tree, name), {
      recursive: true,
      filter: (source) => !/\/(node_modules|dist)$|\.(jpg|webp)$/.test(source),
    })
  }
  symlinkSync(path.join(root, 'node_modules'), path.join(tree, 'node_modules'))
  const { stdout, stderr, status } = newDriver('moving-pictures')
  expect([status, stderr]).toEqual([0, expect.stringContaining('docs/drivers.md explains how')])
  files = stdout.trim().split('\n')
})

afterAll(() => rmSync(tree, { recursive: true, force: true }))

function read(file: string): string {
  return readFileSync(path.join(tree, file), 'utf8')
}

function newDriver(...names: string[]) {
  return spawnSync(process.execPath, ['tools/new-driver.ts', ...names], { cwd: tree, encoding: 'utf8' })
}

function run(tool: string, ...args: string[]) {
  // Building the program again would take half of the time.
  const env = { ...process.env, FRAMEGATE_BUILT_PROGRAM: builtFolder }
  return spawnSync(path.join(root, 'node_modules/.bin', tool), args, { cwd: tree, encoding: 'utf8', env })
}

it('npm run new-driver creates a driver, a simulator, a test and a page, and adds the driver to the lists', () => {
  expect(files).toEqual([
    'packages/server/src/drivers/moving-pictures/moving-pictures-driver.ts',
    'packages/server/src/drivers/moving-pictures/jobs.ts',
    'packages/server/test/upstreams/moving-pictures.protocol.ts',
    'packages/server/test/upstreams/moving-pictures.test.ts',
    'docs/upstreams/moving-pictures.md',
    'packages/server/src/drivers/upstream-drivers.ts',
    'docs/upstreams.md',
  ])
  for (const file of files) expect(read(file)).not.toContain('{{')
  expect(read('packages/server/src/drivers/upstream-drivers.ts')).toMatch(/movingPicturesDriver,?\s*\]/)
  expect(read('docs/upstreams.md')).toContain('(upstreams/moving-pictures.md)')
  expect(read('docs/upstreams/moving-pictures.md')).toContain("'${MOVING_PICTURES_API_KEY}'")
})

it('a new driver passes oxfmt, tsc and oxlint', () => {
  expect(run('oxfmt', '--check', ...files).stdout).toContain('All matched files use the correct format')
  const sources = files.filter((file) => file.endsWith('.ts'))
  writeFileSync(path.join(tree, 'tsconfig.new.json'), JSON.stringify({ extends: './tsconfig.json', files: sources, include: [] }))
  expect(run('tsc', '-p', 'tsconfig.new.json').stdout).toBe('')
  expect(run('oxlint', '--type-aware', '--deny-warnings', ...sources).stdout).toContain('Found 0 warnings and 0 errors')
})

it('the test of a new driver fails only for the parts that must be completed, and names each of them', () => {
  run('vitest', 'run', 'packages/server/test/upstreams/moving-pictures.test.ts', '--reporter=json', '--outputFile=report.json')
  const report = JSON.parse(read('report.json')) as {
    testResults: { assertionResults: { title: string; status: string; failureMessages: string[] }[] }[]
  }
  const results = report.testResults.flatMap(({ assertionResults }) => assertionResults)
  const [failed, passed] = [
    results.filter(({ status }) => status === 'failed'),
    results.filter(({ status }) => status === 'passed'),
  ]
  expect(failed.map(({ title }) => title).filter((title) => !title.startsWith('the template is completed: '))).toEqual([])
  expect(failed.map(({ failureMessages: [message = ''] }) => message.split('\n')[0])).toContain(
    'AssertionError: fill in moving-pictures.protocol.ts: the addresses, headers, fields and errors that the provider documents',
  )
  expect([failed.length, passed.length > 25]).toEqual([12, true])
})

it.each([
  [['moving-pictures'], 1, 'a driver named moving-pictures already exists'],
  [['openai'], 1, 'a driver named openai already exists'],
  [['Moving Pictures'], 1, "a driver's name consists of lower-case words and digits"],
  [['../elsewhere'], 1, "a driver's name consists of lower-case words and digits"],
  [[], 2, 'The name of the driver is missing: npm run new-driver NAME'],
])('npm run new-driver rejects %j with the reason', (names, status, sentence) => {
  const result = newDriver(...names)
  expect([result.status, result.stdout]).toEqual([status, ''])
  expect(result.stderr).toContain(sentence)
})
