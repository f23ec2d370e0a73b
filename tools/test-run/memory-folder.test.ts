import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
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

it('a test run starts although a killed run left a folder that cannot be removed', () => {
  const { pid } = spawnSync(process.execPath, ['--version'])
  const mountPoint = `/dev/shm/framegate-tests-${pid}-mounted/disk`
  if (existsSync('/dev/shm')) mkdirSync(mountPoint, { recursive: true })
  // Needs root. Without a mount, the folder is removed.
  const isMounted = spawnSync('mount', ['-t', 'tmpfs', 'none', mountPoint]).status === 0
  onTestFinished(() => {
    if (isMounted) spawnSync('umount', [mountPoint])
    rmSync(path.dirname(mountPoint), { recursive: true, force: true })
  })
  const folder = makeMemoryFolder()
  if (folder === null) return
  expect([existsSync(mountPoint), existsSync(folder)]).toEqual([isMounted, true])
  rmSync(folder, { recursive: true })
})
