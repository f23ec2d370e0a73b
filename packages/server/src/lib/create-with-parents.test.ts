import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createWithParents } from './create-with-parents.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'framegate-parents-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

it('a new folder and its parents are created, and an existing one is kept', () => {
  const path = join(folder, 'parent', 'child')
  expect([createWithParents(path), createWithParents(path)]).toEqual([true, false])
  expect(statSync(path).mode & 0o777).toBe(0o700)
})

it('a folder that another process creates after the check is not an error', () => {
  // The path exists as soon as its parent is created.
  expect(createWithParents(`${folder}/parent/.`)).toBe(false)
  expect(statSync(join(folder, 'parent')).isDirectory()).toBe(true)
})

it('a file with the name of the folder is an error', () => {
  writeFileSync(join(folder, 'file'), '')
  expect(() => createWithParents(join(folder, 'file'))).toThrow('EEXIST')
})
