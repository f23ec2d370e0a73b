import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { buildOnce, type Build } from './build-once.ts'

let parent: string
let buildCount: number
let options: Build

beforeEach(() => {
  parent = mkdtempSync(path.join(tmpdir(), 'framegate-build-'))
  buildCount = 0
  const folder = path.join(parent, 'dist')
  options = {
    folder,
    builtFile: path.join(folder, 'program.js'),
    stampFile: path.join(parent, 'stamps/program'),
    inputs: ['tools/build/build-once.ts'],
    async build(newFolder) {
      buildCount += 1
      mkdirSync(newFolder)
      await sleep(20)
      writeFileSync(path.join(newFolder, 'program.js'), `build ${buildCount}`)
    },
  }
})
afterEach(() => rmSync(parent, { recursive: true }))

it('one of several concurrent callers builds the folder, and later callers use it', async () => {
  await Promise.all([buildOnce(options), buildOnce(options), buildOnce(options)])
  await buildOnce(options)
  expect(buildCount).toBe(1)
  expect(readFileSync(options.builtFile, 'utf8')).toBe('build 1')
})

it('a changed input causes a new build, which replaces the folder', async () => {
  await buildOnce(options)
  writeFileSync(path.join(options.folder, 'old.js'), '')
  await buildOnce({ ...options, inputs: ['tools/build/state-of-files.ts'] })
  expect(readFileSync(options.builtFile, 'utf8')).toBe('build 2')
  expect(() => readFileSync(path.join(options.folder, 'old.js'))).toThrow('ENOENT')
})

it('the next caller repeats a failed build', async () => {
  const failing = { ...options, build: () => Promise.reject(new Error('the sources do not compile')) }
  await expect(buildOnce(failing)).rejects.toThrow('do not compile')
  await buildOnce(options)
  expect(buildCount).toBe(1)
})

it('a lock that is older than two minutes is removed', async () => {
  const lock = `${options.stampFile}.lock`
  mkdirSync(lock, { recursive: true })
  const longAgo = new Date(Date.now() - 200_000)
  utimesSync(lock, longAgo, longAgo)
  await buildOnce(options)
  expect(buildCount).toBe(1)
})
