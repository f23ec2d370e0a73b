import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { builtFolder } from './built-program.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const npmMsMax = 120_000
const installedMegabytesMax = 150

/** Folder of a project that has only the packed program as its dependency. */
let project: string
let tarballs: string[]

beforeAll(() => {
  const folder = mkdtempSync(path.join(tmpdir(), 'framegate-packed-'))
  const outputFolder = path.join(folder, 'packed')
  runNpm(root, 'run', 'pack', '--', '--out', outputFolder)
  tarballs = readdirSync(outputFolder).toSorted()
  project = path.join(folder, 'project')
  mkdirSync(project)
  writeFileSync(path.join(project, 'package.json'), '{ "private": true }')
  const program = tarballs.find((name) => name.startsWith('framegate-0')) ?? ''
  runNpm(project, 'install', '--prefer-offline', '--no-audit', '--no-fund', path.join(outputFolder, program))
}, npmMsMax)
afterAll(() => rmSync(path.dirname(project), { recursive: true }))

function runNpm(cwd: string, ...args: string[]): string {
  // Packs the program that was built before all tests. The test of the container image packs one
  // that it builds from the sources.
  const env = { ...process.env, FRAMEGATE_BUILT_PROGRAM: builtFolder }
  return execFileSync('npm', args, { cwd, env, encoding: 'utf8', timeout: npmMsMax, stdio: ['ignore', 'pipe', 'pipe'] })
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
}

it('npm run pack creates tarballs of the program and of both libraries', () => {
  expect(tarballs).toEqual(['framegate-0.1.0.tgz', 'framegate-ai-sdk-provider-0.1.0.tgz', 'framegate-sdk-0.1.0.tgz'])
})

it('the installed program contains no TypeScript and no tests, includes the licenses, and takes less than 150 MB', () => {
  const files = filesIn(path.join(project, 'node_modules/framegate'))
  expect(files.filter((file) => /\.ts$|\.test\.|fixture/.test(file))).toEqual([])
  expect(files.map((file) => path.basename(file))).toEqual(expect.arrayContaining(['LICENSE', 'THIRD-PARTY-NOTICES.txt']))
  const bytes = filesIn(project).reduce((sum, file) => sum + statSync(file).size, 0)
  expect(bytes / 1e6).toBeLessThan(installedMegabytesMax)
})

it('the installed program starts a service, generates an image, and passes its own doctor command', async () => {
  const bin = path.join(project, 'node_modules/.bin/framegate')
  const apiKey = `fg_live_${'k'.repeat(43)}`
  const env = {
    PATH: process.env['PATH'],
    HOME: project,
    FRAMEGATE_DATA_DIR: path.join(project, 'data'),
    FRAMEGATE_PORT: '0',
    FRAMEGATE_BOOTSTRAP_KEY: apiKey,
  }
  const service = spawn(bin, ['serve', '--json'], { cwd: project, env, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const [line] = (await once(createInterface({ input: service.stdout }), 'line')) as [string]
    const { url } = JSON.parse(line) as { url: string }
    const client = { ...env, FRAMEGATE_URL: url, FRAMEGATE_API_KEY: apiKey }
    const run = (...args: string[]) => spawnSync(bin, args, { cwd: project, env: client, encoding: 'utf8' })
    expect(run('generate', 'x', '--model', 'imgA-5.0', '--output', 'fox.png')).toMatchObject({ status: 0 })
    expect(await sharp(path.join(project, 'fox.png')).metadata()).toMatchObject({ format: 'png' })
    const { status, stdout } = run('doctor')
    expect([status, stdout]).toEqual([0, expect.stringMatching(/^ok +render /m)])
  } finally {
    service.kill('SIGTERM')
    await once(service, 'exit')
  }
})

it.each(['cli', 'sdk', 'console', 'server', 'renderer', 'contract'])(
  'npm pack in packages/%s fails, and the error contains the command that packs correctly',
  (workspace) => {
    const { status, stderr } = spawnSync('npm', ['pack', '--dry-run'], {
      cwd: path.join(root, 'packages', workspace),
      encoding: 'utf8',
    })
    expect([status === 0, stderr]).toEqual([false, expect.stringContaining('npm run pack -- --out FOLDER')])
  },
)
