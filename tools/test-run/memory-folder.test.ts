import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { expect, it } from 'vitest'
import { makeMemoryFolder } from './memory-folder.ts'

it('the folder of a test run exists until its process exits', () => {
  const folder = makeMemoryFolder()
  expect(folder === null || existsSync(folder)).toBe(true)
  const module = JSON.stringify(new URL('./memory-folder.ts', import.meta.url).href)
  const code = `const { makeMemoryFolder } = await import(${module}); console.log(makeMemoryFolder())`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], { encoding: 'utf8' })
  expect(stdout.trim() === 'null' || stdout.startsWith('/dev/shm/framegate-tests-'), stderr).toBe(true)
  expect(existsSync(stdout.trim())).toBe(false)
  if (folder !== null) rmSync(folder, { recursive: true })
})

it('a test run removes the folder of a killed run, and keeps the folder of a run in progress', () => {
  const ownFolder = makeMemoryFolder()
  if (ownFolder === null) return
  const { pid } = spawnSync(process.execPath, ['--version'])
  const leftoverFolder = `/dev/shm/framegate-tests-${pid}-killed`
  mkdirSync(leftoverFolder)
  const nextFolder = makeMemoryFolder()
  expect([existsSync(leftoverFolder), existsSync(ownFolder), nextFolder !== null && existsSync(nextFolder)]).toEqual([
    false,
    true,
    true,
  ])
  for (const folder of [ownFolder, nextFolder]) if (folder !== null) rmSync(folder, { recursive: true })
})
