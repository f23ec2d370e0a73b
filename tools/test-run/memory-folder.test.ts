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

it('the folder of a killed test run is removed by the next one, and that of a running one is not', () => {
  const own = makeMemoryFolder()
  if (own === null) return
  const { pid } = spawnSync(process.execPath, ['--version'])
  const left = `/dev/shm/framegate-tests-${pid}-killed`
  mkdirSync(left)
  const next = makeMemoryFolder()
  expect([existsSync(left), existsSync(own), next !== null && existsSync(next)]).toEqual([false, true, true])
  for (const folder of [own, next]) if (folder !== null) rmSync(folder, { recursive: true })
})
